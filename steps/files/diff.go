package files

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	world "benchwright/sim/files"
)

// unified returns what differs between two trees as a unified diff: files in the order of their
// paths, three lines around each change. Files that are no text are shown as the text <binary>.
func unified(before, after world.Tree) string {
	all := map[string]bool{}
	for p := range before {
		all[p] = true
	}
	for p := range after {
		all[p] = true
	}
	var b strings.Builder
	for _, p := range slices.Sorted(maps.Keys(all)) {
		was, there := before[p]
		is, here := after[p]
		if there == here && was == is {
			continue
		}
		fmt.Fprintf(&b, "--- %s\n+++ %s\n", oneLine("a/"+p), oneLine("b/"+p))
		hunks(&b, linesOf(was), linesOf(is))
	}
	return b.String()
}

// oneLine keeps a path on one line.
func oneLine(p string) string {
	if strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError }) {
		return fmt.Sprintf("%q", p)
	}
	return p
}

// linesOf splits a text into lines with their ends.
func linesOf(text string) []string {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return []string{"<binary>\n"}
	}
	return slices.Collect(strings.Lines(text))
}

// around is how many lines are shown on both sides of a change.
const around = 3

// An edit keeps, removes or adds lines: it turns a[i:j] into b[k:l].
type edit struct{ i, j, k, l int }

func hunks(b *strings.Builder, from, to []string) {
	edits := compare(from, to)
	if len(edits) == 0 { // of two files that are no text, or one that is empty
		return
	}
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].i-edits[n-1].j <= 2*around {
			n++
		}
		hunk(b, from, to, edits[:n])
		edits = edits[n:]
	}
}

func hunk(b *strings.Builder, from, to []string, edits []edit) {
	first, last := edits[0], edits[len(edits)-1]
	lead := min(around, first.i)
	trail := min(around, len(from)-last.j)
	i, j, k, l := first.i-lead, last.j+trail, first.k-lead, last.l+trail
	fmt.Fprintf(b, "@@ -%s +%s @@\n", extent(i, j), extent(k, l))
	at := i
	for _, e := range edits {
		marked(b, ' ', from[at:e.i])
		marked(b, '-', from[e.i:e.j])
		marked(b, '+', to[e.k:e.l])
		at = e.j
	}
	marked(b, ' ', from[at:j])
}

// extent words the lines from i, counted from 0, to j.
func extent(i, j int) string {
	switch j - i {
	case 0:
		return fmt.Sprintf("%d,0", i)
	case 1:
		return fmt.Sprint(i + 1)
	}
	return fmt.Sprintf("%d,%d", i+1, j-i)
}

func marked(b *strings.Builder, mark byte, lines []string) {
	for _, l := range lines {
		b.WriteByte(mark)
		b.WriteString(l)
		if !strings.HasSuffix(l, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// mostEdits bounds the work of a comparison: what differs in more lines is shown as exchanged.
const mostEdits = 1000

// compare returns the fewest edits between two lists of lines, in order.
func compare(a, b []string) []edit {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(x) == 0 && len(y) == 0 {
		return nil
	}
	edits := myers(x, y)
	for i := range edits {
		edits[i].i, edits[i].j, edits[i].k, edits[i].l = edits[i].i+head, edits[i].j+head, edits[i].k+head, edits[i].l+head
	}
	return edits
}

// myers is the greedy algorithm of his: the furthest that so many edits get on each diagonal.
func myers(a, b []string) []edit {
	whole := []edit{{0, len(a), 0, len(b)}}
	if len(a) == 0 || len(b) == 0 {
		return whole
	}
	most := min(len(a)+len(b), mostEdits)
	reached := make([]int, 2*most+3)
	at := func(k int) *int { return &reached[k+most+1] }
	var trace [][]int // of each round, the reach of diagonals -d … d
	for d := 0; d <= most; d++ {
		for k := -d; k <= d; k += 2 {
			x := *at(k - 1) + 1
			if k == -d || k != d && *at(k - 1) < *at(k + 1) {
				x = *at(k + 1)
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			*at(k) = x
			if x >= len(a) && x-k >= len(b) {
				return backtrack(trace, d, len(a), len(b))
			}
		}
		round := make([]int, 2*d+1)
		for k := -d; k <= d; k++ {
			round[k+d] = *at(k)
		}
		trace = append(trace, round)
	}
	return whole
}

// backtrack follows the way that was found from its end.
func backtrack(trace [][]int, d, x, y int) []edit {
	var steps []edit // of one line each, from the last to the first
	for ; d > 0; d-- {
		before := func(k int) int { // the reach of a diagonal in the round before
			if k < -(d-1) || k > d-1 {
				return -1
			}
			return trace[d-1][k+d-1]
		}
		k := x - y
		down := k == -d || k != d && before(k-1) < before(k+1)
		prev := k - 1
		if down {
			prev = k + 1
		}
		px := before(prev)
		py := px - prev
		if down {
			steps = append(steps, edit{px, px, py, py + 1})
		} else {
			steps = append(steps, edit{px, px + 1, py, py})
		}
		x, y = px, py
	}
	slices.Reverse(steps)
	var out []edit
	for _, s := range steps {
		if n := len(out) - 1; n >= 0 && out[n].j == s.i && out[n].l == s.k {
			out[n].j, out[n].l = s.j, s.l
			continue
		}
		out = append(out, s)
	}
	return out
}
