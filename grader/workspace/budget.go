package workspace

import (
	"context"
	"fmt"

	"benchwright/grader"
)

// InvalidCallsRule allows so many calls that did not succeed.
type InvalidCallsRule struct {
	Max int `json:"max_invalid_tool_calls"`
}

// InvalidCalls demands that no more than so many calls failed.
func InvalidCalls(max int) grader.Check { return grader.Check{Rule: &InvalidCallsRule{max}} }

// Name implements grader.Rule.
func (*InvalidCallsRule) Name() string { return "workspace.invalid_calls" }

// Codes implements grader.Rule.
func (*InvalidCallsRule) Codes() []string { return []string{"too_many_invalid_calls"} }

// Graded implements grader.Grounder: there is nothing to find.
func (*InvalidCallsRule) Graded() []string { return nil }

func (r *InvalidCallsRule) String() string {
	if r.Max == 0 {
		return "no call fails"
	}
	return fmt.Sprintf("at most %s", plural(r.Max, "call")) + map[bool]string{true: " fails", false: " fail"}[r.Max == 1]
}

// Grade implements grader.Rule.
func (r *InvalidCallsRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *InvalidCallsRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *InvalidCallsRule) points(ev grader.Evidence) ([]point, error) {
	var failed []string
	for i, e := range ev.Trace {
		if !e.Result.OK() {
			failed = append(failed, fmt.Sprintf("call %d (%s: %s)", i+1, cut(e.Call.Name), cut(e.Result.Code)))
		}
	}
	p := point{code: "too_many_invalid_calls", side: grader.BudgetType}
	if len(failed) > r.Max {
		p.want, p.got = fmt.Sprint(r.Max), fmt.Sprint(len(failed))
		p.message = fmt.Sprintf("want at most %d failed calls, there are %d: %s", r.Max, len(failed), enough(failed, ", "))
	}
	return []point{p}, nil
}

// SnapshotsRule allows so many snapshots one after the other.
type SnapshotsRule struct {
	Max int `json:"max_repeated_snapshots"`
}

// Snapshots demands that no more than so many snapshots are taken in a row.
func Snapshots(max int) grader.Check { return grader.Check{Rule: &SnapshotsRule{max}} }

// Name implements grader.Rule.
func (*SnapshotsRule) Name() string { return "workspace.snapshots" }

// Codes implements grader.Rule.
func (*SnapshotsRule) Codes() []string { return []string{"repeated_snapshots"} }

// Graded implements grader.Grounder: there is nothing to find.
func (*SnapshotsRule) Graded() []string { return nil }

func (r *SnapshotsRule) String() string {
	return fmt.Sprintf("at most %s in a row", plural(r.Max, "snapshot"))
}

// Grade implements grader.Rule.
func (r *SnapshotsRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *SnapshotsRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *SnapshotsRule) points(ev grader.Evidence) ([]point, error) {
	run, longest, end := 0, 0, 0
	for i, e := range ev.Trace {
		if e.Call.Name != "get_workspace_snapshot" {
			run = 0
			continue
		}
		if run++; run > longest {
			longest, end = run, i
		}
	}
	p := point{code: "repeated_snapshots", side: grader.TraceType}
	if longest > r.Max {
		p.message = fmt.Sprintf("want at most %d snapshots in a row, calls %d to %d are %d", r.Max, end-longest+2, end+1, longest)
	}
	return []point{p}, nil
}
