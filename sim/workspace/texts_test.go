package workspace_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"benchwright/sim/workspace/backend"
)

// examples are the blocks of JSON in a document.
func examples(t *testing.T, name string) []json.RawMessage {
	t.Helper()
	var out []json.RawMessage
	for i, block := range strings.Split(text(t, "resources/"+name+".md"), "```json\n") {
		if i > 0 {
			raw, _, _ := strings.Cut(block, "```")
			out = append(out, json.RawMessage(raw))
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s has no examples", name)
	}
	return out
}

// The manifests that the documents show are accepted without a warning.
func TestExamplesOfDocumentsAreValid(t *testing.T) {
	widgets := examples(t, "specs/widgets-json")[0]
	var both map[string]any
	if err := json.Unmarshal(widgets, &both); err != nil {
		t.Fatal(err)
	}
	both["inventory_chart"] = both["desk_inventory"]
	with, err := json.Marshal(both)
	if err != nil {
		t.Fatal(err)
	}
	for name, manifests := range map[string][2]json.RawMessage{
		"specs/widgets-json":                {widgets},
		"specs/apps-json":                   {with, examples(t, "specs/apps-json")[0]},
		"guides/convert-endpoint-to-widget": {examples(t, "guides/convert-endpoint-to-widget")[0]},
		"examples/generic-http/minimal":     {examples(t, "examples/generic-http/minimal")[0]},
	} {
		r := backend.Validate(manifests[0], manifests[1])
		if err := r.Err(); err != nil || len(r.Warnings) > 0 {
			t.Errorf("%s: error %v, warnings %q", name, err, r.Warnings)
		}
	}
	shown := examples(t, "examples/generic-http/minimal")
	b, err := backend.Author(backend.Source{Slug: "shelf", Name: "Shelf", URL: "http://127.0.0.1:1", Widgets: shown[0]})
	if err != nil {
		t.Fatal(err)
	}
	if problem := b.Widgets[0].Check(shown[1]); problem != "" {
		t.Errorf("the rows of the minimal backend: %s", problem)
	}
}

// The document about errors quotes them as they are.
func TestDocumentedErrors(t *testing.T) {
	widget := func(members string) string {
		return `{"a":{"name":"A","description":"A.","endpoint":"a"` + members + `}}`
	}
	app := func(members string) string { return `[{"name":"A"` + members + `}]` }
	quoted := text(t, "resources/validation/common-errors.md")
	for _, test := range []struct{ widgets, apps, message string }{
		{`[]`, `[]`, "Invalid format. Expected an object map of widget_id -> definition"},
		{`{"a":{"name":"A","description":"A."}}`, `[]`, "'endpoint' is required and must be a string."},
		{widget(`,"type":"grid"`), `[]`, "unsupported type 'grid'"},
		{widget(`,"gridData":{"w":41,"h":3}`), `[]`, "gridData.w must be between 1 and 40."},
		{widget(`,"params":[[{"paramName":"desk"}],{"paramName":"desk"}]`), `[]`, "duplicate paramName 'desk'."},
		{widget(`,"params":[{"paramName":"desk","options":[{"value":1}]}]`), `[]`, "each option needs label and value."},
		{widget(`,"params":[{"paramName":"desk","type":"form","endpoint":"f"}]`), `[]`, "type 'form' requires an inputParams array."},
		{widget(`,"data":{"table":{"columnsDefs":[{"field":"x"}]}}`), `[]`, "headerName is required."},
		{widget(`,"data":{"table":{"columnsDefs":[{"field":"x","headerName":"X","decimalPlaces":7}]}}`), `[]`, "decimalPlaces must be an integer between 0 and 6."},
		{widget(``), `{"name":"A","tabs":{}}`, "Expected an array of app objects."},
		{widget(``), app(`,"tabs":[]`), "'tabs' is required and must be a non-empty object."},
		{widget(``), app(`,"tabs":{"m":{"id":"m","name":"M","layout":[{"x":0,"y":0,"w":1,"h":1}]}}`), "'i' (widget id) is required."},
		{widget(``), app(`,"tabs":{"m":{"id":"m","name":"M","layout":[{"i":"a","x":0,"y":0,"h":1}]}}`), "'w' is required and numeric."},
	} {
		r := backend.Validate(json.RawMessage(test.widgets), json.RawMessage(test.apps))
		if err := r.Err(); err == nil || !strings.Contains(err.Error(), test.message) {
			t.Errorf("%s %s: error %v lacks %q", test.widgets, test.apps, err, test.message)
		}
		if !strings.Contains(quoted, "`"+test.message) {
			t.Errorf("the document does not quote %q", test.message)
		}
	}
}

// The documents list the types of widgets that there are.
func TestDocumentedTypes(t *testing.T) {
	types := text(t, "resources/specs/widget-types.md")
	for _, name := range backend.Types() {
		if !strings.Contains(types, fmt.Sprintf("`%s`", name)) {
			t.Errorf("specs/widget-types does not have %s", name)
		}
	}
}
