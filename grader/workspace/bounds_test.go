package workspace

import (
	"strings"
	"testing"

	world "benchwright/sim/workspace"
)

// TestLongTextsAreNotRead holds that what an agent writes behind 64 KB is not said, and that
// reading a note of any length costs next to nothing.
func TestLongTextsAreNotRead(t *testing.T) {
	note := func(text string) *world.Widget { return &world.Widget{Generated: true, GeneratedData: text} }
	for _, r := range []Reading{Strict, Published} {
		if !generatedBlob(r, note("position 97000 "+strings.Repeat("1e9 ", 1<<20))).contains("97000") {
			t.Errorf("%q: what stands at the beginning is said", r)
		}
		if generatedBlob(r, note(strings.Repeat("1e9 ", 1<<20)+" 97000")).contains("97000") {
			t.Errorf("%q: what stands behind megabytes is said", r)
		}
		if answered(r, "97000", strings.Repeat("x ", 1<<20)+"97000") {
			t.Errorf("%q: an answer is read to its end", r)
		}
	}
}
