package gates

import (
	"slices"
	"strings"

	"benchwright/grader"
	"benchwright/sim"
)

// demanded returns the values that a check grades. Without a Grounder these are all leaves of
// the rule's arguments, and the keys within them. A Grounder is believed, but for what it leaves
// out and the reference had to say: of one that lists nothing that is every leaf, of others what
// no prose says by chance.
func (s *subject) demanded(i int) []string {
	if s.demands == nil {
		s.demands = make([][]string, len(s.task.Rubric.Checks))
	}
	if s.demands[i] != nil {
		return s.demands[i]
	}
	rule := s.task.Rubric.Checks[i].Rule
	values := []string{}
	if s.left(i) {
		s.demands[i] = values
		return values
	}
	if g, ok := rule.(grader.Grounder); ok {
		values = append(values, g.Graded()...)
		listed := len(values)
		for _, v := range leaves(rule, false) {
			if !trivial(v) && (listed == 0 || !plain(v)) && !slices.Contains(values, v) && s.said(v) {
				values = append(values, v)
			}
		}
	} else {
		values = append(values, leaves(rule, true)...)
	}
	s.demands[i] = values
	return values
}

// left reports whether a check is left to a judge: what it compares is not for words to prove.
func (s *subject) left(i int) bool {
	return s.ref != nil && i < len(s.ref.Verdict.Results) && s.ref.Verdict.Results[i].State == grader.SkippedRule
}

// hushed reports whether a rule says that there is nothing to find for it, although it has
// arguments.
func hushed(rule grader.Rule) bool {
	g, ok := rule.(grader.Grounder)
	return ok && len(g.Graded()) == 0 && slices.ContainsFunc(leaves(rule, false), func(v string) bool { return !trivial(v) })
}

// leaves returns all leaves of an object, and the keys but its own if they are wanted.
func leaves(v any, keys bool) []string {
	raw, err := sim.Canonical(v)
	if err != nil {
		return nil
	}
	d, ok := indexDocument(raw)
	if !ok {
		return nil
	}
	var out []string
	for i, n := range d.nodes {
		if key := d.member(i); keys && key != nil && n.parent > 0 { // the rule's own arguments are its words
			out = append(out, unquote(key))
		}
		if !n.container() {
			out = append(out, d.text(i))
		}
	}
	return out
}

// trivial values need no ground: there is nothing to find.
func trivial(v string) bool { return v == "" || v == "true" || v == "false" || v == "null" }

// said reports whether the reference said a value, in a call or in an answer, however spelt.
func (s *subject) said(value string) bool {
	if s.speech == nil {
		var b strings.Builder
		for _, e := range s.ref.Trace {
			b.Write(e.Call.Arguments)
			b.WriteString("\n")
		}
		for _, a := range s.ref.Answers {
			b.Write(a)
			b.WriteString("\n")
		}
		f := fold(b.String())
		s.speech = &f
		s.speechTokens = tokenise(nil, b.String())
	}
	return within(s.speechTokens, value) || s.speech.holds(value)
}
