package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/workspace"
	"benchwright/tasks"
)

var update = flag.Bool("update", false, "write the golden files anew")

// all is every demand, in the order of their names.
func all() []grader.Check {
	d := demands()
	var out []grader.Check
	for _, k := range slices.Sorted(maps.Keys(d)) {
		out = append(out, d[k])
	}
	return out
}

func TestTheGoodEpisodePasses(t *testing.T) {
	v := grader.Grade(context.Background(), all(), good())
	if v.Outcome != grader.Passed {
		t.Errorf("%s: %s", v.Outcome, v.Reason)
		for _, f := range v.Findings() {
			t.Errorf("%s: %s", f.Code, f.Message)
		}
	}
	for _, d := range Dimensions(v) {
		if !d.Passed || d.Score != 1 {
			t.Errorf("%s: %+v", d.Name, d)
		}
	}
}

func TestDoingNothingFails(t *testing.T) {
	idle := good()
	idle.final, idle.trace, idle.answer = idle.initial, nil, nil
	v := grader.Grade(context.Background(), all(), idle)
	if v.Outcome != grader.Failed || Score(v) >= 0.7 {
		t.Errorf("%s with score %v", v.Outcome, Score(v))
	}
	broken(t, all(), v)
}

// broken fails the test where a rule could not be evaluated, or raised what it does not list.
func broken(t *testing.T, checks []grader.Check, v grader.Verdict) {
	t.Helper()
	for i, r := range v.Results {
		if r.State == grader.BrokenRule || r.State == grader.SkippedRule {
			t.Errorf("%s is %s: %s", r.Rule, r.State, r.Detail)
		}
		for _, f := range r.Findings {
			if !slices.Contains(checks[i].Rule.Codes(), f.Code) || f.Message == "" || f.Type == "" {
				t.Errorf("%s raised %q, a %q finding with message %q; its codes are %q", r.Rule, f.Code, f.Type, f.Message, checks[i].Rule.Codes())
			}
			if strings.ContainsFunc(f.Message+f.Got, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) || len(f.Message) > 4000 {
				t.Errorf("%s: message %q", r.Rule, f.Message)
			}
		}
	}
}

// breach is the dashboard that the good episode works on.
func breach(e *episode) *world.Composition { return e.final.Compositions["dash_002"] }

func widgetOf(e *episode, uuid string) *world.Widget { return breach(e).Widget(uuid) }

func drop(e *episode, uuid string) {
	c := breach(e)
	c.Widgets = slices.DeleteFunc(c.Widgets, func(w world.Widget) bool { return w.UUID == uuid })
}

// define edits a definition or app of the case service.
func define(e *episode, edit func(s string) string) {
	c := e.final.CustomBackends["backend_003"]
	for k, v := range c.Widgets {
		c.Widgets[k] = json.RawMessage(edit(string(v)))
	}
	for i, v := range c.Apps {
		c.Apps[i] = json.RawMessage(edit(string(v)))
	}
}

func replace(e *episode, old, new string) {
	n := 0
	define(e, func(s string) string {
		n += strings.Count(s, old)
		return strings.ReplaceAll(s, old, new)
	})
	if n == 0 {
		panic("nothing says " + old)
	}
}

// away leaves another dashboard open.
func away(e *episode) {
	id := "dash_001"
	e.final.State.DashboardID = &id
	e.final.Composition = e.final.Compositions[id]
}

func dropCalls(e *episode, tool string) {
	e.trace = slices.DeleteFunc(e.trace, func(x sim.Event) bool { return x.Call.Name == tool })
}

func TestSpoiledEpisodesGetTheirCodes(t *testing.T) {
	seen := map[string]bool{}
	var golden strings.Builder
	for _, tt := range []struct {
		check  string
		name   string
		spoil  func(e *episode)
		want   []string // nil: it still holds
		reason string
	}{
		{"answer", "none", func(e *episode) { e.answer = nil }, []string{"missing_final_answer"}, "an answer is wanted"},
		{"answer", "blank", func(e *episode) { e.answer = json.RawMessage(`" \n"`) }, []string{"missing_final_answer"}, "blanks are none"},
		{"answer", "no text", func(e *episode) { e.answer = json.RawMessage(`{"text":"x"}`) }, []string{"missing_final_answer"}, "an answer is a text"},
		{"answer", "no JSON", func(e *episode) { e.answer = json.RawMessage(`{`) }, []string{"missing_final_answer"}, "an answer is a text"},
		{"answer-value", "rounded", func(e *episode) { e.answer = json.RawMessage(`"1.3 million"`) }, []string{"missing_answer_value"}, "rounding fails"},
		{"answer-value", "scaled", func(e *episode) { e.answer = json.RawMessage(`"1.25 million"`) }, nil, "a scale that is said is part of the number"},
		{"answer-lines", "crossed", func(e *episode) { e.answer = json.RawMessage(`"Exposure is 3, cases are 1,250,000."`) }, []string{"missing_answer_value"}, "each value stands with what it is of"},
		{"answer-lines", "both ways", func(e *episode) {
			e.answer = json.RawMessage(`"Exposure is 1,250,000. Cases are 3. Or is the exposure 3?"`)
		}, []string{"unexpected_line"}, "who says everything says nothing"},
		{"answer-lines", "none", func(e *episode) { e.answer = nil }, []string{"missing_answer_value"}, "nothing is said"},
		{"answer-unsaid", "said", func(e *episode) { e.answer = json.RawMessage(`"Open, not closed."`) }, []string{"forbidden_text"}, "a mention is one"},
		{"note-unsaid", "said", func(e *episode) { widgetOf(e, "widget_007").GeneratedData = newNote + " 97k." }, []string{"forbidden_text"}, "by its value"},
		{"note-unsaid", "said elsewhere", func(e *episode) { widgetOf(e, "w_note").GeneratedData = "closed" }, nil, "the other note may say it"},
		{"note-unsaid", "no note", func(e *episode) { drop(e, "widget_007") }, nil, "who writes nothing says nothing"},
		{"line", "apart", func(e *episode) { widgetOf(e, "widget_007").GeneratedData = "Evidence gaps: 3\n12 cases" }, []string{"missing_generated_widget"}, "together in one line"},
		{"lines", "crossed", func(e *episode) {
			widgetOf(e, "widget_007").GeneratedData = "Evidence gaps: 1,250,000\nExposure: 25%"
		}, []string{"missing_generated_widget"}, "each value stands with what it is of"},
		{"lines", "enumerated", func(e *episode) {
			widgetOf(e, "widget_007").GeneratedData = "Evidence gaps, exposure: 25%, 1,250,000"
		}, []string{"missing_generated_widget"}, "a list of values says of none what it is of"},
		{"lines", "both ways", func(e *episode) {
			widgetOf(e, "widget_007").GeneratedData = newNote + "\nEvidence gaps: 1,250,000"
		}, []string{"unexpected_line"}, "who says everything says nothing"},
		{"lines", "no note", func(e *episode) { drop(e, "widget_007") }, []string{"missing_generated_widget"}, "it is another note that is wanted"},
		{"lines-only", "both ways", func(e *episode) {
			widgetOf(e, "widget_007").GeneratedData = newNote + "\nExposure: 25%"
		}, []string{"unexpected_line"}, "who says everything says nothing"},
		{"answer-value", "none", func(e *episode) { e.answer = nil }, []string{"missing_answer_value"}, "nothing is said"},
		{"answer-value", "hostile", func(e *episode) { e.answer = sim.MustCanonical("\x1b[31m" + strings.Repeat("no ", 100)) }, []string{"missing_answer_value"}, "messages are clean and short"},

		{"dashboard-name", "renamed", func(e *episode) { breach(e).Name = "Reviews" }, []string{"dashboard_name"}, "the dashboard is the one that had the name at the start"},
		{"dashboard-name", "decoy", func(e *episode) {
			breach(e).Name = "Old"
			e.final.Compositions["dash_009"] = board("dash_009", "Breach Review", nil)
			e.final.Dashboards = append(e.final.Dashboards, world.DashboardRef{ID: "dash_009", Name: "Breach Review"})
		}, []string{"dashboard_name"}, "another of that name is not it"},
		{"dashboard-name", "away", away, nil, "which dashboard is open does not matter where one is named"},
		{"tab", "gone", func(e *episode) { breach(e).Tabs = nil }, []string{"missing_tab"}, "the id is wanted"},
		{"tab", "id in capitals", func(e *episode) { breach(e).Tabs[0].ID = "Review" }, []string{"missing_tab"}, "ids are exact"},
		{"tab", "renamed", func(e *episode) { breach(e).Tabs[0].Name = "x" }, nil, "an id outlives its name"},
		{"tab", "away", away, []string{"missing_tab"}, "without a name it is the dashboard left open"},
		{"tab", "none open", func(e *episode) { e.final.State.DashboardID, e.final.Composition = nil, nil }, []string{"missing_tab"}, "an agent may have left none"},
		{"tab-name", "renamed", func(e *episode) { breach(e).Tabs[0].Name = "Overview" }, []string{"missing_tab_name"}, "the name is wanted"},
		{"tab-name", "none open", func(e *episode) { e.final.State.DashboardID, e.final.Composition = nil, nil }, []string{"missing_tab_name"}, "an agent may have left none"},
		{"tab-called", "renamed", func(e *episode) { breach(e).Tabs[0].Name = "Review of breaches" }, []string{"missing_tab_name"}, "a name is the whole name"},
		{"tab-called", "another tab", func(e *episode) {
			breach(e).Tabs = []world.Tab{{ID: "review", Name: "Old"}, {ID: "other", Name: "Review"}}
		}, []string{"missing_tab_name"}, "the name on another tab is of no use"},
		{"tab-called", "anew", func(e *episode) { breach(e).Tabs[0].ID = "other" }, []string{"missing_tab_name"}, "a new tab is not the old one"},
		{"dashboard-called", "more", func(e *episode) { breach(e).Name = "Breach Review (old)" }, []string{"dashboard_name"}, "a name is the whole name"},
		{"business-board", "renamed", func(e *episode) { breach(e).Name = "Reviews" }, []string{"business_name_missing"}, "the name is wanted"},
		{"business-app", "renamed", func(e *episode) { replace(e, "Case File App", "App") }, []string{"business_name_missing"}, "the name is wanted"},
		{"business-app", "no app", func(e *episode) { e.final.CustomBackends = nil }, []string{"business_name_missing"}, "there is none"},
		{"business-tab", "renamed", func(e *episode) { replace(e, "Case Review", "One") }, []string{"business_name_missing"}, "the name is wanted"},

		{"widget", "gone", func(e *episode) { drop(e, "w_b2b"); drop(e, "w_7b8") }, []string{"missing_widget"}, "there is no instance"},
		{"widget", "not repaired", func(e *episode) { widgetOf(e, "w_b2b").DataArgs["status"] = "Closed" }, []string{"misconfigured_widget"}, "there are instances, and none is right"},
		{"widget", "of a twin", func(e *episode) { widgetOf(e, "w_b2b").Origin = "Twin" }, []string{"misconfigured_widget"}, "the other one is still there"},
		{"widget", "other tab", func(e *episode) { widgetOf(e, "w_b2b").Layout.TabID = "x" }, []string{"misconfigured_widget"}, "the tab is wanted"},
		{"widget", "spelled otherwise", func(e *episode) { widgetOf(e, "w_b2b").DataArgs["period"] = []any{"QTD"} }, nil, "a list of one is its element"},
		{"widget", "generated", func(e *episode) { widgetOf(e, "w_b2b").Generated = true }, []string{"misconfigured_widget"}, "a generated widget is none of a backend"},
		{"widget", "twice", func(e *episode) {
			w := *widgetOf(e, "w_b2b")
			w.UUID = "w_copy"
			breach(e).Widgets = append(breach(e).Widgets, w)
		}, []string{"too_many_widgets"}, "one was asked for"},
		{"widget", "none open", func(e *episode) { e.final.State.DashboardID, e.final.Composition = nil, nil }, []string{"missing_widget"}, "an agent may have left none"},
		{"widget-at", "elsewhere", func(e *episode) { widgetOf(e, "w_b2b").Layout.Y = 40 }, []string{"misconfigured_widget"}, "the one of these arguments sits there"},
		{"widget-at", "the twin there", func(e *episode) {
			a, b := widgetOf(e, "w_b2b"), widgetOf(e, "w_7b8")
			a.Layout, b.Layout = b.Layout, a.Layout
		}, []string{"misconfigured_widget"}, "one that sits there and another with the arguments are not one"},
		{"widget-at", "no size allowed", func(e *episode) { widgetOf(e, "w_b2b").Layout.MaxW = ptr(0.0) }, []string{"misconfigured_widget"}, "it would vanish"},
		{"no-widget", "there", func(e *episode) { widgetOf(e, "w_7b8").WidgetID = "expert_calls" }, []string{"too_many_widgets"}, "it must be gone"},
		{"no-widget", "there, and away", func(e *episode) { widgetOf(e, "w_7b8").WidgetID = "expert_calls"; away(e) }, []string{"too_many_widgets"}, "going away deletes nothing"},
		{"generated", "gone", func(e *episode) { drop(e, "widget_007"); drop(e, "w_note") }, []string{"missing_generated_widget"}, "there is no note"},
		{"generated", "cut", func(e *episode) { widgetOf(e, "widget_007").GeneratedData = "Two breaches are open." }, []string{"missing_generated_widget"}, "all of it must be said"},
		{"generated", "inside words", func(e *episode) {
			widgetOf(e, "widget_007").GeneratedData = strings.Replace(newNote, "open", "reopened", 1)
		}, []string{"missing_generated_widget"}, "a short word is a word"},
		{"generated", "in its name", func(e *episode) {
			w := widgetOf(e, "widget_007")
			w.Name, w.GeneratedData = "Evidence Note: evidence gaps, 1250000, 0.25, open", "nothing"
		}, []string{"missing_generated_widget"}, "a name is no content"},
		{"generated", "no text", func(e *episode) { widgetOf(e, "widget_007").GeneratedData = nil }, []string{"missing_generated_widget"}, "nothing is said"},
		{"generated", "a table", func(e *episode) { widgetOf(e, "widget_007").Type = "table" }, []string{"missing_generated_widget"}, "a note was asked for"},
		{"generated", "away", away, []string{"missing_generated_widget"}, "without a name it is the dashboard left open"},
		{"generated-most", "other tab", func(e *episode) { widgetOf(e, "w_note").Layout.TabID = "x" }, []string{"missing_generated_widget"}, "the tab is wanted"},
		{"generated-most", "twice", func(e *episode) {
			breach(e).Widgets = append(breach(e).Widgets, note("w_copy", "Backlog", oldNote, 0, 99))
		}, []string{"too_many_widgets"}, "one was asked for"},

		{"layout", "moved", func(e *episode) { widgetOf(e, "w_b2b").Layout.X, widgetOf(e, "w_b2b").Layout.H = 1, 9 }, []string{"layout_mismatch"}, "every coordinate counts"},
		{"layout", "gone", func(e *episode) { drop(e, "w_b2b") }, []string{"layout_mismatch"}, "it sits nowhere"},
		{"layout", "at most smaller", func(e *episode) { widgetOf(e, "w_b2b").Layout.MaxH = ptr(4.0) }, []string{"layout_mismatch"}, "it would not be as high"},
		{"layout", "at least larger", func(e *episode) { widgetOf(e, "w_b2b").Layout.MinW = ptr(40.0) }, []string{"layout_mismatch"}, "it would be wider"},
		{"layout", "bounded", func(e *episode) {
			l := &widgetOf(e, "w_b2b").Layout
			l.MinW, l.MaxW, l.MinH, l.MaxH = ptr(5.0), ptr(20.0), ptr(14.0), ptr(40.0)
		}, nil, "bounds around its size do nothing to it"},
		{"layout-by-id", "moved", func(e *episode) { widgetOf(e, "w_7b8").Layout.X = 21 }, []string{"layout_mismatch"}, "none of several sits there"},
		{"layout-by-id", "row", func(e *episode) { widgetOf(e, "w_7b8").Layout.Y = 99 }, nil, "what is not given does not matter"},
		{"grid", "right", func(e *episode) { widgetOf(e, "w_7b8").Layout.X = 21 }, []string{"layout_out_of_grid"}, "40 columns"},
		{"grid", "left", func(e *episode) { widgetOf(e, "w_7b8").Layout.X = -1 }, []string{"layout_out_of_grid"}, "no column before the first"},
		{"grid", "flat", func(e *episode) { widgetOf(e, "w_7b8").Layout.H = 0 }, []string{"layout_out_of_grid"}, "a widget has a height"},
		{"grid", "none open", func(e *episode) { e.final.State.DashboardID, e.final.Composition = nil, nil }, []string{"layout_out_of_grid"}, "there is nothing to look at"},
		{"overlap", "overlap", func(e *episode) { widgetOf(e, "w_7b8").Layout.X = 19 }, []string{"layout_overlap"}, "one column is enough"},
		{"overlap", "other tab", func(e *episode) { widgetOf(e, "w_7b8").Layout.X, widgetOf(e, "w_7b8").Layout.TabID = 19, "x" }, nil, "tabs do not meet"},
		{"overlap", "none open", func(e *episode) { e.final.State.DashboardID, e.final.Composition = nil, nil }, []string{"layout_overlap"}, "there is nothing to look at"},

		{"exact", "gone", func(e *episode) { drop(e, "w_q") }, []string{"missing_widget"}, "each is wanted"},
		{"exact", "not repaired", func(e *episode) { widgetOf(e, "w_b2b").DataArgs["status"] = "Closed" }, []string{"misconfigured_widget"}, "the nearest says what differs"},
		{"exact", "moved", func(e *episode) { widgetOf(e, "w_b2b").Layout.Y = 3 }, []string{"misconfigured_widget"}, "where it sits was said"},
		{"exact", "more", func(e *episode) { breach(e).Widgets = append(breach(e).Widgets, note("w_x", "More", "x", 0, 99)) }, []string{"unexpected_widget"}, "and no other"},
		{"exact", "twice", func(e *episode) {
			w := *widgetOf(e, "w_b2b")
			w.UUID = "w_copy"
			breach(e).Widgets = append(breach(e).Widgets, w)
		}, []string{"unexpected_widget"}, "each once"},
		{"exact", "away", away, []string{"missing_widget"}, "without a name it is the dashboard left open"},

		{"nothing-else", "made hidden", func(e *episode) { widgetOf(e, "widget_007").UIArgs = map[string]any{"hidden": true} }, []string{"collateral_widget_change"}, "a note was asked for, not how it shows"},
		{"nothing-else", "a tab more", func(e *episode) { breach(e).Tabs = append(breach(e).Tabs, world.Tab{ID: "x", Name: "X"}) }, []string{"collateral_dashboard_change"}, "nothing is nothing"},
		{"nothing-else", "the backend twice", func(e *episode) {
			e.final.Backends = append(e.final.Backends, world.BackendRef{ID: "b9", Name: "Case Service"})
		}, []string{"unexpected_backend_created"}, "one of the name was asked for"},
		{"nothing-else", "an id for a name", func(e *episode) {
			e.final.Backends = append(e.final.Backends, world.BackendRef{ID: "Case Service", Name: "Junk"})
		}, []string{"unexpected_backend_created"}, "an agent chooses the ids of what it makes"},
		{"nothing-else", "twin reconfigured", func(e *episode) { widgetOf(e, "w_7b8").DataArgs["status"] = "Open" }, []string{"collateral_widget_change"}, "the twin is not the target"},
		{"nothing-else", "target moved", func(e *episode) { widgetOf(e, "w_b2b").Layout.Y = 99 }, []string{"collateral_widget_change"}, "only its arguments may change"},
		{"nothing-else", "old note gone", func(e *episode) { drop(e, "w_note") }, []string{"collateral_widget_change"}, "it was there at the start"},
		{"nothing-else", "second note", func(e *episode) {
			breach(e).Widgets = append(breach(e).Widgets, note("w_x", "Breach Review Evidence Note", "x", 0, 99))
		}, []string{"unexpected_widget"}, "a target excuses one"},
		{"nothing-else", "tab renamed", func(e *episode) { breach(e).Tabs[0].Name = "x" }, []string{"collateral_dashboard_change"}, "the tabs are not the target"},
		{"nothing-else", "other dashboard", func(e *episode) { e.final.Compositions["dash_003"].Widgets[0].DataArgs["limit"] = json.Number("4") }, []string{"collateral_widget_change"}, "nothing is nothing"},
		{"nothing-else", "new dashboard", func(e *episode) { e.final.Compositions["dash_009"] = board("dash_009", "Mine", nil) }, []string{"unexpected_dashboard_created"}, "nothing is nothing"},
		{"nothing-else", "dashboard gone", func(e *episode) { delete(e.final.Compositions, "dash_003") }, []string{"collateral_dashboard_change"}, "nothing is nothing"},
		{"nothing-else", "backend gone", func(e *episode) {
			delete(e.final.CustomBackends, "backend_002")
			e.final.Backends = slices.Delete(e.final.Backends, 1, 2)
		}, []string{"custom_backend_replaced"}, "it was there at the start"},
		{"nothing-else", "another backend", func(e *episode) {
			e.final.Backends = append(e.final.Backends, world.BackendRef{ID: "b9", Name: "More"})
		}, []string{"unexpected_backend_created"}, "only one was asked for"},
		{"nothing-else", "app changed", func(e *episode) {
			c := e.final.CustomBackends["backend_002"]
			c.Apps = nil
		}, []string{"collateral_app_change"}, "the desk's app is not the target"},
		{"nothing-else", "definition changed", func(e *episode) { e.final.CustomBackends["backend_002"].Widgets = map[string]json.RawMessage{} }, []string{"collateral_backend_change"}, "the desk's backend is not the target"},
		{"nothing-else", "looked around", away, nil, "to look is not to change"},

		{"other-boards", "argument", func(e *episode) { e.final.Compositions["dash_003"].Widgets[0].DataArgs["limit"] = json.Number("4") }, []string{"collateral_dashboard_change"}, "deeply equal"},
		{"other-boards", "renamed", func(e *episode) { e.final.Compositions["dash_001"].Name = "Start" }, []string{"collateral_dashboard_change"}, "deeply equal"},
		{"other-boards", "widget gone", func(e *episode) { e.final.Compositions["dash_003"].Widgets = []world.Widget{} }, []string{"collateral_dashboard_change"}, "deeply equal"},
		{"other-boards", "dashboard gone", func(e *episode) { delete(e.final.Compositions, "dash_001") }, []string{"collateral_dashboard_change"}, "deeply equal"},
		{"other-boards", "own changed", func(e *episode) { breach(e).Name = "Mine"; drop(e, "w_q") }, nil, "the one that was open is worked on"},
		{"backends-kept", "gone", func(e *episode) { delete(e.final.CustomBackends, "backend_002") }, []string{"custom_backend_replaced"}, "by its id"},
		{"backends-kept", "named gone", func(e *episode) { delete(e.final.CustomBackends, "backend_003") }, []string{"custom_backend_replaced"}, "and those named"},
		{"backend-names", "same", func(e *episode) { e.final.CustomBackends["backend_003"].Name = "Desk Tools" }, []string{"duplicate_custom_backend_name"}, "a name leads to one"},
		{"backend-warned", "warned", func(e *episode) { e.final.CustomBackends["backend_003"].Warnings = []string{"w1\x1b", "w2"} }, []string{"backend_validation_warnings"}, "warnings are wrong"},
		{"other-apps", "changed", func(e *episode) {
			c := e.final.CustomBackends["backend_002"]
			c.Apps[0] = json.RawMessage(strings.Replace(string(c.Apps[0]), "What is open?", "What?", 1))
		}, []string{"collateral_app_change"}, "deeply equal"},
		{"other-apps", "gone", func(e *episode) { e.final.CustomBackends["backend_002"].Apps = nil }, []string{"collateral_app_change"}, "it was there"},
		{"other-apps", "backend gone", func(e *episode) { delete(e.final.CustomBackends, "backend_002") }, []string{"collateral_app_change"}, "and its app with it"},
		{"created-board", "one more", func(e *episode) { e.final.Compositions["dash_009"] = board("dash_009", "Mine", nil) }, []string{"unexpected_dashboard_created"}, "none was asked for"},
		{"created-backend", "two more", func(e *episode) { e.final.CustomBackends["backend_004"] = deskTools() }, []string{"unexpected_backend_created"}, "one was asked for"},

		{"widget-def", "no backend", func(e *episode) { delete(e.final.CustomBackends, "backend_003") }, []string{"missing_custom_backend"}, "what follows from it is not said"},
		{"widget-def", "no definition", func(e *episode) { delete(e.final.CustomBackends["backend_003"].Widgets, "case_register") }, []string{"missing_widget_def"}, "what follows from it is not said"},
		{"widget-def", "expectation", func(e *episode) { replace(e, `"name":"Case Register"`, `"name":"Register"`) }, []string{"widget_def_mismatch"}, "by path"},
		{"widget-def", "nested path", func(e *episode) {
			replace(e, `"field":"case_id"`, `"field":"severity"`)
			replace(e, `},{"field":"severity"`, `},{"field":"s"`)
		}, []string{"widget_def_mismatch"}, "places of lists are part of a path"},
		{"widget-def", "parameter", func(e *episode) { replace(e, `"paramName":"reason"`, `"paramName":"why"`) }, []string{"widget_def_mismatch"}, "inputs of forms are parameters"},
		{"widget-def", "column", func(e *episode) { replace(e, "titleCase,greenRed", "titleCase") }, []string{"widget_def_mismatch"}, "renderFn holds the names"},
		{"widget-def", "warned", func(e *episode) { e.final.CustomBackends["backend_003"].Warnings = []string{"w"} }, []string{"backend_validation_warnings"}, "a backend that is named is sound"},
		{"app-def", "no backend", func(e *episode) { delete(e.final.CustomBackends, "backend_003") }, []string{"missing_custom_backend"}, "what follows from it is not said"},
		{"app-def", "no app", func(e *episode) { e.final.CustomBackends["backend_003"].Apps = nil }, []string{"missing_app_def"}, "what follows from it is not said"},
		{"app-def", "other name", func(e *episode) { replace(e, "Case File App", "App") }, []string{"missing_app_def"}, "the name is part of it"},
		{"app-def", "tab", func(e *episode) { replace(e, `"tabs":{"review"`, `"tabs":{"overview"`) }, []string{"app_def_mismatch"}, "its key is wanted"},
		{"app-def", "tabs", func(e *episode) { replace(e, `"tabs":{`, `"tabs":{"more":{"id":"","name":"","layout":[]},`) }, []string{"app_def_mismatch"}, "so many"},
		{"app-def", "expectation", func(e *episode) { replace(e, `"allowCustomization":true`, `"allowCustomization":"true"`) }, []string{"app_def_mismatch"}, "exact"},
		{"app-def", "group", func(e *episode) {
			replace(e, `"widgetIds":["case_register","case_chart"]`, `"widgetIds":["case_register"]`)
		}, []string{"app_def_mismatch"}, "the widgets of a group are wanted"},
		{"app-def", "prompts", func(e *episode) { replace(e, `,"What is high?"`, ``) }, []string{"app_prompts_missing"}, "so many at least"},
		{"app-def", "reference", func(e *episode) { replace(e, `"i":"case_chart"`, `"i":"chart"`) }, []string{"app_layout_ref_invalid"}, "only what is served"},
		{"app-def", "navigation bar", func(e *episode) { replace(e, `"i":"case_chart"`, `"i":"navigation_bar"`) }, nil, "it is no widget of a backend"},
		{"app-def", "overlap", func(e *episode) { replace(e, `"x":20`, `"x":19`) }, []string{"app_layout_overlap"}, "within a tab"},
		{"app-called", "more", func(e *episode) { replace(e, "Case File App", "Case File App Decoy") }, []string{"missing_app_def"}, "a name is the whole name"},
		{"app-called", "tab shown otherwise", func(e *episode) { replace(e, `"name":"Case Review"`, `"name":"Review"`) }, []string{"app_def_mismatch"}, "what is read on a tab was said"},
		{"app-called", "moved", func(e *episode) { replace(e, `"x":20`, `"x":19`) }, []string{"app_def_mismatch", "app_layout_overlap"}, "the place was said"},
		{"app-opened", "never", func(e *episode) { dropCalls(e, "manage_apps") }, []string{"app_not_opened"}, "a dashboard made by hand is not made of the app"},
		{"app-opened", "by its template", func(e *episode) {
			e.trace[16].Call.Arguments = json.RawMessage(`{"operation":"instantiate","backend_id":"backend_003","template_id":"case-file-app"}`)
		}, nil, "an app goes by its template id as well"},
		{"app-opened", "of another backend", func(e *episode) {
			e.trace[16].Call.Arguments = json.RawMessage(`{"operation":"instantiate","backend_id":"backend_002","app_name":"Case File App"}`)
		}, []string{"app_not_opened"}, "the backend was named"},
		{"app-opened", "another dashboard", func(e *episode) { e.trace[16].Result.Data = envelope("manage_apps", `{"dashboard_id":"dash_003"}`) }, []string{"app_not_opened"}, "the dashboard was named"},
		{"backend", "elsewhere", func(e *episode) { e.final.CustomBackends["backend_003"].URL = "http://127.0.0.1:9" }, []string{"backend_url"}, "where it is was said"},
		{"backend", "with a slash", func(e *episode) { e.final.CustomBackends["backend_003"].URL += "/" }, nil, "that is the same place"},
		{"backend", "gone", func(e *episode) { delete(e.final.CustomBackends, "backend_003") }, []string{"missing_custom_backend"}, "what follows from it is not said"},
		{"backend", "one widget more", func(e *episode) {
			e.final.CustomBackends["backend_003"].Widgets["junk"] = json.RawMessage(`{"name":"Junk"}`)
		}, []string{"unexpected_widget_def"}, "nobody asked for it"},
		{"backend", "one app more", func(e *episode) {
			c := e.final.CustomBackends["backend_003"]
			c.Apps = append(c.Apps, json.RawMessage(`{"name":"Junk","tabs":{}}`))
		}, []string{"unexpected_app_def"}, "nobody asked for it"},
		{"backend", "the app twice", func(e *episode) {
			c := e.final.CustomBackends["backend_003"]
			c.Apps = append(c.Apps, c.Apps[0])
		}, []string{"unexpected_app_def"}, "once is enough"},
		{"backend", "one tab more", func(e *episode) { replace(e, `"tabs":{`, `"tabs":{"more":{"id":"","name":"","layout":[]},`) }, []string{"unexpected_app_content"}, "nobody asked for it"},
		{"backend", "a widget twice on a tab", func(e *episode) {
			replace(e, `"layout":[`, `"layout":[{"i":"case_chart","x":0,"y":50,"w":5,"h":5},`)
		}, []string{"unexpected_app_content"}, "each as often as it is listed"},
		{"backend", "one parameter more", func(e *episode) {
			replace(e, `"inputParams":[`, `"inputParams":[{"paramName":"spare","type":"text","value":"x"},`)
		}, []string{"unexpected_param"}, "inputs of forms are parameters"},
		{"app-structure", "reference", func(e *episode) { replace(e, `"i":"case_chart"`, `"i":"chart"`) }, []string{"app_layout_ref_invalid"}, "of every app"},
		{"app-structure", "overlap", func(e *episode) { replace(e, `"x":20`, `"x":19`) }, []string{"app_layout_overlap"}, "of every app"},
		{"app-structure", "no app", func(e *episode) { e.final.CustomBackends = nil }, []string{"missing_app_def"}, "one is wanted"},

		{"capability", "not placed", func(e *episode) { drop(e, "widget_008") }, []string{"capability_config_missing", "capability_fields_uncovered", "capability_param_missing"}, "the other widget covers less"},
		{"capability", "none placed", func(e *episode) { drop(e, "widget_008"); drop(e, "widget_009"); drop(e, "widget_010") }, []string{"missing_capability"}, "what follows from it is not said"},
		{"capability", "field", func(e *episode) { replace(e, `"field":"case_id"`, `"field":"severity"`); drop(e, "widget_010") }, []string{"capability_fields_uncovered"}, "covered jointly"},
		{"capability", "parameter", func(e *episode) { replace(e, `"type":"form"`, `"type":"button"`) }, []string{"capability_config_missing", "capability_fields_uncovered", "capability_param_missing"}, "without its form the endpoint does not answer, and the other widget covers less"},
		{"capability", "config", func(e *episode) { replace(e, `"gridData":{"w":20`, `"gridData":{"w":10`) }, []string{"capability_config_missing"}, "by path"},
		{"connection", "no group", func(e *episode) { replace(e, `"groups":[{`, `"group":[{`) }, []string{"capability_unconnected"}, "a shared parameter links them"},
		{"connection", "self-linked", func(e *episode) {
			replace(e, `"widgetIds":["case_register","case_chart"]`, `"widgetIds":["case_register","case_register"]`)
		}, []string{"capability_unconnected"}, "to a different widget"},
		{"connection", "undeclared", func(e *episode) { replace(e, `"paramName":"severity","widgetIds"`, `"paramName":"status","widgetIds"`) }, []string{"capability_unconnected"}, "both declare it"},
		{"runtime", "endpoint", func(e *episode) { replace(e, `"endpoint":"case_chart"`, `"endpoint":""`) }, []string{"endpoint_unreachable"}, "an endpoint resolves"},
		{"runtime", "parameter", func(e *episode) { replace(e, `"paramName":"severity","type":"text"`, `"paramName":"severity"`) }, []string{"endpoint_params_invalid"}, "a parameter has a type"},
		{"runtime", "field", func(e *episode) { replace(e, `"field":"count"`, `"field":"total"`) }, []string{"endpoint_response_incompatible"}, "somebody serves what is declared"},
		{"runtime", "form", func(e *episode) { replace(e, `"endpoint":"/raise"`, `"endpoint":"/lower"`) }, []string{"form_submission_incompatible"}, "a form is submitted where it is read"},
		{"runtime", "no backend", func(e *episode) { e.final.CustomBackends = nil }, []string{"endpoint_unreachable"}, "there is nothing to ask"},

		{"calls", "none", func(e *episode) { e.trace = nil }, []string{"missing_tool_call"}, "each is named"},
		{"calls", "failed", func(e *episode) { e.trace[1].Result = failedResult("get_skill_content") }, []string{"missing_tool_call"}, "failed calls never count"},
		{"calls", "argument", func(e *episode) {
			e.trace[4].Call.Arguments = json.RawMessage(`{"widget_uuid":"w_b2b","data_args":{"period":"YTD"}}`)
		}, []string{"missing_tool_call"}, "arguments are a subset"},
		{"calls", "arguments of another shape", func(e *episode) { e.trace[4].Call.Arguments = json.RawMessage(`["w_b2b"]`) }, []string{"missing_tool_call"}, "an agent may send anything"},
		{"calls", "too few", func(e *episode) { e.trace = slices.Delete(e.trace, 13, 14) }, []string{"missing_tool_call"}, "so many"},
		{"calls", "other order", func(e *episode) { slices.Reverse(e.trace) }, nil, "the order is not graded"},
		{"result", "other result", func(e *episode) { e.trace[1].Result.Data = envelope("get_skill_content", `{"content":"x"}`) }, []string{"missing_tool_result"}, "it says all"},
		{"result", "in the envelope", func(e *episode) {
			e.trace[1].Result.Data = json.RawMessage(`{"data":{},"message":"evidence gaps"}`)
		}, []string{"missing_tool_result"}, "the data says it, not the envelope"},
		{"result", "failed", func(e *episode) { e.trace[1].Result = failedResult("get_skill_content") }, []string{"missing_tool_result"}, "failed calls never count"},
		{"result", "no JSON", func(e *episode) { e.trace[1].Result.Data = json.RawMessage(`{`) }, []string{"missing_tool_result"}, "it says nothing"},
		{"result", "never", func(e *episode) { dropCalls(e, "get_skill_content") }, []string{"missing_tool_result"}, "it was never called"},
		{"resource", "other", func(e *episode) {
			e.trace[5].Call.Arguments = json.RawMessage(`{"uri":"openbb://workspace/specs/WIDGETS-json"}`)
		}, []string{"missing_resource_read"}, "exactly that URI"},
		{"resource", "says otherwise", func(e *episode) { e.trace[5].Result.Data = envelope("read_workspace_resource", `{"text":"nothing"}`) }, []string{"missing_resource_read"}, "it says all"},
		{"listed", "not listed", func(e *episode) { e.trace = slices.Delete(e.trace, 2, 3) }, []string{"widget_list_not_called_before_use"}, "a schema counts as use"},
		{"listed", "invented", func(e *episode) {
			e.trace[3].Call.Arguments = json.RawMessage(`{"origin":"` + compliance + `","widget_id":"breaches"}`)
		}, []string{"unlisted_widget_id"}, "the id is one of those listed"},
		{"listed", "listed later", func(e *episode) { e.trace[2], e.trace[3] = e.trace[3], e.trace[2] }, []string{"widget_list_not_called_before_use"}, "before is before"},
		{"listed", "authored", func(e *episode) { e.trace[7] = refused("manage_backends", `{}`) }, []string{"widget_list_not_called_before_use"}, "authored widgets count as listed once they are connected"},
		{"listed", "invented in vain", func(e *episode) {
			e.trace = append(e.trace, refused("create_widget", `{"origin":"x","widget_id":"y"}`))
		}, nil, "only what succeeded"},
		{"listed", "empty listing", func(e *episode) { e.trace[2].Result.Data = envelope("list_available_widgets", `{"widgets":[]}`) }, []string{"widget_list_not_called_before_use"}, "a listing marks the origins that it returned"},
		{"schema-first", "not read", func(e *episode) { dropCalls(e, "get_widget_schema") }, []string{"schema_not_called_before_create"}, "each create is named"},
		{"schema-first", "read later", func(e *episode) { e.trace[9], e.trace[12] = e.trace[12], e.trace[9] }, []string{"schema_not_called_before_create"}, "before is before"},
		{"schema-first", "in vain", func(e *episode) { e.trace = append(e.trace, refused("create_widget", `{}`)) }, []string{"schema_not_called_before_create"}, "also where placing failed"},
		{"invalid", "two", func(e *episode) { e.trace = append(e.trace, refused("no\x1bsuch", `{}`)) }, []string{"too_many_invalid_calls"}, "one was allowed"},
		{"snapshots", "two", func(e *episode) { e.trace = slices.Insert(e.trace, 0, e.trace[0]) }, []string{"repeated_snapshots"}, "in a row"},
		{"snapshots", "apart", func(e *episode) { e.trace = append(e.trace, e.trace[0]) }, nil, "not in a row"},
	} {
		t.Run(tt.check+" "+tt.name, func(t *testing.T) {
			if tt.reason == "" || seen[tt.check+tt.name] {
				t.Fatal("every case needs a reason and a name of its own")
			}
			seen[tt.check+tt.name], seen[tt.check] = true, true
			c, ok := demands()[tt.check]
			if !ok {
				t.Fatalf("no demand %q", tt.check)
			}
			e := good()
			tt.spoil(e)
			v := grader.Grade(context.Background(), []grader.Check{c}, e)
			codes := v.Codes()
			slices.Sort(codes)
			if diff := cmp.Diff(tt.want, codes); diff != "" {
				t.Errorf("codes (-want +got), since %s:\n%s", tt.reason, diff)
			}
			broken(t, []grader.Check{c}, v)
			if len(v.Findings()) > 0 {
				fmt.Fprintf(&golden, "== %s: %s\n", tt.check, tt.name)
				for _, f := range v.Findings() {
					fmt.Fprintf(&golden, "%s (%s): %s\n", f.Code, f.Type, f.Message)
				}
			}
			held, err := c.Match(e)
			if err != nil || held != (tt.want == nil) {
				t.Errorf("as a matcher: %t, %v", held, err)
			}
		})
	}
	for k := range demands() {
		if !seen[k] {
			t.Errorf("no case spoils %q", k)
		}
	}
	compare(t, "testdata/messages.golden", golden.String())
}

func compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); run with -update if this is as it should be:\n%s", path, diff)
	}
}

func TestEveryCheckIsKilledByAMutant(t *testing.T) {
	e := good()
	for name, c := range demands() {
		task := tasks.Task{Rubric: tasks.Rubric{Checks: []grader.Check{c}}}
		ms := Mutants(task.Rubric.Checks, e.aftermath())
		codes := map[string]bool{}
		for _, m := range ms {
			if _, err := world.ParseSnapshot(m.Aftermath.States[0]); err != nil {
				t.Errorf("%s: mutant %q leaves no state: %v", name, m.Name, err)
			}
			v := grader.Grade(context.Background(), []grader.Check{c}, left(m.Aftermath))
			broken(t, []grader.Check{c}, v)
			for _, code := range v.Codes() {
				codes[code] = true
			}
		}
		if len(codes) == 0 {
			t.Errorf("%s: none of %d mutants is caught", name, len(ms))
		}
		for _, code := range c.Rule.Codes() {
			if !codes[code] && !unreached[code] {
				t.Errorf("%s: no mutant raises %s", name, code)
			}
		}
	}
}

// A proof calls a check dead when every mutant that fails it fails one before it. In the order in
// which tasks demand things, none of these is.
func TestNoCheckIsDeadAmongOthers(t *testing.T) {
	var checks []grader.Check
	d := demands()
	for _, k := range []string{"dashboard-name", "tab-name", "tab", "widget", "no-widget", "generated", "generated-most", "lines", "line", "note-unsaid", "layout", "layout-by-id", "answer", "answer-value", "answer-lines", "answer-unsaid", "grid", "overlap", "widget-def", "app-def", "capability", "connection", "runtime", "calls", "result", "resource", "listed", "invalid", "schema-first", "snapshots", "other-boards", "backends-kept", "other-apps", "created-board", "created-backend", "backend-names", "backend-warned", "nothing-else"} {
		checks = append(checks, d[k])
	}
	killed := make([]bool, len(checks))
	for _, m := range Mutants(checks, good().aftermath()) {
		for i, c := range checks {
			if held, err := c.Match(left(m.Aftermath)); err != nil {
				t.Errorf("%s: %v", c, err)
			} else if !held {
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

// unreached are codes that only another task's dataset, or another order of events, can raise.
var unreached = map[string]bool{
	"endpoint_bad_status": true, "endpoint_response_malformed": true, "endpoint_response_placeholder": true,
}

func TestMutantsAreTheSameTwiceAndLeaveTheGoodEpisodeAlone(t *testing.T) {
	e := good()
	task := tasks.Task{Rubric: tasks.Rubric{Checks: all()}}
	good := e.aftermath()
	before := string(sim.MustCanonical(good))
	a, b := Mutants(task.Rubric.Checks, good), Mutants(task.Rubric.Checks, good)
	same := func(a, b tasks.Mutant) bool {
		return a.Name == b.Name && string(a.Aftermath.States[0]) == string(b.Aftermath.States[0]) && string(a.Aftermath.Answers[0]) == string(b.Aftermath.Answers[0]) && len(a.Aftermath.Trace) == len(b.Aftermath.Trace)
	}
	if !slices.EqualFunc(a, b, same) || len(a) < 100 {
		t.Errorf("%d mutants and %d, which differ", len(a), len(b))
	}
	if string(sim.MustCanonical(good)) != before {
		t.Error("the good episode has changed")
	}
	names := map[string]bool{}
	for _, m := range a {
		if names[m.Name] {
			t.Errorf("two mutants are called %q", m.Name)
		}
		names[m.Name] = true
	}
}

func TestChecksSurviveJSON(t *testing.T) {
	var golden strings.Builder
	kinds := map[string]bool{}
	for name, c := range demands() {
		kinds[c.Rule.Name()] = true
		raw, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		back, err := grader.Registry(Rules()).Decode(raw)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if diff := cmp.Diff(c, back); diff != "" {
			t.Errorf("%s (-written +read):\n%s", name, diff)
		}
		if !slices.IsSorted(c.Rule.Codes()) || len(c.Rule.Codes()) == 0 {
			t.Errorf("%s: codes %q", name, c.Rule.Codes())
		}
		if _, ok := c.Rule.(grader.Grounder); !ok {
			t.Errorf("%s does not say what it grades", name)
		}
	}
	for name := range Rules() {
		if !kinds[name] {
			t.Errorf("no demand of rule %s", name)
		}
	}
	d := demands()
	for _, k := range slices.Sorted(maps.Keys(d)) {
		s := d[k].String()
		if s == "" || strings.HasPrefix(s, "workspace.") {
			t.Errorf("%s does not say what it demands: %q", k, s)
		}
		fmt.Fprintf(&golden, "%s: %s\n    grades %q\n", k, s, d[k].Rule.(grader.Grounder).Graded())
	}
	compare(t, "testdata/demands.golden", golden.String())
}

func TestUnreadableStatesAreTheWorldsFailure(t *testing.T) {
	for _, raw := range []string{``, `[]`, `null`, `7`, `{`, `{"workspace_state":{}`, `{"dashboard_compositions":{"d":{"widgets":[}},"workspace_state":{"current_dashboard_uuid":"d"}}`} {
		_, err := Tab("x").Rule.Grade(context.Background(), grader.Evidence{Final: sim.RawState(raw)})
		var b grader.BrokenError
		if !errors.As(err, &b) || b.Layer != grader.LayerToolRuntime {
			t.Errorf("state %s: %v", raw, err)
		}
	}
	for _, raw := range []string{`{}`, `{"dashboard_compositions":[]}`, `{"dashboard_compositions":{},"dashboards":7}`, `{"dashboard_compositions":{"d":{"widgets":7,"tabs":["x"]}},"workspace_state":{"current_dashboard_uuid":"d"}}`, `{"dashboard_compositions":{"d":7},"workspace_state":[]}`, `{ "dashboard_compositions" : null }`} {
		f, err := Tab("x").Rule.Grade(context.Background(), grader.Evidence{Final: sim.RawState(raw)})
		if err != nil || len(f) != 1 {
			t.Errorf("state %s: %v, %v; what is spoiled in a state is a finding", raw, f, err)
		}
	}
	if _, err := Tab("x").Rule.Grade(context.Background(), grader.Evidence{}); !errors.Is(err, grader.NotApplicable) {
		t.Errorf("an ask that never began: %v", err)
	}
	e := good()
	ev, _ := e.Evidence(0)
	ev.Initial = nil
	_, err := OtherDashboardsKept().Rule.Grade(context.Background(), ev)
	var b grader.BrokenError
	if !errors.As(err, &b) || b.Layer != grader.LayerToolRuntime {
		t.Errorf("without a start: %v", err)
	}
}

func TestRulesThatMakeNoSenseAreTheTasksFault(t *testing.T) {
	for name, r := range map[string]grader.Rule{
		"no call":          &CallsRule{},
		"no widget":        &LayoutRule{},
		"two widgets":      &LayoutRule{UUID: "a", WidgetID: "b"},
		"no app":           &AppDefRule{},
		"two apps":         &AppDefRule{Called: "a", Named: "b"},
		"no tab name":      &TabNameRule{},
		"two names":        &DashboardNameRule{Named: "a", Contains: "b"},
		"no scope":         &BusinessNameRule{},
		"nothing to count": &CreatedRule{},
		"no lines":         &AnswerLinesRule{},
		"an empty line":    NoteLines("x", []string{""}).Rule,
		"published lines":  &GeneratedRule{Lines: Lines{{"x", "y"}}, Reading: Published},
		"nothing unsaid":   &UnsaidRule{},
		"no datasets":      &RuntimeRule{},
		"unknown dataset":  Capable(Capability{Datasets: []string{"x"}}, json.RawMessage(checksJSON)).Rule,
		"unknown kind":     Capable(Capability{Kind: "tables"}, json.RawMessage(checksJSON)).Rule,
	} {
		e := good()
		ev, _ := e.Evidence(0)
		_, err := r.Grade(context.Background(), ev)
		var b grader.BrokenError
		if !errors.As(err, &b) || b.Layer != grader.LayerFixture {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheManualNamesEveryRuleAndCode(t *testing.T) {
	raw, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	manual := string(raw)
	for _, c := range all() {
		kind := strings.TrimPrefix(fmt.Sprintf("%T", c.Rule), "*workspace.")
		if !strings.Contains(manual, "["+kind+"]") {
			t.Errorf("the package comment does not list %s", kind)
		}
		for _, code := range c.Rule.Codes() {
			if !strings.Contains(manual, code) {
				t.Errorf("the package comment does not list %s", code)
			}
		}
	}
}

func TestWhatIsKeptNeedNotBeFound(t *testing.T) {
	for _, r := range []grader.Grounder{
		&WidgetRule{Origin: "o", WidgetID: "w", Kept: true}, &GeneratedRule{Contains: []string{"x"}, Kept: true},
		&LayoutRule{UUID: "u", Kept: true}, &ExactRule{Widgets: []Placed{{UUID: "u", Kept: true}}},
	} {
		if g := r.Graded(); len(g) > 0 {
			t.Errorf("%T grades %q", r, g)
		}
	}
}

func TestUnpolished(t *testing.T) {
	ev, _ := good().Evidence(0)
	wish := func(backend, path string, v any) Polish {
		return Polish{Code: "polish_width", Backend: backend, WidgetID: "case_register", Path: path, Expected: v}
	}
	f, err := Unpolished([]Polish{wish("Case Service", "gridData.w", 20), wish("Case Service", "gridData.w", 40), wish("No Service", "gridData.w", 20)}, ev)
	if err != nil || len(f) != 2 || f[0].Message != `widget "case_register": gridData.w: want 40, got 20` || f[1].Got != "nothing" {
		t.Errorf("%v, %v", f, err)
	}
}
