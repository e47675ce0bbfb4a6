package gates_test

import (
	"context"
	"fmt"

	"benchwright/grader"
	"benchwright/grader/gates"
)

func ExampleCertify() {
	task := sound()
	task.Rubric.Checks = append(task.Rubric.Checks, grader.Check{
		Rule:   &lazy{},
		Source: grader.Source{File: "features/ledger.feature", Line: 15, Text: "And all is well"},
	})
	c := gates.Certify(context.Background(), ledgerKit(), task, gates.Options{Seed: 1})
	fmt.Println(c.Held())
	for _, p := range c.Problems() {
		fmt.Println(p)
	}
	// Output:
	// false
	// features/ledger.feature:15: check "And all is well" is dead: none of 50 mutants of the reference fails it and passes the checks before it; make it demand something, or add a near miss
}
