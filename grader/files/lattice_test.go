package files

import (
	"fmt"
	"os"
	"slices"
	"testing"

	world "benchwright/sim/files"
)

// subsets lists the sets of defects that are repaired, as bits: none, the first so many, all but one;
// and every one where there are few defects.
func subsets(n int) []int {
	all := 1<<n - 1
	list := []int{0, all}
	for i := range n {
		list = append(list, all&^(1<<i), 1<<i-1)
	}
	if n <= 3 || wide() {
		for s := range 1 << n {
			list = append(list, s)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// wide asks for many seeds and every subset, which takes an hour: see make worlds.
func wide() bool { return os.Getenv("BENCHWRIGHT_WORLDS") != "" }

// TestScoresOfRepairs runs instances of every scenario that has code, in many states of repair: what
// is solved succeeds; what is untouched does not, and nothing is worth less; each defect left in
// costs something; and no repair lowers the score. The spec asks for the last at difficulty 2 and
// more.
func TestScoresOfRepairs(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short: runs much Python")
	}
	g := New(library, nil)
	var all []*one
	var sets [][]int
	difficulties, seeds := []int{2, 5}, []int64{7}
	if wide() {
		difficulties, seeds = []int{2, 3, 4, 5}, []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	}
	n := int64(0)
	every(t, difficulties, seeds, func(in *world.Instance) {
		m := in.Manifest
		if !g.Runs(in) {
			return
		}
		n++ // other ones from scenario to scenario: parity and last digit say how hard they are
		in = compile(t, m.Family, m.Metadata.Scenario, m.Difficulty, m.Seed+3*n)
		e := evaluator(t, g, in)
		s, _, err := e.sheet(in, in.Visible)
		if err != nil {
			t.Fatal(err)
		}
		o := &one{in: in, sheet: s}
		sets = append(sets, subsets(len(in.Defects)))
		for _, set := range sets[len(sets)-1] {
			tree, err := in.Repaired(labelsOf(in, set)...)
			if err != nil {
				t.Fatal(err)
			}
			if set == 1<<len(in.Defects)-1 {
				tree = in.Solved()
			}
			o.trees = append(o.trees, tree)
		}
		all = append(all, o)
	})
	observeTrusted(t, all)
	for i, o := range all {
		name := fmt.Sprintf("%s (%s)", o.in.Manifest.EnvID, o.in.Manifest.Metadata.Scenario)
		score, whole := map[int]Result{}, 1<<len(o.in.Defects)-1
		for j, set := range sets[i] {
			r, err := evaluator(t, g, o.in).judge(o.in, o.sheet, o.trees[j], o.runs[j])
			if err != nil {
				t.Fatal(err)
			}
			r.settle()
			score[set] = r
			for _, l := range r.FailureLabels {
				if !has(evaluator(t, g, o.in).Labels(o.in), l) {
					t.Errorf("%s: the label %s is not listed", name, l)
				}
			}
		}
		for _, set := range sets[i] {
			r := score[set]
			switch {
			case set == whole && !(r.Success && r.Score == 1 && len(r.FailureLabels) == 0):
				t.Errorf("%s: the reference gets %s", name, r.JSON())
			case set != whole && (r.Success || r.Score >= 1 || len(r.FailureLabels) == 0):
				t.Errorf("%s: with only %q repaired: %s", name, labelsOf(o.in, set), r.JSON())
			}
			for k := range o.in.Defects {
				after, there := score[set|1<<k]
				if there && after.Score < r.Score {
					t.Errorf("%s: with %q repaired %g, with %s too %g %q", name, labelsOf(o.in, set), r.Score, o.in.Defects[k].ID, after.Score, after.FailureLabels)
				}
			}
		}
	}
}

func labelsOf(in *world.Instance, set int) []string {
	out := []string{}
	for i, d := range in.Defects {
		if set>>i&1 == 1 {
			out = append(out, d.ID)
		}
	}
	return out
}

func evaluator(t *testing.T, g *Grader, in *world.Instance) sheetEvaluator {
	t.Helper()
	e, err := g.evaluators.find(in)
	if err != nil {
		t.Fatal(err)
	}
	return e.(sheetEvaluator)
}
