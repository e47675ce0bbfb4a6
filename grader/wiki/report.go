package wiki

import (
	"encoding/json"
	"fmt"
	"strings"
)

// mostListed is how many findings a report lists; grading.json has all.
const mostListed = 60

// Report returns report.md: the run for people. It is made from the other records alone, so that equal
// records have the same report. A run without a valid score says so first and has no score in it.
func Report(m Manifest, g Grading, s Summary) []byte {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	a := g.Attribution
	switch a.Verdict {
	case Pass:
		line("# PASS: %s of %s by %s", m.RunType, md(m.Case.ID), md(m.Profile.Name))
	case Fail:
		line("# FAIL (layer %s): %s of %s by %s", a.Layer, m.RunType, md(m.Case.ID), md(m.Profile.Name))
	default:
		line("# No valid score (layer %s): %s of %s by %s", a.Layer, m.RunType, md(m.Case.ID), md(m.Profile.Name))
	}
	line("\nRun %s, fixture %.12s, grader %s.", md(m.RunID), m.Case.FixtureDigest, g.GraderVersion)
	if g.Partial {
		line("\nThe measurement broke, so this says nothing about the model. What was graded before that is kept below and counts nowhere.")
	}
	line("\n| Profile | %s | Model calls | Tool calls | Budget tokens | Raw total | Cached input | Wall |", strings.ToUpper(m.RunType[:min(1, len(m.RunType))])+m.RunType[min(1, len(m.RunType)):])
	line("|---|---|---|---|---|---|---|---|")
	cached := "unknown"
	if s.Usage.CachedPct != "" {
		cached = string(s.Usage.CachedPct) + "%"
	}
	line("| %s | %s | %d | %d | %s | %s | %s | %d.%d s |", md(m.Profile.Name), a.Verdict, s.ModelCalls, s.ToolCalls,
		grouped(&s.Usage.BudgetTokens), grouped(s.Usage.RawTotal), cached, s.WallMS/1000, s.WallMS%1000/100)
	if s.Cost != "" {
		line("\nCost: %s.", s.Cost)
	}

	if len(g.Stages) > 0 {
		line("\n## Gates")
		gates(&b, g.Stages)
	}
	for _, t := range g.Trials {
		line("\n## Trial %d: %s", t.Trial, t.Verdict)
		gates(&b, t.Stages)
		for i, c := range t.Counts {
			if i == 0 {
				line("")
			}
			line("- %s: %d of %d", c.Code, c.Held, c.Of)
		}
	}
	if sc := g.Scores; sc != nil {
		line("\n## Scores\n\n%d of %d trials passed.\n", sc.Passed, sc.Trials)
		line("| | mean | min | max | sd |\n|---|---|---|---|---|")
		for _, r := range []struct {
			name string
			Statistics
		}{{CountCoverage, sc.Coverage}, {CountRequirements, sc.Requirements}, {CountPages, sc.Pages}} {
			line("| %s | %s | %s | %s | %s |", r.name, r.Mean, r.Min, r.Max, r.SD)
		}
	}

	c := g.Counters
	line("\n## Counters\n")
	line("| violations of the audit | warnings | repeated discovery | repeated mutation | no-change writes | stalled | unauthorised | tool-runtime errors |")
	line("|---|---|---|---|---|---|---|---|")
	line("| %d | %d | %d | %d | %d | %d | %d | %d |", c.Violations, c.Warnings, c.RepeatedDiscovery, c.RepeatedMutation, c.NoChangeWrite, c.Stalled, c.UnauthorisedTool, c.ToolRuntimeErrors)

	if len(s.Stages) > 0 {
		line("\n## Budgets\n\n| stage | model calls | tool calls | nested | tokens | of | overshoot |\n|---|---|---|---|---|---|---|")
		for _, st := range s.Stages {
			limit := int64(st.Limit)
			line("| %s | %d | %d | %d | %s | %s | %s |", st.Stage, st.ModelCalls, st.ToolCalls, st.Nested, grouped(&st.Tokens), grouped(&limit), grouped(&st.Overshoot))
		}
	}

	line("\n## Attribution\n")
	line("Verdict %s, layer %s.", a.Verdict, a.Layer)
	if len(a.Reasons) > 0 {
		line("")
	}
	for _, r := range a.Reasons {
		text := ""
		if r.Detail != "" {
			text = ": " + md(r.Detail)
		}
		line("- %s: %s%s", r.Layer, md(r.Code), text)
	}
	line("\n## Reproduce\n")
	line("    %s", strings.ReplaceAll(clip(m.Reproduce), "\n", " "))
	return []byte(b.String())
}

// gates writes stages with what was found in each, the violations and warnings.
func gates(b *strings.Builder, stages []StageGrading) {
	fmt.Fprintf(b, "\n| stage | verdict | checks held | writes | evidence gained |\n|---|---|---|---|---|\n")
	for _, s := range stages {
		held, gained := 0, 0
		for _, c := range s.Checks {
			if c.State == "held" {
				held++
			}
		}
		for _, p := range s.Progress {
			gained += p.EvidenceDelta
		}
		verdict := s.Verdict
		if s.Because != "" {
			verdict += " because of " + s.Because
		}
		fmt.Fprintf(b, "| %s | %s | %d of %d | %d | %d |\n", md(s.Stage), verdict, held, len(s.Checks), len(s.Progress), gained)
	}
	violated := map[place]bool{}
	for _, s := range stages {
		for _, f := range s.Findings {
			violated[f.place()] = violated[f.place()] || f.Severity == Violation
		}
	}
	n := 0
	for _, s := range stages {
		for _, f := range s.Findings {
			if f.Severity == Info || f.Severity == Warning && violated[f.place()] { // it is said once
				continue
			}
			switch n++; {
			case n == 1:
				fmt.Fprintf(b, "\nFindings:\n\n")
			case n == mostListed+1:
				fmt.Fprintf(b, "- and more: see %s\n", GradingFile)
			}
			if n <= mostListed {
				fmt.Fprintf(b, "- %s `%s` %s\n", f.Severity, f.Code, md(f.String()))
			}
		}
	}
}

// md is a text that somebody else may have written, as plain text of Markdown in one line.
func md(s string) string {
	s = clip(strings.ToValidUTF8(s, "\uFFFD"))
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff:
			b.WriteByte(' ')
		case strings.ContainsRune("\\`*[]<>|#", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// grouped writes a count with commas, such as 2,609,801.
func grouped(n *int64) string {
	if n == nil {
		return "unknown"
	}
	s := fmt.Sprint(*n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// ParseManifest reads manifest.json.
func ParseManifest(raw []byte) (m Manifest, err error) {
	err = json.Unmarshal(raw, &m)
	return m, err
}

// ParseGrading reads grading.json.
func ParseGrading(raw []byte) (g Grading, err error) {
	err = json.Unmarshal(raw, &g)
	return g, err
}

// ParseSummary reads summary.json.
func ParseSummary(raw []byte) (s Summary, err error) {
	err = json.Unmarshal(raw, &s)
	return s, err
}
