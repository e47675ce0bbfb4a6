package workspace

import (
	"maps"
	"slices"

	rules "benchwright/grader/workspace"
	"benchwright/sim"
	world "benchwright/sim/workspace"
)

// A making is what one sentence demands to be made: several widgets of it are several, and the same
// demanded by another sentence is the same.
type making struct {
	f       *freedom
	claimed map[int]bool
}

func (f *freedom) making() *making { return &making{f, map[int]bool{}} }

// one frees a widget to be made. want says what it must be like.
func (m *making) one(t rules.Target, want any) {
	f := m.f
	t.Only = []string{"created"}
	k := string(sim.MustCanonical([]any{string(t.Dashboard), t.Origin, t.WidgetID, t.Type, t.Named, want}))
	for i, w := range f.wants {
		if w == k && !m.claimed[i] {
			m.claimed[i] = true
			return
		}
	}
	m.claimed[len(f.rule.Widgets)] = true
	f.rule.Widgets = append(f.rule.Widgets, t)
	f.wants = append(f.wants, k)
}

// listed frees a demanded widget of a backend to be made: with the arguments that nobody spoke of as
// they come, where that can be told.
func (m *making) listed(on rules.On, c *world.Composition, p rules.Placed) {
	t := rules.Target{Dashboard: on, Origin: p.Origin, WidgetID: p.WidgetID}
	if given, ok := m.f.given(on, c, p); ok {
		t.Args = given
		maps.Copy(t.Args, p.Args)
	}
	m.one(t, []any{p.Args, p.TabID, p.At})
	if c != nil && p.At != nil {
		m.f.rule.Positions = rules.Settled // others make room for it
	}
}

// given returns the arguments that a widget comes with: the defaults, and on a dashboard that is made of
// an app what the app gives it. A dashboard that may be made in any way tells nothing.
func (f *freedom) given(on rules.On, c *world.Composition, p rules.Placed) (map[string]any, bool) {
	w, err := f.n.widget(p.WidgetID, p.Origin)
	if err != nil || len(w.Params) == 0 {
		return nil, false
	}
	out := map[string]any{}
	for _, q := range w.Params {
		if q.Value != nil {
			out[q.Name] = q.Value
		}
	}
	if c != nil {
		return out, true
	}
	i := slices.IndexFunc(f.opened, func(a *rules.AppOpenedRule) bool { return a.Dashboard == on && a.Backend == p.Origin })
	all, err := f.n.backends()
	if i < 0 || err != nil {
		return nil, false
	}
	n := 0
	for _, b := range all {
		app := b.App(f.opened[i].App, f.opened[i].TemplateID)
		if b.Name != p.Origin || app == nil {
			continue
		}
		for _, t := range app.Tabs {
			for _, item := range t.Layout {
				if item.WidgetID != p.WidgetID {
					continue
				}
				n++
				for k, v := range item.Params {
					if w.Param(k) != nil {
						out[k] = v
					}
				}
			}
		}
	}
	return out, n == 1
}
