package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"benchwright/grader"
	rules "benchwright/grader/workspace"
	"benchwright/sim"
	world "benchwright/sim/workspace"
	"benchwright/tasks"
)

// finish fills in what all tasks have in common and reports what a scenario left open.
func finish(d *tasks.Draft) error {
	n := noted(d)
	var problems []error
	if n.setup.Baseline == "" && !n.said["workspace"] && len(n.boards) == 0 {
		problems = append(problems, errors.New(`the scenario does not say where it starts: Given the workspace "…", or Given a bare workspace`))
	}
	if !n.said["backend"] && len(n.custom) == 0 {
		problems = append(problems, errors.New("the scenario does not say what is connected: Given the backends …, or Given every backend"))
	}
	if !n.said["tool"] {
		problems = append(problems, errors.New("the scenario does not say what the agent may use: Given the tools …, or Given every tool"))
	}
	if !n.solved {
		problems = append(problems, errors.New("the scenario has no reference solution: Then a reference solution is: …"))
	}
	if err := errors.Join(problems...); err != nil {
		return err
	}
	start, err := n.start()
	if err != nil {
		return err
	}
	if err := n.nothingElse(d, start); err != nil {
		return err
	}
	if d.Task.System == "" {
		d.Task.System = Rules(Guided)
	}
	if d.Task.Limits.Turns == 0 {
		d.Task.Limits.Turns = Turns
	}
	if d.Task.Limits.Wall == 0 {
		d.Wall(Deadline)
	}
	d.Task.Protocol.Lenient = true
	if !n.answered() && len(n.reference) < d.Task.Limits.Turns {
		last := d.Task.Rubric.Reference[len(d.Task.Rubric.Reference)-1].Source
		d.At(last)
		add(d, tasks.Move{Answer: json.RawMessage("null")})
	}
	for i := range d.Task.Asks {
		if len(d.Task.Asks[i].Context) == 0 {
			d.Task.Asks[i].Context = sim.MustCanonical(n.public(d.Task, i))
		}
	}
	return d.Setup(n.setup)
}

// public is what comes with an ask.
func (n *notes) public(t tasks.Task, ask int) AskContext {
	difficulty, _ := t.Label("difficulty")
	if level, ok := t.Label("level"); ok {
		difficulty = "level" + level
	}
	c := AskContext{Track: Guided, Specification: specification(difficulty), Fixtures: connected(n.setup), Origins: n.shelf.origins(n.setup)}
	if s, ok := t.Label("specification"); ok {
		c.Specification = s
	}
	for _, check := range t.Rubric.Checks {
		switch check.Rule.(type) {
		case *rules.AnswerRule, *rules.AnswerSaysRule, *JudgedRule:
			c.FinalAnswer = c.FinalAnswer || check.Ask == ask
		}
	}
	return c
}

// nothingCodes are what a change of something else raises.
var nothingCodes = (*rules.NothingElseRule)(nil).Codes()

// nothingElse notes that all that is not demanded must be as it was. What is demanded is known
// when the scenario ends.
func nothingElse(d *tasks.Draft) error {
	if len(d.Task.Asks) == 0 {
		return errors.New("a Then needs a When before it: nothing has been asked yet")
	}
	n := noted(d)
	for len(n.nothing) < len(d.Task.Asks) {
		n.nothing = append(n.nothing, grader.Source{})
	}
	i := len(d.Task.Asks) - 1
	if n.nothing[i] != (grader.Source{}) {
		return fmt.Errorf("line %d has said so already", n.nothing[i].Line)
	}
	n.nothing[i] = d.Source()
	return once(d, &rules.NothingElseRule{})
}

// nothingElse fills in what may change: what the checks up to an ask demand to be other than it
// was at the start.
func (n *notes) nothingElse(d *tasks.Draft, start *world.Snapshot) error {
	for i := range d.Task.Rubric.Checks {
		c := d.Task.Rubric.Checks[i]
		r, ok := c.Rule.(*rules.NothingElseRule)
		if !ok {
			continue
		}
		f := &freedom{n: n, start: start, rule: r, used: map[string]bool{}, newBoards: map[string]bool{}}
		for _, o := range d.Task.Rubric.Checks {
			if on := subjectOf(o.Rule); on != "" && o.Ask <= c.Ask && n.composition(start, on) == nil {
				f.newBoards[on] = true
			}
		}
		for _, o := range d.Task.Rubric.Checks {
			if o.Ask <= c.Ask {
				f.demand(o.Rule)
			}
		}
		slices.Sort(r.Dashboards)
		r.Dashboards = slices.Compact(r.Dashboards)
		slices.Sort(r.Backends)
		r.Backends = slices.Compact(r.Backends)
	}
	return nil
}

// A freedom gathers what may change.
type freedom struct {
	n     *notes
	start *world.Snapshot
	rule  *rules.NothingElseRule
	used  map[string]bool // widgets of the start that stand for a demanded one
	// newBoards are the dashboards that checks name and that are not there at the start.
	newBoards map[string]bool
}

// subjectOf returns the name of the dashboard that a rule is about, if it names one.
func subjectOf(r grader.Rule) string {
	switch r := r.(type) {
	case *rules.ExactRule:
		return string(r.Dashboard)
	case *rules.WidgetRule:
		return string(r.Dashboard)
	case *rules.TabNameRule:
		return string(r.Dashboard)
	}
	return ""
}

// demand adds what a rule demands to be other than it was.
func (f *freedom) demand(r grader.Rule) {
	switch r := r.(type) {
	case *rules.ExactRule:
		f.exact(r)
	case *rules.WidgetRule:
		f.widget(r)
	case *rules.GeneratedRule:
		f.generated(r)
	case *rules.LayoutRule:
		f.layout(r)
	case *rules.DashboardNameRule:
		c := f.board(r.Dashboard)
		switch {
		case c != nil && c.Name == r.Contains, f.n.composition(f.start, r.Contains) != nil: // that one is open
		case f.newBoards[r.Contains]: // it is made, and is open
			f.rule.Dashboards = append(f.rule.Dashboards, r.Contains)
		case c != nil:
			f.rule.Dashboards = append(f.rule.Dashboards, c.DashboardID)
		}
	case *rules.TabRule:
		f.tab(r.Dashboard, r.ID, func(t world.Tab) bool { return t.ID == r.ID })
	case *rules.TabNameRule:
		f.tab(r.Dashboard, r.Contains, func(t world.Tab) bool { return t.Name == r.Contains })
	case *rules.WidgetDefRule:
		f.rule.Backends = append(f.rule.Backends, r.Backend)
	case *rules.AppDefRule:
		f.rule.Backends = append(f.rule.Backends, r.Backend)
	}
}

// board returns the dashboard that a demand is about, as it was.
func (f *freedom) board(on rules.On) *world.Composition {
	if on == rules.Open || on == rules.AtStart || on == rules.AtEnd {
		return f.start.Composition
	}
	return f.n.composition(f.start, string(on))
}

// made says that a dashboard that was not there is made, with whatever is on it.
func (f *freedom) made(on rules.On) bool {
	if f.board(on) != nil {
		return false
	}
	f.rule.Dashboards = append(f.rule.Dashboards, string(on))
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
}

// exact frees listed widgets that are not as they were, and those that are not listed.
func (f *freedom) exact(r *rules.ExactRule) {
	if f.made(r.Dashboard) {
		return
	}
	c := f.board(r.Dashboard)
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
		t := rules.Target{Dashboard: r.Dashboard, Origin: p.Origin, WidgetID: p.WidgetID, Only: []string{"created"}}
		if i >= 0 {
			w := &c.Widgets[i]
			f.used[key(c, w)] = true
			t = rules.Target{UUID: w.UUID}
			if !matches(p.Args, w.DataArgs) {
				t.Only = append(t.Only, "data_args")
			}
			if p.At != nil && !sits(p.At, w.Layout) || p.TabID != nil && *p.TabID != w.Layout.TabID {
				t.Only = append(t.Only, "layout")
				f.rule.Positions = rules.Settled
			}
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

func (f *freedom) widget(r *rules.WidgetRule) {
	if f.made(r.Dashboard) {
		return
	}
	c := f.board(r.Dashboard)
	have := 0
	for i := range c.Widgets {
		w := &c.Widgets[i]
		if w.Generated || w.Origin != r.Origin || w.WidgetID != r.WidgetID || f.used[key(c, w)] {
			continue
		}
		switch {
		case r.Max != nil && *r.Max == 0 && matches(r.Args, w.DataArgs):
			f.used[key(c, w)] = true
			f.target(rules.Target{UUID: w.UUID, Only: []string{"removed"}})
			f.rule.Positions = rules.Settled
		case matches(r.Args, w.DataArgs) && (r.TabID == nil || *r.TabID == w.Layout.TabID) && have < r.Min:
			f.used[key(c, w)] = true
			have++
		}
	}
	for ; have < r.Min; have++ {
		f.target(rules.Target{Dashboard: r.Dashboard, Origin: r.Origin, WidgetID: r.WidgetID, Only: []string{"created"}})
	}
}

func (f *freedom) generated(r *rules.GeneratedRule) {
	if f.made(r.Dashboard) {
		return
	}
	c := f.board(r.Dashboard)
	for i := range c.Widgets {
		w := &c.Widgets[i]
		if w.Generated && w.Type == r.Type && w.Name == r.Named && !f.used[key(c, w)] {
			f.used[key(c, w)] = true
			return // it is there, and stays as it was
		}
	}
	on := r.Dashboard
	if on == rules.Open || on == rules.AtEnd {
		if len(f.newBoards) > 0 {
			return // it goes to the dashboard that is made and open, which is free as a whole
		}
		on = rules.On(c.DashboardID)
	}
	f.target(rules.Target{Dashboard: on, Type: r.Type, Named: r.Named, Only: []string{"created"}})
}

func (f *freedom) layout(r *rules.LayoutRule) {
	if f.made(r.Dashboard) {
		return
	}
	c := f.board(r.Dashboard)
	for i := range c.Widgets {
		w := &c.Widgets[i]
		if (r.UUID != "" && r.UUID == w.UUID || r.UUID == "" && r.WidgetID == w.WidgetID) && (!sits(&r.Place, w.Layout) || r.TabID != nil && *r.TabID != w.Layout.TabID) {
			f.target(rules.Target{UUID: w.UUID, Only: []string{"layout"}})
			f.rule.Positions = rules.Settled
		}
	}
}

func (f *freedom) tab(on rules.On, demanded string, is func(world.Tab) bool) {
	c := f.board(on)
	if c == nil {
		f.rule.Dashboards = append(f.rule.Dashboards, string(on))
		return
	}
	if !slices.ContainsFunc(c.Tabs, is) {
		if f.rule.Tabs == nil {
			f.rule.Tabs = map[string][]string{}
		}
		f.rule.Tabs[c.DashboardID] = append(f.rule.Tabs[c.DashboardID], demanded)
	}
}
