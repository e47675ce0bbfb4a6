package workspace_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"benchwright/sim"
	"benchwright/sim/workspace"
)

// stormVariable says how many calls the storm makes; a million takes a few minutes.
const stormVariable = "BENCHWRIGHT_STORM_CALLS"

// TestStorm makes random calls, valid and invalid, in many episodes, and sees to it that after
// each of them the workspace is sound.
func TestStorm(t *testing.T) {
	calls := 3_000
	if v := os.Getenv(stormVariable); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n <= 0 {
			t.Fatalf("%s=%q: want a number of calls", stormVariable, v)
		}
		calls = n
	}
	const episode = 250 // calls
	ok := map[string]int{}
	for n := 0; n < calls; n += episode {
		s := &storm{t: t, r: rand.New(rand.NewPCG(7, uint64(n))), ok: ok}
		s.begin()
		for range min(episode, calls-n) {
			if s.step(); t.Failed() {
				t.Fatalf("in the episode that starts with call %d", n)
			}
		}
	}
	for _, tool := range workspace.ToolNames() {
		if ok[tool] == 0 || ok[tool+" refused"] == 0 && tool != workspace.GetSnapshot {
			t.Errorf("%s worked %d times and was refused %d times", tool, ok[tool], ok[tool+" refused"])
		}
	}
}

type storm struct {
	t    *testing.T
	r    *rand.Rand
	w    sim.World
	last *workspace.Snapshot
	raw  string // the last state
	ok   map[string]int
	kept []keptFork
}

// A keptFork is a fork that nobody uses, and its state when it was made.
type keptFork struct {
	w   sim.World
	raw string
}

func (s *storm) begin() {
	setups := []string{
		reviewSetup,
		`{"baseline":"desk-mini-a","backends":["desk-mini"],"skills":["desk-handover"],"selected":"Desk Overview"}`,
		`{"backends":["desk-mini"],"runtime":{"datasets":[{"name":"d","widget_id":"good","fields":["a"],"payload":[{"a":1}]}]}}`,
	}
	w, err := workspace.Kind.New(context.Background(), sim.Env{}, json.RawMessage(setups[s.r.IntN(len(setups))]), []string{workspace.AllTools})
	if err != nil {
		s.t.Fatal(err)
	}
	s.w = w
	s.look()
}

// look reads the state.
func (s *storm) look() {
	state, err := s.w.State()
	if err != nil {
		s.t.Fatal(err)
	}
	if s.last, err = workspace.SnapshotOf(state); err != nil {
		s.t.Fatal(err)
	}
	s.raw = string(state.JSON())
}

func (s *storm) step() {
	if s.r.IntN(20) == 0 {
		f, err := s.w.Fork()
		if err != nil {
			s.t.Fatal(err)
		}
		if s.r.IntN(2) == 0 { // go on in the fork, and the parent is kept
			s.w, f = f, s.w
		}
		s.kept = append(s.kept, keptFork{f, s.raw})
	}
	before, was := s.last, s.raw
	c := s.invent()
	r := s.w.Call(context.Background(), c)
	s.look()
	report := func(format string, args ...any) {
		s.t.Errorf("%s(%s) gave %.300s: %s", c.Name, c.Arguments, r.Data, fmt.Sprintf(format, args...))
	}
	if r.Fault != "" || r.Invalid == r.OK() || !json.Valid(r.Data) {
		report("result %+v", r)
	}
	if r.OK() {
		s.ok[c.Name]++
	} else {
		s.ok[c.Name+" refused"]++
		if s.raw != was && !strings.Contains(string(r.Data), `"message":"Unknown tab_id."`) {
			report("it was refused and changed the state")
		}
	}
	target := s.target(c, before)
	for id, now := range s.last.Compositions {
		if old := before.Compositions[id]; old != nil && old != now && id != target {
			report("dashboard %s changed, and the call is about %q", id, target)
		}
	}
	for id := range before.Compositions {
		if s.last.Compositions[id] == nil {
			report("dashboard %s is gone", id)
		}
	}
	for _, d := range s.last.Dashboards {
		s.sound(report, s.last.Compositions[d.ID], before.Compositions[d.ID])
	}
	if moves[c.Name] && r.OK() {
		s.settled(report, s.last.Compositions[target])
	}
	s.unique(report)
	if n := len(s.kept); n > 0 {
		k := s.kept[s.r.IntN(n)]
		if state, err := k.w.State(); err != nil || string(state.JSON()) != k.raw {
			report("a fork that nobody used changed")
		}
	}
	if s.r.IntN(16) > 0 { // the rest is slow
		return
	}
	if canonical, err := sim.Canonical(json.RawMessage(s.raw)); err != nil || string(canonical) != s.raw {
		report("the state is not canonical: %v", err)
	}
}

// moves are the tools after which the dashboard they are about is settled.
var moves = map[string]bool{
	workspace.CreateWidget: true, workspace.UpdateWidgetLayout: true,
	workspace.DeleteWidget: true, workspace.AddGenerativeWidget: true,
}

// target returns the only dashboard that a call may change.
func (s *storm) target(c sim.Call, before *workspace.Snapshot) string {
	var args map[string]any
	if json.Unmarshal(c.Arguments, &args) == nil {
		if id, _ := args["dashboard_id"].(string); id != "" {
			return id
		}
	}
	if before.State.DashboardID == nil {
		return ""
	}
	return *before.State.DashboardID
}

// sound checks one dashboard.
func (s *storm) sound(report func(string, ...any), d, old *workspace.Composition) {
	if d == old {
		return
	}
	tabs, uuids := map[string]bool{}, map[string]bool{}
	for _, t := range d.Tabs {
		if tabs[t.ID] {
			report("two tabs of %s are %q", d.DashboardID, t.ID)
		}
		tabs[t.ID] = true
		for _, item := range t.Layout {
			if w := d.Widget(item.WidgetUUID); w == nil || w.Layout != item.Layout || item.TabID != t.ID {
				report("the layout of tab %q does not agree with its widgets", t.ID)
			}
		}
	}
	for i := range d.Widgets {
		w := &d.Widgets[i]
		if uuids[w.UUID] {
			report("two widgets of %s are %s", d.DashboardID, w.UUID)
		}
		uuids[w.UUID] = true
		if w.Generated {
			continue
		}
		for name := range w.DataArgs {
			if !declared[w.WidgetID][name] {
				report("%s has the argument %q, which %s does not declare", w.UUID, name, w.WidgetID)
			}
		}
	}
}

// declared are the parameters of the widgets that the storm places.
var declared = map[string]map[string]bool{
	"breach_log":     {"severity": true, "status": true, "period": true},
	"cash_level":     {},
	"issuer_profile": {"sector": true, "issuer": true},
	"trade_ticket":   {"book": true, "new_trade": true, "instrument": true, "side": true, "quantity": true},
	"risk_limits":    {"limit_type": true, "tier": true, "as_of": true},
	"desk_positions": {"desk": true, "period": true, "include_hedges": true},
	"pnl_trend":      {"desk": true, "raw": true},
	"market_news":    {"topics": true, "limit": true},
	"curve_points":   {"date": true, "tenor_max": true},
	"good":           {"p": true},
}

// settled checks that nothing on the tabs of a dashboard overlaps where the calls of this storm
// settle them. Tabs that no call has touched keep what their seed or template says, which here
// is compact.
func (s *storm) settled(report func(string, ...any), d *workspace.Composition) {
	for i, a := range d.Widgets {
		for _, b := range d.Widgets[i+1:] {
			p, q := a.Layout, b.Layout
			if p.TabID != q.TabID || p.W <= 0 || p.H <= 0 || q.W <= 0 || q.H <= 0 {
				continue
			}
			if p.X < q.X+q.W && q.X < p.X+p.W && p.Y < q.Y+q.H && q.Y < p.Y+p.H {
				report("%s at %s and %s at %s overlap", a.UUID, place(p), b.UUID, place(q))
			}
		}
	}
}

// unique checks that ids of dashboards and backends occur once, and that the focus exists.
func (s *storm) unique(report func(string, ...any)) {
	seen := map[string]bool{}
	for _, d := range s.last.Dashboards {
		seen["d "+d.ID] = true
	}
	for _, b := range s.last.Backends {
		seen["b "+b.ID] = true
	}
	if len(seen) != len(s.last.Dashboards)+len(s.last.Backends) || len(s.last.Dashboards) != len(s.last.Compositions) {
		report("ids of dashboards or backends occur twice")
	}
	f := s.last.State
	if f.DashboardID == nil || s.last.Compositions[*f.DashboardID] != s.last.Composition {
		report("the focus is %s", canonical(f))
		return
	}
	if tabs := s.last.Composition.Tabs; len(tabs) > 0 && !slices.ContainsFunc(tabs, func(t workspace.Tab) bool { return t.ID == *f.TabID }) {
		report("the open tab %q is none of the dashboard's", *f.TabID)
	}
}

// invent makes a call: mostly a sensible one, sometimes with something wrong.
func (s *storm) invent() sim.Call {
	names := workspace.ToolNames()
	tool := names[s.r.IntN(len(names))]
	if s.r.IntN(3) == 0 { // more of what changes the grid
		tool = s.one(workspace.CreateWidget, workspace.UpdateWidgetLayout, workspace.DeleteWidget, workspace.AddGenerativeWidget, workspace.UpdateWidget)
	}
	args := map[string]string{}
	for _, name := range s.names(tool) {
		if s.r.IntN(4) > 0 {
			args[name] = s.value(tool, name)
		}
	}
	for _, name := range required[tool] {
		if args[name] == "" && s.r.IntN(20) > 0 {
			args[name] = s.value(tool, name)
		}
	}
	if s.r.IntN(15) == 0 {
		args[s.one("x", "colour", "gridData", "dashboard_id", "widget_uuid", "operation")] = s.one(`null`, `1`, `"x"`, `[]`, `{}`, `true`, `{"a":[{}]}`)
	}
	keys := make([]string, 0, len(args))
	for k := range args {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var b strings.Builder
	for i, k := range keys {
		fmt.Fprintf(&b, "%s%q:%s", map[bool]string{true: ","}[i > 0], k, args[k])
	}
	return sim.Call{Name: tool, Arguments: json.RawMessage("{" + b.String() + "}")}
}

func (s *storm) one(of ...string) string { return of[s.r.IntN(len(of))] }

// required are the arguments without which a tool does nothing.
var required = map[string][]string{
	"manage_dashboard": {"operation"}, "manage_navigation_bar": {"operation", "tabs", "rename_map"}, "navigate_workspace": {"operation", "tab_id"},
	"get_widget_schema": {"origin", "widget_id"}, "get_params_options": {"origin", "widget_id", "param_name"}, "get_widget_data": {"origin", "widget_id"},
	"create_widget": {"origin", "widget_id"}, "update_widget": {"widget_uuid"}, "update_widget_layout": {"widget_uuid", "x", "y", "w", "h"},
	"delete_widget": {"widget_uuid"}, "read_widget": {"widget_uuid"}, "add_generative_widget": {"widget_type", "data"},
	"manage_backends": {"operation"}, "manage_apps": {"operation", "backend_id", "app_name"},
	"get_skill_content": {"slug"}, "read_workspace_resource": {"uri"}, "get_workspace_prompt": {"name"}, "assign_tasks_to_agents": {"task_requests"},
}

// optional are further arguments that the storm sends.
var optional = map[string][]string{
	"manage_dashboard": {"dashboard_id", "name", "activate"}, "manage_navigation_bar": {"dashboard_id"}, "navigate_workspace": {"dashboard_id"},
	"list_available_widgets": {"origin", "backend_id"}, "get_params_options": {"data_args"}, "get_widget_data": {"data_args"},
	"create_widget": {"dashboard_id", "data_args", "ui_args"}, "update_widget": {"dashboard_id", "data_args", "ui_args"},
	"update_widget_layout": {"dashboard_id", "tab_id", "min_w"}, "add_generative_widget": {"dashboard_id", "name", "inner_tab", "chart_params"},
	"manage_backends": {"backend_id", "name", "url", "widgets_json", "apps_json"}, "manage_apps": {"template_id", "activate"},
}

func (s *storm) names(tool string) []string { return slices.Concat(required[tool], optional[tool]) }

// value invents an argument as JSON.
func (s *storm) value(tool, name string) string {
	q := func(v ...string) string { return strconv.Quote(s.one(v...)) }
	switch name {
	case "operation":
		switch tool {
		case workspace.ManageDashboard:
			return q("create", "read", "update", "delete")
		case workspace.ManageNavigationBar:
			return q("create", "add_tabs", "add_tabs", "remove_tabs", "rename_tabs", "x")
		case workspace.Navigate:
			return q("dashboard", "tab", "x")
		case workspace.ManageApps:
			return q("list", "read", "instantiate", "x")
		}
		return q("list", "add", "add", "refresh", "update", "remove", "x")
	case "dashboard_id":
		if s.r.IntN(2) == 0 {
			return "null"
		}
		if s.r.IntN(10) == 0 {
			return q("", "dash_999", "current_dashboard", "fresh")
		}
		return strconv.Quote(s.last.Dashboards[s.r.IntN(len(s.last.Dashboards))].ID)
	case "widget_uuid":
		if s.last.Composition != nil && len(s.last.Composition.Widgets) > 0 && s.r.IntN(8) > 0 {
			return strconv.Quote(s.last.Composition.Widgets[s.r.IntN(len(s.last.Composition.Widgets))].UUID)
		}
		return q("", "w_a", "widget_001", "nobody")
	case "backend_id":
		return q("backend_001", "backend_001", "backend_002", "backend_003", "x")
	case "origin":
		return q("Desk Mini", "Desk Mini", "Desk Mini", "Mine", "desk-mini")
	case "widget_id":
		return q("breach_log", "cash_level", "issuer_profile", "trade_ticket", "risk_limits", "good", "rich_note", "nothing")
	case "param_name":
		return q("status", "issuer", "x")
	case "data_args":
		return s.one(`{}`, `{"severity":"Low","x":1}`, `{"tier":"2","as_of":null}`, `{"side":"Hold","quantity":3}`, `{"desk":"Credit","period":["MTD"]}`, `{"p":{"deep":[1,2.0]}}`, `[]`)
	case "ui_args":
		return s.one(`{}`, `{"zoom":1}`, `{"x":1}`, `"x"`)
	case "tab_id", "inner_tab":
		if s.last.Composition != nil && len(s.last.Composition.Tabs) > 0 && s.r.IntN(6) > 0 {
			return strconv.Quote(s.last.Composition.Tabs[s.r.IntN(len(s.last.Composition.Tabs))].ID)
		}
		return q("", "main", "nowhere")
	case "x":
		return s.one("0", "0", "10", "20", "20", "35", "-2", "7.5")
	case "y", "h":
		return s.one("0", "2", "3", "8", "14", "500", "-1", "2.25", "1e300")
	case "w":
		return s.one("10", "20", "20", "40", "0", "61", `"20"`)
	case "min_w":
		return s.one("2", "null", "true")
	case "tabs":
		return s.one(`[{"name":"Main"}]`, `[{"name":"One"},{"name":"Two"}]`, `[{"name":"Two"}]`, `[{"name":" "}]`, `["x"]`, `[]`)
	case "rename_map":
		return s.one(`{"main":"Renamed","one":"Uno"}`, `{"nowhere":"X"}`, `{}`, `{"main":1}`)
	case "name":
		if tool == workspace.GetPrompt {
			return q("workspace_tool_usage", "workspace_session_context", "x")
		}
		return q("Mine", "desk-mini", "Note", "Desk Mini", "")
	case "activate":
		return s.one("true", "false", "1")
	case "widget_type":
		return q("note", "html", "table", "chart", "markdown")
	case "data":
		return s.one(`"text"`, `"text"`, `[{"a":1,"b":"x"}]`, `[]`, `[1]`, `7`)
	case "chart_params":
		return s.one(`{"chartType":"bar","xKey":"b","yKey":["a"]}`, `{"chart_type":"pie","x_key":"b","y_key":["a"]}`, `{"chartType":"pie"}`)
	case "url":
		return q("http://x", "http://y/")
	case "widgets_json":
		return s.one(`{"good":{"name":"Good","description":"d","endpoint":"g","params":[{"paramName":"p","value":"v"}]}}`, `{"bad":{}}`, `[]`, `null`, `null`)
	case "apps_json":
		return s.one(`[{"name":"App","tabs":{"one":{"id":"one","name":"One","layout":[{"i":"good","x":0,"y":0,"w":20,"h":9}]}}}]`, `[]`, `{}`, `null`, `null`)
	case "app_name":
		return q("Morning Desk", "App", "x")
	case "template_id":
		return q("issuer-watch", "app", "x")
	case "slug":
		return q("desk-handover", "x")
	case "uri":
		return q("openbb://workspace/app-builder/index", "openbb://workspace/contract/backend", "openbb://workspace/skills/desk-handover", "x")
	case "task_requests":
		return s.one(`[{"id":"1","description":"d","assigned_holder_url":"u","assigned_agent_id":"a"}]`, `[]`, `[{}]`, `{}`)
	}
	return `"x"`
}
