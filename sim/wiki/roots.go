package wiki

import (
	"path"
	"slices"
	"strings"
)

// The virtual roots.
const (
	SkillsRoot = "/skills"
	SourceRoot = "/source"
	WikiRoot   = "/wiki"
)

// Roots lists the roots, sorted. Of these only WikiRoot can be written, by write_page.
func Roots() []string { return []string{SkillsRoot, SourceRoot, WikiRoot} }

const (
	pagesFolder  = WikiRoot + "/pages"
	skeletonFile = WikiRoot + "/skeleton.json"
	ledgerFile   = WikiRoot + "/evidence.jsonl"

	rootsHint = "the roots are /skills and /source, which are read only, and /wiki, whose pages are written with write_page"
)

func pagePath(id string) string    { return pagesFolder + "/" + id + ".md" }
func skillPath(name string) string { return SkillsRoot + "/" + name + ".md" }

// place returns a path in its only spelling. A path that climbs out of "/" has none.
func place(raw string) (string, bool) {
	depth := 0
	for _, part := range strings.Split(raw, "/") {
		switch part {
		case "", ".":
		case "..":
			if depth--; depth < 0 {
				return "", false
			}
		default:
			depth++
		}
	}
	return path.Clean("/" + raw), true
}

// root returns the root that a place is below, or "".
func root(at string) string {
	first, _, _ := strings.Cut(at[1:], "/")
	switch "/" + first {
	case SkillsRoot, SourceRoot, WikiRoot:
		return "/" + first
	}
	return ""
}

// mounted reports whether a root is there.
func (w *world) mounted(root string) bool { return root != w.faults.MountMissing }

// reach returns the place that an argument names, which is below a root that there is; "/" is the
// folder of the roots.
func (k *call) reach(raw string) (at string, f *failure) {
	at, ok := place(raw)
	if !ok { // it climbs out, which has one spelling too
		at = path.Clean(strings.TrimLeft(raw, "/"))
	}
	k.canonical["path"] = at
	k.target = clip(at, maxShown)
	if !ok || at != "/" && root(at) == "" {
		k.missing = true
		return "", fail(CodeOutsideRoots, k.hint(), "the path %s is below no root", shown(raw))
	}
	if at != "/" && !k.world.mounted(root(at)) {
		return "", k.nothing(at)
	}
	return at, nil
}

// nothing is the failure of a path where nothing is.
func (k *call) nothing(at string) *failure {
	k.missing = true
	return fail(CodeNotFound, k.hint(), "there is nothing at %s", shown(at))
}

// hint names the roots, unless the setup hides them.
func (k *call) hint() string {
	if k.world.faults.HideRoots {
		return "check the path"
	}
	return rootsHint
}

// folder returns what a folder holds, sorted by name, and whether there is such a folder.
func (m *moment) folder(at string) ([]entry, bool) {
	switch at {
	case WikiRoot:
		return []entry{fileEntry(path.Base(ledgerFile), len(m.ledgerFile().text)), folderEntry(path.Base(pagesFolder)), fileEntry(path.Base(skeletonFile), len(m.wiki.skeleton().text))}, true
	case pagesFolder:
		list := make([]entry, len(m.wiki.pages))
		for i, p := range m.wiki.pages {
			list[i] = fileEntry(p.id+".md", len(p.text))
		}
		sortEntries(list)
		return list, true
	}
	list, ok := m.library.folders[at]
	return list, ok
}

// file returns the file at a place, or nil.
func (m *moment) file(at string) *file {
	switch at {
	case ledgerFile:
		return m.ledgerFile()
	case skeletonFile:
		return m.wiki.skeleton()
	}
	if name, ok := strings.CutPrefix(at, pagesFolder+"/"); ok {
		id, isPage := strings.CutSuffix(name, ".md")
		if i, planned := m.library.page(id); isPage && planned {
			return m.wiki.pages[i].file
		}
		return nil
	}
	return m.library.byPath[at]
}

// within returns the files below a place, or the file at it, in the order of their paths.
func (m *moment) within(at string) (files []*file) {
	add := func(f *file) {
		if at == "/" || f.path == at || strings.HasPrefix(f.path, at+"/") {
			files = append(files, f)
		}
	}
	for _, f := range m.library.files {
		add(f)
	}
	if at != "/" && root(at) != WikiRoot {
		return files
	}
	add(m.ledgerFile())
	for _, p := range m.wiki.pages {
		add(p.file)
	}
	add(m.wiki.skeleton())
	slices.SortFunc(files, func(a, b *file) int { return strings.Compare(a.path, b.path) })
	return files
}
