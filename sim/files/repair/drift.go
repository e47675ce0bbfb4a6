package repair

import (
	"fmt"
	"slices"
	"strings"

	"benchwright/sim/files"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/internal/stock"
)

type order struct {
	id, region, status string
	cents              int
}

// schemaDrift loads an export whose columns were renamed, and reports on its regions.
func schemaDrift(r *files.Request) (*story, error) {
	rnd := r.Rand("words")
	ids := files.Pick(rnd, [][2]string{{"account_id", "customer_id"}, {"client_ref", "customer_no"}, {"buyer_key", "account_no"}, {"party_id", "client_id"}, {"holder_id", "owner_id"}})
	w := stock.Words{
		"things": files.Pick(rnd, []string{"orders", "bookings", "purchases", "sales", "contracts"}),
		"id":     ids[0], "old_id": ids[1],
		"region": files.Pick(rnd, []string{"region", "territory", "area", "market"}),
		"status": files.Pick(rnd, []string{"status", "state", "stage"}),
		"amount": files.Pick(rnd, []string{"amount", "net_amount", "value", "price"}),
	}
	w["report_name"] = files.Pick(rnd, []string{"report by " + w["region"], "summary of " + w["things"], w["things"] + " report"})
	w["package_doc"] = stock.Title(w["things"]) + " by " + w["region"] + "."
	void := files.Sample(rnd, []string{"cancelled", "void", "returned", "rejected", "test"}, 3)
	excluded := void[:2]
	minimum := rnd.Between(5, 12)
	s := &story{
		template: "drift", words: w,
		title:       stock.Title(w["report_name"]),
		description: files.Pick(rnd, []string{"The export of " + w["things"] + " got new column names; the report should not care.", "Every night the shop exports its " + w["things"] + ", and this package sums them up.", "What the " + w["things"] + " come to, for each " + w["region"] + "."}),
		input:       "data/" + files.Pick(rnd, []string{"orders", "export", "nightly", "bookings"}) + ".csv",
		values: []stock.Setting{
			{Key: "excluded_statuses", Right: excluded, Stale: void[1:]},
			{Key: "minimum_amount", Right: minimum, Stale: minimum + rnd.Between(40, 60)},
		},
		contract: []string{
			fmt.Sprintf("`load_orders(path)`: the rows of the export that have an `%s`, with just the columns %s, texts without spaces around them, `%s` as a number. The header of the data file says what the columns are called.", w["id"], stock.Quoted([]string{w["id"], w["region"], w["status"], w["amount"]}), w["amount"]),
			fmt.Sprintf("`build_region_report(orders, excluded, minimum)`: a row for each `%s`, sorted by it, with `row_count`, `account_count` (different `%s`) and `total_amount` (two places).", w["region"], w["id"]),
			fmt.Sprintf("Not counted: a `%s`, in any case, that is one of `excluded`, and a `%s` below `minimum`.", w["status"], w["amount"]),
		},
		hints: [3]string{
			"Compare the header of the data with the names in the code.",
			"How many rows does the loader give, and how many are there?",
			"Look at the order of the report.",
		},
		structure: map[string]any{"repair_surface": "parser_and_report", "failure_mode": "silent_wrong_output", "smoke_test_quality": "weak"},
		suspect:   "the report has fewer accounts than the books",
		core: []files.Defect{
			edit("schema_mapping_bug", "schema", "parser.py", "\"«id»\": (row[\"«id»\"] or \"\").strip()", "\"«id»\": (row.get(\"«old_id»\") or \"\").strip()"),
			edit("missing_rows_bug", "schema", "parser.py", "if not (row.get(\"«id»\") or \"\").strip():", "if not (row.get(\"«old_id»\") or \"\").strip():"),
			edit("wrong_sort_key", "ordering", "report.py", "key=lambda row: row[\"«region»\"]", "key=lambda row: row[\"row_count\"]"),
		},
		more: []files.Defect{
			edit("raw_status", "normalisation", "report.py", "order[\"«status»\"].lower() in excluded", "order[\"«status»\"] in excluded"),
			edit("truncated_amount", "aggregation", "parser.py", "float(row[\"«amount»\"])", "int(float(row[\"«amount»\"]))"),
		},
		edges: [][2]string{{"missing_rows_bug", "schema_mapping_bug"}, {"missing_rows_bug", "truncated_amount"}, {"missing_rows_bug", "wrong_sort_key"}, {"schema_mapping_bug", "raw_status"}},
	}
	s.data = orderFile(drawOrders(r.Rand("visible"), r.Difficulty, excluded, minimum), w)
	rnd = r.Rand("other")
	list, again := drawOrders(rnd, 3, excluded, minimum), drawOrders(rnd, 4, excluded, 0)
	over := files.Tree{"data/part_a.csv": orderFile(list, w)}
	s.call("rows_loaded", "schema", "parser", "load_orders", over, []any{orderRows(list, w)}, []any{"data/part_a.csv"})
	s.call("report", "reporting", "report", "build_region_report", nil,
		[]any{regionReport(again, excluded, 20, w)}, []any{orderRows(again, w), excluded, 20})
	last := drawOrders(rnd, 3, excluded, minimum)
	want := regionReport(last, excluded, minimum, w)
	s.run(orderFile(last, w), want)
	s.also("region_order", exam.Check{Capability: "ordering", Aspect: exam.Order, File: report, By: w["region"], Want: stock.Column(want, w["region"])})
	return s, nil
}

// drawOrders draws orders such that the first region has by far the most, accounts that come
// back, rows without an account, excluded ones in other spellings, and ones below the minimum.
func drawOrders(r *files.Rand, more int, excluded []string, minimum int) []order {
	regions := files.Sample(r, stock.Regions, 3+r.N(2))
	slices.Sort(regions)
	good := files.Sample(r, []string{"paid", "shipped", "open", "settled"}, 2)
	id := func() string { return fmt.Sprintf("A-%d", 100+r.N(900)) }
	var list []order
	add := func(region, status string, cents int) { list = append(list, order{id(), region, status, cents}) }
	cents := func() int { return (minimum+30)*100 + r.Between(0, 90)*100 + r.Between(1, 99) }
	for i, region := range regions {
		n := 1 + r.N(2)
		if i == 0 {
			n = 6 + more
		}
		for range n {
			add(region, files.Pick(r, good), cents())
		}
	}
	list[1].id = list[0].id // comes back
	if list[2].id == list[0].id {
		list[2].id = "A-1000"
	}
	add(regions[0], excluded[0], cents())
	add(regions[0], strings.ToUpper(excluded[1]), cents())
	add(regions[0], stock.Title(excluded[0]), cents())
	add(regions[0], good[0], max(minimum*100-r.Between(50, 300), 10))
	list = files.Shuffled(r, list)
	return slices.Insert(list, r.Between(1, len(list)-1), order{"", regions[1], good[1], cents()})
}

func orderFile(list []order, w stock.Words) string {
	rows := [][]string{{"line", w["id"], w["region"], w["status"], w["amount"]}}
	for i, o := range list {
		rows = append(rows, []string{fmt.Sprint(i + 1), o.id, " " + o.region, o.status, stock.Decimal{Units: o.cents, Places: 2}.Fixed()})
	}
	return stock.CSV(rows...)
}

func orderRows(list []order, w stock.Words) []any {
	rows := []any{}
	for _, o := range list {
		if o.id != "" {
			rows = append(rows, map[string]any{w["id"]: o.id, w["region"]: o.region, w["status"]: o.status, w["amount"]: stock.Decimal{Units: o.cents, Places: 2}})
		}
	}
	return rows
}

func regionReport(list []order, excluded []string, minimum int, w stock.Words) []map[string]any {
	count, cents, accounts := map[string]int{}, map[string]int{}, map[string]map[string]bool{}
	var regions []string
	for _, o := range list {
		if o.id == "" || slices.Contains(excluded, strings.ToLower(o.status)) || o.cents < minimum*100 {
			continue
		}
		if accounts[o.region] == nil {
			accounts[o.region] = map[string]bool{}
			regions = append(regions, o.region)
		}
		count[o.region]++
		cents[o.region] += o.cents
		accounts[o.region][o.id] = true
	}
	slices.Sort(regions)
	rows := []map[string]any{}
	for _, region := range regions {
		rows = append(rows, map[string]any{
			w["region"]: region, "row_count": count[region], "account_count": len(accounts[region]),
			"total_amount": stock.Decimal{Units: cents[region], Places: 2},
		})
	}
	return rows
}
