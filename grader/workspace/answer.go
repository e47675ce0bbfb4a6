package workspace

import (
	"context"
	"fmt"
	"strings"

	"benchwright/grader"
)

// AnswerRule demands that a final answer was given that is not blank.
type AnswerRule struct{}

// Answers demands a final answer.
func Answers() grader.Check { return grader.Check{Rule: &AnswerRule{}} }

// Name implements grader.Rule.
func (*AnswerRule) Name() string { return "workspace.answer" }

// Codes implements grader.Rule.
func (*AnswerRule) Codes() []string { return []string{"missing_final_answer"} }

// Graded implements grader.Grounder: there is nothing to find.
func (*AnswerRule) Graded() []string { return nil }

func (*AnswerRule) String() string { return "a final answer is given" }

// Grade implements grader.Rule.
func (r *AnswerRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *AnswerRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *AnswerRule) points(ev grader.Evidence) ([]point, error) {
	p := point{code: "missing_final_answer", side: grader.AnswerType}
	if strings.TrimSpace(answerText(ev)) == "" {
		p.message = "want a final answer, there is none"
	}
	return []point{p}, nil
}

// answerText is the answer, or "" where none was given. An answer is a text; anything else is none.
func answerText(ev grader.Evidence) string {
	s, _ := parsed(ev.Answer).(string)
	return s
}

// AnswerSaysRule demands a value in the final answer, to the letter.
type AnswerSaysRule struct {
	Value   string  `json:"value"`
	Reading Reading `json:"reading,omitempty"`
}

// AnswerSays demands that the final answer has a value to the letter, but for case and the commas
// that group digits.
func AnswerSays(value string) grader.Check { return grader.Check{Rule: &AnswerSaysRule{Value: value}} }

// Name implements grader.Rule.
func (*AnswerSaysRule) Name() string { return "workspace.answer_value" }

// Codes implements grader.Rule.
func (*AnswerSaysRule) Codes() []string { return []string{"missing_answer_value"} }

// Graded implements grader.Grounder.
func (r *AnswerSaysRule) Graded() []string { return graded(r.Value) }

func (r *AnswerSaysRule) String() string { return fmt.Sprintf("the answer says %q", r.Value) }

// Grade implements grader.Rule.
func (r *AnswerSaysRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *AnswerSaysRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *AnswerSaysRule) points(ev grader.Evidence) ([]point, error) {
	p := point{code: "missing_answer_value", side: grader.AnswerType, want: r.Value}
	if text := answerText(ev); !answered(r.Reading, r.Value, text) {
		p.got = quote(text)
		p.message = fmt.Sprintf("the answer does not say %q: %s", r.Value, p.got)
		if text == "" {
			p.got, p.message = "", fmt.Sprintf("want an answer with %q, there is none", r.Value)
		}
	}
	return []point{p}, nil
}
