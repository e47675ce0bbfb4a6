package files

import (
	"context"
	"errors"
	"maps"
	"regexp"
	"slices"

	"benchwright/grader"
	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
)

// Failure labels of code.
const (
	TimedOut       = "timeout"
	RunFailed      = "execution_failed"
	ImportFailed   = "import_or_execution_failed"
	TargetMissing  = "target_missing"
	TestsFailed    = "hidden_tests_failed"
	Unreproducible = "nondeterministic_output"
	OtherFailed    = "hidden_cases_failed" // of a case that no weight counts
)

// An examination says what is run of an instance, and what follows from what was seen.
type examination interface {
	// sheet is what is to be run. It is nil, with a result, where there is nothing to run.
	sheet(in *world.Instance, left world.Tree) (*exam.Sheet, *Result, error)
	// judge scores what was seen.
	judge(in *world.Instance, s *exam.Sheet, left world.Tree, runs []exam.Run) (Result, error)
	// again reports whether it matters, after what the first start saw, if a second run sees the same.
	again(s *exam.Sheet, first exam.Run) bool
	// labels lists those that judge and sheet can give.
	labels(in *world.Instance) []string
}

// A sheetEvaluator runs an examination.
type sheetEvaluator struct{ examination }

func (e sheetEvaluator) Labels(in *world.Instance) []string {
	list := e.labels(in)
	slices.Sort(list)
	return slices.Compact(list)
}

func (sheetEvaluator) Runs(*world.Instance) bool { return true }

var errNoMachine = errors.New("there is no machine to run the code of the workspace")

func (e sheetEvaluator) Evaluate(ctx context.Context, in *world.Instance, left world.Tree, run Observer) (Result, error) {
	s, r, err := e.sheet(in, left)
	switch {
	case err != nil:
		return Result{}, err
	case r != nil:
		return *r, nil
	case run == nil:
		return Result{}, grader.BrokenError{Layer: grader.LayerToolRuntime, Err: errNoMachine}
	}
	seen, err := run(ctx, s, func(first exam.Run) bool { return e.again(s, first) }, left)
	if err != nil {
		return Result{}, err
	}
	return e.judge(in, s, left, seen[0])
}

// observed returns what was seen of a case in the first run.
func observed(runs []exam.Run, id string) exam.Observation {
	if len(runs) == 0 {
		return exam.Observation{}
	}
	return runs[0][id]
}

// addresses in memory are others at every run.
var addresses = regexp.MustCompile("0x[0-9a-f]{6,}")

const shownSaid = 1000 // bytes of what a case printed

// story tells of a case that did not end well, for diagnostics.
func story(o exam.Observation) map[string]any {
	state := o.State
	if state == "" {
		state = "not observed"
	}
	d := map[string]any{"state": state}
	if said := addresses.ReplaceAllString(o.Said, "0x…"); said != "" {
		d["output"] = said[max(0, len(said)-shownSaid):] // the end tells most
	}
	if o.Exit != nil {
		d["returncode"] = *o.Exit
	}
	return d
}

// halted returns the label of code none of whose cases ended well, or "".
func halted(s *exam.Sheet, runs []exam.Run, otherwise string) (label string, first exam.Observation) {
	for i, c := range s.Cases {
		o := observed(runs, c.ID)
		if o.State == "ok" {
			return "", o
		}
		if i == 0 {
			first, label = o, otherwise
		}
		if o.State == "timeout" {
			label = TimedOut
		}
	}
	return label, first
}

// weighted is the mean of capabilities by their weights, of which each is a share within 0 and 1.
func weighted(weights, shares map[string]float64) float64 {
	sum, total := 0.0, 0.0
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		w := max(0, weights[name])
		total += w
		sum += w * min(1, max(0, shares[name]))
	}
	if total == 0 {
		return 0
	}
	return sum / total
}

// whole reports whether every capability that counts is whole, which a sum of fractions does not
// say.
func whole(weights, shares map[string]float64) bool {
	for name, w := range weights {
		if w > 0 && shares[name] < 1 {
			return false
		}
	}
	return len(weights) > 0
}

// halting is the score of code that is there and does not run.
const halting = 0.05

// almost is the most that a workspace gets which is right in all that is weighed, and wrong in what
// is not.
const almost = 0.9

// conclude settles a score by capabilities: what fails is named, and it is 1 only when all holds.
// Code that runs is never worth less than code that does not.
func (r *Result) conclude(weights, shares map[string]float64, all bool) {
	r.Score = max(halting, weighted(weights, shares))
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		r.Subscores["capability_"+name] = shares[name]
		if shares[name] < 1 && weights[name] > 0 {
			r.fail(failed(name))
		}
	}
	switch {
	case all && whole(weights, shares):
		r.Score = 1
	case !all && len(r.FailureLabels) == 0:
		r.fail(OtherFailed)
		r.Score = min(r.Score, almost)
	}
	if !all {
		r.Score = min(r.Score, 1-1/million)
	}
}
