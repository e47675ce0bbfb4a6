package workspace

import (
	"encoding/json"
	"slices"

	"benchwright/grader"
	rules "benchwright/grader/workspace"
	"benchwright/sim"
	"benchwright/tasks"
)

// An evaluation is the sealed block of a task being read.
type evaluation struct {
	*reading
	task    *tasks.Task
	scene   *scene
	wanted  []rules.Call // by the reference
	answers bool         // the task is graded by its answer
}

// check adds a check that stands at a place of the file.
func (e *evaluation) check(at *node, r grader.Rule) {
	e.task.Rubric.Checks = append(e.task.Rubric.Checks, grader.Check{Rule: r, Source: at.at()})
}

// eval reads the sealed block: first what the state must be, then what must have been done and
// said, then what must not have happened.
func (r *packReader) eval(o *reading, t *tasks.Task, sc *scene, public *AskContext) {
	e := &evaluation{reading: o, task: t, scene: sc}
	e.limits()
	e.reference()
	e.dashboard()
	e.widgets()
	e.authored()
	e.calls()
	e.answer()
	e.standing()
	public.FinalAnswer = sc.answer || e.answers && len(sc.tools) == 0
	if e.answers && !public.FinalAnswer {
		r.note(o.n.at(), "%s: the task is graded by its answer, and allowed_tools does not name %s", o.what, FinalAnswer)
	}
	if len(t.Rubric.Reference) > 0 && t.Rubric.Reference[len(t.Rubric.Reference)-1].Answer == nil {
		// With no turn left to say so, the budget ends the episode, which is graded as it stands.
		t.Rubric.Reference = append(t.Rubric.Reference, tasks.Move{Answer: json.RawMessage("null"), Source: o.n.at()})
	}
}

// limits reads the turn budget.
func (e *evaluation) limits() {
	turns := e.integer("max_turns", 1)
	if n := e.get("limits"); n != nil {
		if turns != nil {
			e.p.note(n.at(), "%s: max_turns and limits are the same; leave max_turns", e.what)
		}
		if l := e.p.reads(n, "limits"); l != nil {
			turns = l.integer("max_turns", 1)
			l.done()
		}
	}
	if turns != nil {
		e.task.Limits.Turns = *turns
	}
}

// reference reads the known-good trajectory, and which of its calls are graded.
func (e *evaluation) reference() {
	trace, required := e.one("reference_trace", "reference", "oracle_tool_calls"), e.get("required_tools")
	match := e.get("calls_match_reference")
	graded := e.boolean("calls_match_reference", false)
	explicit := e.n.get("required_tool_calls")
	switch {
	case required == nil:
	case trace != nil:
		e.p.note(required.at(), "%s: required_tools and reference_trace are both the reference; leave one", e.what)
	case match != nil:
		e.p.note(match.at(), "%s: required_tools grades the reference's calls already: remove calls_match_reference", e.what)
	default:
		trace, graded = required, true
	}
	if graded && explicit != nil && explicit.kind != 'n' && match != nil {
		e.p.note(explicit.at(), "%s: calls_match_reference and required_tool_calls both say which calls are graded; leave one", e.what)
	}
	if trace == nil {
		return
	}
	if trace.kind != '[' {
		e.wants(trace, "reference_trace", "a list")
		return
	}
	for _, n := range trace.items {
		e.call(n, graded)
	}
	if graded && len(e.wanted) == 0 {
		e.p.note(trace.at(), "%s: every call of the reference is optional, so that none is graded", e.what)
	}
}

// call reads one call of the reference.
func (e *evaluation) call(n *node, graded bool) {
	c := e.p.reads(n, "reference call")
	if c == nil {
		return
	}
	tool := c.needText("tool", "name")
	args := c.get("args")
	if args != nil && args.kind != '{' {
		c.wants(args, "args", "an object")
		args = nil
	}
	optional, only := c.get("optional"), c.get("graded_args")
	skip := c.boolean("optional", false)
	names := c.texts("graded_args")
	c.done()
	if tool != "" && !known(tool) {
		e.p.note(n.at(), "reference call: %v", tasks.Unknown("tool", tool, toolNames))
	} else if tool != "" && tool != FinalAnswer && e.scene.tools != nil && !slices.Contains(e.scene.tools, tool) {
		e.p.note(n.at(), "reference call: %q is not among allowed_tools", tool)
	}
	switch {
	case optional != nil && only != nil:
		e.p.note(n.at(), "reference call: an optional call is not graded, so it has no graded_args; leave one")
	case !graded && (optional != nil || only != nil):
		e.p.note(n.at(), "reference call: optional and graded_args belong to graded calls: write required_tools, or calls_match_reference")
	}
	var all map[string]any
	raw := json.RawMessage("{}")
	if args != nil {
		all, raw = args.value().(map[string]any), args.raw()
	}
	if tool == FinalAnswer {
		if o, err := object(raw); err == nil {
			if text, bad := o.answer(); bad == nil {
				e.task.Rubric.Reference = append(e.task.Rubric.Reference, tasks.Move{Answer: text, Source: n.at()})
				return
			}
		}
		e.p.note(n.at(), "reference call: %s requires a text that is not empty", FinalAnswer)
		return
	}
	e.task.Rubric.Reference = append(e.task.Rubric.Reference, tasks.Move{Calls: []sim.Call{{Name: tool, Arguments: raw}}, Source: n.at()})
	if !graded || skip {
		return
	}
	if only != nil {
		some := map[string]any{}
		for _, k := range names {
			v, ok := all[k]
			if !ok {
				e.p.note(only.at(), "reference call: graded_args: %v", tasks.Unknown("argument", k, keys(all)))
			}
			some[k] = v
		}
		all = some
	}
	if len(all) == 0 {
		all = nil
	}
	e.wanted = append(e.wanted, rules.Call{Tool: tool, Args: all})
}

// dashboard reads what the open dashboard must be called and which tabs it must have.
func (e *evaluation) dashboard() {
	if n := e.get("required_dashboard_name_contains"); n != nil {
		if s := e.textOf(n, "required_dashboard_name_contains"); s != "" {
			e.check(n, &rules.DashboardNameRule{Contains: s})
		}
	}
	for _, n := range e.list("required_tabs") {
		if n.kind != '"' { // the id of the tab of a bare dashboard is empty
			e.wants(n, "required_tabs", "ids of tabs")
			continue
		}
		e.check(n, &rules.TabRule{ID: n.text})
	}
	for _, n := range e.list("required_tab_names") {
		if n.kind != '"' || n.text == "" {
			e.wants(n, "required_tab_names", "names of tabs")
			continue
		}
		e.check(n, &rules.TabNameRule{Contains: n.text})
	}
}

// tab returns an optional tab id.
func (o *reading) tab() *string {
	n := o.get("tab_id")
	if n == nil {
		return nil
	}
	s := o.textOf(n, "tab_id")
	return &s
}

// widgets reads what the open dashboard must hold, and where.
func (e *evaluation) widgets() {
	for _, n := range e.list("required_widgets") {
		o := e.p.reads(n, "required widget")
		if o == nil {
			continue
		}
		w := &rules.WidgetRule{Origin: o.needText("origin"), WidgetID: o.needText("widget_id"), Args: full(o.object("data_args")), TabID: o.tab(), Min: o.integerOr("min_count", 0, 1), Max: o.integer("max_count", 0)}
		o.done()
		if w.Max != nil && *w.Max < w.Min {
			e.p.note(n.at(), "required widget: max_count %d is less than min_count %d", *w.Max, w.Min)
		}
		if w.Min == 0 && w.Max == nil {
			e.p.note(n.at(), "required widget: min_count 0 without max_count demands nothing")
		}
		e.check(n, w)
	}
	for _, n := range e.list("required_generated_widgets") {
		o := e.p.reads(n, "required generated widget")
		if o == nil {
			continue
		}
		g := &rules.GeneratedRule{Type: o.choice("widget_type", generatedTypes), Named: o.text("name_contains"), Contains: o.fragments("data_contains"), TabID: o.tab(), Min: o.integerOr("min_count", 0, 1)}
		o.require(o.n.get("widget_type"), "widget_type")
		o.done()
		if g.Min == 0 {
			e.p.note(n.at(), "required generated widget: min_count 0 demands nothing")
		}
		e.check(n, g)
	}
	for _, n := range e.list("required_layouts") {
		o := e.p.reads(n, "required layout")
		if o == nil {
			continue
		}
		l := &rules.LayoutRule{UUID: o.text("widget_uuid"), WidgetID: o.text("widget_id"), TabID: o.tab(),
			Place: rules.Place{X: o.number("x"), Y: o.number("y"), W: o.number("w"), H: o.number("h")}}
		o.done()
		switch {
		case (l.UUID == "") == (l.WidgetID == ""):
			e.p.note(n.at(), "required layout: name one of widget_uuid and widget_id")
		case l.Place == rules.Place{} && l.TabID == nil:
			e.p.note(n.at(), "required layout: none of x, y, w, h and tab_id is given, so nothing is demanded")
		}
		e.check(n, l)
	}
}

var generatedTypes = []string{"note", "table", "chart", "html"}

// calls reads what must have been done.
func (e *evaluation) calls() {
	at := e.n.get("required_tool_calls")
	for _, n := range e.list("required_tool_calls") {
		o := e.p.reads(n, "required tool call")
		if o == nil {
			continue
		}
		c := rules.Call{Tool: e.tool(o), Args: full(o.object("args_contains")), Min: o.integerOr("min_count", 1, 0)}
		if c.Min == 1 {
			c.Min = 0
		}
		o.done()
		e.wanted = append(e.wanted, c)
	}
	if at == nil {
		for _, k := range []string{"required_tools", "reference_trace", "reference", "oracle_tool_calls"} {
			if at == nil {
				at = e.n.get(k)
			}
		}
	}
	if len(e.wanted) > 0 {
		e.check(at, &rules.CallsRule{Calls: e.wanted})
	}
	for _, n := range e.list("required_tool_results") {
		o := e.p.reads(n, "required tool result")
		if o == nil {
			continue
		}
		x := &rules.ToolResultRule{Tool: e.tool(o), Contains: o.fragments("data_contains"), Min: least(o.integerOr("min_count", 1, 1))}
		if len(x.Contains) == 0 {
			e.p.note(n.at(), "required tool result: data_contains names nothing to look for")
		}
		o.done()
		e.check(n, x)
	}
	for _, n := range e.list("required_resource_reads") {
		o := e.p.reads(n, "required resource read")
		if o == nil {
			continue
		}
		x := &rules.ResourceReadRule{URI: o.needText("uri"), Contains: o.fragments("data_contains"), Min: least(o.integerOr("min_count", 1, 1))}
		o.done()
		e.check(n, x)
	}
}

// tool returns the tool that a demand is about.
func (e *evaluation) tool(o *reading) string {
	name := o.needText("tool", "name")
	if name != "" && !known(name) {
		e.p.note(o.n.at(), "%s: %v", o.what, tasks.Unknown("tool", name, toolNames))
	}
	return name
}

// least leaves out a count that is the usual one.
func least(n int) int {
	if n == 1 {
		return 0
	}
	return n
}

// full returns an object, or nil for an empty one.
func full(m map[string]any) map[string]any {
	if len(m) == 0 {
		return nil
	}
	return m
}

// answer reads what must be said.
func (e *evaluation) answer() {
	reference := e.get("reference_answer")
	exemplar := e.text("reference_answer")
	values := e.list("required_values_in_answer")
	judged := e.one("judge_evaluation", "required_answer_judgment")
	if judged != nil && judged.kind != 't' && judged.kind != 'f' {
		e.wants(judged, "judge_evaluation", "true or false")
	}
	judge := judged != nil && judged.kind == 't'
	e.answers = judge || len(values) > 0
	if reference != nil && exemplar == "" {
		e.p.note(reference.at(), "%s: reference_answer is empty", e.what)
	}
	if reference != nil && e.answers && !slices.ContainsFunc(e.task.Rubric.Reference, func(m tasks.Move) bool { return m.Answer != nil }) {
		e.task.Rubric.Reference = append(e.task.Rubric.Reference, tasks.Move{Answer: sim.MustCanonical(exemplar), Source: reference.at()})
	}
	if !e.answers {
		return
	}
	at := judged
	if at == nil {
		at = e.n.get("required_values_in_answer")
	}
	e.check(at, &rules.AnswerRule{})
	for _, n := range values {
		if n.kind != '"' || n.text == "" {
			e.wants(n, "required_values_in_answer", "values in quotes")
			continue
		}
		e.check(n, &rules.AnswerSaysRule{Value: n.text})
	}
	if judge {
		e.check(at, &JudgedRule{Reference: exemplar})
	}
}
