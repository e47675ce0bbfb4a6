package workspace

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"benchwright/sim/workspace/backend"
	"benchwright/tasks"
)

// A found widget is a definition and the backend that serves it.
type foundWidget struct {
	origin string
	*backend.Definition
}

// backends returns the connected backends.
func (n *notes) backends() ([]*backend.Backend, error) {
	l, err := n.shelf.library()
	if err != nil {
		return nil, err
	}
	var out []*backend.Backend
	for _, name := range connected(n.setup) {
		if b := l.Backend(name); b != nil {
			out = append(out, b)
		}
	}
	for _, c := range n.custom {
		out = append(out, c.backend)
	}
	return out, nil
}

// widget finds a widget by its id or its name. from is the backend, the app or the category that
// it comes from, or "" where the name is enough.
func (n *notes) widget(name, from string) (foundWidget, error) {
	for _, w := range n.authored {
		if (from == "" || from == w.origin) && (w.ID == name || w.Name == name) {
			return w, nil
		}
	}
	all, err := n.backends()
	if err != nil {
		return foundWidget{}, err
	}
	if len(all) == 0 {
		return foundWidget{}, fmt.Errorf("no backend is connected yet: Given the backends …")
	}
	var fit []foundWidget
	var names, sources []string
	for _, b := range all {
		sources = append(sources, b.Name)
		for _, a := range b.Apps {
			sources = append(sources, a.Name)
		}
		for _, w := range b.Widgets {
			if from != "" && !comesFrom(b, w, from) {
				continue
			}
			names = append(names, w.ID, w.Name)
			if w.ID == name || w.Name == name {
				fit = append(fit, foundWidget{b.Name, w})
			}
		}
	}
	switch {
	case len(fit) == 1:
		return fit[0], nil
	case len(fit) > 1:
		var ids []string
		for _, w := range fit {
			ids = append(ids, fmt.Sprintf("%s of %s", w.ID, w.origin))
		}
		return foundWidget{}, fmt.Errorf("widget %q is ambiguous: it may be %s; name the app it comes from, or its id", clip(name), strings.Join(ids, ", "))
	case len(names) == 0:
		return foundWidget{}, tasks.Unknown("backend, app or category", from, sources)
	}
	slices.Sort(names)
	return foundWidget{}, tasks.Unknown("widget", name, slices.Compact(names))
}

// comesFrom reports whether a widget is one of a backend, of an app or of a category.
func comesFrom(b *backend.Backend, w *backend.Definition, from string) bool {
	if from == b.Name || from == b.Slug || from == w.Category || from == w.SubCategory {
		return true
	}
	for _, a := range b.Apps {
		if a.Name != from && a.TemplateID != from {
			continue
		}
		for _, t := range a.Tabs {
			if slices.ContainsFunc(t.Layout, func(p backend.Placement) bool { return p.WidgetID == w.ID }) {
				return true
			}
		}
	}
	return false
}

// value reads the value of a parameter as a person writes it. The parameter must be declared,
// and the value be one of its options.
func (w foundWidget) value(param, text string) (any, error) {
	p := w.Param(param)
	if p == nil {
		var names []string
		for _, q := range w.Params {
			names = append(names, q.Name)
		}
		return nil, tasks.Unknown("parameter of "+w.Name, param, names)
	}
	raw := json.RawMessage(nil)
	switch {
	case p.Type == "number" || p.Type == "boolean" || strings.HasPrefix(text, "[") || strings.HasPrefix(text, `"`):
		var err error
		if raw, err = parseValue(text); err != nil {
			return nil, err
		}
	default:
		raw = quoteJSON(text)
	}
	v := plain(raw)
	if !p.Allows(v) && !strings.HasPrefix(text, "$") {
		var options []string
		for _, o := range p.Options {
			options = append(options, o.Value)
		}
		return nil, tasks.Unknown("value of "+param, text, options)
	}
	return v, nil
}

// arguments reads the parameters of a widget from the columns of a row that are not reserved.
func (w foundWidget) arguments(t *tasks.Table, r tasks.Row, reserved []string) (map[string]any, error) {
	out := map[string]any{}
	for i, c := range t.Columns {
		if slices.Contains(reserved, c) || r.Cells[i] == "" {
			continue
		}
		v, err := w.value(c, r.Cells[i])
		if err != nil {
			return nil, err
		}
		out[c] = v
	}
	return full(out), nil
}
