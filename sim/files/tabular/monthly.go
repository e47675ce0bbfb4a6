package tabular

import (
	"fmt"
	"strings"
	"time"

	"benchwright/sim/files"
)

type order struct {
	id, customer, status string
	placed               moment
	updated              time.Time
	cents                int
	owner, legacy        string
}

type adjustment struct {
	order string
	cents int
}

var (
	segments   = []string{"consumer", "enterprise", "mid_market", "partner", "public_sector", "startup"}
	regionPool = []string{"alpine", "baltic", "coastal", "delta", "highland", "lakeside"}
	companies  = []string{
		"Aster Mills", "Brightwell", "Corvid Labs", "Dunlin Freight", "Ember Foods", "Fenwick Tools", "Gannet Marine",
		"Harrow Textiles", "Ibex Outdoor", "Juniper Press", "Kestrel Optics", "Larch Housing", "Merlin Games",
	}
)

// monthlyReport draws orders that have to be summed up by month, and by segment from difficulty 3
// on.
func monthlyReport(r *files.Request) report {
	d := r.Difficulty
	rnd := r.Rand("orders")
	customers := make([]string, 4+d)
	for i, n := range rnd.Numbers(len(customers), 900) {
		customers[i] = fmt.Sprintf("C-%d", 100+n)
	}
	year, first := rnd.Between(2021, 2025), rnd.Between(1, 9)
	var orders []order
	for i, n := range rnd.Numbers(10+5*d, 9000) {
		when := time.Date(year, time.Month(first+rnd.N(4)), rnd.Between(1, 28), rnd.Between(6, 19), rnd.Between(0, 59), 0, 0, time.UTC)
		orders = append(orders, order{
			id: fmt.Sprintf("SO-%d", 1000+n), customer: files.Pick(rnd, customers),
			status: []string{"completed", "processing", "cancelled"}[rnd.Weighted(65, 20, 15)],
			placed: moment{when, i % 3}, updated: when.Add(time.Duration(rnd.Between(1, 20)) * time.Hour),
			cents: rnd.Between(1500, 99000), owner: files.Pick(rnd, owners), legacy: fmt.Sprintf("L%03d", rnd.N(1000)),
		})
	}
	base := len(orders)
	if d >= 2 {
		for _, i := range rnd.Perm(base)[:base/5] {
			again := orders[i]
			again.updated = again.updated.Add(24 * time.Hour)
			again.cents = rnd.Between(1500, 99000)
			orders = append(orders, again)
		}
	}
	orders = files.Shuffled(rnd, orders)

	segmentOf, regionOf := map[string]string{}, map[string]string{}
	kinds := files.Sample(rnd, segments, 3)
	regions := files.Sample(rnd, regionPool, 3)
	var people []map[string]any
	names := files.Sample(rnd, companies, len(customers))
	for i, c := range customers {
		segmentOf[c], regionOf[c] = files.Pick(rnd, kinds), files.Pick(rnd, regions)
		people = append(people, map[string]any{"customer_id": c, "name": names[i], "segment": segmentOf[c], "region": regionOf[c]})
	}
	var adjustments []adjustment
	if d >= 4 {
		ids := map[string]bool{}
		for _, o := range orders {
			if !ids[o.id] && len(ids) < base/4 {
				ids[o.id] = true
				cents := rnd.Between(100, 1400)
				if rnd.Chance(55) {
					cents = -cents
				}
				adjustments = append(adjustments, adjustment{o.id, cents})
			}
		}
		adjustments = files.Shuffled(rnd, adjustments)
	}
	outdated := staleOrders(rnd, orders)

	rep := report{
		title: files.Pick(rnd, []string{"Monthly order report", "Order totals by month", "Month-end order summary"}),
		description: files.Pick(rnd, []string{
			"Finance needs the month-end totals from the raw order export.",
			"The order export has to become one clean summary before the books close.",
			"Turn the exported orders into the totals that the monthly review starts from.",
		}),
		output: "outputs/report.json", groupBy: []string{"month"}, sortBy: []string{"month"},
		inputs:   files.Tree{"data/orders.csv": ordersCSV(orders)},
		snapshot: "data/archive/orders_export.csv", stale: ordersCSV(outdated),
		note: [2]string{"notes/legacy_columns.md", fmt.Sprintf("# Legacy columns\n\n`legacy_code` and `sales_owner` come from the system that was switched off in %d. No figure depends on them.\n", year-2)},
		operations: []string{
			"Leave out orders whose `status` is `cancelled`.",
			"Read `order_date` in all of its forms: `YYYY-MM-DD`, `MM/DD/YYYY` and `DD-Mon-YYYY`.",
			"Write `month` as `YYYY-MM`.",
		},
		contract: []string{
			"`month`: text, `YYYY-MM`", "`order_count`: number of orders",
			"`total_amount`: sum of `amount`, rounded to 2 decimal places after each addition",
		},
		hints: [3]string{
			"The slashed dates put the month first.", "An order is one `order_id`, however many lines it has.", "Columns that no operation names are not needed.",
		},
		structure: map[string]any{"task_type": "grouped_report", "input_shape": "csv_json_mix", "time_bucketing": "monthly"},
		traps:     []string{"keep_cancelled", "day_first", "iso_only"},
	}
	if d >= 2 {
		rep.operations = append(rep.operations, "Where several lines have the same `order_id`, use only the one with the latest `updated_at`, wherever it stands in the file.")
		rep.traps = append(rep.traps, "keep_duplicates", "first_line_wins", "last_line_wins")
	}
	if d >= 3 {
		rep.inputs["data/customers.json"] = files.JSON(people)
		rep.operations = append(rep.operations, "Join the customers on `customer_id` and group by month and `segment`.")
		rep.groupBy = append(rep.groupBy, "segment")
		rep.sortBy = append(rep.sortBy, "segment")
		rep.contract = append(rep.contract, "`segment`: text, the customer's")
		rep.traps = append(rep.traps, "region_for_segment")
	}
	if d >= 4 {
		rep.inputs["data/adjustments.csv"] = adjustmentsCSV(adjustments)
		rep.operations = append(rep.operations, "Add each signed `delta` of the adjustments to the amount of its order; a cancelled order stays out.")
		rep.traps = append(rep.traps, "no_adjustments", "unsigned_adjustments")
	}
	rep.operations = append(rep.operations, "Sort the rows by "+strings.Join(quoted(rep.sortBy), ", then ")+".")
	rep.answer = func(mishandled string) []map[string]any {
		lines := orders
		if mishandled == staleTrap {
			lines = outdated
		}
		out := grouped{}
		for _, o := range latest(lines, mishandled) {
			when, seen := o.placed.misread(mishandled)
			if o.status == "cancelled" && mishandled != "keep_cancelled" || !seen {
				continue
			}
			cents := o.cents
			for _, a := range adjustments {
				switch {
				case a.order != o.id || mishandled == "no_adjustments":
				case mishandled == "unsigned_adjustments" && a.cents < 0:
					cents -= a.cents
				default:
					cents += a.cents
				}
			}
			key := when.Format("2006-01")
			switch {
			case d < 3:
			case mishandled == "region_for_segment":
				key += "|" + regionOf[o.customer]
			default:
				key += "|" + segmentOf[o.customer]
			}
			out.add(key, "order_count", 1)
			out.add(key, "total_amount", cents)
		}
		return out.rows(rep.groupBy, []string{"order_count"}, []string{"total_amount"})
	}
	return rep
}

// latest keeps one line an order: that with the latest update, or another where that is
// mishandled.
func latest(lines []order, mishandled string) []order {
	if mishandled == "keep_duplicates" {
		return lines
	}
	at := map[string]int{}
	var kept []order
	for _, o := range lines {
		i, again := at[o.id]
		switch {
		case !again:
			at[o.id] = len(kept)
			kept = append(kept, o)
		case mishandled == "first_line_wins":
		case mishandled == "last_line_wins" || o.updated.After(kept[i].updated):
			kept[i] = o
		}
	}
	return kept
}

// staleOrders is an earlier export: some orders are missing and some amounts are others.
func staleOrders(rnd *files.Rand, orders []order) []order {
	var out []order
	for i, o := range orders {
		if i%6 == 5 {
			continue
		}
		if rnd.Chance(30) {
			o.cents += rnd.Between(1, 9) * 100
		}
		out = append(out, o)
	}
	return out
}

func ordersCSV(orders []order) string {
	var b strings.Builder
	b.WriteString("order_id,customer_id,status,order_date,updated_at,amount,sales_owner,legacy_code\n")
	for _, o := range orders {
		fmt.Fprintf(&b, "%s,%s,%s,%s,%s,%s,%s,%s\n", o.id, o.customer, o.status, o.placed.date(),
			o.updated.Format("2006-01-02T15:04:05"), fixed(o.cents), o.owner, o.legacy)
	}
	return b.String()
}

func adjustmentsCSV(adjustments []adjustment) string {
	var b strings.Builder
	b.WriteString("order_id,delta\n")
	for _, a := range adjustments {
		fmt.Fprintf(&b, "%s,%s\n", a.order, fixed(a.cents))
	}
	return b.String()
}
