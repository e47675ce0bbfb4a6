package pipeline

import (
	"fmt"
	"slices"

	"benchwright/sim/files"
	"benchwright/sim/files/internal/stock"
)

type countRow struct {
	report string
	count  int
}

// fragments stitches the counts of several files together.
func fragments(r *files.Request) (*story, error) {
	rnd := r.Rand("words")
	w := stock.Words{
		"report": files.Pick(rnd, []string{"report", "page", "topic", "item", "product"}),
		"count":  files.Pick(rnd, []string{"count", "views", "hits", "copies", "reads"}),
	}
	w["report_name"] = files.Pick(rnd, []string{"merged report", "joint list", "overall count"})
	w["package_doc"] = "Counts of many places, in one list."
	n := 2 + r.Difficulty/3
	var names []string
	for _, region := range files.Sample(rnd, stock.Regions, n+1) {
		names = append(names, region+".json")
	}
	policyNames, left := names[:n], names[n]
	topics := files.Sample(rnd, []string{"alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo", "lima", "mike", "november", "oscar", "papa"}, 12)
	minimum := rnd.Between(20, 40)
	folder := "data/" + files.Pick(rnd, []string{"fragments", "parts", "pieces", "sites"})
	old := folder + "_" + files.Pick(rnd, []string{"old", "2019", "backup", "draft"})
	output := "artifacts/" + files.Pick(rnd, []string{"merged_report", "merged", "overall", "stitched"}) + ".json"
	s := &story{
		template: "stitch", words: w, output: output,
		title:       stock.Title(w["report_name"]),
		description: files.Pick(rnd, []string{"Each site counts by itself; this puts the counts together.", "Fragments of one list lie in one folder, and are stitched together here.", "One list out of the lists of several places."}),
		rules: []string{
			fmt.Sprintf("Read the files of `%s` that `fragments` in `%s` names; each is a list of rows.", folder, policyPath),
			fmt.Sprintf("Make one row of all rows of a `%s`, adding up their `%s`.", w["report"], w["count"]),
			fmt.Sprintf("Leave out what then has less than `minimum_count` of `%s`.", policyPath),
		},
		contract: []string{
			fmt.Sprintf("`%s`: its name; the list is sorted by it", w["report"]),
			fmt.Sprintf("`%s`: the sum over all fragments", w["count"]),
		},
		hints: [3]string{
			"Are the fragments that are read the right ones?",
			"How often may a name occur in the artifact?",
			"Add up one name by hand.",
		},
		structure: map[string]any{"repair_surface": "config_loader_merge", "failure_mode": "wrong_artifact", "smoke_test_quality": "weak"},
		handoff:   "the list is too long, or its figures are too small, depending on whom you ask",
		config:    map[string]any{"fragment_dir": folder},
		policy: []stock.Setting{
			{Key: "fragments", Right: policyNames, Stale: append(slices.Clone(policyNames[:n-1]), left)},
			{Key: "minimum_count", Right: minimum, Stale: minimum + rnd.Between(100, 200)},
		},
		core: []files.Defect{
			path("stale_fragment_dir", "fragment_dir", folder, old),
			path("wrong_output_path", "output_path", output, elsewhere(rnd, output)),
			edit("omitted_merge_stage", "merging", "runner.py", "    rows = merge_rows(rows)\n", ""),
			edit("aggregation_bug", "aggregation", "merge.py", "totals[row[\"«report»\"]] += row[\"«count»\"]", "totals[row[\"«report»\"]] += 1"),
		},
		more: []files.Defect{
			edit("last_fragment_dropped", "loading", "loader.py", "for name in names:", "for name in names[:-1]:"),
			edit("wrong_sort_key", "ordering", "merge.py", "key=lambda row: row[\"«report»\"]", "key=lambda row: row[\"«count»\"]"),
			edit("output_format_bug", "serialization", "io_utils.py", "json.dumps(value, indent=2)", reprs),
		},
		edges: [][2]string{
			{"wrong_output_path", "output_format_bug"}, {"output_format_bug", "stale_fragment_dir"}, {"stale_fragment_dir", "omitted_merge_stage"},
			{"stale_fragment_dir", "last_fragment_dropped"}, {"omitted_merge_stage", "aggregation_bug"}, {"omitted_merge_stage", "wrong_sort_key"},
		},
	}
	rows := drawFragments(r.Rand("visible"), names, topics[:3+r.Difficulty/2], minimum)
	other := drawFragments(r.Rand("other"), names, topics[2:7], minimum)
	stale := drawFragments(r.Rand("stale"), names, topics[8:], minimum)
	s.inputs, s.stale = fragmentFiles(folder, names, rows, w), fragmentFiles(old, names, stale, w)
	s.rows, s.other = stitched(rows[:n], minimum, w), stitched(other[:n], minimum, w)
	count := func(row map[string]any) int { return row[w["count"]].(int) }
	if inOrder(s.rows, count) || inOrder(s.other, count) {
		return nil, files.Redraw("names and their counts rise together")
	}
	s.graded(fragmentFiles(folder, names, other, w))
	return s, nil
}

// drawFragments draws a list of rows for each fragment. Every name is in every fragment, so that
// each of them matters to each name; one of the names stays below the minimum.
func drawFragments(r *files.Rand, names, topics []string, minimum int) [][]countRow {
	lists := make([][]countRow, len(names))
	for i := range lists {
		for j, topic := range topics {
			n := minimum/2 + r.Between(5, 90)
			if j == 0 {
				n = r.Between(1, 4)
			}
			lists[i] = append(lists[i], countRow{topic, n})
		}
		if r.Chance(50) {
			lists[i] = append(lists[i], countRow{topics[1], r.Between(2, 9)})
		}
		lists[i] = files.Shuffled(r, lists[i])
	}
	return lists
}

func fragmentFiles(folder string, names []string, lists [][]countRow, w stock.Words) files.Tree {
	t := files.Tree{}
	for i, name := range names {
		rows := []any{}
		for _, c := range lists[i] {
			rows = append(rows, map[string]any{w["report"]: c.report, w["count"]: c.count})
		}
		t[folder+"/"+name] = files.JSON(rows)
	}
	return t
}

func stitched(lists [][]countRow, minimum int, w stock.Words) []map[string]any {
	totals := map[string]int{}
	for _, list := range lists {
		for _, c := range list {
			totals[c.report] += c.count
		}
	}
	groups := map[string]map[string]any{}
	for name, total := range totals {
		if total >= minimum {
			groups[name] = map[string]any{w["report"]: name, w["count"]: total}
		}
	}
	return sorted(groups)
}
