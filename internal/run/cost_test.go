package run_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/grader/gates"
	"benchwright/internal/e2e/counter"
	"benchwright/internal/run"
	"benchwright/reports"
	"benchwright/sim"
	"benchwright/tasks"
)

// thousand is a suite of 1,000 tasks in 50 files.
func thousand() tasks.Suite {
	files := fstest.MapFS{}
	for f := range 50 {
		var b strings.Builder
		fmt.Fprintf(&b, "@suite:cost @world:counter @level:%d\nFeature: File %d\n  Scenario Outline: Add\n", f%4, f)
		b.WriteString("    When the agent is asked, with 3 turns, \"Add <amount> to the counter.\"\n    Then the counter shows <amount>\n    And a reference adds <amount>\n    Examples:\n      | amount |\n")
		for r := range 20 {
			fmt.Fprintf(&b, "      | %d |\n", f*20+r+1)
		}
		files[fmt.Sprintf("f%02d.feature", f)] = &fstest.MapFile{Data: []byte(b.String())}
	}
	s := counter.Suite()
	s.Features = files
	return s
}

// scratch is a folder in memory where there is one, since a disk's fsync is not ours.
func scratch(b *testing.B) string {
	if dir, err := os.MkdirTemp("/dev/shm", "benchwright-"); err == nil {
		b.Cleanup(func() { os.RemoveAll(dir) })
		return dir
	}
	return b.TempDir()
}

func compiled(b *testing.B) (tasks.Suite, []tasks.Task) {
	suite := thousand()
	c, err := tasks.Compile(suite)
	if err != nil {
		b.Fatal(err)
	}
	return suite, c.Tasks[:min(len(c.Tasks), 1000)]
}

// play runs jobs through the scheduler, n at a time, and returns the finished bundle's summary.
func play(b *testing.B, suite tasks.Suite, all []tasks.Task, n int, mk func(tasks.Task, *tasks.Kit) agent.Agent) reports.Summary {
	b.Helper()
	config, err := run.FromEnv([]string{"BENCH_MODEL=reference"})
	if err != nil {
		b.Fatal(err)
	}
	jobs := run.Jobs(suite, all, config)
	r := reports.Run{Kind: reports.KindReference, Agent: "reference"}
	for _, t := range all {
		r.Tasks = append(r.Tasks, reports.Select(t))
	}
	bundle, err := reports.Create(scratch(b)+"/run", r)
	if err != nil {
		b.Fatal(err)
	}
	held := gates.Certificate{}
	runner := &run.Runner{Config: config, Bundle: bundle, Certs: run.NewCertifier(config, nil, nil, gates.Cache{}),
		Player: &run.Player{Name: "reference", Kind: reports.KindReference}}
	work := func(ctx context.Context, j *run.Job) *agent.Episode {
		return runner.Record(runner.Play(ctx, mk(j.Task, j.Kit), j, held))
	}
	s := run.NewScheduler(b.Context(), jobs, jobs, work, runner.Skip)
	s.Start(n, jobs)
	for _, j := range jobs {
		if ep := s.Await(b.Context(), j); ep.Outcome != grader.Passed {
			b.Fatalf("%s: %s %s %v %v", ep.Task, ep.Outcome, ep.Reason, ep.End, ep.Verdict.Codes())
		}
	}
	s.Close()
	sum, err := bundle.Finish()
	if err != nil {
		b.Fatal(err)
	}
	return sum
}

func reference(t tasks.Task, k *tasks.Kit) agent.Agent {
	d := k.Speaks()
	return agent.Loop{Model: agent.Script(d, agent.ProtocolJSON, t.Rubric.Reference), Dialect: d}
}

// BenchmarkThousandTasks is 1,000 one-call tasks through compile, seed, call, grade, record,
// JUnit: one operation is all of them.
func BenchmarkThousandTasks(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		suite, all := compiled(b)
		if sum := play(b, suite, all, 2, reference); sum.Passed != len(all) {
			b.Fatalf("%d of %d passed", sum.Passed, len(all))
		}
	}
}

// BenchmarkCertifyThousand proves 1,000 small tasks with all gates.
func BenchmarkCertifyThousand(b *testing.B) {
	suite, all := compiled(b)
	b.ReportAllocs()
	mutants := 0
	for b.Loop() {
		mutants = 0
		for _, c := range gates.CertifySuite(b.Context(), suite, all, gates.Options{}, 2) {
			if !c.Held() {
				b.Fatal(gates.Table([]gates.Certificate{c}))
			}
			mutants += c.Mutants
		}
	}
	b.ReportMetric(float64(mutants)/float64(len(all)), "mutants/task")
}

// BenchmarkInFlight is 128 episodes of 10 calls against a provider that takes 50 ms a reply,
// 64 at a time: 1.0 s would be ideal (two waves of ten replies).
func BenchmarkInFlight(b *testing.B) {
	suite, all := compiled(b)
	all = all[:128]
	for i := range all {
		all[i].Limits.Turns = 11
		all[i].Asks[0].Turns = 0
	}
	ideal := 2 * 10 * 50 * time.Millisecond
	for b.Loop() {
		start := time.Now()
		play(b, suite, all, 64, func(t tasks.Task, k *tasks.Kit) agent.Agent { return &delayed{t, k.Speaks()} })
		b.ReportMetric(float64(time.Since(start))/float64(ideal), "wall/ideal")
	}
}

// delayed reaches the task's goal in ten replies of 50 ms: nine useless calls would change the
// counter, so it asks for nothing nine times and answers last.
type delayed struct {
	task    tasks.Task
	dialect tasks.Dialect
}

func (d *delayed) Play(ctx context.Context, s *agent.Session) error {
	n := 0
	return agent.Loop{Dialect: d.dialect, Model: model(func(ctx context.Context) (tasks.Move, error) {
		n++
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return tasks.Move{}, ctx.Err()
		}
		switch {
		case n < 9:
			return tasks.Move{Calls: []sim.Call{{Name: "none", Arguments: json.RawMessage("{}")}}}, nil
		default:
			return d.task.Rubric.Reference[n-9], nil
		}
	}, d.dialect)}.Play(ctx, s)
}

type modelFunc struct {
	next    func(context.Context) (tasks.Move, error)
	dialect tasks.Dialect
}

func model(next func(context.Context) (tasks.Move, error), d tasks.Dialect) agent.Model {
	return modelFunc{next, d}
}

func (m modelFunc) Next(ctx context.Context, _ []tasks.Message, _ []sim.Tool) (agent.Reply, agent.Usage, error) {
	mv, err := m.next(ctx)
	if err != nil {
		return agent.Reply{}, agent.Usage{}, err
	}
	text, err := m.dialect.Reply(mv)
	return agent.Reply{Text: text}, agent.Usage{}, err
}
