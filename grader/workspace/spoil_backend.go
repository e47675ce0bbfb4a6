package workspace

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// named returns the custom backend that a name leads to.
func (s *spoiler) named(name string) *custom {
	all := s.customs()
	for _, c := range slices.Backward(all) {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// warned adds a mutant for each custom backend in which it has a warning.
func (s *spoiler) warned() {
	for _, c := range s.customs() {
		s.custom(c.ID, "backend "+c.ID+" with a warning", func(b object) bool {
			b["warnings"] = []any{"[widgets.json] widget 'spare': unrecognized keys ['spare'] (accepted but ignored by the workspace)."}
			return true
		})
	}
	if len(s.customs()) == 0 {
		s.state("a backend with a warning", func(d *draft) bool {
			d.addBackend("backend_spare", "Spare Parts")
			return d.custom("backend_spare", func(b object) bool { b["warnings"] = []any{"spare"}; return true })
		})
	}
}

// replaced adds the mutants in which a backend is gone, or came back under another id.
func (s *spoiler) replaced(c *custom) {
	s.state("backend "+c.ID+" gone", func(d *draft) bool { d.removeBackend(c.ID); return true })
	s.state("backend "+c.ID+" under another id", func(d *draft) bool {
		was := d.customs[c.ID]
		d.removeBackend(c.ID)
		d.addBackend("backend_spare", c.Name)
		d.customs["backend_spare"] = was
		return true
	})
}

func (s *spoiler) backendsTouched() {
	s.state("one more backend", func(d *draft) bool { d.addBackend("backend_spare", "Spare Parts"); return true })
	for _, c := range s.customs() {
		s.replaced(c)
		s.custom(c.ID, "backend "+c.ID+" at another URL", func(b object) bool { b["url"] = "http://127.0.0.1:1"; return true })
		s.apps(c)
	}
}

// app adds a mutant in which an app of a backend is edited.
func (s *spoiler) app(c *custom, id, name string, edit func(a object) bool) {
	s.custom(c.ID, "app "+id+" "+name, func(b object) bool {
		for _, a := range elements(b, "apps_json") {
			if appID(a) == id {
				return edit(a)
			}
		}
		return false
	})
}

// apps adds the mutants about each app of a backend.
func (s *spoiler) apps(c *custom) {
	for _, a := range c.Apps {
		id := appID(a)
		s.custom(c.ID, "app "+id+" gone", func(b object) bool {
			all, _ := b["apps_json"].([]any)
			kept := slices.DeleteFunc(slices.Clone(all), func(v any) bool { a, ok := v.(object); return ok && appID(a) == id })
			b["apps_json"] = kept
			return len(kept) < len(all)
		})
		s.app(c, id, "described otherwise", func(a object) bool { a["description"] = "Quite otherwise."; return true })
		s.app(c, id, "without prompts", func(a object) bool { a["prompts"] = []any{}; return true })
		s.app(c, id, "without groups", func(a object) bool { a["groups"] = []any{}; return true })
		s.app(c, id, "placing an unknown widget", func(a object) bool {
			return editTab(a, func(items []any) []any { return append(items, layoutItem("spare_unknown", below)) })
		})
		s.app(c, id, "with an overlap", func(a object) bool {
			return editTab(a, func(items []any) []any {
				id := "navigation_bar"
				return append(items, layoutItem(id, below), layoutItem(id, below))
			})
		})
	}
	if len(c.Apps) > 0 {
		s.custom(c.ID, "backend "+c.ID+" without apps", func(b object) bool { b["apps_json"] = []any{}; return true })
	}
}

func layoutItem(id string, y int) object {
	return object{"i": id, "x": json.Number("0"), "y": json.Number(fmt.Sprint(y)), "w": json.Number("10"), "h": json.Number("2")}
}

// editTab edits the layout of an app's first tab.
func editTab(a object, edit func([]any) []any) bool {
	tabs, _ := a["tabs"].(object)
	for _, k := range slices.Sorted(maps.Keys(tabs)) {
		if t, ok := tabs[k].(object); ok {
			items, _ := t["layout"].([]any)
			t["layout"] = edit(items)
			return true
		}
	}
	return false
}

func (s *spoiler) otherApps(r *OtherAppsRule) {
	for _, c := range s.customs() {
		kept := *c
		kept.Apps = slices.DeleteFunc(slices.Clone(c.Apps), func(a map[string]any) bool { return slices.Contains(r.Mutable, appID(a)) })
		s.apps(&kept)
	}
}

// def adds a mutant in which the definition of a widget is edited.
func (s *spoiler) def(c *custom, id, name string, edit func(d object) bool) {
	s.custom(c.ID, "definition "+id+" "+name, func(b object) bool {
		all, _ := b["widgets_json"].(object)
		d, ok := all[id].(object)
		return ok && edit(d)
	})
}

// set changes the value at a dotted path.
func set(v any, path string, to func(any) any) bool {
	head, key, nested := cutLast(path)
	if nested {
		v = at(v, head)
	}
	o, ok := v.(object)
	if !ok {
		return false
	}
	o[key] = to(o[key])
	return true
}

func cutLast(path string) (head, key string, nested bool) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+1:], true
}

func (s *spoiler) widgetDef(r *WidgetDefRule) {
	c := s.named(r.Backend)
	if c == nil {
		return
	}
	s.state("backend "+c.ID+" gone", func(d *draft) bool { d.removeBackend(c.ID); return true })
	s.custom(c.ID, "definition "+r.WidgetID+" gone", func(b object) bool {
		all, _ := b["widgets_json"].(object)
		_, ok := all[r.WidgetID]
		delete(all, r.WidgetID)
		return ok
	})
	for _, path := range slices.Sorted(maps.Keys(r.Expect)) {
		s.def(c, r.WidgetID, "with another "+path, func(d object) bool { return set(d, path, other) })
	}
	if len(r.Params) > 0 {
		s.def(c, r.WidgetID, "without parameters", func(d object) bool { d["params"] = []any{}; return true })
	}
	if len(r.Columns) > 0 {
		s.def(c, r.WidgetID, "without columns", func(d object) bool {
			return set(d, "data.table.columnsDefs", func(any) any { return []any{} })
		})
	}
	s.warned()
}

func (s *spoiler) appDef(r *AppDefRule) {
	c := s.named(r.Backend)
	app := r.find(c)
	if app == nil {
		return
	}
	id := appID(app)
	s.apps(c)
	for _, path := range slices.Sorted(maps.Keys(r.Expect)) {
		s.app(c, id, "with another "+path, func(a object) bool { return set(a, path, other) })
	}
	if r.Called != "" {
		s.app(c, id, "called more than that", func(a object) bool { a["name"] = r.Called + " otherwise"; return true })
	}
	for _, t := range r.Tabs {
		s.app(c, id, "without tab "+t, func(a object) bool {
			tabs, _ := a["tabs"].(object)
			_, ok := tabs[t]
			delete(tabs, t)
			return ok
		})
	}
	if r.TabCount != nil {
		s.app(c, id, "with one more tab", func(a object) bool {
			tabs, ok := a["tabs"].(object)
			if ok {
				tabs["spare"] = object{"id": "spare", "name": "Spare", "layout": []any{}}
			}
			return ok
		})
	}
	for _, o := range r.OnTab {
		if o.At != nil {
			s.app(c, id, fmt.Sprintf("with %s elsewhere on %s", o.WidgetID, o.TabID), func(a object) bool {
				t, _ := at(a, "tabs").(object)
				tab, _ := t[o.TabID].(object)
				n := 0
				for _, i := range elements(tab, "layout") {
					for _, f := range o.At.each() {
						if i["i"] == o.WidgetID && f.want != nil {
							i[f.name] = plainValue(*f.want + 1)
							n++
						}
					}
				}
				return n > 0
			})
		}
		s.app(c, id, fmt.Sprintf("without %s on %s", o.WidgetID, o.TabID), func(a object) bool {
			t, _ := at(a, "tabs").(object)
			tab, ok := t[o.TabID].(object)
			if !ok {
				return false
			}
			items, _ := tab["layout"].([]any)
			tab["layout"] = slices.DeleteFunc(slices.Clone(items), func(v any) bool { i, _ := v.(object); return i["i"] == o.WidgetID })
			return true
		})
	}
	s.warned()
	s.state("backend "+c.ID+" gone", func(d *draft) bool { d.removeBackend(c.ID); return true })
}

// runtime spoils the definitions of custom backends so that their endpoints no longer answer.
func (s *spoiler) runtime() {
	for _, c := range s.customs() {
		for _, id := range slices.Sorted(maps.Keys(c.Widgets)) {
			s.def(c, id, "with an empty endpoint", func(d object) bool { d["endpoint"] = ""; return true })
			s.def(c, id, "with a column that nobody serves", func(d object) bool {
				d["data"] = object{"table": object{"columnsDefs": []any{object{"field": "spare_field", "headerName": "Spare"}}}}
				return true
			})
			s.def(c, id, "with a parameter without a type", func(d object) bool {
				d["params"] = []any{object{"paramName": "spare", "type": "spare"}}
				return true
			})
			s.def(c, id, "with its forms submitted elsewhere", func(d object) bool {
				n := 0
				for _, p := range flatParams(d["params"]) {
					if p := p.(object); p["type"] == "form" {
						p["endpoint"] = "/spare"
						n++
					}
				}
				return n > 0
			})
		}
	}
	s.state("no custom backend", func(d *draft) bool {
		for _, c := range s.customs() {
			d.removeBackend(c.ID)
		}
		return true
	})
}

func (s *spoiler) capability(r Capability) {
	s.state("no widget of a custom backend stands anywhere", func(d *draft) bool {
		n := 0
		for _, id := range slices.Sorted(maps.Keys(d.boards)) {
			d.board(id, func(b object) bool {
				ok := removeWidgets(b, func(w object) bool {
					origin, _ := w["origin"].(string)
					return s.named(origin) != nil
				})
				if ok {
					n++
				}
				return ok
			})
		}
		return n > 0
	})
	for _, c := range s.customs() {
		for _, id := range slices.Sorted(maps.Keys(c.Widgets)) {
			for _, f := range r.Fields {
				s.def(c, id, "without the column "+f, func(d object) bool {
					columns, ok := at(d, "data.table.columnsDefs").([]any)
					return ok && set(d, "data.table.columnsDefs", func(any) any {
						return slices.DeleteFunc(slices.Clone(columns), func(v any) bool { c, _ := v.(object); return c["field"] == f })
					})
				})
			}
			if len(r.ParamKinds) > 0 {
				s.def(c, id, "without parameters", func(d object) bool { d["params"] = []any{}; return true })
			}
			for _, path := range slices.Sorted(maps.Keys(r.Config)) {
				s.def(c, id, "with another "+path, func(d object) bool { return set(d, path, other) })
			}
		}
	}
	s.runtime()
}

func (s *spoiler) connection() {
	for _, c := range s.customs() {
		s.apps(c)
		s.custom(c.ID, "no groups in the apps of "+c.ID, func(b object) bool {
			for _, a := range elements(b, "apps_json") {
				a["groups"] = []any{}
			}
			return true
		})
	}
}
