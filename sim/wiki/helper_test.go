package wiki_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	fixture "benchwright/fixtures/wiki"
	"benchwright/sim"
	"benchwright/sim/wiki"
)

const setupJSON = `{"case":"small","stages":[{"name":"protocol"},{"name":"evidence_sample","selected":["bolt","nut"],"locked":true},{"name":"formal"}]}`

// long is a file of more lines than one call reads.
var long = func() string {
	var b strings.Builder
	for i := range 450 {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}()

// small is a case of five pages in which one requirement of each kind is open.
func small() *fixture.Case {
	c := &fixture.Case{
		ID: "small",
		Source: map[string]string{
			"README.md":        "# Kit\nBolts and nuts.\n",
			"src/bolt/bolt.ts": "export const PITCH = 3;\nexport function turn(n: number) { return n * PITCH; }\n",
			"src/bolt/head.ts": "export const HEAD = 'hex';\n",
			"src/nut/nut.ts":   "export const NUT = 'square';",
			"src/nut/long.ts":  long,
			"test/bolt.ts":     "turn(2) === 6;\n",
		},
		Skills: map[string]string{"citing": "# Citing\nRead, then cite.\n", "evidence": "# Evidence\nA read counts.\n"},
		Skeleton: fixture.Skeleton{
			Schema: fixture.SkeletonSchema,
			Pages: []fixture.PlannedPage{
				planned("kit", "", 1, "README.md", 1, 0),
				planned("bolt", "kit", 1, "src/bolt/bolt.ts", 2, 1),
				planned("nut", "kit", 2, "src/nut/nut.ts", 1, 0),
				planned("head", "kit", 4, "src/bolt/head.ts", 1, 0),
			},
			Requirements: []fixture.Requirement{
				{ID: "R1", Kind: fixture.LinksEachOther, Pages: []string{"bolt", "nut"}, Rule: fixture.Rule{Text: "Bolt and nut name each other."}},
				{ID: "R2", Kind: fixture.Ordering, Pages: []string{"bolt", "nut", "head"}, Rule: fixture.Rule{Text: "The parts are numbered without a gap."}},
				{ID: "R3", Kind: fixture.RelatedExists, Pages: []string{"head"}, Rule: fixture.Rule{Text: "Head names pages that there are."}},
			},
		},
		Pages: map[string]string{
			"kit":  page("kit", "null", 1, "", cite("README.md", "# Kit\nBolts and nuts.\n")),
			"bolt": page("bolt", "kit", 1, ""),
			"nut":  page("nut", "kit", 2, "bolt"),
			"head": page("head", "kit", 4, "thread"),
		},
	}
	kit, other := "kit", strings.Repeat("d", 64)
	c.Ledger = []fixture.LedgerLine{{Seq: 1, PageID: &kit, Path: "README.md", SHA256: fixture.Hash(c.Source["README.md"]), Kind: fixture.KindSource, Origin: fixture.Inherited, InheritedDigest: &other}}
	skills := map[string]string{}
	for name, text := range c.Skills {
		skills[name+".md"] = text
	}
	c.Fixture.Digests = fixture.Digests{Fixture: strings.Repeat("f", 64), Source: fixture.TreeDigest(c.Source), Skills: fixture.TreeDigest(skills)}
	return c
}

func planned(id, parent string, order int, cite string, sources, tests int) fixture.PlannedPage {
	return fixture.PlannedPage{
		ID: id, Title: "About " + id, Parent: parent, Order: order, Path: "src/" + id + ".md", Kind: fixture.Module, Headings: []string{"What it is", "How it works"},
		Required: fixture.Required{MinSource: sources, MinTest: tests, MustCite: []string{cite}},
	}
}

// page writes a page of the small case.
func page(id, parent string, order int, related string, sources ...string) string {
	list := " []"
	if len(sources) > 0 {
		list = "\n" + strings.Join(sources, "\n")
	}
	return fmt.Sprintf("---\npage_id: %s\ntitle: About %s\nparent: %s\norder: %d\nkind: module\nrelated: [%s]\nsources:%s\n---\n\n## What it is\n\nA part.\n\n## How it works\n\nIt holds.\n",
		id, id, parent, order, related, list)
}

func cite(path, text string) string {
	return fmt.Sprintf("  - path: %s\n    sha256: %s\n    kind: %s", path, fixture.Hash(text), fixture.KindOf(path))
}

// cited is cite of a file of the small case.
func cited(path string) string { return cite(path, small().Source[path]) }

// open returns a world of the small case; at is the stage that has begun, below 0 none.
func open(t testing.TB, at int, setup ...string) sim.World {
	t.Helper()
	raw := setupJSON
	if len(setup) > 0 {
		raw = setup[0]
	}
	w, err := wiki.KindOf(small()).New(context.Background(), sim.Env{}, json.RawMessage(raw), []string{wiki.AllTools})
	if err != nil {
		t.Fatal(err)
	}
	if at >= 0 {
		begin(t, w, at)
	}
	return w
}

func begin(t testing.TB, w sim.World, ask int) {
	t.Helper()
	if err := w.Begin(context.Background(), ask); err != nil {
		t.Fatal(err)
	}
}

// made returns a call; its arguments are names and values in turn.
func made(name string, args ...any) sim.Call {
	object := map[string]any{}
	for i := 0; i < len(args); i += 2 {
		object[args[i].(string)] = args[i+1]
	}
	return sim.Call{Name: name, Arguments: sim.MustCanonical(object)}
}

func do(w sim.World, name string, args ...any) sim.Result {
	return w.Call(context.Background(), made(name, args...))
}

// must is do for a call that has to be ok.
func must(t testing.TB, w sim.World, name string, args ...any) sim.Result {
	t.Helper()
	r := do(w, name, args...)
	if !r.OK() {
		t.Fatalf("%s%v: %s %s", name, args, r.Fault, r.Data)
	}
	return r
}

// hash returns the digest of a page as read_page gives it.
func hash(t testing.TB, w sim.World, id string) string {
	t.Helper()
	return get[string](t, must(t, w, wiki.ReadPage, "page_id", id), "sha256")
}

// write replaces a page as it stands.
func write(t testing.TB, w sim.World, id, content string) sim.Result {
	t.Helper()
	return do(w, wiki.WritePage, "page_id", id, "content", content, "expected_sha256", hash(t, w, id))
}

// get returns what the agent sees at a path of keys.
func get[T any](t testing.TB, r sim.Result, keys ...string) (v T) {
	t.Helper()
	raw := json.RawMessage(r.Data)
	for _, key := range keys {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(raw, &object); err != nil || object[key] == nil {
			t.Fatalf("%s has no %s: %v", r.Data, key, err)
		}
		raw = object[key]
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v of %s: %v", keys, r.Data, err)
	}
	return v
}

func facts(t testing.TB, r sim.Result) wiki.Facts {
	t.Helper()
	f, ok, err := wiki.ReadFacts(r)
	if !ok || err != nil {
		t.Fatalf("facts %s: %v, %v", r.Facts, ok, err)
	}
	return f
}

func state(t testing.TB, w sim.World) *wiki.State {
	t.Helper()
	s, err := w.State()
	if err != nil {
		t.Fatal(err)
	}
	direct, err := wiki.ReadState(s)
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := wiki.ReadState(sim.RawState(bytes.Clone(s.JSON())))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := sim.MustCanonical(direct), sim.MustCanonical(recorded); !bytes.Equal(a, b) || !bytes.Equal(a, s.JSON()) {
		t.Errorf("the state says\n%s\nrecorded\n%s\nfrom\n%s", a, b, s.JSON())
	}
	return direct
}
