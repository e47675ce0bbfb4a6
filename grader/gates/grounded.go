package gates

import (
	"fmt"
	"slices"
	"strings"

	"benchwright/grader"
)

// holds reports whether a value could be known at a moment: as read, as stated in other
// words, or as worked out.
func (t *transcript) holds(value string, at cut) bool {
	if trivial(value) {
		return true
	}
	parts, missing := phrases(value), false
	for _, p := range parts {
		missing = missing || !t.read(p, at)
	}
	if !missing {
		return true
	}
	for said, words := range t.s.task.Rubric.Stated {
		if same(phrases(said), parts) && t.toldIn(words, at) {
			return true
		}
	}
	for _, p := range parts {
		if !t.read(p, at) && !t.worked(p) {
			return false
		}
	}
	return true
}

func (t *transcript) read(p []token, at cut) bool {
	return t.told.holds(p, at.told) || t.results.holds(p, at.results)
}

// toldIn reports whether words had been told, other than by a result.
func (t *transcript) toldIn(words string, at cut) bool {
	parts := phrases(words)
	for _, p := range parts {
		if !t.told.holds(p, at.told) {
			return false
		}
	}
	return len(parts) > 0
}

// worked reports whether the kit's solver comes to the phrase.
func (t *transcript) worked(p []token) bool {
	if !t.asked && t.s.kit.Solve != nil {
		t.asked = true
		var values []string
		t.err = t.s.guard("solver", func() (err error) {
			values, err = t.s.kit.Solve(t.s.task)
			return err
		})
		for _, v := range values {
			t.solved = append(append(t.solved, phrases(v)...), nil)
		}
	}
	for _, v := range t.solved {
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

// A say is what became of something that the reference says.
type say int

const (
	known   say = iota
	own         // in the agent's own words, of which nothing must be known
	unknown     // it could not be known
)

// says tells whether something the reference says could be known at a moment, and names the part
// that could not. A value graded by a check is held to the letter by that check; here an
// agent's own words are let pass: of prose only tokens with digits count, and text of several
// lines is a work, not a value.
func (t *transcript) says(value string, phrase int, at cut) (string, say) {
	if trivial(value) || t.holds(value, at) {
		return "", known
	}
	if strings.Contains(value, "\n") {
		return "", own
	}
	var words []string
	eachToken(value, 0, func(w string) {
		if w != "" {
			words = append(words, w)
		}
	})
	if len(words) <= phrase {
		return value, unknown
	}
	for _, w := range words {
		if strings.ContainsAny(w, "0123456789") && !t.holds(w, at) {
			return w, unknown
		}
	}
	return "", own
}

// A grounding is what was looked for, and what of it was not found.
type grounding struct {
	*transcript
	values, works, silent int // what counts; the reference's own words; checks with nothing to find
	problems              []Problem
	seen                  map[string]bool
}

func (g *grounding) miss(at grader.Source, where, value, echo string) {
	p := problem(at, "%s %q, which the agent cannot know by then: no ask, rule, tool or earlier result holds it as a token%s; put it where the agent looks, state it in words, or let the kit's solver derive it", where, capped(value), echo)
	if !g.seen[p.String()] {
		g.seen[p.String()] = true
		g.problems = append(g.problems, p)
	}
}

// each looks for all that a call or an answer says.
func (g *grounding) each(raw []byte, at cut, phrase func(path, value string) int, miss func(path, value string)) {
	n, _ := eachValue(raw, func(path, v string, key bool) {
		switch part, said := g.says(v, phrase(path, v), at); {
		case said == own:
			g.works++
		case said == unknown && !(key && g.s.names(v)):
			miss(path, part)
		}
	})
	g.values += n
}

// grounded proves that what is demanded can be found, before it is needed.
func (s *subject) grounded() Result {
	if s.ref == nil || !passes(s.ref.Verdict) { // of a wrong one nothing follows
		return skipped(Grounded, "needs a reference that passes")
	}
	g := &grounding{transcript: s.transcript(), seen: map[string]bool{}}
	for i, c := range s.task.Rubric.Checks {
		if c.Ask < 0 || c.Ask >= len(g.ends) {
			continue
		}
		if hushed(c.Rule) {
			g.silent++
		}
		for _, v := range s.demanded(i) {
			g.values++
			if !g.holds(v, g.ends[c.Ask]) && !s.names(v) {
				g.miss(s.place(c.Source), fmt.Sprintf("check %q grades", capped(c.String())), v, g.echo(v))
			}
		}
	}
	for _, e := range s.ref.Trace {
		if e.Turn < 1 || e.Turn > len(g.turns) {
			continue
		}
		g.each(e.Call.Arguments, g.turns[e.Turn-1], func(string, string) int { return maxPhrase }, func(path, v string) {
			g.miss(s.moveAt(e.Turn), fmt.Sprintf("move %d of the reference, call of %s: argument %s says", e.Turn, capped(e.Call.Name), path), v, "")
		})
	}
	for ask, a := range s.ref.Answers {
		at := s.moveAt(s.answerTurn(ask))
		g.each(a, g.ends[ask], func(path, v string) int {
			if path == "" && !strings.ContainsAny(v, "0123456789") {
				return 0 // a bare word for an answer is prose
			}
			return 1
		}, func(path, v string) {
			g.miss(at, strings.TrimSpace("the reference answers "+path)+" with", v, g.echo(v))
		})
	}
	stated, lies := s.statements(g.transcript)
	g.problems = append(g.problems, lies...)
	if g.err != nil {
		g.problems = append(g.problems, problem(s.at(), "the solver of world %s fails: %v; it must solve every task or return nothing", s.kit.Kind.Name, g.err))
	}
	note := count(g.values, "value")
	if g.works > 0 {
		note += fmt.Sprintf("; %s in the reference's own words", count(g.works, "text"))
	}
	if g.silent > 0 {
		note += fmt.Sprintf("; %s with nothing to find", count(g.silent, "check"))
	}
	return result(Grounded, note+stated, g.problems)
}

// echo says of a value that results hold it, and prove nothing by it.
func (t *transcript) echo(value string) string {
	for _, p := range phrases(value) {
		if slices.ContainsFunc(p, func(w token) bool { return t.echoed[w] }) {
			return "; results that repeat what the reference said before it could know it are no ground"
		}
	}
	return ""
}

// names reports whether a word is the name of something in the reference's answers, and the
// protocol, which says how an answer looks, has told it.
func (s *subject) names(word string) bool {
	named := false
	for _, a := range s.ref.Answers {
		eachValue(a, func(_, v string, key bool) { named = named || key && v == word })
	}
	return named && within(s.protocolTokens(), word)
}

// eachValue calls f for each key and leaf of JSON, and returns their number. What is no JSON has
// none and is not ok.
func eachValue(raw []byte, f func(path, value string, key bool)) (n int, ok bool) {
	if len(raw) == 0 {
		return 0, true
	}
	d, ok := parseDocument(raw)
	if !ok {
		return 0, false
	}
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
	return n, true
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
