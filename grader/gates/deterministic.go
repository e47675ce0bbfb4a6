package gates

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
)

// deterministic proves that the task gives the same bytes whenever and beside whatever it runs.
func (s *subject) deterministic() Result {
	if s.ref == nil {
		return skipped(Deterministic, noReference)
	}
	limits := s.task
	if s.ref != s.tight {
		limits = unlimited(s.task)
	}
	again := make(chan *run, 1)
	beside := *s
	beside.watched = s.ctx // the watch is of this goroutine
	go func() { again <- beside.script("the reference", limits, s.task.Rubric.Reference) }()
	var ps []Problem
	prove := func(f func() []Problem) (out []Problem) {
		if err := s.guard("proof", func() error { out = f(); return nil }); err != nil {
			out = []Problem{problem(s.at(), "%v; the kit of world %s must not panic", err, s.kit.Kind.Name)}
		}
		return out
	}
	ps = append(prove(s.decodedStates), prove(s.decodedRules)...)
	forked := prove(s.forks)
	other := <-again
	if d := difference(s.ref.Episode, other.Episode); d != "" {
		// What differs without a fork, too, is not the fork's doing.
		forked = []Problem{problem(s.at(), "the reference played again, beside other work, gives %s; let everything follow from setup, seed and calls", d)}
	}
	return result(Deterministic, "", append(ps, forked...))
}

// difference names the first part in which two episodes differ, leaving out what the clock and
// the machine have to say.
func difference(a, b *agent.Episode) string {
	x, y := still(a), still(b)
	if reflect.DeepEqual(x, y) {
		return ""
	}
	for _, p := range []struct {
		name string
		same bool
	}{
		{"another initial state", bytes.Equal(x.Initial, y.Initial)},
		{"another conversation", reflect.DeepEqual(x.Messages, y.Messages)},
		{"other replies", reflect.DeepEqual(x.Turns, y.Turns)},
		{"another trace", reflect.DeepEqual(x.Trace, y.Trace)},
		{"other states", reflect.DeepEqual(x.States, y.States)},
		{"other answers", reflect.DeepEqual(x.Answers, y.Answers)},
		{"another end", x.End == y.End},
		{"another verdict", reflect.DeepEqual(x.Verdict, y.Verdict)},
	} {
		if !p.same {
			if p.name == "another trace" {
				return p.name + firstEvent(x.Trace, y.Trace)
			}
			if p.name == "another verdict" {
				return p.name + firstResult(x.Verdict, y.Verdict)
			}
			return p.name
		}
	}
	return "another record"
}

// still returns an episode without what changes from one to the next.
func still(ep *agent.Episode) *agent.Episode {
	c := *ep
	c.Started, c.Queued, c.Wall, c.Pid = time.Time{}, 0, 0, 0
	c.Turns = slices.Clone(c.Turns)
	for i := range c.Turns {
		c.Turns[i].Duration, c.Turns[i].Reply.Timing = 0, agent.Timing{}
	}
	return &c
}

func firstEvent(x, y sim.Trace) string {
	for i := range min(len(x), len(y)) {
		if !reflect.DeepEqual(x[i], y[i]) {
			return fmt.Sprintf(" from call %d on (%s)", i+1, x[i].Call.Name)
		}
	}
	return fmt.Sprintf(" of %d instead of %s", len(y), count(len(x), "call"))
}

func firstResult(x, y grader.Verdict) string {
	for i := range min(len(x.Results), len(y.Results)) {
		if a, b := x.Results[i], y.Results[i]; !reflect.DeepEqual(a, b) {
			return fmt.Sprintf(": check %q is %s and then %s", capped(a.Check), said(a), said(b))
		}
	}
	return ""
}

func said(r grader.Result) string {
	out := r.State
	for _, f := range r.Findings {
		out += " " + capped(f.Code)
	}
	return out
}

// decodedStates proves that a recorded state is the state: its kind reads it back to the same
// bytes, and it is graded the same.
func (s *subject) decodedStates() []Problem {
	ep := s.ref
	decode := func(raw json.RawMessage, what string) (sim.State, []Problem) {
		st, err := s.kit.Kind.DecodeState(raw, s.blobs)
		switch {
		case err != nil:
			return nil, []Problem{problem(s.at(), "%s cannot be read back: %v; the kind %s must decode what it encodes", what, err, s.kit.Kind.Name)}
		case !bytes.Equal(st.JSON(), raw):
			return nil, []Problem{problem(s.at(), "%s has other bytes once it was read back; the states of kind %s must be canonical JSON and decode to themselves", what, s.kit.Kind.Name)}
		}
		return st, nil
	}
	initial, ps := decode(ep.Initial, "the initial state")
	var states []sim.State
	for i, raw := range ep.States {
		if bytes.Equal(raw, ep.Initial) && initial != nil {
			states = append(states, initial)
			continue
		}
		st, p := decode(raw, fmt.Sprintf("the state after ask %d", i+1))
		ps, states = append(ps, p...), append(states, st)
	}
	if len(ps) > 0 {
		return ps
	}
	v := s.grade("the reference, read back", s.task.Rubric.Checks, decoded{ep.Episode, initial, states})
	if !reflect.DeepEqual(v, ep.Verdict) {
		ps = append(ps, problem(s.at(), "states read back from a record give another verdict%s; rules must see nothing but a state's JSON", firstResult(ep.Verdict, v)))
	}
	return ps
}

// decoded is the evidence of an episode whose states were read back.
type decoded struct {
	*agent.Episode
	initial sim.State
	states  []sim.State
}

func (d decoded) Evidence(ask int) (grader.Evidence, error) {
	ev, err := d.Episode.Evidence(ask)
	ev.Initial, ev.Final = d.initial, d.initial
	if n := len(d.states); n > 0 {
		ev.Final = d.states[min(ask, n-1)]
	}
	return ev, err
}

// decodedRules proves that a rule is the data it is written as: read back it has the same bytes
// and comes to the same verdicts.
func (s *subject) decodedRules() []Problem {
	var ps []Problem
	again := make([]grader.Check, len(s.task.Rubric.Checks))
	for i, c := range s.task.Rubric.Checks {
		raw, err := c.MarshalJSON()
		if err == nil {
			again[i], err = grader.Registry(s.kit.Rules).Decode(raw)
		}
		if err != nil {
			ps = append(ps, problem(s.place(c.Source), "check %q cannot be written down and read back: %v; register its rule in the kit and let it be plain data", capped(c.String()), err))
			continue
		}
		if reflect.DeepEqual(reflect.Indirect(reflect.ValueOf(c.Rule)).Interface(), reflect.Indirect(reflect.ValueOf(again[i].Rule)).Interface()) {
			continue
		}
		if back, err := again[i].MarshalJSON(); err != nil || !bytes.Equal(raw, back) {
			ps = append(ps, problem(s.place(c.Source), "rule %s has other bytes once it was read back; unmarshalling what it marshals must give an equal rule", c.Rule.Name()))
		}
	}
	if len(ps) > 0 {
		return ps
	}
	episodes := []struct {
		name string
		*run
	}{{"the reference", s.ref}, {"doing nothing", s.idle}}
	for i, p := range s.probes {
		episodes = append(episodes, struct {
			name string
			*run
		}{fmt.Sprintf("probe %q", s.task.Rubric.Probes[i].Name), p})
	}
	for _, e := range episodes {
		if e.run == nil || e.crashed() {
			continue
		}
		v := s.grade(e.name+", by rules read back", again, e.Episode)
		if !reflect.DeepEqual(v, e.Verdict) {
			return append(ps, problem(s.at(), "rules read back from their JSON give %s another verdict%s; a rule must be nothing but its JSON", e.name, firstResult(e.Verdict, v)))
		}
	}
	return ps
}

// maxForks bounds the moments at which a world is forked.
const maxForks = 8

// forks proves that a world is the same beside its forks: the reference's calls are made once
// more, at moments of it the world is forked, and things are done to the fork which must not
// show in the world, as what the world does must not show in the fork.
func (s *subject) forks() []Problem {
	w, _, release, err := s.open()
	if err != nil {
		return []Problem{problem(s.at(), "the world cannot be set up a second time: %v", err)}
	}
	defer release()
	defer w.Close()
	ep := s.ref
	at := func(i int) grader.Source {
		if i < len(ep.Trace) {
			return s.moveAt(ep.Trace[i].Turn)
		}
		return s.at()
	}
	ask := -1
	reach := func(to int) error {
		for ; ask < to; ask++ {
			if err := w.Begin(s.ctx, ask+1); err != nil {
				return err
			}
		}
		return nil
	}
	step := max(1, (len(ep.Trace)+maxForks-1)/maxForks)
	for i := 0; i <= len(ep.Trace); i++ {
		to := len(s.ref.States) - 1
		if i < len(ep.Trace) {
			to = ep.Trace[i].Ask
		}
		if err := reach(to); err != nil {
			return []Problem{problem(at(i), "an ask cannot begin a second time: %v", err)}
		}
		var kept sim.World
		var before json.RawMessage
		if i%step == 0 || i == len(ep.Trace) {
			var p []Problem
			if kept, before, p = s.disturb(w, i); len(p) > 0 {
				return p
			}
		}
		if i < len(ep.Trace) {
			e := ep.Trace[i]
			if got := w.Call(s.ctx, e.Call); !reflect.DeepEqual(got, e.Result) {
				return []Problem{problem(at(i), "call %d (%s) gives another result in a world that was forked; a fork must share nothing that changes", i+1, e.Call.Name)}
			}
		}
		if kept != nil {
			after, err := kept.State()
			if err != nil || !bytes.Equal(after.JSON(), before) {
				return []Problem{problem(at(i), "what a world does after call %d shows in its fork; a fork must share nothing that changes", i)}
			}
			if err := kept.Close(); err != nil {
				return []Problem{problem(at(i), "a fork cannot be closed: %v", err)}
			}
		}
	}
	end, err := w.State()
	if n := len(ep.States); err != nil || n > 0 && !bytes.Equal(end.JSON(), ep.States[n-1]) {
		return []Problem{problem(s.at(), "the same calls in a world that was forked leave another state; a fork must share nothing that changes")}
	}
	return nil
}

// disturb forks a world, does to one fork what an agent might, and checks that the world does
// not notice. It returns another fork, to be kept while the world goes on.
func (s *subject) disturb(w sim.World, i int) (kept sim.World, before json.RawMessage, ps []Problem) {
	fail := func(format string, args ...any) (sim.World, json.RawMessage, []Problem) {
		return nil, nil, []Problem{problem(s.at(), format, args...)}
	}
	st, err := w.State()
	if err != nil {
		return fail("the state after call %d cannot be read: %v", i, err)
	}
	f, err := w.Fork()
	if err != nil {
		return fail("the world cannot be forked after call %d: %v", i, err)
	}
	defer f.Close()
	if fst, err := f.State(); err != nil || !bytes.Equal(fst.JSON(), st.JSON()) {
		return fail("a fork made after call %d has another state than its parent", i)
	}
	if kept, err = w.Fork(); err != nil {
		return fail("the world cannot be forked twice after call %d: %v", i, err)
	}
	before = bytes.Clone(st.JSON())
	for _, c := range s.hostile(i) {
		f.Call(s.ctx, c)
	}
	now, err := w.State()
	if err != nil || !bytes.Equal(now.JSON(), before) {
		kept.Close()
		return fail("what is done to a fork made after call %d shows in its parent; a fork must share nothing that changes", i)
	}
	return kept, before, nil
}

// hostile returns calls that an agent might make at a moment of the reference: what comes next
// there, what came before again, and nonsense.
func (s *subject) hostile(i int) []sim.Call {
	const each = 3
	out := []sim.Call{{Name: unexpected, Arguments: json.RawMessage(`{}`)}}
	t := s.ref.Trace
	for _, e := range t[i:min(len(t), i+each)] {
		out = append(out, e.Call)
	}
	for _, e := range t[max(0, i-each):i] {
		out = append(out, e.Call)
	}
	for _, tool := range s.tools[:min(len(s.tools), each)] {
		out = append(out, sim.Call{Name: tool.Name, Arguments: json.RawMessage(`null`)})
	}
	return out
}
