package tabular

import (
	"fmt"
	"strings"
	"time"

	"benchwright/sim/files"
)

var (
	channels = []string{"field sales", "marketplace", "online", "partner", "retail", "telesales", "wholesale"}
	// spellings are ways to write one name.
	spellings = []func(string) string{
		strings.ToUpper,
		func(s string) string { return " " + s },
		func(s string) string { return strings.ToUpper(s[:1]) + s[1:] + " " },
		func(s string) string { return s },
	}
)

type sale struct {
	id, store, status string
	placed            moment
	cents             int
}

// channelPivot draws orders of shops that have to be counted by channel and status.
func channelPivot(r *files.Request) report {
	d := r.Difficulty
	rnd := r.Rand("sales")
	kinds := files.Sample(rnd, channels, 3)
	channelOf, spelled := map[string]string{}, map[string]string{}
	var stores []string
	var table strings.Builder
	table.WriteString("store_id,channel,opened\n")
	written := rnd.Perm(len(spellings))
	for i, n := range rnd.Numbers(5, 90) {
		store := fmt.Sprintf("ST%d", 10+n)
		channel := kinds[[]int{0, 1, 0, 2, 1}[i]]
		stores = append(stores, store)
		channelOf[store], spelled[store] = channel, spellings[written[i%len(written)]](channel)
		fmt.Fprintf(&table, "%s,%s,%d\n", store, spelled[store], rnd.Between(2009, 2020))
	}
	from := time.Date(rnd.Between(2022, 2025), time.Month(rnd.Between(2, 9)), 1, 0, 0, 0, 0, time.UTC)
	to := from.AddDate(0, 1, -1)
	var sales []sale
	for i, n := range rnd.Numbers(12+3*d, 9000) {
		when := from.AddDate(0, 0, rnd.Between(0, 27)).Add(time.Duration(rnd.Between(7*60, 20*60)) * time.Minute)
		if rnd.Chance(25) { // outside of the window
			when = when.AddDate(0, []int{-1, 1}[rnd.N(2)], 0)
		}
		sales = append(sales, sale{
			id: fmt.Sprintf("P%d", 1000+n), store: files.Pick(rnd, stores),
			status: []string{"completed", "processing", "cancelled"}[rnd.Weighted(55, 30, 15)],
			placed: moment{when, i / 2 % 3}, cents: rnd.Between(900, 60000),
		})
	}
	var adjustments []adjustment
	if d >= 4 {
		for _, i := range rnd.Perm(len(sales))[:len(sales)/4] {
			cents := rnd.Between(100, 800)
			if rnd.Chance(55) {
				cents = -cents
			}
			adjustments = append(adjustments, adjustment{sales[i].id, cents})
		}
	}
	outdated := make([]sale, 0, len(sales))
	for i, s := range sales {
		if i%5 == 3 {
			s.cents += rnd.Between(1, 9) * 100
		}
		if i%7 != 6 {
			outdated = append(outdated, s)
		}
	}

	rep := report{
		title: files.Pick(rnd, []string{"Orders by channel", "Channel pivot", "Sales channels at a glance"}),
		description: files.Pick(rnd, []string{
			"The channel team wants to see how its orders stand.",
			"One row a channel, with what is finished and what is under way.",
			"Pivot the shop orders so that the channels can be compared.",
		}),
		output: "outputs/channel_pivot.json", groupBy: []string{"channel"}, sortBy: []string{"channel"},
		inputs:   files.Tree{"data/orders.json": salesJSON(sales), "data/store_channels.csv": table.String()},
		snapshot: "data/archive/orders_before_sync.json", stale: salesJSON(outdated),
		note: [2]string{"notes/legacy_statuses.md", "# Legacy statuses\n\nThe old till wrote a letter for each status. It is gone; today's three words are all there are, whatever their case.\n"},
		operations: []string{
			fmt.Sprintf("Keep the orders placed from `%s` to `%s`, both days included. `placed_at` has three forms: `YYYY-MM-DDTHH:MM:SS`, `MM/DD/YYYY HH:MM` and `DD-Mon-YYYY HH:MM`.",
				from.Format("2006-01-02"), to.Format("2006-01-02")),
			"Compare `status` without regard to case; only `completed` and `processing` orders count.",
			"Join the stores on `store_id`; a channel is its label trimmed and in lower case.",
			"Sort the rows by `channel`.",
		},
		contract: []string{
			"`channel`: text, trimmed and lower case", "`completed_orders`: number of completed orders",
			"`processing_orders`: number of orders under way",
			"`total_amount`: sum of `amount` of both, rounded to 2 decimal places after each addition",
		},
		hints: [3]string{
			"Two labels may be the same channel.", "The slashed timestamps put the month first.", "Look at more than the first rows before you trust a column.",
		},
		structure: map[string]any{"task_type": "pivot_report", "input_shape": "json_csv_mix", "time_bucketing": "none"},
		traps:     []string{"raw_channel", "status_case", "keep_cancelled", "no_window", "day_first", "iso_only"},
	}
	if d >= 4 {
		rep.inputs["data/order_adjustments.json"] = adjustmentsJSON(adjustments)
		rep.operations = append(rep.operations, "Add each signed `delta` of the adjustments to the amount of its order, if the order counts.")
		rep.traps = append(rep.traps, "no_adjustments", "unsigned_adjustments")
	}
	rep.answer = func(mishandled string) []map[string]any {
		lines := sales
		if mishandled == staleTrap {
			lines = outdated
		}
		out := grouped{}
		for i, s := range lines {
			when, seen := s.placed.misread(mishandled)
			outside := when.Before(from) || !when.Before(to.AddDate(0, 0, 1))
			switch {
			case !seen, outside && mishandled != "no_window", s.status == "cancelled" && mishandled != "keep_cancelled",
				mishandled == "status_case" && i%2 == 1:
				continue
			}
			key := channelOf[s.store]
			if mishandled == "raw_channel" {
				key = spelled[s.store]
			}
			cents := s.cents
			for _, a := range adjustments {
				switch {
				case a.order != s.id || mishandled == "no_adjustments":
				case mishandled == "unsigned_adjustments" && a.cents < 0:
					cents -= a.cents
				default:
					cents += a.cents
				}
			}
			out.add(key, "total_amount", cents)
			switch s.status {
			case "completed", "processing":
				out.add(key, s.status+"_orders", 1)
			}
		}
		return out.rows(rep.groupBy, []string{"completed_orders", "processing_orders"}, []string{"total_amount"})
	}
	return rep
}

func salesJSON(sales []sale) string {
	rows := make([]map[string]any, len(sales))
	for i, s := range sales {
		status := s.status
		if i%2 == 1 {
			status = strings.ToUpper(status)
		}
		rows[i] = map[string]any{"order_id": s.id, "store_id": s.store, "status": status, "placed_at": s.placed.stamp(), "amount": money(s.cents)}
	}
	return files.JSON(rows)
}

func adjustmentsJSON(adjustments []adjustment) string {
	rows := make([]map[string]any, len(adjustments))
	for i, a := range adjustments {
		rows[i] = map[string]any{"order_id": a.order, "delta": money(a.cents)}
	}
	return files.JSON(rows)
}
