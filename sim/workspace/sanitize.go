package workspace

import (
	"encoding/json"
	"strings"

	"benchwright/sim"
	"benchwright/sim/workspace/backend"
)

// created returns the arguments of a new widget: those of given that the definition declares,
// whatever their values, and the defaults of the rest. Form inputs count as declared. null is a
// value like any other.
func created(def *backend.Definition, given map[string]any) pairs {
	out := make(pairs, 0, len(def.Params))
	for i := range def.Params {
		p := &def.Params[i]
		v, ok := given[p.Name]
		if !ok {
			if p.Value == nil {
				continue
			}
			v = p.Value
		}
		out = append(out, pair{p.Name, sim.AppendCanonical(nil, v)})
	}
	out.sort()
	return out
}

// updated returns what of given may be merged over a widget's arguments: what the definition
// declares and, where it lists options, allows.
func updated(def *backend.Definition, given map[string]any) pairs {
	var out pairs
	for name, v := range given {
		if p := def.Param(name); p != nil && p.Allows(v) {
			out = append(out, pair{name, sim.AppendCanonical(nil, v)})
		}
	}
	out.sort()
	return out
}

// doubts says, for a dry run, what of given would be dropped, or kept although it is no option.
func doubts(def *backend.Definition, given map[string]any, update bool) []string {
	out := []string{}
	for _, e := range pairsOf(given) {
		p := def.Param(e.key)
		switch {
		case p == nil:
			out = append(out, "data_args "+quoted(e.key)+" is not declared and would be dropped.")
		case p.Allows(given[e.key]):
		case update:
			out = append(out, "data_args "+quoted(e.key)+" is none of the options and would be dropped.")
		default:
			out = append(out, "data_args "+quoted(e.key)+" is none of the options and would be kept.")
		}
	}
	return out
}

// placed returns the body of a new widget of a backend.
func placed(c *connection, def *backend.Definition, uuid string, given map[string]any, ui pairs) *body {
	b := &body{
		uuid: uuid, id: def.ID, origin: c.name, name: def.Name, kind: def.Type,
		data: created(def, given), ui: ui, description: &def.Description,
	}
	return b.seal()
}

var generatedTypes = []string{"note", "table", "chart", "html"}

// generatedBody returns the body of a new generated widget. It has no definition.
func generatedBody(kind, uuid, name string, data, chart json.RawMessage, description *string) *body {
	if name == "" {
		name = strings.ToUpper(kind[:1]) + kind[1:]
	}
	b := &body{
		uuid: uuid, id: "generated_" + kind, origin: "generated", name: name, kind: kind,
		generated: true, payload: data, chart: chart, description: description,
	}
	return b.seal()
}

// with returns the body with other arguments.
func (w *body) with(data, ui pairs) *body {
	n := *w
	n.data, n.ui = data, ui
	return n.seal()
}
