package workspace

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"benchwright/grader"
)

// WidgetDefRule demands a widget definition on a custom backend, and what it says.
type WidgetDefRule struct {
	Backend  string           `json:"backend_name"`
	WidgetID string           `json:"widget_id"`
	Expect   map[string]any   `json:"expect,omitempty"`          // by dotted path
	Params   []map[string]any `json:"params_include,omitempty"`  // each a definition subset of some parameter
	Columns  []map[string]any `json:"columns_include,omitempty"` // each a definition subset of some column
}

// WidgetDefined demands that a custom backend defines a widget in which these paths have these
// values.
func WidgetDefined(backend, id string, expect map[string]any) grader.Check {
	e, _ := plainValue(expect).(map[string]any)
	return grader.Check{Rule: &WidgetDefRule{Backend: backend, WidgetID: id, Expect: e}}
}

// Name implements grader.Rule.
func (*WidgetDefRule) Name() string { return "workspace.widget_def" }

// Codes implements grader.Rule.
func (*WidgetDefRule) Codes() []string {
	return []string{"backend_validation_warnings", "missing_custom_backend", "missing_widget_def", "widget_def_mismatch"}
}

// Graded implements grader.Grounder: names, and the values that are expected. The paths are those
// of the manifest's format.
func (r *WidgetDefRule) Graded() []string {
	out := []string{r.Backend, r.WidgetID}
	out = append(out, valuesOf(r.Expect)...)
	for _, m := range slices.Concat(r.Params, r.Columns) {
		out = append(out, valuesOf(m)...)
	}
	return graded(out...)
}

func valuesOf(m map[string]any) (out []string) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = leaves(out, m[k])
	}
	return out
}

func (r *WidgetDefRule) String() string {
	what := fmt.Sprintf("backend %q defines widget %q", r.Backend, r.WidgetID)
	if len(r.Expect) > 0 {
		what += " with " + jsonText(r.Expect)
	}
	for _, m := range r.Params {
		what += ", a parameter " + jsonText(m)
	}
	for _, m := range r.Columns {
		what += ", a column " + jsonText(m)
	}
	return what
}

// Grade implements grader.Rule.
func (r *WidgetDefRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *WidgetDefRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *WidgetDefRule) points(ev grader.Evidence) ([]point, error) {
	final, err := read(ev.Final)
	if err != nil {
		return nil, err
	}
	b, err := final.backend(r.Backend)
	if err != nil {
		return nil, err
	}
	d := newDefs(b, r.Backend)
	var def map[string]any
	if b != nil {
		def, _ = b.Widgets[r.WidgetID].(map[string]any)
	}
	d.there("missing_widget_def", b != nil && def != nil, fmt.Sprintf("backend %s: want widget %s, it has %s", quote(r.Backend), quote(r.WidgetID), d.has()))
	where := fmt.Sprintf("widget %s", quote(r.WidgetID))
	d.expect("widget_def_mismatch", where, r.Expect, def)
	d.include("widget_def_mismatch", where, "parameter", r.Params, flatParams(def["params"]))
	columns, _ := at(def, "data.table.columnsDefs").([]any)
	d.include("widget_def_mismatch", where, "column", r.Columns, columns)
	return d.out, nil
}

// defs collects the points about one definition. Once something is missing, what would be said
// of it still counts but is not said.
type defs struct {
	out  []point
	gone bool
	b    *custom
}

func newDefs(b *custom, name string) *defs {
	d := &defs{b: b}
	d.there("missing_custom_backend", b != nil, fmt.Sprintf("there is no custom backend %s", quote(name)))
	if b != nil {
		d.out = append(d.out, b.warned())
	} else {
		d.add("backend_validation_warnings", "")
	}
	return d
}

// has lists the widgets of the backend.
func (d *defs) has() string {
	if d.b == nil || len(d.b.Widgets) == 0 {
		return "none"
	}
	return quoted(slices.Sorted(maps.Keys(d.b.Widgets)))
}

func (d *defs) add(code, message string) {
	p := point{code: code, side: grader.StateType, message: message, silent: d.gone}
	if d.gone {
		p.message = ""
	}
	d.out = append(d.out, p)
}

func (d *defs) there(code string, is bool, message string) {
	if is {
		message = ""
	}
	d.add(code, message)
	d.gone = d.gone || !is
}

func (d *defs) expect(code, where string, want map[string]any, got any) {
	for _, path := range slices.Sorted(maps.Keys(want)) {
		message := ""
		if v := at(got, path); !exact(want[path], v) {
			message = fmt.Sprintf("%s: %s: want %s, got %s", where, cut(path), show(want[path]), show(v))
		}
		d.add(code, message)
	}
}

func (d *defs) include(code, where, what string, want []map[string]any, got []any) {
	for _, w := range want {
		message := ""
		if !slices.ContainsFunc(got, func(v any) bool { return flat(w, v) }) {
			message = fmt.Sprintf("%s: want a %s with %s, none of %d has", where, what, show(w), len(got))
		}
		d.add(code, message)
	}
}

// at follows a dotted path: keys of objects, places of lists. What is not there is null.
func at(v any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// flatParams opens rows of parameters and the inputs of forms.
func flatParams(v any) (out []any) {
	all, _ := v.([]any)
	for _, p := range all {
		switch p := p.(type) {
		case []any:
			out = append(out, flatParams(p)...)
		case map[string]any:
			out = append(append(out, p), flatParams(p["inputParams"])...)
		}
	}
	return out
}
