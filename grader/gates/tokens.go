package gates

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is compared by its tokens, never by substrings: "5" is not in "2025". A token is a run
// of letters with their marks, digits and underscores. Inside a token, between two such
// characters, a hyphen and a dot belong to it (pf-H-A-2026-08-31, notes.md), as a colon and a
// slash do between digits (23:59). Numbers are equal when their values are: 2400000, 2400000.00,
// 2,400,000 and 24,00,000 are one token. JSON within a text counts as its keys and values, with
// escapes undone. A value of several words is the sequence of their tokens.

// A token is the hash of what it says. phraseEnd stands between values that are not one text.
type token uint64

const phraseEnd token = 0

// tokenise appends the tokens of a text.
func tokenise(dst []token, text string) []token {
	eachToken(text, 0, func(t string) {
		if t == "" {
			dst = append(dst, phraseEnd)
			return
		}
		dst = append(dst, hashToken(t))
	})
	return dst
}

// phrases splits the tokens of a value where it holds several texts. Empty phrases are left out.
func phrases(value string) [][]token {
	var out [][]token
	all := tokenise(nil, value)
	for len(all) > 0 {
		n := 0
		for n < len(all) && all[n] != phraseEnd {
			n++
		}
		if n > 0 {
			out = append(out, all[:n])
		}
		all = all[min(n+1, len(all)):]
	}
	return out
}

// holds reports whether a phrase occurs among tokens.
func holds(among, phrase []token) bool {
	if len(phrase) == 0 {
		return true
	}
	first := phrase[0]
next:
	for i := 0; i+len(phrase) <= len(among); i++ {
		if among[i] != first {
			continue
		}
		for j := 1; j < len(phrase); j++ {
			if among[i+j] != phrase[j] {
				continue next
			}
		}
		return true
	}
	return false
}

// maxNested is how deep JSON within strings of JSON is looked into.
const maxNested = 4

// eachToken calls emit for each token of a text, and with "" between texts.
func eachToken(text string, depth int, emit func(string)) {
	var src []byte // the text's bytes, once something in it may be JSON
	bytesOf := func() []byte {
		if src == nil {
			src = []byte(text)
		}
		return src
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case (c == '{' || c == '[') && depth < maxNested:
			if end, ok := eachJSON(text, bytesOf(), i, depth, emit); ok {
				i = end
				continue
			}
			i++
		case c == '"' && depth < maxNested:
			// A quotation is taken for JSON only when it has escapes: without, it reads the same.
			if end, ok := stringEnd(bytesOf(), i); ok && strings.IndexByte(text[i:end], '\\') >= 0 {
				emit("")
				eachToken(unquote(src[i:end]), depth+1, emit)
				emit("")
				i = end
				continue
			}
			i++
		case isWord(text, i) > 0 || minus(text, i) > 0:
			end := tokenEnd(text, i)
			emit(text[i:end])
			i = end
		case c < utf8.RuneSelf:
			i++
		default:
			_, n := utf8.DecodeRuneInString(text[i:])
			i += n
		}
	}
}

// eachJSON walks the JSON container at i and returns the offset after it.
func eachJSON(text string, src []byte, i, depth int, emit func(string)) (int, bool) {
	s := scanner{src: src, space: true}
	end, ok := s.value(i, -1, i, 0)
	if !ok {
		return 0, false
	}
	emit("")
	d := document{src, s.nodes}
	for i, n := range d.nodes {
		if key := d.member(i); key != nil {
			eachToken(unquote(key), depth+1, emit)
			emit("")
		}
		switch n.kind {
		case '"':
			eachToken(unquote(d.raw(i)), depth+1, emit)
			emit("")
		case '0', 't', 'n':
			emit(text[n.start:n.end])
			emit("")
		}
	}
	return end, true
}

// tokenEnd returns where the token at i ends.
func tokenEnd(text string, i int) int {
	start := i
	if n := minus(text, i); n > 0 {
		i += n
	}
	if end := groupedEnd(text, i); end > 0 {
		return end
	}
	last := i
	for i < len(text) {
		if n := isWord(text, i); n > 0 {
			last, i = i, i+n
			continue
		}
		if i == start || i+1 >= len(text) || isWord(text, i+1) == 0 {
			break
		}
		switch text[i] {
		case '-', '.':
		case ':', '/':
			if !isDigit(text[last]) || !isDigit(text[i+1]) {
				return i
			}
		default:
			return i
		}
		i++
	}
	return i
}

// groupedEnd returns the end of a number written with commas between its thousands, or between
// lakhs and crores, or 0.
func groupedEnd(text string, i int) int {
	digits := func(i int) int {
		n := 0
		for i+n < len(text) && isDigit(text[i+n]) {
			n++
		}
		return n
	}
	first := digits(i)
	if first < 1 || first > 3 || text[i] == '0' && first > 1 || i > 1 && text[i-1] == ',' && isDigit(text[i-2]) {
		return 0
	}
	end, last, groups := i+first, 0, 0
	for end < len(text) && text[end] == ',' {
		n := digits(end + 1)
		if n < 2 || n > 3 || n == 2 && (last == 3 || first == 3) {
			return 0
		}
		if groups > 0 && last == 2 && n == 3 { // lakhs end with one group of three
			groups, last, end = groups+1, n, end+1+n
			break
		}
		groups, last, end = groups+1, n, end+1+n
	}
	if groups == 0 || last != 3 {
		return 0
	}
	if end+1 < len(text) && text[end] == '.' && isDigit(text[end+1]) {
		end += 1 + digits(end+1)
	}
	if isWord(text, end) > 0 || end+1 < len(text) && strings.IndexByte(",-.", text[end]) >= 0 && isWord(text, end+1) > 0 {
		return 0
	}
	return end
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isWord returns the length of the character of a word at i, or 0.
func isWord(text string, i int) int {
	if i >= len(text) {
		return 0
	}
	c := text[i]
	if c < utf8.RuneSelf {
		if c == '_' || isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' {
			return 1
		}
		return 0
	}
	r, n := utf8.DecodeRuneInString(text[i:])
	const nonJoiner, joiner = '\u200c', '\u200d' // they shape letters of one word
	if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == joiner || r == nonJoiner {
		return n
	}
	return 0
}

// minus returns the length of a minus sign at i that belongs to the number after it, or 0.
func minus(text string, i int) int {
	n := 1
	switch {
	case strings.HasPrefix(text[i:], "-"):
	case strings.HasPrefix(text[i:], "\u2212"):
		n = len("\u2212")
	default:
		return 0
	}
	if i+n >= len(text) || !isDigit(text[i+n]) {
		return 0
	}
	if i > 0 {
		if _, size := utf8.DecodeLastRuneInString(text[:i]); isWord(text, i-size) > 0 {
			return 0
		}
	}
	return n
}

// hashToken returns the FNV-1a hash of a token's meaning.
func hashToken(t string) token {
	var buf [80]byte
	if c := t[0]; isDigit(c) || c == '-' || c == 0xe2 {
		if n := number(buf[:0], t); n != nil {
			return hash(n)
		}
	}
	return hash([]byte(t))
}

func hash(b []byte) token {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return token(h | 1) // never phraseEnd
}

// number appends the one spelling of a number's value, or returns nil when t is not one. A
// token with a leading zero is none: 08 is a code, not 8.
func number(dst []byte, t string) []byte {
	neg := false
	if s, ok := strings.CutPrefix(t, "-"); ok {
		t, neg = s, true
	} else if s, ok := strings.CutPrefix(t, "\u2212"); ok {
		t, neg = s, true
	}
	const limit = 60 // digits, so that an exponent cannot make a giant
	var digits [limit]byte
	n, point, i := 0, -1, 0
	for ; i < len(t); i++ {
		switch c := t[i]; {
		case isDigit(c):
			if n == limit {
				return nil
			}
			digits[n] = c
			n++
			continue
		case c == ',' && point < 0 && i > 0:
			continue
		case c == '.' && point < 0 && i > 0:
			point = n
			continue
		}
		break
	}
	if n == 0 || t[0] == '0' && n > 1 && (point < 0 || point > 1) {
		return nil
	}
	if point < 0 {
		point = n
	}
	if i < len(t) {
		exp, ok := exponent(t[i:])
		if !ok {
			return nil
		}
		point += exp
	}
	first := 0
	for first < n && digits[first] == '0' {
		first++
	}
	for n > first && digits[n-1] == '0' {
		n--
	}
	if first == n {
		return append(dst, '0')
	}
	if point > limit || point < -limit {
		return nil
	}
	if neg {
		dst = append(dst, '-')
	}
	if point <= first {
		dst = append(dst, '0')
	}
	for k := first; k < point; k++ {
		if k < n {
			dst = append(dst, digits[k])
		} else {
			dst = append(dst, '0')
		}
	}
	if n > point {
		dst = append(dst, '.')
		for k := point; k < n; k++ {
			if k < first {
				dst = append(dst, '0')
			} else {
				dst = append(dst, digits[k])
			}
		}
	}
	return dst
}

// exponent reads e+6.
func exponent(s string) (int, bool) {
	if s[0] != 'e' && s[0] != 'E' || len(s) < 2 || len(s) > 5 {
		return 0, false
	}
	s = s[1:]
	neg := s[0] == '-'
	if neg || s[0] == '+' {
		s = s[1:]
	}
	v := 0
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
		v = v*10 + int(s[i]-'0')
	}
	if neg {
		v = -v
	}
	return v, s != ""
}
