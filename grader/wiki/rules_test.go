package wiki

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	fixture "benchwright/fixtures/wiki"
	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wiki"
	"benchwright/sim/wiki/loops"
)

func answer(edit func([]any) []any) map[string]any {
	var v map[string]any
	if err := json.Unmarshal(sim.MustCanonical(asked), &v); err != nil {
		panic(err)
	}
	v["symbols"] = edit(v["symbols"].([]any))
	return v
}

func field(i int, key string, value any) map[string]any {
	return answer(func(s []any) []any { s[i].(map[string]any)[key] = value; return s })
}

// TestProtocol: each demand of the first gate, and what fails it alone.
func TestProtocol(t *testing.T) {
	read := func(p *player) { p.read("src/bolt/bolt.ts", "src/bolt/head.ts", "src/nut/nut.ts") }
	finish := func(a any) func(*player) {
		return func(p *player) {
			p.must(world.ListDir, "path", "/source/src")
			read(p)
			p.must(world.Finish, "answer", a)
		}
	}
	for _, c := range []struct {
		name string
		play func(p *player)
		want string
	}{
		{"good", finish(asked), ""},
		{"skill-reader", func(p *player) { p.must(world.LoadSkill, "name", "citing"); finish(asked)(p) }, ""},
		{"nothing", func(p *player) {}, "no_finish source_not_listed"},
		{"unlisted", func(p *player) {
			read(p)
			p.must(world.ListDir, "path", "/wiki")
			p.must(world.Finish, "answer", asked)
		}, SourceNotListed},
		{"no-answer", func(p *player) { p.must(world.ListDir, "path", "/source"); read(p); p.must(world.Finish) }, MalformedAnswer},
		{"prose", finish("in bolt.ts"), MalformedAnswer},
		{"more-than-asked", finish(map[string]any{"symbols": []any{}, "sure": true}), MalformedAnswer},
		{"line-as-text", finish(field(0, "line", "1")), MalformedAnswer},
		{"wrong-path", finish(field(0, "path", "src/bolt/head.ts")), WrongPath},
		{"wrong-line", finish(field(0, "line", 2)), WrongLine},
		{"missing", finish(answer(func(s []any) []any { return s[1:] })), MissingSymbol},
		{"twice", finish(answer(func(s []any) []any { return append(s, s[0]) })), UnexpectedSymbol},
		{"unasked", finish(answer(func(s []any) []any {
			return append(s, map[string]any{"symbol": "CAP", "path": "src/nut/cap.ts", "line": 1})
		})), UnexpectedSymbol},
		{"unread", func(p *player) {
			p.must(world.ListDir, "path", "/source")
			p.read("src/bolt/bolt.ts", "src/bolt/head.ts")
			p.must(world.Search, "query", "NUT") // finds it, and proves no read
			p.must(world.Finish, "answer", asked)
		}, UnreadPath},
		{"another-line", func(p *player) { // proves the file, and not that anybody saw the declaration
			p.must(world.ListDir, "path", "/source")
			p.must(world.Search, "query", "PITCH")
			p.must(world.ReadFile, "path", "/source/src/bolt/bolt.ts", "start_line", 2, "end_line", 2)
			p.read("src/bolt/head.ts", "src/nut/nut.ts")
			p.must(world.Finish, "answer", asked)
		}, UnreadLine},
		{"in-two-reads", func(p *player) {
			p.must(world.ListDir, "path", "/source")
			p.must(world.ReadFile, "path", "/source/src/bolt/bolt.ts", "start_line", 2)
			p.must(world.ReadFile, "path", "/source/src/bolt/bolt.ts", "end_line", 1)
			p.read("src/bolt/head.ts", "src/nut/nut.ts")
			p.must(world.Finish, "answer", asked)
		}, ""},
		{"writer", func(p *player) { p.write("nut", p.nut()); finish(asked)(p) }, WriteCalled},
		{"missing-dir-loop", func(p *player) {
			for !p.call(world.ListDir, "path", "/src").Done {
			}
		}, "loop_limit repeated_discovery source_not_listed"},
		{"out-of-turns", func(p *player) { p.must(world.ListDir, "path", "/source"); read(p); p.rec.End.Code = grader.EndTurns }, BudgetExceeded},
		{"out-of-tokens", func(p *player) { p.must(world.ListDir, "path", "/source"); read(p); p.rec.End.Code = grader.EndTokens }, BudgetExceeded},
		{"late", func(p *player) { p.must(world.ListDir, "path", "/source"); read(p); p.rec.End.Code = grader.EndWall }, BudgetExceeded},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := play(t, qualifies)
			p.begin()
			c.play(p)
			if got := p.codes(gate1); got != c.want {
				t.Errorf("want %q, got %q", c.want, got)
			}
		})
	}
	tight := grader.Check{Rule: &ProtocolRule{Symbols: []string{"PITCH", "HEAD", "NUT"}, Budget: &world.Budget{ToolCalls: 4}}}
	p := play(t, qualifies)
	p.protocol() // five calls
	if got := p.codes(tight); got != BudgetExceeded {
		t.Errorf("nested and all others count: %q", got)
	}
	if got := p.codes(grader.Check{Rule: &ProtocolRule{Symbols: []string{"PITCH", "HEAD", "NUT"}, Budget: &world.Budget{ModelCalls: 4}}}); got != BudgetExceeded {
		t.Errorf("so do model calls: %q", got)
	}
	p = play(t, qualifies)
	if got := p.codes(gate1); got != NotReached {
		t.Errorf("who does nothing does not begin: %q", got)
	}
	p.begin()
	if got := p.codes(Protocol("PITCHES")); got != "broken fixture" {
		t.Errorf("a symbol that there is not is a mistake of the task: %q", got)
	}
}

// TestTheRootsAreHidden: the published fault is the adapter's, whatever came of it.
func TestTheRootsAreHidden(t *testing.T) {
	p := play(t, strings.Replace(qualifies, `"stages"`, `"faults":{"hide_roots":true},"stages"`, 1))
	p.begin()
	for range 3 {
		p.call(world.ListDir, "path", "/src")
	}
	if got := p.codes(gate1); got != "broken adapter" {
		t.Errorf("got %q", got)
	}
}

// TestGates2And3: what the two later gates find, each code alone where it can be.
func TestGates2And3(t *testing.T) {
	file := func(id string, edit func(*fixture.Page)) func(*player) {
		return func(p *player) {
			pg, err := fixture.ParsePage(p.text(id))
			if err != nil {
				t.Fatal(err)
			}
			edit(&pg)
			p.spoilPage(id, pg.String())
		}
	}
	source := func(edit func(s []fixture.Source) []fixture.Source) func(*player) {
		return file("nut", func(pg *fixture.Page) { pg.Sources = edit(pg.Sources) })
	}
	extra := func(s fixture.Source) func(*player) {
		return source(func(all []fixture.Source) []fixture.Source { return append(all, s) })
	}
	c := small()
	cap := cite(c, "src/nut/cap.ts")
	wrong := cite(c, "src/nut/nut.ts")
	wrong.SHA256 = strings.Repeat("0", 64)
	asTest := cite(c, "src/nut/nut.ts")
	asTest.Kind = fixture.KindTest
	for _, c := range []struct {
		name   string
		before func(p *player) // within the stage, before the repair
		after  func(p *player) // once it is over
		sample string          // codes of gate 2
		qa     string          // codes of gate 3; "=" is the same
	}{
		{name: "good"},
		{name: "skill-reader", before: func(p *player) {
			p.must(world.LoadSkill, "name", "citing")
			p.must(world.ReadFile, "path", "/skills/citing.md")
		}},
		{name: "one-repeat", before: func(p *player) { p.must(world.ListPages); p.must(world.ListPages) }},
		{name: "two-repeats", before: func(p *player) { p.must(world.ListPages); p.must(world.ListPages); p.must(world.ListPages) }, qa: string(loops.RepeatedDiscovery)},
		{name: "no-change-once", before: func(p *player) { p.write("nut", p.text("nut")) }, qa: string(loops.NoChangeWrite)},
		{name: "rewritten", before: func(p *player) { was := p.text("nut"); p.write("nut", was+"More.\n"); p.write("nut", was) }, qa: string(loops.RepeatedMutation)},
		{name: "stalled", before: func(p *player) {
			for range loops.Patience {
				p.must(world.GetStatus)
			}
		}, qa: string(loops.Stalled)},
		{name: "sixth-page", before: func(p *player) { p.write("head", page("head", "kit", 4, nil)) }, qa: UnauthorisedWrite},
		{name: "heading-editor", before: func(p *player) { p.write("nut", strings.Replace(p.nut(), "## What it is", "## What is it", 1)) }, qa: UnauthorisedWrite},
		{name: "outside-writer", before: func(p *player) {
			p.write("/source/README.md", "x")
			p.write("../x", "x")
			p.write("/skills/citing.md", "x")
		}, qa: UnauthorisedWrite},
		{name: "unknown-tool", before: func(p *player) { p.call("shell", "cmd", "ls") }, qa: UnauthorisedTool},
		{name: "lost-reader", before: func(p *player) { p.call(world.ReadFile, "path", "/etc/passwd"); p.call(world.ListDir, "path", "/src") }},
		{name: "forger", after: extra(cap), sample: string(fixture.UnprovenSource), qa: "="},
		{name: "wrong-hash", after: source(func([]fixture.Source) []fixture.Source { return []fixture.Source{wrong} }), sample: "hash_mismatch min_source_unmet must_cite_unmet", qa: "="},
		{name: "wrong-kind", after: source(func([]fixture.Source) []fixture.Source { return []fixture.Source{asTest} }), sample: "min_source_unmet must_cite_unmet wrong_kind", qa: "="},
		{name: "invented", after: extra(fixture.Source{Path: "src/x.ts", SHA256: strings.Repeat("0", 64), Kind: fixture.KindSource}), sample: string(fixture.SourceNotInFixture), qa: "="},
		{name: "twice", after: source(func(s []fixture.Source) []fixture.Source { return append(s, s[0]) }), sample: string(fixture.DuplicateSource), qa: "="},
		{name: "nothing-cited", after: source(func([]fixture.Source) []fixture.Source { return nil }), sample: "min_source_unmet must_cite_unmet", qa: "="},
		{name: "no-test", after: file("bolt", func(pg *fixture.Page) { pg.Sources = pg.Sources[:2] }), sample: string(fixture.MinTestUnmet), qa: "="},
		{name: "stale", after: func(p *player) {
			p.spoilPage("cap", p.text("cap")+"More.\n") // a draft whose proof is stale, changed
		}, sample: PageNotSelectedChanged, qa: "inherited_hash_stale page_not_selected_changed"},
		{name: "heading", after: file("nut", func(pg *fixture.Page) { pg.Sections[0].Heading = "Why" }), sample: "heading_changed structure_changed", qa: "="},
		{name: "empty-section", after: file("nut", func(pg *fixture.Page) { pg.Sections[1].Text = "\n" }), qa: SectionEmpty},
		{name: "comment-in-section", after: file("nut", func(pg *fixture.Page) { pg.Sections[0].Text = "<!-- It\nholds. -->\n" }), qa: SectionEmpty},
		{name: "markup-in-section", after: file("nut", func(pg *fixture.Page) { pg.Sections[0].Text = "### Deeper\n<br>\n" }), qa: SectionEmpty},
		{name: "open-comment", after: file("nut", func(pg *fixture.Page) { pg.Lead = "<!--\n" }), sample: HeadingChanged, qa: "="},
		{name: "open-pre", after: file("nut", func(pg *fixture.Page) { pg.Sections[0].Text += "<pre>\n" }), sample: HeadingChanged, qa: "="},
		{name: "open-fence-in-list", after: file("nut", func(pg *fixture.Page) { pg.Lead = "- ```\n" }), sample: HeadingChanged, qa: "="},
		{name: "title", after: file("nut", func(pg *fixture.Page) { pg.Title = "Nuts" }), sample: StructureChanged, qa: "="},
		{name: "other-page", after: file("kit", func(pg *fixture.Page) { pg.Lead += "More.\n" }), sample: PageNotSelectedChanged, qa: "="},
		{name: "added", after: func(p *player) { p.spoilPage("new", page("new", "kit", 5, nil)) }, sample: PageAdded, qa: "="},
		{name: "removed", after: func(p *player) {
			p.spoil(func(s map[string]any) { delete(s["pages"].(map[string]any), "head") })
		}, sample: "page_removed structure_changed", qa: "="},
		{name: "no-page", after: func(p *player) { p.spoilPage("nut", "nothing") }, sample: "bad_front_matter structure_changed", qa: "="},
		{name: "ghost", after: file("nut", func(pg *fixture.Page) { pg.Related = append(pg.Related, "ghost") }), qa: RelatedUnknown},
		{name: "source-bytes", after: func(p *player) {
			p.spoil(func(s map[string]any) { s["digests"].(map[string]any)["source"] = strings.Repeat("0", 64) })
		}, sample: FixtureBytesChanged, qa: "="},
		{name: "forged-ledger", after: func(p *player) {
			p.spoil(func(s map[string]any) {
				l := s["ledger"].([]any)
				line := map[string]any{}
				for k, v := range l[len(l)-1].(map[string]any) {
					line[k] = v
				}
				line["path"] = "src/nut/cap.ts"
				s["ledger"] = append(l, line)
			})
		}, qa: LedgerTampered},
		{name: "lost-ledger", after: func(p *player) {
			p.spoil(func(s map[string]any) { s["ledger"] = s["ledger"].([]any)[:5] })
		}, sample: "min_test_unmet unproven_source", qa: "ledger_tampered min_test_unmet unproven_source"},
		{name: "no-state", after: func(p *player) { p.spoil(func(s map[string]any) { s["pages"] = 5 }) }, sample: StateUnreadable, qa: "="},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := play(t, qualifies)
			p.protocol()
			p.begin()
			p.read("test/bolt.ts")
			if c.before != nil {
				c.before(p)
			}
			p.repair()
			p.must(world.Finish)
			if c.after != nil {
				c.after(p)
			}
			if c.qa == "=" {
				c.qa = c.sample
			}
			if got := p.codes(gate2); got != c.sample {
				t.Errorf("gate 2: want %q, got %q", c.sample, got)
			}
			if got := p.codes(gate3); got != c.qa {
				t.Errorf("gate 3: want %q, got %q", c.qa, got)
			}
			if got := p.codes(gate1); got != "" {
				t.Errorf("gate 1 is over: %q", got)
			}
		})
	}
}

// TestGate2Loops: a stage that was stopped fails the gate by what stopped it.
func TestGate2Loops(t *testing.T) {
	for _, c := range []struct {
		name string
		loop func(p *player, i int) sim.Result
		want string
	}{
		{"rewrite-loop", func(p *player, i int) sim.Result {
			p.write("nut", page("nut", "kit", 2, []string{"bolt"})+strings.Repeat("\n", i%2+1))
			return p.rec.Trace[len(p.rec.Trace)-1].Result
		}, "loop_limit min_source_unmet min_test_unmet must_cite_unmet repeated_mutation"},
		{"no-change", func(p *player, i int) sim.Result {
			p.write("nut", p.text("nut"))
			return p.rec.Trace[len(p.rec.Trace)-1].Result
		}, "loop_limit min_source_unmet min_test_unmet must_cite_unmet no_change_write"},
		{"no-progress", func(p *player, i int) sim.Result {
			p.write("nut", p.text("nut")+"More.\n")
			return p.rec.Trace[len(p.rec.Trace)-1].Result
		}, "loop_limit min_source_unmet min_test_unmet must_cite_unmet repeated_mutation"},
		{"idler", func(p *player, i int) sim.Result { return p.call(world.GetStatus) }, "loop_limit min_source_unmet min_test_unmet must_cite_unmet stalled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := play(t, qualifies)
			p.protocol()
			p.begin()
			for i := 0; !c.loop(p, i).Done; i++ {
				if i > 40 {
					t.Fatal("it is never stopped")
				}
			}
			if got := p.codes(gate2); got != c.want {
				t.Errorf("want %q, got %q", c.want, got)
			}
		})
	}
}

// TestALaterGateIsNotReached: where a gate ended the episode the later ones do not apply; who walks
// away before them has not met them.
func TestALaterGateIsNotReached(t *testing.T) {
	p := play(t, qualifies)
	p.protocol()
	p.end()
	p.rec.End = grader.End{Code: grader.EndStopped}
	if got := p.codes(gate2); got != NotReached {
		t.Errorf("walked away: %q", got)
	}
	p.rec.End = grader.End{Code: grader.EndGate}
	if v := grader.Grade(p.ctx(), []grader.Check{gate3}, p.rec); v.Results[0].State != grader.Unasked {
		t.Errorf("stopped at the gate: %s", v.Results[0].State)
	}
}

// TestAnEmptiedWikiFails: the world takes pages without prose, and the audit does not.
func TestAnEmptiedWikiFails(t *testing.T) {
	for _, c := range []struct {
		name  string
		empty func(pg *fixture.Page)
		want  string
	}{
		{"blank", func(pg *fixture.Page) {
			for i := range pg.Sections {
				pg.Sections[i].Text = ""
			}
		}, SectionEmpty},
		{"hidden", func(pg *fixture.Page) { pg.Lead = "<!--\n" }, HeadingChanged},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := play(t, whole)
			p.begin()
			p.read("src/bolt/bolt.ts", "src/bolt/head.ts", "src/nut/nut.ts", "test/bolt.ts", "src/nut/cap.ts")
			for _, w := range [][2]string{
				{"bolt", page("bolt", "kit", 1, []string{"nut"}, p.cite("src/bolt/bolt.ts", "src/bolt/head.ts", "test/bolt.ts")...)}, {"nut", p.nut()},
				{"head", page("head", "kit", 3, []string{"bolt"}, p.cite("src/bolt/head.ts")...)}, {"cap", page("cap", "nut", 1, nil, p.cite("src/nut/cap.ts")...)},
				{"kit", p.text("kit")}, // which was complete
			} {
				pg, err := fixture.ParsePage(w[1])
				if err != nil {
					t.Fatal(err)
				}
				c.empty(&pg)
				if code := p.write(w[0], pg.String()); code != "" {
					t.Errorf("page %s: %s", w[0], code)
				}
			}
			p.must(world.Finish)
			if got := p.codes(FormalTask()); got != "" {
				t.Errorf("the evidence is there: %q", got)
			}
			if got := p.codes(FocusedQA()); got != c.want {
				t.Errorf("want %q, got %q", c.want, got)
			}
		})
	}
}

// TestAFileOfTheFixtureIsGone: a file that the fixture lists and the snapshot lacks is the host's, and
// no invention of the agent.
func TestAFileOfTheFixtureIsGone(t *testing.T) {
	p := play(t, qualifies)
	p.protocol()
	p.sample()
	p.c.Fixture.Files = []fixture.FixtureFile{{Path: "source/src/gone.ts"}}
	gone := fixture.Source{Path: "src/gone.ts", SHA256: strings.Repeat("0", 64), Kind: fixture.KindSource}
	p.spoilPage("nut", page("nut", "kit", 2, []string{"bolt"}, cite(p.c, "src/nut/nut.ts"), gone))
	for _, c := range []grader.Check{gate2, gate3} {
		if got := p.codes(c); got != SourceMissing {
			t.Errorf("%s: %q", c, got)
		}
	}
}

// TestFormal: the whole task, what it counts, and what fails it.
func TestFormal(t *testing.T) {
	p := play(t, whole)
	p.formal()
	for _, c := range trial {
		if got := p.codes(c); got != "" {
			t.Errorf("%s: %q", c, got)
		}
	}
	if v := grader.Grade(p.ctx(), trial, p.rec); Score(v) != 1 {
		t.Errorf("score %v of %+v", Score(v), v.Results[0].Tally)
	}

	p = play(t, whole)
	p.begin()
	p.read("src/nut/nut.ts")
	p.write("nut", p.nut())
	p.must(world.Finish)
	if got := p.codes(FormalTask()); got != "coverage_unmet page_incomplete requirement_open" {
		t.Errorf("half done: %q", got)
	}
	if got := p.codes(FocusedQA()); got != "" {
		t.Errorf("what is lacking is counted and is no violation: %q", got)
	}
	v := grader.Grade(p.ctx(), trial, p.rec)
	if want := []grader.Tally{{Code: CountCoverage, Held: 2, Of: 7}, {Code: CountRequirements, Held: 0, Of: 3}, {Code: CountPages, Held: 2, Of: 5}}; !slices.Equal(v.Results[0].Tally, want) {
		t.Errorf("counts %v", v.Results[0].Tally)
	}
	if got, want := Score(v), (2.0/7+0+2.0/5)/3; got < want-1e-9 || got > want+1e-9 {
		t.Errorf("score %v, want %v", got, want)
	}
	p.call("shell")
	if v := grader.Grade(p.ctx(), trial, p.rec); Score(v) != 0 {
		t.Errorf("with a violation: %v", Score(v))
	}

	p = play(t, whole)
	p.begin()
	p.rec.End.Code = grader.EndTokens
	if got := p.codes(FormalTask()); !strings.Contains(got, BudgetExceeded) {
		t.Errorf("burner: %q", got)
	}
}

// TestRulesAreData: every rule comes back from its JSON, lists its codes in order and words itself.
func TestRulesAreData(t *testing.T) {
	registry := grader.Registry(Rules())
	for _, c := range []grader.Check{gate1, Protocol(), gate2, gate3, FormalTask(), {Rule: &FormalRule{Budget: &world.Budget{Tokens: 5}}}} {
		raw, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		back, err := registry.Decode(raw)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		again, _ := json.Marshal(back)
		if string(again) != string(raw) {
			t.Errorf("%s comes back as %s", raw, again)
		}
		if codes := c.Rule.Codes(); !slices.IsSorted(codes) || len(slices.Compact(slices.Clone(codes))) != len(codes) {
			t.Errorf("%s: codes %v", c.Rule.Name(), codes)
		}
		for _, code := range c.Rule.Codes() {
			if says[code] == "" {
				t.Errorf("nothing words the code %s", code)
			}
		}
	}
}

// TestMutantsAreCaught: each mutant of a good outcome fails some gate, and the good outcome none.
func TestMutantsAreCaught(t *testing.T) {
	for _, c := range []struct {
		setup  string
		play   func(*player)
		checks []grader.Check
	}{{qualifies, func(p *player) { p.protocol(); p.sample() }, gates3}, {whole, (*player).formal, trial}} {
		p := play(t, c.setup)
		c.play(p)
		r := p.end()
		good := grader.Aftermath{Initial: r.Initial, States: r.States, Trace: r.Trace, Answers: r.Answers, End: r.End}
		before := string(sim.MustCanonical(good))
		mutants := Mutants(good)
		if len(mutants) < 10 {
			t.Errorf("there are %d mutants", len(mutants))
		}
		for _, m := range mutants {
			spoiled := *r
			spoiled.States, spoiled.Trace, spoiled.End = m.Aftermath.States, m.Aftermath.Trace, m.Aftermath.End
			if v := grader.Grade(p.ctx(), c.checks, &spoiled); v.Outcome != grader.Failed {
				t.Errorf("%s: %s %s", m.Name, v.Outcome, v.Reason)
			}
		}
		if string(sim.MustCanonical(good)) != before {
			t.Error("making mutants has spoiled the original")
		}
		if v := grader.Grade(p.ctx(), c.checks, r); v.Outcome != grader.Passed {
			t.Errorf("the original: %s %v", v.Outcome, v.Codes())
		}
	}
}
