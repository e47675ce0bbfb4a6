package workspace

import (
	"slices"

	"benchwright/grader"
	rules "benchwright/grader/workspace"
	world "benchwright/sim/workspace"
	"benchwright/tasks"
)

// subjectOf returns where a rule says which dashboard it is about, or nil.
func subjectOf(r grader.Rule) *rules.On {
	switch r := r.(type) {
	case *rules.AppOpenedRule:
		return &r.Dashboard
	case *rules.DashboardNameRule:
		return &r.Dashboard
	case *rules.ExactRule:
		return &r.Dashboard
	case *rules.GeneratedRule:
		return &r.Dashboard
	case *rules.GridRule:
		return &r.Dashboard
	case *rules.LayoutRule:
		return &r.Dashboard
	case *rules.OverlapRule:
		return &r.Dashboard
	case *rules.TabNameRule:
		return &r.Dashboard
	case *rules.TabRule:
		return &r.Dashboard
	case *rules.UnsaidRule:
		if r.Type != "" {
			return &r.Dashboard
		}
	case *rules.WidgetRule:
		return &r.Dashboard
	}
	return nil
}

// pinned reports whether a rule is about a widget by its uuid, which only one of the start can have.
func pinned(r grader.Rule) bool {
	switch r := r.(type) {
	case *rules.ExactRule:
		return slices.ContainsFunc(r.Widgets, func(p rules.Placed) bool { return p.UUID != "" })
	case *rules.LayoutRule:
		return r.UUID != ""
	}
	return false
}

// made returns the dashboards that sentences up to an ask name and that are not there at the start.
func (n *notes) made(checks []grader.Check, ask int, start *world.Snapshot) map[string]bool {
	out := map[string]bool{}
	for _, c := range checks {
		on := subjectOf(c.Rule)
		if on == nil || c.Ask > ask {
			continue
		}
		switch *on {
		case rules.Open, rules.AtEnd, rules.AtStart:
			continue
		}
		if n.composition(start, string(*on)) == nil {
			out[string(*on)] = true
		}
	}
	return out
}

// subjects settles which dashboard "the dashboard" is: the one that a sentence says is called so, where
// the task is to go there or to make it; where another one is to be made, the one left open; and else the
// one that was open when the agent was asked, so that another one in its place is of no use.
func (n *notes) subjects(d *tasks.Draft, start *world.Snapshot) {
	checks := d.Task.Rubric.Checks
	was := ""
	if start.Composition != nil {
		was = start.Composition.Name
	}
	for _, c := range checks {
		on := subjectOf(c.Rule)
		if on == nil || *on != rules.Open {
			continue
		}
		made := n.made(checks, c.Ask, start)
		to := rules.Open
		if start.Composition != nil && (len(made) == 0 || pinned(c.Rule)) {
			to = rules.AtStart
		}
		for _, o := range checks {
			r, ok := o.Rule.(*rules.DashboardNameRule)
			if ok && !pinned(c.Rule) && o.Ask <= c.Ask && (r.Dashboard == rules.Open || r.Dashboard == rules.AtEnd) && r.Named != was && (made[r.Named] || n.composition(start, r.Named) != nil) {
				if to = rules.On(r.Named); o.Rule == c.Rule {
					to = rules.AtEnd // it says itself which one is left open
				}
			}
		}
		*on = to
	}
}
