package workspace

import (
	"encoding/json"
	"testing"

	"benchwright/sim"
)

func TestNotation(t *testing.T) {
	for _, tt := range []struct{ name, text, want, reason string }{
		{"nothing", "", `{}`, "no arguments are an empty object"},
		{"bare", "origin: Desk Mini, widget_id: open_orders", `{"origin":"Desk Mini","widget_id":"open_orders"}`, "words end at commas"},
		{"numbers", "a: 5, b: -2.50, c: 1e3, d: 007, e: 5x", `{"a":5,"b":-2.50,"c":1e3,"d":"007","e":"5x"}`, "what JSON calls a number is one"},
		{"literals", "a: true, b: null, c: True", `{"a":true,"b":null,"c":"True"}`, "as in JSON"},
		{"quoted", `a: "5", b: "x, y: z"`, `{"a":"5","b":"x, y: z"}`, "quotes make strings of anything"},
		{"nested", "a: {b: [1, two words, {c: d}], e: {}}, f: []", `{"a":{"b":[1,"two words",{"c":"d"}],"e":{}},"f":[]}`, "braces and brackets nest"},
		{"colon in a value", "url: http://127.0.0.1:7790, x: 1", `{"url":"http://127.0.0.1:7790","x":1}`, "only the first colon ends a name"},
		{"lines", "a: 1,\n  b: {\n    c: x\n  }\n", `{"a":1,"b":{"c":"x"}}`, "space does not matter"},
		{"JSON", `{"b": 1, "a": {"x y": [true]}}`, `{"b":1,"a":{"x y":[true]}}`, "JSON is understood, and keeps its order"},
	} {
		got, err := parseArguments(tt.text)
		if err != nil || string(appendSingle(nil, got)) != tt.want {
			t.Errorf("%s: %s, %v; want %s: %s", tt.name, got, err, tt.want, tt.reason)
		}
	}
	for _, text := range []string{"a", "a:", "a: {", "a: [1", `a: "x`, "a: 1, a: 2", "{a: 1} b", "a: {b: 1, b: 2}", ": x", "a: {b}"} {
		if got, err := parseArguments(text); err == nil {
			t.Errorf("%q is read as %s", text, got)
		}
	}
	for text, want := range map[string]string{"Open, or not": `"Open, or not"`, "5": "5", "[1, x]": `[1,"x"]`, `"5"`: `"5"`, "{a: 1}": `{"a":1}`} {
		got, err := parseValue(text)
		if err != nil || string(got) != want {
			t.Errorf("value %s: %s, %v; want %s", text, got, err, want)
		}
	}
}

func FuzzNotation(f *testing.F) {
	f.Add("origin: Desk Mini, data_args: {a: [1, \"x\", {b: c}]}")
	f.Add(`{"a": 1}`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseArguments(text)
		if err != nil {
			return
		}
		v, err := sim.ParseJSON(got)
		if _, ok := v.(map[string]any); !ok || err != nil {
			t.Fatalf("%q: %s: %v", text, got, err)
		}
		again, err := parseArguments(string(got))
		if err != nil || string(sim.MustCanonical(json.RawMessage(again))) != string(sim.MustCanonical(json.RawMessage(got))) {
			t.Fatalf("%q: %s, then %s: %v", text, got, again, err)
		}
	})
}
