package wiki

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"

	fixture "benchwright/fixtures/wiki"
	rules "benchwright/grader/wiki"
	"benchwright/sim"
	world "benchwright/sim/wiki"
	"benchwright/tasks"
)

// planFile says what each page requires.
const planFile = world.WikiRoot + "/skeleton.json"

// A bench is where scripted moves are made: it knows the case and what the moves have done to it.
// It shares nothing with the graders but the case.
type bench struct {
	c     *fixture.Case
	plan  map[string]fixture.PlannedPage
	texts map[string]string // pages as the moves leave them
	read  map[string]bool   // files that have been read, by path below source/
	seen  map[string]bool   // folders that have been listed
	moves []tasks.Move
}

func newBench(c *fixture.Case) *bench {
	b := &bench{c: c, plan: map[string]fixture.PlannedPage{}, texts: map[string]string{}, read: map[string]bool{}, seen: map[string]bool{}}
	for _, p := range c.Skeleton.Pages {
		b.plan[p.ID], b.texts[p.ID] = p, c.Pages[p.ID]
	}
	return b
}

func (b *bench) call(tool string, arguments map[string]any) {
	b.moves = append(b.moves, tasks.Move{Calls: []sim.Call{{Name: tool, Arguments: sim.MustCanonical(arguments)}}})
}

func (b *bench) list(at string) { b.call(world.ListDir, map[string]any{"path": at}) }

func (b *bench) finish() { b.call(world.Finish, map[string]any{}) }

// survey finds out what is to be done: the stage, its pages, and what the plan requires of each.
func (b *bench) survey(filter string) {
	b.call(world.GetStatus, map[string]any{})
	b.call(world.ListPages, map[string]any{"filter": filter})
	plan, err := json.MarshalIndent(b.c.Skeleton, "", " ")
	if err != nil {
		panic(fmt.Sprintf("wiki: the plan: %v", err)) // plain data
	}
	for from := 1; from <= bytes.Count(plan, []byte("\n")); from += mostLines {
		b.call(world.ReadFile, map[string]any{"path": planFile, "start_line": from, "end_line": from + mostLines - 1})
	}
}

// readFile reads a file of the source unless it has been, after a look into its folder.
func (b *bench) readFile(file string) {
	if !b.read[file] {
		b.read[file] = true
		if at := path.Dir(world.SourceRoot + "/" + file); !b.seen[at] {
			b.seen[at] = true
			b.list(at)
		}
		b.call(world.ReadFile, map[string]any{"path": world.SourceRoot + "/" + file})
	}
}

// write replaces a page.
func (b *bench) write(id, text string) {
	b.call(world.WritePage, map[string]any{"page_id": id, "content": text, "expected_sha256": fixture.Hash(b.texts[id])})
	b.texts[id] = text
}

func (b *bench) page(id string) fixture.Page {
	p, err := fixture.ParsePage(b.texts[id])
	if err != nil {
		panic(fmt.Sprintf("wiki: page %s: %v", id, err)) // drafts are pages, and so is what is made of them
	}
	return p
}

// protocol finds the symbols.
func (b *bench) protocol() {
	b.list(world.SourceRoot)
	b.seen[world.SourceRoot] = true
	var found []any
	for _, s := range rules.Asked(b.c) {
		b.call(world.Search, map[string]any{"query": s.Name, "path": world.SourceRoot + "/src"})
		b.readFile(s.Path)
		found = append(found, map[string]any{"symbol": s.Name, "path": s.Path, "line": s.Line})
	}
	b.call(world.Finish, map[string]any{"answer": map[string]any{"symbols": found}})
}

// sample repairs the selected pages.
func (b *bench) sample() {
	b.survey("selected")
	for _, id := range fixture.Selected(b.c) {
		p := b.page(id)
		b.cite(&p)
		b.store(p)
	}
	b.finish()
}

// formal repairs the wiki.
func (b *bench) formal() error {
	b.survey("missing")
	pages := map[string]*fixture.Page{}
	for _, planned := range b.c.Skeleton.Pages {
		p := b.page(planned.ID)
		if !fixture.State(p, planned, b.c.Ledger, b.c).Complete {
			b.cite(&p)
		}
		pages[p.ID] = &p
	}
	for _, r := range b.c.Skeleton.Requirements {
		if err := b.close(r, pages); err != nil {
			return fmt.Errorf("requirement %s: %w", r.ID, err)
		}
	}
	for _, planned := range b.c.Skeleton.Pages {
		if p := pages[planned.ID]; p.String() != b.page(p.ID).String() {
			b.store(*p)
		}
	}
	b.finish()
	return nil
}

// store reads a page and what it cites, and writes it.
func (b *bench) store(p fixture.Page) {
	b.call(world.ReadPage, map[string]any{"page_id": p.ID})
	for _, s := range p.Sources {
		if !b.inherited(p.ID, s.Path) {
			b.readFile(s.Path)
		}
	}
	b.write(p.ID, p.String())
}

// inherited reports whether the ledger came with a valid line of a file for a page.
func (b *bench) inherited(id, file string) bool {
	hash, _ := b.c.Hash(file)
	return slices.ContainsFunc(b.c.Ledger, func(l fixture.LedgerLine) bool {
		return l.Origin == fixture.Inherited && l.PageID != nil && *l.PageID == id && l.Path == file && l.SHA256 == hash
	})
}

// cite gives a page the sources that it needs: those it has, with the digests of the files as they
// are, those that it must cite, and neighbours of these until there are enough.
func (b *bench) cite(p *fixture.Page) {
	planned := b.plan[p.ID]
	var files []string
	add := func(file string) {
		if _, ok := b.c.Hash(file); ok && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	for _, s := range p.Sources {
		add(s.Path)
	}
	for _, file := range planned.Required.MustCite {
		add(file)
	}
	fill := func(kind string, least int) {
		for _, file := range b.neighbours(planned, kind) {
			if count(files, kind) < least {
				add(file)
			}
		}
	}
	fill(fixture.KindSource, planned.Required.MinSource)
	fill(fixture.KindTest, planned.Required.MinTest)
	p.Sources = nil
	for _, file := range files {
		hash, _ := b.c.Hash(file)
		p.Sources = append(p.Sources, fixture.Source{Path: file, SHA256: hash, Kind: fixture.KindOf(file)})
	}
}

func count(files []string, kind string) (n int) {
	for _, f := range files {
		if fixture.KindOf(f) == kind {
			n++
		}
	}
	return n
}

// neighbours lists the files of a kind, those of the page's part of the product first.
func (b *bench) neighbours(p fixture.PlannedPage, kind string) []string {
	part := path.Base(fixture.Folder(p.Path))
	var out []string
	for file := range b.c.Source {
		if fixture.KindOf(file) == kind {
			out = append(out, file)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		x, y := strings.Contains(out[i], "/"+part+"/"), strings.Contains(out[j], "/"+part+"/")
		if x != y {
			return x
		}
		return out[i] < out[j]
	})
	return out
}

// close closes a requirement in pages that are edited.
func (b *bench) close(r fixture.Requirement, pages map[string]*fixture.Page) error {
	first := pages[r.Pages[0]]
	relate := func(p *fixture.Page, id string) {
		if !slices.Contains(p.Related, id) {
			p.Related = append(p.Related, id)
		}
	}
	switch r.Kind {
	case fixture.LinksEachOther:
		relate(first, r.Pages[1])
		relate(pages[r.Pages[1]], r.Pages[0])
	case fixture.ListsChildren:
		for _, p := range b.c.Skeleton.Pages {
			if p.Parent == r.Pages[0] {
				relate(first, p.ID)
			}
		}
	case fixture.RelatedExists:
		first.Related = slices.DeleteFunc(first.Related, func(id string) bool { return b.plan[id].ID == "" || id == first.ID })
	case fixture.DistinctPrimarySource:
		for _, id := range r.Pages[1:] {
			if p := pages[id]; len(p.Sources) > 1 && len(first.Sources) > 0 && p.Sources[0].Path == first.Sources[0].Path {
				p.Sources = append(p.Sources[1:], p.Sources[0])
			}
		}
	case fixture.Ordering:
		ids := slices.Clone(r.Pages)
		slices.SortStableFunc(ids, func(x, y string) int { return pages[x].Order - pages[y].Order })
		for i, id := range ids {
			pages[id].Order = i + 1
		}
	case fixture.TermDefinedOnce:
		for _, id := range r.Pages[1:] { // the first keeps its definition
			undefine(pages[id], r.Rule.Term)
		}
	default:
		return fmt.Errorf("nobody knows how to close one of kind %s", r.Kind)
	}
	return nil
}

// undefine makes a plain sentence of the definition of a term.
func undefine(p *fixture.Page, term string) {
	defines := regexp.MustCompile(`(?im)^(?:- )?\*\*` + regexp.QuoteMeta(term) + `(?:\*\*:|:\*\*)[ ]*`)
	plain := "A " + term + " is "
	p.Lead = defines.ReplaceAllString(p.Lead, plain)
	p.Sections = slices.Clone(p.Sections)
	for i := range p.Sections {
		p.Sections[i].Text = defines.ReplaceAllString(p.Sections[i].Text, plain)
	}
}
