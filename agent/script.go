package agent

import (
	"context"
	"sync"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// Noop is the agent that does nothing. Its score is a task's floor.
type Noop struct{}

// Play implements Agent.
func (Noop) Play(context.Context, *Session) error { return nil }

// Script is a model that makes the given moves, one a turn, in the words of a dialect, and
// stops without an answer when it runs out of them. It plays one episode.
func Script(d tasks.Dialect, protocol string, moves []tasks.Move) Model {
	return &script{dialect: d, protocol: protocol, moves: moves}
}

type script struct {
	dialect  tasks.Dialect
	protocol string
	moves    []tasks.Move
	next     int
}

func (m *script) Next(context.Context, []tasks.Message, []sim.Tool) (Reply, Usage, error) {
	if m.next >= len(m.moves) {
		return Reply{}, Usage{}, End(grader.EndStopped, "the script is over")
	}
	mv := m.moves[m.next]
	m.next++
	reply, err := spoken(m.dialect, m.protocol, mv)
	if err != nil {
		return Reply{}, Usage{}, Faultf(grader.LayerFixture, "script", "move %d: %w", m.next, err)
	}
	return reply, Usage{}, nil
}

// Scripted is a model for tests: each request takes the next function, which sees the
// conversation. To run out of functions is an adapter's fault, so that no test passes by
// accident. It is safe for concurrent use.
type Scripted struct {
	Steps []func(conv []tasks.Message) (Reply, Usage, error)

	mu   sync.Mutex
	next int
}

// Next implements Model.
func (m *Scripted) Next(_ context.Context, conv []tasks.Message, _ []sim.Tool) (Reply, Usage, error) {
	m.mu.Lock()
	i := m.next
	m.next++
	m.mu.Unlock()
	if i >= len(m.Steps) {
		return Reply{}, Usage{}, Faultf(grader.LayerAdapter, "script", "request %d: the script has %d steps", i+1, len(m.Steps))
	}
	return m.Steps[i](conv)
}

// Replay is a model that gives the recorded replies of an episode again, byte for byte, with
// their errors, and ends or breaks as the recorded episode did when they are used up. A
// conversation that differs from the recorded one is not noticed. It plays one episode. What
// was not played by a model cannot be replayed: that is a fault.
func Replay(ep *Episode) Model { return &replay{ep: ep} }

type replay struct {
	ep   *Episode
	next int
}

func (m *replay) Next(context.Context, []tasks.Message, []sim.Tool) (Reply, Usage, error) {
	if m.next >= len(m.ep.Turns) {
		return Reply{}, Usage{}, m.after()
	}
	t := m.ep.Turns[m.next]
	m.next++
	switch {
	case t.Kind == TurnFault:
		return t.Reply, t.Usage, Faultf(t.Layer, t.Code, "%s", t.Detail)
	case t.Kind == TurnEnded:
		return t.Reply, t.Usage, End(t.Code, t.Detail)
	case t.Kind == TurnMalformed && t.Code == ReplyTooLarge: // not all of it is there to be read
		return t.Reply, t.Usage, tasks.Malformedf(t.Code, "%s", t.Detail)
	case m.next == len(m.ep.Turns) && !m.heeded(t):
		return t.Reply, t.Usage, m.after()
	}
	return t.Reply, t.Usage, nil
}

// heeded reports whether anything came of the last recorded reply: one that came too late, for
// example, is recorded, but its calls are not performed.
func (m *replay) heeded(t Turn) bool {
	ep := m.ep
	if ep.End.Finished() {
		return true
	}
	switch t.Kind {
	case TurnCalls:
		n := len(ep.Trace)
		return n > 0 && ep.Trace[n-1].Turn >= len(ep.Turns)
	case TurnAnswer:
		return t.Ask >= 0 && t.Ask < len(ep.Answers) && ep.Answers[t.Ask] != nil && string(ep.Answers[t.Ask]) != "null"
	}
	return ep.End.Code == t.Code
}

// after is what comes after the last recorded reply.
func (m *replay) after() error {
	ep := m.ep
	switch n := len(ep.Turns); {
	case n == 0 && len(ep.Trace) > 0:
		return Faultf(grader.LayerOrchestration, "replay", "the recording holds calls and no replies: it was not a model that made them")
	case ep.Outcome == grader.Skipped && n == 0 && ep.Verdict.Results == nil:
		return Faultf(grader.LayerOrchestration, "replay", "the recorded episode was not played: %s", ep.Reason)
	case ep.End.Code == endBroken || ep.End.Code == "":
		if ep.Layer == "" {
			return Faultf(grader.LayerOrchestration, "replay", "the recording has no end")
		}
		return Faultf(ep.Layer, ep.FaultCode, "%s", ep.Reason)
	case ep.End.Finished():
		return Faultf(grader.LayerOrchestration, "replay", "the recording ended after %d replies and more were asked for", n)
	}
	return End(ep.End.Code, ep.End.Detail)
}
