package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// Config is what Play needs beside the agent.
type Config struct {
	Kit      *tasks.Kit
	Task     tasks.Task
	Digest   tasks.Digest // of the task, where the caller has it already; "" computes it
	Trial    int          // from 1
	Seed     int64        // of the run; the task's own is added
	Agent    string       // name for the record
	Protocol string       // "json" (the zero value) or "tools"
	Env      sim.Env
	Basis    Basis
	Spent    func(Usage)   // is told what each turn cost, also of one that comes too late; may be nil
	Grace    time.Duration // how long an agent may ignore the end of its time; zero takes 10 s
	Now      func() time.Time
}

// Play lets a play the task and returns what happened, not yet graded. It never panics and
// returns in bounded time after ctx ends, the task's own time is up or the episode is over,
// even when the agent or the world ignores that: an episode is broken that cannot be read. What
// the agent itself does wrong — a panic, an error, ignoring its time — is never a way out of
// being graded.
//
// Nobody writes to the episode after Play has returned, and its JSON is read back by
// [sim.ParseJSON] whatever agent and world put into it.
func Play(ctx context.Context, a Agent, c Config) *Episode {
	s := newSession(c)
	grace := c.Grace
	if grace == 0 {
		grace = 10 * time.Second
	}
	w, fault := setUp(ctx, grace, c, s)
	if fault != nil {
		s.fault = fault
		return s.seal()
	}
	s.gate = gate(ctx, c.Task.Rubric.Checks)
	defer s.bound(ctx)()
	s.world <- w
	started := s.now()
	s.ep.Started = started.Round(0).UTC()

	r, ok := within(s.ctx, grace, func() returned { return s.run(a) })
	s.mu.Lock()
	switch {
	case !ok:
		s.hung()
	case !r.ok:
		s.settle(returned{wrong: "the agent ended its goroutine"})
	default:
		s.settle(r)
	}
	s.ep.Wall = s.now().Sub(started)
	if !ok && s.fault != nil {
		grace = 0 // it has been waited for long enough, and there is nothing to read
	}
	s.mu.Unlock()
	within(s.ctx, grace, s.finish)
	return s.seal()
}

func newSession(c Config) *Session {
	t := c.Task
	digest := c.Digest
	if digest == "" {
		digest = t.Digest()
	}
	s := &Session{
		envelope: t.Envelope, asks: t.Asks, limits: t.Limits, protocol: c.Protocol, basis: c.Basis, told: c.Spent, now: c.Now,
		world: make(chan sim.World, 1), ask: -1,
		ep: &Episode{
			Schema: Schema, Task: t.ID, Title: t.Title, Labels: t.Labels, Source: t.Source, TaskDigest: digest,
			Agent: c.Agent, Protocol: c.Protocol, Trial: max(c.Trial, 1), Seed: c.Seed + t.Seed,
			Envelope: t.Envelope(), Turns: []Turn{}, Trace: sim.Trace{}, Answers: []json.RawMessage{},
		},
	}
	if s.protocol == "" {
		s.protocol, s.ep.Protocol = ProtocolJSON, ProtocolJSON
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// A gating is what the checks of a gated ask say.
type gating struct {
	held   bool
	layer  grader.Layer // not "" when they could not be evaluated
	reason string
}

// gate returns a function that evaluates the checks of an ask on what stands. It runs under
// Play's own context: the time that a check takes is not the agent's.
func gate(ctx context.Context, all []grader.Check) func(int, *Episode) gating {
	return func(ask int, ep *Episode) gating {
		var checks []grader.Check
		for _, c := range all {
			if c.Ask == ask {
				checks = append(checks, c)
			}
		}
		if len(checks) == 0 {
			return gating{held: true}
		}
		v := grader.Grade(ctx, checks, ep)
		if v.Outcome == grader.Broken {
			return gating{layer: v.Layer, reason: v.Reason}
		}
		return gating{held: v.Outcome == grader.Passed}
	}
}

// setUp makes the world, and fills in what the session and the episode take from it.
func setUp(ctx context.Context, grace time.Duration, c Config, s *Session) (sim.World, *Fault) {
	type made struct {
		world   sim.World
		tools   []sim.Tool
		initial json.RawMessage
		fault   *Fault
	}
	if s.protocol != ProtocolJSON && s.protocol != ProtocolTools {
		return nil, Faultf(grader.LayerAdapter, "protocol", "there is no protocol %q", s.protocol)
	}
	env := c.Env
	env.Seed = s.ep.Seed
	late := make(chan sim.World, 1) // for a world that nobody waits for any more
	m, ok := within(ctx, grace, func() (m made) {
		defer func() { late <- m.world }()
		m.fault = guard(grader.LayerFixture, "setup", func() (err error) {
			if c.Kit == nil || c.Kit.Kind.New == nil {
				return errors.New("there is no kit that makes it")
			}
			m.world, err = c.Kit.Kind.New(ctx, env, c.Task.Setup, c.Task.Tools)
			if err == nil && m.world == nil {
				err = errors.New("the kit made none")
			}
			return err
		})
		if m.fault == nil {
			m.fault = guard(grader.LayerToolRuntime, "state", func() (err error) {
				m.tools = m.world.Tools()
				m.initial, err = stateOf(m.world)
				return err
			})
		}
		return m
	})
	switch {
	case !ok:
		go func() { closeWorld(<-late) }()
	case m.fault == nil && m.world == nil:
		m.fault = Faultf(grader.LayerFixture, "setup", "making world %s ended its goroutine", c.Task.World)
	case m.fault != nil:
		if errors.Is(m.fault, errors.ErrUnsupported) { // the machine lacks something, not the task
			m.fault.Layer, m.fault.Code = grader.LayerToolRuntime, "unsupported"
		}
		m.fault.Err = fmt.Errorf("world %s: %w", c.Task.World, m.fault.Err)
		closeWorld(m.world)
	}
	if !ok || m.fault != nil && ctx.Err() != nil {
		m.fault = Faultf(grader.LayerOrchestration, "interrupted", "%w", context.Cause(ctx))
	}
	s.tools, s.ep.Initial = m.tools, m.initial
	return m.world, m.fault
}

// guard calls f and turns its error or panic into a fault.
func guard(layer grader.Layer, code string, f func() error) (fault *Fault) {
	defer func() {
		if p := recover(); p != nil {
			fault = Faultf(layer, code, "panic: %v", p)
		}
	}()
	if err := f(); err != nil {
		return Faultf(layer, code, "%w", err)
	}
	return nil
}

// closeWorld closes a world, which may be nil. What it left behind has been read by then, so
// that neither an error nor a panic changes anything.
func closeWorld(w sim.World) {
	if w != nil {
		guard(grader.LayerToolRuntime, "close", w.Close)
	}
}

// returned is what came of an agent: a fault, an end, something wrong, or nothing of these. It
// is zero when the agent's goroutine ended without returning. It holds nothing of the agent's
// own, whose errors may do anything when they are asked.
type returned struct {
	ok    bool
	fault *Fault
	end   *grader.End
	wrong string
}

func (s *Session) run(a Agent) (r returned) {
	defer func() {
		if p := recover(); p != nil {
			r = returned{ok: true, wrong: clip(fmt.Sprintf("the agent panicked: %v", p), maxDetail)}
		}
	}()
	err := a.Play(s.ctx, s)
	r.ok = true
	var fault *Fault
	var ended *Ended
	switch {
	case err == nil:
	case errors.As(err, &fault):
		r.fault = fault.own()
	case errors.As(err, &ended):
		end := ended.End
		r.end = &end
	default:
		r.wrong = clip("the agent returned an error: "+err.Error(), maxDetail)
	}
	return r
}

// within calls f on a goroutine of its own and waits for it, but no longer than for grace after
// ctx has ended. Its result is zero when the goroutine ended without returning.
func within[T any](ctx context.Context, grace time.Duration, f func() T) (v T, ok bool) {
	done := make(chan T, 1)
	go func() {
		var v T
		defer func() { done <- v }()
		v = f()
	}()
	select {
	case v = <-done:
		return v, true
	case <-ctx.Done():
	}
	over := time.NewTimer(grace)
	defer over.Stop()
	select {
	case v = <-done:
		return v, true
	case <-over.C:
		return v, false
	}
}
