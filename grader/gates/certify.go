package gates

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/grader/internal/watch"
	"benchwright/sim"
	"benchwright/tasks"
)

// Options are what a certification depends on beside the task and its kit. The zero value is
// right for worlds that need nothing from the run.
type Options struct {
	Seed     int64  // of the run; the task's own is added
	Protocol string // of the agents, "json" (the zero value) or "tools"
	// Isolation is what commands of the task's world run in and by, if it runs any. It tells
	// certificates apart in a cache, and no more: the kit has been readied with it.
	Isolation tasks.Isolation
	// Env returns what one world gets from the run, and what releases it again, which may be
	// nil. It is called once a world, concurrently; the seed is filled in by the gates. Nil
	// gives worlds an empty Env. An error that is errors.ErrUnsupported, of Env or of a kit's
	// New, says that the machine lacks what the task needs: its certification is skipped.
	Env func(ctx context.Context, t tasks.Task) (env sim.Env, release func(), err error)
}

// Certify runs the gates on one task of a kit. It never panics, whatever the kit does. Being a
// task alone, it is distinct.
//
// When ctx ends first, the gates that were not decided are skipped; it returns soon after also
// when a world or a rule hangs. A rule that takes longer than its patience is a problem.
func Certify(ctx context.Context, kit *tasks.Kit, t tasks.Task, opt Options) Certificate {
	return certify(ctx, kit, t, opt, &memo{})
}

// grace is how long a certification may go on after its context has ended.
const grace = time.Second

// certify runs the gates on a goroutine of its own. When it does not end soon after ctx, as with
// a world that hangs, it is left behind: what it had not decided by then is skipped.
func certify(ctx context.Context, kit *tasks.Kit, t tasks.Task, opt Options, m *memo) Certificate {
	if opt.Protocol == "" {
		opt.Protocol = agent.ProtocolJSON
	}
	c := Certificate{
		Task: t.ID, TaskDigest: t.Digest(), Seed: opt.Seed, Protocol: opt.Protocol,
		Source: tasks.Source{File: t.Source.File, Line: t.Source.Line},
		Setup:  setupDigest(t),
	}
	all := len(t.Rubric.Probes)
	t.Rubric.Probes = spoken(t.Rubric.Probes, opt.Protocol)
	s := &subject{ctx: ctx, kit: kit, task: t, unspoken: all - len(t.Rubric.Probes), opt: opt, dialect: kit.Dialect, digest: c.TaskDigest, memo: m}
	if s.dialect == nil {
		s.dialect = tasks.PlainDialect{}
	}
	decided := make(chan decision, len(All())+1)
	w, end := watch.Do(ctx, grace, true, func(w *watch.Watch) {
		s.watched = watch.With(ctx, w)
		if err := s.guard("certification", func() error { s.decide(decided); return nil }); err != nil {
			decided <- decision{Result: failed(Reference, problem(s.at(), "%v; the kit of world %s must not panic", err, kit.Kind.Name))}
		}
	})
	for n := len(decided); n > 0; n-- { // one that was left behind may still send
		d := <-decided
		c.Gates = append(c.Gates, d.Result)
		c.Floor, c.Mutants, c.Judged = d.floor, d.mutants, d.judged
	}
	why := "interrupted"
	if ctx.Err() == nil {
		why = "not tried"
		if end != watch.Done {
			c.Gates = append(c.Gates, failed(s.gate, s.hang(w, end)))
		}
	}
	c.Gates = inOrder(c.Gates, why)
	return c
}

// inOrder returns the results of all gates in their order; those that there are not are skipped.
func inOrder(got []Result, why string) []Result {
	out := make([]Result, 0, len(All()))
	for _, g := range All() {
		i := slices.IndexFunc(got, func(r Result) bool { return r.Gate == g })
		if i < 0 {
			out = append(out, skipped(g, why))
		} else {
			out = append(out, got[i])
		}
	}
	return out
}

// hang says which check did not come back.
func (s *subject) hang(w *watch.Watch, end watch.End) Problem {
	c, ok := w.Step.(*grader.Check)
	if !ok {
		return problem(s.at(), "the kit of world %s ends the goroutine of gate %s; it must return", s.kit.Kind.Name, s.gate)
	}
	how := "does not come back within " + patience(c.Rule).String()
	if end == watch.Quit {
		how = "ends its goroutine"
	}
	return problem(s.place(c.Source), "check %q %s on %s; whatever an agent can cause must be gradable: let the rule come to an end", capped(c.String()), how, capped(s.on()))
}

func patience(r grader.Rule) time.Duration {
	if p, ok := r.(grader.Patient); ok {
		return p.Patience()
	}
	return grader.Patience
}

// A decision is the result of a gate, with what is known of the task by then.
type decision struct {
	Result
	floor   float64
	mutants int
	judged  int
}

// decide runs the gates and sends what they find; there is room for all of it.
func (s *subject) decide(decided chan<- decision) {
	send := func(r Result) { decided <- decision{r, s.floor, s.mutants, s.judged} }
	if why := s.prepare(); why != nil {
		for _, r := range s.unprepared(why) {
			send(r)
		}
		return
	}
	defer s.close()
	for _, g := range []struct {
		gate  Gate
		prove func() Result
	}{
		{Reference, s.reference},
		{Noop, s.noop},
		{NearMisses, s.nearMisses}, // before live: probes are mutants, too
		{Live, s.live},
		{Grounded, s.grounded},
		{Sealed, s.sealed},
		{WithinBudget, s.withinBudget},
		{Deterministic, s.deterministic},
	} {
		s.gate = g.gate
		send(s.prove(g.gate, g.prove))
	}
	send(Result{Gate: Distinct, State: Held, Nothing: true, Note: "the task was certified alone"})
}

// setupDigest identifies the world that a task starts from. Tasks are compiled to canonical
// setups, so their bytes will do.
func setupDigest(t tasks.Task) tasks.Digest {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%d\n", t.World, t.Seed)
	h.Write(t.Setup)
	return tasks.Digest(hex.EncodeToString(h.Sum(nil)))
}

// A subject is one task under proof, and what the proofs share.
type subject struct {
	ctx     context.Context
	watched context.Context // the same, for grading on the goroutine of the gates
	kit     *tasks.Kit
	task    tasks.Task
	opt     Options
	dialect tasks.Dialect
	digest  tasks.Digest

	world   sim.World // fresh, for the sealed gate
	release func()
	blobs   fs.FS
	tools   []sim.Tool

	ref      *run // under limits that it cannot exhaust
	tight    *run // under the task's own; the same as ref unless they end it
	idle     *run
	probes   []*run
	unspoken int           // probes that this protocol cannot say
	gate     Gate          // that is being decided
	on       func() string // what its checks are graded on
	demands  [][]string    // graded values by check
	read     *transcript
	protocol []token // what the dialect says about any task

	speech       *folded // all that the reference said
	speechTokens []token

	memo    *memo
	floor   float64
	mutants int
	judged  int // checks that skip on the reference

	unproven []int // checks that the likely mutants left to be proven
}

// A run is an episode with its verdict, and the moves behind it.
type run struct {
	*agent.Episode
	moves []tasks.Move
}

// crashed reports whether there is nothing to grade: the measurement broke before the verdict.
func (r *run) crashed() bool { return r.Layer != "" && r.Verdict.Results == nil }

// prepare makes the first world, and so learns whether this machine can run the task.
func (s *subject) prepare() error {
	w, env, release, err := s.open()
	if err != nil {
		return err
	}
	s.world, s.blobs, s.release = w, env.Blobs, release
	return s.guard("tools of the world", func() error {
		s.tools = w.Tools()
		return nil
	})
}

func (s *subject) close() {
	s.guard("closing the world", s.world.Close)
	s.release()
}

// unprepared is the certificate of a task whose world cannot be made.
func (s *subject) unprepared(why error) []Result {
	var out []Result
	state, note := Skipped, "the world cannot be set up"
	unsupported := errors.Is(why, errors.ErrUnsupported) || s.ctx.Err() != nil
	if unsupported {
		note = why.Error()
	}
	for _, g := range All() {
		r := Result{Gate: g, State: state, Note: note}
		if g == Reference && !unsupported {
			r = failed(g, problem(s.at(), "the world cannot be set up: %v; correct the setup", why))
		}
		out = append(out, r)
	}
	return out
}

// open makes a fresh world of the task.
func (s *subject) open() (w sim.World, env sim.Env, release func(), err error) {
	env, release, err = s.env()
	if err != nil {
		return nil, env, nil, err
	}
	err = s.guard("world "+s.kit.Kind.Name, func() error {
		w, err = s.kit.Kind.New(s.ctx, env, s.task.Setup, s.task.Tools)
		return err
	})
	if err != nil {
		release()
		return nil, env, nil, err
	}
	return w, env, release, nil
}

func (s *subject) env() (env sim.Env, release func(), err error) {
	if s.opt.Env != nil {
		env, release, err = s.opt.Env(s.ctx, s.task)
	}
	if release == nil {
		release = func() {}
	}
	env.Seed = s.opt.Seed + s.task.Seed
	return env, release, err
}

// guard calls f, and returns its panic as an error.
func (s *subject) guard(what string, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: panic: %v", what, p)
		}
	}()
	return f()
}

// prove runs one gate. A panic of the kit in it is a problem of the task.
func (s *subject) prove(g Gate, f func() Result) (r Result) {
	if s.ctx.Err() != nil {
		return skipped(g, "interrupted")
	}
	if err := s.guard("gate "+string(g), func() error { r = f(); return nil }); err != nil {
		r = failed(g, problem(s.at(), "%v; the kit of world %s must not panic", err, s.kit.Kind.Name))
	}
	if s.ctx.Err() != nil && r.State == Failed { // what an interrupted episode shows proves nothing
		return skipped(g, "interrupted")
	}
	return r
}

// epoch is the time of every episode of a certification.
var epoch = time.Unix(0, 0).UTC()

// play lets an agent play the task under the given limits, and grades it.
func (s *subject) play(name string, a agent.Agent, t tasks.Task, moves []tasks.Move) *run {
	env, release, err := s.env()
	if err != nil {
		ep := &agent.Episode{}
		ep.Break(agent.Faultf(grader.LayerFixture, "env", "%w", err))
		return &run{ep, moves}
	}
	defer release()
	ep := agent.Play(s.ctx, a, agent.Config{
		Kit: s.kit, Task: t, Digest: s.digest, Trial: 1, Seed: s.opt.Seed, Agent: name, Protocol: s.opt.Protocol,
		Env: env, Now: func() time.Time { return epoch },
	})
	if ep.Outcome != grader.Broken {
		ep.Verdict = s.grade(name, t.Rubric.Checks, ep)
		ep.Outcome, ep.Reason = ep.Verdict.Outcome, ep.Verdict.Reason
	}
	return &run{ep, moves}
}

func (s *subject) grade(name string, checks []grader.Check, e grader.Evidencer) grader.Verdict {
	s.on = func() string { return name }
	return grader.Grade(s.watched, checks, e)
}

// script plays moves through the loop.
func (s *subject) script(name string, t tasks.Task, moves []tasks.Move) *run {
	loop := agent.Loop{Model: agent.Script(s.dialect, s.opt.Protocol, moves), Dialect: s.dialect}
	return s.play(name, loop, t, moves)
}

// at is the place of the task.
func (s *subject) at() grader.Source {
	return grader.Source{File: s.task.Source.File, Line: s.task.Source.Line}
}

// place returns the first source that has a file, without its words; else that of the task.
func (s *subject) place(of ...grader.Source) grader.Source {
	for _, p := range of {
		if p.File != "" {
			return grader.Source{File: p.File, Line: p.Line}
		}
	}
	return s.at()
}

func problem(at grader.Source, format string, args ...any) Problem {
	return Problem{Source: at, Text: fmt.Sprintf(format, args...)}
}

func failed(g Gate, p ...Problem) Result {
	return Result{Gate: g, State: Failed, Problems: p}
}

func skipped(g Gate, why string) Result {
	return Result{Gate: g, State: Skipped, Note: why}
}

// result is failed when there are problems, else held.
func result(g Gate, note string, problems []Problem) Result {
	r := Result{Gate: g, State: Held, Note: note, Problems: problems}
	if len(problems) > 0 {
		r.State = Failed
	}
	return r
}

// noReference is the note of gates that need a reference to start from.
const noReference = "needs a reference that replays"
