package wiki_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	fixture "benchwright/fixtures/wiki"
	"benchwright/sim"
	"benchwright/sim/wiki"
)

// large is a case of the size of the built-in one: 104 files of 3 KB and 60 pages.
func large() *fixture.Case {
	c := small()
	c.Source, c.Pages, c.Skeleton.Pages, c.Skeleton.Requirements = map[string]string{}, map[string]string{}, nil, nil
	for i := range 104 {
		c.Source[fmt.Sprintf("src/part%d/file%03d.ts", i%9, i)] = strings.Repeat(fmt.Sprintf("export const VALUE_%03d = %d; // what it is for\n", i, i), 64)
	}
	for i := range 60 {
		id, path := fmt.Sprintf("page-%02d", i), fmt.Sprintf("src/part%d/file%03d.ts", i%9, i)
		c.Skeleton.Pages = append(c.Skeleton.Pages, planned(id, "", i+1, path, 1, 0))
		c.Pages[id] = strings.Replace(page(id, "null", i+1, "", cite(path, c.Source[path])), "A part.", strings.Repeat("A part of the whole. ", 120), 1)
		c.Ledger = append(c.Ledger, fixture.LedgerLine{Seq: len(c.Ledger) + 1, PageID: &id, Path: path, SHA256: fixture.Hash(c.Source[path]), Kind: fixture.KindSource, Origin: fixture.Inherited, InheritedDigest: c.Ledger[0].InheritedDigest})
	}
	c.Fixture.Digests.Source = fixture.TreeDigest(c.Source)
	return c
}

var formal = json.RawMessage(`{"case":"small","stages":[{"name":"formal"}]}`)

func benchWorld(b *testing.B) sim.World {
	w, err := wiki.KindOf(large()).New(b.Context(), sim.Env{}, formal, []string{wiki.AllTools})
	if err != nil {
		b.Fatal(err)
	}
	begin(b, w, 0)
	return w
}

func BenchmarkCalls(b *testing.B) {
	w := benchWorld(b)
	texts := [2]string{}
	texts[0] = get[string](b, must(b, w, wiki.ReadPage, "page_id", "page-07"), "content")
	texts[1] = texts[0] + "More.\n"
	write := func(i int) sim.Call {
		return made(wiki.WritePage, "page_id", "page-07", "content", texts[1-i], "expected_sha256", fixture.Hash(texts[i]))
	}
	for name, calls := range map[string][2]sim.Call{
		"list_dir":   {made(wiki.ListDir, "path", "/source/src/part3"), made(wiki.ListDir, "path", "/source/src/part4")},
		"read_file":  {made(wiki.ReadFile, "path", "/source/src/part3/file003.ts"), made(wiki.ReadFile, "path", "/source/src/part4/file004.ts")},
		"search":     {made(wiki.Search, "query", "VALUE_100"), made(wiki.Search, "query", "VALUE_101")},
		"list_pages": {made(wiki.ListPages), made(wiki.ListPages)},
		"write_page": {write(0), write(1)},
	} {
		b.Run(name, func(b *testing.B) {
			f, err := w.Fork()
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if r := f.Call(b.Context(), calls[i%2]); !r.OK() {
					b.Fatalf("%s", r.Data)
				}
			}
		})
	}
}

func BenchmarkNewAndBegin(b *testing.B) {
	kind := wiki.KindOf(large())
	b.ReportAllocs()
	for b.Loop() {
		w, err := kind.New(b.Context(), sim.Env{}, formal, []string{wiki.AllTools})
		if err != nil {
			b.Fatal(err)
		}
		begin(b, w, 0)
	}
}

// BenchmarkForkAndState forks a world, reads a file in the fork and asks for its state.
func BenchmarkForkAndState(b *testing.B) {
	w := benchWorld(b)
	read := made(wiki.ReadFile, "path", "/source/src/part3/file003.ts", "end_line", 1)
	b.ReportAllocs()
	for b.Loop() {
		f, err := w.Fork()
		if err != nil {
			b.Fatal(err)
		}
		f.Call(b.Context(), read)
		if s, err := f.State(); err != nil || len(s.JSON()) == 0 {
			b.Fatal(err)
		}
	}
}
