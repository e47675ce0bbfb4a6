package files

import (
	"errors"
	"maps"
	"math"
	"slices"

	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
)

// capabilityExam grades by capabilities.
type capabilityExam struct{ weighs }

func (capabilityExam) sheet(in *world.Instance, _ world.Tree) (*exam.Sheet, *Result, error) {
	s, err := parseSheet(in)
	if err == nil && len(readConfig(in).Weights) == 0 {
		err = errors.New("hidden/" + configName + ": there are no weights")
	}
	return s, nil, err
}

func (capabilityExam) labels(in *world.Instance) []string {
	c := readConfig(in)
	list := []string{TimedOut, ImportFailed, OtherFailed}
	for name := range c.Weights {
		list = append(list, failed(name))
	}
	for _, test := range c.Required {
		list = append(list, failed(test))
	}
	return list
}

// hardest are the capabilities whose mean weighs a hard pipeline down.
var hardest = []string{"normalisation", "dedup", "filtering", "aggregation", "ordering"}

const hardestPower = 6

func (capabilityExam) judge(in *world.Instance, s *exam.Sheet, left world.Tree, runs []exam.Run) (Result, error) {
	c := readConfig(in)
	r := newResult(0)
	if label, first := halted(s, runs, ImportFailed); label != "" {
		r.halt(label, first)
		c.weigh(nil, &r)
		c.compress(in, &r)
		return r, nil
	}
	held := s.Grade(left, runs)
	shares := s.Shares(held)
	tests := s.Tests(held)
	all := !slices.Contains(slices.Collect(maps.Values(held)), false)
	r.conclude(c.Weights, shares, all)
	passed := 0
	for _, ok := range tests {
		if ok {
			passed++
		}
	}
	r.Subscores["tests_passed"], r.Subscores["tests_total"] = float64(passed), float64(len(tests))
	if !all {
		failures, cases := unmet(s, held, left, runs)
		r.Diagnostics["failures"], r.Diagnostics["cases"] = failures, cases
	}
	if err := c.limit(&r, tests); err != nil {
		return Result{}, err
	}
	c.weigh(shares, &r)
	c.compress(in, &r)
	return r, nil
}

// halt is the hard state of code that is there and does not run.
func (r *Result) halt(label string, first exam.Observation) {
	if label != TimedOut {
		r.Score = halting
	}
	r.fail(label)
	r.Diagnostics["run"] = story(first)
}

// weigh multiplies the score of a hard pipeline by what it holds of its hardest capabilities.
func (c config) weigh(shares map[string]float64, r *Result) {
	mean, hard := meanOf(hardest, c.Weights, shares)
	if hard && r.Score < 1 {
		r.Diagnostics["d5_unweighted_score"], r.Diagnostics["d5_semantic_mean"] = round(r.Score), round(mean)
		r.Score *= math.Pow(mean, hardestPower)
	}
}

// meanOf is the mean of capabilities, if all of them are weighed.
func meanOf(names []string, weights, shares map[string]float64) (float64, bool) {
	sum := 0.0
	for _, name := range names {
		if weights[name] == 0 {
			return 0, false
		}
		sum += shares[name]
	}
	return sum / float64(len(names)), true
}
