package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// A Session is an agent's side of an episode. All methods are safe for concurrent use, though
// the world serves one call at a time. Once the episode is over every method that acts returns
// the same *Ended, or the *Fault that broke it, and the context that Play gave the agent ends.
//
// What an agent gives is copied and what it gets is a copy: it may do with both what it likes.
// What it must not do — act before the first ask, answer what is not JSON — ends the episode
// with [grader.EndAgent].
//
// A turn is one reply of the agent. It is claimed by Turn, before the reply is made, and holds
// the reply's calls, up to 64, and its answer. Nobody gets more turns than there are by not
// asking: a call or an answer outside a claimed turn is a turn of its own, and so is a turn that
// is recorded without having been claimed.
type Session struct {
	envelope func() tasks.Envelope
	asks     []tasks.Ask
	tools    []sim.Tool
	limits   tasks.Limits
	protocol string
	basis    Basis
	told     func(Usage) // Config.Spent
	gate     func(ask int, ep *Episode) gating
	now      func() time.Time

	// ctx ends with the episode. It is kept, and not only passed on, because every method has to
	// notice that time is up, and because the world acts under it: whatever context an agent
	// brings, it can neither outlive the episode nor spoil a call.
	ctx  context.Context
	stop context.CancelFunc
	late func() // ends it since time is up

	world chan sim.World // holds the world while nobody uses it

	mu      sync.Mutex
	ep      *Episode
	ask     int   // -1 before the first
	turns   int   // over all asks
	own     own   // what the present ask has used of its own limits
	room    int   // calls that the claimed turn still holds; below 0 when none is claimed
	invalid int   // calls
	heard   int   // bytes of results
	spent   int64 // budget tokens
	open    int   // asks left behind without an answer
	done    bool  // the world says that the present ask is finished
	busy    busy  // what the holder of the world is doing
	away    busy  // what the loop waits for
	over    error // the first *Ended or *Fault
	fault   *Fault
	reason  string // of the fault, where the agent may not know it
	settled bool   // the last state is in the episode
	sealed  bool   // Play has returned: the episode is no longer the session's
}

// busy names work of others that may hang, and whose it is.
type busy struct {
	layer grader.Layer
	what  string
}

// Envelope returns a copy of what the agent may know of the task.
func (s *Session) Envelope() tasks.Envelope { return s.envelope() }

// Tools returns a copy of what the agent may call.
func (s *Session) Tools() []sim.Tool { return copied(s.tools) }

// Protocol returns "json" or "tools".
func (s *Session) Protocol() string { return s.protocol }

// Next puts the next ask and returns its number, from 0. ok is false after the last. When the
// present ask is gated and its checks do not hold, the episode ends instead.
func (s *Session) Next(ctx context.Context) (ask int, ok bool, err error) {
	w, err := s.take(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		return s.ask, false, err
	}
	defer s.give(w)
	if err := s.alive(); err != nil {
		return s.ask, false, err
	}
	if s.ask >= 0 {
		s.unclock()
		if err := s.leave(w); err != nil {
			return s.ask, false, err
		}
		if !s.finished() {
			s.open++
		}
		if s.ask+1 == len(s.asks) {
			return s.ask, false, s.endDone()
		}
		if err := s.pass(); err != nil {
			return s.ask, false, err
		}
	} else if len(s.asks) == 0 {
		return s.ask, false, s.end(grader.EndStopped, "the task asks nothing")
	}
	s.ask++
	s.own, s.room, s.done = own{}, -1, false
	s.ep.Answers = append(s.ep.Answers, nil)
	n := s.ask
	err = s.doing(grader.LayerToolRuntime, "the world's begin", func() error { return w.Begin(s.ctx, n) })
	switch {
	case s.over != nil:
		return n, false, s.over
	case err != nil && s.ctx.Err() != nil:
		return n, false, s.expire()
	case err != nil:
		return n, false, s.fail(Faultf(grader.LayerToolRuntime, "begin", "ask %d: %w", n+1, err))
	}
	s.setClock()
	return n, true, nil
}

// pass lets the episode through the gate behind the present ask, if there is one.
func (s *Session) pass() error {
	if !s.asks[s.ask].Gated {
		return nil
	}
	seen := *s.ep // frozen as it would be if the episode ended here
	seen.Answers = slices.Clone(s.ep.Answers)
	seen.End = grader.End{Code: grader.EndDone}
	if s.open > 0 {
		seen.End.Code = grader.EndStopped
	}
	var g gating
	n := s.ask
	err := s.doing(grader.LayerGrader, "a check of a gate", func() error { g = s.gate(n, &seen); return nil })
	switch {
	case s.over != nil:
		return s.over
	case err != nil:
		g.layer, g.reason = grader.LayerGrader, err.Error()
	case g.held:
		return nil
	case g.layer == "":
		return s.end(grader.EndGate, fmt.Sprintf("ask %d is not met", n+1))
	}
	if s.ctx.Err() != nil && context.Cause(s.ctx) != errWall {
		return s.expire()
	}
	s.reason = g.reason // it words the check, which the agent must not see
	return s.fail(Faultf(g.layer, "gate", "the checks of ask %d could not be evaluated", n+1))
}

// finished reports whether the present ask is.
func (s *Session) finished() bool { return s.ask >= 0 && (s.ep.Answers[s.ask] != nil || s.done) }

// endDone ends an episode whose asks have all been put; the error is nil when all of them are
// finished.
func (s *Session) endDone() error {
	if s.open > 0 {
		return s.end(grader.EndStopped, fmt.Sprintf("%d of %d asks were left without an answer", s.open, len(s.asks)))
	}
	s.end(grader.EndDone, "")
	return nil
}

// Turn claims one turn. An agent that has none left is told so by the error.
func (s *Session) Turn() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.begun("a turn"); err != nil {
		return err
	}
	return s.claim(maxCalls)
}

// claim takes one of the turns that are left, with room for so many further calls; below 0 it is
// used up by what claims it.
func (s *Session) claim(room int) error {
	switch own := s.asks[s.ask]; {
	case s.limits.Turns > 0 && s.turns >= s.limits.Turns:
		return s.end(grader.EndTurns, fmt.Sprintf("%d turns were spent without an end", s.turns))
	case own.Turns > 0 && s.own.turns >= own.Turns:
		return s.end(grader.EndTurns, fmt.Sprintf("%d turns were spent on ask %d", s.own.turns, s.ask+1))
	case s.overspent(), own.Tokens > 0 && s.own.tokens >= int64(own.Tokens): // nothing is left for another
		return s.endTokens()
	}
	s.turns++
	s.own.turns++
	s.room = room
	return nil
}

// Call performs a tool call. What the agent did wrong is in the result. The error is not nil
// when the episode is over, or when ctx ended before the world was free for the call. A call
// that has begun is performed whatever becomes of ctx.
//
// The world gets what is recorded. Arguments that are not JSON, or more than 1 MB of it, or
// nested deeper than [sim.MaxAgentDepth], reach it as a JSON string of their text, cut to 64 KB;
// a name of more than 256 bytes is cut; a parent that is no earlier call of the trace is dropped.
func (s *Session) Call(ctx context.Context, c sim.Call) (sim.Result, error) {
	c = encodable(c)
	w, err := s.take(ctx)
	if err != nil {
		return sim.Result{}, err
	}
	defer s.give(w)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.begun("a call"); err != nil {
		return sim.Result{}, err
	}
	if s.room--; s.room < 0 {
		if err := s.claim(-1); err != nil {
			return sim.Result{}, err
		}
	}
	res, err := s.call(w, c)
	return shown(res), err
}

// call is Call within a turn. The caller holds the world.
func (s *Session) call(w sim.World, c sim.Call) (res sim.Result, err error) {
	if most := s.asks[s.ask].Calls; most > 0 && s.own.calls >= most {
		return res, s.end(grader.EndCalls, fmt.Sprintf("%d tool calls were made for ask %d", s.own.calls, s.ask+1))
	}
	s.own.calls++
	if c.Parent < 0 || c.Parent > len(s.ep.Trace) {
		c.Parent = 0
	}
	e := sim.Event{Ask: s.ask, Turn: s.turns, Call: c}
	err = s.doing(grader.LayerToolRuntime, "a tool call", func() error { res = w.Call(s.ctx, c); return nil })
	if err != nil {
		res = sim.Fault("tool %q: %v", c.Name, err)
	}
	res = recordable(c, res)
	if s.sealed {
		return res, s.over
	}
	e.Result = res
	s.ep.Trace = append(s.ep.Trace, e)
	switch {
	case s.over != nil:
		return res, s.over
	case res.Fault != "" && s.ctx.Err() != nil: // it broke because it was made to
		return res, s.expire()
	case res.Fault != "":
		return res, s.fail(Faultf(grader.LayerToolRuntime, "fault", "%s", res.Fault))
	}
	s.done = s.done || res.Done
	if s.heard += len(res.Data); s.heard > maxHeard {
		return res, s.end(grader.EndAgent, fmt.Sprintf("the results of its calls came to more than %d MB", maxHeard>>20))
	}
	if res.Invalid {
		s.invalid++
		if s.limits.InvalidCalls > 0 && s.invalid > s.limits.InvalidCalls {
			return res, s.end(grader.EndInvalid, fmt.Sprintf("%d invalid calls", s.invalid))
		}
	}
	return res, nil
}

// Answer gives the answer to the present ask: JSON of at most 4 MB, nested no deeper than
// [sim.MaxAgentDepth], kept in its canonical form. The last one counts.
func (s *Session) Answer(answer json.RawMessage) error {
	c, problem := answerOf(answer)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.begun("an answer"); err != nil {
		return err
	}
	if s.room < 0 {
		if err := s.claim(-1); err != nil {
			return err
		}
	}
	if problem != "" {
		return s.end(grader.EndAgent, "an answer "+problem)
	}
	s.ep.Answers[s.ask] = c
	return nil
}

// answerOf returns an answer in its canonical form, or says why it is none.
func answerOf(raw json.RawMessage) (answer json.RawMessage, problem string) {
	if len(raw) > MaxReply {
		return nil, fmt.Sprintf("of %d bytes: at most %d are taken", len(raw), MaxReply)
	}
	c, err := sim.Canonical(raw)
	switch {
	case err != nil:
		return nil, "that is not JSON: " + err.Error()
	case !sound(c, sim.MaxAgentDepth):
		return nil, fmt.Sprintf("that is nested deeper than %d", sim.MaxAgentDepth)
	}
	return c, ""
}

// End ends the episode for a reason of the agent's own making. The code "done" is believed only
// when the last ask is finished; otherwise the agent has stopped.
func (s *Session) End(code, detail string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.alive(); err != nil {
		return err
	}
	return s.endAs(grader.End{Code: code, Detail: detail})
}

// Say records messages of the conversation.
func (s *Session) Say(m ...tasks.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over != nil {
		return
	}
	for _, m := range m {
		m.Calls = encodables(m.Calls)
		s.hear(m)
	}
}

// said is Say for one message whose calls are a copy that can be recorded.
func (s *Session) said(m tasks.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over == nil {
		s.hear(m)
	}
}

func (s *Session) hear(m tasks.Message) {
	m.Role, m.Content, m.Tool = clip(m.Role, maxCode), valid(m.Content), clip(m.Tool, maxName)
	if s.ep.Messages == nil {
		s.ep.Messages = make([]tasks.Message, 0, 8)
	}
	s.ep.Messages = append(s.ep.Messages, m)
}

// Record records a turn and what it cost, and ends the episode when a token budget is spent:
// the calls of a reply that went over it are not performed, an answer still counts. A turn that
// was claimed is recorded also when the episode is over already, since it was paid for. Of a
// turn that nobody claimed, and that there is no more, only the cost is kept.
func (s *Session) Record(t Turn) error { return s.record(t.own()) }

// record is Record of a turn that can be recorded.
func (s *Session) record(t Turn) error {
	if s.told != nil {
		s.told(t.Usage.own())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sealed {
		return s.over
	}
	claimed := len(s.ep.Turns) < s.turns
	if !claimed && s.begun("a turn") == nil {
		claimed = s.claim(maxCalls) == nil
	}
	s.ep.Usage = s.ep.Usage.Add(t.Usage)
	n, _ := t.Usage.Budget(s.basis) // turn by turn, so that an unknown count does not hide the known ones
	s.spent, s.own.tokens = plus(s.spent, n), plus(s.own.tokens, n)
	if !claimed {
		return s.over
	}
	t.Ask = s.ask
	if len(s.ep.Turns) == 0 {
		s.ep.Turns = make([]Turn, 0, 2)
	}
	s.ep.Turns = append(s.ep.Turns, t)
	switch {
	case s.over != nil:
		return s.over
	case s.miscounted(t) != "":
		return s.fail(Faultf(grader.LayerAccounting, AccountingFault, "turn %d: %s", len(s.ep.Turns), s.miscounted(t)))
	case s.overspent() && (t.Kind == TurnCalls || t.Kind == TurnMalformed):
		return s.endTokens()
	}
	return nil
}

// waits notes what the loop waits for, which may hang.
func (s *Session) waits(b busy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away = b
}

// ignored notes fields of an answer that the protocol dropped.
func (s *Session) ignored(names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.sealed {
		s.ep.Ignored = append(s.ep.Ignored, names...)
	}
}

// turn returns how many turns have been claimed, over all asks.
func (s *Session) turn() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turns
}
