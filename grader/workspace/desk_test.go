package workspace

import (
	"encoding/json"
	"fmt"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/workspace"
	"benchwright/tasks"
)

// The desk of these tests: a reviewer repairs a view, leaves a note, publishes a small app of her
// own and places what it shows. An episode is what such work left behind.
type episode struct {
	initial, final *world.Snapshot
	trace          sim.Trace
	answer         json.RawMessage
}

func (e *episode) Evidence(int) (grader.Evidence, error) {
	return grader.Evidence{Initial: stateOf(e.initial), Final: stateOf(e.final), Trace: e.trace, Answer: e.answer, End: grader.End{Code: grader.EndDone}}, nil
}

func stateOf(s *world.Snapshot) sim.State { return sim.RawState(sim.MustCanonical(s)) }

// aftermath is the episode as proofs spoil it.
func (e *episode) aftermath() tasks.Aftermath {
	return tasks.Aftermath{
		Initial: sim.MustCanonical(e.initial), States: []json.RawMessage{sim.MustCanonical(e.final)},
		Trace: e.trace, Answers: []json.RawMessage{e.answer}, End: grader.End{Code: grader.EndDone},
	}
}

// left is a spoiled aftermath as evidence.
type left tasks.Aftermath

func (l left) Evidence(int) (grader.Evidence, error) {
	return grader.Evidence{Initial: sim.RawState(l.Initial), Final: sim.RawState(l.States[0]), Trace: l.Trace, Answer: l.Answers[0], End: l.End}, nil
}

func obj(s string) map[string]any { return value(s).(map[string]any) }

const compliance = "Compliance Hub"

func placed(uuid, id, origin, args string, x, y, w, h float64) world.Widget {
	return world.Widget{
		UUID: uuid, WidgetID: id, Origin: origin, Name: "The " + id, Type: "table", DataArgs: obj(args), UIArgs: map[string]any{},
		Layout: world.Layout{TabID: "review", X: x, Y: y, W: w, H: h},
	}
}

func note(uuid, name, text string, x, y float64) world.Widget {
	w := placed(uuid, "generated_note", "generated", `{}`, x, y, 20, 8)
	w.Name, w.Type, w.Generated, w.GeneratedData = name, "note", true, text
	return w
}

func board(id, name string, tabs []world.Tab, widgets ...world.Widget) *world.Composition {
	return &world.Composition{DashboardID: id, Name: name, NavigationBar: len(tabs) > 1, Tabs: tabs, Widgets: widgets}
}

func snapshot(active string, custom map[string]*world.CustomBackend, boards ...*world.Composition) *world.Snapshot {
	tab := "review"
	s := &world.Snapshot{
		State: world.Focus{DashboardID: &active, TabID: &tab}, Compositions: map[string]*world.Composition{},
		Skills: []world.SkillRef{}, CustomBackends: custom,
		Backends: []world.BackendRef{{ID: "backend_001", Name: compliance, URL: "http://127.0.0.1:7701", Status: "connected", WidgetCount: 3}},
	}
	for i := range 9 {
		id := fmt.Sprintf("backend_%03d", i)
		if c := custom[id]; c != nil {
			s.Backends = append(s.Backends, world.BackendRef{ID: id, Name: c.Name, URL: c.URL, Status: "connected", WidgetCount: len(c.Widgets), AppCount: len(c.Apps)})
		}
	}
	for _, b := range boards {
		s.Dashboards = append(s.Dashboards, world.DashboardRef{ID: b.DashboardID, Name: b.Name})
		s.Compositions[b.DashboardID] = b
		for i := range b.Tabs {
			b.Tabs[i].Layout = []world.LayoutItem{}
			for _, w := range b.Widgets {
				if w.Layout.TabID == b.Tabs[i].ID {
					b.Tabs[i].Layout = append(b.Tabs[i].Layout, world.LayoutItem{WidgetUUID: w.UUID, WidgetID: w.WidgetID, Origin: w.Origin, Layout: w.Layout})
				}
			}
		}
	}
	s.Composition = s.Compositions[active]
	return s
}

func deskTools() *world.CustomBackend {
	return &world.CustomBackend{
		Name: "Desk Tools", URL: "http://127.0.0.1:7788", Warnings: []string{},
		Widgets: map[string]json.RawMessage{"desk_register": json.RawMessage(`{"name":"Desk Register","description":"d","endpoint":"desk_register","type":"table","data":{"table":{"columnsDefs":[{"field":"case_id","headerName":"Case"}]}}}`)},
		Apps:    []json.RawMessage{json.RawMessage(`{"name":"Desk App","template_id":"desk-app","description":"The desk's own.","tabs":{"desk":{"id":"desk","name":"Desk","layout":[{"i":"desk_register","x":0,"y":0,"w":20,"h":10}]}},"groups":[],"prompts":["What is open?"]}`)},
	}
}

func caseService() *world.CustomBackend {
	return &world.CustomBackend{
		Name: "Case Service", URL: "http://127.0.0.1:7789", Warnings: []string{},
		Widgets: map[string]json.RawMessage{
			"case_register": json.RawMessage(`{"name":"Case Register","description":"d","endpoint":"case_register","type":"table","gridData":{"w":20,"h":10},
				"params":[[{"paramName":"severity","type":"text","label":"Severity","value":"High"}],{"paramName":"raise","type":"form","endpoint":"/raise","method":"POST","inputParams":[{"paramName":"reason","type":"text","value":"none"}]}],
				"data":{"table":{"columnsDefs":[{"field":"case_id","headerName":"Case"},{"field":"severity","headerName":"Severity","renderFn":"titleCase,greenRed"}]}}}`),
			"case_chart": json.RawMessage(`{"name":"Case Chart","description":"d","endpoint":"case_chart","type":"table","params":[{"paramName":"severity","type":"text","value":"High"}],
				"data":{"table":{"columnsDefs":[{"field":"severity","headerName":"Severity"},{"field":"count","headerName":"Count"}]}}}`),
		},
		Apps: []json.RawMessage{json.RawMessage(`{"name":"Case File App","template_id":"case-file-app","description":"Cases.","allowCustomization":true,
			"tabs":{"review":{"id":"review","name":"Case Review","layout":[{"i":"case_register","x":0,"y":0,"w":20,"h":10},{"i":"case_chart","x":20,"y":0,"w":20,"h":10}]}},
			"groups":[{"name":"Group 1","type":"param","paramName":"severity","widgetIds":["case_register","case_chart"]}],"prompts":["What is open?","What is high?"]}`)},
	}
}

const checksJSON = `{"datasets":[
	{"name":"cases","widget_id":"case_register","fields":["case_id","severity"],"payload":[{"case_id":"C1","severity":"High"}],"form_endpoint":"/raise"},
	{"name":"counts","widget_id":"case_chart","fields":["severity","count"],"payload":[{"severity":"High","count":3}]},
	{"name":"desk","widget_id":"desk_register","fields":["case_id"],"payload":[{"case_id":"C1"}]}]}`

const (
	oldNote  = "Pre-clearance backlog: 14 requests."
	newNote  = "Two breaches are open.\nEvidence gaps: 3 of 12 (25%). Exposure is 1,250,000 USD."
	answer   = "The view is restored: 1,250,000 USD of exposure is open in 3 cases."
	skillDoc = "Record evidence gaps before anything else."
)

func tabsOfReview() []world.Tab { return []world.Tab{{ID: "review", Name: "Review"}} }

func envelope(tool, data string) json.RawMessage {
	return sim.MustCanonical(json.RawMessage(`{"ok":true,"command":` + string(sim.MustCanonical(tool)) + `,"request_id":null,"message":"ok","data":` + data + `,"error":null}`))
}

func event(tool, args, data string) sim.Event {
	return sim.Event{Turn: 1, Call: sim.Call{Name: tool, Arguments: json.RawMessage(args)}, Result: sim.Result{Status: sim.StatusOK, Data: envelope(tool, data)}}
}

func refused(tool, args string) sim.Event {
	e := event(tool, args, `{}`)
	e.Result = failedResult(tool)
	return e
}

// good is the episode in which everything is as demanded.
func good() *episode {
	home := func() *world.Composition { return board("dash_001", "Home", []world.Tab{{}}) }
	morning := func() *world.Composition {
		w := placed("w_tape", "news_tape", "Getting Started", `{"limit":3}`, 0, 0, 40, 10)
		w.Layout.TabID = ""
		return board("dash_003", "Morning Briefing", []world.Tab{{}}, w)
	}
	twin := func() world.Widget {
		return placed("w_7b8", "policy_breaches", compliance, `{"severity":"Low","status":"In Review","period":"MTD"}`, 20, 0, 20, 14)
	}
	queue := func() world.Widget {
		return placed("w_q", "preclearance_queue", compliance, `{"desk":["Rates"]}`, 0, 14, 20, 8)
	}
	old := func() world.Widget { return note("w_note", "Backlog", oldNote, 20, 14) }
	stale := placed("w_b2b", "policy_breaches", compliance, `{"severity":"High","status":"Closed","period":"1Y"}`, 0, 0, 20, 14)
	fresh := placed("w_b2b", "policy_breaches", compliance, `{"severity":"High","status":"Open","period":"QTD"}`, 0, 0, 20, 14)
	return &episode{
		initial: snapshot("dash_002", map[string]*world.CustomBackend{"backend_002": deskTools()},
			home(), board("dash_002", "Breach Review", tabsOfReview(), stale, twin(), queue(), old()), morning()),
		final: snapshot("dash_002", map[string]*world.CustomBackend{"backend_002": deskTools(), "backend_003": caseService()},
			home(), board("dash_002", "Breach Review", tabsOfReview(), fresh, twin(), queue(), old(),
				note("widget_007", "Breach Review Evidence Note", newNote, 0, 22),
				placed("widget_008", "case_register", "Case Service", `{"severity":"High"}`, 20, 22, 20, 10),
				placed("widget_009", "case_chart", "Case Service", `{"severity":"High"}`, 0, 32, 20, 10),
				placed("widget_010", "desk_register", "Desk Tools", `{}`, 20, 32, 20, 10)), morning()),
		answer: sim.MustCanonical(answer),
		trace: sim.Trace{
			event("get_workspace_snapshot", `{}`, `{"dashboards":[]}`),
			event("get_skill_content", `{"slug":"finance-guidance-tracker"}`, `{"slug":"finance-guidance-tracker","content":"`+skillDoc+`"}`),
			event("list_available_widgets", `{"origin":"`+compliance+`"}`, `{"widgets":[{"origin":"`+compliance+`","widget_id":"policy_breaches","backend_id":"backend_001"}]}`),
			event("get_widget_schema", `{"origin":"`+compliance+`","widget_id":"policy_breaches"}`, `{"schema":{}}`),
			event("update_widget", `{"widget_uuid":"w_b2b","data_args":{"status":"Open","period":["QTD"]}}`, `{"widget":{}}`),
			event("read_workspace_resource", `{"uri":"openbb://workspace/specs/widgets-json"}`, `{"text":"A definition needs a name."}`),
			refused("manage_backends", `{"operation":"add","name":"Case Service"}`),
			event("manage_backends", `{"operation":"add","name":"Case Service","url":"http://127.0.0.1:7789","widgets_json":{"case_register":{},"case_chart":{}}}`, `{"message":"Backend added.","backend":{"name":"Case Service"}}`),
			event("list_available_widgets", `{}`, `{"widgets":[{"origin":"Desk Tools","widget_id":"desk_register"}]}`),
			event("get_widget_schema", `{"origin":"Case Service","widget_id":"case_register"}`, `{}`),
			event("get_widget_schema", `{"origin":"Case Service","widget_id":"case_chart"}`, `{}`),
			event("get_widget_schema", `{"origin":"Desk Tools","widget_id":"desk_register"}`, `{}`),
			event("create_widget", `{"origin":"Case Service","widget_id":"case_register"}`, `{"widget":{"widget_uuid":"widget_008"}}`),
			event("create_widget", `{"origin":"Case Service","widget_id":"case_chart"}`, `{}`),
			event("create_widget", `{"backend_name":"Desk Tools","widget_id":"desk_register"}`, `{}`),
			event("add_generative_widget", `{"widget_type":"note","name":"Breach Review Evidence Note","data":"…"}`, `{"widget":{"widget_uuid":"widget_007"}}`),
			event("manage_apps", `{"operation":"instantiate","backend_id":"backend_003","app_name":"Case File App","dashboard_name":"Breach Review"}`, `{"dashboard_id":"dash_002"}`),
			event("manage_apps", `{"operation":"list","backend_id":"backend_003"}`, `{"apps":[{"name":"Case File App","template_id":"case-file-app"}]}`),
		},
	}
}

func ptr[T any](v T) *T { return &v }

// demands holds one check of each rule, by a name for the test, all met by the good episode.
func demands() map[string]grader.Check {
	cases := Capability{Named: "case list", Datasets: []string{"cases"}, Kind: "table-like", Fields: []string{"case_id", "severity"}, ParamKinds: []string{"text", "form"}, Config: map[string]any{"gridData.w": 20}}
	counts := Capability{Named: "case count", Datasets: []string{"counts"}, Kind: "any", Fields: []string{"count"}}
	raw := json.RawMessage(checksJSON)
	def := WidgetDefined("Case Service", "case_register", map[string]any{"name": "Case Register", "data.table.columnsDefs.1.field": "severity"})
	def.Rule.(*WidgetDefRule).Params = []map[string]any{obj(`{"paramName":"reason","type":"text"}`)}
	def.Rule.(*WidgetDefRule).Columns = []map[string]any{obj(`{"field":"severity","renderFn":["greenRed"]}`)}
	app := AppDefined("Case Service", "case file", "review")
	*app.Rule.(*AppDefRule) = AppDefRule{
		Backend: "Case Service", Named: "case file", Tabs: []string{"review"}, TabCount: ptr(1), MinPrompts: 2, ValidRefs: true, NoOverlaps: true,
		Expect: obj(`{"allowCustomization":true}`), OnTab: []OnTab{{TabID: "review", WidgetID: "case_register"}}, Groups: []map[string]any{obj(`{"paramName":"severity","widgetIds":["case_chart"]}`)},
	}
	exactly := HoldExactly(
		Placed{UUID: "w_b2b", WidgetID: "policy_breaches", Origin: compliance, Args: map[string]any{"status": "Open"}, At: At(0, 0, 20, 14)},
		Placed{WidgetID: "policy_breaches", Args: map[string]any{"severity": "Low"}, TabID: ptr("review")},
		Placed{Named: "The preclearance_queue"}, Placed{Type: "note", Named: "Backlog"}, Placed{Type: "note", Named: "Breach Review Evidence Note"},
		Placed{WidgetID: "case_register"}, Placed{WidgetID: "case_chart"}, Placed{WidgetID: "desk_register"},
	)
	return map[string]grader.Check{
		"answer":           Answers(),
		"answer-lines":     AnswerLines([]string{"exposure", "1250000"}, []string{"cases", "3"}),
		"answer-unsaid":    AnswerDoesNotSay("closed"),
		"answer-value":     AnswerSays("1250000"),
		"app-def":          app,
		"app-called":       {Rule: &AppDefRule{Backend: "Case Service", Called: "Case File App", Expect: obj(`{"tabs.review.name":"Case Review"}`), OnTab: []OnTab{{"review", "case_chart", At(20, 0, 20, 10)}}, MinPrompts: 1, ValidRefs: true, NoOverlaps: true}},
		"app-opened":       AppOpened("Breach Review", "Case Service", "Case File App"),
		"app-structure":    {Rule: &AppStructureRule{Required: true, ValidRefs: true, NoOverlaps: true}},
		"backend":          {Rule: &BackendRule{Backend: "Case Service", URL: "http://127.0.0.1:7789", Widgets: map[string][]string{"case_register": {"severity", "raise", "reason"}, "case_chart": nil}, Apps: map[string]ServedApp{"Case File App": {Tabs: map[string][]string{"review": {"case_register", "case_chart"}}, Prompts: true}}}},
		"backend-names":    UniqueBackendNames(),
		"backend-warned":   NoBackendWarnings(),
		"backends-kept":    BackendsKept("backend_003"),
		"business-app":     BusinessName("app", "case file"),
		"business-board":   BusinessName("dashboard", "breach of the review"),
		"business-tab":     BusinessName("tab", "case review"),
		"calls":            Calls(Call{Tool: "get_skill_content", Args: map[string]any{"slug": "finance-guidance-tracker"}}, Call{Tool: "update_widget", Args: map[string]any{"widget_uuid": "w_b2b", "data_args": map[string]any{"period": "QTD"}}}, Call{Tool: "manage_backends", Args: map[string]any{"operation": "add"}}, Call{Tool: "create_widget", Min: 3}),
		"capability":       Capable(cases, raw),
		"connection":       Connected(cases, counts, "text", raw),
		"created-backend":  NewBackends(1),
		"created-board":    NewDashboards(0),
		"dashboard-name":   {Rule: &DashboardNameRule{Dashboard: "Breach Review", Contains: "breach review"}},
		"dashboard-called": {Rule: &DashboardNameRule{Dashboard: "Breach Review", Named: "Breach Review"}},
		"exact":            exactly,
		"generated":        NoteSays("Evidence Note", "evidence gaps", "1250000", "0.25", "open"),
		"lines":            NoteLines("Evidence Note", []string{"evidence gaps", "0.25"}, []string{"exposure", "1250000"}),
		"line":             NoteLines("Evidence Note", []string{"evidence gaps", "12"}),
		"lines-only":       NoteLinesOnly("Evidence Note", []string{"evidence gaps", "0.25"}, []string{"exposure", "1250000"}),
		"note-unsaid":      NoteDoesNotSay("Evidence Note", "97000", "closed"),
		"generated-most":   {Rule: &GeneratedRule{Type: "note", Named: "Backlog", Contains: []string{oldNote}, TabID: ptr("review"), Min: 1, Max: ptr(1)}},
		"grid":             WithinGrid(),
		"invalid":          InvalidCalls(1),
		"layout":           WidgetAt("w_b2b", 0, 0, 20, 14),
		"layout-by-id":     {Rule: &LayoutRule{WidgetID: "policy_breaches", TabID: ptr("review"), Place: Place{X: ptr(20.0)}}},
		"listed":           FindsWidgets(),
		"no-widget":        HoldNoWidget(compliance, "expert_calls"),
		"nothing-else":     {Rule: &NothingElseRule{Widgets: []Target{{UUID: "w_b2b", Only: []string{"data_args"}}, {Type: "note", Named: "Breach Review Evidence Note", Only: []string{"created"}}, {WidgetID: "case_register"}, {WidgetID: "case_chart"}, {Dashboard: "Breach Review", WidgetID: "desk_register"}}, Backends: []string{"Case Service"}}},
		"other-apps":       OtherAppsKept(),
		"other-boards":     OtherDashboardsKept(),
		"overlap":          NoOverlaps(),
		"resource":         ResourceRead("openbb://workspace/specs/widgets-json", "definition"),
		"result":           ToolResult("get_skill_content", "evidence gaps"),
		"runtime":          Runs(raw),
		"schema-first":     ReadsSchemas(),
		"snapshots":        Snapshots(1),
		"tab":              Tab("review"),
		"tab-called":       TabCalled("review", "Review"),
		"tab-name":         TabName("review"),
		"widget":           {Rule: &WidgetRule{Origin: compliance, WidgetID: "policy_breaches", Args: obj(`{"severity":"High","status":"Open","period":"QTD"}`), TabID: ptr("review"), Min: 1, Max: ptr(1)}},
		"widget-at":        {Rule: &WidgetRule{Origin: compliance, WidgetID: "policy_breaches", Args: obj(`{"severity":"High"}`), At: At(0, 0, 20, 14), Min: 1}},
		"widget-def":       def,
	}
}
