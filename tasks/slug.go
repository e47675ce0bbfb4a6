package tasks

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// slug makes a part of an id from words: lower case, accents dropped, runs of anything but
// letters and digits become one '_'. ok is false when too little is left to tell one name from
// another: nothing at all, or mere digits of a name in another script.
func slug(words string) (s string, ok bool) {
	var b strings.Builder
	gap, latin, foreign := false, false, false
	for _, r := range strings.ToLower(norm.NFKD.String(words)) {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			latin = latin || r >= 'a'
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r):
		default:
			gap = true
			foreign = foreign || unicode.IsLetter(r)
		}
	}
	return b.String(), b.Len() > 0 && (latin || !foreign)
}
