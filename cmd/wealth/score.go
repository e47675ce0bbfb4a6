package wealth

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"benchwright/cmd"
	"benchwright/grader/wealth/scorer"
	"benchwright/internal/regular"
	"benchwright/reports"
)

func scoreVerb() *cobra.Command {
	c := &cobra.Command{
		Use:   "score PREDICTIONS",
		Short: "Grade a predictions file against the cases",
		Long: `Grade a predictions file against the cases of the suite, or of --cases FILE. All cases count: one without
a record has failed.

It exits with 0 when the file was scored, whatever the score; with 1 when the file has errors (a line that is
no record, a second record of a case, an unknown case, a record of another kind of run); with --require-all,
with 2 unless every case passes.`,
		Args: args(cobra.ExactArgs(1)),
	}
	expected := c.Flags().String("cases", "", "a cases file to score against instead of the suite's")
	all := c.Flags().Bool("require-all", false, "exit with 2 unless every case passes")
	out := outputFlag(c, "the report")
	c.RunE = func(c *cobra.Command, a []string) error {
		if err := out.free(); err != nil {
			return err
		}
		predictions, err := regular.Read(a[0], maxRead)
		if err != nil {
			return err
		}
		report, err := score(predictions, *expected)
		if err != nil {
			return err
		}
		if err := writeReport(c.OutOrStdout(), report, a[0]); err != nil {
			return err
		}
		if err := out.write(c.OutOrStdout(), report); err != nil {
			return err
		}
		switch {
		case len(report.Errors) > 0:
			return fmt.Errorf("%s: %d errors in the file", a[0], len(report.Errors))
		case *all && report.Failed > 0:
			return &cmd.Exit{Code: 2, Err: fmt.Errorf("%s: %d of %d cases have not passed", a[0], report.Failed, report.Attempted)}
		}
		return nil
	}
	return c
}

// score grades against the suite's cases, or a file's. Only of the suite's cases is it known
// which inputs they belong to.
func score(predictions []byte, casesFile string) (scorer.Report, error) {
	src, err := sources()
	if err != nil {
		return scorer.Report{}, err
	}
	if casesFile == "" {
		return scorer.Score(predictions, src.Cases, scorer.Digest(src.Inputs))
	}
	cases, err := regular.Read(casesFile, maxRead)
	if err != nil {
		return scorer.Report{}, err
	}
	inputs := ""
	if slices.Equal(cases, src.Cases) {
		inputs = scorer.Digest(src.Inputs)
	}
	report, err := scorer.Score(predictions, cases, inputs)
	if err != nil {
		return report, fmt.Errorf("%s: %w", casesFile, err)
	}
	return report, nil
}

// maxRead is how large a file may be that is read.
const maxRead = 256 << 20

// clean makes text from a file fit for a line.
func clean(s string) string { return reports.Clean(s, 200) }

// kinds words the kinds of run.
var kinds = map[string]string{
	scorer.KindModel:  "a run of a model",
	scorer.KindOracle: "a self-check of the instrument with known solutions, not a result of a model",
	scorer.KindDriver: "a run of a test driver, not a result of a model",
	"":                "no sound record, so the kind of run is unknown",
}

func writeReport(w io.Writer, r scorer.Report, file string) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%d of %d cases passed: %s\n", r.Passed, r.Attempted, kinds[r.RunKind])
	t := tabwriter.NewWriter(b, 0, 4, 2, ' ', 0)
	fmt.Fprintf(t, "  submitted\t%d, missing %d, duplicates %d\n", r.Submitted, r.Missing, r.Duplicates)
	fmt.Fprintf(t, "  critical\t%d of %d\n", r.Critical.Passed, r.Critical.Attempted)
	for _, l := range slices.Sorted(maps.Keys(r.ByLanguage)) {
		s := r.ByLanguage[l]
		fmt.Fprintf(t, "  %s\t%d of %d, submitted %d\n", clean(l), s.Passed, s.Attempted, s.Submitted)
	}
	fmt.Fprintf(t, "  families\t%d of %d pass in all languages\n", r.FamiliesPassed, r.FamiliesTotal)
	t.Flush()
	writeFailed(b, r)
	writeErrors(b, r.Errors)
	fmt.Fprintf(b, "\nnext: %s\n", next(r, file))
	_, err := io.WriteString(w, b.String())
	return err
}

// maxLabels bounds what is shown of one case.
const maxLabels = 6

func writeFailed(b *strings.Builder, r scorer.Report) {
	if r.Failed == 0 {
		return
	}
	fmt.Fprintf(b, "\nnot passed:\n")
	t := tabwriter.NewWriter(b, 0, 4, 2, ' ', 0)
	for _, c := range r.Cases {
		if c.Passed {
			continue
		}
		labels := c.Labels
		if n := len(labels) - maxLabels; n > 0 {
			labels = append(slices.Clone(labels[:maxLabels]), fmt.Sprintf("and %d more", n))
		}
		critical := ""
		if c.Critical {
			critical = "critical"
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", clean(c.CaseID), clean(c.Family), critical, clean(strings.Join(labels, " ")))
	}
	t.Flush()
}

// maxShown bounds the errors of a file that are shown.
const maxShown = 20

func writeErrors(b *strings.Builder, errors []scorer.FileError) {
	if len(errors) == 0 {
		return
	}
	fmt.Fprintf(b, "\nerrors in the file:\n")
	for i, e := range errors {
		if i == maxShown {
			fmt.Fprintf(b, "  and %d more\n", len(errors)-i)
			break
		}
		id := ""
		if e.CaseID != "" {
			id = clean(e.CaseID) + ": "
		}
		fmt.Fprintf(b, "  line %d: %s: %s%s\n", e.Line, e.Label, id, clean(e.Detail))
	}
}

// next says what to do about a report.
func next(r scorer.Report, file string) string {
	first := slices.IndexFunc(r.Cases, func(c scorer.CaseReport) bool {
		return !c.Passed && !slices.Contains(c.Labels, scorer.MissingPrediction)
	})
	switch {
	case len(r.Errors) > 0:
		return "play the cases of these lines again in a new run; records are never edited"
	case r.Missing > 0 && r.Missing == r.Failed:
		return fmt.Sprintf("play the %d cases that have no record", r.Missing)
	case first >= 0:
		return fmt.Sprintf("read what was asked, called and said in one of these, for example: grep '\"case_id\":\"%s\"' %s", clean(r.Cases[first].CaseID), clean(file))
	case r.RunKind == scorer.KindModel:
		return "keep the run's bundle, as the base of comparisons: bench wealth compare BASE ADAPTED"
	}
	return "play the cases with a model: BENCH_MODEL=ollama:NAME BENCH_FILTER=suite:wealthops go test"
}
