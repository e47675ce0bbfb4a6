package backend_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"benchwright/sim"
	"benchwright/sim/workspace/backend"
)

const deskFixture = `{
	"slug": "desk", "name": "Desk",
	"widgets": {
		"trades": {"name": "Trades", "description": "D", "category": "Book", "endpoint": "/t", "gridData": {"w": 10, "h": 8, "minW": 5}, "params": [{"paramName": "desk"}, {"paramName": "period"}, {"paramName": "series", "type": "endpoint", "optionsEndpoint": "/s", "optionsParams": {"d": "$desk"}}]},
		"prices": {"name": "Prices", "description": "D", "endpoint": "/p", "params": [{"paramName": "symbol", "value": "A"}, {"paramName": "n", "type": "number", "value": 2}]},
		"bare": {"name": "Bare", "description": "D", "category": "None", "endpoint": "/b", "params": [{"paramName": "x", "value": 1}, {"paramName": "go", "type": "button", "value": true}]},
		"note": {"name": "Note", "description": "D", "type": "markdown", "endpoint": "/n"}
	},
	"apps": [{"name": "A", "tabs": {"": {"id": "", "name": "", "layout": []}}}],
	"data": {
		"trades": {
			"payload": [{"id": 1, "desk": "Macro", "calendar_period": "Q1"}, {"id": 2, "desk": "Macro", "calendar_period": "Q2"}, {"id": 3, "desk": "Rates", "calendar_period": 5}],
			"filters": ["desk", {"param": "period", "field": "calendar_period"}, "vendor"],
			"options": {"series": [{"label": "All", "value": "all"}, {"label": "Swaps", "value": "swaps", "when": {"desk": "Rates"}}]}
		},
		"prices": {"byArgs": [{"dataArgs": {"symbol": "A", "n": 2}, "data": ["A2"]}, {"dataArgs": {"symbol": "B"}, "data": ["B"]}]},
		"note": {"payload": "# text"}
	}
}`

func fixture(t *testing.T, raw string) *backend.Backend {
	t.Helper()
	b, err := backend.ParseFixture([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func args(t *testing.T, raw string) map[string]any {
	t.Helper()
	v, err := sim.ParseJSON([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)
}

func TestDataRules(t *testing.T) {
	b := fixture(t, deskFixture)
	all := `[{"id":1,"desk":"Macro","calendar_period":"Q1"},{"id":2,"desk":"Macro","calendar_period":"Q2"},{"id":3,"desk":"Rates","calendar_period":5}]`
	tests := []struct{ widget, args, want, reason string }{
		{"trades", `{}`, all, "no argument, every row"},
		{"trades", `{"desk": "Macro"}`, `[{"id":1,"desk":"Macro","calendar_period":"Q1"},{"id":2,"desk":"Macro","calendar_period":"Q2"}]`, "a filter"},
		{"trades", `{"desk": "Macro", "period": "Q2"}`, `[{"id":2,"desk":"Macro","calendar_period":"Q2"}]`, "all must match, and a parameter may have another name than its field"},
		{"trades", `{"period": "5"}`, `[{"id":3,"desk":"Rates","calendar_period":5}]`, "compared as text"},
		{"trades", `{"desk": "FX"}`, all, "a filter that matches nothing answers every row"},
		{"trades", `{"desk": "Rates", "period": "Q1"}`, all, "so do two that match apart"},
		{"trades", `{"vendor": "V"}`, all, "a filter whose field is in no row has no effect"},
		{"trades", `{"id": 1}`, all, "other parameters have no effect"},
		{"trades", `{"desk": null}`, all, "null is no argument"},
		{"prices", `{"symbol": "A", "n": "2"}`, `["A2"]`, "every pair of the entry is in the request"},
		{"prices", `{"symbol": "B", "n": 9}`, `["B"]`, "the request may say more"},
		{"prices", `{"symbol": "A"}`, `["A2"]`, "else an entry with every pair of the request"},
		{"prices", `{}`, `["A2"]`, "which any entry has for none"},
		{"prices", `{"symbol": "C"}`, `[{"name":"Prices","category":"","symbol":"C","n":2}]`, "else the next rule, here the last"},
		{"bare", `{}`, `[{"name":"Bare","category":"None","x":1}]`, "a widget without data answers for itself"},
		{"note", `{"x": 1}`, `"# text"`, "what is no list of rows is answered as it is"},
	}
	for _, test := range tests {
		got, failure := b.Data(test.widget, args(t, test.args))
		if failure != nil || string(got) != test.want {
			t.Errorf("%s %s: %s\n got %s, %v\nwant %s", test.widget, test.args, test.reason, got, failure, test.want)
		}
	}
	if _, f := b.Data("nobody", nil); f == nil || f.Code != backend.CommandFailed || f.Message != "Unknown widget data endpoint for 'nobody'" {
		t.Errorf("unknown widget: %v", f)
	}
}

func TestOptionsOfAnEndpointFollowTheOtherParameter(t *testing.T) {
	b := fixture(t, deskFixture)
	const always = `{"label":"All","value":"all"}`
	for raw, want := range map[string]string{`{}`: `[` + always + `]`, `{"desk": "Rates"}`: `[` + always + `,{"label":"Swaps","value":"swaps"}]`} {
		if got := string(b.Options("trades", "series", args(t, raw))); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}

func TestFixtureKeepsRowsOutOfSchemas(t *testing.T) {
	b := fixture(t, deskFixture)
	for _, text := range []string{string(b.Widget("trades").Schema), string(b.WidgetsJSON())} {
		if strings.Contains(text, "Macro") || strings.Contains(text, "swaps") {
			t.Errorf("rows in %s", text)
		}
	}
	if g := b.Widget("trades").Grid; g.MinW != 5 {
		t.Errorf("a fixture keeps its limits: %+v", g)
	}
}

func TestPublishedFixtures(t *testing.T) {
	const raw = `{"widgets": {
		"rows": {"name": "R", "endpoint": "/r", "data": [{"status": "Open", "n": 1}, {"status": "Closed", "n": 2}], "params": []},
		"sample": {"name": "S", "endpoint": "/s", "sampleData": {"k": 1}, "sampleDataByArgs": [{"dataArgs": {"a": 1}, "data": "one"}]},
		"none": {"name": "N", "endpoint": "/n"}}, "apps": []}`
	ask := func(slug, widget, a string) string {
		t.Helper()
		b, err := backend.ParseNamed(slug, "Name", []byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if s := string(b.WidgetsJSON()); strings.Contains(s, "Open") || strings.Contains(s, "sample") && !strings.Contains(s, `"sample":`) {
			t.Errorf("rows in %s", s)
		}
		data, f := b.Data(widget, args(t, a))
		if f != nil {
			t.Fatal(f)
		}
		return string(data)
	}
	tests := []struct{ slug, widget, args, want, reason string }{
		{"stark-enterprise-x", "rows", `{"status": "Open"}`, `[{"status":"Open","n":1}]`, "a fixed filter of Stark"},
		{"other", "rows", `{"status": "Open"}`, `[{"status":"Open","n":1},{"status":"Closed","n":2}]`, "which nobody else has"},
		{"other", "sample", `{"a": "1"}`, `"one"`, "the sample for the arguments"},
		{"other", "sample", `{"a": 2}`, `{"k":1}`, "else the sample"},
		{"getting-started", "none", `{}`, `[]`, "these two fixtures answer nothing"},
		{"other", "none", `{}`, `[{"name":"N","category":""}]`, "others answer for themselves"},
	}
	for _, test := range tests {
		if got := ask(test.slug, test.widget, test.args); got != test.want {
			t.Errorf("%s %s %s: %s, want %s: %s", test.slug, test.widget, test.args, got, test.want, test.reason)
		}
	}
}

func TestDigestKnowsContentAlone(t *testing.T) {
	b := fixture(t, deskFixture)
	if len(b.Digest) != 64 || fixture(t, deskFixture).Digest != b.Digest {
		t.Error("the digest is not stable")
	}
	for old, now := range map[string]string{`"name": "Desk"`: `"name": "Other"`, `"slug": "desk"`: `"slug": "d"`, `"apps": [`: `"apps":   [`} {
		if fixture(t, strings.Replace(deskFixture, old, now, 1)).Digest != b.Digest {
			t.Errorf("%s for %s changes the digest", now, old)
		}
	}
	for old, now := range map[string]string{`"id": 3`: `"id": 4`, `"Swaps"`: `"Swap"`, `"desk", {"param"`: `{"param"`, `"A2"`: `"A3"`, `"name": "Bare"`: `"name": "Bar"`, `"name": "A"`: `"name": "B"`} {
		if fixture(t, strings.Replace(deskFixture, old, now, 1)).Digest == b.Digest {
			t.Errorf("%s for %s does not change the digest", now, old)
		}
	}
}

func TestFixtureErrors(t *testing.T) {
	tests := []struct{ old, now, want string }{
		{`"slug": "desk", `, ``, `"slug" is required`},
		{`"slug"`, `"tags": 1, "slug"`, `unknown keys ["tags"]`},
		{`"note": {"payload"`, `"memo": {"payload"`, `data: "memo" is no widget`},
		{`"payload": "# text"`, `"rows": []`, `widget "note": unknown keys ["rows"]`},
		{`"series": [`, `"desk": [`, `"desk" is no parameter with an optionsEndpoint`},
		{`"when": {"desk"`, `"when": {"dusk"`, `when: "dusk" is no parameter`},
		{`"filters": ["desk"`, `"filters": [5`, `filters 0: want a parameter`},
		{`{"dataArgs": {"symbol": "B"}, `, `{`, `byArgs 1: want {dataArgs, data}`},
		{`"endpoint": "/b", `, ``, `'endpoint' is required`},
		{`"tabs"`, `"tab"`, `App validation failed`},
		{`"widgets"`, `"widget"`, `unknown keys ["widget"]`},
		{`"payload": "# text"}`, `"payload": "# text"}}`, `not valid JSON`},
	}
	for _, test := range tests {
		raw := strings.Replace(deskFixture, test.old, test.now, 1)
		if _, err := backend.ParseFixture([]byte(raw)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %s", test.now, err, test.want)
		}
	}
}

func TestDataIsSharedSafely(t *testing.T) {
	b := fixture(t, deskFixture)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				desk := []string{"Macro", "Rates", "FX"}[i%3]
				if data, f := b.Data("trades", map[string]any{"desk": desk}); f != nil || !json.Valid(data) {
					t.Errorf("%s, %v", data, f)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkData(b *testing.B) {
	f, err := backend.ParseFixture([]byte(deskFixture))
	if err != nil {
		b.Fatal(err)
	}
	for name, a := range map[string]map[string]any{"all": nil, "filtered": {"desk": "Macro", "period": "Q2"}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, failure := f.Data("trades", a); failure != nil {
					b.Fatal(failure)
				}
			}
		})
	}
}
