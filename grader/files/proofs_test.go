package files

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
)

// What is graded can be worked out from what is visible, or stands there.
func TestWhatIsGradedIsSolved(t *testing.T) {
	g := New(library, nil)
	every(t, []int{1, 2, 3, 4, 5}, []int64{3, 6, 8}, func(in *world.Instance) {
		m := in.Manifest
		graded := g.Rule(spec(m.Family, m.Metadata.Scenario, m.Difficulty, m.Seed)).Graded()
		if len(graded) < 3 {
			t.Errorf("%s (%s): only %q is graded", m.EnvID, m.Metadata.Scenario, graded)
		}
		solved, err := g.Solve(in)
		if err != nil {
			t.Errorf("%s (%s): %v", m.EnvID, m.Metadata.Scenario, err)
			return
		}
		known := map[string]bool{}
		for _, v := range solved {
			known[valued(v)] = true
		}
		for _, v := range graded {
			if !known[valued(v)] {
				t.Errorf("%s (%s): %q is graded, and nothing visible gives it", m.EnvID, m.Metadata.Scenario, v)
			}
		}
	})
}

// valued is a text, or a number by its value.
func valued(v string) string {
	if strings.Trim(v, "-+.0123456789eE") == "" && json.Valid([]byte(v)) {
		return exam.Number(v)
	}
	return v
}

// A workspace that does not say what is graded is seen to.
func TestSolveReadsTheWorkspace(t *testing.T) {
	g := New(library, nil)
	in := *compile(t, "script_repair", "inventory_report", 2, 3)
	whole, err := g.Solve(&in)
	if err != nil {
		t.Fatal(err)
	}
	in.Visible = world.Tree{"README.md": "Repair it."}
	less, err := g.Solve(&in)
	if err != nil || len(less) >= len(whole) {
		t.Errorf("%d values of the workspace, %d of nothing, %v", len(whole), len(less), err)
	}
}

func TestHiddenIsNotVisible(t *testing.T) {
	every(t, []int{1, 3, 5}, []int64{5, 6}, func(in *world.Instance) {
		words := Hidden(in)
		if len(words) < 2 || words[0] != in.Manifest.EnvID {
			t.Errorf("%s: only %q is hidden", in.Manifest.EnvID, words)
		}
		for _, commands := range []bool{false, true} {
			for _, c := range Reach(in, commands) {
				if runs := strings.HasPrefix(c.Name, "run_"); runs && !commands {
					t.Errorf("%s runs something without need", c.Name)
				}
				if !slices.Contains(world.ToolNames(), c.Name) {
					t.Errorf("there is no tool %s", c.Name)
				}
			}
		}
	})
}

// aftermath is the outcome of an instance's reference, written and submitted.
func aftermath(t *testing.T, in *world.Instance) grader.Aftermath {
	t.Helper()
	before, after := evidence(t, in.Visible), evidence(t, in.Solved())
	return grader.Aftermath{Initial: before.Initial.JSON(), States: []json.RawMessage{after.Final.JSON()}, Trace: after.Trace, End: grader.End{Code: grader.EndDone}}
}

// Every mutant of an artifact is told from the reference, but for those that make no difference.
func TestMutantsOfArtifacts(t *testing.T) {
	g := New(library, nil)
	every(t, []int{1, 4, 5}, []int64{9}, func(in *world.Instance) {
		if g.Runs(in) {
			return
		}
		m := in.Manifest
		rule := g.Rule(spec(m.Family, m.Metadata.Scenario, m.Difficulty, m.Seed))
		good := aftermath(t, in)
		mutants := g.Mutants(t.Context(), in, good)
		if len(mutants) < fewestSpoiled {
			t.Errorf("%s: %d mutants", m.EnvID, len(mutants))
		}
		caught, names := 0, map[string]bool{}
		for _, x := range mutants {
			if names[x.Name] {
				t.Errorf("%s: two mutants %q", m.EnvID, x.Name)
			}
			names[x.Name] = true
			findings := grade(t, rule, x)
			if indifferent := len(findings) == 0; indifferent != harmless(x.Name) {
				t.Errorf("%s (%s), %s: %v", m.EnvID, m.Metadata.Scenario, x.Name, findings)
			} else if !indifferent {
				caught++
			}
		}
		if caught < 15 || !strings.Contains(strings.Join(slices.Collect(keysIn(names)), "\n"), "the trap ") {
			t.Errorf("%s: %d mutants are caught", m.EnvID, caught)
		}
	})
}

func keysIn(m map[string]bool) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func harmless(name string) bool {
	for _, s := range []string{"submitted", "a link", "a further folder", "executable"} {
		if strings.HasPrefix(name, s) || strings.HasSuffix(name, s) && s != "a link" {
			return true
		}
	}
	return false
}

func grade(t *testing.T, rule grader.Rule, m grader.Mutant) []grader.Finding {
	t.Helper()
	st, err := library.Kind(nil).Decode(m.Aftermath.States[0], nil)
	if err != nil {
		t.Fatalf("%s cannot be: %v", m.Name, err)
	}
	fs, err := rule.Grade(t.Context(), grader.Evidence{Initial: st, Final: st, Trace: sim.Trace{}})
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	return fs
}
