package workspace

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/grader"
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
	// Args are all data_args of one that is made. Without any they do not matter.
	Args map[string]any `json:"data_args,omitempty"`
	// Only says what of it may change: created, removed, data_args, ui_args, layout, or another
	// key of a widget, or one value in it, as in data_args.period. Without it everything may. One
	// that is only created has no ui_args.
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
	Settled Positions = "settled" // it may have risen or sunk as the grid settles when others go or come above it
)

// NothingElseRule demands that the whole workspace is deeply equal to what it was at the start but for
// what it names. Which dashboard and tab are open does not count: an agent has to look around.
type NothingElseRule struct {
	// Widgets may change. Each target excuses one widget, so that two of them need two.
	Widgets []Target `json:"widgets,omitempty"`
	// Dashboards, by id or the name they had, whose name, tabs and navigation bar may change.
	Dashboards []string `json:"dashboards,omitempty"`
	// NewDashboards may be made, by name, one for each. Widgets on them are targets.
	NewDashboards []string `json:"new_dashboards,omitempty"`
	// Names that dashboards may get, by the id or the name they had.
	Names map[string]string `json:"names,omitempty"`
	// Tabs may be made: names or ids of the demanded ones, by the id or name of their dashboard,
	// which may get a navigation bar by it.
	Tabs map[string][]string `json:"tabs,omitempty"`
	// TabNames that tabs of the start may get: by dashboard as for Tabs, and by their ids.
	TabNames map[string]map[string]string `json:"tab_names,omitempty"`
	// Backends that may be connected, by name, one for each; or changed or removed with all their
	// apps, by id or the name they had.
	Backends  []string  `json:"backends,omitempty"`
	Positions Positions `json:"positions,omitempty"`
	// Delegated is how many tasks may be handed to other agents.
	Delegated int `json:"delegated,omitempty"`
	// Calls that are demanded, and may tell backends what they say: headers, and to be one of the
	// platform.
	Calls []Call `json:"calls,omitempty"`
}

// NothingElse demands that nothing has changed but these widgets.
func NothingElse(targets ...Target) grader.Check {
	return grader.Check{Rule: &NothingElseRule{Widgets: targets}}
}

// Name implements grader.Rule.
func (*NothingElseRule) Name() string { return "workspace.nothing_else" }

// Codes implements grader.Rule.
func (*NothingElseRule) Codes() []string {
	return []string{"collateral_app_change", "collateral_backend_change", "collateral_dashboard_change", "collateral_widget_change", "custom_backend_replaced", "unexpected_backend_created", "unexpected_dashboard_created", "unexpected_delegation", "unexpected_widget"}
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
	for _, d := range r.NewDashboards {
		out = append(out, "a new dashboard "+quote(d))
	}
	for _, d := range slices.Sorted(maps.Keys(r.Names)) {
		out = append(out, fmt.Sprintf("the name of dashboard %s to %s", quote(d), quote(r.Names[d])))
	}
	for _, d := range slices.Sorted(maps.Keys(r.Tabs)) {
		out = append(out, fmt.Sprintf("new tabs %s of dashboard %s", quoted(r.Tabs[d]), quote(d)))
	}
	for _, d := range slices.Sorted(maps.Keys(r.TabNames)) {
		for _, t := range slices.Sorted(maps.Keys(r.TabNames[d])) {
			out = append(out, fmt.Sprintf("the name of tab %s of dashboard %s to %s", quote(t), quote(d), quote(r.TabNames[d][t])))
		}
	}
	for _, b := range r.Backends {
		out = append(out, "backend "+quote(b))
	}
	if r.Delegated > 0 {
		out = append(out, plural(r.Delegated, "task")+" handed to other agents")
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
	on, err := r.on(ev, final)
	if err != nil {
		return nil, err
	}
	changes, out, err := r.boards(initial, final, on)
	if err != nil {
		return nil, err
	}
	changes = r.excuse(on, changes)
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
	tabs, err := r.retitled(ev.Trace, initial, final)
	if err != nil {
		return nil, err
	}
	out = append(append(append(append(out, more...), tabs...), r.handed(ev.Trace)...), r.told(ev.Trace, final)...)
	if len(out) == 0 {
		out = append(out, point{code: "collateral_widget_change", side: grader.StateType})
	}
	return out, nil
}

// on returns the dashboard of each target, "" for any.
func (r *NothingElseRule) on(ev grader.Evidence, final *view) ([]string, error) {
	out := make([]string, len(r.Widgets))
	for i, t := range r.Widgets {
		if t.Dashboard == Open {
			continue
		}
		id, err := t.Dashboard.id(ev, final)
		if err != nil {
			return nil, err
		}
		if out[i] = id; id == "" {
			out[i] = "\x00" // no dashboard at all
		}
	}
	return out, nil
}

// excuse assigns targets to changed widgets and returns the changes that none covers.
func (r *NothingElseRule) excuse(on []string, changes []change) []change {
	if len(changes) == 0 {
		return nil
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
		return r.Widgets[t].is(on[t], widgets[w][0]) && !slices.ContainsFunc(widgets[w], func(c change) bool { return !r.Widgets[t].allows(c) })
	}
	// First those that are as their target wants them, so that these are not what is spoken of.
	plain := func(t, w int) bool {
		return whole(t, w) && len(r.Widgets[t].beyond(widgets[w][0])) == 0
	}
	best := assign(len(r.Widgets), len(widgets), plain)
	excused := map[int]bool{}
	for _, w := range best {
		if w >= 0 {
			excused[w] = true
		}
	}
	for t, w := range assign(len(r.Widgets), len(widgets), func(t, w int) bool { return best[t] < 0 && !excused[w] && whole(t, w) }) {
		if w >= 0 {
			excused[w] = true
			out = append(out, r.Widgets[t].beyond(widgets[w][0])...)
		}
	}
	for i, cs := range widgets {
		if excused[i] {
			continue
		}
		// What a target allows of this widget needs no mention beside what it does not.
		t := slices.IndexFunc(r.Widgets, func(t Target) bool { return t.UUID != "" && t.UUID == cs[0].key })
		for _, c := range cs {
			if t < 0 || !r.Widgets[t].is(on[t], c) || !r.Widgets[t].allows(c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// allows reports whether a change is no more than what may change of the target.
func (t Target) allows(c change) bool {
	if len(t.Only) == 0 || slices.Contains(t.Only, c.aspect) {
		return true
	}
	was, ok := c.was.(map[string]any)
	is, also := c.is.(map[string]any)
	if !ok || !also {
		return false
	}
	return !slices.ContainsFunc(keysOf(was, is), func(k string) bool {
		return !exact(was[k], is[k]) && !slices.Contains(t.Only, c.aspect+"."+k)
	})
}

// beyond lists what a widget that may be made was made with and was not to be: settings of its own,
// and arguments beside those wanted.
func (t Target) beyond(c change) []change {
	if c.aspect != created || len(t.Only) == 0 {
		return nil
	}
	var out []change
	w := c.widget
	if len(w.UIArgs) > 0 && !slices.Contains(t.Only, "ui_args") {
		out = append(out, change{board: c.board, aspect: "ui_args", key: c.key, was: object{}, is: w.UIArgs, widget: w})
	}
	want := t.Args
	if want == nil && w.Generated {
		want = object{}
	}
	if want != nil && !(subset(want, w.DataArgs) && subset(w.DataArgs, want)) && !slices.Contains(t.Only, "data_args") {
		out = append(out, change{board: c.board, aspect: "data_args", key: c.key, was: want, is: object(w.DataArgs), widget: w})
	}
	return out
}

func (t Target) is(board string, c change) bool {
	w := c.widget
	return (board == "" || board == c.board) &&
		(t.UUID == "" || t.UUID == c.key) &&
		(t.Origin == "" || t.Origin == w.Origin) &&
		(t.WidgetID == "" || t.WidgetID == w.WidgetID) &&
		(t.Type == "" || w.Generated && t.Type == w.Type) &&
		(t.Named == "" || t.Named == w.Name)
}
