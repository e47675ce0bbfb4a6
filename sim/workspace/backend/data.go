package backend

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"

	"benchwright/sim"
)

// An answer is all that an endpoint may say for one widget.
type answer struct {
	byArgs  []argsEntry
	sample  json.RawMessage // sampleData of the published format
	payload json.RawMessage
	table   *table   // of a payload that is rows, where filters apply
	failure *Failure // instead of data
	strict  bool     // a choice that matches nothing answers nothing
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
	known, err := b.stored(d)
	if err != nil {
		return nil, damaged(err)
	}
	a := known.answer
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
	case a.strict && len(a.byArgs) > 0 && a.byArgs[0].data[0] == '"':
		return json.RawMessage(`""`), nil
	case b.empty, a.strict:
		return json.RawMessage("[]"), nil
	}
	return d.synthetic(args), nil
}

// stored returns what is known of a widget.
func (b *Backend) stored(d *Definition) (stored, error) {
	if b.lazy != nil {
		return b.lazy.get(d)
	}
	return stored{b.answers[d.ID], b.options[d.ID]}, nil
}

// damaged is the failure of data that cannot be read.
func damaged(err error) *Failure {
	return &Failure{Code: CommandFailed, Message: "The data of the widget cannot be read.", Fault: err}
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
		if !a.strict || v != nil && v != "" && a.names(k) {
			request[k] = Str(v)
		}
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

// names reports whether any entry is for a value of the argument.
func (a *answer) names(arg string) bool {
	return slices.ContainsFunc(a.byArgs, func(e argsEntry) bool { _, ok := e.args[arg]; return ok })
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
	known, _ := b.stored(d) // data that cannot be read is told of by Data
	for _, c := range known.options[param] {
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
				l := []string{f.param, f.field}
				if f.op != "" || f.many {
					l = append(l, f.op, strconv.FormatBool(f.many))
				}
				filters = append(filters, l)
			}
			e["filters"] = filters
		}
		if a.strict {
			e["nomatch"] = "empty"
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
