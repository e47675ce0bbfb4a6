package e2e

import (
	"slices"
	"strings"
	"testing"

	"benchwright/features"
	"benchwright/grader/gates"
	"benchwright/tasks"
)

// TestBuiltInBenchmark holds what everybody may rely on without a model, in both protocols.
func TestBuiltInBenchmark(t *testing.T) {
	compiled, err := tasks.Compile(features.Suite())
	if err != nil {
		t.Fatal(err)
	}
	all := 0
	for _, task := range compiled.Tasks {
		// Those have tests of their own: code costs seconds, and what requires another task is skipped without it.
		if !slices.Contains(task.Labels, "code") && !slices.Contains(task.Labels, "formal") {
			all++
		}
	}
	for _, c := range []struct {
		name, model        string
		exit               int
		passed             int
		atMostRandomPasses int
		reason             string
	}{
		{"certify", "", 0, all, 0, "every task proves itself"},
		{"reference", "reference", 0, all, 0, "the ruler reads full marks for the right answer"},
		{"noop", "noop", 1, 0, 0, "and none for nothing"},
		{"random", "random", 1, 0, all / 20, "chance gets next to nothing, and never breaks the measurement"},
		{"random-2", "random:2", 1, 0, all / 20, "whatever the seed"},
		{"random-3", "random:3", 1, 0, all / 20, "whatever the seed"},
	} {
		for _, protocol := range []string{"json", "tools"} {
			t.Run(c.name+"-"+protocol, func(t *testing.T) {
				t.Parallel()
				env := []string{"BENCH_PROTOCOL=" + protocol, "BENCH_FILTER=!code && !formal"}
				if c.model != "" {
					env = append(env, "BENCH_MODEL="+c.model)
				}
				r := wealth(t, env...)
				_, s := r.open(t)
				if r.exit != c.exit || s.Broken+s.Skipped != 0 || s.Passed < c.passed || s.Passed > c.passed+c.atMostRandomPasses || s.Passed+s.Failed != all {
					t.Errorf("exit %d, %+v: %s\n%s", r.exit, s, c.reason, r.out)
				}
				for _, g := range gates.All() {
					if held := s.Gates[string(g)]; held[0] != all || held[1] != all {
						t.Errorf("gate %s: %v", g, held)
					}
				}
			})
		}
	}
}

// TestBuiltInCode plays tasks whose grading runs code, one sort of each family, in both protocols.
func TestBuiltInCode(t *testing.T) {
	for _, protocol := range []string{"json", "tools"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			r := wealth(t, "BENCH_PROTOCOL="+protocol, "BENCH_FILTER=code && difficulty:2", "BENCH_MODEL=reference")
			b, s := r.open(t)
			if strings.HasPrefix(b.Run().Isolation, "refused") {
				t.Skipf("NOT TESTED: no commands can be run here: %s", b.Run().Isolation)
			}
			if r.exit != 0 || s.Passed < 4 || s.Failed+s.Broken+s.Skipped != 0 {
				t.Errorf("exit %d, %+v\n%s", r.exit, s, r.out)
			}
		})
	}
}
