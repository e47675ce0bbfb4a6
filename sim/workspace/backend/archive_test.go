package backend_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"benchwright/sim/workspace/backend"
)

type member struct{ name, data string }

// contents of a small archive, without SHA256SUMS.
func contents() []member {
	return []member{
		{"index.json", `{"slug":"mini","name":"Mini","url":"http://127.0.0.1:7779/"}`},
		{"backend.json", `{"as_of":"2026-05-15","widgets":{"b_rows":{"name":"Rows","description":"D","endpoint":"r","data":{"table":{"columnsDefs":[{"field":"n","headerName":"N"}]}},"params":[{"paramName":"tag","value":"x","options":[{"label":"X","value":"x"}]},{"paramName":"pick","type":"endpoint","optionsEndpoint":"p"}]},"a_text":{"name":"Text","description":"D","type":"markdown","endpoint":"t"},"c_none":{"name":"None","description":"D","endpoint":"n"}},"apps":[]}`},
		{"checks.json", `{"anything":1}`},
		{"data/a_text.json", `{"nomatch":"empty","byArgs":[{"dataArgs":{"tone":"dry"},"data":"Dry."},{"dataArgs":{"tone":"wet"},"data":"Wet."}]}`},
		{"data/b_rows.json", `{ "filters" : ["tag"], "nomatch":"empty","payload": [ {"n":1.50,"tag":"x"} , {"n":2.00,"tag":"y"} ] ,"options":{"pick":[{"label":"P","value":"p","when":{"tag":"x"}}]}}`},
	}
}

func sumsOf(members []member) string {
	var b strings.Builder
	for _, m := range members {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256([]byte(m.data)), m.name)
	}
	return b.String()
}

func withSums(members []member) []member {
	return append(members, member{"SHA256SUMS", sumsOf(members)})
}

func pack(t testing.TB, level int, members []member) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, level) })
	for _, m := range members {
		f, err := w.Create(m.name)
		if err == nil {
			_, err = f.Write([]byte(m.data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func openArchive(raw []byte) (*backend.Backend, error) {
	a, err := backend.OpenArchive(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	return a.Backend()
}

func TestAnArchiveAnswers(t *testing.T) {
	b, err := openArchive(pack(t, 6, withSums(contents())))
	if err != nil {
		t.Fatal(err)
	}
	if b.Slug != "mini" || b.Name != "Mini" || b.URL != "http://127.0.0.1:7779" || len(b.Widgets) != 3 || b.Widgets[0].ID != "b_rows" || len(b.Warnings) != 0 {
		t.Errorf("backend %q %q %q with %d widgets, warnings %q", b.Slug, b.Name, b.URL, len(b.Widgets), b.Warnings)
	}
	for _, tt := range []struct{ widget, args, want, reason string }{
		{"b_rows", `{}`, `[ {"n":1.50,"tag":"x"} , {"n":2.00,"tag":"y"} ]`, "rows are the text that they are"},
		{"b_rows", `{"tag": "y"}`, `[{"n":2.00,"tag":"y"}]`, "a choice too"},
		{"b_rows", `{"tag": "z"}`, `[]`, "nothing matches"},
		{"a_text", `{}`, `"Dry."`, "the first entry"},
		{"a_text", `{"tone": "wet", "length": 2}`, `"Wet."`, "what no entry names has no effect"},
		{"a_text", `{"length": 2}`, `"Dry."`, "even alone"},
		{"a_text", `{"tone": "shrill"}`, `""`, "no text for it"},
		{"c_none", `{}`, `[{"name":"None","category":""}]`, "a widget without data"},
	} {
		got, f := b.Data(tt.widget, args(t, tt.args))
		if f != nil || string(got) != tt.want {
			t.Errorf("%s %s: %s, failure %v, want %s: %s", tt.widget, tt.args, got, f, tt.want, tt.reason)
		}
	}
	if got := b.Options("b_rows", "pick", map[string]any{}); string(got) != `[{"label":"P","value":"p"}]` {
		t.Errorf("options %s", got)
	}
	if got := b.Options("b_rows", "pick", map[string]any{"tag": "y"}); string(got) != `[]` {
		t.Errorf("options of another tag %s", got)
	}
	d := b.Widget("b_rows")
	if f := d.Fields(); len(f) != 1 || f[0] != "n" {
		t.Errorf("fields %q", f)
	}
	if as := b.As("", "Other", ""); !strings.Contains(string(as.Widget("b_rows").Schema), `"origin":"Other"`) || !strings.Contains(string(d.Schema), `"origin":"Mini"`) {
		t.Errorf("schema %s", as.Widget("b_rows").Schema)
	}
}

// An archive, and the fixture of the same manifests, are told of alike.
func TestAnArchiveIsAFixture(t *testing.T) {
	packed, err := openArchive(pack(t, 6, withSums(contents())))
	if err != nil {
		t.Fatal(err)
	}
	c := contents()
	plain := fixture(t, `{"slug":"mini","name":"Mini",`+c[1].data[1:len(c[1].data)-1]+`,"data":{"a_text":`+c[3].data+`,"b_rows":`+c[4].data+`}}`)
	for _, d := range plain.Widgets {
		if got := packed.Widget(d.ID); string(got.Schema) != string(d.Schema) || string(got.Raw) != string(d.Raw) {
			t.Errorf("%s: schema\n%s\nof the fixture\n%s", d.ID, got.Schema, d.Schema)
		}
	}
	if string(packed.AppsJSON()) != string(plain.AppsJSON()) {
		t.Errorf("apps %s and %s", packed.AppsJSON(), plain.AppsJSON())
	}
}

func TestTheDigestOfAnArchive(t *testing.T) {
	digest := func(level int, change func(m []member)) string {
		m := contents()
		if change != nil {
			change(m)
		}
		b, err := openArchive(pack(t, level, withSums(m)))
		if err != nil {
			t.Fatal(err)
		}
		before := b.Digest
		if _, f := b.Data("b_rows", nil); f != nil {
			t.Fatal(f)
		}
		if b.Digest != before {
			t.Error("reading changed the digest")
		}
		return before
	}
	first := digest(6, nil)
	for name, same := range map[string]string{
		"packed otherwise":  digest(0, nil),
		"under other names": digest(6, func(m []member) { m[0].data = `{"slug":"x","name":"X"}` }),
		"with other checks": digest(6, func(m []member) { m[2].data = `{}` }),
	} {
		if same != first {
			t.Errorf("%s: digest %s, want %s", name, same, first)
		}
	}
	for _, i := range []int{1, 3, 4} {
		if digest(6, func(m []member) { m[i].data += " " }) == first {
			t.Errorf("another %s has the same digest", contents()[i].name)
		}
	}
}

func TestArchivesThatAreRefused(t *testing.T) {
	with := func(i int, from, to string) []member {
		m := contents()
		if strings.Replace(m[i].data, from, to, 1) == m[i].data {
			t.Fatalf("%s is not in %s", from, m[i].name)
		}
		m[i].data = strings.Replace(m[i].data, from, to, 1)
		return withSums(m)
	}
	forged := withSums(contents())
	forged[1].data += " "
	for _, tt := range []struct {
		name    string
		members []member
		want    string
	}{
		{"no-sums", contents(), "SHA256SUMS: it is missing"},
		{"member-without-digest", append(withSums(contents()), member{"extra", ""}), "5 digests for 6 members"},
		{"digest-without-member", append(contents(), member{"SHA256SUMS", sumsOf(append(contents(), member{"gone", ""}))}), `"gone" is not in the archive`},
		{"no-digest", append(contents(), member{"SHA256SUMS", "what\n"}), "line 1: want a digest"},
		{"twice", append(withSums(contents()), contents()[0]), `"index.json" is there twice`},
		{"changed-manifest", forged, "backend.json: its digest is"},
		{"no-index", withSums(contents()[1:]), "index.json: it is missing"},
		{"no-name", with(0, `"name":"Mini"`, `"name":""`), "slug and name are required"},
		{"unknown-key", with(1, `"apps"`, `"pps"`), `unknown keys ["pps"]`},
		{"no-widgets", with(1, `"widgets":{`, `"widgets":[],"apps":{`), "duplicate key"},
		{"no-day", with(1, `2026-05-15`, `15 May`), "as_of must be a date"},
		{"data-of-nothing", withSums(append(contents(), member{"data/z.json", "{}"})), `"data/z.json" is data of no widget`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := openArchive(pack(t, 6, tt.members)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
	if _, err := openArchive([]byte("no zip")); err == nil {
		t.Error("what is no zip file was opened")
	}
}

// What is wrong with the data of one widget is found when it is read, and only there.
func TestDamagedData(t *testing.T) {
	for _, tt := range []struct{ name, data, want string }{
		{"other-bytes", "", "its digest is"},
		{"no-json", "{", "not valid JSON"},
		{"no-object", "[]", "want an object"},
		{"unknown-key", `{"rows":[]}`, `unknown key "rows"`},
		{"bad-filter", `{"filters":[1],"payload":[]}`, "filters 0"},
		{"bad-entry", `{"byArgs":[{}]}`, "byArgs 0: want"},
		{"bad-options", `{"options":{"tag":[]}}`, "no parameter with an optionsEndpoint"},
		{"bad-rule", `{"nomatch":1}`, "nomatch must be"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := contents()
			if tt.data != "" {
				m[4].data = tt.data
			}
			m = withSums(m)
			if tt.data == "" {
				m[4].data += " "
			}
			b, err := openArchive(pack(t, 6, m))
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if _, f := b.Data("b_rows", nil); f == nil || f.Fault == nil || !strings.Contains(f.Fault.Error(), tt.want) || !strings.Contains(f.Fault.Error(), "data/b_rows.json") {
					t.Errorf("failure %+v, want %s", f, tt.want)
				}
			}
			if got := b.Options("b_rows", "pick", nil); string(got) != "[]" {
				t.Errorf("options %s", got)
			}
			if _, f := b.Data("a_text", nil); f != nil {
				t.Errorf("another widget: %v", f)
			}
		})
	}
}

func TestManyReadAnArchiveAtOnce(t *testing.T) {
	b, err := openArchive(pack(t, 6, withSums(contents())))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			tag := []string{"x", "y"}[i%2]
			got, f := b.Data("b_rows", map[string]any{"tag": tag})
			if f != nil || !strings.Contains(string(got), `"tag":"`+tag+`"`) || strings.Count(string(got), "tag") != 1 {
				t.Errorf("%s: %s, failure %v", tag, got, f)
			}
			b.Options("b_rows", "pick", nil)
		})
	}
	wg.Wait()
}
