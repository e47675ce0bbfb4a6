package splits

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchwright/sim/files"
)

// A Report is what [Validate] found.
type Report struct {
	Valid      bool           `json:"valid"`
	ErrorCount int            `json:"error_count"`
	Errors     []string       `json:"errors"`
	Warnings   []string       `json:"warnings"`
	Counts     map[string]int `json:"counts"` // assignments by split
}

func unknownSplit(name string) error {
	return fmt.Errorf("Invalid split name: %s", clip(name)) //nolint:staticcheck // the published text
}

// Validate says all that is wrong with a manifest: names that there are not, and whatever stands
// in two splits. The order of the errors is that of the assignments; overlaps come last.
func Validate(m *Manifest, fs files.Families) Report {
	v := validator{families: fs, report: Report{Errors: []string{}, Warnings: []string{}, Counts: map[string]int{}}}
	for _, name := range Names() {
		v.report.Counts[name] = 0
	}
	ids, tuples := map[string]bool{}, map[tuple]bool{}
	for _, a := range m.Assignments {
		v.assignment(a)
		if ids[a.TaskID] {
			v.errorf("Duplicate task_id: %s", clip(a.TaskID))
		}
		ids[a.TaskID] = true
		t := tuple{cell{a.Family, a.Scenario, a.Difficulty}, a.Seed}
		if tuples[t] {
			v.errorf("Duplicate environment tuple across splits: %s, seed %d", t.cell, t.seed)
		}
		tuples[t] = true
		v.report.Counts[a.Split]++
	}
	v.overlaps(m)
	for _, name := range Names() {
		if v.report.Counts[name] == 0 {
			v.report.Warnings = append(v.report.Warnings, "Split has no assignments: "+name)
		}
	}
	v.report.ErrorCount = len(v.report.Errors)
	v.report.Valid = v.report.ErrorCount == 0
	return v.report
}

// A cell is what seeds vary.
type cell struct {
	family, scenario string
	difficulty       int
}

func (c cell) String() string {
	return fmt.Sprintf("%s, %s, difficulty %d", clip(c.family), clip(c.scenario), c.difficulty)
}

type tuple struct {
	cell
	seed int64
}

type validator struct {
	families files.Families
	report   Report
}

func (v *validator) errorf(format string, args ...any) {
	v.report.Errors = append(v.report.Errors, fmt.Sprintf(format, args...))
}

func (v *validator) assignment(a Assignment) {
	if !slices.Contains(Names(), a.Split) {
		v.errorf("%v", unknownSplit(a.Split))
	}
	if a.Difficulty < files.MinDifficulty || a.Difficulty > files.MaxDifficulty {
		v.errorf("Difficulty must be between 1 and 5: %s has %d", clip(a.TaskID), a.Difficulty)
	}
	if a.Seed < 0 {
		v.errorf("Seed must not be negative: %s has %d", clip(a.TaskID), a.Seed)
	}
	f, err := v.families.Find(a.Family)
	if err != nil {
		v.errorf("Unknown family: %s", clip(a.Family))
		return
	}
	if a.Scenario == "" {
		return
	}
	i := slices.IndexFunc(f.Scenarios(), func(s files.Scenario) bool { return s.ID == a.Scenario })
	switch {
	case i < 0:
		v.errorf("Unknown scenario for %s: %s", clip(a.Family), clip(a.Scenario))
	case f.Scenarios()[i].HeldOut && a.Split != Heldout:
		v.errorf("Held-out scenario outside of heldout: %s is in %s", clip(a.Scenario), clip(a.Split))
	}
}

// overlaps finds seeds of validation and test that train, or one another, has as well.
func (v *validator) overlaps(m *Manifest) {
	seeds := map[string]map[cell][]int64{}
	var cells []cell
	seen := map[cell]bool{}
	for _, a := range m.Assignments {
		c := cell{a.Family, a.Scenario, a.Difficulty}
		if seeds[a.Split] == nil {
			seeds[a.Split] = map[cell][]int64{}
		}
		seeds[a.Split][c] = append(seeds[a.Split][c], a.Seed)
		if !seen[c] {
			seen[c] = true
			cells = append(cells, c)
		}
	}
	for _, pair := range [][2]string{{Train, Validation}, {Train, Test}, {Validation, Test}} {
		for _, c := range cells {
			var both []int64
			for _, seed := range seeds[pair[1]][c] {
				if slices.Contains(seeds[pair[0]][c], seed) {
					both = append(both, seed)
				}
			}
			if len(both) > 0 {
				slices.Sort(both)
				v.errorf("Seed overlap between %s and %s: %s, seeds %s", pair[0], pair[1], c, list(slices.Compact(both)))
			}
		}
	}
}

// list shows numbers without flooding a message.
func list(seeds []int64) string {
	const most = 8
	var words []string
	for _, s := range seeds[:min(most, len(seeds))] {
		words = append(words, fmt.Sprint(s))
	}
	text := strings.Join(words, ", ")
	if more := len(seeds) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// clip bounds a word of somebody else's inside a message.
func clip(s string) string {
	s = strings.Trim(fmt.Sprintf("%q", s), `"`)
	if len(s) > 120 {
		return s[:120] + "…"
	}
	return s
}

// A Tally counts the worlds of a split.
type Tally struct {
	Split     string `json:"split"`
	Instances int    `json:"instances"`
	Distinct  int    `json:"distinct"` // worlds that differ in what is visible or expected
	// Known are worlds that an earlier split of the same count has, too.
	Known int `json:"known"`
}

// Count compiles the assignments of every split, in the order of the splits, and counts the
// different worlds among them. All that cannot be compiled is one joined error.
func Count(m *Manifest, compile func(files.Spec) (*files.Instance, error)) ([]Tally, error) {
	var out []Tally
	var refused []error
	before := map[string]bool{}
	for _, name := range Names() {
		rows := m.Of(name)
		if len(rows) == 0 {
			continue
		}
		t := Tally{Split: name}
		mine := map[string]bool{}
		for _, a := range rows {
			in, err := compile(a.Spec())
			if err != nil {
				refused = append(refused, err)
				continue
			}
			t.Instances++
			w := in.World()
			if !mine[w] && before[w] {
				t.Known++
			}
			mine[w] = true
		}
		t.Distinct = len(mine)
		for w := range mine {
			before[w] = true
		}
		out = append(out, t)
	}
	return out, errors.Join(refused...)
}
