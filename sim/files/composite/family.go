// Package composite generates workspaces of three stages that need each other: find the contract
// that is in force, bring records to a common form by it, sum them up. Each stage reads a file that
// the one before wrote.
//
// Defects come in a fixed order, the more the harder: the steps of normalisation first, then the
// choice of the contract, then the reading of what was written. Data, names of fields, collections,
// bundles and teams, aliases, wording and decoys vary with the seed.
//
// # Grading
//
// The hidden tree is that of package exam. The sheet has eleven capabilities of equal weight, all
// observed by running stages of the entry point on data that shows one thing each, among them a
// contract with other names, and an intermediate file that was changed between two stages. In
// evaluator_config.json stand the weights and, at difficulty 5, d5_exponent, the power that a score
// below 1 is raised to.
package composite

import "benchwright/sim/files"

// Family is the family "composite_workspace".
type Family struct{}

const scenario = "retrieval_guided_pipeline_repair"

// Evaluator is the key of the family's evaluator.
const Evaluator = "composite_workspace:Capabilities"

// Name is "composite_workspace".
func (Family) Name() string { return "composite_workspace" }

// Scenarios lists the one there is.
func (Family) Scenarios() []files.Scenario { return []files.Scenario{{ID: scenario}} }

// Complexity declares more of everything than families of one stage.
func (Family) Complexity(difficulty int) files.ComplexityProfile {
	p := files.BaseComplexity(difficulty)
	p.FileCount = [...]int{7, 8, 9, 10, 12}[difficulty-1]
	p.DistractorCount = [...]int{1, 2, 2, 3, 4}[difficulty-1]
	p.DependencyDepth = [...]int{3, 3, 4, 4, 5}[difficulty-1]
	p.ReasoningHops, p.TransformationCount = 2+difficulty, 2+difficulty
	p.ExecutionRequired = true
	return p
}

// Capabilities, in the order of their publication.
var capabilities = []string{
	"execution", "contract_materialization", "alias_resolution", "active_filtering", "fractional_aggregation",
	"duplicate_resolution", "malformed_record_handling", "output_schema", "deterministic_ordering",
	"intermediate_artifact_consumption", "alternate_contract_generalization",
}

const code = "src/workspace_flow/"

// defects are in the order in which difficulties have them.
var defects = []files.Defect{
	edit("alias_bypass", "alias_resolution", "normalize.py", `contract["team_aliases"].get(team, team)`, "team"),
	edit("unsafe_active", "active_filtering", "normalize.py", `str(record.get(fields["active"], "")).strip().lower() in contract["active_values"]`, `bool(record.get(fields["active"]))`),
	edit("integer_hours", "fractional_aggregation", "normalize.py", `float(record[fields["hours"]])`, `int(float(record[fields["hours"]]))`),
	edit("oldest_duplicate", "duplicate_resolution", "normalize.py", `job["updated_at"] > known["updated_at"]`, `job["updated_at"] < known["updated_at"]`),
	edit("reverse_order", "deterministic_ordering", "aggregate.py", "for team in sorted(groups)", "for team in sorted(groups, reverse=True)"),
	edit("legacy_authority", "contract_materialization", "authority.py",
		"    pointer = load_json(root / \"release\" / \"active_bundle.json\")\n    return load_json(root / pointer[\"contract\"])\n",
		"    return load_json(root / \"docs\" / \"legacy_contract.json\")\n"),
	edit("wrong_collection", "alternate_contract_generalization", "normalize.py", `data.get(contract["collection"], [])`, `data.get("«decoy»", [])`),
	{ID: "bypass_intermediate", Capability: "intermediate_artifact_consumption", Edits: []files.Edit{
		{Path: code + "aggregate.py", Old: "from workspace_flow.io_utils import load_json, write_json\n", New: "from workspace_flow.io_utils import write_json\nfrom workspace_flow.normalize import normalized_jobs\n"},
		{Path: code + "aggregate.py", Old: `load_json(root / "artifacts" / "normalized_jobs.json")`, New: "normalized_jobs(root)"},
	}},
}

// edges say what shows only when something else is repaired: nothing of the records while they are
// read by the wrong contract, nothing of their values while it is the wrong collection.
var edges = [][2]string{
	{"legacy_authority", "wrong_collection"}, {"wrong_collection", "oldest_duplicate"}, {"oldest_duplicate", "unsafe_active"},
	{"unsafe_active", "alias_bypass"}, {"unsafe_active", "integer_hours"}, {"alias_bypass", "reverse_order"}, {"wrong_collection", "bypass_intermediate"},
}

func edit(id, capability, file, old, with string) files.Defect {
	return files.Defect{ID: id, Capability: capability, Edits: []files.Edit{{Path: code + file, Old: old, New: with}}}
}
