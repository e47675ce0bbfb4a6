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
	all := slices.AppendSeq(make([]string, 0, len(a)+len(b)), maps.Keys(a))
	for k := range b {
		if _, both := a[k]; !both {
			all = append(all, k)
		}
	}
	slices.Sort(all)
	return all
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
	if was.Name != is.Name {
		diff("name", was.Name, is.Name)
	}
	diff("navigation_bar", was.NavigationBar, is.NavigationBar)
	if !slices.EqualFunc(was.Tabs, is.Tabs, func(a, b world.Tab) bool { return a.ID == b.ID && a.Name == b.Name }) {
		diff("tabs", tabsOf(was), tabsOf(is))
	}
	before, after := changedWidgets(initial.boards[id], final.boards[id])
	for i := range was.Widgets {
		w := &was.Widgets[i]
		b, a := rawOf(before, w.UUID), rawOf(after, w.UUID)
		if b < 0 {
			continue
		}
		if a < 0 {
			out = append(out, change{board: id, aspect: removed, key: w.UUID, widget: w})
			continue
		}
		for _, d := range unequal(&before[b], &after[a]) {
			out = append(out, change{board: id, aspect: d.key, key: w.UUID, was: d.was, is: d.is, widget: is.Widget(w.UUID)})
		}
	}
	for i := range is.Widgets {
		w := &is.Widgets[i]
		if was.Widget(w.UUID) == nil || is.Widget(w.UUID) != w { // a new one, or one more of that uuid
			out = append(out, change{board: id, aspect: created, key: w.UUID, widget: w})
		}
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

// A rawWidget is a widget of a composition that is decoded when it is looked into.
type rawWidget struct {
	uuid  string
	raw   json.RawMessage
	plain map[string]any
}

func (w *rawWidget) value() map[string]any {
	if w.plain == nil {
		w.plain, _ = parsed(w.raw).(map[string]any)
	}
	return w.plain
}

// A member is one that two widgets do not have in common.
type member struct {
	key     string
	was, is any
}

// unequal lists the members in which two widgets differ, by their keys. It decodes no others.
func unequal(before, after *rawWidget) (out []member) {
	add := func(key string, was, is json.RawMessage) {
		if bytes.Equal(was, is) {
			return
		}
		if a, b := parsed(was), parsed(is); !exact(a, b) {
			out = append(out, member{key, a, b})
		}
	}
	a, b := glance{raw: before.raw}, glance{raw: after.raw}
	inA, inB := a.enter('{'), b.enter('{')
	var x, y []byte
	if inA {
		x = a.key()
	}
	if inB {
		y = b.key()
	}
	nextA := func() {
		last := x
		if inA = a.more(); inA {
			x = a.key()
			a.bad = a.bad || bytes.Compare(last, x) >= 0
		}
	}
	nextB := func() {
		last := y
		if inB = b.more(); inB {
			y = b.key()
			b.bad = b.bad || bytes.Compare(last, y) >= 0
		}
	}
	for (inA || inB) && !a.bad && !b.bad {
		switch order := bytes.Compare(x, y); {
		case inA && (!inB || order < 0):
			add(string(x), a.value(), nil)
			nextA()
		case inB && (!inA || order > 0):
			add(string(y), nil, b.value())
			nextB()
		default:
			add(string(x), a.value(), b.value())
			nextA()
			nextB()
		}
	}
	if !a.bad && !b.bad && a.at == len(a.raw) && b.at == len(b.raw) {
		return out
	}
	out = nil
	was, is := before.value(), after.value()
	for _, k := range keysOf(was, is) {
		if !exact(was[k], is[k]) {
			out = append(out, member{k, was[k], is[k]})
		}
	}
	return out
}

func rawOf(list []rawWidget, uuid string) int {
	return slices.IndexFunc(list, func(w rawWidget) bool { return w.uuid == uuid })
}

// changedWidgets returns the widgets of two compositions without those that are in both to the byte. Of
// one uuid the first counts.
func changedWidgets(was, is json.RawMessage) (before, after []rawWidget) {
	a, b := widgetList(was), widgetList(is)
	changed := func(list, others []json.RawMessage) (out []rawWidget) {
		for i, raw := range list {
			if i < len(others) && bytes.Equal(raw, others[i]) || slices.ContainsFunc(others, func(o json.RawMessage) bool { return bytes.Equal(raw, o) }) {
				continue
			}
			w := rawWidget{raw: raw}
			if id, ok := lookup(raw, "widget_uuid"); ok {
				w.uuid, _ = plainText(id)
			} else if w.value() != nil {
				w.uuid, _ = w.plain["widget_uuid"].(string)
			} else {
				continue
			}
			out = append(out, w)
		}
		return out
	}
	return changed(a, b), changed(b, a)
}

func widgetList(board json.RawMessage) []json.RawMessage {
	all, ok := lookup(board, "widgets")
	list, also := splitList(all)
	if !ok || !also {
		var m map[string]json.RawMessage
		_ = open(board, &m) // what is no object has no widgets
		_ = open(m["widgets"], &list)
	}
	return list
}
