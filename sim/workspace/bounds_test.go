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
