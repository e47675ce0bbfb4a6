package backend_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"unicode"
	"unicode/utf8"

	"benchwright/sim/workspace/backend"
)

// stable checks what holds for any pair of manifests: no panic, the same messages twice, all fit
// for a terminal; what is accepted is accepted again after normalising, and then stays as it is.
func stable(t *testing.T, widgets, apps json.RawMessage) {
	a, b := backend.Validate(widgets, apps), backend.Validate(widgets, apps)
	if !slices.Equal(a.WidgetErrors, b.WidgetErrors) || !slices.Equal(a.AppErrors, b.AppErrors) || !slices.Equal(a.Warnings, b.Warnings) {
		t.Fatalf("messages are not stable: %+v, %+v", a, b)
	}
	for _, s := range slices.Concat(a.WidgetErrors, a.AppErrors, a.Warnings) {
		for _, r := range s {
			if unicode.IsControl(r) || r == '\u202e' {
				t.Fatalf("control character in %q", s)
			}
		}
		if !utf8.ValidString(s) {
			t.Fatalf("no UTF-8: %q", s)
		}
	}
	src := backend.Source{Slug: "f", Name: "F", URL: "http://h", Widgets: widgets, Apps: apps}
	if s, err := backend.Seed(src); err == nil {
		exercise(t, s)
	}
	once, err := backend.Author(src)
	if (err == nil) != (a.Err() == nil) {
		t.Fatalf("Validate says %v, Author %v", a.Err(), err)
	}
	if err != nil {
		return
	}
	exercise(t, once)
	twice, err := once.Refresh(nil, nil)
	if err != nil {
		t.Fatalf("what was accepted is refused after normalising: %v", err)
	}
	if string(twice.WidgetsJSON()) != string(once.WidgetsJSON()) || string(twice.AppsJSON()) != string(once.AppsJSON()) || !json.Valid(once.WidgetsJSON()) {
		t.Fatalf("normalising is not stable:\n%s\n%s", once.WidgetsJSON(), twice.WidgetsJSON())
	}
}

var fuzzRuntime = func() *backend.Runtime {
	rt, err := backend.ParseRuntime(json.RawMessage(`{"datasets": [{"name": "d", "widget_id": "w", "fields": ["a"], "payload": [{"a": 1}]}]}`))
	if err != nil {
		panic(err)
	}
	return rt
}()

func exercise(t *testing.T, b *backend.Backend) {
	for _, d := range b.Widgets {
		if data, f := b.Data(d.ID, d.Defaults()); f == nil && !json.Valid(data) {
			t.Fatalf("data %s", data)
		}
		if !json.Valid(d.Schema) || !json.Valid(d.Raw) {
			t.Fatalf("schema %s", d.Schema)
		}
		for _, p := range d.Params {
			p.Allows(p.Value)
			b.Options(d.ID, p.Name, nil)
		}
		b.Bind(fuzzRuntime).Data(d.ID, nil)
	}
	for _, a := range b.Apps {
		b.Unserved(a)
	}
	fuzzRuntime.Probe(b)
	backend.Handler(b)
}

func FuzzWidgets(f *testing.F) {
	for _, c := range wrongWidgets {
		f.Add([]byte(c.manifest()))
	}
	f.Add([]byte(deskFixture))
	raw, err := os.ReadFile(odd + "/widgets.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Fuzz(func(t *testing.T, raw []byte) { stable(t, raw, nil) })
}

func FuzzApps(f *testing.F) {
	for _, c := range wrongApps {
		f.Add([]byte(c.apps()))
	}
	raw, err := os.ReadFile(odd + "/apps.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Fuzz(func(t *testing.T, raw []byte) { stable(t, json.RawMessage(oneWidget), raw) })
}

func FuzzFixture(f *testing.F) {
	f.Add([]byte(deskFixture))
	f.Add([]byte(served))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if b, err := backend.ParseFixture(raw); err == nil {
			exercise(t, b)
		}
		if b, err := backend.ParseNamed("stark-enterprise-x", "Stark", raw); err == nil {
			exercise(t, b)
		}
		if rt, err := backend.ParseRuntime(raw); err == nil {
			rt.Deploy(nil)
		}
	})
}
