package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/grader/gates"
	"benchwright/steps/workspace"
	"benchwright/tasks"
)

// everything is a task that uses every field there is.
const everything = `{
  "id": "all", "prompt": "Do it all.", "family": "kitchen", "category": "story", "difficulty": "level4", "specification_level": "open-brief", "business_terms": ["AX-77"],
  "setup": {
    "workspace_baseline": "", "workspace_backends": ["desk-mini"], "workspace_skills": ["breach-review"], "default_selected_dashboard": "Board",
    "fixtures": {"backends": [{"name": "desk-mini", "backend_id": "backend_009", "url": "http://127.0.0.1:1"}]},
    "initial_state": {"dashboard": {"name": "Board"}},
    "allowed_tools": ["get_workspace_snapshot", "list_available_widgets", "create_widget", "final_answer"]
  },
  "eval": {
    "reference_trace": [{"tool": "get_workspace_snapshot", "args": {}}, {"name": "list_available_widgets"}, {"tool": "final_answer", "args": {"answer": "42"}}],
    "reference_answer": "42 it is.", "max_turns": 5, "judge_evaluation": true, "required_values_in_answer": ["42"],
    "required_dashboard_name_contains": "Board", "required_tabs": [""], "required_tab_names": ["Overview"],
    "required_widgets": [{"origin": "Desk Mini", "widget_id": "cash_level", "data_args": {"a": 1.50}, "tab_id": "", "min_count": 0, "max_count": 0}],
    "required_generated_widgets": [{"widget_type": "note", "name_contains": "N", "data_contains": "x", "tab_id": "t", "min_count": 2}],
    "required_layouts": [{"widget_uuid": "w_1", "x": 1, "h": 2.5}],
    "required_tool_calls": [{"tool": "create_widget", "args_contains": {"origin": "Desk Mini"}, "min_count": 2}],
    "required_tool_results": [{"name": "create_widget", "data_contains": ["x", "y"], "min_count": 2}],
    "required_resource_reads": [{"uri": "openbb://workspace/specs/apps-json", "data_contains": "fernhill"}],
    "required_widget_defs": [{"backend_name": "B", "widget_id": "w", "expect": {"data.table": true}, "params_include": [{"paramName": "p"}], "columns_include": [{"field": "f"}]}],
    "required_app_defs": [{"backend_name": "B", "template_id": "t", "expect": {"name": "A"}, "tabs_include": ["x"], "tab_count": 1, "prompts_min_count": 3, "layout_refs_valid": true, "no_overlaps": true, "widgets_on_tab": [{"tab_id": "x", "widget_id": "w"}], "groups_include": [{"paramName": "p", "widgetIds": ["w"]}]}],
    "required_capabilities": [{"name": "see", "datasets": ["rows"], "widget_kind": "table-like", "must_cover_fields": ["a"], "required_param_kinds": ["text"], "required_config": {"runButton": true}}, {"name": "hear", "datasets": ["rows"]}],
    "capability_connections": [{"source": "see", "target": "hear", "param_kind": "ticker"}],
    "business_names": [{"scope": "app", "contains": "Review"}],
    "app_structure": {"required": true, "no_overlaps": false},
    "layout": {"within_grid": true, "no_overlaps": true, "grid_width": 24},
    "trace_checks": {"max_invalid_tool_calls": 3, "must_call_schema_before_create": true, "forbid_invented_widget_ids": true, "max_repeated_snapshots": 1},
    "workspace_checks": {"preserve_other_dashboards": true, "preserve_other_apps": true, "mutable_app_ids": ["m"], "preserve_custom_backend_ids": true, "required_custom_backend_ids": ["backend_003"], "unique_custom_backend_names": true, "require_no_backend_warnings": true, "max_dashboard_delta": 1, "max_custom_backend_delta": 0},
    "runtime_checks": {"datasets": [{"name": "rows", "widget_id": "w", "fields": ["a"], "payload": [{"a": 1}]}], "pinned_paths": true, "request_timeout_ms": 100},
    "polish": [{"code": "polish_refresh_policy", "backend_name": "B", "widget_id": "w", "path": "refetchInterval", "expected": 60000}]
  }
}`

func TestEveryFieldBecomesADemand(t *testing.T) {
	all := open(t, files("taskset.json", `{"suite_id": "s", "visibility": "hidden", "description": "d", "content_sha256": "`+strings.Repeat("0", 64)+`"}`, "kitchen/all.json", everything))
	got := all[0]
	var b strings.Builder
	fmt.Fprintf(&b, "%s %v\nlimits %+v\ntools %v\ncontext %s\nsetup %s\n", got.ID, got.Labels, got.Limits, got.Tools, got.Asks[0].Context, got.Setup)
	for _, m := range got.Rubric.Reference {
		fmt.Fprintf(&b, "%s: %v %s\n", m.Source, m.Calls, m.Answer)
	}
	for _, c := range got.Rubric.Checks {
		raw, err := c.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n  %s\n", c, raw)
	}
	golden(t, "pack/fields", b.String())

	raw, err := tasks.Encode(got)
	if err != nil {
		t.Fatal(err)
	}
	back, problems := tasks.DecodeTasks("x.json", raw, suite())
	if len(problems) > 0 || !reflect.DeepEqual(back[0], got) {
		t.Errorf("the task is another once it was read back: %v\n%s", problems, raw)
	}
}

func TestOldSpellings(t *testing.T) {
	modern := open(t, files("taskset.json", manifest, "a/x.json", `{"id": "x", "prompt": "p", "setup": {"allowed_tools": ["get_workspace_snapshot"], "initial_state": {"dashboard": {"name": "D"}}},
"eval": {"reference_trace": [{"tool": "get_workspace_snapshot", "args": {}}], "required_dashboard_name_contains": "D", "judge_evaluation": false, "max_turns": 3}}`))
	old := open(t, files("taskset.json", strings.Replace(manifest, "taskset_id", "suite_id", 1), "a/x.json", `{"id": "x", "prompt": "p", "allowed_tools": ["get_workspace_snapshot"], "initial_state": {"dashboard": {"name": "D"}},
"success": {"required_dashboard_name_contains": "D", "required_answer_judgment": false}, "oracle_tool_calls": [{"name": "get_workspace_snapshot", "args": {}}], "limits": {"max_turns": 3}}`))
	if modern[0].Digest() != old[0].Digest() {
		a, _ := tasks.Encode(modern[0])
		b, _ := tasks.Encode(old[0])
		t.Errorf("the old spelling is another task\n%s\n%s", a, b)
	}
}

func TestJudgedTasksAreSkippedWithoutAJudge(t *testing.T) {
	all := open(t, files("taskset.json", manifest, "a/x.json", task("", `, "judge_evaluation": true, "reference_answer": "It is empty."`)))
	var judged grader.Check
	for _, c := range all[0].Rubric.Checks {
		if _, ok := c.Rule.(*workspace.JudgedRule); ok {
			judged = c
		}
	}
	if judged.Rule == nil {
		t.Fatal("there is no check for the judge")
	}
	var skip grader.SkipError
	if _, err := judged.Rule.Grade(context.Background(), grader.Evidence{}); !errors.As(err, &skip) {
		t.Errorf("without a judge: %v", err)
	}
	if !strings.Contains(string(all[0].Asks[0].Context), `"final_answer":true`) {
		t.Errorf("the answer is not asked for: %s", all[0].Asks[0].Context)
	}
	if m := all[0].Rubric.Reference; string(m[len(m)-1].Answer) != `"It is empty."` {
		t.Errorf("the reference ends with %s", m[len(m)-1].Answer)
	}
}

func TestATaskMayUseItsLastTurnForACall(t *testing.T) {
	all := open(t, files("taskset.json", manifest, "a/x.json", task("", `, "max_turns": 1`), "a/y.json", strings.Replace(task("", `, "max_turns": 2`), "one", "two", 1)))
	for i, x := range all { // which is within its budget with or without a turn for the last word
		if m := x.Rubric.Reference; len(m) != 2 || string(m[1].Answer) != "null" {
			t.Errorf("with %d turns the reference is %+v", i+1, m)
		}
		kit := workspace.Kit()
		for _, g := range gates.Certify(context.Background(), &kit, x, gates.Options{}).Gates {
			if (g.Gate == gates.Reference || g.Gate == gates.WithinBudget) && g.State != gates.Held {
				t.Errorf("with %d turns %s: %v", i+1, g.Gate, g.Problems)
			}
		}
		a := agent.Loop{Model: agent.Script(kit.Dialect, agent.ProtocolJSON, x.Rubric.Reference), Dialect: kit.Dialect}
		ep := agent.Play(context.Background(), a, agent.Config{Kit: &kit, Task: x, Agent: "reference"})
		v := grader.Grade(context.Background(), x.Rubric.Checks, ep)
		if end := []string{grader.EndTurns, grader.EndDone}[i]; v.Outcome != grader.Passed || ep.End.Code != end {
			t.Errorf("with %d turns the reference ends with %s and is %s, want %s", i+1, ep.End.Code, v.Outcome, end)
		}
	}
}

func TestFind(t *testing.T) {
	all := []tasks.Task{{ID: "s/a/one"}, {ID: "s/b/two"}, {ID: "r/a/one"}}
	for _, tt := range []struct{ name, want, reason string }{
		{"two", "s/b/two", "the last part will do"},
		{"r/a/one", "r/a/one", "a whole id"},
		{"one", `ambiguous task "one"; use one of r/a/one, s/a/one`, "two suites have it"},
		{"s/a/onee", `unknown task "s/a/onee"; did you mean "s/a/one" or "r/a/one"?`, "the nearest are named"},
	} {
		got, err := workspace.Find(all, tt.name)
		if s := string(got.ID); s != tt.want && (err == nil || err.Error() != tt.want) {
			t.Errorf("%s: %s, %v; want %s: %s", tt.name, s, err, tt.want, tt.reason)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(manifest, everything)
	f.Add(manifest, task("", ""))
	f.Fuzz(func(t *testing.T, manifest, task string) {
		all, ok, err := workspace.Open(files("taskset.json", manifest, "a/x.json", task))
		var list tasks.Errors
		if !ok || err != nil && !errors.As(err, &list) || err == nil && len(all) == 0 {
			t.Fatalf("%v, %d tasks, %v", ok, len(all), err)
		}
		for _, x := range all {
			raw, err := tasks.Encode(x)
			if err != nil {
				t.Fatal(err)
			}
			if _, problems := tasks.DecodeTasks("x.json", raw, suite()); len(problems) > 0 {
				t.Fatalf("%s: %v", raw, problems)
			}
		}
	})
}
