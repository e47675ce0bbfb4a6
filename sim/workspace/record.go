package workspace

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"benchwright/sim"
)

// JSON returns the state as canonical JSON, encoded once.
func (s *state) JSON() json.RawMessage {
	if raw := s.encoded.Load(); raw != nil {
		return *raw
	}
	size := 1024
	parts := make([][]byte, len(s.dashboards))
	for i, d := range s.dashboards {
		parts[i] = d.composition()
		size += len(parts[i]) + 2*len(d.id) + len(d.name) + 64
	}
	if s.active >= 0 {
		size += len(parts[s.active])
	}
	b := make(json.RawMessage, 0, size)
	b = append(b, `{"backends":`...)
	b = s.appendBackends(b)
	b = s.appendCustom(append(b, `,"custom_backends":`...))
	b = append(b, `,"dashboard_composition":`...)
	if s.active < 0 {
		b = append(b, "null"...)
	} else {
		b = append(b, parts[s.active]...)
	}
	b = append(b, `,"dashboard_compositions":{`...)
	for n, i := range s.byID() {
		if n > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, s.dashboards[i].id), ':')
		b = append(b, parts[i]...)
	}
	b = append(b, `},"dashboards":[`...)
	for i, d := range s.dashboards {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(b, `{"dashboard_id":`...), d.id)
		b = appendText(append(b, `,"name":`...), d.name)
		b = append(b, '}')
	}
	b = s.appendSkills(append(b, `],"skills":`...))
	b = s.appendFocus(append(b, `,"workspace_state":`...))
	b = append(b, '}')
	s.encoded.CompareAndSwap(nil, &b)
	return b
}

// MarshalJSON returns the state's bytes.
func (s *state) MarshalJSON() ([]byte, error) { return s.JSON(), nil }

// byID returns the indexes of the dashboards in the order of their ids.
func (s *state) byID() []int {
	order := make([]int, len(s.dashboards))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return strings.Compare(s.dashboards[i].id, s.dashboards[j].id) })
	return order
}

func (s *state) appendFocus(b []byte) []byte {
	d := s.current()
	if d == nil {
		return append(b, `{"current_dashboard_uuid":null,"current_tab_id":null}`...)
	}
	b = appendText(append(b, `{"current_dashboard_uuid":`...), d.id)
	b = appendText(append(b, `,"current_tab_id":`...), s.tab)
	return append(b, '}')
}

func (s *state) appendSkills(b []byte) []byte {
	b = append(b, '[')
	for i, k := range s.skills {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, k.encoded...)
	}
	return append(b, ']')
}

func (s *state) appendBackends(b []byte) []byte {
	b = append(b, '[')
	for i, c := range s.backends {
		if i > 0 {
			b = append(b, ',')
		}
		b = c.append(b, true)
	}
	return append(b, ']')
}

// append appends the backend as a list item, or, without the status, as add and refresh tell it.
func (c *connection) append(b []byte, status bool) []byte {
	b = appendNumber(append(b, `{"app_count":`...), float64(len(c.source.Apps)))
	b = appendText(append(b, `,"id":`...), c.id)
	b = appendText(append(b, `,"name":`...), c.name)
	if status {
		b = append(b, `,"status":"connected"`...)
	}
	b = appendText(append(b, `,"url":`...), c.url)
	b = appendNumber(append(b, `,"widget_count":`...), float64(len(c.source.Widgets)))
	return append(b, '}')
}

// appendCustom appends what graders see of the backends that the setup's list did not connect.
func (s *state) appendCustom(b []byte) []byte {
	custom := slices.DeleteFunc(slices.Clone(s.backends), func(c *connection) bool { return !c.added })
	slices.SortFunc(custom, func(a, b *connection) int { return strings.Compare(a.id, b.id) })
	b = append(b, '{')
	for i, c := range custom {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, c.id), ':')
		b = append(b, c.source.apps()...)
		b = appendText(append(b, `,"name":`...), c.name)
		b = appendText(append(b, `,"url":`...), c.url)
		b = append(b, c.source.widgets()...)
		b = append(b, '}')
	}
	return append(b, '}')
}

// Snapshot returns the state with its types. It is made once and shared: callers must not write
// to it. Dashboards that two states of one world have in common are the same *Composition.
func (s *state) Snapshot() (*Snapshot, error) {
	if p := s.parsed.Load(); p != nil {
		return p, nil
	}
	p := &Snapshot{
		Dashboards:     []DashboardRef{},
		Compositions:   make(map[string]*Composition, len(s.dashboards)),
		Skills:         []SkillRef{},
		Backends:       []BackendRef{},
		CustomBackends: map[string]*CustomBackend{},
	}
	for _, d := range s.dashboards {
		p.Dashboards = append(p.Dashboards, DashboardRef{ID: d.id, Name: d.name})
		p.Compositions[d.id] = d.typed()
	}
	if d := s.current(); d != nil {
		p.State = Focus{DashboardID: &d.id, TabID: &s.tab}
		p.Composition = p.Compositions[d.id]
	}
	for _, k := range s.skills {
		p.Skills = append(p.Skills, SkillRef{Slug: k.Slug, Name: k.Name, Description: k.Description})
	}
	for _, c := range s.backends {
		p.Backends = append(p.Backends, BackendRef{
			ID: c.id, Name: c.name, URL: c.url, Status: "connected",
			WidgetCount: len(c.source.Widgets), AppCount: len(c.source.Apps),
		})
		if c.added {
			p.CustomBackends[c.id] = c.custom()
		}
	}
	if !s.parsed.CompareAndSwap(nil, p) {
		p = s.parsed.Load()
	}
	return p, nil
}

// custom returns what graders see of a backend.
func (c *connection) custom() *CustomBackend {
	k := &CustomBackend{
		Name: c.name, URL: c.url, Widgets: map[string]json.RawMessage{}, Apps: []json.RawMessage{},
		Warnings: append([]string{}, c.source.Warnings...),
	}
	for _, d := range c.source.Widgets {
		k.Widgets[d.ID] = canonical(d.Raw)
	}
	for _, a := range c.source.Apps {
		k.Apps = append(k.Apps, canonical(a.Raw))
	}
	return k
}

// typed returns the dashboard's composition with its types, made once.
func (d *dashboard) typed() *Composition {
	if c := d.parsed.Load(); c != nil {
		return c
	}
	c := &Composition{
		DashboardID: d.id, Name: d.name, NavigationBar: d.bar,
		Tabs: make([]Tab, 0, len(d.tabs)), Widgets: make([]Widget, 0, len(d.widgets)),
	}
	for _, w := range d.widgets {
		v := Widget{
			UUID: w.uuid, WidgetID: w.id, Origin: w.origin, Name: w.name, Type: w.kind,
			DataArgs: w.data.object(), UIArgs: w.ui.object(), Generated: w.generated,
			Description: w.description, Layout: w.at.typed(),
		}
		if len(w.payload) > 0 {
			v.GeneratedData, _ = sim.ParseJSON(w.payload) // canonical JSON always parses
		}
		if len(w.chart) > 0 {
			chart, _ := sim.ParseJSON(w.chart)
			v.ChartParams, _ = chart.(map[string]any)
		}
		c.Widgets = append(c.Widgets, v)
	}
	for _, t := range d.tabs {
		items := []LayoutItem{}
		for i := range c.Widgets {
			if w := &c.Widgets[i]; w.Layout.TabID == t.id {
				items = append(items, LayoutItem{WidgetUUID: w.UUID, WidgetID: w.WidgetID, Origin: w.Origin, Layout: w.Layout})
			}
		}
		c.Tabs = append(c.Tabs, Tab{ID: t.id, Name: t.name, Layout: items})
	}
	if !d.parsed.CompareAndSwap(nil, c) {
		c = d.parsed.Load()
	}
	return c
}

func (p *place) typed() Layout {
	l := Layout{TabID: p.tab, X: p.x, Y: p.y, W: p.w, H: p.h}
	if p.bounds != nil {
		l.MinW, l.MinH, l.MaxW, l.MaxH = p.bounds.minW, p.bounds.minH, p.bounds.maxW, p.bounds.maxH
	}
	return l
}

// SnapshotOf returns what a state of this world says, with its types. It does so without going
// through JSON where the state is a live one, and once for each state. Callers must not write to
// what they get; dashboards that nothing has touched are the same *Composition in the states of
// one episode.
func SnapshotOf(s sim.State) (*Snapshot, error) {
	if t, ok := s.(interface{ Snapshot() (*Snapshot, error) }); ok {
		return t.Snapshot()
	}
	return ParseSnapshot(s.JSON())
}

// A recorded state is one that was read back.
type recorded struct {
	sim.RawState
	parse func() (*Snapshot, error)
}

// Snapshot returns the state with its types.
func (r *recorded) Snapshot() (*Snapshot, error) { return r.parse() }

func decode(raw json.RawMessage, _ fs.FS) (sim.State, error) {
	c, err := sim.Canonical(raw)
	if err != nil {
		return nil, err
	}
	return &recorded{sim.RawState(c), sync.OnceValues(func() (*Snapshot, error) { return ParseSnapshot(c) })}, nil
}
