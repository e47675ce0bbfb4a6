package backend

import (
	"encoding/json"
	"slices"
	"strings"
)

// rows opens the rows inside params: a list whose elements are parameters or lists of them.
func rows(params []any) []any {
	var out []any
	for _, p := range params {
		if row, ok := p.([]any); ok {
			out = append(out, row...)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// declared returns the parameters of a definition, those of forms included, and how many of
// them are not inputs of a form. The first declaration of a name wins.
func declared(doc *object) (params []Param, top int) {
	seen := map[string]bool{}
	var inputs []any
	add := func(list []any, form bool) {
		for _, v := range rows(list) {
			p, ok := v.(*object)
			if !ok {
				continue
			}
			if form {
				// Inputs of a form inside a form come behind those of the outer one.
				inputs = append(inputs, p.list("inputParams")...)
			}
			name := p.str("paramName")
			if name == "" || seen[name] {
				continue
			}
			seen[name] = true
			params = append(params, param(p, form))
		}
	}
	list := doc.list("params")
	add(list, false)
	top = len(params)
	for _, v := range rows(list) {
		if p, ok := v.(*object); ok {
			inputs = append(inputs, p.list("inputParams")...)
		}
	}
	for len(inputs) > 0 {
		next := inputs
		inputs = nil
		add(next, true)
	}
	return params, top
}

func param(p *object, form bool) Param {
	out := Param{
		Name: p.str("paramName"), Type: p.str("type"), Label: p.str("label"),
		Value:           plain(p.get("value")),
		Multi:           p.get("multiSelect") == true,
		OptionsEndpoint: p.str("optionsEndpoint"),
		Endpoint:        p.str("endpoint"),
		Method:          strings.ToUpper(p.str("method")),
		RawOptions:      json.RawMessage("[]"),
		Form:            form,
	}
	if out.Type == "" {
		out.Type = "text"
	}
	if out.Type == "form" && out.Method == "" {
		out.Method = "POST"
	}
	if o := p.obj("optionsParams"); o != nil {
		out.OptionsParams = plain(o).(map[string]any)
	}
	if list := p.list("options"); len(list) > 0 {
		out.RawOptions = encode(list)
		for _, v := range list {
			if o, ok := v.(*object); ok {
				out.Options = append(out.Options, Option{Label: Str(plain(o.get("label"))), Value: Str(plain(o.get("value")))})
			}
		}
	}
	return out
}

// lookups names the parameters whose values an options endpoint needs, sorted.
func lookups(optionsParams *object) []string {
	out := []string{}
	if optionsParams == nil {
		return out
	}
	for _, k := range optionsParams.keys {
		if name, ok := reference(optionsParams.m[k]); ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// reference returns the x of "$x".
func reference(v any) (string, bool) {
	s, _ := v.(string)
	name, ok := strings.CutPrefix(s, "$")
	return name, ok && name != ""
}

// marked returns a list of params with the look-up marks of the product: which options come
// from an endpoint, and which values that needs.
func marked(list []any) []any {
	out := make([]any, len(list))
	for i, v := range list {
		switch v := v.(type) {
		case []any:
			out[i] = marked(v)
		case *object:
			p := v
			if v.str("optionsEndpoint") != "" {
				p = v.copy()
				p.set("requires_options_lookup", true)
				need := []any{}
				for _, n := range lookups(v.obj("optionsParams")) {
					need = append(need, n)
				}
				p.set("options_lookup_params", need)
			}
			if inputs := v.list("inputParams"); len(inputs) > 0 {
				if p == v {
					p = v.copy()
				}
				p.set("inputParams", marked(inputs))
			}
			out[i] = p
		default:
			out[i] = v
		}
	}
	return out
}

// schema is what get_widget_schema answers of a definition.
func (d *Definition) schema(origin string) json.RawMessage {
	o := d.document().copy()
	grid := o.get("gridData")
	if list := o.list("params"); list != nil {
		o.set("params", marked(list))
	}
	o.set("origin", origin)
	o.set("widget_id", d.ID)
	o.set("grid_data", grid)
	return encode(o)
}

// Defaults returns the default of every declared parameter that has one.
func (d *Definition) Defaults() map[string]any {
	out := map[string]any{}
	for _, p := range d.Params {
		if p.Value != nil {
			out[p.Name] = p.Value
		}
	}
	return out
}
