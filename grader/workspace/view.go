package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/workspace"
)

// A view is a snapshot, taken apart only as far as rules ask. A workspace has hundreds of
// widgets and a rule looks at one dashboard; that the others have not changed is seen by their
// bytes. It is shared by goroutines.
type view struct {
	focus      world.Focus
	dashboards []world.DashboardRef
	boards     map[string]json.RawMessage // compositions by dashboard id, canonical
	backends   []world.BackendRef
	customRaw  map[string]json.RawMessage

	ids []string // of the boards, in order of creation

	mu     sync.Mutex
	opened []openedBoard
	plain  map[string]any // boards as plain values
	custom []*custom
}

type openedBoard struct {
	id string
	*world.Composition
}

// A custom backend with its manifests as plain values.
type custom struct {
	ID, Name, URL string
	Widgets       map[string]any
	Apps          []map[string]any
	Warnings      []string
}

// read takes a state apart. That the world wrote something else than an object is its failure. What
// is not as it should be inside counts as absent: states are also spoiled on purpose, to prove
// that rules notice.
func read(s sim.State) (*view, error) {
	if s == nil {
		return nil, grader.NotApplicable
	}
	raw := s.JSON()
	if v := views.get(raw); v != nil {
		return v, nil
	}
	v := new(view)
	if !v.glance(raw) {
		v = new(view)
		if err := v.decode(raw); err != nil {
			return nil, unreadable(err)
		}
	}
	v.ids = v.inOrder()
	views.put(raw, v)
	return v, nil
}

// glance reads a state as worlds write it. False means that it must be decoded.
func (v *view) glance(raw json.RawMessage) bool {
	g := glance{raw: raw}
	last := ""
	for ok := g.enter('{'); ok; ok = g.more() {
		key := g.key()
		if string(key) <= last {
			return false
		}
		switch string(key) {
		case "workspace_state":
			last = "workspace_state"
			v.glanceFocus(&g)
		case "dashboards":
			last = "dashboards"
			v.glanceDashboards(&g)
		case "backends":
			last = "backends"
			v.glanceBackends(&g)
		case "dashboard_compositions":
			last = "dashboard_compositions"
			v.boards = g.members()
			g.bad = g.bad || v.boards == nil
		case "custom_backends":
			last = "custom_backends"
			v.customRaw = g.members()
			g.bad = g.bad || v.customRaw == nil
		default:
			g.value()
		}
	}
	return !g.bad && g.at == len(raw)
}

func (v *view) glanceFocus(g *glance) {
	for ok := g.enter('{'); ok; ok = g.more() {
		switch string(g.key()) {
		case "current_dashboard_uuid":
			v.focus.DashboardID = g.textOrNull()
		case "current_tab_id":
			v.focus.TabID = g.textOrNull()
		default:
			g.value()
		}
	}
}

func (v *view) glanceDashboards(g *glance) {
	all := g.whole()
	for ok := g.enter('['); ok; ok = g.more() {
		var d world.DashboardRef
		for ok := g.enter('{'); ok; ok = g.more() {
			switch string(g.key()) {
			case "dashboard_id":
				d.ID = g.textIn(all)
			case "name":
				d.Name = g.textIn(all)
			default:
				g.value()
			}
		}
		v.dashboards = append(v.dashboards, d)
	}
}

func (v *view) glanceBackends(g *glance) {
	all := g.whole()
	for ok := g.enter('['); ok; ok = g.more() {
		var b world.BackendRef
		for ok := g.enter('{'); ok; ok = g.more() {
			switch string(g.key()) {
			case "id":
				b.ID = g.textIn(all)
			case "name":
				b.Name = g.textIn(all)
			case "url":
				b.URL = g.textIn(all)
			case "status":
				b.Status = g.textIn(all)
			case "widget_count":
				b.WidgetCount = g.number()
			case "app_count":
				b.AppCount = g.number()
			default:
				g.value()
			}
		}
		v.backends = append(v.backends, b)
	}
}

func (v *view) decode(raw json.RawMessage) error {
	var top map[string]json.RawMessage
	err := json.Unmarshal(raw, &top)
	if err == nil && top == nil {
		err = errors.New("want an object")
	}
	if err != nil {
		return err
	}
	return errors.Join(open(top["workspace_state"], &v.focus), open(top["dashboards"], &v.dashboards), open(top["backends"], &v.backends),
		open(top["dashboard_compositions"], &v.boards), open(top["custom_backends"], &v.customRaw))
}

// open decodes a member without numbers of any size in it, as far as it has the right types. Absent
// leaves what there is.
func open(raw json.RawMessage, into any) error {
	if raw == nil {
		return nil
	}
	return rightTypes(json.Unmarshal(raw, into))
}

// rightTypes returns the error of decoding, unless it is that something had the wrong type.
func rightTypes(err error) error {
	if err == nil {
		return nil
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return nil
	}
	return err
}

func unreadable(err error) error {
	return grader.BrokenError{Layer: grader.LayerToolRuntime, Err: fmt.Errorf("workspace snapshot: %w", err)}
}

// board returns a dashboard by its id, or nil if there is none.
func (v *view) board(id string) (*world.Composition, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range v.opened {
		if v.opened[i].id == id {
			return v.opened[i].Composition, nil
		}
	}
	raw, ok := v.boards[id]
	if !ok || string(raw) == "null" {
		return nil, nil
	}
	c, err := world.ParseComposition(raw)
	if err = rightTypes(err); err != nil {
		return nil, unreadable(fmt.Errorf("dashboard %q: %w", id, err))
	}
	v.opened = append(v.opened, openedBoard{id, c})
	return c, nil
}

// value returns a dashboard as plain values, or nil if there is none.
func (v *view) value(id string) any {
	v.mu.Lock()
	defer v.mu.Unlock()
	b, ok := v.plain[id]
	if !ok {
		b = parsed(v.boards[id])
		if v.plain == nil {
			v.plain = map[string]any{}
		}
		v.plain[id] = b
	}
	return b
}

// sameBoard reports whether a dashboard is deeply equal in two states.
func sameBoard(a, b *view, id string) bool {
	return bytes.Equal(a.boards[id], b.boards[id]) || exact(a.value(id), b.value(id))
}

// order returns the ids of all dashboards, in order of creation. It is not to be written to.
func (v *view) order() []string { return v.ids }

func (v *view) inOrder() []string {
	ids := make([]string, 0, len(v.boards))
	for _, d := range v.dashboards {
		if _, ok := v.boards[d.ID]; ok && !slices.Contains(ids, d.ID) {
			ids = append(ids, d.ID)
		}
	}
	if len(ids) < len(v.boards) {
		for _, id := range slices.Sorted(maps.Keys(v.boards)) {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// named returns the id of the first dashboard of a name.
func (v *view) named(name string) (string, bool) {
	for _, d := range v.dashboards {
		if d.Name == name {
			return d.ID, true
		}
	}
	return "", false
}

// active returns the id of the dashboard that is open.
func (v *view) active() (string, bool) {
	if v.focus.DashboardID == nil {
		return "", false
	}
	return *v.focus.DashboardID, true
}

// customs returns the custom backends in order of registration.
func (v *view) customs() ([]*custom, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.custom != nil || len(v.customRaw) == 0 {
		return v.custom, nil
	}
	ids := slices.Sorted(maps.Keys(v.customRaw))
	place := func(id string) int {
		if i := slices.IndexFunc(v.backends, func(b world.BackendRef) bool { return b.ID == id }); i >= 0 {
			return i
		}
		return len(v.backends)
	}
	slices.SortStableFunc(ids, func(a, b string) int { return place(a) - place(b) })
	out := make([]*custom, 0, len(ids))
	for _, id := range ids {
		c, err := openCustom(id, v.customRaw[id])
		if err != nil {
			return nil, unreadable(fmt.Errorf("custom backend %q: %w", id, err))
		}
		out = append(out, c)
	}
	v.custom = out
	return out, nil
}

func openCustom(id string, raw json.RawMessage) (*custom, error) {
	var b struct {
		Name     string          `json:"name"`
		URL      string          `json:"url"`
		Widgets  json.RawMessage `json:"widgets_json"`
		Apps     json.RawMessage `json:"apps_json"`
		Warnings []string        `json:"warnings"`
	}
	if err := open(raw, &b); err != nil {
		return nil, err
	}
	c := &custom{ID: id, Name: b.Name, URL: b.URL, Warnings: b.Warnings, Widgets: map[string]any{}}
	if m, ok := parsed(b.Widgets).(map[string]any); ok {
		c.Widgets = m
	}
	switch apps := parsed(b.Apps).(type) {
	case []any:
		for _, a := range apps {
			if m, ok := a.(map[string]any); ok {
				c.Apps = append(c.Apps, m)
			}
		}
	case map[string]any: // one app that nobody wrapped in a list
		c.Apps = append(c.Apps, apps)
	}
	return c, nil
}

// backend returns the last registered custom backend of a name, which is the one that its name
// leads to, or nil.
func (v *view) backend(name string) (*custom, error) {
	all, err := v.customs()
	if err != nil {
		return nil, err
	}
	for _, c := range slices.Backward(all) {
		if c.Name == name {
			return c, nil
		}
	}
	return nil, nil
}

// parsed reads JSON as plain values. What is none is nil.
func parsed(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return nil
	}
	return v
}

// plainValue turns a value of the program's own into one as ParseJSON reads it.
func plainValue(v any) any {
	raw, err := sim.Canonical(v)
	if err != nil {
		return nil
	}
	return parsed(raw)
}

// sameJSON compares two canonical texts, numbers by value.
func sameJSON(a, b json.RawMessage) bool {
	return bytes.Equal(a, b) || exact(parsed(a), parsed(b))
}
