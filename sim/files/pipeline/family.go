// Package pipeline generates mini-projects of a few steps that have to make one JSON artifact, and
// do not: a path, a step, a filter, a sum or the writing is wrong.
//
// What the artifact should be stands in the README and the docstrings, at every difficulty. The
// data, the names of fields and files, the policy values, the wording, and which of a scenario's
// defects there are vary with the seed. Every defect is one edit of the correct text.
//
// At difficulty 5 all defects of a scenario are there. A spec that names no scenario then gets the
// hard program of team hours: versions of jobs across time zones, aliases of teams, assignments
// that hold from a moment on. In compositional mode there is a stage before the repair: documents
// say which policy values are in force, and the steps read the policy file that has to be made to
// agree with them.
//
// # Grading
//
// The hidden tree is that of package exam: the entry point runs on the visible data (case
// "visible") and on other data (case "other"), twice, since the artifact has to be the same again.
// An artifact that lies there already is removed first, so that one written by hand is worth
// nothing, and a program that prints the rows of the sample fails on the other data.
//
// [RowsEvaluator] scores artifacts by their rows: expected_output.json holds those of the visible
// data, the check "other_rows" wants those of the other. [CapabilityEvaluator] scores the
// capabilities of the sheet's checks by the weights in evaluator_config.json. There too, where they
// apply, required_tests without which the score is at most score_cap, and d5_exponent, the power
// that a score below 1 is raised to.
//
// No state of repairs scores less than one with fewer repairs, since what a defect does either
// touches every row of the artifact, or leaves fewer wrong rows when it is gone.
package pipeline

import "benchwright/sim/files"

// Family is the family "pipeline".
type Family struct{}

// Scenarios of the family, in pool order.
const (
	hours  = "team_hours_pipeline"
	sales  = "sales_csv_pipeline"
	stitch = "artifact_stitch_pipeline"
	gate   = "quality_gate_pipeline"
)

// Keys of the evaluators.
const (
	RowsEvaluator       = "pipeline:Rows"
	CapabilityEvaluator = "pipeline:Capabilities"
)

// Name is "pipeline".
func (Family) Name() string { return "pipeline" }

// Scenarios lists the four flows.
func (Family) Scenarios() []files.Scenario {
	return []files.Scenario{{ID: hours}, {ID: sales}, {ID: stitch}, {ID: gate, HeldOut: true}}
}

// Choose gives every spec of difficulty 5 that names no scenario the hard program.
func (Family) Choose(difficulty int, _ int64, _ string) string {
	if difficulty == files.MaxDifficulty {
		return hours
	}
	return ""
}

// Complexity declares deeper dependencies, and that nothing can be told without running.
func (Family) Complexity(difficulty int) files.ComplexityProfile {
	p := files.BaseComplexity(difficulty)
	p.DependencyDepth = [...]int{2, 2, 3, 3, 4}[difficulty-1]
	p.ExecutionRequired = true
	return p
}

// Generate draws a workspace.
func (Family) Generate(r *files.Request) (*files.Draft, error) {
	stories := map[string]func(*files.Request) (*story, error){hours: teamHours, sales: salesTable, stitch: fragments, gate: qualityGate}
	f := stories[r.Scenario]
	if r.Scenario == hours && r.Difficulty == files.MaxDifficulty {
		f = program
	}
	s, err := f(r)
	if err != nil {
		return nil, err
	}
	return s.draft(r)
}
