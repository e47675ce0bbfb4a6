package workspace

func listWidgets(c *call) *failure {
	if f := c.shapes(); f != nil {
		return f
	}
	origin, id := c.args.text("origin"), c.args.text("backend_id")
	if id != "" && c.state.backend(id) < 0 {
		return failed("Unknown backend_id %s", quoted(id))
	}
	return c.answer(func(b []byte) []byte {
		b = append(b, `{"widgets":[`...)
		first := true
		for _, conn := range c.state.backends {
			if origin != "" && conn.name != origin || id != "" && conn.id != id {
				continue
			}
			widgets := conn.list()
			if len(widgets) == 0 {
				continue
			}
			if !first {
				b = append(b, ',')
			}
			first = false
			b = append(b, widgets...)
		}
		return append(b, ']')
	})
}

// list returns the entries of the backend's widgets, encoded once.
func (c *connection) list() []byte {
	return c.listing.get(func() []byte {
		b := []byte{}
		for _, d := range c.source.Widgets {
			if d.ID == richNote {
				continue
			}
			if len(b) > 0 {
				b = append(b, ',')
			}
			b = appendText(append(b, `{"backend_id":`...), c.id)
			b = appendText(append(b, `,"category":`...), d.Category)
			b = appendText(append(b, `,"description":`...), d.Description)
			b = appendRaw(append(b, `,"grid_data":`...), d.GridData)
			b = appendText(append(b, `,"name":`...), d.Name)
			b = appendText(append(b, `,"origin":`...), c.name)
			b = appendText(append(b, `,"type":`...), d.Type)
			b = appendText(append(b, `,"widget_id":`...), d.ID)
			b = append(b, '}')
		}
		return b
	})
}

// richNote is the product's own note widget. It is neither listed nor created.
const richNote = "rich_note"

func getSchema(c *call) *failure {
	origin, id := c.args.text("origin"), c.args.text("widget_id")
	if origin == "" || id == "" {
		return invalid("get_widget_schema requires origin from list_available_widgets and widget_id.")
	}
	_, def, f := c.definition(origin, id)
	if f != nil {
		return f
	}
	return c.answer(func(b []byte) []byte { return append(append(b, `{"schema":`...), def.Schema...) })
}

func getOptions(c *call) *failure {
	origin, id, param := c.args.text("origin"), c.args.text("widget_id"), c.args.text("param_name")
	if origin == "" || id == "" || param == "" {
		return invalid("get_params_options requires origin, widget_id, and param_name.")
	}
	if f := c.shapes(); f != nil {
		return f
	}
	conn, _, f := c.definition(origin, id)
	if f != nil {
		return f
	}
	options := conn.source.Options(id, param, c.args.object("data_args"))
	return c.answer(func(b []byte) []byte { return append(append(b, `{"options":`...), options...) })
}

func getData(c *call) *failure {
	origin, id := c.args.text("origin"), c.args.text("widget_id")
	if origin == "" || id == "" {
		return invalid("get_widget_data requires origin and widget_id.")
	}
	if f := c.shapes(); f != nil {
		return f
	}
	conn := c.state.origin(origin)
	if conn == nil {
		return failed("Unknown backend origin %s", quoted(origin))
	}
	data, f := conn.source.Data(id, c.args.object("data_args"))
	if f != nil {
		return f
	}
	return c.answer(func(b []byte) []byte { return append(append(b, `{"data":`...), data...) })
}
