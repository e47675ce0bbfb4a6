package agent

import (
	"context"
	"encoding/json"
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
//
// A model or dialect that panics is a fault of the adapter.
type Loop struct {
	Model   Model
	Dialect tasks.Dialect
}

// Play implements Agent.
func (l Loop) Play(ctx context.Context, s *Session) error {
	t := talk{Loop: l, s: s, env: s.Envelope(), tools: s.Tools(), open: l.Dialect.Open, parse: l.Dialect.Parse, repair: l.Dialect.Repair, repairs: -1}
	t.offered = t.tools
	if r, ok := l.Dialect.(tasks.Repairer); ok {
		t.repairs = r.Repairs()
	}
	if t.native() {
		n := nativeOf(l.Dialect)
		t.open, t.parse = n.OpenTools, n.ParseText
		if n, ok := n.(native); ok {
			t.repair = n.Repair
		}
		if n, ok := n.(tasks.NativeDialect); ok {
			t.calls = n.ParseCalls
			if f := dialect(func() error { t.offered = n.Offer(t.env, t.tools); return nil }); f != nil {
				return f
			}
		}
	}
	for {
		ask, ok, err := s.Next(ctx)
		if err != nil || !ok {
			return err
		}
		var opening []tasks.Message
		if f := dialect(func() (err error) { opening, err = t.open(t.env, ask, t.tools); return err }); f != nil {
			return Faultf(f.Layer, f.Code, "ask %d: %w", ask, f.Err)
		}
		for _, m := range opening {
			t.say(m)
		}
		for first, done := true, false; !done; first = false {
			if done, err = t.turn(ctx, first); err != nil {
				return err
			}
		}
	}
}

// A talk is a Loop in one episode.
type talk struct {
	Loop
	s       *Session
	env     tasks.Envelope
	tools   []sim.Tool                                             // of the world
	offered []sim.Tool                                             // what the model may call: these, and what the dialect adds natively
	repairs int                                                    // malformed replies that are still answered; negative is no bound
	calls   func(tasks.Envelope, []sim.Call) (tasks.Action, error) // reads native calls; nil takes them as they are
	open    func(tasks.Envelope, int, []sim.Tool) ([]tasks.Message, error)
	parse   func(tasks.Envelope, string) (tasks.Action, error)
	repair  func(*tasks.Malformed) tasks.Message
	conv    []tasks.Message
}

func (t *talk) native() bool { return t.s.Protocol() == ProtocolTools }

func (t *talk) say(m tasks.Message) {
	if t.conv == nil {
		t.conv = make([]tasks.Message, 0, 8)
	}
	t.conv = append(t.conv, m)
	m.Calls = encodables(m.Calls)
	t.s.said(m)
}

// malformedOf returns the malformed reply that an error is, or nil.
func malformedOf(err error) *tasks.Malformed {
	if err == nil {
		return nil
	}
	var bad *tasks.Malformed
	errors.As(err, &bad)
	return bad
}

// dialect calls f, which calls a dialect.
func dialect(f func() error) *Fault { return guard(grader.LayerAdapter, "dialect", f) }

// turn takes a reply and does what it says. It reports whether that ends the ask.
func (t *talk) turn(ctx context.Context, first bool) (done bool, err error) {
	if err := t.s.Turn(); err != nil {
		return false, err
	}
	began := t.s.now()
	reply, usage, err := t.next(ctx)
	reply, whole := reply.own() // what is understood is what is recorded
	turn := Turn{Reply: reply, Usage: usage, Duration: t.s.now().Sub(began)}
	turn.Reply.Calls = kept(reply.Calls) // the model keeps the others
	bad := malformedOf(err)
	if err != nil && bad == nil {
		return false, t.failed(ctx, turn, err, first)
	}
	m := tasks.Message{Role: tasks.RoleAssistant, Content: reply.Text}
	recorded := m
	if t.native() {
		m.Calls, recorded.Calls = reply.Calls, turn.Reply.Calls
	}
	t.conv = append(t.conv, m)
	t.s.said(recorded)
	var action tasks.Action
	switch {
	case bad != nil:
	case !whole:
		bad = tasks.Malformedf(ReplyTooLarge, "the reply has more than %d bytes", MaxReply)
	default:
		if action, bad, err = t.read(reply); err != nil {
			return false, err
		}
	}
	if bad != nil {
		return false, t.malformed(turn, bad)
	}
	turn.Kind = TurnCalls
	if action.Answer != nil {
		turn.Kind = TurnAnswer
	}
	if err := t.s.record(turn.worded()); err != nil {
		return false, err
	}
	return t.perform(ctx, action)
}

// next has the model reply. What it does instead of returning is a fault of the adapter.
func (t *talk) next(ctx context.Context) (reply Reply, usage Usage, err error) {
	returned := false
	t.s.waits(busy{grader.LayerAdapter, "the model"})
	defer func() {
		t.s.waits(busy{})
		if returned {
			return
		}
		if p := recover(); p != nil {
			err = Faultf(grader.LayerAdapter, "panic", "the model panicked: %v", p)
			return
		}
		t.s.mu.Lock() // runtime.Goexit: nobody is left to be told
		defer t.s.mu.Unlock()
		t.s.fail(Faultf(grader.LayerAdapter, "goexit", "the model ended its goroutine"))
	}()
	reply, usage, err = t.Model.Next(ctx, t.conv, t.offered)
	returned = true
	return reply, usage, err
}

// read understands a reply, within bounds that hold for every dialect. An error is a fault.
func (t *talk) read(r Reply) (a tasks.Action, bad *tasks.Malformed, err error) {
	a.Calls = r.Calls
	if calls := t.native() && len(r.Calls) > 0; !calls || t.calls != nil {
		f := dialect(func() error {
			if calls {
				a, err = t.calls(t.env, r.Calls)
			} else {
				a, err = t.parse(t.env, r.Text)
			}
			if bad = malformedOf(err); bad != nil {
				return nil
			}
			return err
		})
		if f != nil {
			return a, nil, Faultf(f.Layer, f.Code, "parse: %w", f.Err)
		}
	}
	switch {
	case bad != nil:
	case len(a.Calls) > maxCalls:
		bad = tasks.Malformedf(TooManyCalls, "the reply makes %d calls; at most %d can be made at once", len(a.Calls), maxCalls)
	case len(a.Answer) > MaxReply:
		bad = tasks.Malformedf(ReplyTooLarge, "the answer has more than %d bytes", MaxReply)
	case a.Answer == nil || sound(a.Answer, sim.MaxAgentDepth):
	case json.Valid(a.Answer):
		bad = tasks.Malformedf(TooDeep, "the answer is nested deeper than %d", sim.MaxAgentDepth)
	default:
		bad = tasks.Malformedf(tasks.InvalidJSON, "the answer is not JSON")
	}
	return a, bad, nil
}

// malformed records a reply that cannot be understood, and says so to the model where the
// protocol is lenient. Otherwise it ends the episode.
func (t *talk) malformed(turn Turn, bad *tasks.Malformed) error {
	bad = tasks.Malformedf(bad.Code, "%s", clip(bad.Detail, maxDetail))
	code := bad.Code
	if turn.Reply.DoneReason == DoneLength && code != ReplyTooLarge {
		code = grader.EndTruncated
	}
	turn.Kind, turn.Code, turn.Detail = TurnMalformed, code, bad.Detail
	if err := t.s.Record(turn); err != nil {
		return err
	}
	if !t.env.Protocol.Lenient || t.repairs == 0 {
		return t.s.End(code, bad.Detail)
	}
	t.repairs--
	var m tasks.Message
	if f := dialect(func() error { m = t.repair(bad); return nil }); f != nil {
		return f
	}
	t.say(m)
	return nil
}

// perform does what a reply asks for, and reports whether that ends the ask.
func (t *talk) perform(ctx context.Context, a tasks.Action) (done bool, err error) {
	for _, c := range a.Calls {
		res, err := t.s.Call(ctx, c)
		if err != nil {
			return false, err
		}
		var m tasks.Message
		if f := dialect(func() (err error) { m, err = t.result(c, res); return err }); f != nil {
			return false, Faultf(f.Layer, f.Code, "result: %w", f.Err)
		}
		t.say(m)
		if res.Done {
			done = true
			break
		}
	}
	if a.Answer != nil {
		t.s.ignored(a.Ignored)
		return true, t.s.Answer(a.Answer)
	}
	return done, nil
}

func (t *talk) result(c sim.Call, r sim.Result) (tasks.Message, error) {
	if t.native() {
		return tasks.Message{Role: tasks.RoleTool, Tool: c.Name, Content: string(r.Data)}, nil
	}
	if d, ok := t.Dialect.(tasks.Teller); ok {
		return d.Tell(t.env, t.s.turn(), c, r)
	}
	return t.Dialect.Result(c, r)
}

// failed records a turn that gave no usable reply and sorts its error. Time that ran out before
// anything had come is the provider's; an ask that does not even open within the window is the
// measurement's, later it is what the agent chose to read.
func (t *talk) failed(ctx context.Context, turn Turn, err error, first bool) error {
	var fault *Fault
	var ended *Ended
	switch {
	case errors.As(err, &fault):
		fault = fault.own()
	case errors.As(err, &ended):
		if ended.End.Code == grader.EndContext && first {
			fault = Faultf(grader.LayerContext, grader.EndContext, "the first request of the ask does not fit: %s", ended.End.Detail)
		}
	case ctx.Err() != nil && context.Cause(ctx) != errWall:
		fault = Faultf(grader.LayerOrchestration, "interrupted", "%w", context.Cause(ctx))
	case ctx.Err() != nil && turn.Reply.Began:
		ended = &Ended{grader.End{Code: grader.EndWall, Detail: "in the middle of a reply"}}
	case ctx.Err() != nil:
		fault = Faultf(grader.LayerProvider, grader.EndWall, "nothing of a reply before the deadline")
	default:
		fault = Faultf(grader.LayerAdapter, "error", "%w", err)
	}
	if fault != nil {
		turn.Kind, turn.Code, turn.Detail, turn.Layer = TurnFault, fault.Code, fault.Err.Error(), fault.Layer
		t.s.Record(turn)
		return fault
	}
	turn.Kind, turn.Code, turn.Detail = TurnEnded, ended.End.Code, ended.End.Detail
	if turn.Reply.Text != "" {
		t.s.Say(tasks.Message{Role: tasks.RoleAssistant, Content: turn.Reply.Text})
	}
	if err := t.s.Record(turn); err != nil {
		return err
	}
	return t.s.End(ended.End.Code, ended.End.Detail)
}
