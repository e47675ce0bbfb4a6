// Package ledger is a world of one's own: two accounts and a tool that moves money.
package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/steps"
	"benchwright/tasks"
)

type world struct {
	cents  map[string]int
	closed bool
}

const moveSchema = `{"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"},
	"cents":{"type":"integer","minimum":1}},"required":["from","to","cents"],"additionalProperties":false}`

func (w *world) Tools() []sim.Tool {
	return []sim.Tool{{Name: "move", Description: "Moves cents between accounts.", Schema: json.RawMessage(moveSchema)}}
}
func (w *world) Begin(context.Context, int) error { return nil }
func (w *world) State() (sim.State, error)        { return sim.RawState(sim.MustCanonical(w.cents)), nil }
func (w *world) Fork() (sim.World, error)         { return &world{maps.Clone(w.cents), w.closed}, nil }
func (w *world) Close() error                     { w.closed = true; return nil }

func (w *world) Call(_ context.Context, c sim.Call) sim.Result {
	var a struct {
		From, To string
		Cents    int
	}
	_, known := w.cents[a.From]
	if err := json.Unmarshal(c.Arguments, &a); err == nil {
		_, known = w.cents[a.From]
	}
	_, target := w.cents[a.To]
	switch {
	case w.closed:
		return sim.Fault("the ledger is closed")
	case c.Name != "move" || !known || !target || a.Cents < 1 || a.Cents > w.cents[a.From]:
		return sim.Result{Data: json.RawMessage(`{"error":"refused"}`), Status: "invalid", Code: "refused", Invalid: true}
	}
	w.cents[a.From] -= a.Cents
	w.cents[a.To] += a.Cents
	return sim.Result{Data: sim.MustCanonical(w.cents), Status: sim.StatusOK}
}

// balance is a rule: an account holds so much at the end.
type balance struct {
	Account string `json:"account"`
	Cents   int    `json:"cents"`
}

func (balance) Name() string    { return "ledger.balance" }
func (balance) Codes() []string { return []string{"wrong_balance"} }

func (b *balance) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	var got map[string]int
	if err := json.Unmarshal(ev.Final.JSON(), &got); err != nil {
		return nil, err
	}
	if got[b.Account] == b.Cents {
		return nil, nil
	}
	return []grader.Finding{{Code: "wrong_balance", Type: grader.StateType, Message: fmt.Sprintf("%s holds %d cents, not %d", b.Account, got[b.Account], b.Cents)}}, nil
}

// Balance demands what an account holds after the first ask.
func Balance(account string, cents int) grader.Check {
	return grader.Check{Rule: &balance{account, cents}}
}

// Kit is all that benchmarks about ledgers need.
func Kit() tasks.Kit {
	return tasks.Kit{
		Kind: sim.Kind{Name: "ledger", New: func(_ context.Context, _ sim.Env, setup json.RawMessage, _ []string) (sim.World, error) {
			w := &world{cents: map[string]int{}}
			return w, json.Unmarshal(setup, &w.cents)
		}},
		Rules:   map[string]func() grader.Rule{"ledger.balance": func() grader.Rule { return &balance{} }},
		Sources: func(tasks.Task) (tasks.Sources, error) { return tasks.Sources{}, nil },
		Vocabulary: tasks.Vocabulary{New: func() any { return map[string]int{} }, Finish: func(d *tasks.Draft) error {
			d.Task.Tools = []string{"all"}
			return d.Setup(d.World)
		}}.With(steps.Common()...).With(
			tasks.Given(`the account "(.*)" with (\d+) cents`, func(d *tasks.Draft, name string, cents int) error {
				d.World.(map[string]int)[name] = cents
				return nil
			}),
			tasks.Then(`"(.*)" holds (\d+) cents`, func(d *tasks.Draft, name string, cents int) error {
				return d.Check(&balance{name, cents})
			}),
			tasks.Then(`a reference moves (\d+) cents from "(.*)" to "(.*)"`, func(d *tasks.Draft, cents int, from, to string) error {
				if err := d.Call("move", map[string]any{"from": from, "to": to, "cents": cents}); err != nil {
					return err
				}
				return d.Answer("done")
			}),
		),
	}
}
