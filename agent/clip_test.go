package agent

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// What is clipped is text of no more than so many bytes, and stays as it is.
func FuzzClip(f *testing.F) {
	for _, seed := range []string{"", "x", "\xff", strings.Repeat("x", 257), strings.Repeat("\xff", 600), strings.Repeat("é", 300), strings.Repeat("a\xff", 128), strings.Repeat("é\xff", 200), strings.Repeat("\xe2\x80", 400)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := clip(text, 256)
		if len(got) > 256 || !utf8.ValidString(got) || clip(got, 256) != got {
			t.Errorf("%q became %q, then %q", text, got, clip(got, 256))
		}
		if utf8.ValidString(text) && len(text) <= 256 && got != text {
			t.Errorf("%q became %q for nothing", text, got)
		}
	})
}
