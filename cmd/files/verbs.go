// Package files has the verbs of the files world: they make workspaces, divide them into splits,
// let baselines play them and grade what somebody left in one. None of it is a run: how to measure
// an agent with the same workspaces is told by the built-in suite.
package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/spf13/cobra"

	"benchwright/cmd"
	"benchwright/internal/run"
	"benchwright/reports"
	"benchwright/sim/files"
	"benchwright/sim/files/builtin"
	"benchwright/sim/files/machine"
)

// Verbs returns the verbs of the files world, for cmd.Main.
func Verbs() []*cobra.Command {
	return []*cobra.Command{generateVerb(), evaluateVerb(), runVerb(), splitsVerb()}
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

// library compiles what the built-in families make.
func library() *files.Library { return files.NewLibrary(builtin.Families()...) }

// commands is where code of workspaces runs, as BENCH_SANDBOX and BENCH_PYTHON say.
func commands() (*machine.Machine, error) {
	var set []string
	for _, name := range []string{"BENCH_SANDBOX", "BENCH_PYTHON"} {
		set = append(set, name+"="+os.Getenv(name))
	}
	c, err := run.FromEnv(set)
	if err != nil {
		return nil, cmd.Usage(err)
	}
	return machine.New(c.Sandbox, c.Python), nil
}

// load reads an instance from a folder, from which nothing leads out.
func load(dir string) (*files.Instance, error) {
	if dir == "" {
		return nil, cmd.Usage(errors.New("say which workspace: --environment FOLDER, one that bench generate has made"))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, cmd.Usage(fmt.Errorf("--environment %s: %w", clean(dir), cause(err)))
	}
	defer root.Close()
	in, err := files.Load(root.FS())
	if err == nil {
		err = newGrader(library(), nil).Check(in)
	}
	if err != nil {
		return nil, cmd.Usage(fmt.Errorf("--environment %s: %w", clean(dir), err))
	}
	return in, nil
}

// cause is an error without the path that its message repeats.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// oneOf checks the value of a flag.
func oneOf(flag, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	return cmd.Usage(fmt.Errorf("--%s %q: want one of %s", flag, value, strings.Join(allowed, ", ")))
}

func contextOf(c *cobra.Command) context.Context {
	if ctx := c.Context(); ctx != nil {
		return ctx
	}
	return context.Background()
}

// clean makes text from elsewhere fit for a line.
func clean(s string) string { return reports.Clean(s, 300) }

// shown is JSON in which everything that a terminal might obey is escaped.
func shown(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r != '\n' && r != ' ' && !unicode.IsGraphic(r) || unicode.Is(unicode.Bidi_Control, r) {
			for _, u := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(&b, `\u%04x`, u)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
