package workspace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"benchwright/sim"
	"benchwright/sim/workspace"
)

// reviewSetup is a small desk: a dashboard with two tabs, twins of one widget, a metric below
// them and a note, and a second dashboard that is not open.
const reviewSetup = `{
	"backends": ["desk-mini"],
	"skills": ["desk-handover", "breach-review"],
	"state": {"dashboards": [
		{"name": "Review", "tabs": [{"id": "main", "name": "Main"}, {"id": "side_board", "name": "Side Board"}],
		 "widgets": [
			{"widget_uuid": "w_a", "widget_id": "breach_log", "origin": "Desk Mini", "data_args": {"severity": "High", "status": "Closed", "period": "YTD"}, "layout": {"x": 0, "y": 0, "w": 20, "h": 14}},
			{"widget_uuid": "w_b", "widget_id": "breach_log", "origin": "Desk Mini", "data_args": {"severity": "Low", "status": "In Review", "period": "MTD"}, "layout": {"x": 20, "y": 0, "w": 20, "h": 14}},
			{"widget_uuid": "w_c", "widget_id": "cash_level", "layout": {"x": 0, "y": 14, "w": 10, "h": 5}}],
		 "generated_widgets": [{"widget_uuid": "w_n", "data": "Reviewed in November.", "layout": {"x": 20, "y": 14, "w": 20, "h": 6}}]},
		{"name": "Other", "activate": false}
	]}
}`

// A desk is a world under test.
type desk struct {
	t testing.TB
	w sim.World
}

func open(t testing.TB, setup string) *desk {
	t.Helper()
	w, err := workspace.Kind.New(context.Background(), sim.Env{}, json.RawMessage(setup), []string{workspace.AllTools})
	if err != nil {
		t.Fatal(err)
	}
	return &desk{t, w}
}

// call performs a call and checks the envelope, which is the same for all tools.
func (d *desk) call(tool, args string) sim.Result {
	d.t.Helper()
	before := d.state()
	r := d.w.Call(context.Background(), sim.Call{Name: tool, Arguments: json.RawMessage(args)})
	var e struct {
		OK        *bool           `json:"ok"`
		Command   string          `json:"command"`
		RequestID json.RawMessage `json:"request_id"`
		Message   string          `json:"message"`
		Data      json.RawMessage `json:"data"`
		Error     *struct {
			Code, Message string
			Details       json.RawMessage
			Retryable     *bool
		} `json:"error"`
	}
	dec := json.NewDecoder(bytes.NewReader(r.Data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		d.t.Fatalf("%s(%s) gave %s: %v", tool, args, r.Data, err)
	}
	if e.OK == nil || e.Command != tool || string(e.RequestID) != "null" || len(e.Data) == 0 {
		d.t.Errorf("%s: envelope %s", tool, r.Data)
	}
	if *e.OK {
		if r.Status != workspace.StatusOK || r.Invalid || r.Code != "" || e.Message != "ok" || e.Error != nil || !bytes.Contains(e.Data, []byte(`"session_context":{`)) {
			d.t.Errorf("%s: ok with %s and %+v", tool, r.Data, r)
		}
		return r
	}
	if r.Status != workspace.StatusError || !r.Invalid || e.Error == nil || e.Error.Code != r.Code || e.Error.Message != e.Message ||
		string(e.Error.Details) != "null" || e.Error.Retryable == nil || *e.Error.Retryable || string(e.Data) != "null" {
		d.t.Errorf("%s: refused with %s and %+v", tool, r.Data, r)
	}
	if after := d.state(); after != before && e.Message != "Unknown tab_id." {
		d.t.Errorf("%s(%s) was refused and changed the state from\n%s\nto\n%s", tool, args, before, after)
	}
	return r
}

// ok performs a call that must work, and returns its data.
func (d *desk) ok(tool, args string) data {
	d.t.Helper()
	r := d.call(tool, args)
	if !r.OK() {
		d.t.Fatalf("%s(%s): %s", tool, args, r.Data)
	}
	var e struct{ Data map[string]any }
	dec := json.NewDecoder(bytes.NewReader(r.Data))
	dec.UseNumber()
	if err := dec.Decode(&e); err != nil {
		d.t.Fatal(err)
	}
	return data{d.t, e.Data}
}

// refused performs a call that must fail and returns code and message, joined by a colon.
func (d *desk) refused(tool, args string) string {
	d.t.Helper()
	r := d.call(tool, args)
	if r.OK() {
		d.t.Fatalf("%s(%s) is ok: %s", tool, args, r.Data)
	}
	var e struct{ Message string }
	if err := json.Unmarshal(r.Data, &e); err != nil {
		d.t.Fatal(err)
	}
	return r.Code + ": " + e.Message
}

func (d *desk) state() string {
	d.t.Helper()
	s, err := d.w.State()
	if err != nil {
		d.t.Fatal(err)
	}
	return string(s.JSON())
}

func (d *desk) snapshot() *workspace.Snapshot {
	d.t.Helper()
	s, err := d.w.State()
	if err != nil {
		d.t.Fatal(err)
	}
	p, err := workspace.SnapshotOf(s)
	if err != nil {
		d.t.Fatal(err)
	}
	return p
}

// widget returns a widget of the open dashboard.
func (d *desk) widget(uuid string) *workspace.Widget {
	d.t.Helper()
	w := d.snapshot().Composition.Widget(uuid)
	if w == nil {
		d.t.Fatalf("no widget %s: %s", uuid, d.state())
	}
	return w
}

// at returns where a widget of the open dashboard is, as "tab x,y wxh".
func (d *desk) at(uuid string) string {
	d.t.Helper()
	return place(d.widget(uuid).Layout)
}

func place(l workspace.Layout) string {
	return strings.TrimSpace(l.TabID + " " + canonical(l.X) + "," + canonical(l.Y) + " " + canonical(l.W) + "x" + canonical(l.H))
}

func canonical(v any) string { return string(sim.MustCanonical(v)) }

// data is what a call gave.
type data struct {
	t testing.TB
	m map[string]any
}

// get returns the JSON at a path of keys and indexes.
func (d data) get(path string) string {
	d.t.Helper()
	var v any = d.m
	for _, key := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			var ok bool
			if v, ok = x[key]; !ok {
				d.t.Fatalf("no %s of %s in %s", key, path, canonical(d.m))
			}
		case []any:
			i := 0
			if err := json.Unmarshal([]byte(key), &i); err != nil || i >= len(x) {
				d.t.Fatalf("no %s of %s in %s", key, path, canonical(d.m))
			}
			v = x[i]
		default:
			d.t.Fatalf("no %s of %s in %s", key, path, canonical(d.m))
		}
	}
	return canonical(v)
}

// want compares what is at a path with JSON.
func (d data) want(path, json string) {
	d.t.Helper()
	if got := d.get(path); got != json {
		d.t.Errorf("%s is %s, want %s", path, got, json)
	}
}

func equal(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n got %s\nwant %s", what, got, want)
	}
}

func scoped(t testing.TB, setup string, tools ...string) *desk {
	t.Helper()
	w, err := workspace.Kind.New(context.Background(), sim.Env{}, json.RawMessage(setup), tools)
	if err != nil {
		t.Fatal(err)
	}
	return &desk{t, w}
}
