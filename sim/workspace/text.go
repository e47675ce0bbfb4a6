package workspace

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"benchwright/sim"
)

// maxQuoted is how many bytes of an agent's text a message repeats.
const maxQuoted = 120

// quoted writes text into a message as the published messages do: between single quotes, unless
// it holds one and no double quote. Control characters are escaped and long text is cut.
func quoted(s string) string {
	if len(s) > maxQuoted {
		s = strings.ToValidUTF8(s[:maxQuoted], "") + "…"
	}
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	b := make([]byte, 0, len(s)+2)
	b = append(b, quote)
	for _, r := range s {
		switch {
		case r == rune(quote) || r == '\\':
			b = append(b, '\\', byte(r))
		case unicode.IsPrint(r):
			b = utf8.AppendRune(b, r)
		default:
			q := strconv.QuoteRuneToASCII(r)
			b = append(b, q[1:len(q)-1]...)
		}
	}
	return string(append(b, quote))
}

// shown is text in a message without quotes around it, escaped and cut like that of quoted.
func shown(s string) string {
	q := quoted(s)
	return q[1 : len(q)-1]
}

// appendNumber appends a coordinate as JSON, in the shortest form that reads back the same.
func appendNumber(b []byte, f float64) []byte {
	if i := int64(f); float64(i) == f && i > -1e15 && i < 1e15 {
		return strconv.AppendInt(b, i, 10)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}

// appendText appends a JSON string.
func appendText(b []byte, s string) []byte { return sim.AppendCanonical(b, s) }
