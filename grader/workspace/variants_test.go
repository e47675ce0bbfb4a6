package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/onsi/gomega"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/workspace"
	"benchwright/tasks"
)

// Where the published way of grading is laxer or stricter than ours, an argument of the rule says
// so. Each case shows one of them both ways.
func TestWhatIsStricterIsSaid(t *testing.T) {
	absent := func(on On) grader.Rule {
		return &WidgetRule{Dashboard: on, Origin: compliance, WidgetID: "preclearance_queue", Max: new(int)}
	}
	twice := []Call{{Tool: "update_widget", Args: obj(`{"widget_uuid":"w_b2b"}`)}, {Tool: "update_widget"}}
	says := func(r Reading, f string) grader.Rule {
		return &GeneratedRule{Type: "note", Contains: []string{f}, Min: 1, Reading: r}
	}
	for _, tt := range []struct {
		name          string
		spoil         func(e *episode)
		strict, loose grader.Rule
		reason        string
	}{
		{"absence is not met by going away", away, absent(Open), absent(AtEnd), "the widget is still where it was"},
		{"one call does not stand for two", func(*episode) {}, &CallsRule{Calls: twice}, &CallsRule{Calls: twice, Assignment: Shared}, "each call made stands for one wanted"},
		{"a short word is not part of another", func(e *episode) { widgetOf(e, "widget_007").GeneratedData = "the platform" }, says(Strict, "form"), says(Published, "form"), "platform holds no form"},
		{"a name is no content", func(e *episode) { widgetOf(e, "widget_007").Name = "evidence of settlement" }, says(Strict, "settlement"), says(Published, "settlement"), "nothing in the note says it"},
		{"a number is whole", func(*episode) {}, &AnswerSaysRule{Value: "250"}, &AnswerSaysRule{Value: "250", Reading: Published}, "1,250,000 is not 250"},
		{"an envelope is no result", func(*episode) {}, ToolResult("get_skill_content", "request_id").Rule, &ToolResultRule{Tool: "get_skill_content", Contains: []string{"request_id"}, Reading: Published}, "every envelope has one"},
		{"the dashboard asked about", away, &TabRule{ID: "review"}, &TabRule{ID: "review", Dashboard: "dash_002"}, "published looks at the dashboard left open; naming one is laxer here and fairer"},
		{"the dashboard worked on", func(e *episode) { e.final.Compositions["dash_003"].Name = "x" }, &OtherDashboardsRule{}, &OtherDashboardsRule{Except: []On{AtStart, "Morning Briefing"}}, "published frees the one that was open at the start"},
		{"an agent that must not list", func(e *episode) { dropCalls(e, "list_available_widgets") }, &ListedRule{MustList: true}, &ListedRule{}, "without the tool nothing can be listed"},
		{"a backend added anew", func(e *episode) {
			c := e.final.CustomBackends
			c["backend_009"] = c["backend_002"]
			delete(c, "backend_002")
		}, &OtherAppsRule{}, &OtherAppsRule{ByName: true}, "its id is another, its name the same"},
		{"what sank", func(e *episode) { widgetOf(e, "widget_008").Layout.Y, widgetOf(e, "w_note").Layout.Y = 14, 24 }, demands()["nothing-else"].Rule, func() grader.Rule {
			r := *demands()["nothing-else"].Rule.(*NothingElseRule)
			r.Positions = Settled
			return &r
		}(), "another came above it"},
		{"generated widgets beside the listed", func(*episode) {}, &ExactRule{Widgets: []Placed{{WidgetID: "policy_breaches"}, {WidgetID: "policy_breaches"}, {WidgetID: "preclearance_queue"}, {WidgetID: "case_register"}, {WidgetID: "case_chart"}, {WidgetID: "desk_register"}}},
			&ExactRule{Scope: Catalogue, Widgets: []Placed{{WidgetID: "policy_breaches"}, {WidgetID: "policy_breaches"}, {WidgetID: "preclearance_queue"}, {WidgetID: "case_register"}, {WidgetID: "case_chart"}, {WidgetID: "desk_register"}}}, "all widgets are all"},
		{"notes alone", func(*episode) {}, &ExactRule{Widgets: []Placed{{Type: "note"}, {Type: "note"}}}, &ExactRule{Scope: Generated, Widgets: []Placed{{Type: "note"}, {Type: "note"}}}, "all widgets are all"},
		{"a tab alone", func(e *episode) {
			widgetOf(e, "w_q").Layout.TabID = "x"
			breach(e).Tabs = append(breach(e).Tabs, world.Tab{ID: "x", Name: "X"})
		}, &ExactRule{Widgets: []Placed{{WidgetID: "preclearance_queue"}}}, &ExactRule{TabID: ptr("x"), Widgets: []Placed{{WidgetID: "preclearance_queue"}}}, "only what is on it"},
		{"a dashboard that may change", func(e *episode) { breach(e).Tabs[0].Name = "x" }, demands()["nothing-else"].Rule, func() grader.Rule {
			r := *demands()["nothing-else"].Rule.(*NothingElseRule)
			r.Dashboards = []string{"Breach Review"}
			return &r
		}(), "its tabs are named as what may change"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := gomega.NewWithT(t)
			e := good()
			tt.spoil(e)
			g.Expect(e).NotTo(grader.Check{Rule: tt.strict}, tt.reason)
			g.Expect(e).To(grader.Check{Rule: tt.loose}, tt.reason)
		})
	}
}

func TestSubjects(t *testing.T) {
	for _, tt := range []struct {
		name   string
		spoil  func(e *episode)
		on     On
		want   string // the id of the dashboard; "" is none
		reason string
	}{
		{"open", away, Open, "dash_001", "the one left open"},
		{"at end", away, AtEnd, "dash_001", "the one left open"},
		{"at start", away, AtStart, "dash_002", "the one that was open"},
		{"id", away, "dash_003", "dash_003", "by its id"},
		{"name", away, "Breach Review", "dash_002", "by its name"},
		{"renamed", func(e *episode) {
			e.final.Dashboards[1].Name = "X"
			breach(e).Name = "X"
		}, "Breach Review", "dash_002", "by the name it had"},
		{"new name", func(e *episode) {
			e.final.Dashboards[1].Name = "X"
			breach(e).Name = "X"
		}, "X", "dash_002", "by the name it got, which nothing had before"},
		{"swapped names", func(e *episode) {
			d := e.final.Dashboards
			d[1].Name, d[2].Name = d[2].Name, d[1].Name
		}, "Breach Review", "dash_002", "a name means what it meant when the task was set"},
		{"made", func(e *episode) {
			e.final.Dashboards = append(e.final.Dashboards, world.DashboardRef{ID: "dash_009", Name: "Mine"})
			e.final.Compositions["dash_009"] = board("dash_009", "Mine", nil)
		}, "Mine", "dash_009", "there was none of that name"},
		{"none", away, "Mine", "", "there is none of that name"},
		{"nothing open", func(e *episode) { e.final.State.DashboardID = nil }, Open, "", "nothing is open"},
		{"nothing was open", func(e *episode) { e.initial.State.DashboardID = nil }, AtStart, "", "nothing was open"},
		{"gone", func(e *episode) { delete(e.final.Compositions, "dash_002") }, AtStart, "", "it is gone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := good()
			tt.spoil(e)
			ev, _ := e.Evidence(0)
			c, none, err := tt.on.board(ev)
			if err != nil || (c == nil) != (tt.want == "") || c != nil && c.DashboardID != tt.want || (c == nil) != (none != "") {
				t.Errorf("%s gives %+v, %q, %v: %s", tt.on, c, none, err, tt.reason)
			}
		})
	}
}

func TestScores(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
	grade := func(e *episode, names ...string) grader.Verdict {
		var checks []grader.Check
		for _, n := range names {
			checks = append(checks, demands()[n])
		}
		return grader.Grade(context.Background(), checks, e)
	}
	for _, tt := range []struct {
		name   string
		checks []string
		spoil  func(e *episode)
		want   float64
		reason string
	}{
		{"all held", []string{"widget", "tab", "grid"}, func(*episode) {}, 1, "everything is as demanded"},
		{"one of three codes", []string{"layout", "layout-by-id", "tab"}, func(e *episode) { breach(e).Tabs[0].ID = "x"; widgetOf(e, "w_7b8").Layout.TabID = "review" }, 0.5, "every code weighs the same, however many checks it has"},
		{"half of a code", []string{"layout", "layout-by-id", "tab"}, func(e *episode) { widgetOf(e, "w_b2b").Layout.X = 1 }, 0.75, "a code counts by the share that holds"},
		{"one of eight widgets off the grid", []string{"grid", "tab"}, func(e *episode) { widgetOf(e, "w_b2b").Layout.X = 39 }, (7.0/8 + 1) / 2, "every widget counts"},
		{"misconfigured or missing", []string{"exact"}, func(e *episode) { widgetOf(e, "w_b2b").DataArgs["status"] = "x" }, (7.0/8 + 1) / 2, "how a widget fails does not change what it weighs"},
		{"what follows counts", []string{"widget-def", "tab"}, func(e *episode) { delete(e.final.CustomBackends, "backend_003") }, 0.2, "a missing backend holds nothing of its definitions"},
		{"trace and preservation", []string{"tab", "calls", "other-boards"}, func(e *episode) { e.trace = nil; e.final.Compositions["dash_003"].Name = "x" }, 1, "they do not make the raw score"},
		{"only a trace, held", []string{"calls", "grid"}, func(*episode) {}, 1, "everything is as demanded"},
		{"only a trace, not held", []string{"calls", "grid", "overlap"}, func(e *episode) { e.trace = e.trace[:9] }, 0, "an untouched workspace would score 1, so it is all or nothing"},
		{"only a trace, off the grid", []string{"calls", "grid"}, func(e *episode) { widgetOf(e, "w_b2b").Layout.X = 39 }, 0, "all or nothing"},
		{"runtime", []string{"tab", "runtime"}, func(e *episode) { replace(e, `"endpoint":"case_chart"`, `"endpoint":""`) }, (1 + 2.0/3) / 2, "the mean of state and runtime"},
		{"runtime alone", []string{"runtime"}, func(e *episode) { replace(e, `"endpoint":"case_chart"`, `"endpoint":""`) }, (1 + 2.0/3) / 2, "no state check is a state of 1"},
	} {
		e := good()
		tt.spoil(e)
		v := grade(e, tt.checks...)
		if got := Score(v); !near(got, tt.want) {
			t.Errorf("%s: score %v, want %v, since %s\n%+v", tt.name, got, tt.want, tt.reason, Dimensions(v))
		}
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var back grader.Verdict
		if err := json.Unmarshal(raw, &back); err != nil || Score(back) != Score(v) {
			t.Errorf("%s: a recorded verdict scores %v: %v", tt.name, Score(back), err)
		}
	}
	for _, tt := range []struct {
		raw, floor float64
		passed     bool
		want       float64
	}{{1, 0.5, true, 1}, {0.75, 0.5, false, 0.5}, {0.25, 0.5, false, 0}, {1, 1, true, 1}, {1, 1, false, 0}, {0.4, 0, false, 0.4}} {
		if got := Adjusted(tt.raw, tt.floor, tt.passed); !near(got, tt.want) {
			t.Errorf("Adjusted(%v, %v, %t) is %v, want %v", tt.raw, tt.floor, tt.passed, got, tt.want)
		}
	}
	judged := grader.Verdict{Results: []grader.Result{{Rule: "workspace.answer", State: grader.Held, Tally: []grader.Tally{{Code: "missing_final_answer", Held: 1, Of: 1}}}, {Rule: "judge", State: grader.Unmet}, {Rule: "judge", State: grader.SkippedRule}}}
	if d := Dimensions(judged); d[4].Name != Judge || d[4].Passed || d[4].Of != 1 || d[0].Score != 1 || Score(judged) != 1 {
		t.Errorf("a judged verdict: %+v", d)
	}
}

func TestRulesMayBeUsedAtOnce(t *testing.T) {
	checks := all()
	e := good()
	ev := left(e.aftermath())
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 3 {
				if v := grader.Grade(context.Background(), checks, ev); v.Outcome != grader.Passed {
					t.Error(v.Outcome, v.Reason)
				}
			}
		})
	}
	wg.Wait()
}

func TestMutantsOfEveryAsk(t *testing.T) {
	e := good()
	a := e.aftermath()
	a.States = append(a.States, a.States[0])
	a.Answers = append(a.Answers, a.Answers[0])
	first, second := Tab("review"), AnswerSays("3")
	second.Ask = 1
	ms := Mutants([]grader.Check{first, second}, a)
	later := slices.ContainsFunc(ms, func(m tasks.Mutant) bool {
		return strings.HasSuffix(m.Name, "(ask 2)") && string(m.Aftermath.Answers[1]) != string(a.Answers[1])
	})
	if !later || len(ms) < 4 {
		t.Errorf("%d mutants, of the second ask: %t", len(ms), later)
	}
	if ms := Mutants(all(), tasks.Aftermath{}); len(ms) == 0 {
		t.Error("an episode that left nothing has no mutants of its trace")
	}
}

func TestSplit(t *testing.T) {
	for raw, want := range map[string]string{
		`{}`:                       `map[]`,
		`{"a":1}`:                  `map[a:1]`,
		`{"a":{"b":[1,{}]},"c":2}`: `map[a:{"b":[1,{}]} c:2]`,
		`{"a":"}\\\",{","b":""}`:   `map[a:"}\\\",{" b:""]`,
		`{"a":1,}`:                 `none`, `{"a":1`: `none`, `[]`: `none`, ``: `none`, `{`: `none`, `{"a"}`: `none`, `{"a":}`: `none`, `{"a":,"b":1}`: `none`, `{"a":1 ,"b":1}`: `map[a:1  b:1]`, `{"a":1,"a":2}`: `none`, `{"a\n":1}`: `none`, `{"a":"`: `none`, `{"a":1}}`: `none`,
	} {
		got := "none"
		if m, ok := split(json.RawMessage(raw)); ok {
			s := map[string]string{}
			for k, v := range m {
				s[k] = string(v)
			}
			got = fmt.Sprint(s)
		}
		if got != want {
			t.Errorf("split(%s) is %s, want %s", raw, got, want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add([]byte(`{"a":{"b":[1,"}"]},"c":"\\"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, ok := split(raw)
		c, err := sim.Canonical(json.RawMessage(raw))
		if err != nil || len(c) == 0 || c[0] != '{' {
			return // whatever it makes of that
		}
		got, ok = split(c)
		var want map[string]json.RawMessage
		if err := json.Unmarshal(c, &want); err != nil {
			t.Fatal(err)
		}
		escaped := false
		for k := range want {
			escaped = escaped || strings.ContainsAny(string(sim.MustCanonical(k)), `\`)
		}
		if ok == escaped {
			t.Fatalf("split(%s): %t", c, ok)
		}
		for k, v := range want {
			if ok && string(got[k]) != string(v) {
				t.Errorf("split(%s): %s is %s", c, k, got[k])
			}
		}
		if ok && string(join(got)) != string(c) {
			t.Errorf("split and join of %s: %s", c, join(got))
		}
	})
}

// FuzzAgentsNeverBreakGrading puts anything an agent can send into notes, arguments, names, manifests,
// results and answers: there may be findings, but no panic, no error and no undeclared code.
func FuzzAgentsNeverBreakGrading(f *testing.F) {
	f.Add("note \x1b[31m", []byte(`{"origin":["x"],"widget_id":7}`), []byte(`{"data":{"widgets":[{"origin":1},[],null]}}`), []byte(`{"type":7,"params":[[[]],{"inputParams":{}}],"data":{"table":{"columnsDefs":{}}}}`), []byte(`{"tabs":[],"groups":{},"prompts":7}`), "create_widget")
	f.Add("", []byte(`[`), []byte(``), []byte(`{"data":{"table":{"columnsDefs":[7,{"field":1}]}}}`), []byte(`{"tabs":{"review":{"layout":[7,{"i":1,"x":"a"}]},"x":7},"groups":[7,{"widgetIds":7}],"name":7}`), "list_available_widgets")
	f.Add("1e9 1,2,3 %", []byte(`{"data_args":{"a":[[]]},"widgets_json":[]}`), []byte(`null`), []byte(`{}`), []byte(`{}`), "manage_backends")
	checks := all()
	f.Fuzz(func(t *testing.T, text string, args, result, def, app []byte, tool string) {
		e := good()
		w := widgetOf(e, "widget_007")
		w.GeneratedData, w.Name, w.Description = text, text, &text
		breach(e).Tabs[0].Name = text
		if v, err := sim.ParseJSON(args); err == nil {
			w.GeneratedData = v
			widgetOf(e, "w_b2b").DataArgs["status"] = v
		}
		c := e.final.CustomBackends["backend_003"]
		if raw, err := sim.Canonical(json.RawMessage(def)); err == nil {
			c.Widgets["case_register"], c.Widgets[text] = raw, raw
		}
		if raw, err := sim.Canonical(json.RawMessage(app)); err == nil {
			c.Apps[0] = raw
		}
		for _, status := range []string{sim.StatusOK, "error"} {
			for _, name := range []string{tool, "create_widget", "manage_backends", "list_available_widgets", "manage_apps"} {
				e.trace = append(e.trace, sim.Event{Call: sim.Call{Name: name, Arguments: args}, Result: sim.Result{Status: status, Code: text, Data: result}})
			}
		}
		e.answer = sim.MustCanonical(text)
		l := left(e.aftermath())
		v := grader.Grade(context.Background(), checks, l)
		broken(t, checks, v)
		_ = Score(v)
		ev, _ := l.Evidence(0)
		if _, err := Deployment(json.RawMessage(checksJSON), ev); err != nil {
			t.Error(err)
		}
	})
}

func TestDeployment(t *testing.T) {
	e := good()
	e.trace = append(e.trace, event("manage_apps", `{"operation":"instantiate"}`, `{"dashboard_id":"dash_004"}`))
	ev, _ := e.Evidence(0)
	r, err := Deployment(json.RawMessage(checksJSON), ev)
	if err != nil || len(r.Backends) != 2 || r.Probed != 3 || r.Passed != 3 || !slices.Equal(r.Dashboards, []string{"dash_002", "dash_004"}) || !slices.Contains(r.AppIDs, "case-file-app") {
		t.Errorf("%+v, %v", r, err)
	}
}
