package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// wild is an agent that does what bytes say, and goes on whatever the session says. It notes
// what it was told.
type wild struct {
	moves []byte
	turns int
	over  error // the first word that the episode is over
	wrong error // the first broken promise
}

func (w *wild) Play(ctx context.Context, s *agent.Session) error {
	names := []string{"add", "get", "finish", "unknown", "fault", "panic", "add\xff", "wrap", "shared"}
	args := []string{`{"n":1}`, `{}`, ``, `{`, `{"n":1,"n":2}`, string(nested(150)), "\xff"}
	told := func(err error) {
		switch {
		case w.over != nil && err != w.over && w.wrong == nil:
			w.wrong = fmt.Errorf("told %v, then %v", w.over, err)
		case err != nil && w.over == nil:
			w.over = err
			if !errors.As(err, new(*agent.Ended)) && !errors.As(err, new(*agent.Fault)) {
				w.wrong = fmt.Errorf("told %v, which is neither an end nor a fault", err)
			}
		}
	}
	for _, m := range w.moves {
		n := int(m >> 3)
		switch m & 7 {
		case 0:
			_, ok, err := s.Next(ctx)
			if !ok && err == nil && w.over == nil {
				continue // done; the next word says so
			}
			told(err)
		case 1:
			err := s.Turn()
			if err == nil {
				w.turns++
			}
			told(err)
		case 2, 3:
			_, err := s.Call(ctx, sim.Call{Name: names[n%len(names)], Arguments: json.RawMessage(args[n%7])})
			told(err)
		case 4:
			answers := []string{`1`, `null`, `"x"`, `{"a":1}`, `{"b":1,"a":2}`}
			switch n {
			case 30:
				answers = []string{string(nested(150))}
			case 31:
				answers = []string{`{`}
			}
			told(s.Answer(json.RawMessage(answers[n%len(answers)])))
		case 5:
			kinds := []string{agent.TurnCalls, agent.TurnAnswer, agent.TurnMalformed, agent.TurnEnded, agent.TurnFault}
			told(s.Record(agent.Turn{Kind: kinds[n%5], Usage: used(int64(n), 1), Reply: agent.Reply{Text: "\xfe", Calls: []sim.Call{{Arguments: json.RawMessage(args[n%len(args)])}}}}))
		case 6:
			s.Say(tasks.Message{Content: args[n%len(args)]})
		case 7:
			switch {
			case n < 28:
				s.Envelope()
			case n == 28:
				told(s.End("tired", "\xff"))
			case n == 29:
				told(s.End(grader.EndDone, ""))
			case n == 30:
				return errors.New("own error")
			default:
				panic("own panic")
			}
		}
	}
	return nil
}

// Random agents never break what a session promises: every call that reaches the world is in
// the trace and no other is, no more turns are given than there are, there is exactly one end,
// and the episode can be written and read back.
func FuzzSession(f *testing.F) {
	f.Add([]byte{0, 1, 2, 4, 0}, byte(0))
	f.Add([]byte{0, 1, 2, 26, 34, 42, 4, 0, 1, 2, 4, 0, 0, 1}, byte(3))
	f.Add([]byte{2, 0}, byte(0))
	f.Add([]byte{0, 1, 13, 13, 13, 13, 13, 1}, byte(5))
	f.Add([]byte{0, 252, 4}, byte(1))
	f.Add([]byte{0, 4, 0, 4, 0, 0, 2, 4, 1, 255}, byte(7))
	f.Add([]byte{0, 4, 239}, byte(2))
	f.Fuzz(func(t *testing.T, moves []byte, shape byte) {
		if len(moves) > 200 {
			return
		}
		tk := task(func(t *tasks.Task) {
			t.Limits = tasks.Limits{Turns: 4, InvalidCalls: int(shape>>3) & 3, Tokens: int(shape>>5) * 9}
			if shape&1 != 0 {
				twoAsks(t)
			}
			t.Asks[0].Gated = shape&2 != 0
			t.Asks[0].Turns = int(shape & 4 / 2)
		})
		w := &wild{moves: moves}
		l := &lab{hang: make(chan struct{})}
		ep := agent.Play(context.Background(), w, agent.Config{Kit: l.kit(), Task: tk, Grace: time.Minute})
		grade(ep, tk)
		if err := sound(ep, tk); err != nil {
			t.Error(err)
		}
		if w.wrong != nil {
			t.Error(w.wrong)
		}
		if w.turns > tk.Limits.Turns {
			t.Errorf("%d turns were given of %d", w.turns, tk.Limits.Turns)
		}
		if int(l.calls.Load()) != ep.Calls() || l.closed.Load() != 1 {
			t.Errorf("%d calls reached the world, %d are in the trace; closed %d times", l.calls.Load(), ep.Calls(), l.closed.Load())
		}
		var ended *agent.Ended
		var fault *agent.Fault
		switch {
		case errors.As(w.over, &ended) && (ep.End != ended.End || ep.Outcome == grader.Broken && ep.FaultCode != ""):
			t.Errorf("the agent was told %v, the episode %s ended by %v (%s)", ended, ep.Outcome, ep.End, ep.Reason)
		case errors.As(w.over, &fault) && ep.FaultCode != fault.Code:
			t.Errorf("the agent was told %v, the episode broke by %s", fault, ep.FaultCode)
		}
	})
}
