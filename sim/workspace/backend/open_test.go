package backend_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/sim/workspace/backend"
)

const odd = "testdata/odd-backend"

func openDir(t *testing.T, dir string) *backend.Backend {
	t.Helper()
	b, err := backend.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// account says what a backend holds, as a file to read.
func account(t *testing.T, b *backend.Backend) string {
	t.Helper()
	var out strings.Builder
	for _, w := range b.Warnings {
		fmt.Fprintf(&out, "warning: %s\n", w)
	}
	for _, n := range b.Notes {
		fmt.Fprintf(&out, "note: %s\n", n)
	}
	for _, a := range b.Apps {
		fmt.Fprintf(&out, "\napp %s (%s), unserved %q\n", a.Name, a.TemplateID, b.Unserved(a))
		for _, tab := range a.Tabs {
			fmt.Fprintf(&out, "  tab %q id %q name %q: %d items\n", tab.Key, tab.ID, tab.Name, len(tab.Layout))
		}
	}
	for _, d := range b.Widgets {
		fmt.Fprintf(&out, "\n%s (%s) %+v\n  %s\n", d.ID, d.Type, d.Grid, d.Schema)
		data, f := b.Data(d.ID, d.Defaults())
		if f != nil {
			data = []byte(f.Code + ": " + f.Message)
		}
		fmt.Fprintf(&out, "  = %s\n", data)
		for _, p := range d.Params {
			fmt.Fprintf(&out, "  %s: %s\n", p.Name, b.Options(d.ID, p.Name, nil))
		}
	}
	return out.String()
}

func TestOddBackendFromAFolderAndOverHTTP(t *testing.T) {
	folder := openDir(t, odd)
	if folder.Name != "odd-backend" || folder.Slug != "odd-backend" || folder.URL != "" {
		t.Errorf("named %q, %q, %q", folder.Name, folder.Slug, folder.URL)
	}
	golden(t, "odd-backend", account(t, folder))

	server := httptest.NewServer(backend.Handler(folder))
	defer server.Close()
	over, err := backend.OpenURL(t.Context(), server.URL+"/")
	if err != nil {
		t.Fatal(err)
	}
	if over.URL != server.URL || over.Name != strings.TrimPrefix(server.URL, "http://") {
		t.Errorf("named %q at %q", over.Name, over.URL)
	}
	if over.Digest != folder.Digest || over.Digest == "" {
		t.Errorf("digests differ: %s and %s", folder.Digest, over.Digest)
	}
	same := over.As(folder.Slug, folder.Name, "")
	if diff := cmp.Diff(strings.Split(account(t, folder), "\n"), strings.Split(account(t, same), "\n")); diff != "" {
		t.Errorf("the folder (-) and the server (+) differ:\n%s", diff)
	}
	for _, sector := range []string{"shipping", "energy"} {
		args := map[string]any{"sector": sector, "top": "3"}
		a, f := folder.Data("quote_board", args)
		b, g := over.Data("quote_board", args)
		if f != nil || g != nil || string(a) != string(b) || strings.Contains(string(a), "TNK") != (sector == "shipping") {
			t.Errorf("%s: %s and %s", sector, a, b)
		}
	}
}

// copyOdd copies the odd backend, so that a test can spoil it.
func copyOdd(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(odd)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFolderErrorsNameThePlace(t *testing.T) {
	tests := []struct{ name, file, text, want string }{
		{"manifest", "widgets.json", `[]`, "Widget validation failed: [widgets.json]: Invalid format. Expected an object map of"},
		{"trailing-comma", "widgets.json", "{\"a\": {\n},}", "line 2, column 3: not valid JSON"},
		{"apps", "apps.json", `{}`, "App validation failed: [apps.json]: Invalid format."},
		{"answer", "curve.json", `{"data": NaN}`, `widget "curve": curve.json: line 1, column 10: not valid JSON`},
		{"options", "filings/list.json", `{}`, `widget "filings": filings/list.json: want a list of options`},
		{"text", "banner.html", "\xff", `banner.html: the text is not UTF-8`},
		{"file-name", "ticks@%zz.json", `[]`, "ticks@%zz.json: the part behind @ is no query"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := copyOdd(t)
			put(t, dir, test.file, test.text)
			_, err := backend.OpenDir(dir)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), dir) {
				t.Errorf("error %v, want one with %s", err, test.want)
			}
			var bad *backend.Invalid
			if errors.As(err, &bad) != strings.Contains(test.want, "validation failed") && test.name != "trailing-comma" {
				t.Errorf("%v is Invalid: %v", err, bad)
			}
		})
	}
	for _, dir := range []string{t.TempDir(), "no such folder"} {
		if _, err := backend.OpenDir(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

func TestFolderDetails(t *testing.T) {
	dir := copyOdd(t)
	before := openDir(t, dir)
	put(t, dir, "quote_board@sector=shipping&top=1.json", `[{"symbol": "ONE"}]`)
	put(t, dir, "quote_board@sektor=shipping.json", `[]`)
	put(t, dir, "widgets.json", "\ufeff"+strings.Replace(read(t, filepath.Join(dir, "widgets.json")), `"/desk_note"`, `"../../desk_note"`, 1))
	if err := os.Remove(filepath.Join(dir, "apps.json")); err != nil {
		t.Fatal(err)
	}
	b := openDir(t, dir)
	if b.Digest == before.Digest || len(b.Apps) != 0 {
		t.Error("the folder has changed, and its digest has not")
	}
	for raw, want := range map[string]string{`{"sector": "shipping", "top": 1}`: "ONE", `{"sector": "shipping", "top": 3}`: "TNK", `{"sector": "tankers"}`: "HRB", `{}`: "HRB"} {
		if data, f := b.Data("quote_board", args(t, raw)); f != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %s, %v, want the rows of %s", raw, data, f, want)
		}
	}
	notes := strings.Join(b.Notes, "\n")
	if !strings.Contains(notes, "quote_board@sektor=shipping.json: no widget has these parameters") {
		t.Errorf("a file that nothing uses is noted: %s", notes)
	}
	if _, f := b.Data("emea_pnl", nil); f != nil {
		t.Errorf("an endpoint with a query: %v", f)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestFolderDoesNotFollowLinksOutside(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.json")
	if err := os.WriteFile(secret, []byte(`[{"secret": 1}]`), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := copyOdd(t)
	if err := os.Symlink(secret, filepath.Join(dir, "scan.json")); err != nil {
		t.Skip(err)
	}
	if b, err := backend.OpenDir(dir); err == nil {
		data, _ := b.Data("scan", nil)
		t.Errorf("answers %s", data)
	}
}

func TestServersThatMisbehave(t *testing.T) {
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	manifest := func(extra string) string {
		return `{"w": {"name": "N", "description": "D", "endpoint": "/e"` + extra + `}}`
	}
	tests := []struct {
		name   string
		answer map[string]http.HandlerFunc
		want   string // an error, or else
		note   string // a note and
		data   string // the failure or data of "w"
		reason string
	}{
		{"no-manifest", nil, "/widgets.json: HTTP 404", "", "", "it is no backend"},
		{"manifest-error", on("/widgets.json", 500, ""), "/widgets.json: HTTP 500", "", "", "not the same as none"},
		{"apps-error", on("/widgets.json", 200, manifest(""), "/apps.json", 403, ""), "/apps.json: HTTP 403", "", "", "only a missing one is fine"},
		{"invalid", on("/widgets.json", 200, "[]"), "Widget validation failed", "", "", "validated as the product does"},
		{"redirect", map[string]http.HandlerFunc{"/widgets.json": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) }}, "redirects to another host", "", "", "the user named this host"},
		{"redirect-here", map[string]http.HandlerFunc{"/widgets.json": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/w2", http.StatusFound) }, "/w2": say(200, manifest("")), "/e": say(200, "[{}]")}, "", "", "[{}]", "on the same host it is fine"},
		{"error", on("/widgets.json", 200, manifest(""), "/e", 500, "boom"), "", "widget 'w': endpoint '/e': The backend endpoint returned HTTP 500.", "The backend endpoint returned HTTP 500.", "the agent sees what a user would"},
		{"nan", on("/widgets.json", 200, manifest(""), "/e", 200, `[{"a": NaN}]`), "", "The backend response was not valid JSON.", "The backend response was not valid JSON.", "data frames have them"},
		{"page", map[string]http.HandlerFunc{"/widgets.json": say(200, manifest("")), "/e": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<h1>Sign in</h1>")
		}}, "", "The backend response was not valid JSON.", "The backend response was not valid JSON.", "a page is no table"},
		{"missing", on("/widgets.json", 200, manifest("")), "", "nothing answers at its endpoint '/e'", "Unknown widget data endpoint for 'w'", "no such route"},
		{"other-host", on("/widgets.json", 200, strings.Replace(manifest(""), "/e", elsewhere.URL+"/e", 1)), "", "is a full URL and is not asked", "Unknown widget data endpoint for 'w'", "the user named this host"},
		{"empty-table", on("/widgets.json", 200, manifest(""), "/e", 200, `[]`), "", "table/grid response must contain", "[]", "odd answers stand, and are noted"},
		{"html", on("/widgets.json", 200, manifest(`, "type": "html"`), "/e", 200, `<p>1</p>`), "", "", `"<p>1</p>"`, "text is kept as text"},
		{"dates", map[string]http.HandlerFunc{
			"/widgets.json": say(200, manifest(`, "params": [{"paramName": "d", "type": "date", "value": "$currentDate-1M"}, {"paramName": "q", "value": "$currentDate+x"}, {"paramName": "f", "type": "form", "endpoint": "/f", "inputParams": [{"paramName": "hidden", "value": "1"}]}]`)),
			"/e":            func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "[{%q: 1}]", r.URL.RawQuery) },
		}, "", "", `[{"d=2025-12-15&q=%24currentDate%2Bx":1}]`, "the same on every day; inputs of forms are not sent"},
		{"endless", map[string]http.HandlerFunc{"/widgets.json": func(w http.ResponseWriter, _ *http.Request) {
			for chunk := make([]byte, 1<<20); ; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}}, "larger than 8 MiB", "", "", "answers are bounded"},
		{"cut", map[string]http.HandlerFunc{"/widgets.json": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }}, "EOF", "", "", "a server that does not answer is an error"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if f := test.answer[r.URL.Path]; f != nil {
					f(w, r)
				} else {
					http.NotFound(w, r)
				}
			}))
			defer server.Close()
			b, err := backend.OpenURL(t.Context(), server.URL)
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Fatalf("%s: error %v, want one with %s", test.reason, err, test.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if notes := strings.Join(b.Notes, "\n"); (notes == "") != (test.note == "") || !strings.Contains(notes, test.note) {
				t.Errorf("%s: notes %q, want %q", test.reason, notes, test.note)
			}
			data, f := b.Data("w", nil)
			if got := string(data); f != nil && f.Message != test.data || f == nil && got != test.data {
				t.Errorf("%s: %s, %v, want %s", test.reason, data, f, test.data)
			}
		})
	}
}

func say(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// on makes handlers of path, status and body, three by three.
func on(list ...any) map[string]http.HandlerFunc {
	out := map[string]http.HandlerFunc{}
	for i := 0; i < len(list); i += 3 {
		out[list[i].(string)] = say(list[i+1].(int), list[i+2].(string))
	}
	return out
}

func TestURLsThatAreRefused(t *testing.T) {
	for _, u := range []string{"", "ftp://h", "127.0.0.1:7779", "http://", "http://user:secret@h", "http://h?x=1", "http://h:port"} {
		if _, err := backend.OpenURL(t.Context(), u); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", u, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	if _, err := backend.Open(ctx, server.URL); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
