package gates

import (
	"fmt"
	"strings"

	"benchwright/grader"
	"benchwright/sim"
)

// demanded returns the values that a check grades. Without a Grounder these are all leaves of
// the rule's arguments, and the keys within them.
func (s *subject) demanded(i int) []string {
	if s.demands == nil {
		s.demands = make([][]string, len(s.task.Rubric.Checks))
	}
	if s.demands[i] != nil {
		return s.demands[i]
	}
	rule := s.task.Rubric.Checks[i].Rule
	values := []string{}
	if g, ok := rule.(grader.Grounder); ok {
		values = append(values, g.Graded()...)
	} else {
		values = append(values, leaves(rule)...)
	}
	s.demands[i] = values
	return values
}

// leaves returns all leaves of an object, and the keys but its own.
func leaves(v any) []string {
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
		if key := d.member(i); key != nil && n.parent > 0 { // the rule's own arguments are its words
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

// A ground is what values are looked for in.
type ground struct {
	*transcript
	s      *subject
	solved [][]token // by the kit's solver, once asked
	asked  bool
	err    error
}

// holds reports whether a value could be known at a moment: as read, as stated in other
// words, or as worked out.
func (g *ground) holds(value string, at cut) bool {
	if trivial(value) {
		return true
	}
	parts, missing := phrases(value), false
	for _, p := range parts {
		missing = missing || !g.read(p, at)
	}
	if !missing {
		return true
	}
	for said, words := range g.s.task.Rubric.Stated {
		if same(phrases(said), parts) && g.toldIn(words, at) {
			return true
		}
	}
	for _, p := range parts {
		if !g.read(p, at) && !g.worked(p) {
			return false
		}
	}
	return true
}

func (g *ground) read(p []token, at cut) bool {
	return holds(g.told[:at.told], p) || holds(g.results[:at.results], p)
}

// toldIn reports whether words had been told, other than by a result.
func (g *ground) toldIn(words string, at cut) bool {
	parts := phrases(words)
	for _, p := range parts {
		if !holds(g.told[:at.told], p) {
			return false
		}
	}
	return len(parts) > 0
}

// worked reports whether the kit's solver comes to the phrase.
func (g *ground) worked(p []token) bool {
	if !g.asked && g.s.kit.Solve != nil {
		g.asked = true
		var values []string
		g.err = g.s.guard("solver", func() (err error) {
			values, err = g.s.kit.Solve(g.s.task)
			return err
		})
		for _, v := range values {
			g.solved = append(append(g.solved, phrases(v)...), nil)
		}
	}
	for _, v := range g.solved {
		if len(v) > 0 && holds(v, p) {
			return true
		}
	}
	return false
}

func same(a, b [][]token) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if len(a[i]) != len(b[i]) || !holds(a[i], b[i]) {
			return false
		}
	}
	return true
}

// maxPhrase is how many words an argument may have to count as a value that must be known.
// What is longer is the agent's own prose, of which only facts must be.
const maxPhrase = 5

// own reports whether something the reference says could be known at a moment, or names the
// part that could not. A value graded by a check is held to the letter by that check; here an
// agent's own words are let pass: of prose only tokens with digits count, and text of several
// lines is a work, not a value.
func (g *ground) own(value string, phrase int, at cut) (string, bool) {
	if trivial(value) || strings.Contains(value, "\n") {
		return "", true
	}
	var toks []string
	eachToken(value, 0, func(t string) {
		if t != "" {
			toks = append(toks, t)
		}
	})
	if len(toks) <= phrase {
		return value, g.holds(value, at)
	}
	if g.holds(value, at) {
		return "", true
	}
	for _, t := range toks {
		if strings.ContainsAny(t, "0123456789") && !g.holds(t, at) {
			return t, false
		}
	}
	return "", true
}

// grounded proves that what is demanded can be found, before it is needed.
func (s *subject) grounded() Result {
	if s.ref == nil || !passes(s.ref.Verdict) { // of a wrong one nothing follows
		return skipped(Grounded, "needs a reference that passes")
	}
	g := &ground{transcript: s.transcript(), s: s}
	var ps []Problem
	n := 0
	seen := map[string]bool{}
	miss := func(at grader.Source, where, value string) {
		text := fmt.Sprintf("%s %q, which the agent cannot know by then: no ask, rule, tool or earlier result holds it as a token; put it where the agent looks, state it in words, or let the kit's solver derive it", where, capped(value))
		if p := (Problem{at, text}); !seen[p.String()] {
			seen[p.String()] = true
			ps = append(ps, p)
		}
	}
	for i, c := range s.task.Rubric.Checks {
		if c.Ask >= len(g.ends) {
			continue
		}
		for _, v := range s.demanded(i) {
			n++
			if !g.holds(v, g.ends[c.Ask]) {
				miss(s.place(c.Source), fmt.Sprintf("check %q grades", capped(c.String())), v)
			}
		}
	}
	for _, e := range s.ref.Trace {
		if e.Turn < 1 || e.Turn > len(g.turns) {
			continue
		}
		at := g.turns[e.Turn-1]
		n += s.eachValue(e.Call.Arguments, func(path, v string, key bool) {
			if part, ok := g.own(v, maxPhrase, at); !ok {
				miss(s.moveAt(e.Turn), fmt.Sprintf("move %d of the reference, call of %s: argument %s says", e.Turn, e.Call.Name, path), part)
			}
		})
	}
	for ask, a := range s.ref.Answers {
		turn := s.answerTurn(ask)
		n += s.eachValue(a, func(path, v string, key bool) {
			phrase := 1
			if path == "" && !strings.ContainsAny(v, "0123456789") {
				phrase = 0 // a bare word for an answer is prose
			}
			if part, ok := g.own(v, phrase, g.ends[ask]); !ok {
				miss(s.moveAt(turn), strings.TrimSpace("the reference answers "+path)+" with", part)
			}
		})
	}
	for _, said := range sortedKeys(s.task.Rubric.Stated) {
		if words := s.task.Rubric.Stated[said]; !g.toldIn(words, cut{len(g.told), len(g.results)}) {
			ps = append(ps, problem(s.at(), "%q is stated as %q, and nothing told to the agent has these words; use the words of the ask", capped(said), capped(words)))
		}
	}
	if g.err != nil {
		ps = append(ps, problem(s.at(), "the solver of world %s fails: %v; it must solve every task or return nothing", s.kit.Kind.Name, g.err))
	}
	return result(Grounded, count(n, "value"), ps)
}

// eachValue calls f for each key and leaf of JSON, and returns their number.
func (s *subject) eachValue(raw []byte, f func(path, value string, key bool)) int {
	if len(raw) == 0 {
		return 0
	}
	d, ok := parseDocument(raw)
	if !ok {
		return 0
	}
	n := 0
	for i, v := range d.nodes {
		if key := d.member(i); key != nil {
			n++
			f(d.path(i), unquote(key), true)
		}
		if !v.container() {
			n++
			f(d.path(i), d.text(i), false)
		}
	}
	return n
}

// answerTurn returns the turn, from 1, in which the reference answered an ask.
func (s *subject) answerTurn(ask int) int {
	turn := 0
	for i, t := range s.ref.Turns {
		if t.Ask == ask {
			turn = i + 1
		}
	}
	return turn
}

// transcript reads the reference's conversation once.
func (s *subject) transcript() *transcript {
	if s.read == nil {
		s.read = s.transcribe()
	}
	return s.read
}
