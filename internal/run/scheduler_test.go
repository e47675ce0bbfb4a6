package run_test

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/internal/run"
	"benchwright/tasks"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// A log notes what a scheduler did.
type log struct {
	mu      sync.Mutex
	order   []tasks.ID
	skipped map[tasks.ID]string
	flight  atomic.Int64
	most    atomic.Int64
}

func (l *log) work(outcome func(tasks.ID) *agent.Episode) func(context.Context, *run.Job) *agent.Episode {
	return func(ctx context.Context, j *run.Job) *agent.Episode {
		n := l.flight.Add(1)
		defer l.flight.Add(-1)
		for m := l.most.Load(); n > m && !l.most.CompareAndSwap(m, n); m = l.most.Load() {
		}
		ep := outcome(j.Task.ID)
		l.mu.Lock()
		l.order = append(l.order, j.Task.ID)
		l.mu.Unlock()
		return ep
	}
}

func (l *log) skip(j *run.Job, reason string, unreached bool) *agent.Episode {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.skipped == nil {
		l.skipped = map[tasks.ID]string{}
	}
	l.skipped[j.Task.ID] = fmt.Sprintf("%v %s", unreached, reason)
	return &agent.Episode{Outcome: grader.Skipped}
}

func job(id, requires string) *run.Job {
	return &run.Job{Task: tasks.Task{ID: tasks.ID(id), Requires: tasks.ID(requires)}, Trial: 1, Of: 1}
}

func outcome(o grader.Outcome) func(tasks.ID) *agent.Episode {
	return func(tasks.ID) *agent.Episode { return &agent.Episode{Outcome: o} }
}

func awaitAll(t *testing.T, s *run.Scheduler, jobs []*run.Job) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for _, j := range jobs {
		s.Await(ctx, j)
	}
	if ctx.Err() != nil {
		t.Fatal("the scheduler hangs")
	}
}

func TestWhatIsRequiredComesFirst(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		var l log
		jobs := []*run.Job{job("s/f/c", "s/f/b"), job("s/f/b", "s/f/a"), job("s/f/x", ""), job("s/f/a", "")}
		s := run.NewScheduler(t.Context(), jobs, jobs, l.work(outcome(grader.Passed)), l.skip)
		s.Start(workers, jobs)
		awaitAll(t, s, jobs)
		s.Close()
		at := map[tasks.ID]int{}
		for i, id := range l.order {
			at[id] = i
		}
		if len(l.order) != 4 || at["s/f/a"] > at["s/f/b"] || at["s/f/b"] > at["s/f/c"] {
			t.Errorf("%d workers: %v", workers, l.order)
		}
	}
}

func TestRequirementThatDoesNotPassSkipsTheRest(t *testing.T) {
	var l log
	jobs := []*run.Job{job("s/f/a", ""), job("s/f/b", "s/f/a"), job("s/f/c", "s/f/b"), job("s/f/d", "s/f/elsewhere")}
	s := run.NewScheduler(t.Context(), jobs, jobs, l.work(outcome(grader.Failed)), l.skip)
	s.Start(2, jobs)
	awaitAll(t, s, jobs)
	s.Close()
	if len(l.order) != 1 || len(l.skipped) != 3 || l.skipped["s/f/b"] != "false requires s/f/a, which failed" {
		t.Errorf("played %v, skipped %v", l.order, l.skipped)
	}
}

func TestRequirementThatIsNotSelectedIsNotWaitedFor(t *testing.T) {
	var l log
	jobs := []*run.Job{job("s/f/a", ""), job("s/f/b", "s/f/a")}
	s := run.NewScheduler(t.Context(), jobs, jobs[1:], l.work(outcome(grader.Passed)), l.skip)
	s.Start(1, jobs[1:])
	awaitAll(t, s, jobs[1:])
	s.Close()
	if len(l.order) != 0 || l.skipped["s/f/b"] != "false requires s/f/a, which this run does not select" {
		t.Errorf("played %v, skipped %v", l.order, l.skipped)
	}
}

func TestCircuitOpensAfterFaultsInARow(t *testing.T) {
	var l log
	var n atomic.Int64
	play := func(tasks.ID) *agent.Episode {
		if n.Add(1) == 3 { // one good answer in between
			return &agent.Episode{Outcome: grader.Failed}
		}
		return &agent.Episode{Outcome: grader.Broken, Layer: grader.LayerProvider, FaultCode: "network_error"}
	}
	var jobs []*run.Job
	for i := range 20 {
		jobs = append(jobs, job(fmt.Sprintf("s/f/t%d", i), ""))
	}
	s := run.NewScheduler(t.Context(), jobs, jobs, l.work(play), l.skip)
	s.Start(1, jobs)
	awaitAll(t, s, jobs)
	s.Close()
	if len(l.order) != 8 || len(l.skipped) != 12 || s.Halted() == "" {
		t.Errorf("played %d, skipped %d, halted by %q: two faults, a success, five faults, then none", len(l.order), len(l.skipped), s.Halted())
	}
}

func TestNoMoreInFlightThanWorkers(t *testing.T) {
	var l log
	var jobs []*run.Job
	for i := range 50 {
		jobs = append(jobs, job(fmt.Sprintf("s/f/t%d", i), ""))
	}
	play := func(tasks.ID) *agent.Episode {
		time.Sleep(time.Millisecond)
		return &agent.Episode{Outcome: grader.Passed}
	}
	s := run.NewScheduler(t.Context(), jobs, jobs, l.work(play), l.skip)
	s.Start(3, jobs)
	awaitAll(t, s, jobs)
	s.Close()
	if m := l.most.Load(); m > 3 || m < 2 {
		t.Errorf("%d in flight with 3 workers", m)
	}
}

func TestInterruptEndsEverything(t *testing.T) {
	var l log
	started := make(chan bool, 1)
	work := func(ctx context.Context, j *run.Job) *agent.Episode {
		started <- true
		<-ctx.Done()
		return &agent.Episode{Outcome: grader.Broken, Layer: grader.LayerOrchestration}
	}
	jobs := []*run.Job{job("s/f/a", ""), job("s/f/b", ""), job("s/f/c", "s/f/b")}
	s := run.NewScheduler(t.Context(), jobs, jobs, work, l.skip)
	s.Start(1, jobs)
	<-started
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if ep := s.Await(ctx, jobs[0]); ep.Outcome != grader.Broken {
		t.Errorf("in flight: %s", ep.Outcome)
	}
	s.Close()
	if len(l.skipped) != 2 || l.skipped["s/f/b"] != "true interrupted: the run ended before this episode began" {
		t.Errorf("skipped %v", l.skipped)
	}
}
