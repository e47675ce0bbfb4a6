package workspace

import (
	"slices"
	"strconv"
	"strings"

	"benchwright/sim/workspace/backend"
)

func getSnapshot(c *call) *failure { return c.snapshotAnswer() }

// snapshotAnswer answers with what an agent may see at a glance: the open dashboard in full, and
// the others by name. Each one given is counted.
func (c *call) snapshotAnswer() *failure {
	s := c.edit()
	s.made.snapshots++
	return c.answer(func(b []byte) []byte {
		b = append(b, `{"dashboard_composition":`...)
		if d := s.current(); d == nil {
			b = append(b, "null"...)
		} else {
			b = append(b, d.composition()...)
		}
		b = append(b, `,"dashboards":[`...)
		for i, d := range s.dashboards {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendText(append(b, `{"dashboard_id":`...), d.id)
			b = appendBool(append(b, `,"is_active":`...), i == s.active)
			b = appendText(append(b, `,"name":`...), d.name)
			b = strconv.AppendInt(append(b, `,"tab_count":`...), int64(len(d.tabs)), 10)
			b = strconv.AppendInt(append(b, `,"widget_count":`...), int64(len(d.widgets)), 10)
			b = append(b, '}')
		}
		b = strconv.AppendInt(append(b, `],"generated_at":`...), int64(s.made.snapshots), 10)
		b = s.appendSkills(append(b, `,"skills":`...))
		return s.appendFocus(append(b, `,"workspace_state":`...))
	})
}

func manageDashboard(c *call) *failure {
	name, named := c.args["name"].(string)
	switch op := c.args.text("operation"); op {
	case "create":
		if name == "" {
			return c.needs(op, "name")
		}
		if f := c.shapes(); f != nil {
			return f
		}
		id := c.args.text("dashboard_id")
		if id != "" && c.state.find(id) >= 0 {
			return failed("Dashboard id %s already exists.", quoted(id))
		}
		s := c.edit()
		i := s.addDashboard(id, name)
		if c.args.flag("activate", true) {
			s.activate(i, "")
		}
		return c.dashboardAnswer(s.dashboards[i])
	case "read":
		if f := c.shapes(); f != nil {
			return f
		}
		i, f := c.dashboard()
		if f != nil {
			return f
		}
		return c.dashboardAnswer(c.state.dashboards[i])
	case "update":
		if !named || c.args.text("dashboard_id") == "" {
			return c.needs(op, "dashboard_id and name")
		}
		if f := c.shapes(); f != nil {
			return f
		}
		i, f := c.dashboard()
		if f != nil {
			return f
		}
		d := c.edit().rewrite(i)
		d.name = name
		return c.dashboardAnswer(d)
	}
	return c.requires("create, read, update")
}

func manageNavigationBar(c *call) *failure {
	if v := c.args["dashboard_id"]; v != nil && !isText.fits(v) {
		return invalid("dashboard_id must be a string.")
	}
	i, f := c.dashboard()
	if f != nil {
		return f
	}
	op := c.args.text("operation")
	switch op {
	case "create", "add_tabs", "remove_tabs":
	case "rename_tabs":
		return c.renameTabs(i)
	default:
		return c.requires("create, add_tabs, remove_tabs, rename_tabs")
	}
	named := c.args.list("tabs")
	if len(named) == 0 {
		return c.needs(op, "tabs")
	}
	tabs := make([]tab, len(named))
	for n, v := range named {
		m, _ := v.(map[string]any)
		name, ok := m["name"].(string)
		if !ok || len(m) != 1 || strings.TrimSpace(name) == "" {
			return invalid("tabs must be objects with only the key name.")
		}
		if f := tooLong("The name of a tab", name, maxName); f != nil {
			return f
		}
		tabs[n] = tab{backend.Slug(name, "tab"), name}
	}
	s := c.edit()
	d := s.rewrite(i)
	switch op {
	case "create":
		d.bar = true
		d.tabs = nil
		d.addTabs(tabs)
	case "add_tabs":
		d.bar = true
		d.addTabs(tabs)
	case "remove_tabs":
		d.tabs = slices.DeleteFunc(slices.Clone(d.tabs), func(t tab) bool {
			return slices.ContainsFunc(tabs, func(gone tab) bool { return gone.id == t.id })
		})
	}
	if len(d.tabs) > maxTabs && op != "remove_tabs" {
		return c.undone(invalid("A dashboard holds at most %d tabs; with these it would hold %d.", maxTabs, len(d.tabs)))
	}
	if i == s.active && (op == "create" || !d.hasTab(s.tab)) {
		s.tab = d.firstTab()
	}
	return c.dashboardAnswer(d)
}

// addTabs adds the tabs whose ids are not there yet.
func (d *dashboard) addTabs(tabs []tab) {
	d.tabs = slices.Clip(d.tabs)
	for _, t := range tabs {
		if !d.hasTab(t.id) {
			d.tabs = append(d.tabs, t)
		}
	}
}

// renameTabs changes what tabs are called. Their ids stay.
func (c *call) renameTabs(i int) *failure {
	names := c.args.object("rename_map")
	if len(names) == 0 {
		return c.needs("rename_tabs", "rename_map")
	}
	for _, v := range names {
		name, ok := v.(string)
		if !ok {
			return invalid("rename_map must map tab ids to names.")
		}
		if f := tooLong("The name of a tab", name, maxName); f != nil {
			return f
		}
	}
	d := c.edit().rewrite(i)
	d.tabs = slices.Clone(d.tabs)
	for n, t := range d.tabs {
		if name, ok := names[t.id].(string); ok {
			d.tabs[n].name = name
		}
	}
	return c.dashboardAnswer(d)
}

func navigate(c *call) *failure {
	op := c.args.text("operation")
	if op != "dashboard" && op != "tab" {
		return c.requires("dashboard, tab")
	}
	tab, to := c.args.tab("tab_id")
	switch {
	case op == "dashboard" && c.args.text("dashboard_id") == "":
		return c.needs(op, "dashboard_id")
	case op == "tab" && !to:
		return c.needs(op, "tab_id")
	}
	if f := c.shapes(); f != nil {
		return f
	}
	i, f := c.dashboard()
	if f != nil {
		if op == "dashboard" {
			return invalid("Unknown dashboard_id.")
		}
		return f
	}
	d := c.state.dashboards[i]
	if op == "dashboard" {
		c.edit().activate(i, d.firstTab())
	}
	if to {
		if !d.hasTab(tab) {
			return invalid("Unknown tab_id.")
		}
		c.edit().activate(i, tab)
	}
	return c.snapshotAnswer()
}
