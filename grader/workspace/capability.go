package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/grader"
	"benchwright/sim/workspace/backend"
)

// A Capability is something that widgets of custom backends together must be able to do.
type Capability struct {
	Named      string         `json:"name"`
	Datasets   []string       `json:"datasets"`              // of the task's runtime checks, by name
	Kind       string         `json:"widget_kind,omitempty"` // "" means any
	Fields     []string       `json:"must_cover_fields,omitempty"`
	ParamKinds []string       `json:"required_param_kinds,omitempty"`
	Config     map[string]any `json:"required_config,omitempty"` // by dotted path of the definition
}

// CapabilityRule demands a capability. A widget contributes to it when a custom backend defines it, it
// stands on some dashboard, its endpoint answers, it is of the right kind, and one of the
// named datasets has all its fields. Where fields are required, it must have one of them.
type CapabilityRule struct {
	Capability
	Checks json.RawMessage `json:"runtime_checks"`
}

// Capable demands a capability.
func Capable(c Capability, checks json.RawMessage) grader.Check {
	c.Config, _ = plainValue(c.Config).(map[string]any)
	return grader.Check{Rule: &CapabilityRule{c, canonical(checks)}}
}

// Name implements grader.Rule.
func (*CapabilityRule) Name() string { return "workspace.capability" }

// Codes implements grader.Rule.
func (r *CapabilityRule) Codes() []string {
	var out []string
	if len(r.Config) > 0 {
		out = append(out, "capability_config_missing")
	}
	if len(r.Fields) > 0 {
		out = append(out, "capability_fields_uncovered")
	}
	if len(r.ParamKinds) > 0 {
		out = append(out, "capability_param_missing")
	}
	return append(out, "missing_capability")
}

// Graded implements grader.Grounder.
func (r *CapabilityRule) Graded() []string {
	return graded(append(valuesOf(r.Config), r.Fields...)...)
}

func (r *CapabilityRule) String() string {
	what := fmt.Sprintf("there is a working %s", r.Named)
	if len(r.Fields) > 0 {
		what += " with " + strings.Join(r.Fields, ", ")
	}
	return what
}

// Grade implements grader.Rule.
func (r *CapabilityRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *CapabilityRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *CapabilityRule) points(ev grader.Evidence) ([]point, error) {
	d, err := deploy(r.Checks, ev)
	if err != nil {
		return nil, err
	}
	if err := r.sound(d.runtime); err != nil {
		return nil, err
	}
	with, err := r.contributors(d, ev)
	if err != nil {
		return nil, err
	}
	missing := ""
	if len(with) == 0 {
		missing = fmt.Sprintf("capability %s: no widget of a custom backend that stands on a dashboard and answers provides it", quote(r.Named))
	}
	out := []point{{code: "missing_capability", side: grader.StateType, message: missing}}
	add := func(code, format string, lacks []string, args ...any) {
		p := point{code: code, side: grader.StateType, silent: missing != ""}
		if len(lacks) > 0 && !p.silent {
			p.message = fmt.Sprintf("capability %s: ", quote(r.Named)) + fmt.Sprintf(format, args...) + quoted(lacks)
		}
		out = append(out, p)
	}
	if len(r.Fields) > 0 {
		add("capability_fields_uncovered", "no widget shows ", slices.DeleteFunc(slices.Clone(r.Fields), func(f string) bool {
			return slices.ContainsFunc(with, func(c contributor) bool { return slices.Contains(c.Fields(), f) })
		}))
	}
	if len(r.ParamKinds) > 0 {
		add("capability_param_missing", "no widget has a parameter of type ", slices.DeleteFunc(slices.Clone(r.ParamKinds), func(k string) bool {
			return slices.ContainsFunc(with, func(c contributor) bool { return c.hasParam("", k) })
		}))
	}
	if len(r.Config) > 0 {
		var lacks []string
		for _, path := range slices.Sorted(maps.Keys(r.Config)) {
			if !slices.ContainsFunc(with, func(c contributor) bool { return exact(r.Config[path], at(parsed(c.Raw), path)) }) {
				lacks = append(lacks, fmt.Sprintf("%s=%s", path, show(r.Config[path])))
			}
		}
		add("capability_config_missing", "no widget is configured with ", lacks)
	}
	return out, nil
}

// sound says what of a capability makes no sense.
func (c Capability) sound(rt *backend.Runtime) error {
	for _, n := range c.Datasets {
		if !slices.ContainsFunc(rt.Datasets, func(d *backend.Dataset) bool { return d.Name == n }) {
			return fixture("capability %q names the dataset %q, which the runtime checks do not have", c.Named, n)
		}
	}
	if _, ok := kinds[c.Kind]; !ok {
		return fixture("capability %q wants the widget kind %q%s", c.Named, c.Kind, grader.Suggest(c.Kind, slices.Sorted(maps.Keys(kinds))))
	}
	return nil
}

// A contributor is a widget that contributes to a capability.
type contributor struct {
	backend *backend.Backend
	*backend.Definition
}

// hasParam reports whether the widget declares a parameter of a kind, of that name if one is given.
func (c contributor) hasParam(name, kind string) bool {
	return slices.ContainsFunc(c.Params, func(p backend.Param) bool { return (name == "" || p.Name == name) && (kind == "" || p.Type == kind) })
}

// contributors returns the widgets that contribute.
func (c Capability) contributors(d *deployment, ev grader.Evidence) ([]contributor, error) {
	placed, err := standing(ev)
	if err != nil {
		return nil, err
	}
	var out []contributor
	for _, s := range d.served {
		for i, p := range d.runtime.Probe(s.Backend) {
			def := s.Widgets[i]
			if !p.OK() || !placed[[2]string{s.Name, def.ID}] || !kinds[c.Kind](def) || !c.binds(d.runtime, def, p) {
				continue
			}
			fields := def.Fields()
			if len(c.Fields) > 0 && !slices.ContainsFunc(fields, func(f string) bool { return slices.Contains(c.Fields, f) }) {
				continue
			}
			out = append(out, contributor{s.Backend, def})
		}
	}
	return out, nil
}

// binds reports whether one of the capability's datasets can answer for a widget. Where paths are
// pinned it is the one that did.
func (c Capability) binds(rt *backend.Runtime, def *backend.Definition, p backend.Probe) bool {
	return slices.ContainsFunc(rt.Datasets, func(d *backend.Dataset) bool {
		return slices.Contains(c.Datasets, d.Name) && (d.Name == p.Dataset || !rt.Pinned && d.Covers(def))
	})
}

// standing returns origin and widget id of every widget that stands on some dashboard.
func standing(ev grader.Evidence) (map[[2]string]bool, error) {
	final, err := read(ev.Final)
	if err != nil {
		return nil, err
	}
	out := map[[2]string]bool{}
	for _, id := range final.order() {
		c, err := final.board(id)
		if err != nil {
			return nil, err
		}
		if c == nil {
			continue
		}
		for i := range c.Widgets {
			if w := &c.Widgets[i]; !w.Generated {
				out[[2]string{w.Origin, w.WidgetID}] = true
			}
		}
	}
	return out, nil
}

// kinds are the kinds of widgets that a capability can want.
var kinds = map[string]func(*backend.Definition) bool{
	"":                 func(*backend.Definition) bool { return true },
	"any":              func(*backend.Definition) bool { return true },
	"table-like":       func(d *backend.Definition) bool { return backend.IsTable(d.Type) },
	"server-side-grid": func(d *backend.Definition) bool { return backend.ServerSide(d.Type) },
	"chart-like": func(d *backend.Definition) bool {
		return backend.IsChart(d.Type) || d.Type == "advanced_charting"
	},
	"metric": ofType("metric"),
	"form": func(d *backend.Definition) bool {
		return slices.ContainsFunc(d.Params, func(p backend.Param) bool { return p.Type == "form" })
	},
	"html":       ofType("html"),
	"iframe":     ofType("iframe"),
	"markdown":   ofType("markdown"),
	"multi-file": ofType("multi_file_viewer"),
	"newsfeed":   ofType("newsfeed"),
	"pdf":        ofType("pdf"),
	"youtube":    ofType("youtube"),
}

func ofType(t string) func(*backend.Definition) bool {
	return func(d *backend.Definition) bool { return d.Type == t }
}

// ConnectionRule demands that two capabilities share a parameter: a group of an app links a
// widget that contributes to the source with a different one that contributes to the target,
// and both declare the parameter, which is of the wanted kind.
type ConnectionRule struct {
	From      Capability      `json:"source"`
	To        Capability      `json:"target"`
	ParamKind string          `json:"param_kind"`
	Checks    json.RawMessage `json:"runtime_checks"`
}

// Connected demands that two capabilities share a parameter of a kind.
func Connected(source, target Capability, kind string, checks json.RawMessage) grader.Check {
	source.Config, _ = plainValue(source.Config).(map[string]any)
	target.Config, _ = plainValue(target.Config).(map[string]any)
	return grader.Check{Rule: &ConnectionRule{source, target, kind, canonical(checks)}}
}

// Name implements grader.Rule.
func (*ConnectionRule) Name() string { return "workspace.connection" }

// Codes implements grader.Rule.
func (*ConnectionRule) Codes() []string { return []string{"capability_unconnected"} }

// Graded implements grader.Grounder: what the capabilities are, their own rules demand.
func (*ConnectionRule) Graded() []string { return nil }

func (r *ConnectionRule) String() string {
	return fmt.Sprintf("%s and %s share a %s parameter", r.From.Named, r.To.Named, r.ParamKind)
}

// Grade implements grader.Rule.
func (r *ConnectionRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *ConnectionRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *ConnectionRule) points(ev grader.Evidence) ([]point, error) {
	d, err := deploy(r.Checks, ev)
	if err != nil {
		return nil, err
	}
	for _, c := range []Capability{r.From, r.To} {
		if err := c.sound(d.runtime); err != nil {
			return nil, err
		}
	}
	from, err := r.From.contributors(d, ev)
	if err != nil {
		return nil, err
	}
	to, err := r.To.contributors(d, ev)
	if err != nil {
		return nil, err
	}
	p := point{code: "capability_unconnected", side: grader.StateType}
	for _, a := range from {
		for _, b := range to {
			if a.backend == b.backend && a.ID != b.ID && r.linked(a, b) {
				return []point{p}, nil
			}
		}
	}
	p.message = fmt.Sprintf("%s and %s: no group of an app links a widget of the one with another of the other by a %s parameter that both declare", quote(r.From.Named), quote(r.To.Named), r.ParamKind)
	return []point{p}, nil
}

// linked reports whether a group of an app links two widgets as wanted.
func (r *ConnectionRule) linked(a, b contributor) bool {
	for _, app := range a.backend.Apps {
		for _, g := range app.Groups {
			if !slices.Contains(g.WidgetIDs, a.ID) || !slices.Contains(g.WidgetIDs, b.ID) {
				continue
			}
			if g.ParamName == "" && g.Type != "ticker" {
				continue
			}
			if a.hasParam(g.ParamName, r.ParamKind) && b.hasParam(g.ParamName, r.ParamKind) {
				return true
			}
		}
	}
	return false
}
