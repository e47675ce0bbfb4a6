package workspace_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"benchwright/sim"
	"benchwright/sim/workspace"
)

// TestSizesAreBounded holds that a few calls of an agent cannot make answers or states of any
// size, or calls of any length.
func TestSizesAreBounded(t *testing.T) {
	w, err := workspace.Kind.New(context.Background(), sim.Env{}, sim.MustCanonical(map[string]any{"backends": []string{"desk-mini"}}), []string{workspace.AllTools})
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, args map[string]any) sim.Result {
		return w.Call(context.Background(), sim.Call{Name: name, Arguments: sim.MustCanonical(args)})
	}
	var items []any
	for range 1000 {
		items = append(items, map[string]any{"i": "q", "x": 0, "y": 0, "w": 40, "h": 12})
	}
	r := call("manage_backends", map[string]any{
		"operation": "add", "name": "Crowd", "url": "http://127.0.0.1:7779",
		"widgets_json": map[string]any{"q": map[string]any{"name": "Q", "description": "q", "endpoint": "q"}},
		"apps_json":    []any{map[string]any{"name": "A", "tabs": map[string]any{"": map[string]any{"id": "", "name": "", "layout": items}}}},
	})
	if !r.OK() || len(r.Data) > 100<<10 || !strings.Contains(string(r.Data), "left out") {
		t.Errorf("a thousand widgets on top of one another: %s, %d bytes", r.Status, len(r.Data))
	}
	list := call("manage_backends", map[string]any{"operation": "list"})
	if !strings.Contains(string(list.Data), "backend_002") {
		t.Fatal(string(list.Data))
	}
	for n := range 10 {
		if r := call("manage_apps", map[string]any{"operation": "instantiate", "backend_id": "backend_002", "app_name": "A"}); !r.OK() {
			t.Fatalf("a workspace of %d,000 widgets takes no more: %s", n, r.Data)
		}
	}
	for name, args := range map[string]map[string]any{
		"manage_apps":           {"operation": "instantiate", "backend_id": "backend_002", "app_name": "A"},
		"add_generative_widget": {"widget_type": "note", "data": "one more"},
		"create_widget":         {"origin": "Crowd", "widget_id": "q"},
	} {
		if r := call(name, args); r.OK() || r.Code != "command_failed" || !strings.Contains(string(r.Data), "10000") {
			t.Errorf("%s in a workspace of 10,000 widgets: %s", name, r.Data)
		}
	}
	uuid := firstWidget(t, w)
	if r := call("delete_widget", map[string]any{"widget_uuid": uuid}); !r.OK() {
		t.Fatalf("delete %s: %s", uuid, r.Data)
	}
	if r := call("add_generative_widget", map[string]any{"widget_type": "note", "data": "one more"}); !r.OK() {
		t.Errorf("where one was deleted there is room for one: %s", r.Data)
	}
}

// TestCrowdsSettle holds that a dashboard of more widgets than anybody places by hand works.
func TestCrowdsSettle(t *testing.T) {
	w, err := workspace.Kind.New(context.Background(), sim.Env{}, json.RawMessage(`{}`), []string{workspace.AllTools})
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, args map[string]any) {
		t.Helper()
		if r := w.Call(context.Background(), sim.Call{Name: name, Arguments: sim.MustCanonical(args)}); !r.OK() {
			t.Fatalf("%s: %s", name, r.Data)
		}
	}
	call("manage_dashboard", map[string]any{"operation": "create", "name": "Crowd"})
	const n = 1_000
	for i := range n {
		call("add_generative_widget", map[string]any{"widget_type": "note", "data": fmt.Sprint(i)})
	}
	call("update_widget_layout", map[string]any{"widget_uuid": fmt.Sprintf("widget_%d", n), "x": 0, "y": 0, "w": 40, "h": 8})
	s, err := w.State()
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := workspace.SnapshotOf(s)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range snapshot.Composition.Widgets {
		want := float64(i)*8 + 8 // below the one that came to the top; the first gives way, since it moved last
		switch i {
		case 0:
			want = 0
		case n - 1:
			want = 8
		}
		if v.Layout.Y != want {
			t.Fatalf("widget %d of %d lies in row %g, want %g", i, n, v.Layout.Y, want)
		}
	}
}

func firstWidget(t *testing.T, w sim.World) string {
	t.Helper()
	s, err := w.State()
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := workspace.SnapshotOf(s)
	if err != nil {
		t.Fatal(err)
	}
	return snapshot.Composition.Widgets[0].UUID
}

// TestBombsAreRefused holds that no call, however often it is made, brings a workspace beyond what it can
// hold: it is refused, says why, and leaves everything as it was.
func TestBombsAreRefused(t *testing.T) {
	text := func(kib int) string { return strings.Repeat("x", kib<<10) }
	tabs := func(from, n int) (out []any) {
		for i := range n {
			out = append(out, map[string]any{"name": fmt.Sprint("t", from+i)})
		}
		return out
	}
	for _, tt := range []struct {
		name   string
		tool   string
		args   func(n int) map[string]any
		least  int // so many calls are fine
		most   int // and by then one has been refused
		says   string
		prefix []string
	}{
		{"many notes", "add_generative_widget", func(int) map[string]any {
			return map[string]any{"widget_type": "note", "data": text(64)}
		}, 200, 260, "The workspace holds at most 16777216 bytes", nil},
		{"a great note", "add_generative_widget", func(int) map[string]any {
			return map[string]any{"widget_type": "note", "data": text(300)}
		}, 0, 1, "A widget holds at most 262144 bytes", nil},
		{"settings without end", "update_widget", func(n int) map[string]any {
			return map[string]any{"widget_uuid": "widget_001", "ui_args": map[string]any{fmt.Sprint("k", n): text(64)}}
		}, 3, 4, "A widget holds at most 262144 bytes", []string{"add_generative_widget"}},
		{"arguments without end", "update_widget", func(n int) map[string]any {
			return map[string]any{"widget_uuid": "widget_001", "data_args": map[string]any{fmt.Sprint("k", n): text(64)}}
		}, 3, 4, "A widget holds at most 262144 bytes", []string{"add_generative_widget"}},
		{"a dashboard of a long name", "manage_dashboard", func(int) map[string]any {
			return map[string]any{"operation": "create", "name": text(64)}
		}, 0, 1, "name is too long: it has 65536 bytes, and may have 1024", nil},
		{"dashboards", "manage_dashboard", func(n int) map[string]any {
			return map[string]any{"operation": "create", "name": text(1), "dashboard_id": fmt.Sprint(n, text(1)[:1000])}
		}, 5000, 6000, "The workspace holds at most", nil},
		{"tabs", "manage_navigation_bar", func(n int) map[string]any {
			return map[string]any{"operation": "add_tabs", "tabs": tabs(n*50, 50)}
		}, 3, 4, "A dashboard holds at most 200 tabs", nil},
		{"a tab of a long name", "manage_navigation_bar", func(int) map[string]any {
			return map[string]any{"operation": "create", "tabs": []any{map[string]any{"name": text(2)}}}
		}, 0, 1, "The name of a tab is too long", nil},
		{"a tab renamed", "manage_navigation_bar", func(int) map[string]any {
			return map[string]any{"operation": "rename_tabs", "rename_map": map[string]any{"": text(2)}}
		}, 0, 1, "The name of a tab is too long", nil},
		{"one backend over and over", "manage_backends", func(int) map[string]any {
			return map[string]any{"operation": "add", "name": "desk-mini"}
		}, 62, 64, "64 backends are connected, and no more can be: remove one first.", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, err := workspace.Kind.New(context.Background(), sim.Env{}, json.RawMessage(`{"backends":["desk-mini"]}`), []string{workspace.AllTools})
			if err != nil {
				t.Fatal(err)
			}
			call := func(name string, args map[string]any) sim.Result {
				return w.Call(context.Background(), sim.Call{Name: name, Arguments: sim.MustCanonical(args)})
			}
			call("manage_dashboard", map[string]any{"operation": "create", "name": "Wall"})
			for _, tool := range tt.prefix {
				call(tool, map[string]any{"widget_type": "note", "data": "x"})
			}
			for n := range tt.most {
				before, err := w.State()
				if err != nil {
					t.Fatal(err)
				}
				r := call(tt.tool, tt.args(n))
				if r.OK() {
					continue
				}
				if n < tt.least || r.Code != workspace.CodeInvalidRequest || !strings.Contains(string(r.Data), tt.says) || len(r.Data) > 2000 {
					t.Fatalf("call %d: %.300s", n+1, r.Data)
				}
				after, err := w.State()
				if err != nil {
					t.Fatal(err)
				}
				if before != after {
					t.Errorf("call %d was refused and changed the workspace", n+1)
				}
				if size := len(after.JSON()); size > 40<<20 {
					t.Errorf("the workspace has come to %d bytes", size)
				}
				return
			}
			t.Errorf("%d calls were all fine", tt.most)
		})
	}
}

// TestDeletingMakesRoom holds that what is taken away does not count any more.
func TestDeletingMakesRoom(t *testing.T) {
	w, err := workspace.Kind.New(context.Background(), sim.Env{}, json.RawMessage(`{}`), []string{workspace.AllTools})
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, args map[string]any) sim.Result {
		return w.Call(context.Background(), sim.Call{Name: name, Arguments: sim.MustCanonical(args)})
	}
	call("manage_dashboard", map[string]any{"operation": "create", "name": "Wall"})
	for n := range 200 {
		if r := call("add_generative_widget", map[string]any{"widget_type": "note", "data": strings.Repeat("x", 200<<10)}); !r.OK() {
			t.Fatalf("note %d: %.300s", n+1, r.Data)
		}
		if r := call("delete_widget", map[string]any{"widget_uuid": fmt.Sprintf("widget_%03d", n+1)}); !r.OK() {
			t.Fatalf("note %d: %.300s", n+1, r.Data)
		}
	}
}
