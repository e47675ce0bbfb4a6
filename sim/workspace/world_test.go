package workspace_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchwright/sim"
	"benchwright/sim/simtest"
	"benchwright/sim/workspace"
)

// everyTool is a session in which every tool does what it is for.
func everyTool() []sim.Call {
	var calls []sim.Call
	for _, c := range [][2]string{
		{"get_workspace_snapshot", `{}`},
		{"manage_dashboard", `{"operation":"create","name":"New"}`},
		{"manage_navigation_bar", `{"operation":"create","tabs":[{"name":"One"},{"name":"Two"}]}`},
		{"navigate_workspace", `{"operation":"tab","tab_id":"two"}`},
		{"list_available_widgets", `{"origin":"Desk Mini"}`},
		{"get_widget_schema", `{"origin":"Desk Mini","widget_id":"issuer_profile"}`},
		{"get_params_options", `{"origin":"Desk Mini","widget_id":"issuer_profile","param_name":"issuer","data_args":{"sector":"Transport"}}`},
		{"get_widget_data", `{"origin":"Desk Mini","widget_id":"breach_log","data_args":{"status":"Open"}}`},
		{"create_widget", `{"origin":"Desk Mini","widget_id":"issuer_profile","data_args":{"issuer":"sable-rail"}}`},
		{"update_widget", `{"widget_id":"issuer_profile","data_args":{"sector":"Transport"},"ui_args":{"zoom":1.50}}`},
		{"update_widget_layout", `{"widget_id":"issuer_profile","x":3,"y":30,"w":12,"h":9,"min_h":3}`},
		{"add_generative_widget", `{"widget_type":"note","data":"Done <b>\u2028"}`},
		{"add_generative_widget", `{"widget_type":"chart","data":[{"x":1,"y":2.0}],"chart_params":{"chart_type":"bar","x_key":"x","y_key":["y"]},"inner_tab":"one"}`},
		{"read_widget", `{"widget_id":"generated_note"}`},
		{"manage_backends", `{"operation":"add","name":"Mine","url":"http://localhost:1","widgets_json":{"z":{"name":"Z","description":"d","endpoint":"z"},"a":{"name":"A","description":"d","endpoint":"a"}},"apps_json":[{"name":"My App","tabs":{"":{"id":"","name":"","layout":[{"i":"a","x":0,"y":0,"w":9,"h":9}]}}}]}`},
		{"manage_backends", `{"operation":"add","name":"desk-mini"}`},
		{"manage_apps", `{"operation":"instantiate","backend_id":"backend_002","app_name":"My App"}`},
		{"delete_widget", `{"widget_id":"a"}`},
		{"get_skill_content", `{"slug":"desk-handover"}`},
		{"read_workspace_resource", `{"uri":"openbb://workspace/app-builder/index"}`},
		{"get_workspace_prompt", `{"name":"workspace_tool_usage"}`},
		{"assign_tasks_to_agents", `{"task_requests":[]}`},
	} {
		calls = append(calls, sim.Call{Name: c[0], Arguments: json.RawMessage(c[1])})
	}
	return calls
}

func TestWorld(t *testing.T) {
	calls := everyTool()
	for _, name := range workspace.ToolNames() {
		if !slices.ContainsFunc(calls, func(c sim.Call) bool { return c.Name == name }) {
			t.Errorf("the session does not call %s", name)
		}
	}
	simtest.Check(t, workspace.Kind, simtest.Case{Setup: json.RawMessage(reviewSetup), Tools: []string{workspace.AllTools}, Calls: calls})
}

func TestEveryToolWorks(t *testing.T) {
	d := open(t, reviewSetup)
	for _, c := range everyTool() {
		d.ok(c.Name, string(c.Arguments))
	}
}

func TestScope(t *testing.T) {
	tests := []struct {
		name  string
		tools []string
		want  string // the tools, or the error
	}{
		{"all", []string{"all"}, strings.Join(workspace.ToolNames(), " ")},
		{"order of listings", []string{"read_widget", "get_workspace_snapshot"}, "get_workspace_snapshot read_widget"},
		{"none", nil, ""},
		{"unknown", []string{"read_widgets"}, `workspace: unknown tool "read_widgets" in scope; there are ` + strings.Join(workspace.ToolNames(), ", ") + ", or the one word all for all of them"},
		{"twice", []string{"read_widget", "read_widget"}, `workspace: tool "read_widget" is in scope twice`},
		{"final_answer", []string{"final_answer"}, `workspace: unknown tool "final_answer" in scope; there are ` + strings.Join(workspace.ToolNames(), ", ") + ", or the one word all for all of them"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w, err := workspace.Kind.New(context.Background(), sim.Env{}, json.RawMessage(`{}`), test.tools)
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				var names []string
				for _, tool := range w.Tools() {
					names = append(names, tool.Name)
				}
				got = strings.Join(names, " ")
			}
			equal(t, "tools", got, test.want)
		})
	}
}

// The published surface has eighteen tools; the other two stand for resources and prompts.
func TestSurface(t *testing.T) {
	names := workspace.ToolNames()
	wrappers := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !workspace.Wrapper(n) })
	if len(names) != 20 || len(wrappers) != 2 || len(workspace.Resources()) != 16 || len(workspace.Prompts()) != 2 {
		t.Errorf("%d tools, of which %q are wrappers, %d resources, %d prompts", len(names), wrappers, len(workspace.Resources()), len(workspace.Prompts()))
	}
	d := open(t, reviewSetup)
	for _, tool := range d.w.Tools() {
		v, err := sim.ParseJSON(tool.Schema)
		if err != nil {
			t.Fatal(err)
		}
		schema := v.(map[string]any)
		if schema["additionalProperties"] != false {
			t.Errorf("%s takes arguments that it does not know", tool.Name)
		}
		properties := schema["properties"].(map[string]any)
		for _, r := range schema["required"].([]any) {
			if properties[r.(string)] == nil {
				t.Errorf("%s requires %s, which it does not have", tool.Name, r)
			}
		}
		for name, p := range properties {
			if about, _ := p.(map[string]any)["description"].(string); about == "" {
				t.Errorf("%s.%s is not described", tool.Name, name)
			}
		}
	}
}

func TestUnknownArgumentsAreIgnored(t *testing.T) {
	d := open(t, reviewSetup)
	d.ok("update_widget_layout", `{"origin":"Desk Mini","widget_uuid":"w_c","x":0,"y":14,"w":12,"h":5,"colour":["red"]}`).want("widget.layout.w", `12`)
}

func TestNullIsAbsent(t *testing.T) {
	d := open(t, reviewSetup)
	d.ok("manage_dashboard", `{"operation":"read","dashboard_id":null,"name":null,"activate":null}`).want("dashboard_id", `"dash_001"`)
	d.ok("create_widget", `{"origin":"Desk Mini","widget_id":"cash_level","dashboard_id":null,"data_args":null,"ui_args":null,"dry_run":null}`)
	d.ok("update_widget", `{"widget_uuid":"w_a","x":null,"tab_id":null}`)
	d.ok("update_widget_layout", `{"widget_uuid":"w_a","x":0,"y":0,"w":20,"h":14,"tab_id":null,"min_w":null}`).want("widget.layout", `{"h":14,"tab_id":"main","w":20,"x":0,"y":0}`)
	d.ok("add_generative_widget", `{"widget_type":"note","data":"x","inner_tab":null,"name":null,"description":null}`).want("widget.description", `null`)
}

func TestEmptyIdsAreAbsent(t *testing.T) {
	d := open(t, reviewSetup)
	d.ok("manage_dashboard", `{"operation":"read","dashboard_id":""}`).want("dashboard_id", `"dash_001"`)
	d.ok("read_widget", `{"widget_uuid":"","widget_id":"cash_level"}`).want("widget.widget_uuid", `"w_c"`)
	d.ok("list_available_widgets", `{"origin":"","backend_id":""}`).want("widgets.0.origin", `"Desk Mini"`)
}

func TestResultsAreTheSameBytesTwice(t *testing.T) {
	play := func() string {
		d := open(t, reviewSetup)
		var all strings.Builder
		for _, c := range everyTool() {
			fmt.Fprintf(&all, "%s\n", d.call(c.Name, string(c.Arguments)).Data)
		}
		return all.String() + d.state()
	}
	equal(t, "the second time", play(), play())
}

func TestSnapshotSaysWhatTheStateSays(t *testing.T) {
	d := open(t, reviewSetup)
	for _, c := range everyTool() {
		d.ok(c.Name, string(c.Arguments))
	}
	s, err := d.w.State()
	if err != nil {
		t.Fatal(err)
	}
	live, err := workspace.SnapshotOf(s)
	if err != nil {
		t.Fatal(err)
	}
	for what, state := range map[string]sim.State{"recorded": decoded(t, s), "raw": sim.RawState(s.JSON())} {
		read, err := workspace.SnapshotOf(state)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, what, canonical(read), canonical(live))
	}
	equal(t, "typed", canonical(live), string(s.JSON()))
	if again, _ := workspace.SnapshotOf(s); again != live {
		t.Error("the snapshot is made twice")
	}
	if _, err := workspace.SnapshotOf(sim.RawState(`{"dashboards":1}`)); err == nil {
		t.Error("no error for what is no snapshot")
	}
}

func decoded(t *testing.T, s sim.State) sim.State {
	t.Helper()
	again, err := workspace.Kind.DecodeState(s.JSON(), nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "decoded", string(again.JSON()), string(s.JSON()))
	return again
}

func TestUntouchedDashboardsAreShared(t *testing.T) {
	d := open(t, reviewSetup)
	before := d.snapshot()
	d.ok("update_widget_layout", `{"widget_uuid":"w_c","x":0,"y":14,"w":12,"h":5}`)
	after := d.snapshot()
	if before.Compositions["dash_002"] != after.Compositions["dash_002"] || before.Compositions["dash_001"] == after.Compositions["dash_001"] {
		t.Error("sharing does not tell what was touched")
	}
}

func ExampleKind() {
	setup := json.RawMessage(`{"baseline":"desk-mini-a","backends":["desk-mini"]}`)
	w, err := workspace.Kind.New(context.Background(), sim.Env{}, setup, []string{workspace.CreateWidget})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := w.Call(context.Background(), sim.Call{Name: workspace.CreateWidget, Arguments: json.RawMessage(`{"origin":"Desk Mini","widget_id":"cash_level"}`)})
	fmt.Println(r.Status, strings.Contains(string(r.Data), `"widget_uuid":"widget_008"`))
	s, err := w.State()
	if err != nil {
		fmt.Println(err)
		return
	}
	snapshot, err := workspace.SnapshotOf(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(snapshot.Composition.Name, snapshot.Composition.Widgets[0].Name)
	// Output:
	// ok true
	// Home Cash Level
}
