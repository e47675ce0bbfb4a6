package agent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// An ask has limits of its own: what another ask has used is not counted, and the detail says which
// ask it was.
func TestLimitsOfAnAsk(t *testing.T) {
	own := func(ask int, limit func(*tasks.Ask)) func(*tasks.Task) {
		return func(t *tasks.Task) { limit(&t.Asks[ask]) }
	}
	calls := func(n int) func(*tasks.Ask) { return func(a *tasks.Ask) { a.Calls = n } }
	tokens := func(n int) func(*tasks.Ask) { return func(a *tasks.Ask) { a.Tokens = n } }
	time20 := func(a *tasks.Ask) { a.Wall = tasks.Duration(20 * time.Millisecond) }
	both := []step{add(2), answer(`1`), add(3), answer(`2`)}
	paid := func(s step) step { return costs(s, used(6, 4)) }
	usage := func(input, cached, output, reasoning int64) agent.Usage {
		u := agent.Usage{Requests: 1, Input: agent.Tokens(input), Output: agent.Tokens(output)}
		if cached != 0 {
			u.Cached = agent.Tokens(cached)
		}
		if reasoning != 0 {
			u.Reasoning = agent.Tokens(reasoning)
		}
		return u
	}
	idle := actor(func(ctx context.Context, s *agent.Session) error {
		s.Next(ctx)
		s.Answer(json.RawMessage(`1`))
		s.Next(ctx)
		<-ctx.Done()
		return nil
	})
	var nobody agent.Agent
	cases := []struct {
		name   string
		task   tasks.Task
		steps  []step
		agent  agent.Agent
		want   string
		detail string
		reason string
	}{
		{"calls-fit", task(twoAsks, own(0, calls(1)), own(1, calls(1))), both, nobody, "passed done", "", "one call for each ask is what each may have"},
		{"calls", task(twoAsks, own(1, calls(1))), []step{add(2), answer(`1`), add(1), add(2), answer(`2`)}, nobody, "failed call_limit_exceeded", "1 tool calls were made for ask 2", "the second call of the second ask is one too many"},
		{"tokens-fit", task(twoAsks, own(0, tokens(20)), own(1, tokens(20))), []step{paid(add(2)), paid(answer(`1`)), paid(add(3)), paid(answer(`2`))}, nobody, "passed done", "", "40 in all, and 20 for each"},
		{"tokens", task(twoAsks, own(1, tokens(9))), []step{paid(add(2)), paid(answer(`1`)), paid(add(3))}, nobody, "failed token_limit_exceeded", "10 of 9 budget tokens for ask 2", "what the first ask cost is not counted, what the second cost is"},
		{"tokens-used-up", task(twoAsks, own(0, tokens(10))), []step{paid(add(2)), paid(answer(`1`))}, nobody, "failed token_limit_exceeded", "10 of 10 budget tokens for ask 1", "what fits is performed, and no further reply is asked for"},
		{"uncounted", task(twoAsks, own(0, tokens(20))), []step{costs(add(2), agent.Usage{Requests: 1})}, nobody, "broken accounting accounting_fault", "", "a budget of tokens cannot be kept blindly"},
		{"half-counted", task(twoAsks, own(0, tokens(20))), []step{costs(add(2), agent.Usage{Requests: 1, Input: agent.Tokens(1)})}, nobody, "broken accounting accounting_fault", "", "nor with one of the counts"},
		{"negative", task(twoAsks, own(0, tokens(20))), []step{costs(add(2), usage(-5, 0, 5, 0))}, nobody, "broken accounting accounting_fault", "", "a count below nothing is none"},
		{"cached-beyond", task(twoAsks, own(0, tokens(20))), []step{costs(add(2), usage(5, 6, 5, 0))}, nobody, "broken accounting accounting_fault", "", "no more can come from a cache than was read"},
		{"thinking-beyond", task(twoAsks, own(0, tokens(20))), []step{costs(add(2), usage(5, 0, 5, 6))}, nobody, "broken accounting accounting_fault", "", "nor be thought than was written"},
		{"uncounted-elsewhere", task(twoAsks, own(1, tokens(20))), []step{costs(add(2), agent.Usage{Requests: 1}), answer(`1`), add(3), answer(`2`)}, nobody, "passed done", "", "without a budget nothing is held against a count; a model that asks nobody has none"},
		{"time", task(twoAsks, own(1, time20)), nil, idle, "failed deadline_exceeded", "20ms are over for ask 2", "the clock of an ask runs from when it is put"},
		{"time-of-another", task(twoAsks, own(0, time20)), nil, actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			s.Call(ctx, sim.Call{Name: "add", Arguments: json.RawMessage(`{"n":2}`)})
			s.Answer(json.RawMessage(`1`))
			s.Next(ctx)
			time.Sleep(60 * time.Millisecond)
			s.Call(ctx, sim.Call{Name: "add", Arguments: json.RawMessage(`{"n":3}`)})
			return s.Answer(json.RawMessage(`2`))
		}), "passed done", "", "and stops with it"},
	}
	seen := map[string]bool{}
	for _, c := range cases {
		reasoned(t, seen, c.name, c.reason)
		t.Run(c.name, func(t *testing.T) {
			a := c.agent
			if a == nil {
				a = loop(c.steps...)
			}
			ep := play(t, a, c.task)
			if ends(ep) != c.want || !strings.Contains(ep.End.Detail, c.detail) {
				t.Errorf("%s (%s, %s), want %s (%s): %s", ends(ep), ep.End.Detail, ep.Reason, c.want, c.detail, c.reason)
			}
		})
	}
}

// The checks of a gate take time that is nobody's.
func TestAGateCostsAnAskNoTime(t *testing.T) {
	slow := grader.Check{Ask: 0, Rule: &rule{"slow", func(grader.Evidence) ([]grader.Finding, error) {
		time.Sleep(60 * time.Millisecond)
		return nil, nil
	}}}
	tk := task(gated, func(t *tasks.Task) {
		t.Asks[0].Wall = tasks.Duration(40 * time.Millisecond)
		t.Rubric.Checks = append(t.Rubric.Checks, slow)
	})
	if ep := play(t, loop(add(2), answer(`1`), add(3), answer(`2`)), tk); ends(ep) != "passed done" {
		t.Errorf("%s (%s)", ends(ep), ep.End.Detail)
	}
}
