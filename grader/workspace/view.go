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

	mu     sync.Mutex
	opened map[string]*world.Composition
	plain  map[string]any // boards as plain values
	custom []*custom
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
	const boards, customs = "dashboard_compositions", "custom_backends"
	within := map[string]map[string]json.RawMessage{boards: nil, customs: nil}
	top, ok := splitDeep(raw, within)
	if !ok {
		within = nil
		err := json.Unmarshal(raw, &top)
		if err == nil && top == nil {
			err = errors.New("want an object")
		}
		if err != nil {
			return nil, unreadable(err)
		}
	}
	v := &view{boards: within[boards], customRaw: within[customs], opened: map[string]*world.Composition{}, plain: map[string]any{}}
	err := errors.Join(open(top["workspace_state"], &v.focus), open(top["dashboards"], &v.dashboards), open(top["backends"], &v.backends))
	if v.boards == nil {
		err = errors.Join(err, open(top[boards], &v.boards))
	}
	if v.customRaw == nil {
		err = errors.Join(err, open(top[customs], &v.customRaw))
	}
	if err != nil {
		return nil, unreadable(err)
	}
	views.put(raw, v)
	return v, nil
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
	if c := v.opened[id]; c != nil {
		return c, nil
	}
	raw, ok := v.boards[id]
	if !ok || string(raw) == "null" {
		return nil, nil
	}
	c, err := world.ParseComposition(raw)
	if err = rightTypes(err); err != nil {
		return nil, unreadable(fmt.Errorf("dashboard %q: %w", id, err))
	}
	v.opened[id] = c
	return c, nil
}

// value returns a dashboard as plain values, or nil if there is none.
func (v *view) value(id string) any {
	v.mu.Lock()
	defer v.mu.Unlock()
	b, ok := v.plain[id]
	if !ok {
		b = parsed(v.boards[id])
		v.plain[id] = b
	}
	return b
}

// sameBoard reports whether a dashboard is deeply equal in two states.
func sameBoard(a, b *view, id string) bool {
	return bytes.Equal(a.boards[id], b.boards[id]) || exact(a.value(id), b.value(id))
}

// order returns the ids of all dashboards, in order of creation.
func (v *view) order() []string {
	var ids []string
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
