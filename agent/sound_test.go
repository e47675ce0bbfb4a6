package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"benchwright/sim"
)

// deep counts how deep JSON nests.
func deep(raw []byte) int {
	deepest, d, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			d++
			deepest = max(deepest, d)
		case c == '}' || c == ']':
			d--
		}
	}
	return deepest
}

// What is sound is what sim.ParseJSON reads, in UTF-8 and within the depth.
func FuzzSound(f *testing.F) {
	keys := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"`+format+`":%d`, n-i, i)
		}
		return "{" + b.String()[1:] + "}"
	}
	for _, seed := range []string{
		``, ` `, `null`, ` true `, `false`, `nul`, `truex`, `0`, `-0`, `01`, `-`, `1.`, `.5`, `1e`, `1e+`, `1E-9`, `1.5e9`, `1 2`, `+1`, `NaN`,
		`""`, `"`, `"\`, `"\u00`, `"\u00g0"`, `"\ud800"`, `"\"\\\/\b\f\n\r\t\u0041"`, `"\x"`, "\"\x1f\"", "\"\x7f\"", "\"\xff\"", "\xef\xbb\xbf1",
		`[]`, `[ ]`, `[1,]`, `[,1]`, `[1 2]`, `[1`, `[`, `]`, `[[[]]]`, `[[[[]]]]`, `[{"a":[{}]}]`, `{"a":{"b":[[1]]}}`,
		`{}`, `{ }`, `{"a":1,}`, `{"a"}`, `{"a":}`, `{a:1}`, `{"a":1 "b":2}`, `{"a" : 1 , "b" : 2 }`, `{"b":1,"a":2}`, `{1:2}`, `{"a":1`, `{,}`,
		`{"a":1,"a":2}`, `{"b":1,"a":2,"b":3}`, `{"a":1,"b":2,"a":3}`, `{"a":{"a":1},"b":{"a":2}}`, `{"a":1,"\u0061":2}`, `{"a\"":1,"a\"":2}`, `{"":1,"":2}`, "{\"é\":1,\"é\":2}",
		keys(70, "%d"), keys(70, "k%03d"), strings.Replace(keys(70, "%d"), `"70":`, `"1":`, 1), `{"a":1` + keys(70, "%d")[1:],
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		_, err := sim.ParseJSON(raw)
		for _, depth := range []int{0, 1, 3, sim.MaxAgentDepth, sim.MaxWorldDepth} {
			want := err == nil && utf8.Valid(raw) && deep(raw) <= depth
			if got := sound(raw, depth); got != want {
				t.Errorf("%q within %d: sound is %v, want %v (%v)", raw, depth, got, want, err)
			}
		}
	})
}

func TestSoundToTheVeryDepth(t *testing.T) {
	for _, n := range []int{1, sim.MaxAgentDepth, sim.MaxWorldDepth, 100_000} {
		for _, raw := range []string{strings.Repeat("[", n) + strings.Repeat("]", n), strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)} {
			if !sound([]byte(raw), n) && n < 1000 {
				t.Errorf("%d levels within %d are not sound", n, n)
			}
			if sound([]byte(raw), min(n-1, sim.MaxWorldDepth)) {
				t.Errorf("%d levels are sound within fewer", n)
			}
		}
	}
	if sound([]byte(strings.Repeat("[", 1<<20)), sim.MaxWorldDepth) {
		t.Error("brackets without end are sound")
	}
}

func BenchmarkSound(b *testing.B) {
	row := `{"id":"w_%d","name":"Policy Breaches","period":"1Y","pos":{"h":14,"w":20,"x":0,"y":0},"source":"Compliance Surveillance Hub","status":"Closed"}`
	var rows []string
	for i := range 400 {
		rows = append(rows, fmt.Sprintf(row, i))
	}
	raw := []byte("[" + strings.Join(rows, ",") + "]")
	for _, c := range []struct {
		name string
		f    func([]byte) bool
	}{
		{"sound", func(raw []byte) bool { return sound(raw, sim.MaxWorldDepth) }},
		{"json.Valid", json.Valid},
		{"sim.ParseJSON", func(raw []byte) bool { _, err := sim.ParseJSON(raw); return err == nil }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if !c.f(raw) {
					b.Fatal("not sound")
				}
			}
		})
	}
}
