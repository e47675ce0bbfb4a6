package workspace

import (
	"benchwright/sim/workspace/backend"
)

// A call is one call of a tool while it is carried out.
type call struct {
	tool  *tool
	args  arguments
	raw   []byte // the arguments as they were sent
	state *state // before the call; never written to
	after *state // what the call made of it; nil while it has changed nothing
	data  func(b []byte) []byte
}

// edit returns the state to be changed.
func (c *call) edit() *state {
	if c.after == nil {
		c.after = c.state.edit()
	}
	return c.after
}

// answer says what writes the data of the answer: an object without its closing brace.
func (c *call) answer(data func(b []byte) []byte) *failure {
	c.data = data
	return nil
}

// shapes checks the arguments that the tool declares, in the order of the declaration.
func (c *call) shapes() *failure {
	for _, p := range c.tool.params {
		if v := c.args[p.name]; v != nil && !p.shape.fits(v) {
			return invalid("%s must be %s.", p.name, shapeNames[p.shape])
		}
	}
	return nil
}

// dashboard returns the index of the dashboard that a call is about: the one it names, or the
// active one.
func (c *call) dashboard() (int, *failure) {
	if id := c.args.text("dashboard_id"); id != "" {
		i := c.state.find(id)
		if i < 0 {
			return 0, failed("Unknown dashboard_id %s", quoted(id))
		}
		return i, nil
	}
	if c.state.active < 0 {
		return 0, failed("No active dashboard")
	}
	return c.state.active, nil
}

// widget returns the dashboard and the index on it of the widget that a call is about.
func (c *call) widget() (board, at int, f *failure) {
	board, f = c.dashboard()
	if f != nil {
		return 0, 0, f
	}
	d := c.state.dashboards[board]
	if uuid := c.args.text("widget_uuid"); uuid != "" {
		if at = d.index(uuid); at < 0 {
			return 0, 0, failed("Unknown widget_uuid %s", quoted(uuid))
		}
		return board, at, nil
	}
	id, said := c.args.text("widget_id"), "None"
	n := 0
	if id != "" {
		said = quoted(id)
		for i, w := range d.widgets {
			if w.id == id {
				n, at = n+1, i
			}
		}
	}
	if n != 1 {
		return 0, 0, failed("widget_id %s matched %d widgets; use widget_uuid", said, n)
	}
	return board, at, nil
}

// definition returns the definition behind an origin and a widget id.
func (c *call) definition(origin, id string) (*connection, *backend.Definition, *failure) {
	conn := c.state.origin(origin)
	if conn == nil {
		return nil, nil, failed("Unknown backend origin %s", quoted(origin))
	}
	def := conn.source.Widget(id)
	if def == nil {
		return nil, nil, failed("Unknown widget_id %s for backend %s", quoted(id), shown(conn.name))
	}
	return conn, def, nil
}

// target returns the tab of a dashboard that something new goes to: the active tab where the
// dashboard has it, else the default tab, else the first. A dashboard without tabs gets the
// default one.
func (s *state) target(d *dashboard) string {
	switch {
	case d.hasTab(s.tab):
		return s.tab
	case d.hasTab(""):
		return ""
	}
	return d.firstTab()
}

// widgetAnswer answers with one widget.
func (c *call) widgetAnswer(w *widget) *failure {
	return c.answer(func(b []byte) []byte { return w.append(append(b, `{"widget":`...)) })
}

// dashboardAnswer answers with a dashboard and all that is on it.
func (c *call) dashboardAnswer(d *dashboard) *failure {
	return c.answer(func(b []byte) []byte {
		b = append(append(b, `{"dashboard_composition":`...), d.composition()...)
		b = appendText(append(b, `,"dashboard_id":`...), d.id)
		return appendText(append(b, `,"name":`...), d.name)
	})
}

// requires is the refusal of an operation that the tool does not have.
func (c *call) requires(operations string) *failure {
	return invalid("%s requires operation from {%s}.", c.tool.name, operations)
}

// needs is the refusal of an operation that lacks something.
func (c *call) needs(operation, what string) *failure {
	return invalid("%s operation='%s' requires %s.", c.tool.name, operation, what)
}

// texts reports whether v is an object of exactly these keys, all of them strings.
func texts(v any, keys ...string) bool {
	m, ok := v.(map[string]any)
	if !ok || len(m) != len(keys) {
		return false
	}
	for _, k := range keys {
		if _, ok := m[k].(string); !ok {
			return false
		}
	}
	return true
}
