package workspace_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"benchwright/fixtures"
	"benchwright/fixtures/baker/catalogue"
	"benchwright/sim"
	"benchwright/sim/workspace"
)

// wide is a backend of so many apps, each of 15 widgets with 140 rows.
func wide(slug string, apps int) *catalogue.Backend {
	b := &catalogue.Backend{
		Slug: slug, Name: "Wide " + slug, AsOf: "2026-05-15",
		Glossary: []catalogue.Field{
			catalogue.Key("line_id", "Line"), catalogue.Word("security", "Security"), catalogue.Num("amount_usd", "Amount (USD)", 2), catalogue.Word("remark", "Remark"),
		},
	}
	for a := range apps {
		app := catalogue.App{
			Name: fmt.Sprintf("App %02d", a), TemplateID: fmt.Sprintf("app-%02d", a), Description: "One app of many.", Prompts: []string{"What is the largest amount?"},
			Groups: []catalogue.Group{catalogue.Link("fund")},
		}
		for t := range 3 {
			tab := catalogue.Tab{Key: fmt.Sprintf("tab_%d", t), Name: fmt.Sprintf("Tab %d", t)}
			for w := range 5 {
				rows := catalogue.NewRows("line_id", "fund", "period", "security", "amount_usd", "remark")
				for i := range 140 {
					amount := json.Number(fmt.Sprintf("%d.%02d", i*1731+a*97+t*13+w, i%100))
					rows.Add(fmt.Sprintf("%s-%d-%d-%d", slug, a, t, i), catalogue.Funds[i%4], catalogue.Periods[i/4%5], fmt.Sprintf("Security %d", i%17), amount, "Held at the usual place with the usual care.")
				}
				tab.Rows = append(tab.Rows, catalogue.Strip(10, &catalogue.Widget{
					Name: fmt.Sprintf("Widget %d", w), Description: "One widget of many, with a description of the usual length.",
					Params: []catalogue.Param{catalogue.Fund(), catalogue.Period("QTD")}, Rows: rows,
				}))
			}
			app.Tabs = append(app.Tabs, tab)
		}
		b.Apps = append(b.Apps, app)
	}
	return b
}

// shelf is the built-in data with four wide archives: large ones are of the size of the largest
// that are built in, 23 apps and about 7 MB of rows.
func shelf(apps int) fstest.MapFS {
	files := builtinFiles()
	for _, slug := range []string{"wide-a", "wide-b", "wide-c", "wide-d"} {
		baked, err := wide(slug, apps).Bake()
		if err != nil {
			panic(err)
		}
		raw, err := baked.Zip()
		if err != nil {
			panic(err)
		}
		files["backends/"+slug+".zip"] = &fstest.MapFile{Data: raw}
	}
	return files
}

var (
	small    = sync.OnceValue(func() fstest.MapFS { return shelf(2) })
	spacious = sync.OnceValue(func() fstest.MapFS { return shelf(23) })
)

// builtinFiles is a copy of the embedded data.
// plainFiles is the built-in library without what is packed: the small desk and all texts.
func plainFiles() fstest.MapFS {
	files := builtinFiles()
	for name := range files {
		if strings.HasSuffix(name, ".zip") || strings.HasSuffix(name, ".gz") {
			delete(files, name)
		}
	}
	return files
}

func builtinFiles() fstest.MapFS {
	files := fstest.MapFS{}
	err := fs.WalkDir(fixtures.Workspace().FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var raw []byte
			raw, err = fixtures.Workspace().Read(name)
			files[name] = &fstest.MapFile{Data: raw}
		}
		return err
	})
	if err != nil {
		panic(err)
	}
	return files
}

const allWide = `{"backends":["wide-a","wide-b","wide-c","wide-d"]}`

func episode(t testing.TB, l *workspace.Library, setup string) sim.World {
	t.Helper()
	w, err := l.Kind().New(context.Background(), sim.Env{}, json.RawMessage(setup), []string{workspace.AllTools})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// BenchmarkFirstEpisode is what passes from an empty process to an open episode with four large
// backends, one of whose widgets is read.
func BenchmarkFirstEpisode(b *testing.B) {
	files := spacious()
	b.ReportAllocs()
	for b.Loop() {
		l, err := workspace.NewLibrary(files)
		if err != nil {
			b.Fatal(err)
		}
		w := episode(b, l, allWide)
		r := w.Call(context.Background(), sim.Call{Name: "get_widget_data", Arguments: json.RawMessage(`{"origin":"Wide wide-c","widget_id":"app_07_tab_1_widget_2","data_args":{"fund":"Income Fund"}}`)})
		if !r.OK() || !strings.Contains(string(r.Data), "Security") {
			b.Fatal(string(r.Data))
		}
	}
}

// BenchmarkMounted reports the heap that four large backends take: connected, and after every
// widget of one of them has been read with several choices.
func BenchmarkMounted(b *testing.B) {
	files := spacious()
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / (1 << 20)
	}
	for b.Loop() {
		before := heap()
		l, err := workspace.NewLibrary(files)
		if err != nil {
			b.Fatal(err)
		}
		w := episode(b, l, allWide)
		b.ReportMetric(heap()-before, "MB-mounted")
		one := l.Backend("wide-a")
		for _, d := range one.Widgets {
			for _, fund := range catalogue.Funds {
				if _, f := one.Data(d.ID, map[string]any{"fund": fund, "period": "QTD"}); f != nil {
					b.Fatal(f)
				}
			}
		}
		b.ReportMetric(heap()-before, "MB-read")
		runtime.KeepAlive(w)
		runtime.KeepAlive(l)
	}
}

// spoilt returns the archive with one member changed and its digest left as it was.
func spoilt(t *testing.T, raw []byte, name string) []byte {
	t.Helper()
	b, err := catalogue.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b.Members {
		if b.Members[i].Name == name {
			b.Members[i].Data = append(b.Members[i].Data, ' ')
			out, err := b.Zip()
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
	}
	t.Fatalf("%s is no member", name)
	return nil
}

func TestArchivesAreReadWhenTheyAreNamed(t *testing.T) {
	files := plainFiles()
	good := small()["backends/wide-a.zip"].Data
	files["backends/good.zip"] = &fstest.MapFile{Data: good}
	files["backends/b.zip"] = &fstest.MapFile{Data: spoilt(t, small()["backends/wide-b.zip"].Data, "backend.json")}
	const widget = "app_00_tab_0_widget_0"
	files["backends/c.zip"] = &fstest.MapFile{Data: spoilt(t, small()["backends/wide-c.zip"].Data, "data/"+widget+".json")}
	l, err := workspace.NewLibrary(files)
	if err != nil {
		t.Fatalf("nothing has been named: %v", err)
	}
	if got := strings.Join(l.Slugs(), " "); got != "desk-mini wide-a wide-b wide-c" {
		t.Errorf("slugs %s", got)
	}
	if l.Backend("wide-b") != nil || l.Backend("Wide wide-a") == nil || len(l.Backends()) != 3 {
		t.Error("only what is damaged cannot be read")
	}
	if l.Backend("wide-a") != l.Backend("wide-a") {
		t.Error("a backend is read twice")
	}
	_, err = l.Kind().New(context.Background(), sim.Env{}, json.RawMessage(`{"backends":["desk-mini","wide-b"]}`), nil)
	if err == nil || !strings.Contains(err.Error(), `backends[1]: backend archive "wide-b": backend.json: its digest is`) {
		t.Errorf("a setup with a damaged backend: %v", err)
	}

	w := episode(t, l, `{"backends":["wide-a","wide-c"]}`)
	call := func(tool, args string) sim.Result {
		return w.Call(context.Background(), sim.Call{Name: tool, Arguments: json.RawMessage(args)})
	}
	if r := call("manage_backends", `{"operation":"add","name":"wide-b"}`); !strings.Contains(r.Fault, "backend.json: its digest is") {
		t.Errorf("adding a damaged backend: %+v", r)
	}
	if r := call("get_widget_data", `{"origin":"Wide wide-c","widget_id":"`+widget+`"}`); !strings.Contains(r.Fault, "data/"+widget+".json: its digest is") {
		t.Errorf("reading damaged data: %+v", r)
	}
	for _, origin := range []string{"Wide wide-a", "Wide wide-c"} {
		if r := call("get_widget_data", `{"origin":"`+origin+`","widget_id":"app_01_tab_2_widget_4","data_args":{"fund":"Income Fund","period":"MTD"}}`); !r.OK() || strings.Count(string(r.Data), "line_id") != 7 {
			t.Errorf("%s: %+v", origin, r)
		}
	}
	if s, err := w.State(); err != nil || len(s.JSON()) == 0 {
		t.Errorf("state: %v", err)
	}
}

func TestArchivesThatALibraryRefuses(t *testing.T) {
	files := builtinFiles()
	files["backends/a.zip"] = &fstest.MapFile{Data: []byte("no zip")}
	files["backends/b.zip"] = &fstest.MapFile{Data: small()["backends/wide-b.zip"].Data}
	files["backends/c.zip"] = &fstest.MapFile{Data: small()["backends/wide-b.zip"].Data}
	_, err := workspace.NewLibrary(files)
	for _, want := range []string{"backends/a.zip: backend archive: zip:", `backends/c.zip: there are two backends with the slug "wide-b"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %s", err, want)
		}
	}
}

// Files of the system, which are not in memory, are read whole and closed.
func TestALibraryOfAFolder(t *testing.T) {
	folder := t.TempDir()
	if err := os.CopyFS(folder, small()); err != nil {
		t.Fatal(err)
	}
	l, err := workspace.NewLibrary(os.DirFS(folder))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if b := l.Backend("wide-d"); b == nil || len(b.Widgets) != 30 {
		t.Errorf("backend %v", b)
	}
}

func TestPackedBaselines(t *testing.T) {
	pack := func(text string) *fstest.MapFile {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return &fstest.MapFile{Data: b.Bytes()}
	}
	files := plainFiles()
	files["baselines/good.json.gz"] = pack(`{"dashboards":[{"name":"Packed"}]}`)
	files["baselines/bad.json.gz"] = pack(`{"dashboards":[{"nam":"B"}]}`)
	files["baselines/none.json.gz"] = &fstest.MapFile{Data: []byte("damaged")}
	l, err := workspace.NewLibrary(files)
	if err != nil {
		t.Fatalf("nothing has been named: %v", err)
	}
	if got := strings.Join(l.Baselines(), " "); got != "bad desk-mini-a good none" {
		t.Errorf("baselines %s", got)
	}
	s, err := episode(t, l, `{"baseline":"good"}`).State()
	if err != nil || !strings.Contains(string(s.JSON()), `"name":"Packed"`) {
		t.Errorf("state %v, error %v", s, err)
	}
	for name, want := range map[string]string{"bad": `baseline: bad: dashboards[0]: unknown field "nam"`, "none": "baseline: none: unexpected EOF"} {
		if _, err := l.Kind().New(context.Background(), sim.Env{}, json.RawMessage(`{"baseline":"`+name+`"}`), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
