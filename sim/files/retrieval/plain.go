package retrieval

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"benchwright/sim/files"
)

//go:embed templates/client_adapter.py
var plainTemplate string

//go:embed templates/client_adapter_malformed.py
var malformedTemplate string

// A wording is what the interface of a plain client calls things, today and before.
type wording struct {
	collection, quantity, cursor, fallback             string
	oldCollection, oldQuantity, oldCursor, oldFallback string
}

func drawWording(rnd *files.Rand) wording {
	collections := files.Sample(rnd, []string{"records", "items", "entries", "lines", "rows"}, 2)
	quantities := files.Sample(rnd, []string{"quantity", "count", "units", "pieces", "amount_on_hand"}, 2)
	cursors := files.Sample(rnd, []string{"next_cursor", "cursor", "continue_from", "page_token"}, 2)
	fallbacks := files.Sample(rnd, []string{"unknown", "none", "unassigned", "central"}, 2)
	return wording{collections[0], quantities[0], cursors[0], fallbacks[0], collections[1], quantities[1], cursors[1], fallbacks[1]}
}

func (w wording) source(malformed bool) string {
	text := plainTemplate
	if malformed {
		text = malformedTemplate
	}
	return strings.NewReplacer("@COLLECTION@", w.collection, "@QUANTITY@", w.quantity, "@CURSOR@", w.cursor, "@DEFAULT@", w.fallback).Replace(text)
}

// Labels of the flaws of a plain client.
const (
	oldCollection  = "collection_field_drift"
	oldQuantity    = "quantity_field_drift"
	oldCursor      = "cursor_field_drift"
	oldFallback    = "warehouse_default_drift"
	unsorted       = "warehouse_order_lost"
	emptyBreaks    = "empty_collection_breaks"
	foreignEntries = "malformed_entry_breaks"
	textQuantity   = "text_quantity_breaks"
	negative       = "negative_quantity_counted"
	blankWarehouse = "blank_warehouse_kept"
)

func (w wording) flaws() (plain, malformed []flaw) {
	constant := func(name, of, old string) (string, string) {
		return fmt.Sprintf("%s = %q", name, of), fmt.Sprintf("%s = %q", name, old)
	}
	add := func(id, capability, old, new string) flaw { return flaw{id, capability, adapterPath, old, new} }
	for _, c := range []struct{ id, capability, name, of, old string }{
		{oldCollection, "collection", "COLLECTION", w.collection, w.oldCollection},
		{oldQuantity, "quantity", "QUANTITY", w.quantity, w.oldQuantity},
		{oldCursor, "cursor", "CURSOR", w.cursor, w.oldCursor},
		{oldFallback, "warehouse_default", "DEFAULT_WAREHOUSE", w.fallback, w.oldFallback},
	} {
		old, new := constant(c.name, c.of, c.old)
		plain = append(plain, add(c.id, c.capability, old, new))
	}
	plain = append(plain,
		add(unsorted, "warehouse_sorting", "sorted(warehouses)", "list(warehouses)"),
		add(emptyBreaks, "empty_records", "response.get(COLLECTION) or []", "response[COLLECTION]"))
	malformed = []flaw{
		add(foreignEntries, "malformed_entry", "[entry for entry in entries if isinstance(entry, dict)]", "list(entries)"),
		add(textQuantity, "malformed_text_quantity", "int(value) if value.strip().isdigit() else 0", "0"),
		add(negative, "malformed_negative_quantity", "return max(value, 0)", "return value"),
		add(blankWarehouse, "malformed_blank_warehouse", `(record.get("warehouse") or "").strip() or DEFAULT_WAREHOUSE`, `record.get("warehouse") or DEFAULT_WAREHOUSE`),
	}
	return plain, malformed
}

// summary is what the plain client answers that has some flaws.
func (w wording) summary(input map[string]any, wrong map[string]bool, malformed bool) map[string]any {
	name := func(flaw, right, old string) string {
		if wrong[flaw] {
			return old
		}
		return right
	}
	collection := name(oldCollection, w.collection, w.oldCollection)
	entries, present := input[collection].([]any)
	if _, there := input[collection]; wrong[emptyBreaks] && (!there || !present) {
		return nil
	}
	count, total := 0, 0
	var warehouses []string
	for _, e := range entries {
		record, ok := e.(map[string]any)
		if !ok {
			if !malformed || wrong[foreignEntries] {
				return nil
			}
			continue
		}
		count++
		switch q := record[name(oldQuantity, w.quantity, w.oldQuantity)].(type) {
		case int:
			if q < 0 && malformed && !wrong[negative] {
				q = 0
			}
			total += q
		case string:
			if !malformed {
				return nil
			}
			if n, err := parseDigits(q); err == nil && !wrong[textQuantity] {
				total += n
			}
		}
		house, _ := record["warehouse"].(string)
		if malformed && !wrong[blankWarehouse] {
			house = strings.TrimSpace(house)
		}
		if house == "" {
			house = name(oldFallback, w.fallback, w.oldFallback)
		}
		if !slices.Contains(warehouses, house) {
			warehouses = append(warehouses, house)
		}
	}
	if !wrong[unsorted] {
		slices.Sort(warehouses)
	}
	return map[string]any{
		"request_id": input["request_id"], "next_cursor": input[name(oldCursor, w.cursor, w.oldCursor)],
		"record_count": count, "total_quantity": total, "warehouses": append([]string{}, warehouses...),
	}
}

func parseDigits(s string) (int, error) {
	n := 0
	t := strings.TrimSpace(s)
	if t == "" || strings.Trim(t, "0123456789") != "" {
		return 0, fmt.Errorf("%q is no number", s)
	}
	for _, c := range t {
		n = n*10 + int(c-'0')
	}
	return n, nil
}

var warehouseNames = []string{"aalborg-2", "brno-1", "calais-4", "derby-3", "elche-1", "faro-2", "graz-5", "hull-1"}

// payload draws a response of the plain client's service.
func (w wording) payload(rnd *files.Rand, missing bool) map[string]any {
	var entries []any
	for range rnd.Between(3, 6) {
		e := map[string]any{"sku": fmt.Sprintf("K%d", rnd.Between(100, 999)), w.quantity: rnd.Between(1, 40), "warehouse": files.Pick(rnd, warehouseNames)}
		entries = append(entries, e)
	}
	if missing {
		delete(entries[rnd.N(len(entries))].(map[string]any), "warehouse")
	}
	return map[string]any{
		"request_id": fmt.Sprintf("rq-%d", rnd.Between(10000, 99999)), w.cursor: fmt.Sprintf("c%d", rnd.Between(100, 999)), w.collection: entries,
	}
}

// simpleCases draws the hidden calls of a plain client.
func (w wording) cases(rnd *files.Rand, malformed bool) []hiddenCase {
	var cases []hiddenCase
	add := func(id, capability string, input map[string]any, keys ...string) {
		all := w.summary(input, nil, malformed)
		want := map[string]any{}
		for _, k := range keys {
			want[k] = all[k]
		}
		if len(keys) == 0 {
			want = all
		}
		cases = append(cases, hiddenCase{ID: id, Capability: capability, Input: input, Expected: want})
	}
	first, second := w.payload(rnd, false), w.payload(rnd, false)
	add("first_collection", "collection", first, "record_count")
	add("first_quantity", "quantity", first, "total_quantity")
	add("first_cursor", "cursor", first, "next_cursor")
	add("first_request", "request_id", first, "request_id")
	add("second_count", "record_count", second, "record_count")
	add("second_quantity", "total_quantity", second, "total_quantity")
	add("no_warehouse", "warehouse_default", w.payload(rnd, true), "warehouses")
	add("order", "warehouse_sorting", w.payload(rnd, false), "warehouses")
	empty := w.payload(rnd, false)
	empty[w.collection] = nil
	add("null_collection", "empty_records", empty)
	bare := w.payload(rnd, false)
	delete(bare, w.collection)
	add("no_collection", "empty_records", bare)
	spoil := func(how func(entries []any)) map[string]any {
		p := w.payload(rnd, false)
		how(p[w.collection].([]any))
		return p
	}
	whole := w.payload(rnd, true)
	if malformed {
		text := fmt.Sprint(rnd.Between(5, 60))
		foreign := func(e []any) { e[0] = "moved" }
		words := func(e []any) { e[1].(map[string]any)[w.quantity] = text }
		below := func(e []any) { e[2].(map[string]any)[w.quantity] = -rnd.Between(1, 9) }
		blank := func(e []any) { e[1].(map[string]any)["warehouse"] = "  " }
		add("foreign_entry", "malformed_entry", spoil(foreign))
		add("text_quantity", "malformed_text_quantity", spoil(words))
		add("negative_quantity", "malformed_negative_quantity", spoil(below))
		add("blank_warehouse", "malformed_blank_warehouse", spoil(blank))
		whole = w.payload(rnd, true)
		for _, how := range []func([]any){foreign, words, below, blank} {
			how(whole[w.collection].([]any))
		}
		add("alternate", alternate, whole)
		return cases
	}
	add("alternate", alternate, whole)
	return cases
}

const alternate = "alternate_payload"

// simpleAdapter draws a client that is one file, behind an interface that has moved on.
func simpleAdapter(r *files.Request) (*files.Draft, error) {
	d := r.Difficulty
	rnd := r.Rand("client")
	w := drawWording(rnd)
	plain, malformed := w.flaws()
	chosen := sampleFlaws(rnd, plain, files.At(r, 3, 4, 5, 6, 4))
	weights := map[string]int{
		"collection": 100, "quantity": 100, "cursor": 100, "request_id": 50, "record_count": 100, "total_quantity": 150,
		"warehouse_default": 100, "warehouse_sorting": 100, "empty_records": 50, alternate: 150,
	}
	if d == 5 {
		extra := map[string]int{"d5_a": 2, "d5_b": 3, "d5_c": 4}[profile(r.Seed)]
		chosen = append(chosen, sampleFlaws(rnd, malformed, extra)...)
		weights["quantity"], weights[alternate] = 50, 100
		for _, f := range malformed {
			weights[f.capability] = 25
		}
	}
	kept := []string{"request_id"} // and what else a wrong name of a field spoils
	for _, f := range chosen {
		switch f.id {
		case oldCollection:
			kept = append(kept, "record_count", "total_quantity")
		case oldQuantity:
			kept = append(kept, "total_quantity")
		}
	}
	cases := w.cases(r.Rand("cases"), d == 5)
	answer := func(c hiddenCase, wrong map[string]bool) map[string]any { return w.summary(c.Input, wrong, d == 5) }
	if err := proveShown(cases, chosen, answer); err != nil {
		return nil, err
	}
	if err := proveMonotone(cases, chosen, alternate, answer); err != nil {
		return nil, err
	}

	evidence, outdated := w.documents(r, rnd)
	visible, distractors := documents(r, evidence, outdated)
	documentCount := len(visible)
	visible["samples/response.json"] = files.JSON(w.payload(rnd, true))
	if d == 5 {
		visible["config/adapter_contract.json"] = files.JSON(map[string]any{
			"evidence_bundle": drawTags(r.Rand("tags")).archived, "collection_field": w.oldCollection, "quantity_field": w.oldQuantity,
			"cursor_field": w.oldCursor, "default_warehouse": w.oldFallback,
		})
	}
	return client(r, clientParts{
		titles:    [3]string{"Stock client", "Client of the stock service", "Adapter of stock responses"},
		canonical: files.Tree{adapterPath: w.source(d == 5)}, flaws: chosen, visible: visible, cases: cases,
		config:      map[string]any{},
		weights:     settle(weights, chosen, alternate, kept...),
		evidence:    len(evidence),
		documents:   documentCount,
		distractors: distractors,
	})
}
