package grader

import (
	"context"
	"errors"
	"fmt"
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
// The order of rules: a check that cannot be evaluated makes the verdict broken; else one that
// skips makes it skipped; else any finding makes it failed. Without a single applicable check
// the verdict is broken: a task that demands nothing measures nothing. The score is the share
// of applicable checks that held; it is 0 when the agent neither called nor answered anything.
func Grade(ctx context.Context, checks []Check, e Evidencer) Verdict {
	v := Verdict{Outcome: Passed, Results: make([]Result, 0, len(checks))}
	held, applicable, active := 0, 0, false
	var broken, skipped *Result
	for _, c := range checks {
		r := Result{Check: c.String(), Rule: c.Rule.Name(), Source: c.Source, State: Held}
		ev, err := e.Evidence(c.Ask)
		if err == nil {
			active = active || len(ev.Trace) > 0 || ev.Answer != nil
			r.Findings, err = c.grade(ctx, ev)
		}
		var skip SkipError
		switch {
		case errors.Is(err, NotApplicable):
			r.State, r.Findings = Unasked, nil
		case errors.As(err, &skip):
			r.State, r.Findings, r.Detail = SkippedRule, nil, skip.Reason
		case err != nil:
			r.State, r.Findings, r.Detail = BrokenRule, nil, err.Error()
			if broken == nil {
				v.Layer = LayerGrader
				var b BrokenError
				if errors.As(err, &b) {
					v.Layer = b.Layer
				}
			}
		case len(r.Findings) > 0:
			r.State = Unmet
			applicable++
		default:
			held++
			applicable++
		}
		v.Results = append(v.Results, r)
		switch last := &v.Results[len(v.Results)-1]; {
		case r.State == BrokenRule && broken == nil:
			broken = last
		case r.State == SkippedRule && skipped == nil:
			skipped = last
		}
	}
	switch {
	case broken != nil:
		v.Outcome, v.Reason = Broken, fmt.Sprintf("check %q could not be evaluated: %s", broken.Check, broken.Detail)
	case skipped != nil:
		v.Outcome, v.Reason = Skipped, skipped.Detail
	case applicable == 0:
		v.Outcome, v.Layer, v.Reason = Broken, LayerFixture, "no check applies to this episode"
	case held < applicable:
		v.Outcome = Failed
	}
	if applicable > 0 && active {
		v.Score = float64(held) / float64(applicable)
	}
	return v
}

// Version names the way of grading. It changes when a verdict could change on the same evidence.
const Version = "1"
