package pipeline

import (
	"fmt"
	"strings"

	"benchwright/sim/files"
	"benchwright/sim/files/internal/stock"
)

type jobRow struct {
	id, team, state string
	tenths          int
}

// teamHours sums up the hours of jobs by team.
func teamHours(r *files.Request) (*story, error) {
	rnd := r.Rand("words")
	w := stock.Words{
		"things": files.Pick(rnd, []string{"jobs", "tickets", "shifts", "tasks", "visits"}),
		"team":   files.Pick(rnd, []string{"team", "crew", "group", "unit"}),
		"state":  files.Pick(rnd, []string{"state", "status", "phase"}),
		"hours":  files.Pick(rnd, []string{"hours", "effort", "time_spent", "worked"}),
	}
	w["report_name"] = files.Pick(rnd, []string{"hours report", "summary of hours", "effort summary"})
	w["package_doc"] = "Hours of " + w["things"] + " by " + w["team"] + "."
	states := files.Sample(rnd, []string{"cancelled", "void", "rejected", "withdrawn"}, 2)
	minimum := stock.Decimal{Units: rnd.Between(12, 19), Places: 1}
	teams := files.Sample(rnd, stock.Teams, 7)
	file := files.Pick(rnd, []string{"jobs", "worklog", "timesheet", "entries"})
	input, old := "data/"+file+".json", fmt.Sprintf("data/archive/%s_%d.json", file, rnd.Between(2015, 2020))
	output := "artifacts/" + files.Pick(rnd, []string{"summary", "hours", "team_hours", "report"}) + ".json"
	s := &story{
		template: "hours", words: w, output: output,
		title:       stock.Title(w["report_name"]),
		description: files.Pick(rnd, []string{"Every " + w["team"] + " books its " + w["things"] + "; this makes one summary of them.", "From the " + w["things"] + " of the month to the hours of each " + w["team"] + ".", "The hours that each " + w["team"] + " has worked, for the people who plan."}),
		rules: []string{
			fmt.Sprintf("Read the rows of `%s`.", input),
			fmt.Sprintf("Bring `%s` and `%s` to lower case without spaces around them.", w["team"], w["state"]),
			fmt.Sprintf("Leave out rows in the state `excluded_state` of `%s`, and those of fewer hours than `minimum_hours`.", policyPath),
			fmt.Sprintf("Sum up by `%s`.", w["team"]),
		},
		contract: []string{
			fmt.Sprintf("`%s`: in lower case; the list is sorted by it", w["team"]),
			"`job_count`: how many rows counted", "`total_hours`: their hours, one decimal",
		},
		hints: [3]string{
			"Follow the data from the configuration to the artifact.",
			fmt.Sprintf("Is a `%s` written in one way only?", w["team"]),
			"Open what was written; does it load as JSON?",
		},
		structure: map[string]any{"repair_surface": "config_runner_steps", "failure_mode": "wrong_artifact", "smoke_test_quality": "partially_informative"},
		handoff:   "the artifact came out again without complaints, though the planners say it is not theirs",
		config:    map[string]any{"input_path": input},
		policy: []stock.Setting{
			{Key: "excluded_state", Right: states[0], Stale: states[1]},
			{Key: "minimum_hours", Right: minimum, Stale: stock.Decimal{Units: minimum.Units + 25, Places: 1}},
		},
		core: []files.Defect{
			path("wrong_input_path", "input_path", input, old),
			path("wrong_output_path", "output_path", output, elsewhere(rnd, output)),
			edit("missing_normalization_step", "normalisation", "runner.py", "    rows = normalize_rows(rows)\n", ""),
			edit("aggregation_bug", "aggregation", "steps.py", "group[\"hours\"] += hours", "group[\"hours\"] += hours + 1"),
			edit("output_format_bug", "serialization", "io_utils.py", "json.dumps(value, indent=2)", reprs),
		},
		more: []files.Defect{
			edit("integer_hours", "aggregation", "steps.py", "hours = row[\"«hours»\"]", "hours = int(row[\"«hours»\"])"),
			edit("wrong_sort_key", "ordering", "steps.py", "for team in sorted(groups)", "for team in sorted(groups, key=lambda team: groups[team][\"hours\"])"),
		},
		edges: [][2]string{
			{"wrong_output_path", "output_format_bug"}, {"output_format_bug", "wrong_input_path"}, {"wrong_input_path", "missing_normalization_step"},
			{"missing_normalization_step", "aggregation_bug"}, {"aggregation_bug", "integer_hours"}, {"missing_normalization_step", "wrong_sort_key"},
		},
	}
	rows := drawJobs(r.Rand("visible"), 6+r.Difficulty, teams[:3], states, minimum.Units)
	other := drawJobs(r.Rand("other"), 14, teams[1:4], states, minimum.Units)
	s.inputs = files.Tree{input: files.JSON(jobRows(rows, w))}
	s.stale = files.Tree{old: files.JSON(jobRows(drawJobs(r.Rand("stale"), 9, teams[4:], states, minimum.Units), w))}
	s.rows, s.other = hoursReport(rows, states[0], minimum.Units, w), hoursReport(other, states[0], minimum.Units, w)
	if inOrder(s.rows, tenths) || inOrder(s.other, tenths) {
		return nil, files.Redraw("teams and their hours rise together")
	}
	s.graded(files.Tree{input: files.JSON(jobRows(other, w))})
	return s, nil
}

// drawJobs draws jobs of which every team has one with a fraction that counts; the last team's are
// the ones that are spelled in more than one way.
func drawJobs(r *files.Rand, n int, teams, states []string, minimum int) []jobRow {
	fine := []string{"ready", "complete", states[1]}
	var list []jobRow
	ids := r.Numbers(n+10, 900) // the first few come before they are counted
	add := func(team, state string, tenths int) {
		list = append(list, jobRow{fmt.Sprintf("J-%d", 100+ids[len(list)]), team, state, tenths})
	}
	counting := func() int { return minimum + r.Between(1, 60) }
	last := teams[len(teams)-1]
	for _, team := range teams {
		tenths := counting()
		if tenths%10 == 0 {
			tenths++
		}
		add(team, fine[1], tenths)
	}
	add(stock.Spelled(r, last), fine[0], counting())
	add(files.Pick(r, teams), states[0], counting())
	add(last, strings.ToUpper(states[0]), counting())
	add(files.Pick(r, teams), fine[1], r.Between(5, minimum-1))
	for len(list) < n {
		add(files.Pick(r, teams), fine[r.Weighted(20, 60, 20)], counting())
	}
	return files.Shuffled(r, list)
}

func jobRows(list []jobRow, w stock.Words) []any {
	rows := []any{}
	for _, j := range list {
		rows = append(rows, map[string]any{"id": j.id, w["team"]: j.team, w["state"]: j.state, w["hours"]: stock.Decimal{Units: j.tenths, Places: 1}})
	}
	return rows
}

func normal(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

func hoursReport(list []jobRow, excluded string, minimum int, w stock.Words) []map[string]any {
	groups := map[string]map[string]any{}
	for _, j := range list {
		if normal(j.state) == excluded || j.tenths < minimum {
			continue
		}
		team := normal(j.team)
		row := groups[team]
		if row == nil {
			row = map[string]any{w["team"]: team, "job_count": 0, "total_hours": stock.Decimal{Places: 1}}
			groups[team] = row
		}
		row["job_count"] = row["job_count"].(int) + 1
		row["total_hours"] = stock.Decimal{Units: tenths(row) + j.tenths, Places: 1}
	}
	return sorted(groups)
}
