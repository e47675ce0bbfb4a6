package gates_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"benchwright/grader"
	"benchwright/grader/gates"
	"benchwright/sim"
	"benchwright/tasks"
)

func gate(c gates.Certificate, g gates.Gate) gates.Result {
	for _, r := range c.Gates {
		if r.Gate == g {
			return r
		}
	}
	return gates.Result{}
}

// payment is a task that is done when a payment was made, whatever is answered.
func payment(turns int) func(*tasks.Task, *tasks.Kit) {
	return func(t *tasks.Task, _ *tasks.Kit) {
		t.Asks[0].Text = "Pay 250 into h-2."
		t.Limits.Turns = turns
		t.Rubric.Checks = t.Rubric.Checks[:2]
		t.Rubric.Reference = []tasks.Move{call("deposit", `{"account":"h-2","amount":250}`), answer(`null`)}
		t.Rubric.Probes = nil
	}
}

// TestTheBudgetMayEndTheEpisode holds that a task whose last call takes the last turn is within
// its budget, if what stands then passes, and no other.
func TestTheBudgetMayEndTheEpisode(t *testing.T) {
	for _, tt := range []struct {
		name   string
		spoil  func(*tasks.Task, *tasks.Kit)
		held   bool
		note   string
		reason string
	}{
		{"room", payment(2), true, "2 of 2 turns", "there is a turn to say that nothing is left to do"},
		{"none", payment(1), true, "1 of 1 turns, slack 0: the budget ends the episode", "nobody needs it"},
		{"none-of-the-ask", func(t *tasks.Task, k *tasks.Kit) {
			payment(5)(t, k)
			t.Asks[0].Turns = 1
		}, true, "slack 0: the budget ends the episode, 1 of 1 turns of ask 1", "nor of the ask's own"},
		{"two-short", func(t *tasks.Task, k *tasks.Kit) {
			payment(1)(t, k)
			t.Rubric.Reference = append([]tasks.Move{call("read", `{"account":"h-2"}`)}, t.Rubric.Reference...)
		}, false, "3 of 1 turns", "a call is cut off, too"},
		{"an-answer", func(t *tasks.Task, _ *tasks.Kit) { t.Limits.Turns = 1 }, false, "2 of 1 turns", "the answer is what is asked for"},
		{"an-answer-that-nobody-grades", func(t *tasks.Task, k *tasks.Kit) {
			payment(1)(t, k)
			t.Rubric.Reference[1] = answer(`{"total":7250}`)
		}, false, "2 of 1 turns", "it says more than that nothing is left to do"},
		{"an-end", func(t *tasks.Task, k *tasks.Kit) {
			payment(1)(t, k)
			t.Rubric.Checks = append(t.Rubric.Checks, check(14, &ended{}, "And the agent says that it is done"))
			k.Rules["ledger.ended"] = func() grader.Rule { return &ended{} }
		}, false, "2 of 1 turns", "what stands does not pass"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := gate(certify(t, tt.spoil), gates.WithinBudget)
			if (r.State == gates.Held) != tt.held || !strings.Contains(r.Note, tt.note) {
				t.Errorf("%s: %s, %q, %v; want %t and %q", tt.reason, r.State, r.Note, r.Problems, tt.held, tt.note)
			}
		})
	}
}

// ended demands that the agent came to an end of its own.
type ended struct{}

func (ended) Name() string     { return "ledger.ended" }
func (ended) Codes() []string  { return []string{"unfinished"} }
func (ended) Graded() []string { return nil }
func (ended) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	if !ev.End.Finished() {
		return found("unfinished", "the episode ended with %s", ev.End.Code), nil
	}
	return nil, nil
}

// TestNamesThatEveryTaskIsToldAreNoSecrets holds that a family that is called like a tool is no leak
// where the tools are listed, and is one wherever else it comes from.
func TestNamesThatEveryTaskIsToldAreNoSecrets(t *testing.T) {
	family := func(name string, then func(*tasks.Task, *tasks.Kit)) func(*tasks.Task, *tasks.Kit) {
		return func(t *tasks.Task, k *tasks.Kit) {
			t.ID = tasks.ID("ledger-tasks/" + name + "/case_a17")
			t.Labels = []string{"level:3", "case:A17x", "family:" + name}
			k.Kind.New = func(ctx context.Context, env sim.Env, setup json.RawMessage, scope []string) (sim.World, error) {
				w, err := newLedger(ctx, env, setup, scope)
				if err != nil {
					return nil, err
				}
				return payingLedger{w.(*ledger)}, nil
			}
			if then != nil {
				then(t, k)
			}
		}
	}
	for _, tt := range []struct {
		name   string
		spoil  func(*tasks.Task, *tasks.Kit)
		leaks  bool
		reason string
	}{
		{"a-tool", family("pay_in", nil), false, "the tools are listed for every task"},
		{"a-schema", family("memo_line", nil), false, "so is what they take"},
		{"the-rules", family("key_date", func(t *tasks.Task, _ *tasks.Kit) { t.System += " Mind the key_date." }), false, "everybody is told the rules"},
		{"a-tool-in-the-ask", family("pay_in", func(t *tasks.Task, _ *tasks.Kit) { t.Asks[0].Text += " Use pay_in." }), false, "an ask may name a tool"},
		{"a-description", family("red_ink", nil), false, "and what they are for"},
		{"the-ask", family("key_date", func(t *tasks.Task, _ *tasks.Kit) { t.Asks[0].Text += " It is a key_date." }), true, "no tool is called so"},
		{"the-dialect", family("key_date", setDialect("kind key_date")), true, "the dialect tells what is tested"},
		{"the-dialect-beside-a-tool", family("pay_in", setDialect("kind pay_in")), true, "that a tool has the name hides no leak"},
		{"a-context-beside-a-tool", family("pay_in", func(t *tasks.Task, _ *tasks.Kit) {
			t.Asks[0].Context = json.RawMessage(`{"family":"pay_in"}`)
		}), true, "nor one that the author has made"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := gate(certify(t, tt.spoil), gates.Sealed)
			if (r.State == gates.Failed) != tt.leaks {
				t.Errorf("%s: %s, %v", tt.reason, r.State, r.Problems)
			}
		})
	}
}

// payingLedger is a ledger with one more tool, which it does not perform.
type payingLedger struct{ *ledger }

func (l payingLedger) Tools() []sim.Tool {
	return append(l.ledger.Tools(), sim.Tool{Name: "pay_in", Description: "Pays in with red_ink.",
		Schema: json.RawMessage(`{"type":"object","properties":{"memo_line":{"type":"string"}}}`)})
}

func (l payingLedger) Fork() (sim.World, error) {
	f, err := l.ledger.Fork()
	if err != nil {
		return nil, err
	}
	return payingLedger{f.(*ledger)}, nil
}
