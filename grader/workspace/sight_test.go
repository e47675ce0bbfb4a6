package workspace

import (
	"testing"

	"github.com/onsi/gomega"

	"benchwright/grader"
)

// TestUnseenWidgetsAreNotHeld holds that a demanded widget which nobody would see is missing.
func TestUnseenWidgetsAreNotHeld(t *testing.T) {
	demand := grader.Check{Rule: &ExactRule{Scope: Catalogue, Widgets: []Placed{{WidgetID: "policy_breaches"}, {WidgetID: "policy_breaches"}, {WidgetID: "preclearance_queue"}, {WidgetID: "case_register"}, {WidgetID: "case_chart"}, {WidgetID: "desk_register"}}}}
	q := widgetOf(good(), "w_q")
	one := grader.Check{Rule: &WidgetRule{Origin: q.Origin, WidgetID: q.WidgetID, Min: 1}}
	g := gomega.NewWithT(t)
	g.Expect(good()).To(demand)
	g.Expect(good()).To(one)
	for name, spoil := range map[string]func(*episode){
		"no width":         func(e *episode) { widgetOf(e, "w_q").Layout.W = 0 },
		"no height":        func(e *episode) { widgetOf(e, "w_q").Layout.H = -1 },
		"left of it":       func(e *episode) { widgetOf(e, "w_q").Layout.X = -500 },
		"above it":         func(e *episode) { widgetOf(e, "w_q").Layout.Y = -100 },
		"right of it":      func(e *episode) { widgetOf(e, "w_q").Layout.X = 1e9 },
		"a line":           func(e *episode) { widgetOf(e, "w_q").Layout.W = 0.0001 },
		"a dot":            func(e *episode) { l := &widgetOf(e, "w_q").Layout; l.X, l.W, l.H = 39.9999, 0.0001, 0.0001 },
		"a cell":           func(e *episode) { l := &widgetOf(e, "w_q").Layout; l.W, l.H = 1, 1 },
		"may be a line":    func(e *episode) { widgetOf(e, "w_q").Layout.MaxW = ptr(0.001) },
		"may be a cell":    func(e *episode) { widgetOf(e, "w_q").Layout.MaxH = ptr(1.0) },
		"must be wider":    func(e *episode) { l := &widgetOf(e, "w_q").Layout; l.MinW, l.MaxW = ptr(41.0), ptr(1.0) },
		"on a tab no more": func(e *episode) { widgetOf(e, "w_q").Layout.TabID = "gone" },
	} {
		e := good()
		spoil(e)
		g.Expect(e).NotTo(demand, name)
		g.Expect(e).NotTo(one, name)
	}
}

// TestDemandedTabsFreeNothingElse holds that tabs which may come do not free the dashboard they
// come to.
func TestDemandedTabsFreeNothingElse(t *testing.T) {
	demand := grader.Check{Rule: &NothingElseRule{Tabs: map[string][]string{"Breach Review": {"Late"}}}}
	g := gomega.NewWithT(t)
	for name, c := range map[string]struct {
		spoil func(*episode)
		code  string
	}{
		"renamed":     {func(e *episode) { breach(e).Name = "Hacked" }, "collateral_dashboard_change"},
		"tab gone":    {func(e *episode) { breach(e).Tabs = nil }, "collateral_dashboard_change"},
		"tab renamed": {func(e *episode) { breach(e).Tabs[0].Name = "Ruined" }, "collateral_dashboard_change"},
	} {
		e := good()
		c.spoil(e)
		f, err := demand.Rule.Grade(t.Context(), evidence(t, e))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, x := range f {
			found = found || x.Code == c.code
		}
		g.Expect(found).To(gomega.BeTrue(), name)
	}
}

func evidence(t *testing.T, e *episode) grader.Evidence {
	t.Helper()
	ev, err := e.Evidence(0)
	if err != nil {
		t.Fatal(err)
	}
	return ev
}
