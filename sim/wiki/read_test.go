package wiki_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	fixture "benchwright/fixtures/wiki"
	"benchwright/sim/wiki"
)

func TestResultsOfReading(t *testing.T) {
	sha := func(path string) string { return fixture.Hash(small().Source[path]) }
	tests := []struct{ name, tool, args, want, reason string }{
		{"roots", wiki.ListDir, "path=/", `{"entries":[{"name":"skills","size":0,"type":"dir"},{"name":"source","size":0,"type":"dir"},{"name":"wiki","size":0,"type":"dir"}],"ok":true,"path":"/"}`, "the roots can be found from above"},
		{"folder", wiki.ListDir, "path=/source", `{"entries":[{"name":"README.md","size":22,"type":"file"},{"name":"src","size":0,"type":"dir"},{"name":"test","size":0,"type":"dir"}],"ok":true,"path":"/source"}`, "sorted by name, files and folders together"},
		{"spelling", wiki.ListDir, "path=//source/./src/../src/nut/", `{"entries":[{"name":"long.ts","size":3942,"type":"file"},{"name":"nut.ts","size":28,"type":"file"}],"ok":true,"path":"/source/src/nut"}`, "a path has one spelling"},
		{"relative", wiki.ListDir, "path=source/test", `{"entries":[{"name":"bolt.ts","size":15,"type":"file"}],"ok":true,"path":"/source/test"}`, "there is nothing it could be relative to but the roots"},
		{"into-another-root", wiki.ListDir, "path=/source/../skills", `{"entries":[{"name":"citing.md","size":26,"type":"file"},{"name":"evidence.md","size":26,"type":"file"}],"ok":true,"path":"/skills"}`, "it stays below a root"},
		{"pages", wiki.ListDir, "path=/wiki/pages", `{"entries":[{"name":"bolt.md","size":150,"type":"file"},{"name":"head.md","size":156,"type":"file"},{"name":"kit.md","size":260,"type":"file"},{"name":"nut.md","size":152,"type":"file"}],"ok":true,"path":"/wiki/pages"}`, "pages can be read as files"},
		{"missing-folder", wiki.ListDir, "path=/source/plugins", `{"code":"not_found","hint":"the roots are /skills and /source, which are read only, and /wiki, whose pages are written with write_page","message":"there is nothing at \"/source/plugins\"","ok":false}`, "never an empty list, and the roots are named"},
		{"unknown-root", wiki.ListDir, "path=/plugins", `{"code":"outside_roots","hint":"the roots are /skills and /source, which are read only, and /wiki, whose pages are written with write_page","message":"the path \"/plugins\" is below no root","ok":false}`, "nor where it is below no root"},
		{"escape", wiki.ListDir, "path=/source/../../etc", `{"code":"outside_roots","hint":"the roots are /skills and /source, which are read only, and /wiki, whose pages are written with write_page","message":"the path \"/source/../../etc\" is below no root","ok":false}`, "a path that climbs out is not clipped to something"},
		{"folder-of-a-file", wiki.ListDir, "path=/source/README.md", `{"code":"not_found","hint":"read it with read_file","message":"\"/source/README.md\" is a file, not a folder","ok":false}`, "the hint leads on"},
		{"file", wiki.ReadFile, "path=/source/README.md", `{"end_line":2,"ok":true,"path":"/source/README.md","sha256":"` + sha("README.md") + `","start_line":1,"text":"# Kit\nBolts and nuts.\n","total_lines":2}`, "the whole text"},
		{"no-line-end", wiki.ReadFile, "path=/source/src/nut/nut.ts", `{"end_line":1,"ok":true,"path":"/source/src/nut/nut.ts","sha256":"` + sha("src/nut/nut.ts") + `","start_line":1,"text":"export const NUT = 'square';","total_lines":1}`, "a last line needs no end"},
		{"first-line", wiki.ReadFile, "path=/source/README.md end_line=1", `{"end_line":1,"ok":true,"path":"/source/README.md","sha256":"` + sha("README.md") + `","start_line":1,"text":"# Kit\n","total_lines":2}`, "the hash is that of the whole file"},
		{"last-line", wiki.ReadFile, "path=/source/src/nut/long.ts start_line=450", `{"end_line":450,"ok":true,"path":"/source/src/nut/long.ts","sha256":"` + sha("src/nut/long.ts") + `","start_line":450,"text":"line 450\n","total_lines":450}`, "lines are counted from 1"},
		{"beyond-the-end", wiki.ReadFile, "path=/source/README.md start_line=2 end_line=9", `{"end_line":2,"ok":true,"path":"/source/README.md","sha256":"` + sha("README.md") + `","start_line":2,"text":"Bolts and nuts.\n","total_lines":2}`, "who asks for more than there is gets what there is"},
		{"after-the-end", wiki.ReadFile, "path=/source/README.md start_line=3", `{"code":"invalid_arguments","hint":"read_file takes path, start_line?, end_line?","message":"start_line 3: the file has 2 lines","ok":false}`, "an empty text would look like an empty file"},
		{"backwards", wiki.ReadFile, "path=/source/README.md start_line=2 end_line=1", `{"code":"invalid_arguments","hint":"read_file takes path, start_line?, end_line?","message":"end_line 1 is before start_line 2","ok":false}`, "it asks for nothing"},
		{"too-many-lines", wiki.ReadFile, "path=/source/src/nut/long.ts start_line=1 end_line=401", `{"code":"too_large","hint":"read a shorter range, or leave end_line out","message":"lines 1 to 401 are more than 400","ok":false}`, "401 lines are not 400"},
		{"ledger", wiki.ReadFile, "path=/wiki/evidence.jsonl", "", "the ledger is there to be read"},
		{"skeleton", wiki.ReadFile, "path=/wiki/skeleton.json end_line=1", "", "the plan is there to be read"},
		{"no-page-file", wiki.ReadFile, "path=/wiki/pages/bolt", `{"code":"not_found","hint":"the roots are /skills and /source, which are read only, and /wiki, whose pages are written with write_page","message":"there is nothing at \"/wiki/pages/bolt\"","ok":false}`, "a page's file has an ending"},
		{"file-of-a-folder", wiki.ReadFile, "path=/source/src", `{"code":"not_found","hint":"list it with list_dir","message":"\"/source/src\" is a folder, not a file","ok":false}`, "the hint leads on"},
		{"search", wiki.Search, "query=PITCH", `{"hits":[{"line":1,"path":"/source/src/bolt/bolt.ts","text":"export const PITCH = 3;"},{"line":2,"path":"/source/src/bolt/bolt.ts","text":"export function turn(n: number) { return n * PITCH; }"}],"ok":true,"path":"/","query":"PITCH","truncated":false}`, "everywhere, line by line"},
		{"search-below", wiki.Search, "query=A path=/skills", `{"hits":[{"line":2,"path":"/skills/evidence.md","text":"A read counts."}],"ok":true,"path":"/skills","query":"A","truncated":false}`, "capital letters are letters of their own"},
		{"search-file", wiki.Search, "query=. path=/source/README.md", `{"hits":[{"line":2,"path":"/source/README.md","text":"Bolts and nuts."}],"ok":true,"path":"/source/README.md","query":".","truncated":false}`, "the text means itself and is no pattern"},
		{"search-nothing", wiki.Search, "query=zzz", `{"hits":[],"ok":true,"path":"/","query":"zzz","truncated":false}`, "to find nothing is no error"},
		{"search-nowhere", wiki.Search, "query=x path=/source/plugins", `{"code":"not_found","hint":"the roots are /skills and /source, which are read only, and /wiki, whose pages are written with write_page","message":"there is nothing at \"/source/plugins\"","ok":false}`, "to look nowhere is one"},
		{"search-beside", wiki.Search, "query=x path=/source/src/nu", `{"code":"not_found","hint":"the roots are /skills and /source, which are read only, and /wiki, whose pages are written with write_page","message":"there is nothing at \"/source/src/nu\"","ok":false}`, "the beginning of a name is no folder"},
		{"skill", wiki.LoadSkill, "name=citing", `{"name":"citing","ok":true,"text":"# Citing\nRead, then cite.\n"}`, "a skill by its name"},
		{"no-skill", wiki.LoadSkill, "name=../citing", `{"code":"not_found","hint":"there are citing, evidence","message":"there is no skill \"../citing\"","ok":false}`, "a name is no path"},
		{"no-tool", "write_file", "path=/wiki/x", `{"code":"unknown_tool","hint":"","message":"there is no tool \"write_file\"","ok":false}`, "nine tools and no others"},
		{"missing-argument", wiki.ReadFile, "end_line=1", `{"code":"invalid_arguments","hint":"read_file takes path, start_line?, end_line?","message":"path is missing","ok":false}`, "the hint says what it takes"},
		{"unknown-argument", wiki.ListDir, "path=/ depth=2", `{"code":"invalid_arguments","hint":"list_dir takes path","message":"there is no argument \"depth\"","ok":false}`, "an argument that does nothing must not look as if it did"},
		{"no-arguments", wiki.GetStatus, "verbose=1", `{"code":"invalid_arguments","hint":"get_status takes no arguments","message":"there is no argument \"verbose\"","ok":false}`, "the same"},
		{"no-choice", wiki.ListPages, "filter=open", `{"code":"invalid_arguments","hint":"list_pages takes filter?","message":"filter must be one of missing, selected, all","ok":false}`, "the choices are named"},
		{"line-zero", wiki.ReadFile, "path=/source/README.md start_line=0", `{"code":"invalid_arguments","hint":"read_file takes path, start_line?, end_line?","message":"start_line must be a whole number from 1 to 1000000","ok":false}`, "lines are counted from 1"},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		if seen[test.name] || test.reason == "" {
			t.Fatalf("%s: twice, or without a reason", test.name)
		}
		seen[test.name] = true
		t.Run(test.name, func(t *testing.T) {
			var args []any
			for _, field := range strings.Fields(test.args) {
				name, value, _ := strings.Cut(field, "=")
				var n int
				if _, err := fmt.Sscanf(value, "%d", &n); err == nil {
					args = append(args, name, n)
				} else {
					args = append(args, name, value)
				}
			}
			r := do(open(t, 0), test.tool, args...)
			switch {
			case test.want != "" && string(r.Data) != test.want:
				t.Errorf("%s\n got %s\nwant %s", test.reason, r.Data, test.want)
			case test.want == "" && !r.OK():
				t.Errorf("%s: %s", test.reason, r.Data)
			case r.Invalid != (r.Code == wiki.CodeInvalidArguments), (r.Code == "") != r.OK():
				t.Errorf("status %q, code %q, invalid %t", r.Status, r.Code, r.Invalid)
			}
		})
	}
}

func TestALongFileIsReadInParts(t *testing.T) {
	w := open(t, 0)
	first := must(t, w, wiki.ReadFile, "path", "/source/src/nut/long.ts")
	if end := get[int](t, first, "end_line"); end != 400 {
		t.Fatalf("the first part ends at line %d", end)
	}
	second := must(t, w, wiki.ReadFile, "path", "/source/src/nut/long.ts", "start_line", 401)
	if got := get[string](t, first, "text") + get[string](t, second, "text"); got != long {
		t.Errorf("the parts come to %d bytes, not %d", len(got), len(long))
	}
}

// Any range is what slicing the lines gives.
func TestRangesOfLines(t *testing.T) {
	w := open(t, -1)
	for _, path := range []string{"/source/README.md", "/source/src/bolt/bolt.ts", "/source/src/nut/nut.ts"} {
		text := small().Source[strings.TrimPrefix(path, "/source/")]
		all := slices.Collect(strings.Lines(text))
		for from := 1; from <= len(all); from++ {
			for to := from; to <= len(all)+1; to++ {
				r := must(t, w, wiki.ReadFile, "path", path, "start_line", from, "end_line", to)
				if got, want := get[string](t, r, "text"), strings.Join(all[from-1:min(to, len(all))], ""); got != want {
					t.Errorf("%s, %d to %d: %q, want %q", path, from, to, got, want)
				}
			}
		}
	}
}

func TestSearchIsBounded(t *testing.T) {
	r := must(t, open(t, 0), wiki.Search, "query", "line", "path", "/source")
	if hits := get[[]any](t, r, "hits"); len(hits) != 50 || !get[bool](t, r, "truncated") {
		t.Errorf("%d hits", len(hits))
	}
}

// The ledger gets a line for a source file's first reading, and for nothing else.
func TestWhatIsEvidence(t *testing.T) {
	w := open(t, 0)
	steps := []struct {
		tool, path string
		lines      int
		reason     string
	}{
		{wiki.ListDir, "/source", 1, "to list is not to read"},
		{wiki.ReadFile, "/source/nowhere.ts", 1, "nothing was read"},
		{wiki.ReadFile, "/source/src/nut/nut.ts", 2, "the first reading"},
		{wiki.ReadFile, "/source/src/../src/nut/nut.ts", 2, "the second, however it is spelled"},
		{wiki.ReadFile, "/wiki/pages/nut.md", 2, "a page is no source"},
		{wiki.ReadFile, "/skills/citing.md", 2, "nor is a skill"},
		{wiki.ReadFile, "/source/README.md", 3, "what is inherited for a page can be read for all"},
		{wiki.ReadFile, "/source/test/bolt.ts", 4, "a test is evidence"},
	}
	for i, s := range steps {
		r := do(w, s.tool, "path", s.path)
		if n := len(state(t, w).Ledger); n != s.lines {
			t.Errorf("call %d: %d lines, want %d: %s", i+1, n, s.lines, s.reason)
		}
		f := facts(t, r)
		if f.Call != i+1 || f.Stage != wiki.Protocol || f.Result != fixture.Hash(string(r.Data)) {
			t.Errorf("call %d notes %s", i+1, r.Facts)
		}
	}
	must(t, w, wiki.Search, "query", "HEAD")
	begin(t, w, 1)
	r := must(t, w, wiki.ReadFile, "path", "/source/test/bolt.ts", "end_line", 1)
	if f := facts(t, r); f.Read != nil || f.Source != "test/bolt.ts" || f.Call != 10 {
		t.Errorf("read again in a later stage: %s", r.Facts)
	}
	r = must(t, w, wiki.ReadFile, "path", "/source/src/bolt/head.ts")
	f, ledger := facts(t, r), state(t, w).Ledger
	last := ledger[len(ledger)-1]
	if f.Read == nil || f.Read.String() != last.String() || f.Before == f.After {
		t.Errorf("the call notes %s; the ledger ends with %s", r.Facts, last)
	}
	if want := `{"inherited_digest":null,"kind":"source","origin":"read","page_id":null,"path":"src/bolt/head.ts","read_event":11,"seq":5,"sha256":"` + fixture.Hash(small().Source["src/bolt/head.ts"]) + `","stage":"evidence_sample"}`; last.String() != want {
		t.Errorf("the line is %s, want %s", last, want)
	}
	text := get[string](t, must(t, w, wiki.ReadFile, "path", "/wiki/evidence.jsonl"), "text")
	if text != fixture.FormatLedger(ledger) {
		t.Errorf("the ledger's file says %s", text)
	}
}

// Repetition is told by tool, arguments, result and state, so equal calls must have equal ones.
func TestEqualCallsAreSeenToBeEqual(t *testing.T) {
	w := open(t, 0)
	pairs := []struct {
		name string
		a, b []any
		want string
	}{
		{wiki.ListDir, []any{"path", "/source/src/"}, []any{"path", "source//src"}, `{"path":"/source/src"}`},
		{wiki.ListDir, []any{"path", "/source/nowhere"}, []any{"path", "/source/./nowhere/"}, `{"path":"/source/nowhere"}`},
		{wiki.ListPages, nil, []any{"filter", "all"}, `{}`},
		{wiki.ListPages, []any{"filter", nil}, []any{"filter", "all"}, `{}`},
		{wiki.Search, []any{"query", "x"}, []any{"query", "x", "path", "/"}, `{"query":"x"}`},
		{wiki.ReadFile, []any{"path", "/wiki/pages/kit.md"}, []any{"path", "/wiki/pages/kit.md", "start_line", 1}, `{"path":"/wiki/pages/kit.md"}`},
		{wiki.ReadFile, []any{"path", "/wiki/pages/kit.md"}, []any{"path", "/wiki/pages/kit.md", "end_line", 399}, `{"path":"/wiki/pages/kit.md"}`},
		{wiki.ReadFile, []any{"path", "/wiki/pages/kit.md", "start_line", 2, "end_line", 300}, []any{"path", "/wiki/pages/kit.md", "start_line", 2, "end_line", 1_000_000}, `{"path":"/wiki/pages/kit.md","start_line":2}`},
		{wiki.ReadFile, []any{"path", "/source/src/nut/long.ts"}, []any{"path", "/source/src/nut/long.ts", "end_line", 400}, `{"path":"/source/src/nut/long.ts"}`},
		{wiki.ReadFile, []any{"path", "/source/src/nut/long.ts", "start_line", 441}, []any{"path", "/source/src/nut/long.ts", "start_line", 441, "end_line", 451}, `{"path":"/source/src/nut/long.ts","start_line":441}`},
	}
	for _, p := range pairs {
		a, b := do(w, p.name, p.a...), do(w, p.name, p.b...)
		if string(a.Arguments) != p.want || string(b.Arguments) != p.want {
			t.Errorf("%s: %s and %s, want %s", p.name, a.Arguments, b.Arguments, p.want)
		}
		f, g := facts(t, a), facts(t, b)
		if f.Result != g.Result || f.After != g.Before || f.Target != g.Target || f.Missing != g.Missing {
			t.Errorf("%s: %s and %s", p.name, a.Facts, b.Facts)
		}
	}
	for _, path := range []string{"/workspace/plugins", "/workspace//plugins/", "workspace/./plugins", "/source/../workspace/plugins"} {
		r := do(w, wiki.ListDir, "path", path)
		if want := `{"path":"/workspace/plugins"}`; string(r.Arguments) != want || !facts(t, r).Missing {
			t.Errorf("%s: %s, want %s", path, r.Arguments, want)
		}
	}
	for _, path := range []string{"/../x", "..//x/", "/y/../../x"} {
		if r := do(w, wiki.ListDir, "path", path); string(r.Arguments) != `{"path":"../x"}` || !facts(t, r).Missing {
			t.Errorf("%s: %s", path, r.Arguments)
		}
	}
	a := must(t, w, wiki.ReadFile, "path", "/source/README.md", "end_line", 1)
	b := must(t, w, wiki.ReadFile, "path", "/source/README.md", "start_line", 2)
	if string(a.Arguments) == string(b.Arguments) || facts(t, a).Before == facts(t, b).Before {
		t.Error("a further range of lines looks like a repetition")
	}
}
