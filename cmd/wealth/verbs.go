package wealth

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"benchwright/cmd"
	"benchwright/features"
	"benchwright/grader/wealth/scorer"
	"benchwright/steps/wealth"
	"benchwright/tasks"
)

// Verbs returns the verbs of the wealth world, for cmd.Main.
func Verbs() []*cobra.Command { return []*cobra.Command{finqaVerb(), wealthVerb()} }

func wealthVerb() *cobra.Command {
	c := &cobra.Command{
		Use:   "wealth",
		Short: "Score, time, verify and compare files of WealthOps predictions",
		Long: `Score, time, verify and compare files of WealthOps predictions. None of it needs a model or a network.

A run leaves its predictions in views/wealthops/predictions.jsonl of its bundle. The task files of
the published format are printed by "bench compile --view candidate|cases|oracle|fixtures".`,
	}
	c.AddCommand(scoreVerb(), latencyVerb(), verifyVerb(), compareVerb())
	return c
}

// args is a cobra argument check whose errors are wrong usage.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, a []string) error {
		if err := check(c, a); err != nil {
			return cmd.Usage(fmt.Errorf("%s: %w; usage: %s", c.Name(), err, c.UseLine()))
		}
		return nil
	}
}

// cases returns the tasks behind the published cases of the built-in suite.
var cases = sync.OnceValues(func() ([]tasks.Task, error) {
	all, err := tasks.Compile(features.Suite())
	if err != nil {
		return nil, err
	}
	var out []tasks.Task
	for _, t := range all.Tasks {
		if t.ID.Suite() == suite {
			out = append(out, t)
		}
	}
	return out, nil
})

// suite is the suite whose cases are published, and the folder of its run bundles.
const suite = "wealthops"

// sources returns the task files of the built-in suite.
func sources() (scorer.Sources, error) {
	all, err := cases()
	if err != nil {
		return scorer.Sources{}, err
	}
	return wealth.Files(all)
}

// output is the --output flag: a file that does not exist yet.
type output struct{ path *string }

func outputFlag(c *cobra.Command, what string) output {
	return output{c.Flags().String("output", "", "a new file for "+what+" as JSON")}
}

// free refuses a file that exists, before any work is done.
func (o output) free() error {
	if *o.path == "" {
		return nil
	}
	if _, err := os.Lstat(*o.path); err == nil {
		return o.taken()
	}
	return nil
}

func (o output) taken() error {
	return fmt.Errorf("--output %s: the file exists already, and results are not overwritten: choose another name or remove it", *o.path)
}

// write writes the file, and says so.
func (o output) write(w io.Writer, v interface{ Encode() ([]byte, error) }) error {
	if *o.path == "" {
		return nil
	}
	raw, err := v.Encode()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(*o.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return o.taken()
	}
	if err != nil {
		return err
	}
	if _, err := f.Write(raw); err != nil {
		f.Close()
		return err
	}
	fmt.Fprintf(w, "\nwritten: %s\n", *o.path)
	return f.Close()
}
