package workspace_test

import (
	"context"
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
	refused := 0
	for i := range 520 {
		r := call("add_generative_widget", map[string]any{"widget_type": "note", "data": fmt.Sprint(i)})
		if !r.OK() {
			refused++
		}
	}
	if refused != 20 {
		t.Errorf("%d of 520 notes on one dashboard were refused, want 20", refused)
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
	if r := call("manage_apps", map[string]any{"operation": "instantiate", "backend_id": "backend_002", "app_name": "A"}); r.OK() || r.Code != "command_failed" {
		t.Errorf("an app of a thousand widgets: %s %s", r.Status, r.Code)
	}
}
