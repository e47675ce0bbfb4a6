package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// A wordy dialect bounds repairs, tells turns, and offers a native tool that answers.
type wordy struct{ tasks.PlainDialect }

func (wordy) Repairs() int { return 2 }

func (wordy) Tell(_ tasks.Envelope, turn int, c sim.Call, r sim.Result) (tasks.Message, error) {
	return tasks.Message{Role: tasks.RoleUser, Content: fmt.Sprintf("turn %d: %s gave %s", turn, c.Name, r.Data)}, nil
}

func (wordy) OpenTools(env tasks.Envelope, ask int, _ []sim.Tool) ([]tasks.Message, error) {
	return []tasks.Message{{Role: tasks.RoleUser, Content: env.Asks[ask].Text}}, nil
}

func (wordy) ParseText(tasks.Envelope, string) (tasks.Action, error) {
	return tasks.Action{}, tasks.Malformedf("no_call", "call finish")
}

func (wordy) Offer(_ tasks.Envelope, tools []sim.Tool) []sim.Tool {
	return append(tools, sim.Tool{Name: "finish", Schema: json.RawMessage(`{"type":"object"}`)})
}

func (wordy) ParseCalls(_ tasks.Envelope, calls []sim.Call) (tasks.Action, error) {
	var a tasks.Action
	for _, c := range calls {
		if c.Name == "finish" {
			a.Answer = c.Arguments
			continue
		}
		a.Calls = append(a.Calls, c)
	}
	return a, nil
}

type echo struct{ calls int }

func (e *echo) Tools() []sim.Tool                { return []sim.Tool{{Name: "look", Schema: json.RawMessage(`{}`)}} }
func (e *echo) Begin(context.Context, int) error { return nil }
func (e *echo) Call(context.Context, sim.Call) sim.Result {
	e.calls++
	return sim.Result{Data: json.RawMessage(`7`), Status: sim.StatusOK}
}
func (e *echo) State() (sim.State, error) { return sim.RawState(sim.MustCanonical(e.calls)), nil }
func (e *echo) Fork() (sim.World, error)  { c := *e; return &c, nil }
func (e *echo) Close() error              { return nil }

func wordyConfig(protocol string) agent.Config {
	kit := &tasks.Kit{Dialect: wordy{}, Kind: sim.Kind{Name: "echo", New: func(context.Context, sim.Env, json.RawMessage, []string) (sim.World, error) { return &echo{}, nil }}}
	t := tasks.Task{ID: "s/f/t", World: "echo", Asks: []tasks.Ask{{Text: "Look."}}, Limits: tasks.Limits{Turns: 9}, Protocol: tasks.Protocol{Lenient: true}}
	return agent.Config{Kit: kit, Task: t, Protocol: protocol}
}

func saying(texts ...agent.Reply) *agent.Scripted {
	m := &agent.Scripted{}
	for _, r := range texts {
		m.Steps = append(m.Steps, func([]tasks.Message) (agent.Reply, agent.Usage, error) { return r, agent.Usage{}, nil })
	}
	return m
}

func TestRepairsAreBounded(t *testing.T) {
	bad := agent.Reply{Text: "what?"}
	for _, c := range []struct {
		name    string
		replies []agent.Reply
		end     string
		reason  string
	}{
		{"two", []agent.Reply{bad, bad, {Text: `{"answer":1}`}}, grader.EndDone, "two malformed replies are survived"},
		{"three", []agent.Reply{bad, bad, bad}, tasks.InvalidJSON, "the third ends the episode"},
	} {
		ep := agent.Play(t.Context(), agent.Loop{Model: saying(c.replies...), Dialect: wordy{}}, wordyConfig("json"))
		if ep.End.Code != c.end || ep.Outcome == grader.Broken {
			t.Errorf("%s: %s, %s %s: %s", c.name, ep.End.Code, ep.Outcome, ep.Reason, c.reason)
		}
	}
}

func TestResultsAreToldWithTheirTurn(t *testing.T) {
	ep := agent.Play(t.Context(), agent.Loop{Model: saying(agent.Reply{Text: `{"tool":"look"}`}, agent.Reply{Text: `{"tool":"look"}`}, agent.Reply{Text: `{"answer":1}`}), Dialect: wordy{}}, wordyConfig("json"))
	all := ""
	for _, m := range ep.Messages {
		all += m.Content + "\n"
	}
	if !strings.Contains(all, "turn 1: look gave 7") || !strings.Contains(all, "turn 2: look gave 7") {
		t.Error(all)
	}
}

func TestDialectOffersAToolThatAnswers(t *testing.T) {
	var seen []string
	m := &agent.Scripted{Steps: []func([]tasks.Message) (agent.Reply, agent.Usage, error){
		func([]tasks.Message) (agent.Reply, agent.Usage, error) {
			return agent.Reply{Calls: []sim.Call{{Name: "look"}, {Name: "finish", Arguments: json.RawMessage(`{"n":7}`)}}}, agent.Usage{}, nil
		},
	}}
	spy := spyModel{m, &seen}
	ep := agent.Play(t.Context(), agent.Loop{Model: spy, Dialect: wordy{}}, wordyConfig("tools"))
	if strings.Join(seen, " ") != "look finish" || len(ep.Trace) != 1 || string(ep.Answers[0]) != `{"n":7}` || !ep.End.Finished() {
		t.Errorf("offered %v, %d calls, answers %s, end %v", seen, len(ep.Trace), ep.Answers, ep.End)
	}
}

type spyModel struct {
	agent.Model
	seen *[]string
}

func (s spyModel) Next(ctx context.Context, conv []tasks.Message, tools []sim.Tool) (agent.Reply, agent.Usage, error) {
	for _, t := range tools {
		*s.seen = append(*s.seen, t.Name)
	}
	return s.Model.Next(ctx, conv, tools)
}
