package wiki

import (
	"slices"
	"strings"

	fixture "benchwright/fixtures/wiki"
)

// maxPage is how long a page may be, in bytes.
const maxPage = 64 << 10

// The filters of list_pages.
const (
	filterAll      = "all"
	filterMissing  = "missing"
	filterSelected = "selected"
)

var filters = []string{filterMissing, filterSelected, filterAll}

type pageList struct {
	Filter string     `json:"filter"`
	OK     bool       `json:"ok"`
	Pages  []pageLine `json:"pages"`
}

type pageLine struct {
	Covered          int    `json:"covered"`
	OpenRequirements int    `json:"open_requirements"`
	PageID           string `json:"page_id"`
	Required         int    `json:"required"`
	Selected         bool   `json:"selected"`
	State            string `json:"state"`
	Title            string `json:"title"`
}

// condition is the state of a page's evidence in one word.
func condition(s fixture.PageState) string {
	switch {
	case s.Complete:
		return "complete"
	case s.Partial():
		return "partial"
	}
	return "missing"
}

func (k *call) listPages() (any, *failure) {
	filter := k.args.text("filter")
	if filter == "" {
		filter = filterAll
	}
	if filter == filterAll {
		delete(k.canonical, "filter")
	}
	m, selected := k.world.now, k.stage().Selected
	open := map[string]int{}
	for _, r := range m.wiki.requirements() {
		for _, id := range r.Pages {
			open[id]++
		}
	}
	out := pageList{filter, true, []pageLine{}}
	for i, s := range m.measure() {
		p := m.wiki.pages[i]
		line := pageLine{s.Covered, open[p.id], p.id, s.Required, slices.Contains(selected, p.id), condition(s), p.parsed.Title}
		if filter == filterMissing && s.Complete || filter == filterSelected && !line.Selected {
			continue
		}
		out.Pages = append(out.Pages, line)
	}
	return out, nil
}

type pageText struct {
	Content string `json:"content"`
	OK      bool   `json:"ok"`
	PageID  string `json:"page_id"`
	SHA256  string `json:"sha256"`
}

func (k *call) readPage() (any, *failure) {
	i, f := k.planned(k.args.text("page_id"))
	if f != nil {
		return nil, f
	}
	p := k.world.now.wiki.pages[i]
	return pageText{p.text, true, p.id, p.hash}, nil
}

// planned returns the number of a page.
func (k *call) planned(id string) (int, *failure) {
	k.target = clip(id, maxShown)
	if i, ok := k.world.now.library.page(id); ok {
		return i, nil
	}
	k.missing = true
	return 0, fail(CodeUnknownPage, "list_pages names the pages; none can be added", "no page %s is planned", shown(id))
}

type pageWritten struct {
	AfterSHA256      string   `json:"after_sha256"`
	BeforeSHA256     string   `json:"before_sha256"`
	Evidence         evidence `json:"evidence"`
	OK               bool     `json:"ok"`
	OpenRequirements []string `json:"open_requirements"`
	PageID           string   `json:"page_id"`
}

// evidence is a page's evidence as an agent is told of it.
type evidence struct {
	BackedSource int      `json:"backed_source"`
	BackedTest   int      `json:"backed_test"`
	Covered      int      `json:"covered"`
	Faults       []fault  `json:"faults"`
	MinSource    int      `json:"min_source"`
	MinTest      int      `json:"min_test"`
	MustCite     []string `json:"must_cite_missing"`
	Required     int      `json:"required"`
	State        string   `json:"state"`
}

type fault struct {
	Actual   string       `json:"actual"`
	Code     fixture.Code `json:"code"`
	Expected string       `json:"expected"`
	Path     string       `json:"path"`
}

func evidenceOf(s fixture.PageState, needs fixture.Required) evidence {
	e := evidence{
		BackedSource: s.BackedSource, BackedTest: s.BackedTest, Covered: s.Covered, Faults: []fault{},
		MinSource: needs.MinSource, MinTest: needs.MinTest, MustCite: append([]string{}, s.Missing...), Required: s.Required, State: condition(s),
	}
	for _, f := range s.Faults {
		e.Faults = append(e.Faults, fault{f.Actual, f.Code, f.Expected, f.Path})
	}
	return e
}

func (k *call) writePage() (any, *failure) {
	id, content := k.args.text("page_id"), k.args.text("content")
	delete(k.canonical, "content") // which is a page's length; its hash tells it from others
	k.canonical["content_sha256"] = fixture.Hash(content)
	i, f := k.writable(id)
	if f != nil {
		return nil, f
	}
	w, before := k.world, k.world.now
	was := before.wiki.pages[i]
	switch {
	case len(content) > maxPage:
		return nil, fail(CodeTooLarge, "shorten the page", "the content has %d bytes; a page has at most %d", len(content), maxPage)
	case k.args.text("expected_sha256") != was.hash:
		return nil, fail(CodeStaleWrite, "read the page again with read_page", "expected_sha256 is not that of page %s as it stands", shown(id))
	}
	is := newPage(id, content)
	if is.broken != nil {
		return nil, byName[WritePage].invalid("content is no page: %s", clip(is.broken.Error(), maxHit))
	}
	if f := k.locked(before, i, is); f != nil {
		return nil, f
	}
	old, open := before.backing(i, was), before.wiki.requirementIDs()
	if is.hash != was.hash {
		w.now = before.with(i, is)
	}
	now, stillOpen := w.now.backing(i, is), w.now.wiki.requirementIDs()
	k.written = &Write{
		PageID: id, Before: was.hash, After: is.hash, BackedBefore: len(old.Backed), BackedAfter: len(now.Backed),
		EvidenceDelta: len(now.Backed) - len(old.Backed), RequirementDelta: len(open) - len(stillOpen),
		Closed: without(open, stillOpen), Opened: without(stillOpen, open),
	}
	return pageWritten{is.hash, was.hash, evidenceOf(now, before.library.planned[i].Required), true, stillOpen, id}, nil
}

// without returns what is in a and not in b.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

// writable returns the number of a page that may be written now.
func (k *call) writable(id string) (int, *failure) {
	k.target = clip(id, maxShown)
	if strings.ContainsAny(id, `/\`) || id == ".." || id == "." {
		at, ok := place(id)
		if !ok || root(at) == "" {
			return 0, fail(CodeOutsideRoots, k.hint(), "%s is below no root", shown(id))
		}
		k.target = clip(at, maxShown)
		return 0, fail(CodeWriteDenied, "give the page_id of a page: pages are all that can be written", "%s cannot be written", shown(at))
	}
	st := k.stage()
	switch {
	case !st.Writes():
		return 0, fail(CodeStageForbidsWrite, "this stage only reads", "nothing can be written in this stage")
	case k.finished():
		return 0, fail(CodeStageForbidsWrite, "the stage is over", "the stage is finished")
	}
	i, f := k.planned(id)
	if f == nil && !slices.Contains(st.Selected, id) {
		f = fail(CodePageNotSelected, "the selected pages are "+strings.Join(st.Selected, ", "), "page %s is not selected in this stage", shown(id))
	}
	return i, f
}

// locked is the failure of a page whose structure would change where it may not.
func (k *call) locked(m *moment, i int, is *page) *failure {
	planned := m.library.planned[i]
	if was := m.wiki.pages[i]; was.broken == nil {
		p := was.parsed
		planned.Title, planned.Parent, planned.Order, planned.Kind, planned.Headings = p.Title, p.Parent, p.Order, p.Kind, p.Headings()
	}
	changed := fixture.StructureChanges(planned, is.parsed)
	if !k.stage().Locked {
		for _, r := range m.wiki.requirements() {
			if slices.Contains(r.Pages, is.id) {
				changed = without(changed, r.Kind.Fields())
			}
		}
	}
	if len(changed) == 0 {
		return nil
	}
	hint := "keep the structure of the page as it stands"
	if !k.stage().Locked {
		hint += "; only what an open requirement that names the page is about may change"
	}
	return fail(CodeStructureLocked, hint, "the content changes %s", strings.Join(changed, ", "))
}
