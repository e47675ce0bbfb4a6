package workspace

import (
	"errors"
	"fmt"
	"slices"

	"benchwright/grader"
	rules "benchwright/grader/workspace"
	"benchwright/sim"
	world "benchwright/sim/workspace"
	"benchwright/tasks"
)

// nothingElse fills in what may change: what the checks up to an ask demand to be other than it
// was at the start.
func (n *notes) nothingElse(d *tasks.Draft, start *world.Snapshot) error {
	var problems []error
	for i := range d.Task.Rubric.Checks {
		c := d.Task.Rubric.Checks[i]
		r, ok := c.Rule.(*rules.NothingElseRule)
		if !ok {
			continue
		}
		f := &freedom{n: n, start: start, rule: r, used: map[string]bool{}, newBoards: n.made(d.Task.Rubric.Checks, c.Ask, start)}
		for _, o := range d.Task.Rubric.Checks {
			if a, ok := o.Rule.(*rules.AppOpenedRule); ok && o.Ask <= c.Ask {
				f.opened = append(f.opened, a)
			}
		}
		for _, o := range d.Task.Rubric.Checks {
			if o.Ask > c.Ask {
				continue
			}
			if err := f.demand(o.Rule); err != nil {
				problems = append(problems, fmt.Errorf("line %d: %w", o.Source.Line, err))
			}
		}
		for _, list := range []*[]string{&r.Dashboards, &r.NewDashboards, &r.Backends} {
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
	}
	return errors.Join(problems...)
}

// A freedom gathers what may change.
type freedom struct {
	n     *notes
	start *world.Snapshot
	rule  *rules.NothingElseRule
	used  map[string]bool // widgets of the start that stand for a demanded one
	// newBoards are the dashboards that checks name and that are not there at the start.
	newBoards map[string]bool
	wants     []string // what the targets that may be made stand for
	opened    []*rules.AppOpenedRule
}

// demand adds what a rule demands to be other than it was.
func (f *freedom) demand(r grader.Rule) error {
	switch r := r.(type) {
	case *rules.AppOpenedRule:
		f.made(r.Dashboard)
	case *rules.ExactRule:
		return f.exact(r)
	case *rules.WidgetRule:
		return f.widget(r)
	case *rules.GeneratedRule:
		f.generated(r)
	case *rules.LayoutRule:
		return f.layout(r)
	case *rules.DashboardNameRule:
		c := f.board(r.Dashboard)
		switch {
		case f.newBoards[r.Named]: // it is made, and is open
			f.made(rules.On(r.Named))
		case c == nil, c.Name == r.Named:
		case r.Dashboard == rules.AtEnd: // that one is open
		default:
			if f.rule.Names == nil {
				f.rule.Names = map[string]string{}
			}
			f.rule.Names[c.DashboardID] = r.Named
		}
	case *rules.TabRule:
		f.tab(r.Dashboard, r.ID, func(t world.Tab) bool { return t.ID == r.ID })
	case *rules.TabNameRule:
		if r.ID == nil {
			f.tab(r.Dashboard, r.Named, func(t world.Tab) bool { return t.Name == r.Named })
			break
		}
		c, id := f.board(r.Dashboard), string(r.Dashboard)
		if c != nil {
			id = c.DashboardID
		}
		if c == nil || !slices.ContainsFunc(c.Tabs, func(t world.Tab) bool { return t.ID == *r.ID && t.Name == r.Named }) {
			if f.rule.TabNames == nil {
				f.rule.TabNames = map[string]map[string]string{}
			}
			if f.rule.TabNames[id] == nil {
				f.rule.TabNames[id] = map[string]string{}
			}
			f.rule.TabNames[id][*r.ID] = r.Named
		}
	case *rules.CallsRule:
		f.calls(r)
	case *rules.ToolResultRule:
		if r.Tool == world.AssignTasks {
			f.rule.Delegated++
		}
	case *rules.BackendRule:
		f.rule.Backends = append(f.rule.Backends, r.Backend)
	case *rules.WidgetDefRule:
		f.rule.Backends = append(f.rule.Backends, r.Backend)
	case *rules.AppDefRule:
		f.rule.Backends = append(f.rule.Backends, r.Backend)
	}
	return nil
}

// board returns the dashboard that a demand is about, as it was.
func (f *freedom) board(on rules.On) *world.Composition {
	if on == rules.Open || on == rules.AtStart || on == rules.AtEnd {
		return f.start.Composition
	}
	return f.n.composition(f.start, string(on))
}

// made says that a dashboard that was not there is made.
func (f *freedom) made(on rules.On) bool {
	if f.board(on) != nil {
		return false
	}
	if on != rules.Open && on != rules.AtStart && on != rules.AtEnd {
		f.rule.NewDashboards = append(f.rule.NewDashboards, string(on))
	}
	return true
}

// target frees a widget. What is demanded of one widget by several sentences is freed together.
func (f *freedom) target(t rules.Target) {
	for i := range f.rule.Widgets {
		if o := &f.rule.Widgets[i]; t.UUID != "" && o.UUID == t.UUID {
			o.Only = append(o.Only, t.Only...)
			slices.Sort(o.Only)
			o.Only = slices.Compact(o.Only)
			return
		}
	}
	f.rule.Widgets = append(f.rule.Widgets, t)
	f.wants = append(f.wants, "")
}

// exact frees listed widgets that are not as they were, and those that are not listed.
func (f *freedom) exact(r *rules.ExactRule) error {
	c := f.board(r.Dashboard)
	m := f.making()
	if f.made(r.Dashboard) {
		for _, p := range r.Widgets {
			m.listed(r.Dashboard, nil, p)
		}
		return nil
	}
	var left []rules.Placed
	for _, p := range r.Widgets {
		if w := f.as(c, p); w != nil {
			f.used[key(c, w)] = true
			continue
		}
		left = append(left, p)
	}
	for _, p := range left {
		i := slices.IndexFunc(c.Widgets, func(w world.Widget) bool {
			return !w.Generated && !f.used[key(c, &w)] && (p.UUID == w.UUID || p.UUID == "" && p.Origin == w.Origin && p.WidgetID == w.WidgetID)
		})
		if i < 0 {
			m.listed(r.Dashboard, c, p)
			continue
		}
		w := &c.Widgets[i]
		f.used[key(c, w)] = true
		t := rules.Target{UUID: w.UUID}
		for _, k := range keys(p.Args) {
			if !matches(map[string]any{k: p.Args[k]}, w.DataArgs) {
				t.Only = append(t.Only, "data_args."+k)
			}
		}
		if p.At != nil && !sits(p.At, w.Layout) || p.TabID != nil && *p.TabID != w.Layout.TabID {
			t.Only = append(t.Only, "layout")
			f.rule.Positions = rules.Settled
		}
		f.target(t)
	}
	for i := range c.Widgets {
		w := &c.Widgets[i]
		if w.Generated || f.used[key(c, w)] || r.TabID != nil && *r.TabID != w.Layout.TabID {
			continue
		}
		f.used[key(c, w)] = true
		f.target(rules.Target{UUID: w.UUID, Only: []string{"removed"}})
		f.rule.Positions = rules.Settled
	}
	return nil
}

func key(c *world.Composition, w *world.Widget) string { return c.DashboardID + "\x00" + w.UUID }

// as returns a widget of the start that is already as demanded.
func (f *freedom) as(c *world.Composition, p rules.Placed) *world.Widget {
	for i := range c.Widgets {
		w := &c.Widgets[i]
		if !w.Generated && !f.used[key(c, w)] && (p.UUID == "" || p.UUID == w.UUID) && p.Origin == w.Origin && p.WidgetID == w.WidgetID &&
			matches(p.Args, w.DataArgs) && (p.TabID == nil || *p.TabID == w.Layout.TabID) && (p.At == nil || sits(p.At, w.Layout)) {
			return w
		}
	}
	return nil
}

// matches reports whether arguments are as demanded, going by their JSON.
func matches(want, got map[string]any) bool {
	for k, v := range want {
		g, ok := got[k]
		if !ok || string(sim.MustCanonical(v)) != string(sim.MustCanonical(g)) {
			return false
		}
	}
	return true
}

func sits(p *rules.Place, l world.Layout) bool {
	got := [4]float64{l.X, l.Y, l.W, l.H}
	for i, want := range [4]*float64{p.X, p.Y, p.W, p.H} {
		if want != nil && *want != got[i] {
			return false
		}
	}
	return true
}

func (f *freedom) widget(r *rules.WidgetRule) error {
	c := f.board(r.Dashboard)
	m := f.making()
	p := rules.Placed{Origin: r.Origin, WidgetID: r.WidgetID, Args: r.Args, TabID: r.TabID, At: r.At}
	if f.made(r.Dashboard) {
		for range r.Min {
			m.listed(r.Dashboard, nil, p)
		}
		return nil
	}
	if r.Max != nil && *r.Max == 0 {
		for i := range c.Widgets {
			w := &c.Widgets[i]
			if !w.Generated && w.Origin == r.Origin && w.WidgetID == r.WidgetID && !f.used[key(c, w)] && matches(r.Args, w.DataArgs) {
				f.used[key(c, w)] = true
				f.target(rules.Target{UUID: w.UUID, Only: []string{"removed"}})
				f.rule.Positions = rules.Settled
			}
		}
		return nil
	}
	have := 0
	for have < r.Min {
		w := f.as(c, p)
		if w == nil {
			break
		}
		f.used[key(c, w)] = true
		have++
	}
	var moved []string
	for i := range c.Widgets {
		w := &c.Widgets[i]
		if r.At != nil && have < r.Min && !w.Generated && w.Origin == r.Origin && w.WidgetID == r.WidgetID && !f.used[key(c, w)] &&
			matches(r.Args, w.DataArgs) && (r.TabID == nil || *r.TabID == w.Layout.TabID) {
			moved = append(moved, w.UUID)
		}
	}
	if len(moved) > r.Min-have {
		return several(r.WidgetID, moved)
	}
	for _, id := range moved {
		f.used[key(c, c.Widget(id))] = true
		f.target(rules.Target{UUID: id, Only: []string{"layout"}})
		f.rule.Positions = rules.Settled
		have++
	}
	for ; have < r.Min; have++ {
		m.listed(r.Dashboard, c, p)
	}
	return nil
}

// several is the error of a sentence by which any of several widgets could be moved.
func several(what string, uuids []string) error {
	return fmt.Errorf("%q may be any of the widgets %q: say by its uuid which one goes there", what, uuids)
}

func (f *freedom) generated(r *rules.GeneratedRule) {
	if f.made(r.Dashboard) {
		f.making().one(rules.Target{Dashboard: r.Dashboard, Type: r.Type, Named: r.Named}, nil)
		return
	}
	c := f.board(r.Dashboard)
	for i := range c.Widgets {
		w := &c.Widgets[i]
		if w.Generated && w.Type == r.Type && w.Name == r.Named {
			return // it is there, and stays as it was
		}
	}
	on := r.Dashboard
	switch {
	case on != rules.Open && on != rules.AtEnd:
	case len(f.newBoards) == 0:
		on = rules.On(c.DashboardID)
	default: // it goes to the dashboard that is made and open, whichever of several that is
		on = rules.Open
		if len(f.newBoards) == 1 {
			for name := range f.newBoards {
				on = rules.On(name)
			}
		}
	}
	f.making().one(rules.Target{Dashboard: on, Type: r.Type, Named: r.Named}, nil)
}

func (f *freedom) layout(r *rules.LayoutRule) error {
	if f.made(r.Dashboard) {
		return nil
	}
	c := f.board(r.Dashboard)
	var moved []string
	for i := range c.Widgets {
		w := &c.Widgets[i]
		if !(r.UUID != "" && r.UUID == w.UUID || r.UUID == "" && r.WidgetID == w.WidgetID && (r.Origin == "" || r.Origin == w.Origin)) {
			continue
		}
		if sits(&r.Place, w.Layout) && (r.TabID == nil || *r.TabID == w.Layout.TabID) {
			return nil // one is there, and stays
		}
		moved = append(moved, w.UUID)
	}
	if len(moved) > 1 {
		return several(r.WidgetID, moved)
	}
	for _, id := range moved {
		f.target(rules.Target{UUID: id, Only: []string{"layout"}})
		f.rule.Positions = rules.Settled
	}
	return nil
}

func (f *freedom) tab(on rules.On, demanded string, is func(world.Tab) bool) {
	c := f.board(on)
	id := string(on)
	if c != nil {
		id = c.DashboardID
		if slices.ContainsFunc(c.Tabs, is) {
			return
		}
	} else if !f.made(on) {
		return
	}
	if f.rule.Tabs == nil {
		f.rule.Tabs = map[string][]string{}
	}
	if !slices.Contains(f.rule.Tabs[id], demanded) {
		f.rule.Tabs[id] = append(f.rule.Tabs[id], demanded)
	}
}

// calls frees what demanded calls do and no state shows.
func (f *freedom) calls(r *rules.CallsRule) {
	for _, c := range r.Calls {
		switch c.Tool {
		case world.AssignTasks:
			each := 1 // a call of which nothing is said hands over one task
			if tasks, ok := c.Args["task_requests"].([]any); ok {
				each = len(tasks)
			}
			f.rule.Delegated += each * max(1, c.Min)
		case world.ManageBackends:
			if len(c.Args) > 0 {
				f.rule.Calls = append(f.rule.Calls, c)
			}
		}
	}
}
