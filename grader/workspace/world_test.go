package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/workspace"
	"benchwright/tasks"
)

// The states of the real world are read, spoiled and read back as those that these tests make.
func TestTheRealWorldIsRead(t *testing.T) {
	ctx := context.Background()
	w, err := world.Kind.New(ctx, sim.Env{}, json.RawMessage(`{"baseline":"desk-mini-a","backends":["desk-mini"]}`), []string{world.AllTools})
	if err != nil {
		t.Fatal(err)
	}
	initial, err := w.State()
	if err != nil {
		t.Fatal(err)
	}
	v, err := read(initial)
	if err != nil || len(v.order()) < 2 {
		t.Fatalf("%d dashboards, %v", len(v.order()), err)
	}
	var trace sim.Trace
	call := func(tool, args string) sim.Result {
		c := sim.Call{Name: tool, Arguments: json.RawMessage(args)}
		r := w.Call(ctx, c)
		trace = append(trace, sim.Event{Turn: len(trace) + 1, Call: c, Result: r})
		return r
	}
	listing := list(call("list_available_widgets", `{}`).Data)
	if len(listing.origins) == 0 || len(listing.origins[0].ids) == 0 {
		t.Fatalf("listing %+v", listing)
	}
	origin, id := listing.origins[0].name, listing.origins[0].ids[0]
	args := string(sim.MustCanonical(map[string]any{"origin": origin, "widget_id": id}))
	call("get_widget_schema", args)
	if r := call("create_widget", args); !r.OK() {
		t.Fatal(string(r.Data))
	}
	if r := call("add_generative_widget", `{"widget_type":"note","name":"Evidence","data":"the limit is 14"}`); !r.OK() {
		t.Fatal(string(r.Data))
	}
	call("read_widget", `{"widget_uuid":"no such"}`)
	final, err := w.State()
	if err != nil {
		t.Fatal(err)
	}
	checks := []grader.Check{
		{Rule: &WidgetRule{Origin: origin, WidgetID: id, Min: 1}}, NoteSays("evidence", "14", "limit"), WithinGrid(), NoOverlaps(), FindsWidgets(), ReadsSchemas(), InvalidCalls(1),
		OtherDashboardsKept(), NewDashboards(0), NewBackends(0), NothingElse(Target{Origin: origin, WidgetID: id}, Target{Type: "note", Named: "Evidence"}),
		Calls(Call{Tool: "create_widget", Args: map[string]any{"widget_id": id}}),
	}
	good := tasks.Aftermath{Initial: initial.JSON(), States: []json.RawMessage{final.JSON()}, Trace: trace, Answers: []json.RawMessage{nil}, End: grader.End{Code: grader.EndDone}}
	if v := grader.Grade(ctx, checks, left(good)); v.Outcome != grader.Passed {
		t.Fatalf("%s %s %+v", v.Outcome, v.Reason, v.Findings())
	}
	killed := make([]bool, len(checks))
	for _, m := range Mutants(checks, good) {
		s, err := world.Kind.DecodeState(m.Aftermath.States[0], nil)
		if err != nil || !bytes.Equal(s.JSON(), m.Aftermath.States[0]) {
			t.Errorf("mutant %q: %v; its state is not canonical", m.Name, err)
			continue
		}
		if _, err := world.SnapshotOf(s); err != nil {
			t.Errorf("mutant %q: %v", m.Name, err)
		}
		v := grader.Grade(ctx, checks, left(m.Aftermath))
		broken(t, checks, v)
		for i, r := range v.Results {
			if r.State == grader.Unmet { // as in the proof, the first that fails has caught it
				killed[i] = true
				break
			}
		}
	}
	for i, c := range checks {
		if !killed[i] {
			t.Errorf("%s: no mutant passes the checks before it and fails it", c)
		}
	}
}
