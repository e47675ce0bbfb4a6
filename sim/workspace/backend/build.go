package backend

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Source is a backend as manifests.
type Source struct {
	Slug, Name, URL string
	Widgets         json.RawMessage // widgets.json
	Apps            json.RawMessage // apps.json; nil if there is none
	Warnings        []string        // for Seed: what to keep as warnings
}

// Author validates and normalises manifests that are handed in, as manage_backends does. It has
// no data until datasets are bound to it with Bind. What validation refuses is an *[Invalid].
func Author(s Source) (*Backend, error) {
	r := Validate(s.Widgets, s.Apps)
	if err := r.Err(); err != nil {
		return nil, err
	}
	b, err := build(s, r.widgets, r.apps, true)
	if err != nil {
		return nil, err
	}
	b.Warnings = r.Warnings
	return b, nil
}

// Seed reads manifests without validating them, as a task's initial state does: types and
// template ids are filled in, all else stays as it is. It fails only for text that has not the
// shape of a manifest.
func Seed(s Source) (*Backend, error) {
	v, err := parse(s.Widgets)
	if err != nil {
		return nil, fmt.Errorf("backend %q: widgets.json: %w", s.Name, err)
	}
	widgets, ok := v.(*object)
	if !ok {
		return nil, fmt.Errorf("backend %q: widgets.json: want an object of definitions by widget id", s.Name)
	}
	var apps []any
	if s.Apps != nil {
		if v, err = parse(s.Apps); err != nil {
			return nil, fmt.Errorf("backend %q: apps.json: %w", s.Name, err)
		}
		if apps, ok = v.([]any); !ok && v != nil {
			return nil, fmt.Errorf("backend %q: apps.json: want a list of apps", s.Name)
		}
	}
	b, err := build(s, widgets, apps, false)
	if err != nil {
		return nil, err
	}
	b.Warnings = s.Warnings
	return b, nil
}

// Refresh returns the backend with new manifests; a nil part keeps its present content. Name,
// slug, URL and datasets stay. Apps are validated against the widgets that then hold. What
// validation refuses is an *[Invalid], and b is unchanged in any case.
func (b *Backend) Refresh(widgets, apps json.RawMessage) (*Backend, error) {
	if widgets == nil {
		widgets = b.WidgetsJSON()
	}
	if apps == nil {
		apps = b.AppsJSON()
	}
	next, err := Author(Source{Slug: b.Slug, Name: b.Name, URL: b.URL, Widgets: widgets, Apps: apps})
	if err != nil {
		return nil, err
	}
	return next.Bind(b.runtime), nil
}

// As returns the backend under another slug, name and URL; an empty text keeps what there is.
func (b *Backend) As(slug, name, url string) *Backend {
	c := *b
	if slug != "" {
		c.Slug = slug
	}
	if url != "" {
		c.URL = cleanURL(url)
	}
	if name == "" || name == b.Name {
		return &c
	}
	c.Name = name
	c.Widgets = make([]*Definition, len(b.Widgets))
	c.index = make(map[string]*Definition, len(b.Widgets))
	for i, d := range b.Widgets {
		n := *d
		n.Schema = n.schema(name)
		c.Widgets[i] = &n
		c.index[n.ID] = &n
	}
	return &c
}

// WidgetsJSON returns widgets.json in normalised form, without rows.
func (b *Backend) WidgetsJSON() json.RawMessage {
	o := &object{m: make(map[string]any, len(b.Widgets))}
	for _, d := range b.Widgets {
		o.set(d.ID, d.Raw)
	}
	return encode(o)
}

// AppsJSON returns apps.json in normalised form.
func (b *Backend) AppsJSON() json.RawMessage {
	list := make([]any, len(b.Apps))
	for i, a := range b.Apps {
		list[i] = a.Raw
	}
	return encode(list)
}

func cleanURL(s string) string { return strings.TrimRight(strings.TrimSpace(s), "/") }

// build makes a backend of manifests. reduce keeps only w and h of gridData.
func build(s Source, widgets *object, apps []any, reduce bool) (*Backend, error) {
	b := &Backend{Slug: s.Slug, Name: s.Name, URL: cleanURL(s.URL), index: make(map[string]*Definition, len(widgets.keys))}
	for _, id := range widgets.keys {
		doc, ok := widgets.m[id].(*object)
		if !ok {
			return nil, fmt.Errorf("backend %q: widget %q: the definition is no object", s.Name, shorten(id))
		}
		d := define(id, doc, reduce)
		d.Schema = d.schema(b.Name)
		b.Widgets = append(b.Widgets, d)
		b.index[id] = d
	}
	seen := map[string]bool{}
	for i, v := range apps {
		doc, ok := v.(*object)
		if !ok {
			return nil, fmt.Errorf("backend %q: app %d is no object", s.Name, i)
		}
		b.Apps = append(b.Apps, template(doc, i, seen))
	}
	return b, nil
}

func define(id string, doc *object, reduce bool) *Definition {
	doc = doc.copy()
	doc.set("type", effectiveType(doc))
	grid := doc.obj("gridData")
	if reduce && grid != nil {
		small := &object{m: map[string]any{}}
		small.set("w", grid.get("w"))
		small.set("h", grid.get("h"))
		doc.set("gridData", small)
		grid = small
	}
	d := &Definition{
		ID: id, Name: doc.str("name"), Description: doc.str("description"), Type: doc.str("type"),
		Category: doc.str("category"), SubCategory: doc.str("subCategory"), Endpoint: doc.str("endpoint"),
		Grid: size(grid), Raw: encode(doc), doc: doc,
	}
	if d.SubCategory == "" {
		d.SubCategory = doc.str("sub_category")
	}
	if grid != nil {
		d.GridData = encode(grid)
	}
	d.Params, d.top = declared(doc)
	d.names = make(map[string]int, len(d.Params))
	for i, p := range d.Params {
		d.names[p.Name] = i
	}
	return d
}

func size(g *object) Grid {
	n := func(key string, fallback float64) float64 {
		if f, ok := numeric(g.get(key)); ok {
			return f
		}
		return fallback
	}
	return Grid{n("w", DefaultWidth), n("h", DefaultHeight), n("minW", 0), n("minH", 0), n("maxW", 0), n("maxH", 0)}
}

// template reads one app. seen holds the template ids before it: a repeat gets the app's index.
func template(doc *object, index int, seen map[string]bool) *App {
	doc = doc.copy()
	id := doc.str("template_id")
	if id == "" {
		id = doc.str("templateId")
	}
	if id == "" {
		id = Slug(doc.str("name"), "app")
	}
	for seen[id] {
		id += fmt.Sprintf("-%d", index)
	}
	seen[id] = true
	doc.set("template_id", id)
	a := &App{
		Name: doc.str("name"), TemplateID: id, Description: doc.str("description"),
		AllowCustomization: doc.get("allowCustomization") == true,
		Prompts:            textList(doc.list("prompts")), Raw: encode(doc),
	}
	tabs := doc.obj("tabs")
	if tabs != nil {
		for _, key := range tabs.keys {
			a.Tabs = append(a.Tabs, tab(key, tabs.obj(key)))
		}
	}
	for _, v := range doc.list("groups") {
		if g, ok := v.(*object); ok {
			a.Groups = append(a.Groups, Group{
				Name: g.str("name"), Type: g.str("type"), ParamName: g.str("paramName"),
				WidgetIDs: textList(g.list("widgetIds")), DefaultValue: plain(g.get("defaultValue")),
			})
		}
	}
	return a
}

func tab(key string, doc *object) Tab {
	t := Tab{Key: key, ID: doc.str("id"), Name: doc.str("name")}
	for _, v := range doc.list("layout") {
		o, ok := v.(*object)
		if !ok || o.str("i") == "" {
			continue
		}
		p := Placement{WidgetID: o.str("i"), Groups: textList(o.list("groups"))}
		p.X, _ = numeric(o.get("x"))
		p.Y, _ = numeric(o.get("y"))
		p.W, _ = numeric(o.get("w"))
		p.H, _ = numeric(o.get("h"))
		if params := o.obj("state").obj("params"); params != nil {
			p.Params = plain(params).(map[string]any)
		}
		t.Layout = append(t.Layout, p)
	}
	return t
}

func textList(list []any) []string {
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
