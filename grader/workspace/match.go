package workspace

import (
	"math/big"
	"slices"
	"strings"
	"unicode"
)

// A Reading says how fragments of text are looked for. See the package comment for why the zero
// value is stricter than what is published.
type Reading string

// The readings.
const (
	Strict    Reading = ""          // whole words and whole numbers, in what was written alone
	Published Reading = "published" // anywhere, also inside a word and in the widget's own name
)

// equal is leaf equality. Equal values match; a list of one element equals the element; a
// number equals a string that spells the same number. Booleans equal booleans alone, and two
// strings are equal only to the letter.
func equal(want, got any) bool {
	w, wantList := want.([]any)
	g, gotList := got.([]any)
	switch {
	case wantList && gotList:
		return slices.EqualFunc(w, g, equal)
	case wantList:
		return len(w) == 1 && equal(w[0], got)
	case gotList:
		return len(g) == 1 && equal(want, g[0])
	}
	switch w := want.(type) {
	case nil:
		return got == nil
	case bool:
		g, ok := got.(bool)
		return ok && w == g
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(w) != len(g) {
			return false
		}
		for k, v := range w {
			if o, ok := g[k]; !ok || !equal(v, o) {
				return false
			}
		}
		return true
	case string:
		if g, ok := got.(string); ok {
			return w == g
		}
		if _, ok := numeral(got); !ok {
			return false
		}
	default:
		if want == got { // also numbers of a size that nobody can compare
			return true
		}
		if _, ok := numeral(want); !ok {
			return false
		}
	}
	a, ok := number(want)
	b, also := number(got)
	return ok && also && a == b
}

// subset is subset match: each wanted key is there and matches, objects as subsets, all else by
// leaf equality. A key that is absent is null. More keys than the wanted ones are fine.
func subset(want, got any) bool {
	w, ok := want.(map[string]any)
	if !ok {
		return equal(want, got)
	}
	if list, ok := got.([]any); ok && len(list) == 1 {
		return subset(want, list[0])
	}
	g, ok := got.(map[string]any)
	if !ok {
		return false
	}
	for k, v := range w {
		if !subset(v, g[k]) {
			return false
		}
	}
	return true
}

// flat is definition subset: each wanted key is there with exactly the wanted value. renderFn,
// which may be a list or names separated by commas, holds at least the wanted names.
func flat(want map[string]any, got any) bool {
	g, ok := got.(map[string]any)
	if !ok {
		return false
	}
	for k, v := range want {
		if k == "renderFn" {
			if !holdsNames(v, g[k]) {
				return false
			}
		} else if !exact(v, g[k]) {
			return false
		}
	}
	return true
}

// exact is equality without conversions: a number equals a number of the same value, and
// nothing else equals what is not the same.
func exact(want, got any) bool {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(w) != len(g) {
			return false
		}
		for k, v := range w {
			if o, ok := g[k]; !ok || !exact(v, o) {
				return false
			}
		}
		return true
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(w, g, exact)
	case nil, bool, string:
		switch got.(type) {
		case map[string]any, []any:
			return false
		}
		return want == got
	}
	switch got.(type) {
	case map[string]any, []any:
		return false
	}
	w, ok := numeral(want)
	g, also := numeral(got)
	return want == got || ok && also && w == g
}

func holdsNames(want, got any) bool {
	have := names(got)
	return !slices.ContainsFunc(names(want), func(n string) bool { return !slices.Contains(have, n) })
}

// names returns the names in a list or in a string that separates them by commas.
func names(v any) (out []string) {
	switch v := v.(type) {
	case string:
		for n := range strings.SplitSeq(v, ",") {
			if n = strings.TrimSpace(n); n != "" {
				out = append(out, n)
			}
		}
	case []any:
		for _, e := range v {
			out = append(out, names(e)...)
		}
	}
	return out
}

// phrase is phrase match: got contains want without regard to case, or the meaningful words of
// want come in got in their order, gaps allowed.
func phrase(want, got string) bool {
	if strings.Contains(strings.ToLower(got), strings.ToLower(want)) {
		return true
	}
	w := words(want)
	for t := range slices.Values(words(got)) {
		if len(w) > 0 && w[0] == t {
			if w = w[1:]; len(w) == 0 {
				return true
			}
		}
	}
	return false
}

// words returns the meaningful words of a text: runs of letters and digits, in lower case,
// without the small words of English.
func words(s string) []string {
	out := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !wordRune(r) })
	return slices.DeleteFunc(out, smallWord)
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// aliases are the old widget ids whose spelled name is not the id with spaces for underscores;
// for the others [words] comes to the same.
var aliases = map[string][]string{
	"holdings_table":   {"holdings"},
	"macro_timeseries": {"macro timeseries", "macro time series"},
}

// A blob is text that fragments are looked for in. What is derived from it is made once.
type blob struct {
	strict  *saying // how it is read strictly, and then all else is unused
	lower   string
	joined  string // the meaningful words, a space before and after each
	numbers []string
	scanned bool
}

// Bounds of the text that is looked at. Whoever says what was asked for says it in less than
// maxSaid; what is written behind is not said. A world's results may be longer.
const (
	maxSaid   = 64 << 10
	maxResult = 1 << 20
)

// begun returns the beginning of a text.
func begun(text string, most int) string {
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}

func newBlob(r Reading, text string) *blob {
	if r == Strict {
		text = plain(text)
	}
	b := &blob{lower: strings.ToLower(text)}
	if r == Strict {
		b.strict = &saying{text: b.lower}
	}
	return b
}

// contains is contains match, read as published: the fragment as it is, its aliases, its meaningful
// words one after the other, and a number of the same value.
func (b *blob) contains(fragment string) bool {
	if b.strict != nil {
		return b.strict.says(fragment)
	}
	f := strings.ToLower(fragment)
	if b.find(f) || slices.ContainsFunc(aliases[f], b.find) || b.spells(f) {
		return true
	}
	if !plainNumber(f) {
		return false
	}
	if !b.scanned {
		b.numbers, b.scanned = scanNumbers(ungroup(b.lower)), true
	}
	return slices.ContainsFunc(b.numbers, func(n string) bool { return near(f, n) })
}

// spells reports whether the meaningful words of the fragment come one after the other.
func (b *blob) spells(f string) bool {
	w := strings.Join(words(f), " ")
	if b.joined == "" {
		b.joined = " " + strings.Join(words(b.lower), " ") + " "
	}
	return w != "" && strings.Contains(b.joined, w)
}

func (b *blob) find(f string) bool { return f != "" && strings.Contains(b.lower, f) }

func digit(c byte) bool     { return '0' <= c && c <= '9' }
func separator(c byte) bool { return c == '.' || c == ',' }

// answered reports whether an answer holds a value to the letter: read strictly, numbers by their
// value; as published, anywhere in it or in it without the commas that group digits. Nothing is rounded.
func answered(r Reading, value, answer string) bool {
	if r == Strict {
		return said(answer).says(value)
	}
	answer = begun(answer, maxSaid)
	v, a := strings.ToLower(value), strings.ToLower(answer)
	return v != "" && (strings.Contains(a, v) || strings.Contains(ungroup(a), v))
}

// ungroup removes each comma that exactly three digits follow.
func ungroup(s string) string {
	if !strings.Contains(s, ",") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == ',' && i > 0 && digit(s[i-1]) && i+3 < len(s) && digit(s[i+1]) && digit(s[i+2]) && digit(s[i+3]) && (i+4 >= len(s) || !digit(s[i+4])) {
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// maxNumeral is how long a number in a text may be to be compared by value.
const maxNumeral = 40

// plainNumber reports whether s is a decimal number and nothing else.
func plainNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole, frac, hasPoint := strings.Cut(s, ".")
	return len(s) <= maxNumeral && allDigits(whole) && (!hasPoint || allDigits(frac))
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// scanNumbers returns the numbers of a text in lower case, with their percent signs. A hyphen
// after a word or number is no minus sign.
func scanNumbers(s string) (out []string) {
	for i := 0; i < len(s); {
		if !digit(s[i]) {
			i++
			continue
		}
		start := i
		if start > 0 && s[start-1] == '-' && !(start > 1 && (digit(s[start-2]) || 'a' <= s[start-2] && s[start-2] <= 'z')) {
			start--
		}
		for i < len(s) && digit(s[i]) {
			i++
		}
		if i+1 < len(s) && s[i] == '.' && digit(s[i+1]) {
			for i++; i < len(s) && digit(s[i]); i++ {
			}
		}
		if i < len(s) && s[i] == '%' {
			i++
		}
		if i-start <= maxNumeral {
			out = append(out, s[start:i])
		}
	}
	return out
}

var tolerance = big.NewRat(1, 1_000_000_000)

// near reports whether a plain number and a scanned one differ by no more than 1e-9. It is
// exact: no float is involved.
func near(plain, scanned string) bool {
	if plain == scanned {
		return true
	}
	text, percent := strings.CutSuffix(scanned, "%")
	a, ok := parseDecimal(plain)
	b, also := parseDecimal(text)
	if percent && b.digits != "" {
		b.exponent -= 2
	}
	return ok && also && a.near(b)
}
