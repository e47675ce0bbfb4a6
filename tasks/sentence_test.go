package tasks

import (
	"regexp"
	"strings"
	"testing"
)

// The words of a sentence are shown in errors. Its prefix decides whether it is tried at all,
// so a wrong one would make a good step undefined.
func TestReadable(t *testing.T) {
	for _, c := range []struct{ expr, text, prefix, match string }{
		{`a counter at (-?\d+)`, "a counter at N", "a counter at ", "a counter at -3"},
		{`a note "([^"]*)" says "([^"]*)"`, `a note "…" says "…"`, `a note "`, `a note "x" says ""`},
		{`at most (\d+) turns?`, "at most N turns", "at most ", "at most 1 turn"},
		{`turns?`, "turns", "turn", "turn"},
		{`(?:the |an )?agent`, "the agent", "", "agent"},
		{`red|green`, "red", "", "green"},
		{`re(?:d|gal)`, "red", "re", "regal"},
		{`(?i)the end`, "THE END", "", "The End"},
		{`(.*)`, "…", "", "anything"},
		{`x*y`, "…y", "", "y"},
		{`ab+c`, "a…c", "a", "abbc"},
		{`a{2,3}b`, "…b", "", "aab"},
		{`a\.b\|c`, "a.b|c", "a.b|c", "a.b|c"},
		{`the price is ₹(\S+)`, "the price is ₹…", "the price is ₹", "the price is ₹25"},
		{``, "", "", ""},
	} {
		expr := `^(?:` + c.expr + `)$`
		text, prefix := readable(expr)
		if text != c.text || prefix != c.prefix {
			t.Errorf("%s: got %q with prefix %q, want %q with prefix %q", c.expr, text, prefix, c.text, c.prefix)
		}
		if !regexp.MustCompile(expr).MatchString(c.match) || !strings.HasPrefix(c.match, prefix) {
			t.Errorf("%s matches %q, which must start with %q", c.expr, c.match, prefix)
		}
	}
}

func TestUnquoted(t *testing.T) {
	for in, want := range map[string]string{
		`the note "a b" has 3 lines`: `the note "…" has N lines`,
		`one "open quote`:            `one "open quote`,
		`"a" and "b"`:                `"…" and "…"`,
		``:                           ``,
	} {
		if got := unquoted(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func TestSlug(t *testing.T) {
	for _, c := range []struct {
		in, want string
		ok       bool
		reason   string
	}{
		{"Restore the VIEW", "restore_the_view", true, "lower case, one _ for a space"},
		{"  --a -- b!!", "a_b", true, "nothing at the ends, one _ for a run"},
		{"İstanbul Straße", "istanbul_stra_e", true, "letters without a decomposition are gaps"},
		{"e\u0301", "e", true, "accents may be characters of their own"},
		{"", "", false, "nothing"},
		{"…", "", false, "nothing that is left"},
		{"हिन्दी", "", false, "another script"},
		{"हिन्दी 2", "2", false, "digits alone do not tell two such names apart"},
		{"2", "2", true, "but a number is a name"},
		{"हिन्दी open", "open", true, "a word is enough"},
	} {
		if got, ok := slug(c.in); got != c.want || ok != c.ok {
			t.Errorf("%q: got %q, %v, want %q, %v: %s", c.in, got, ok, c.want, c.ok, c.reason)
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"a\nb":                    "a\n    b",
		"\x1b[2J":                 `\u001b[2J`,
		"a\u202eb\u200b":          `a\u202eb\u200b`,
		"क्\u200dष":               "क्\u200dष",
		"\xff":                    "\uFFFD",
		strings.Repeat("é", 2000): strings.Repeat("é", 750) + "… (2500 bytes more)",
	} {
		if got := clean(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
