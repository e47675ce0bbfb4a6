package mcp_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"benchwright/agent"
	"benchwright/agent/mcp"
	"benchwright/features"
	"benchwright/grader"
	"benchwright/internal/run"
	"benchwright/sim"
	"benchwright/tasks"
)

// A tally is the world of most tests: a sum that is added to, and a document.
type tally struct {
	sum  int
	uri  string // of its page; "" is page:1
	busy bool   // a second call at the same time would see it
}

func (w *tally) Tools() []sim.Tool {
	return []sim.Tool{
		{Name: "add", Description: "Adds n.", Schema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`)},
		{Name: "read", Description: "Reads a page.", Schema: json.RawMessage(`{"properties":{"uri":{"type":"string"}}}`)},
		{Name: "tear"},
	}
}
func (w *tally) Begin(context.Context, int) error { return nil }
func (w *tally) Call(_ context.Context, c sim.Call) sim.Result {
	if w.busy {
		return sim.Fault("two calls at once")
	}
	w.busy = true
	defer func() { w.busy = false }()
	var a struct {
		N   int
		URI string
	}
	json.Unmarshal(c.Arguments, &a)
	switch {
	case c.Name == "add":
		time.Sleep(50 * time.Microsecond)
		w.sum += a.N
		return sim.Result{Status: sim.StatusOK, Data: json.RawMessage(fmt.Sprint(w.sum))}
	case c.Name == "read" && a.URI == "page:1":
		return sim.Result{Status: sim.StatusOK, Data: json.RawMessage(`"once upon a time"`)}
	case c.Name == "tear":
		return sim.Fault("torn")
	}
	return sim.Result{Status: "error", Code: "unknown", Invalid: true, Data: json.RawMessage(`"there is none"`)}
}
func (w *tally) State() (sim.State, error) { return sim.RawState(fmt.Sprint(w.sum)), nil }
func (w *tally) Fork() (sim.World, error)  { f := *w; return &f, nil }
func (w *tally) Close() error              { return nil }
func (w *tally) Documents() sim.Documents {
	return sim.Documents{
		Resources: []sim.Resource{{URI: cmp.Or(w.uri, "page:1"), Name: "Page", Description: "The page.", MIMEType: "text/plain"}},
		ReadTool:  "read", PromptTool: "sing", Prompts: []sim.Prompt{{Name: "song"}},
		Read: func(r sim.Result) (string, string) { return strings.Trim(string(r.Data), `"`), "text/plain" },
	}
}

var kit = tasks.Kit{Kind: sim.Kind{Name: "tally", New: func(context.Context, sim.Env, json.RawMessage, []string) (sim.World, error) {
	return &tally{}, nil
}}}

// tallyTask is a task of the tally with some asks.
func tallyTask(asks ...string) tasks.Task {
	t := tasks.Task{ID: "secretsuite/secretfamily/secretname", World: "tally", Labels: []string{"level:9"}, Limits: tasks.Limits{Turns: 1000}, Protocol: tasks.Protocol{Lenient: true}}
	for _, a := range asks {
		t.Asks = append(t.Asks, tasks.Ask{Text: a})
	}
	return t
}

func play(ctx context.Context, a agent.Agent, t tasks.Task, k *tasks.Kit) *agent.Episode {
	return agent.Play(ctx, a, agent.Config{Kit: k, Task: t, Agent: "mcp", Protocol: agent.ProtocolTools, Grace: 2 * time.Second})
}

// within plays a task over a stream, with do at the other end, and closes it when do returns.
func within(t testing.TB, task tasks.Task, k *tasks.Kit, o mcp.Options, do func(context.Context, *sdk.ClientSession)) *agent.Episode {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	here, there := sdk.NewInMemoryTransports()
	done := make(chan *agent.Episode, 1)
	go func() { done <- play(ctx, &mcp.Stream{Transport: there, Dialect: k.Speaks(), Options: o}, task, k) }()
	c := connect(ctx, t, here)
	do(ctx, c)
	c.Close()
	return <-done
}

func connect(ctx context.Context, t testing.TB, transport sdk.Transport) *sdk.ClientSession {
	t.Helper()
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// call calls a tool and returns the text, and whether it is an error's.
func call(ctx context.Context, t testing.TB, c *sdk.ClientSession, tool string, args any) (string, bool) {
	t.Helper()
	r, err := c.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err.Error(), true
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

// workspaceTasks compiles the small workspace tasks.
func workspaceTasks(t testing.TB) (*tasks.Kit, []tasks.Task) {
	t.Helper()
	suite := features.Suite()
	compiled, err := tasks.Compile(suite)
	if err != nil {
		t.Fatal(err)
	}
	var all []tasks.Task
	for _, task := range compiled.Tasks {
		if task.ID.Suite() == "workspace-small" {
			all = append(all, task)
		}
	}
	return suite.Kit("workspace"), all
}

// follow plays a reference as an outside harness would.
func follow(ctx context.Context, t testing.TB, c *sdk.ClientSession, task tasks.Task) {
	t.Helper()
	asks := len(task.Asks)
	for _, m := range task.Rubric.Reference {
		for _, k := range m.Calls {
			if text, bad := call(ctx, t, c, k.Name, k.Arguments); bad {
				t.Errorf("%s: %s", k.Name, text)
			}
		}
		var text string
		if json.Unmarshal(m.Answer, &text) == nil && text != "" {
			call(ctx, t, c, agent.FinalAnswer, map[string]string{"text": text})
		}
		if m.Answer != nil && asks > 1 {
			asks--
			if text, bad := call(ctx, t, c, agent.NextAsk, nil); bad || !strings.Contains(text, "prompt") {
				t.Errorf("the next ask: %s", text)
			}
		}
	}
}

func graded(ep *agent.Episode, t tasks.Task, k *tasks.Kit) *agent.Episode {
	run.Grade(context.Background(), ep, t, k)
	return ep
}

func expect(t *testing.T, ep *agent.Episode, end string, calls int) {
	t.Helper()
	if ep.End.Code != end || len(ep.Trace) != calls || ep.Outcome == grader.Broken {
		t.Errorf("ended by %+v with %d calls, outcome %q %s; want %s with %d", ep.End, len(ep.Trace), ep.Outcome, ep.Reason, end, calls)
	}
}
