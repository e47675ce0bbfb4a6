package workspace

import (
	"errors"
	"fmt"
	"slices"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

// boards lists the changes of all dashboards that are not excused as a whole, and the points
// about dashboards that came or went. on are the dashboards of the targets.
func (r *NothingElseRule) boards(initial, final *view, on []string) ([]change, []point, error) {
	var all []change
	var out []point
	for _, id := range initial.order() {
		if _, ok := final.boards[id]; !ok {
			out = append(out, point{code: "collateral_dashboard_change", side: grader.StateType, message: fmt.Sprintf("dashboard %s is gone", quote(id))})
			continue
		}
		cs, err := compareBoards(initial, final, id)
		if err != nil || len(cs) == 0 {
			if err != nil {
				return nil, nil, err
			}
			continue
		}
		was, err1 := initial.board(id)
		is, err2 := final.board(id)
		if err := errors.Join(err1, err2); err != nil {
			return nil, nil, err
		}
		var moved map[string]bool
		if r.Positions == Settled && was != nil && is != nil {
			moved = settled(was, is, func(c change) bool { return r.moves(on, c) })
		}
		for _, c := range cs {
			if c.widget == nil && r.frees(initial, id, was, is, c.aspect) || c.aspect == "layout" && moved[c.key] {
				continue
			}
			all = append(all, c)
		}
	}
	left := slices.Clone(r.NewDashboards)
	for _, id := range final.order() {
		if _, ok := initial.boards[id]; ok {
			continue
		}
		name := final.title(id)
		i := slices.Index(left, name)
		if i < 0 {
			out = append(out, point{code: "unexpected_dashboard_created", side: grader.StateType, message: fmt.Sprintf("dashboard %s (%s) was made", quote(id), quote(name))})
			continue
		}
		left = slices.Delete(left, i, i+1)
		c, err := final.board(id)
		if err != nil {
			return nil, nil, err
		}
		if c == nil {
			continue
		}
		for i := range c.Widgets {
			all = append(all, change{board: id, aspect: created, key: c.Widgets[i].UUID, widget: &c.Widgets[i]})
		}
		for _, t := range spareTabs(c, r.Tabs[name]) {
			all = append(all, change{board: id, aspect: "tabs", is: t})
		}
	}
	return all, out, nil
}

// moves reports whether a change of a widget's place is one of a target.
func (r *NothingElseRule) moves(on []string, c change) bool {
	for i, t := range r.Widgets {
		if t.is(on[i], c) && t.allows(c) {
			return true
		}
	}
	return false
}

// spareTabs returns the names of tabs of a new dashboard that hold nothing and that nobody asked for.
// A dashboard may have one tab without that.
func spareTabs(c *world.Composition, wanted []string) []string {
	if len(c.Tabs) < 2 {
		return nil
	}
	var out []string
	for _, t := range c.Tabs {
		holds := slices.ContainsFunc(c.Widgets, func(w world.Widget) bool { return w.Layout.TabID == t.ID })
		if !holds && !slices.Contains(wanted, t.Name) && !slices.Contains(wanted, t.ID) {
			out = append(out, t.Name)
		}
	}
	return out
}

// frees reports whether a dashboard may change as it did in one aspect of its own.
func (r *NothingElseRule) frees(initial *view, id string, was, is *world.Composition, aspect string) bool {
	title := initial.title(id)
	switch {
	case was == nil || is == nil:
		return false
	case slices.Contains(r.Dashboards, id) || slices.Contains(r.Dashboards, title):
		return true
	case aspect == "name":
		return is.Name != "" && (r.Names[id] == is.Name || r.Names[title] == is.Name)
	}
	made := slices.Concat(r.Tabs[id], r.Tabs[title])
	renamed := func(t, name string) bool {
		return name != "" && (r.TabNames[id][t] == name || r.TabNames[title][t] == name)
	}
	switch aspect {
	case "tabs":
		return tabsKept(was, is, made, renamed)
	case "navigation_bar":
		return len(made) > 0 && is.NavigationBar
	}
	return false
}

// tabsKept reports whether the tabs of a dashboard are those that were there, in their order and with
// their names but for those that may get another, and of the made ones each at most once. The
// tab that the world gives a dashboard without any, and that has no name, may come, and go as long as
// nothing was on it.
func tabsKept(was, is *world.Composition, made []string, renamed func(id, name string) bool) bool {
	next := 0
	for _, t := range was.Tabs {
		i := slices.IndexFunc(is.Tabs, func(o world.Tab) bool { return o.ID == t.ID })
		bare := t.ID == "" && t.Name == "" && len(made) > 0 &&
			!slices.ContainsFunc(was.Widgets, func(w world.Widget) bool { return w.Layout.TabID == "" })
		switch {
		case i < 0 && bare:
			continue
		case i < next, is.Tabs[i].Name != t.Name && !renamed(t.ID, is.Tabs[i].Name):
			return false
		}
		next = i + 1
	}
	made = slices.Clone(made)
	for n, t := range is.Tabs {
		same := func(o world.Tab) bool { return o.ID == t.ID }
		if slices.ContainsFunc(was.Tabs, same) && !slices.ContainsFunc(is.Tabs[:n], same) || len(was.Tabs) == 0 && t.ID == "" && t.Name == "" {
			continue
		}
		i := slices.IndexFunc(made, func(m string) bool { return m == t.Name || m == t.ID })
		if i < 0 {
			return false
		}
		made = slices.Delete(made, i, i+1)
	}
	return true
}

// title returns the name of a dashboard.
func (v *view) title(id string) string {
	if i := slices.IndexFunc(v.dashboards, func(d world.DashboardRef) bool { return d.ID == id }); i >= 0 {
		return v.dashboards[i].Name
	}
	return ""
}
