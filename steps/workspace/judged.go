package workspace

import (
	"context"

	"benchwright/grader"
)

// JudgedRule leaves the answer to a judge. Where no judge is at hand it ends skipped, never
// passed.
type JudgedRule struct {
	Reference string `json:"reference_answer,omitempty"` // an exemplar
}

// Name implements grader.Rule.
func (*JudgedRule) Name() string { return "judge.answer" }

// Codes implements grader.Rule.
func (*JudgedRule) Codes() []string { return []string{"answer_judgment"} }

// Graded implements grader.Grounder: an exemplar is one answer of many.
func (*JudgedRule) Graded() []string { return nil }

func (*JudgedRule) String() string { return "a judge accepts the answer" }

// Grade implements grader.Rule.
func (*JudgedRule) Grade(context.Context, grader.Evidence) ([]grader.Finding, error) {
	return nil, grader.SkipError{Reason: "the answer is left to a judge, and there is none"}
}
