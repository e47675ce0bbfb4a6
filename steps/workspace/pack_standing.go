package workspace

import (
	"slices"

	rules "benchwright/grader/workspace"
	world "benchwright/sim/workspace"
)

// standing reads what must not happen. These have defaults that hold for every task.
func (e *evaluation) standing() {
	block := func(key string) (*reading, *node) {
		if n := e.get(key); n != nil {
			return e.p.reads(n, key), n
		}
		return &reading{p: e.p, n: &node{kind: '{', file: e.n.file, off: e.n.off}, what: key}, e.n
	}
	if o, at := block("layout"); o != nil {
		width := o.integerOr("grid_width", 1, 40)
		if o.boolean("within_grid", true) {
			e.check(at, &rules.GridRule{Width: width})
		}
		if o.boolean("no_overlaps", false) {
			e.check(at, &rules.OverlapRule{})
		}
		o.done()
	}
	if o, at := block("workspace_checks"); o != nil {
		e.preserved(o, at)
		o.done()
	}
	if o, at := block("trace_checks"); o != nil {
		if o.boolean("must_call_schema_before_create", false) {
			e.check(at, &rules.SchemaFirstRule{})
		}
		if o.boolean("forbid_invented_widget_ids", true) {
			lists, adds := e.allows(world.ListWidgets), e.allows(world.ManageBackends)
			if lists || adds { // else nothing ever lists a widget, and none can be missing from a list
				e.check(at, &rules.ListedRule{MustList: lists})
			}
		}
		if n := o.integer("max_repeated_snapshots", 0); n != nil {
			e.check(at, &rules.SnapshotsRule{Max: *n})
		}
		e.check(at, &rules.InvalidCallsRule{Max: o.integerOr("max_invalid_tool_calls", 0, 0)})
		o.done()
	}
}

// allows reports whether a tool is in scope.
func (e *evaluation) allows(tool string) bool {
	return len(e.scene.tools) == 0 || slices.Contains(e.scene.tools, tool)
}

// preserved reads what must be left alone.
func (e *evaluation) preserved(o *reading, at *node) {
	if o.boolean("preserve_other_dashboards", false) {
		e.check(at, &rules.OtherDashboardsRule{})
	}
	unique := o.boolean("unique_custom_backend_names", false)
	mutable := o.texts("mutable_app_ids")
	if o.boolean("preserve_other_apps", false) {
		e.check(at, &rules.OtherAppsRule{Mutable: mutable, ByName: unique})
	} else if len(mutable) > 0 {
		e.p.note(at.at(), "workspace_checks: mutable_app_ids has no effect without preserve_other_apps")
	}
	kept, ids := o.boolean("preserve_custom_backend_ids", false), o.texts("required_custom_backend_ids")
	if kept || len(ids) > 0 {
		e.check(at, &rules.BackendsKeptRule{Initial: kept, IDs: ids})
	}
	if unique {
		e.check(at, &rules.BackendNamesRule{})
	}
	if o.boolean("require_no_backend_warnings", false) {
		e.check(at, &rules.BackendWarningsRule{})
	}
	if n := o.integer("max_dashboard_delta", 0); n != nil {
		e.check(at, &rules.CreatedRule{What: "dashboards", Max: *n})
	}
	if n := o.integer("max_custom_backend_delta", 0); n != nil {
		e.check(at, &rules.CreatedRule{What: "backends", Max: *n})
	}
}
