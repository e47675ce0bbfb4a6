package workspace

import (
	"encoding/json"
	"slices"

	rules "benchwright/grader/workspace"
	"benchwright/sim/workspace/backend"
	"benchwright/tasks"
)

// The kinds of widget and of parameter that capabilities name.
var (
	widgetKinds = []string{"any", "table-like", "server-side-grid", "chart-like", "metric", "form", "html", "iframe", "markdown", "multi-file", "newsfeed", "pdf", "youtube"}
	paramKinds  = []string{"ticker", "date", "endpoint", "number", "boolean", "tabs", "form", "button", "text"}
)

// authored reads what backends of the agent's own must serve.
func (e *evaluation) authored() {
	for _, n := range e.list("required_widget_defs") {
		o := e.p.reads(n, "required widget def")
		if o == nil {
			continue
		}
		w := &rules.WidgetDefRule{Backend: o.needText("backend_name"), WidgetID: o.needText("widget_id"), Expect: full(o.object("expect")),
			Params: o.objects("params_include"), Columns: o.objects("columns_include")}
		o.done()
		e.check(n, w)
	}
	for _, n := range e.list("required_app_defs") {
		if o := e.p.reads(n, "required app def"); o != nil {
			e.app(o)
		}
	}
	runtime, names := e.runtime()
	e.capabilities(runtime, names)
	for _, n := range e.list("business_names") {
		o := e.p.reads(n, "business name")
		if o == nil {
			continue
		}
		b := &rules.BusinessNameRule{Scope: o.choice("scope", []string{"dashboard", "app", "tab"}), Contains: o.needText("contains")}
		o.require(o.n.get("scope"), "scope")
		o.done()
		e.check(n, b)
	}
	e.structure()
	e.polish()
}

func (e *evaluation) app(o *reading) {
	a := &rules.AppDefRule{
		Backend: o.needText("backend_name"), TemplateID: o.text("template_id"), Named: o.text("name_contains"),
		Expect: full(o.object("expect")), Tabs: o.texts("tabs_include"), TabCount: o.integer("tab_count", 0),
		MinPrompts: o.integerOr("prompts_min_count", 0, 0),
		ValidRefs:  o.boolean("layout_refs_valid", false), NoOverlaps: o.boolean("no_overlaps", false),
		Groups: o.objects("groups_include"),
	}
	for _, n := range o.list("widgets_on_tab") {
		p := e.p.reads(n, "widget on tab")
		if p == nil {
			continue
		}
		a.OnTab = append(a.OnTab, rules.OnTab{TabID: p.text("tab_id"), WidgetID: p.needText("widget_id")})
		p.done()
	}
	if (a.TemplateID == "") == (a.Named == "") {
		e.p.note(o.n.at(), "required app def: name one of template_id and name_contains")
	}
	o.done()
	e.check(o.n, a)
}

// runtime reads the datasets that stand behind authored backends. They belong to the world, and
// to the rules that ask the backends.
func (e *evaluation) runtime() (raw json.RawMessage, names []string) {
	n := e.get("runtime_checks")
	if n == nil {
		return nil, nil
	}
	raw = n.raw()
	rt, err := backend.ParseRuntime(raw)
	if err != nil {
		e.p.note(n.at(), "%s: %v", e.what, err)
		return nil, nil
	}
	for _, d := range rt.Datasets {
		names = append(names, d.Name)
	}
	e.scene.setup.Runtime = raw
	e.check(n, &rules.RuntimeRule{Checks: raw})
	return raw, names
}

func (e *evaluation) capabilities(runtime json.RawMessage, datasets []string) {
	declared := map[string]rules.Capability{}
	for _, n := range e.list("required_capabilities") {
		o := e.p.reads(n, "required capability")
		if o == nil {
			continue
		}
		c := rules.Capability{Named: o.needText("name"), Datasets: o.texts("datasets"), Kind: o.choice("widget_kind", widgetKinds),
			Fields: o.texts("must_cover_fields"), ParamKinds: o.texts("required_param_kinds"), Config: full(o.object("required_config"))}
		o.require(o.n.get("datasets"), "datasets")
		for _, d := range c.Datasets {
			if !slices.Contains(datasets, d) {
				e.p.note(n.at(), "required capability: %v", tasks.Unknown("dataset", d, datasets))
			}
		}
		for _, k := range c.ParamKinds {
			if !slices.Contains(paramKinds, k) {
				e.p.note(n.at(), "required capability: %v", tasks.Unknown("kind of parameter", k, paramKinds))
			}
		}
		if _, twice := declared[c.Named]; twice {
			e.p.note(n.at(), "required capability: %q is declared twice", clip(c.Named))
		}
		declared[c.Named] = c
		o.done()
		e.check(n, &rules.CapabilityRule{Capability: c, Checks: runtime})
	}
	for _, n := range e.list("capability_connections") {
		o := e.p.reads(n, "capability connection")
		if o == nil {
			continue
		}
		from, to := o.needText("source"), o.needText("target")
		kind := o.choice("param_kind", paramKinds)
		o.require(o.n.get("param_kind"), "param_kind")
		o.done()
		if from == to {
			e.p.note(n.at(), "capability connection: source and target are the same")
		}
		for _, name := range []string{from, to} {
			if _, ok := declared[name]; !ok && name != "" {
				e.p.note(n.at(), "capability connection: %v", tasks.Unknown("capability", name, keys(declared)))
			}
		}
		e.check(n, &rules.ConnectionRule{From: declared[from], To: declared[to], ParamKind: kind, Checks: runtime})
	}
}

// structure reads what is demanded of all apps of authored backends. It is published with
// defaults that hold for every task; where the task does not mention it, what it says of its
// own apps stands alone.
func (e *evaluation) structure() {
	n := e.get("app_structure")
	if n == nil {
		return
	}
	o := e.p.reads(n, "app_structure")
	if o == nil {
		return
	}
	s := &rules.AppStructureRule{Required: o.boolean("required", false), ValidRefs: o.boolean("layout_refs_valid", true), NoOverlaps: o.boolean("no_overlaps", true)}
	o.done()
	if *s != (rules.AppStructureRule{}) {
		e.check(n, s)
	}
}

// polish reads what is only reported. Nothing here reports what does not count, so that it is
// checked for its form alone.
func (e *evaluation) polish() {
	for _, n := range e.list("polish") {
		o := e.p.reads(n, "polish")
		if o == nil {
			continue
		}
		for _, k := range []string{"code", "backend_name", "widget_id", "path"} {
			o.needText(k)
		}
		o.get("expected")
		o.done()
	}
}
