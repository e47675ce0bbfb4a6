package workspace_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"benchwright/sim"
	"benchwright/sim/workspace"
	"benchwright/sim/workspace/backend"
)

func TestSetupErrors(t *testing.T) {
	dash := func(widgets string) string {
		return `{"backends":["desk-mini"],"state":{"dashboard":{"name":"D","widgets":[` + widgets + `]}}}`
	}
	tests := []struct{ name, setup, want string }{
		{"nothing", ``, "unexpected EOF"},
		{"list", `[]`, "want an object"},
		{"null", `null`, "want an object"},
		{"unknown key", `{"bakends":[]}`, `unknown field "bakends"`},
		{"wrong type", `{"backends":"desk-mini"}`, "cannot unmarshal string"},
		{"key twice", `{"skills":[],"skills":[]}`, `duplicate key "skills"`},
		{"unknown backend", `{"backends":["desk"]}`, `backends[0]: unknown backend "desk"; there are desk-mini, getting-started, `},
		{"backend twice", `{"backends":["desk-mini","Desk Mini"]}`, `backends[1]: backend "Desk Mini" is named twice`},
		{"unknown fixture", `{"fixtures":[{"name":"desk"}]}`, `fixtures[0]: unknown backend "desk"; there are desk-mini, getting-started, `},
		{"unknown baseline", `{"baseline":"desk"}`, `baseline: unknown baseline "desk"; there are all-stark-enterprise-apps, desk-mini-a, stark-onboard-a, stark-onboard-b, stark-workspace-a`},
		{"baseline without its backend", `{"baseline":"desk-mini-a"}`, `dashboards[1].widgets[0]: no connected backend has the name "Desk Mini"; there are none`},
		{"unknown skills", `{"skills":["x","breach-review","a"]}`, `Unknown workspace skill slugs: ['a', 'x']; there are breach-review, daloopa-capital-allocation, `},
		{"skill twice", `{"skills":["breach-review","breach-review"]}`, `skills[1]: skill "breach-review" is declared twice`},
		{"unknown dashboard selected", `{"selected":"X"}`, `selected: initial_state.active_dashboard 'X' matches no seeded dashboard`},
		{"unknown dashboard active", `{"state":{"active_dashboard":"X"}}`, `state: initial_state.active_dashboard 'X' matches no seeded dashboard`},
		{"two dashboards selected", `{"selected":"X","state":{"active_dashboard":"Y","dashboards":[{"name":"X"},{"name":"Y"}]}}`, `selected: dashboard "X" is selected, and initial_state.active_dashboard says "Y"`},
		{"state a list", `{"state":[]}`, "state: want an object"},
		{"dashboard without name", `{"state":{"dashboards":[{"name":"A"},{}]}}`, "state.dashboards[1]: a dashboard needs a name"},
		{"dashboard id twice", `{"state":{"dashboards":[{"name":"A","dashboard_id":"x"},{"name":"B","dashboard_id":"x"}]}}`, `state.dashboards[1]: dashboard_id "x" is taken`},
		{"tab twice", `{"state":{"dashboard":{"name":"A","tabs":[{"name":"T"},{"id":"t","name":"Other"}]}}}`, `state.dashboard: tabs[1]: tab id "t" is taken`},
		{"widget without id", dash(`{}`), "widgets[0]: a widget needs a widget_id"},
		{"unknown widget", dash(`{"widget_id":"x"}`), `widgets[0]: no connected backend has the widget "x"; connected are Desk Mini`},
		{"unknown widget of an origin", dash(`{"widget_id":"x","origin":"Desk Mini"}`), `widgets[0]: backend "Desk Mini" has no widget "x"`},
		{"unknown origin", dash(`{"widget_id":"cash_level","origin":"desk-mini"}`), `widgets[0]: no connected backend has the name "desk-mini"; there are Desk Mini`},
		{"uuid twice", dash(`{"widget_id":"cash_level","widget_uuid":"w_1"},{"widget_id":"cash_level","widget_uuid":"w_1"}`), "widgets[1]: duplicate widget_uuid 'w_1'"},
		{"too far away", dash(`{"widget_id":"cash_level","layout":{"y":1e10}}`), "widgets[0]: layout: 1e+10 is too far away"},
		{"ambiguous widget", `{"backends":["desk-mini"],"state":{"custom_backends":[{"name":"Mine","widgets_json":{"cash_level":{"name":"C"}}}],"dashboard":{"name":"D","widgets":[{"widget_id":"cash_level"}]}}}`, `the widget "cash_level" is ambiguous: its origin may be Desk Mini, Mine`},
		{"generated type", `{"state":{"dashboard":{"name":"D","generated_widgets":[{"widget_type":"markdown"}]}}}`, `generated_widgets[0]: widget_type "markdown": want note, table, chart or html`},
		{"custom backend without name", `{"state":{"custom_backends":[{}]}}`, "state.custom_backends[0]: a backend needs a name"},
		{"custom backend id taken", `{"backends":["desk-mini"],"state":{"custom_backends":[{"name":"M","backend_id":"backend_001"}]}}`, `custom_backends[0]: backend_id "backend_001" is taken`},
		{"custom backend of nonsense", `{"state":{"custom_backends":[{"name":"M","widgets_json":[]}]}}`, `custom_backends[0]: backend "M": widgets.json: want an object`},
		{"runtime", `{"runtime":{"dataset":[]}}`, "runtime: "},
		{"all errors at once", `{"backends":["x"],"skills":["y"],"baseline":"z"}`, `unknown backend "x"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w, err := workspace.Kind.New(context.Background(), sim.Env{}, json.RawMessage(test.setup), nil)
			if err == nil {
				t.Fatalf("a world: %v", w)
			}
			if !strings.HasPrefix(err.Error(), "workspace: setup: ") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %q\nwant %q", err, test.want)
			}
			if s, parse := workspace.ParseSetup(json.RawMessage(test.setup)); parse == nil {
				l, _ := workspace.Builtin()
				if check := s.Check(l); check == nil || check.Error() != err.Error() {
					t.Errorf("Check says %v", check)
				}
			}
		})
	}
}

func TestSeeding(t *testing.T) {
	tests := []struct {
		name  string
		setup string
		check func(t *testing.T, d *desk)
	}{
		{"nothing gives one dashboard", `{}`, func(t *testing.T, d *desk) {
			d.ok("get_workspace_snapshot", `{}`).want("dashboards", `[{"dashboard_id":"dash_001","is_active":true,"name":"Workspace Bench","tab_count":1,"widget_count":0}]`)
			d.ok("manage_backends", `{"operation":"list"}`).want("backends", `[]`)
		}},
		{"only backends give one dashboard too", `{"backends":["desk-mini"],"state":null}`, func(t *testing.T, d *desk) {
			d.ok("manage_dashboard", `{"operation":"read"}`).want("name", `"Workspace Bench"`)
		}},
		{"the last activated dashboard is open", `{"state":{"dashboards":[{"name":"A"},{"name":"B","tabs":[{"name":"Two Words"}]},{"name":"C","activate":false}]}}`, func(t *testing.T, d *desk) {
			d.ok("get_workspace_snapshot", `{}`).want("session_context", `{"current_dashboard_uuid":"dash_002","current_tab_id":"two-words"}`)
		}},
		{"dashboards win over dashboard", `{"state":{"dashboard":{"name":"A"},"dashboards":[{"name":"B"}]}}`, func(t *testing.T, d *desk) {
			d.ok("get_workspace_snapshot", `{}`).want("dashboards.0.name", `"B"`)
		}},
		{"selected by name, first match", `{"selected":"A","state":{"dashboards":[{"name":"A","tabs":[{"id":"t_1","name":"T"}]},{"name":"A"}]}}`, func(t *testing.T, d *desk) {
			d.ok("get_workspace_snapshot", `{}`).want("session_context", `{"current_dashboard_uuid":"dash_001","current_tab_id":"t_1"}`)
		}},
		{"default_selected_dashboard is the same", `{"state":{"default_selected_dashboard":"A","dashboards":[{"name":"A"},{"name":"B"}]}}`, func(t *testing.T, d *desk) {
			d.ok("manage_dashboard", `{"operation":"read"}`).want("name", `"A"`)
		}},
		{"a task's dashboard comes after the baseline's and is not opened", `{"baseline":"desk-mini-a","backends":["desk-mini"],"state":{"dashboard":{"name":"Own"}}}`, func(t *testing.T, d *desk) {
			d.ok("get_workspace_snapshot", `{}`).want("dashboards.3", `{"dashboard_id":"dash_004","is_active":false,"name":"Own","tab_count":1,"widget_count":0}`)
			d.ok("manage_dashboard", `{"operation":"read"}`).want("name", `"Home"`)
		}},
		{"a task's dashboard may ask to be opened", `{"baseline":"desk-mini-a","backends":["desk-mini"],"state":{"dashboard":{"name":"Own","activate":true}}}`, func(t *testing.T, d *desk) {
			d.ok("manage_dashboard", `{"operation":"read"}`).want("name", `"Own"`)
		}},
		{"a task may open a dashboard of the baseline", `{"baseline":"desk-mini-a","backends":["desk-mini"],"selected":"Desk Overview"}`, func(t *testing.T, d *desk) {
			d.ok("get_workspace_snapshot", `{}`).want("session_context", `{"current_dashboard_uuid":"dash_002","current_tab_id":"positions"}`)
		}},
		{"places and sizes that are missing", `{"backends":["desk-mini"],"state":{"dashboard":{"name":"D","widgets":[{"widget_id":"cash_level"},{"widget_id":"breach_log","layout":{"x":20}},{"widget_id":"cash_level","layout":{"w":7,"y":1}}],"generated_widgets":[{"data":"x"},{"widget_type":"chart","data":[],"name":"Chart of mine"}]}}}`, func(t *testing.T, d *desk) {
			equal(t, "first", d.at("widget_001"), "0,0 10x5")
			equal(t, "second", d.at("widget_002"), "20,5 20x14")
			equal(t, "third", d.at("widget_003"), "0,1 7x5")
			equal(t, "note", d.at("widget_004"), "0,19 20x8")
			equal(t, "chart", d.at("widget_005"), "0,27 20x8")
			equal(t, "name", d.widget("widget_004").Name+d.widget("widget_005").Name, "NoteChart of mine")
		}},
		{"arguments are sanitised as on create", `{"backends":["desk-mini"],"state":{"dashboard":{"name":"D","widgets":[{"widget_id":"breach_log","data_args":{"severity":"Purple","nothing":1}}]}}}`, func(t *testing.T, d *desk) {
			equal(t, "arguments", canonical(d.widget("widget_001").DataArgs), `{"period":"QTD","severity":"Purple","status":"Open"}`)
		}},
		{"explicit ids leave gaps and are not given again", `{"backends":["desk-mini"],"state":{"dashboards":[{"name":"A","dashboard_id":"dash_002"},{"name":"B","widgets":[{"widget_id":"cash_level","widget_uuid":"widget_002"},{"widget_id":"cash_level"}]}],"custom_backends":[{"name":"M","backend_id":"mine"}]}}`, func(t *testing.T, d *desk) {
			d.ok("manage_dashboard", `{"operation":"read"}`).want("dashboard_id", `"dash_003"`)
			d.ok("manage_dashboard", `{"operation":"read"}`).want("dashboard_composition.widgets.1.widget_uuid", `"widget_003"`)
			d.ok("manage_backends", `{"operation":"add","name":"desk-mini"}`).want("backend_id", `"backend_003"`)
		}},
		{"one uuid on two dashboards", `{"backends":["desk-mini"],"state":{"dashboards":[{"name":"A","widgets":[{"widget_id":"cash_level","widget_uuid":"w"}]},{"name":"B","widgets":[{"widget_id":"rate_sheet","widget_uuid":"w"}]}]}}`, func(t *testing.T, d *desk) {
			d.ok("read_widget", `{"widget_uuid":"w","dashboard_id":"dash_001"}`).want("widget.widget_id", `"cash_level"`)
			d.ok("read_widget", `{"widget_uuid":"w"}`).want("widget.widget_id", `"rate_sheet"`)
		}},
		{"seeds do not settle", `{"backends":["desk-mini"],"state":{"dashboard":{"name":"D","widgets":[{"widget_id":"cash_level","layout":{"y":50}}]}}}`, func(t *testing.T, d *desk) {
			equal(t, "place", d.at("widget_001"), "0,50 10x5")
			d.ok("update_widget", `{"widget_uuid":"widget_001","ui_args":{"a":1}}`)
			equal(t, "place", d.at("widget_001"), "0,50 10x5")
		}},
		{"seeded tabs keep rows from 0 unless the bar is said", `{"backends":["desk-mini"],"state":{"dashboard":{"name":"D","tabs":[{"name":"A"},{"name":"B"}]}}}`, func(t *testing.T, d *desk) {
			d.ok("create_widget", `{"origin":"Desk Mini","widget_id":"cash_level"}`).want("widget.layout.y", `0`)
		}},
		{"a fixture under an id and URL of its own", `{"fixtures":[{"name":"desk-mini","backend_id":"mine","url":"http://here"}]}`, func(t *testing.T, d *desk) {
			d.ok("manage_backends", `{"operation":"list"}`).want("backends", `[{"app_count":2,"id":"mine","name":"Desk Mini","status":"connected","url":"http://here","widget_count":12}]`)
			if n := len(d.snapshot().CustomBackends); n != 0 {
				t.Errorf("%d custom backends", n)
			}
		}},
		{"a fixture that is connected already", `{"backends":["desk-mini"],"fixtures":[{"name":"Desk Mini","backend_id":"mine"}]}`, func(t *testing.T, d *desk) {
			d.ok("manage_backends", `{"operation":"list"}`).want("backends.0.id", `"backend_001"`)
		}},
		{"an authored backend is not validated", `{"state":{"custom_backends":[{"name":"Mine","widgets_json":{"w":{"name":"W"}},"apps_json":[{"name":"My App","tabs":{}}],"warnings":["old"]}]}}`, func(t *testing.T, d *desk) {
			b := d.snapshot().CustomBackends["backend_001"]
			equal(t, "backend", canonical(b), `{"apps_json":[{"name":"My App","tabs":{},"template_id":"my-app"}],"name":"Mine","url":"http://127.0.0.1:7779","warnings":["old"],"widgets_json":{"w":{"name":"W","type":"table"}}}`)
			r := d.ok("manage_apps", `{"operation":"instantiate","backend_id":"backend_001","template_id":"my-app"}`)
			r.want("dashboard_composition.tabs", `[{"id":"","layout":[],"name":""}]`)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.check(t, open(t, test.setup)) })
	}
}

func TestNewTasksOnABaselineShareIt(t *testing.T) {
	const setup = `{"baseline":"desk-mini-a","backends":["desk-mini"],"selected":`
	a, b := open(t, setup+`"Home"}`), open(t, setup+`"Credit Watch"}`)
	if a.snapshot().Compositions["dash_003"] != b.snapshot().Compositions["dash_003"] {
		t.Error("the baseline was made twice")
	}
}

func TestLibrary(t *testing.T) {
	l, err := workspace.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	if l.Backend("desk-mini") == nil || l.Backend("Desk Mini") != l.Backend("desk-mini") || l.Backend("x") != nil || l.Skill("x") != nil || l.Skill("breach-review").Name != "Breach Review" {
		t.Error("look-ups are wrong")
	}
	other, err := backend.Author(backend.Source{Slug: "other", Name: "Other", URL: "http://x", Widgets: json.RawMessage(`{"t":{"name":"T","description":"d","endpoint":"t"}}`)})
	if err != nil {
		t.Fatal(err)
	}
	more, err := l.With(other)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Backends()) != len(more.Backends())-1 {
		t.Errorf("%d backends became %d", len(l.Backends()), len(more.Backends()))
	}
	if _, err := more.With(other); err == nil || !strings.Contains(err.Error(), `two backends with the slug "other"`) {
		t.Errorf("error %v", err)
	}
	w, err := more.Kind().New(context.Background(), sim.Env{}, json.RawMessage(`{"backends":["Other"]}`), []string{"all"})
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t, w}
	d.ok("list_available_widgets", `{}`).want("widgets.0.origin", `"Other"`)
	d.ok("get_widget_data", `{"origin":"Other","widget_id":"t"}`)
}

// TestWhatASeedSaysInVainIsDoubted holds that what the published simulator overlooks in an
// initial_state is taken, and told to who asks.
func TestWhatASeedSaysInVainIsDoubted(t *testing.T) {
	l, err := workspace.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	setup := workspace.Setup{Backends: []string{"desk-mini"}, State: json.RawMessage(`{"dashbord":{},"author":"me","dashboard":{"name":"D","colour":1,
		"tabs":[{"id":"a","name":"A","icon":"x"}],
		"widgets":[{"widget_id":"cash_level","size":1,"layout":{"width":1,"x":3,"w":8}},{"widget_id":"cash_level","tab_id":"b","widget_uuid":"w_9","data_args":{"any":1}}],
		"generated_widgets":[{"data":"note","tab_id":"c","layout":null}]},"custom_backends":[{"name":"M","kind":"x"}]}`)}
	doubts, err := setup.Doubts(l)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"state: unknown field 'author' is left out", "state: unknown field 'dashbord' is left out",
		"state.dashboard: unknown field 'colour' is left out", "state.dashboard.tabs[0]: unknown field 'icon' is left out",
		"state.dashboard.widgets[0].layout: unknown field 'width' is left out", "state.dashboard.widgets[0]: unknown field 'size' is left out",
		"state.custom_backends[0]: unknown field 'kind' is left out",
		"state.dashboard.widgets[1]: tab_id 'b' is no tab of the dashboard, so that nobody sees the widget; there are 'a'",
		"state.dashboard.generated_widgets[0]: tab_id 'c' is no tab of the dashboard, so that nobody sees the widget; there are 'a'",
	}
	if !slices.Equal(doubts, want) {
		t.Errorf("doubts\n got %s\nwant %s", strings.Join(doubts, "\n     "), strings.Join(want, "\n     "))
	}
	w, err := l.Kind().New(context.Background(), sim.Env{}, sim.MustCanonical(setup), []string{"all"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.State()
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := workspace.ParseSnapshot(s.JSON())
	if err != nil {
		t.Fatal(err)
	}
	c := snapshot.Composition
	if v := c.Widget("w_9"); v == nil || v.Layout.TabID != "b" || len(c.Widgets) != 3 {
		t.Errorf("the widget of an unknown tab became %+v of %d", v, len(c.Widgets))
	}
	if len(c.Tabs) != 1 || len(c.Tabs[0].Layout) != 1 || c.Tabs[0].Layout[0].X != 3 || c.Tabs[0].Layout[0].W != 8 {
		t.Errorf("tabs %+v", c.Tabs)
	}
	// Such widgets can be got back.
	if r := w.Call(context.Background(), sim.Call{Name: "update_widget_layout", Arguments: json.RawMessage(`{"widget_uuid":"w_9","tab_id":"a","x":0,"y":0,"w":20,"h":5}`)}); !r.OK() {
		t.Errorf("%s", r.Data)
	}
	if doubts, err := (workspace.Setup{Baseline: "desk-mini-a", Backends: []string{"desk-mini"}}).Doubts(l); err != nil || len(doubts) > 0 {
		t.Errorf("a setup that is right is doubted: %q, %v", doubts, err)
	}
	if _, err := (workspace.Setup{State: json.RawMessage(`{"dashboard":{"name":1,"x":2}}`)}).Doubts(l); err == nil {
		t.Error("a wrong type is taken")
	}
}

func TestALibraryThatIsBroken(t *testing.T) {
	_, err := workspace.NewLibrary(fstest.MapFS{
		"backends/a.json":  {Data: []byte(`{"slug":"x","name":"X","widgets":{"w":{}}}`)},
		"baselines/b.json": {Data: []byte(`{"dashboards":[{"nam":"B"}]}`)},
		"skills/c.json":    {Data: []byte(`{"slug":"d","name":"D","description":"d","content":"c"}`)},
		"skills/e.json":    {Data: []byte(`{"slug":"e"}`)},
	})
	for _, want := range []string{"backends/a.json: ", "baselines/b.json: dashboards[0]: unknown field \"nam\"", "skills/c.json: slug \"d\"", "skills/e.json: a skill needs", "resources/specs/widgets-json.md", "prompts/workspace_tool_usage.md"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %q", err, want)
		}
	}
}

// A library may hold two backends of one display name. Only one of them can be connected.
func TestTwoWorldsOfOneName(t *testing.T) {
	l, err := workspace.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	twin, err := backend.Author(backend.Source{Slug: "twin", Name: "Desk Mini", URL: "http://x", Widgets: json.RawMessage(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	if l, err = l.With(twin); err != nil {
		t.Fatal(err)
	}
	apart := []string{}
	for _, slug := range l.Slugs() {
		if !slices.Contains(l.Connectable(), slug) {
			apart = append(apart, slug)
		}
	}
	if got := strings.Join(apart, " "); got != "stark-enterprise-y twin" {
		t.Errorf("what cannot be connected beside the others: %q", got)
	}
	_, err = l.Kind().New(context.Background(), sim.Env{}, json.RawMessage(`{"backends":["desk-mini","twin"]}`), nil)
	if want := `workspace: setup: backends[1]: backend "twin" has the display name "Desk Mini", and so has "desk-mini": only one of them may be connected`; err == nil || err.Error() != want {
		t.Errorf("error %v", err)
	}
}
