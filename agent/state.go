package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

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
		return s.fail(Faultf(grader.LayerAdapter, "protocol", "%s before the first ask", what))
	}
	return nil
}

// end ends the episode. What ended it first counts.
func (s *Session) end(code, detail string) error {
	if s.over == nil {
		s.ep.End = grader.End{Code: valid(code), Detail: valid(detail)}
		s.over = &Ended{s.ep.End}
		s.stop()
	}
	return s.over
}

// endAs ends the episode as the agent says.
func (s *Session) endAs(e grader.End) error {
	switch {
	case e.Code == grader.EndDone && s.allDone():
		return s.end(grader.EndDone, e.Detail)
	case e.Code == grader.EndDone || e.Code == "" || e.Code == endBroken:
		return s.end(grader.EndStopped, e.Detail)
	}
	return s.end(e.Code, e.Detail)
}

// fail breaks the episode, unless it is over.
func (s *Session) fail(f *Fault) error {
	if s.over == nil {
		s.over, s.fault = f, f
		s.stop()
	}
	return s.over
}

// expire ends or breaks an episode whose context has ended.
func (s *Session) expire() error {
	if context.Cause(s.ctx) == errWall {
		return s.end(grader.EndWall, fmt.Sprintf("%s are over", time.Duration(s.limits.Wall)))
	}
	return s.fail(Faultf(grader.LayerOrchestration, "interrupted", "%w", context.Cause(s.ctx)))
}

// allDone reports whether the last ask is finished, and all before it were.
func (s *Session) allDone() bool {
	return s.ask == len(s.asks)-1 && s.open == 0 && s.finished()
}

// settle turns how the agent returned into the episode's end. What the session itself said
// first counts; then what the agent returned; then time; then whether anything was left open.
func (s *Session) settle(err error) {
	var fault *Fault
	var ended *Ended
	switch {
	case s.over != nil:
	case errors.As(err, &fault):
		s.fail(fault)
	case errors.As(err, &ended):
		s.endAs(ended.End)
	case err == nil && s.allDone():
		s.end(grader.EndDone, "")
	case s.ctx.Err() != nil:
		s.expire()
	case err != nil:
		s.fail(Faultf(grader.LayerAdapter, "error", "%w", err))
	default:
		s.end(grader.EndStopped, "the agent stopped without an answer")
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
// the session can see that f hangs. A panic of f is its error. By the time that f returns the
// episode may be over.
func (s *Session) doing(layer grader.Layer, what string, f func() error) (err error) {
	s.busy = busy{layer, what}
	s.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
		s.mu.Lock()
		s.busy = busy{}
	}()
	return f()
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
		s.fault = f // also after an end: what cannot be read cannot be graded
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
	return st.JSON(), nil
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
	ep := s.ep
	if s.fault == nil && !s.settled {
		s.fault = s.stuck()
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

// stuck says what it is that does not return.
func (s *Session) stuck() *Fault {
	if s.busy.layer != "" {
		return Faultf(s.busy.layer, "stuck", "%s did not return after the end of its time", s.busy.what)
	}
	return Faultf(grader.LayerAdapter, "stuck", "the agent did not return after the end of its time")
}

// valid returns text as any JSON can hold it, so that a record that is read back says the same.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// encodable returns a call that can be recorded and read back: arguments that are not sound
// JSON become a JSON string of their text.
func encodable(c sim.Call) sim.Call {
	c.Name = valid(c.Name)
	if len(c.Arguments) > 0 && !sound(c.Arguments) {
		c.Arguments = sim.MustCanonical(string(c.Arguments))
	}
	return c
}

// sound reports whether sim.ParseJSON reads raw. Only an object of several members can name one
// twice, and only long JSON nests too deep, so that most arguments need not be parsed for it.
func sound(raw json.RawMessage) bool {
	if !json.Valid(raw) {
		return false
	}
	if len(raw) <= sim.MaxDepth && bytes.Count(raw, []byte(":")) < 2 {
		return true
	}
	_, err := sim.ParseJSON(raw)
	return err == nil
}

func encodables(calls []sim.Call) []sim.Call {
	if len(calls) == 0 {
		return calls
	}
	out := slices.Clone(calls)
	for i := range out {
		out[i] = encodable(out[i])
	}
	return out
}
