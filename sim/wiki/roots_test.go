package wiki

import (
	"path"
	"strings"
	"testing"
)

// However a path is spelled, it names a place below "/" in its only spelling, or none.
func FuzzPlace(f *testing.F) {
	for _, seed := range []string{"", "/", ".", "..", "/source", "source//src/", "/source/../skills", "/source/../..", "a/../../b", "/./..", "...", "/source/..\\..", "\x00", "/\xff/.."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		at, ok := place(raw)
		if !ok {
			if at != "" || !strings.Contains(raw, "..") {
				t.Fatalf("%q is said to climb out, to %q", raw, at)
			}
			return
		}
		if at != path.Clean(at) || at[0] != '/' || strings.Contains(at+"/", "/../") {
			t.Fatalf("%q is at %q", raw, at)
		}
		if again, ok := place(at); !ok || again != at {
			t.Fatalf("%q is at %q, and that at %q", raw, at, again)
		}
		if r := root(at); r != "" && at != r && !strings.HasPrefix(at, r+"/") {
			t.Fatalf("%q is below %q", at, r)
		}
	})
}
