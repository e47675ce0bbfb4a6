package tabular

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"benchwright/sim"
	"benchwright/sim/files"
)

// A report is a drawn scenario: its tables, what has to be made of them and how that goes wrong.
type report struct {
	title, description, output string

	inputs     files.Tree // what has to be read
	snapshot   string     // path that an outdated copy of an input would have
	stale      string     // its text
	note       [2]string  // path and text of the extra note from difficulty 4 on
	operations []string
	contract   []string // keys of a row and what they hold
	groupBy    []string
	sortBy     []string
	hints      [3]string
	structure  map[string]any

	// answer computes the rows; each trap names one thing that it then gets wrong. "stale" is to
	// read the outdated copy.
	answer func(mishandled string) []map[string]any
	traps  []string
}

const (
	staleTrap = "stale"
	rulesPath = "docs/reporting_rules.md"
)

// draft renders the report, or asks for another draw when a trap does not matter.
func (rep report) draft(r *files.Request) (*files.Draft, error) {
	expected := rep.answer("")
	if len(expected) < 2 {
		return nil, files.Redraw("the report has %d rows", len(expected))
	}
	text := files.JSON(expected)
	visible := rep.inputs.Clone()
	distractors := rep.distractors(r)
	maps.Copy(visible, distractors)
	traps := rep.traps
	if _, ok := distractors[rep.snapshot]; ok {
		traps = append(slices.Clone(traps), staleTrap)
	}
	var near []files.NearMiss
	for _, trap := range traps {
		wrong := files.JSON(rep.answer(trap))
		if wrong == text {
			return nil, files.Redraw("trap %q does not change the report", trap)
		}
		near = append(near, files.NearMiss{Trap: trap, Files: files.Tree{rep.output: wrong}})
	}
	if r.Difficulty >= 4 {
		visible[rep.note[0]] = rep.note[1]
	}

	task := map[string]any{
		"hints": r.Hints(rep.hints[:]...), "input_files": rep.inputs.Paths(), "output_path": rep.output,
		"operations": rep.operations, "group_by": rep.groupBy, "sort_by": rep.sortBy,
	}
	sections := []files.Section{
		{Heading: "Inputs", Items: quoted(rep.inputs.Paths())},
		{Heading: "Required operations", Items: rep.operations},
		{Heading: "Likely target files", Items: quoted([]string{rep.output})},
		{Heading: "Output contract", Text: rep.contractText(), Items: rep.contract},
	}
	if r.Difficulty == files.MaxDifficulty {
		visible[rulesPath] = files.Readme{Title: "Reporting rules", Description: "These rules are in force. Other notes are background and change none of them.",
			Sections: []files.Section{sections[0], sections[1], sections[3]}}.String()
		task["operations"] = []string{"Apply the reporting rules that the documents of this workspace state."}
		task["input_files"] = sourceFiles(visible)
		sections = []files.Section{
			{Heading: "Inputs", Text: "Everything needed is in this workspace. Find the rules in force among the documents before reading any table."},
			{Heading: "Output contract", Text: "Write the report to `" + rep.output + "`, in the form that the rules describe."},
		}
	}
	structure := maps.Clone(rep.structure)
	structure["output_style"] = "sorted_row_summary"
	config := map[string]any{"kind": "rows", "output_path": rep.output, "expected": "expected_output.json"}
	return &files.Draft{
		Instruction: fmt.Sprintf("Carry out the transformation that README.md describes and write the result to `%s`.", rep.output),
		Readme:      files.Readme{Title: rep.title, Description: rep.description, Sections: sections, Hints: r.Hints(rep.hints[:]...)},
		Task:        task,
		Visible:     visible,
		Hidden: files.Tree{
			"evaluator_config.json":   files.JSON(config),
			"expected_output.json":    text,
			"reference_solution.json": files.JSON(map[string]any{"files": files.Tree{rep.output: text}}),
		},
		Reference:  files.Tree{rep.output: text},
		Expected:   text,
		Evaluator:  RowsEvaluator,
		Layout:     files.Layout{OutputPath: rep.output},
		Structure:  structure,
		NearMisses: near,
		Words:      traps2words(traps),
		Realized: files.Realization{
			"operation_count": len(rep.operations), "input_file_count": len(rep.inputs), "record_count": records(rep.inputs),
			"distractor_count": len(distractors), "row_count": len(expected), "trap_count": len(traps),
		},
	}, nil
}

// records counts the lines of tables, without their heads, and the members of lists.
func records(inputs files.Tree) int {
	n := 0
	for p, text := range inputs {
		if strings.HasSuffix(p, ".csv") {
			n += strings.Count(text, "\n") - 1
		} else if list, err := sim.ParseJSON([]byte(text)); err == nil {
			rows, _ := list.([]any)
			n += len(rows)
		}
	}
	return n
}

// traps2words keeps the names of traps out of visible text where they are names and not words.
func traps2words(traps []string) []string {
	var words []string
	for _, t := range traps {
		if strings.Contains(t, "_") {
			words = append(words, t)
		}
	}
	return words
}

func (rep report) contractText() string {
	return fmt.Sprintf("`%s` holds one JSON array of objects, sorted by %s, each with exactly these keys:",
		rep.output, strings.Join(quoted(rep.sortBy), ", then "))
}

// distractors returns files that nobody needs: an outdated copy of an input first, then papers.
func (rep report) distractors(r *files.Request) files.Tree {
	n := r.Distractors(files.At(r, 0, 1, 1, 2, 3))
	t := files.Tree{}
	if n > 0 {
		t[rep.snapshot] = rep.stale
	}
	for _, d := range files.Sample(r.Rand("papers"), papers, max(0, n-1)) {
		t[d.path] = d.text(r.Rand(d.path))
	}
	return t
}

type paper struct {
	path string
	text func(r *files.Rand) string
}

var papers = []paper{
	{"notes/reporting_calendar.md", func(r *files.Rand) string {
		return fmt.Sprintf("# Reporting calendar\n\nThe close meeting is on working day %d at %d:00. Slides are due the evening before.\n", r.Between(2, 6), r.Between(9, 15))
	}},
	{"notes/dashboard_wishlist.md", func(r *files.Rand) string {
		return fmt.Sprintf("# Wishes for the dashboard\n\n- a switch between net and gross\n- colours that print in grey\n- a page for the top %d accounts\n\nNothing here is agreed.\n", r.Between(5, 25))
	}},
	{"notes/owner_directory.csv", func(r *files.Rand) string {
		var b strings.Builder
		b.WriteString("owner,desk,extension\n")
		for _, o := range files.Sample(r, owners, 4) {
			fmt.Fprintf(&b, "%s,%s,%d\n", o, files.Pick(r, []string{"north", "south", "remote"}), r.Between(200, 899))
		}
		return b.String()
	}},
	{"notes/access_requests.md", func(r *files.Rand) string {
		return fmt.Sprintf("# Access requests\n\n%s asked for read access to the warehouse; granted for %d days.\n", files.Pick(r, owners), r.Between(10, 90))
	}},
	{"notes/tooling_survey.md", func(r *files.Rand) string {
		return fmt.Sprintf("# Survey of tools\n\n%d of %d people open the export in a spreadsheet first.\n", r.Between(3, 9), r.Between(10, 16))
	}},
}

var owners = []string{"amara", "bodil", "ciaran", "delphine", "eskil", "farida", "goran", "hana", "ines", "jomo", "katya", "leif"}

// sourceFiles lists what is there besides the README.
func sourceFiles(t files.Tree) []string { return t.Paths() }

func quoted(items []string) []string {
	out := make([]string, len(items))
	for i, s := range items {
		out[i] = "`" + s + "`"
	}
	return out
}

// money writes cents as a number: 90.0, 165.5, 12.75.
func money(cents int) json.Number {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	if cents%10 == 0 {
		return json.Number(fmt.Sprintf("%s%d.%d", sign, cents/100, cents/10%10))
	}
	return json.Number(fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100))
}

// fixed writes cents with two places, as tables do.
func fixed(cents int) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

// A moment is a time and the way it is written: 0 ISO, 1 month/day/year, 2 day-Mon-year.
type moment struct {
	time.Time
	form int
}

func (m moment) date() string {
	return m.Format([]string{"2006-01-02", "01/02/2006", "02-Jan-2006"}[m.form])
}

func (m moment) stamp() string {
	return m.Format([]string{"2006-01-02T15:04:05", "01/02/2006 15:04", "02-Jan-2006 15:04"}[m.form])
}

// misread is the time as somebody reads it who mishandles the trap: with day and month of the
// slashed form swapped, or, seen false, not at all unless it is ISO.
func (m moment) misread(mishandled string) (t time.Time, seen bool) {
	switch {
	case mishandled == "day_first" && m.form == 1 && m.Day() <= 12:
		return time.Date(m.Year(), time.Month(m.Day()), int(m.Month()), m.Hour(), m.Minute(), m.Second(), 0, time.UTC), true
	case mishandled == "iso_only" && m.form != 0:
		return m.Time, false
	}
	return m.Time, true
}

// grouped collects sums under keys and lists them in the order of the keys.
type grouped map[string]map[string]int

func (g grouped) add(key, field string, n int) {
	if g[key] == nil {
		g[key] = map[string]int{}
	}
	g[key][field] += n
}

// rows writes one row a group: key splits at "|" into the names, and each field is written by its
// kind.
func (g grouped) rows(names []string, counts, amounts []string) []map[string]any {
	rows := []map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(g)) {
		row := map[string]any{}
		for i, part := range strings.Split(key, "|") {
			row[names[i]] = part
		}
		for _, f := range counts {
			row[f] = g[key][f]
		}
		for _, f := range amounts {
			row[f] = money(g[key][f])
		}
		rows = append(rows, row)
	}
	return rows
}
