package workspace

import (
	"context"
	"fmt"
	"slices"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/workspace"
	"benchwright/sim/workspace/backend"
)

// AppOpenedRule demands that a dashboard was made of an app, and not by hand or of another app.
type AppOpenedRule struct {
	Dashboard  On     `json:"dashboard"`
	Backend    string `json:"backend_name"`
	App        string `json:"app_name"`
	TemplateID string `json:"template_id,omitempty"` // that of the name if it is not given
}

// AppOpened demands that a dashboard was made of an app of a backend.
func AppOpened(dashboard On, backend, app string) grader.Check {
	return grader.Check{Rule: &AppOpenedRule{Dashboard: dashboard, Backend: backend, App: app}}
}

// Name implements grader.Rule.
func (*AppOpenedRule) Name() string { return "workspace.app_opened" }

// Codes implements grader.Rule.
func (*AppOpenedRule) Codes() []string { return []string{"app_not_opened"} }

// Graded implements grader.Grounder.
func (r *AppOpenedRule) Graded() []string { return graded(r.Dashboard.ground(), r.Backend, r.App) }

func (r *AppOpenedRule) String() string {
	return fmt.Sprintf("dashboard %q was made of the app %q of %q", string(r.Dashboard), r.App, r.Backend)
}

// Grade implements grader.Rule.
func (r *AppOpenedRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *AppOpenedRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *AppOpenedRule) points(ev grader.Evidence) ([]point, error) {
	initial, final, err := both(ev)
	if err != nil {
		return nil, err
	}
	id, err := r.Dashboard.id(ev, final)
	if err != nil {
		return nil, err
	}
	named := func(id string) bool {
		return id != "" && (hasBackend(final, id, r.Backend) || hasBackend(initial, id, r.Backend))
	}
	app := []string{r.App, r.template()}
	b, err := final.backend(r.Backend)
	if err != nil {
		return nil, err
	}
	if b != nil { // an author gives an app what id she likes
		for _, a := range b.Apps {
			if a["name"] == r.App {
				app = append(app, appID(a))
			}
		}
	}
	p := point{code: "app_not_opened", side: grader.TraceType, want: r.App}
	if !slices.ContainsFunc(ev.Trace, func(e sim.Event) bool {
		dashboard, ok := r.opens(e, app, named)
		return ok && dashboard == id && id != ""
	}) {
		p.message = fmt.Sprintf("no call made dashboard %s of the app %s of %s", quote(string(r.Dashboard)), quote(r.App), quote(r.Backend))
	}
	return []point{p}, nil
}

func hasBackend(v *view, id, name string) bool {
	return slices.ContainsFunc(v.backends, func(b world.BackendRef) bool { return b.ID == id && b.Name == name })
}

func (r *AppOpenedRule) template() string {
	if r.TemplateID == "" {
		return backend.Slug(r.App, "app")
	}
	return r.TemplateID
}

// opens returns the dashboard that a call made of the app, if it is such a call. app is what the app goes
// by.
func (r *AppOpenedRule) opens(e sim.Event, app []string, named func(backendID string) bool) (string, bool) {
	if e.Call.Name != world.ManageApps || !e.Result.OK() {
		return "", false
	}
	is := func(s string) bool { return s == "" || slices.Contains(app, s) }
	name, by := argumentOf(e, "app_name"), argumentOf(e, "template_id")
	if argumentOf(e, "operation") != "instantiate" || name+by == "" || !is(name) || !is(by) || !named(argumentOf(e, "backend_id")) {
		return "", false
	}
	return textAt(resultData(e.Result.Data), "dashboard_id"), true
}
