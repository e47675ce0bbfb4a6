package workspace

import (
	"strconv"
	"strings"

	"benchwright/sim/workspace/backend"
)

// navigationBar is an item of a template's layout that is no widget.
const navigationBar = "navigation_bar"

func manageApps(c *call) *failure {
	op := c.args.text("operation")
	if op != "list" && op != "read" && op != "instantiate" {
		return c.requires("list, read, instantiate")
	}
	if c.args.has("apps_json") || c.args.has("widgets_json") {
		return invalid("manage_apps does not publish apps or widgets. Your backend serves them: use manage_backends operation='add' (new custom backend) or operation='refresh' (existing backend_id) with widgets_json and/or apps_json, then manage_apps can list/read/instantiate them.")
	}
	id := c.args.text("backend_id")
	if id == "" {
		return invalid("manage_apps requires backend_id.")
	}
	name, template := c.args.text("app_name"), c.args.text("template_id")
	if op != "list" && name == "" && template == "" {
		return c.needs(op, "app_name or template_id")
	}
	if f := c.shapes(); f != nil {
		return f
	}
	at := c.state.backend(id)
	if at < 0 {
		return failed("Unknown backend_id %s", quoted(id))
	}
	conn := c.state.backends[at]
	if op == "list" {
		return c.listApps(conn)
	}
	app := conn.source.App(name, template)
	if app == nil {
		return failed("%s", missingApp(conn, name, template))
	}
	if op == "read" {
		return c.answer(func(b []byte) []byte { return append(append(b, `{"app":`...), app.Raw...) })
	}
	return c.instantiate(conn, app)
}

func missingApp(conn *connection, name, template string) string {
	wanted := name
	if wanted == "" {
		wanted = template
	}
	served := "none"
	if len(conn.source.Apps) > 0 {
		var each []string
		for _, a := range conn.source.Apps {
			each = append(each, shown(a.Name)+" (template_id "+shown(a.TemplateID)+")")
		}
		served = strings.Join(each, ", ")
	}
	return "App " + quoted(wanted) + " not found. Apps served by this backend: " + served +
		". Pass the app's name as app_name (or its template_id), and the new dashboard's name as dashboard_name."
}

func (c *call) listApps(conn *connection) *failure {
	return c.answer(func(b []byte) []byte {
		b = append(b, `{"apps":[`...)
		for i, a := range conn.source.Apps {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendBool(append(b, `{"allow_customization":`...), a.AllowCustomization)
			b = appendText(append(b, `,"description":`...), a.Description)
			b = appendText(append(b, `,"name":`...), a.Name)
			b = strconv.AppendInt(append(b, `,"prompt_count":`...), int64(len(a.Prompts)), 10)
			b = strconv.AppendInt(append(b, `,"tab_count":`...), int64(len(a.Tabs)), 10)
			b = appendText(append(b, `,"template_id":`...), a.TemplateID)
			b = append(b, '}')
		}
		return append(b, ']')
	})
}

// instantiate makes a dashboard of an app. Positions are those of the template, and nothing
// settles. Groups and views of the template do not show in the dashboard.
func (c *call) instantiate(conn *connection, app *backend.App) *failure {
	if missing := conn.source.Unserved(app); len(missing) > 0 {
		for i := range missing {
			missing[i] = shown(missing[i])
		}
		return failed("Unable to create app because these widgets are unavailable: %s", strings.Join(missing, ", "))
	}
	items := 0
	for _, t := range app.Tabs {
		items += len(t.Layout)
	}
	if f := c.crowded(items); f != nil {
		return f
	}
	name := c.args.text("dashboard_name")
	if name == "" {
		name = app.Name
	}
	s := c.edit()
	i := s.addDashboard("", name)
	d := s.dashboards[i] // nobody else has seen it
	if len(app.Tabs) > 0 {
		d.tabs = nil
	}
	for _, t := range app.Tabs {
		d.addTabs([]tab{{t.Key, t.Name}})
		for _, p := range t.Layout {
			if p.WidgetID == navigationBar {
				d.bar = true
				continue
			}
			body := placed(conn, conn.source.Widget(p.WidgetID), s.nextWidget(d), p.Params, nil)
			d.widgets = append(d.widgets, &widget{body: body, at: place{tab: t.Key, x: bounded(p.X), y: bounded(p.Y), w: bounded(p.W), h: bounded(p.H)}})
		}
	}
	if c.args.flag("activate", true) {
		s.activate(i, d.firstTab())
	}
	return c.dashboardAnswer(d)
}
