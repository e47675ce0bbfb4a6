package wiki

import (
	"path"
	"slices"
	"strings"
	"sync"

	fixture "benchwright/fixtures/wiki"
)

// A library is a case made ready to be served. It is shared by all worlds of the case and never
// changes.
type library struct {
	c       *fixture.Case
	files   []*file            // of /source and /skills, by path
	byPath  map[string]*file   // the same
	folders map[string][]entry // of /source and /skills
	planned []fixture.PlannedPage
	index   map[string]int // of planned, by page id; planned is sorted by it
	first   *moment
}

// A file is a text at a virtual path. It never changes.
type file struct {
	path   string
	source string // the path below /source; "" elsewhere
	read   int    // number among the source files
	text   string
	hash   string
	lines  int
}

func newFile(at, text string) *file {
	lines := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		lines++
	}
	return &file{path: at, text: text, hash: fixture.Hash(text), lines: lines}
}

// An entry is one line of list_dir.
type entry struct {
	Name string `json:"name"`
	Size int    `json:"size"`
	Type string `json:"type"`
}

func folderEntry(name string) entry         { return entry{Name: name, Type: "dir"} }
func fileEntry(name string, size int) entry { return entry{Name: name, Type: "file", Size: size} }
func sortEntries(list []entry) {
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.Name, b.Name) })
}
func (l *library) page(id string) (int, bool) { i, ok := l.index[id]; return i, ok }

// newLibrary makes a case ready. One whose texts are not those that its fixture counted is an
// error.
func newLibrary(c *fixture.Case) (*library, error) {
	l := &library{c: c, byPath: map[string]*file{}, folders: map[string][]entry{SourceRoot: {}, SkillsRoot: {}}, index: map[string]int{}}
	sources := 0
	for _, below := range sorted(c.Source) {
		f := newFile(SourceRoot+"/"+below, c.Source[below])
		f.source, f.read = below, sources
		sources++
		l.add(f)
	}
	for _, name := range sorted(c.Skills) {
		l.add(newFile(skillPath(name), c.Skills[name]))
	}
	slices.SortFunc(l.files, func(a, b *file) int { return strings.Compare(a.path, b.path) })
	for _, list := range l.folders {
		sortEntries(list)
	}
	l.planned = slices.Clone(c.Skeleton.Pages)
	slices.SortFunc(l.planned, func(a, b fixture.PlannedPage) int { return strings.Compare(a.ID, b.ID) })
	pages := make([]*page, len(l.planned))
	for i, p := range l.planned {
		l.index[p.ID] = i
		pages[i] = newPage(p.ID, c.Pages[p.ID])
	}
	ledger := make([]*proof, len(c.Ledger))
	for i, line := range c.Ledger {
		ledger[i] = newProof(line)
	}
	l.first = &moment{library: l, wiki: &edition{library: l, pages: pages}, ledger: ledger, read: make([]bool, sources), stage: -1,
		digests: Digests{Fixture: c.Fixture.Digests.Fixture, Skills: c.Fixture.Digests.Skills, Source: c.Fixture.Digests.Source}}
	return l, l.verify()
}

// add puts a file at its place and lists it, and the folders above it, where they belong.
func (l *library) add(f *file) {
	l.files = append(l.files, f)
	l.byPath[f.path] = f
	item := fileEntry(path.Base(f.path), len(f.text))
	for at := path.Dir(f.path); ; at = path.Dir(at) {
		list, known := l.folders[at]
		l.folders[at] = append(list, item)
		if known || at == "/" {
			return
		}
		item = folderEntry(path.Base(at))
	}
}

// digests computes anew what the read-only roots hold.
func (l *library) digests() (source, skills string) {
	texts := [2]map[string]string{{}, {}}
	for _, f := range l.files {
		if f.source != "" {
			texts[0][f.source] = f.text
		} else {
			texts[1][strings.TrimPrefix(f.path, SkillsRoot+"/")] = f.text
		}
	}
	return fixture.TreeDigest(texts[0]), fixture.TreeDigest(texts[1])
}

// verify reports whether the read-only roots hold what the fixture says.
func (l *library) verify() error {
	source, skills := l.digests()
	want := l.c.Fixture.Digests
	if source != want.Source {
		return errorf("fixture_mismatch: the digest of %s is %s, not %s", SourceRoot, source, want.Source)
	}
	if skills != want.Skills {
		return errorf("fixture_mismatch: the digest of %s is %s, not %s", SkillsRoot, skills, want.Skills)
	}
	return nil
}

// plugins is the library of the built-in case.
var plugins = sync.OnceValues(func() (*library, error) {
	c, err := fixture.Plugins()
	if err != nil {
		return nil, errorf("%w", err)
	}
	return newLibrary(c)
})

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
