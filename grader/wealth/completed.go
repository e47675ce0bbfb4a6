package wealth

import (
	"context"

	"benchwright/grader"
)

// CompletedRule demands that the episode ended with a final decision.
type CompletedRule struct{}

// Completed demands that the episode ended with a final decision. Otherwise the finding is
// runtime:<code>, with the code of what ended it instead.
func Completed() grader.Check { return grader.Check{Rule: &CompletedRule{}} }

// endNoAnswer is the code of an episode that is said to be done and left no answer.
const endNoAnswer = "no_answer"

// Name implements grader.Rule.
func (*CompletedRule) Name() string { return "wealth.completed" }

// Codes implements grader.Rule.
func (*CompletedRule) Codes() []string { return []string{"runtime:*"} }

// Graded implements grader.Grounder: an agent has nothing to find for it.
func (*CompletedRule) Graded() []string { return nil }

func (*CompletedRule) String() string { return "a final decision is given" }

// Grade implements grader.Rule.
func (*CompletedRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	code := ev.End.Code
	switch {
	case decided(ev):
		return nil, nil
	case ev.End.Finished():
		code = endNoAnswer
	}
	f := grader.Finding{Code: "runtime:" + clean(code), Type: grader.ContractType, Message: "the case ended without a final decision", Want: grader.EndDone, Got: clean(code)}
	if ev.End.Detail != "" {
		f.Message += ": " + plain(ev.End.Detail)
	}
	switch code {
	case grader.EndTurns, grader.EndWall, grader.EndTokens, grader.EndInvalid, grader.EndTruncated, grader.EndContext:
		f.Type = grader.BudgetType
	}
	return []grader.Finding{f}, nil
}

// decided reports whether there is a decision that can be graded.
func decided(ev grader.Evidence) bool { return ev.End.Finished() && ev.Answer != nil }
