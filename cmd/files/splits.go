package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"benchwright/cmd"
	"benchwright/internal/regular"
	"benchwright/sim/files"
	"benchwright/sim/files/builtin"
	"benchwright/sim/files/splits"
)

func splitsVerb() *cobra.Command {
	c := &cobra.Command{
		Use: "splits", Short: "Divide workspaces into those to train on, to validate and test with, and those held out",
		Long: `Divide workspaces into those to train on, to validate and test with, and those held out. A manifest names the
workspaces of each split; where a verb takes a manifest and none is given, it is that of the standard splits.`,
	}
	c.AddCommand(buildVerb(), validateVerb(), statsVerb(), exportVerb())
	return c
}

func buildVerb() *cobra.Command {
	c := &cobra.Command{Use: "build", Short: "Print the manifest of the splits", Args: args(cobra.NoArgs)}
	only := c.Flags().StringSlice("split", nil, "which splits: "+strings.Join(splits.Names(), ", ")+"; all by default")
	shuffle := c.Flags().Bool("shuffle", false, "shuffle each split")
	seed := c.Flags().Int64("shuffle-seed", 0, "of the shuffle")
	most := c.Flags().Int("max", 0, "so many workspaces a split at most; 0 is no bound")
	createdAt := createdAtFlag(c)
	out := c.Flags().String("output", "", "a new file to write to instead of standard output")
	c.RunE = func(c *cobra.Command, _ []string) error {
		for _, s := range *only {
			if err := oneOf("split", s, splits.Names()...); err != nil {
				return err
			}
		}
		if *most < 0 {
			return cmd.Usage(fmt.Errorf("--max %d: want 0 or more", *most))
		}
		o := splits.Options{Splits: *only, Shuffle: *shuffle, ShuffleSeed: *seed, CreatedAt: *createdAt}
		if *most > 0 {
			o.Most = map[string]int{}
			for _, s := range splits.Names() {
				o.Most[s] = *most
			}
		}
		m, err := splits.Build(builtin.Families(), o)
		if err != nil {
			return err
		}
		return output(c.OutOrStdout(), *out, m.JSON())
	}
	return c
}

// output writes to standard output, or to a file that does not exist yet.
func output(std io.Writer, name, text string) error {
	if name == "" {
		_, err := io.WriteString(std, text)
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return cmd.Usage(fmt.Errorf("--output %s: the file exists already: choose another name or remove it", clean(name)))
	}
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func validateVerb() *cobra.Command {
	c := &cobra.Command{
		Use: "validate [MANIFEST]", Short: "Say what stands in two splits, or is no workspace at all; exit 0 if nothing",
		Args: args(cobra.MaximumNArgs(1)),
	}
	c.RunE = func(c *cobra.Command, a []string) error {
		m, err := manifest(a)
		if err != nil {
			return err
		}
		r := splits.Validate(m, builtin.Families())
		if _, err := io.WriteString(c.OutOrStdout(), shown(files.JSON(r))); err != nil {
			return err
		}
		if !r.Valid {
			return fmt.Errorf("the splits are not sound: %s", plural(r.ErrorCount, "error"))
		}
		return nil
	}
	return c
}

// maxManifest is how large a manifest may be.
const maxManifest = 64 << 20

// manifest reads the manifest that is named, or builds that of the standard splits.
func manifest(a []string) (*splits.Manifest, error) {
	if len(a) == 0 || a[0] == "" {
		return splits.Build(builtin.Families(), splits.Options{})
	}
	raw, err := regular.Read(a[0], maxManifest)
	if err != nil {
		return nil, cmd.Usage(fmt.Errorf("%s: %w", clean(a[0]), cause(err)))
	}
	m, err := splits.Parse(raw)
	if err != nil {
		return nil, cmd.Usage(fmt.Errorf("%s: %w", clean(a[0]), err))
	}
	return m, nil
}

func statsVerb() *cobra.Command {
	c := &cobra.Command{
		Use: "stats [MANIFEST]", Short: "Compile every workspace of the splits and count the worlds among them",
		Long: `Compile every workspace of the splits and count the worlds among them. Two workspaces are one world when what an
agent sees and what is expected of it are the same, whatever their names are. "known" are worlds that an
earlier split has, too.`,
		Args: args(cobra.MaximumNArgs(1)),
	}
	only := c.Flags().StringSlice("split", nil, "which splits: "+strings.Join(splits.Names(), ", ")+"; all by default")
	asJSON := c.Flags().Bool("json", false, "print them as JSON")
	c.RunE = func(c *cobra.Command, a []string) error {
		m, err := manifest(a)
		if err != nil {
			return err
		}
		if m.Assignments, err = ofSplits(m, *only); err != nil {
			return err
		}
		tallies, err := splits.Count(m, library().Compile)
		if err != nil {
			return err
		}
		if *asJSON {
			_, err := io.WriteString(c.OutOrStdout(), files.JSON(tallies))
			return err
		}
		return table(c.OutOrStdout(), m, tallies)
	}
	return c
}

// ofSplits returns the assignments of some splits, or all.
func ofSplits(m *splits.Manifest, only []string) ([]splits.Assignment, error) {
	if len(only) == 0 {
		return m.Assignments, nil
	}
	var rows []splits.Assignment
	for _, s := range only {
		if err := oneOf("split", s, splits.Names()...); err != nil {
			return nil, err
		}
		of := m.Of(s)
		if len(of) == 0 {
			return nil, fmt.Errorf("--split %s: the manifest has no workspace of it", s)
		}
		rows = append(rows, of...)
	}
	return rows, nil
}

func table(w io.Writer, m *splits.Manifest, tallies []splits.Tally) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "split\tworkspaces\tdistinct worlds\tknown\tfamilies\tscenarios\tdifficulties\t")
	for _, tally := range tallies {
		families, scenarios, levels := map[string]bool{}, map[string]bool{}, []int{}
		for _, a := range m.Of(tally.Split) {
			families[a.Family], scenarios[a.Family+"/"+a.Scenario] = true, true
			levels = with(levels, a.Difficulty)
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t\n", tally.Split, tally.Instances, tally.Distinct, tally.Known, len(families), len(scenarios), span(levels))
	}
	return t.Flush()
}

// span words a sorted list of levels.
func span(levels []int) string {
	if n := len(levels); n > 2 && levels[n-1]-levels[0] == n-1 {
		return fmt.Sprintf("%d–%d", levels[0], levels[n-1])
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(levels), " ", ","), "[]")
}

func exportVerb() *cobra.Command {
	c := &cobra.Command{
		Use: "export [MANIFEST]", Short: "Make the workspaces of splits, as a dataset for other harnesses",
		Long: `Make the workspaces of splits, as a dataset for other harnesses: metadata.json, manifest.jsonl and environments/.
Each is proven before it is written, as by bench generate.`,
		Args: args(cobra.MaximumNArgs(1)),
	}
	only := c.Flags().StringSlice("split", nil, "which splits: "+strings.Join(splits.Names(), ", ")+"; all by default")
	strategy := c.Flags().String("sample", "first", "how --max chooses: first, head, balanced, stratified")
	most := c.Flags().Int("max", -1, "so many workspaces at most; -1 is all")
	shuffle := c.Flags().Bool("shuffle", false, "shuffle before choosing")
	seed := c.Flags().Int64("shuffle-seed", 0, "of the shuffle")
	w := writingFlags(c, "exported")
	w.export = func() bool { return true }
	c.RunE = func(c *cobra.Command, a []string) error {
		m, err := manifest(a)
		if err != nil {
			return err
		}
		if r := splits.Validate(m, builtin.Families()); !r.Valid {
			return cmd.Usage(fmt.Errorf("the splits are not sound, first: %s; bench splits validate lists all", clean(r.Errors[0])))
		}
		rows, err := ofSplits(m, *only)
		if err != nil {
			return err
		}
		if rows, err = splits.Sample(rows, splits.Sampling{Strategy: *strategy, N: *most, Shuffle: *shuffle, Seed: *seed}); err != nil {
			return cmd.Usage(err)
		}
		specs := make([]files.Spec, len(rows))
		for i, r := range rows {
			specs[i] = r.Spec()
		}
		return w.write(c, specs)
	}
	return c
}
