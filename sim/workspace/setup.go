package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"benchwright/sim"
	"benchwright/sim/workspace/backend"
)

// A Setup is what a world is built from. All keys are optional; unknown ones are errors.
type Setup struct {
	Baseline string          `json:"baseline,omitempty"` // name of a starting state that the task's own is added to; "" means none
	Backends []string        `json:"backends,omitempty"` // connected at the start, by slug or display name
	Skills   []string        `json:"skills,omitempty"`   // declared skills, by slug; there are no others
	Selected string          `json:"selected,omitempty"` // name of the dashboard that is open at the start
	Fixtures []Fixture       `json:"fixtures,omitempty"` // further backends
	State    json.RawMessage `json:"state,omitempty"`    // initial_state, as published
	Runtime  json.RawMessage `json:"runtime,omitempty"`  // runtime_checks, as published: what authored backends answer
}

// A Fixture connects a known backend under an id or URL of the task's choice.
type Fixture struct {
	Name      string `json:"name"`
	BackendID string `json:"backend_id,omitempty"`
	URL       string `json:"url,omitempty"`
}

// ParseSetup reads a setup. Whether what it names exists is found out by [Setup.Check].
func ParseSetup(raw json.RawMessage) (Setup, error) {
	var s Setup
	if err := object(raw); err != nil {
		return s, fmt.Errorf("workspace: setup: %w", err)
	}
	if err := strict(raw, &s); err != nil {
		return s, fmt.Errorf("workspace: setup: %w", err)
	}
	return s, nil
}

// Check reports everything in the setup that the library cannot serve, in the order of the setup.
func (s Setup) Check(l *Library) error {
	_, err := s.build(l)
	return err
}

// object reports an error unless raw is one JSON object without duplicate keys.
func object(raw json.RawMessage) error {
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return err
	}
	if _, ok := v.(map[string]any); !ok {
		return errors.New("want an object")
	}
	return nil
}

// strict decodes JSON, in which a key that v does not know is an error.
func strict(raw []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("text after the JSON value")
	}
	return nil
}

// Doubts lists what the setup's State says in vain, each with its place: keys that nobody knows, and
// widgets on tabs that a dashboard does not have. The published simulator takes both, and so does
// this one; whoever wrote them meant something else.
func (s Setup) Doubts(l *Library) ([]string, error) {
	var doubts problems
	_, err := s.built(l, &doubts)
	return doubts.doubts, err
}

// build makes the first state of an episode.
func (s Setup) build(l *Library) (*state, error) { return s.built(l, &problems{}) }

// built is build that collects doubts.
func (s Setup) built(l *Library, doubts *problems) (*state, error) {
	doubts.lax = true
	b := &builder{doubts: doubts, library: l, state: &state{facts: facts{library: l, active: -1}}}
	if len(s.Runtime) > 0 {
		var err error
		b.runtime, err = backend.ParseRuntime(s.Runtime)
		b.report("runtime", err)
	}
	own, err := doubts.seed(s.State, "state")
	b.report("", err)
	base := &seedState{}
	if s.Baseline != "" {
		if read := l.baselines[s.Baseline]; read == nil {
			b.report("baseline", fmt.Errorf("unknown baseline %q; there are %s", s.Baseline, list(l.Baselines())))
		} else if base, err = read(); err != nil {
			b.report("baseline", fmt.Errorf("%s: %w", s.Baseline, err))
		}
	}
	b.connect(s)
	skills := b.skills(s.Skills)
	if err := errors.Join(b.problems...); err != nil {
		return nil, fmt.Errorf("workspace: setup: %w", err)
	}
	b.base(s.Baseline, base)
	for _, c := range own.custom {
		b.custom(c)
	}
	for _, d := range own.dashboards {
		b.dashboard(d, d.Activate == nil && s.Baseline == "" || d.Activate != nil && *d.Activate)
	}
	if len(b.state.dashboards) == 0 {
		b.state.activate(b.state.addDashboard("", "Workspace Bench"), "")
	}
	b.selectDashboard(s.Selected, own.ActiveDashboard)
	if err := errors.Join(b.problems...); err != nil {
		return nil, fmt.Errorf("workspace: setup: %w", err)
	}
	b.state.skills, b.state.runtime = skills, b.runtime
	return b.state, nil
}

// base adds what the baseline holds. Tasks that share a baseline and its backends share the
// dashboards too: they are made once for all.
func (b *builder) base(name string, s *seedState) {
	if name == "" {
		return
	}
	key := name
	for _, c := range b.state.backends {
		key += "\x00" + c.id + "\x00" + c.source.Slug + "\x00" + c.url
	}
	if len(s.custom) == 0 {
		if made := b.library.bases.get(key); made != nil {
			b.state = &state{facts: made.facts}
			return
		}
	}
	for _, c := range s.custom {
		b.custom(c)
	}
	for _, d := range s.dashboards {
		b.dashboard(d, d.Activate == nil || *d.Activate)
	}
	if s.ActiveDashboard != nil {
		b.open("baseline", *s.ActiveDashboard)
	}
	if len(s.custom) == 0 && len(b.problems) == 0 {
		b.state = b.library.bases.put(key, b.state).edit()
	}
}

// A builder makes a state of a setup and collects what is wrong with it.
type builder struct {
	library  *Library
	state    *state
	runtime  *backend.Runtime
	problems []error
	doubts   *problems
}

// report notes an error at a place of the setup.
func (b *builder) report(at string, err error) {
	switch {
	case err == nil:
	case at == "":
		b.problems = append(b.problems, err)
	default:
		b.problems = append(b.problems, fmt.Errorf("%s: %w", at, err))
	}
}

// connect connects the backends of the list and those of the fixtures that are not there yet.
func (b *builder) connect(s Setup) {
	for i, name := range s.Backends {
		at := fmt.Sprintf("backends[%d]", i)
		if src := b.known(at, name); src != nil {
			if slices.ContainsFunc(b.state.backends, func(c *connection) bool { return c.source == src }) {
				b.report(at, fmt.Errorf("backend %q is named twice", name))
				continue
			}
			b.add(at, src, "", "")
		}
	}
	for i, f := range s.Fixtures {
		at := fmt.Sprintf("fixtures[%d]", i)
		src := b.known(at, f.Name)
		if src == nil || slices.ContainsFunc(b.state.backends, func(c *connection) bool { return c.source == src }) {
			continue
		}
		b.add(at, src, f.BackendID, f.URL)
	}
}

// known finds a backend of the library, or reports that there is none or that it is damaged.
func (b *builder) known(at, name string) *source {
	found := b.library.find(name)
	if found == nil {
		b.report(at, fmt.Errorf("unknown backend %q; there are %s", name, list(b.library.Slugs())))
		return nil
	}
	src, err := found.load()
	b.report(at, err)
	return src
}

func (b *builder) add(at string, src *source, id, url string) {
	if other := b.state.origin(src.Name); other != nil {
		b.report(at, fmt.Errorf("backend %q has the display name %q, and so has %q: only one of them may be connected", src.Slug, src.Name, other.source.Slug))
		return
	}
	if id != "" && b.state.backend(id) >= 0 {
		b.report(at, fmt.Errorf("backend_id %q is taken", id))
		return
	}
	if url == "" {
		url = src.URL
	}
	b.state.connect(&connection{id: b.state.nextBackend(id), name: src.Name, url: url, source: src})
}

// custom registers a backend that the initial state authors.
func (b *builder) custom(c seedBackend) {
	if c.Name == "" {
		b.report(c.at, errors.New("a backend needs a name"))
		return
	}
	if c.BackendID != "" && b.state.backend(c.BackendID) >= 0 {
		b.report(c.at, fmt.Errorf("backend_id %q is taken", c.BackendID))
		return
	}
	if c.URL == "" {
		c.URL = defaultURL
	}
	if len(c.Widgets) == 0 {
		c.Widgets = json.RawMessage("{}")
	}
	made, err := backend.Seed(backend.Source{
		Slug: backend.Slug(c.Name, "backend"), Name: c.Name, URL: c.URL,
		Widgets: c.Widgets, Apps: c.Apps, Warnings: c.Warnings,
	})
	if err != nil {
		b.report(c.at, err)
		return
	}
	made = bound(made, b.runtime)
	b.state.connect(&connection{
		id: b.state.nextBackend(c.BackendID), name: made.Name, url: made.URL,
		source: &source{Backend: made}, authored: true, added: true,
	})
}

// bound gives an authored backend the answers of the task's datasets, if there are any.
func bound(b *backend.Backend, r *backend.Runtime) *backend.Backend {
	if r == nil {
		return b
	}
	return b.Bind(r)
}

// selectDashboard opens the dashboard that the setup or its initial state names.
func (b *builder) selectDashboard(selected string, own *string) {
	switch {
	case own == nil:
		b.open("selected", selected)
	case selected != "" && selected != *own:
		b.report("selected", fmt.Errorf("dashboard %q is selected, and initial_state.active_dashboard says %q", selected, *own))
	default:
		b.open("state", *own)
	}
}

// open opens the first dashboard of a name; an empty name leaves things as they are.
func (b *builder) open(at, name string) {
	if name == "" {
		return
	}
	i := slices.IndexFunc(b.state.dashboards, func(d *dashboard) bool { return d.name == name })
	if i < 0 {
		b.report(at, fmt.Errorf("initial_state.active_dashboard '%s' matches no seeded dashboard", name))
		return
	}
	b.state.activate(i, b.state.dashboards[i].firstTab())
}

// skills finds the declared skills.
func (b *builder) skills(slugs []string) (declared []*Skill) {
	var unknown []string
	for i, name := range slugs {
		k := b.library.skills[name]
		switch {
		case k == nil:
			unknown = append(unknown, name)
		case slices.Contains(slugs[:i], name):
			b.report(fmt.Sprintf("skills[%d]", i), fmt.Errorf("skill %q is declared twice", name))
		default:
			declared = append(declared, k)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		for i := range unknown {
			unknown[i] = quoted(unknown[i])
		}
		b.report("skills", fmt.Errorf("Unknown workspace skill slugs: [%s]; there are %s", strings.Join(unknown, ", "), list(b.library.Skills())))
	}
	return declared
}

// list writes names into a message.
func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// defaultURL is that of an authored backend that says none.
const defaultURL = "http://127.0.0.1:7779"
