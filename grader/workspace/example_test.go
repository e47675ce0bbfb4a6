package workspace_test

import (
	"fmt"

	"benchwright/grader"
	"benchwright/grader/workspace"
	"benchwright/sim"
)

// An episode is whatever can show its evidence.
type episode string

func (e episode) Evidence(int) (grader.Evidence, error) {
	return grader.Evidence{Final: sim.RawState(e)}, nil
}

const desk = episode(`{"dashboards":[{"dashboard_id":"dash_001","name":"Breach Review"}],"workspace_state":{"current_dashboard_uuid":"dash_001"},` +
	`"dashboard_compositions":{"dash_001":{"dashboard_id":"dash_001","name":"Breach Review","widgets":[` +
	`{"widget_uuid":"w_b2b","origin":"Compliance Hub","widget_id":"policy_breaches","data_args":{"severity":"High","status":"Closed"},"layout":{"x":0,"y":0,"w":20,"h":14}}]}}}`)

func ExampleHoldWidget() {
	open := workspace.HoldWidget("Compliance Hub", "policy_breaches", map[string]any{"severity": "High", "status": "Open"})
	ok, err := open.Match(desk)
	fmt.Println(ok, err)
	fmt.Println(open.FailureMessage(desk))
	// Output:
	// false <nil>
	// Expected the episode to hold
	//     there is widget "policy_breaches" of "Compliance Hub" with {"severity":"High","status":"Open"}
	// but found
	//     misconfigured_widget: dashboard "Breach Review": want widget "policy_breaches" of "Compliance Hub"; those there are
	//       w_b2b: status: want "Open", got "Closed"
}

func ExampleWithinGrid() {
	ok, err := workspace.WithinGrid().Match(desk)
	fmt.Println(ok, err)
	// Output: true <nil>
}
