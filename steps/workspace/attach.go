package workspace

import (
	"context"
	"encoding/json"
	"sync"

	"benchwright/sim"
	world "benchwright/sim/workspace"
	"benchwright/sim/workspace/backend"
)

// A growing library is the built-in one and the backends that a run attaches to it, before any
// world is made of it.
type growing struct {
	mu      sync.Mutex
	library *world.Library
}

// published are the display names that published tasks know these backends by.
var published = map[string]string{
	"stark-enterprise-x":     "Bench Stark Enterprise",
	"stark-enterprise-y":     "Bench Stark Enterprise",
	"support-daloopa-skills": "Bench Daloopa",
	"getting-started":        "Getting Started",
	"widget-examples":        "Widget Examples",
}

// get returns the library as it stands.
func (g *growing) get() (*world.Library, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.library == nil {
		l, err := world.Builtin()
		if err != nil {
			return nil, err
		}
		g.library = l
	}
	return g.library, nil
}

// attach loads a backend from a folder or URL and keeps it under a name: tasks name it by that,
// and its digest says what it served.
func (g *growing) attach(ctx context.Context, name, place string) (string, error) {
	b, err := backend.Open(ctx, place)
	if err != nil {
		return "", err
	}
	l, err := g.get()
	if err != nil {
		return "", err
	}
	display := name
	if known := published[name]; known != "" {
		display = known
	}
	if l, err = l.With(b.As(name, display, "")); err != nil {
		return "", err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.library = l
	return b.Digest, nil
}

// kind makes worlds of the library as it stands when they are made.
func (g *growing) kind() sim.Kind {
	k := world.Kind
	k.New = func(ctx context.Context, env sim.Env, setup json.RawMessage, tools []string) (sim.World, error) {
		l, err := g.get()
		if err != nil {
			return nil, err
		}
		return l.Kind().New(ctx, env, setup, tools)
	}
	return k
}
