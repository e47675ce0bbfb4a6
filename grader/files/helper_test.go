package files

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/files"
	"benchwright/sim/files/builtin"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/exam/examtest"
)

var library = world.NewLibrary(builtin.Families()...)

func spec(family, scenario string, difficulty int, seed int64) world.Spec {
	s := world.NewSpec(family, difficulty, seed)
	s.Scenario = scenario
	return s
}

func compile(t testing.TB, family, scenario string, difficulty int, seed int64) *world.Instance {
	t.Helper()
	in, err := library.Compile(spec(family, scenario, difficulty, seed))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// every calls f with an instance of each scenario of each built-in family at some difficulties.
func every(t *testing.T, difficulties []int, seeds []int64, f func(in *world.Instance)) {
	t.Helper()
	for _, family := range builtin.Families() {
		for _, sc := range family.Scenarios() {
			for _, d := range difficulties {
				if !sc.At(d) {
					continue
				}
				for _, seed := range seeds {
					f(compile(t, family.Name(), sc.ID, d, seed))
				}
			}
		}
	}
}

// instance is one of a test's own.
func instance(evaluator, family string, difficulty int, hidden world.Tree) *world.Instance {
	in := &world.Instance{Hidden: hidden}
	in.Manifest = world.Manifest{
		EnvID: "made-by-hand", Family: family, Difficulty: difficulty, Evaluator: evaluator, Instruction: "Do it.", WorkspaceRoot: "visible", HiddenRoot: "hidden",
		Tools: world.AllTools, MaxSteps: 12, TimeLimitSeconds: 60, HiddenFiles: hidden.Paths(), Reference: world.Reference{Files: world.Tree{"out.json": "x"}},
	}
	return in
}

func evidence(t testing.TB, left world.Tree) grader.Evidence {
	t.Helper()
	w, err := world.NewWorkspace(left)
	if err != nil {
		t.Fatal(err)
	}
	return grader.Evidence{Initial: w, Final: w, Trace: sim.Trace{{Call: sim.Call{Name: "submit"}}}}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// One is an instance whose workspaces are observed by a test, with all others, in few processes.
type one struct {
	in    *world.Instance
	sheet *exam.Sheet
	trees []world.Tree
	runs  [][]exam.Run
}

// observeTrusted runs code that a test made itself, without walls.
func observeTrusted(t testing.TB, all []*one) {
	t.Helper()
	dir := t.TempDir()
	name := func(i, j int) string { return fmt.Sprintf("%d-%d", i, j) }
	for i, o := range all {
		for j, tree := range o.trees {
			if err := tree.Write(filepath.Join(dir, name(i, j))); err != nil {
				t.Fatal(err)
			}
		}
		o.runs = make([][]exam.Run, len(o.trees))
	}
	asked := func(i int, o *one, run int) (list []exam.Asked) {
		for j := range o.trees {
			list = append(list, exam.Asked{Workspace: name(i, j), Cases: o.sheet.Start(run)})
		}
		return list
	}
	for run := range 2 {
		var requests []byte
		for i, o := range all {
			if run < o.sheet.Runs {
				requests = append(requests, o.sheet.Request(fmt.Sprintf("token%d", i), asked(i, o, run)...)...)
			}
		}
		if requests == nil {
			continue
		}
		out := examtest.Trusted(t, dir, requests)
		for i, o := range all {
			if run >= o.sheet.Runs {
				continue
			}
			seen, whole, err := exam.ParseRuns(fmt.Sprintf("token%d", i), out, asked(i, o, run)...)
			if err != nil || !whole {
				t.Fatalf("observed all: %t, %v", whole, err)
			}
			for j := range o.trees {
				o.runs[j] = append(o.runs[j], seen[j])
			}
		}
	}
	for _, o := range all {
		for j, starts := range o.runs {
			o.runs[j] = o.sheet.Join(starts)
		}
	}
}

func has(list []string, label string) bool { return slices.Contains(list, label) }
