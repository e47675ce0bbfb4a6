package finqa

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestQuoteIsSafeAndShort(t *testing.T) {
	seen := caseNames{}
	for _, c := range []struct{ name, text, want, reason string }{
		{"plain", "net sales", `"net sales"`, "readable"},
		{"escape", "\x1b[2J", `"\x1b[2J"`, "no terminal sequences"},
		{"line-end", "a\nb", `"a\nb"`, "one line"},
		{"longest", strings.Repeat("x", maxQuoted), `"` + strings.Repeat("x", maxQuoted) + `"`, "the limit itself is shown"},
		{"longer", strings.Repeat("x", 1000), `"` + strings.Repeat("x", maxQuoted) + `"… (1000 bytes)`, "cut, and says so"},
		{"cut-inside-rune", strings.Repeat("x", maxQuoted-1) + "é!", `"` + strings.Repeat("x", maxQuoted-1) + `"… (162 bytes)`, "no half characters"},
	} {
		seen.add(c.name, c.reason)
		if got := quote(c.text); got != c.want {
			t.Errorf("%s: got %s; want %s: %s", c.name, got, c.want, c.reason)
		}
	}
	if got := quote(strings.Repeat("\xbf", 1000)); !utf8.ValidString(got) || len(got) > 5*maxQuoted {
		t.Errorf("bytes that begin no character give %q", got)
	}
}
