package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"benchwright/agent"
	"benchwright/agent/ollama"
	"benchwright/grader"
	"benchwright/grader/gates"
	"benchwright/reports"
	"benchwright/tasks"
)

// A Session is one process's part of a run, from the environment to the closed bundle.
type Session struct {
	Config Config
	Suite  tasks.Suite
	Jobs   []*Job    // all there are; Begin is told which of them are selected
	Out    io.Writer // where progress and the final table go; os.Stdout unless a test says otherwise

	place    place
	player   *Player // nil when certifying
	filter   string  // in force, from whatever source
	procs    Procs
	own      string
	all      []tasks.Task
	outside  map[tasks.ID]bool
	runner   *Runner
	sched    *Scheduler
	selected []*Job
	progress *reports.Progress
	beat     func()
	attached map[string]string // digests of the user's backends
	broken   string            // why nothing can be played
	boxes    *Boxes
	grace    time.Duration

	mu    sync.Mutex
	taken map[tasks.ID]bool
	begun bool
}

// Open reads the environment and compiles the suite. Its error lists every mistake.
func Open(environ []string, suite tasks.Suite, custom Custom) (*Session, error) {
	c, err := FromEnv(environ)
	if err != nil {
		return nil, err
	}
	suite = suite.Naming(c.Filter)
	s := &Session{Config: c, Suite: suite, Out: os.Stdout, taken: map[tasks.ID]bool{}}
	if s.place, err = here(); err != nil {
		return nil, err
	}
	if s.Suite.Name == "" {
		s.Suite.Name = filepath.Base(filepath.Join(s.place.root, filepath.FromSlash(s.place.pkg)))
	}
	extra := c.Tasks
	if extra != "" && !filepath.IsAbs(extra) {
		extra = filepath.Join(s.place.root, extra)
	}
	if s.boxes, err = NewBoxes(suite, c); err != nil {
		return nil, err
	}
	if s.attached, err = Attach(context.Background(), suite, c.Backends, s.place.root); err != nil {
		return nil, err
	}
	if s.all, s.outside, err = Compile(suite, extra); err != nil {
		return nil, err
	}
	if s.all, err = Tracked(suite, s.all, c.Track); err != nil {
		return nil, err
	}
	if !c.Certify() {
		if s.player, err = NewPlayer(c, custom); err != nil {
			return nil, err
		}
		if c.Spend.Cost != nil && s.player.Options.Prices == nil {
			return nil, fmt.Errorf(`BENCH_SPEND=%q needs prices: BENCH_MODEL_OPTIONS='{"prices":{"input":…,"output":…}}'`, "$"+c.Spend.Cost.FloatString(2))
		}
	}
	s.Jobs = Jobs(s.Suite, s.all, c)
	if p := s.player; p != nil && p.Recorded != nil { // a replay is of what was recorded
		s.Jobs = slices.DeleteFunc(s.Jobs, func(j *Job) bool { return !p.Recorded(j.Task.ID, j.Trial) })
		if len(s.Jobs) == 0 {
			return nil, fmt.Errorf("BENCH_MODEL=%q: that run recorded no task of this suite", c.Model)
		}
	}
	for _, t := range s.all {
		s.taken[t.ID] = true
	}
	return s, nil
}

// NothingSelected words the error of a filter that selects nothing.
func (s *Session) NothingSelected(filter string) string {
	return nothingSelected(filter, s.all, s.Suite.OnDemand())
}

func (s *Session) workers() int {
	switch {
	case s.Config.Workers > 0:
		return s.Config.Workers
	case s.player != nil && s.player.Local:
		return 1
	}
	return 8
}

// Begin readies the agent, creates the bundle (or joins it, in a later process of one run) and
// prepares the selected jobs. A model that cannot be readied is no error here: the run begins,
// everything in it is skipped with the reason, and the reports say so.
func (s *Session) Begin(ctx context.Context, selected []*Job, filter string, p Procs) error {
	s.selected, s.filter, s.procs = selected, filter, p
	var err error
	if s.own, err = s.place.own(); err != nil {
		return err
	}
	id := agent.Identity{}
	if s.player != nil && s.player.Prepare != nil {
		if id, err = s.player.Prepare(ctx); err != nil {
			s.broken = fmt.Sprintf("%s could not be made ready: %v", s.player.Name, err)
		}
	}
	if err := s.isolate(ctx); err != nil {
		return err
	}
	bundle, err := s.bundle(selected, id)
	if err != nil {
		return err
	}
	var cache gates.Cache // a certification proves, it does not remember
	if !s.Config.Certify() {
		cache = gates.Cache{Dir: filepath.Join(s.own, "certificates")}
	}
	s.runner = &Runner{
		Config: s.Config, Player: s.player, Bundle: bundle,
		Certs: NewCertifier(s.Config, s.all, s.outside, cache), Grace: s.grace,
	}
	s.runner.Certs.boxes = s.boxes
	s.sched = NewScheduler(ctx, s.Jobs, selected, s.runner.Work, s.runner.Skip)
	s.sched.alone = s.Config.Certify()
	s.runner.halt = s.sched.Halt
	if s.broken != "" {
		s.sched.Halt(s.broken)
	}
	s.beat = bundle.Heartbeat(heartbeat)
	s.mu.Lock()
	s.begun = true
	s.mu.Unlock()
	if p.Total == 1 {
		s.progress = reports.NewProgress(s.Out, len(selected), reports.Clock{})
		s.runner.Progress = func(ep *agent.Episode) { s.progress.Done(ep.Outcome) }
		fmt.Fprintf(s.Out, "%s: %s of %d tasks, %d episodes, %d at a time; bundle %s\n",
			s.Suite.Name, s.what(), len(bundle.Run().Tasks), len(selected), s.workers(), s.display(bundle.Dir()))
	}
	return nil
}

// Bound says how long agents may ignore the end of their time in this run.
func (s *Session) Bound(grace time.Duration) { s.grace = grace }

// Interrupt ends the run early: what is in flight is cancelled, nothing more begins.
func (s *Session) Interrupt(reason string) {
	s.sched.Halt(reason)
	s.sched.Interrupt()
}

// Begun reports whether the run has a bundle.
func (s *Session) Begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun
}

// heartbeat is how often a run says that it is alive.
const heartbeat = 5 * time.Second

// what the run is, for its first and last line.
func (s *Session) what() string {
	if s.player == nil {
		return "certification"
	}
	if s.player.Kind == s.player.Name {
		return s.player.Kind + " run"
	}
	return fmt.Sprintf("%s run with %s", s.player.Kind, reports.Clean(s.player.Name, 100))
}

// bundle creates the run's bundle, or joins the one that the first process has created.
func (s *Session) bundle(jobs []*Job, id agent.Identity) (*reports.Bundle, error) {
	run, err := s.identity(jobs, id)
	if err != nil {
		return nil, err
	}
	if s.procs.Total > 1 {
		run.ID = s.procs.id()
		if s.procs.Index > 1 {
			dir, err := s.procs.ask(s.own)
			if err != nil {
				return nil, err
			}
			return reports.Join(dir, run.ID)
		}
	}
	now := time.Now()
	dir, free, err := s.place.bundle(s.Config.Out, run.Agent, now)
	if err != nil {
		return nil, err
	}
	run.Started = now
	b, err := reports.Create(dir, run)
	for n := 2; err != nil && free && n <= 1000; n++ { // a run that began in the same second
		if _, serr := os.Stat(filepath.Join(dir, reports.RunFile)); serr != nil {
			break
		}
		again := fmt.Sprintf("%s-%d", strings.TrimSuffix(dir, string(filepath.Separator)), n)
		b, err = reports.Create(again, run)
	}
	if err != nil {
		return nil, err
	}
	if s.procs.Total > 1 {
		if err := s.procs.tell(s.own, b.Dir()); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Start lets the selected jobs run ahead of those who await them.
func (s *Session) Start() { s.sched.Start(s.workers(), s.selected) }

// Await returns a job's episode. In a run of several processes, whose jobs are not started
// ahead, it plays the job itself.
func (s *Session) Await(ctx context.Context, j *Job) *agent.Episode {
	if s.procs.Total > 1 {
		stop := context.AfterFunc(ctx, func() { s.sched.Interrupt() })
		defer stop()
		s.sched.Do(j)
	}
	return s.sched.Await(ctx, j)
}

// RecordPath is where an episode's record is, as people of this machine can open it.
func (s *Session) RecordPath(ep *agent.Episode) string {
	return s.display(s.record(ep.Task, ep.Trial))
}

// Again is the command that runs one task again as this run did.
func (s *Session) Again(t tasks.Task) string {
	return reports.Rerun(s.runner.Bundle.Run(), t.Source.File, t.Source.Line, s.env()...)
}

// env is what a run like this one needs from the environment beside what run.json says.
func (s *Session) env() []string {
	var out []string
	add := func(name, value string) {
		if value != "" {
			out = append(out, name+"="+value)
		}
	}
	add("BENCH_MODEL", s.Config.Model) // as it was typed: a bundle to replay with its folder
	add("BENCH_TASKS", s.Config.Tasks)
	var backends []string
	for _, b := range s.Config.Backends {
		backends = append(backends, b.Name+"="+b.Place)
	}
	add("BENCH_BACKENDS", strings.Join(backends, ","))
	add("BENCH_SANDBOX", s.Config.Sandbox)
	add("BENCH_PYTHON", s.Config.Python)
	if s.Config.Ollama != ollama.DefaultHost && s.player != nil && s.player.Kind == reports.KindModel {
		add("OLLAMA_HOST", s.Config.Ollama)
	}
	return out
}

// record is the file of an episode's record.
func (s *Session) record(id tasks.ID, trial int) string {
	key, err := reports.RecordKey(id, trial)
	if err != nil {
		key = agent.Key(id, trial) // no such record can have been written
	}
	return filepath.Join(s.runner.Bundle.Dir(), reports.EpisodesDir, key+".json")
}

// display shortens a path below the working directory.
func (s *Session) display(path string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
	}
	return path
}

// PlaySpec plays a task for a hand-written spec, without recording it yet. An error is a
// mistake in the task.
func (s *Session) PlaySpec(ctx context.Context, t tasks.Task, labels []string) (*agent.Episode, error) {
	kit := s.Suite.Kit(t.World)
	if kit == nil {
		return nil, fmt.Errorf("task %s: unknown world %q%s", t.ID, t.World, grader.Suggest(t.World, s.Suite.Worlds()))
	}
	t.Labels = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(t.Labels), labels...))))
	s.mu.Lock()
	t.ID = s.unique(t.ID)
	s.mu.Unlock()
	if rel, err := filepath.Rel(s.place.root, t.Source.File); err == nil && filepath.IsAbs(t.Source.File) {
		t.Source.File = filepath.ToSlash(rel) // records say nothing of the machine
	}
	if problems := tasks.Lint(t, s.Suite); len(problems) > 0 {
		return nil, tasks.Errors(problems)
	}
	if err := s.boxes.Ready(ctx, kit); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return nil, err
	}
	j := &Job{Task: t, Kit: kit, Trial: 1, Of: 1, Digest: t.Digest()}
	cert := s.runner.Certs.Of(ctx, j)
	if !cert.Held() && !cert.Skipped() {
		return nil, fmt.Errorf("the task does not prove itself:\n%s", gates.Table([]gates.Certificate{cert}))
	}
	if s.broken != "" {
		ep := s.runner.blank(j)
		ep.Outcome, ep.Reason = grader.Skipped, s.broken
		return ep, nil
	}
	player := s.player
	if player == nil {
		player = referencePlayer(s.Config)
	}
	a, err := player.New(t, kit, 1)
	if err != nil {
		return nil, err
	}
	s.runner.Bundle.Begin(t.ID, 1)
	return s.runner.Play(ctx, a, j, cert), nil
}

// unique gives a hand-written spec's task an id that no other episode of the run has.
func (s *Session) unique(id tasks.ID) tasks.ID {
	base := id
	for n := 1; s.taken[id]; n++ {
		id = tasks.ID(fmt.Sprintf("%s.spec%d", base, n))
	}
	s.taken[id] = true
	return id
}

// RecordSpec records what PlaySpec played. beyond is what the spec expected and did not find:
// when the task's own checks held, no gate has proven that demand, and the record says so.
func (s *Session) RecordSpec(ep *agent.Episode, beyond string) {
	if beyond != "" && ep.Outcome == grader.Passed {
		f := grader.Finding{Code: "uncertified_expectation", Type: grader.ContractType, Message: beyond, Source: grader.Source{File: ep.Source.File, Line: ep.Source.Line}}
		ep.Verdict.Results = append(ep.Verdict.Results, grader.Result{Check: "what the spec expects beyond the rubric", Rule: "spec", Source: f.Source, State: grader.Unmet, Findings: []grader.Finding{f}})
		ep.Verdict.Outcome, ep.Outcome, ep.Uncertified = grader.Failed, grader.Failed, true
	}
	s.runner.Record(ep)
}
