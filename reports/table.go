package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"benchwright/grader"
)

// A Table is the account of a run that people read at its end.
type Table struct {
	Dir      string   // of the bundle, as the user may type it; "" leaves out what to open next
	Env      []string // assignments that Rerun needs beside run.json
	Failures int      // how many failing tasks are told of; 0 takes 10, less than 0 all
}

// WriteTable writes the account of a bundle: numbers by suite and family, and by language where
// tasks have lang: labels; the gates of a certification; failing tasks; what broke; and what to
// open next. Every line is clean.
//
// It needs nothing but run.json and the records. Of a bundle that is not sound, as [Reader.Rows]
// says, it tells of the sound records and of what is wrong, and returns that error.
func (r *Reader) WriteTable(w io.Writer, t Table) error {
	rows, bad := r.Rows()
	s := Summarise(r.run, rows)
	all := group(r.run, rows)
	var b strings.Builder
	r.heading(&b, s)
	numbers(&b, s, all)
	gateLines(&b, s)
	r.failures(&b, all, t)
	brokenLines(&b, all)
	skippedLines(&b, all, s)
	if bad != nil {
		fmt.Fprintf(&b, "\nNot sound: the numbers above are of what could be read\n  %s\n", Clean(bad.Error(), 2000))
	}
	if t.Dir != "" {
		next(&b, t.Dir, all)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return bad
}

func (r *Reader) heading(b *strings.Builder, s Summary) {
	what := r.run.Kind
	if r.run.Agent != "" && r.run.Agent != r.run.Kind {
		what += " of " + r.run.Agent
	}
	fmt.Fprintf(b, "%s: %s", Clean(what, 120), count(s.Tasks, "task", "tasks"))
	if s.Trials > 1 {
		fmt.Fprintf(b, ", %d trials each", s.Trials)
	}
	fmt.Fprintf(b, ", %s\n\n", count(s.Episodes, "episode", "episodes"))
}

// numbers writes the rows of the table. All counts are of episodes but "tasks", which is how
// many of the tasks passed.
func numbers(b *strings.Builder, s Summary, all []taskRow) {
	type line struct {
		name string
		of   func(t taskRow) bool
		rate Rate
	}
	var out []line
	rate := func(label string) Rate {
		i := slices.IndexFunc(s.Rates[1:], func(r Rate) bool { return r.Label == label })
		if i < 0 {
			return Rate{}
		}
		return s.Rates[i+1]
	}
	suite, family := "", ""
	for _, t := range all { // sorted by id, so that families stand below their suite
		if name := t.ID.Suite(); name != suite {
			suite, family = name, ""
			out = append(out, line{Clean(name, 40), func(t taskRow) bool { return t.ID.Suite() == name }, rate("suite:" + name)})
		}
		if name := t.ID.Family(); name != family {
			family = name
			own := suite
			in := func(t taskRow) bool { return t.ID.Suite() == own && t.ID.Family() == name }
			out = append(out, line{"  " + Clean(name, 40), in, familyRate(all, in)})
		}
	}
	for _, l := range s.Rates[1:] {
		if strings.HasPrefix(l.Label, "lang:") {
			label := l.Label
			out = append(out, line{Clean(label, 40), func(t taskRow) bool { return slices.Contains(t.Labels, label) }, l})
		}
	}
	out = append(out, line{"all", func(taskRow) bool { return true }, s.Rates[0]})

	cells := [][]string{{"", "tasks", "passed", "failed", "broken", "skipped", "rate %", "95 % interval", "worst %"}}
	for _, l := range out {
		passed, n := 0, 0
		for _, t := range all {
			if l.of(t) {
				n++
				if t.outcome() == grader.Passed {
					passed++
				}
			}
		}
		r := l.rate
		interval := "–"
		if r.CI != nil {
			interval = fmt.Sprintf("%.1f–%.1f", r.CI[0]*100, r.CI[1]*100)
		}
		cells = append(cells, []string{
			l.name, fmt.Sprintf("%d/%d", passed, n), fmt.Sprint(r.Passed), fmt.Sprint(r.N - r.Passed), fmt.Sprint(r.Broken), fmt.Sprint(r.Skipped),
			percent(r.Passed, r.N), interval, percent(r.Passed, r.N+r.Broken),
		})
	}
	align(b, cells)
}

// familyRate sums up a family of one suite, since the label family: does not say which.
func familyRate(all []taskRow, in func(taskRow) bool) Rate {
	var s rateSums
	for _, t := range all {
		if !in(t) {
			continue
		}
		for _, row := range t.rows {
			s.Counts.add(row.Outcome)
		}
	}
	return s.rate("")
}

// align writes cells in columns: the first to the left, the others to the right.
func align(b *strings.Builder, cells [][]string) {
	width := make([]int, len(cells[0]))
	for _, row := range cells {
		for i, c := range row {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	for _, row := range cells {
		for i, c := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			switch {
			case i == 0:
				b.WriteString(c + pad)
			default:
				b.WriteString("  " + pad + c)
			}
		}
		b.WriteByte('\n')
	}
}

// gateOrder is how people tell of the gates; others follow by name.
var gateOrder = []string{"reference", "noop", "live", "near_misses", "grounded", "sealed", "within_budget", "deterministic", "distinct"}

func gateLines(b *strings.Builder, s Summary) {
	if len(s.Gates) == 0 {
		return
	}
	b.WriteString("\nGates\n")
	names := make([]string, 0, len(s.Gates))
	for g := range s.Gates {
		names = append(names, g)
	}
	rank := func(g string) int {
		if i := slices.Index(gateOrder, g); i >= 0 {
			return i
		}
		return len(gateOrder)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a, b)) })
	cells := [][]string{}
	for _, g := range names {
		n := s.Gates[g]
		state := "hold"
		if n[0] < n[1] {
			state = fmt.Sprintf("%d DO NOT HOLD", n[1]-n[0])
		}
		cells = append(cells, []string{"  " + Clean(g, 40), fmt.Sprintf("%d/%d", n[0], n[1]), state})
	}
	align(b, cells)
}

func (r *Reader) failures(b *strings.Builder, all []taskRow, table Table) {
	most := table.Failures
	failed := withOutcome(all, grader.Failed)
	if len(failed) == 0 {
		return
	}
	if most == 0 {
		most = 10
	}
	if most < 0 {
		most = len(failed)
	}
	fmt.Fprintf(b, "\nFailed: %s\n", count(len(failed), "task", "tasks"))
	for _, t := range failed[:min(most, len(failed))] {
		row := t.first(grader.Failed)
		fmt.Fprintf(b, "  %s\n", title(t.ID))
		if row.File != "" {
			fmt.Fprintf(b, "    %s:%d\n", Clean(row.File, 200), row.Line)
		}
		if len(t.rows) > 1 {
			c := t.counts()
			fmt.Fprintf(b, "    %d of %d valid trials passed\n", c.Passed, c.Valid())
		}
		fmt.Fprintf(b, "    %s\n", problem(row))
		if more := len(row.Codes) - 1; more > 0 {
			fmt.Fprintf(b, "    and %s: %s\n", count(more, "more code", "more codes"), Clean(strings.Join(row.Codes[1:], ", "), 200))
		}
		fmt.Fprintf(b, "    again: %s\n", Rerun(r.run, row.File, row.Line, table.Env...))
	}
	if more := len(failed) - most; more > 0 {
		fmt.Fprintf(b, "  … and %d more\n", more)
	}
}

func withOutcome(all []taskRow, o grader.Outcome) []taskRow {
	return slices.DeleteFunc(slices.Clone(all), func(t taskRow) bool { return t.outcome() != o })
}

// first is the first row of the outcome, which the task must have.
func (t taskRow) first(o grader.Outcome) Row {
	return t.rows[slices.IndexFunc(t.rows, func(r Row) bool { return r.Outcome == o })]
}

// brokenLines lists broken episodes by layer, at most five of each.
func brokenLines(b *strings.Builder, all []taskRow) {
	by := map[string][]Row{}
	n := 0
	for _, t := range all {
		for _, row := range t.rows {
			if row.Outcome == grader.Broken {
				by[string(row.Layer)] = append(by[string(row.Layer)], row)
				n++
			}
		}
	}
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "\nBroken: %s that measured nothing\n", count(n, "episode", "episodes"))
	names := make([]string, 0, len(by))
	for l := range by {
		names = append(names, l)
	}
	slices.Sort(names)
	for _, l := range names {
		fmt.Fprintf(b, "  %s: %d\n", Clean(l, 40), len(by[l]))
		for i, row := range by[l] {
			if i == 5 {
				fmt.Fprintf(b, "    … and %d more\n", len(by[l])-i)
				break
			}
			fmt.Fprintf(b, "    %s, trial %d: %s\n", title(row.Task), row.Trial, problem(row))
		}
	}
}

// skippedLines says why tasks were skipped: never silently.
func skippedLines(b *strings.Builder, all []taskRow, s Summary) {
	why := map[string]int{}
	for _, t := range all {
		for _, row := range t.rows {
			if row.Outcome == grader.Skipped {
				why[problem(row)]++
			}
		}
	}
	if len(why) > 0 {
		fmt.Fprintf(b, "\nSkipped: %s\n", count(s.Skipped, "episode", "episodes"))
		reasons := make([]string, 0, len(why))
		for w := range why {
			reasons = append(reasons, w)
		}
		slices.Sort(reasons)
		for i, w := range reasons {
			if i == 10 {
				fmt.Fprintf(b, "  … and %s\n", count(len(reasons)-i, "more reason", "more reasons"))
				break
			}
			fmt.Fprintf(b, "  %d: %s\n", why[w], w)
		}
	}
	if s.Unreached > 0 {
		fmt.Fprintf(b, "\nUnreached: %s\n", count(s.Unreached, "episode", "episodes"))
	}
	if s.Uncertified > 0 {
		fmt.Fprintf(b, "\nUncertified: %s of tasks that have not proven themselves\n", count(s.Uncertified, "episode", "episodes"))
	}
}

func next(b *strings.Builder, dir string, all []taskRow) {
	dir = Clean(dir, 300)
	record := ""
	for _, o := range []grader.Outcome{grader.Failed, grader.Broken, grader.Passed} {
		if t := withOutcome(all, o); len(t) > 0 {
			record = t[0].first(o).Record
			break
		}
	}
	fmt.Fprintf(b, "\nBundle: %s\n  %s/%s\n", dir, dir, JUnitFile)
	if record != "" {
		key := strings.TrimSuffix(strings.TrimPrefix(record, EpisodesDir+"/"), ".json")
		fmt.Fprintf(b, "  %s/%s\n  bench expand %s %s expanded\n", dir, Clean(record, 300), shell(dir), shell(key))
	}
}
