package gates

import (
	"errors"
	"slices"

	"benchwright/grader"
	"benchwright/grader/internal/watch"
)

// liveness is what is known of the checks of a task while mutants are graded.
type liveness struct {
	*subject
	watch  *watch.Watch
	checks []grader.Check
	alive  []bool // it caught something that those before it let through
	deep   []bool // it caught something that was there, and not only that something was missing
	broken []bool
	left   int // checks still to be proven
	ps     []Problem
}

func newLiveness(s *subject) *liveness {
	n := len(s.task.Rubric.Checks)
	l := &liveness{subject: s, watch: watch.From(s.watched), checks: s.task.Rubric.Checks, alive: make([]bool, n), deep: make([]bool, n), broken: make([]bool, n)}
	for i, r := range s.ref.Verdict.Results {
		if r.State == grader.SkippedRule {
			l.alive[i], l.deep[i] = true, true
			continue
		}
		l.left++
	}
	return l
}

// unproven lists the checks that have caught nothing yet.
func (l *liveness) unproven() (out []int) {
	for i := range l.alive {
		if !l.alive[i] {
			out = append(out, i)
		}
	}
	return out
}

// shallow counts the checks that caught nothing but omissions.
func (l *liveness) shallow() (n int) {
	for i := range l.alive {
		if l.alive[i] && !l.broken[i] && !l.deep[i] {
			n++
		}
	}
	return n
}

// holds is Match of a check, as a step that may be stuck.
func (l *liveness) holds(i int, m mutant) (bool, error) {
	l.on = m.name
	l.watch.Enter(patience(l.checks[i].Rule), &l.checks[i])
	held, err := l.checks[i].Match(m)
	l.watch.Leave()
	return held, err
}

// kill grades mutants until every check is proven, or there are no more.
func (l *liveness) kill() {
	prove := func(i int) {
		if !l.alive[i] {
			l.alive[i] = true
			l.left--
		}
	}
	for m := range l.mutantsOf(l.unproven) {
		if l.mutants >= mostMutants || l.left == 0 && l.mutants >= fewestMutants || l.ctx.Err() != nil {
			break
		}
		l.mutants++
		first := true // of the checks that catch it
		for i, c := range l.checks {
			if l.broken[i] || !m.touches(c.Ask) || !first && (m.omission || l.deep[i]) {
				continue
			}
			held, err := l.holds(i, m)
			var skip grader.SkipError
			switch {
			case err == nil && held, errors.Is(err, grader.NotApplicable):
				continue
			case err == nil:
				l.deep[i] = l.deep[i] || !m.omission
				if first && !l.alive[i] {
					prove(i)
					l.ps = append(l.ps, l.unlisted(c, m)...)
				}
			case !first:
				continue
			case errors.As(err, &skip):
				if l.ref.Verdict.Results[i].State != grader.SkippedRule && m.reachable && l.possible(m) {
					l.broken[i] = true
					prove(i)
					l.ps = append(l.ps, problem(l.place(c.Source), "check %q skips on %s, and not on the reference; what an agent says and does must be graded: let the rule raise a finding, or not apply", capped(c.String()), capped(m.name())))
				}
				continue
			case m.reachable && l.possible(m):
				l.broken[i] = true
				prove(i) // said once is enough
				l.ps = append(l.ps, problem(l.place(c.Source), "check %q breaks on %s: %s; whatever an agent can cause must be gradable: let the rule raise a finding, or not apply", capped(c.String()), capped(m.name()), capped(err.Error())))
			}
			first = false
		}
	}
}

// unlisted names the codes that a rule raises and does not list.
func (l *liveness) unlisted(c grader.Check, m mutant) []Problem {
	ev, err := m.Evidence(c.Ask)
	if err != nil {
		return nil
	}
	var fs []grader.Finding
	l.watch.Enter(patience(c.Rule), &c)
	l.guard("rule", func() error {
		fs, err = c.Rule.Grade(l.ctx, ev)
		return err
	})
	l.watch.Leave()
	codes := c.Rule.Codes()
	var ps []Problem
	for _, f := range fs {
		if !slices.ContainsFunc(codes, func(p string) bool { return matches(p, f.Code) }) {
			ps = append(ps, problem(l.place(c.Source), "check %q raises the code %q, which its rule %s does not list; add it to Codes", capped(c.String()), capped(f.Code), c.Rule.Name()))
		}
	}
	return ps
}

// deepen looks among the mutants that were not graded for some that show more of the checks
// which caught only omissions so far.
func (l *liveness) deepen() {
	if l.shallow() == 0 {
		return
	}
	n := 0
	for m := range l.mutantsOf(l.unproven) {
		if n++; n > mostMutants || l.shallow() == 0 || l.ctx.Err() != nil {
			break
		}
		if n <= l.mutants || m.omission {
			continue
		}
		for i, c := range l.checks {
			if l.alive[i] && !l.broken[i] && !l.deep[i] && m.touches(c.Ask) {
				held, err := l.holds(i, m)
				l.deep[i] = err == nil && !held
			}
		}
	}
}

// dead says of each check that was not proven why not.
func (l *liveness) dead() []Problem {
	s, checks, alive := l.subject, l.checks, l.alive
	by := make([]int, len(checks)) // the check that caught a mutant first, plus one
	n := 0
	for m := range s.mutantsOf(l.unproven) {
		if n++; n > s.mutants {
			break
		}
		first := -1
		for i, c := range checks {
			if by[i] > 0 || first >= 0 && alive[i] || !m.touches(c.Ask) {
				continue
			}
			if held, err := l.holds(i, m); err != nil || held {
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
