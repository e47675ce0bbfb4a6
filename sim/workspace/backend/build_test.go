package backend_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"benchwright/sim/workspace/backend"
)

func author(t *testing.T, widgets, apps string) *backend.Backend {
	t.Helper()
	src := backend.Source{Name: "Desk", URL: " http://127.0.0.1:7779// ", Widgets: json.RawMessage(widgets)}
	if apps != "" {
		src.Apps = json.RawMessage(apps)
	}
	b, err := backend.Author(src)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestNormalisation(t *testing.T) {
	b := author(t, `{
		"z": {"name": "Z", "description": "D", "endpoint": "/z", "gridData": {"w": 12, "minW": 4, "h": 6}, "defaultViz": "metric"},
		"a": {"name": "A", "description": "D", "endpoint": "/a"}}`, `[
		{"name": "AAPL Analysis!", "tabs": {"market_context": {"id": "x", "name": "Market", "layout": [{"i": "z", "x": 1, "y": 2, "w": 3, "h": 4.5, "state": {"params": {"p": [1]}}, "groups": ["Group 1"]}]}, "a": {"id": "", "name": "", "layout": []}}},
		{"name": "Other", "templateId": "aapl-analysis", "tabs": {"": {"id": "", "name": "", "layout": []}}},
		{"name": "!", "template_id": null, "tabs": {"": {"id": "", "name": "", "layout": []}}, "allowCustomization": true, "groups": [{"name": "Group 1", "type": "param", "paramName": "p", "widgetIds": ["z"], "defaultValue": 1}]}]`)
	if b.URL != "http://127.0.0.1:7779" {
		t.Errorf("URL %q", b.URL)
	}
	if got := string(b.Widgets[0].Raw); got != `{"name":"Z","description":"D","endpoint":"/z","gridData":{"w":12,"h":6},"defaultViz":"metric","type":"metric"}` {
		t.Errorf("the definition is %s", got)
	}
	if b.Widgets[0].Grid != (backend.Grid{W: 12, H: 6}) || b.Widgets[1].Grid != (backend.Grid{W: 20, H: 10}) {
		t.Errorf("grids %v, %v", b.Widgets[0].Grid, b.Widgets[1].Grid)
	}
	if b.Widgets[1].ID != "a" || b.Widgets[1].Type != "table" || b.Widget("z") != b.Widgets[0] {
		t.Error("widgets have the order of the manifest, and a table is the default")
	}
	if ids := []string{b.Apps[0].TemplateID, b.Apps[1].TemplateID, b.Apps[2].TemplateID}; !slices.Equal(ids, []string{"aapl-analysis", "aapl-analysis-1", "app"}) {
		t.Errorf("template ids %q: want id, else alias, else slug, a repeat with the app's index", ids)
	}
	if tabs := b.Apps[0].Tabs; tabs[0].Key != "market_context" || tabs[0].ID != "x" || tabs[1].Key != "a" {
		t.Errorf("tabs %+v: want the order of the manifest", tabs)
	}
	want := backend.Placement{WidgetID: "z", X: 1, Y: 2, W: 3, H: 4.5, Params: map[string]any{"p": []any{json.Number("1")}}, Groups: []string{"Group 1"}}
	if got := b.Apps[0].Tabs[0].Layout[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("placement %+v", got)
	}
	if g := b.Apps[2].Groups; len(g) != 1 || g[0].ParamName != "p" || !b.Apps[2].AllowCustomization {
		t.Errorf("app %+v", b.Apps[2])
	}
	again, err := b.Refresh(nil, nil)
	if err != nil || string(again.WidgetsJSON()) != string(b.WidgetsJSON()) || string(again.AppsJSON()) != string(b.AppsJSON()) {
		t.Errorf("normalising twice differs from once: %v", err)
	}
}

func TestRefreshKeepsWhatIsNotGiven(t *testing.T) {
	b := author(t, oneWidget, `[{"name": "A", "tabs": {"t": {"id": "t", "name": "T", "layout": [{"i": "w", "x": 0, "y": 0, "w": 1, "h": 1}]}}}]`)
	next, err := b.Refresh(json.RawMessage(`{"v": {"name": "N", "description": "D", "endpoint": "/e"}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if next.App("A", "") == nil || next.Widget("w") != nil || next.Name != b.Name || next.URL != b.URL {
		t.Errorf("refreshed to %+v", next)
	}
	if len(next.Warnings) != 1 || !slices.Equal(next.Unserved(next.App("", "a")), []string{"w"}) {
		t.Errorf("the apps are validated against the new widgets: %q", next.Warnings)
	}
	if b.Widget("w") == nil || len(b.Warnings) != 0 {
		t.Error("the refreshed backend has changed")
	}
	if _, err := b.Refresh(nil, json.RawMessage(`{}`)); err == nil || b.App("A", "") == nil {
		t.Error("an invalid part was taken")
	}
}

func TestRenamingChangesTheOriginOfSchemas(t *testing.T) {
	b := author(t, oneWidget, "")
	n := b.As("other", "Other", "http://h/")
	if n.Slug != "other" || n.URL != "http://h" || string(n.Widget("w").Schema) != `{"name":"N","description":"D","endpoint":"/e","type":"table","origin":"Other","widget_id":"w","grid_data":null}` {
		t.Errorf("renamed to %+v, schema %s", n, n.Widget("w").Schema)
	}
	if b.Name != "Desk" || string(b.Widget("w").Schema) == string(n.Widget("w").Schema) {
		t.Error("the original has changed")
	}
}

func TestParameters(t *testing.T) {
	b := author(t, `{"w": {"name": "N", "description": "D", "endpoint": "/e", "params": [[],
		[{"paramName": "sector", "value": "b", "options": [{"label": "A", "value": "a"}, {"label": "Five", "value": 5}, {"label": "T", "value": true}]},
		 {"paramName": "names", "type": "text", "multiSelect": true, "value": "x,y", "options": [{"label": "X", "value": "x"}, {"label": "Y", "value": "y"}]}],
		{"paramName": "f", "type": "form", "endpoint": "/f", "inputParams": [
			{"paramName": "sector", "value": "of the form"},
			[{"paramName": "client", "type": "endpoint", "optionsEndpoint": "/clients", "value": "c"}],
			{"paramName": "g", "type": "form", "inputParams": [{"paramName": "deep", "value": 0}]}]},
		{"paramName": "series", "type": "endpoint", "optionsEndpoint": "/o", "optionsParams": {"s": "$sector", "n": "$names", "k": "$", "c": 1}}]}}`, "")
	d := b.Widget("w")
	var names []string
	for _, p := range d.Params {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, []string{"sector", "names", "f", "series", "client", "g", "deep"}) {
		t.Errorf("parameters %q: want rows opened, then the inputs of forms, the first of a name", names)
	}
	if got := d.Defaults(); !reflect.DeepEqual(got, map[string]any{"sector": "b", "names": "x,y", "client": "c", "deep": json.Number("0")}) {
		t.Errorf("defaults %v", got)
	}
	tests := []struct {
		param  string
		value  any
		want   bool
		reason string
	}{
		{"sector", "a", true, "an option"},
		{"sector", "z", false, "no option"},
		{"sector", "5", true, "compared as text"},
		{"sector", json.Number("5"), true, "compared as text"},
		{"sector", true, true, "the same boolean"},
		{"sector", "true", false, "the text of a boolean is True"},
		{"sector", "a,5", false, "commas mean nothing without multiSelect"},
		{"sector", []any{"a", json.Number("5")}, true, "a list of options"},
		{"names", "x, y", true, "a list in text"},
		{"names", "x,z", false, "one is no option"},
		{"names", []any{"x", "z"}, false, "one is no option"},
		{"series", "anything", true, "options of an endpoint are not checked"},
		{"f", nil, true, "there are no options"},
	}
	for _, test := range tests {
		if got := d.Param(test.param).Allows(test.value); got != test.want {
			t.Errorf("%s=%v: %v, want %v: %s", test.param, test.value, got, test.want, test.reason)
		}
	}
	for param, want := range map[string]string{
		"sector": `[{"label":"A","value":"a"},{"label":"Five","value":5},{"label":"T","value":true}]`,
		"series": "[]", "client": "[]", "nothing": "[]", "f": "[]",
	} {
		if got := string(b.Options("w", param, nil)); got != want {
			t.Errorf("options of %s are %s, want %s", param, got, want)
		}
	}
	if b.Options("v", "sector", nil) != nil {
		t.Error("an unknown widget has options")
	}
	var schema struct{ Params []json.RawMessage }
	if err := json.Unmarshal(d.Schema, &schema); err != nil {
		t.Fatal(err)
	}
	if got := string(schema.Params[3]); got != `{"paramName":"series","type":"endpoint","optionsEndpoint":"/o","optionsParams":{"s":"$sector","n":"$names","k":"$","c":1},"requires_options_lookup":true,"options_lookup_params":["names","sector"]}` {
		t.Errorf("a parameter with options behind an endpoint is marked: %s", got)
	}
	if string(schema.Params[0]) != "[]" {
		t.Error("the rows of params stay in the schema")
	}
}

func TestSeedsAreNotValidated(t *testing.T) {
	b, err := backend.Seed(backend.Source{Name: "S", Widgets: json.RawMessage(`{"w": {"type": 5, "gridData": {"w": 99, "minW": 3}, "zeta": 1}}`), Apps: json.RawMessage(`[{"name": "My App"}]`), Warnings: []string{"kept"}})
	if err != nil {
		t.Fatal(err)
	}
	d := b.Widget("w")
	if d.Type != "table" || d.Grid != (backend.Grid{W: 99, H: 10, MinW: 3}) || b.Apps[0].TemplateID != "my-app" || !slices.Equal(b.Warnings, []string{"kept"}) {
		t.Errorf("seeded %+v, %+v", d, b.Apps[0])
	}
	for _, bad := range []backend.Source{{Widgets: json.RawMessage(`[]`)}, {Widgets: json.RawMessage(`{"w": 1}`)}, {Widgets: json.RawMessage(`{`)}, {Widgets: json.RawMessage(`{}`), Apps: json.RawMessage(`{}`)}, {Widgets: json.RawMessage(`{}`), Apps: json.RawMessage(`[1]`)}} {
		if _, err := backend.Seed(bad); err == nil {
			t.Errorf("%s, %s was taken", bad.Widgets, bad.Apps)
		}
	}
}

func TestStr(t *testing.T) {
	for _, test := range []struct {
		v    any
		want string
	}{
		{"it's", "it's"}, {nil, "None"}, {true, "True"}, {false, "False"}, {json.Number("5"), "5"}, {json.Number("5.0"), "5.0"}, {json.Number("5.10"), "5.1"},
		{json.Number("1e3"), "1000.0"}, {json.Number("1e-7"), "1e-07"}, {json.Number("1E400"), "1E400"}, {json.Number("-0"), "0"},
		{[]any{"a", json.Number("1"), nil}, "['a', 1, None]"}, {[]any{"it's"}, `["it's"]`}, {map[string]any{"b": true, "a": "x"}, "{'a': 'x', 'b': True}"},
	} {
		if got := backend.Str(test.v); got != test.want {
			t.Errorf("Str(%v) = %s, want %s", test.v, got, test.want)
		}
	}
}

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{"AAPL Analysis": "aapl-analysis", "  --A__b--": "a-b", "Zürich": "z-rich", "!?": "tab", "": "tab", "Q3 2026": "q3-2026"} {
		if got := backend.Slug(in, "tab"); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
}
