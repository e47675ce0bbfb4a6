package wiki

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	fixture "benchwright/fixtures/wiki"
	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wiki"
)

// playPlugins plays the two gates of the built-in case as an agent that knows the plan would.
func playPlugins(t testing.TB) *player {
	t.Helper()
	c, err := fixture.Plugins()
	if err != nil {
		t.Fatal(err)
	}
	symbols := Asked(c)
	if len(symbols) != AskedSymbols {
		t.Fatalf("the host asks for %d symbols", len(symbols))
	}
	w, err := world.Kind.New(context.Background(), sim.Env{}, json.RawMessage(`{"case":"plugins-wiki-revision","stages":[{"name":"protocol"},{"name":"evidence_sample","locked":true}]}`), []string{world.AllTools})
	if err != nil {
		t.Fatal(err)
	}
	p := &player{t: t, c: c, w: w, ask: -1, rec: &Record{Task: "codewiki/plugins/qualification", Agent: "x", Trial: 1, Outcome: grader.Passed, End: grader.End{Code: grader.EndDone}}}
	p.rec.Initial = p.state()
	p.begin()
	p.must(world.ListDir, "path", "/source/src")
	said := []any{}
	for _, s := range symbols {
		p.read(s.Path)
		said = append(said, map[string]any{"symbol": s.Name, "path": "/source/" + s.Path, "line": s.Line})
	}
	p.must(world.Finish, "answer", map[string]any{"symbols": said})
	p.begin()
	for _, id := range fixture.Selected(c) {
		planned, _ := c.Skeleton.Page(id)
		pg, err := fixture.ParsePage(p.text(id))
		if err != nil {
			t.Fatal(err)
		}
		pg.Sources = nil
		need := map[string]int{fixture.KindSource: planned.Required.MinSource, fixture.KindTest: planned.Required.MinTest}
		for _, path := range slices.Concat(planned.Required.MustCite, slices.Sorted(maps.Keys(c.Source))) {
			s := cite(c, path)
			if need[s.Kind] == 0 || slices.Contains(pg.Sources, s) {
				continue
			}
			need[s.Kind]--
			p.read(path)
			pg.Sources = append(pg.Sources, s)
		}
		if code := p.write(id, pg.String()); code != "" {
			t.Fatalf("page %s: %s", id, code)
		}
	}
	p.must(world.Finish)
	p.leave()
	return p
}

// TestTheBuiltInCaseCanBeQualifiedFor: under the rules as a task has them.
func TestTheBuiltInCaseCanBeQualifiedFor(t *testing.T) {
	p := playPlugins(t)
	checks := []grader.Check{Protocol(), gate2, gate3}
	if v := grader.Grade(context.Background(), checks, p.end()); v.Outcome != grader.Passed {
		t.Errorf("%s %s: %+v", v.Outcome, v.Reason, v.Findings())
	}
	for _, c := range checks {
		if _, ok := c.Rule.(*FocusedQARule); ok {
			continue
		}
		if g := c.Rule.(grader.Grounder).Graded(); len(g) == 0 {
			t.Errorf("%s demands nothing to be found", c.Rule.Name())
		}
	}
	nothing := &Record{Initial: p.rec.Initial, End: grader.End{Code: grader.EndStopped}}
	if v := grader.Grade(context.Background(), checks, nothing); v.Outcome != grader.Failed || Score(v) != 0 {
		t.Errorf("doing nothing: %s, score %v", v.Outcome, Score(v))
	}
}

// BenchmarkGates grades the qualification of the built-in case, as a proof does that has many
// outcomes to grade.
func BenchmarkGates(b *testing.B) {
	p := playPlugins(b)
	for _, c := range []grader.Check{Protocol(), gate2, gate3} {
		b.Run(c.Rule.Name(), func(b *testing.B) {
			ev, err := p.rec.Evidence(c.Ask)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if f, err := c.Rule.Grade(context.Background(), ev); err != nil || len(f) > 0 {
					b.Fatal(f, err)
				}
			}
		})
	}
}
