package agent_test

import (
	"context"
	"encoding/json"
	"fmt"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// Any code can be an agent: it puts the asks, calls tools and answers.
func ExamplePlay() {
	var l lab // makes the kit of a small ledger
	t := tasks.Task{
		ID: "books/ledger/add", World: "ledger", Asks: []tasks.Ask{{Text: "Add two."}}, Setup: json.RawMessage(`{"start":1}`),
		Limits: tasks.Limits{Turns: 3}, Rubric: tasks.Rubric{Checks: []grader.Check{stands(0, 3)}},
	}
	policy := actor(func(ctx context.Context, s *agent.Session) error {
		for {
			if _, ok, err := s.Next(ctx); !ok || err != nil {
				return err
			}
			if _, err := s.Call(ctx, sim.Call{Name: "add", Arguments: json.RawMessage(`{"n":2}`)}); err != nil {
				return err
			}
			if err := s.Answer(json.RawMessage(`"done"`)); err != nil {
				return err
			}
		}
	})
	ep := agent.Play(context.Background(), policy, agent.Config{Kit: l.kit(), Task: t, Agent: "policy"})
	v := grader.Grade(context.Background(), t.Rubric.Checks, ep)
	fmt.Println(ep.End.Code, v.Outcome, string(ep.States[0]))
	// Output: done passed {"n":3}
}

// A model plays in the plain loop; in tests it is a list of functions.
func ExampleLoop() {
	var l lab
	says := func(text string) func([]tasks.Message) (agent.Reply, agent.Usage, error) {
		return func([]tasks.Message) (agent.Reply, agent.Usage, error) {
			return agent.Reply{Text: text}, agent.Usage{}, nil
		}
	}
	m := &agent.Scripted{}
	m.Steps = append(m.Steps, says(`{"tool": "get"}`), says(`{"answer": 1}`))
	ep := agent.Play(context.Background(), agent.Loop{Model: m, Dialect: tasks.PlainDialect{}}, agent.Config{
		Kit: l.kit(), Task: tasks.Task{World: "ledger", Asks: []tasks.Ask{{Text: "How much is it?"}}, Setup: json.RawMessage(`{"start":1}`)},
	})
	fmt.Println(ep.End.Code, string(ep.Answers[0]), ep.Trace[0].Call.Name)
	// Output: done 1 get
}
