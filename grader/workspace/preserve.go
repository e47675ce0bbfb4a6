package workspace

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"benchwright/grader"
	"benchwright/sim/workspace/backend"
)

// OtherDashboardsRule demands that every dashboard of the start is deeply equal at the end, but for
// those that the task is about.
type OtherDashboardsRule struct {
	// Except names the dashboards that may change. Without any it is the one that was open at
	// the start, as published.
	Except []On `json:"except,omitempty"`
}

// OtherDashboardsKept demands that no dashboard but these has changed; without any, none but the
// one that was open at the start.
func OtherDashboardsKept(except ...On) grader.Check {
	return grader.Check{Rule: &OtherDashboardsRule{except}}
}

// Name implements grader.Rule.
func (*OtherDashboardsRule) Name() string { return "workspace.other_dashboards" }

// Codes implements grader.Rule.
func (*OtherDashboardsRule) Codes() []string { return []string{"collateral_dashboard_change"} }

// Graded implements grader.Grounder.
func (r *OtherDashboardsRule) Graded() []string {
	var out []string
	for _, o := range r.Except {
		out = append(out, o.ground())
	}
	return graded(out...)
}

func (r *OtherDashboardsRule) String() string {
	if len(r.Except) == 0 {
		return "no other dashboard has changed"
	}
	var out []string
	for _, o := range r.Except {
		out = append(out, quote(string(o)))
	}
	return "no dashboard but " + strings.Join(out, ", ") + " has changed"
}

// Grade implements grader.Rule.
func (r *OtherDashboardsRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *OtherDashboardsRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *OtherDashboardsRule) points(ev grader.Evidence) ([]point, error) {
	initial, final, err := both(ev)
	if err != nil {
		return nil, err
	}
	except := r.Except
	if len(except) == 0 {
		except = []On{AtStart}
	}
	free := map[string]bool{}
	for _, o := range except {
		id, err := o.id(ev, final)
		if err != nil {
			return nil, err
		}
		free[id] = true
	}
	var out []point
	for _, id := range initial.order() {
		if free[id] {
			continue
		}
		p := point{code: "collateral_dashboard_change", side: grader.StateType}
		if _, ok := final.boards[id]; !ok {
			p.message = fmt.Sprintf("dashboard %s is gone", quote(id))
		} else if !sameBoard(initial, final, id) {
			if p.message, err = boardDiff(initial, final, id); err != nil {
				return nil, err
			}
		}
		out = append(out, p)
	}
	return out, nil
}

// both reads the states at the start and at the end.
func both(ev grader.Evidence) (initial, final *view, err error) {
	if final, err = read(ev.Final); err != nil {
		return nil, nil, err
	}
	initial, err = before(ev)
	return initial, final, err
}

// boardDiff words how a dashboard differs from what it was.
func boardDiff(initial, final *view, id string) (string, error) {
	cs, err := compareBoards(initial, final, id)
	if err != nil {
		return "", err
	}
	var parts []string
	for _, c := range cs {
		parts = append(parts, c.words())
	}
	if len(parts) == 0 {
		parts = []string{"its content differs"}
	}
	return fmt.Sprintf("dashboard %s must stay as it was: %s", quote(id), enough(parts, "; ")), nil
}

// BackendsKeptRule demands that custom backends are still there, by their ids.
type BackendsKeptRule struct {
	Initial bool     `json:"initial,omitempty"` // all those of the start
	IDs     []string `json:"ids,omitempty"`     // and these
}

// BackendsKept demands that all custom backends of the start are still there, and these.
func BackendsKept(ids ...string) grader.Check {
	return grader.Check{Rule: &BackendsKeptRule{true, ids}}
}

// Name implements grader.Rule.
func (*BackendsKeptRule) Name() string { return "workspace.backends_kept" }

// Codes implements grader.Rule.
func (*BackendsKeptRule) Codes() []string { return []string{"custom_backend_replaced"} }

// Graded implements grader.Grounder: an agent need not know what it must not touch.
func (*BackendsKeptRule) Graded() []string { return nil }

func (r *BackendsKeptRule) String() string {
	if len(r.IDs) == 0 {
		return "every custom backend of the start is still there"
	}
	return "the custom backends " + quoted(r.IDs) + " are still there"
}

// Grade implements grader.Rule.
func (r *BackendsKeptRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *BackendsKeptRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *BackendsKeptRule) points(ev grader.Evidence) ([]point, error) {
	ids := slices.Clone(r.IDs)
	final, err := read(ev.Final)
	if err != nil {
		return nil, err
	}
	if r.Initial {
		initial, err := before(ev)
		if err != nil {
			return nil, err
		}
		all, err := initial.customs()
		if err != nil {
			return nil, err
		}
		for _, c := range all {
			if !slices.Contains(ids, c.ID) {
				ids = append(ids, c.ID)
			}
		}
	}
	out := []point{}
	for _, id := range ids {
		p := point{code: "custom_backend_replaced", side: grader.StateType}
		if _, ok := final.customRaw[id]; !ok {
			p.message = fmt.Sprintf("custom backend %s is gone", quote(id))
		}
		out = append(out, p)
	}
	return out, nil
}

// BackendNamesRule demands that no two custom backends have the same name.
type BackendNamesRule struct{}

// UniqueBackendNames demands that no two custom backends have the same name.
func UniqueBackendNames() grader.Check { return grader.Check{Rule: &BackendNamesRule{}} }

// Name implements grader.Rule.
func (*BackendNamesRule) Name() string { return "workspace.unique_backend_names" }

// Codes implements grader.Rule.
func (*BackendNamesRule) Codes() []string { return []string{"duplicate_custom_backend_name"} }

// Graded implements grader.Grounder: there is nothing to find.
func (*BackendNamesRule) Graded() []string { return nil }

func (*BackendNamesRule) String() string { return "no two custom backends have the same name" }

// Grade implements grader.Rule.
func (r *BackendNamesRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *BackendNamesRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (*BackendNamesRule) points(ev grader.Evidence) ([]point, error) {
	final, err := read(ev.Final)
	if err != nil {
		return nil, err
	}
	all, err := final.customs()
	if err != nil {
		return nil, err
	}
	p := point{code: "duplicate_custom_backend_name", side: grader.StateType}
	var twice []string
	for i, c := range all {
		if slices.ContainsFunc(all[:i], func(o *custom) bool { return o.Name == c.Name }) && !slices.Contains(twice, c.Name) {
			twice = append(twice, c.Name)
		}
	}
	if len(twice) > 0 {
		p.message = "several custom backends are called " + quoted(twice)
	}
	return []point{p}, nil
}

// BackendWarningsRule demands that no custom backend has validation warnings.
type BackendWarningsRule struct{}

// NoBackendWarnings demands that no custom backend has validation warnings.
func NoBackendWarnings() grader.Check { return grader.Check{Rule: &BackendWarningsRule{}} }

// Name implements grader.Rule.
func (*BackendWarningsRule) Name() string { return "workspace.no_backend_warnings" }

// Codes implements grader.Rule.
func (*BackendWarningsRule) Codes() []string { return []string{"backend_validation_warnings"} }

// Graded implements grader.Grounder: there is nothing to find.
func (*BackendWarningsRule) Graded() []string { return nil }

func (*BackendWarningsRule) String() string { return "no custom backend has validation warnings" }

// Grade implements grader.Rule.
func (r *BackendWarningsRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *BackendWarningsRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (*BackendWarningsRule) points(ev grader.Evidence) ([]point, error) {
	final, err := read(ev.Final)
	if err != nil {
		return nil, err
	}
	all, err := final.customs()
	if err != nil {
		return nil, err
	}
	var out []point
	for _, c := range all {
		out = append(out, c.warned())
	}
	return out, nil
}

func (c *custom) warned() point {
	p := point{code: "backend_validation_warnings", side: grader.StateType}
	if len(c.Warnings) > 0 {
		p.got = quoted(c.Warnings)
		p.message = fmt.Sprintf("backend %s has %s: %s", quote(c.Name), plural(len(c.Warnings), "warning"), p.got)
	}
	return p
}

// OtherAppsRule demands that the apps of the custom backends of the start are unchanged.
type OtherAppsRule struct {
	Mutable []string `json:"mutable_app_ids,omitempty"` // template ids of apps that may change
	// ByName finds a backend that lost its id by its name. It goes with tasks that demand unique
	// names and let an agent remove a backend and add it anew.
	ByName bool `json:"by_name,omitempty"`
}

// OtherAppsKept demands that no app of a custom backend of the start but these has changed.
func OtherAppsKept(mutable ...string) grader.Check {
	return grader.Check{Rule: &OtherAppsRule{Mutable: mutable}}
}

// Name implements grader.Rule.
func (*OtherAppsRule) Name() string { return "workspace.other_apps" }

// Codes implements grader.Rule.
func (*OtherAppsRule) Codes() []string { return []string{"collateral_app_change"} }

// Graded implements grader.Grounder: an agent need not know what it must not touch.
func (*OtherAppsRule) Graded() []string { return nil }

func (r *OtherAppsRule) String() string {
	if len(r.Mutable) == 0 {
		return "no app of a custom backend has changed"
	}
	return "no app of a custom backend but " + quoted(r.Mutable) + " has changed"
}

// Grade implements grader.Rule.
func (r *OtherAppsRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *OtherAppsRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *OtherAppsRule) points(ev grader.Evidence) ([]point, error) {
	initial, final, err := both(ev)
	if err != nil {
		return nil, err
	}
	was, err := initial.customs()
	if err != nil {
		return nil, err
	}
	is, err := final.customs()
	if err != nil {
		return nil, err
	}
	var out []point
	for _, old := range was {
		now := func(c *custom) bool { return c.ID == old.ID || r.ByName && c.Name == old.Name }
		var apps []map[string]any
		if i := slices.IndexFunc(is, now); i >= 0 {
			apps = is[i].Apps
		}
		for _, a := range old.Apps {
			id := appID(a)
			if slices.Contains(r.Mutable, id) {
				continue
			}
			p := point{code: "collateral_app_change", side: grader.StateType}
			if j := slices.IndexFunc(apps, func(b map[string]any) bool { return appID(b) == id }); j < 0 {
				p.message = fmt.Sprintf("app %s of backend %s is gone", quote(id), quote(old.Name))
			} else if !exact(a, apps[j]) {
				p.message = fmt.Sprintf("app %s of backend %s must stay as it was: %s", quote(id), quote(old.Name), enough(changed(a, apps[j]), ", "))
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// changed words the keys at the top of two objects whose values differ.
func changed(was, is map[string]any) []string {
	var out []string
	for _, k := range keysOf(was, is) {
		if a, b := was[k], is[k]; !exact(a, b) {
			out = wasIs(out, cut(k), a, b)
		}
	}
	return out
}

// appID is an app's template id, by which it is known.
func appID(app map[string]any) string {
	for _, k := range []string{"template_id", "templateId"} {
		if s, ok := app[k].(string); ok && s != "" {
			return s
		}
	}
	name, _ := app["name"].(string)
	return backend.Slug(name, "app")
}
