package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

// AppDefRule demands an app that a custom backend serves, and what it says.
type AppDefRule struct {
	Backend    string         `json:"backend_name"`
	TemplateID string         `json:"template_id,omitempty"`   // exactly; or
	Called     string         `json:"name,omitempty"`          // exactly; or
	Named      string         `json:"name_contains,omitempty"` // part of the name, in any case
	Expect     map[string]any `json:"expect,omitempty"`        // by dotted path
	Tabs       []string       `json:"tabs_include,omitempty"`  // keys
	TabCount   *int           `json:"tab_count,omitempty"`
	MinPrompts int            `json:"prompts_min_count,omitempty"`
	ValidRefs  bool           `json:"layout_refs_valid,omitempty"`
	NoOverlaps bool           `json:"no_overlaps,omitempty"`
	OnTab      []OnTab        `json:"widgets_on_tab,omitempty"`
	// Groups are shared parameters: each a definition subset of some group, but for widgetIds, of
	// which all must be among the group's.
	Groups []map[string]any `json:"groups_include,omitempty"`
}

// An OnTab is a widget on a tab of an app, at a place if one is given.
type OnTab struct {
	TabID    string `json:"tab_id"`
	WidgetID string `json:"widget_id"`
	At       *Place `json:"at,omitempty"`
}

// AppDefined demands that a custom backend serves an app whose name holds a text and which has these
// tabs, no reference to an unknown widget and no overlap.
func AppDefined(backend, name string, tabs ...string) grader.Check {
	return grader.Check{Rule: &AppDefRule{Backend: backend, Named: name, Tabs: tabs, ValidRefs: true, NoOverlaps: true}}
}

// Name implements grader.Rule.
func (*AppDefRule) Name() string { return "workspace.app_def" }

// Codes implements grader.Rule.
func (*AppDefRule) Codes() []string {
	return []string{"app_def_mismatch", "app_layout_overlap", "app_layout_ref_invalid", "app_prompts_missing", "backend_validation_warnings", "missing_app_def", "missing_custom_backend"}
}

// Graded implements grader.Grounder.
func (r *AppDefRule) Graded() []string {
	out := append([]string{r.Backend, r.TemplateID, r.Called, r.Named}, r.Tabs...)
	out = append(out, valuesOf(r.Expect)...)
	for _, o := range r.OnTab {
		out = append(out, o.TabID, o.WidgetID)
		for _, f := range o.At.each() {
			if f.want != nil {
				out = append(out, fmt.Sprint(*f.want))
			}
		}
	}
	for _, g := range r.Groups {
		out = append(out, valuesOf(g)...)
	}
	return graded(out...)
}

func (r *AppDefRule) String() string {
	what := fmt.Sprintf("backend %q serves the app %q", r.Backend, r.app())
	if len(r.Tabs) > 0 {
		what += " with tabs " + quoted(r.Tabs)
	}
	for _, o := range r.OnTab {
		what += ", " + o.String()
	}
	if len(r.Expect) > 0 {
		what += " with " + jsonText(r.Expect)
	}
	return what
}

// app is what the rule calls the app.
func (r *AppDefRule) app() string { return r.TemplateID + r.Called + r.Named }

func (o OnTab) String() string {
	s := fmt.Sprintf("%q on %q", o.WidgetID, o.TabID)
	if o.At != nil {
		s += " at " + o.At.String()
	}
	return s
}

func (o OnTab) is(i item) bool {
	return i.id == o.WidgetID && len(placeDiff(o.At, i.Layout)) == 0
}

// Grade implements grader.Rule.
func (r *AppDefRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *AppDefRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *AppDefRule) points(ev grader.Evidence) ([]point, error) {
	if n := len(graded(r.TemplateID)) + len(graded(r.Called)) + len(graded(r.Named)); n != 1 {
		return nil, fixture("rule %s names one of template_id, name and name_contains", r.Name())
	}
	final, err := read(ev.Final)
	if err != nil {
		return nil, err
	}
	b, err := final.backend(r.Backend)
	if err != nil {
		return nil, err
	}
	d := newDefs(b, r.Backend)
	app := r.find(b)
	d.there("missing_app_def", app != nil, fmt.Sprintf("backend %s: want an app %s, it serves %s", quote(r.Backend), quote(r.app()), appNames(b)))
	where := "app " + quote(appID(app))
	tabs, _ := app["tabs"].(map[string]any)
	mismatch := func(ok bool, format string, args ...any) {
		message := ""
		if !ok {
			message = where + ": " + fmt.Sprintf(format, args...)
		}
		d.add("app_def_mismatch", message)
	}
	d.expect("app_def_mismatch", where, r.Expect, app)
	have := slices.Sorted(maps.Keys(tabs))
	for _, t := range r.Tabs {
		mismatch(slices.Contains(have, t), "want tab %s, it has %s", quote(t), quoted(have))
	}
	if r.TabCount != nil {
		mismatch(len(tabs) == *r.TabCount, "want %s, it has %d", plural(*r.TabCount, "tab"), len(tabs))
	}
	for _, o := range r.OnTab {
		items := layoutOf(tabs[o.TabID])
		where := ""
		if o.At != nil {
			where = " at " + o.At.String()
		}
		mismatch(slices.ContainsFunc(items, o.is), "want widget %s on tab %s%s", quote(o.WidgetID), quote(o.TabID), where)
	}
	groups, _ := app["groups"].([]any)
	for _, g := range r.Groups {
		mismatch(slices.ContainsFunc(groups, func(v any) bool { return groupHas(g, v) }), "want a group with %s, none of %d has", show(g), len(groups))
	}
	if r.MinPrompts > 0 {
		prompts, _ := app["prompts"].([]any)
		message := ""
		if len(prompts) < r.MinPrompts {
			message = fmt.Sprintf("%s: want at least %s, it has %d", where, plural(r.MinPrompts, "prompt"), len(prompts))
		}
		d.add("app_prompts_missing", message)
	}
	if r.ValidRefs {
		d.add("app_layout_ref_invalid", refsInvalid(b, app))
	}
	if r.NoOverlaps {
		d.add("app_layout_overlap", appOverlaps(app))
	}
	return d.out, nil
}

func (r *AppDefRule) find(b *custom) map[string]any {
	if b == nil {
		return nil
	}
	for _, a := range b.Apps {
		name, _ := a["name"].(string)
		if r.TemplateID != "" && appID(a) == r.TemplateID || r.Called != "" && name == r.Called || r.Named != "" && strings.Contains(strings.ToLower(name), strings.ToLower(r.Named)) {
			return a
		}
	}
	return nil
}

func appNames(b *custom) string {
	if b == nil || len(b.Apps) == 0 {
		return "none"
	}
	var out []string
	for _, a := range b.Apps {
		name, _ := a["name"].(string)
		out = append(out, name)
	}
	return quoted(out)
}

func groupHas(want map[string]any, got any) bool {
	g, ok := got.(map[string]any)
	if !ok {
		return false
	}
	rest := maps.Clone(want)
	delete(rest, "widgetIds")
	return flat(rest, g) && holdsNames(want["widgetIds"], g["widgetIds"])
}

// An item is one widget in the layout of an app's tab.
type item struct {
	id string
	world.Layout
}

func layoutOf(tab any) (out []item) {
	m, _ := tab.(map[string]any)
	all, _ := m["layout"].([]any)
	for _, v := range all {
		o, _ := v.(map[string]any)
		var i item
		i.id, _ = o["i"].(string)
		for k, to := range map[string]*float64{"x": &i.X, "y": &i.Y, "w": &i.W, "h": &i.H} {
			if n, ok := o[k].(json.Number); ok {
				*to, _ = n.Float64()
			}
		}
		for k, to := range map[string]**float64{"minW": &i.MinW, "minH": &i.MinH, "maxW": &i.MaxW, "maxH": &i.MaxH} {
			if n, ok := o[k].(json.Number); ok {
				f, _ := n.Float64()
				*to = &f
			}
		}
		out = append(out, i)
	}
	return out
}

// refsInvalid words which items of an app's layout are no widget of its backend, or "".
func refsInvalid(b *custom, app map[string]any) string {
	if b == nil || app == nil {
		return ""
	}
	var bad []string
	tabs, _ := app["tabs"].(map[string]any)
	for _, k := range slices.Sorted(maps.Keys(tabs)) {
		for _, i := range layoutOf(tabs[k]) {
			if _, ok := b.Widgets[i.id]; !ok && i.id != "navigation_bar" {
				bad = append(bad, fmt.Sprintf("%s on tab %s", quote(i.id), quote(k)))
			}
		}
	}
	if len(bad) == 0 {
		return ""
	}
	return fmt.Sprintf("app %s places widgets that backend %s does not serve: %s", quote(appID(app)), quote(b.Name), enough(bad, ", "))
}

// appOverlaps words which items of an app's layout overlap, or "".
func appOverlaps(app map[string]any) string {
	var bad []string
	tabs, _ := app["tabs"].(map[string]any)
	for _, k := range slices.Sorted(maps.Keys(tabs)) {
		items := layoutOf(tabs[k])
		for i, a := range items {
			for _, b := range items[:i] {
				if overlap(a.Layout, b.Layout) {
					bad = append(bad, fmt.Sprintf("%s and %s on tab %s", quote(b.id), quote(a.id), quote(k)))
				}
			}
		}
	}
	if len(bad) == 0 {
		return ""
	}
	return fmt.Sprintf("app %s: %s overlap", quote(appID(app)), enough(bad, ", "))
}

// AppStructureRule demands that the apps of all custom backends are sound.
type AppStructureRule struct {
	Required   bool `json:"required,omitempty"` // there is an app at all
	ValidRefs  bool `json:"layout_refs_valid,omitempty"`
	NoOverlaps bool `json:"no_overlaps,omitempty"`
}

// SoundApps demands that no app of a custom backend places an unknown widget or has overlaps.
func SoundApps() grader.Check {
	return grader.Check{Rule: &AppStructureRule{ValidRefs: true, NoOverlaps: true}}
}

// Name implements grader.Rule.
func (*AppStructureRule) Name() string { return "workspace.app_structure" }

// Codes implements grader.Rule.
func (r *AppStructureRule) Codes() []string {
	var out []string
	if r.NoOverlaps {
		out = append(out, "app_layout_overlap")
	}
	if r.ValidRefs {
		out = append(out, "app_layout_ref_invalid")
	}
	if r.Required {
		out = append(out, "missing_app_def")
	}
	return out
}

// Graded implements grader.Grounder: there is nothing to find.
func (*AppStructureRule) Graded() []string { return nil }

func (r *AppStructureRule) String() string {
	if r.Required {
		return "an app is published, and every published app is sound"
	}
	return "every published app is sound"
}

// Grade implements grader.Rule.
func (r *AppStructureRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *AppStructureRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *AppStructureRule) points(ev grader.Evidence) ([]point, error) {
	final, err := read(ev.Final)
	if err != nil {
		return nil, err
	}
	all, err := final.customs()
	if err != nil {
		return nil, err
	}
	var out []point
	n := 0
	for _, b := range all {
		for _, a := range b.Apps {
			n++
			if r.ValidRefs {
				out = append(out, point{code: "app_layout_ref_invalid", side: grader.StateType, message: refsInvalid(b, a)})
			}
			if r.NoOverlaps {
				out = append(out, point{code: "app_layout_overlap", side: grader.StateType, message: appOverlaps(a)})
			}
		}
	}
	if r.Required {
		p := point{code: "missing_app_def", side: grader.StateType}
		if n == 0 {
			p.message = "want an app on a custom backend, there is none"
		}
		out = append(out, p)
	}
	return out, nil
}
