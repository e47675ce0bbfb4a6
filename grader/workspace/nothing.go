package workspace

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

// A Target is one widget that may change: be made, removed or configured. What is not given does
// not matter; together it should tell the widget from all others.
type Target struct {
	Dashboard On     `json:"dashboard,omitempty"` // "" is any
	UUID      string `json:"widget_uuid,omitempty"`
	Origin    string `json:"origin,omitempty"`
	WidgetID  string `json:"widget_id,omitempty"`
	Type      string `json:"widget_type,omitempty"` // of a generated widget
	Named     string `json:"name,omitempty"`        // exactly
	// Only says what of it may change: created, removed, data_args, ui_args, layout, or another
	// key of a widget. Without it everything may.
	Only []string `json:"only,omitempty"`
}

func (t Target) String() string {
	var out []string
	for _, s := range []string{t.UUID, t.WidgetID, t.Type, t.Named} {
		if s != "" {
			out = append(out, quote(s))
		}
	}
	return strings.Join(out, " ")
}

// Positions says which changes of place count.
type Positions string

// The positions.
const (
	Kept    Positions = ""        // every widget that is no target stays where it was
	Settled Positions = "settled" // it may have risen or sunk, as others went or came above it
)

// NothingElseRule demands that the whole workspace is deeply equal to what it was at the start but for
// what it names. Which dashboard and tab are open does not count: an agent has to look around.
type NothingElseRule struct {
	// Widgets may change. Each target excuses one widget, so that two of them need two.
	Widgets []Target `json:"widgets,omitempty"`
	// Dashboards, by id or name, whose name, tabs and navigation bar may change. One of them that was
	// not there at the start may be made, with whatever is on it.
	Dashboards []string `json:"dashboards,omitempty"`
	// Tabs may be made and renamed: names or ids of the demanded ones, by the id or name of their
	// dashboard, which may get a navigation bar by it. Every other tab stays, and keeps its name.
	Tabs map[string][]string `json:"tabs,omitempty"`
	// Backends, by id or name, that may be connected, changed or removed with all their apps.
	Backends  []string  `json:"backends,omitempty"`
	Positions Positions `json:"positions,omitempty"`
}

// NothingElse demands that nothing has changed but these widgets.
func NothingElse(targets ...Target) grader.Check {
	return grader.Check{Rule: &NothingElseRule{Widgets: targets}}
}

// Name implements grader.Rule.
func (*NothingElseRule) Name() string { return "workspace.nothing_else" }

// Codes implements grader.Rule.
func (*NothingElseRule) Codes() []string {
	return []string{"collateral_app_change", "collateral_backend_change", "collateral_dashboard_change", "collateral_widget_change", "custom_backend_replaced", "unexpected_backend_created", "unexpected_dashboard_created", "unexpected_widget"}
}

// Graded implements grader.Grounder: what may change is demanded by other rules.
func (*NothingElseRule) Graded() []string { return nil }

func (r *NothingElseRule) String() string {
	var out []string
	for _, t := range r.Widgets {
		out = append(out, "widget "+t.String())
	}
	for _, d := range r.Dashboards {
		out = append(out, "dashboard "+quote(d))
	}
	for _, d := range slices.Sorted(maps.Keys(r.Tabs)) {
		out = append(out, fmt.Sprintf("tabs %s of dashboard %s", quoted(r.Tabs[d]), quote(d)))
	}
	for _, b := range r.Backends {
		out = append(out, "backend "+quote(b))
	}
	if len(out) == 0 {
		return "nothing has changed"
	}
	return "nothing has changed but " + strings.Join(out, ", ")
}

// Grade implements grader.Rule.
func (r *NothingElseRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *NothingElseRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *NothingElseRule) points(ev grader.Evidence) ([]point, error) {
	initial, final, err := both(ev)
	if err != nil {
		return nil, err
	}
	changes, out, err := r.boards(initial, final)
	if err != nil {
		return nil, err
	}
	changes, err = r.excuse(ev, final, changes)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		p := point{code: "collateral_widget_change", side: grader.StateType, message: fmt.Sprintf("dashboard %s: %s", quote(c.board), c.words())}
		switch {
		case c.widget == nil:
			p.code = "collateral_dashboard_change"
		case c.aspect == created:
			p.code = "unexpected_widget"
		}
		out = append(out, p)
	}
	more, err := r.backends(initial, final)
	if err != nil {
		return nil, err
	}
	if out = append(out, more...); len(out) == 0 {
		out = append(out, point{code: "collateral_widget_change", side: grader.StateType})
	}
	return out, nil
}

// boards lists the changes of all dashboards that are not excused as a whole, and the points
// about dashboards that came or went.
func (r *NothingElseRule) boards(initial, final *view) ([]change, []point, error) {
	var all []change
	var out []point
	for _, id := range initial.order() {
		if _, ok := final.boards[id]; !ok {
			out = append(out, point{code: "collateral_dashboard_change", side: grader.StateType, message: fmt.Sprintf("dashboard %s is gone", quote(id))})
			continue
		}
		cs, err := compareBoards(initial, final, id)
		if err != nil {
			return nil, nil, err
		}
		named := r.names(initial, id) || r.names(final, id)
		for _, c := range cs {
			if c.widget == nil && (named || r.tabbed(initial, final, id, c.aspect)) {
				continue
			}
			if c.aspect == "layout" && r.Positions == Settled && sunk(c.was, c.is) {
				continue
			}
			all = append(all, c)
		}
	}
	for _, id := range final.order() {
		if _, ok := initial.boards[id]; !ok && !r.names(final, id) {
			out = append(out, point{code: "unexpected_dashboard_created", side: grader.StateType, message: fmt.Sprintf("dashboard %s (%s) was made", quote(id), quote(final.title(id)))})
		}
	}
	return all, out, nil
}

// tabbed reports whether a change of a dashboard is no more than its demanded tabs.
func (r *NothingElseRule) tabbed(initial, final *view, id, aspect string) bool {
	free, ok := r.Tabs[id]
	if !ok {
		free, ok = r.Tabs[initial.title(id)]
	}
	if !ok || aspect != "tabs" && aspect != "navigation_bar" {
		return false
	}
	was, err1 := initial.board(id)
	is, err2 := final.board(id)
	if err1 != nil || err2 != nil || was == nil || is == nil {
		return false
	}
	at := func(c *world.Composition, id string) int {
		return slices.IndexFunc(c.Tabs, func(t world.Tab) bool { return t.ID == id })
	}
	for _, t := range was.Tabs {
		if at(is, t.ID) < 0 {
			return false
		}
	}
	for _, t := range is.Tabs {
		old := at(was, t.ID)
		if (old < 0 || was.Tabs[old].Name != t.Name) && !slices.Contains(free, t.Name) && !slices.Contains(free, t.ID) {
			return false
		}
	}
	return true
}

// names reports whether a dashboard is one of those that may change.
func (r *NothingElseRule) names(v *view, id string) bool {
	return slices.Contains(r.Dashboards, id) || slices.Contains(r.Dashboards, v.title(id))
}

// title returns the name of a dashboard.
func (v *view) title(id string) string {
	if i := slices.IndexFunc(v.dashboards, func(d world.DashboardRef) bool { return d.ID == id }); i >= 0 {
		return v.dashboards[i].Name
	}
	return ""
}

// sunk reports whether two layouts differ in their row alone.
func sunk(was, is any) bool {
	a, ok := was.(map[string]any)
	b, also := is.(map[string]any)
	if !ok || !also {
		return false
	}
	for _, k := range keysOf(a, b) {
		if k != "y" && !exact(a[k], b[k]) {
			return false
		}
	}
	return true
}

// excuse assigns targets to changed widgets and returns the changes that none covers.
func (r *NothingElseRule) excuse(ev grader.Evidence, final *view, changes []change) ([]change, error) {
	boards := make([]string, len(r.Widgets))
	for i, t := range r.Widgets {
		if t.Dashboard == Open {
			continue
		}
		id, err := t.Dashboard.id(ev, final)
		if err != nil {
			return nil, err
		}
		if boards[i] = id; id == "" {
			boards[i] = "\x00" // no dashboard at all
		}
	}
	var widgets [][]change // of one widget each
	var out []change
	at := map[[2]string]int{}
	for _, c := range changes {
		k := [2]string{c.board, c.key}
		i, ok := at[k]
		switch {
		case c.widget == nil:
			out = append(out, c)
			continue
		case !ok || c.aspect == created:
			i = len(widgets)
			at[k] = i
			widgets = append(widgets, nil)
		}
		widgets[i] = append(widgets[i], c)
	}
	whole := func(t, w int) bool {
		return r.Widgets[t].is(boards[t], widgets[w][0]) && !slices.ContainsFunc(widgets[w], func(c change) bool { return !r.Widgets[t].allows(c) })
	}
	excused := map[int]bool{}
	for _, w := range assign(len(r.Widgets), len(widgets), whole) {
		if w >= 0 {
			excused[w] = true
		}
	}
	for i, cs := range widgets {
		if excused[i] {
			continue
		}
		// What a target allows of this widget needs no mention beside what it does not.
		t := slices.IndexFunc(r.Widgets, func(t Target) bool { return t.UUID != "" && t.UUID == cs[0].key })
		for _, c := range cs {
			if t < 0 || !r.Widgets[t].is(boards[t], c) || !r.Widgets[t].allows(c) {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

func (t Target) allows(c change) bool { return len(t.Only) == 0 || slices.Contains(t.Only, c.aspect) }

func (t Target) is(board string, c change) bool {
	w := c.widget
	return (board == "" || board == c.board) &&
		(t.UUID == "" || t.UUID == c.key) &&
		(t.Origin == "" || t.Origin == w.Origin) &&
		(t.WidgetID == "" || t.WidgetID == w.WidgetID) &&
		(t.Type == "" || w.Generated && t.Type == w.Type) &&
		(t.Named == "" || t.Named == w.Name)
}

// backends lists the points about backends.
func (r *NothingElseRule) backends(initial, final *view) ([]point, error) {
	free := func(id, name string) bool {
		return slices.Contains(r.Backends, id) || slices.Contains(r.Backends, name)
	}
	var out []point
	add := func(code, format string, args ...any) {
		out = append(out, point{code: code, side: grader.StateType, message: fmt.Sprintf(format, args...)})
	}
	for _, b := range initial.backends {
		i := slices.IndexFunc(final.backends, func(o world.BackendRef) bool { return o.ID == b.ID })
		switch {
		case free(b.ID, b.Name):
		case i < 0:
			add("custom_backend_replaced", "backend %s (%s) is gone", quote(b.ID), quote(b.Name))
		case final.backends[i] != b && initial.customRaw[b.ID] == nil:
			add("collateral_backend_change", "backend %s (%s) must stay as it was", quote(b.ID), quote(b.Name))
		}
	}
	for _, b := range final.backends {
		known := slices.ContainsFunc(initial.backends, func(o world.BackendRef) bool { return o.ID == b.ID })
		if !known && !free(b.ID, b.Name) {
			add("unexpected_backend_created", "backend %s (%s) was connected", quote(b.ID), quote(b.Name))
		}
	}
	was, err := initial.customs()
	if err != nil {
		return nil, err
	}
	is, err := final.customs()
	if err != nil {
		return nil, err
	}
	for _, a := range was {
		i := slices.IndexFunc(is, func(b *custom) bool { return b.ID == a.ID })
		if free(a.ID, a.Name) || i < 0 || sameJSON(initial.customRaw[a.ID], final.customRaw[a.ID]) {
			continue
		}
		b := is[i]
		if !exact(appList(a), appList(b)) {
			add("collateral_app_change", "the apps of backend %s (%s) must stay as they were", quote(a.ID), quote(a.Name))
		}
		if a.Name != b.Name || a.URL != b.URL || !exact(map[string]any(a.Widgets), map[string]any(b.Widgets)) || !slices.Equal(a.Warnings, b.Warnings) {
			add("collateral_backend_change", "backend %s (%s) must stay as it was", quote(a.ID), quote(a.Name))
		}
	}
	return out, nil
}

func appList(c *custom) []any {
	out := make([]any, len(c.Apps))
	for i, a := range c.Apps {
		out[i] = a
	}
	return out
}
