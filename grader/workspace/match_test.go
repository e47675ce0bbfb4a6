package workspace

import (
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"benchwright/sim"
)

// value reads JSON of a test.
func value(s string) any {
	v, err := sim.ParseJSON([]byte(s))
	if err != nil {
		panic(s + ": " + err.Error())
	}
	return v
}

func TestLeafEquality(t *testing.T) {
	for _, tt := range []struct {
		want, got string
		equal     bool
		reason    string
	}{
		{`"Open"`, `"Open"`, true, "equal values match"},
		{`"Open"`, `"open"`, false, "case counts"},
		{`null`, `null`, true, "equal values match"},
		{`null`, `""`, false, "null is not the empty text"},
		{`null`, `0`, false, "nor zero"},
		{`null`, `false`, false, "nor false"},
		{`["a"]`, `"a"`, true, "a list of one equals its element"},
		{`"a"`, `["a"]`, true, "both ways"},
		{`[["a"]]`, `"a"`, true, "recursively"},
		{`["a"]`, `[["a"]]`, true, "inside lists too"},
		{`[{"a":1}]`, `{"a":1}`, true, "whatever the element is"},
		{`[]`, `null`, false, "an empty list has no element"},
		{`["a","b"]`, `"a"`, false, "two are not one"},
		{`["a","b"]`, `["b","a"]`, false, "lists have an order"},
		{`["a","b"]`, `["a"]`, false, "and a length"},
		{`[["a","b"]]`, `["a","b"]`, false, "only one that is no list is unwrapped"},
		{`2024`, `2024`, true, "equal values match"},
		{`2024`, `2024.0`, true, "by value"},
		{`20.24e2`, `2024`, true, "however it is spelled"},
		{`2024`, `"2024"`, true, "a number equals a text that spells it"},
		{`"2024"`, `2024`, true, "both ways"},
		{`"2024.0"`, `2024`, true, "by value"},
		{`" 2024 "`, `2024`, true, "blanks around it are not part of it"},
		{`"2024"`, `"2024.0"`, false, "two texts are compared as texts"},
		{`"2,024"`, `2024`, false, "grouping is not part of a number"},
		{`"0x10"`, `16`, false, "only decimals"},
		{`""`, `0`, false, "nothing is no number"},
		{`"NaN"`, `0`, false, "no number at all"},
		{`0`, `-0.0`, true, "there is one zero"},
		{`1`, `true`, false, "booleans are strict"},
		{`true`, `1`, false, "booleans are strict"},
		{`true`, `"true"`, false, "booleans are strict"},
		{`true`, `true`, true, "equal values match"},
		{`[true]`, `true`, true, "a list of one equals its element"},
		{`"a"`, `1`, false, "text that is no number never is one"},
		{`9007199254740993`, `9007199254740992`, false, "a float would call it equal"},
		{`1e999999999`, `1e999999999`, true, "no size of an exponent costs anything"},
		{`1e999999999`, `1`, false, "no size of an exponent costs anything"},
		{`{"a":1}`, `{"a":"1"}`, true, "objects by their leaves"},
		{`{"a":1}`, `{"a":1,"b":2}`, false, "exactly these keys, as a leaf"},
		{`{"a":null}`, `{}`, false, "exactly these keys, as a leaf"},
		{`{}`, `[]`, false, "another shape"},
	} {
		if got := equal(value(tt.want), value(tt.got)); got != tt.equal {
			t.Errorf("equal(%s, %s) is %t: %s", tt.want, tt.got, got, tt.reason)
		}
	}
}

func TestSubset(t *testing.T) {
	for _, tt := range []struct {
		want, got string
		match     bool
		reason    string
	}{
		{`{}`, `{"a":1}`, true, "more keys are fine"},
		{`{"a":1}`, `{"a":1,"b":2}`, true, "more keys are fine"},
		{`{"a":1}`, `{"b":2}`, false, "every key must match"},
		{`{"a":null}`, `{}`, true, "a missing key is null"},
		{`{"a":1}`, `{"a":["1"]}`, true, "leaves by leaf equality"},
		{`{"a":{"b":1}}`, `{"a":{"b":1,"c":2}}`, true, "objects as subsets, at every depth"},
		{`{"a":{"b":1}}`, `{"a":[{"b":1,"c":2}]}`, true, "a list of one equals its element"},
		{`{"a":{}}`, `{}`, false, "an object is not null"},
		{`{"a":{"b":1}}`, `{"a":7}`, false, "another shape"},
		{`{"a":[1,2]}`, `{"a":[1,2,3]}`, false, "lists compare whole"},
		{`{"a":[{"b":1}]}`, `{"a":[{"b":1,"c":2}]}`, false, "also what is in them"},
		{`{"a":1}`, `[]`, false, "another shape"},
		{`{"a":1}`, `null`, false, "another shape"},
	} {
		if got := subset(value(tt.want), value(tt.got)); got != tt.match {
			t.Errorf("subset(%s, %s) is %t: %s", tt.want, tt.got, got, tt.reason)
		}
	}
}

func TestDefinitionSubset(t *testing.T) {
	for _, tt := range []struct {
		want, got string
		match     bool
		reason    string
	}{
		{`{"field":"a"}`, `{"field":"a","headerName":"A"}`, true, "more keys are fine"},
		{`{"field":"a"}`, `{"field":"A"}`, false, "exact"},
		{`{"width":100}`, `{"width":"100"}`, false, "no conversion"},
		{`{"width":100}`, `{"width":100.0}`, true, "a number is a number"},
		{`{"width":100}`, `{"width":[100]}`, false, "no unwrapping"},
		{`{"a":{"b":1}}`, `{"a":{"b":1,"c":2}}`, false, "flat: values are whole"},
		{`{"a":true}`, `{"a":true}`, true, "exact"},
		{`{"a":null}`, `{}`, true, "a missing key is null"},
		{`{"renderFn":"greenRed"}`, `{"renderFn":["titleCase","greenRed"]}`, true, "the names are among those"},
		{`{"renderFn":["greenRed","titleCase"]}`, `{"renderFn":"titleCase, greenRed"}`, true, "a list or commas"},
		{`{"renderFn":["greenRed","hoverCard"]}`, `{"renderFn":"greenRed"}`, false, "all of them"},
		{`{"renderFn":"greenRed"}`, `{}`, false, "all of them"},
		{`{"field":"a"}`, `"a"`, false, "another shape"},
	} {
		want := value(tt.want).(map[string]any)
		if got := flat(want, value(tt.got)); got != tt.match {
			t.Errorf("flat(%s, %s) is %t: %s", tt.want, tt.got, got, tt.reason)
		}
	}
}

func TestPhraseMatch(t *testing.T) {
	for _, tt := range []struct {
		want, got string
		match     bool
		reason    string
	}{
		{"breach review", "Breach Review", true, "case does not count"},
		{"Review", "Breach Review Board", true, "a part is enough"},
		{"view", "Breach Review", true, "also of a word"},
		{"Review of the Breach", "Review: Q3 Breach", true, "small words do not count, gaps are allowed"},
		{"Breach Review", "Review of the Breach", false, "the order counts"},
		{"Breach Review", "Breach", false, "every word"},
		{"", "anything", true, "nothing is part of everything"},
		{"the of", "a", false, "small words alone are no phrase"},
		{"the", "the desk", true, "but they may be part of the name"},
		{"close-day room", "Room: close day", false, "the order counts"},
		{"close-day room", "Close / day / room", true, "marks separate words"},
		{"überblick", "Der ÜBERBLICK", true, "in any language"},
	} {
		if got := phrase(tt.want, tt.got); got != tt.match {
			t.Errorf("phrase(%q, %q) is %t: %s", tt.want, tt.got, got, tt.reason)
		}
	}
}

func TestContains(t *testing.T) {
	for _, tt := range []struct {
		fragment, text    string
		strict, published bool
		reason            string
	}{
		{"evidence gaps", "Open: Evidence Gaps remain", true, true, "case does not count"},
		{"form", "the form is here", true, true, "a word"},
		{"form", "the platform", false, true, "a short word is not part of another"},
		{"form", "forms", false, true, "not even of its plural"},
		{"form", "form_tooling", true, true, "an underscore ends a word"},
		{"QTD", "period (QTD)", true, true, "a word"},
		{"1D", "21D", false, true, "a short word is not part of another"},
		{"settlement", "resettlements", true, true, "a long one is not found by chance"},
		{"10-K", "the 10-K of AAPL", true, true, "as it is"},
		{"10-K", "the 110-K", false, true, "a number at its end is whole"},
		{"$1,250", "paid $1,250.50", false, true, "a number at its end is whole"},
		{"$1,250", "paid $1,250.", true, true, "a full stop is no decimals"},
		{"price_performance", "The Price Performance chart", true, true, "underscores are spaces"},
		{"macro_timeseries", "the Macro Time Series", true, true, "an alias"},
		{"holdings_table", "Holdings", true, true, "an alias"},
		{"holdings_table", "the holding", false, false, "no alias"},
		{"report on the outlook", "report on outlook", true, true, "small words do not count"},
		{"revenue growth", "growth of revenue", false, false, "the order counts"},
		{"revenue growth", "revenue and growth", true, true, "small words do not count"},
		{"the", "nothing", false, false, "small words alone are not found by their absence"},
		{"0.86", "0.86", true, true, "a number"},
		{"0.86", "86%", true, true, "per cent"},
		{"0.86", "0.860", true, true, "of the same value"},
		{"0.86", "0.861", false, true, "not the beginning of another"},
		{"0.86", "0.87", false, false, "another"},
		{"1250000", "1,250,000", true, true, "grouping does not count"},
		{"1250000.0", "1,250,000", true, true, "of the same value"},
		{"5", "2025", false, true, "not a digit of another"},
		{"2025", "2025Q4", true, true, "a number ends at a letter"},
		{"-5", "loss of -5", true, true, "with its sign"},
		{"-5", "2021-5", false, true, "a hyphen is no sign"},
		{"5", "a -5 b", false, true, "the sign counts"},
		{"0.1234567891", "0.1234567899", true, true, "within 1e-9"},
		{"0.123456789", "0.1234567911", false, false, "beyond 1e-9"},
		{"1234567.5", "1234567.5000000000001", true, true, "within 1e-9"},
		{"1e3", "1000", false, false, "no plain decimal"},
		{"5.0", "x-5", true, true, "a hyphen is no sign"},
		{"", "anything", false, false, "nothing is said nowhere"},
	} {
		for reading, want := range map[Reading]bool{Strict: tt.strict, Published: tt.published} {
			if got := newBlob(reading, tt.text).contains(tt.fragment); got != want {
				t.Errorf("%q contains %q, read %q: %t: %s", tt.text, tt.fragment, reading, got, tt.reason)
			}
		}
	}
}

func TestAnswered(t *testing.T) {
	for _, tt := range []struct {
		value, answer     string
		strict, published bool
		reason            string
	}{
		{"Flagship", "the FLAGSHIP fund", true, true, "case does not count"},
		{"1234567.5", "it is 1,234,567.5 dollars", true, true, "grouping does not count"},
		{"1,234", "1,234", true, true, "as it is"},
		{"1,234", "1234", true, false, "read strictly, numbers are found by their value"},
		{"12.5", "12.50", true, true, "of the same value"},
		{"12.5", "12.51", false, true, "not the beginning of another"},
		{"12.5", "12.4999", false, false, "nothing is rounded"},
		{"0.1234567891", "0.1234567899", false, false, "to the last digit"},
		{"12.5", "12.5%", false, true, "a scale is part of a number"},
		{"0.125", "12.5%", true, false, "a scale that is said is part of the number"},
		{"Flagship fund", "the fund Flagship", false, false, "to the letter"},
		{"Flagship", "It is not Flagship", false, true, "what is denied is not said"},
		{"AAPL", "AAPLX", false, true, "a short word is whole"},
		{"42", "1,042", false, true, "not a part of another"},
		{"", "x", false, false, "nothing is no value"},
		{"x", "", false, false, "no answer says nothing"},
	} {
		for reading, want := range map[Reading]bool{Strict: tt.strict, Published: tt.published} {
			if got := answered(reading, tt.value, tt.answer); got != want {
				t.Errorf("%q in answer %q, read %q: %t: %s", tt.value, tt.answer, reading, got, tt.reason)
			}
		}
	}
}

func TestUngroup(t *testing.T) {
	for in, want := range map[string]string{
		"1,234,567": "1234567", "1,23": "1,23", "1,2345": "1,2345", "a,123": "a,123", "1, 234": "1, 234", ",123": ",123", "12,345.6": "12345.6", "1,234,5": "1234,5",
	} {
		if got := ungroup(in); got != want {
			t.Errorf("ungroup(%q) is %q, want %q", in, got, want)
		}
	}
}

func TestAssignIsMaximumAndNotGreedy(t *testing.T) {
	for _, tt := range []struct {
		name   string
		fits   [][]int // for each wanted, what fits
		there  int
		want   []int
		reason string
	}{
		{"plain", [][]int{{0}, {1}}, 2, []int{0, 1}, "each its own"},
		{"greedy would fail", [][]int{{0, 1}, {0}}, 2, []int{1, 0}, "the first makes room for the second"},
		{"chain", [][]int{{0, 1}, {1, 2}, {0}, {1}}, 3, []int{1, 2, 0, -1}, "as many as can be, earlier ones first"},
		{"too few", [][]int{{0}, {0}}, 1, []int{0, -1}, "one is enough for one"},
		{"nothing fits", [][]int{{}, {}}, 2, []int{-1, -1}, "nothing fits"},
		{"nothing there", [][]int{{}}, 0, []int{-1}, "nothing is there"},
	} {
		got := assign(len(tt.fits), tt.there, func(w, g int) bool {
			for _, i := range tt.fits[w] {
				if i == g {
					return true
				}
			}
			return false
		})
		for i := range tt.want {
			if got[i] != tt.want[i] {
				t.Errorf("%s: %v, want %v: %s", tt.name, got, tt.want, tt.reason)
				break
			}
		}
	}
}

func FuzzValues(f *testing.F) {
	for _, s := range [][2]string{{`{"a":[1,"2"],"b":{"c":null}}`, `{"a":["1",2],"b":{"c":null},"d":true}`}, {`[[1]]`, `"1.0"`}, {`1e99999999999`, `"1e400"`}, {`"-"`, `-0`}} {
		f.Add([]byte(s[0]), []byte(s[1]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, err := sim.ParseJSON(a)
		if err != nil {
			return
		}
		y, err := sim.ParseJSON(b)
		if err != nil {
			return
		}
		for _, v := range []any{x, y} {
			if !subset(v, v) || !exact(v, v) || !equal(v, v) {
				t.Errorf("%v does not equal itself", v)
			}
		}
		if equal(x, y) != equal(y, x) {
			t.Errorf("%s and %s are equal one way only", a, b)
		}
		if exact(x, y) && !equal(x, y) {
			t.Errorf("%s and %s are exactly equal and not equal", a, b)
		}
		if equal(x, y) != (len(differences(x, y)) == 0) && !isObject(x) {
			t.Errorf("%s and %s: differences %q", a, b, differences(x, y))
		}
		if m, ok := x.(map[string]any); ok {
			if flat(m, y) && !subset(m, y) && m["renderFn"] == nil {
				t.Errorf("%s is a definition subset of %s and no subset", a, b)
			}
			if subset(x, y) {
				for k := range m {
					delete(m, k)
					break
				}
				if !subset(x, y) {
					t.Errorf("less of %s is no longer a subset of %s", a, b)
				}
			}
		}
		_ = show(x)
	})
}

func isObject(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return true
	case []any:
		return len(v) == 1 && isObject(v[0])
	}
	return false
}

func FuzzText(f *testing.F) {
	for _, s := range [][2]string{{"form", "platform form"}, {"0.86", "86%"}, {"1,234", "1,234,567"}, {"price_performance", "Price Performance"}, {"İ", "i̇"}, {"-5", "--5"}, {"\xff", "a\xff"}, {"Ϲ", "0"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, fragment, text string) {
		strict, published := newBlob(Strict, text).contains(fragment), newBlob(Published, text).contains(fragment)
		words := !strings.ContainsAny(fragment, "0123456789") // numbers are also found by a scale that is said
		if strict && !published && words && utf8.ValidString(text) {
			t.Errorf("%q is in %q when read strictly and not as published", fragment, text)
		}
		if words && utf8.ValidString(text) && claimed(text).text == strings.ToLower(text) && answered(Strict, fragment, text) && !answered(Published, fragment, text) {
			t.Errorf("%q is said in %q strictly and not as published", fragment, text)
		}
		if fragment != "" && !newBlob(Strict, "“"+fragment+"”").contains(fragment) {
			t.Errorf("%q is not in itself", fragment)
		}
		if !phrase(fragment, fragment) {
			t.Errorf("%q does not match itself", fragment)
		}
		if plainNumber(fragment) && plainNumber(text) {
			x, _ := new(big.Rat).SetString(fragment)
			y, _ := new(big.Rat).SetString(text)
			a, _ := parseDecimal(fragment)
			b, _ := parseDecimal(text)
			if (x.Cmp(y) == 0) != (a == b) {
				t.Errorf("%s and %s: decimals %v and %v", fragment, text, a, b)
			}
		}
		for _, s := range []string{quote(text), cut(text), quoted([]string{fragment, text})} {
			if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0x9b }) {
				t.Errorf("%q is shown with a control character: %q", text, s)
			}
		}
	})
}
