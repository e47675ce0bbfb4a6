package run_test

import (
	"context"
	"encoding/json"
	"testing"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/grader/gates"
	"benchwright/internal/e2e/counter"
	"benchwright/internal/run"
	"benchwright/tasks"
)

// shy skips where the counter shows what it does not like.
type shy struct{ Of string }

func (*shy) Name() string    { return "counter.shy" }
func (*shy) Codes() []string { return []string{"shy"} }
func (s *shy) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	if string(ev.Final.JSON()) != s.Of {
		return nil, grader.SkipError{Reason: "it would rather not say"}
	}
	return nil, nil
}

// TestASkipNeedsAReason holds that an agent cannot leave the rates by what makes a check skip, and
// that checks which need a judge still do.
func TestASkipNeedsAReason(t *testing.T) {
	suite := counter.Suite()
	compiled, err := tasks.Compile(suite)
	if err != nil {
		t.Fatal(err)
	}
	config, err := run.FromEnv([]string{"BENCH_MODEL=reference"})
	if err != nil {
		t.Fatal(err)
	}
	runner := &run.Runner{Config: config, Certs: run.NewCertifier(config, nil, nil, gates.Cache{}), Player: &run.Player{Name: "reference"}}
	held := []gates.Result{{Gate: gates.Reference, State: gates.Held}}
	task := compiled.Tasks[0]
	kit := suite.Kit(task.World)
	play := func(checks []grader.Check, cert gates.Certificate) *agent.Episode {
		task := task
		task.Rubric.Checks = checks
		return runner.Play(t.Context(), reference(task, kit), &run.Job{Task: task, Kit: kit, Trial: 1}, cert)
	}
	good := play(task.Rubric.Checks, gates.Certificate{Gates: held})
	if good.Outcome != grader.Passed {
		t.Fatalf("%s %s", good.Outcome, good.Reason)
	}
	state := string(good.States[0])
	skips := append([]grader.Check{}, task.Rubric.Checks...)
	skips = append(skips, grader.Check{Rule: &shy{"never"}})
	quiet := append([]grader.Check{}, task.Rubric.Checks...)
	quiet = append(quiet, grader.Check{Rule: &shy{state}})
	for _, tt := range []struct {
		name   string
		checks []grader.Check
		cert   gates.Certificate
		want   grader.Outcome
		reason string
	}{
		{"unjustified", skips, gates.Certificate{Gates: held}, grader.Failed, "the reference made no check skip"},
		{"judged", skips, gates.Certificate{Gates: held, Judged: 1}, grader.Skipped, "the reference did"},
		{"no-skip", quiet, gates.Certificate{Gates: held}, grader.Passed, "there is nothing to justify"},
		{"not-certified-here", skips, gates.Certificate{Gates: []gates.Result{{Gate: gates.Reference, State: gates.Skipped}}}, grader.Skipped, "nobody knows"},
		{"outside", skips, gates.Certificate{Gates: []gates.Result{{Gate: gates.Noop, State: gates.Failed}}}, grader.Skipped, "a task that does not prove itself says nothing"},
	} {
		ep := play(tt.checks, tt.cert)
		if ep.Outcome != tt.want || ep.Verdict.Outcome != tt.want {
			t.Errorf("%s: %s (%s), want %s: %s", tt.name, ep.Outcome, ep.Reason, tt.want, tt.reason)
		}
		if found := ep.Verdict.Codes(); (len(found) == 1 && found[0] == "unjustified_skip") != (tt.want == grader.Failed) {
			t.Errorf("%s: codes %v", tt.name, found)
		}
		if _, err := json.Marshal(ep); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
