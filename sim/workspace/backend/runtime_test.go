package backend_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/sim/workspace/backend"
)

func parseRuntime(t *testing.T, raw string) *backend.Runtime {
	t.Helper()
	rt, err := backend.ParseRuntime(json.RawMessage(raw))
	if err != nil {
		t.Fatal(err)
	}
	return rt
}

// widget is a manifest of one widget "w" with members of its own.
func widget(members string) string {
	return `{"w": {"name": "N", "description": "D", "endpoint": "/e", ` + members + `}}`
}

const twoColumns = `"data": {"table": {"columnsDefs": [{"field": "id", "headerName": "I"}, {"field": "qty", "headerName": "Q"}]}}`

// TestResponseContract goes through what get_widget_data and a probe say of the same fault.
func TestResponseContract(t *testing.T) {
	form := `"params": [{"paramName": "f", "type": "form", "endpoint": "/add", "method": "PUT", "inputParams": [{"paramName": "c", "type": "text"}]}], `
	mismatch := "The backend response does not match the widget definition: "
	chart := func(data string) string { return `"type": "chart", "data": ` + data }
	tests := []struct {
		name, widget, dataset string // members of the widget; members of the only dataset besides its name
		text, code            string
	}{
		{"sound", twoColumns, `"widget_id": "w", "fields": ["id", "qty"], "payload": [{"id": 1, "qty": null}, {"id": 2, "qty": 5}]`, "", ""},
		{"rows-under-a-key", `"data": {"dataKey": "items", "table": {"columnsDefs": [{"field": "id", "headerName": "I"}]}}`, `"widget_id": "w", "fields": ["id"], "payload": {"items": [{"id": 1}]}`, "", ""},
		{"nothing", twoColumns, `"widget_id": "v", "fields": ["id"], "payload": [1]`, "The backend returned no data for this widget.", backend.Incompatible},
		{"missing-fields", twoColumns, `"widget_id": "w", "fields": ["id"], "payload": [{"id": 1}]`, "The backend response is missing declared fields: ['qty'].", backend.Incompatible},
		{"form-route", form + twoColumns, `"widget_id": "w", "fields": ["id", "qty"], "form_endpoint": "/submit", "payload": [{"id": 1, "qty": 1}]`, "The form submission route does not match the backend contract; expected '/submit'.", backend.FormMismatched},
		{"form-route-right", form + twoColumns, `"widget_id": "w", "fields": ["id", "qty"], "form_endpoint": "add/", "payload": [{"id": 1, "qty": 1}]`, "", ""},
		{"form-missing", twoColumns, `"widget_id": "w", "fields": ["id", "qty"], "form_endpoint": "/add", "payload": [{"id": 1, "qty": 1}]`, "The form submission route does not match the backend contract; expected '/add'.", backend.FormMismatched},
		{"status", twoColumns, `"widget_id": "w", "fields": ["id", "qty"], "status": 503, "payload": []`, "The backend endpoint returned HTTP 503.", backend.BadStatus},
		{"status-404", twoColumns, `"widget_id": "w", "fields": ["id", "qty"], "status": 404, "payload": []`, "The backend endpoint returned HTTP 404.", backend.Unreachable},
		{"not-json", twoColumns, `"widget_id": "w", "fields": ["id", "qty"], "raw_body": "<html>"`, "The backend response was not valid JSON.", backend.Malformed},
		{"raw-json", twoColumns, `"widget_id": "w", "fields": ["id", "qty"], "raw_body": "[{\"id\": 1, \"qty\": 2}]"`, "", ""},
		{"no-rows", twoColumns, `"widget_id": "w", "fields": ["id", "qty"], "payload": []`, mismatch + "table/grid response must contain a non-empty list of objects.", backend.Incompatible},
		{"rows-no-objects", twoColumns, `"widget_id": "w", "fields": ["id", "qty"], "payload": [{"id": 1, "qty": 1}, 2]`, mismatch + "table/grid response must contain a non-empty list of objects.", backend.Incompatible},
		{"column-missing", twoColumns, `"widget_id": "w", "fields": ["id", "qty"], "payload": [{"id": 1}]`, mismatch + "declared column 'qty' is missing from returned rows.", backend.Incompatible},
		{"column-null", twoColumns, `"widget_id": "w", "fields": ["id", "qty"], "payload": [{"id": 1, "qty": null}]`, mismatch + "declared column 'qty' is all null.", backend.Incompatible},
		{"row-id", `"type": "live_grid", "data": {"wsRowIdColumn": "key"}`, `"widget_id": "w", "payload": [{"id": 1}]`, mismatch + "live-grid row identifier 'key' is missing from returned rows.", backend.Incompatible},
		{"chart-field-missing", chart(`{"xKey": "day", "yKey": ["v"]}`), `"widget_id": "w", "fields": ["day", "v"], "payload": [{"day": "a", "z": 1}]`, mismatch + "declared chart field 'v' is missing.", backend.Incompatible},
		{"chart-field-null", chart(`{"xKey": "day", "series": [{"field": "v"}]}`), `"widget_id": "w", "fields": ["day", "v"], "payload": [{"day": "a", "v": null}]`, mismatch + "declared chart field 'v' is all null.", backend.Incompatible},
		{"chart-no-numbers", chart(`{}`), `"widget_id": "w", "payload": [{"day": "a", "v": "1"}]`, mismatch + "chart response has no numeric series values.", backend.Incompatible},
		{"chart-no-categories", chart(`{}`), `"widget_id": "w", "payload": [{"v": 1}]`, mismatch + "chart response cannot construct categories and series.", backend.Incompatible},
		{"chart-text", chart(`{}`), `"widget_id": "w", "payload": "v"`, mismatch + "chart response cannot construct categories and series.", backend.Incompatible},
		{"chart-figure", chart(`{}`), `"widget_id": "w", "payload": {"data": [{"y": [1, 2]}]}`, "", ""},
		{"chart-empty-figure", chart(`{}`), `"widget_id": "w", "payload": {"data": [{"y": []}]}`, mismatch + "chart response has no numeric series values.", backend.Incompatible},
		{"metric", `"type": "metric"`, `"widget_id": "w", "payload": {}`, mismatch + "metric response is empty.", backend.Incompatible},
		{"markdown", `"type": "markdown"`, `"widget_id": "w", "payload": " \n"`, mismatch + "markdown response must contain non-empty text.", backend.Incompatible},
		{"html", `"type": "html"`, `"widget_id": "w", "payload": 5`, mismatch + "markdown response must contain non-empty text.", backend.Incompatible},
		{"newsfeed", `"type": "newsfeed"`, `"widget_id": "w", "payload": []`, mismatch + "newsfeed response is empty.", backend.Incompatible},
		{"placeholder", `"type": "newsfeed"`, `"widget_id": "w", "payload": [{"title": "Rates", "body": [" TBD "]}]`, "The backend response contains placeholder data.", backend.Placeholder},
		{"placeholder-inside", `"type": "markdown"`, `"widget_id": "w", "payload": "Charts are coming soon!"`, "The backend response contains placeholder data.", backend.Placeholder},
		{"no-placeholder", `"type": "markdown"`, `"widget_id": "w", "payload": "The todo list is long"`, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rt := parseRuntime(t, `{"datasets": [{"name": "d", `+test.dataset+`}]}`)
			b := author(t, widget(test.widget), "").Bind(rt)
			for range 2 {
				data, f := b.Data("w", nil)
				switch {
				case test.text == "" && (f != nil || data == nil):
					t.Fatalf("failed with %v", f)
				case test.text != "" && (f == nil || f.Code != backend.ResponseInvalid || f.Message != test.text || data != nil):
					t.Fatalf("failed with %v, want %s", f, test.text)
				}
			}
			if p := rt.Probe(b); len(p) != 1 || p[0].Code != test.code || (p[0].Code == "") != p[0].OK() {
				t.Errorf("probes %+v, want code %q", p, test.code)
			}
		})
	}
}

func TestUnknownWidgetOfABoundBackend(t *testing.T) {
	b := author(t, oneWidget, "").Bind(parseRuntime(t, `{"datasets": [{"name": "d", "widget_id": "w", "payload": [{}]}]}`))
	if _, f := b.Data("v", nil); f == nil || f.Code != backend.InvalidRequest || f.Message != "Unknown widget_id 'v'." {
		t.Errorf("%v", f)
	}
	if data, f := b.Bind(nil).Data("w", nil); f != nil || string(data) != `[{"name":"N","category":""}]` {
		t.Errorf("without datasets: %s, %v", data, f)
	}
}

func TestChoosingADataset(t *testing.T) {
	def := author(t, widget(twoColumns), "").Widget("w")
	set := func(name, id, path string, fields ...string) string {
		f, _ := json.Marshal(fields)
		p := ""
		if path != "" {
			p = `"path": "` + path + `", `
		}
		return fmt.Sprintf(`{"name": %q, "widget_id": %q, %s"fields": %s, "payload": []}`, name, id, p, f)
	}
	tests := []struct {
		name     string
		pinned   bool
		datasets []string
		want     string
	}{
		{"same-id-first", false, []string{set("a", "v", "", "id", "qty"), set("b", "w", "", "id", "qty", "more")}, "b"},
		{"fewest-surplus", false, []string{set("a", "v", "", "id", "qty", "x", "y"), set("b", "u", "", "id", "qty", "x")}, "b"},
		{"by-name", false, []string{set("b", "v", "", "id", "qty"), set("a", "u", "", "qty", "id")}, "a"},
		{"must-cover", false, []string{set("a", "w", "", "id"), set("b", "u", "", "id", "qty")}, "b"},
		{"path-ignored", false, []string{set("a", "w", "/other", "id", "qty")}, "a"},
		{"path-pinned", true, []string{set("a", "w", "/other", "id", "qty"), set("b", "v", "e/", "id", "qty")}, "b"},
		{"no-path-pinned", true, []string{set("a", "w", "", "id", "qty")}, "a"},
		{"nothing", true, []string{set("a", "w", "/other", "id", "qty")}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for range 2 {
				rt := parseRuntime(t, fmt.Sprintf(`{"pinned_paths": %v, "datasets": [%s]}`, test.pinned, strings.Join(test.datasets, ",")))
				got := ""
				if d := rt.Choose(def); d != nil {
					got = d.Name
				}
				if got != test.want {
					t.Errorf("chose %q, want %q", got, test.want)
				}
				slices.Reverse(test.datasets)
			}
		})
	}
	rt := parseRuntime(t, `{"pinned_paths": true, "datasets": [`+set("a", "w", "/other", "id", "qty")+`]}`)
	if _, f := author(t, widget(twoColumns), "").Bind(rt).Data("w", nil); f == nil || f.Message != "The configured endpoint '/e' was not found." {
		t.Errorf("a shifted endpoint: %v", f)
	}
}

func TestProbesOfEndpointsAndParameters(t *testing.T) {
	rt := parseRuntime(t, `{"datasets": [{"name": "d", "widget_id": "w", "payload": [{"a": 1}]}]}`)
	probe := func(url, members string) backend.Probe {
		t.Helper()
		b, err := backend.Seed(backend.Source{Slug: "backend_001", URL: url, Widgets: json.RawMessage(`{"w": {"name": "N", ` + members + `}}`)})
		if err != nil {
			t.Fatal(err)
		}
		return rt.Probe(b)[0]
	}
	const base = "http://127.0.0.1:7779"
	tests := []struct {
		name, url, members string
		want               backend.Probe
	}{
		{"get", base, `"endpoint": "a/b?x=1", "params": [[{"paramName": "x", "type": "text"}]]`, backend.Probe{URL: base + "/a/b?x=1", Method: "GET", Dataset: "d"}},
		{"post", base, `"endpoint": "/a", "type": "table_ssrm"`, backend.Probe{URL: base + "/a", Method: "POST", Dataset: "d"}},
		{"empty", base, `"endpoint": ""`, backend.Probe{Code: backend.Unreachable, Message: "Widget 'w': endpoint '' does not resolve to an http(s) URL."}},
		{"scheme", base, `"endpoint": "file:///etc/passwd"`, backend.Probe{Code: backend.Unreachable, Message: "Widget 'w': endpoint 'file:///etc/passwd' does not resolve to an http(s) URL."}},
		{"no-base", "", `"endpoint": "/a"`, backend.Probe{Code: backend.Unreachable, Message: "Widget 'w': endpoint '/a' does not resolve to an http(s) URL."}},
		{"iframe", base, `"endpoint": "https://example.com/x", "type": "iframe", "data": {"xKey": "none has it"}`, backend.Probe{URL: "https://example.com/x"}},
		{"no-name", base, `"endpoint": "/a", "params": [{"type": "text"}]`, backend.Probe{URL: base + "/a", Code: backend.ParamsInvalid, Message: "Widget 'w': a parameter has no paramName."}},
		{"no-type", base, `"endpoint": "/a", "params": [{"paramName": "p"}]`, backend.Probe{URL: base + "/a", Code: backend.ParamsInvalid, Message: "Widget 'w': parameter 'p' has no type."}},
		{"type", base, `"endpoint": "/a", "params": [{"paramName": "f", "type": "form", "inputParams": [{"paramName": "p", "type": "select"}]}]`, backend.Probe{URL: base + "/a", Code: backend.ParamsInvalid, Message: "Widget 'w': parameter 'p' has the unknown type 'select'."}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.want.BackendID, test.want.WidgetID = "backend_001", "w"
			if diff := cmp.Diff(test.want, probe(test.url, test.members)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReceipt(t *testing.T) {
	rt := parseRuntime(t, `{"datasets": [{"name": "d", "widget_id": "w", "fields": ["id", "qty"], "payload": [{"id": 1, "qty": 2}]}]}`)
	b := author(t, `{"w": {"name": "N", "description": "D", "endpoint": "/e", `+twoColumns+`}, "v": {"name": "N", "description": "D", "endpoint": "/v", "type": "metric", "data": {"valueKey": "z"}}}`,
		`[{"name": "My App", "tabs": {"": {"id": "", "name": "", "layout": []}}}]`).As("backend_001", "", "")
	r := rt.Deploy([]*backend.Backend{b})
	if r.Probed != 2 || r.Passed != 1 || !slices.Equal(r.AppIDs, []string{"my-app"}) || r.Backends[0] != (backend.Deployed{ID: "backend_001", Name: "Desk", URL: "http://127.0.0.1:7779", Widgets: 2, Apps: 1}) {
		t.Errorf("receipt %+v", r)
	}
	none := rt.Deploy(nil)
	if len(none.Probes) != 1 || none.Probes[0].Code != backend.Unreachable || none.Passed != 0 || none.Probed != 1 {
		t.Errorf("no backend: %+v", none)
	}
}

func TestGeneratedRows(t *testing.T) {
	const spec = `{"datasets": [{"name": "d", "widget_id": "w", "fields": ["id", "desk", "pnl", "n", "day", "live"], "payload_spec": {"generator": "seeded_rows", "n_rows": 1000, "seed": 7, "schema": {
		"id": {"type": "sequence", "prefix": "T-"}, "desk": {"type": "choice", "values": ["Macro", "Rates"]}, "pnl": {"type": "number", "min": -5, "max": 5, "decimals": 3},
		"n": {"type": "integer", "min": 1, "max": 3}, "day": {"type": "date", "start": "2026-01-01", "days": 5}, "live": "boolean"}}}]}`
	first := parseRuntime(t, spec).Datasets[0].Payload()
	if string(first) != string(parseRuntime(t, spec).Datasets[0].Payload()) {
		t.Error("the same seed gives other rows")
	}
	var list []map[string]any
	if err := json.Unmarshal(first, &list); err != nil || len(list) != 1000 {
		t.Fatalf("%d rows, %v", len(list), err)
	}
	golden(t, "generated", string(first[:600])+"\n")
	for old, now := range map[string]string{`"seed": 7`: `"seed": 8`} {
		if string(parseRuntime(t, strings.Replace(spec, old, now, 1)).Datasets[0].Payload()) == string(first) {
			t.Errorf("%s gives the same rows", now)
		}
	}
	for old, want := range map[string]string{
		`"n_rows": 1000|"n_rows": 999`: "n_rows must be", `"seed": 7|"seed": 7.5`: "seed must be", `seeded_rows|random`: "generator must be",
		`"live": "boolean"|"dead": "boolean"`: "schema must cover exactly", `"boolean"|"uuid"`: "type must be one of", `, "values": ["Macro", "Rates"]|`: "values must be",
	} {
		a, b, _ := strings.Cut(old, "|")
		if _, err := backend.ParseRuntime(json.RawMessage(strings.Replace(spec, a, b, 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", b, err, want)
		}
	}
}

func TestRuntimeErrors(t *testing.T) {
	for raw, want := range map[string]string{
		`{}`:              "datasets must be a non-empty list",
		`[]`:              "want an object",
		`{"datasets": [`:  "not valid JSON",
		`{"dataset": []}`: `unknown keys ["dataset"]`,
		`{"datasets": [{"widget_id": "w", "payload": 1}]}`:                                                             "dataset 0: name must be",
		`{"datasets": [{"name": "d", "widget_id": "w"}]}`:                                                              "payload, payload_spec or raw_body",
		`{"datasets": [{"name": "d", "widget_id": "w", "payload": 1, "x": 1}]}`:                                        `unknown keys ["x"]`,
		`{"datasets": [{"name": "d", "widget_id": "w", "payload": 1}, {"name": "d", "widget_id": "v", "payload": 1}]}`: `dataset 1: name "d" occurs twice`,
		`{"datasets": [{"name": "d", "widget_id": "w", "payload": 1, "status": 99}]}`:                                  "status must be",
		`{"datasets": [{"name": "d", "widget_id": "w", "payload": 1, "payload_spec": {}}]}`:                            "exclude each other",
		`{"datasets": [{"name": "d", "widget_id": "w", "payload": 1}], "request_timeout_ms": 0}`:                       "request_timeout_ms must be",
		`{"datasets": [{"name": "d", "widget_id": "w", "payload": 1}], "pinned_paths": 1}`:                             "pinned_paths must be",
	} {
		if _, err := backend.ParseRuntime(json.RawMessage(raw)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", raw, err, want)
		}
	}
}
