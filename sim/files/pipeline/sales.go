package pipeline

import (
	"fmt"
	"strings"

	"benchwright/sim/files"
	"benchwright/sim/files/internal/stock"
)

type saleRow struct {
	region, active string
	cents          int
}

// salesTable sums up a table of sales by region.
func salesTable(r *files.Request) (*story, error) {
	rnd := r.Rand("words")
	w := stock.Words{
		"things": files.Pick(rnd, []string{"sales", "orders", "receipts", "invoices"}),
		"region": files.Pick(rnd, []string{"region", "territory", "area", "branch"}),
		"active": files.Pick(rnd, []string{"active", "valid", "enabled", "current"}),
		"amount": files.Pick(rnd, []string{"amount", "net", "value", "revenue"}),
	}
	w["report_name"] = files.Pick(rnd, []string{"sales summary", "revenue by " + w["region"], "normalised " + w["things"]})
	w["package_doc"] = stock.Title(w["things"]) + " by " + w["region"] + "."
	minimum := rnd.Between(8, 20)
	file := files.Pick(rnd, []string{"sales", "ledger", "till", "export"})
	input, old := "data/"+file+".csv", fmt.Sprintf("data/archive/%s_%d.csv", file, rnd.Between(2015, 2020))
	output := "artifacts/" + files.Pick(rnd, []string{"normalized_sales", "sales_summary", "by_region", "revenue"}) + ".json"
	regions := files.Sample(rnd, stock.Regions, 8)
	s := &story{
		template: "sales", words: w, output: output,
		title:       stock.Title(w["report_name"]),
		description: files.Pick(rnd, []string{"The tills write a table of " + w["things"] + "; accounting wants one line for each " + w["region"] + ".", "A table of " + w["things"] + " comes in, a summary by " + w["region"] + " goes out.", "What each " + w["region"] + " sold, in a form that the books can take."}),
		rules: []string{
			fmt.Sprintf("Read the table `%s`.", input),
			fmt.Sprintf("Bring `%s` and `%s` to lower case without spaces around them.", w["region"], w["active"]),
			fmt.Sprintf("Leave out rows whose `%s` is not `yes`, unless `include_inactive` in `%s` is true, and rows below `minimum_amount`.", w["active"], policyPath),
			fmt.Sprintf("Sum up by `%s`.", w["region"]),
		},
		contract: []string{
			fmt.Sprintf("`%s`: in lower case; the list is sorted by it", w["region"]),
			"`row_count`: how many rows counted", "`total_amount`: what they come to, two decimals",
		},
		hints: [3]string{
			"Which file is read, and which one is written?",
			"Which rows should count? Compare with the code.",
			"Open what was written; does it load as JSON?",
		},
		structure: map[string]any{"repair_surface": "config_loader_steps", "failure_mode": "wrong_artifact", "smoke_test_quality": "weak"},
		handoff:   "the summary is made every night, but accounting cannot use it",
		config:    map[string]any{"input_path": input},
		policy: []stock.Setting{
			{Key: "include_inactive", Right: false, Stale: true},
			{Key: "minimum_amount", Right: minimum, Stale: minimum + rnd.Between(30, 50)},
		},
		core: []files.Defect{
			path("stale_input_path", "input_path", input, old),
			path("wrong_output_path", "output_path", output, elsewhere(rnd, output)),
			edit("missing_normalization_step", "normalisation", "runner.py", "    rows = normalize_rows(rows)\n", ""),
			edit("wrong_filter_policy", "filtering", "steps.py", "row[\"«active»\"] == \"yes\"", "row[\"«active»\"] != \"yes\""),
			edit("invalid_serialization", "serialization", "io_utils.py", "json.dumps(value, indent=2)", reprs),
		},
		more: []files.Defect{
			edit("integer_amounts", "aggregation", "steps.py", "amount = row[\"«amount»\"]", "amount = int(row[\"«amount»\"])"),
			edit("wrong_sort_key", "ordering", "steps.py", "for region in sorted(groups)", "for region in sorted(groups, key=lambda region: groups[region][\"total\"])"),
		},
		edges: [][2]string{
			{"wrong_output_path", "invalid_serialization"}, {"invalid_serialization", "stale_input_path"}, {"stale_input_path", "wrong_filter_policy"},
			{"wrong_filter_policy", "missing_normalization_step"}, {"wrong_filter_policy", "integer_amounts"}, {"missing_normalization_step", "wrong_sort_key"},
		},
	}
	rows := drawSales(r.Rand("visible"), 4+2*r.Difficulty, regions[:3], minimum)
	other := drawSales(r.Rand("other"), 15, regions[1:5], minimum)
	s.inputs = files.Tree{input: saleTable(rows, w)}
	s.stale = files.Tree{old: saleTable(drawSales(r.Rand("stale"), 9, regions[5:], minimum), w)}
	s.rows, s.other = salesReport(rows, minimum, true, w), salesReport(other, minimum, true, w)
	total := func(row map[string]any) int { return row["total_amount"].(stock.Decimal).Units }
	switch {
	case inOrder(s.rows, total) || inOrder(s.other, total):
		return nil, files.Redraw("regions and what they sold rise together")
	case shares(s.rows, salesReport(rows, minimum, false, w)) || shares(s.other, salesReport(other, minimum, false, w)):
		return nil, files.Redraw("a region has as much of what is not active")
	}
	s.graded(files.Tree{input: saleTable(other, w)})
	return s, nil
}

// drawSales draws rows with cents, of which the last region's are spelled in more than one way,
// and of which each region has some of either sort.
func drawSales(r *files.Rand, n int, regions []string, minimum int) []saleRow {
	var list []saleRow
	add := func(region, active string, cents int) { list = append(list, saleRow{region, active, cents}) }
	cents := func() int { return (minimum+r.Between(1, 150))*100 + r.Between(1, 99) }
	last := regions[len(regions)-1]
	for _, region := range regions {
		add(region, "yes", cents())
		add(region, "no", cents())
	}
	add(stock.Spelled(r, last), "yes", cents())
	add(last, files.Pick(r, []string{"Yes", "YES", " yes"}), cents())
	add(regions[0], "yes", minimum*100-r.Between(10, 400))
	for len(list) < n {
		add(files.Pick(r, regions), []string{"yes", "no"}[r.Weighted(75, 25)], cents())
	}
	return files.Shuffled(r, list)
}

func saleTable(list []saleRow, w stock.Words) string {
	rows := [][]string{{"nr", w["region"], w["active"], w["amount"]}}
	for i, s := range list {
		rows = append(rows, []string{fmt.Sprint(i + 1), s.region, s.active, stock.Decimal{Units: s.cents, Places: 2}.Fixed()})
	}
	return stock.CSV(rows...)
}

func salesReport(list []saleRow, minimum int, active bool, w stock.Words) []map[string]any {
	groups := map[string]map[string]any{}
	for _, s := range list {
		if (strings.TrimSpace(strings.ToLower(s.active)) == "yes") != active || s.cents < minimum*100 {
			continue
		}
		region := normal(s.region)
		row := groups[region]
		if row == nil {
			row = map[string]any{w["region"]: region, "row_count": 0, "total_amount": stock.Decimal{Places: 2}}
			groups[region] = row
		}
		row["row_count"] = row["row_count"].(int) + 1
		row["total_amount"] = stock.Decimal{Units: row["total_amount"].(stock.Decimal).Units + s.cents, Places: 2}
	}
	return sorted(groups)
}
