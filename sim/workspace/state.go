package workspace

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"

	"benchwright/sim/workspace/backend"
)

// A state is one moment of a workspace. Nobody writes to a state, a dashboard or a widget once
// somebody else can see it: a change makes new ones of what it touches and shares the rest. So a
// fork is a pointer, a State is the moment itself, and a call that fails leaves nothing behind.
type state struct {
	facts
	encoded atomic.Pointer[json.RawMessage]
	parsed  atomic.Pointer[Snapshot]
}

type facts struct {
	library    *Library
	dashboards []*dashboard // in order of creation
	active     int          // index of the active dashboard, or -1
	tab        string       // id of the active tab
	backends   []*connection
	skills     []*Skill
	runtime    *backend.Runtime // what authored backends answer; nil unless the setup says so
	made       counts
	grown      int // bytes that the calls so far have brought it to hold more than at the start
}

// counts is how many things of each sort were ever made. An id that was given explicitly counts.
type counts struct{ dashboards, widgets, backends, snapshots int }

// A dashboard and what is on it.
type dashboard struct {
	board
	encoded atomic.Pointer[[]byte]
	parsed  atomic.Pointer[Composition]
}

type board struct {
	id, name string
	bar      bool // has a navigation bar
	tabs     []tab
	widgets  []*widget // in order of creation
}

type tab struct{ id, name string }

// A widget is what it shows and where. What it shows is shared by all its positions.
type widget struct {
	*body
	at place
}

type body struct {
	uuid, id, origin, name, kind string
	data, ui                     pairs
	generated                    bool
	payload, chart               json.RawMessage // of a generated widget; canonical, nil means null
	description                  *string
	encoded                      []byte // of the widget without its layout
	split                        int    // where in encoded the layout goes
}

type place struct {
	tab        string
	x, y, w, h float64
	bounds     *bounds // nil when none was asked for
}

type bounds struct{ minW, minH, maxW, maxH *float64 }

// A connection is a backend under an id.
type connection struct {
	id, name, url string
	source        *source
	authored      bool // handed in as manifests, by the setup or the agent: it may be changed
	added         bool // not by the setup's list: graders look at what it serves
	listing       *cached
}

// edit returns a copy to be changed.
func (s *state) edit() *state { return &state{facts: s.facts} }

// current returns the active dashboard, or nil.
func (s *state) current() *dashboard {
	if s.active < 0 {
		return nil
	}
	return s.dashboards[s.active]
}

// find returns the index of the dashboard with an id, or -1.
func (s *state) find(id string) int {
	return slices.IndexFunc(s.dashboards, func(d *dashboard) bool { return d.id == id })
}

// rewrite puts a changed copy of dashboard i in its place and returns it.
func (s *state) rewrite(i int) *dashboard {
	d := &dashboard{board: s.dashboards[i].board}
	s.dashboards = slices.Clone(s.dashboards)
	s.dashboards[i] = d
	return d
}

// addDashboard creates a dashboard with the default tab. An empty id means the next free one.
func (s *state) addDashboard(id, name string) int {
	s.made.dashboards++
	if id == "" {
		for id = number("dash", s.made.dashboards); s.find(id) >= 0; id = number("dash", s.made.dashboards) {
			s.made.dashboards++
		}
	}
	d := &dashboard{board: board{id: id, name: name, tabs: []tab{{}}}}
	s.dashboards = append(slices.Clip(s.dashboards), d)
	return len(s.dashboards) - 1
}

// nextWidget returns the id of a new widget of a dashboard.
func (s *state) nextWidget(d *dashboard) string {
	for {
		s.made.widgets++
		if id := number("widget", s.made.widgets); d.index(id) < 0 {
			return id
		}
	}
}

// nextBackend returns the id of a new backend; one that is given is taken.
func (s *state) nextBackend(given string) string {
	s.made.backends++
	if given != "" {
		return given
	}
	for {
		id := number("backend", s.made.backends)
		if s.backend(id) < 0 {
			return id
		}
		s.made.backends++
	}
}

func number(kind string, n int) string { return fmt.Sprintf("%s_%03d", kind, n) }

// backend returns the index of the backend with an id, or -1.
func (s *state) backend(id string) int {
	return slices.IndexFunc(s.backends, func(c *connection) bool { return c.id == id })
}

// origin returns the backend that was registered last under a display name, or nil.
func (s *state) origin(name string) *connection {
	for _, c := range slices.Backward(s.backends) {
		if c.name == name {
			return c
		}
	}
	return nil
}

// connect registers a backend.
func (s *state) connect(c *connection) {
	c.listing = &cached{}
	s.backends = append(slices.Clip(s.backends), c)
}

// activate makes dashboard i the active one and a tab of it the active tab.
func (s *state) activate(i int, tab string) { s.active, s.tab = i, tab }

// firstTab returns the id of the first tab, or "".
func (d *dashboard) firstTab() string {
	if len(d.tabs) == 0 {
		return ""
	}
	return d.tabs[0].id
}

func (d *dashboard) hasTab(id string) bool {
	return slices.ContainsFunc(d.tabs, func(t tab) bool { return t.id == id })
}

// index returns where the widget with a uuid is, or -1.
func (d *dashboard) index(uuid string) int {
	return slices.IndexFunc(d.widgets, func(w *widget) bool { return w.uuid == uuid })
}

// put replaces or, with index len, appends a widget, and returns its index. The dashboard must
// be a copy that nobody else has seen.
func (d *dashboard) put(i int, w *widget) int {
	if i == len(d.widgets) {
		d.widgets = append(slices.Clip(d.widgets), w)
	} else {
		d.widgets = slices.Clone(d.widgets)
		d.widgets[i] = w
	}
	return i
}

// moved returns the widget at another place.
func (w *widget) moved(to place) *widget { return &widget{body: w.body, at: to} }
