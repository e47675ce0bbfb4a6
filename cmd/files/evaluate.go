package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/spf13/cobra"

	"benchwright/cmd"
	grader "benchwright/grader/files"
	"benchwright/sim/files"
)

func evaluateVerb() *cobra.Command {
	c := &cobra.Command{
		Use: "evaluate --environment FOLDER", Short: "Grade what somebody left in a workspace",
		Long: `Grade the files that somebody left in a workspace, and print the evaluator's result as JSON: success, score,
subscores, failure_labels, diagnostics, runtime_seconds. The diagnostics tell the solution: they are not for
agents. Code of the workspace is run as BENCH_SANDBOX and BENCH_PYTHON say.

It exits with 0 when the result is a success, with 1 when it is none, and with 2 when there is no result.`,
		Args: args(cobra.NoArgs),
	}
	environment := c.Flags().String("environment", "", "a folder with manifest.json, visible/ and hidden/")
	workspace := c.Flags().String("workspace", "", "the folder that was worked in; by default visible/, untouched")
	c.RunE = func(c *cobra.Command, _ []string) error {
		in, err := load(*environment)
		if err != nil {
			return err
		}
		left := in.Visible
		if *workspace != "" {
			var skipped []string
			if left, skipped, err = leftovers(*workspace); err != nil {
				return cmd.Usage(fmt.Errorf("--workspace %s: %w", clean(*workspace), cause(err)))
			}
			for i, p := range skipped {
				if i == mostSkipped {
					fmt.Fprintf(c.ErrOrStderr(), "note: and %d more\n", len(skipped)-i)
					break
				}
				fmt.Fprintf(c.ErrOrStderr(), "note: %s is no plain file, and counts as missing\n", clean(p))
			}
		}
		m, err := commands()
		if err != nil {
			return err
		}
		w, err := files.NewWorkspace(left)
		if err != nil {
			return cmd.Usage(err)
		}
		r, err := newGrader(library(), m).Evaluate(contextOf(c), in, w)
		if err != nil {
			return &cmd.Exit{Code: 2, Err: fmt.Errorf("the workspace could not be graded: %s", clean(err.Error()))}
		}
		r.RuntimeSeconds = took(r)
		if _, err := io.WriteString(c.OutOrStdout(), shown(string(r.JSON()))); err != nil {
			return err
		}
		if !r.Success {
			return errors.New("the workspace is not what it should be")
		}
		return nil
	}
	return c
}

// took is the time that a result says it took, for tests to replace.
var took = func(r grader.Result) float64 { return r.RuntimeSeconds }

// mostSkipped bounds the notes about what is no file.
const mostSkipped = 20

// leftovers reads the plain files of a folder, from which nothing leads out. Links are not
// followed: they, and whatever else is no file, are returned by name.
func leftovers(dir string) (files.Tree, []string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	p := &plain{FS: root.FS()}
	t, err := files.ReadTree(p, ".")
	slices.Sort(p.skipped)
	return t, p.skipped, err
}

// A plain file system shows nothing but files and folders.
type plain struct {
	fs.FS
	skipped []string
}

// ReadDir implements fs.ReadDirFS.
func (p *plain) ReadDir(dir string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(p.FS, dir)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		if e.IsDir() || e.Type().IsRegular() {
			return false
		}
		p.skipped = append(p.skipped, path.Join(dir, e.Name()))
		return true
	}), err
}
