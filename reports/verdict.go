package reports

import (
	"fmt"
	"slices"
	"strings"

	"benchwright/grader"
	"benchwright/tasks"
)

// Rerun is the command that plays one task of a run again.
func Rerun(run Run, file string, line int) string {
	var b strings.Builder
	if run.Kind != KindCertification && run.Agent != "" {
		fmt.Fprintf(&b, "BENCH_MODEL=%s ", shell(run.Agent))
	}
	if run.Protocol == "tools" {
		b.WriteString("BENCH_PROTOCOL=tools ")
	}
	if run.Track != "" {
		fmt.Fprintf(&b, "BENCH_TRACK=%s ", shell(run.Track))
	}
	b.WriteString("go test -count=1")
	if file != "" {
		fmt.Fprintf(&b, " -ginkgo.focus-file=%s", shell(fmt.Sprintf("%s:%d", file, line)))
	}
	return b.String()
}

// shell quotes a word for a POSIX shell where that is needed.
func shell(s string) string {
	s = Clean(s, 300)
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// verdictText is the table of what each check of an episode had to say, with all findings:
// clean text of several lines.
func verdictText(rec *Record) string {
	var b strings.Builder
	isGate := func(r grader.Result) bool { return r.Rule == "gate" }
	if rec.Certificate != nil && !slices.ContainsFunc(rec.Verdict.Results, isGate) {
		rec.Certificate.text(&b, len(rec.Verdict.Results) == 0)
	}
	for _, r := range rec.Verdict.Results {
		fmt.Fprintf(&b, "%s %s%s\n", mark(r.State), place(r.Source), Clean(r.Check, 300))
		if r.Detail != "" {
			lines(&b, "      ", r.Detail)
		}
		for _, f := range r.Findings {
			fmt.Fprintf(&b, "      %s (%s)\n", Clean(f.Code, 120), Clean(string(f.Type), 40))
			lines(&b, "        ", f.Message)
			if f.Want != "" {
				fmt.Fprintf(&b, "        want: %s\n", Clean(f.Want, maxMessage))
			}
			if f.Got != "" {
				fmt.Fprintf(&b, "        got:  %s\n", Clean(f.Got, maxMessage))
			}
		}
	}
	if rec.Reason != "" {
		lines(&b, "", rec.Reason)
	}
	if rec.End.Code != "" {
		end := rec.End.Code
		if rec.End.Detail != "" {
			end += ": " + rec.End.Detail
		}
		fmt.Fprintf(&b, "ended: %s\n", Clean(end, maxMessage))
	}
	return b.String()
}

// text lists the gates that do not hold, or all of them.
func (c *Certificate) text(b *strings.Builder, all bool) {
	for _, g := range c.Gates {
		state := grader.Held
		if !g.Held {
			state = grader.Unmet
		} else if !all {
			continue
		}
		fmt.Fprintf(b, "%s %sgate %s", mark(state), place(g.Source), Clean(g.Gate, 80))
		if g.Nothing {
			b.WriteString(" (nothing to prove)")
		}
		b.WriteByte('\n')
		if g.Detail != "" {
			lines(b, "      ", g.Detail)
		}
	}
	if c.Skipped != "" {
		fmt.Fprintf(b, "not certified here: %s\n", Clean(c.Skipped, maxMessage))
	}
}

// place is where something is demanded, with space behind it, or "".
func place(s grader.Source) string {
	if s.File == "" {
		return ""
	}
	return Clean(s.String(), 200) + "  "
}

// mark shows the state of a check in five columns.
func mark(state string) string {
	switch state {
	case grader.Held:
		return "  ok "
	case grader.Unmet:
		return "FAIL "
	case grader.Unasked:
		return " n/a "
	case grader.SkippedRule:
		return "skip "
	}
	return "ERR  "
}

// lines writes text indented, at most 4 KB of it.
func lines(b *strings.Builder, indent, text string) {
	for line := range strings.Lines(strings.TrimRight(CleanText(text, 4<<10), "\n")) {
		b.WriteString(indent)
		b.WriteString(strings.TrimRight(line, "\n"))
		b.WriteByte('\n')
	}
}

// title is a task's id as it may be printed.
func title(id tasks.ID) string { return Clean(string(id), 160) }
