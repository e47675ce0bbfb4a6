// Package wiki holds the verbs of the wiki world: its records are verified, and made anew from what
// a run has recorded.
package wiki

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"benchwright/cmd"
	"benchwright/features"
	rules "benchwright/grader/wiki"
	"benchwright/internal/run"
	"benchwright/reports"
	"benchwright/steps/wiki"
	"benchwright/tasks"
)

// Verbs returns the verbs of the wiki world, for cmd.Main.
func Verbs() []*cobra.Command {
	c := &cobra.Command{
		Use:   "wiki",
		Short: "Verify the five records of code wiki runs, or make them anew",
		Long: `Verify the five records of code wiki runs, or make them anew. None of it needs a model or a network.

A run leaves its records in views/codewiki/three_gates of its bundle: manifest.json, events.jsonl, grading.json,
summary.json and report.md, closed by records.sha256.`,
	}
	c.AddCommand(verifyVerb(), regradeVerb())
	return []*cobra.Command{c}
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

func verifyVerb() *cobra.Command {
	c := &cobra.Command{
		Use: "verify BUNDLE", Short: "Check the seals of a bundle's records, and that they follow from its episodes",
		Long: "Check the seals of a bundle's records, and that every byte of them follows from its episodes. It exits with 1 when\n" +
			"anything does not hold, and names every record that has changed, is missing or was added.",
		Args: args(cobra.ExactArgs(1)),
	}
	c.RunE = func(c *cobra.Command, a []string) error {
		made, err := derive(c.Context(), a[0])
		if err != nil {
			return err
		}
		there, err := read(filepath.Join(a[0], "views"), folders(made))
		if err != nil {
			return err
		}
		out := c.OutOrStdout()
		wrong := 0
		for _, folder := range folders(made) {
			problems := compare(within(there, folder), within(made, folder))
			if len(problems) == 0 {
				fmt.Fprintf(out, "views/%s holds: %s\n", folder, headline(within(made, folder)))
				continue
			}
			wrong += len(problems)
			fmt.Fprintf(out, "views/%s does not hold:\n", folder)
			for _, p := range problems {
				fmt.Fprintf(out, "  %s\n", reports.Clean(p, 300))
			}
		}
		if wrong > 0 {
			return fmt.Errorf("%s: %d problems; bench wiki regrade makes the records anew", a[0], wrong)
		}
		return nil
	}
	return c
}

func regradeVerb() *cobra.Command {
	c := &cobra.Command{
		Use: "regrade BUNDLE", Short: "Make the records of a bundle anew from its episodes",
		Long: "Make the records of a bundle anew from its episodes, also those of a run that was killed, and print the report.\n" +
			"Records never change: with --output they are written to a new folder.",
		Args: args(cobra.ExactArgs(1)),
	}
	output := c.Flags().String("output", "", "a new folder for the records")
	c.RunE = func(c *cobra.Command, a []string) error {
		made, err := derive(c.Context(), a[0])
		if err != nil {
			return err
		}
		if *output != "" {
			if _, err := os.Lstat(*output); !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("--output=%s: it is there already; records are never overwritten", *output)
			}
			if err := reports.WriteFiles(*output, made); err != nil {
				return err
			}
		}
		for _, folder := range folders(made) {
			c.OutOrStdout().Write(made[path.Join(folder, rules.ReportFile)])
		}
		return nil
	}
	return c
}

// suite compiles the tasks of the built-in suite that are about wikis.
var suite = sync.OnceValues(func() ([]tasks.Task, error) {
	const dir = "codewiki"
	s := features.Suite()
	own, err := fs.Sub(s.Features, dir)
	if err != nil {
		return nil, err
	}
	c, err := tasks.Compile(tasks.Suite{Name: s.Name, Dir: path.Join(s.Dir, dir), Features: own, Kits: []tasks.Kit{wiki.Kit()}})
	if err != nil {
		return nil, err
	}
	return c.Tasks, nil
})

// derive makes the records of a bundle whose run is over.
func derive(ctx context.Context, dir string) (map[string][]byte, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	r, err := reports.Open(dir)
	if err != nil {
		return nil, err
	}
	executions, err := r.Executions(reports.Watch{Now: time.Now(), Alive: run.Alive})
	if err != nil {
		return nil, err
	}
	for _, x := range executions {
		if x.State == reports.Running {
			return nil, fmt.Errorf("bundle %s: the run goes on: %s is being played; see bench status", dir, x.Key)
		}
	}
	all, err := suite()
	if err != nil {
		return nil, err
	}
	made, err := wiki.Kit().Views(ctx, os.DirFS(dir), all)
	if err == nil && len(made) == 0 {
		err = fmt.Errorf("bundle %s: nothing of the suite codewiki was played in it", dir)
	}
	return made, err
}

// folders lists the folders of records, sorted.
func folders(files map[string][]byte) []string {
	seen := map[string]bool{}
	for name := range files {
		seen[path.Dir(name)] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// within returns the files of a folder by their names.
func within(files map[string][]byte, folder string) map[string][]byte {
	out := map[string][]byte{}
	for name, raw := range files {
		if path.Dir(name) == folder {
			out[path.Base(name)] = raw
		}
	}
	return out
}

// most is how large a record may be that is read back.
const most = 256 << 20

// read returns the regular files in some folders.
func read(root string, folders []string) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, folder := range folders {
		entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(folder)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			name := filepath.Join(root, filepath.FromSlash(folder), e.Name())
			if !e.Type().IsRegular() {
				return nil, fmt.Errorf("%s: not a file", name)
			}
			f, err := os.Open(name)
			if err != nil {
				return nil, err
			}
			raw, err := io.ReadAll(io.LimitReader(f, most))
			f.Close()
			if err != nil {
				return nil, err
			}
			out[path.Join(folder, e.Name())] = raw
		}
	}
	return out, nil
}

// compare returns what is wrong with records: their seal, and what does not follow from the episodes.
func compare(there, made map[string][]byte) (problems []string) {
	if len(there) == 0 {
		return []string{"there are no records"}
	}
	if made[rules.SealFile] != nil {
		if err := rules.Verify(there); err != nil {
			problems = append(problems, err.Error())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if raw, ok := there[name]; ok && !bytes.Equal(raw, made[name]) {
			problems = append(problems, name+" does not follow from the episodes")
		}
	}
	return problems
}

// headline is the first line of a report.
func headline(files map[string][]byte) string {
	line, _, _ := bytes.Cut(files[rules.ReportFile], []byte("\n"))
	return string(bytes.TrimPrefix(line, []byte("# ")))
}
