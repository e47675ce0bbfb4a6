package workspace

import (
	"context"
	"fmt"
	"strings"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

// WidgetRule demands instances of a widget: at least Min and, if Max is given, at most so many.
// Instances have the origin and widget id, the tab and place if they are given, and Args as a subset
// of their data_args.
type WidgetRule struct {
	Dashboard On             `json:"dashboard,omitempty"`
	Origin    string         `json:"origin"`
	WidgetID  string         `json:"widget_id"`
	Args      map[string]any `json:"data_args,omitempty"`
	TabID     *string        `json:"tab_id,omitempty"`
	At        *Place         `json:"at,omitempty"`
	Min       int            `json:"min_count"`
	Max       *int           `json:"max_count,omitempty"`
	// Kept says that it was there at the start. An agent need not find what it is to leave alone.
	Kept bool `json:"kept,omitempty"`
}

// HoldWidget demands that the open dashboard holds a widget with these data_args, among others.
func HoldWidget(origin, id string, args map[string]any) grader.Check {
	a, _ := plainValue(args).(map[string]any)
	return grader.Check{Rule: &WidgetRule{Origin: origin, WidgetID: id, Args: a, Min: 1}}
}

// HoldNoWidget demands that neither the open dashboard nor the one open at the start holds a
// widget.
func HoldNoWidget(origin, id string) grader.Check {
	return grader.Check{Rule: &WidgetRule{Origin: origin, WidgetID: id, Max: new(int)}}
}

// Name implements grader.Rule.
func (*WidgetRule) Name() string { return "workspace.widget" }

// Codes implements grader.Rule.
func (r *WidgetRule) Codes() []string {
	var out []string
	if r.Min > 0 {
		out = append(out, "misconfigured_widget", "missing_widget")
	}
	if r.Max != nil || r.Min == 0 {
		out = append(out, "too_many_widgets")
	}
	return out
}

// Graded implements grader.Grounder.
func (r *WidgetRule) Graded() []string {
	if r.Kept {
		return nil
	}
	out := []string{r.Dashboard.ground(), r.Origin, r.WidgetID}
	if r.TabID != nil {
		out = append(out, *r.TabID)
	}
	if len(r.Args) > 0 {
		out = leaves(out, r.Args)
	}
	for _, f := range r.At.each() {
		if f.want != nil {
			out = append(out, fmt.Sprint(*f.want))
		}
	}
	return graded(out...)
}

func (r *WidgetRule) String() string {
	what := fmt.Sprintf("widget %q of %q", r.WidgetID, r.Origin)
	if len(r.Args) > 0 {
		what += " with " + jsonText(r.Args)
	}
	if r.TabID != nil {
		what += fmt.Sprintf(" on tab %q", *r.TabID)
	}
	if r.At != nil {
		what += " at " + r.At.String()
	}
	return r.Dashboard.of("there is " + times(r.Min, r.Max) + what)
}

// times words how many are wanted.
func times(min int, max *int) string {
	switch {
	case max != nil && *max == 0:
		return "no "
	case max != nil && min == *max:
		return fmt.Sprintf("exactly %d × ", min)
	case max != nil && min == 0:
		return fmt.Sprintf("at most %d × ", *max)
	case max != nil:
		return fmt.Sprintf("%d to %d × ", min, *max)
	case min > 1:
		return fmt.Sprintf("at least %d × ", min)
	}
	return ""
}

// Grade implements grader.Rule.
func (r *WidgetRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *WidgetRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *WidgetRule) points(ev grader.Evidence) ([]point, error) {
	c, none, err := r.Dashboard.board(ev)
	if err != nil {
		return nil, err
	}
	var out []point
	if r.Min > 0 {
		out = append(out, r.there(c, none))
	}
	if r.Max != nil {
		p, err := r.most(ev, c)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (r *WidgetRule) is(w *world.Widget) bool {
	return !w.Generated && w.Origin == r.Origin && w.WidgetID == r.WidgetID
}

func (r *WidgetRule) qualifies(w *world.Widget) bool {
	return r.is(w) && (r.TabID == nil || w.Layout.TabID == *r.TabID) && (len(r.Args) == 0 || subset(r.Args, w.DataArgs)) && len(placeDiff(r.At, w.Layout)) == 0
}

// there looks at how many there are at least.
func (r *WidgetRule) there(c *world.Composition, none string) point {
	p := point{code: "missing_widget", side: grader.StateType, message: none}
	if c == nil {
		return p
	}
	n := 0
	var others []string
	for i := range c.Widgets {
		w := &c.Widgets[i]
		if why := unseen(c, w); r.qualifies(w) && why != "" {
			others = append(others, cut(w.UUID)+": "+why)
		} else if r.qualifies(w) {
			n++
		} else if r.is(w) {
			others = append(others, instanceDiff(w, r.Args, r.TabID, r.At))
		}
	}
	if n >= r.Min {
		return p
	}
	what := fmt.Sprintf("%s: want widget %q of %q", title(c), r.WidgetID, r.Origin)
	if len(others) == 0 {
		p.message = what + ", there is none"
		if n > 0 {
			p.message = what + fmt.Sprintf(" %d times, there are %d", r.Min, n)
		}
		return p
	}
	p.code, p.group = "misconfigured_widget", "missing_widget"
	p.got = enough(others, "; ")
	p.message = what + "; those there are\n  " + enough(others, "\n  ")
	return p
}

// most looks at how many there are at most.
func (r *WidgetRule) most(ev grader.Evidence, c *world.Composition) (point, error) {
	p := point{code: "too_many_widgets", side: grader.StateType}
	start, err := r.Dashboard.also(ev, r.Min, c)
	if err != nil {
		return p, err
	}
	for _, c := range []*world.Composition{c, start} {
		if c == nil {
			continue
		}
		var have []string
		for i := range c.Widgets {
			if w := &c.Widgets[i]; r.qualifies(w) {
				have = append(have, w.UUID)
			}
		}
		if len(have) > *r.Max && p.message == "" {
			p.got = quoted(have)
			p.message = fmt.Sprintf("%s: want %sof widget %q of %q, there are %d: %s", title(c), times(0, r.Max), r.WidgetID, r.Origin, len(have), p.got)
			p.message = strings.Replace(p.message, "want no of widget", "want no widget", 1)
			p.message = strings.Replace(p.message, " × of widget", " of widget", 1)
		}
	}
	return p, nil
}

// A Place is where a widget sits: cells of the grid, of which those not given do not matter.
type Place struct {
	X *float64 `json:"x,omitempty"`
	Y *float64 `json:"y,omitempty"`
	W *float64 `json:"w,omitempty"`
	H *float64 `json:"h,omitempty"`
}

// At is a whole place.
func At(x, y, w, h float64) *Place { return &Place{&x, &y, &w, &h} }

func (p *Place) each() [4]struct {
	name string
	want *float64
} {
	if p == nil {
		p = &Place{}
	}
	return [4]struct {
		name string
		want *float64
	}{{"x", p.X}, {"y", p.Y}, {"w", p.W}, {"h", p.H}}
}

func (p *Place) String() string {
	var out []string
	for _, f := range p.each() {
		if f.want != nil {
			out = append(out, fmt.Sprintf("%s=%v", f.name, *f.want))
		}
	}
	return strings.Join(out, " ")
}

// placeDiff lists where a layout is not as wanted. Where a place is wanted, the bounds of its size may
// not contradict it.
func placeDiff(p *Place, l world.Layout) []string {
	if p == nil {
		return nil
	}
	out := contradictions(l)
	for i, f := range p.each() {
		if got := [4]float64{l.X, l.Y, l.W, l.H}[i]; f.want != nil && *f.want != got {
			out = append(out, fmt.Sprintf("%s: want %v, got %v", f.name, *f.want, got))
		}
	}
	return out
}

// contradictions lists bounds of a widget's size that its size is not within: whoever draws it would
// draw another one, or none.
func contradictions(l world.Layout) []string {
	var out []string
	for _, b := range []struct {
		name  string
		bound *float64
		most  bool
		size  float64
	}{{"min_w", l.MinW, false, l.W}, {"min_h", l.MinH, false, l.H}, {"max_w", l.MaxW, true, l.W}, {"max_h", l.MaxH, true, l.H}} {
		if b.bound != nil && (b.most && *b.bound < b.size || !b.most && *b.bound > b.size) {
			out = append(out, fmt.Sprintf("%s: %v contradicts the size %v", b.name, *b.bound, b.size))
		}
	}
	return out
}

// instanceDiff words where an instance is not as wanted.
func instanceDiff(w *world.Widget, args map[string]any, tab *string, at *Place) string {
	var d []string
	if len(args) > 0 {
		d = differences(args, w.DataArgs)
	}
	if tab != nil && w.Layout.TabID != *tab {
		d = append(d, fmt.Sprintf("tab: want %q, got %s", *tab, quote(w.Layout.TabID)))
	}
	d = append(d, placeDiff(at, w.Layout)...)
	return fmt.Sprintf("%s: %s", cut(w.UUID), enough(d, ", "))
}
