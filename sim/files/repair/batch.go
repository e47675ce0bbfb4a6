package repair

import (
	"fmt"
	"slices"
	"strconv"

	"benchwright/sim/files"
	"benchwright/sim/files/internal/stock"
)

// pathBatch loads measurements by the name of their file and sums them up.
func pathBatch(r *files.Request) (*story, error) {
	rnd := r.Rand("words")
	names := files.Pick(rnd, [][2]string{{"min", "max"}, {"smallest", "largest"}, {"low", "high"}, {"minimum", "maximum"}})
	w := stock.Words{
		"things":   files.Pick(rnd, []string{"measurements", "readings", "samples", "probes", "soundings"}),
		"folder":   files.Pick(rnd, []string{"data", "measured", "readings", "inbox"}),
		"value":    files.Pick(rnd, []string{"value", "reading", "measure", "level", "amount"}),
		"total":    files.Pick(rnd, []string{"total", "sum", "grand_total"}),
		"smallest": names[0], "largest": names[1],
	}
	w["report_name"] = files.Pick(rnd, []string{"batch summary", "summary of " + w["things"], "report on " + w["things"]})
	w["package_doc"] = stock.Title(w["things"]) + " and what they come to."
	lowest := rnd.Between(3, 9)
	highest := lowest + rnd.Between(30, 60)
	file := files.Pick(rnd, []string{"measurements", "batch", "line_2", "station_a", "week_12"}) + ".csv"
	s := &story{
		template: "batch", words: w,
		title:       stock.Title(w["report_name"]),
		description: files.Pick(rnd, []string{"A station drops its " + w["things"] + " as tables; each table gets a summary.", "One file of " + w["things"] + " in, one summary out.", "The " + w["things"] + " of a shift, as four figures."}),
		input:       w["folder"] + "/" + file, named: file,
		values: []stock.Setting{
			{Key: "lowest", Right: lowest, Stale: lowest + rnd.Between(5, 9)},
			{Key: "highest", Right: highest, Stale: highest - rnd.Between(10, 15)},
		},
		contract: []string{
			fmt.Sprintf("`load_measurements(name)`: the column `%s` of the file of that name in the folder `%s` of the workspace, as whole numbers in file order. Rows without a value are passed over.", w["value"], w["folder"]),
			fmt.Sprintf("`compute_batch_summary(values, lowest, highest)`: of the values from `lowest` to `highest`, both included: `count`, `%s`, `%s` and `%s`, which is their sum. Without any, the first and the last are 0, the others null.", names[0], names[1], w["total"]),
		},
		hints: [3]string{
			"Run it and read what is said about the loading.",
			"Where does the package look for its files?",
			"Add up a short file by hand.",
		},
		structure: map[string]any{"repair_surface": "io_and_aggregation", "failure_mode": "crash_or_wrong_values", "smoke_test_quality": "partially_informative"},
		suspect:   "some batches do not load at all, and others come to odd figures",
		core: []files.Defect{
			edit("missing_import", "loading", "io_helpers.py", "from pathlib import Path\n", ""),
			edit("file_path_issue", "loading", "io_helpers.py", "DATA_FOLDER = ROOT / \"«folder»\"", "DATA_FOLDER = ROOT.parent / \"«folder»\""),
			edit("aggregation_bug", "aggregation", "batch.py", "\"«total»\": sum(kept)", "\"«total»\": len(kept)"),
		},
		more: []files.Defect{
			edit("strict_limit", "filtering", "batch.py", "if lowest <= value <= highest]", "if lowest < value < highest]"),
			edit("first_as_smallest", "aggregation", "batch.py", "\"«smallest»\": min(kept)", "\"«smallest»\": kept[0]"),
			edit("blank_rows", "parsing", "io_helpers.py", "[int(text) for text in texts if text]", "[int(text or 0) for text in texts]"),
		},
		edges: [][2]string{{"missing_import", "file_path_issue"}, {"file_path_issue", "blank_rows"}, {"strict_limit", "first_as_smallest"}, {"strict_limit", "aggregation_bug"}},
	}
	s.data = measurementFile(r.Rand("visible"), w, drawMeasurements(r.Rand("visible values"), 4+2*r.Difficulty, lowest, highest))
	rnd = r.Rand("other")
	plain, gaps, last := drawMeasurements(rnd, 7, 0, 90), drawMeasurements(rnd, 9, 0, 90), drawMeasurements(rnd, 11, lowest, highest)
	over := files.Tree{
		w["folder"] + "/part_1.csv": stock.CSV(table(w["value"], plain)...),
		w["folder"] + "/part_2.csv": measurementFile(rnd, w, gaps),
	}
	s.call("loader", "loading", "io_helpers", "load_measurements", over, []any{plain}, []any{"part_1.csv"})
	s.call("loader_gaps", "parsing", "io_helpers", "load_measurements", over, []any{gaps}, []any{"part_2.csv"})
	low, high := rnd.Between(10, 20), rnd.Between(50, 70)
	wide := drawMeasurements(rnd, 10, low, high)
	// Well inside, the least of them first, so that only the sum can be wrong.
	inner := []int{low + 1, low + rnd.Between(3, 9), high - rnd.Between(2, 9), low + rnd.Between(10, 20)}
	s.call("summary", "aggregation", "batch", "compute_batch_summary", nil, []any{measured(inner, low, high, w)}, []any{inner, low, high})
	s.call("summary_limits", "filtering", "batch", "compute_batch_summary", nil,
		[]any{measured(wide, low, high, w), measured([]int{low - 1}, low, high, w)}, []any{wide, low, high}, []any{[]int{low - 1}, low, high})
	s.run(measurementFile(rnd, w, last), measured(last, lowest, highest, w))
	return s, nil
}

// drawMeasurements draws values around limits. Both limits are among them, values beyond them are,
// and the first one within is not the least.
func drawMeasurements(r *files.Rand, n, lowest, highest int) []int {
	values := []int{lowest, highest, highest + r.Between(1, 20), max(lowest-r.Between(1, 3), 0)}
	for len(values) < n-1 {
		values = append(values, r.Between(lowest+1, highest-1))
	}
	values = files.Shuffled(r, values)
	return slices.Insert(values, 0, r.Between(lowest+1, highest-1))
}

func table(column string, values []int) [][]string {
	rows := [][]string{{"taken", column}}
	for i, v := range values {
		rows = append(rows, []string{fmt.Sprintf("%02d:%02d", 6+i/4, i%4*15), strconv.Itoa(v)})
	}
	return rows
}

// measurementFile is a table of values with rows in between that have none.
func measurementFile(r *files.Rand, w stock.Words, values []int) string {
	rows := table(w["value"], values)
	for range r.Between(1, 2) {
		rows = slices.Insert(rows, r.Between(2, len(rows)), []string{"--", ""})
	}
	return stock.CSV(rows...)
}

func measured(values []int, lowest, highest int, w stock.Words) map[string]any {
	var kept []int
	total := 0
	for _, v := range values {
		if lowest <= v && v <= highest {
			kept = append(kept, v)
			total += v
		}
	}
	if len(kept) == 0 {
		return map[string]any{"count": 0, w["smallest"]: nil, w["largest"]: nil, w["total"]: 0}
	}
	return map[string]any{"count": len(kept), w["smallest"]: slices.Min(kept), w["largest"]: slices.Max(kept), w["total"]: total}
}
