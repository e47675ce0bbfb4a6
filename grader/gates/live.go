package gates

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/tasks"
)

// How many mutants are graded. As many as the fewest are graded, if there are, also when every
// check has been proven, so that rules meet what agents may do to them.
const (
	fewestMutants = 40
	mostMutants   = 400
)

// A mutant is a spoiled episode: one of the generic mutations, or a whole one of its own.
type mutant struct {
	*agent.Episode
	name      func() string
	touches   func(ask int) bool
	reachable bool
	state     int // the ask whose state was spoiled generically, or -1
}

// live proves that every check catches something which the checks before it let through, and
// that none breaks on what an agent can cause.
func (s *subject) live() Result {
	if s.ref == nil || !passes(s.ref.Verdict) {
		return skipped(Live, "needs a reference that passes")
	}
	checks := s.task.Rubric.Checks
	alive := make([]bool, len(checks))
	left := 0 // checks still to be proven
	judged := 0
	for i, r := range s.ref.Verdict.Results {
		if r.State == grader.SkippedRule {
			alive[i] = true
			judged++
			continue
		}
		left++
	}
	if left == 0 {
		return Result{Gate: Live, State: Held, Nothing: true, Note: "every check is a judge's"}
	}
	broken := make([]bool, len(checks))
	var ps []Problem
	unproven := func() (out []int) {
		for i := range alive {
			if !alive[i] {
				out = append(out, i)
			}
		}
		return out
	}
	for m := range s.mutantsOf(unproven) {
		if s.mutants >= mostMutants || left == 0 && s.mutants >= fewestMutants || s.ctx.Err() != nil {
			break
		}
		s.mutants++
		for i, c := range checks {
			if broken[i] || !m.touches(c.Ask) {
				continue
			}
			held, err := c.Match(m)
			var skip grader.SkipError
			switch {
			case err == nil && held, errors.Is(err, grader.NotApplicable), errors.As(err, &skip):
				continue
			case err == nil:
				if !alive[i] {
					alive[i] = true
					left--
					ps = append(ps, s.unlisted(c, m)...)
				}
			case m.reachable && s.possible(m):
				broken[i] = true
				if !alive[i] { // said once is enough
					alive[i] = true
					left--
				}
				ps = append(ps, problem(s.place(c.Source), "check %q breaks on %s: %s; whatever an agent can cause must be gradable: let the rule raise a finding, or not apply", capped(c.String()), capped(m.name()), capped(err.Error())))
			}
			break
		}
	}
	note := count(s.mutants, "mutant")
	if judged > 0 {
		note += fmt.Sprintf("; %s not proven here", count(judged, "judged check"))
	}
	if left > 0 {
		ps = append(ps, s.dead(alive, unproven)...)
	}
	slices.SortStableFunc(ps, func(a, b Problem) int { return a.Source.Line - b.Source.Line })
	return result(Live, note, ps)
}

// dead says of each check that was not proven why not.
func (s *subject) dead(alive []bool, unproven func() []int) []Problem {
	checks := s.task.Rubric.Checks
	by := make([]int, len(checks)) // the check that caught a mutant first, plus one
	n := 0
	for m := range s.mutantsOf(unproven) {
		if n++; n > s.mutants {
			break
		}
		first := -1
		for i, c := range checks {
			if by[i] > 0 || first >= 0 && alive[i] || !m.touches(c.Ask) {
				continue
			}
			if held, err := c.Match(m); err != nil || held {
				continue
			}
			if first < 0 {
				first = i
			} else {
				by[i] = first + 1
			}
		}
	}
	var ps []Problem
	for i, c := range checks {
		switch at := s.place(c.Source); {
		case alive[i]:
		case by[i] > 0:
			before := checks[by[i]-1]
			ps = append(ps, problem(at, "check %q is dead: of %s of the reference, all that fail it fail a check before it, as %q%s; drop it, put it first, or add a near miss that it alone catches",
				capped(c.String()), count(s.mutants, "mutant"), capped(before.String()), located(before.Source)))
		default:
			ps = append(ps, problem(at, "check %q is dead: none of %s of the reference fails it and passes the checks before it; make it demand something, or add a near miss",
				capped(c.String()), count(s.mutants, "mutant")))
		}
	}
	return ps
}

func located(at grader.Source) string {
	if at.File == "" {
		return ""
	}
	return " (" + at.String() + ")"
}

// unlisted names the codes that a rule raises and does not list.
func (s *subject) unlisted(c grader.Check, m mutant) []Problem {
	ev, err := m.Evidence(c.Ask)
	if err != nil {
		return nil
	}
	var fs []grader.Finding
	s.guard("rule", func() error {
		fs, err = c.Rule.Grade(s.ctx, ev)
		return err
	})
	codes := c.Rule.Codes()
	var ps []Problem
	for _, f := range fs {
		if !slices.ContainsFunc(codes, func(p string) bool { return matches(p, f.Code) }) {
			ps = append(ps, problem(s.place(c.Source), "check %q raises the code %q, which its rule %s does not list; add it to Codes", capped(c.String()), capped(f.Code), c.Rule.Name()))
		}
	}
	return ps
}

// possible reports whether the world can be in the state of a mutant: its kind can decode it.
func (s *subject) possible(m mutant) bool {
	if m.state < 0 {
		return true
	}
	return s.guard("state", func() error {
		_, err := s.kit.Kind.DecodeState(m.States[m.state], s.blobs)
		return err
	}) == nil
}

// mutantsOf yields the mutants of the reference in a fixed order: what the kit and the task add,
// what really happened to others, then the generic ones, sort by sort in turn.
//
// unproven says which checks are still to be proven; without any, the unlikely mutants are left
// out. Which mutants come early by name is settled when it is first asked, so that the order
// is the same for whoever comes later.
func (s *subject) mutantsOf(unproven func() []int) iter.Seq[mutant] {
	all := func(int) bool { return true }
	return func(yield func(mutant) bool) {
		whole := func(name string, ep *agent.Episode) bool {
			return yield(mutant{Episode: ep, name: func() string { return name }, touches: all, reachable: true, state: -1})
		}
		for _, m := range s.kitMutants() {
			if !whole(m.Name, s.spoiled(m.Aftermath)) {
				return
			}
		}
		for i, p := range s.probes {
			if p.crashed() {
				continue
			}
			if !whole("the outcome of probe "+s.task.Rubric.Probes[i].Name, p.Episode) {
				return
			}
		}
		if s.idle != nil && !s.idle.crashed() && !whole("doing nothing", s.idle.Episode) {
			return
		}
		mu := newMutator(s.ref.Episode, s.tools)
		generic := func(x mutation) bool {
			m := mutant{
				Episode: mu.apply(x), reachable: x.reachable(), state: -1,
				name:    func() string { return mu.name(x) },
				touches: func(ask int) bool { return x.touches(mu.ep, ask) },
			}
			if x.site == siteState && x.op != opStart {
				m.state = x.at
			}
			return yield(m)
		}
		likely := mu.likely()
		if !inTurn(likely, firstRounds, generic) {
			return
		}
		tried := map[mutation]bool{}
		inTurn(likely, firstRounds, func(x mutation) bool { tried[x] = true; return true })
		fresh := func(x mutation) bool {
			if tried[x] {
				return true
			}
			tried[x] = true
			return generic(x)
		}
		if s.unproven == nil {
			s.unproven = append([]int{}, unproven()...)
		}
		if len(s.unproven) > 0 && !inTurn(mu.named(s.words(s.unproven)), maxStream, fresh) {
			return
		}
		if !inTurn(rest(likely), firstRounds, fresh) {
			return
		}
		if len(unproven()) == 0 {
			return
		}
		inTurn(append(mu.unlikely(s.words(nil)), rest(likely)...), maxStream, fresh)
	}
}

// firstRounds is how many mutations of each likely stream are tried before those are sought that
// the checks still to be proven ask for by name.
const firstRounds = 16

func rest(streams []stream) []stream {
	out := make([]stream, len(streams))
	for i, s := range streams {
		out[i] = s[min(len(s), firstRounds):]
	}
	return out
}

// inTurn takes one of each stream, so many times or until all are empty or yield says stop,
// which it reports by false.
func inTurn(streams []stream, rounds int, yield func(mutation) bool) bool {
	for i, more := 0, true; more && i < rounds; i++ {
		more = false
		for _, st := range streams {
			if i < len(st) {
				more = true
				if !yield(st[i]) {
					return false
				}
			}
		}
	}
	return true
}

func (s *subject) kitMutants() []tasks.Mutant {
	if s.kit.Mutants == nil {
		return nil
	}
	ep := s.ref
	return s.kit.Mutants(s.task, tasks.Aftermath{
		Initial: ep.Initial, States: slices.Clone(ep.States), Trace: slices.Clone(ep.Trace),
		Answers: slices.Clone(ep.Answers), End: ep.End,
	})
}

// spoiled is the reference's episode with another aftermath.
func (s *subject) spoiled(a tasks.Aftermath) *agent.Episode {
	ep := *s.ref.Episode
	ep.Initial, ep.States, ep.Trace, ep.Answers, ep.End = a.Initial, a.States, a.Trace, a.Answers, a.End
	return &ep
}

// words returns what checks name, each once: the given ones, or all, with what is planted.
func (s *subject) words(checks []int) []string {
	const most, longest = 64, 80
	var out []string
	seen := map[string]bool{}
	add := func(values ...string) {
		for _, v := range values {
			if !trivial(v) && len(v) <= longest && len(out) < most && !seen[v] {
				seen[v] = true
				out = append(out, v)
			}
		}
	}
	if checks == nil {
		add(s.task.Rubric.Planted...)
		for i := range s.task.Rubric.Checks {
			checks = append(checks, i)
		}
	}
	for _, i := range checks {
		add(s.demanded(i)...)
		add(leaves(s.task.Rubric.Checks[i].Rule)...)
	}
	return out
}
