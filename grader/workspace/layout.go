package workspace

import (
	"context"
	"fmt"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

// LayoutRule demands that a widget sits somewhere: some widget of that uuid or widget id, of the origin
// and on the tab if they are given, whose given coordinates are equal, and whose bounds do not
// contradict its size.
type LayoutRule struct {
	Dashboard On      `json:"dashboard,omitempty"`
	UUID      string  `json:"widget_uuid,omitempty"`
	Origin    string  `json:"origin,omitempty"`
	WidgetID  string  `json:"widget_id,omitempty"`
	TabID     *string `json:"tab_id,omitempty"`
	Kept      bool    `json:"kept,omitempty"` // as for WidgetRule
	Place
}

// WidgetAt demands that the widget of a uuid sits at x, y and is w wide and h high.
func WidgetAt(uuid string, x, y, w, h float64) grader.Check {
	return grader.Check{Rule: &LayoutRule{UUID: uuid, Place: *At(x, y, w, h)}}
}

// Name implements grader.Rule.
func (*LayoutRule) Name() string { return "workspace.layout" }

// Codes implements grader.Rule.
func (*LayoutRule) Codes() []string { return []string{"layout_mismatch"} }

// Graded implements grader.Grounder.
func (r *LayoutRule) Graded() []string {
	if r.Kept {
		return nil
	}
	out := []string{r.Dashboard.ground(), r.UUID, r.Origin, r.WidgetID}
	if r.TabID != nil {
		out = append(out, *r.TabID)
	}
	for _, f := range r.each() {
		if f.want != nil {
			out = append(out, fmt.Sprint(*f.want))
		}
	}
	return graded(out...)
}

func (r *LayoutRule) String() string {
	what := fmt.Sprintf("widget %q", r.UUID+r.WidgetID)
	if r.Origin != "" {
		what += fmt.Sprintf(" of %q", r.Origin)
	}
	what += " sits at " + r.Place.String()
	if r.TabID != nil {
		what += fmt.Sprintf(" on tab %q", *r.TabID)
	}
	return r.Dashboard.of(what)
}

// Grade implements grader.Rule.
func (r *LayoutRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *LayoutRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *LayoutRule) points(ev grader.Evidence) ([]point, error) {
	if (r.UUID == "") == (r.WidgetID == "") {
		return nil, fixture("rule %s names one of widget_uuid and widget_id", r.Name())
	}
	c, none, err := r.Dashboard.board(ev)
	if err != nil {
		return nil, err
	}
	p := point{code: "layout_mismatch", side: grader.StateType, message: none}
	if c == nil {
		p.want = r.Place.String()
		return []point{p}, nil
	}
	var others []string
	for i := range c.Widgets {
		w := &c.Widgets[i]
		if r.UUID != "" && w.UUID != r.UUID || r.WidgetID != "" && w.WidgetID != r.WidgetID || r.Origin != "" && w.Origin != r.Origin {
			continue
		}
		if len(placeDiff(&r.Place, w.Layout)) == 0 && (r.TabID == nil || *r.TabID == w.Layout.TabID) {
			return []point{p}, nil
		}
		others = append(others, instanceDiff(w, nil, r.TabID, &r.Place))
	}
	p.want, p.got = r.Place.String(), enough(others, "; ")
	p.message = fmt.Sprintf("%s: %s", title(c), enough(others, "; "))
	if len(others) == 0 {
		p.message = fmt.Sprintf("%s: there is no widget %s", title(c), quote(r.UUID+r.WidgetID))
	}
	return []point{p}, nil
}

// GridRule demands that every widget lies within the grid.
type GridRule struct {
	Dashboard On  `json:"dashboard,omitempty"`
	Width     int `json:"grid_width"`
}

// WithinGrid demands that every widget of the open dashboard lies within the 40 columns.
func WithinGrid() grader.Check { return grader.Check{Rule: &GridRule{Width: 40}} }

// Name implements grader.Rule.
func (*GridRule) Name() string { return "workspace.within_grid" }

// Codes implements grader.Rule.
func (*GridRule) Codes() []string { return []string{"layout_out_of_grid"} }

// Graded implements grader.Grounder: the grid is no secret of a task.
func (r *GridRule) Graded() []string { return graded(r.Dashboard.ground()) }

func (r *GridRule) String() string {
	return r.Dashboard.of(fmt.Sprintf("every widget lies within %d columns", r.Width))
}

// Grade implements grader.Rule.
func (r *GridRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *GridRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *GridRule) points(ev grader.Evidence) ([]point, error) {
	c, none, err := r.Dashboard.board(ev)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return []point{{code: "layout_out_of_grid", side: grader.StateType, message: none}}, nil
	}
	var out []point
	for _, w := range c.Widgets {
		p := point{code: "layout_out_of_grid", side: grader.StateType}
		if l := w.Layout; l.X < 0 || l.Y < 0 || l.W <= 0 || l.H <= 0 || l.X+l.W > float64(r.Width) {
			p.got = rectangle(l)
			p.message = fmt.Sprintf("%s: %s at %s is not within %d columns", title(c), cut(w.UUID), p.got, r.Width)
		}
		out = append(out, p)
	}
	return out, nil
}

func rectangle(l world.Layout) string { return fmt.Sprintf("%v,%v %v×%v", l.X, l.Y, l.W, l.H) }

// OverlapRule demands that no two widgets of a tab overlap. Edges may touch.
type OverlapRule struct {
	Dashboard On `json:"dashboard,omitempty"`
}

// NoOverlaps demands that no two widgets on a tab of the open dashboard overlap.
func NoOverlaps() grader.Check { return grader.Check{Rule: &OverlapRule{}} }

// Name implements grader.Rule.
func (*OverlapRule) Name() string { return "workspace.no_overlaps" }

// Codes implements grader.Rule.
func (*OverlapRule) Codes() []string { return []string{"layout_overlap"} }

// Graded implements grader.Grounder: there is nothing to find but the dashboard.
func (r *OverlapRule) Graded() []string { return graded(r.Dashboard.ground()) }

func (r *OverlapRule) String() string { return r.Dashboard.of("no widgets overlap") }

// Grade implements grader.Rule.
func (r *OverlapRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *OverlapRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *OverlapRule) points(ev grader.Evidence) ([]point, error) {
	c, none, err := r.Dashboard.board(ev)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return []point{{code: "layout_overlap", side: grader.StateType, message: none}}, nil
	}
	var out []point
	for _, t := range c.Tabs {
		var on []*world.Widget
		for i := range c.Widgets {
			if c.Widgets[i].Layout.TabID == t.ID {
				on = append(on, &c.Widgets[i])
			}
		}
		var pairs []string
		for i, a := range on {
			for _, b := range on[:i] {
				if overlap(a.Layout, b.Layout) {
					pairs = append(pairs, fmt.Sprintf("%s at %s and %s at %s", cut(b.UUID), rectangle(b.Layout), cut(a.UUID), rectangle(a.Layout)))
				}
			}
		}
		p := point{code: "layout_overlap", side: grader.StateType}
		if len(pairs) > 0 {
			p.got = enough(pairs, "; ")
			p.message = fmt.Sprintf("%s, tab %s: %s overlap", title(c), quote(t.ID), enough(pairs, "; "))
		}
		out = append(out, p)
	}
	return out, nil
}

func overlap(a, b world.Layout) bool {
	return a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H
}
