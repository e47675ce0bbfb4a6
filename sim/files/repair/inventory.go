package repair

import (
	"fmt"
	"slices"
	"strings"

	"benchwright/sim/files"
	"benchwright/sim/files/internal/stock"
)

type item struct {
	name, status, day string
	quantity          int
}

// inventoryReport sums up stock and averages it over a rolling window.
func inventoryReport(r *files.Request) (*story, error) {
	rnd := r.Rand("words")
	statuses := files.Sample(rnd, [][2]string{{"active", "archived"}, {"live", "retired"}, {"in_use", "shelved"}, {"open", "closed"}, {"stocked", "withdrawn"}}, 1)[0]
	w := stock.Words{
		"things":   files.Pick(rnd, []string{"items", "parts", "supplies", "spare parts", "goods"}),
		"status":   files.Pick(rnd, []string{"status", "state", "stage", "lifecycle"}),
		"quantity": files.Pick(rnd, []string{"quantity", "units", "on_hand", "stock", "pieces"}),
		"day":      files.Pick(rnd, []string{"counted_on", "day", "checked_on", "taken_on"}),
		"archived": statuses[1],
	}
	w["report_name"] = files.Pick(rnd, []string{"stock report", "inventory report", "stocktaking report"})
	w["package_doc"] = "Figures and report about " + w["things"] + "."
	window := rnd.Between(2, 4)
	s := &story{
		template: "inventory", words: w,
		title:       stock.Title(w["report_name"]),
		description: files.Pick(rnd, []string{"The store keeps a list of its " + w["things"] + ", and a report that is made of it.", "A small package sums up the " + w["things"] + " of a store and shows how their number moves.", "Figures about " + w["things"] + ", for the people who order new ones."}),
		input:       "data/" + files.Pick(rnd, []string{"items", "stock", "inventory", "counts"}) + ".json",
		values: []stock.Setting{
			{Key: "window", Right: window, Stale: window + rnd.Between(2, 3)},
			{Key: "tracked_status", Right: statuses[0], Stale: statuses[1]},
		},
		contract: []string{
			"`rolling_average(values, window)`: the average, rounded to two places, of every run of `window` neighbouring values, the last run ending at the last value.",
			fmt.Sprintf("`summarize_items(items)`: the total `%s` by `%s`, every status counted, statuses in lower case without spaces around them.", w["quantity"], w["status"]),
			fmt.Sprintf("`build_report(items, window, tracked)`: `summary`, and `rolling` over the items of the tracked status by `%s`.", w["day"]),
		},
		hints: [3]string{
			"Count by hand how many averages a short list should give.",
			"Compare the totals with the data, status by status.",
			"Look at what is handed from one module to the other.",
		},
		structure: map[string]any{"repair_surface": "analytics_and_report", "failure_mode": "wrong_values", "smoke_test_quality": "informative"},
		suspect:   "the totals do not add up to what is on the shelves",
		core: []files.Defect{
			edit("off_by_one", "windowing", "analytics.py", "range(len(values) - window + 1)", "range(len(values) - window)"),
			edit("wrong_condition", "filtering", "analytics.py", "        status = status_of(item)\n", "        status = status_of(item)\n        if status == \"«archived»\":\n            continue\n"),
			edit("wrong_return_value", "windowing", "report.py", "rolling_average(quantities, window)", "rolling_average(quantities, window + 1)"),
		},
		more: []files.Defect{
			edit("file_order", "ordering", "report.py", "ordered = sorted(items, key=lambda item: item[\"«day»\"])", "ordered = list(items)"),
			edit("raw_status", "normalisation", "analytics.py", "item[\"«status»\"].strip().lower()", "item[\"«status»\"]"),
		},
		edges: [][2]string{{"raw_status", "wrong_condition"}, {"raw_status", "file_order"}, {"file_order", "off_by_one"}, {"wrong_return_value", "off_by_one"}},
	}
	s.data = files.JSON(itemRows(drawItems(r.Rand("visible"), 4+r.Difficulty, window, statuses), w))
	rnd = r.Rand("other")
	other := rnd.Between(2, 4)
	list, again := drawItems(rnd, 12, window, statuses), drawItems(rnd, 12, other, statuses)
	var values [3][]int
	for i, n := range []int{rnd.Between(6, 9), rnd.Between(4, 6), 2} {
		for range n {
			values[i] = append(values[i], rnd.Between(1, 60))
		}
	}
	s.call("rolling_average", "windowing", "analytics", "rolling_average", nil,
		[]any{rolling(values[0], 2), rolling(values[1], 3), rolling(values[2], 4)},
		[]any{values[0], 2}, []any{values[1], 3}, []any{values[2], 4})
	s.call("summary", "filtering", "analytics", "summarize_items", nil, []any{summary(list)}, []any{itemRows(list, w)})
	s.call("full_report", "reporting", "report", "build_report", nil,
		[]any{itemReport(again, other, statuses[0])}, []any{itemRows(again, w), other, statuses[0]})
	s.run(files.JSON(itemRows(list, w)), itemReport(list, window, statuses[0]))
	return s, nil
}

// drawItems draws items of which enough are tracked for a window, in an order of their own, and
// such that this order shows in the report.
func drawItems(r *files.Rand, n, window int, statuses [2]string) []item {
	days := r.Perm(27)
	things := files.Sample(r, []string{"bolt", "hinge", "valve", "lamp", "rope", "glove", "crate", "filter", "switch", "gasket", "pump", "cable", "spring", "bracket", "fuse"}, n)
	month := fmt.Sprintf("%d-%02d", r.Between(2021, 2025), r.Between(1, 12))
	list := make([]item, n)
	tracked := max(window+2, n*3/5)
	for i := range list {
		list[i] = item{things[i%len(things)], statuses[0], fmt.Sprintf("%s-%02d", month, days[i]+1), 2 + 3*i + r.N(3)}
		if i >= min(tracked, n-1) {
			list[i].status = statuses[1]
		}
		if i%4 == 1 {
			list[i].status = stock.Spelled(r, list[i].status)
		}
	}
	// The quantities rise in file order among the tracked; the days must not.
	if slices.IsSortedFunc(list[:min(tracked, n-1)], func(a, b item) int { return strings.Compare(a.day, b.day) }) {
		list[0].day, list[1].day = list[1].day, list[0].day
	}
	return list
}

func itemRows(list []item, w stock.Words) []any {
	rows := []any{}
	for _, i := range list {
		rows = append(rows, map[string]any{"name": i.name, w["status"]: i.status, w["day"]: i.day, w["quantity"]: i.quantity})
	}
	return rows
}

func normal(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

func summary(list []item) map[string]int {
	totals := map[string]int{}
	for _, i := range list {
		totals[normal(i.status)] += i.quantity
	}
	return totals
}

func rolling(values []int, window int) []stock.Decimal {
	averages := []stock.Decimal{}
	for i := 0; i+window <= len(values); i++ {
		sum := 0
		for _, v := range values[i : i+window] {
			sum += v
		}
		averages = append(averages, stock.Ratio(sum, window, 2))
	}
	return averages
}

func itemReport(list []item, window int, tracked string) map[string]any {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b item) int { return strings.Compare(a.day, b.day) })
	var values []int
	for _, i := range list {
		if normal(i.status) == tracked {
			values = append(values, i.quantity)
		}
	}
	return map[string]any{"summary": summary(list), "rolling": rolling(values, window)}
}
