package workspace

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plain writes a text with the letters that one sees: what only looks otherwise (full width, ligatures) is as it
// looks, what cannot be seen (marks of width nought, soft hyphens, marks of direction) is gone, raised digits are powers, and a dash of any kind within a word is a hyphen.
func plain(text string) string {
	if ascii(text) {
		return text
	}
	var b strings.Builder
	var last rune // what was written last
	for i, r := range text {
		n := utf8.RuneLen(r)
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r == utf8.RuneError || n < 0:
			b.WriteRune(utf8.RuneError)
		case unicode.Is(unicode.Cf, r) || 0xFE00 <= r && r <= 0xFE0F:
			continue
		case strings.ContainsRune(anyDash, r):
			switch next, _ := utf8.DecodeRuneInString(text[i+n:]); {
			case wordRune(last) && wordRune(next) && !strings.ContainsRune("—", r), r == '‐', r == '‑':
				r = '-'
			case r == '‒':
				r = '–'
			case r == '⁻' || r == '➖' || r == '﹣' || r == '－':
				r = '−'
			}
			b.WriteRune(r)
		case strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹", r):
			if !strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹⁻^", last) {
				b.WriteByte('^')
			}
			b.WriteString(norm.NFKC.String(string(r)))
		case strings.ContainsRune("\u00a0\u202f\u2007\u2009", r), r == '’', r == '…':
			b.WriteRune(r) // they group digits, or part sentences
		default:
			b.WriteString(norm.NFKC.String(string(r)))
		}
		last = r
	}
	return norm.NFC.String(b.String())
}

const anyDash = "‐‑‒–—⁻−➖﹣－"

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// turned writes what a mark turns round as it is shown.
func turned(text string) string {
	const mark = "\u202e"
	if !strings.Contains(text, mark) {
		return text
	}
	parts := strings.Split(text, mark)
	for i, p := range parts[1:] {
		end := strings.IndexAny(p, "\u202c\n")
		if end < 0 {
			end = len(p)
		}
		r := []rune(p[:end])
		for a, z := 0, len(r)-1; a < z; a, z = a+1, z-1 {
			r[a], r[z] = r[z], r[a]
		}
		parts[i+1] = string(r) + p[end:]
	}
	return strings.Join(parts, "")
}

// lookalikes are letters in lower case that look like another in one case or the other.
var lookalikes = strings.NewReplacer(
	"а", "a", "в", "b", "е", "e", "к", "k", "м", "m", "н", "h", "о", "o", "р", "p", "с", "c", "т", "t", "у", "y", "х", "x", "і", "i", "ј", "j", "ѕ", "s", "ԁ", "d", "ԛ", "q", "ԝ", "w", "з", "3", "ё", "e",
	"α", "a", "β", "b", "ε", "e", "ζ", "z", "η", "h", "ι", "i", "κ", "k", "μ", "m", "ν", "n", "ο", "o", "ρ", "p", "τ", "t", "υ", "y", "χ", "x",
	"ı", "i", "ł", "l", "ø", "o", "đ", "d")
