package workspace

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

// DashboardNameRule demands a dashboard's name: exactly, or by phrase match.
type DashboardNameRule struct {
	Dashboard On     `json:"dashboard,omitempty"`
	Named     string `json:"name,omitempty"`
	Contains  string `json:"contains,omitempty"`
}

// DashboardCalled demands that the open dashboard has exactly this name.
func DashboardCalled(name string) grader.Check {
	return grader.Check{Rule: &DashboardNameRule{Named: name}}
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
func (r *DashboardNameRule) Graded() []string {
	return graded(r.Dashboard.ground(), r.Named, r.Contains)
}

func (r *DashboardNameRule) String() string {
	what := strconv.Quote(r.Contains)
	if r.Named != "" {
		what = "exactly " + strconv.Quote(r.Named)
	}
	switch r.Dashboard {
	case Open, AtEnd:
		return "the dashboard that is left open is called " + what
	case AtStart:
		return "the dashboard that was open at the start is called " + what
	}
	return fmt.Sprintf("dashboard %q is called %s", string(r.Dashboard), what)
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
	if err := oneName(r, r.Named, r.Contains); err != nil {
		return nil, err
	}
	c, none, err := r.Dashboard.board(ev)
	if err != nil {
		return nil, err
	}
	p := point{code: "dashboard_name", side: grader.StateType, message: none, want: r.Named + r.Contains}
	if c != nil && !isCalled(c.Name, r.Named, r.Contains) {
		p.message, p.got = fmt.Sprintf("dashboard %s: want %s, got %s", quote(c.DashboardID), aName(r.Named, r.Contains), quote(c.Name)), quote(c.Name)
	}
	return []point{p}, nil
}

// isCalled reports whether a name is as demanded: exactly, or by phrase match.
func isCalled(name, named, contains string) bool {
	if named != "" {
		return name == named
	}
	return phrase(contains, name)
}

// aName words such a demand.
func aName(named, contains string) string {
	if named != "" {
		return "the name " + quote(named)
	}
	return "a name with " + quote(contains)
}

// oneName reports a rule that does not say in one way what a name must be.
func oneName(r grader.Rule, named, contains string) error {
	if (named == "") == (contains == "") {
		return fixture("rule %s names one of name and contains", r.Name())
	}
	return nil
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
	return tabPoints(ev, r.Dashboard, "missing_tab", func() string { return "tab id " + quote(r.ID) }, func(t world.Tab) (bool, string) { return t.ID == r.ID, t.ID })
}

// TabNameRule demands a tab by what the user reads on it: exactly, or by phrase match. With an id it
// is that tab which has the name, so that the name on some other tab is of no use.
type TabNameRule struct {
	Dashboard On      `json:"dashboard,omitempty"`
	ID        *string `json:"tab_id,omitempty"`
	Named     string  `json:"name,omitempty"`
	Contains  string  `json:"contains,omitempty"`
}

// TabName demands that the open dashboard has a tab whose name holds a phrase.
func TabName(phrase string) grader.Check { return grader.Check{Rule: &TabNameRule{Contains: phrase}} }

// TabCalled demands that the tab of an id on the open dashboard has exactly this name.
func TabCalled(id, name string) grader.Check {
	return grader.Check{Rule: &TabNameRule{ID: &id, Named: name}}
}

// Name implements grader.Rule.
func (*TabNameRule) Name() string { return "workspace.tab_name" }

// Codes implements grader.Rule.
func (*TabNameRule) Codes() []string { return []string{"missing_tab_name"} }

// Graded implements grader.Grounder.
func (r *TabNameRule) Graded() []string {
	return graded(r.Dashboard.ground(), r.Named, r.Contains)
}

func (r *TabNameRule) String() string {
	what := fmt.Sprintf("a tab is called %q", r.Named+r.Contains)
	if r.Named != "" {
		what = fmt.Sprintf("a tab is called exactly %q", r.Named)
	}
	if r.ID != nil {
		what = strings.Replace(what, "a tab", fmt.Sprintf("the tab %q", *r.ID), 1)
	}
	return r.Dashboard.of(what)
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
	if err := oneName(r, r.Named, r.Contains); err != nil {
		return nil, err
	}
	what := func() string {
		if r.ID != nil {
			return fmt.Sprintf("tab %s named %s", quote(*r.ID), quote(r.Named+r.Contains))
		}
		return "a tab named " + quote(r.Named+r.Contains)
	}
	return tabPoints(ev, r.Dashboard, "missing_tab_name", what, func(t world.Tab) (bool, string) {
		if r.is(t.ID, t.Name) || r.ID == nil {
			return r.is(t.ID, t.Name), t.Name
		}
		return false, t.ID + ": " + t.Name
	})
}

// is reports whether a tab has the demanded name and, if one is given, the id.
func (r *TabNameRule) is(id, name string) bool {
	return (r.ID == nil || *r.ID == id) && isCalled(name, r.Named, r.Contains)
}

func tabPoints(ev grader.Evidence, on On, code string, what func() string, is func(world.Tab) (bool, string)) ([]point, error) {
	c, none, err := on.board(ev)
	if err != nil {
		return nil, err
	}
	p := point{code: code, side: grader.StateType, message: none}
	if c != nil {
		var have []string
		for _, t := range c.Tabs {
			if ok, _ := is(t); ok {
				return []point{p}, nil
			}
		}
		for _, t := range c.Tabs {
			_, shown := is(t)
			have = append(have, shown)
		}
		p.got = quoted(have)
		p.message = fmt.Sprintf("%s: want %s, there are %s", title(c), what(), p.got)
		if len(have) == 0 {
			p.message = fmt.Sprintf("%s: want %s, there are no tabs", title(c), what())
		}
	}
	return []point{p}, nil
}
