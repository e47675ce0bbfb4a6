package tabular

import (
	"fmt"
	"strings"
	"time"

	"benchwright/sim/files"
)

type event struct {
	id, account, kind, state string
	at                       time.Time
	cents                    int
}

// weeklyRollup draws sales and refunds that have to be netted by ISO week and region.
func weeklyRollup(r *files.Request) report {
	d := r.Difficulty
	rnd := r.Rand("events")
	regions := files.Sample(rnd, regionPool, 3)
	regionOf, spelled := map[string]string{}, map[string]string{}
	var accounts []string
	var table strings.Builder
	table.WriteString("account_id,region,opened\n")
	other := spellings[rnd.N(3)] // not the plain one
	for i, n := range files.Shuffled(rnd, []int{0, 0, 1, 2}) {
		account := fmt.Sprintf("AC%d", rnd.Between(10, 19)+10*i)
		accounts = append(accounts, account)
		regionOf[account], spelled[account] = regions[n], regions[n]
		if n == 0 && other != nil {
			spelled[account], other = other(regions[n]), nil
		}
		fmt.Fprintf(&table, "%s,%s,%d\n", account, spelled[account], rnd.Between(2009, 2020))
	}
	start := time.Date(rnd.Between(2021, 2025), time.Month(rnd.Between(1, 12)), rnd.Between(1, 28), 10, 30, 0, 0, time.UTC)
	ids := rnd.Numbers(10+3*d, 9000)
	var events []event
	for i := range 10 + 3*d {
		e := event{
			id: fmt.Sprintf("EV-%d", 1000+ids[i]), account: files.Pick(rnd, accounts),
			kind:  []string{"sale", "refund"}[rnd.Weighted(70, 30)],
			state: []string{"posted", "pending"}[rnd.Weighted(80, 20)],
			at:    start.Add(time.Duration(i) * 18 * time.Hour), cents: rnd.Between(500, 40000),
		}
		events = append(events, e)
	}
	events = files.Shuffled(rnd, events)
	var outdated []event
	for i, e := range events {
		if i%5 == 3 {
			e.cents += rnd.Between(1, 9) * 100
		}
		if i%6 != 5 {
			outdated = append(outdated, e)
		}
	}

	rep := report{
		title: files.Pick(rnd, []string{"Weekly refund rollup", "Net sales by week", "Refunds against sales, week by week"}),
		description: files.Pick(rnd, []string{
			"Regional leads compare what a week sold with what it gave back.",
			"Net the refunds against the sales, one row a week and region.",
			"The ledger's events have to become weekly figures for each region.",
		}),
		output: "outputs/weekly_rollup.json", groupBy: []string{"week", "region"}, sortBy: []string{"week", "region"},
		inputs:   files.Tree{"data/events.json": eventsJSON(events), "data/accounts.csv": table.String()},
		snapshot: "data/archive/events_first_cut.json", stale: eventsJSON(outdated),
		note: [2]string{"notes/pending_events.md", "# Pending events\n\nPending events may still be withdrawn. Treasury watches them in a list of its own.\n"},
		operations: []string{
			"Use only events whose `state` is `posted`.",
			"A `sale` adds its `amount`, a `refund` subtracts it; `amount` is never negative.",
			"Write `week` as the ISO week of `occurred_at` (UTC): `YYYY-Www`, for example `2019-W07`; the year is the ISO year.",
			"Join the accounts on `account_id`; a region is its label trimmed and in lower case.",
			"Group by week and region; sort the rows by `week`, then `region`.",
		},
		contract: []string{
			"`week`: text, `YYYY-Www`", "`region`: text, trimmed and lower case", "`event_count`: number of events used",
			"`net_amount`: sales minus refunds, rounded to 2 decimal places after each addition",
		},
		hints: [3]string{
			"ISO weeks begin on Monday.", "Two accounts may belong to one region.", "A refund counts as an event.",
		},
		structure: map[string]any{"task_type": "time_bucket_rollup", "input_shape": "json_csv_mix", "time_bucketing": "iso_week"},
		traps:     []string{"keep_pending", "refunds_add", "sunday_weeks", "raw_region"},
	}
	rep.answer = func(mishandled string) []map[string]any {
		lines := events
		if mishandled == staleTrap {
			lines = outdated
		}
		out := grouped{}
		for _, e := range lines {
			if e.state == "pending" && mishandled != "keep_pending" {
				continue
			}
			cents := e.cents
			if e.kind == "refund" && mishandled != "refunds_add" {
				cents = -cents
			}
			at := e.at
			if mishandled == "sunday_weeks" {
				at = at.AddDate(0, 0, 1)
			}
			year, week := at.ISOWeek()
			region := regionOf[e.account]
			if mishandled == "raw_region" {
				region = spelled[e.account]
			}
			key := fmt.Sprintf("%d-W%02d|%s", year, week, region)
			out.add(key, "event_count", 1)
			out.add(key, "net_amount", cents)
		}
		return out.rows(rep.groupBy, []string{"event_count"}, []string{"net_amount"})
	}
	return rep
}

func eventsJSON(events []event) string {
	rows := make([]map[string]any, len(events))
	for i, e := range events {
		rows[i] = map[string]any{
			"event_id": e.id, "account_id": e.account, "kind": e.kind, "state": e.state,
			"occurred_at": e.at.Format("2006-01-02T15:04:05Z"), "amount": money(e.cents),
		}
	}
	return files.JSON(rows)
}
