// Package retrieval generates workspaces in which something has to be brought up to date from
// local documents: a configuration, a plan, a report, or the code of a client.
//
// Every graded leaf stands in a visible document, and where two documents differ a visible rule
// says which of them holds: up to difficulty 4 the outdated one says itself what replaced it, at 5
// every document carries the tag of a bundle of evidence, and changelog/evidence_index.md and
// docs/evidence_precedence.md say what the tags mean. From difficulty 4 on an outdated source is
// always there. What one gets who believes it, or who leaves out one of the documents, is among
// the instance's near misses and differs from the reference.
//
// Package solve answers from visible documents alone.
//
// # What evaluators find
//
// hidden/evaluator_config.json says by its kind what is graded. Of kind "leaves": the JSON document
// at output_path, against the hidden file that expected names, leaf by leaf. Of kind "function": the
// function of a Python module, called once for each of the cases of the hidden file that cases
// names. A case has an id, a capability, the input of the call, the contract that stands at
// contract_path while it runs (absent: that of the workspace) and what is expected: of the
// dictionary that is returned only those keys are compared. A capability is the share of its cases
// that hold; the weights, in thousandths, are of capabilities. An artifact is one more file, worth
// its capability when it equals its expected file. The calls report what the module returned and
// nothing more, so a process that knows the inputs alone can make them; comparing is for one that
// no code of an agent's runs in.
package retrieval

import "benchwright/sim/files"

// Family is the family "retrieval_workspace".
type Family struct{}

// Scenarios of the family, in pool order.
const (
	service   = "service_config_reconciliation"
	migration = "migration_plan_bundle"
	incident  = "incident_report_bundle"
	adapter   = "client_adapter_sync"
	agreement = "client_adapter_policy_sync"
	versioned = "versioned_client_migration"
)

// Keys of the evaluators.
const (
	LeavesEvaluator  = "retrieval_workspace:Leaves"  // one JSON document, compared leaf by leaf
	AdapterEvaluator = "retrieval_workspace:Adapter" // a Python function, called on hidden responses
)

// Name is "retrieval_workspace".
func (Family) Name() string { return "retrieval_workspace" }

// Scenarios lists the three documents and the clients.
func (Family) Scenarios() []files.Scenario {
	return []files.Scenario{
		{ID: service}, {ID: migration}, {ID: incident}, {ID: adapter, HeldOut: true},
		{ID: agreement, Only: []int{5}}, {ID: versioned, Only: []int{5}},
	}
}

// Choose gives a spec of difficulty 5 that names no scenario a client, by the last digit of its
// seed.
func (Family) Choose(difficulty int, seed int64, _ string) string {
	switch letter := profile(seed); {
	case difficulty < 5:
		return ""
	case letter == "d5_a":
		return adapter
	case letter == "d5_b":
		return agreement
	}
	return versioned
}

// profile is how hard an instance of difficulty 5 is.
func profile(seed int64) string {
	switch n := seed % 10; {
	case n < 2:
		return "d5_a"
	case n < 7:
		return "d5_b"
	}
	return "d5_c"
}

// Complexity declares more files and distractors than other families and less to run.
func (Family) Complexity(difficulty int) files.ComplexityProfile {
	p := files.BaseComplexity(difficulty)
	p.FileCount = [...]int{4, 5, 6, 7, 9}[difficulty-1]
	p.DistractorCount = [...]int{0, 1, 2, 3, 4}[difficulty-1]
	p.BugSubtlety = [...]int{0, 0, 1, 1, 1}[difficulty-1]
	p.ExecutionRequired = difficulty >= 4
	return p
}

// Generate draws a workspace.
func (Family) Generate(r *files.Request) (*files.Draft, error) {
	switch r.Scenario {
	case service:
		return serviceConfig(r).draft(r)
	case migration:
		return migrationPlan(r).draft(r)
	case incident:
		return incidentReport(r).draft(r)
	case adapter:
		return simpleAdapter(r)
	}
	return contractAdapter(r)
}
