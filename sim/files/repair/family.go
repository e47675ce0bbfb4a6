// Package repair generates workspaces with a small Python package that does not do what it says,
// and that has to be repaired so that it does so on data nobody has seen.
//
// What the code should do stands in its own docstrings and in the README, at every difficulty:
// difficulties differ in how many defects there are, in how much is said about where they are, and
// in what lies around them. Data, names of fields and files, settings, wording, and which of a
// scenario's defects there are vary with the seed. Every defect is one edit of the correct text.
//
// At difficulty 5 the defects form a bundle. In its compositional mode there is a stage before the
// repair: documents say which settings are in force, and the program reads the settings file that
// has to be made to agree with them.
//
// # Grading
//
// The hidden tree is that of package exam: call the functions on other arguments, run the entry
// point on other data. A test of a scenario is a check or more of the sheet; the score is the share
// of tests that pass. In evaluator_config.json, required_tests without which the score is at most
// score_cap, and d5_exponent, the power that a score below 1 is raised to, where they are there.
package repair

import "benchwright/sim/files"

// Family is the family "script_repair".
type Family struct{}

// Scenarios of the family, in pool order.
const (
	inventory  = "inventory_report"
	batch      = "path_batch"
	drift      = "csv_schema_drift"
	timestamps = "timestamp_normalization"
	roster     = "team_roster_export"
)

// Evaluator is the key of the family's evaluator.
const Evaluator = "script_repair:Tests"

// Name is "script_repair".
func (Family) Name() string { return "script_repair" }

// Scenarios lists the five programs.
func (Family) Scenarios() []files.Scenario {
	return []files.Scenario{
		{ID: inventory}, {ID: batch}, {ID: drift}, {ID: timestamps}, {ID: roster, HeldOut: true},
	}
}

// Complexity declares fewer transformations than families that have to write what is new.
func (Family) Complexity(difficulty int) files.ComplexityProfile {
	p := files.BaseComplexity(difficulty)
	p.TransformationCount = [...]int{1, 1, 2, 3, 4}[difficulty-1]
	return p
}

// Factors is transformation_count: how many defects there are.
func (Family) Factors() []string { return []string{"transformation_count"} }

// Generate draws a workspace.
func (Family) Generate(r *files.Request) (*files.Draft, error) {
	stories := map[string]func(*files.Request) (*story, error){
		inventory: inventoryReport, batch: pathBatch, drift: schemaDrift, timestamps: timestampReport, roster: rosterExport,
	}
	s, err := stories[r.Scenario](r)
	if err != nil {
		return nil, err
	}
	return s.draft(r)
}
