package solve

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"sort"
	"strings"
)

// deltas sums the signed adjustments of an order, where the rules speak of them.
func (s *solver) deltas(read func(string) []map[string]string) map[string]*big.Rat {
	sums := map[string]*big.Rat{}
	if !s.says("signed `delta`") {
		return sums
	}
	for _, row := range read("adjustments") {
		if sums[row["order_id"]] == nil {
			sums[row["order_id"]] = new(big.Rat)
		}
		sums[row["order_id"]].Add(sums[row["order_id"]], number(row["delta"]))
	}
	return sums
}

func (s *solver) months() []map[string]any {
	for _, words := range []string{"`status` is `cancelled`", "`MM/DD/YYYY`", "`DD-Mon-YYYY`", "`month` as `YYYY-MM`", "`order_count`", "`total_amount`"} {
		s.must(words)
	}
	lines := s.table("data/orders.csv")
	if s.says("latest `updated_at`") {
		sort.SliceStable(lines, func(i, j int) bool { return when(lines[i]["updated_at"]).Before(when(lines[j]["updated_at"])) })
		last := map[string]map[string]string{}
		for _, l := range lines {
			last[l["order_id"]] = l
		}
		lines = nil
		for _, l := range last {
			lines = append(lines, l)
		}
	}
	keys := []string{"month"}
	segment := map[string]string{}
	if s.says("group by month and `segment`") {
		keys = append(keys, "segment")
		for _, c := range s.objects("customers") {
			segment[c["customer_id"]] = c["segment"]
		}
	}
	deltas := s.deltas(s.table)
	sums := tally{}
	for _, l := range lines {
		if l["status"] == "cancelled" {
			continue
		}
		key := when(l["order_date"]).Format("2006-01")
		if len(keys) == 2 {
			key += "\t" + segment[l["customer_id"]]
		}
		sums.add(key, "order_count", one)
		sums.add(key, "total_amount", number(l["amount"]))
		if d := deltas[l["order_id"]]; d != nil {
			sums.add(key, "total_amount", d)
		}
	}
	return sums.rows(keys, []string{"order_count"}, []string{"total_amount"})
}

func (s *solver) channels() []map[string]any {
	for _, words := range []string{"both days included", "without regard to case", "`completed` and `processing`", "trimmed and in lower case", "`completed_orders`", "`processing_orders`", "`total_amount`"} {
		s.must(words)
	}
	window := regexp.MustCompile("from `([0-9-]+)` to `([0-9-]+)`").FindStringSubmatch(s.rules)
	channel := map[string]string{}
	for _, row := range s.table("store_channels") {
		channel[row["store_id"]] = label(row["channel"])
	}
	deltas := s.deltas(s.objects)
	sums := tally{}
	for _, o := range s.objects("data/orders.json") {
		day := when(o["placed_at"]).Format("2006-01-02")
		status := strings.ToLower(o["status"])
		if day < window[1] || day > window[2] || status != "completed" && status != "processing" {
			continue
		}
		key := channel[o["store_id"]]
		sums.add(key, status+"_orders", one)
		sums.add(key, "total_amount", number(o["amount"]))
		if d := deltas[o["order_id"]]; d != nil {
			sums.add(key, "total_amount", d)
		}
	}
	return sums.rows([]string{"channel"}, []string{"completed_orders", "processing_orders"}, []string{"total_amount"})
}

func (s *solver) weeks() []map[string]any {
	for _, words := range []string{"`state` is `posted`", "`refund` subtracts", "ISO week", "the ISO year", "trimmed and in lower case", "`event_count`", "`net_amount`"} {
		s.must(words)
	}
	region := map[string]string{}
	for _, row := range s.table("accounts") {
		region[row["account_id"]] = label(row["region"])
	}
	sums := tally{}
	for _, e := range s.objects("events") {
		if e["state"] != "posted" {
			continue
		}
		// The Thursday of a week says which year it belongs to.
		day := when(e["occurred_at"])
		thursday := day.AddDate(0, 0, 3-(int(day.Weekday())+6)%7)
		key := fmt.Sprintf("%04d-W%02d\t%s", thursday.Year(), (thursday.YearDay()-1)/7+1, region[e["account_id"]])
		amount := number(e["amount"])
		if e["kind"] == "refund" {
			amount.Neg(amount)
		}
		sums.add(key, "event_count", one)
		sums.add(key, "net_amount", amount)
	}
	return sums.rows([]string{"week", "region"}, []string{"event_count"}, []string{"net_amount"})
}

func (s *solver) stock() []map[string]any {
	for _, words := range []string{"look it up in the aliases", "`active` is `no`", "`pending_units`", "restocks without a line that counts are left out", "`sku_count`", "`total_units`"} {
		s.must(words)
	}
	var aliases map[string]string
	if err := json.Unmarshal([]byte(s.input("aliases")), &aliases); err != nil {
		s.fail(err)
	}
	place := func(row map[string]string) string {
		name, ok := aliases[label(row["warehouse"])]
		if !ok {
			panic("no alias for " + row["warehouse"])
		}
		return name
	}
	sums := tally{}
	active := map[[2]string]bool{}
	for _, row := range s.table("inventory") {
		if row["active"] == "no" {
			continue
		}
		w := place(row)
		if !active[[2]string{row["sku"], w}] {
			sums.add(w, "sku_count", one)
		}
		active[[2]string{row["sku"], w}] = true
		sums.add(w, "total_units", number(row["units"]))
	}
	for _, row := range s.table("restocks") {
		if w := place(row); active[[2]string{row["sku"], w}] {
			sums.add(w, "total_units", number(row["pending_units"]))
		}
	}
	return sums.rows([]string{"warehouse"}, []string{"sku_count", "total_units"}, nil)
}
