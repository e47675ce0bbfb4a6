package scorer_test

import (
	"fmt"
	"os"

	"benchwright/grader/wealth/scorer"
)

// The instrument checks itself: known-correct records pass.
func ExampleScore() {
	predictions, _ := os.ReadFile("testdata/oracle-contracts.jsonl")
	cases, _ := os.ReadFile("testdata/cases.json")
	report, err := scorer.Score(predictions, cases, "")
	fmt.Println(report.Passed, "of", report.Attempted, report.RunKind, err)
	// Output: 24 of 24 oracle <nil>
}
