package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"benchwright/sim"
)

// Kind makes the worlds of this package from the built-in library. Its setup is a [Setup]. Its
// tools are the scope: any of the twenty, or the one word "all". Nothing in it is random.
var Kind = sim.Kind{Name: name, New: newWorld, Decode: decode}

// AllTools is the scope of every tool.
const AllTools = "all"

const name = "workspace"

// Kind makes worlds from this library, as the variable Kind does from the built-in one.
func (l *Library) Kind() sim.Kind {
	return sim.Kind{
		Name:   name,
		Decode: decode,
		New: func(_ context.Context, _ sim.Env, setup json.RawMessage, tools []string) (sim.World, error) {
			return l.newWorld(setup, tools)
		},
	}
}

var errClosed = errors.New("workspace: the world is closed")

func errorf(format string, args ...any) error { return fmt.Errorf("workspace: "+format, args...) }

// A world is one episode's. All that it points to is shared and never changes.
type world struct {
	state  *state
	scope  []*tool
	closed bool
}

func newWorld(_ context.Context, _ sim.Env, setup json.RawMessage, tools []string) (sim.World, error) {
	l, err := Builtin()
	if err != nil {
		return nil, err
	}
	return l.newWorld(setup, tools)
}

func (l *Library) newWorld(setup json.RawMessage, tools []string) (sim.World, error) {
	in, err := scope(tools)
	if err != nil {
		return nil, err
	}
	s := l.seeded.get(string(setup))
	if s == nil {
		parsed, err := ParseSetup(setup)
		if err != nil {
			return nil, err
		}
		if s, err = parsed.build(l); err != nil {
			return nil, err
		}
		s = l.seeded.put(string(setup), s)
	}
	return &world{state: s, scope: in}, nil
}

func (w *world) Tools() []sim.Tool {
	tools := make([]sim.Tool, len(w.scope))
	for i, t := range w.scope {
		tools[i] = t.public
	}
	return tools
}

func (w *world) Begin(context.Context, int) error {
	if w.closed {
		return errClosed
	}
	return nil
}

// Call looks at the name, the scope, the form of the arguments, and then as the tool does.
func (w *world) Call(_ context.Context, c sim.Call) sim.Result {
	if w.closed {
		return sim.Fault("%v", errClosed)
	}
	t := byName[c.Name]
	switch {
	case t == nil:
		return refused(c.Name, invalid("Unknown tool %s", quoted(c.Name)))
	case len(w.scope) < len(catalogue) && !slices.Contains(w.scope, t):
		return refused(c.Name, invalid("Tool %s is not allowed.", quoted(c.Name)))
	}
	args, f := parse(c.Name, c.Arguments)
	if f != nil {
		return refused(c.Name, f)
	}
	if f := args.long(); f != nil {
		return refused(c.Name, f)
	}
	k := call{tool: t, args: args, raw: c.Arguments, state: w.state}
	f = t.run(&k)
	if k.after != nil && f == nil {
		f = k.after.grow(w.state)
		if f != nil {
			return refused(c.Name, f)
		}
	}
	if k.after != nil {
		w.state = k.after
	}
	if f != nil {
		return refused(c.Name, f)
	}
	return answered(c.Name, w.state, k.data)
}

func (w *world) State() (sim.State, error) {
	if w.closed {
		return nil, errClosed
	}
	return w.state, nil
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
