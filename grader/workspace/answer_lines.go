package workspace

import (
	"context"
	"fmt"
	"strings"

	"benchwright/grader"
)

// AnswerLinesRule demands that the final answer says the cells of each row together in a line of its
// own, to the letter, and, if nothing else may be said, that it has no line about anything else of that kind.
type AnswerLinesRule struct {
	Lines Lines `json:"lines"`
	Only  bool  `json:"lines_only,omitempty"`
}

// AnswerLines demands that the final answer says the cells of each row together in a line of its own.
func AnswerLines(lines ...[]string) grader.Check {
	return grader.Check{Rule: &AnswerLinesRule{Lines: lines}}
}

// AnswerLinesOnly is AnswerLines, and there is no line about anything else of that kind.
func AnswerLinesOnly(lines ...[]string) grader.Check {
	return grader.Check{Rule: &AnswerLinesRule{Lines: lines, Only: true}}
}

// Name implements grader.Rule.
func (*AnswerLinesRule) Name() string { return "workspace.answer_lines" }

// Codes implements grader.Rule.
func (r *AnswerLinesRule) Codes() []string {
	if r.Lines.extra(r.Only) {
		return []string{"missing_answer_value", "unexpected_line"}
	}
	return []string{"missing_answer_value"}
}

// Graded implements grader.Grounder.
func (r *AnswerLinesRule) Graded() []string { return graded(r.Lines.all()...) }

func (r *AnswerLinesRule) String() string { return "the answer says " + r.Lines.words(r.Only) }

// Grade implements grader.Rule.
func (r *AnswerLinesRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *AnswerLinesRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *AnswerLinesRule) points(ev grader.Evidence) ([]point, error) {
	if len(r.Lines) == 0 {
		return nil, fixture("no line is demanded")
	}
	if err := r.Lines.check(Strict); err != nil {
		return nil, err
	}
	text := answerText(ev)
	m := r.Lines.match(said(text))
	var out []point
	for i, a := range m.fit {
		p := point{code: "missing_answer_value", side: grader.AnswerType}
		if a < 0 {
			p.want, p.got = strings.Join(filled(r.Lines[i]), ", "), quote(text)
			p.message = fmt.Sprintf("no line of the answer says %s together: %s", quoted(filled(r.Lines[i])), p.got)
		}
		out = append(out, p)
	}
	if r.Lines.extra(r.Only) {
		p := point{code: "unexpected_line", side: grader.AnswerType}
		if more := m.unexpected(ev, r.Only); len(more) > 0 {
			p.message = "the answer " + enough(more, " and ")
		} else {
			p.silent = len(m.missing()) > 0 // it says too little to say that it says no more
		}
		out = append(out, p)
	}
	return out, nil
}

// said is an answer as it is read strictly.
func said(answer string) *saying {
	text := seen(begun(answer, 4*maxSaid))
	s := claimed(begun(text, maxSaid))
	s.exact, s.long = true, len(text) > maxSaid || len(answer) > 4*maxSaid
	return s
}
