package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchwright/reports"
)

// total is how many episodes the counter's suite has: 24 tasks and a hand-written spec.
const total = 25

func TestCertifiesWithoutAModel(t *testing.T) {
	r := bench(t, nil)
	b, s := r.open(t)
	if r.exit != 0 || b.Run().Kind != reports.KindCertification || s.Passed != total || s.Failed+s.Broken+s.Skipped != 0 {
		t.Fatalf("exit %d, kind %s, %+v\n%s", r.exit, b.Run().Kind, s, r.out)
	}
	for gate, sums := range s.Gates {
		if sums[0] != sums[1] || sums[1] == 0 {
			t.Errorf("gate %s: %v", gate, sums)
		}
	}
	if len(s.Gates) != 9 {
		t.Errorf("%d gates: %v", len(s.Gates), s.Gates)
	}
}

func TestExitCodeIsTheGates(t *testing.T) {
	for _, c := range []struct {
		name, model, gate string
		exit              int
		reason            string
	}{
		{"able-strict", "able", "", 0, "nothing failed"},
		{"reference-strict", "reference", "", 0, "the reference passes"},
		{"wrong-strict", "wrong", "", 1, "every task failed"},
		{"noop-strict", "noop", "", 1, "doing nothing fails"},
		{"wrong-none", "wrong", "none", 0, "none only measures"},
		{"partly-strict", "partly", "strict", 1, "one failed task is one too many"},
		{"partly-rate", "partly", "rate:0.9", 0, "24 of 25 are 96 %"},
		{"partly-high-rate", "partly", "rate:0.99", 1, "96 % are too few"},
		{"flaky-strict", "flaky", "", 1, "one broken episode is not tolerated"},
		{"flaky-tolerated", "flaky", "strict,broken:1", 0, "one broken episode is tolerated"},
		{"outage-none", "outage", "none,broken:99", 1, "no valid episode at all fails any run"},
		{"panics-none", "panics", "none", 0, "an agent that panics has failed, and none only measures"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			env := []string{"BENCH_MODEL=" + c.model}
			if c.gate != "" {
				env = append(env, "BENCH_GATE="+c.gate)
			}
			if r := bench(t, env); r.exit != c.exit {
				t.Errorf("exit %d, want %d: %s\n%s", r.exit, c.exit, c.reason, r.out)
			}
		})
	}
}

func TestOutageIsBrokenThenSkippedByTheCircuit(t *testing.T) {
	_, s := bench(t, []string{"BENCH_MODEL=outage", "BENCH_WORKERS=1", "BENCH_FILTER=!hand"}).open(t)
	if s.Failed != 0 || s.Passed != 0 || s.Broken != 5 || s.Skipped != total-1-5 || s.Layers["provider"] != 5 || s.Unreached != s.Skipped {
		t.Errorf("%+v", s)
	}
}

// TestBreakingThingsIsNoWayOut holds that what an agent does to itself is failed: else it could
// leave the denominator by it.
func TestBreakingThingsIsNoWayOut(t *testing.T) {
	for _, model := range []string{"panics", "unmade", "quits", "misuses"} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			r := bench(t, []string{"BENCH_MODEL=" + model})
			if _, s := r.open(t); r.exit != 1 || s.Failed != total || s.Broken != 0 {
				t.Errorf("exit %d, %+v\n%s", r.exit, s, r.out)
			}
		})
	}
}

func TestFocusedSpecDoesNotLoseTheRun(t *testing.T) {
	r := bench(t, []string{"BENCH_MODEL=able", "COUNTER_FOCUS=1"})
	_, s := r.open(t)
	if r.exit != 1 || s.Unreached == 0 && s.Passed < total-1 || !strings.Contains(r.out, "focused") {
		t.Errorf("exit %d, %+v\n%s", r.exit, s, r.out)
	}
}

func TestRepetitionsAreTrials(t *testing.T) {
	for _, flag := range []string{"-test.count=2", "-test.parallel=7"} {
		if r := bench(t, nil, flag); r.exit == 0 || r.dir != "" || !strings.Contains(r.out, "BENCH_") {
			t.Errorf("%s: exit %d, bundle %q\n%s", flag, r.exit, r.dir, r.out)
		}
	}
}

func TestFilters(t *testing.T) {
	for _, c := range []struct {
		name     string
		env      []string
		args     []string
		episodes int
		reason   string
	}{
		{"label", []string{"BENCH_FILTER=level:3"}, nil, 2, "a plain label"},
		{"label-set", []string{"BENCH_FILTER=persona: containsAny {auditor, trader} && lang: isSubsetOf {hi}"}, nil, 2, "a set of values"},
		{"negation", []string{"BENCH_FILTER=!persona:clerk && !hand"}, nil, 2, "what is left"},
		{"ginkgo-flag", nil, []string{"-ginkgo.label-filter=level:1"}, 22, "Ginkgo's own flag does the same"},
		{"both", []string{"BENCH_FILTER=persona:clerk"}, []string{"-ginkgo.label-filter=level:3 || level:1"}, 22, "both must hold"},
		{"focus-file", nil, []string{"-ginkgo.focus-file=hindi.feature"}, 2, "specs stand in feature files"},
		{"focus-line", nil, []string{"-ginkgo.focus-file=features/adding.feature:14"}, 1, "a row is a spec"},
		{"hand-written", []string{"BENCH_FILTER=hand"}, nil, 1, "specs by hand are filtered alike"},
		{"trials", []string{"BENCH_MODEL=able", "BENCH_TRIALS=3", "BENCH_FILTER=level:3"}, nil, 6, "each trial is an episode"},
		{"one-trial", []string{"BENCH_MODEL=able", "BENCH_TRIALS=3", "BENCH_FILTER=try: consistsOf 2"}, nil, 24, "trials can be chosen"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := bench(t, c.env, c.args...)
			_, s := r.open(t)
			if r.exit != 0 || s.Episodes != c.episodes || s.Passed != c.episodes {
				t.Errorf("exit %d, %d episodes, %d passed, want %d: %s\n%s", r.exit, s.Episodes, s.Passed, c.episodes, c.reason, r.out)
			}
		})
	}
}

func TestGinkgosOwnReportKeepsWorking(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ginkgo.xml")
	r := bench(t, []string{"BENCH_MODEL=partly", "BENCH_GATE=none"}, "-ginkgo.junit-report="+path)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v\n%s", err, r.out)
	}
	if n := strings.Count(string(raw), "<testcase"); n < total || strings.Count(string(raw), "<failure") != 1 || !strings.Contains(string(raw), "features/adding.feature:") {
		t.Errorf("%d test cases\n%s", n, raw)
	}
}

func TestSelectingNothingIsAnError(t *testing.T) {
	r := bench(t, []string{"BENCH_FILTER=persona:clrk"})
	if r.exit == 0 || r.dir != "" || !strings.Contains(r.out, "persona:clerk") {
		t.Errorf("exit %d, bundle %q\n%s", r.exit, r.dir, r.out)
	}
}

func TestDryRunListsAndLeavesNothing(t *testing.T) {
	r := bench(t, nil, "-ginkgo.dry-run", "-ginkgo.v")
	if r.exit != 0 || r.dir != "" || !strings.Contains(r.out, "features/adding.feature:14") {
		t.Errorf("exit %d, bundle %q\n%s", r.exit, r.dir, r.out)
	}
}

func TestMistakesInVariablesAreToldTogether(t *testing.T) {
	r := bench(t, []string{"BENCH_MODLE=noop", "BENCH_MODEL=noop", "BENCH_TRIALS=0", "BENCH_GATE=rate:2", "BENCH_SEED=x", "BENCH_MODEL_OPTIONS=[]"})
	for _, want := range []string{`BENCH_MODLE; did you mean "BENCH_MODEL"?`, `BENCH_TRIALS="0"`, "BENCH_GATE", `BENCH_SEED="x"`, "BENCH_MODEL_OPTIONS"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %s in\n%s", want, r.out)
		}
	}
	if r.exit == 0 || r.dir != "" {
		t.Errorf("exit %d, bundle %q", r.exit, r.dir)
	}
}

func TestExtraTasksRunBesideTheSuite(t *testing.T) {
	dir := t.TempDir()
	feature := "@suite:private @world:counter\nFeature: Mine\n  Scenario: Fifty\n    When the agent is asked, with 3 turns, \"Add 50 to the counter.\"\n    Then the counter shows 50\n    And a reference adds 50\n"
	if err := os.WriteFile(filepath.Join(dir, "mine.feature"), []byte(feature), 0o644); err != nil {
		t.Fatal(err)
	}
	_, s := bench(t, []string{"BENCH_TASKS=" + dir, "BENCH_FILTER=suite:private", "BENCH_MODEL=able"}).open(t)
	if s.Passed != 1 || s.Episodes != 1 {
		t.Errorf("%+v", s)
	}
	r := bench(t, []string{"BENCH_TASKS=" + filepath.Join(dir, "none")})
	if r.exit == 0 || !strings.Contains(r.out, "BENCH_TASKS") {
		t.Errorf("a missing folder: exit %d\n%s", r.exit, r.out)
	}
}

func TestSpecByHandBeyondItsRubricIsUncertified(t *testing.T) {
	r := bench(t, []string{"BENCH_MODEL=random", "BENCH_FILTER=hand", "BENCH_GATE=none"})
	_, s := r.open(t)
	if r.exit != 0 || s.Episodes != 1 || s.Broken != 0 {
		t.Errorf("exit %d %+v\n%s", r.exit, s, r.out)
	}
}

func TestReplayGivesTheSameVerdicts(t *testing.T) {
	first := bench(t, []string{"BENCH_MODEL=random:7", "BENCH_GATE=none", "BENCH_FILTER=!hand"})
	again := bench(t, []string{"BENCH_MODEL=replay:" + first.dir, "BENCH_GATE=none", "BENCH_FILTER=!hand"})
	a, b := episodes(t, first.dir), episodes(t, again.dir)
	if len(a) != total-1 || len(a) != len(b) {
		t.Fatalf("%d and %d episodes\n%s", len(a), len(b), again.out)
	}
	for i := range a {
		if a[i].Outcome != b[i].Outcome || a[i].End != b[i].End || a[i].Score != b[i].Score || len(a[i].Trace) != len(b[i].Trace) {
			t.Errorf("%s: %s %v, replayed %s %v", a[i].Task, a[i].Outcome, a[i].End, b[i].Outcome, b[i].End)
		}
	}
}

func TestNoRunIsAnsweredFromTheTestCache(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go test twice")
	}
	for range 2 {
		out := goTest(t, counterPkg)
		if strings.Contains(out, "(cached)") {
			t.Errorf("cached:\n%s", out)
		}
	}
}
