package backend

import (
	"encoding/json"
	"slices"
	"strings"
)

var (
	groupTypes = []string{"endpointParam", "param", "ticker"}
	appKeys    = set("name", "tabs", "description", "img", "img_dark", "img_light", "allowCustomization", "groups", "prompts", "template_id", "templateId",
		"id", "selected_agent", "authentication", "mcp_servers", "mcpServers")
)

func (r *Report) validateApps(raw json.RawMessage) {
	s := scope{"[apps.json]", &r.AppErrors, &r.Warnings}
	v, err := parse(raw)
	if err != nil {
		s.fail("%s.", err)
		return
	}
	if v == nil { // a payload may say null for a part that it has not
		return
	}
	list, ok := v.([]any)
	if !ok {
		s.fail("Invalid format. Expected an array of app objects.")
		return
	}
	r.apps = list
	for i, v := range list {
		app, ok := v.(*object)
		if !ok {
			s.in(" app[%d]", i).fail("each app must be an object.")
			continue
		}
		name := "Unknown App"
		if text(app.get("name")) {
			name = app.str("name")
		} else {
			s.in(" app[%d]", i).fail("'name' is required and must be a string.")
		}
		r.validateApp(s.in(" app '%s'", shown(name)), app)
	}
}

func (r *Report) validateApp(a scope, app *object) {
	tabs := app.obj("tabs")
	if tabs == nil || len(tabs.keys) == 0 {
		a.fail("'tabs' is required and must be a non-empty object.")
		tabs = &object{}
	}
	for _, key := range tabs.keys {
		t := a.in(" (tab: %s)", shown(key))
		if tab, ok := tabs.m[key].(*object); ok {
			r.validateTab(t, tab)
		} else {
			t.fail("each tab must be an object.")
		}
	}
	groups, ok := app.get("groups").([]any)
	if !ok && app.get("groups") != nil {
		a.fail("'groups' must be an array.")
	}
	for i, v := range groups {
		g := a.in(" groups[%d]", i)
		if group, ok := v.(*object); ok {
			r.validateGroup(g, group)
		} else {
			g.fail("must be an object.")
		}
	}
	if v := app.get("prompts"); v != nil && !texts(v) {
		a.fail("'prompts' must be an array of strings.")
	}
	a.unknown(app, appKeys)
}

func (r *Report) validateTab(t scope, tab *object) {
	for _, k := range []string{"id", "name"} {
		if _, ok := tab.get(k).(string); !ok {
			t.fail("tab '%s' is required.", k)
		}
	}
	list, ok := tab.get("layout").([]any)
	if !ok {
		t.fail("tab 'layout' must be an array.")
	}
	var items []item
	for i, v := range list {
		l := t.in(" layout[%d]", i)
		if o, ok := v.(*object); ok {
			items = append(items, validateItem(l, i, o))
		} else {
			l.fail("must be an object.")
		}
	}
	var missing []string
	for _, it := range items {
		if it.id != "" && it.id != navigationBar && r.widgets.get(it.id) == nil {
			missing = append(missing, shown(it.id))
		}
	}
	if slices.Sort(missing); len(missing) > 0 {
		t.warn("[widgets.json]: Missing widgets used in tab `%s`.", strings.Join(slices.Compact(missing), ", "))
	}
	items = slices.DeleteFunc(items, func(it item) bool { return !it.placed })
	for _, it := range items {
		l := t.in(" layout[%d]", it.index)
		if it.x < 0 || it.y < 0 || it.w <= 0 || it.h <= 0 {
			l.warn("geometry must be positive and within the grid.")
		}
		if it.x+it.w > gridColumns {
			l.warn("extends past the 40-column grid (x=%s, w=%s).", it.xText, it.wText)
		}
	}
	for i, a := range items {
		for _, b := range items[i+1:] {
			if t.full() {
				return
			}
			if a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h {
				t.warn("layout items '%s' and '%s' overlap.", shown(a.id), shown(b.id))
			}
		}
	}
}

// An item is one layout item. It is placed when all its numbers are there.
type item struct {
	index        int
	id           string
	x, y, w, h   float64
	xText, wText string
	placed       bool
}

func validateItem(l scope, index int, o *object) item {
	it := item{index: index, id: o.str("i"), xText: Str(o.get("x")), wText: Str(o.get("w")), placed: true}
	if it.id == "" {
		l.fail("'i' (widget id) is required.")
	}
	for _, e := range []struct {
		key string
		to  *float64
	}{{"x", &it.x}, {"y", &it.y}, {"w", &it.w}, {"h", &it.h}} {
		n, ok := numeric(o.get(e.key))
		if !ok {
			l.fail("'%s' is required and numeric.", e.key)
			it.placed = false
		}
		*e.to = n
	}
	return it
}

func (r *Report) validateGroup(g scope, group *object) {
	for _, k := range []string{"name", "type"} {
		if !text(group.get(k)) {
			g.fail("group '%s' is required.", k)
		}
	}
	ids, ok := group.get("widgetIds").([]any)
	if !ok && group.get("widgetIds") != nil {
		g.fail("widgetIds must be an array.")
	}
	if t := group.get("type"); text(t) && !oneOf(t, groupTypes) {
		g.warn("group type '%s' is not one of %s.", shown(Str(t)), names(groupTypes))
	}
	var unknown []string
	for _, v := range ids {
		if id := Str(plain(v)); r.widgets.get(id) == nil {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) > 0 {
		g.warn("widgetIds reference unknown widgets %s.", names(unknown))
	}
}
