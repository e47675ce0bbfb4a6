package sim_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"benchwright/sim"
)

func TestCanonicalOfRawJSON(t *testing.T) {
	tests := []struct{ name, raw, want, reason string }{
		{"keys sorted", `{"b":1,"a":2}`, `{"a":2,"b":1}`, "equal objects have equal bytes"},
		{"keys sorted by bytes", `{"é":1,"z":2,"Z":3,"":4,"a":5,"aa":6}`, `{"":4,"Z":3,"a":5,"aa":6,"z":2,"é":1}`, "the order depends on no language"},
		{"nested", `{"b":{"d":[{"y":1,"x":2}],"c":null}}`, `{"b":{"c":null,"d":[{"x":2,"y":1}]}}`, "at every depth"},
		{"no space", " {\t\"a\" :\r\n[ 1 , 2 ] } \n", `{"a":[1,2]}`, "white space means nothing"},
		{"order of a list", `[3,1,2]`, `[3,1,2]`, "a list has an order"},
		{"empty", `[{},[],""]`, `[{},[],""]`, "nothing is dropped"},
		{"numbers as spelled", `[1.0,1,1e2,100,-0,0.10]`, `[1.0,1,1e2,100,-0,0.10]`, "1.0 stays 1.0"},
		{"number beyond a float", `[9007199254740993,1e999999]`, `[9007199254740993,1e999999]`, "no number goes through a float"},
		{"words", `[true,false,null]`, `[true,false,null]`, "as they are"},
		{"escapes that are not needed", `"\u0041\/\u00e9\ud83d\ude00"`, `"A/é😀"`, "one spelling of a string"},
		{"escapes that are needed", `"\"\\\n\r\t\u0000\u001f"`, `"\"\\\n\r\t\u0000\u001f"`, "one spelling of a string"},
		{"capital hexadecimal", `"\u001F"`, `"\u001f"`, "one spelling of a string"},
		{"angle brackets", `"<a>&'</a>"`, `"<a>&'</a>"`, "not made for HTML"},
		{"line separators", `"\u2028\u2029"`, "\"\u2028\u2029\"", "not made for JavaScript"},
		{"lone surrogate", `"\ud800x"`, "\"\uFFFDx\"", "no string can hold it"},
		{"not UTF-8", "\"a\xffb\"", "\"a\uFFFDb\"", "records are UTF-8"},
		{"DEL", "\"\x7f\"", "\"\x7f\"", "JSON allows it"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := sim.Canonical(json.RawMessage(test.raw))
			if err != nil || string(got) != test.want {
				t.Errorf("%s\n got %s, error %v\nwant %s", test.reason, got, err, test.want)
			}
		})
	}
}

func TestCanonicalOfValues(t *testing.T) {
	type inner struct {
		B json.RawMessage `json:"b"`
		A string          `json:"a,omitempty"`
	}
	tests := []struct {
		name   string
		v      any
		want   string
		reason string
	}{
		{"struct", inner{B: json.RawMessage(`{"y":1, "x":2}`), A: "<"}, `{"a":"<","b":{"x":2,"y":1}}`, "raw JSON inside is brought to the same form"},
		{"map", map[string]any{"b": 1, "a": []int{}}, `{"a":[],"b":1}`, "maps have no order"},
		{"nil", nil, `null`, "JSON has a word for it"},
		{"string", "a\xff", "\"a\uFFFD\"", "strings are UTF-8"},
		{"state", sim.RawState(`{"b":1,"a":2}`), `{"a":2,"b":1}`, "a state writes itself"},
		{"empty state", sim.RawState(nil), `null`, "a state that is nothing is null"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := sim.Canonical(test.v)
			if err != nil || string(got) != test.want {
				t.Errorf("%s\n got %s, error %v\nwant %s", test.reason, got, err, test.want)
			}
			if must := sim.MustCanonical(test.v); string(must) != string(got) {
				t.Errorf("MustCanonical gives %s", must)
			}
		})
	}
	for name, v := range map[string]any{"channel": make(chan int), "NaN": math.NaN(), "raw": json.RawMessage(`{`), "raw inside": inner{B: json.RawMessage(`{"x":1,"x":2}`)}} {
		if got, err := sim.Canonical(v); err == nil {
			t.Errorf("%s became %s", name, got)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("MustCanonical of %s did not panic", name)
				}
			}()
			sim.MustCanonical(v)
		}()
	}
}

func TestParseJSONRefuses(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := []struct{ name, raw, want, reason string }{
		{"nothing", ``, "unexpected EOF", "a value is needed"},
		{"white space", " \n", "unexpected EOF", "a value is needed"},
		{"cut object", `{"a":1`, "unexpected EOF", "the value is not complete"},
		{"cut after the colon", `{"a":`, "unexpected EOF", "the value is not complete"},
		{"cut list", `[1,`, "unexpected EOF", "the value is not complete"},
		{"cut string", `"a`, "unexpected EOF", "the value is not complete"},
		{"cut word", `tru`, "unexpected EOF", "the value is not complete"},
		{"two values", `{} {}`, "offset 4: text after the JSON value", "one value"},
		{"closing bracket", `{}}`, "offset 2: text after the JSON value", "one value"},
		{"word after", `1 x`, "offset 2: text after the JSON value", "one value"},
		{"comma at the end of a list", `[1,]`, "invalid character ']'", "no JSON"},
		{"comma at the end of an object", `{"a":1,}`, "invalid character '}'", "no JSON"},
		{"no comma", `[1 2]`, "invalid character '2'", "no JSON"},
		{"no colon", `{"a" 1}`, "invalid character '1'", "no JSON"},
		{"no key", `{:1}`, "invalid character ':'", "no JSON"},
		{"number as a key", `{1:1}`, "invalid character '1'", "no JSON"},
		{"object as a key", `{{}:1}`, "invalid character '{'", "no JSON"},
		{"wrong bracket", `{"a":[1}`, "invalid character '}'", "no JSON"},
		{"comment", "// x\n1", "invalid character '/'", "no JSON"},
		{"leading zero", `01`, "text after the JSON value", "no JSON"},
		{"NaN", `NaN`, "invalid character 'N'", "no JSON"},
		{"control character", "\"\n\"", "invalid character '\\n'", "no JSON"},
		{"bad escape", `"\x41"`, "invalid character 'x'", "no JSON"},
		{"byte order mark", "\ufeff1", "invalid character", "no JSON"},
		{"duplicate key", `{"a":1,"a":1}`, `offset 10: duplicate key "a"`, "a reader would choose in silence"},
		{"duplicate key far down", `[{"x":{"a":1,"b":2,"a":3}}]`, `duplicate key "a"`, "at every depth"},
		{"duplicate key in escapes", `{"a":1,"\u0061":1}`, `duplicate key "a"`, "keys are compared as they are read"},
		{"too deep", nested(sim.MaxDepth + 2), "nested deeper than 200", "recursion is bounded"},
		{"far too deep", strings.Repeat(`{"a":`, 100_000), "nested deeper than 200", "recursion is bounded"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, err := sim.ParseJSON([]byte(test.raw))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s\n got %v, error %v\nwant an error with %q", test.reason, v, err, test.want)
			}
			if errors.Is(err, sim.ErrDuplicateKey) != strings.Contains(test.name, "duplicate") {
				t.Errorf("errors.Is(%v, ErrDuplicateKey) is wrong", err)
			}
		})
	}
	if _, err := sim.ParseJSON([]byte(nested(sim.MaxDepth))); err != nil {
		t.Errorf("%d levels: %v", sim.MaxDepth, err)
	}
}

func TestSameKeyInDifferentObjectsIsNoDuplicate(t *testing.T) {
	if _, err := sim.ParseJSON([]byte(`{"a":{"a":[{"a":1},{"a":2}]},"A":0}`)); err != nil {
		t.Error(err)
	}
}

// decode is what encoding/json makes of raw, with numbers as they are spelled.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{
		`{"b":[1,2.50,-0,1e9],"a":{"é":"\u2028<>&","":null}}`, `"\ud800\ufffd\u0008\f"`, "\"\xff\x7f\"", `{"a":1,"a":2}`, `[[[[]]]]`, `tru`, `1 2`, `{"\u0000":true}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		canonical, err := sim.Canonical(json.RawMessage(raw))
		if err != nil {
			if json.Valid(raw) && !errors.Is(err, sim.ErrDuplicateKey) && !strings.Contains(err.Error(), "nested deeper") {
				t.Errorf("%q is JSON: %v", raw, err)
			}
			return
		}
		if !json.Valid(raw) || !json.Valid(canonical) || !utf8.Valid(canonical) {
			t.Fatalf("%q became %q", raw, canonical)
		}
		again, err := sim.Canonical(canonical)
		if err != nil || !bytes.Equal(again, canonical) {
			t.Errorf("%q is not stable: %q, error %v", canonical, again, err)
		}
		want, err := decode(raw)
		if err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		got, err := decode(canonical)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q says %v, its canonical form %q says %v, error %v", raw, want, canonical, got, err)
		}
		if parsed, err := sim.ParseJSON(raw); err != nil || !reflect.DeepEqual(parsed, want) {
			t.Errorf("ParseJSON of %q gives %v, error %v; encoding/json gives %v", raw, parsed, err, want)
		}
	})
}

func BenchmarkCanonical(b *testing.B) {
	raw := json.RawMessage(`{"b":[1,2.50,{"y":"text","x":null}],"a":{"d":true,"c":"é"}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sim.Canonical(raw); err != nil {
			b.Fatal(err)
		}
	}
}
