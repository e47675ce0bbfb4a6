package workspace_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"runtime"
	"testing"
	"testing/fstest"

	"benchwright/fixtures"
	"benchwright/sim"
	"benchwright/sim/workspace"
)

// large returns a library with a backend of 60 widgets and a baseline of 27 dashboards that hold
// 405 widgets on two tabs each.
func large(t testing.TB) *workspace.Library {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(fixtures.Workspace().FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var raw []byte
			raw, err = fixtures.Workspace().Read(name)
			files[name] = &fstest.MapFile{Data: raw}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	widgets, rows := map[string]any{}, map[string]any{}
	for i := range 60 {
		id := fmt.Sprintf("wide_world_widget_%02d", i)
		choices := []any{}
		for c := range 6 {
			choices = append(choices, map[string]any{"label": fmt.Sprint("Choice ", c), "value": fmt.Sprint("c", c)})
		}
		widgets[id] = map[string]any{
			"name": fmt.Sprintf("Widget %02d", i), "description": "One of many widgets of a large desk, with a description of the usual length.",
			"endpoint": id, "category": "Large", "gridData": map[string]any{"w": 20, "h": 10},
			"params": []any{
				map[string]any{"paramName": "desk", "value": "c0", "options": choices},
				map[string]any{"paramName": "period", "value": "c1", "options": choices},
				map[string]any{"paramName": "as_of", "type": "date", "value": "$currentDate-1M"},
				map[string]any{"paramName": "raw", "type": "boolean", "value": false},
			},
		}
		var list []any
		for r := range 12 {
			list = append(list, map[string]any{"row": r, "desk": fmt.Sprint("c", r%6), "amount": r * 1250})
		}
		rows[id] = map[string]any{"payload": list, "filters": []any{"desk"}}
	}
	var dashboards []any
	for i := range 27 {
		var placed []any
		for n := range 15 {
			placed = append(placed, map[string]any{
				"origin": "Large Desk", "widget_id": fmt.Sprintf("wide_world_widget_%02d", (i*7+n)%60),
				"tab_id": [...]string{"first", "second"}[n%2], "data_args": map[string]any{"desk": fmt.Sprint("c", n%6)},
				"layout": map[string]any{"x": n / 2 % 2 * 20, "y": n / 4 * 10, "w": 20, "h": 10},
			})
		}
		dashboards = append(dashboards, map[string]any{
			"name": fmt.Sprint("Board ", i), "tabs": []any{map[string]any{"id": "first", "name": "First"}, map[string]any{"id": "second", "name": "Second"}},
			"widgets": placed,
		})
	}
	put := func(name string, v any) { files[name] = &fstest.MapFile{Data: sim.MustCanonical(v)} }
	put("backends/large-desk.json", map[string]any{"slug": "large-desk", "name": "Large Desk", "widgets": widgets, "data": rows})
	put("baselines/large.json", map[string]any{"dashboards": dashboards, "active_dashboard": "Board 3"})
	l, err := workspace.NewLibrary(files)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

const largeSetup = `{"baseline":"large","backends":["large-desk","desk-mini"],"skills":["breach-review"],"state":{"dashboard":{"name":"Own","activate":true,"widgets":[{"origin":"Large Desk","widget_id":"wide_world_widget_00","widget_uuid":"w_own"}]}}}`

func openLarge(t testing.TB) sim.World {
	t.Helper()
	w, err := large(t).Kind().New(context.Background(), sim.Env{}, json.RawMessage(largeSetup), []string{workspace.AllTools})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestTheLargeWorkspaceIsLarge(t *testing.T) {
	d := &desk{t, openLarge(t)}
	n := 0
	s := d.snapshot()
	for _, c := range s.Compositions {
		n += len(c.Widgets)
	}
	if len(s.Compositions) != 28 || n != 406 {
		t.Errorf("%d dashboards with %d widgets", len(s.Compositions), n)
	}
}

// The first world of a setup is built, the next ones share what was built.
func BenchmarkSeed(b *testing.B) {
	l := large(b)
	tools := []string{workspace.AllTools}
	kind := l.Kind()
	b.Run("again", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := kind.New(context.Background(), sim.Env{}, json.RawMessage(largeSetup), tools); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("new-task", func(b *testing.B) { // another task on a baseline that was used before
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			setup := fmt.Sprintf(`%s,"selected":"Board %d"%s}`, largeSetup[:len(largeSetup)-1], i%27, spaces(i))
			if _, err := kind.New(context.Background(), sim.Env{}, json.RawMessage(setup), tools); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// spaces makes texts of setups that differ, and mean the same.
func spaces(i int) string {
	s := ""
	for ; i > 0; i /= 4 {
		s += " \t\n\r"[i%4 : i%4+1]
	}
	return s
}

func BenchmarkFork(b *testing.B) {
	w := openLarge(b)
	b.ReportAllocs()
	for b.Loop() {
		f, err := w.Fork()
		if err != nil {
			b.Fatal(err)
		}
		_ = f.Close()
	}
}

// BenchmarkAtRest reports how much memory an episode of ten writes keeps.
func BenchmarkAtRest(b *testing.B) {
	parent := openLarge(b)
	const episodes = 500
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		worlds := make([]sim.World, episodes)
		for i := range worlds {
			worlds[i], _ = parent.Fork()
			for n := range 10 {
				call := sim.Call{Name: workspace.CreateWidget, Arguments: json.RawMessage(fmt.Sprintf(`{"origin":"Large Desk","widget_id":"wide_world_widget_%02d"}`, n))}
				if r := worlds[i].Call(context.Background(), call); !r.OK() {
					b.Fatal(string(r.Data))
				}
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/episodes, "B/episode")
		runtime.KeepAlive(worlds)
	}
}

// BenchmarkState changes a widget and encodes the whole state.
func BenchmarkState(b *testing.B) {
	w := openLarge(b)
	for _, as := range []string{"JSON", "types"} {
		b.Run(as, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				call := sim.Call{Name: workspace.UpdateWidget, Arguments: json.RawMessage(fmt.Sprintf(`{"widget_uuid":"w_own","data_args":{"as_of":"%d"}}`, i))}
				w.Call(context.Background(), call)
				s, err := w.State()
				if err != nil {
					b.Fatal(err)
				}
				if as == "JSON" {
					b.SetBytes(int64(len(s.JSON())))
				} else if _, err := workspace.SnapshotOf(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCall performs one call in a fresh fork, by tool.
func BenchmarkCall(b *testing.B) {
	w := openLarge(b)
	calls := []struct{ name, tool, args string }{
		{"", "get_workspace_snapshot", `{}`},
		{"/create", "manage_dashboard", `{"operation":"create","name":"New"}`},
		{"/read", "manage_dashboard", `{"operation":"read","dashboard_id":"dash_004"}`},
		{"/update", "manage_dashboard", `{"operation":"update","dashboard_id":"dash_028","name":"New"}`},
		{"/add_tabs", "manage_navigation_bar", `{"operation":"add_tabs","tabs":[{"name":"New"}]}`},
		{"", "navigate_workspace", `{"operation":"tab","dashboard_id":"dash_005","tab_id":"second"}`},
		{"", "list_available_widgets", `{"origin":"Large Desk"}`},
		{"", "get_widget_schema", `{"origin":"Large Desk","widget_id":"wide_world_widget_11"}`},
		{"", "get_params_options", `{"origin":"Large Desk","widget_id":"wide_world_widget_11","param_name":"desk"}`},
		{"", "get_widget_data", `{"origin":"Large Desk","widget_id":"wide_world_widget_11","data_args":{"desk":"c3"}}`},
		{"", "create_widget", `{"origin":"Large Desk","widget_id":"wide_world_widget_11","dashboard_id":"dash_004","data_args":{"desk":"c3"}}`},
		{"", "update_widget", `{"widget_uuid":"w_own","data_args":{"desk":"c3","period":"c4"}}`},
		{"", "update_widget_layout", `{"widget_uuid":"widget_046","dashboard_id":"dash_004","x":0,"y":0,"w":40,"h":8}`},
		{"", "delete_widget", `{"widget_uuid":"widget_046","dashboard_id":"dash_004"}`},
		{"", "add_generative_widget", `{"widget_type":"note","data":"A note of some length, as notes are: a few figures and a sentence.","dashboard_id":"dash_004"}`},
		{"", "read_widget", `{"widget_uuid":"w_own"}`},
		{"/list", "manage_backends", `{"operation":"list"}`},
		{"/list", "manage_apps", `{"operation":"list","backend_id":"backend_002"}`},
		{"/instantiate", "manage_apps", `{"operation":"instantiate","backend_id":"backend_002","app_name":"Morning Desk"}`},
		{"", "get_skill_content", `{"slug":"breach-review"}`},
		{"", "read_workspace_resource", `{"uri":"openbb://workspace/specs/layout-grid"}`},
		{"", "get_workspace_prompt", `{"name":"workspace_tool_usage"}`},
		{"", "assign_tasks_to_agents", `{"task_requests":[{"id":"1","description":"d","assigned_holder_url":"u","assigned_agent_id":"a"}]}`},
		{"/refused", "read_widget", `{"widget_uuid":"nobody"}`},
	}
	for _, c := range calls {
		call := sim.Call{Name: c.tool, Arguments: json.RawMessage(c.args)}
		if f, _ := w.Fork(); f.Call(context.Background(), call).OK() == (c.name == "/refused") {
			b.Fatalf("%s(%s): %s", c.tool, c.args, f.Call(context.Background(), call).Data)
		}
		b.Run(c.tool+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f, err := w.Fork()
				if err != nil {
					b.Fatal(err)
				}
				f.Call(context.Background(), call)
			}
		})
	}
}
