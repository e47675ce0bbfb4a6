package wealth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchwright/sim"
)

// Kind makes the worlds of this package. Its setup is a [Setup]. Its tools are the scope: any
// tools but those that write, or the one word "all" for all of these. Nothing in the world is
// random.
var Kind = sim.Kind{Name: "wealth", New: newWorld}

// AllTools is the scope of every tool that does not write.
const AllTools = "all"

var errClosed = errors.New("wealth: the world is closed")

// A world is one episode's. All but closed is shared with its forks and never changes.
type world struct {
	fixture *fixture
	caller  string // the household that the agent acts for
	scope   []string
	tools   []sim.Tool
	closed  bool
}

func newWorld(_ context.Context, _ sim.Env, raw json.RawMessage, tools []string) (sim.World, error) {
	setup, err := ParseSetup(raw)
	if err != nil {
		return nil, err
	}
	f, err := setup.fixture()
	if err != nil {
		return nil, err
	}
	w := &world{fixture: f, caller: setup.Household}
	if w.scope, err = scope(tools); err != nil {
		return nil, err
	}
	w.tools = make([]sim.Tool, 0, len(w.scope))
	for _, name := range w.scope {
		w.tools = append(w.tools, catalogue[name].public)
	}
	return w, nil
}

// scope returns the names of the tools in scope, sorted.
func scope(tools []string) ([]string, error) {
	if len(tools) == 1 && tools[0] == AllTools {
		return slices.DeleteFunc(ToolNames(), Writes), nil
	}
	in := slices.Sorted(slices.Values(tools))
	for i, name := range in {
		switch {
		case catalogue[name] == nil:
			return nil, fmt.Errorf("wealth: unknown tool %q in scope; there are %s", name, strings.Join(slices.DeleteFunc(ToolNames(), Writes), ", "))
		case Writes(name):
			return nil, fmt.Errorf("wealth: tool %q writes and can be in no scope", name)
		case i > 0 && in[i-1] == name:
			return nil, fmt.Errorf("wealth: tool %q is in scope twice", name)
		}
	}
	return in, nil
}

func (w *world) Tools() []sim.Tool { return slices.Clone(w.tools) }

func (w *world) Begin(context.Context, int) error {
	if w.closed {
		return errClosed
	}
	return nil
}

func (w *world) Call(ctx context.Context, c sim.Call) sim.Result {
	if w.closed {
		return sim.Fault("%v", errClosed)
	}
	t := catalogue[c.Name]
	s := parseArguments(t, c.Arguments)
	r := w.call(ctx, c.Name, t, s)
	r.Arguments = s.canonical
	return r
}

// call checks in the order that the package comment gives.
func (w *world) call(ctx context.Context, name string, t *tool, s sent) sim.Result {
	switch {
	case t == nil:
		return rejected(name, StatusDenied, CodeUnknownTool, "there is no tool of this name")
	case t.writes:
		return rejected(name, StatusDenied, CodeWriteDenied, "nothing can be written: orders and transfers are not permitted")
	case !slices.Contains(w.scope, name):
		return rejected(name, StatusDenied, CodeToolNotInScope, "this tool is not available for this request")
	}
	args, numbers, problem := t.check(s)
	if problem != "" {
		return rejected(name, StatusInvalid, CodeInvalidArguments, problem)
	}
	for i, p := range t.params {
		if p.kind == household && args[i] != w.caller {
			return rejected(name, StatusDenied, CodeHouseholdDenied, "only the caller's own household may be read")
		}
	}
	if ctx.Err() != nil {
		return rejected(name, StatusError, CodeDeadline, "there is no time left for this request")
	}
	if t.compute != nil {
		return t.computed(t.compute(numbers).round())
	}
	r := t.read(w.fixture, args)
	switch {
	case r == nil:
		return rejected(name, StatusError, CodeNotFound, "there is no such record")
	case r.fault != "":
		return rejected(name, StatusError, r.fault, "the tool failed and gave no value")
	}
	return sim.Result{Data: r.encoded, Status: StatusOK}
}

// unwritten is the state of every world here: the runtime has counted no write.
var unwritten = sim.RawState(`{"writes":0}`)

func (w *world) State() (sim.State, error) {
	if w.closed {
		return nil, errClosed
	}
	return unwritten, nil
}

func (w *world) Fork() (sim.World, error) {
	if w.closed {
		return nil, errClosed
	}
	f := *w
	return &f, nil
}

func (w *world) Close() error {
	w.closed = true
	return nil
}
