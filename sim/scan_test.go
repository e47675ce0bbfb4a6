package sim

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// texts are JSON and nearly JSON, for those who read it in two ways.
var texts = []string{
	``, ` `, `null`, ` true `, `falsee`, `nul`, `0`, `-0`, `01`, `-`, `1.`, `1.5e`, `1e+5`, `1E-05`, `.5`, `+1`, `0x1`, `1_0`, `NaN`,
	`""`, `"a`, `"\`, `"\"`, `"\x"`, `"\u12"`, `"\u12g4"`, `"\u0041"`, `"\u001f"`, `"\u001F"`, `"\u000a"`, `"\n\r\t\b\f\"\\"`, `"\/"`,
	"\"\x7f\"", "\"\x1f\"", "\"a\xffb\"", "\"\xed\xa0\x80\"", "\"é😀\u2028\"", `"\ud83d\ude00"`, `"\ud800"`, "\"\x00\"", "\x00",
	`[]`, `[ ]`, `[1,2]`, `[1 ,2]`, `[1,]`, `[,1]`, `[1 2]`, `[`, `[1`, `]`, `[[],{}]`, `[1][2]`, `1 2`,
	`{}`, `{ }`, `{"a":1}`, `{"a" :1}`, `{"a":1,}`, `{"a"}`, `{"a":}`, `{a:1}`, `{"a":1 "b":2}`, `{"a":1,"b":2}`, `{"b":1,"a":2}`, `{"a":1,"a":2}`,
	`{"":1,"a":2}`, `{"a":1,"aa":2}`, `{"aa":1,"a":2}`, `{"a\n":1,"b":2}`, `{"a":1,"\u0061":2}`, `{"a\"":1,"a":2}`, `{"a":1,"a\"":2}`, `{"z":1,"é":2}`,
	`{"a":{"b":{"c":[{"x":1,"y":[null,true,false,"s",1.50]}]}}}`, `{"a":[{"k":1,"k":1}]}`, `{"a":1}x`, `{"a":1} `,
	strings.Repeat("[", 200) + strings.Repeat("]", 200), strings.Repeat("[", 201) + strings.Repeat("]", 201), strings.Repeat("[", 202) + strings.Repeat("]", 202),
	strings.Repeat(`{"a":`, 200) + `1` + strings.Repeat("}", 200), strings.Repeat(`{"a":`, 201) + `1` + strings.Repeat("}", 201),
}

// readTwice compares the quick readers with the slow ones.
func readTwice(t *testing.T, raw []byte) {
	v, err := ParseJSON(raw)
	slow, slowErr := parseSlowly(raw)
	if (err == nil) != (slowErr == nil) || !reflect.DeepEqual(v, slow) {
		t.Fatalf("%q is %#v, %v; token by token it is %#v, %v", raw, v, err, slow, slowErr)
	}
	end, canonical := ScanJSON(raw, 0)
	if again, same := ScanJSON(string(raw), 0); again != end || same != canonical {
		t.Fatalf("%q ends at %d, %t as bytes and at %d, %t as a string", raw, end, canonical, again, same)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	var first json.RawMessage
	switch decoded := d.Decode(&first) == nil; {
	case end < 0 && decoded && len(raw) > 0 && bytes.IndexByte([]byte(" \n\r\t"), raw[0]) < 0:
		if bytes.Count(raw, []byte("[")) <= MaxDepth && bytes.Count(raw, []byte("{")) <= MaxDepth {
			t.Fatalf("%q holds the value %q, which was not seen", raw, first)
		}
	case end >= 0 && json.Valid(raw[:end]) == false:
		t.Fatalf("%q ends at %d, and what stands before is no JSON", raw, end)
	case end >= 0 && decoded && string(first) != string(raw[:end]):
		t.Fatalf("%q holds the value %q, not %q", raw, first, raw[:end])
	}
	if slowErr != nil {
		if IsCanonical(raw) {
			t.Fatalf("%q is no JSON and is said to be canonical", raw)
		}
		return
	}
	want := string(appendCanonical(nil, slow))
	if IsCanonical(raw) && want != string(raw) {
		t.Fatalf("%q is said to be canonical, which is %q", raw, want)
	}
	if !IsCanonical(want) && !strings.Contains(want, `\`) && depthOf(slow) < MaxDepth {
		t.Fatalf("%q is not said to be canonical", want)
	}
	if got, err := Canonical(json.RawMessage(raw)); err != nil || string(got) != want {
		t.Fatalf("%q has the canonical form %q, %v; want %q", raw, got, err, want)
	}
}

func depthOf(v any) int {
	deepest := 0
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			deepest = max(deepest, depthOf(e))
		}
	case []any:
		for _, e := range v {
			deepest = max(deepest, depthOf(e))
		}
	default:
		return 0
	}
	return deepest + 1
}

func TestReadersAgree(t *testing.T) {
	for _, raw := range texts {
		readTwice(t, []byte(raw))
	}
}

func FuzzReadersAgree(f *testing.F) {
	for _, raw := range texts {
		f.Add([]byte(raw))
	}
	f.Fuzz(readTwice)
}

func TestCanonicalCopies(t *testing.T) {
	raw := json.RawMessage(`{"a":1}`)
	c, err := Canonical(raw)
	if err != nil {
		t.Fatal(err)
	}
	c[1] = 'x'
	if string(raw) != `{"a":1}` {
		t.Error("what is canonical already is given back itself, and not a copy")
	}
}

func BenchmarkCanonicalForms(b *testing.B) {
	raw := json.RawMessage(`{"columns":[{"field":"a","header":"A"},{"field":"b","header":"B"}],"rows":[{"a":1,"b":"x"},{"a":2.50,"b":"y"},{"a":null,"b":"é"}]}`)
	for name, text := range map[string]json.RawMessage{"already": raw, "unsorted": append(json.RawMessage(`{"z":1,"y":`), append(raw, '}')...)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := Canonical(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
