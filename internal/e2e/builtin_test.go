package e2e

import (
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
	all := len(compiled.Tasks)
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
				env := []string{"BENCH_PROTOCOL=" + protocol, "BENCH_FILTER="}
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
