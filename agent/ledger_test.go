package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// The world of these tests is a ledger: a number that can be added to and read. Its setup may
// name a defect.

type ledger struct {
	lab    *lab
	defect string
	n      int
	ask    int
	closed bool
}

// A lab is what a test holds in its hand of the worlds that a kit makes.
type lab struct {
	hang   chan struct{} // closing it lets go of calls that hang
	closed atomic.Int32
	calls  atomic.Int32
}

var errLedger = fmt.Errorf("the ledger is torn")

func (l *lab) kit() *tasks.Kit {
	return &tasks.Kit{Kind: sim.Kind{Name: "ledger", New: func(ctx context.Context, _ sim.Env, setup json.RawMessage, _ []string) (sim.World, error) {
		w := &ledger{lab: l, ask: -1}
		var s struct {
			Start  int    `json:"start"`
			Defect string `json:"defect"`
		}
		if len(setup) > 0 {
			if err := json.Unmarshal(setup, &s); err != nil {
				return nil, err
			}
		}
		w.n, w.defect = s.Start, s.Defect
		switch w.defect {
		case "new":
			return nil, errLedger
		case "new panics":
			panic("no paper")
		case "new gives nothing":
			return nil, nil
		case "new hangs":
			<-l.hang
		case "new waits":
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return w, nil
	}}}
}

const ledgerSchema = `{"type":"object","properties":{"n":{"type":"integer","minimum":-9,"maximum":9}},"required":["n"],"additionalProperties":false}`

func (w *ledger) Tools() []sim.Tool {
	if w.defect == "tools panics" {
		panic("no tools")
	}
	return []sim.Tool{
		{Name: "add", Description: "Adds n.", Schema: json.RawMessage(ledgerSchema)},
		{Name: "get", Description: "Reads.", Schema: json.RawMessage(`{"type":"object","additionalProperties":false}`)},
	}
}

func (w *ledger) Begin(_ context.Context, ask int) error {
	switch {
	case w.defect == "begin", w.defect == "begin 2" && ask == 1:
		return errLedger
	case w.defect == "begin panics":
		panic("no ask")
	}
	if ask != w.ask+1 {
		return fmt.Errorf("ask %d after %d", ask, w.ask)
	}
	w.ask = ask
	return nil
}

func (w *ledger) Call(ctx context.Context, c sim.Call) sim.Result {
	w.lab.calls.Add(1)
	if w.closed {
		return sim.Fault("closed")
	}
	ok := func() sim.Result {
		return sim.Result{Status: sim.StatusOK, Data: json.RawMessage(strconv.Itoa(w.n))}
	}
	switch c.Name {
	case "add":
		var a struct{ N *int }
		d := json.NewDecoder(bytes.NewReader(c.Arguments))
		d.DisallowUnknownFields()
		_, twice := sim.ParseJSON(c.Arguments)
		if err := d.Decode(&a); err != nil || twice != nil || a.N == nil {
			return sim.Result{Status: "invalid", Code: "invalid_arguments", Invalid: true, Data: json.RawMessage(`"bad arguments"`)}
		}
		w.n += *a.N
		return ok()
	case "get":
		return ok()
	case "finish":
		r := ok()
		r.Done = true
		return r
	case "fault":
		return sim.Fault("a page is missing")
	case "panic":
		panic("ink")
	case "goexit":
		runtime.Goexit()
	case "wait": // as long as it may
		<-ctx.Done()
		w.n += 100
		return ok()
	case "interrupted": // breaks when its time ends
		<-ctx.Done()
		return sim.Fault("%v", ctx.Err())
	case "say": // gives back whatever it is told to
		var a struct{ Data, Arguments, Facts string }
		if json.Unmarshal(c.Arguments, &a) != nil {
			break
		}
		r := ok()
		r.Data, r.Arguments, r.Facts = json.RawMessage(a.Data), json.RawMessage(a.Arguments), json.RawMessage(a.Facts)
		return r
	case "wrap": // gives back its arguments in lists
		var a struct{ Times int }
		json.Unmarshal(c.Arguments, &a)
		a.Times = min(max(a.Times, 10), 1000)
		inner := c.Arguments
		if len(inner) == 0 {
			inner = json.RawMessage("0")
		}
		r := ok()
		r.Data = json.RawMessage(strings.Repeat("[", a.Times) + string(inner) + strings.Repeat("]", a.Times))
		r.Arguments = c.Arguments
		return r
	case "shared": // gives back memory that all ledgers share
		r := ok()
		r.Data, r.Arguments = shared, shared
		return r
	case "hang": // ignores ctx
		<-w.lab.hang
		return ok()
	case "nap":
		time.Sleep(time.Second)
		return ok()
	}
	return sim.Result{Status: "invalid", Code: "unknown_tool", Invalid: true, Data: json.RawMessage(`"no such tool"`)}
}

// shared is what the tool of this name gives back.
var shared = json.RawMessage(`{"shared":12345}`)

// nested is JSON that nests so deep.
func nested(n int) json.RawMessage {
	return json.RawMessage(strings.Repeat("[", n) + strings.Repeat("]", n))
}

func (w *ledger) State() (sim.State, error) {
	switch {
	case w.defect == "state is text", w.defect == "state is text later" && w.ask >= 0:
		return sim.RawState("ink"), nil
	case w.defect == "state is deep later" && w.ask >= 0:
		return sim.RawState(nested(sim.MaxWorldDepth + 1)), nil
	case w.defect == "state", w.defect == "state later" && w.ask >= 0:
		return nil, errLedger
	case w.defect == "state panics later" && w.ask >= 0:
		panic("no state")
	case w.defect == "state hangs later" && w.ask >= 0:
		<-w.lab.hang
	}
	return sim.RawState(fmt.Sprintf(`{"n":%d}`, w.n)), nil
}

func (w *ledger) Fork() (sim.World, error) { c := *w; return &c, nil }

func (w *ledger) Close() error {
	w.lab.closed.Add(1)
	w.closed = true
	switch w.defect {
	case "close panics":
		panic("no end")
	case "close hangs":
		<-w.lab.hang
	case "close":
		return errLedger
	}
	return nil
}

// rule is a rule for tests, as a function.
type rule struct {
	ID string `json:"id"`
	f  func(grader.Evidence) ([]grader.Finding, error)
}

func (r *rule) Name() string    { return "ledger." + r.ID }
func (r *rule) Codes() []string { return []string{r.ID} }
func (r *rule) String() string  { return "secret demand " + r.ID }
func (r *rule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return r.f(ev)
}

func found(code string, ok bool) []grader.Finding {
	if ok {
		return nil
	}
	return []grader.Finding{{Code: code, Type: grader.StateType, Message: code}}
}

// stands demands the ledger's number after an ask.
func stands(ask, n int) grader.Check {
	return grader.Check{Ask: ask, Rule: &rule{"stands", func(ev grader.Evidence) ([]grader.Finding, error) {
		return found("stands", string(ev.Final.JSON()) == fmt.Sprintf(`{"n":%d}`, n)), nil
	}}}
}

// fails is a check that cannot be evaluated.
func fails(ask int, err error) grader.Check {
	return grader.Check{Ask: ask, Rule: &rule{"fails", func(grader.Evidence) ([]grader.Finding, error) { return nil, err }}}
}

// task returns a task of one ask, with a limit of ten turns.
func task(edit ...func(*tasks.Task)) tasks.Task {
	t := tasks.Task{
		ID: "books/ledger/add", Title: "Add", Labels: []string{"level:1"}, World: "ledger", System: "Keep the books.",
		Asks: []tasks.Ask{{Text: "Add two."}}, Setup: json.RawMessage(`{"start":1}`), Tools: []string{"add", "get"},
		Limits: tasks.Limits{Turns: 10},
		Rubric: tasks.Rubric{Checks: []grader.Check{stands(0, 3)}},
	}
	for _, e := range edit {
		e(&t)
	}
	return t
}

func twoAsks(t *tasks.Task) {
	t.Asks = []tasks.Ask{{Text: "Add two."}, {Text: "Add three."}}
	t.Rubric.Checks = []grader.Check{stands(0, 3), stands(1, 6)}
}

func gated(t *tasks.Task) { twoAsks(t); t.Asks[0].Gated = true }

func lenient(t *tasks.Task) { t.Protocol.Lenient = true }

func defect(name string) func(*tasks.Task) {
	return func(t *tasks.Task) { t.Setup = json.RawMessage(fmt.Sprintf(`{"start":1,"defect":%q}`, name)) }
}

func limits(l tasks.Limits) func(*tasks.Task) { return func(t *tasks.Task) { t.Limits = l } }

func wall(d time.Duration) func(*tasks.Task) {
	return func(t *tasks.Task) { t.Limits.Wall = tasks.Duration(d) }
}

// An actor is an agent as a function.
type actor func(ctx context.Context, s *agent.Session) error

func (a actor) Play(ctx context.Context, s *agent.Session) error { return a(ctx, s) }

// A step is one reply of a scripted model.
type step = func([]tasks.Message) (agent.Reply, agent.Usage, error)

func says(text string) step {
	return func([]tasks.Message) (agent.Reply, agent.Usage, error) {
		return agent.Reply{Text: text}, agent.Usage{}, nil
	}
}

func add(n int) step { return says(fmt.Sprintf(`{"tool":"add","arguments":{"n":%d}}`, n)) }

func tool(name string) step { return says(fmt.Sprintf(`{"tool":%q}`, name)) }

func answer(text string) step { return says(`{"answer":` + text + `}`) }

func errs(err error) step {
	return func([]tasks.Message) (agent.Reply, agent.Usage, error) { return agent.Reply{}, agent.Usage{}, err }
}

func replies(r agent.Reply) step {
	return func([]tasks.Message) (agent.Reply, agent.Usage, error) { return r, agent.Usage{}, nil }
}

// costs gives a reply its usage.
func costs(s step, u agent.Usage) step {
	return func(c []tasks.Message) (agent.Reply, agent.Usage, error) {
		r, _, err := s(c)
		return r, u, err
	}
}

func used(in, out int64) agent.Usage {
	return agent.Usage{Requests: 1, Input: agent.Tokens(in), Output: agent.Tokens(out)}
}

// loop is the plain loop around a scripted model.
func loop(steps ...step) agent.Loop {
	return agent.Loop{Model: &agent.Scripted{Steps: steps}, Dialect: tasks.PlainDialect{}}
}

// A modelFunc is a model that sees its context.
type modelFunc func(ctx context.Context) (agent.Reply, agent.Usage, error)

func (f modelFunc) Next(ctx context.Context, _ []tasks.Message, _ []sim.Tool) (agent.Reply, agent.Usage, error) {
	return f(ctx)
}

// play plays and grades, as a run does.
func play(tb testing.TB, a agent.Agent, t tasks.Task, edit ...func(*agent.Config)) *agent.Episode {
	tb.Helper()
	ep, _ := playIn(tb, context.Background(), a, t, edit...)
	return ep
}

func playIn(tb testing.TB, ctx context.Context, a agent.Agent, t tasks.Task, edit ...func(*agent.Config)) (*agent.Episode, *lab) {
	tb.Helper()
	l := &lab{hang: make(chan struct{})}
	c := agent.Config{Kit: l.kit(), Task: t, Seed: 1, Agent: "test", Trial: 1, Grace: time.Second}
	for _, e := range edit {
		e(&c)
	}
	ep := agent.Play(ctx, a, c)
	grade(ep, t)
	if err := sound(ep, t); err != nil {
		tb.Error(err)
	}
	return ep, l
}

func grade(ep *agent.Episode, t tasks.Task) {
	if ep.Outcome != grader.Broken {
		ep.Verdict = grader.Grade(context.Background(), t.Rubric.Checks, ep)
		ep.Outcome, ep.Layer, ep.Reason, ep.Score = ep.Verdict.Outcome, ep.Verdict.Layer, ep.Verdict.Reason, ep.Verdict.Score
	}
}

func inTools(c *agent.Config) { c.Protocol = agent.ProtocolTools }

// sound returns which invariant of an episode is broken, if one is.
func sound(ep *agent.Episode, t tasks.Task) error {
	switch {
	case ep.End.Code == "":
		return fmt.Errorf("the episode has no end")
	case len(ep.Answers) != len(t.Asks):
		return fmt.Errorf("%d answers to %d asks", len(ep.Answers), len(t.Asks))
	case len(ep.States) > len(t.Asks):
		return fmt.Errorf("%d states of %d asks", len(ep.States), len(t.Asks))
	case t.Limits.Turns > 0 && len(ep.Turns) > t.Limits.Turns:
		return fmt.Errorf("%d turns of %d", len(ep.Turns), t.Limits.Turns)
	case (ep.Outcome == grader.Broken) != (ep.Layer != ""):
		return fmt.Errorf("outcome %q with layer %q", ep.Outcome, ep.Layer)
	}
	for i, e := range ep.Trace {
		if e.Turn < 1 || t.Limits.Turns > 0 && e.Turn > t.Limits.Turns {
			return fmt.Errorf("event %d is of turn %d of %d", i, e.Turn, t.Limits.Turns)
		}
		if i > 0 && (e.Ask < ep.Trace[i-1].Ask || e.Turn < ep.Trace[i-1].Turn) || e.Ask < 0 || e.Ask >= len(t.Asks) {
			return fmt.Errorf("event %d of ask %d, turn %d is out of order", i, e.Ask, e.Turn)
		}
	}
	return rereadable(ep)
}

// rereadable returns why an episode's record cannot be read back and written again the same.
func rereadable(ep *agent.Episode) error {
	raw, err := record(ep)
	if err != nil {
		return fmt.Errorf("the episode has no JSON: %w", err)
	}
	if !utf8.Valid(raw) {
		return fmt.Errorf("the record is not UTF-8")
	}
	if _, err := sim.ParseJSON(raw); err != nil {
		return fmt.Errorf("the record cannot be read back: %w", err)
	}
	var back agent.Episode
	if err := json.Unmarshal(raw, &back); err != nil {
		return fmt.Errorf("the record is of no episode: %w", err)
	}
	again, err := record(&back)
	if err != nil || !bytes.Equal(again, raw) {
		return fmt.Errorf("written again the record differs, error %v:\n%.2000s\n%.2000s", err, raw, again)
	}
	return nil
}

// ends describes an episode in a line: outcome, end, and of a broken one layer and code.
func ends(ep *agent.Episode) string {
	if ep.Outcome == grader.Broken {
		return strings.TrimSpace(fmt.Sprintf("broken %s %s", ep.Layer, ep.FaultCode))
	}
	return string(ep.Outcome) + " " + ep.End.Code
}

// reasoned fails a test whose table has a case without a reason, or two of one name.
func reasoned(tb testing.TB, seen map[string]bool, name, reason string) {
	tb.Helper()
	if reason == "" || name == "" || seen[name] {
		tb.Fatalf("case %q: a case has a name of its own and a reason", name)
	}
	seen[name] = true
}
