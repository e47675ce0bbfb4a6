package workspace

import (
	"encoding/json"
	"maps"
	"slices"

	"benchwright/sim"
)

// A draft is a state to be spoiled. Only what is spoiled is decoded and written anew: a workspace
// is large, and a task has a hundred mutants.
type draft struct {
	top     map[string]json.RawMessage
	boards  map[string]json.RawMessage
	customs map[string]json.RawMessage
	active  string
}

func newDraft(raw json.RawMessage) (*draft, bool) {
	top, ok := split(raw)
	if !ok {
		return nil, false
	}
	d := &draft{top: top}
	if d.boards, ok = split(top["dashboard_compositions"]); !ok {
		return nil, false
	}
	if d.customs, ok = split(top["custom_backends"]); !ok {
		d.customs = map[string]json.RawMessage{}
	}
	focus, _ := parsed(top["workspace_state"]).(map[string]any)
	d.active, _ = focus["current_dashboard_uuid"].(string)
	return d, true
}

// clone returns a draft of the same state. What is edited is written anew, so that only the lists of
// members are copied.
func (d *draft) clone() *draft {
	return &draft{maps.Clone(d.top), maps.Clone(d.boards), maps.Clone(d.customs), d.active}
}

// state writes the draft as a state.
func (d *draft) state() json.RawMessage {
	top := maps.Clone(d.top)
	top["dashboard_compositions"] = join(d.boards)
	top["custom_backends"] = join(d.customs)
	top["dashboard_composition"] = json.RawMessage("null")
	if b, ok := d.boards[d.active]; ok {
		top["dashboard_composition"] = b
	}
	return join(top)
}

func join(m map[string]json.RawMessage) json.RawMessage {
	n := 2
	for k, v := range m {
		n += len(k) + len(v) + 4
	}
	b := append(make([]byte, 0, n), '{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, sim.MustCanonical(k)...), ':')
		b = append(b, m[k]...)
	}
	return append(b, '}')
}

// An object is JSON to be edited.
type object = map[string]any

// board edits a dashboard. False means that there is none, or that edit did nothing.
func (d *draft) board(id string, edit func(b object) bool) bool {
	b, _ := parsed(d.boards[id]).(object)
	if b == nil || !edit(b) {
		return false
	}
	relayout(b)
	d.boards[id] = sim.MustCanonical(b)
	if name, ok := b["name"].(string); ok {
		d.list("dashboards", func(refs []any) []any {
			for _, r := range refs {
				if r, ok := r.(object); ok && r["dashboard_id"] == id {
					r["name"] = name
				}
			}
			return refs
		})
	}
	return true
}

// list edits a list at the top.
func (d *draft) list(key string, edit func([]any) []any) {
	l, _ := parsed(d.top[key]).([]any)
	d.top[key] = sim.MustCanonical(edit(l))
}

// custom edits a custom backend.
func (d *draft) custom(id string, edit func(c object) bool) bool {
	c, _ := parsed(d.customs[id]).(object)
	if c == nil || !edit(c) {
		return false
	}
	d.customs[id] = sim.MustCanonical(c)
	return true
}

// removeBackend takes a backend away.
func (d *draft) removeBackend(id string) {
	delete(d.customs, id)
	d.list("backends", func(l []any) []any {
		return slices.DeleteFunc(l, func(v any) bool { b, _ := v.(object); return b["id"] == id })
	})
}

// addBackend connects one more custom backend.
func (d *draft) addBackend(id, name string) {
	d.customs[id] = sim.MustCanonical(object{"name": name, "url": "http://127.0.0.1:7999", "widgets_json": object{}, "apps_json": []any{}, "warnings": []any{}})
	d.list("backends", func(l []any) []any {
		return append(l, object{"id": id, "name": name, "url": "http://127.0.0.1:7999", "status": "connected", "widget_count": 0, "app_count": 0})
	})
}

// addBoard makes one more dashboard.
func (d *draft) addBoard(id, name string) {
	d.boards[id] = sim.MustCanonical(object{"dashboard_id": id, "name": name, "navigation_bar": false, "tabs": []any{object{"id": "", "name": "", "layout": []any{}}}, "widgets": []any{}})
	d.list("dashboards", func(l []any) []any { return append(l, object{"dashboard_id": id, "name": name}) })
}

// relayout makes the layouts of the tabs agree with the widgets.
func relayout(b object) {
	for _, t := range elements(b, "tabs") {
		items := []any{}
		for _, w := range elements(b, "widgets") {
			if l, ok := w["layout"].(object); ok && l["tab_id"] == t["id"] {
				item := maps.Clone(l)
				item["widget_uuid"], item["widget_id"], item["origin"] = w["widget_uuid"], w["widget_id"], w["origin"]
				items = append(items, item)
			}
		}
		t["layout"] = items
	}
}

// elements returns the objects of a list.
func elements(o object, key string) (out []object) {
	l, _ := o[key].([]any)
	for _, v := range l {
		if e, ok := v.(object); ok {
			out = append(out, e)
		}
	}
	return out
}

// below is a row far below whatever a dashboard holds.
const below = 100000

// spare is the uuid of a widget that a mutant adds.
const spare = "widget_spare"

// addWidget adds a widget far below all others, like another one or of its own kind.
func addWidget(b object, like object, x, y, w, h int) {
	o := object{
		"widget_id": "spare", "origin": "Spare Parts", "name": "Spare", "type": "html", "data_args": object{}, "ui_args": object{},
		"generated": false, "generated_data": nil, "chart_params": nil, "description": nil,
	}
	maps.Copy(o, like)
	tab := any("")
	if tabs := elements(b, "tabs"); len(tabs) > 0 {
		tab = tabs[0]["id"]
	}
	if l, ok := like["layout"].(object); ok {
		tab = l["tab_id"]
	}
	all, _ := b["widgets"].([]any)
	o["widget_uuid"] = spare + string(rune('0'+len(all)%10)) + string(rune('a'+len(all)/10%26))
	o["layout"] = object{"tab_id": tab, "x": x, "y": below + y, "w": w, "h": h}
	b["widgets"] = append(all, plainValue(o))
}
