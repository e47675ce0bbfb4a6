package wealth

import (
	"context"
	"fmt"

	"benchwright/grader"
)

// OutcomeRule demands an outcome and its policy code.
type OutcomeRule struct {
	Outcome string `json:"outcome"`
	Policy  string `json:"policy_code"`
}

// Outcome demands an outcome and the policy code that goes with it.
func Outcome(outcome, policy string) grader.Check {
	return grader.Check{Rule: &OutcomeRule{outcome, policy}}
}

// Name implements grader.Rule.
func (*OutcomeRule) Name() string { return "wealth.outcome" }

// Codes implements grader.Rule.
func (*OutcomeRule) Codes() []string { return []string{"wrong_outcome", "wrong_policy"} }

// Graded implements grader.Grounder.
func (r *OutcomeRule) Graded() []string { return []string{r.Outcome, r.Policy} }

func (r *OutcomeRule) String() string {
	return fmt.Sprintf("the outcome is %q under policy %q", r.Outcome, r.Policy)
}

// Grade implements grader.Rule.
func (r *OutcomeRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	res, err := resultOf(ev)
	if err != nil {
		return nil, err
	}
	var out []grader.Finding
	if f, ok := differs("wrong_outcome", "outcome", r.Outcome, res["outcome"]); ok {
		out = append(out, f)
	}
	if f, ok := differs("wrong_policy", "policy_code", r.Policy, res["policy_code"]); ok {
		out = append(out, f)
	}
	return out, nil
}
