package gates

import (
	"fmt"
	"slices"
	"strings"
)

// Table sums certificates up for people: a line for each gate, one for each suite, and below
// them every task that failed or was skipped, with its problems. It depends on nothing but the
// certificates and ends with a line break.
func Table(certs []Certificate) string {
	var b strings.Builder
	width := 0
	for _, g := range All() {
		width = max(width, len(g))
	}
	held := 0
	mutants := 0
	for _, c := range certs {
		if c.Held() {
			held++
		}
		mutants += c.Mutants
	}
	fmt.Fprintf(&b, "%s certified: %d held, %s graded\n\n", count(len(certs), "task"), held, count(mutants, "mutant"))
	fmt.Fprintf(&b, "  %-*s  %9s  %s\n", width, "gate", "held", "")
	for _, g := range All() {
		b.WriteString(row(certs, g, width))
	}
	b.WriteString("\n")
	for _, s := range suites(certs) {
		fmt.Fprintf(&b, "  suite %s: %s, %d distinct, in %s\n", s.name, count(s.tasks, "task"), s.distinct, count(s.worlds, "world"))
	}
	for _, c := range certs {
		if c.Held() {
			continue
		}
		b.WriteString("\n" + c.report())
	}
	return b.String()
}

// row is the line of one gate.
func row(certs []Certificate, g Gate, width int) string {
	held, nothing, failed, skipped := 0, 0, 0, 0
	for _, c := range certs {
		switch r := c.Gate(g); {
		case r.State == Held:
			held++
			if r.Nothing {
				nothing++
			}
		case r.State == Failed:
			failed++
		default:
			skipped++
		}
	}
	var also []string
	if failed > 0 {
		also = append(also, fmt.Sprintf("%d FAILED", failed))
	}
	if skipped > 0 {
		also = append(also, fmt.Sprintf("%d SKIPPED", skipped))
	}
	if nothing > 0 {
		also = append(also, fmt.Sprintf("%d with nothing to prove", nothing))
	}
	line := fmt.Sprintf("  %-*s  %9s  %s", width, g, fmt.Sprintf("%d/%d", held, len(certs)), strings.Join(also, ", "))
	return strings.TrimRight(line, " ") + "\n"
}

// report is what a certificate that does not hold has to say.
func (c Certificate) report() string {
	var b strings.Builder
	word := "FAILED"
	if c.Skipped() {
		word = "SKIPPED"
	}
	fmt.Fprintf(&b, "%s %s", word, c.Task)
	if at := c.Source.String(); at != "" {
		fmt.Fprintf(&b, " (%s)", at)
	}
	b.WriteString("\n")
	skipped := map[string][]string{} // gates by why
	var whys []string
	for _, r := range c.Gates {
		switch r.State {
		case Failed:
			for _, p := range r.Problems {
				fmt.Fprintf(&b, "  %s: %s\n", r.Gate, strings.ReplaceAll(p.String(), "\n", "\n  "))
			}
		case Skipped:
			if skipped[r.Note] == nil {
				whys = append(whys, r.Note)
			}
			skipped[r.Note] = append(skipped[r.Note], string(r.Gate))
		}
	}
	for _, why := range whys {
		fmt.Fprintf(&b, "  skipped: %s (%s)\n", capped(why), strings.Join(skipped[why], ", "))
	}
	return b.String()
}

// A suiteRow counts the tasks of one suite.
type suiteRow struct {
	name                    string
	tasks, distinct, worlds int
}

// suites counts by suite, in the order of the first task of each.
func suites(certs []Certificate) []suiteRow {
	var out []suiteRow
	seen := map[[2]string]bool{}
	first := func(suite, digest string) int {
		k := [2]string{suite, digest}
		if seen[k] {
			return 0
		}
		seen[k] = true
		return 1
	}
	for _, c := range certs {
		name := c.Task.Suite()
		i := slices.IndexFunc(out, func(r suiteRow) bool { return r.name == name })
		if i < 0 {
			i = len(out)
			out = append(out, suiteRow{name: name})
		}
		out[i].tasks++
		out[i].distinct += first(name, "task "+string(c.TaskDigest))
		out[i].worlds += first(name, "setup "+string(c.Setup))
	}
	return out
}

// Counts returns, by gate, how many certificates hold it and how many there are.
func Counts(certs []Certificate) map[Gate][2]int {
	out := map[Gate][2]int{}
	for _, g := range All() {
		n := 0
		for _, c := range certs {
			if c.Gate(g).State == Held {
				n++
			}
		}
		out[g] = [2]int{n, len(certs)}
	}
	return out
}
