package workspace

import (
	"context"
	"fmt"
	"strings"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

// A Placed is one widget of a dashboard as a person lists it. What is not given does not matter.
type Placed struct {
	UUID     string         `json:"widget_uuid,omitempty"`
	Origin   string         `json:"origin,omitempty"`
	WidgetID string         `json:"widget_id,omitempty"`
	Named    string         `json:"name,omitempty"`        // exactly what is written on it
	Type     string         `json:"widget_type,omitempty"` // of a generated widget: note, table, chart or html
	Args     map[string]any `json:"data_args,omitempty"`   // among others
	TabID    *string        `json:"tab_id,omitempty"`
	At       *Place         `json:"at,omitempty"`
	Kept     bool           `json:"kept,omitempty"` // as for WidgetRule
}

func (p Placed) String() string {
	var out []string
	for _, s := range []string{p.UUID, p.Type, p.Named, p.WidgetID} {
		if s != "" {
			out = append(out, s)
		}
	}
	s := strings.Join(out, " ")
	if p.Origin != "" {
		s += " of " + p.Origin
	}
	if len(p.Args) > 0 {
		s += " with " + jsonText(p.Args)
	}
	if p.At != nil {
		s += " at " + p.At.String()
	}
	return s
}

// is reports whether a widget is of the wanted identity, whatever its configuration.
func (p Placed) is(w *world.Widget) bool {
	return (p.UUID == "" || p.UUID == w.UUID) && (p.Origin == "" || p.Origin == w.Origin) &&
		(p.WidgetID == "" || p.WidgetID == w.WidgetID) && (p.Named == "" || p.Named == w.Name) &&
		(p.Type == "" && !w.Generated || w.Generated && p.Type == w.Type)
}

func (p Placed) fits(w *world.Widget) bool {
	return p.is(w) && (len(p.Args) == 0 || subset(p.Args, w.DataArgs)) && (p.TabID == nil || *p.TabID == w.Layout.TabID) && len(placeDiff(p.At, w.Layout)) == 0
}

// A Scope says which widgets an ExactRule is about.
type Scope string

// The scopes.
const (
	All       Scope = ""          // every widget
	Catalogue Scope = "catalogue" // widgets of backends; generated ones are not looked at
	Generated Scope = "generated" // generated widgets alone
)

// ExactRule demands that a dashboard holds exactly these widgets: each listed one is there, once, and
// there is no other.
type ExactRule struct {
	Dashboard On       `json:"dashboard,omitempty"`
	TabID     *string  `json:"tab_id,omitempty"` // look at this tab alone
	Widgets   []Placed `json:"widgets"`
	Scope     Scope    `json:"scope,omitempty"`
}

// HoldExactly demands that the open dashboard holds exactly these widgets.
func HoldExactly(widgets ...Placed) grader.Check {
	out := make([]Placed, 0, len(widgets))
	for _, w := range widgets {
		w.Args, _ = plainValue(w.Args).(map[string]any)
		out = append(out, w)
	}
	return grader.Check{Rule: &ExactRule{Widgets: out}}
}

// Name implements grader.Rule.
func (*ExactRule) Name() string { return "workspace.exact_widgets" }

// Codes implements grader.Rule.
func (r *ExactRule) Codes() []string {
	if len(r.Widgets) == 0 {
		return []string{"missing_widget", "unexpected_widget"}
	}
	return []string{"misconfigured_widget", "missing_widget", "unexpected_widget"}
}

// Graded implements grader.Grounder.
func (r *ExactRule) Graded() []string {
	out := []string{r.Dashboard.ground()}
	if r.TabID != nil {
		out = append(out, *r.TabID)
	}
	for _, p := range r.Widgets {
		if p.Kept {
			continue
		}
		out = append(out, p.UUID, p.Origin, p.WidgetID, p.Named)
		if len(p.Args) > 0 {
			out = leaves(out, p.Args)
		}
		if p.TabID != nil {
			out = append(out, *p.TabID)
		}
		for _, f := range p.At.each() {
			if f.want != nil {
				out = append(out, fmt.Sprint(*f.want))
			}
		}
	}
	return graded(out...)
}

func (r *ExactRule) String() string {
	what := "widgets"
	if r.Scope == Generated {
		what = "generated widgets"
	}
	if r.TabID != nil {
		what += fmt.Sprintf(" on tab %q", *r.TabID)
	}
	if len(r.Widgets) == 0 {
		return r.Dashboard.of("there are no " + what)
	}
	var out []string
	for _, p := range r.Widgets {
		out = append(out, p.String())
	}
	return r.Dashboard.of("the " + what + " are exactly " + strings.Join(out, "; "))
}

// Grade implements grader.Rule.
func (r *ExactRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *ExactRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *ExactRule) points(ev grader.Evidence) ([]point, error) {
	c, none, err := r.Dashboard.board(ev)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return []point{{code: "missing_widget", side: grader.StateType, message: none}}, nil
	}
	have := make([]*world.Widget, 0, len(c.Widgets))
	for i := range c.Widgets {
		w := &c.Widgets[i]
		if r.TabID != nil && *r.TabID != w.Layout.TabID || r.Scope == Catalogue && w.Generated || r.Scope == Generated && !w.Generated {
			continue
		}
		have = append(have, w)
	}
	fit := assign(len(r.Widgets), len(have), func(i, j int) bool { return r.Widgets[i].fits(have[j]) && unseen(c, have[j]) == "" })
	used := make([]bool, len(have))
	for _, j := range fit {
		if j >= 0 {
			used[j] = true
		}
	}
	out := make([]point, 0, len(r.Widgets)+1)
	near := assign(len(r.Widgets), len(have), func(i, j int) bool { return fit[i] < 0 && !used[j] && r.Widgets[i].is(have[j]) })
	for i, p := range r.Widgets {
		x := point{code: "missing_widget", side: grader.StateType}
		switch j := near[i]; {
		case fit[i] >= 0:
			out = append(out, x)
			continue
		case j >= 0:
			used[j] = true
			x.code, x.group = "misconfigured_widget", "missing_widget"
			x.message = fmt.Sprintf("%s: %s", title(c), instanceDiff(have[j], p.Args, p.TabID, p.At))
			if why := unseen(c, have[j]); why != "" {
				x.message = fmt.Sprintf("%s: %s %s", title(c), cut(have[j].UUID), why)
			}
		default:
			x.message = fmt.Sprintf("%s: the missing widget is %s", title(c), cut(p.String()))
		}
		x.want = p.String()
		out = append(out, x)
	}
	extra := point{code: "unexpected_widget", side: grader.StateType}
	n := 0
	for j, w := range have {
		if used[j] {
			continue
		}
		n++
		x := extra
		x.got = cut(w.UUID)
		x.message = fmt.Sprintf("%s: the extra widget is %s (%s)", title(c), cut(w.UUID), cut(label(w)))
		out = append(out, x)
	}
	if n == 0 {
		out = append(out, extra)
	}
	return out, nil
}
