package wiki

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	fixture "benchwright/fixtures/wiki"
	"benchwright/sim"
)

// A moment is the state of a world. It is immutable: a change makes another one that shares all
// that it leaves alone, so that a fork is a pointer. What is computed from it is computed once.
type moment struct {
	library  *library
	wiki     *edition
	ledger   []*proof
	read     []bool // by the number of a source file: whether it was read in this run
	stage    int    // -1 before the first
	stages   []StageState
	digests  Digests // as computed when a stage began or was finished
	evidence struct {
		once     sync.Once
		pages    []fixture.PageState
		complete int
		covered  int
		required int
	}
	proven struct {
		once sync.Once
		file *file
	}
	hashed struct {
		once sync.Once
		hash string
	}
	encoded struct {
		once sync.Once
		json json.RawMessage
	}
}

// An edition is all pages as they are at a moment.
type edition struct {
	library *library
	pages   []*page // in the order of library.planned

	open struct {
		once         sync.Once
		requirements []fixture.Requirement
	}
	structure struct {
		once     sync.Once
		hash     string
		skeleton *file // the plan, with the structure that the pages have
	}
}

// A page is one version of a page.
type page struct {
	*file
	id     string
	parsed fixture.Page
	broken error // why it could not be parsed

	once    sync.Once
	encoded []byte
}

func newPage(id, text string) *page {
	p := &page{file: newFile(pagePath(id), text), id: id}
	p.parsed, p.broken = fixture.ParsePage(text)
	return p
}

// A proof is a line of the ledger.
type proof struct {
	fixture.LedgerLine
	encoded json.RawMessage
}

func newProof(line fixture.LedgerLine) *proof { return &proof{line, sim.MustCanonical(line)} }

// edit returns a moment that is about to become different.
func (m *moment) edit() *moment {
	return &moment{library: m.library, wiki: m.wiki, ledger: m.ledger, read: m.read, stage: m.stage, stages: m.stages, digests: m.digests}
}

// prove returns the moment after a source file was read, and the line that the ledger got; nil
// when it was read before.
func (m *moment) prove(f *file, event int) (*moment, *fixture.LedgerLine) {
	if m.read[f.read] {
		return m, nil
	}
	stage := m.stages[m.stage].Name
	p := newProof(fixture.LedgerLine{
		Seq: len(m.ledger) + 1, Path: f.source, SHA256: f.hash, Kind: fixture.KindOf(f.source),
		Origin: fixture.Read, ReadEvent: &event, Stage: &stage,
	})
	after := m.edit()
	after.ledger = append(slices.Clip(m.ledger), p)
	after.read = slices.Clone(m.read)
	after.read[f.read] = true
	return after, &p.LedgerLine
}

// with returns the moment after a page became another.
func (m *moment) with(i int, p *page) *moment {
	after := m.edit()
	after.wiki = &edition{library: m.library, pages: slices.Clone(m.wiki.pages)}
	after.wiki.pages[i] = p
	return after
}

// finish returns the moment after the present stage was finished.
func (m *moment) finish(answer json.RawMessage) *moment {
	after := m.edit()
	after.stages = slices.Clone(m.stages)
	after.stages[m.stage].Finished = true
	after.stages[m.stage].Answer = answer
	return after
}

func (m *moment) lines() []fixture.LedgerLine {
	lines := make([]fixture.LedgerLine, len(m.ledger))
	for i, p := range m.ledger {
		lines[i] = p.LedgerLine
	}
	return lines
}

// backing is the evidence of a version of a page, proven by the moment's ledger.
func (m *moment) backing(i int, p *page) fixture.PageState {
	return fixture.State(p.parsed, m.library.planned[i], m.lines(), m.library.c)
}

// measure computes the evidence of all pages.
func (m *moment) measure() []fixture.PageState {
	e := &m.evidence
	e.once.Do(func() {
		lines := m.lines()
		e.pages = make([]fixture.PageState, len(m.wiki.pages))
		for i, p := range m.wiki.pages {
			s := fixture.State(p.parsed, m.library.planned[i], lines, m.library.c)
			e.pages[i] = s
			e.covered += s.Covered
			e.required += s.Required
			if s.Complete {
				e.complete++
			}
		}
	})
	return e.pages
}

// ledgerFile is the ledger as a file.
func (m *moment) ledgerFile() *file {
	m.proven.once.Do(func() {
		var b strings.Builder
		for _, p := range m.ledger {
			b.Write(p.encoded)
			b.WriteByte('\n')
		}
		m.proven.file = newFile(ledgerFile, b.String())
	})
	return m.proven.file
}

// hash is the state hash, as Facts has it.
func (m *moment) hash() string {
	m.hashed.once.Do(func() {
		b := append(strconv.AppendInt(append(make([]byte, 0, 8<<10), "ledger "...), int64(len(m.ledger)), 10), '\n')
		for _, p := range m.wiki.pages {
			b = append(append(append(append(b, p.hash...), "  "...), p.id...), '\n')
		}
		sum := sha256.Sum256(b)
		m.hashed.hash = hex.EncodeToString(sum[:])
	})
	return m.hashed.hash
}

// parsed returns the pages by id, but for those that are none.
func (e *edition) parsed() map[string]fixture.Page {
	pages := make(map[string]fixture.Page, len(e.pages))
	for _, p := range e.pages {
		if p.broken == nil {
			pages[p.id] = p.parsed
		}
	}
	return pages
}

// requirements returns those that are open.
func (e *edition) requirements() []fixture.Requirement {
	o := &e.open
	o.once.Do(func() { o.requirements = fixture.OpenRequirements(e.library.c.Skeleton, e.parsed()) })
	return o.requirements
}

// requirementIDs returns the ids of the requirements that are open.
func (e *edition) requirementIDs() []string {
	ids := []string{}
	for _, r := range e.requirements() {
		ids = append(ids, r.ID)
	}
	return ids
}

// look computes what the structure of the pages is.
func (e *edition) look() (hash string, skeleton *file) {
	s := &e.structure
	s.once.Do(func() {
		plan := fixture.Restructured(e.library.c.Skeleton, e.parsed())
		s.hash = fixture.StructureHash(plan)
		raw, _ := json.MarshalIndent(plan, "", " ") // plain data always marshals
		s.skeleton = newFile(skeletonFile, string(raw)+"\n")
	})
	return s.hash, s.skeleton
}

func (e *edition) structureHash() string { hash, _ := e.look(); return hash }
func (e *edition) skeleton() *file       { _, f := e.look(); return f }

// JSON returns the state's bytes, which ReadState reads.
func (m *moment) JSON() json.RawMessage {
	m.encoded.once.Do(func() {
		n := 1 << 10
		for _, p := range m.wiki.pages {
			n += len(p.text) + len(p.text)/16
		}
		for _, p := range m.ledger {
			n += len(p.encoded) + 1
		}
		b := make([]byte, 0, n)
		b = append(append(b, `{"case":`...), sim.MustCanonical(m.library.c.ID)...)
		b = append(append(b, `,"digests":`...), sim.MustCanonical(m.digests)...)
		b = append(b, `,"ledger":[`...)
		for i, p := range m.ledger {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, p.encoded...)
		}
		b = append(b, `],"pages":{`...)
		for i, p := range m.wiki.pages {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, p.encode()...)
		}
		b = append(append(b, `},"stage":`...), sim.MustCanonical(m.name())...)
		b = append(append(b, `,"stages":`...), sim.MustCanonical(m.stages)...)
		b = append(append(b, `,"structure_hash":`...), sim.MustCanonical(m.wiki.structureHash())...)
		m.encoded.json = append(b, '}')
	})
	return m.encoded.json
}

// name is that of the present stage.
func (m *moment) name() string {
	if m.stage < 0 {
		return Preparation
	}
	return m.stages[m.stage].Name
}

// encode returns the page as a member of a JSON object.
func (p *page) encode() []byte {
	p.once.Do(func() {
		p.encoded = append(append(sim.MustCanonical(p.id), ':'), sim.MustCanonical(p.text)...)
	})
	return p.encoded
}
