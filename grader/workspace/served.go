package workspace

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/grader"
)

// BackendRule demands where a custom backend is, and that it serves nothing but these widgets and apps
// and what it served at the start. That they are served is demanded by [WidgetDefRule] and [AppDefRule].
type BackendRule struct {
	Backend string `json:"backend_name"`
	URL     string `json:"url,omitempty"`
	// Widgets that may be served, by their ids, with the names of the parameters that they may
	// have; null is any.
	Widgets map[string][]string `json:"widgets,omitempty"`
	// Settings of those widgets that demands speak of, by dotted paths of their definitions.
	// Others that change what is seen or reached are not to be there.
	Settings map[string][]string `json:"settings,omitempty"`
	// Apps that may be served, by their names.
	Apps map[string]ServedApp `json:"apps,omitempty"`
	// AnyWidgets and AnyApps allow others.
	AnyWidgets bool `json:"any_widgets,omitempty"`
	AnyApps    bool `json:"any_apps,omitempty"`
}

// A ServedApp says what an app may hold.
type ServedApp struct {
	// Tabs that it may have, by their keys, with the widgets that may be placed on them, each as
	// often as it is listed; null is any.
	Tabs    map[string][]string `json:"tabs,omitempty"`
	AnyTabs bool                `json:"any_tabs,omitempty"`
	// Prompts says that it may suggest prompts. They are shown, and asked.
	Prompts bool `json:"prompts,omitempty"`
}

// BackendServesOnly demands that a custom backend is at a URL and serves no widgets but these, and no
// apps.
func BackendServesOnly(backend, url string, widgets ...string) grader.Check {
	r := &BackendRule{Backend: backend, URL: url, Widgets: map[string][]string{}}
	for _, w := range widgets {
		r.Widgets[w] = nil
	}
	return grader.Check{Rule: r}
}

// Name implements grader.Rule.
func (*BackendRule) Name() string { return "workspace.backend" }

// Codes implements grader.Rule.
func (r *BackendRule) Codes() []string {
	out := []string{"missing_custom_backend"}
	if r.URL != "" {
		out = append(out, "backend_url")
	}
	if !r.AnyApps {
		out = append(out, "unexpected_app_def")
	}
	for _, a := range r.Apps {
		if !a.AnyTabs {
			out = append(out, "unexpected_app_content")
			break
		}
	}
	if !r.AnyWidgets {
		out = append(out, "unexpected_widget_def")
	}
	for _, params := range r.Widgets {
		if params != nil {
			out = append(out, "unexpected_param")
			break
		}
	}
	if len(r.Widgets) > 0 {
		out = append(out, "unexpected_setting")
	}
	slices.Sort(out)
	return out
}

// Graded implements grader.Grounder: what may be served is demanded by other rules.
func (r *BackendRule) Graded() []string { return graded(r.Backend, r.URL) }

func (r *BackendRule) String() string {
	what := fmt.Sprintf("backend %q", r.Backend)
	var parts []string
	if r.URL != "" {
		parts = append(parts, fmt.Sprintf("is at %q", r.URL))
	}
	if !r.AnyWidgets {
		parts = append(parts, fmt.Sprintf("serves no widgets but %s", quoted(slices.Sorted(maps.Keys(r.Widgets)))))
	}
	if !r.AnyApps {
		parts = append(parts, fmt.Sprintf("serves no apps but %s", quoted(slices.Sorted(maps.Keys(r.Apps)))))
	}
	if len(parts) == 0 {
		parts = append(parts, "is connected")
	}
	return what + " " + strings.Join(parts, " and ")
}

// Grade implements grader.Rule.
func (r *BackendRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *BackendRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *BackendRule) points(ev grader.Evidence) ([]point, error) {
	initial, final, err := both(ev)
	if err != nil {
		return nil, err
	}
	was, err := initial.backend(r.Backend)
	if err != nil {
		return nil, err
	}
	b, err := final.backend(r.Backend)
	if err != nil {
		return nil, err
	}
	if was == nil {
		was = &custom{}
	}
	d := &defs{b: b}
	d.there("missing_custom_backend", b != nil, fmt.Sprintf("there is no custom backend %s", quote(r.Backend)))
	if b == nil {
		b = &custom{}
	}
	if r.URL != "" {
		message := ""
		if strings.TrimRight(b.URL, "/") != strings.TrimRight(r.URL, "/") {
			message = fmt.Sprintf("backend %s: want the URL %s, got %s", quote(r.Backend), quote(r.URL), quote(b.URL))
		}
		d.add("backend_url", message)
	}
	if !r.AnyWidgets {
		var extra []string
		for _, id := range slices.Sorted(maps.Keys(b.Widgets)) {
			if _, ok := r.Widgets[id]; !ok && was.Widgets[id] == nil {
				extra = append(extra, id)
			}
		}
		d.none("unexpected_widget_def", fmt.Sprintf("backend %s also serves the widgets", quote(r.Backend)), extra)
	}
	for _, id := range slices.Sorted(maps.Keys(r.Widgets)) {
		if r.Widgets[id] != nil {
			d.none("unexpected_param", fmt.Sprintf("widget %s also has the parameters", quote(id)), r.params(id, b, was))
		}
		d.none("unexpected_setting", fmt.Sprintf("widget %s also has the settings", quote(id)), r.settings(id, b, was))
	}
	r.apps(d, b, was)
	return d.out, nil
}

// none adds a point about things of which there should be none.
func (d *defs) none(code, what string, extra []string) {
	message := ""
	if len(extra) > 0 {
		message = what + " " + quoted(extra)
	}
	d.add(code, message)
}

// params lists the parameters of a widget that it should not have.
func (r *BackendRule) params(id string, b, was *custom) []string {
	free := slices.Concat(r.Widgets[id], paramNames(was.Widgets[id]))
	return slices.DeleteFunc(paramNames(b.Widgets[id]), func(p string) bool { return slices.Contains(free, p) })
}

func paramNames(def any) (out []string) {
	d, _ := def.(map[string]any)
	for _, p := range flatParams(d["params"]) {
		m, _ := p.(map[string]any)
		name, _ := m["paramName"].(string)
		out = append(out, name)
	}
	return out
}

// apps looks for apps that there should not be, and for what those that there may be should not
// hold.
func (r *BackendRule) apps(d *defs, b, was *custom) {
	count := func(c *custom, name string) (n int, first map[string]any) {
		for _, a := range c.Apps {
			if a["name"] == name {
				if n++; n == 1 {
					first = a
				}
			}
		}
		return n, first
	}
	var extra []string
	seen := map[string]int{}
	for _, a := range b.Apps {
		name, _ := a["name"].(string)
		had, _ := count(was, name)
		if _, ok := r.Apps[name]; ok {
			had = max(had, 1)
		}
		if seen[name]++; seen[name] > had {
			extra = append(extra, name)
		}
	}
	if !r.AnyApps {
		d.none("unexpected_app_def", fmt.Sprintf("backend %s also serves the apps", quote(r.Backend)), extra)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Apps)) {
		if want := r.Apps[name]; !want.AnyTabs {
			_, now := count(b, name)
			_, old := count(was, name)
			d.none("unexpected_app_content", fmt.Sprintf("app %s also holds", quote(name)), want.beside(now, old, b))
		}
	}
}

// beside lists what an app holds and should not: tabs, and widgets on them, or that show otherwise than
// they come; and prompts.
func (s ServedApp) beside(app, was map[string]any, b *custom) (out []string) {
	tabs, _ := app["tabs"].(map[string]any)
	old, _ := was["tabs"].(map[string]any)
	if list, _ := app["prompts"].([]any); len(list) > 0 && !s.Prompts && !exact(list, was["prompts"]) {
		out = append(out, "prompts "+show(list))
	}
	for _, key := range slices.Sorted(maps.Keys(tabs)) {
		want, ok := s.Tabs[key]
		if !ok && old[key] == nil {
			out = append(out, "tab "+key)
			continue
		}
		if tab, _ := tabs[key].(map[string]any); tab["id"] != nil && tab["id"] != key && !exact(tab["id"], at(old, key+".id")) {
			out = append(out, "tab "+key+" with the id "+show(tab["id"]))
		}
		out = append(out, placedOddly(tabs[key], old[key], b.Widgets)...)
		if ok && want == nil {
			continue
		}
		left := slices.Clone(want)
		for _, i := range layoutOf(old[key]) {
			left = append(left, i.id)
		}
		for _, i := range layoutOf(tabs[key]) {
			if n := slices.Index(left, i.id); n >= 0 {
				left = slices.Delete(left, n, n+1)
			} else if i.id != "navigation_bar" {
				out = append(out, i.id+" on tab "+key)
			}
		}
	}
	return out
}
