package workspace

import (
	"context"
	"fmt"
	"slices"

	"benchwright/grader"
)

// UnsaidRule forbids texts in what an agent writes: in the generated widgets of a type whose name holds
// a phrase, or, without a type, in the final answer. A text that is mentioned is said, whatever is
// said about it. Who writes nothing says nothing.
type UnsaidRule struct {
	Dashboard On       `json:"dashboard,omitempty"`
	Type      string   `json:"widget_type,omitempty"` // note, table, chart or html; "" is the answer
	Named     string   `json:"name_contains,omitempty"`
	TabID     *string  `json:"tab_id,omitempty"`
	Values    []string `json:"values"`
}

// NoteDoesNotSay forbids texts in the notes of the open dashboard whose name holds a phrase.
func NoteDoesNotSay(name string, values ...string) grader.Check {
	return grader.Check{Rule: &UnsaidRule{Type: "note", Named: name, Values: values}}
}

// AnswerDoesNotSay forbids texts in the final answer.
func AnswerDoesNotSay(values ...string) grader.Check {
	return grader.Check{Rule: &UnsaidRule{Values: values}}
}

// Name implements grader.Rule.
func (*UnsaidRule) Name() string { return "workspace.unsaid" }

// Codes implements grader.Rule.
func (*UnsaidRule) Codes() []string { return []string{"forbidden_text"} }

// Graded implements grader.Grounder: what is forbidden need not be found.
func (*UnsaidRule) Graded() []string { return nil }

func (r *UnsaidRule) String() string {
	if r.Type == "" {
		return "the answer does not say " + quoted(r.Values)
	}
	what := "no " + r.Type
	if r.Named != "" {
		what += fmt.Sprintf(" %q", r.Named)
	}
	if r.TabID != nil {
		what += fmt.Sprintf(" on tab %q", *r.TabID)
	}
	return r.Dashboard.of(what + " says " + quoted(r.Values))
}

// Grade implements grader.Rule.
func (r *UnsaidRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *UnsaidRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *UnsaidRule) points(ev grader.Evidence) ([]point, error) {
	if len(filled(r.Values)) == 0 {
		return nil, fixture("nothing is forbidden")
	}
	p := point{code: "forbidden_text", side: grader.StateType}
	if r.Type == "" {
		p.side = grader.AnswerType
		if bad := r.found(said(answerText(ev))); len(bad) > 0 {
			p.message = "the answer must not say " + quoted(bad)
		}
		return []point{p}, nil
	}
	c, _, err := r.Dashboard.board(ev)
	if err != nil || c == nil {
		return []point{p}, err
	}
	for i := range c.Widgets {
		w := &c.Widgets[i]
		if !w.Generated || w.Type != r.Type || !phrase(r.Named, w.Name) || r.TabID != nil && *r.TabID != w.Layout.TabID {
			continue
		}
		if bad := r.found(generatedText(w)); len(bad) > 0 {
			p.message = fmt.Sprintf("%s: %s must not say %s", title(c), cut(w.UUID), quoted(bad))
			break
		}
	}
	return []point{p}, nil
}

// found returns the forbidden texts that are mentioned.
func (r *UnsaidRule) found(s *saying) []string {
	s = s.mentioned()
	out := slices.DeleteFunc(filled(r.Values), func(v string) bool { return !s.touches(v) })
	if len(out) == 0 && s.long {
		out = append(out, "more than is read of it")
	}
	return out
}
