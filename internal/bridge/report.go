package bridge

import (
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/internal/run"
	"benchwright/reports"
)

// brokenSpec is what a spec panics with when the measurement broke: Ginkgo and its JUnit then
// say error, not failure.
type brokenSpec struct{ text string }

func (b brokenSpec) Error() string { return b.text }

// report tells Ginkgo what became of an episode.
func report(j *run.Job, ep *agent.Episode, again, record string) {
	ginkgo.GinkgoHelper()
	switch ep.Outcome {
	case grader.Passed:
		fmt.Fprint(ginkgo.GinkgoWriter, stepLines(ep))
	case grader.Skipped:
		ginkgo.Skip(reports.Clean(ep.Reason, 500))
	case grader.Failed:
		ginkgo.Fail(message(j, ep, again, record))
	default:
		panic(brokenSpec{message(j, ep, again, record)})
	}
}

// message is a failure for people: where, what, every finding, how to run it again, and where
// the record is.
func message(j *run.Job, ep *agent.Episode, again, record string) string {
	var b strings.Builder
	findings := ep.Verdict.Findings()
	switch {
	case ep.Outcome == grader.Broken:
		fmt.Fprintf(&b, "%s: broken (%s): %s\n", j.Task.Source, ep.Layer, reports.Clean(ep.Reason, 1000))
	case len(findings) > 0:
		f := findings[0]
		where := f.Source.String()
		if where == "" {
			where = j.Task.Source.String()
		}
		if f.Source.Text != "" {
			where += ": " + reports.Clean(f.Source.Text, 300)
		}
		fmt.Fprintf(&b, "%s\n    %s: %s\n", where, f.Code, indent(reports.Clean(f.Message, 2000)))
	}
	b.WriteString(stepLines(ep))
	if len(findings) > 1 {
		b.WriteString("all findings:\n")
		for _, f := range findings {
			fmt.Fprintf(&b, "    %s: %s\n", f.Code, indent(reports.Clean(f.Message, 500)))
		}
	}
	if !ep.End.Finished() && ep.End.Code != "" {
		fmt.Fprintf(&b, "the episode ended by %s: %s\n", ep.End.Code, reports.Clean(ep.End.Detail, 300))
	}
	fmt.Fprintf(&b, "run it again: %s\nrecord: %s", again, record)
	return b.String()
}

func indent(s string) string { return strings.ReplaceAll(s, "\n", "\n    ") }

// stepLines marks every check of the verdict with ✓ held, ✗ failed or · not evaluated.
func stepLines(ep *agent.Episode) string {
	var b strings.Builder
	for _, r := range ep.Verdict.Results {
		mark := "·"
		switch r.State {
		case grader.Held:
			mark = "✓"
		case grader.Unmet:
			mark = "✗"
		}
		detail := ""
		if r.Detail != "" {
			detail = " (" + reports.Clean(r.Detail, 300) + ")"
		}
		fmt.Fprintf(&b, "  %s %s%s\n", mark, reports.Clean(r.Check, 300), detail)
	}
	return b.String()
}
