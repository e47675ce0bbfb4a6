package builtin_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"benchwright/sim/files"
	"benchwright/sim/files/builtin"
	"benchwright/sim/files/internal/sample"
	"benchwright/sim/files/splits"
)

// A group is what one scenario has in one split.
type group struct {
	split, scenario string
	specs           []files.Spec
}

// groups lists the published splits, and after them what else the families make: 120 seeds of each
// scenario that is there at difficulty 5 alone, and of the composite one.
func groups(t *testing.T) []group {
	t.Helper()
	m, err := splits.Build(builtin.Families(), splits.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var list []group
	for _, a := range m.Assignments {
		if last := len(list) - 1; last < 0 || list[last].split != a.Split || list[last].scenario != a.Scenario {
			list = append(list, group{split: a.Split, scenario: a.Scenario})
		}
		last := &list[len(list)-1]
		last.specs = append(last.specs, a.Spec())
	}
	published := list
	for _, f := range builtin.Families() {
		for _, sc := range f.Scenarios() {
			if slices.ContainsFunc(published, func(g group) bool { return g.scenario == sc.ID }) {
				continue
			}
			g := group{split: "beside", scenario: sc.ID}
			for d := files.MinDifficulty; d <= files.MaxDifficulty; d++ {
				for seed := int64(0); sc.At(d) && seed < 120; seed++ {
					g.specs = append(g.specs, spec(f, sc.ID, d, seed))
				}
			}
			list = append(list, g)
		}
	}
	return list
}

// A tally counts the instances of one scenario in one split.
type tally struct {
	instances, redraws, most int
	worlds, answers          map[string]bool
	took, longest            time.Duration
}

// TestEveryInstanceOfEverySplit compiles all of them, prints what came of it, and demands that
// none is refused and that of each scenario in each split at least 95 of a hundred are worlds of
// their own, with an answer of their own. Nor may a world of one split be in another.
func TestEveryInstanceOfEverySplit(t *testing.T) {
	if sample.Wide() == 0 {
		t.Skip("SKIPPED: takes a minute: make worlds")
	}
	everywhere := map[string]string{} // split and id by world
	instances := 0
	var table strings.Builder
	fmt.Fprintf(&table, "%-10s %-36s %9s %7s %9s %9s %8s %5s %8s %8s\n", "split", "scenario", "instances", "refused", "worlds", "answers", "redraws", "most", "ms", "most ms")
	for _, g := range groups(t) {
		n := tally{worlds: map[string]bool{}, answers: map[string]bool{}}
		for _, s := range g.specs {
			start := time.Now()
			in, err := builtin.Families().Compile(s)
			took := time.Since(start)
			if err != nil {
				t.Error(err)
				continue
			}
			n.add(in, took)
			if other, there := everywhere[in.World()]; there && !strings.HasPrefix(other, g.split+" ") {
				t.Errorf("%s of %s is the world of %s", in.Manifest.EnvID, g.split, other)
			}
			everywhere[in.World()] = g.split + " " + in.Manifest.EnvID
		}
		n.print(&table, g)
		instances += len(g.specs)
		if len(n.worlds)*100 < len(g.specs)*95 || len(n.answers)*100 < len(g.specs)*95 {
			t.Errorf("%s, %s: %d instances are only %d worlds with %d answers", g.split, g.scenario, len(g.specs), len(n.worlds), len(n.answers))
		}
	}
	t.Logf("%d instances, %d worlds\n%s", instances, len(everywhere), table.String())
}

func (n *tally) add(in *files.Instance, took time.Duration) {
	n.instances++
	n.worlds[in.World()] = true
	n.answers[answer(in).Digest()] = true
	redraws := in.Manifest.Metadata.Realized["redraw_count"].(int)
	n.redraws, n.most = n.redraws+redraws, max(n.most, redraws)
	n.took, n.longest = n.took+took, max(n.longest, took)
}

// answer is what is graded, without the workspace that it is found in: worlds that differ in
// decoration alone have one answer.
func answer(in *files.Instance) files.Tree {
	tree := files.Tree{}
	for p, text := range in.Hidden {
		if strings.HasPrefix(path.Base(p), "expected") || path.Base(p) == "cases.json" {
			tree[p] = text
		}
	}
	return tree
}

func (n *tally) print(w *strings.Builder, g group) {
	of := max(n.instances, 1)
	fmt.Fprintf(w, "%-10s %-36s %9d %7d %8.1f%% %8.1f%% %8.2f %5d %8.1f %8.1f\n", g.split, g.scenario, n.instances, len(g.specs)-n.instances,
		100*float64(len(n.worlds))/float64(of), 100*float64(len(n.answers))/float64(of), float64(n.redraws)/float64(of), n.most,
		float64(n.took.Microseconds())/1000/float64(of), float64(n.longest.Microseconds())/1000)
}
