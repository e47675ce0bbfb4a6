package wiki

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	fixture "benchwright/fixtures/wiki"
	"benchwright/sim"
	"benchwright/sim/wiki/loops"
)

// Kind makes the worlds of the built-in case. Its setup is a [Setup]. Its tools are the scope: any
// of the nine, or the one word "all". Nothing in it is random.
var Kind = kindOf(plugins)

// KindOf makes worlds of another case, which nobody may write to any more.
func KindOf(c *fixture.Case) sim.Kind {
	return kindOf(sync.OnceValues(func() (*library, error) { return newLibrary(c) }))
}

func kindOf(open func() (*library, error)) sim.Kind {
	return sim.Kind{Name: "wiki", New: func(_ context.Context, _ sim.Env, raw json.RawMessage, tools []string) (sim.World, error) {
		l, err := open()
		if err != nil {
			return nil, err
		}
		return l.newWorld(raw, tools)
	}}
}

var errClosed = errors.New("wiki: the world is closed")

func errorf(format string, args ...any) error { return fmt.Errorf("wiki: "+format, args...) }

// A world is one episode's. All that it points to is shared and never changes.
type world struct {
	now    *moment
	stages []Stage
	faults Faults
	scope  []*tool
	calls  int             // since the first Begin
	used   int             // of them in the present stage
	loop   *loops.Detector // of the present stage
	closed bool
}

func (l *library) newWorld(raw json.RawMessage, tools []string) (sim.World, error) {
	setup, err := ParseSetup(raw)
	if err != nil {
		return nil, err
	}
	if setup, err = setup.Resolve(l.c); err != nil {
		return nil, err
	}
	in, err := scope(tools)
	if err != nil {
		return nil, err
	}
	w := &world{now: l.first.edit(), stages: setup.Stages, faults: setup.Faults, scope: in}
	w.now.stages = make([]StageState, len(w.stages))
	for i, st := range w.stages {
		w.now.stages[i] = StageState{Name: st.Name, Selected: append([]string{}, st.Selected...), Locked: st.Locked}
	}
	return w, nil
}

func (w *world) Tools() []sim.Tool {
	tools := make([]sim.Tool, len(w.scope))
	for i, t := range w.scope {
		tools[i] = t.Tool
	}
	return tools
}

// Begin starts the stage of an ask.
func (w *world) Begin(ctx context.Context, ask int) error {
	if w.closed {
		return errClosed
	}
	if ask < 0 || ask >= len(w.stages) {
		return errorf("ask %d: the setup has %d stages", ask+1, len(w.stages))
	}
	if err := w.now.library.verify(); err != nil {
		return err
	}
	if err := w.selfTest(); err != nil {
		return err
	}
	w.now = w.now.edit()
	w.now.stage, w.used, w.loop = ask, 0, loops.New()
	return nil
}

// selfTest uses every root through the tools that an agent has, in a copy that is thrown away.
func (w *world) selfTest() error {
	own := *w
	own.now = w.now.edit()
	own.now.stage = -1 // so that reading proves nothing
	try := func(run func(*call) (any, *failure), at string) error {
		k := &call{world: &own, args: arguments{"path": at}, canonical: map[string]any{}}
		if _, f := run(k); f != nil {
			return errorf("mount: %s: %s", f.code, f.message)
		}
		return nil
	}
	for _, at := range Roots() {
		if err := try((*call).listDir, at); err != nil {
			return err
		}
		if f := w.now.known(at); f != nil {
			if err := try((*call).readFile, f.path); err != nil {
				return err
			}
		}
	}
	return nil
}

// known returns a file that is below a root always, or nil.
func (m *moment) known(root string) *file {
	if root == WikiRoot && len(m.wiki.pages) > 0 {
		return m.wiki.pages[0].file
	}
	for _, f := range m.library.files {
		if strings.HasPrefix(f.path, root+"/") {
			return f
		}
	}
	return nil
}

func (w *world) State() (sim.State, error) {
	if w.closed {
		return nil, errClosed
	}
	return w.now, nil
}

func (w *world) Fork() (sim.World, error) {
	if w.closed {
		return nil, errClosed
	}
	f := *w
	if w.loop != nil {
		f.loop = w.loop.Clone()
	}
	return &f, nil
}

func (w *world) Close() error {
	w.closed = true
	return nil
}
