package workspace

import (
	"context"
	"fmt"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

// DashboardNameRule demands a dashboard's name, by phrase match.
type DashboardNameRule struct {
	Dashboard On     `json:"dashboard,omitempty"`
	Contains  string `json:"contains"`
}

// DashboardName demands that the open dashboard's name holds a phrase.
func DashboardName(phrase string) grader.Check {
	return grader.Check{Rule: &DashboardNameRule{Contains: phrase}}
}

// Name implements grader.Rule.
func (*DashboardNameRule) Name() string { return "workspace.dashboard_name" }

// Codes implements grader.Rule.
func (*DashboardNameRule) Codes() []string { return []string{"dashboard_name"} }

// Graded implements grader.Grounder.
func (r *DashboardNameRule) Graded() []string { return graded(r.Dashboard.ground(), r.Contains) }

func (r *DashboardNameRule) String() string {
	switch r.Dashboard {
	case Open, AtEnd:
		return fmt.Sprintf("the dashboard that is left open is called %q", r.Contains)
	case AtStart:
		return fmt.Sprintf("the dashboard that was open at the start is called %q", r.Contains)
	}
	return fmt.Sprintf("dashboard %q is called %q", string(r.Dashboard), r.Contains)
}

// Grade implements grader.Rule.
func (r *DashboardNameRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *DashboardNameRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *DashboardNameRule) points(ev grader.Evidence) ([]point, error) {
	c, none, err := r.Dashboard.board(ev)
	if err != nil {
		return nil, err
	}
	p := point{code: "dashboard_name", side: grader.StateType, message: none, want: r.Contains}
	if c != nil && !phrase(r.Contains, c.Name) {
		p.message, p.got = fmt.Sprintf("dashboard %s: want a name with %q, got %s", quote(c.DashboardID), r.Contains, quote(c.Name)), quote(c.Name)
	}
	return []point{p}, nil
}

// TabRule demands a tab by its id.
type TabRule struct {
	Dashboard On     `json:"dashboard,omitempty"`
	ID        string `json:"tab_id"`
}

// Tab demands that the open dashboard has a tab with an id.
func Tab(id string) grader.Check { return grader.Check{Rule: &TabRule{ID: id}} }

// Name implements grader.Rule.
func (*TabRule) Name() string { return "workspace.tab" }

// Codes implements grader.Rule.
func (*TabRule) Codes() []string { return []string{"missing_tab"} }

// Graded implements grader.Grounder.
func (r *TabRule) Graded() []string { return graded(r.Dashboard.ground(), r.ID) }

func (r *TabRule) String() string { return r.Dashboard.of(fmt.Sprintf("there is the tab %q", r.ID)) }

// Grade implements grader.Rule.
func (r *TabRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *TabRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *TabRule) points(ev grader.Evidence) ([]point, error) {
	return tabPoints(ev, r.Dashboard, "missing_tab", "tab id "+quote(r.ID), func(t world.Tab) (bool, string) { return t.ID == r.ID, t.ID })
}

// TabNameRule demands a tab by what the user reads on it, by phrase match.
type TabNameRule struct {
	Dashboard On     `json:"dashboard,omitempty"`
	Contains  string `json:"contains"`
}

// TabName demands that the open dashboard has a tab whose name holds a phrase.
func TabName(phrase string) grader.Check { return grader.Check{Rule: &TabNameRule{Contains: phrase}} }

// Name implements grader.Rule.
func (*TabNameRule) Name() string { return "workspace.tab_name" }

// Codes implements grader.Rule.
func (*TabNameRule) Codes() []string { return []string{"missing_tab_name"} }

// Graded implements grader.Grounder.
func (r *TabNameRule) Graded() []string { return graded(r.Dashboard.ground(), r.Contains) }

func (r *TabNameRule) String() string {
	return r.Dashboard.of(fmt.Sprintf("a tab is called %q", r.Contains))
}

// Grade implements grader.Rule.
func (r *TabNameRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *TabNameRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *TabNameRule) points(ev grader.Evidence) ([]point, error) {
	return tabPoints(ev, r.Dashboard, "missing_tab_name", fmt.Sprintf("a tab named %q", r.Contains), func(t world.Tab) (bool, string) { return phrase(r.Contains, t.Name), t.Name })
}

func tabPoints(ev grader.Evidence, on On, code, what string, is func(world.Tab) (bool, string)) ([]point, error) {
	c, none, err := on.board(ev)
	if err != nil {
		return nil, err
	}
	p := point{code: code, side: grader.StateType, message: none}
	if c != nil {
		var have []string
		for _, t := range c.Tabs {
			ok, shown := is(t)
			if ok {
				return []point{p}, nil
			}
			have = append(have, shown)
		}
		p.got = quoted(have)
		p.message = fmt.Sprintf("%s: want %s, there are %s", title(c), what, p.got)
		if len(have) == 0 {
			p.message = fmt.Sprintf("%s: want %s, there are no tabs", title(c), what)
		}
	}
	return []point{p}, nil
}
