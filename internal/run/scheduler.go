package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/tasks"
)

// A Job is one task and trial of a run.
type Job struct {
	Task  tasks.Task
	Kit   *tasks.Kit
	Trial int // from 1
	Of    int // trials of this task

	Digest tasks.Digest // of the task

	queued time.Time
	cancel context.CancelCauseFunc
	ctx    context.Context
	done   chan struct{}
	ep     *agent.Episode
}

// circuitAt is how many episodes in a row a provider may break before the rest of the run is
// skipped instead of paid for.
const circuitAt = 5

// A Scheduler performs jobs, some at a time, in the order given. Work is what one job does; it
// must return a finished and recorded episode, also when its context has ended.
type Scheduler struct {
	work func(ctx context.Context, j *Job) *agent.Episode
	skip func(j *Job, reason string, unreached bool) *agent.Episode

	ctx    context.Context
	stop   context.CancelCauseFunc
	wg     sync.WaitGroup
	closed sync.Once

	alone bool // what requires a task that is not selected is begun all the same: to prove a task takes no other

	mu     sync.Mutex
	byTask map[tasks.ID][]*Job
	faults int    // provider faults in a row
	halted string // why nothing more is begun; "" while all is well
}

// NewScheduler prepares jobs without beginning any. Of those that are not selected nobody waits for:
// what requires one of them is skipped.
func NewScheduler(ctx context.Context, jobs, selected []*Job, work func(context.Context, *Job) *agent.Episode, skip func(*Job, string, bool) *agent.Episode) *Scheduler {
	s := &Scheduler{work: work, skip: skip, byTask: map[tasks.ID][]*Job{}}
	s.ctx, s.stop = context.WithCancelCause(ctx)
	for _, j := range jobs {
		j.done = make(chan struct{})
		j.ctx, j.cancel = context.WithCancelCause(s.ctx)
	}
	for _, j := range selected {
		s.byTask[j.Task.ID] = append(s.byTask[j.Task.ID], j)
	}
	return s
}

// Start performs the jobs with n workers. A job whose task requires another is begun after all
// jobs of that one have ended, wherever it stands in the order; until then it holds no worker.
func (s *Scheduler) Start(n int, jobs []*Job) {
	now := time.Now()
	queue := make(chan *Job, len(jobs))
	var waiting sync.WaitGroup
	for _, j := range jobs {
		j.queued = now
		before := s.byTask[j.Task.Requires]
		if j.Task.Requires == "" || len(before) == 0 {
			queue <- j
			continue
		}
		waiting.Add(1)
		s.wg.Go(func() {
			defer waiting.Done()
			for _, b := range before {
				select {
				case <-b.done:
				case <-s.ctx.Done():
				}
			}
			queue <- j
		})
	}
	s.wg.Go(func() {
		waiting.Wait()
		close(queue)
	})
	for range n {
		s.wg.Go(func() {
			for j := range queue {
				s.Do(j)
			}
		})
	}
}

// Do performs a job on the caller's goroutine, unless something has halted the run.
func (s *Scheduler) Do(j *Job) {
	defer close(j.done)
	defer j.cancel(nil)
	if reason, unreached := s.reasonToSkip(j); reason != "" {
		j.ep = s.skip(j, reason, unreached)
		return
	}
	s.guarded(j)
	s.mu.Lock()
	defer s.mu.Unlock()
	if j.ep.Outcome == grader.Broken && j.ep.Layer == grader.LayerProvider {
		if s.faults++; s.faults >= circuitAt && s.halted == "" {
			s.halted = fmt.Sprintf("the provider failed %d times in a row (last: %s)", s.faults, j.ep.FaultCode)
		}
	} else {
		s.faults = 0
	}
}

// guarded performs a job. Whatever panics in it is recorded as a skipped episode, since nobody
// knows what was measured; there is always an episode afterwards.
func (s *Scheduler) guarded(j *Job) {
	finished := false
	defer func() {
		if finished {
			return
		}
		if p := recover(); p != nil {
			j.ep = s.skip(j, fmt.Sprintf("panic: %v", p), true)
		} else {
			j.ep = s.skip(j, "its goroutine ended", true)
		}
	}()
	j.ep = s.work(j.ctx, j)
	finished = true
}

// reasonToSkip says why a job is not played; unreached tells that nothing in the job itself is
// the reason.
func (s *Scheduler) reasonToSkip(j *Job) (reason string, unreached bool) {
	s.mu.Lock()
	halted := s.halted
	s.mu.Unlock()
	if halted != "" {
		return halted, true
	}
	if err := j.ctx.Err(); err != nil {
		return fmt.Sprintf("%s: %v", notBegun, context.Cause(j.ctx)), true
	}
	if r := j.Task.Requires; r != "" {
		before := s.byTask[r]
		if len(before) == 0 && !s.alone {
			return fmt.Sprintf("requires %s, which this run does not select", r), false
		}
		for _, b := range before {
			<-b.done
			if b.ep.Outcome != grader.Passed {
				return fmt.Sprintf("requires %s, which %s", r, b.ep.Outcome), false
			}
		}
	}
	return "", false
}

const notBegun = "the run ended before this episode began"

// Halt lets nothing more begin, and says why.
func (s *Scheduler) Halt(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.halted == "" {
		s.halted = reason
	}
}

// Halted returns why nothing more is begun, or "".
func (s *Scheduler) Halted() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.halted
}

// errInterrupted is why the episodes of an interrupted run ended.
var errInterrupted = errors.New("interrupted")

// Await returns the episode of a job. When ctx ends first, everything is interrupted: what is
// in flight is cancelled and what has not begun is skipped; the job's own episode is then
// returned once it has unwound.
func (s *Scheduler) Await(ctx context.Context, j *Job) *agent.Episode {
	select {
	case <-j.done:
	case <-ctx.Done():
		s.Interrupt()
		<-j.done // bounded: Play abandons an agent that ignores its context
	}
	return j.ep
}

// Interrupt cancels what is in flight and lets nothing more begin.
func (s *Scheduler) Interrupt() {
	s.Halt("interrupted: " + notBegun)
	s.stop(errInterrupted)
}

// Close ends the run: in-flight episodes are cancelled, and it returns when every worker has.
func (s *Scheduler) Close() {
	s.closed.Do(func() {
		s.stop(errInterrupted)
		s.wg.Wait()
	})
}
