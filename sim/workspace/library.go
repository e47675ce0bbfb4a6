package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"benchwright/fixtures"
	"benchwright/sim"
	"benchwright/sim/workspace/backend"
)

// A Library is all that setups can name: backends, baselines, skills, and the texts behind
// resources and prompts. It is immutable and shared by all worlds that are made from it.
type Library struct {
	backends  []*source // in the order of their slugs
	baselines map[string]*seedState
	skills    map[string]*Skill
	texts     map[string]string // of resources, by URI
	prompts   map[string]string
	seeded    *memory // of setups that were built before, by their text
	bases     *memory // of baselines, by their name and backends
}

// A Skill is a text that an agent may fetch when the setup declares it.
type Skill struct {
	Slug        string `json:"slug"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Content     string `json:"content"`

	encoded []byte // without the content, as snapshots list it
}

// Builtin returns the library of the data embedded in package fixtures.
var Builtin = sync.OnceValues(func() (*Library, error) {
	return NewLibrary(fixtures.Workspace().FS())
})

// NewLibrary reads a library from a folder:
//
//	backends/<any name>.json   a fixture of package backend
//	baselines/<name>.json      an initial_state
//	skills/<slug>.json         slug, name, description and content
//	resources/<path>.md        the text of openbb://workspace/<path>
//	prompts/<name>.md          the text of a prompt
//
// All texts must be there; the other folders may be missing.
func NewLibrary(fsys fs.FS) (*Library, error) {
	l := &Library{
		baselines: map[string]*seedState{}, skills: map[string]*Skill{},
		texts: map[string]string{}, prompts: map[string]string{}, seeded: newMemory(), bases: newMemory(),
	}
	var problems []error
	each := func(folder string, read func(name string, raw []byte) error) {
		entries, err := fs.ReadDir(fsys, folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, err)
		}
		for _, e := range entries {
			name := path.Join(folder, e.Name())
			raw, err := fs.ReadFile(fsys, name)
			if err == nil {
				err = read(strings.TrimSuffix(e.Name(), path.Ext(name)), raw)
			}
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", name, err))
			}
		}
	}
	each("backends", func(_ string, raw []byte) error {
		b, err := backend.ParseFixture(raw)
		if err != nil {
			return err
		}
		return l.add(b)
	})
	each("baselines", func(name string, raw []byte) error {
		s, err := parseSeed(raw, "")
		l.baselines[name] = s
		return err
	})
	each("skills", func(name string, raw []byte) error {
		k, err := parseSkill(raw)
		if err == nil && k.Slug != name {
			err = fmt.Errorf("slug %q: the file is named after another", k.Slug)
		}
		l.skills[name] = k
		return err
	})
	for _, r := range resources[1:] { // the index is made of what is connected
		raw, err := fs.ReadFile(fsys, "resources/"+strings.TrimPrefix(r.URI, resourcePrefix)+".md")
		if err != nil {
			problems = append(problems, err)
		}
		l.texts[r.URI] = string(raw)
	}
	for _, p := range prompts {
		raw, err := fs.ReadFile(fsys, "prompts/"+p.Name+".md")
		if err != nil {
			problems = append(problems, err)
		}
		l.prompts[p.Name] = string(raw)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, fmt.Errorf("workspace: library: %w", err)
	}
	return l, nil
}

func parseSkill(raw []byte) (*Skill, error) {
	k := &Skill{}
	if err := strict(raw, k); err != nil {
		return nil, err
	}
	if k.Slug == "" || k.Name == "" || k.Content == "" {
		return nil, errors.New("a skill needs slug, name, description and content")
	}
	k.encoded = sim.MustCanonical(SkillRef{Slug: k.Slug, Name: k.Name, Description: k.Description})
	return k, nil
}

// add adds a backend, in the order of slugs.
func (l *Library) add(b *backend.Backend) error {
	if b.Slug == "" || b.Name == "" {
		return errors.New("a backend of a library needs a slug and a name")
	}
	at, found := slices.BinarySearchFunc(l.backends, b.Slug, func(s *source, slug string) int { return strings.Compare(s.Slug, slug) })
	if found {
		return fmt.Errorf("there are two backends with the slug %q", b.Slug)
	}
	l.backends = slices.Insert(slices.Clone(l.backends), at, &source{Backend: b})
	return nil
}

// With returns the library with further backends. A slug that is there already is an error; a
// display name may be shared, and then only the slug names the backend.
func (l *Library) With(more ...*backend.Backend) (*Library, error) {
	n := *l
	n.seeded, n.bases = newMemory(), newMemory()
	for _, b := range more {
		if err := n.add(b); err != nil {
			return nil, fmt.Errorf("workspace: library: %w", err)
		}
	}
	return &n, nil
}

// backend returns the backend with a slug, or else the one with a display name, or nil. The
// slugs of older task packs are understood.
func (l *Library) backend(name string) *source {
	if now, ok := legacySlugs[name]; ok {
		if s := l.backend(now); s != nil {
			return s
		}
	}
	for _, s := range l.backends {
		if s.Slug == name {
			return s
		}
	}
	for _, s := range l.backends {
		if s.Name == name {
			return s
		}
	}
	return nil
}

var legacySlugs = map[string]string{
	"stark-enterprise": "stark-enterprise-x",
	"daloopa":          "support-daloopa-skills",
}

// Backends lists the backends of the library in the order of their slugs.
func (l *Library) Backends() []*backend.Backend {
	out := make([]*backend.Backend, len(l.backends))
	for i, s := range l.backends {
		out[i] = s.Backend
	}
	return out
}

// Backend returns the backend with a slug or display name, or nil.
func (l *Library) Backend(name string) *backend.Backend {
	if s := l.backend(name); s != nil {
		return s.Backend
	}
	return nil
}

// Baselines returns the names of the baselines, sorted.
func (l *Library) Baselines() []string { return slices.Sorted(maps.Keys(l.baselines)) }

// Skills returns the slugs of the skills, sorted.
func (l *Library) Skills() []string { return slices.Sorted(maps.Keys(l.skills)) }

// Skill returns the skill with a slug, or nil.
func (l *Library) Skill(slug string) *Skill { return l.skills[slug] }

// A source is a backend with what is encoded of it once for all who are connected to it.
type source struct {
	*backend.Backend
	appsPart, widgetsPart cached
}

// apps encodes the first members of a custom backend in a snapshot.
func (s *source) apps() []byte {
	return s.appsPart.get(func() []byte {
		b := append([]byte{}, `{"apps_json":[`...)
		for i, a := range s.Apps {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, canonical(a.Raw)...)
		}
		return append(b, ']')
	})
}

// widgets encodes the last members of a custom backend in a snapshot.
func (s *source) widgets() []byte {
	return s.widgetsPart.get(func() []byte {
		b := append([]byte{}, `,"warnings":`...)
		b = append(b, sim.MustCanonical(append([]string{}, s.Warnings...))...)
		b = append(b, `,"widgets_json":{`...)
		for i, d := range slices.SortedFunc(slices.Values(s.Widgets), func(a, b *backend.Definition) int { return strings.Compare(a.ID, b.ID) }) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, d.ID), ':')
			b = append(b, canonical(d.Raw)...)
		}
		return append(b, '}')
	})
}

// canonical returns manifest JSON, which has been parsed before, in canonical form.
func canonical(raw json.RawMessage) json.RawMessage {
	c, err := sim.Canonical(raw)
	if err != nil {
		return json.RawMessage("null")
	}
	return c
}
