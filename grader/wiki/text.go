package wiki

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// most is how many bytes of a value are shown.
const most = 400

// clip returns a text of which no more than most bytes are kept, with a note of the cut.
// What it returns it leaves as it is.
func clip(s string) string {
	if len(s) <= most {
		return s
	}
	note := fmt.Sprintf("… (%d bytes)", len(s))
	n := most - len(note)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + note
}

// shown returns a text that somebody else wrote for a message: cut, and quoted unless it is plain.
func shown(s string) string {
	s = clip(s)
	for _, r := range s {
		if r <= ' ' || r == '"' || r == '`' || r == '|' || r >= 0x7f && r != '…' {
			return strconv.Quote(s)
		}
	}
	if s == "" {
		return `""`
	}
	return s
}
