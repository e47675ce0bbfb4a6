package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

func TestGates(t *testing.T) {
	both := []step{add(2), answer(`1`), add(3), answer(`2`)}
	checks := func(c ...grader.Check) func(*tasks.Task) {
		return func(t *tasks.Task) { t.Rubric.Checks = append(c, t.Rubric.Checks...) }
	}
	finished := grader.Check{Rule: &rule{"finished", func(ev grader.Evidence) ([]grader.Finding, error) {
		return found("finished", ev.End.Finished() && ev.Answer != nil && len(ev.Trace) == 1), nil
	}}}
	cases := []struct {
		name   string
		task   tasks.Task
		steps  []step
		want   string
		asks   int // that were put
		reason string
	}{
		{"open", task(twoAsks), both, "passed done", 2, "two asks, no gate"},
		{"held", task(gated), both, "passed done", 2, "the next ask follows when the checks hold"},
		{"not-held", task(gated), []step{add(1), answer(`1`)}, "failed gate_failed", 1, "the later ask's model is never called: its script would run out"},
		{"last-gated", task(func(t *tasks.Task) { t.Asks[0].Gated = true }), []step{add(1), answer(`1`)}, "failed done", 1, "there is nothing behind the last gate"},
		{"own-checks-only", task(gated, checks(stands(1, 77))), both, "failed done", 2, "a gate asks for the checks of its own ask"},
		{"no-checks", task(gated, func(t *tasks.Task) { t.Rubric.Checks = t.Rubric.Checks[1:] }), both, "passed done", 2, "a gate without checks stands open"},
		{"broken-check", task(gated, checks(fails(0, errors.New("no ruler")))), both, "broken grader gate", 1, "a gate that cannot be read is the grader's"},
		{"panicking-check", task(gated, checks(grader.Check{Rule: &rule{"x", nil}})), both, "broken grader gate", 1, "so is a panic in it"},
		{"judge", task(gated, checks(fails(0, grader.BrokenError{Layer: grader.LayerJudge, Err: errors.New("asleep")}))), both, "broken judge gate", 1, "or the judge's"},
		{"skipped-check", task(gated, checks(fails(0, grader.SkipError{Reason: "no judge"}))), both, "skipped gate_failed", 1, "a gate that nobody can judge is not passed, and the episode is skipped"},
		{"not-applicable", task(gated, func(t *tasks.Task) { t.Rubric.Checks[0] = fails(0, grader.NotApplicable) }), both, "failed gate_failed", 1, "a gate that is given nothing to hold against its checks is not met"},
		{"end", task(gated, checks(finished)), both, "failed done", 2, "a gate sees the evidence as if the episode ended there; the last verdict sees the true end and trace"},
	}
	// The check "finished" holds at the gate and at the end: its trace is that of its own ask.
	cases[len(cases)-1].want = "passed done"
	seen := map[string]bool{}
	for _, c := range cases {
		reasoned(t, seen, c.name, c.reason)
		t.Run(c.name, func(t *testing.T) {
			ep := play(t, loop(c.steps...), c.task)
			if got := ends(ep); got != c.want {
				t.Errorf("ends %q (%s), want %q: %s", got, ep.Reason, c.want, c.reason)
			}
			put := 0
			for _, m := range ep.Messages {
				if m.Role == tasks.RoleUser && strings.HasPrefix(m.Content, "Add ") {
					put++
				}
			}
			if put != c.asks || len(ep.States) != c.asks {
				t.Errorf("%d asks put, %d states, want %d: %s", put, len(ep.States), c.asks, c.reason)
			}
		})
	}
}

// What the gate has to say words the rubric, and goes into the record only.
func TestGateTellsTheAgentNothing(t *testing.T) {
	for _, check := range []grader.Check{stands(0, 99), fails(0, errors.New("the value is 99"))} {
		var told error
		ep := play(t, actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			_, _, told = s.Next(ctx)
			return told
		}), task(gated, func(t *tasks.Task) { t.Rubric.Checks = []grader.Check{check} }))
		if told == nil || ep.End.Code == grader.EndDone {
			t.Fatalf("%s: %v", ends(ep), told)
		}
		if text := fmt.Sprintf("%v %+v", told, told); strings.Contains(text, "secret") || strings.Contains(text, "99") {
			t.Errorf("the agent is told %s", text)
		}
		if ep.Outcome == grader.Broken && (!strings.Contains(ep.Reason, "secret demand fails") || !strings.Contains(ep.Reason, "99")) {
			t.Errorf("the record does not say why: %s", ep.Reason)
		}
	}
}

// Each ask has the state that it left behind, and its evidence ends with it.
func TestEvidenceOfEachAsk(t *testing.T) {
	var ep *agent.Episode
	check := func(name string, ask int, final, answer string, events int) {
		t.Helper()
		ev, err := ep.Evidence(ask)
		if err != nil {
			t.Fatal(err)
		}
		if string(ev.Final.JSON()) != final || string(ev.Answer) != answer || len(ev.Trace) != events || ev.Ask != ask || string(ev.Initial.JSON()) != `{"n":1}` || ev.End != ep.End {
			t.Errorf("%s: ask %d: final %s, answer %s, %d events, end %v", name, ask, ev.Final.JSON(), ev.Answer, len(ev.Trace), ev.End)
		}
	}
	ep = play(t, loop(add(2), answer(`1`), add(3), tool("get"), answer(`2`)), task(twoAsks))
	check("both", 0, `{"n":3}`, `1`, 1)
	check("both", 1, `{"n":6}`, `2`, 3)
	ep = play(t, loop(add(2), answer(`1`)), task(twoAsks, limits(tasks.Limits{Turns: 2})))
	check("cut in the second", 0, `{"n":3}`, `1`, 1)
	check("cut in the second", 1, `{"n":3}`, ``, 1)
	ep = play(t, loop(add(7), answer(`1`)), task(gated))
	check("second never put", 0, `{"n":8}`, `1`, 1)
	check("second never put", 1, `{"n":8}`, ``, 1)
	ep = play(t, agent.Noop{}, task(twoAsks))
	check("nothing", 0, `{"n":1}`, ``, 0)
	check("nothing", 1, `{"n":1}`, ``, 0)
	ep = play(t, loop(answer(`null`)), task())
	check("null", 0, `{"n":1}`, ``, 0)
	if ep = play(t, loop(tool("fault")), task()); ep.Outcome != grader.Broken {
		t.Fatal(ends(ep))
	}
	if _, err := ep.Evidence(0); err == nil || !strings.Contains(err.Error(), "tool_runtime") {
		t.Errorf("a broken episode is no evidence: %v", err)
	}
}

// The session numbers asks and turns for the trace.
func TestAskNumbers(t *testing.T) {
	var got []string
	note := func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) }
	play(t, actor(func(ctx context.Context, s *agent.Session) error {
		for {
			ask, ok, err := s.Next(ctx)
			note("%d %v %v", ask, ok, err)
			if !ok {
				ask, ok, err = s.Next(ctx)
				note("%d %v %v", ask, ok, err)
				return err
			}
			s.Turn()
			s.Call(ctx, sim.Call{Name: "get"})
			s.Answer(json.RawMessage(`1`))
		}
	}), task(twoAsks))
	if want := []string{"0 true <nil>", "1 true <nil>", "1 false <nil>", "1 false the episode is over: done"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
