package backend

import (
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
)

// A table is rows and the fields that parameters choose by. Both are read once; each choice is
// put together once.
type table struct {
	filters []filter // limits, and those whose field occurs in a row
	all     json.RawMessage
	rows    []json.RawMessage
	cells   []string // row by row, Str of the field of each filter
	strict  bool     // a choice that matches nothing answers nothing
	asOf    day
	cache   sync.Map // key -> json.RawMessage; only choices with rows
	cached  atomic.Int32
}

// Bounds of what a table remembers: values of an agent's making can be any.
const (
	maxChoices   = 256
	maxChoiceKey = 512
)

// newTable returns nil when no filter can apply.
func newTable(list []span, all json.RawMessage, filters []filter, strict bool, asOf day) *table {
	t := &table{all: all, strict: strict, asOf: asOf}
	for _, f := range filters {
		if f.op == opLimit || slices.ContainsFunc(list, func(s span) bool { o, _ := s.value.(*object); return o != nil && has(o, f.field) }) {
			t.filters = append(t.filters, f)
		}
	}
	if len(t.filters) == 0 {
		return nil
	}
	t.rows = make([]json.RawMessage, len(list))
	t.cells = make([]string, 0, len(list)*len(t.filters))
	texts := map[string]string{} // most cells are one of a few texts
	for n, s := range list {
		o, _ := s.value.(*object)
		t.rows[n] = s.raw
		for _, f := range t.filters {
			text := noText
			if o != nil && has(o, f.field) {
				text = Str(plain(o.m[f.field]))
			}
			if _, ok := texts[text]; !ok {
				texts[text] = text
			}
			t.cells = append(t.cells, texts[text])
		}
	}
	return t
}

// tableOf is a table of rows that are not the text of the payload.
func tableOf(payload any, all json.RawMessage, filters []filter, strict bool, asOf day) *table {
	list, ok := payload.([]any)
	if !ok {
		return nil
	}
	rows := make([]span, len(list))
	for i, v := range list {
		rows[i] = span{raw: encode(v), value: v}
	}
	return newTable(rows, all, filters, strict, asOf)
}

func has(o *object, key string) bool {
	_, ok := o.m[key]
	return ok
}

// filter returns the rows that agree with every argument that is a filter, as many as a limit
// allows. When none do, it returns all rows, or none if the table is strict.
func (t *table) filter(args map[string]any) json.RawMessage {
	var wishes []wish
	limit := len(t.rows)
	key := make([]byte, 0, 64)
	for i, f := range t.filters {
		v, ok := args[f.param]
		if ok && v != nil && !(t.strict && nothing(v)) {
			if f.op == opLimit {
				limit = min(limit, limitOf(v))
			} else {
				wishes = append(wishes, f.wish(i, v, t.asOf))
			}
			if _, list := v.([]any); list {
				key = append(key, 1)
			}
			key = append(key, Str(v)...)
		}
		key = append(key, 0)
	}
	if len(wishes) == 0 && limit == len(t.rows) {
		return t.all
	}
	if v, ok := t.cache.Load(string(key)); ok {
		return v.(json.RawMessage)
	}
	out := json.RawMessage{'['}
	for i, row := range t.rows {
		if limit == 0 {
			break
		}
		cells := t.cells[i*len(t.filters):]
		if slices.ContainsFunc(wishes, func(w wish) bool { return !w.holds(cells[w.column]) }) {
			continue
		}
		if limit--; len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, row...)
	}
	switch {
	case len(out) == 1 && t.strict:
		return json.RawMessage("[]")
	case len(out) == 1:
		return t.all
	}
	out = slices.Clip(append(out, ']'))
	if len(key) <= maxChoiceKey && t.cached.Add(1) <= maxChoices {
		t.cache.Store(string(key), out)
	}
	return out
}

// nothing reports whether a value is no choice at all.
func nothing(v any) bool {
	list, ok := v.([]any)
	return v == "" || ok && len(list) == 0
}
