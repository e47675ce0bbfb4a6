package reports

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"benchwright/agent"
	"benchwright/grader"
)

var outcomes = []grader.Outcome{grader.Passed, grader.Failed, grader.Broken, grader.Skipped}

var states = []string{grader.Held, grader.Unmet, grader.Unasked, grader.SkippedRule, grader.BrokenRule}

var kinds = []string{KindCertification, KindModel, KindReference, KindNoop, KindRandom, KindReplay, KindExternal}

// maxCount bounds what counts requests or trials, so that sums over any bundle stay true.
const maxCount = 1 << 30

// check looks at what a record says of itself: words that there are, numbers within their ranges,
// and an outcome that its verdict bears out. Bundle.Write keeps to it, and Reader.Record demands
// it: a record is the truth only where it can be one.
func (r *Record) check() error {
	if !slices.Contains(outcomes, r.Outcome) {
		return fmt.Errorf("outcome %q: want one of %s", Clean(string(r.Outcome), 60), list(outcomes))
	}
	if (r.Layer != "" || r.Outcome == grader.Broken) && !slices.Contains(layers, string(r.Layer)) {
		return fmt.Errorf("layer %q of a %s episode: want one of %s", Clean(string(r.Layer), 60), r.Outcome, strings.Join(layers, ", "))
	}
	if err := r.checkVerdict(); err != nil {
		return err
	}
	if !withinOne(r.Score) {
		return fmt.Errorf("score %v: want 0 to 1", r.Score)
	}
	if f := r.Floor; f != nil && !withinOne(*f) {
		return fmt.Errorf("floor %v: want 0 to 1", *f)
	}
	if r.Cost != "" && amount(r.Cost) == nil || strings.HasPrefix(string(r.Cost), "-") {
		return fmt.Errorf("cost %q: want a decimal number of 0 or more", Clean(string(r.Cost), 60))
	}
	if err := checkUsage(r.Usage); err != nil {
		return err
	}
	for _, n := range []struct {
		name string
		n    int64
	}{
		{"budget_tokens", r.Budget}, {"wall_ns", int64(r.Wall)}, {"queued_ns", int64(r.Queued)}, {"source: line", int64(r.Source.Line)}, {"pid", int64(r.Pid)},
	} {
		if n.n < 0 {
			return fmt.Errorf("%s %d: want 0 or more", n.name, n.n)
		}
	}
	for i, t := range r.Turns {
		if err := checkUsage(t.Usage); err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
		if t.Ask < 0 {
			return fmt.Errorf("turn %d: ask %d: asks count from 0", i+1, t.Ask)
		}
	}
	for i, e := range r.Trace {
		if e.Ask < 0 || e.Turn < 0 {
			return fmt.Errorf("call %d: ask %d, turn %d: want 0 or more", i+1, e.Ask, e.Turn)
		}
	}
	return nil
}

// checkVerdict compares the outcome with the verdict. An episode that broke or was skipped may
// have been graded before.
func (r *Record) checkVerdict() error {
	v := r.Verdict
	if v.Outcome == "" && v.Results == nil {
		return nil
	}
	if !slices.Contains(outcomes, v.Outcome) {
		return fmt.Errorf("verdict: outcome %q: want one of %s", Clean(string(v.Outcome), 60), list(outcomes))
	}
	if v.Layer != "" && !slices.Contains(layers, string(v.Layer)) {
		return fmt.Errorf("verdict: layer %q: want one of %s", Clean(string(v.Layer), 60), strings.Join(layers, ", "))
	}
	if !withinOne(v.Score) {
		return fmt.Errorf("verdict: score %v: want 0 to 1", v.Score)
	}
	valid := r.Outcome == grader.Passed || r.Outcome == grader.Failed
	if valid && v.Outcome != r.Outcome {
		return fmt.Errorf("outcome %s: the verdict says %s", r.Outcome, v.Outcome)
	}
	for i, res := range v.Results {
		switch {
		case !slices.Contains(states, res.State):
			return fmt.Errorf("verdict: check %d: state %q: want one of %s", i+1, Clean(res.State, 60), strings.Join(states, ", "))
		case r.Outcome == grader.Passed && (res.State == grader.Unmet || res.State == grader.BrokenRule):
			return fmt.Errorf("outcome %s: check %d of the verdict is %s", r.Outcome, i+1, res.State)
		}
	}
	return nil
}

func checkUsage(u agent.Usage) error {
	for _, n := range []struct {
		name string
		n    int
	}{{"requests", u.Requests}, {"attempts", u.Attempts}} {
		if n.n < 0 || n.n > maxCount {
			return fmt.Errorf("usage: %s %d: want 0 to %d", n.name, n.n, maxCount)
		}
	}
	for _, n := range []struct {
		name string
		n    *int64
	}{{"input", u.Input}, {"cached_input", u.Cached}, {"output", u.Output}, {"reasoning", u.Reasoning}} {
		if n.n != nil && *n.n < 0 {
			return fmt.Errorf("usage: %s %d: want 0 or more, or null where it is not known", n.name, *n.n)
		}
	}
	return nil
}

// check looks at what a run says of itself.
func (r Run) check() error {
	if !slices.Contains(kinds, r.Kind) {
		return fmt.Errorf("kind %q: want one of %s", Clean(r.Kind, 60), strings.Join(kinds, ", "))
	}
	if r.Trials < 1 || r.Trials > maxCount {
		return fmt.Errorf("trials %d: want 1 to %d", r.Trials, maxCount)
	}
	for i, t := range r.Tasks {
		if err := t.ID.Valid(); err != nil {
			return fmt.Errorf("selected task %d: %w", i+1, err)
		}
		if t.Trials < 0 || t.Trials > maxCount {
			return fmt.Errorf("selected task %s: trials %d: want 0 to %d", t.ID, t.Trials, maxCount)
		}
	}
	return nil
}

func withinOne(x float64) bool { return x >= 0 && x <= 1 && !math.IsNaN(x) }

func list(words []grader.Outcome) string {
	var out []string
	for _, w := range words {
		out = append(out, string(w))
	}
	return strings.Join(out, ", ")
}

// recordParts are the parts of a record that count, below it.
var recordParts = []string{"verdict", "results", "findings", "usage", "end", "source", "certificate", "gates"}

// checkSpelling refuses keys with capitals where a record has names of its own: decoding takes
// them in any case, and other readers do not, so that a second spelling of a key would be read
// differently.
func checkSpelling(v any) error {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if err := checkSpelling(e); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if strings.ToLower(k) != k {
				return fmt.Errorf("unknown field %q", Clean(k, 60))
			}
			if slices.Contains(recordParts, k) {
				if err := checkSpelling(v[k]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
