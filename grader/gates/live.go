package gates

import (
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
	omission  bool // something is missing; nothing is there in its place, or something else beside it
	state     int  // the ask whose state was spoiled generically, or -1
}

// live proves that every check catches something which the checks before it let through, and
// that none breaks on what an agent can cause.
func (s *subject) live() Result {
	if s.ref == nil || !passes(s.ref.Verdict) {
		return skipped(Live, "needs a reference that passes")
	}
	l := newLiveness(s)
	if l.left == 0 {
		return Result{Gate: Live, State: Held, Nothing: true, Note: "every check is a judge's"}
	}
	l.kill()
	if l.left > 0 {
		l.ps = append(l.ps, l.dead()...)
	}
	l.deepen()
	note := count(s.mutants, "mutant")
	if s.judged > 0 {
		note += fmt.Sprintf("; %s not proven here", count(s.judged, "judged check"))
	}
	if n := l.shallow(); n > 0 {
		note += fmt.Sprintf("; %s alive to omission only", count(n, "check"))
	}
	slices.SortStableFunc(l.ps, func(a, b Problem) int { return a.Source.Line - b.Source.Line })
	return result(Live, note, l.ps)
}

func located(at grader.Source) string {
	if at.File == "" {
		return ""
	}
	return " (" + at.String() + ")"
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
	var idle *agent.Episode
	if s.idle != nil && !s.idle.crashed() {
		idle = s.idle.Episode
	}
	return func(yield func(mutant) bool) {
		whole := func(name string, ep *agent.Episode) bool {
			return yield(mutant{Episode: ep, name: func() string { return name }, touches: all, reachable: true, omission: ep == idle, state: -1})
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
		if idle != nil && !whole("doing nothing", idle) {
			return
		}
		mu := newMutator(s.ref.Episode, s.tools)
		generic := func(x mutation) bool {
			m := mutant{
				Episode: mu.apply(x), reachable: x.reachable(), omission: mu.omits(x), state: -1,
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
		add(leaves(s.task.Rubric.Checks[i].Rule, true)...)
	}
	return out
}
