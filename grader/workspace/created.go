package workspace

import (
	"context"
	"fmt"

	"benchwright/grader"
)

// CreatedRule allows so many dashboards, or custom backends, more than there were at the start.
type CreatedRule struct {
	What string `json:"what"` // dashboards or backends
	Max  int    `json:"max"`
}

// The things that a CreatedRule counts.
const (
	dashboards = "dashboards"
	backends   = "backends"
)

// NewDashboards demands that there are at most so many dashboards more than at the start.
func NewDashboards(max int) grader.Check { return grader.Check{Rule: &CreatedRule{dashboards, max}} }

// NewBackends demands that there are at most so many custom backends more than at the start.
func NewBackends(max int) grader.Check { return grader.Check{Rule: &CreatedRule{backends, max}} }

// Name implements grader.Rule.
func (*CreatedRule) Name() string { return "workspace.created" }

func (r *CreatedRule) code() string {
	if r.What == backends {
		return "unexpected_backend_created"
	}
	return "unexpected_dashboard_created"
}

// Codes implements grader.Rule.
func (r *CreatedRule) Codes() []string { return []string{r.code()} }

// Graded implements grader.Grounder: there is nothing to find.
func (*CreatedRule) Graded() []string { return nil }

func (r *CreatedRule) String() string {
	if r.Max == 0 {
		return "no " + r.What + " are created"
	}
	return fmt.Sprintf("at most %d %s are created", r.Max, r.What)
}

// Grade implements grader.Rule.
func (r *CreatedRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *CreatedRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *CreatedRule) points(ev grader.Evidence) ([]point, error) {
	initial, final, err := both(ev)
	if err != nil {
		return nil, err
	}
	var was, is int
	switch r.What {
	case dashboards:
		was, is = len(initial.boards), len(final.boards)
	case backends:
		was, is = len(initial.customRaw), len(final.customRaw)
	default:
		return nil, fixture("rule %s counts %q; there are dashboards and backends", r.Name(), r.What)
	}
	p := point{code: r.code(), side: grader.StateType}
	if is-was > r.Max {
		p.want, p.got = fmt.Sprint(r.Max), fmt.Sprint(is-was)
		p.message = fmt.Sprintf("want at most %d new %s, there are %d: %d before, %d now", r.Max, r.What, is-was, was, is)
	}
	return []point{p}, nil
}
