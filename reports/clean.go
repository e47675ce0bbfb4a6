package reports

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Clean makes any text safe to print as a part of one line: on a terminal, in XML 1.0, in a
// log. White space, line breaks included, becomes single spaces; control characters become
// their visible pictures (ESC is ␛); invalid UTF-8 and characters that reorder, hide or
// cannot be shown become U+FFFD. The joiners that Indic scripts and emoji need stay.
//
// A text longer than max characters is cut, and its end says how much is missing; the result
// never has more than max characters. A max below 1 means no limit.
func Clean(s string, max int) string {
	var b strings.Builder
	n, space := 0, false
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		r = visible(r, size)
		if r == '\n' || r == '\t' || r == ' ' {
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			n++
			space = false
		}
		b.WriteRune(r)
		n++
		if max > 0 && n > max {
			return cutRunes(b.String(), max, utf8.RuneCountInString(s[i:]))
		}
	}
	return b.String()
}

// cutRunes shortens kept to max characters, the notice included. rest is how many characters
// were never looked at.
func cutRunes(kept string, max, rest int) string {
	runes := []rune(kept)
	keep, notice := max, []rune{}
	for { // the notice takes room itself, so that more is missing, which may make it longer
		notice = []rune(fmt.Sprintf("… [%d more]", len(runes)+rest-keep))
		if len(notice) > max/2 {
			notice = []rune("…")
		}
		if keep+len(notice) <= max {
			break
		}
		keep = max - len(notice)
	}
	return strings.TrimRight(string(runes[:keep]), " ") + string(notice)
}

// CleanText is Clean for text of several lines: line breaks and tabs stay, carriage returns
// go, and the cap is in bytes. A text that is cut ends with a line that says so.
func CleanText(s string, max int) string {
	if max > 0 && len(s) > 4*max { // no need to look at what cannot be kept
		return cutBytes(cleanLines(s[:4*max]), max, len(s))
	}
	out := cleanLines(s)
	if max > 0 && len(out) > max {
		return cutBytes(out, max, len(s))
	}
	return out
}

func cleanLines(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			i++
			continue
		}
		i += size
		b.WriteRune(visible(r, size))
	}
	return b.String()
}

func cutBytes(s string, max, whole int) string {
	notice := fmt.Sprintf("\n… [cut: %d bytes in all]\n", whole)
	keep := min(len(s), max-len(notice))
	if keep < 0 {
		return ""
	}
	for keep > 0 && keep < len(s) && !utf8.RuneStart(s[keep]) {
		keep--
	}
	return s[:keep] + notice
}

// visible maps one decoded character to what may be shown in its place.
func visible(r rune, size int) rune {
	switch {
	case r == utf8.RuneError && size <= 1:
		return utf8.RuneError
	case r == '\n' || r == '\t':
		return r
	case r == '\r', r == 0x2028, r == 0x2029:
		return '\n'
	case r < 0x20:
		return 0x2400 + r
	case r == 0x7F:
		return 0x2421
	case hidden(r):
		return utf8.RuneError
	}
	return r
}

// hidden reports characters that a reader cannot see, or that change how others are seen, or
// that XML 1.0 forbids.
func hidden(r rune) bool {
	switch {
	case r >= 0x80 && r <= 0x9F, // C1: a terminal may take them for sequences
		r == 0xAD, r == 0x061C, r == 0x180E,
		r == 0x200B, r == 0x200E, r == 0x200F,
		r >= 0x202A && r <= 0x202E, // bidirectional embeddings and overrides
		r >= 0x2060 && r <= 0x206F, // word joiner … isolates … deprecated formats
		r == 0xFEFF,
		r >= 0xFFF9 && r <= 0xFFFB,
		r >= 0xE0000 && r <= 0xE007F, // tags: text that nobody sees
		r&0xFFFE == 0xFFFE,           // no characters
		r >= 0xFDD0 && r <= 0xFDEF:
		return true
	}
	return false
}

// safeName turns any text into a part of a file name: letters, digits, '.', '_' and '-', not
// starting with a dot, at most 40 bytes, never empty.
func safeName(s string) string {
	b := make([]byte, 0, 40)
	for i := 0; i < len(s) && len(b) < 40; i++ {
		c := s[i]
		ok := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' && len(b) > 0
		if !ok {
			c = '-'
		}
		b = append(b, c)
	}
	if len(b) == 0 {
		return "-"
	}
	return string(b)
}
