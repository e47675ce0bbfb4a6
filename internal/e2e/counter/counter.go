// Package counter is a suite small enough to test the framework with: a number that can be
// added to, and agents with known faults. Its own test runs it; package e2e runs that test in
// every way that a user might.
package counter

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/steps"
	"benchwright/tasks"
)

//go:embed features
var features embed.FS

// Suite returns the suite: 24 tasks.
func Suite() tasks.Suite {
	return tasks.Suite{Name: "counter", Features: features, Kits: []tasks.Kit{Kit()}}
}

type world struct {
	n      int
	closed bool
}

type state struct {
	N int `json:"n"`
}

var tools = []sim.Tool{{
	Name: "add", Description: "Adds an amount to the counter.",
	Schema: json.RawMessage(`{"type":"object","properties":{"amount":{"type":"integer","minimum":1,"maximum":9999}},"required":["amount"],"additionalProperties":false}`),
}}

func (w *world) Tools() []sim.Tool                { return tools }
func (w *world) Begin(context.Context, int) error { return nil }
func (w *world) State() (sim.State, error)        { return sim.RawState(sim.MustCanonical(state{w.n})), nil }
func (w *world) Fork() (sim.World, error)         { return &world{w.n, w.closed}, nil }
func (w *world) Close() error                     { w.closed = true; return nil }

func (w *world) Call(_ context.Context, c sim.Call) sim.Result {
	if w.closed {
		return sim.Fault("the counter is closed")
	}
	var a struct {
		Amount int `json:"amount"`
	}
	if err := json.Unmarshal(c.Arguments, &a); err != nil || c.Name != "add" || a.Amount < 1 || a.Amount > 9999 {
		return sim.Result{Data: json.RawMessage(`{"error":"add an amount from 1 to 9999"}`), Status: "invalid", Code: "bad_call", Invalid: true}
	}
	w.n += a.Amount
	return sim.Result{Data: sim.MustCanonical(state{w.n}), Status: sim.StatusOK}
}

// shows is the rule that the counter shows a number in the end.
type shows struct {
	N int `json:"n"`
}

func (*shows) Name() string    { return "counter.shows" }
func (*shows) Codes() []string { return []string{"wrong_count"} }

func (s *shows) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	var got state
	if err := json.Unmarshal(ev.Final.JSON(), &got); err != nil {
		return nil, err
	}
	if got.N == s.N {
		return nil, nil
	}
	return []grader.Finding{{Code: "wrong_count", Type: grader.StateType, Message: fmt.Sprintf("the counter shows %d, not %d", got.N, s.N), Want: strconv.Itoa(s.N), Got: strconv.Itoa(got.N)}}, nil
}

// Shows demands what the counter shows after the first ask.
func Shows(n int) grader.Check { return grader.Check{Rule: &shows{n}} }

// Kit is the counter's.
func Kit() tasks.Kit {
	return tasks.Kit{
		Kind: sim.Kind{Name: "counter", New: func(context.Context, sim.Env, json.RawMessage, []string) (sim.World, error) { return &world{}, nil }},
		Rules: map[string]func() grader.Rule{
			"counter.shows": func() grader.Rule { return &shows{} },
		},
		Sources: func(tasks.Task) (tasks.Sources, error) { return tasks.Sources{}, nil },
		Vocabulary: tasks.Vocabulary{Finish: func(d *tasks.Draft) error {
			d.Task.Tools = []string{"all"}
			return nil
		}}.With(steps.Common()...).With(
			tasks.Then(`the counter shows (\d+)`, func(d *tasks.Draft, n int) error { return d.Check(&shows{n}) }),
			tasks.Then(`a reference adds (\d+)`, func(d *tasks.Draft, n int) error {
				if err := d.Call("add", map[string]int{"amount": n}); err != nil {
					return err
				}
				return d.Answer("done")
			}),
		),
	}
}

// Agents are what BENCH_MODEL can choose in the suite's test. Each reads the amount in the ask.
func Agents() map[string]func(tasks.Envelope) agent.Agent {
	return map[string]func(tasks.Envelope) agent.Agent{
		"able":    func(tasks.Envelope) agent.Agent { return player{} },
		"slow":    func(tasks.Envelope) agent.Agent { return player{wait: 100 * time.Millisecond} },
		"wrong":   func(tasks.Envelope) agent.Agent { return player{off: 1} },
		"partly":  func(tasks.Envelope) agent.Agent { return player{off: 1, only: 7} },
		"panics":  func(tasks.Envelope) agent.Agent { return player{panics: true} },
		"unmade":  func(tasks.Envelope) agent.Agent { panic("the maker panics") },
		"quits":   func(tasks.Envelope) agent.Agent { return quitter{} },
		"misuses": func(tasks.Envelope) agent.Agent { return misuser{} },
		"blocks":  func(tasks.Envelope) agent.Agent { return blocker{} },
		"outage":  func(tasks.Envelope) agent.Agent { return player{outage: true} },
		"flaky":   func(tasks.Envelope) agent.Agent { return player{outage: true, only: 7} },
	}
}

type quitter struct{}

func (quitter) Play(context.Context, *agent.Session) error { runtime.Goexit(); return nil }

type misuser struct{}

func (misuser) Play(ctx context.Context, s *agent.Session) error {
	_, err := s.Call(ctx, sim.Call{Name: "add"}) // before any ask
	return err
}

type blocker struct{}

func (blocker) Play(context.Context, *agent.Session) error { select {} }

type player struct {
	wait   time.Duration
	off    int
	only   int // go wrong only on this amount
	panics bool
	outage bool
}

func (p player) Play(ctx context.Context, s *agent.Session) error {
	ask, ok, err := s.Next(ctx)
	if err != nil || !ok {
		return err
	}
	n, err := amount(s.Envelope().Asks[ask].Text)
	if err != nil {
		return err
	}
	if p.only != 0 && n != p.only {
		p.off, p.panics, p.outage = 0, false, false
	}
	select {
	case <-time.After(p.wait):
	case <-ctx.Done():
		return ctx.Err()
	}
	switch {
	case p.panics:
		panic("on purpose")
	case p.outage:
		return agent.Faultf(grader.LayerProvider, "network_error", "nobody answers")
	}
	if err := s.Turn(); err != nil {
		return err
	}
	if _, err := s.Call(ctx, sim.Call{Name: "add", Arguments: sim.MustCanonical(map[string]int{"amount": n + p.off})}); err != nil {
		return err
	}
	return s.Answer(json.RawMessage(`"done"`))
}

func amount(ask string) (int, error) {
	for _, w := range strings.Fields(ask) {
		if n, err := strconv.Atoi(strings.Trim(w, ".,")); err == nil {
			return n, nil
		}
	}
	return 0, errors.New("the ask names no amount")
}
