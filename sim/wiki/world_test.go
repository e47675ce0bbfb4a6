package wiki_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	fixture "benchwright/fixtures/wiki"
	"benchwright/sim"
	"benchwright/sim/simtest"
	"benchwright/sim/wiki"
)

func TestContract(t *testing.T) {
	c := small()
	bolt := page("bolt", "kit", 1, "nut", cited("src/bolt/bolt.ts"))
	simtest.Check(t, wiki.KindOf(c), simtest.Case{
		Setup: json.RawMessage(`{"case":"small","stages":[{"name":"formal"}]}`),
		Tools: []string{wiki.AllTools},
		Calls: []sim.Call{
			made(wiki.GetStatus),
			made(wiki.ListDir, "path", "/source/src"),
			made(wiki.ReadFile, "path", "/source/src/bolt/bolt.ts"),
			made(wiki.ReadFile, "path", "/wiki/evidence.jsonl"),
			made(wiki.ReadFile, "path", "/wiki/skeleton.json"),
			made(wiki.Search, "query", "PITCH"),
			made(wiki.ListPages, "filter", "missing"),
			made(wiki.ReadPage, "page_id", "bolt"),
			made(wiki.WritePage, "page_id", "bolt", "content", bolt, "expected_sha256", fixture.Hash(c.Pages["bolt"])),
			made(wiki.LoadSkill, "name", "citing"),
			made(wiki.WritePage, "page_id", "../x", "content", "", "expected_sha256", "0"),
			made(wiki.ListPages),
			made(wiki.Finish, "answer", map[string]any{"done": true}),
			made(wiki.WritePage, "page_id", "bolt", "content", bolt, "expected_sha256", fixture.Hash(bolt)),
		},
	})
}

func TestSetupsThatAreNone(t *testing.T) {
	tests := []struct{ name, setup, want, reason string }{
		{"nothing", ``, "unexpected EOF", "a setup is JSON"},
		{"twice", `{"case":"small","case":"small","stages":[{"name":"formal"}]}`, "duplicate key", "a reader would choose in silence"},
		{"unknown-key", `{"case":"small","stages":[{"name":"formal","lock":true}]}`, `unknown field "lock"`, "a mistyped key must not be ignored"},
		{"no-case", `{"stages":[{"name":"formal"}]}`, "want the id of a case", "there is no case to choose by default"},
		{"other-case", `{"case":"big","stages":[{"name":"formal"}]}`, `unknown case "big"; there is small`, "the world would be another one"},
		{"no-stages", `{"case":"small","stages":[]}`, "want one or more", "an ask is a stage"},
		{"unknown-stage", `{"case":"small","stages":[{"name":"focused_qa"}]}`, "want one of evidence_sample, formal, protocol", "the host's audit asks nobody"},
		{"stage-twice", `{"case":"small","stages":[{"name":"formal"},{"name":"formal"}]}`, `stage 2: "formal" comes twice`, "records name stages"},
		{"protocol-selects", `{"case":"small","stages":[{"name":"protocol","selected":["bolt"]}]}`, "selects and locks nothing", "it would look as if something could be written"},
		{"sample-unlocked", `{"case":"small","stages":[{"name":"evidence_sample","selected":["bolt"]}]}`, `want "locked": true`, "the gate is about a locked structure"},
		{"selects-nothing", `{"case":"small","stages":[{"name":"formal","selected":[]}]}`, "want one page or more", "nothing could be repaired"},
		{"selected-twice", `{"case":"small","stages":[{"name":"formal","selected":["bolt","bolt"]}]}`, `"bolt" comes twice`, "five pages would be four"},
		{"selected-unknown", `{"case":"small","stages":[{"name":"formal","selected":["screw"]}]}`, `the case plans no page "screw"`, "it could never be written"},
		{"budget", `{"case":"small","stages":[{"name":"formal","budget":{"tool_calls":-1}}]}`, "a limit is 1 or more", "no stage has less than no calls"},
		{"mount", `{"case":"small","stages":[{"name":"formal"}],"faults":{"mount_missing":"/src"}}`, "want one of /skills, /source, /wiki", "a fault that plants nothing proves nothing"},
		{"call", `{"case":"small","stages":[{"name":"formal"}],"faults":{"tool_runtime_error":-3}}`, "the number of a call, from 1", "the same"},
	}
	kind := wiki.KindOf(small())
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := kind.New(context.Background(), sim.Env{}, json.RawMessage(test.setup), []string{wiki.AllTools})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q: %s", err, test.want, test.reason)
			}
		})
	}
}

func TestASetupIsWhatItsJSONSays(t *testing.T) {
	const raw = `{"case":"small","faults":{"hide_roots":true,"mount_missing":"/wiki","tool_runtime_error":2},"stages":[{"budget":{"model_calls":20,"seconds":180,"tokens":150000,"tool_calls":40},"name":"protocol"},{"locked":true,"name":"evidence_sample","selected":["bolt"]}]}`
	s, err := wiki.ParseSetup(json.RawMessage(raw))
	if err != nil || string(s.JSON()) != raw {
		t.Errorf("%s, error %v", s.JSON(), err)
	}
}

// Whoever starts a stage need not name pages: the rule of the case selects them, and a formal
// stage is about all.
func TestSelectedPages(t *testing.T) {
	c := small()
	s, err := wiki.ParseSetup(json.RawMessage(`{"case":"small","stages":[{"name":"protocol"},{"name":"evidence_sample","locked":true},{"name":"formal"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(c)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Stages[0].Selected; got != nil {
		t.Errorf("protocol selects %v", got)
	}
	if got := r.Stages[1].Selected; len(got) == 0 || !slices.Equal(got, fixture.Selected(c)) {
		t.Errorf("the sample is %v, by the rule %v", got, fixture.Selected(c))
	}
	if got := r.Stages[2].Selected; !slices.Equal(got, []string{"bolt", "head", "kit", "nut"}) {
		t.Errorf("the formal stage selects %v", got)
	}
	if s.Stages[1].Selected != nil {
		t.Error("Resolve has written to the setup it was called on")
	}
}

func TestScope(t *testing.T) {
	kind := wiki.KindOf(small())
	names := func(scope ...string) (names []string, err error) {
		w, err := kind.New(context.Background(), sim.Env{}, json.RawMessage(setupJSON), scope)
		if err != nil {
			return nil, err
		}
		for _, tool := range w.Tools() {
			names = append(names, tool.Name)
		}
		begin(t, w, 0)
		if r := do(w, wiki.GetStatus); r.OK() != slices.Contains(names, wiki.GetStatus) {
			t.Errorf("with the scope %v, get_status gives %s", scope, r.Data)
		}
		return names, nil
	}
	if got, err := names(wiki.AllTools); err != nil || !slices.Equal(got, wiki.ToolNames()) || len(got) != 9 {
		t.Errorf("all tools are %v, error %v", got, err)
	}
	if got, err := names(wiki.Finish, wiki.ListDir); err != nil || !slices.Equal(got, []string{wiki.ListDir, wiki.Finish}) {
		t.Errorf("two tools are %v, error %v", got, err)
	}
	for _, bad := range [][]string{{"write_file"}, {wiki.Finish, wiki.Finish}, {wiki.AllTools, wiki.Finish}} {
		if _, err := names(bad...); err == nil {
			t.Errorf("the scope %v is taken", bad)
		}
	}
}

func TestStages(t *testing.T) {
	w := open(t, -1)
	if s := state(t, w); s.Stage != wiki.Preparation || len(s.Ledger) != 1 {
		t.Errorf("before the first stage: %q, %d lines", s.Stage, len(s.Ledger))
	}
	if r := must(t, w, wiki.ReadFile, "path", "/source/README.md"); r.Facts != nil {
		t.Errorf("a call before the first stage notes %s", r.Facts)
	}
	if r := do(w, wiki.Finish); r.Code != wiki.CodeInvalidArguments {
		t.Errorf("nothing can be finished yet: %s", r.Data)
	}
	begin(t, w, 0)
	s := state(t, w)
	if s.Stage != wiki.Protocol || len(s.Ledger) != 1 {
		t.Errorf("what the host reads proves nothing: stage %q, %d lines", s.Stage, len(s.Ledger))
	}
	if r := must(t, w, wiki.Finish, "answer", map[string]any{"symbols": []any{}}); !r.Done {
		t.Error("finish does not end the stage")
	}
	if r := do(w, wiki.Finish, "answer", 2); r.Code != wiki.CodeInvalidArguments || r.Done {
		t.Errorf("finished twice: %s", r.Data)
	}
	begin(t, w, 1)
	must(t, w, wiki.Finish)
	for _, ask := range []int{-1, 3} {
		if err := w.Begin(context.Background(), ask); err == nil {
			t.Errorf("ask %d begins", ask)
		}
	}
	s = state(t, w)
	if got := string(sim.MustCanonical(s.Stages)); got != `[{"answer":{"symbols":[]},"finished":true,"locked":false,"name":"protocol","selected":[]},`+
		`{"finished":true,"locked":true,"name":"evidence_sample","selected":["bolt","nut"]},{"finished":false,"locked":false,"name":"formal","selected":["bolt","head","kit","nut"]}]` {
		t.Errorf("the stages are %s", got)
	}
}

// Counting calls is not a matter of state: whoever only looks leaves the wiki as it was.
func TestLookingChangesNothing(t *testing.T) {
	w := open(t, 0)
	before := string(sim.MustCanonical(state(t, w)))
	for range 3 {
		must(t, w, wiki.ListDir, "path", "/source")
		must(t, w, wiki.Search, "query", "export")
		must(t, w, wiki.ReadFile, "path", "/wiki/pages/kit.md")
		must(t, w, wiki.LoadSkill, "name", "citing")
	}
	if after := string(sim.MustCanonical(state(t, w))); after != before {
		t.Errorf("the state went from %s to %s", before, after)
	}
}

func TestForksShareNoCounts(t *testing.T) {
	a := open(t, 0)
	must(t, a, wiki.GetStatus)
	b, err := a.Fork()
	if err != nil {
		t.Fatal(err)
	}
	must(t, b, wiki.GetStatus)
	if n := get[int](t, must(t, a, wiki.GetStatus), "budget", "tool_calls", "used"); n != 2 {
		t.Errorf("a fork's call counts in its parent: %d", n)
	}
	for _, w := range []sim.World{a, b} {
		must(t, w, wiki.ReadFile, "path", "/source/README.md")
		if n := len(state(t, w).Ledger); n != 2 {
			t.Errorf("the ledger has %d lines", n)
		}
	}
}

func TestPlantedFaults(t *testing.T) {
	planted := func(fault string) string {
		return `{"case":"small","faults":` + fault + `,"stages":[{"name":"protocol"}]}`
	}
	for _, root := range wiki.Roots() {
		w := open(t, -1, planted(`{"mount_missing":"`+root+`"}`))
		if err := w.Begin(context.Background(), 0); err == nil || !strings.Contains(err.Error(), root) {
			t.Errorf("without %s a stage begins: %v", root, err)
		}
	}

	w := open(t, 0, planted(`{"tool_runtime_error":2}`))
	must(t, w, wiki.GetStatus)
	if r := do(w, wiki.GetStatus); r.Fault == "" || r.Code != wiki.CodeToolRuntimeError || get[bool](t, r, "ok") || facts(t, r).Call != 2 {
		t.Errorf("the second call gives %+v", r)
	}
	must(t, w, wiki.GetStatus)

	w = open(t, 0, planted(`{"hide_roots":true}`))
	for _, path := range []string{"/source/plugins", "/plugins", "/"} {
		r := must(t, w, wiki.ListDir, "path", path)
		if got := get[[]any](t, r, "entries"); len(got) != 0 || facts(t, r).Missing != (path != "/") {
			t.Errorf("with the roots hidden, %s holds %v: %s", path, got, r.Facts)
		}
	}
	for _, r := range []sim.Result{do(w, wiki.ReadFile, "path", "/nowhere"), do(w, wiki.WritePage, "page_id", "/etc/x", "content", "", "expected_sha256", "0"), do(w, wiki.GetStatus)} {
		if strings.Contains(string(r.Data), "/source") {
			t.Errorf("a result names a root: %s", r.Data)
		}
	}
	must(t, w, wiki.ListDir, "path", "/source")
}

// A case whose texts are not what its fixture counted is served to nobody.
func TestAnAlteredCaseIsRefused(t *testing.T) {
	for _, alter := range []func(*fixture.Case){
		func(c *fixture.Case) { c.Source["README.md"] += " " },
		func(c *fixture.Case) { c.Source["new.ts"] = "" },
		func(c *fixture.Case) { delete(c.Skills, "citing") },
	} {
		c := small()
		alter(c)
		if _, err := wiki.KindOf(c).New(context.Background(), sim.Env{}, json.RawMessage(setupJSON), nil); err == nil || !strings.Contains(err.Error(), "fixture_mismatch") {
			t.Errorf("error %v", err)
		}
	}
}
