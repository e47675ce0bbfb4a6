package workspace

import (
	"fmt"
	"slices"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/workspace"
)

// What calls do that no state shows: tasks that are handed to other agents, and what a backend is
// told beside its manifests.

// handed lists the points about tasks that were handed to other agents, beyond as many as were to be.
// Which they have to be is demanded by [CallsRule].
func (r *NothingElseRule) handed(trace sim.Trace) []point {
	var out []point
	n := 0
	for i, e := range trace {
		if e.Call.Name != world.AssignTasks || !e.Result.OK() {
			continue
		}
		args, _ := arguments(e).(map[string]any)
		tasks, _ := args["task_requests"].([]any)
		if n += len(tasks); len(tasks) == 0 || n <= r.Delegated {
			continue
		}
		last, _ := tasks[len(tasks)-1].(map[string]any)
		out = append(out, point{code: "unexpected_delegation", side: grader.TraceType, got: fmt.Sprint(n), message: fmt.Sprintf(
			"call %d hands task %s to %s; want %s handed over in all, with it there are %d", i+1, show(last["id"]), show(last["assigned_agent_id"]), plural(r.Delegated, "task"), n)})
	}
	return out
}

// told lists the points about backends that are left with headers, or as one of the platform, which
// nobody asked for. The world takes these and shows them nowhere.
func (r *NothingElseRule) told(trace sim.Trace, final *view) []point {
	type setting struct{ id, name string }
	left := map[setting]any{}
	var order []setting
	for _, e := range trace {
		if e.Call.Name != world.ManageBackends || !e.Result.OK() {
			continue
		}
		args, _ := arguments(e).(map[string]any)
		id := argument(args, "backend_id")
		if op := argument(args, "operation"); op == "add" {
			id = textAt(resultData(e.Result.Data), "backend_id")
		} else if op != "update" {
			continue
		}
		for _, name := range []string{"endpoint_headers", "is_openbb_platform"} {
			v, ok := args[name]
			k := setting{id, name}
			if !ok || v == nil {
				continue
			}
			if _, known := left[k]; !known {
				order = append(order, k)
			}
			if left[k] = v; slices.ContainsFunc(r.Calls, func(c Call) bool { return c.Tool == world.ManageBackends && c.Args[name] != nil && c.holds(e) }) {
				left[k] = nil
			}
		}
	}
	var out []point
	for _, k := range order {
		v := left[k]
		if list, ok := v.([]any); v == nil || v == false || ok && len(list) == 0 {
			continue // as it comes, or as it was to be
		}
		if i := slices.IndexFunc(final.backends, func(b world.BackendRef) bool { return b.ID == k.id }); i >= 0 {
			out = append(out, point{code: "collateral_backend_change", side: grader.StateType, got: show(v), message: fmt.Sprintf(
				"backend %s (%s) is left with %s %s, which nobody asked for", quote(k.id), quote(final.backends[i].Name), k.name, show(v))})
		}
	}
	return out
}

// retitled lists the points about dashboards that were made of an app, as they may be, and whose tabs or
// navigation bar are not those that the app gave them any more, nor such as they were to become.
func (r *NothingElseRule) retitled(trace sim.Trace, initial, final *view) ([]point, error) {
	var out []point
	for _, e := range trace {
		if e.Call.Name != world.ManageApps || !e.Result.OK() {
			continue
		}
		data := resultData(e.Result.Data)
		id := textAt(data, "dashboard_id")
		title := final.title(id)
		if _, old := initial.boards[id]; old || id == "" || final.boards[id] == nil || !slices.Contains(r.NewDashboards, title) || slices.Contains(r.Dashboards, title) {
			continue
		}
		is, err := final.board(id)
		raw, ok := lookup(data, "dashboard_composition")
		var came world.Composition
		if err != nil || is == nil || !ok || open(raw, &came) != nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		add := func(format string, args ...any) {
			out = append(out, point{code: "collateral_dashboard_change", side: grader.StateType, message: fmt.Sprintf("dashboard %s: "+format, append([]any{quote(id)}, args...)...)})
		}
		for _, t := range came.Tabs {
			i := slices.IndexFunc(is.Tabs, func(o world.Tab) bool { return o.ID == t.ID })
			if i < 0 {
				add("the app's tab %s is gone", quote(t.ID))
			} else if now := is.Tabs[i].Name; now != t.Name && r.TabNames[title][t.ID] != now && !slices.Contains(r.Tabs[title], now) {
				add("the tab %s is called %s, by the app it is %s", quote(t.ID), quote(now), quote(t.Name))
			}
		}
		if is.NavigationBar != came.NavigationBar && len(r.Tabs[title]) == 0 {
			add("navigation_bar is %v, by the app it is %v", is.NavigationBar, came.NavigationBar)
		}
	}
	return out, nil
}
