package grader

import (
	"context"
	"fmt"
	"math"
)

// An Outcome is what became of an episode: exactly one of four.
type Outcome string

// The outcomes. Failed is the agent's doing, broken the measurement's.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Broken  Outcome = "broken"
	Skipped Outcome = "skipped"
)

// A Layer is the part of the measurement that broke.
type Layer string

// The layers.
const (
	LayerProvider      Layer = "provider"
	LayerAdapter       Layer = "adapter"
	LayerContext       Layer = "context"
	LayerToolRuntime   Layer = "tool_runtime"
	LayerGrader        Layer = "grader"
	LayerJudge         Layer = "judge"
	LayerFixture       Layer = "fixture"
	LayerAccounting    Layer = "accounting"
	LayerOrchestration Layer = "orchestration"
)

// A Result is what one check had to say.
type Result struct {
	Check    string    `json:"check"` // what it demands
	Rule     string    `json:"rule"`
	Source   Source    `json:"source,omitzero"`
	State    string    `json:"state"` // held, failed, not_applicable, skipped, broken
	Detail   string    `json:"detail,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
	Tally    []Tally   `json:"tally,omitempty"` // of a rule that counts its parts
}

// The states of a Result.
const (
	Held        = "held"
	Unmet       = "failed"
	Unasked     = "not_applicable"
	SkippedRule = "skipped"
	BrokenRule  = "broken"
)

// A Verdict is the grading of one episode.
type Verdict struct {
	Outcome Outcome  `json:"outcome"`
	Layer   Layer    `json:"layer,omitempty"`  // of a broken one
	Reason  string   `json:"reason,omitempty"` // why broken or skipped
	Score   float64  `json:"score"`            // held ÷ applicable, 0..1
	Results []Result `json:"results"`
}

// Findings returns every finding, in the order of the checks.
func (v Verdict) Findings() []Finding {
	var out []Finding
	for _, r := range v.Results {
		out = append(out, r.Findings...)
	}
	return out
}

// Codes returns the codes of all findings, in order, each once.
func (v Verdict) Codes() []string {
	var out []string
	seen := map[string]bool{}
	for _, f := range v.Findings() {
		if !seen[f.Code] {
			seen[f.Code] = true
			out = append(out, f.Code)
		}
	}
	return out
}

// Grade evaluates every check on what the episode left behind.
//
// The order of rules: a check that cannot be evaluated makes the verdict broken; else any
// finding makes it failed; else a check that skips makes it skipped, so that no skip hides what
// is wrong. Where an episode ended at a gate that a skipped check kept closed, nothing could be
// done behind it and nothing there counts as wrong. When no check at all applies, the verdict is
// failed by a finding of its own, [NothingToGrade]: to give the rules nothing is the agent's
// doing. Without checks it is broken: a task that demands nothing measures nothing. The score is
// the share of applicable checks that held; it is 0 when the agent neither called nor answered
// anything.
//
// A rule that takes longer than [Patience], or than it asks for as a [Patient] one, or does not
// end soon after ctx has ended, is stuck: the check is broken and its goroutine is left behind.
func Grade(ctx context.Context, checks []Check, e Evidencer) Verdict {
	v := Verdict{Outcome: Passed, Results: make([]Result, 0, len(checks)+1)}
	held, applicable, active, failed := 0, 0, false, false
	var broken, skipped *Result
	all := evaluate(ctx, checks, e)
	last := judgedGate(checks, all)
	for i, g := range all {
		active = active || g.active
		v.Results = append(v.Results, g.Result)
		switch r := &v.Results[i]; g.State {
		case Held:
			held++
			applicable++
		case Unmet:
			applicable++
			failed = failed || checks[i].Ask <= last
		case BrokenRule:
			if broken == nil {
				broken, v.Layer = r, g.layer
			}
		case SkippedRule:
			if skipped == nil {
				skipped = r
			}
		}
	}
	switch {
	case broken != nil:
		v.Outcome, v.Reason = Broken, fmt.Sprintf("check %q could not be evaluated: %s", broken.Check, broken.Detail)
	case len(checks) == 0:
		v.Outcome, v.Layer, v.Reason = Broken, LayerFixture, "there is no check"
	case failed:
		v.Outcome = Failed
	case skipped != nil:
		v.Outcome, v.Reason = Skipped, skipped.Detail
	case applicable == 0:
		v.Outcome = Failed
		v.Results = append(v.Results, nothing(len(checks)))
	}
	if applicable > 0 && active {
		v.Score = float64(held) / float64(applicable)
	}
	return v
}

// judgedGate returns the last ask of which something could be demanded: that of the first
// skipped check where the episode ended at a gate, else any.
func judgedGate(checks []Check, all []graded) int {
	last := math.MaxInt
	for i, g := range all {
		if g.State == SkippedRule && g.end == EndGate {
			last = min(last, checks[i].Ask)
		}
	}
	return last
}

// NothingToGrade is the code of an episode to which no check applies.
const NothingToGrade = "nothing_to_grade"

func nothing(checks int) Result {
	f := Finding{Code: NothingToGrade, Type: ContractType, Message: fmt.Sprintf("what the agent left behind gives none of the %d checks anything to grade", checks)}
	if checks == 1 {
		f.Message = "what the agent left behind gives the check nothing to grade"
	}
	return Result{Check: "there is something to grade", Rule: "applicable", State: Unmet, Findings: []Finding{f}}
}

// Version names the way of grading. It changes when a verdict could change on the same evidence.
const Version = "2"
