package backend

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"benchwright/sim"
)

// An answer is all that an endpoint may say for one widget.
type answer struct {
	byArgs  []argsEntry
	sample  json.RawMessage // sampleData of the published format
	payload json.RawMessage
	table   *table   // of a payload that is rows, where filters apply
	failure *Failure // instead of data
}

type argsEntry struct {
	args map[string]string // Str of each value
	data json.RawMessage
}

// A choice is one option that an options endpoint gives.
type choice struct {
	option json.RawMessage
	when   map[string]string // values of other parameters for which it is given
}

// Data returns what the widget's endpoint answers for the arguments, which are values as
// sim.ParseJSON reads them. Nothing is sanitised and no default is filled in; see the package
// comment for the rules. The bytes are shared: callers must not write to them.
func (b *Backend) Data(widgetID string, args map[string]any) (json.RawMessage, *Failure) {
	d := b.index[widgetID]
	if b.runtime != nil {
		if d == nil {
			return nil, &Failure{Code: InvalidRequest, Message: "Unknown widget_id '" + shown(widgetID) + "'."}
		}
		return b.bound[widgetID].data()
	}
	if d == nil {
		return nil, unknownEndpoint(widgetID)
	}
	a := b.answers[widgetID]
	switch {
	case a == nil && b.empty:
		return json.RawMessage("[]"), nil
	case a == nil:
		return d.synthetic(args), nil
	}
	if data := a.match(args); data != nil {
		return data, nil
	}
	switch {
	case a.sample != nil:
		return a.sample, nil
	case a.failure != nil:
		return nil, a.failure
	case a.table != nil:
		return a.table.filter(args), nil
	case a.payload != nil:
		return a.payload, nil
	case b.empty:
		return json.RawMessage("[]"), nil
	}
	return d.synthetic(args), nil
}

func unknownEndpoint(widgetID string) *Failure {
	return &Failure{Code: CommandFailed, Message: "Unknown widget data endpoint for '" + shown(widgetID) + "'"}
}

// match finds the entry for the arguments: one that the request fulfils, else one that fulfils
// the request.
func (a *answer) match(args map[string]any) json.RawMessage {
	if len(a.byArgs) == 0 {
		return nil
	}
	request := make(map[string]string, len(args))
	for k, v := range args {
		request[k] = Str(v)
	}
	for _, e := range a.byArgs {
		if within(e.args, request) {
			return e.data
		}
	}
	for _, e := range a.byArgs {
		if within(request, e.args) {
			return e.data
		}
	}
	return nil
}

// within reports whether every pair of a is in b.
func within(a, b map[string]string) bool {
	for k, v := range a {
		if w, ok := b[k]; !ok || w != v {
			return false
		}
	}
	return true
}

// synthetic is the answer of a widget that has no data.
func (d *Definition) synthetic(args map[string]any) json.RawMessage {
	row := &object{m: map[string]any{}}
	row.set("name", d.Name)
	row.set("category", d.Category)
	for i := range d.Params {
		p := &d.Params[i]
		v, ok := args[p.Name]
		if !ok {
			v = p.Value
		}
		if p.Type != "form" && p.Type != "button" {
			row.set(p.Name, json.RawMessage(sim.MustCanonical(v)))
		}
	}
	return encode([]any{row})
}

// A filter says that rows answer to a parameter by a field.
type filter struct{ param, field string }

// A table is rows and the fields that parameters choose by. Both are read once; each choice is
// put together once.
type table struct {
	filters []filter // only those whose field occurs in a row
	all     json.RawMessage
	rows    []json.RawMessage
	cells   [][]string // for each row, Str of the field of each filter
	cache   sync.Map   // key -> json.RawMessage; only choices with rows, so it is bounded by the data
}

// newTable returns nil when no filter can apply.
func newTable(payload any, all json.RawMessage, filters []filter) *table {
	list, ok := payload.([]any)
	if !ok {
		return nil
	}
	t := &table{all: all}
	for _, f := range filters {
		if slices.ContainsFunc(list, func(v any) bool { o, _ := v.(*object); return o != nil && has(o, f.field) }) {
			t.filters = append(t.filters, f)
		}
	}
	if len(t.filters) == 0 {
		return nil
	}
	for _, v := range list {
		o, _ := v.(*object)
		cells := make([]string, len(t.filters))
		for i, f := range t.filters {
			cells[i] = "\x00" // no argument equals what is not there
			if o != nil && has(o, f.field) {
				cells[i] = Str(plain(o.m[f.field]))
			}
		}
		t.rows = append(t.rows, encode(v))
		t.cells = append(t.cells, cells)
	}
	return t
}

func has(o *object, key string) bool {
	_, ok := o.m[key]
	return ok
}

// filter returns the rows that agree with every argument that is a filter; all rows if none do.
func (t *table) filter(args map[string]any) json.RawMessage {
	type want struct {
		column int
		text   string
	}
	var wants []want
	var key strings.Builder
	for i, f := range t.filters {
		if v, ok := args[f.param]; ok && v != nil {
			s := Str(v)
			wants = append(wants, want{i, s})
			key.WriteString(s)
		}
		key.WriteByte(0)
	}
	if len(wants) == 0 {
		return t.all
	}
	if v, ok := t.cache.Load(key.String()); ok {
		return v.(json.RawMessage)
	}
	out := json.RawMessage{'['}
	for i, row := range t.rows {
		if !slices.ContainsFunc(wants, func(w want) bool { return t.cells[i][w.column] != w.text }) {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, row...)
		}
	}
	if len(out) == 1 {
		return t.all
	}
	out = slices.Clip(append(out, ']'))
	t.cache.Store(key.String(), out)
	return out
}

// Options returns the choices of a parameter as a JSON list: the static ones, else those of its
// options endpoint for the arguments. An unknown parameter, one without options and an input of
// a form give []. An unknown widget is nil.
func (b *Backend) Options(widgetID, param string, args map[string]any) json.RawMessage {
	d := b.index[widgetID]
	if d == nil {
		return nil
	}
	i, ok := d.names[param]
	if !ok || i >= d.top {
		return json.RawMessage("[]")
	}
	if len(d.Params[i].Options) > 0 {
		return d.Params[i].RawOptions
	}
	out := json.RawMessage{'['}
	for _, c := range b.options[widgetID][param] {
		ok := true
		for k, want := range c.when {
			v, given := args[k]
			if !given {
				if p := d.Param(k); p != nil {
					v = p.Value
				}
			}
			ok = ok && Str(v) == want
		}
		if !ok {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, c.option...)
	}
	return append(out, ']')
}

// seal computes the digest of a backend that has been loaded.
func (b *Backend) seal() error {
	data := map[string]any{}
	for id, a := range b.answers {
		e := map[string]any{}
		if len(a.byArgs) > 0 {
			list := make([]any, len(a.byArgs))
			for i, x := range a.byArgs {
				list[i] = []any{x.args, x.data}
			}
			e["by_args"] = list
		}
		if a.sample != nil {
			e["sample"] = a.sample
		}
		if a.payload != nil {
			e["payload"] = a.payload
		}
		if a.table != nil {
			filters := []any{}
			for _, f := range a.table.filters {
				filters = append(filters, []string{f.param, f.field})
			}
			e["filters"] = filters
		}
		if a.failure != nil {
			e["failure"] = a.failure
		}
		data[id] = e
	}
	options := map[string]any{}
	for id, params := range b.options {
		for name, list := range params {
			out := make([]any, len(list))
			for i, c := range list {
				out[i] = []any{c.option, c.when}
			}
			options[id+"\x00"+name] = out
		}
	}
	order := make([]string, len(b.Widgets))
	for i, d := range b.Widgets {
		order[i] = d.ID
	}
	raw, err := sim.Canonical(map[string]any{"order": order, "widgets": b.WidgetsJSON(), "apps": b.AppsJSON(), "data": data, "options": options})
	if err != nil {
		return err
	}
	sum := sha256.Sum256(raw)
	b.Digest = hex.EncodeToString(sum[:])
	return nil
}
