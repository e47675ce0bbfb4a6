package workspace

import (
	"context"
	"encoding/json"
	"sync"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/workspace"
	"benchwright/sim/workspace/backend"
	"benchwright/tasks"
)

// notes is what a scenario has said so far.
type notes struct {
	shelf  shelf
	setup  world.Setup
	boards []*board
	custom []ownBackendSeed
	// authored are the widgets that backends of the agent's own must serve.
	authored []foundWidget
	servings []*serving      // and what else they may serve
	said     map[string]bool // which parts of the setup have been said

	reference []tasks.Move // what near misses are variations of
	solved    bool
	asked     int             // asks that the reference has come to
	ended     int             // the last ask that it has answered, from 1
	nothing   []grader.Source // where nothing else may have changed, by ask
	snapshot  *world.Snapshot
}

func noted(d *tasks.Draft) *notes { return d.World.(*notes) }

// A board is a dashboard that a scenario seeds.
type board struct {
	Name      string      `json:"name"`
	Tabs      []boardTab  `json:"tabs,omitempty"`
	Widgets   []boardItem `json:"widgets,omitempty"`
	Generated []boardItem `json:"generated_widgets,omitempty"`
}

type boardTab struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type boardItem struct {
	Origin   string          `json:"origin,omitempty"`
	WidgetID string          `json:"widget_id,omitempty"`
	Type     string          `json:"widget_type,omitempty"`
	UUID     string          `json:"widget_uuid,omitempty"`
	Name     string          `json:"name,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"`
	TabID    *string         `json:"tab_id,omitempty"`
	DataArgs map[string]any  `json:"data_args,omitempty"`
	Layout   *rectangle      `json:"layout,omitempty"`
}

// A rectangle is a place on the grid.
type rectangle struct {
	X int `json:"x"`
	Y int `json:"y"`
	W int `json:"w"`
	H int `json:"h"`
}

type ownBackendSeed struct {
	raw     json.RawMessage
	backend *backend.Backend
}

// state writes what the scenario seeds as an initial state.
func (n *notes) state() (json.RawMessage, error) {
	if len(n.boards)+len(n.custom) == 0 {
		return nil, nil
	}
	var s struct {
		Dashboards []*board          `json:"dashboards,omitempty"`
		Custom     []json.RawMessage `json:"custom_backends,omitempty"`
	}
	s.Dashboards = n.boards
	for _, c := range n.custom {
		s.Custom = append(s.Custom, c.raw)
	}
	return sim.Canonical(s)
}

// starts are the last workspaces of setups that were built, since many scenarios begin alike. Nobody
// writes to them.
var starts struct {
	sync.Mutex
	snapshots map[startKey]*world.Snapshot
}

type startKey struct {
	library *world.Library
	setup   string
}

// maxStarts bounds the starts that are remembered.
const maxStarts = 16

// initial returns the workspace of a setup as an episode finds it.
func initial(l *world.Library, setup world.Setup) (*world.Snapshot, error) {
	raw, err := sim.Canonical(setup)
	if err != nil {
		return nil, err
	}
	k := startKey{l, string(raw)}
	starts.Lock()
	defer starts.Unlock()
	if s := starts.snapshots[k]; s != nil {
		return s, nil
	}
	s, err := built(l, raw)
	if err != nil {
		return nil, err
	}
	if starts.snapshots == nil || len(starts.snapshots) >= maxStarts {
		starts.snapshots = map[startKey]*world.Snapshot{}
	}
	starts.snapshots[k] = s
	return s, nil
}

// built builds the workspace of a setup.
func built(l *world.Library, setup json.RawMessage) (*world.Snapshot, error) {
	w, err := l.Kind().New(context.Background(), sim.Env{}, setup, []string{tasks.AllTools})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	s, err := w.State()
	if err != nil {
		return nil, err
	}
	return world.ParseSnapshot(s.JSON())
}

// plain reads JSON of our own making.
func plain(raw json.RawMessage) any {
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return nil
	}
	return v
}

func quoteJSON(s string) json.RawMessage { return sim.MustCanonical(s) }
