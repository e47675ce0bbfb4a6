package wiki_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	fixture "benchwright/fixtures/wiki"
	"benchwright/sim"
	"benchwright/sim/wiki"
)

func TestRefusedWrites(t *testing.T) {
	bolt := page("bolt", "kit", 1, "nut")
	now := fixture.Hash(small().Pages["bolt"])
	heading := strings.Replace(bolt, "## How it works", "## How it turns", 1)
	tests := []struct {
		name                string
		stage               int
		id, content, expect string
		status, code        string
		reason              string
	}{
		{"protocol", 0, "bolt", bolt, now, wiki.StatusDenied, wiki.CodeStageForbidsWrite, "the probe reads only"},
		{"before", -1, "bolt", bolt, now, wiki.StatusDenied, wiki.CodeStageForbidsWrite, "no stage has begun"},
		{"source-in-protocol", 0, "/source/README.md", "x", now, wiki.StatusDenied, wiki.CodeWriteDenied, "where it aims is worse than when"},
		{"source", 1, "/source/README.md", "x", now, wiki.StatusDenied, wiki.CodeWriteDenied, "the snapshot is read only"},
		{"skill", 1, "/skills/citing.md", "x", now, wiki.StatusDenied, wiki.CodeWriteDenied, "so are skills"},
		{"ledger", 1, "/wiki/evidence.jsonl", "x", now, wiki.StatusDenied, wiki.CodeWriteDenied, "the host writes the ledger"},
		{"page-by-path", 1, "/wiki/pages/bolt.md", bolt, now, wiki.StatusDenied, wiki.CodeWriteDenied, "a page is written by its id"},
		{"escape", 1, "../../etc/passwd", "x", now, wiki.StatusDenied, wiki.CodeOutsideRoots, "it climbs out"},
		{"dots", 1, "..", "x", now, wiki.StatusDenied, wiki.CodeOutsideRoots, "so does this"},
		{"climb", 1, "/source/../../x", "x", now, wiki.StatusDenied, wiki.CodeOutsideRoots, "and this, through a root"},
		{"absolute", 1, "/etc/passwd", "x", now, wiki.StatusDenied, wiki.CodeOutsideRoots, "below no root"},
		{"backslash", 1, `..\x`, "x", now, wiki.StatusDenied, wiki.CodeOutsideRoots, "no separator here, and no id either"},
		{"unplanned", 2, "screw", bolt, now, wiki.StatusError, wiki.CodeUnknownPage, "no page can be added"},
		{"not-selected", 1, "head", bolt, now, wiki.StatusDenied, wiki.CodePageNotSelected, "the host selects"},
		{"stale", 1, "bolt", bolt, fixture.Hash("x"), wiki.StatusError, wiki.CodeStaleWrite, "it would overwrite what the agent has not seen"},
		{"upper-case", 1, "bolt", bolt, strings.ToUpper(now), wiki.StatusError, wiki.CodeStaleWrite, "a digest has one spelling"},
		{"large", 1, "bolt", bolt + strings.Repeat("x", 64<<10), now, wiki.StatusError, wiki.CodeTooLarge, "a page has a size"},
		{"empty", 1, "bolt", "", now, wiki.StatusInvalid, wiki.CodeInvalidArguments, "an empty text is no page"},
		{"no-front-matter", 1, "bolt", "## What it is\n", now, wiki.StatusInvalid, wiki.CodeInvalidArguments, "nor is one without front matter"},
		{"carriage-return", 1, "bolt", strings.ReplaceAll(bolt, "\n", "\r\n"), now, wiki.StatusInvalid, wiki.CodeInvalidArguments, "lines end in one way"},
		{"heading", 1, "bolt", heading, now, wiki.StatusDenied, wiki.CodeStructureLocked, "headings are structure"},
		{"heading-in-formal", 2, "bolt", heading, now, wiki.StatusDenied, wiki.CodeStructureLocked, "no requirement is about headings"},
		{"title", 2, "bolt", strings.Replace(bolt, "About bolt", "Bolts", 1), now, wiki.StatusDenied, wiki.CodeStructureLocked, "nor about titles"},
		{"parent", 2, "bolt", page("bolt", "nut", 1, "nut"), now, wiki.StatusDenied, wiki.CodeStructureLocked, "nor about parents"},
		{"kind", 2, "bolt", strings.Replace(bolt, "module", "guide", 1), now, wiki.StatusDenied, wiki.CodeStructureLocked, "nor about kinds"},
		{"id", 2, "bolt", page("nut", "kit", 1, "nut"), now, wiki.StatusDenied, wiki.CodeStructureLocked, "a page keeps its id"},
		{"order-in-sample", 1, "bolt", page("bolt", "kit", 5, "nut"), now, wiki.StatusDenied, wiki.CodeStructureLocked, "a requirement is open, but the structure is locked"},
		{"order-of-another", 2, "kit", page("kit", "null", 2, ""), fixture.Hash(small().Pages["kit"]), wiki.StatusDenied, wiki.CodeStructureLocked, "the open requirement does not name this page"},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		if seen[test.name] || test.reason == "" {
			t.Fatalf("%s: twice, or without a reason", test.name)
		}
		seen[test.name] = true
		t.Run(test.name, func(t *testing.T) {
			w := open(t, test.stage)
			before := string(sim.MustCanonical(state(t, w)))
			r := do(w, wiki.WritePage, "page_id", test.id, "content", test.content, "expected_sha256", test.expect)
			if r.Status != test.status || r.Code != test.code || r.Invalid != (r.Status == wiki.StatusInvalid) || get[bool](t, r, "ok") {
				t.Errorf("%s: %s %s", test.reason, r.Status, r.Data)
			}
			if after := string(sim.MustCanonical(state(t, w))); after != before {
				t.Errorf("a refused write changed the state from %s to %s", before, after)
			}
			if test.stage < 0 {
				return
			}
			if f := facts(t, r); f.Write != nil || f.Target == "" || f.Before != f.After {
				t.Errorf("it notes %s", r.Facts)
			}
			if want := `{"content_sha256":"` + fixture.Hash(test.content) + `",`; !strings.HasPrefix(string(r.Arguments), want) {
				t.Errorf("the arguments are %.200s, want %s", r.Arguments, want)
			}
		})
	}
}

func TestAFinishedStageWritesNothing(t *testing.T) {
	w := open(t, 1)
	must(t, w, wiki.Finish)
	if r := write(t, w, "bolt", page("bolt", "kit", 1, "nut")); r.Code != wiki.CodeStageForbidsWrite {
		t.Errorf("%s", r.Data)
	}
}

func TestRepairingAPage(t *testing.T) {
	w := open(t, 1)
	draft := hash(t, w, "bolt")
	bare := page("bolt", "kit", 1, "nut", cited("src/bolt/bolt.ts"))
	r := write(t, w, "bolt", bare)
	if want := `{"after_sha256":"` + fixture.Hash(bare) + `","before_sha256":"` + draft + `","evidence":{"backed_source":0,"backed_test":0,"covered":0,"faults":[` +
		`{"actual":"","code":"unproven_source","expected":"","path":"src/bolt/bolt.ts"},{"actual":"0","code":"min_source_unmet","expected":"2","path":""},` +
		`{"actual":"0","code":"min_test_unmet","expected":"1","path":""},{"actual":"","code":"must_cite_unmet","expected":"","path":"src/bolt/bolt.ts"}],` +
		`"min_source":2,"min_test":1,"must_cite_missing":["src/bolt/bolt.ts"],"required":3,"state":"missing"},"ok":true,"open_requirements":["R2","R3"],"page_id":"bolt"}`; string(r.Data) != want {
		t.Errorf("a citation of a file that was not read:\n got %s\nwant %s", r.Data, want)
	}
	if got := string(sim.MustCanonical(facts(t, r).Write)); got != `{"after":"`+fixture.Hash(bare)+`","backed_after":0,"backed_before":0,"before":"`+draft+`","closed":["R1"],"evidence_delta":0,"page_id":"bolt","requirement_delta":1}` {
		t.Errorf("it notes %s", got)
	}

	must(t, w, wiki.ReadFile, "path", "/source/src/bolt/bolt.ts")
	list := get[[]map[string]any](t, must(t, w, wiki.ListPages, "filter", "selected"), "pages")
	if got := string(sim.MustCanonical(list[0])); got != `{"covered":1,"open_requirements":1,"page_id":"bolt","required":3,"selected":true,"state":"partial","title":"About bolt"}` {
		t.Errorf("with the file read, the page is %s", got)
	}

	for _, path := range []string{"src/bolt/head.ts", "test/bolt.ts"} {
		must(t, w, wiki.ReadFile, "path", "/source/"+path)
	}
	full := page("bolt", "kit", 1, "nut", cited("src/bolt/bolt.ts"), cited("src/bolt/head.ts"), cited("test/bolt.ts"))
	r = write(t, w, "bolt", full)
	if f := facts(t, r).Write; get[string](t, r, "evidence", "state") != "complete" || f.BackedBefore != 1 || f.BackedAfter != 3 || f.EvidenceDelta != 2 || f.RequirementDelta != 0 {
		t.Errorf("complete: %s, noted %s", r.Data, r.Facts)
	}

	r = write(t, w, "bolt", full)
	if f := facts(t, r); !r.OK() || f.Write.Before != f.Write.After || f.Before != f.After || f.Write.EvidenceDelta != 0 {
		t.Errorf("the same again: %s, noted %s", r.Data, r.Facts)
	}
	r = write(t, w, "bolt", page("bolt", "kit", 1, "", cited("test/bolt.ts")))
	if f := facts(t, r).Write; f.EvidenceDelta != -2 || f.RequirementDelta != -1 || !slices.Equal(f.Opened, []string{"R1"}) {
		t.Errorf("less than before: %s", r.Facts)
	}

	s := state(t, w)
	if s.StructureHash != fixture.StructureHash(small().Skeleton) {
		t.Error("the structure has changed")
	}
}

// In the formal stage a requirement opens the field that it is about, on the pages it names, until
// it is closed.
func TestARequirementUnlocksWhatItIsAbout(t *testing.T) {
	w := open(t, 2)
	planned := fixture.StructureHash(small().Skeleton)
	r := write(t, w, "head", page("head", "kit", 3, "bolt"))
	if f := facts(t, r).Write; !r.OK() || !slices.Equal(f.Closed, []string{"R2", "R3"}) {
		t.Fatalf("%s, noted %s", r.Data, r.Facts)
	}
	s := state(t, w)
	if s.StructureHash == planned {
		t.Error("the structure is what it was")
	}
	if text := get[string](t, must(t, w, wiki.ReadFile, "path", "/wiki/skeleton.json"), "text"); strings.Contains(text, `"order": 4`) {
		t.Errorf("the skeleton still says %s", text)
	}
	if r := write(t, w, "head", page("head", "kit", 4, "bolt")); r.Code != wiki.CodeStructureLocked {
		t.Errorf("the requirement is closed, and its field still open: %s", r.Data)
	}
	must(t, w, wiki.ReadFile, "path", "/source/src/bolt/head.ts")
	if r := write(t, w, "head", page("head", "kit", 3, "bolt", cited("src/bolt/head.ts"))); !r.OK() {
		t.Errorf("a page whose structure was repaired cannot be written any more: %s", r.Data)
	}
}

func TestListedPages(t *testing.T) {
	w := open(t, 0)
	ids := func(filter string) (ids []string) {
		for _, p := range get[[]map[string]any](t, must(t, w, wiki.ListPages, "filter", filter), "pages") {
			ids = append(ids, p["page_id"].(string))
		}
		return ids
	}
	if got := ids("all"); !slices.Equal(got, []string{"bolt", "head", "kit", "nut"}) {
		t.Errorf("all: %v", got)
	}
	if got := ids("missing"); !slices.Equal(got, []string{"bolt", "head", "nut"}) {
		t.Errorf("missing: %v", got)
	}
	if got := ids("selected"); len(got) != 0 {
		t.Errorf("selected in a stage that selects nothing: %v", got)
	}
	begin(t, w, 1)
	if got := ids("selected"); !slices.Equal(got, []string{"bolt", "nut"}) {
		t.Errorf("selected: %v", got)
	}
}

func TestStatus(t *testing.T) {
	w := open(t, 0, `{"case":"small","stages":[{"name":"protocol","budget":{"tool_calls":3,"tokens":150000}},{"name":"evidence_sample","selected":["nut"],"locked":true}]}`)
	must(t, w, wiki.ListDir, "path", "/")
	r := must(t, w, wiki.GetStatus)
	if want := `{"budget":{"tokens":{"limit":150000},"tool_calls":{"left":1,"limit":3,"used":2}},"coverage":{"complete":1,"covered":1,"pages":4,"required":6},"ok":true,` +
		`"open_requirements":[{"kind":"links_each_other","pages":["bolt","nut"],"req_id":"R1","rule":{"text":"Bolt and nut name each other."}},` +
		`{"kind":"ordering","pages":["bolt","nut","head"],"req_id":"R2","rule":{"text":"The parts are numbered without a gap."}},` +
		`{"kind":"related_exists","pages":["head"],"req_id":"R3","rule":{"text":"Head names pages that there are."}}],` +
		`"roots":[{"path":"/skills","writable":false},{"path":"/source","writable":false},{"path":"/wiki","writable":false}],` +
		`"rules":["where a list, a search or a read found nothing at a path nothing will be: to put the question again in this stage is a violation from the second time on"],` +
		`"stage":{"finished":false,"name":"protocol","number":1,"of":2,"selected":[],"structure_locked":true,"writes":false}}`; string(r.Data) != want {
		t.Errorf(" got %s\nwant %s", r.Data, want)
	}
	must(t, w, wiki.GetStatus)
	for range 2 {
		if r := do(w, wiki.GetStatus); r.Code != wiki.CodeBudgetExceeded || r.Status != wiki.StatusDenied {
			t.Errorf("the fourth of three calls: %s", r.Data)
		}
	}
	begin(t, w, 1)
	r = must(t, w, wiki.GetStatus)
	if rules := get[[]any](t, r, "rules"); len(rules) != 2 || !strings.Contains(rules[1].(string), "prose of its own") {
		t.Errorf("where pages are written the status says what they must keep: %q", rules)
	}
	if got := string(sim.MustCanonical(get[map[string]any](t, r, "budget"))); got != `{"tool_calls":{"used":1}}` {
		t.Errorf("a stage has budgets of its own: %s", got)
	}
	if got := string(sim.MustCanonical(get[map[string]any](t, r, "stage"))); got != `{"finished":false,"name":"evidence_sample","number":2,"of":2,"selected":["nut"],"structure_locked":true,"writes":true}` {
		t.Errorf("the stage is %s", got)
	}
}

// Calls made for other calls count like any.
func TestNestedCallsCount(t *testing.T) {
	w := open(t, 0)
	must(t, w, wiki.LoadSkill, "name", "citing")
	nested := made(wiki.ReadFile, "path", "/source/README.md")
	nested.Parent = 1
	if r := w.Call(context.Background(), nested); facts(t, r).Call != 2 || facts(t, r).Read == nil {
		t.Errorf("%s", r.Facts)
	}
	if n := get[int](t, must(t, w, wiki.GetStatus), "budget", "tool_calls", "used"); n != 3 {
		t.Errorf("%d calls count", n)
	}
}

func TestAnswers(t *testing.T) {
	deep := func(n int) any {
		var v any = 1
		for range n {
			v = []any{v}
		}
		return v
	}
	tests := []struct {
		name   string
		answer any
		code   string
		reason string
	}{
		{"text", "three symbols", "", "an answer is any JSON"},
		{"null", nil, "", "also null, which is not the same as none"},
		{"deep", deep(100), "", "as deep as may be"},
		{"deeper", deep(101), wiki.CodeInvalidArguments, "a state must hold it"},
		{"long", strings.Repeat("x", 64<<10), wiki.CodeTooLarge, "a state must not grow without end"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := open(t, 0)
			r := do(w, wiki.Finish, "answer", test.answer)
			if r.Code != test.code || r.Done != (test.code == "") {
				t.Errorf("%s: code %q, done %t", test.reason, r.Code, r.Done)
			}
			want := string(sim.MustCanonical(test.answer))
			if test.code != "" {
				want = ""
			}
			if got := state(t, w).Stages[0]; string(got.Answer) != want || got.Finished != r.Done {
				t.Errorf("the state keeps %.100s", got.Answer)
			}
		})
	}
}

// Whatever is done in whatever order, what the world notes adds up to what its state says, and
// what the host may not see changed has not changed.
func TestNotesAddUp(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 7))
		w := open(t, 1)
		c := small()
		first := state(t, w)
		pages, proofs, at := first.Pages, len(first.Ledger), ""
		for n := range 40 {
			if n == 20 {
				begin(t, w, 2)
			}
			r := randomCall(t, rng, w, c)
			f := facts(t, r)
			if f.Call < n+1 || at != "" && f.Before != at {
				t.Fatalf("seed %d, call %d notes %s; the state hash before was %s", seed, n+1, r.Facts, at)
			}
			at = f.After
			if f.Read != nil {
				proofs++
			}
			if f.Write != nil {
				if fixture.Hash(pages[f.Write.PageID]) != f.Write.Before {
					t.Fatalf("seed %d: page %s was not %s", seed, f.Write.PageID, f.Write.Before)
				}
				pages[f.Write.PageID] = state(t, w).Pages[f.Write.PageID]
				if fixture.Hash(pages[f.Write.PageID]) != f.Write.After {
					t.Fatalf("seed %d: page %s is not %s", seed, f.Write.PageID, f.Write.After)
				}
			}
		}
		last := state(t, w)
		if len(last.Ledger) != proofs || string(sim.MustCanonical(last.Pages)) != string(sim.MustCanonical(pages)) || last.Digests != first.Digests {
			t.Errorf("seed %d: the notes do not add up to the state", seed)
		}
		if got := fixture.FormatLedger(last.Ledger); !strings.HasPrefix(got, fixture.FormatLedger(first.Ledger)) {
			t.Errorf("seed %d: the ledger was not only appended to", seed)
		}
		parsed, err := fixture.ParsePages(last.Pages)
		if err != nil || last.StructureHash != fixture.StructureHash(fixture.Restructured(c.Skeleton, parsed)) {
			t.Errorf("seed %d: structure %s, error %v", seed, last.StructureHash, err)
		}
	}
}

// randomCall does one of the things that an agent does, of which reading a page's digest is part.
func randomCall(t *testing.T, rng *rand.Rand, w sim.World, c *fixture.Case) sim.Result {
	paths, ids := []string{"src/bolt/bolt.ts", "src/nut/nut.ts", "test/bolt.ts", "gone.ts"}, []string{"bolt", "nut", "head", "kit", "screw"}
	path, id := paths[rng.IntN(len(paths))], ids[rng.IntN(len(ids))]
	switch rng.IntN(4) {
	case 0:
		return do(w, wiki.ReadFile, "path", "/source/"+path)
	case 1:
		return do(w, wiki.ListPages)
	}
	parent, order := "kit", map[string]int{"bolt": 1, "nut": 2, "head": 4, "kit": 1, "screw": 1}[id]
	if id == "kit" {
		parent = "null"
	}
	if rng.IntN(4) == 0 {
		order = 3
	}
	text := page(id, parent, order, ids[rng.IntN(4)], cite(path, c.Source[path]))
	s, err := w.State()
	if err != nil {
		t.Fatal(err)
	}
	now, err := wiki.ReadState(s)
	if err != nil {
		t.Fatal(err)
	}
	return do(w, wiki.WritePage, "page_id", id, "content", text, "expected_sha256", fixture.Hash(now.Pages[id]))
}
