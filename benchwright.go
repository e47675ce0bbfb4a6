package benchwright

import (
	"context"
	"testing"

	"benchwright/agent"
	"benchwright/internal/bridge"
	"benchwright/internal/run"
	"benchwright/tasks"
)

// Run runs a suite as the test t: it compiles the tasks, and then either certifies them (when
// BENCH_MODEL is unset) or lets an agent play them, one Ginkgo spec per task and trial. What it
// leaves is a bundle of records and reports, whose path it prints first and last.
//
// Everything is configured by the environment, which the README tables. Mistakes in variables
// or tasks stop the run with all of them listed. Whether a run that found failures fails t is
// for BENCH_GATE to say. There can be one Run in a test binary; its package may hold Ginkgo
// specs of its own, which run along and may call [Play].
func Run(t *testing.T, suite tasks.Suite, opts ...Option) {
	t.Helper()
	var o bridge.Options
	for _, opt := range opts {
		opt(&o)
	}
	bridge.Run(t, suite, o)
}

// An Option adds to a Run.
type Option func(*bridge.Options)

// WithAgent offers an agent of one's own under a name that BENCH_MODEL can choose. It is made
// anew for each episode, from what an agent may know of the task.
func WithAgent(name string, mk func(tasks.Envelope) agent.Agent) Option {
	return func(o *bridge.Options) {
		if o.Agents == nil {
			o.Agents = run.Custom{}
		}
		o.Agents[name] = mk
	}
}

// Play plays a task in a hand-written Ginkgo spec, under the running Run's agent (its reference,
// when the run certifies), and returns the graded episode, ready for checks as matchers:
//
//	Expect(benchwright.Play(ctx, task)).To(ledger.Balance("cash", 12))
//
// The episode is recorded when the spec ends. What the spec expects beyond the task's rubric no
// gate has proven: when only that fails, the record says uncertified.
func Play(ctx context.Context, t tasks.Task) *agent.Episode { return bridge.Play(ctx, t) }
