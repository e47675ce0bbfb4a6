package retrieval

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"benchwright/sim/files"
)

// summary is what the client answers that has some flaws. own is the contract that it finds.
func (k contracts) summary(input map[string]any, own clientContract, wrong map[string]bool) map[string]any {
	pages := []map[string]any{input}
	if more, ok := input["more_pages"].([]any); ok && !wrong[firstPageOnly] {
		for _, p := range more {
			pages = append(pages, p.(map[string]any))
		}
	}
	type record struct {
		quantity  int
		warehouse string
		text      string
		at        time.Time
	}
	newest := map[string]record{}
	var order []string
	for _, page := range pages {
		field := own.collection
		if wrong[fixedField] {
			field = k.stale.collection
		}
		entries, _ := page[field].([]any)
		for _, e := range entries {
			entry := e.(map[string]any)
			text := entry["updated_at"].(string)
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				return nil
			}
			rec := record{text: text, at: at}
			switch q := entry[own.quantity].(type) {
			case nil:
				if wrong[missingCounts] {
					rec.quantity = 1
				}
			case int:
				rec.quantity = q
			case string:
				part := strings.ReplaceAll(q, ",", "")
				if wrong[thousands] {
					part, _, _ = strings.Cut(q, ",")
				}
				n, err := parseDigits(part)
				if err != nil {
					return nil
				}
				rec.quantity = n
			}
			rec.warehouse, _ = entry[own.warehouse].(string)
			if rec.warehouse == "" {
				rec.warehouse = own.fallback
				region, _ := page["region"].(string)
				if house, ok := own.regions[region]; ok && !wrong[noRegion] {
					rec.warehouse = house
				}
			}
			key := entry["id"].(string)
			if wrong[versionsKept] {
				key += "|" + text
			}
			have, again := newest[key]
			newer := rec.at.After(have.at)
			if wrong[lexicalUpdates] {
				newer = rec.text > have.text
			}
			if !again {
				order = append(order, key)
			}
			if !again || newer {
				newest[key] = rec
			}
		}
	}
	total := 0
	warehouses := []string{}
	for _, key := range order {
		total += newest[key].quantity
		if !slices.Contains(warehouses, newest[key].warehouse) {
			warehouses = append(warehouses, newest[key].warehouse)
		}
	}
	if !wrong[orderLost] {
		slices.Sort(warehouses)
	}
	return map[string]any{
		"request_id": input["request_id"], "next_cursor": pages[len(pages)-1][own.cursor],
		"record_count": len(order), "total_quantity": total, "warehouses": warehouses,
	}
}

// aspects say what a drawn response holds.
type aspects struct{ thousands, missing, regions, versions, zones, pages bool }

// response draws one of the service, by a contract.
func response(rnd *files.Rand, c clientContract, a aspects) map[string]any {
	start := time.Date(rnd.Between(2022, 2025), time.Month(rnd.Between(1, 12)), rnd.Between(1, 28), 12, 0, 0, 0, time.UTC)
	ids := rnd.Numbers(10, 900) // two pages of at most five
	stamp := func(t time.Time) string {
		if a.zones {
			if zone := files.Pick(rnd, []int{0, 9, -7, 5}); zone != 0 {
				return t.In(time.FixedZone("", zone*3600)).Format("2006-01-02T15:04:05-07:00")
			}
		}
		return t.Format("2006-01-02T15:04:05Z")
	}
	next := 0
	page := func() map[string]any {
		var entries []any
		for i := range rnd.Between(3, 5) {
			at := start.Add(time.Duration(rnd.Between(0, 600)) * time.Minute)
			e := map[string]any{"id": fmt.Sprintf("k-%d", 100+ids[next]), c.quantity: rnd.Between(1, 80), c.warehouse: files.Pick(rnd, warehouseNames), "updated_at": stamp(at)}
			next++
			if a.thousands && i != 1 {
				e[c.quantity] = fmt.Sprintf("%d,%03d", rnd.Between(1, 9), rnd.N(1000))
			}
			if a.missing && i == 1 {
				delete(e, c.quantity)
			}
			if a.regions && i == 0 {
				delete(e, c.warehouse)
			}
			entries = append(entries, e)
			if a.versions && i < 2 {
				again := maps.Clone(e)
				again["updated_at"] = stamp(at.Add(time.Duration(rnd.Between(1, 6)) * time.Hour))
				again[c.quantity] = rnd.Between(1, 80)
				entries = append(entries, again)
			}
		}
		region := sortedKeys(c.regions)[rnd.N(len(c.regions))]
		return map[string]any{c.collection: files.Shuffled(rnd, entries), c.cursor: fmt.Sprintf("c%d", rnd.Between(100, 999)), "region": region}
	}
	p := page()
	p["request_id"] = fmt.Sprintf("rq-%d", rnd.Between(10000, 99999))
	if a.pages {
		p["more_pages"] = []any{page()}
	}
	return p
}

var everyAspect = aspects{true, true, true, true, true, true}

// cases draws the hidden calls for a client with some flaws.
func (k contracts) cases(r *files.Request, flaws []flaw) ([]hiddenCase, error) {
	answer := func(c hiddenCase, wrong map[string]bool) map[string]any {
		own := k.active
		switch {
		case c.Contract != nil:
			own = k.alternate
		case wrong[staleContract]:
			own = k.stale
		}
		return k.summary(c.Input, own, wrong)
	}
	var cases []hiddenCase
	draw := func(id, capability string, a aspects, other bool, those []flaw) error {
		rnd := r.Rand("case " + id)
		for range 200 {
			c := hiddenCase{ID: id, Capability: capability}
			if other {
				c.Input, c.Contract = response(rnd, k.alternate, a), k.alternate.value()
			} else {
				c.Input = response(rnd, k.active, a)
			}
			c.Expected = answer(c, nil)
			one := []hiddenCase{c}
			if proveShown(one, those, answer) == nil && proveMonotone(one, those, generalisation, answer) == nil {
				cases = append(cases, c)
				return nil
			}
		}
		return files.Redraw("no response shows %s", id)
	}
	for _, f := range flaws {
		a := map[string]aspects{
			thousands: {thousands: true}, firstPageOnly: {pages: true}, missingCounts: {missing: true}, noRegion: {regions: true},
			versionsKept: {versions: true}, lexicalUpdates: {versions: true, zones: true},
		}[f.id]
		if f.id == staleContract {
			continue // shown by the contract itself, and by the whole
		}
		if err := draw(f.capability, f.capability, a, f.id != orderLost, []flaw{f}); err != nil {
			return nil, err
		}
	}
	whole := func(f flaw) flaw { f.capability = generalisation; return f }
	var inCode, all []flaw
	for _, f := range flaws {
		all = append(all, whole(f))
		if f.id != staleContract {
			inCode = append(inCode, whole(f))
		}
	}
	if err := draw("other_contract", generalisation, everyAspect, true, inCode); err != nil {
		return nil, err
	}
	if err := draw("own_contract", generalisation, everyAspect, false, all); err != nil {
		return nil, err
	}
	own := slices.DeleteFunc(slices.Clone(cases), func(c hiddenCase) bool { return c.Capability == generalisation })
	if err := proveMonotone(own, flaws, generalisation, answer); err != nil {
		return nil, err
	}
	return cases, nil
}
