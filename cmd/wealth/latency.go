package wealth

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"benchwright/grader/wealth/scorer"
	"benchwright/internal/regular"
)

func latencyVerb() *cobra.Command {
	c := &cobra.Command{
		Use:   "latency PREDICTIONS",
		Short: "Summarise how long the cases of a predictions file took",
		Long: `Summarise how long the cases of a predictions file took. Percentiles are by nearest rank and over completed
records alone; the first decision of a case stands apart, since a model may have to be loaded for it.
It exits with 1 when lines of the file are no records.`,
		Args: args(cobra.ExactArgs(1)),
	}
	out := outputFlag(c, "the summary")
	c.RunE = func(c *cobra.Command, a []string) error {
		if err := out.free(); err != nil {
			return err
		}
		predictions, err := regular.Read(a[0], maxRead)
		if err != nil {
			return err
		}
		summary, problems := scorer.Summarise(predictions)
		if err := writeLatency(c.OutOrStdout(), summary, problems); err != nil {
			return err
		}
		if err := out.write(c.OutOrStdout(), summary); err != nil {
			return err
		}
		if len(problems) > 0 {
			return fmt.Errorf("%s: %d errors in the file", a[0], len(problems))
		}
		return nil
	}
	return c
}

func writeLatency(w io.Writer, l scorer.Latency, problems []scorer.FileError) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%d records: %d completed with %d decisions, %d failed and in none of the figures\n\n", l.Records, l.Completed, l.Decisions, l.Failed)
	t := tabwriter.NewWriter(b, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "ms\tp50\tp90\tp95\tmax\t\n")
	row := func(name string, p *scorer.Percentiles) {
		if p == nil {
			fmt.Fprintf(t, "%s\t-\t-\t-\t-\t\n", name)
			return
		}
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%.1f\t%.1f\t\n", name, p.P50, p.P90, p.P95, p.Max)
	}
	row("case", l.CaseWallMS)
	row("decision", l.DecisionMS)
	row("first decision", l.FirstDecisionMS)
	row("later decision", l.LaterDecisionMS)
	for _, language := range slices.Sorted(maps.Keys(l.ByLanguage)) {
		row("case in "+clean(language), l.ByLanguage[language].CaseWallMS)
	}
	t.Flush()
	fmt.Fprintf(b, "\nlongest load %s ms; prompt tokens %s, output tokens %s, %s a second\n",
		figure(l.LoadMSMax), figure(l.PromptTokens), figure(l.OutputTokens), figure(l.TokensPerSecond))
	writeErrors(b, problems)
	_, err := io.WriteString(w, b.String())
	return err
}

// figure words a number that may be unknown.
func figure[T any](v *T) string {
	if v == nil {
		return "unknown"
	}
	return fmt.Sprint(*v)
}
