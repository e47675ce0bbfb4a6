package reports

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/tasks"
)

func summary(t *testing.T, run Run, eps ...*agent.Episode) Summary {
	t.Helper()
	s, err := open(t, sampleBundle(t, run, eps...)).Summary()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSummary(t *testing.T) {
	dir := sampleBundle(t, sampleRun(KindModel, "ollama:m"), sampleEpisodes()...)
	if _, err := Publish(dir); err != nil {
		t.Fatal(err)
	}
	first := read(t, dir, SummaryFile)
	golden(t, "summary.json", []byte(first))
	if _, err := Publish(dir); err != nil || read(t, dir, SummaryFile) != first {
		t.Errorf("published again: other bytes, %v", err)
	}
}

func TestATaskPassesWhenAllItsValidTrialsDo(t *testing.T) {
	cases := []struct {
		trials []grader.Outcome
		want   Counts
		reason string
	}{
		{[]grader.Outcome{"passed", "passed"}, Counts{Passed: 1}, "all"},
		{[]grader.Outcome{"passed", "failed"}, Counts{Failed: 1}, "not all"},
		{[]grader.Outcome{"passed", "broken"}, Counts{Passed: 1}, "all that are valid"},
		{[]grader.Outcome{"broken", "failed"}, Counts{Failed: 1}, "not all that are valid"},
		{[]grader.Outcome{"broken", "skipped"}, Counts{Broken: 1}, "none is valid"},
		{[]grader.Outcome{"skipped", "skipped"}, Counts{Skipped: 1}, "none was played"},
	}
	for _, c := range cases {
		var eps []*agent.Episode
		for i, o := range c.trials {
			eps = append(eps, episode("a/b/c", i+1, 1, o))
		}
		if s := summary(t, sampleRun(KindModel, "m"), eps...); s.TaskOutcomes != c.want || s.Episodes != 2 || s.Tasks != 1 {
			t.Errorf("%v (%s): %+v", c.trials, c.reason, s.TaskOutcomes)
		}
	}
}

func TestTheWorstCaseTakesBrokenForFailed(t *testing.T) {
	s := summary(t, sampleRun(KindModel, "m"),
		episode("a/b/c", 1, 1, grader.Passed), episode("a/b/d", 1, 1, grader.Passed), episode("a/b/e", 1, 1, grader.Passed),
		episode("a/b/f", 1, 1, grader.Broken), episode("a/b/g", 1, 1, grader.Skipped))
	r := s.Rates[0]
	if r.Label != "all" || r.N != 3 || *r.Rate != 1 || *r.Worst != 0.75 || r.Broken != 1 || r.Skipped != 1 {
		t.Errorf("%+v", r)
	}
}

func TestEveryLabelHasARow(t *testing.T) {
	s := summary(t, sampleRun(KindModel, "m"), sampleEpisodes()...)
	var names []string
	for _, r := range s.Rates {
		names = append(names, r.Label)
	}
	want := []string{"all", "family:mail", "family:notes", "family:tax", "lang:hi", "level:2", "slow", "suite:wealth", "suite:work"}
	if !slices.Equal(names, want) {
		t.Errorf("labels %q", names)
	}
}

func TestWhatIsUnknownStaysUnknown(t *testing.T) {
	a, b := episode("a/b/c", 1, 1, grader.Passed), episode("a/b/d", 1, 1, grader.Passed)
	b.Usage.Cached, b.Cost = nil, ""
	s := summary(t, sampleRun(KindModel, "m"), a, b, episode("a/b/e", 1, 1, grader.Broken))
	if s.Usage.Cached != nil || s.Usage.Cost != nil || *s.Usage.Input != 200 || s.Usage.Requests != 2 || s.Usage.Budget != 134 {
		t.Errorf("usage %+v", s.Usage)
	}
	s = summary(t, sampleRun(KindModel, "m"), a, episode("a/b/e", 1, 1, grader.Broken))
	if s.Usage.Cost == nil || *s.Usage.Cost != "0.1" {
		t.Errorf("an episode without a request costs nothing: %v", s.Usage.Cost)
	}
}

func TestTheFloorIsTakenOff(t *testing.T) {
	cases := []struct {
		score  float64
		floor  *float64
		want   *float64
		reason string
	}{
		{0.5, ref(0.25), ref(0.333333), "(0.5 − 0.25) ÷ 0.75"},
		{0.1, ref(0.2), ref(-0.125), "worse than doing nothing"},
		{1, ref(0.0), ref(1.0), "no floor to speak of"},
		{1, ref(1.0), nil, "nothing to be gained"},
		{1, nil, nil, "not certified"},
	}
	for _, c := range cases {
		ep := episode("a/b/c", 1, 1, grader.Passed)
		ep.Score, ep.Floor = c.score, c.floor
		if got := rowOf(KindModel, "x", &Record{Episode: *ep}).Adjusted; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v", c.reason, got)
		}
	}
}

func TestWhatWasNeverReachedIsCounted(t *testing.T) {
	run := sampleRun(KindModel, "m")
	run.Trials = 2
	run.Tasks = []Selected{{ID: "a/b/c"}, {ID: "a/b/d", Trials: 3}, {ID: "a/b/never", Trials: 1, File: "features/b.feature", Line: 9}}
	stopped := episode("a/b/d", 2, 1, grader.Skipped)
	stopped.End.Code, stopped.Reason = grader.EndUnreached, "the provider keeps failing"
	dir := sampleBundle(t, run, episode("a/b/c", 1, 1, grader.Passed), episode("a/b/c", 2, 1, grader.Passed), episode("a/b/d", 1, 1, grader.Passed), stopped)
	s, err := open(t, dir).Summary()
	if err != nil {
		t.Fatal(err)
	}
	if s.Unreached != 1+1+1 || s.Tasks != 3 || s.Episodes != 4 || s.TaskOutcomes != (Counts{Passed: 2, Skipped: 1}) {
		t.Errorf("%+v", s)
	}
	if exit, why := (Gate{mode: gateNone}).Judge(s); exit != 1 || why != "3 episodes were never reached" {
		t.Errorf("exit %d: %s", exit, why)
	}
}

// certificate has a task's gates, of which those named do not hold.
func certificate(unheld ...string) *Certificate {
	c := &Certificate{}
	for _, g := range []string{"reference", "noop", "live"} {
		r := GateResult{Gate: g, Held: !slices.Contains(unheld, g)}
		if !r.Held {
			r.Detail, r.Source = "check 2 is dead:\nno mutant kills it", grader.Source{File: "features/b.feature", Line: 12}
		}
		c.Gates = append(c.Gates, r)
	}
	return c
}

// certification writes a run of tasks that hold, do not hold, and cannot be certified.
func certification(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "b")
	b, err := Create(dir, sampleRun(KindCertification, ""))
	if err != nil {
		t.Fatal(err)
	}
	dead := certificate("live", "noop")
	dead.Gates[0].Nothing = true
	for id, c := range map[tasks.ID]*Certificate{"a/b/held": certificate(), "a/b/dead": dead} {
		if err := b.WriteRecord(&Record{Episode: *episode(id, 1, 9, grader.Passed), Certificate: c}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.WriteRecord(&Record{Episode: *episode("a/b/python", 1, 30, grader.Skipped), Certificate: &Certificate{Skipped: "no sandbox on this machine"}}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestInACertificationTheGatesDecide(t *testing.T) {
	r := open(t, certification(t))
	s, err := r.Summary()
	if err != nil {
		t.Fatal(err)
	}
	if s.TaskOutcomes != (Counts{Passed: 1, Failed: 1, Skipped: 1}) {
		t.Errorf("outcomes %+v", s.TaskOutcomes)
	}
	want := map[string]GateSums{"live": {1, 2}, "noop": {1, 2}, "reference": {2, 2}}
	if !reflect.DeepEqual(s.Gates, want) || s.Codes["gate:live"] != 1 || s.Codes["gate:noop"] != 1 {
		t.Errorf("gates %v, codes %v", s.Gates, s.Codes)
	}

	// In a model run a certificate says nothing of how the agent did.
	row := rowOf(KindModel, "x", &Record{Episode: *episode("a/b/c", 1, 1, grader.Passed), Certificate: certificate("noop")})
	if row.Outcome != grader.Passed || row.Gates["noop"] {
		t.Errorf("%+v", row)
	}
}

func TestWhatHasNotProvenItselfIsMarked(t *testing.T) {
	ep := episode("a/b/c", 1, 1, grader.Failed)
	ep.Uncertified = true
	dir := filepath.Join(t.TempDir(), "b")
	b, err := Create(dir, sampleRun(KindModel, "m"))
	if err == nil {
		err = b.WriteRecord(&Record{Episode: *ep, Certificate: certificate("noop")})
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.Finish()
	if err != nil || s.Uncertified != 1 || s.Failed != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	junit := read(t, dir, JUnitFile)
	for _, want := range []string{`name="uncertified" value="true"`, "FAIL  features/b.feature:12  gate noop", `message="wrong_value:answer: `} {
		if !strings.Contains(junit, want) {
			t.Errorf("junit.xml lacks %s:\n%s", want, junit)
		}
	}
	if strings.Contains(junit, "gate live") {
		t.Error("a gate that holds is told of in a model run")
	}
	if table := string(tableOf(t, dir, Table{})); !strings.Contains(table, "Uncertified: 1 episode of tasks") {
		t.Error(table)
	}
}

func BenchmarkSummary1000(b *testing.B) {
	var rows []Row
	for _, ep := range manyEpisodes(1000) {
		rows = append(rows, rowOf(KindModel, ep.Key(), &Record{Episode: *ep}))
	}
	b.ReportAllocs()
	for b.Loop() {
		Summarise(sampleRun(KindModel, "m"), rows)
	}
}
