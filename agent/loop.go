package agent

import (
	"context"
	"errors"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// The protocols.
const (
	ProtocolJSON  = "json"  // one JSON action a turn, in the published system's dialect
	ProtocolTools = "tools" // native tool calling
)

// A Loop is the agent that a model becomes: put the ask, take a reply, perform its calls, show
// the results, until there is an answer. It is plain on purpose: no planner, no memory, and no
// hidden second chance. What a malformed reply costs is the task's protocol to say.
type Loop struct {
	Model   Model
	Dialect tasks.Dialect
}

// Play implements Agent.
func (l Loop) Play(ctx context.Context, s *Session) error {
	env, tools := s.Envelope(), s.Tools()
	open, parse, repair := l.Dialect.Open, l.Dialect.Parse, l.Dialect.Repair
	if s.Protocol() == ProtocolTools {
		n := nativeOf(l.Dialect)
		open, parse = n.OpenTools, n.ParseText
		if n, ok := n.(native); ok {
			repair = n.Repair
		}
	}
	var conv []tasks.Message
	say := func(m ...tasks.Message) {
		conv = append(conv, m...)
		s.Say(m...)
	}
	for {
		ask, ok, err := s.Next(ctx)
		if err != nil || !ok {
			return err
		}
		opening, err := open(env, ask, tools)
		if err != nil {
			return Faultf(grader.LayerAdapter, "dialect", "ask %d: %w", ask, err)
		}
		say(opening...)
		for first := true; ; first = false {
			if err := s.Turn(); err != nil {
				return err
			}
			began := s.now()
			reply, usage, err := l.Model.Next(ctx, conv, tools)
			reply.Text = valid(reply.Text) // what is understood is what is recorded
			turn := Turn{Reply: reply, Usage: usage, Duration: s.now().Sub(began)}
			if err != nil {
				return l.failed(ctx, s, turn, err, first)
			}
			say(tasks.Message{Role: tasks.RoleAssistant, Content: reply.Text, Calls: nativeCalls(s, reply)})
			action := tasks.Action{Calls: reply.Calls}
			if s.Protocol() != ProtocolTools || len(reply.Calls) == 0 {
				action, err = parse(env, reply.Text)
			}
			var bad *tasks.Malformed
			if err != nil {
				if !errors.As(err, &bad) {
					return Faultf(grader.LayerAdapter, "dialect", "parse: %w", err)
				}
				code := bad.Code
				if reply.DoneReason == DoneLength {
					code = grader.EndTruncated
				}
				turn.Kind, turn.Code, turn.Detail = TurnMalformed, code, bad.Detail
				if err := s.Record(turn); err != nil {
					return err
				}
				if !env.Protocol.Lenient {
					return s.End(code, bad.Detail)
				}
				say(repair(bad))
				continue
			}
			turn.Kind = TurnCalls
			if action.Answer != nil {
				turn.Kind = TurnAnswer
			}
			if err := s.Record(turn); err != nil {
				return err
			}
			done, err := l.perform(ctx, s, action, say)
			if err != nil {
				return err
			}
			if done {
				break
			}
		}
	}
}

// perform does what a reply asks for, and reports whether that ends the ask.
func (l Loop) perform(ctx context.Context, s *Session, a tasks.Action, say func(...tasks.Message)) (bool, error) {
	done := false
	for _, c := range a.Calls {
		res, err := s.Call(ctx, c)
		if err != nil {
			return false, err
		}
		m, err := l.result(s, c, res)
		if err != nil {
			return false, Faultf(grader.LayerAdapter, "dialect", "result: %w", err)
		}
		say(m)
		if res.Done {
			done = true
			break
		}
	}
	if a.Answer != nil {
		s.ignored(a.Ignored)
		return true, s.Answer(a.Answer)
	}
	return done, nil
}

func (l Loop) result(s *Session, c sim.Call, r sim.Result) (tasks.Message, error) {
	if s.Protocol() == ProtocolTools {
		return tasks.Message{Role: tasks.RoleTool, Tool: c.Name, Content: string(r.Data)}, nil
	}
	return l.Dialect.Result(c, r)
}

func nativeCalls(s *Session, r Reply) []sim.Call {
	if s.Protocol() == ProtocolTools {
		return r.Calls
	}
	return nil
}

// failed records a turn that gave no usable reply and sorts its error. Time that ran out before
// a single byte had come is the provider's; an ask that does not even open within the window is
// the measurement's, later it is what the agent chose to read.
func (l Loop) failed(ctx context.Context, s *Session, t Turn, err error, first bool) error {
	var fault *Fault
	var ended *Ended
	switch {
	case errors.As(err, &fault):
	case errors.As(err, &ended):
		if ended.End.Code == grader.EndContext && first {
			fault = Faultf(grader.LayerContext, grader.EndContext, "the first request of the ask does not fit: %s", ended.End.Detail)
		}
	case ctx.Err() != nil && context.Cause(ctx) != errWall:
		fault = Faultf(grader.LayerOrchestration, "interrupted", "%w", context.Cause(ctx))
	case ctx.Err() != nil && t.Reply.Began:
		ended = &Ended{grader.End{Code: grader.EndWall, Detail: "in the middle of a reply"}}
	case ctx.Err() != nil:
		fault = Faultf(grader.LayerProvider, grader.EndWall, "no byte of a reply before the deadline")
	default:
		fault = Faultf(grader.LayerAdapter, "error", "%w", err)
	}
	if fault != nil {
		t.Kind, t.Code, t.Detail, t.Layer = TurnFault, fault.Code, fault.Err.Error(), fault.Layer
		s.Record(t)
		return fault
	}
	t.Kind, t.Code, t.Detail = TurnEnded, ended.End.Code, ended.End.Detail
	if t.Reply.Text != "" {
		s.Say(tasks.Message{Role: tasks.RoleAssistant, Content: t.Reply.Text})
	}
	if err := s.Record(t); err != nil {
		return err
	}
	return s.End(ended.End.Code, ended.End.Detail)
}
