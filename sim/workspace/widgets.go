package workspace

import (
	"slices"

	"benchwright/sim"
)

func createWidget(c *call) *failure {
	origin, id := c.args.text("origin"), c.args.text("widget_id")
	if origin == "" {
		origin = c.args.text("backend_name")
	}
	switch {
	case origin == "" || id == "":
		return invalid("create_widget requires origin from list_available_widgets and widget_id.")
	case id == richNote:
		return invalid("create_widget does not support 'rich_note'. Use add_generative_widget with widget_type='note' instead.")
	}
	data, ui, f := c.configs()
	if f != nil {
		return f
	}
	if f := c.shapes(); f != nil {
		return f
	}
	i, f := c.dashboard()
	if f != nil {
		return c.tried(f)
	}
	conn, def, f := c.definition(origin, id)
	if f != nil {
		return c.tried(f)
	}
	if c.args.flag("dry_run", false) {
		return c.rehearsed(created(def, data), doubts(def, data, false))
	}
	if f := c.crowded(1); f != nil {
		return f
	}
	s := c.edit()
	d := s.rewrite(i)
	body := placed(conn, def, s.nextWidget(d), data, pairsOf(ui))
	if f := body.large(); f != nil {
		return c.undone(f)
	}
	return c.widgetAnswer(d.append(body, d.room(s), def.Grid.W, def.Grid.H))
}

// room returns the tab that something new goes to; a dashboard without tabs gets one.
func (d *dashboard) room(s *state) string {
	if len(d.tabs) == 0 {
		d.tabs = []tab{{}}
	}
	return s.target(d)
}

// append puts a new widget below all others on a tab, lets the grid settle and returns it.
func (d *dashboard) append(w *body, tab string, width, height float64) *widget {
	at := place{tab: tab, y: d.freeRow(tab), w: bounded(width), h: bounded(height)}
	n := len(d.widgets)
	d.widgets = append(slices.Clip(d.widgets), &widget{body: w, at: at})
	d.settle(tab, n)
	return d.widgets[n]
}

// configs returns data_args and ui_args, which may also stand inside config.
func (c *call) configs() (data, ui map[string]any, f *failure) {
	config := c.args.object("config")
	get := func(name string) (map[string]any, bool) {
		v := c.args[name]
		if v == nil {
			v = config[name]
		}
		m, ok := v.(map[string]any)
		return m, ok || v == nil
	}
	data, ok1 := get("data_args")
	ui, ok2 := get("ui_args")
	if !ok1 || !ok2 || c.args.has("config") && config == nil {
		return nil, nil, invalid("data_args and ui_args must be objects.")
	}
	return data, ui, nil
}

// tried makes a failed look-up the result of a dry run, which is ok and says that the call would
// not be.
func (c *call) tried(f *failure) *failure {
	if f == nil || !c.args.flag("dry_run", false) {
		return f
	}
	return c.dryRun(false, nil, []string{f.Message})
}

// rehearsed is the result of a dry run that would work.
func (c *call) rehearsed(effective pairs, warnings []string) *failure {
	return c.dryRun(true, effective, warnings)
}

func (c *call) dryRun(valid bool, effective pairs, warnings []string) *failure {
	return c.answer(func(b []byte) []byte {
		b = effective.append(append(b, `{"effective_params":`...))
		b = appendBool(append(b, `,"valid":`...), valid)
		return append(append(b, `,"warnings":`...), sim.MustCanonical(warnings)...)
	})
}

// layoutKeys are those that update_widget sends to update_widget_layout.
var layoutKeys = []string{
	"x", "y", "w", "h", "min_w", "min_h", "max_w", "max_h", "minW", "minH", "maxW", "maxH",
	"grid_data", "gridData", "inner_tab", "innerTab", "tab_id",
}

func updateWidget(c *call) *failure {
	ui := c.args.object("ui_args")
	for _, k := range layoutKeys {
		if _, inside := ui[k]; inside || c.args.has(k) {
			return invalid("update_widget only supports widget-instance config changes. Use update_widget_layout for x, y, w, h, gridData, or tab_id.")
		}
	}
	data, ui, f := c.configs()
	if f != nil {
		return f
	}
	if f := c.shapes(); f != nil {
		return f
	}
	i, at, f := c.widget()
	if f != nil {
		return c.tried(f)
	}
	w := c.state.dashboards[i].widgets[at]
	var merge pairs
	warnings := []string{}
	switch {
	case len(data) == 0:
	case w.generated:
		merge = pairsOf(data)
	default:
		_, def, f := c.definition(w.origin, w.id)
		if f != nil {
			return c.tried(f)
		}
		merge = updated(def, data)
		warnings = doubts(def, data, true)
	}
	merged := w.data.merged(merge)
	if c.args.flag("dry_run", false) {
		return c.rehearsed(merged, warnings)
	}
	settings := w.ui.merged(pairsOf(ui))
	if merged.equal(w.data) && settings.equal(w.ui) {
		return c.widgetAnswer(w)
	}
	n := &widget{body: w.with(merged, settings), at: w.at}
	if f := n.large(); f != nil {
		return f
	}
	d := c.edit().rewrite(i)
	d.put(at, n)
	return c.widgetAnswer(n)
}

func updateLayout(c *call) *failure {
	for _, name := range []string{"widget_uuid", "widget_id", "dashboard_id", "tab_id"} {
		if v := c.args[name]; v != nil && !isText.fits(v) {
			return invalid("%s must be a string.", name)
		}
	}
	i, at, f := c.widget()
	if f != nil {
		return f
	}
	w := c.state.dashboards[i].widgets[at]
	to := place{tab: w.at.tab}
	var ok [4]bool
	to.x, ok[0] = c.args.number("x")
	to.y, ok[1] = c.args.number("y")
	to.w, ok[2] = c.args.number("w")
	to.h, ok[3] = c.args.number("h")
	if ok != [4]bool{true, true, true, true} {
		return invalid("update_widget_layout requires x, y, w, and h.")
	}
	if to.bounds, f = c.bounds(); f != nil {
		return f
	}
	if id, ok := c.args.tab("tab_id"); ok {
		if !c.state.dashboards[i].hasTab(id) {
			return invalid("Unknown tab_id.")
		}
		to.tab = id
	}
	d := c.edit().rewrite(i)
	d.put(at, w.moved(to))
	d.settle(to.tab, at)
	if w.at.tab != to.tab {
		d.settle(w.at.tab, -1)
	}
	return c.widgetAnswer(d.widgets[at])
}

// bounds returns the limits of a widget's size, or nil when none is given.
func (c *call) bounds() (*bounds, *failure) {
	var b bounds
	given := false
	for _, part := range []struct {
		name string
		to   **float64
	}{{"min_w", &b.minW}, {"min_h", &b.minH}, {"max_w", &b.maxW}, {"max_h", &b.maxH}} {
		if !c.args.has(part.name) {
			continue
		}
		n, ok := c.args.number(part.name)
		if !ok {
			return nil, invalid("%s must be a number.", part.name)
		}
		*part.to, given = &n, true
	}
	if !given {
		return nil, nil
	}
	return &b, nil
}

func deleteWidget(c *call) *failure {
	if f := c.shapes(); f != nil {
		return f
	}
	i, at, f := c.widget()
	if f != nil {
		return f
	}
	w := c.state.dashboards[i].widgets[at]
	d := c.edit().rewrite(i)
	d.widgets = slices.Delete(slices.Clone(d.widgets), at, at+1)
	d.settle(w.at.tab, -1)
	return c.answer(func(b []byte) []byte { return appendText(append(b, `{"deleted_widget_uuid":`...), w.uuid) })
}

func readWidget(c *call) *failure {
	if f := c.shapes(); f != nil {
		return f
	}
	i, at, f := c.widget()
	if f != nil {
		return f
	}
	w := c.state.dashboards[i].widgets[at]
	conn := c.state.origin(w.origin)
	if w.generated || conn == nil || !conn.authored || c.state.runtime == nil {
		return c.widgetAnswer(w)
	}
	data, f := conn.source.Data(w.id, w.data.object())
	return c.answer(func(b []byte) []byte {
		if f != nil {
			b = appendText(append(b, `{"data_error":`...), f.Message)
		} else {
			b = append(append(b, `{"data_preview":`...), data...)
		}
		return w.append(append(b, `,"widget":`...))
	})
}
