package wiki

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	fixture "benchwright/fixtures/wiki"
	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wiki"
)

const (
	qualifies = `{"case":"small","stages":[{"name":"protocol"},{"name":"evidence_sample","selected":["bolt","nut"],"locked":true}]}`
	whole     = `{"case":"small","stages":[{"name":"formal"}]}`
)

// small is a case of five pages, of which one is complete, with three open requirements.
func small() *fixture.Case {
	c := &fixture.Case{
		ID: "small",
		Source: map[string]string{
			"README.md":        "# Kit\nBolts and nuts.\n",
			"src/bolt/bolt.ts": "export const PITCH = 3;\nexport function turn(n: number) { return n * PITCH; }\n",
			"src/bolt/head.ts": "export const HEAD = 'hex';\n",
			"src/nut/nut.ts":   "export const NUT = 'square';\n",
			"src/nut/cap.ts":   "export const CAP = 'domed';\n",
			"test/bolt.ts":     "turn(2) === 6;\n",
		},
		Skills: map[string]string{"citing": "# Citing\nRead, then cite.\n"},
		Skeleton: fixture.Skeleton{
			Schema: fixture.SkeletonSchema,
			Pages: []fixture.PlannedPage{
				planned("kit", "", 1, "README.md", 1, 0), planned("bolt", "kit", 1, "src/bolt/bolt.ts", 2, 1),
				planned("nut", "kit", 2, "src/nut/nut.ts", 1, 0), planned("head", "kit", 4, "src/bolt/head.ts", 1, 0),
				planned("cap", "nut", 1, "src/nut/cap.ts", 1, 0),
			},
			Requirements: []fixture.Requirement{
				{ID: "R1", Kind: fixture.LinksEachOther, Pages: []string{"bolt", "nut"}, Rule: fixture.Rule{Text: "Bolt and nut name each other."}},
				{ID: "R2", Kind: fixture.Ordering, Pages: []string{"bolt", "nut", "head"}, Rule: fixture.Rule{Text: "The parts are numbered without a gap."}},
				{ID: "R3", Kind: fixture.RelatedExists, Pages: []string{"head"}, Rule: fixture.Rule{Text: "Head names pages that there are."}},
			},
		},
	}
	c.Pages = map[string]string{
		"kit": page("kit", "", 1, nil, cite(c, "README.md")), "bolt": page("bolt", "kit", 1, nil), "nut": page("nut", "kit", 2, []string{"bolt"}),
		"head": page("head", "kit", 4, []string{"thread"}), "cap": page("cap", "nut", 1, nil, fixture.Source{Path: "src/nut/cap.ts", SHA256: fixture.Hash("as it was"), Kind: "source"}),
	}
	other := fixture.Hash("the snapshot before")
	for _, l := range []struct{ page, path, hash string }{{"kit", "README.md", fixture.Hash(c.Source["README.md"])}, {"cap", "src/nut/cap.ts", fixture.Hash("as it was")}} {
		c.Ledger = append(c.Ledger, fixture.LedgerLine{Seq: len(c.Ledger) + 1, PageID: &l.page, Path: l.path, SHA256: l.hash, Kind: fixture.KindSource, Origin: fixture.Inherited, InheritedDigest: &other})
	}
	skills := map[string]string{}
	for name, text := range c.Skills {
		skills[name+".md"] = text
	}
	c.Fixture.Digests = fixture.Digests{Fixture: strings.Repeat("f", 64), Source: fixture.TreeDigest(c.Source), Skills: fixture.TreeDigest(skills)}
	return c
}

func planned(id, parent string, order int, path string, sources, tests int) fixture.PlannedPage {
	return fixture.PlannedPage{ID: id, Title: "About " + id, Parent: parent, Order: order, Path: "src/" + id + ".md", Kind: fixture.Module,
		Headings: []string{"What it is", "How it works"}, Required: fixture.Required{MinSource: sources, MinTest: tests, MustCite: []string{path}}}
}

func page(id, parent string, order int, related []string, sources ...fixture.Source) string {
	return fixture.Page{ID: id, Title: "About " + id, Parent: parent, Order: order, Kind: fixture.Module, Related: related, Sources: sources, Lead: "\n",
		Sections: []fixture.Section{{Heading: "What it is", Text: "\nA part.\n\n"}, {Heading: "How it works", Text: "\nIt holds.\n"}}}.String()
}

func cite(c *fixture.Case, path string) fixture.Source {
	return fixture.Source{Path: path, SHA256: fixture.Hash(c.Source[path]), Kind: fixture.KindOf(path)}
}

// A player plays a world and keeps the record of it.
type player struct {
	t    testing.TB
	c    *fixture.Case
	w    sim.World
	rec  *Record
	ask  int
	turn int
}

func play(t *testing.T, setup string) *player {
	t.Helper()
	c := small()
	w, err := world.KindOf(c).New(context.Background(), sim.Env{}, json.RawMessage(setup), []string{world.AllTools})
	if err != nil {
		t.Fatal(err)
	}
	p := &player{t: t, c: c, w: w, ask: -1, rec: &Record{Task: "codewiki/small/x", Agent: "ollama:small", Protocol: "json", Trial: 1, Outcome: grader.Passed, End: grader.End{Code: grader.EndDone}, Wall: 131_700 * time.Millisecond}}
	p.rec.Initial = p.state()
	p.rec.Envelope.Tools = []string{world.AllTools}
	p.rec.Messages = []Message{{"system", "Below /source, /wiki and /skills: " + strings.Join(world.ToolNames(), ", ")}, {"user", "Begin."}}
	return p
}

func (p *player) state() json.RawMessage {
	s, err := p.w.State()
	if err != nil {
		p.t.Fatal(err)
	}
	return slices.Clone(s.JSON())
}

func (p *player) begin() {
	p.t.Helper()
	p.leave()
	p.ask++
	if err := p.w.Begin(context.Background(), p.ask); err != nil {
		p.t.Fatal(err)
	}
	p.rec.Answers = append(p.rec.Answers, nil)
}

// leave keeps the state of the present ask.
func (p *player) leave() {
	if p.ask >= 0 && len(p.rec.States) == p.ask {
		p.rec.States = append(p.rec.States, p.state())
	}
}

func (p *player) call(name string, args ...any) sim.Result {
	p.t.Helper()
	object := map[string]any{}
	for i := 0; i < len(args); i += 2 {
		object[args[i].(string)] = args[i+1]
	}
	c := sim.Call{Name: name, Arguments: sim.MustCanonical(object)}
	r := p.w.Call(context.Background(), c)
	p.turn++
	p.rec.Trace = append(p.rec.Trace, sim.Event{Ask: p.ask, Turn: p.turn, Call: c, Result: r})
	t := Turn{Ask: p.ask, Kind: turnCalls, Duration: time.Second, Usage: RecordedUsage{Requests: 1, Input: n(1000), Cached: n(900), Output: n(50)}}
	t.Reply.Timing.Prompt, t.Reply.Timing.Output = 200*time.Millisecond, time.Second
	p.rec.Turns = append(p.rec.Turns, t)
	p.rec.Usage.Requests++
	return r
}

func (p *player) must(name string, args ...any) {
	p.t.Helper()
	if r := p.call(name, args...); !r.OK() {
		p.t.Fatalf("%s%v: %s", name, args, r.Data)
	}
}

func (p *player) read(paths ...string) {
	p.t.Helper()
	for _, path := range paths {
		p.must(world.ReadFile, "path", "/source/"+path)
	}
}

func (p *player) text(id string) string {
	s, err := world.ReadState(sim.RawState(p.state()))
	if err != nil {
		p.t.Fatal(err)
	}
	return s.Pages[id]
}

// write replaces a page, and says what came of it.
func (p *player) write(id, content string) string {
	p.t.Helper()
	return p.call(world.WritePage, "page_id", id, "content", content, "expected_sha256", fixture.Hash(p.text(id))).Code
}

func (p *player) cite(paths ...string) (out []fixture.Source) {
	for _, path := range paths {
		out = append(out, cite(p.c, path))
	}
	return out
}

// end ends the episode and returns its record.
func (p *player) end() *Record {
	p.leave()
	return p.rec
}

func (p *player) ctx() context.Context { return WithCase(context.Background(), p.c) }

// codes are those that a check raises, each once, and what else came of it.
func (p *player) codes(c grader.Check) string {
	p.t.Helper()
	v := grader.Grade(p.ctx(), []grader.Check{c}, p.end())
	r := v.Results[0]
	for _, f := range r.Findings {
		if !slices.Contains(c.Rule.Codes(), f.Code) {
			p.t.Errorf("%s raises %s, which it does not list", c.Rule.Name(), f.Code)
		}
		if f.Message == "" || f.Type == "" {
			p.t.Errorf("%s: a finding says nothing: %+v", c.Rule.Name(), f)
		}
	}
	switch r.State {
	case grader.Held, grader.Unmet:
		codes := v.Codes()
		slices.Sort(codes)
		return strings.Join(slices.Compact(codes), " ")
	}
	return fmt.Sprint(r.State, " ", v.Layer)
}

var asked = map[string]any{"symbols": []any{
	map[string]any{"symbol": "PITCH", "path": "src/bolt/bolt.ts", "line": 1},
	map[string]any{"symbol": "HEAD", "path": "/source/src/bolt/head.ts", "line": 1},
	map[string]any{"symbol": "NUT", "path": "src/nut/nut.ts", "line": 1},
}}

// protocol passes the first gate.
func (p *player) protocol() {
	p.t.Helper()
	p.begin()
	p.must(world.ListDir, "path", "/source")
	p.read("src/bolt/bolt.ts", "src/bolt/head.ts", "src/nut/nut.ts")
	p.must(world.Finish, "answer", asked)
}

// sample passes the second.
func (p *player) sample() {
	p.t.Helper()
	p.begin()
	p.read("test/bolt.ts")
	p.repair()
	p.must(world.Finish)
}

func (p *player) bolt() string {
	return page("bolt", "kit", 1, nil, p.cite("src/bolt/bolt.ts", "src/bolt/head.ts", "test/bolt.ts")...)
}

func (p *player) nut() string {
	return page("nut", "kit", 2, []string{"bolt"}, p.cite("src/nut/nut.ts")...)
}

func (p *player) repair() {
	p.t.Helper()
	for _, w := range [][2]string{{"bolt", p.bolt()}, {"nut", p.nut()}} {
		if code := p.write(w[0], w[1]); code != "" {
			p.t.Fatalf("page %s: %s", w[0], code)
		}
	}
}

// formal completes the whole task.
func (p *player) formal() {
	p.t.Helper()
	p.begin()
	p.read("src/bolt/bolt.ts", "src/bolt/head.ts", "src/nut/nut.ts", "test/bolt.ts", "src/nut/cap.ts")
	for _, w := range [][2]string{
		{"bolt", page("bolt", "kit", 1, []string{"nut"}, p.cite("src/bolt/bolt.ts", "src/bolt/head.ts", "test/bolt.ts")...)}, {"nut", p.nut()},
		{"head", page("head", "kit", 3, []string{"bolt"}, p.cite("src/bolt/head.ts")...)}, {"cap", page("cap", "nut", 1, nil, p.cite("src/nut/cap.ts")...)},
	} {
		if code := p.write(w[0], w[1]); code != "" {
			p.t.Fatalf("page %s: %s", w[0], code)
		}
	}
	p.must(world.Finish)
}

// spoil changes the last state.
func (p *player) spoil(change func(s map[string]any)) {
	p.t.Helper()
	p.leave()
	a := grader.Aftermath{States: p.rec.States}
	if !edit(&a, len(a.States)-1, func(s map[string]any) bool { change(s); return true }) {
		p.t.Fatal("the state cannot be spoiled")
	}
}

func (p *player) spoilPage(id, text string) {
	p.t.Helper()
	p.spoil(func(s map[string]any) { s["pages"].(map[string]any)[id] = text })
}

var (
	gate1  = Protocol("PITCH", "HEAD", "NUT")
	gate2  = grader.Check{Rule: &EvidenceSampleRule{}, Ask: 1}
	gate3  = grader.Check{Rule: &FocusedQARule{}, Ask: 1}
	gates3 = []grader.Check{gate1, gate2, gate3}
	trial  = []grader.Check{FormalTask(), FocusedQA()}
)
