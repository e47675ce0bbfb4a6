package gates

import (
	"slices"

	"benchwright/grader"
	"benchwright/tasks"
)

// A Gate is the name of a proof.
type Gate string

// The gates, in the order in which they stand in a certificate.
const (
	Reference     Gate = "reference"
	Noop          Gate = "noop"
	Live          Gate = "live"
	NearMisses    Gate = "near_misses"
	Grounded      Gate = "grounded"
	Sealed        Gate = "sealed"
	WithinBudget  Gate = "within_budget"
	Deterministic Gate = "deterministic"
	Distinct      Gate = "distinct"
)

// All returns every gate, in order.
func All() []Gate {
	return []Gate{Reference, Noop, Live, NearMisses, Grounded, Sealed, WithinBudget, Deterministic, Distinct}
}

// A State is what became of a proof.
type State string

// The states of a proof.
const (
	Held    State = "held"
	Failed  State = "failed"
	Skipped State = "skipped" // it could not be tried here; the note says why
)

// A Problem is one thing that is wrong with a task: where, what, and what to do.
type Problem struct {
	Source grader.Source `json:"source,omitzero"`
	Text   string        `json:"text"`
}

// String returns the problem with its place before it, if it has one.
func (p Problem) String() string {
	if at := p.Source.String(); at != "" {
		return at + ": " + p.Text
	}
	return p.Text
}

// A Result is the outcome of one gate.
type Result struct {
	Gate     Gate      `json:"gate"`
	State    State     `json:"state"`
	Nothing  bool      `json:"nothing,omitempty"` // held because there was nothing to prove
	Note     string    `json:"note,omitempty"`    // for people: slack, counts, why skipped
	Problems []Problem `json:"problems,omitempty"`
}

// A Certificate is what the gates say of one task. It is plain data.
type Certificate struct {
	Task       tasks.ID     `json:"task"`
	TaskDigest tasks.Digest `json:"task_digest"`
	Setup      tasks.Digest `json:"setup_digest"` // of the world before anybody acts; equal for equal worlds
	Seed       int64        `json:"seed"`
	Protocol   string       `json:"protocol"`
	Source     tasks.Source `json:"source,omitzero"`  // where the task was written, without its steps
	Floor      float64      `json:"floor"`            // the score of doing nothing
	Mutants    int          `json:"mutants"`          // spoiled outcomes that were graded
	Judged     int          `json:"judged,omitempty"` // checks that skip on the reference; without any, no episode has a reason to be skipped
	Gates      []Result     `json:"gates"`
}

// Held reports whether every gate held.
func (c Certificate) Held() bool {
	return len(c.Gates) > 0 && !slices.ContainsFunc(c.Gates, func(r Result) bool { return r.State != Held })
}

// Skipped reports whether the certification could not be completed here although nothing was
// found to be wrong: no gate failed and at least one was skipped.
func (c Certificate) Skipped() bool {
	skipped := false
	for _, r := range c.Gates {
		if r.State == Failed {
			return false
		}
		skipped = skipped || r.State == Skipped
	}
	return skipped
}

// Gate returns the result of a gate. A gate that the certificate lacks is skipped.
func (c Certificate) Gate(g Gate) Result {
	for _, r := range c.Gates {
		if r.Gate == g {
			return r
		}
	}
	return Result{Gate: g, State: Skipped, Note: "not tried"}
}

// Problems returns the problems of all gates, in order.
func (c Certificate) Problems() []Problem {
	var out []Problem
	for _, r := range c.Gates {
		out = append(out, r.Problems...)
	}
	return out
}
