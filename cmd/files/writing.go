package files

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"benchwright/cmd"
	grader "benchwright/grader/files"
	"benchwright/sim/files"
)

// writing is how instances get into a folder.
type writing struct {
	dir       *string
	unproven  *bool
	export    func() bool
	name      *string
	createdAt *string
}

func writingFlags(c *cobra.Command, dir string) writing {
	return writing{
		dir:       c.Flags().String("output-dir", dir, "the folder to write to"),
		unproven:  c.Flags().Bool("skip-validate", false, "write them without proof"),
		name:      c.Flags().String("name", "", "of the dataset; by default that of the folder"),
		createdAt: createdAtFlag(c),
	}
}

// createdAtFlag: by default nothing of what is made depends on when that was.
func createdAtFlag(c *cobra.Command) *string {
	return c.Flags().String("created-at", "", "a time for the field created_at, which is null without it")
}

// write compiles, proves and writes instances. Those that fail are told at the end.
func (w writing) write(c *cobra.Command, specs []files.Spec) error {
	lib := library()
	m, err := commands()
	if err != nil {
		return err
	}
	g := newGrader(lib, m)
	var out *dataset
	into := *w.dir
	if w.export() {
		if out, err = newDataset(into, *w.name, *w.createdAt); err != nil {
			return err
		}
		into = filepath.Join(into, environments)
	} else if *w.name != "" || *w.createdAt != "" {
		return cmd.Usage(errors.New("--name and --created-at are of a dataset: add --export"))
	}
	written, failed := 0, 0
	worlds := map[string]bool{}
	for _, spec := range specs {
		in, line, err := w.one(contextOf(c), g, lib, spec, into)
		if err != nil {
			failed++
			text := fmt.Sprintf("%s of difficulty %d, seed %d: %s", spec.Family, spec.Difficulty, spec.Seed, clean(err.Error()))
			fmt.Fprintf(c.ErrOrStderr(), "error: %s\n", text)
			if out != nil {
				out.fail(text)
			}
			if err := contextOf(c).Err(); err != nil {
				return err
			}
			continue
		}
		written++
		worlds[in.World()] = true
		fmt.Fprintln(c.OutOrStdout(), line)
		if out != nil {
			out.add(in, spec)
		}
	}
	if out != nil {
		if err := out.close(); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.OutOrStdout(), "%s written to %s, %s\n", plural(written, "workspace"), *w.dir, plural(len(worlds), "distinct world"))
	if failed > 0 {
		return fmt.Errorf("%d of %s could not be made", failed, plural(len(specs), "workspace"))
	}
	return nil
}

// newGrader returns what workspaces are graded by; without a machine no code is run.
func newGrader(lib *files.Library, m grader.Machine) *grader.Grader { return grader.New(lib, m) }

// one makes one instance, and says where it is and what it is.
func (w writing) one(ctx context.Context, g *grader.Grader, lib *files.Library, spec files.Spec, into string) (*files.Instance, string, error) {
	in, err := lib.Compile(spec)
	if err != nil {
		return nil, "", err
	}
	proof := "not proven"
	if !*w.unproven {
		floor, err := prove(ctx, g, in)
		if err != nil {
			return nil, "", err
		}
		proof = fmt.Sprintf("floor %.6f", floor)
	}
	at, err := in.Write(into)
	if err != nil {
		return nil, "", err
	}
	return in, fmt.Sprintf("%s  %s  %s", filepath.ToSlash(at), in.Manifest.Metadata.Scenario, proof), nil
}

// prove holds an instance to what is promised of it, and returns what it is worth untouched.
func prove(ctx context.Context, g *grader.Grader, in *files.Instance) (floor float64, err error) {
	id := in.Manifest.EnvID
	if len(in.Reference()) == 0 {
		return 0, errors.New("Reference solution metadata must include at least one file artifact.") //nolint:staticcheck // the published text
	}
	var same []string
	for _, p := range in.Reference().Paths() {
		if old, there := in.Visible[p]; there && old == in.Reference()[p] {
			same = append(same, p)
		}
	}
	if len(same) > 0 {
		return 0, fmt.Errorf("Reference solution did not modify one or more visible files; nothing is left to do there: %s", strings.Join(same, ", ")) //nolint:staticcheck // the published text
	}
	solved, err := evaluate(ctx, g, in, in.Solved())
	if err != nil {
		return 0, err
	}
	if !solved.Success {
		return 0, fmt.Errorf("Reference solution failed validation for '%s': [%s]", id, strings.Join(solved.FailureLabels, ", ")) //nolint:staticcheck // the published text
	}
	untouched, err := evaluate(ctx, g, in, in.Visible)
	if err != nil {
		return 0, err
	}
	if untouched.Success {
		return 0, fmt.Errorf("the untouched workspace of '%s' passes: there is nothing to do in it", id)
	}
	return untouched.Score, nil
}

func evaluate(ctx context.Context, g *grader.Grader, in *files.Instance, left files.Tree) (grader.Result, error) {
	w, err := files.NewWorkspace(left)
	if err != nil {
		return grader.Result{}, err
	}
	return g.Evaluate(ctx, in, w)
}
