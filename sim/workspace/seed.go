package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"benchwright/sim"
	"benchwright/sim/workspace/backend"
)

// A seedState is an initial_state: what a task or a baseline puts into the workspace.
type seedState struct {
	Dashboard       json.RawMessage   `json:"dashboard"`
	Dashboards      []json.RawMessage `json:"dashboards"`
	CustomBackends  []json.RawMessage `json:"custom_backends"`
	ActiveDashboard *string           `json:"active_dashboard"`
	Selected        *string           `json:"default_selected_dashboard"` // another spelling of active_dashboard

	dashboards []seedDashboard
	custom     []seedBackend
}

type seedBackend struct {
	Name      string          `json:"name"`
	URL       string          `json:"url"`
	BackendID string          `json:"backend_id"`
	Widgets   json.RawMessage `json:"widgets_json"`
	Apps      json.RawMessage `json:"apps_json"`
	Warnings  []string        `json:"warnings"`

	at string // in the setup
}

type seedDashboard struct {
	Name          string            `json:"name"`
	ID            string            `json:"dashboard_id"`
	Activate      *bool             `json:"activate"`
	NavigationBar bool              `json:"navigation_bar"` // ours: the published seeds never have one
	Tabs          []seedTab         `json:"tabs"`
	Widgets       []json.RawMessage `json:"widgets"`
	Generated     []json.RawMessage `json:"generated_widgets"`

	at        string
	widgets   []seedWidget
	generated []seedGenerated
}

type seedTab struct {
	ID   *string `json:"id"`
	Name string  `json:"name"`
}

type seedLayout struct {
	X *float64 `json:"x"`
	Y *float64 `json:"y"`
	W *float64 `json:"w"`
	H *float64 `json:"h"`
}

type seedWidget struct {
	Origin   string         `json:"origin"`
	WidgetID string         `json:"widget_id"`
	UUID     string         `json:"widget_uuid"`
	TabID    *string        `json:"tab_id"`
	DataArgs map[string]any `json:"data_args"`
	UIArgs   map[string]any `json:"ui_args"`
	Layout   seedLayout     `json:"layout"`

	at string
}

type seedGenerated struct {
	Type        string          `json:"widget_type"`
	UUID        string          `json:"widget_uuid"`
	Name        string          `json:"name"`
	Data        json.RawMessage `json:"data"`
	ChartParams json.RawMessage `json:"chart_params"`
	Description *string         `json:"description"`
	TabID       *string         `json:"tab_id"`
	Layout      seedLayout      `json:"layout"`

	at string
}

// parseSeed reads an initial_state. Errors name the place in it.
func parseSeed(raw json.RawMessage, at string) (*seedState, error) {
	return (&problems{}).seed(raw, at)
}

// seed is parseSeed with problems that say what becomes of keys that nobody knows.
func (p *problems) seed(raw json.RawMessage, at string) (*seedState, error) {
	s := &seedState{}
	if len(raw) == 0 || string(raw) == "null" {
		return s, nil
	}
	if err := object(raw); err != nil { // in all that is inside, too
		p.add(at, err)
		return s, p.err()
	}
	if !p.decode(at, bytes.TrimSpace(raw), s) {
		return s, p.err()
	}
	if s.ActiveDashboard == nil {
		s.ActiveDashboard = s.Selected
	}
	all, name := s.Dashboards, "dashboards[%d]"
	if all == nil && len(s.Dashboard) > 0 && string(s.Dashboard) != "null" {
		all, name = []json.RawMessage{s.Dashboard}, "dashboard"
	}
	for i, raw := range all {
		d := seedDashboard{at: join(at, indexed(name, i))}
		if p.decode(d.at, raw, &d) {
			d.parse(p)
			s.dashboards = append(s.dashboards, d)
		}
	}
	for i, raw := range s.CustomBackends {
		c := seedBackend{at: join(at, indexed("custom_backends[%d]", i))}
		if p.decode(c.at, raw, &c) {
			s.custom = append(s.custom, c)
		}
	}
	return s, p.err()
}

func (d *seedDashboard) parse(p *problems) {
	for i, raw := range d.Widgets {
		w := seedWidget{at: join(d.at, indexed("widgets[%d]", i))}
		if p.decode(w.at, raw, &w) {
			d.widgets = append(d.widgets, w)
		}
	}
	for i, raw := range d.Generated {
		g := seedGenerated{at: join(d.at, indexed("generated_widgets[%d]", i))}
		if p.decode(g.at, raw, &g) {
			d.generated = append(d.generated, g)
		}
	}
}

// problems collects errors with their places.
type problems struct {
	list   []error
	lax    bool     // keys that nobody knows are left out, and doubted
	doubts []string // with their places
}

func (p *problems) doubt(at, format string, args ...any) {
	p.doubts = append(p.doubts, at+": "+fmt.Sprintf(format, args...))
}

func (p *problems) err() error { return errors.Join(p.list...) }

func (p *problems) add(at string, err error) {
	if at != "" {
		err = fmt.Errorf("%s: %w", at, err)
	}
	p.list = append(p.list, err)
}

// decode reads an object strictly. Its text is known to be JSON without duplicate keys.
func (p *problems) decode(at string, raw json.RawMessage, v any) bool {
	err := errors.New("want an object")
	if len(raw) > 0 && raw[0] == '{' {
		if err = strict(raw, v); err != nil && p.lax {
			err = strict(p.known(at, raw, reflect.TypeOf(v).Elem()), v)
		}
	}
	if err != nil {
		p.add(at, err)
	}
	return err == nil
}

// known returns an object without the keys that a type does not have, which are doubted, and so
// within its members. What is no object is returned as it is.
func (p *problems) known(at string, raw json.RawMessage, t reflect.Type) json.RawMessage {
	var members map[string]json.RawMessage
	switch t.Kind() {
	case reflect.Pointer:
		return p.known(at, raw, t.Elem())
	case reflect.Slice:
		var list []json.RawMessage
		if e := t.Elem(); e.Kind() != reflect.Struct || json.Unmarshal(raw, &list) != nil {
			return raw
		}
		for i := range list {
			list[i] = p.known(fmt.Sprintf("%s[%d]", at, i), list[i], t.Elem())
		}
		return sim.MustCanonical(list)
	case reflect.Struct:
		if json.Unmarshal(raw, &members) != nil {
			return raw
		}
	default:
		return raw
	}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		i := slices.IndexFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool {
			return f.Tag.Get("json") != "" && strings.EqualFold(f.Tag.Get("json"), key)
		})
		if i < 0 {
			p.doubt(at, "unknown field %s is left out", quoted(key))
			delete(members, key)
			continue
		}
		if members[key] = p.known(join(at, key), members[key], t.Field(i).Type); members[key] == nil {
			members[key] = json.RawMessage("null")
		}
	}
	return sim.MustCanonical(members)
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

func indexed(format string, i int) string {
	if format == "dashboard" {
		return format
	}
	return fmt.Sprintf(format, i)
}

// dashboard creates a seeded dashboard.
func (b *builder) dashboard(s seedDashboard, activate bool) {
	switch {
	case s.Name == "":
		b.report(s.at, errors.New("a dashboard needs a name"))
		return
	case s.ID != "" && b.state.find(s.ID) >= 0:
		b.report(s.at, fmt.Errorf("dashboard_id %q is taken", s.ID))
		return
	}
	i := b.state.addDashboard(s.ID, s.Name)
	d := b.state.dashboards[i] // nobody else has seen it
	d.bar = s.NavigationBar
	if len(s.Tabs) > 0 {
		d.tabs = nil
		for n, t := range s.Tabs {
			id := backend.Slug(t.Name, "tab")
			if t.ID != nil {
				id = *t.ID
			}
			if d.hasTab(id) {
				b.report(s.at, fmt.Errorf("tabs[%d]: tab id %q is taken", n, id))
				continue
			}
			d.tabs = append(d.tabs, tab{id, t.Name})
		}
	}
	if activate {
		b.state.activate(i, d.firstTab())
	}
	for _, w := range s.widgets {
		b.report(w.at, b.widget(d, w))
	}
	for _, g := range s.generated {
		b.report(g.at, b.generated(d, g))
	}
}

// widget puts a seeded widget of a backend on a dashboard.
func (b *builder) widget(d *dashboard, s seedWidget) error {
	if s.WidgetID == "" {
		return errors.New("a widget needs a widget_id")
	}
	c, err := b.serving(s.Origin, s.WidgetID)
	if err != nil {
		return err
	}
	def := c.source.Widget(s.WidgetID)
	uuid, err := b.uuid(d, s.UUID)
	if err != nil {
		return err
	}
	at, err := b.place(s.at, s.Layout, d, s.TabID, def.Grid.W, def.Grid.H)
	if err != nil {
		return err
	}
	d.widgets = append(d.widgets, &widget{body: placed(c, def, uuid, s.DataArgs, pairsOf(s.UIArgs)), at: at})
	return nil
}

// uuid returns the id of a seeded widget.
func (b *builder) uuid(d *dashboard, given string) (string, error) {
	if given == "" {
		return b.state.nextWidget(d), nil
	}
	b.state.made.widgets++
	if d.index(given) >= 0 {
		return "", fmt.Errorf("duplicate widget_uuid %s", quoted(given))
	}
	return given, nil
}

// serving returns the backend of an origin, or, without one, the only one that has the widget.
func (b *builder) serving(origin, widgetID string) (*connection, error) {
	if origin != "" {
		c := b.state.origin(origin)
		switch {
		case c == nil:
			return nil, fmt.Errorf("no connected backend has the name %q; there are %s", origin, list(b.names()))
		case c.source.Widget(widgetID) == nil:
			return nil, fmt.Errorf("backend %q has no widget %q", origin, widgetID)
		}
		return c, nil
	}
	var found []*connection
	var names []string
	for _, c := range b.state.backends {
		if c.source.Widget(widgetID) != nil {
			found, names = append(found, c), append(names, c.name)
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("no connected backend has the widget %q; connected are %s", widgetID, list(b.names()))
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("the widget %q is ambiguous: its origin may be %s", widgetID, list(names))
}

func (b *builder) names() []string {
	var names []string
	for _, c := range b.state.backends {
		names = append(names, c.name)
	}
	slices.Sort(names)
	return names
}

// generated puts a seeded generated widget on a dashboard.
func (b *builder) generated(d *dashboard, s seedGenerated) error {
	if s.Type == "" {
		s.Type = "note"
	}
	if !slices.Contains(generatedTypes, s.Type) {
		return fmt.Errorf("widget_type %q: want note, table, chart or html", s.Type)
	}
	data, err := optional(s.Data)
	if err != nil {
		return fmt.Errorf("data: %w", err)
	}
	chart, err := optional(s.ChartParams)
	if err != nil {
		return fmt.Errorf("chart_params: %w", err)
	}
	uuid, err := b.uuid(d, s.UUID)
	if err != nil {
		return err
	}
	at, err := b.place(s.at, s.Layout, d, s.TabID, generatedWidth, generatedHeight)
	if err != nil {
		return err
	}
	d.widgets = append(d.widgets, &widget{body: generatedBody(s.Type, uuid, s.Name, data, chart, s.Description), at: at})
	return nil
}

// optional returns JSON in canonical form, and nil for null or nothing.
func optional(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	return sim.Canonical(raw)
}

// place returns where a seeded widget goes: what is missing is the first column, the first free
// row, the size of its definition and the first tab. As in the published simulator it stays on a
// tab that the dashboard does not have, where nobody sees it.
func (b *builder) place(at string, l seedLayout, d *dashboard, tab *string, w, h float64) (place, error) {
	p := place{tab: d.firstTab(), w: bounded(w), h: bounded(h)}
	if tab != nil {
		p.tab = *tab
	}
	if !d.hasTab(p.tab) {
		var ids []string
		for _, t := range d.tabs {
			ids = append(ids, quoted(t.id))
		}
		b.doubts.doubt(at, "tab_id %s is no tab of the dashboard, so that nobody sees the widget; there are %s", quoted(p.tab), list(ids))
	}
	p.y = d.freeRow(p.tab)
	for _, part := range []struct {
		to   *float64
		from *float64
	}{{&p.x, l.X}, {&p.y, l.Y}, {&p.w, l.W}, {&p.h, l.H}} {
		if part.from == nil {
			continue
		}
		if *part.from > maxCoordinate || *part.from < -maxCoordinate {
			return p, fmt.Errorf("layout: %g is too far away", *part.from)
		}
		*part.to = *part.from
	}
	return p, nil
}
