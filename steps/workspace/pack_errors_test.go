package workspace_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"benchwright/steps/workspace"
	"benchwright/tasks"
)

// files makes a pack of "name: content".
func files(pairs ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return out
}

const manifest = `{"taskset_id": "suite", "workspace_baseline": "", "workspace_backends": ["desk-mini"], "task_defaults": {"difficulty": "easy"}}`

// task is a small task that is right, with more keys, and more in its eval block.
func task(more, eval string) string {
	return `{"id": "one", "prompt": "Take a snapshot."` + more + `, "eval": {"required_tools": [{"tool": "get_workspace_snapshot"}]` + eval + `}}`
}

func TestWhatIsWrongWithPacks(t *testing.T) {
	cases := []struct {
		name  string
		files fstest.MapFS
	}{
		{"all files together", files("taskset.json", `{"taskset_id": "s", "visibility": "secret", "owner": "me", "task_defaults": {"eval": [], "level": 1}}`,
			"a/one.json", `{"id": "one", "prompt": ""`, "a/two.json", "{\n\"id\": \"two\",\n\"id\": \"three\"}", "b/three.json", `[]`)},
		{"unknown fields at every level", files("taskset.json", manifest, "a/one.json", task(`, "setup": {"baseline": "x", "fixtures": {"backend": [], "backends": [{"nam": "x"}]}}, "colour": 1`,
			`, "required_widget": [], "required_widgets": [{"origin": "Desk Mini", "widget": "x"}], "layout": {"grid": 40}, "trace_checks": {"max_invalid_calls": 2}, "workspace_checks": {"preserve_dashboards": true}`))},
		{"retired fields", files("taskset.json", manifest, "a/one.json", task(`, "title": "x", "tags": [], "level": 3`, ""))},
		{"blocks beside their old spellings", files("taskset.json", manifest, "a/one.json", task(`, "setup": {}, "allowed_tools": ["read_widget"], "success": {}, "limits": {"max_turns": 2}`, ""))},
		{"what must be there", files("taskset.json", `{"taskset_id": "s"}`, "a/one.json", `{}`)},
		{"wrong types", files("taskset.json", manifest, "a/one.json", task(`, "business_terms": "x", "category": "reading", "difficulty": "level6", "setup": {"workspace_backends": [], "allowed_tools": ["read_widgets", "final_answer", 3], "workspace_skills": ["a", "a"]}`,
			`, "max_turns": 0, "required_tabs": [1], "required_generated_widgets": [{"widget_type": "memo"}], "required_layouts": [{"x": "1"}], "reference_answer": ""`))},
		{"references", files("taskset.json", manifest,
			"a/one.json", `{"id": "one", "prompt": "p", "eval": {"required_tools": [{"tool": "get_workspace_snapshot", "optional": true, "graded_args": []}, {"tool": "get_snapshot"}, {"tool": "read_widget", "args": {"widget_uuid": "w"}, "graded_args": ["widget_id"]}], "reference_trace": [], "calls_match_reference": true}}`,
			"a/two.json", `{"id": "two", "prompt": "p", "eval": {"reference_trace": [{"tool": "get_workspace_snapshot", "optional": true}, {"args": []}]}}`,
			"a/three.json", `{"id": "three", "prompt": "p", "eval": {"required_tools": [{"tool": "get_workspace_snapshot", "optional": true}]}}`,
			"a/four.json", `{"id": "four", "prompt": "p", "eval": {"calls_match_reference": true, "required_tool_calls": [{"tool": "read_widget"}], "reference_trace": [{"tool": "read_widget"}], "max_turns": 3, "limits": {"max_turns": 3}}}`)},
		{"answers without a way to give them", files("taskset.json", manifest, "a/one.json", task(`, "setup": {"allowed_tools": ["get_workspace_snapshot"]}`, `, "judge_evaluation": true, "required_answer_judgment": true`))},
		{"capabilities", files("taskset.json", manifest, "a/one.json", task("", `, "runtime_checks": {"datasets": [{"name": "rows", "widget_id": "w", "payload": [{"a": 1}]}]},
  "required_capabilities": [{"name": "show", "datasets": ["row"], "widget_kind": "table", "required_param_kinds": ["select"]}],
  "capability_connections": [{"source": "show", "target": "show", "param_kind": "text"}, {"source": "show", "target": "tell", "param_kind": "text"}],
  "business_names": [{"scope": "page", "contains": "x"}], "required_app_defs": [{"backend_name": "B"}], "polish": [{"code": "x"}]`))},
		{"runtime checks", files("taskset.json", manifest, "a/one.json", task("", `, "runtime_checks": {"dataset": []}`))},
		{"what does not exist", files("taskset.json", manifest, "a/one.json", task(`, "setup": {"workspace_backends": ["desk-mine"], "workspace_baseline": "desk"}`, ""),
			"a/two.json", strings.Replace(task(`, "setup": {"workspace_skills": ["tearsheet"], "initial_state": {"dashboard": {"name": "D", "widgets": [{"widget_id": "nothing"}]}}, "default_selected_dashboard": "E"}`, ""), "one", "two", 1))},
		{"two of one name", files("taskset.json", manifest, "a/1.json", task("", ""), "a/2.json", task("", ""), "a/3.json", strings.Replace(task("", ""), "one", "no such/id", 1))},
		{"two choices of the open dashboard", files("taskset.json", manifest, "a/1.json", task(`, "setup": {"default_selected_dashboard": "D", "initial_state": {"active_dashboard": "D", "dashboard": {"name": "D"}}}`, ""))},
		{"suites", files("x/taskset.json", manifest, "x/y/taskset.json", `{"taskset_id": "suite"}`, "z/one.json", task("", ""), "x/a/one.feature", "Feature: x")},
		{"no tasks", files("taskset.json", manifest, "one.json", task("", ""))},
		{"demands of nothing", files("taskset.json", manifest, "a/1.json", task("", `, "required_widgets": [{"origin": "o", "widget_id": "w", "min_count": 0}, {"origin": "o", "widget_id": "w", "min_count": 2, "max_count": 1}], "required_layouts": [{"widget_uuid": "u"}], "required_tool_results": [{"tool": "read_widget"}], "workspace_checks": {"mutable_app_ids": ["x"]}`))},
	}
	var b strings.Builder
	for _, tt := range cases {
		all, ok, err := workspace.Open(tt.files)
		var list tasks.Errors
		if !ok || all != nil || !errors.As(err, &list) {
			t.Errorf("%s: %v, %v tasks, %v", tt.name, ok, len(all), err)
		}
		fmt.Fprintf(&b, "# %s\n%v\n\n", tt.name, err)
	}
	golden(t, "pack/errors", b.String())
}

func TestFoldersThatAreNoPacks(t *testing.T) {
	for name, pack := range map[string]fstest.MapFS{
		"empty":         files(),
		"features":      files("a/x.feature", "Feature: x"),
		"our own tasks": files("a/x.json", `{"id": "a/b/c", "world": "workspace", "asks": []}`),
		"any JSON":      files("a/x.json", `[1]`, "b/y.json", `{`),
		"at the top":    files("x.json", task("", "")),
		"hidden":        files(".git/x.json", task("", "")),
	} {
		if all, ok, err := workspace.Open(pack); ok || err != nil || all != nil {
			t.Errorf("%s: %v, %v, %v", name, all, ok, err)
		}
	}
}

// open opens a pack that is right.
func open(t *testing.T, pack fstest.MapFS) []tasks.Task {
	t.Helper()
	all, ok, err := workspace.Open(pack)
	if err != nil || !ok {
		t.Fatalf("%v, %v", ok, err)
	}
	return all
}

func TestASuiteIsInherited(t *testing.T) {
	const standing = `{"taskset_id": "s", "workspace_baseline": "desk-mini-a", "workspace_backends": ["desk-mini"], "workspace_skills": ["breach-review"],
"task_defaults": {"category": "story", "difficulty": "level3", "eval": {"trace_checks": {"max_invalid_tool_calls": 2, "must_call_schema_before_create": true}, "layout": {"no_overlaps": true}, "reference_trace": [{"tool": "manage_dashboard"}], "max_turns": 9}}}`
	all := open(t, files("taskset.json", standing,
		"read_widget/plain.json", strings.Replace(task("", ""), "one", "plain", 1),
		"read_widget/own.json", strings.Replace(task(`, "category": "read", "difficulty": "hard", "family": "mine", "specification_level": "explicit", "setup": {"workspace_baseline": "", "workspace_skills": ["desk-handover"]}`, `, "trace_checks": {"max_invalid_tool_calls": 1}, "limits": {"max_turns": 4}`), "one", "own", 1),
	))
	var b strings.Builder
	for _, task := range all {
		fmt.Fprintf(&b, "%s %v\nsetup %s\nturns %d\n", task.ID, task.Labels, task.Setup, task.Limits.Turns)
		for _, c := range task.Rubric.Checks {
			fmt.Fprintf(&b, "  %s: %s\n", c.Source, c)
		}
	}
	golden(t, "pack/inherited", b.String())
}

func TestWithoutAManifest(t *testing.T) {
	all := open(t, files("read_widget/one.json", task(`, "difficulty": "level5", "setup": {"workspace_backends": ["desk-mini"]}`, "")))
	want := "private/read_widget/one [suite:private world:workspace family:read_widget category:read level:5 specification:open-brief]"
	if got := fmt.Sprint(all[0].ID, " ", all[0].Labels); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if all[0].Limits.Turns != workspace.Turns || !all[0].Protocol.Lenient {
		t.Errorf("limits %+v", all[0].Limits)
	}
}
