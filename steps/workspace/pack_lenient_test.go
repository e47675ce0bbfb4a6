package workspace_test

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchwright/grader/gates"
	"benchwright/internal/run"
	"benchwright/sim"
	world "benchwright/sim/workspace"
	"benchwright/steps/workspace"
	"benchwright/tasks"
)

// TestPacksSeedAsThePublishedSimulatorTakesIt holds that a widget on a tab that there is not, and
// keys that nobody knows, are no reason to refuse a pack: they are doubted. What a task itself says
// stays strict.
func TestPacksSeedAsThePublishedSimulatorTakesIt(t *testing.T) {
	const state = `{"author": "me", "dashboard": {"name": "Board", "theme": "dark", "tabs": [{"id": "main", "name": "Main"}],
  "widgets": [{"origin": "Desk Mini", "widget_id": "breach_log", "widget_uuid": "w_1", "tab_id": "main", "note": "x"},
              {"origin": "Desk Mini", "widget_id": "cash_level", "widget_uuid": "w_2", "tab_id": "gone"}]}}`
	pack := files("taskset.json", manifest, "a/one.json", task(`, "setup": {"allowed_tools": ["get_workspace_snapshot"], "initial_state": `+state+`}`, `, "max_turns": 1`))
	kit := workspace.Kit()
	all, ok, err := kit.Open(pack)
	if err != nil || !ok || len(all) != 1 {
		t.Fatalf("%d tasks, %v, %v", len(all), ok, err)
	}
	want := []string{
		"initial_state: unknown field 'author' is left out",
		"initial_state.dashboard: unknown field 'theme' is left out",
		"initial_state.dashboard.widgets[0]: unknown field 'note' is left out",
		"initial_state.dashboard.widgets[1]: tab_id 'gone' is no tab of the dashboard, so that nobody sees the widget; there are 'main'",
	}
	if got := kit.Doubts(all[0]); !slices.Equal(got, want) {
		t.Errorf("doubts\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	w, err := kit.Kind.New(context.Background(), sim.Env{}, all[0].Setup, all[0].Tools)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	s, err := w.State()
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := world.SnapshotOf(s)
	if err != nil {
		t.Fatal(err)
	}
	if v := snapshot.Composition.Widget("w_2"); v == nil || v.Layout.TabID != "gone" || len(snapshot.Composition.Tabs) != 1 || len(snapshot.Composition.Tabs[0].Layout) != 1 {
		t.Errorf("%s", s.JSON())
	}
	// One tool and one turn, which its one call takes: the published smoke tasks are like this.
	c := gates.Certify(context.Background(), &kit, all[0], gates.Options{})
	for _, g := range c.Gates {
		for _, p := range g.Problems {
			if g.Gate != gates.Live { // a check on a mere look is caught by no other
				t.Errorf("%s: %v", g.Gate, p)
			}
		}
		if g.Gate == gates.Reference && g.State != gates.Held {
			t.Errorf("the reference is %s", g.State)
		}
		if g.Gate == gates.WithinBudget && !strings.Contains(g.Note, "slack 0") {
			t.Errorf("within_budget notes %q", g.Note)
		}
	}
	if _, _, err := kit.Open(files("taskset.json", manifest, "a/one.json", task(`, "colour": 1`, ""))); err == nil || !strings.Contains(err.Error(), "unknown fields") {
		t.Errorf("an unknown field of a task: %v", err)
	}
	if d := kit.Doubts(tasks.Task{Setup: json.RawMessage(`{`)}); d != nil {
		t.Errorf("a setup that is none is doubted: %q", d)
	}
}

// TestAFamilyMayBeCalledLikeATool holds that the name of a smoke test's family, which is that of the
// one tool that it is about, is no leak.
func TestAFamilyMayBeCalledLikeATool(t *testing.T) {
	kit := workspace.Kit()
	all, _, err := kit.Open(files("taskset.json", manifest, "get_workspace_snapshot/one.json", task(`, "setup": {"allowed_tools": ["get_workspace_snapshot"]}`, `, "max_turns": 1`)))
	if err != nil {
		t.Fatal(err)
	}
	for _, protocol := range []string{"json", "tools"} {
		for _, g := range gates.Certify(context.Background(), &kit, all[0], gates.Options{Protocol: protocol}).Gates {
			if (g.Gate == gates.Sealed || g.Gate == gates.WithinBudget) && g.State != gates.Held {
				t.Errorf("%s: %s: %v", protocol, g.Gate, g.Problems)
			}
		}
	}
	told := all[0]
	told.Asks = slices.Clone(told.Asks)
	told.Asks[0].Context = sim.MustCanonical(workspace.AskContext{Terms: []string{"get_workspace_snapshot"}})
	for _, g := range gates.Certify(context.Background(), &kit, told, gates.Options{}).Gates {
		if g.Gate == gates.Sealed && g.State != gates.Failed {
			t.Errorf("a context that names the family is %s", g.State)
		}
	}
}

// TestASuiteMayHoldPublishedPacks holds that a suite reads packs beside its own files, as a folder of
// extra tasks is read.
func TestASuiteMayHoldPublishedPacks(t *testing.T) {
	s := tasks.Suite{Dir: "testdata/packs", Packs: os.DirFS("testdata/packs"), Kits: []tasks.Kit{workspace.Kit()}}
	all, outside, err := run.Compile(s, "")
	if err != nil || len(outside) > 0 {
		t.Fatal(outside, err)
	}
	opened := map[tasks.ID]tasks.Task{}
	for _, x := range small(t) {
		opened[x.ID] = x
	}
	if len(all) != len(opened) {
		t.Errorf("%d tasks, want %d", len(all), len(opened))
	}
	for _, x := range all {
		if x.Digest() != opened[x.ID].Digest() || !reflect.DeepEqual(x.Envelope(), opened[x.ID].Envelope()) {
			t.Errorf("%s is another task in a suite", x.ID)
		}
		if _, err := os.Stat(x.Source.File); err != nil || x.Source.Line < 1 {
			t.Errorf("%s was written at %s: %v", x.ID, x.Source, err)
		}
	}
	if jobs := run.Jobs(s, all, run.Config{Trials: 2}); len(jobs) != 2*len(all) {
		t.Errorf("%d jobs of %d tasks", len(jobs), len(all))
	}
	if _, _, err := run.Compile(s, "testdata/packs/small"); err == nil || !strings.Contains(err.Error(), "is also declared at testdata/packs/small/") {
		t.Errorf("the same pack once more: %v", err)
	}
}
