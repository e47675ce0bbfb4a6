package files

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"benchwright/sim"
)

// KindOf makes worlds of what the families compile, whose commands run on the machine. Without a
// machine every command is the world's own fault. See [Library.Kind].
func KindOf(m Machine, families ...Family) sim.Kind { return NewLibrary(families...).Kind(m) }

// Kind makes worlds of what the library compiles, whose commands run on the machine. Their setup
// is a [Setup]. Their tools are the scope: any of the seven, or the one word "all". Nothing in a
// world is random, but commands run for as long as they run.
func (l *Library) Kind(m Machine) sim.Kind { return l.kind(m, time.Now) }

func (l *Library) kind(m Machine, now func() time.Time) sim.Kind {
	if m == nil {
		m = noMachine{}
	}
	return sim.Kind{
		Name:   name,
		Decode: decode,
		New: func(ctx context.Context, env sim.Env, setup json.RawMessage, tools []string) (sim.World, error) {
			shared, err := l.plan(setup)
			if err != nil {
				return nil, err
			}
			p := *shared
			p.machine, p.now, p.scratch = m, now, env.Scratch
			if p.scope, err = scope(tools); err != nil {
				return nil, err
			}
			if p.commands {
				if err := m.Ready(ctx); err != nil {
					return nil, errorf("this task runs commands: %w: %w", err, errors.ErrUnsupported)
				}
			}
			permitted := p.permissions.Names()
			p.scope = slices.DeleteFunc(p.scope, func(t *tool) bool { return !slices.Contains(permitted, t.Name) })
			p.available = []string{}
			for _, t := range p.scope {
				p.available = append(p.available, t.Name)
			}
			return &world{plan: &p, files: p.start}, nil
		},
	}
}

const name = "files"

// everyTool is the scope of every tool.
const everyTool = "all"

// A plan is what stays the same throughout an episode and in all its forks.
type plan struct {
	start       *snapshot
	work        Work
	permissions ToolPermissions
	maxSteps    int
	limit       time.Duration
	observation int
	digests     bool // are shown
	unguided    bool
	commands    bool // are needed

	scope     []*tool  // those that are permitted, too
	available []string // their names
	machine   Machine
	scratch   string
	now       func() time.Time
}

// plan reads a setup.
func (l *Library) plan(raw json.RawMessage) (*plan, error) {
	return l.plans.get(string(raw), func() (*plan, error) {
		s, err := ParseSetup(raw)
		if err != nil {
			return nil, err
		}
		return l.build(s)
	})
}

func (l *Library) build(s Setup) (*plan, error) {
	b := s.Bundle
	if s.Spec != nil {
		in, err := l.Compile(*s.Spec)
		if err != nil {
			return nil, errorf("setup: %w", err)
		}
		b = BundleOf(in)
		b.Observability = s.Spec.Observability
	}
	start, err := b.snapshot()
	if err != nil {
		return nil, err
	}
	for _, e := range start.entries {
		if !storable(e.path) || e.node.length() > maxWritten {
			return nil, errorf("setup: file %q: its path or its content is longer than a workspace can hold", clip(e.path))
		}
	}
	if len(start.entries) > maxEntries || start.bytes > maxBytes {
		return nil, errorf("setup: there is more than a workspace can hold")
	}
	p := &plan{
		start: start, work: b.Work, permissions: b.Tools,
		maxSteps: b.MaxSteps, limit: time.Duration(b.TimeLimitSeconds) * time.Second,
		observation: s.MaxObservation, digests: b.Observability.IncludeWorkspaceDigest,
		unguided: s.Unguided, commands: s.Commands,
	}
	if s.MaxSteps > 0 {
		p.maxSteps = s.MaxSteps
	}
	if s.TimeLimitSeconds > 0 {
		p.limit = time.Duration(s.TimeLimitSeconds) * time.Second
	}
	if p.observation == 0 {
		p.observation = 20_000
	}
	return p, nil
}

var errClosed = errors.New("files: the world is closed")

// A world is one episode's. All that it points to is shared and never changes.
type world struct {
	plan  *plan
	files *snapshot
	state *Workspace // of files and submission, when it was asked for

	ask        int
	steps      int // that were used of this ask
	submission *string
	recent     []string // files that the last call touched
	exit       *int     // code of the last call
	wrote      bool     // something was written that no passing run followed

	spent  time.Duration // until since
	since  time.Time     // when the clock was started; zero while it stands
	closed bool
}

func (w *world) Tools() []sim.Tool {
	tools := make([]sim.Tool, 0, len(w.plan.scope))
	for _, t := range w.plan.scope {
		tools = append(tools, t.Tool)
	}
	return tools
}

// Begin starts the clock. A later ask has steps, time and a submission of its own.
func (w *world) Begin(_ context.Context, ask int) error {
	if w.closed {
		return errClosed
	}
	if ask > w.ask {
		w.ask = ask
		w.steps, w.submission, w.state, w.recent, w.exit, w.wrote = 0, nil, nil, nil, nil, false
		w.spent, w.since = 0, time.Time{}
	}
	w.start()
	return nil
}

// start starts the clock if it stands.
func (w *world) start() {
	if w.since.IsZero() {
		w.since = w.plan.now()
	}
}

// elapsed is the time that the present ask took so far.
func (w *world) elapsed() time.Duration {
	if w.since.IsZero() {
		return w.spent
	}
	return w.spent + w.plan.now().Sub(w.since)
}

// left is the time that is left of the episode.
func (w *world) left() time.Duration { return w.plan.limit - w.elapsed() }

// over reports whether no more calls are taken.
func (w *world) over(ctx context.Context) bool {
	return w.submission != nil || w.steps >= w.plan.maxSteps || w.left() <= 0 || ctx.Err() != nil
}

// Call looks whether the episode goes on, then at the name, the permission and the arguments, and
// then does as the tool does. Every call of a tool that there is costs a step.
func (w *world) Call(ctx context.Context, c sim.Call) sim.Result {
	if w.closed {
		return sim.Fault("%v", errClosed)
	}
	w.start()
	before := w.files
	r, read := w.call(ctx, c)
	if r.Fault == "" {
		r.Facts = facts(before, w.files, read)
	}
	return r
}

// call returns the result, and the file that was read if that is what was done.
func (w *world) call(ctx context.Context, c sim.Call) (r sim.Result, read string) {
	if w.over(ctx) {
		return w.answer(ctx, failed(CodeEpisodeDone, "Episode is already done."), false), ""
	}
	t := byName[c.Name]
	if t == nil {
		return w.answer(ctx, failed(CodeUnknownTool, "Unknown tool: "+echo(c.Name)), true), ""
	}
	args, canonical, problem := t.arguments(c.Arguments)
	var o outcome
	var err error
	switch invalid := problem != ""; {
	case !slices.Contains(w.plan.scope, t):
		o = failed(CodePermissionDenied, t.Name+" is disabled")
	case invalid:
		w.steps++
		w.recent, w.exit = nil, nil
		return w.answer(ctx, raised(problem), true), ""
	default:
		o, err = t.run(w, ctx, args)
	}
	if err != nil {
		return sim.Fault("%s: %v", t.Name, err), ""
	}
	if !w.plan.unguided && o.Guidance == nil && slices.Contains(w.plan.scope, t) {
		if said := w.guide(t.Name, o.target, o.Success); said != "" {
			o.Guidance = &said
		}
	}
	w.steps++
	w.recent, w.exit = o.TouchedFiles, o.ExitCode
	r = w.answer(ctx, o, false)
	r.Arguments = canonical
	return r, o.seen
}

// answer completes an outcome with what is the same for all tools.
func (w *world) answer(ctx context.Context, o outcome, invalid bool) sim.Result {
	o.Done = o.ended || w.over(ctx)
	o.State = ToolState{
		AvailableTools: w.plan.available, LastExitCode: w.exit, RecentFiles: w.recent,
		StepIndex: w.steps, RemainingSteps: w.plan.maxSteps - w.steps, Submitted: w.submission != nil,
	}
	if w.plan.digests {
		digest := w.files.sum()
		o.WorkspaceDigest = &digest
	}
	o.cut(w.plan.observation)
	r := sim.Result{Data: o.encode(), Status: sim.StatusOK, Done: o.Done, Invalid: invalid}
	switch {
	case invalid:
		r.Status = StatusInvalid
	case !o.Success:
		r.Status = StatusError
	}
	switch {
	case o.Error != nil:
		r.Code = *o.Error
	case !o.Success:
		r.Code = CodeNonzeroExit
	}
	return r
}

// What a call came to: Result.Status.
const (
	StatusOK      = sim.StatusOK
	StatusError   = "error"   // it did not do what it was asked to
	StatusInvalid = "invalid" // there is no such tool, or the arguments are of the wrong shape
)

func (w *world) State() (sim.State, error) {
	if w.closed {
		return nil, errClosed
	}
	if w.state == nil || w.state.files != w.files || w.state.submission != w.submission {
		w.state = &Workspace{files: w.files, submission: w.submission}
	}
	return w.state, nil
}

// Fork copies the moment. The copy's clock stands until it is first used.
func (w *world) Fork() (sim.World, error) {
	if w.closed {
		return nil, errClosed
	}
	f := *w
	f.spent, f.since = w.elapsed(), time.Time{}
	return &f, nil
}

func (w *world) Close() error {
	w.closed = true
	return nil
}
