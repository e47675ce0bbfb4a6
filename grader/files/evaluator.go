package files

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"benchwright/grader"
	world "benchwright/sim/files"
	"benchwright/sim/files/composite"
	"benchwright/sim/files/pipeline"
	"benchwright/sim/files/repair"
	"benchwright/sim/files/retrieval"
	"benchwright/sim/files/tabular"
)

// An Evaluator scores the workspaces of some instances. Its methods may be called concurrently, and
// depend on their arguments alone.
type Evaluator interface {
	// Labels lists the failure labels that it can give workspaces of an instance.
	Labels(in *world.Instance) []string
	// Runs reports whether it runs code of the workspace.
	Runs(in *world.Instance) bool
	// Evaluate scores the plain files that were left. Whatever an agent can leave has a result, of which
	// a score below 1 has a failure label; success follows from both. An error is the measurement's
	// own. run is nil where no code can be run, and then also where Runs
	// says that none is.
	Evaluate(ctx context.Context, in *world.Instance, left world.Tree, run Observer) (Result, error)
}

// Evaluators are the evaluators of a program, by the key that manifests name them by.
type Evaluators map[string]Evaluator

// ours are the evaluators of the built-in families.
func ours() Evaluators {
	return Evaluators{
		tabular.RowsEvaluator:        rowsArtifact{},
		tabular.ProgramEvaluator:     sheetEvaluator{programExam{}},
		retrieval.LeavesEvaluator:    leavesArtifact{},
		retrieval.AdapterEvaluator:   sheetEvaluator{adapterExam{}},
		repair.Evaluator:             sheetEvaluator{testsExam{}},
		pipeline.RowsEvaluator:       sheetEvaluator{rowsExam{}},
		pipeline.CapabilityEvaluator: sheetEvaluator{capabilityExam{}},
		composite.Evaluator:          sheetEvaluator{capabilityExam{}},
	}
}

// find returns the evaluator of an instance: that of its key, or, for an instance of others, the
// one of its family that its hidden files fit.
func (es Evaluators) find(in *world.Instance) (Evaluator, error) {
	if e := es[in.Manifest.Evaluator]; e != nil {
		return e, nil
	}
	key := ""
	switch c := readConfig(in); in.Manifest.Family {
	case "tabular":
		key = tabular.RowsEvaluator
		if c.Kind == "program" {
			key = tabular.ProgramEvaluator
		}
	case "retrieval_workspace":
		key = retrieval.LeavesEvaluator
		if c.Kind == "function" {
			key = retrieval.AdapterEvaluator
		} else if _, ok := in.Hidden["expected_output.json"]; !ok {
			return nil, untrusted(in)
		}
	case "pipeline":
		key = pipeline.RowsEvaluator
		if len(c.Weights) > 0 {
			key = pipeline.CapabilityEvaluator
		}
	case "script_repair":
		key = repair.Evaluator
	case "composite_workspace":
		key = composite.Evaluator
	}
	if e := es[key]; e != nil {
		return e, nil
	}
	return nil, fmt.Errorf("there is no evaluator %q, and none for family %q%s", clip(in.Manifest.Evaluator), clip(in.Manifest.Family),
		grader.Suggest(in.Manifest.Evaluator, slices.Collect(maps.Keys(es))))
}

// untrusted refuses an instance whose grader is a script that prints its own verdict.
func untrusted(in *world.Instance) error {
	return fmt.Errorf("%s: its hidden script prints the verdict in a process that runs the agent's code, and nothing that it prints can be believed; give hidden/cases.json and hidden/expected_checks.json, of which package exam tells", clip(in.Manifest.EnvID))
}
