package workspace

import (
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
	backends  []*shelved // in the order of their slugs
	baselines map[string]func() (*seedState, error)
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
//	backends/<any name>.zip    an archive of package backend
//	baselines/<name>.json      an initial_state
//	baselines/<name>.json.gz   the same, packed, and not read before a setup names it
//	skills/<slug>.json         slug, name, description and content
//	resources/<path>.md        the text of openbb://workspace/<path>
//	prompts/<name>.md          the text of a prompt
//
// All texts must be there; the other folders may be missing. Of an archive only the index is
// read: its manifests are read when a setup first names it, the data of a widget when an agent
// first asks for it, and all episodes share both.
func NewLibrary(fsys fs.FS) (*Library, error) {
	l := &Library{
		baselines: map[string]func() (*seedState, error){}, skills: map[string]*Skill{},
		texts: map[string]string{}, prompts: map[string]string{}, seeded: newMemory(), bases: newMemory(),
	}
	var problems []error
	list := func(folder string, read func(name string) error) {
		entries, err := fs.ReadDir(fsys, folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, err)
		}
		for _, e := range entries {
			name := path.Join(folder, e.Name())
			if err := read(name); err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", name, err))
			}
		}
	}
	each := func(folder string, read func(name string, raw []byte) error) {
		list(folder, func(name string) error {
			raw, err := fs.ReadFile(fsys, name)
			if err != nil {
				return err
			}
			return read(strings.TrimSuffix(path.Base(name), path.Ext(name)), raw)
		})
	}
	list("backends", func(name string) error {
		s, err := shelve(fsys, name)
		if err != nil {
			return err
		}
		return l.add(s)
	})
	list("baselines", func(file string) error {
		name, packed := strings.CutSuffix(path.Base(file), ".json.gz")
		read := sync.OnceValues(func() (*seedState, error) { return readBaseline(fsys, file, packed) })
		if packed {
			l.baselines[name] = read
			return nil
		}
		l.baselines[strings.TrimSuffix(name, ".json")] = read
		_, err := read()
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
func (l *Library) add(b *shelved) error {
	if b.slug == "" || b.name == "" {
		return errors.New("a backend of a library needs a slug and a name")
	}
	at, found := slices.BinarySearchFunc(l.backends, b.slug, func(s *shelved, slug string) int { return strings.Compare(s.slug, slug) })
	if found {
		return fmt.Errorf("there are two backends with the slug %q", b.slug)
	}
	l.backends = slices.Insert(slices.Clone(l.backends), at, b)
	return nil
}

// With returns the library with further backends. A slug that is there already is an error; a
// display name may be shared, and then only the slug names the backend.
func (l *Library) With(more ...*backend.Backend) (*Library, error) {
	n := *l
	n.seeded, n.bases = newMemory(), newMemory()
	for _, b := range more {
		if err := n.add(ready(b)); err != nil {
			return nil, fmt.Errorf("workspace: library: %w", err)
		}
	}
	return &n, nil
}

// find returns the backend with a slug, or else the one with a display name, or nil. The slugs
// of older task packs are understood.
func (l *Library) find(name string) *shelved {
	if now, ok := legacySlugs[name]; ok {
		if s := l.find(now); s != nil {
			return s
		}
	}
	for _, s := range l.backends {
		if s.slug == name {
			return s
		}
	}
	for _, s := range l.backends {
		if s.name == name {
			return s
		}
	}
	return nil
}

var legacySlugs = map[string]string{
	"stark-enterprise": "stark-enterprise-x",
	"daloopa":          "support-daloopa-skills",
}

// Slugs returns the slugs of the backends, sorted.
func (l *Library) Slugs() []string {
	out := make([]string, len(l.backends))
	for i, s := range l.backends {
		out[i] = s.slug
	}
	return out
}

// Connectable returns the slugs of the backends that can be connected at once, sorted: of those
// that share a display name, the first.
func (l *Library) Connectable() []string {
	var out, names []string
	for _, s := range l.backends {
		if !slices.Contains(names, s.name) {
			out, names = append(out, s.slug), append(names, s.name)
		}
	}
	return out
}

// Backends reads all backends that can be read, in the order of their slugs.
func (l *Library) Backends() []*backend.Backend {
	var out []*backend.Backend
	for _, s := range l.backends {
		if src, err := s.load(); err == nil {
			out = append(out, src.Backend)
		}
	}
	return out
}

// Backend returns the backend with a slug or display name, or nil. A backend that is there and
// cannot be read is nil too; [Setup.Check] says why.
func (l *Library) Backend(name string) *backend.Backend {
	if s := l.find(name); s != nil {
		if src, err := s.load(); err == nil {
			return src.Backend
		}
	}
	return nil
}

// Baselines returns the names of the baselines, sorted.
func (l *Library) Baselines() []string { return slices.Sorted(maps.Keys(l.baselines)) }

// Skills returns the slugs of the skills, sorted.
func (l *Library) Skills() []string { return slices.Sorted(maps.Keys(l.skills)) }

// Skill returns the skill with a slug, or nil.
func (l *Library) Skill(slug string) *Skill { return l.skills[slug] }
