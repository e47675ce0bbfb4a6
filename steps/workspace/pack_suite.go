package workspace

import (
	"regexp"
	"slices"

	"benchwright/tasks"
)

// A suite is what a manifest says for all tasks below it.
type suite struct {
	id         string
	hidden     bool // prompts are not to be shown in artefacts
	conditions conditions
	category   string
	difficulty string
	eval       *node // standing rules, by key
	broken     bool  // its manifest could not be read, which has been said
}

var digestPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// manifest reads a taskset.json.
func (r *packReader) manifest(n *node) *suite {
	o := r.reads(n, "taskset")
	if o == nil {
		return &suite{broken: true}
	}
	s := &suite{id: o.needText("taskset_id", "suite_id")}
	if s.id != "" && tasks.ID(s.id+"/x/x").Valid() != nil {
		r.note(n.at(), "taskset_id %q: use letters, digits, '.', '_' and '-', not starting with '.' and without '__'", clip(s.id))
		s.broken = true
	}
	s.hidden = o.choice("visibility", []string{"public", "private", "hidden"}) == "hidden"
	o.text("description")
	if h := o.get("content_sha256"); h != nil && !digestPattern.MatchString(o.textOf(h, "content_sha256")) {
		r.note(h.at(), "taskset: content_sha256: want 64 lower-case hexadecimal digits")
	}
	s.conditions.inherit(o)
	if d := o.get("task_defaults"); d != nil {
		r.defaults(d, s)
	}
	o.done()
	return s
}

// defaults reads what the tasks of a suite share.
func (r *packReader) defaults(n *node, s *suite) {
	o := r.reads(n, "task_defaults")
	if o == nil {
		return
	}
	s.category = o.choice("category", categories)
	s.difficulty = o.choice("difficulty", difficulties)
	if e := o.get("eval"); e != nil {
		if e.kind == '{' {
			s.eval = e
		} else {
			o.wants(e, "eval", "an object")
		}
	}
	o.done()
}

// merged returns the eval block of a task with the standing rules of its suite: a key that the
// task leaves out is the suite's, whole. Nothing is merged within a key.
func (s *suite) merged(eval *node) *node {
	if s.eval == nil {
		return eval
	}
	out := *eval
	out.members = slices.Clone(eval.members)
	for _, m := range s.eval.members {
		if eval.get(m.key) == nil && !excluded(eval, m.key) {
			out.members = append(out.members, m)
		}
	}
	return &out
}

// exclusive are keys of which a task that sets one must not inherit another.
var exclusive = [][]string{
	{"reference_trace", "required_tools", "reference"},
	{"calls_match_reference", "required_tool_calls", "required_tools"},
	{"max_turns", "limits"},
	{"judge_evaluation", "required_answer_judgment"},
}

func excluded(eval *node, key string) bool {
	for _, group := range exclusive {
		if slices.Contains(group, key) && slices.ContainsFunc(group, func(k string) bool { return eval.get(k) != nil }) {
			return true
		}
	}
	return false
}

var (
	categories   = []string{"read", "single-widget", "dashboard", "platform", "repair", "story"}
	difficulties = []string{"easy", "medium", "hard", "level0", "level1", "level2", "level3", "level4", "level5"}
	openness     = []string{"explicit", "partially-specified", "open-brief"}
)

// categoryOf is the category of a family that is named after a tool.
func categoryOf(family string) string {
	switch family {
	case "get_workspace_snapshot", "list_available_widgets", "get_widget_schema", "get_params_options", "get_widget_data",
		"read_widget", "get_skill_content", "read_workspace_resource", "get_workspace_prompt":
		return "read"
	case "create_widget", "update_widget", "update_widget_layout", "delete_widget", "add_generative_widget":
		return "single-widget"
	case "manage_dashboard", "manage_navigation_bar", "navigate_workspace", "manage_apps":
		return "dashboard"
	case "manage_backends", "assign_tasks_to_agents":
		return "platform"
	}
	return ""
}

// specification is how open a prompt is where the task does not say.
func specification(difficulty string) string {
	switch difficulty {
	case "medium", "level3", "level4":
		return "partially-specified"
	case "hard", "level5":
		return "open-brief"
	}
	return "explicit"
}
