// Package tabular generates workspaces in which tables have to be turned into one exact JSON
// report, and at difficulty 5 also programs that have to do so on data they have not seen.
//
// Every scenario has traps: duplicates, three ways to write a date, names spelled twice, rows that
// do not count. A draw is kept only if mishandling any one of its traps gives another report, so
// that a report that is right has met all of them. The wrong reports are the instance's near
// misses.
//
// Up to difficulty 4 the README states inputs, operations and the output contract. At 5 it only
// says where the rules are: docs/reporting_rules.md.
//
// Package solve computes each report from visible files alone.
//
// # What evaluators find
//
// hidden/evaluator_config.json says by its kind what is graded. Of kind "rows": the JSON array at
// output_path, against the hidden file that expected names. Of kind "program": a Python program,
// run once with the arguments for each of the cases of the hidden file that cases names, where
// {input} is a folder with the case's files and {output} a path for what it writes. A case has an
// id, a capability, its files, the policy that stands at policy_path while it runs (absent: that of
// the workspace) and the rows expected. The weights, in thousandths and normalised by their sum, are
// of capabilities: those of the cases, and script_exists, execution, valid_json, schema (row_keys)
// and determinism (two runs, the same bytes). An artifact is one more file, worth its capability
// when it equals its expected file. A score that is not whole is raised to compression_exponent.
package tabular

import (
	"benchwright/sim/files"
)

// Family is the family "tabular".
type Family struct{}

// Scenarios of the family, in pool order.
const (
	monthly   = "monthly_segment_report"
	pivot     = "channel_status_pivot"
	weekly    = "weekly_refund_rollup"
	restock   = "supplier_restock_summary"
	program   = "account_event_program_synthesis"
	reconcile = "account_event_reconciliation"
)

// Keys of the evaluators.
const (
	RowsEvaluator    = "tabular:Rows"    // one JSON report, compared row by row
	ProgramEvaluator = "tabular:Program" // a program, run on hidden inputs
)

// Name is "tabular".
func (Family) Name() string { return "tabular" }

// Scenarios lists the four reports and, at difficulty 5, the two programs.
func (Family) Scenarios() []files.Scenario {
	return []files.Scenario{
		{ID: monthly}, {ID: pivot}, {ID: weekly}, {ID: restock, HeldOut: true},
		{ID: program, Only: []int{5}}, {ID: reconcile, Only: []int{5}},
	}
}

// Choose gives a spec of difficulty 5 that names no scenario one of the programs: atomic ones the
// repair of a program, compositional ones a policy to find and a program that reads it.
func (Family) Choose(difficulty int, _ int64, mode string) string {
	switch {
	case difficulty < 5:
		return ""
	case mode == files.ModeAtomic:
		return program
	}
	return reconcile
}

// Complexity declares no bugs: there is no code to repair below difficulty 5.
func (Family) Complexity(difficulty int) files.ComplexityProfile {
	p := files.BaseComplexity(difficulty)
	p.BugSubtlety = 0
	return p
}

// Generate draws a workspace.
func (Family) Generate(r *files.Request) (*files.Draft, error) {
	switch r.Scenario {
	case monthly:
		return monthlyReport(r).draft(r)
	case pivot:
		return channelPivot(r).draft(r)
	case weekly:
		return weeklyRollup(r).draft(r)
	case restock:
		return restockSummary(r).draft(r)
	}
	return accountProgram(r)
}
