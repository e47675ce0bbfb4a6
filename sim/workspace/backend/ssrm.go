package backend

import (
	"cmp"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
)

// rowBlock answers the request of a server-side table: {startRow, endRow, sortModel [{colId,
// sort}], filterModel {column: {type, filter, filterTo}}} gives {rowData, rowCount}. rowCount
// counts all rows that the filters leave. A filter of a type that is not known leaves every row.
func (d *Definition) rowBlock(data json.RawMessage, req map[string]any) json.RawMessage {
	v, err := parse(data)
	rows := d.rowsOf(v)
	if err != nil || rows == nil {
		rows = []*object{}
	}
	filters, _ := req["filterModel"].(map[string]any)
	rows = slices.DeleteFunc(rows, func(o *object) bool {
		for column, f := range filters {
			if m, ok := f.(map[string]any); ok && !keeps(m, o.get(column)) {
				return true
			}
		}
		return false
	})
	sorts, _ := req["sortModel"].([]any)
	slices.SortStableFunc(rows, func(a, b *object) int {
		for _, s := range sorts {
			m, _ := s.(map[string]any)
			column, _ := m["colId"].(string)
			if n := compare(a.get(column), b.get(column)); n != 0 {
				if m["sort"] == "desc" {
					return -n
				}
				return n
			}
		}
		return 0
	})
	start := clamp(req["startRow"], 0, len(rows))
	end := clamp(req["endRow"], len(rows), len(rows))
	out := []any{}
	for _, o := range rows[min(start, end):end] {
		out = append(out, o)
	}
	reply := &object{m: map[string]any{}}
	reply.set("rowData", out)
	reply.set("rowCount", len(rows))
	return encode(reply)
}

func clamp(v any, fallback, most int) int {
	n, ok := integer(v)
	if !ok {
		return fallback
	}
	return int(min(max(n, 0), int64(most)))
}

// keeps reports whether a value passes a filter of the grid.
func keeps(f map[string]any, v any) bool {
	want := f["filter"]
	text, part := strings.ToLower(Str(plain(v))), strings.ToLower(Str(want))
	switch f["type"] {
	case "equals":
		return compare(v, want) == 0
	case "notEqual":
		return compare(v, want) != 0
	case "contains":
		return strings.Contains(text, part)
	case "notContains":
		return !strings.Contains(text, part)
	case "startsWith":
		return strings.HasPrefix(text, part)
	case "endsWith":
		return strings.HasSuffix(text, part)
	case "blank":
		return v == nil || v == ""
	case "notBlank":
		return v != nil && v != ""
	case "lessThan":
		return v != nil && compare(v, want) < 0
	case "lessThanOrEqual":
		return v != nil && compare(v, want) <= 0
	case "greaterThan":
		return v != nil && compare(v, want) > 0
	case "greaterThanOrEqual":
		return v != nil && compare(v, want) >= 0
	case "inRange":
		return v != nil && compare(v, want) >= 0 && compare(v, f["filterTo"]) <= 0
	}
	return true
}

// compare orders values of a column: nothing before numbers before text.
func compare(a, b any) int {
	if n, m := rational(a), rational(b); n != nil && m != nil {
		return n.Cmp(m)
	}
	if n := cmp.Compare(rank(a), rank(b)); n != 0 {
		return n
	}
	return strings.Compare(strings.ToLower(Str(plain(a))), strings.ToLower(Str(plain(b))))
}

func rank(v any) int {
	switch v.(type) {
	case nil:
		return 0
	case json.Number:
		return 1
	}
	return 2
}

// rational reads a number exactly; one with a huge exponent is left to be compared as text.
func rational(v any) *big.Rat {
	n, ok := v.(json.Number)
	if f, err := n.Float64(); !ok || err != nil || f > 1e18 || f < -1e18 || len(n) > 64 {
		return nil
	}
	if i := strings.IndexAny(string(n), "eE"); i >= 0 && len(n)-i > 4 {
		return nil
	}
	r, _ := new(big.Rat).SetString(string(n))
	return r
}
