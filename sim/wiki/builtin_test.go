package wiki_test

import (
	"context"
	"encoding/json"
	"testing"

	fixture "benchwright/fixtures/wiki"
	"benchwright/sim"
	"benchwright/sim/wiki"
)

// The built-in case can be repaired with what the tools say and no more: the sample of five, and
// then every page, by reading files and citing them.
func TestTheBuiltInCaseCanBeRepaired(t *testing.T) {
	c, err := fixture.Plugins()
	if err != nil {
		t.Fatal(err)
	}
	setup := json.RawMessage(`{"case":"` + c.ID + `","stages":[{"name":"protocol"},{"name":"evidence_sample","locked":true},{"name":"formal"}]}`)
	w, err := wiki.Kind.New(context.Background(), sim.Env{}, setup, []string{wiki.AllTools})
	if err != nil {
		t.Fatal(err)
	}
	for ask, filter := range []string{"", "selected", "missing"} {
		begin(t, w, ask)
		if filter == "" {
			continue
		}
		list := get[[]map[string]any](t, must(t, w, wiki.ListPages, "filter", filter), "pages")
		for _, p := range list {
			repair(t, w, c, p["page_id"].(string))
		}
		want := map[string]int{"selected": 5, "missing": 17}[filter]
		if len(list) != want {
			t.Errorf("%s: %d pages, want %d", filter, len(list), want)
		}
	}
	s := state(t, w)
	if s.StructureHash != c.Fixture.Digests.Structure {
		t.Error("the structure has changed")
	}
	if n := get[int](t, must(t, w, wiki.GetStatus), "coverage", "complete"); n != len(c.Pages) {
		t.Errorf("%d of %d pages are complete", n, len(c.Pages))
	}
}

// repair cites what a page has to cite, and other files of the kind until there are enough. The
// sources that the draft has stay where they are, unless they are stale.
func repair(t *testing.T, w sim.World, c *fixture.Case, id string) {
	t.Helper()
	plan, _ := c.Skeleton.Page(id)
	p, err := fixture.ParsePage(get[string](t, must(t, w, wiki.ReadPage, "page_id", id), "content"))
	if err != nil {
		t.Fatal(err)
	}
	cited, have := map[string]bool{}, map[string]int{}
	for i, s := range p.Sources {
		p.Sources[i].SHA256 = get[string](t, must(t, w, wiki.ReadFile, "path", wiki.SourceRoot+"/"+s.Path), "sha256")
		cited[s.Path] = true
		have[s.Kind]++
	}
	cite := func(path string) {
		r := must(t, w, wiki.ReadFile, "path", wiki.SourceRoot+"/"+path)
		p.Sources = append(p.Sources, fixture.Source{Path: path, SHA256: get[string](t, r, "sha256"), Kind: fixture.KindOf(path)})
		cited[path] = true
		have[fixture.KindOf(path)]++
	}
	for _, path := range plan.Required.MustCite {
		if !cited[path] {
			cite(path)
		}
	}
	for _, f := range c.Fixture.Files {
		path, kind := f.Path[min(len("source/"), len(f.Path)):], f.Kind
		least := map[string]int{fixture.KindSource: plan.Required.MinSource, fixture.KindTest: plan.Required.MinTest}[kind]
		if have[kind] < least && !cited[path] {
			cite(path)
		}
	}
	r := write(t, w, id, p.String())
	if !r.OK() || get[string](t, r, "evidence", "state") != "complete" {
		t.Errorf("page %s: %s", id, r.Data)
	}
}
