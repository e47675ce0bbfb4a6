package files

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	world "benchwright/sim/files"
)

func TestUnifiedDiffs(t *testing.T) {
	numbers := ""
	for i := range 20 {
		numbers += fmt.Sprintln(i)
	}
	before := world.Tree{"same": "x\n", "gone": "1\n2\n", "changed": numbers, "end": "a\nb", "bin": "\xff\x00", "was-empty": ""}
	after := world.Tree{"same": "x\n", "new": "1\n", "changed": strings.Replace(strings.Replace(numbers, "3\n", "three\n", 1), "18\n", "", 1), "end": "a\nb\n", "bin": "\xff\x01", "was-empty": "now\n", "is-empty": "", "two\nlines": "z\n"}
	const want = `--- a/bin
+++ b/bin
--- a/changed
+++ b/changed
@@ -1,7 +1,7 @@
 0
 1
 2
-3
+three
 4
 5
 6
@@ -16,5 +16,4 @@
 15
 16
 17
-18
 19
--- a/end
+++ b/end
@@ -1,2 +1,2 @@
 a
-b
\ No newline at end of file
+b
--- a/gone
+++ b/gone
@@ -1,2 +0,0 @@
-1
-2
--- a/is-empty
+++ b/is-empty
--- a/new
+++ b/new
@@ -0,0 +1 @@
+1
--- "a/two\nlines"
+++ "b/two\nlines"
@@ -0,0 +1 @@
+z
--- a/was-empty
+++ b/was-empty
@@ -0,0 +1 @@
+now
`
	if got := unified(before, after); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := unified(before, before); got != "" {
		t.Errorf("of equal trees: %s", got)
	}
}

// TestDiffsCanBeApplied holds that what is said to have changed leads from one text to the other.
func TestDiffsCanBeApplied(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	text := func(n, words int) string {
		var b strings.Builder
		for range draw.IntN(n + 1) {
			fmt.Fprintln(&b, draw.IntN(words))
		}
		return strings.TrimSuffix(b.String(), strings.Repeat("\n", draw.IntN(2)))
	}
	for range 2000 {
		a, b := text(30, 1+draw.IntN(8)), text(30, 1+draw.IntN(8))
		if got := apply(a, b); got != b {
			t.Fatalf("from %q to %q, the edits lead to %q", a, b, got)
		}
	}
	long, other := text(4000, 4000), text(4000, 4000)
	if got := apply(long, other); got != other {
		t.Error("edits of long texts lead elsewhere")
	}
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("there is no patch here to check the form with")
	}
	dir := t.TempDir()
	for i := range 20 {
		a, b := text(40, 6)+"x\n", text(40, 6)+"y\n"
		file := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(file, []byte(a), 0o600); err != nil {
			t.Fatal(err)
		}
		c := exec.Command(patch, "-s", file)
		c.Stdin = strings.NewReader(unified(world.Tree{"f": a}, world.Tree{"f": b}))
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != b {
			t.Fatalf("patched %q (%v), want %q", got, err, b)
		}
	}
}

// apply makes b of a by the edits between them.
func apply(a, b string) string {
	from, to := linesOf(a), linesOf(b)
	var out []string
	at := 0
	for _, e := range compare(from, to) {
		out = append(append(out, from[at:e.i]...), to[e.k:e.l]...)
		at = e.j
	}
	return strings.Join(append(out, from[at:]...), "")
}
