package reports

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"benchwright/grader"
	"benchwright/tasks"
)

// Rerun is the command that plays one task of a run again, with all that run.json says of how it
// was played. env adds assignments NAME=value that it does not say, such as where things lie on
// this machine, or takes the place of those that it does.
func Rerun(run Run, file string, line int, env ...string) string {
	var names []string
	values := map[string]string{}
	set := func(name, value string) {
		if _, known := values[name]; !known {
			names = append(names, name)
		}
		values[name] = value
	}
	if run.Kind != KindCertification && run.Agent != "" {
		set("BENCH_MODEL", run.Agent)
	}
	if run.Protocol == "tools" {
		set("BENCH_PROTOCOL", run.Protocol)
	}
	if run.Track != "" {
		set("BENCH_TRACK", run.Track)
	}
	if run.Isolation == "none" { // never by itself: somebody has asked for it
		set("BENCH_SANDBOX", run.Isolation)
	}
	if strings.HasPrefix(run.Python, "host ") {
		set("BENCH_PYTHON", "host")
	}
	if len(run.Options) > 0 {
		if raw, err := json.Marshal(run.Options); err == nil {
			set("BENCH_MODEL_OPTIONS", string(raw))
		}
	}
	if run.Seed != 0 && run.Seed != 1 {
		set("BENCH_SEED", fmt.Sprint(run.Seed))
	}
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		set(name, value)
	}
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "%s=%s ", name, shell(values[name]))
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
