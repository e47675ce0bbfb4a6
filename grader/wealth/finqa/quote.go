package finqa

import (
	"fmt"
	"unicode/utf8"
)

// maxQuoted is how many bytes of a foreign text a message shows.
const maxQuoted = 160

// quote makes a text from a model or a file safe to print: quoted, control characters escaped, cut if long.
func quote(s string) string {
	if len(s) <= maxQuoted {
		return fmt.Sprintf("%q", s)
	}
	cut := maxQuoted
	for cut > maxQuoted-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%q… (%d bytes)", s[:cut], len(s))
}
