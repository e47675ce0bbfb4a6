package gates

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func words(text string) string {
	var out []string
	eachToken(text, 0, func(t string) {
		if t == "" {
			t = "|"
		}
		if t != "|" || len(out) > 0 && out[len(out)-1] != "|" {
			out = append(out, t)
		}
	})
	return strings.Trim(strings.Join(out, " "), " |")
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, want, reason string }{
		{"", "", "nothing"},
		{"buy 5 units, then sell.", "buy 5 units then sell", "punctuation parts"},
		{"pf-H-A-2026-08-31", "pf-H-A-2026-08-31", "an identifier is one token"},
		{"scenario-A (see notes.md)", "scenario-A see notes.md", "hyphens and dots join"},
		{"end.", "end", "a full stop does not"},
		{"a -b- c", "a b c", "hyphens at an edge do not"},
		{"from 5 to -5 and 3-5", "from 5 to -5 and 3-5", "a minus belongs to its number"},
		{"at 23:59 on 08/31, case:x and/or", "at 23:59 on 08/31 case x and or", "colon and slash join digits alone"},
		{"₹25 6% #7 $8", "25 6 7 8", "signs are not words"},
		{"₹24,00,000 or 2,400,000.50 or 10,20", "24,00,000 or 2,400,000.50 or 10 20", "grouped numbers"},
		{"1,234,56", "1 234 56", "not a grouping"},
		{"1,23,45,678", "1,23,45,678", "crores"},
		{"12,345,67,890", "12 345 67 890", "mixed groupings are none"},
		{"निवेश करें २५", "निवेश करें २५", "marks belong to their letters"},
		{"क्\u200dष", "क्\u200dष", "joiners too"},
		{"future_value=7", "future_value 7", "snake case is one token"},
		{"Gupta's “goal”", "Gupta s goal", "apostrophes part"},
		{`say {"a-b":[10,200,{"c":"x y"}]} now`, "say | a-b | 10 | 200 | c | x y | now", "JSON within text"},
		{`[1, 2 , 3]`, "1 | 2 | 3", "with spaces"},
		{`[1,2`, "1 2", "broken JSON is text"},
		{`{"t":"{\"k\":\"v\\nw\"}"}`, "t | k | v w", "JSON within a string of JSON"},
		{`he wrote "a\nb"`, "he wrote | a b", "escapes are undone"},
		{`he wrote "a b"`, "he wrote a b", "no escapes, no edge"},
		{"say \xff\xfe ok", "say ok", "bytes that are no text"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			if got := words(c.text); got != c.want {
				t.Errorf("tokens of %q\n got %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

func TestNumbersCompareByValue(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		equal  bool
		reason string
	}{
		{"2400000", "2400000.00", true, "fraction of zeros"},
		{"2400000", "2,400,000", true, "thousands"},
		{"2400000", "24,00,000", true, "lakhs"},
		{"2400000", "2.4e6", true, "exponent"},
		{"0.5", "0.50", true, "trailing zero"},
		{"-0", "0", true, "no negative zero"},
		{"-5", "\u22125", true, "typographic minus"},
		{"0.05", "5e-2", true, "negative exponent"},
		{"5", "-5", false, "sign"},
		{"5", "5.1", false, "fraction"},
		{"8", "08", false, "a leading zero makes a code"},
		{"5", "2025", false, "not a substring"},
		{"2026", "2026-08-31", false, "part of a date"},
		{"v", "V", false, "case counts"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			a, b := tokenise(nil, c.a), tokenise(nil, c.b)
			if slices.Equal(a, b) != c.equal {
				t.Errorf("%q and %q: equal is %t, want %t", c.a, c.b, !c.equal, c.equal)
			}
		})
	}
}

func TestPhrasesAreSequences(t *testing.T) {
	text := tokenise(nil, `Open the "Breach Review" board; {"note":"evidence gaps","by":"Review board"}`)
	for value, want := range map[string]bool{
		"Breach Review": true, "Review Breach": false, "Review board": true, "evidence gaps": true,
		"gaps by": false, "board note": false, "": true, "Breach": true, "breach": false,
	} {
		for _, p := range append(phrases(value), nil) {
			if len(p) > 0 && holds(text, p) != want {
				t.Errorf("%q: found is %t, want %t", value, !want, want)
			}
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"pf-H-A-2026-08-31 ₹24,00,000.", `{"a":["x\n",1e5,{"b":null}]}`, "२५ % \xff", `"\u12"`, "[[[[", "-1,000"} {
		f.Add(s, "scenario-A")
	}
	f.Fuzz(func(t *testing.T, text, word string) {
		all := tokenise(nil, text)
		eachToken(text, 0, func(tok string) {
			if tok != "" && len(tokenise(nil, tok)) == 0 && utf8.ValidString(tok) {
				t.Fatalf("token %q of %q has no token itself", tok, text)
			}
		})
		// What a text holds it still holds as a leaf of JSON, which is how results bring it.
		raw, err := json.Marshal(map[string]string{"text": text})
		if err != nil || !utf8.ValidString(text) {
			return
		}
		within := tokenise(nil, string(raw))
		for _, p := range phrases(text) {
			if !holds(all, p) || !holds(within, p) {
				t.Fatalf("%q: a phrase is lost within %s", text, raw)
			}
		}
		// A word beside another text is found, whatever stands around it.
		for _, p := range phrases(word) {
			if utf8.ValidString(word) && !holds(tokenise(nil, "\n"+word+"\n"), p) {
				t.Fatalf("%q is not found between lines", word)
			}
		}
	})
}

func FuzzDocument(f *testing.F) {
	f.Add(`{"a":[1,2,{"b":"x"}],"c":null,"d":true}`)
	f.Add(`[[],{},"",0]`)
	f.Fuzz(func(t *testing.T, text string) {
		d, ok := parseDocument([]byte(text))
		if !ok || !json.Valid(d.bytes) { // states and answers are valid; the index does not check what it need not know
			return
		}
		check := func(what string, n int, raw json.RawMessage) {
			if !json.Valid(raw) {
				t.Fatalf("%s node %d of %s: not JSON: %s", what, n, d.bytes, raw)
			}
		}
		for i, n := range d.nodes {
			if !json.Valid(d.raw(i)) {
				t.Fatalf("node %d of %s is %s", i, d.bytes, d.raw(i))
			}
			check("replace", i, d.replace(i, `"q"`))
			if n.parent >= 0 {
				check("drop", i, d.drop(i))
				if d.nodes[n.parent].kind == '[' {
					check("double", i, d.double(i))
				}
			}
			switch n.kind {
			case '{':
				check("add", i, d.add(i, "zz", "1"))
			case '[':
				check("push", i, d.push(i, "1"))
				if c := d.children(i); len(c) > 1 {
					check("swap", i, d.swap(c[0], c[1]))
				}
			}
		}
	})
}

func TestAddKeepsKeysSorted(t *testing.T) {
	d, _ := indexDocument([]byte(`{"b":1,"d":{"e":[]}}`))
	for key, want := range map[string]string{
		"a": `{"a":0,"b":1,"d":{"e":[]}}`, "c": `{"b":1,"c":0,"d":{"e":[]}}`, "z": `{"b":1,"d":{"e":[]},"z":0}`,
	} {
		if got := string(d.add(0, key, "0")); got != want {
			t.Errorf("add %s: %s", key, got)
		}
	}
	if got := d.path(len(d.nodes) - 1); got != "d.e" {
		t.Errorf("path: %s", got)
	}
	if got := fmt.Sprint(d.children(0)); got != "[1 2]" {
		t.Errorf("children: %s", got)
	}
}
