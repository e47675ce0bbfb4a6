package backend_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/sim/workspace/backend"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with testdata/name.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run the test with -update", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got), run with -update if it is right:\n%s", name, diff)
	}
}

const (
	typeList  = "['advanced_charting', 'chart', 'chart-highcharts', 'chart-vegalite', 'file_viewer', 'html', 'iframe', 'live_grid', 'markdown', 'metric', 'multi_file_viewer', 'newsfeed', 'note', 'omni', 'pdf', 'ssrm_advanced', 'ssrm_table', 'table', 'table_ssrm', 'youtube']"
	paramList = "['boolean', 'button', 'date', 'endpoint', 'form', 'number', 'tabs', 'text', 'ticker']"
	condList  = "['between', 'contains', 'eq', 'gt', 'gte', 'lt', 'lte', 'ne', 'notContains']"
	rfList    = "['cellOnClick', 'columnColor', 'greenRed', 'hoverCard', 'showCellChange', 'titleCase']"
	accepted  = "(accepted but ignored by the workspace)."
)

// wrong is one way in which widgets.json may be wrong. Body is the whole manifest, or with W in
// front the members that are added to the sound definition of the widget "w"; want are all
// errors, in order, where "W" stands for the widget and "C" for its first column.
type wrong struct{ name, body, want, reason string }

var wrongWidgets = []wrong{
	{"list", `[]`, `[widgets.json]: Invalid format. Expected an object map of widget_id -> definition, e.g. {"table_data": {"name": "Table data", ...}}; received an array.`, "lists are the commonest mistake and get an example"},
	{"number", `7`, `[widgets.json]: Invalid format. Expected an object map.`, "not an object"},
	{"null", `null`, `[widgets.json]: Invalid format. Expected an object map.`, "a missing payload is not an empty one"},
	{"bare-definition", `{"name": "A", "endpoint": "/a"}`, `[widgets.json]: Invalid format. Received a bare widget definition; expected an object map of widget_id -> definition.`, "name and endpoint as text at the top"},
	{"empty-id", `{"": {}}`, `[widgets.json]: widget ids must be non-empty strings.`, "its definition is not looked at"},
	{"trailing-comma", "{\n  \"w\": {\"name\": \"A\",}\n}", `[widgets.json]: line 2, column 21: not valid JSON: invalid character '}' looking for beginning of object key string.`, "the product's own example has one"},
	{"duplicate-key", `{"w": 1, "w": 2}`, `[widgets.json]: line 1, column 10: duplicate key "w".`, "a reader would choose in silence"},
	{"definition", `{"w": []}`, `W: definition must be an object.`, "not an object"},
	{"required", `{"w": {"name": "", "endpoint": 7}}`, "W: 'name' is required and must be a string.\nW: 'description' is required and must be a string.\nW: 'endpoint' is required and must be a string.", "empty, absent, of another type; in this order"},
	{"type", `W"type": "advanced-chart"`, `W: unsupported type 'advanced-chart' — supported types: ` + typeList + `.`, "printed in the product's pages, and not accepted"},
	{"type-not-text", `W"type": 5`, `W: unsupported type '5' — supported types: ` + typeList + `.`, "of another type"},
	{"defaultViz", `W"defaultViz": "grid"`, `W: unsupported defaultViz 'grid'.`, "checked even if there is a type"},
	{"gridData", `W"gridData": [10, 5]`, `W: gridData must be an object with numeric w and h.`, "not an object"},
	{"gridData-numbers", `W"gridData": {"w": "10"}`, "W: gridData.w must be a number.\nW: gridData.h must be a number.", "text, and absent"},
	{"gridData-boolean", `W"gridData": {"w": true, "h": 4}`, "W: gridData.w must be a number.", "a boolean is no number"},
	{"gridData-range", `W"gridData": {"w": 41, "h": 0}`, "W: gridData.w must be between 1 and 40.\nW: gridData.h must be at least 1.", "beyond the grid"},
	{"staleTime", `W"staleTime": 999`, `W: staleTime must be a number >= 1000 (milliseconds).`, "too short"},
	{"staleTime-text", `W"staleTime": "5000"`, `W: staleTime must be a number >= 1000 (milliseconds).`, "text"},
	{"refetchInterval-cron", `W"refetchInterval": "* * * *"`, `W: refetchInterval string must be a 5-field cron expression.`, "four fields"},
	{"refetchInterval", `W"refetchInterval": true`, `W: refetchInterval must be milliseconds, a cron string, or false.`, "true means nothing"},
	{"refetchInterval-short", `W"refetchInterval": 10`, `W: refetchInterval must be milliseconds, a cron string, or false.`, "seconds where milliseconds are meant"},
	{"dataUpdateDisplay", `W"dataUpdateDisplay": 5`, `W: dataUpdateDisplay must be a 5-field cron expression.`, "not text"},
	{"params", `W"params": {}`, `W: params must be an array.`, "not a list"},
	{"param", `W"params": ["symbol", [[]]]`, "W: each param must be an object.\nW: each param must be an object.", "text, and a row within a row"},
	{"paramName", `W"params": [{"type": "nonsense"}]`, `W: paramName is required.`, "nothing else is said about it"},
	{"paramName-twice", `W"params": [{"paramName": "a"}, [{"paramName": "a"}]]`, `W: duplicate paramName 'a'.`, "across rows"},
	{"param-type", `W"params": [{"paramName": "a", "type": "select"}]`, `W: param 'a' has unsupported type 'select' — supported: ` + paramList + `.`, "unknown"},
	{"param-multiple", `W"params": [{"paramName": "a", "type": "number", "multiple": true}]`, "W: param 'a': `multiple` can only be true when `type` is 'text'.", "only text is typed in"},
	{"param-options", `W"params": [{"paramName": "a", "options": {"x": 1}}]`, `W: param 'a': options must be an array.`, "not a list"},
	{"param-option", `W"params": [{"paramName": "a", "options": ["x", {"label": "X"}]}]`, `W: param 'a': each option needs label and value.`, "said once"},
	{"param-optionsEndpoint", `W"params": [{"paramName": "a", "optionsEndpoint": true}]`, `W: param 'a': optionsEndpoint must be a string.`, "not text"},
	{"param-optionsParams", `W"params": [{"paramName": "a", "optionsParams": ["b"]}]`, `W: param 'a': optionsParams must be an object.`, "not an object"},
	{"param-popupWidth", `W"params": [{"paramName": "a", "style": {"popupWidth": 99}}]`, `W: param 'a': style.popupWidth must be between 100 and 1000.`, "too narrow"},
	{"param-roles", `W"params": [{"paramName": "a", "roles": "fileSelector"}]`, `W: param 'a': roles must be an array of strings.`, "text"},
	{"param-language", `W"params": [{"paramName": "a", "language": "go"}]`, `W: param 'a': language must be one of ['css', 'html', 'javascript', 'json', 'markdown', 'python', 'sql', 'text', 'xml'].`, "unknown"},
	{"param-form", `W"params": [{"paramName": "a", "type": "form", "method": "GET"}]`, "W: param 'a': type 'form' requires an inputParams array.\nW: param 'a': type 'form' requires a submit endpoint — set the param's 'endpoint' key to the relative submit path (e.g. '/form-submit').\nW: param 'a': form method must be 'POST' or 'PUT'.", "all three, in this order"},
	{"param-bounds", `W"params": [{"paramName": "a", "type": "number", "min": "0", "max": false}]`, "W: param 'a': min must be a number.\nW: param 'a': max must be a number.", "text and boolean"},
	{"fileSelector-twice", `W"params": [{"paramName": "a", "roles": ["fileSelector"]}, {"paramName": "b", "roles": ["fileSelector"]}]`, `W: Only one parameter can have the role 'fileSelector'.`, "files are chosen in one place"},
	{"fileSelector-missing", `W"type": "multi_file_viewer", "params": [{"paramName": "a", "roles": ["fileSelector"]}]`, "W: Endpoint param with `{ roles: [\"fileSelector\"] }` required for `multi_file_viewer`.", "a text parameter is not enough"},
	{"data", `W"data": []`, `W: data must be an object.`, "not an object"},
	{"dataKey", `W"data": {"dataKey": 1}`, `W: data.dataKey must be a string.`, "not text"},
	{"table", `W"data": {"table": []}`, `W: data.table must be an object.`, "not an object"},
	{"columnsDefs", `W"data": {"table": {"columnsDefs": {}}}`, `W: columnsDefs must be an array.`, "not a list"},
	{"column", `W"data": {"table": {"columnsDefs": ["a"]}}`, `C: must be an object.`, "text"},
	{"column-required", `C"field": ""`, "C: field is required.\nC: headerName is required.", "empty, and absent"},
	{"column-types", `C"field": "a", "headerName": "A", "cellDataType": "string", "chartDataType": "x", "formatterFn": "usd"`, "C: cellDataType must be one of ['boolean', 'date', 'dateString', 'number', 'object', 'text'].\nC: chartDataType must be one of ['category', 'excluded', 'series', 'time'].\nC: formatterFn must be one of ['dateToYear', 'int', 'none', 'normalized', 'normalizedPercent', 'percent'].", "all three"},
	{"column-decimals", `C"field": "a", "headerName": "A", "decimalPlaces": 2.5`, `C: decimalPlaces must be an integer between 0 and 6.`, "no integer"},
	{"column-renderFn", `C"field": "a", "headerName": "A", "renderFn": [1]`, `C: renderFn must be a string or array of strings.`, "a list of numbers"},
	{"column-renderFn-unknown", `C"field": "a", "headerName": "A", "renderFn": "greenRed, zebra,  bold"`, `C: unknown renderFn ['bold', 'zebra'] — supported: ` + rfList + `.`, "a list with commas"},
	{"column-pinned", `C"field": "a", "headerName": "A", "pinned": "top"`, `C: pinned must be 'left', 'right', or a boolean.`, "no side"},
	{"column-renderFnParams", `C"field": "a", "headerName": "A", "renderFnParams": "x"`, `C: renderFnParams must be an object.`, "text"},
	{"column-action", `C"field": "a", "headerName": "A", "renderFnParams": {"actionType": "open"}`, `C: renderFnParams.actionType must be 'groupBy' or 'sendToAgent'.`, "unknown"},
	{"column-groupBy", `C"field": "a", "headerName": "A", "renderFnParams": {"actionType": "groupBy"}`, "C: `groupBy.paramName` is required when actionType is `groupBy`.", "nothing to group by"},
	{"column-sendToAgent", `C"field": "a", "headerName": "A", "renderFnParams": {"actionType": "sendToAgent", "sendToAgent": {}}`, "C: `sendToAgent.markdown` is required when actionType is `sendToAgent`.", "nothing to send"},
	{"column-colorRules", `C"field": "a", "headerName": "A", "renderFnParams": {"colorRules": {}}`, `C: colorRules must be an array.`, "not a list"},
	{"column-colorRule", `C"field": "a", "headerName": "A", "renderFnParams": {"colorRules": [1]}`, `C colorRules[0]: must be an object.`, "not an object"},
	{"column-condition", `C"field": "a", "headerName": "A", "renderFnParams": {"colorRules": [{"condition": ">", "color": "red"}]}`, `C colorRules[0]: condition must be one of ` + condList + `.`, "unknown"},
	{"column-between", `C"field": "a", "headerName": "A", "renderFnParams": {"colorRules": [{"condition": "between", "range": {"min": 1}, "color": "red"}]}`, `C colorRules[0]: 'between' requires range with numeric min and max.`, "half a range"},
	{"column-value", `C"field": "a", "headerName": "A", "renderFnParams": {"colorRules": [{"condition": "lt", "color": "red"}]}`, `C colorRules[0]: condition 'lt' requires a value.`, "nothing to compare with"},
	{"column-color", `C"field": "a", "headerName": "A", "renderFnParams": {"colorRules": [{"condition": "lt", "value": 0, "color": "yellow"}, {"condition": "lt", "value": 0, "color": "#12"}]}`, "C colorRules[0]: color must be green, red, blue, or a hex value.\nC colorRules[1]: color must be green, red, blue, or a hex value.", "yellow is in the product's own example"},
	{"hostile-text", `{"\u001b[31mred\u202e` + strings.Repeat("x", 300) + `": 1}`, "[widgets.json] widget '\\x1b[31mred\\u202e" + strings.Repeat("x", 191) + "…': definition must be an object.", "no text of a manifest moves a cursor or fills a screen"},
}

// manifest puts a case into a manifest.
func (w wrong) manifest() string {
	const sound = `"name": "N", "description": "D", "endpoint": "/e"`
	if body, ok := strings.CutPrefix(w.body, "W"); ok {
		return `{"w": {` + sound + `, ` + body + `}}`
	}
	if body, ok := strings.CutPrefix(w.body, "C"); ok {
		return `{"w": {` + sound + `, "data": {"table": {"columnsDefs": [{` + body + `}]}}}}`
	}
	return w.body
}

// expand spells the places out.
func expand(s string) []string {
	var out []string
	for _, line := range strings.Split(s, "\n") {
		for short, long := range map[string]string{"W": "[widgets.json] widget 'w'", "C": "[widgets.json] widget 'w' columnsDefs[0]", "A": "[apps.json] app 'A'", "T": "[apps.json] app 'A' (tab: t)"} {
			if rest, ok := strings.CutPrefix(line, short); ok && (rest[0] == ':' || rest[0] == ' ') {
				line = long + rest
				break
			}
		}
		out = append(out, line)
	}
	return out
}

func TestEveryErrorOfWidgets(t *testing.T) {
	for _, test := range wrongWidgets {
		t.Run(test.name, func(t *testing.T) {
			r := backend.Validate(json.RawMessage(test.manifest()), nil)
			if diff := cmp.Diff(expand(test.want), r.WidgetErrors); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
			_, err := backend.Author(backend.Source{Name: "N", Widgets: json.RawMessage(test.manifest())})
			var bad *backend.Invalid
			if !errors.As(err, &bad) || bad.Part != "Widget" || !slices.Equal(bad.Errors, r.WidgetErrors) {
				t.Errorf("Author gives %v", err)
			}
		})
	}
}

// wrongApps are members added to an app that is sound but for them; T puts them into its tab t,
// and L into the only item of the tab's layout.
var wrongApps = []wrong{
	{"object", `!{"name": "A"}`, `[apps.json]: Invalid format. Expected an array of app objects.`, "the product refuses a single app"},
	{"app", `![7]`, `[apps.json] app[0]: each app must be an object.`, "not an object"},
	{"name", `![{"tabs": {"t": {"id": "", "name": "", "layout": []}}, "prompts": 1}]`, "[apps.json] app[0]: 'name' is required and must be a string.\n[apps.json] app 'Unknown App': 'prompts' must be an array of strings.", "what follows is said of an unknown app"},
	{"tabs", `![{"name": "A"}]`, `A: 'tabs' is required and must be a non-empty object.`, "absent"},
	{"tabs-empty", `![{"name": "A", "tabs": {}}]`, `A: 'tabs' is required and must be a non-empty object.`, "empty"},
	{"tab", `![{"name": "A", "tabs": {"t": []}}]`, `T: each tab must be an object.`, "not an object"},
	{"tab-fields", `![{"name": "A", "tabs": {"t": {}}}]`, "T: tab 'id' is required.\nT: tab 'name' is required.\nT: tab 'layout' must be an array.", "all three, in this order"},
	{"item", `![{"name": "A", "tabs": {"t": {"id": "", "name": "", "layout": ["w"]}}}]`, `T layout[0]: must be an object.`, "text"},
	{"item-fields", `L"x": "0"`, "T layout[0]: 'i' (widget id) is required.\nT layout[0]: 'x' is required and numeric.\nT layout[0]: 'y' is required and numeric.\nT layout[0]: 'w' is required and numeric.\nT layout[0]: 'h' is required and numeric.", "one for each"},
	{"groups", `A"groups": {}`, `A: 'groups' must be an array.`, "not a list"},
	{"group", `A"groups": [1]`, `A groups[0]: must be an object.`, "not an object"},
	{"group-fields", `A"groups": [{"widgetIds": "w"}]`, "A groups[0]: group 'name' is required.\nA groups[0]: group 'type' is required.\nA groups[0]: widgetIds must be an array.", "all three"},
	{"prompts", `A"prompts": ["a", 1]`, `A: 'prompts' must be an array of strings.`, "a number in it"},
}

func (w wrong) apps() json.RawMessage {
	head := `[{"name": "A", "tabs": {"t": {"id": "t", "name": "T", "layout": [`
	switch w.body[0] {
	case '!':
		return json.RawMessage(w.body[1:])
	case 'L':
		return json.RawMessage(head + `{` + w.body[1:] + `}]}}}]`)
	case 'T':
		return json.RawMessage(head + w.body[1:] + `]}}}]`)
	}
	return json.RawMessage(head + `]}}, ` + w.body[1:] + `}]`)
}

const oneWidget = `{"w": {"name": "N", "description": "D", "endpoint": "/e"}}`

func TestEveryErrorOfApps(t *testing.T) {
	for _, test := range wrongApps {
		t.Run(test.name, func(t *testing.T) {
			r := backend.Validate(json.RawMessage(oneWidget), test.apps())
			if diff := cmp.Diff(expand(test.want), r.AppErrors); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
			_, err := backend.Author(backend.Source{Name: "N", Widgets: json.RawMessage(oneWidget), Apps: test.apps()})
			var bad *backend.Invalid
			if !errors.As(err, &bad) || bad.Part != "App" {
				t.Errorf("Author gives %v", err)
			}
		})
	}
}

var warnings = []struct {
	wrong
	app bool
}{
	{wrong{"optionsParams", `W"params": [{"paramName": "a", "type": "endpoint", "optionsEndpoint": "/o", "optionsParams": {"x": "$b", "y": "$a", "z": "constant"}}]`, `W: optionsParams references '$b' but no param named 'b' exists.`, "a constant refers to nothing"}, false},
	{wrong{"live-grid", `W"type": "live_grid"`, `W: type 'live_grid' usually requires wsEndpoint.`, "rows that never move"}, false},
	{wrong{"unknown-keys", `W"zeta": 1, "imgUrl": "x"`, `W: unrecognized keys ['imgUrl', 'zeta'] ` + accepted, "sorted; imgUrl is documented and flagged all the same"}, false},
	{wrong{"app-missing-widgets", `T{"i": "z", "x": 0, "y": 0, "w": 1, "h": 1}, {"i": "navigation_bar", "x": 1, "y": 0, "w": 1, "h": 1}, {"i": "a", "x": 2, "y": 0, "w": 1, "h": 1}, {"i": "z", "x": 3, "y": 0, "w": 1, "h": 1}`, "T: [widgets.json]: Missing widgets used in tab `a, z`.", "sorted, each once; the navigation bar is always there"}, true},
	{wrong{"app-geometry", `T{"i": "w", "x": -1, "y": 0, "w": 0, "h": 1}`, "T layout[0]: geometry must be positive and within the grid.", "left of the grid"}, true},
	{wrong{"app-width", `T{"i": "w", "x": 30, "y": 0, "w": 12.0, "h": 1}`, "T layout[0]: extends past the 40-column grid (x=30, w=12.0).", "numbers as Python spells them"}, true},
	{wrong{"app-overlap", `T{"i": "w", "x": 0, "y": 0, "w": 2, "h": 2}, {"i": "w", "x": 1, "y": 1, "w": 2, "h": 2}, {"i": "w", "x": 3, "y": 1, "w": 2, "h": 2}`, "T: layout items 'w' and 'w' overlap.", "edges that touch do not overlap"}, true},
	{wrong{"app-group-type", `A"groups": [{"name": "Group 1", "type": "params"}]`, `A groups[0]: group type 'params' is not one of ['endpointParam', 'param', 'ticker'].`, "it will not link"}, true},
	{wrong{"app-group-widgets", `A"groups": [{"name": "Group 1", "type": "param", "widgetIds": ["w", "b", "a"]}]`, `A groups[0]: widgetIds reference unknown widgets ['a', 'b'].`, "sorted"}, true},
	{wrong{"app-unknown-keys", `A"colour": 1`, `A: unrecognized keys ['colour'] ` + accepted, "ignored"}, true},
}

func TestEveryWarning(t *testing.T) {
	for _, test := range warnings {
		t.Run(test.name, func(t *testing.T) {
			widgets, apps := json.RawMessage(oneWidget), json.RawMessage(nil)
			if test.app {
				apps = test.wrong.apps()
			} else {
				widgets = json.RawMessage(test.manifest())
			}
			b, err := backend.Author(backend.Source{Name: "N", Widgets: widgets, Apps: apps})
			if err != nil {
				t.Fatalf("warnings never refuse: %v", err)
			}
			if diff := cmp.Diff(expand(test.want), b.Warnings); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}

func TestNamesOfCasesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range slices.Concat(wrongWidgets, wrongApps) {
		if c.reason == "" {
			t.Errorf("case %q has no reason", c.name)
		}
		if seen[c.name+c.body] {
			t.Errorf("case %q occurs twice", c.name)
		}
		seen[c.name+c.body] = true
	}
}

// TestGoldenTexts keeps every text in one file for review.
func TestGoldenTexts(t *testing.T) {
	var b strings.Builder
	show := func(c wrong, list []string) {
		fmt.Fprintf(&b, "== %s\n%s\n", c.name, strings.Join(list, "\n"))
	}
	for _, c := range wrongWidgets {
		show(c, backend.Validate(json.RawMessage(c.manifest()), nil).WidgetErrors)
	}
	for _, c := range wrongApps {
		show(c, backend.Validate(json.RawMessage(oneWidget), c.apps()).AppErrors)
	}
	for _, c := range warnings {
		if c.app {
			show(c.wrong, backend.Validate(json.RawMessage(oneWidget), c.wrong.apps()).Warnings)
		} else {
			show(c.wrong, backend.Validate(json.RawMessage(c.manifest()), nil).Warnings)
		}
	}
	golden(t, "validation", b.String())
}

func TestSummaryOfErrors(t *testing.T) {
	tests := []struct {
		n    int
		want string
	}{
		{1, "Widget validation failed: e0"},
		{3, "Widget validation failed: e0 | e1 | e2"},
		{5, "Widget validation failed: e0 | e1 | e2 (+2 more)"},
	}
	for _, test := range tests {
		e := &backend.Invalid{Part: "Widget"}
		for i := range test.n {
			e.Errors = append(e.Errors, fmt.Sprintf("e%d", i))
		}
		if e.Error() != test.want {
			t.Errorf("%d errors: %s, want %s", test.n, e, test.want)
		}
	}
}

// What real files have and validation lets pass.
func TestOdditiesThatAreFine(t *testing.T) {
	for name, body := range map[string]string{
		"empty first row":         `"params": [[], [{"paramName": "a"}]]`,
		"source as text":          `"source": "X"`,
		"source as a list":        `"source": ["X"]`,
		"type by defaultViz":      `"defaultViz": "metric"`,
		"alias of a type":         `"type": "ssrm_table"`,
		"nulls for all":           `"type": null, "gridData": null, "params": null, "data": null, "staleTime": null, "refetchInterval": null, "dataUpdateDisplay": null`,
		"null columns":            `"data": {"dataKey": null, "table": {"columnsDefs": null}}`,
		"refetch as cron":         `"refetchInterval": "0 9 * * 1-5"`,
		"refetch off":             `"refetchInterval": false`,
		"option with null value":  `"params": [{"paramName": "a", "options": [{"label": "All", "value": null}, {"label": "", "value": ""}]}]`,
		"form input not checked":  `"params": [{"paramName": "f", "type": "form", "endpoint": "/f", "inputParams": [{"type": "nonsense"}]}]`,
		"legacy group by":         `"data": {"table": {"columnsDefs": [{"field": "a", "headerName": "A", "pinned": true, "decimalPlaces": 0, "renderFnParams": {"actionType": "groupBy", "groupByParamName": "p"}}]}}`,
		"long hex colour":         `"data": {"table": {"columnsDefs": [{"field": "a", "headerName": "A", "renderFnParams": {"colorRules": [{"condition": "eq", "value": "", "color": "#A0b1C2d3"}]}}]}}`,
		"sub_category, mcp_tool":  `"sub_category": "x", "mcp_tool": {"mcp_server": "s", "tool_id": "t"}, "storage": {"mcpUrl": "u"}`,
		"grid larger than advice": `"gridData": {"w": 1, "h": 500.5}`,
	} {
		t.Run(name, func(t *testing.T) {
			r := backend.Validate(json.RawMessage(wrong{body: "W" + body}.manifest()), nil)
			if len(r.WidgetErrors)+len(r.Warnings) > 0 {
				t.Errorf("errors %q, warnings %q", r.WidgetErrors, r.Warnings)
			}
		})
	}
}
