package pipeline

import (
	"fmt"
	"maps"
	"slices"

	"benchwright/sim/files"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/internal/stock"
)

// What the hard program's data can be made to depend on, each with the defect that gets it wrong.
const (
	aliases     = "alias_bypass"
	ids         = "raw_job_id"
	versions    = "lexical_timestamp"
	stateWords  = "raw_state"
	fractions   = "integer_hours"
	assignments = "current_assignment"
	ordering    = "order_by_hours"
)

var traps = []string{ids, versions, stateWords, aliases, assignments, fractions, ordering}

// A profile is how much is wrong with the hard program.
type profile struct {
	name    string
	defects func(r *files.Rand) []string
}

// profileOf goes by the last digit of the seed: 0 and 1 are a, 2 to 6 b, the rest c.
func profileOf(seed int64) profile {
	switch n := seed % 10; {
	case n < 2:
		return profile{"d5_a", func(r *files.Rand) []string {
			return files.Pick(r, [][]string{{versions, fractions}, {versions, stateWords}, {stateWords, fractions}, {aliases, ordering}, {assignments, ordering}})
		}}
	case n < 7:
		return profile{"d5_b", func(r *files.Rand) []string {
			return []string{versions, stateWords, aliases, files.Pick(r, []string{fractions, assignments})}
		}}
	}
	return profile{"d5_c", func(*files.Rand) []string { return traps }}
}

// program is the hard program of team hours.
func program(r *files.Request) (*story, error) {
	rnd := r.Rand("words")
	w := stock.Words{
		"things": files.Pick(rnd, []string{"jobs", "tickets", "shifts", "tasks", "visits"}),
		"worker": files.Pick(rnd, []string{"worker", "person", "assignee", "technician"}),
	}
	w["report_name"] = files.Pick(rnd, []string{"hours report", "summary of hours", "effort summary"})
	w["package_doc"] = "Hours of " + w["things"] + ", by the team that worked them."
	words := files.Sample(rnd, []string{"complete", "approved", "billed", "closed", "settled"}, 3)
	minimum := stock.Decimal{Units: rnd.Between(6, 14), Places: 1}
	file := files.Pick(rnd, []string{"jobs", "worklog", "timesheet", "entries"})
	input := "data/" + file + ".json"
	const people, names = "data/assignments.json", "config/team_aliases.json"
	output := "artifacts/" + files.Pick(rnd, []string{"summary", "hours", "team_hours", "report"}) + ".json"
	s := &story{
		template: "program", words: w, output: output, evaluator: CapabilityEvaluator,
		title: stock.Title(w["report_name"]),
		description: files.Pick(rnd, []string{
			"Bookings come in from several places and time zones, and are corrected later. This makes the hours of each team of them.",
			"People change teams, and bookings are changed after the fact; the hours still have to land where they were worked.",
		}),
		rules: []string{
			fmt.Sprintf("Rows of `%s` with the same `job_id`, in any case and spacing, are versions of one job: the one with the latest `updated_at` counts. Moments carry their offset from UTC.", input),
			fmt.Sprintf("States and names of people are compared in lower case, without spaces around them. What counts is a state of `accepted_states` with at least `minimum_hours`, both from `%s`.", policyPath),
			fmt.Sprintf("A job counts for the team that its `%s` belonged to at `worked_at`, by the last entry of `%s` up to then; without one it does not count.", w["worker"], people),
			fmt.Sprintf("Teams are compared like people, and `%s` says which names mean another team.", names),
		},
		contract: []string{"`team`: in lower case; the list is sorted by it", "`job_count`: how many jobs counted", "`total_hours`: their hours, one decimal"},
		structure: map[string]any{
			"repair_surface": "normalisation_and_steps", "failure_mode": "wrong_artifact", "smoke_test_quality": "misleading",
		},
		handoff: "the totals look right at first sight, but nobody's own figures agree with them",
		config:  map[string]any{"input_path": input, "assignments_path": people, "aliases_path": names},
		policy: []stock.Setting{
			{Key: "accepted_states", Right: words[:2], Stale: words[1:]},
			{Key: "minimum_hours", Right: minimum, Stale: stock.Decimal{Units: minimum.Units + 30, Places: 1}},
		},
		edges: [][2]string{
			{ids, versions}, {versions, stateWords}, {stateWords, assignments}, {stateWords, fractions}, {aliases, assignments},
			{aliases, ordering}, {assignments, ordering}, {fractions, ordering},
		},
		weights: map[string]float64{
			"execution": .05, "shape": .05, "row_schema": .10, "normalisation": .15, "dedup": .15, "filtering": .10,
			"aggregation": .25, "ordering": .05, "determinism": .10,
		},
	}
	p := profileOf(r.Seed)
	chosen := p.defects(r.Rand("profile"))
	for _, t := range traps {
		if slices.Contains(chosen, t) {
			s.chosen = append(s.chosen, programDefects[t])
		}
	}
	s.realized = files.Realization{"profile": p.name, "oracle_profile": p.name}

	draw := func(stream string, jobs int, which ...string) *booking {
		return drawBooking(r.Rand(stream), jobs, words, minimum.Units, which)
	}
	visible, other := draw("visible", 6, traps...), draw("other", 9, traps...)
	s.inputs, s.rows, s.other = visible.files(input, people, names, w), visible.report(nil), other.report(nil)
	for _, b := range []*booking{visible, other} {
		if err := b.depends(chosen, nil); err != nil {
			return nil, err
		}
	}
	s.runs(other.files(input, people, names, w))
	s.check("execution", "execution", exam.Check{Case: "visible", Aspect: exam.Runs})
	s.check("shape", "shape", exam.Check{Case: "visible", Aspect: exam.List, File: output})
	s.check("row_schema", "row_schema", exam.Check{Case: "visible", Aspect: exam.Keys, File: output, Want: []string{"team", "job_count", "total_hours"}})
	policy := files.Tree{policyPath: s.policyText(false)}
	for _, c := range []struct{ id, capability, trap string }{
		{"aliases", "normalisation", aliases}, {"states", "filtering", stateWords}, {"time_zones", "dedup", versions}, {"ids", "dedup", ids},
		{"fractions", "aggregation", fractions}, {"assignments", "aggregation", assignments}, {"order", "ordering", ordering},
	} {
		b := draw(c.id, 4, c.trap)
		if err := b.depends([]string{c.trap}, without(traps, c.trap)); err != nil {
			return nil, err
		}
		// The case is about one thing: it comes with a policy of its own.
		s.run(c.id, b.files(input, people, names, w).With(policy))
		s.check(c.id, c.capability, exam.Check{Case: c.id, Aspect: exam.Equal, File: output, Want: b.report(nil)})
	}
	s.check("visible_rows", "aggregation", exam.Check{Case: "visible", Aspect: exam.Equal, File: output, Want: s.rows})
	s.check("other_rows", "aggregation", exam.Check{Case: "other", Aspect: exam.Equal, File: output, Want: s.other})
	s.check("same_again", "determinism", exam.Check{Case: "visible", Aspect: exam.Same, File: output})
	return s, nil
}

func without(list []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == word })
}

// programDefects are the edits by trap.
var programDefects = map[string]files.Defect{
	aliases:     edit(aliases, "normalisation", "normalize.py", "return aliases.get(name, name)", "return name"),
	ids:         edit(ids, "identity", "normalize.py", "row[\"job_id\"].strip().upper()", "row[\"job_id\"]"),
	versions:    edit(versions, "dedup", "normalize.py", "\"updated_at\": moment(row[\"updated_at\"])", "\"updated_at\": row[\"updated_at\"]"),
	stateWords:  edit(stateWords, "filtering", "normalize.py", "row[\"state\"].strip().lower()", "row[\"state\"]"),
	fractions:   edit(fractions, "aggregation", "steps.py", "hours = row[\"hours\"]", "hours = int(row[\"hours\"])"),
	assignments: edit(assignments, "aggregation", "steps.py", " and entry[\"from\"] <= row[\"worked_at\"]:", ":"),
	ordering:    edit(ordering, "ordering", "steps.py", "key=lambda item: item[0]", "key=lambda item: item[1][\"hours\"]"),
}

// depends refuses data on which some of the wrong ways, alone or together, give the right report,
// and data on which one of the harmless ones does not.
func (b *booking) depends(wrong, harmless []string) error {
	right := b.report(nil)
	for set := 1; set < 1<<len(wrong); set++ {
		bugs := map[string]bool{}
		for i, t := range wrong {
			bugs[t] = set>>i&1 == 1
		}
		if exam.SameJSON(b.report(bugs), right) {
			return files.Redraw("bookings handled wrongly in %v give the right report", slices.Sorted(maps.Keys(bugs)))
		}
	}
	for _, t := range harmless {
		if !exam.SameJSON(b.report(map[string]bool{t: true}), right) {
			return files.Redraw("bookings that are to show one thing depend on %s", t)
		}
	}
	return nil
}
