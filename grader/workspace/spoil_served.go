package workspace

import (
	"encoding/json"
	"maps"
	"slices"

	"benchwright/sim"
)

// served adds the mutants in which a backend serves more than it should, or is elsewhere.
func (s *spoiler) served(r *BackendRule) {
	c := s.named(r.Backend)
	if c == nil {
		return
	}
	s.state("backend "+c.ID+" gone", func(d *draft) bool { d.removeBackend(c.ID); return true })
	s.custom(c.ID, "backend "+c.ID+" at another URL", func(b object) bool { b["url"] = "http://127.0.0.1:1"; return true })
	s.custom(c.ID, "backend "+c.ID+" with one more widget", func(b object) bool {
		all, ok := b["widgets_json"].(object)
		if ok {
			all["spare"] = object{"name": "Spare", "description": "Spare.", "endpoint": "spare", "type": "table"}
		}
		return ok
	})
	s.custom(c.ID, "backend "+c.ID+" with one more app", func(b object) bool {
		all, _ := b["apps_json"].([]any)
		b["apps_json"] = append(all, object{"name": "Spare", "tabs": object{"spare": object{"id": "spare", "name": "Spare", "layout": []any{}}}})
		return true
	})
	for _, id := range slices.Sorted(maps.Keys(r.Widgets)) {
		s.def(c, id, "with one more parameter", func(d object) bool {
			all, _ := d["params"].([]any)
			d["params"] = append(all, object{"paramName": "spare", "type": "text", "value": "spare"})
			return true
		})
		s.def(c, id, "with a tool of its own", func(d object) bool { d["mcp_tool"] = object{"tool_id": "spare"}; return true })
		s.def(c, id, "with no size to be seen", func(d object) bool {
			d["gridData"] = object{"w": json.Number("1"), "h": json.Number("1")}
			return true
		})
	}
	for _, name := range slices.Sorted(maps.Keys(r.Apps)) {
		i := slices.IndexFunc(c.Apps, func(a map[string]any) bool { return a["name"] == name })
		if i < 0 {
			continue
		}
		id := appID(c.Apps[i])
		s.app(c, id, "with one more tab", func(a object) bool {
			tabs, ok := a["tabs"].(object)
			if ok {
				tabs["spare"] = object{"id": "spare", "name": "Spare", "layout": []any{}}
			}
			return ok
		})
		s.app(c, id, "with a prompt more", func(a object) bool {
			all, _ := a["prompts"].([]any)
			a["prompts"] = append(slices.Clip(all), "Spare?")
			return true
		})
		s.app(c, id, "with its widgets hidden", func(a object) bool {
			return editTab(a, func(items []any) []any {
				for _, v := range items {
					if o, ok := v.(object); ok {
						o["hidden"] = true
					}
				}
				return items
			})
		})
		s.app(c, id, "with a widget twice", func(a object) bool {
			return editTab(a, func(items []any) []any {
				for _, v := range items {
					if o, ok := v.(object); ok && o["i"] != "navigation_bar" {
						id, _ := o["i"].(string)
						return append(items, layoutItem(id, below))
					}
				}
				return items
			})
		})
	}
}

// appOpened adds the mutants in which a dashboard was not made of the app.
func (s *spoiler) appOpened(r *AppOpenedRule) {
	of := func(e sim.Event) bool {
		_, ok := r.opens(e, []string{r.App, r.template()}, func(string) bool { return true })
		return ok
	}
	s.trace("no call opened the app "+r.App, func(t sim.Trace) sim.Trace { return slices.DeleteFunc(t, of) })
	for _, key := range []string{"app_name", "backend_id"} {
		s.trace("the app "+r.App+" opened with another "+key, func(t sim.Trace) sim.Trace {
			for i, e := range t {
				if args, ok := arguments(e).(object); ok && of(e) {
					args = maps.Clone(args)
					args[key] = "spare"
					t[i].Call.Arguments = sim.MustCanonical(args)
					t[i].Result.Arguments = nil
				}
			}
			return t
		})
	}
}
