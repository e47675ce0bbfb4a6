package agent

import (
	"context"
	"encoding/json"
	"fmt"

	"benchwright/grader"
	"benchwright/sim"
)

// What follows is how a session comes to its end. Unless it says otherwise, a method here is
// called with the session's lock held.

// alive returns why the session can no longer act, and notices that time is up.
func (s *Session) alive() error {
	if s.over == nil && s.ctx.Err() != nil {
		return s.expire()
	}
	return s.over
}

// begun is alive for what only makes sense within an ask.
func (s *Session) begun(what string) error {
	if err := s.alive(); err != nil {
		return err
	}
	if s.ask < 0 {
		return s.end(grader.EndAgent, what+" before the first ask")
	}
	return nil
}

// end ends the episode. What ended it first counts.
func (s *Session) end(code, detail string) error {
	if s.over == nil {
		s.ep.End = grader.End{Code: clip(code, maxCode), Detail: clip(detail, maxDetail)}
		s.over = &Ended{s.ep.End}
		s.stop()
	}
	return s.over
}

// endAs ends the episode as the agent says, unless it is not for the agent to say.
func (s *Session) endAs(e grader.End) error {
	switch e.Code {
	case grader.EndDone:
		if s.allDone() {
			return s.end(grader.EndDone, e.Detail)
		}
		fallthrough
	case "", endBroken, grader.EndUnreached, grader.EndGate:
		return s.end(grader.EndStopped, e.Detail)
	}
	return s.end(e.Code, e.Detail)
}

// fail breaks the episode, unless it is over. What the agent is told is not what is recorded.
func (s *Session) fail(f *Fault) error {
	if s.over == nil {
		s.over, s.fault = f, f.own()
		s.stop()
	}
	return s.over
}

// expire ends or breaks an episode whose context has ended.
func (s *Session) expire() error {
	if context.Cause(s.ctx) == errWall {
		return s.end(grader.EndWall, s.lateness())
	}
	return s.fail(Faultf(grader.LayerOrchestration, "interrupted", "%w", context.Cause(s.ctx)))
}

// allDone reports whether the last ask is finished, and all before it were.
func (s *Session) allDone() bool {
	return s.ask == len(s.asks)-1 && s.open == 0 && s.finished()
}

// settle turns how the agent returned into the episode's end. What the session itself said
// first counts; then what the agent returned; then time; then whether anything was left open.
// Whatever goes wrong in the agent itself is its own doing.
func (s *Session) settle(r returned) {
	switch {
	case s.over != nil:
	case r.fault != nil:
		s.fail(r.fault)
	case r.end != nil:
		s.endAs(*r.end)
	case r.wrong == "" && s.allDone():
		s.end(grader.EndDone, "")
	case s.ctx.Err() != nil:
		s.expire()
	case r.wrong != "":
		s.end(grader.EndAgent, r.wrong)
	default:
		s.end(grader.EndStopped, "the agent stopped without an answer")
	}
}

// hung settles an episode whose agent did not return after the end of its time. It was waited
// for, so that time is up: the agent's, unless it is something else that hangs.
func (s *Session) hung() {
	switch {
	case s.over != nil:
	case s.busy.layer != "":
		s.fail(s.busy.stuck())
	case s.away.layer != "":
		s.fail(s.away.stuck())
	default:
		s.expire()
	}
}

// take waits for the world. It is called without the lock.
func (s *Session) take(ctx context.Context) (sim.World, error) {
	if ctx.Err() == nil {
		select {
		case w := <-s.world:
			return w, nil
		case <-ctx.Done():
		case <-s.ctx.Done():
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.alive(); err != nil {
		return nil, err
	}
	return nil, ctx.Err()
}

// give puts the world back. It needs no lock.
func (s *Session) give(w sim.World) { s.world <- w }

// doing calls f, which is not to be trusted to return, without the lock: so whoever waits for
// the session can see that f hangs. A panic of f is its error; to end the goroutine breaks the
// episode. By the time that f returns the episode may be over.
func (s *Session) doing(layer grader.Layer, what string, f func() error) (err error) {
	s.busy = busy{layer, what}
	s.mu.Unlock()
	returned := false
	defer func() {
		p := recover()
		s.mu.Lock()
		s.busy = busy{}
		switch {
		case p != nil:
			err = fmt.Errorf("panic: %v", p)
		case !returned:
			s.fail(Faultf(layer, "goexit", "%s ended its goroutine", what))
		}
	}()
	err = f()
	returned = true
	return err
}

// leave records the state that the present ask has left behind. The caller holds the world.
func (s *Session) leave(w sim.World) error {
	if s.ask < 0 || len(s.ep.States) > s.ask {
		return nil
	}
	var raw json.RawMessage
	err := s.doing(grader.LayerToolRuntime, "reading the state", func() (err error) { raw, err = stateOf(w); return err })
	switch {
	case s.sealed:
		return s.over
	case err != nil:
		f := Faultf(grader.LayerToolRuntime, "state", "after ask %d: %w", s.ask+1, err)
		s.fail(f)
		s.fault = f.own() // also after an end: what cannot be read cannot be graded
		return f
	}
	s.ep.States = append(s.ep.States, raw)
	return nil
}

func stateOf(w sim.World) (json.RawMessage, error) {
	st, err := w.State()
	if err != nil {
		return nil, err
	}
	raw := st.JSON()
	switch {
	case len(raw) == 0:
		return nil, nil
	case !sound(raw, sim.MaxWorldDepth):
		return nil, fmt.Errorf("the state is not JSON, names a key twice, or is nested deeper than %d", sim.MaxWorldDepth)
	}
	return raw, nil
}

// finish takes the world from whoever still has it, reads the last state and closes the world.
// It is called without the lock, and does not touch a sealed episode.
func (s *Session) finish() (none struct{}) {
	w := <-s.world
	defer closeWorld(w)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault == nil && !s.sealed {
		s.leave(w)
	}
	s.settled = true
	return
}

// seal completes the episode and takes it from the session. It is called without the lock.
func (s *Session) seal() *Episode {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sealed = true
	s.unclock()
	ep := s.ep
	if s.fault == nil && !s.settled {
		s.fault = s.busy.stuck()
	}
	if s.fault != nil {
		ep.Break(s.fault)
		if s.over == nil {
			s.over = s.fault
		}
		if s.reason != "" {
			ep.Reason = s.reason
		}
	}
	if ep.End.Code == "" {
		ep.End = grader.End{Code: endBroken, Detail: ep.FaultCode}
	}
	for len(ep.Answers) < len(s.asks) {
		ep.Answers = append(ep.Answers, nil)
	}
	return ep
}

// endBroken is the code of an episode that had no end of its own because it broke.
const endBroken = "broken"

// stuck says that it does not return.
func (b busy) stuck() *Fault {
	if b.layer == "" {
		return Faultf(grader.LayerToolRuntime, "stuck", "the world did not come back after the end of its time")
	}
	return Faultf(b.layer, "stuck", "%s did not return after the end of its time", b.what)
}
