package workspace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	world "benchwright/sim/workspace"
)

// A change is one difference between a dashboard at the start and at the end.
type change struct {
	board   string
	aspect  string // name, tabs, navigation_bar, order, created, removed, or a key of the widget
	key     string // the widget's uuid
	was, is any
	widget  *world.Widget // that changed, was made or was removed
}

// words words a change.
func (c change) words() string {
	what := ""
	if c.widget != nil {
		what = fmt.Sprintf("widget %s (%s) ", cut(c.key), cut(label(c.widget)))
	}
	switch c.aspect {
	case created:
		return what + "was added"
	case removed:
		return what + "was removed"
	}
	return what + enough(wasIs(nil, c.aspect, c.was, c.is), ", ")
}

// wasIs lists where two values differ, by path.
func wasIs(out []string, path string, was, is any) []string {
	a, ok := was.(map[string]any)
	b, also := is.(map[string]any)
	if !ok || !also {
		return append(out, fmt.Sprintf("%s was %s, is %s", path, show(was), show(is)))
	}
	for _, k := range keysOf(a, b) {
		if !exact(a[k], b[k]) {
			out = wasIs(out, path+"."+cut(k), a[k], b[k])
		}
	}
	return out
}

// label is what a person calls a widget.
func label(w *world.Widget) string {
	if w.Name != "" {
		return w.Name
	}
	return w.WidgetID
}

// Aspects of a change beside the keys of a widget.
const (
	created = "created"
	removed = "removed"
)

// keysOf returns the keys of two objects, sorted.
func keysOf(a, b map[string]any) []string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

// compareBoards lists what differs between a dashboard at the start and at the end.
func compareBoards(initial, final *view, id string) ([]change, error) {
	if bytes.Equal(initial.boards[id], final.boards[id]) {
		return nil, nil
	}
	was, err := initial.board(id)
	if err != nil {
		return nil, err
	}
	is, err := final.board(id)
	if err != nil {
		return nil, err
	}
	if was == nil || is == nil {
		return []change{{board: id, aspect: "composition", was: was != nil, is: is != nil}}, nil
	}
	var out []change
	diff := func(aspect string, x, y any) {
		if !exact(x, y) {
			out = append(out, change{board: id, aspect: aspect, was: x, is: y})
		}
	}
	diff("name", was.Name, is.Name)
	diff("navigation_bar", was.NavigationBar, is.NavigationBar)
	diff("tabs", tabsOf(was), tabsOf(is))
	before, after := changedWidgets(initial.boards[id], final.boards[id])
	for i := range was.Widgets {
		w := &was.Widgets[i]
		old, differs := before[w.UUID]
		now, ok := after[w.UUID]
		if !differs {
			continue
		}
		if !ok {
			out = append(out, change{board: id, aspect: removed, key: w.UUID, widget: w})
			continue
		}
		for _, k := range keysOf(old, now) {
			if !exact(old[k], now[k]) {
				out = append(out, change{board: id, aspect: k, key: w.UUID, was: old[k], is: now[k], widget: is.Widget(w.UUID)})
			}
		}
	}
	seen := map[string]bool{}
	for i := range is.Widgets {
		w := &is.Widgets[i]
		if was.Widget(w.UUID) == nil || seen[w.UUID] {
			out = append(out, change{board: id, aspect: created, key: w.UUID, widget: w})
		}
		seen[w.UUID] = true
	}
	return out, nil
}

func tabsOf(c *world.Composition) any {
	out := []any{}
	for _, t := range c.Tabs {
		out = append(out, map[string]any{"id": t.ID, "name": t.Name})
	}
	return out
}

// changedWidgets returns the widgets of two compositions as plain values, by their uuids, without
// those that are in both to the byte.
func changedWidgets(was, is json.RawMessage) (before, after map[string]map[string]any) {
	a, b := widgetList(was), widgetList(is)
	same := map[string]bool{}
	for _, w := range a {
		same[string(w)] = slices.ContainsFunc(b, func(o json.RawMessage) bool { return bytes.Equal(w, o) })
	}
	plain := func(list []json.RawMessage) map[string]map[string]any {
		out := map[string]map[string]any{}
		for _, raw := range list {
			if same[string(raw)] {
				continue
			}
			w, _ := parsed(raw).(map[string]any)
			id, _ := w["widget_uuid"].(string)
			if _, twice := out[id]; w != nil && !twice {
				out[id] = w
			}
		}
		return out
	}
	return plain(a), plain(b)
}

func widgetList(board json.RawMessage) []json.RawMessage {
	m, ok := split(board)
	list, also := splitList(m["widgets"])
	if !ok || !also {
		_ = open(board, &m) // what is no object has no widgets
		_ = open(m["widgets"], &list)
	}
	return list
}
