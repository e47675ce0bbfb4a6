package pipeline

import (
	"fmt"
	"slices"

	"benchwright/sim/files"
	"benchwright/sim/files/internal/stock"
)

type gateRow struct {
	team, source    string
	quality, tenths int
}

// qualityGate sums up the events that are good enough.
func qualityGate(r *files.Request) (*story, error) {
	rnd := r.Rand("words")
	w := stock.Words{
		"things":  files.Pick(rnd, []string{"events", "reviews", "inspections", "readings"}),
		"team":    files.Pick(rnd, []string{"team", "station", "line", "lab"}),
		"source":  files.Pick(rnd, []string{"source", "origin", "channel", "sensor"}),
		"quality": files.Pick(rnd, []string{"quality", "grade", "confidence", "rating"}),
		"hours":   files.Pick(rnd, []string{"hours", "duration", "effort"}),
	}
	w["report_name"] = files.Pick(rnd, []string{"quality report", "report of accepted " + w["things"], "list of accepted hours"})
	w["package_doc"] = "Which " + w["things"] + " are accepted, by " + w["team"] + "."
	sources := files.Sample(rnd, []string{"scanner", "manual", "probe", "legacy", "import", "camera", "survey"}, 4)
	minimum := rnd.Between(55, 80)
	teams := files.Sample(rnd, stock.Teams, 5)
	input := "data/" + files.Pick(rnd, []string{"events", "incoming", "queue", "batch"}) + ".json"
	output := "artifacts/" + files.Pick(rnd, []string{"quality_report", "accepted", "gate", "passed"}) + ".json"
	s := &story{
		template: "gate", words: w, output: output,
		title:       stock.Title(w["report_name"]),
		description: files.Pick(rnd, []string{"Only " + w["things"] + " of some quality may count; this counts them.", "A gate for " + w["things"] + ", and what gets through it.", "What each " + w["team"] + " contributed that can be relied on."}),
		rules: []string{
			fmt.Sprintf("Read the rows of `%s`.", input),
			fmt.Sprintf("Bring `%s` and `%s` to lower case without spaces around them.", w["team"], w["source"]),
			fmt.Sprintf("Keep rows whose `%s` is at least `minimum_quality` of `%s` and whose `%s` is none of `blocked_sources`.", w["quality"], policyPath, w["source"]),
			fmt.Sprintf("Sum up by `%s`.", w["team"]),
		},
		contract: []string{
			fmt.Sprintf("`%s`: in lower case; the list is sorted by it", w["team"]),
			"`row_count`: how many rows got through", "`total_hours`: their hours, one decimal",
		},
		hints: [3]string{
			"Where is the artifact written?",
			"Which rows should get through? Try one by hand.",
			"Look at what is added up.",
		},
		structure: map[string]any{"repair_surface": "config_runner_quality", "failure_mode": "wrong_artifact", "smoke_test_quality": "weak"},
		handoff:   "the gate lets through what it should keep, some say",
		config:    map[string]any{"input_path": input},
		policy: []stock.Setting{
			{Key: "minimum_quality", Right: minimum, Stale: minimum + 12},
			{Key: "blocked_sources", Right: sources[:2], Stale: sources[1:3]},
		},
		core: []files.Defect{
			path("wrong_output_path", "output_path", output, elsewhere(rnd, output)),
			edit("missing_normalization_stage", "normalisation", "runner.py", "    rows = normalize_rows(rows)\n", ""),
			edit("wrong_filter_policy", "filtering", "quality.py", "row[\"«source»\"] not in blocked_sources", "row[\"«source»\"] in blocked_sources"),
			edit("helper_drift", "aggregation", "quality.py", "group[\"hours\"] += hours", "group[\"hours\"] += 1"),
		},
		more: []files.Defect{
			edit("strict_minimum", "filtering", "quality.py", "row[\"«quality»\"] >= minimum_quality", "row[\"«quality»\"] > minimum_quality"),
			edit("integer_hours", "aggregation", "quality.py", "hours = row[\"«hours»\"]", "hours = int(row[\"«hours»\"])"),
			edit("output_format_bug", "serialization", "io_utils.py", "json.dumps(value, indent=2)", reprs),
		},
		edges: [][2]string{
			{"wrong_output_path", "output_format_bug"}, {"output_format_bug", "wrong_filter_policy"}, {"wrong_filter_policy", "missing_normalization_stage"},
			{"wrong_filter_policy", "strict_minimum"}, {"strict_minimum", "helper_drift"}, {"helper_drift", "integer_hours"},
		},
	}
	rows := drawGate(r.Rand("visible"), 8+r.Difficulty, teams[:3], sources, minimum)
	other := drawGate(r.Rand("other"), 16, teams[1:5], sources, minimum)
	s.inputs = files.Tree{input: files.JSON(gateRows(rows, w))}
	s.rows, s.other = gateReport(rows, minimum, sources[:2], true, w), gateReport(other, minimum, sources[:2], true, w)
	for _, set := range []struct {
		rows []gateRow
		want []map[string]any
	}{{rows, s.rows}, {other, s.other}} {
		if shares(set.want, gateReport(set.rows, minimum, sources[:2], false, w)) {
			return nil, files.Redraw("as much is blocked as gets through")
		}
		for _, row := range set.want {
			if tenths(row) == 10*row["row_count"].(int) {
				return nil, files.Redraw("a team has one hour for each row")
			}
		}
	}
	s.graded(files.Tree{input: files.JSON(gateRows(other, w))})
	return s, nil
}

// drawGate draws rows of which every team has one just good enough, with a fraction of hours, and
// others that are better; the last team's are the ones that are spelled in more than one way.
func drawGate(r *files.Rand, n int, teams, sources []string, minimum int) []gateRow {
	open := sources[2:]
	var list []gateRow
	add := func(team, source string, quality, tenths int) {
		list = append(list, gateRow{team, source, quality, tenths})
	}
	last := teams[len(teams)-1]
	better := func() int { return r.Between(minimum+1, 99) }
	for _, team := range teams {
		add(team, files.Pick(r, open), minimum, 10*r.Between(1, 5)+r.Between(1, 9))
		add(team, files.Pick(r, open), better(), r.Between(11, 60))
	}
	add(stock.Spelled(r, last), files.Pick(r, open), better(), r.Between(11, 60))
	add(last, stock.Spelled(r, sources[0]), better(), r.Between(11, 60))
	add(files.Pick(r, teams), sources[1], better(), r.Between(11, 60))
	add(files.Pick(r, teams), open[0], r.Between(10, minimum-1), r.Between(11, 60))
	for len(list) < n {
		add(files.Pick(r, teams), files.Pick(r, slices.Concat(sources, open)), r.Between(minimum-20, 99), r.Between(11, 60))
	}
	return files.Shuffled(r, list)
}

func gateRows(list []gateRow, w stock.Words) []any {
	rows := []any{}
	for _, g := range list {
		rows = append(rows, map[string]any{w["team"]: g.team, w["source"]: g.source, w["quality"]: g.quality, w["hours"]: stock.Decimal{Units: g.tenths, Places: 1}})
	}
	return rows
}

func gateReport(list []gateRow, minimum int, blocked []string, open bool, w stock.Words) []map[string]any {
	groups := map[string]map[string]any{}
	for _, g := range list {
		if slices.Contains(blocked, normal(g.source)) == open || g.quality < minimum {
			continue
		}
		team := normal(g.team)
		row := groups[team]
		if row == nil {
			row = map[string]any{w["team"]: team, "row_count": 0, "total_hours": stock.Decimal{Places: 1}}
			groups[team] = row
		}
		row["row_count"] = row["row_count"].(int) + 1
		row["total_hours"] = stock.Decimal{Units: tenths(row) + g.tenths, Places: 1}
	}
	return sorted(groups)
}
