package wealth

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"benchwright/cmd"
	"benchwright/grader/wealth/scorer"
)

func compareVerb() *cobra.Command {
	c := &cobra.Command{
		Use:   "compare BASE ADAPTED",
		Short: "Compare the run bundle of an adapted candidate with that of its base",
		Long: `Compare the run bundle of an adapted candidate with that of its base. Both are verified first, and must agree in
all but the candidate: inputs, cases, fixtures, protocol, limits and options.

The adapted candidate may be released when no critical case is lost and no fewer families pass in all languages.
It exits with 0 when it may, with 2 when it may not, and with 1 when the two cannot be compared.`,
		Args: args(cobra.ExactArgs(2)),
	}
	out := outputFlag(c, "the comparison")
	c.RunE = func(c *cobra.Command, a []string) error {
		if err := out.free(); err != nil {
			return err
		}
		var sides [2]*scorer.Bundle
		for i, dir := range a {
			p, err := find(dir)
			if err != nil {
				return err
			}
			b, problems, err := verify(p)
			if err != nil {
				return err
			}
			if len(problems) > 0 {
				return fmt.Errorf("%s: it does not hold: %s; see them all with: bench wealth verify %s", dir, clean(problems[0]), dir)
			}
			sides[i] = b
		}
		comparison, err := scorer.Compare(sides[0], sides[1])
		if err != nil {
			return err
		}
		if err := writeComparison(c.OutOrStdout(), comparison); err != nil {
			return err
		}
		if err := out.write(c.OutOrStdout(), comparison); err != nil {
			return err
		}
		if !comparison.Release {
			return &cmd.Exit{Code: 2, Err: errors.New("the release rule does not hold: " + strings.Join(comparison.Reasons, "; "))}
		}
		return nil
	}
	return c
}

func writeComparison(w io.Writer, c scorer.Comparison) error {
	b := &strings.Builder{}
	for _, s := range []struct {
		name string
		side scorer.Side
	}{{"base   ", c.Base}, {"adapted", c.Adapted}} {
		fmt.Fprintf(b, "%s  %s (%s): %d of %d cases, %d families in all languages\n",
			s.name, clean(s.side.Model), clean(orNone(s.side.Digest)), s.side.Passed, s.side.Attempted, s.side.FamiliesPassed)
	}
	fmt.Fprintf(b, "%s\n", kinds[c.Base.RunKind])
	if c.Base.Digest != "" && c.Base.Digest == c.Adapted.Digest {
		fmt.Fprintf(b, "note: both have the same digest, so what differs is chance and not the candidate\n")
	}
	b.WriteByte('\n')
	t := tabwriter.NewWriter(b, 0, 4, 2, ' ', 0)
	fmt.Fprintf(t, "\tkept\tgained\tlost\tstill failing\n")
	row := func(name string, n scorer.Transitions) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\n", clean(name), n.Kept, n.Gained, n.Lost, n.StillFailing)
	}
	row("all", c.Transitions)
	for _, sums := range []map[string]scorer.Transitions{c.ByLanguage, c.ByFamily} {
		for _, name := range slices.Sorted(maps.Keys(sums)) {
			row(name, sums[name])
		}
	}
	t.Flush()
	for _, what := range []string{scorer.Lost, scorer.Gained} {
		for _, k := range c.Cases {
			if k.Transition != what {
				continue
			}
			critical := ""
			if k.Critical {
				critical = " (critical)"
			}
			fmt.Fprintf(b, "\n%s: %s, %s%s", what, clean(k.CaseID), clean(k.Family), critical)
			if len(k.Labels) > 0 {
				fmt.Fprintf(b, ": %s", clean(strings.Join(k.Labels, " ")))
			}
		}
	}
	if c.Transitions.Lost+c.Transitions.Gained > 0 {
		b.WriteByte('\n')
	}
	if c.Release {
		fmt.Fprintf(b, "\nthe release rule holds: no critical case is lost, and no fewer families pass in all languages\n")
		fmt.Fprintf(b, "next: keep both bundles with the release\n")
	} else {
		fmt.Fprintf(b, "\nthe release rule does not hold: %s\n", clean(strings.Join(c.Reasons, "; ")))
		fmt.Fprintf(b, "next: read the records of the lost cases, and mend the candidate\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
