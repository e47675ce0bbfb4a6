package workspace

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/sim"
	world "benchwright/sim/workspace"
)

// asWidget reads a widget that is being edited.
func asWidget(o object) *world.Widget {
	w := new(world.Widget)
	_ = json.Unmarshal(sim.MustCanonical(o), w) // what cannot be read is no widget that a rule means
	w.DataArgs, _ = o["data_args"].(object)
	return w
}

// other is a value of the same type that no task wants.
func other(v any) any {
	switch v := v.(type) {
	case string:
		return v + " otherwise"
	case json.Number:
		return json.Number("999999937")
	case bool:
		return !v
	}
	return "otherwise"
}

// misargued changes each of some arguments in turn, in the meant widgets.
func (s *spoiler) misargued(on On, what string, args map[string]any, meant func(object) bool) {
	for _, k := range slices.Sorted(maps.Keys(args)) {
		s.widgets(on, fmt.Sprintf("%s with another %s", what, k), meant, func(w object) {
			if a, ok := w["data_args"].(object); ok {
				a[k] = other(a[k])
			}
		})
	}
	if len(args) > 0 {
		s.widgets(on, what+" without arguments", meant, func(w object) { w["data_args"] = object{} })
	}
}

// moved moves the meant widgets to another tab.
func (s *spoiler) moved(on On, what string, meant func(object) bool) {
	s.widgets(on, what+" on another tab", meant, func(w object) {
		if l, ok := w["layout"].(object); ok {
			l["tab_id"] = "another_tab"
		}
	})
}

func (s *spoiler) widget(r *WidgetRule) {
	what := "widget " + r.WidgetID
	meant := func(w object) bool { return r.qualifies(asWidget(w)) }
	if r.Min > 0 {
		s.without(r.Dashboard, what+" gone", meant)
		s.without(r.Dashboard, what+" gone with all that are like it", func(w object) bool { return r.is(asWidget(w)) })
		s.widgets(r.Dashboard, what+" of a twin's origin", meant, func(w object) { w["origin"] = r.Origin + " Twin" })
		s.misargued(r.Dashboard, what, r.Args, meant)
		if r.TabID != nil {
			s.moved(r.Dashboard, what, meant)
		}
		s.misplaced(r.Dashboard, what, r.At, meant)
	}
	if r.Max == nil {
		return
	}
	add := func(b object) bool {
		like := object{"origin": r.Origin, "widget_id": r.WidgetID, "data_args": object{}}
		if r.Args != nil {
			like["data_args"] = r.Args
		}
		if r.TabID != nil {
			like["layout"] = object{"tab_id": *r.TabID}
		}
		for _, w := range elements(b, "widgets") {
			if meant(w) {
				like = w
			}
		}
		for i := range *r.Max + 1 {
			addWidget(b, like, 0, 10*i, 20, 10)
		}
		return true
	}
	s.board(r.Dashboard, what+" too often", add)
	if r.Dashboard == Open && r.Min == 0 {
		s.board(AtStart, what+" too often where it was", add)
	}
}

func (s *spoiler) generated(r *GeneratedRule) {
	what := r.Type
	if r.Named != "" {
		what += " " + r.Named
	}
	meant := func(o object) bool {
		w := asWidget(o)
		w.GeneratedData = o["generated_data"]
		return w.Generated && w.Type == r.Type && len(r.lacks(w)) == 0
	}
	if r.Min > 0 {
		for _, f := range r.Contains {
			s.widgets(r.Dashboard, fmt.Sprintf("%s without %q", what, f), meant, func(w object) { w["generated_data"] = lessText(w["generated_data"], f) })
		}
		s.widgets(r.Dashboard, what+" emptied", meant, func(w object) { w["generated_data"] = "" })
		s.without(r.Dashboard, what+" gone", meant)
		s.widgets(r.Dashboard, what+" called otherwise", meant, func(w object) { w["name"] = "Quite Otherwise" })
		s.widgets(r.Dashboard, what+" of another type", meant, func(w object) { w["type"] = "another_type" })
		if r.TabID != nil {
			s.moved(r.Dashboard, what, meant)
		}
	}
	if r.Max != nil {
		s.board(r.Dashboard, what+" too often", func(b object) bool {
			like := object{"generated": true, "type": r.Type, "name": r.Named, "generated_data": strings.Join(r.Contains, " "), "origin": "generated", "widget_id": "generated_" + r.Type}
			if r.TabID != nil {
				like["layout"] = object{"tab_id": *r.TabID}
			}
			for i := range *r.Max + 1 {
				addWidget(b, like, 0, 10*i, 20, 8)
			}
			return true
		})
	}
}

// lessText cuts a fragment out of every text in a value.
func lessText(v any, fragment string) any {
	switch v := v.(type) {
	case string:
		out := v
		for {
			i := strings.Index(strings.ToLower(out), strings.ToLower(fragment))
			if i < 0 || i+len(fragment) > len(out) || fragment == "" {
				break
			}
			out = out[:i] + "…" + out[i+len(fragment):]
		}
		if newBlob(Strict, out).contains(fragment) { // said in other words
			return ""
		}
		return out
	case []any:
		out := []any{}
		for _, e := range v {
			out = append(out, lessText(e, fragment))
		}
		return out
	case object:
		out := object{}
		for k, e := range v {
			out[k] = lessText(e, fragment)
		}
		return out
	case json.Number:
		if newBlob(Strict, string(v)).contains(fragment) {
			return nil
		}
	}
	return v
}

func (s *spoiler) layout(r *LayoutRule) {
	meant := func(w object) bool {
		return (r.UUID == "" || w["widget_uuid"] == r.UUID) && (r.WidgetID == "" || w["widget_id"] == r.WidgetID) && (r.Origin == "" || w["origin"] == r.Origin)
	}
	what := "widget " + r.UUID + r.WidgetID
	for _, f := range r.each() {
		if f.want == nil {
			continue
		}
		s.widgets(r.Dashboard, fmt.Sprintf("%s with another %s", what, f.name), meant, func(w object) {
			if l, ok := w["layout"].(object); ok {
				l[f.name] = plainValue(*f.want + map[string]float64{"x": -1, "y": below, "w": -1, "h": -1}[f.name])
			}
		})
		s.widgets(r.Dashboard, fmt.Sprintf("%s with a larger %s", what, f.name), meant, func(w object) {
			if l, ok := w["layout"].(object); ok {
				l[f.name] = plainValue(*f.want + 1)
			}
		})
	}
	if r.TabID != nil {
		s.moved(r.Dashboard, what, meant)
	}
	if r.Origin != "" {
		s.widgets(r.Dashboard, what+" of a twin's origin", meant, func(w object) { w["origin"] = r.Origin + " Twin" })
	}
	s.bounded(r.Dashboard, what, meant)
	s.without(r.Dashboard, what+" gone", meant)
}

func (s *spoiler) grid(r *GridRule) {
	for _, at := range [][4]int{{r.Width - 1, 0, 2, 4}, {-1, 0, 4, 4}, {0, 0, 0, 4}, {0, 0, 4, 0}} {
		s.board(r.Dashboard, fmt.Sprintf("a widget off the grid at %d, %d × %d", at[0], at[2], at[3]), func(b object) bool {
			addWidget(b, nil, at[0], at[1], at[2], at[3])
			return true
		})
	}
	s.each(r.Dashboard, "off the grid", func(l object) { l["x"] = json.Number(fmt.Sprint(r.Width - 1)) })
	s.each(r.Dashboard, "above the grid", func(l object) { l["y"] = json.Number("-1") })
}

// each adds a mutant for each of the first widgets of a dashboard, with another layout.
func (s *spoiler) each(on On, what string, edit func(layout object)) {
	const most = 6
	for i := range most {
		s.board(on, fmt.Sprintf("widget %d %s", i+1, what), func(b object) bool {
			all := elements(b, "widgets")
			if i >= len(all) {
				return false
			}
			// The latest are the agent's own, which fewest other checks pin.
			l, ok := all[len(all)-1-i]["layout"].(object)
			if ok {
				edit(l)
			}
			return ok
		})
	}
}

func (s *spoiler) overlaps(r *OverlapRule) {
	s.board(r.Dashboard, "two widgets on top of each other", func(b object) bool {
		addWidget(b, nil, 0, 0, 10, 4)
		addWidget(b, nil, 5, 2, 10, 4)
		return true
	})
	const most = 6
	for i := range most {
		s.board(r.Dashboard, fmt.Sprintf("widget %d on top of another", i+1), func(b object) bool {
			all := elements(b, "widgets")
			if len(all) < 2 || i >= len(all) {
				return false
			}
			l, ok := all[len(all)-1-i]["layout"].(object)
			for _, w := range all {
				o, _ := w["layout"].(object)
				if ok && o != nil && w["widget_uuid"] != all[len(all)-1-i]["widget_uuid"] && o["tab_id"] == l["tab_id"] {
					l["x"], l["y"] = o["x"], o["y"]
					return true
				}
			}
			return false
		})
	}
}

// bounded adds the mutants in which a widget may have no size, or must have a larger one.
func (s *spoiler) bounded(on On, what string, meant func(object) bool) {
	for _, b := range []struct {
		key string
		to  any
	}{{"max_w", json.Number("0")}, {"min_h", json.Number("999")}} {
		s.widgets(on, fmt.Sprintf("%s with a %s of %v", what, b.key, b.to), meant, func(w object) {
			if l, ok := w["layout"].(object); ok {
				l[b.key] = b.to
			}
		})
	}
}

// misplaced adds the mutants in which a widget is not where it was demanded.
func (s *spoiler) misplaced(on On, what string, at *Place, meant func(object) bool) {
	if at == nil {
		return
	}
	s.widgets(on, what+" elsewhere", meant, func(w object) {
		if l, ok := w["layout"].(object); ok {
			for _, f := range at.each() {
				if f.want != nil {
					l[f.name] = plainValue(*f.want + 1)
				}
			}
		}
	})
	s.widgets(on, what+" far below", meant, func(w object) {
		if l, ok := w["layout"].(object); ok {
			l["y"] = json.Number(fmt.Sprint(below))
		}
	})
	s.bounded(on, what, meant)
}

func (s *spoiler) exact(r *ExactRule) {
	s.board(r.Dashboard, "one more widget", func(b object) bool {
		like := object{}
		if r.TabID != nil {
			like["layout"] = object{"tab_id": *r.TabID}
		}
		if r.Scope == Generated {
			like["generated"], like["type"], like["generated_data"] = true, "html", "spare"
		}
		addWidget(b, like, 0, 0, 10, 4)
		return true
	})
	const most = 12
	for i, p := range r.Widgets[:min(most, len(r.Widgets))] {
		what := fmt.Sprintf("listed widget %d", i+1)
		meant := func(w object) bool { return p.fits(asWidget(w)) }
		s.without(r.Dashboard, what+" gone", meant)
		s.misargued(r.Dashboard, what, p.Args, meant)
		s.widgets(r.Dashboard, what+" of a twin's origin", meant, func(w object) { w["origin"] = "Spare Parts" })
		s.misplaced(r.Dashboard, what, p.At, meant)
	}
}
