package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"sync"
	"time"

	"benchwright/agent"
	"benchwright/agent/ollama"
	"benchwright/grader"
	"benchwright/grader/gates"
	"benchwright/reports"
	"benchwright/sim"
	"benchwright/tasks"
)

// A Runner performs jobs for one process of a run: certify, play, grade, record.
type Runner struct {
	Config   Config
	Player   *Player // nil when certifying
	Bundle   *reports.Bundle
	Certs    *Certifier
	Progress func(*agent.Episode) // is told of every job's episode; may be nil
	Scratch  string               // where episodes get folders of their own
	Grace    time.Duration        // how long an agent may ignore the end of its time; 0 leaves it to agent.Play

	mu    sync.Mutex
	spent int64 // budget tokens that were counted
	blind bool  // some were not
	cost  *big.Rat
	halt  func(reason string)
	lost  []string // records that could not be written
}

// Work plays one job from its start to its record.
func (r *Runner) Work(ctx context.Context, j *Job) *agent.Episode {
	began := time.Now()
	r.Bundle.Begin(j.Task.ID, j.Trial) // a heartbeat that is not written shows by its absence
	ep := r.play(ctx, j)
	if !j.queued.IsZero() {
		ep.Queued = began.Sub(j.queued)
	}
	return r.record(ep)
}

// Skip records a job that is not played, and why. unreached marks one that the run ended before.
func (r *Runner) Skip(j *Job, reason string, unreached bool) *agent.Episode {
	ep := r.blank(j)
	ep.Outcome, ep.Reason = grader.Skipped, reason
	if unreached {
		ep.End.Code = grader.EndUnreached
	}
	return r.record(ep)
}

func (r *Runner) blank(j *Job) *agent.Episode {
	t := j.Task
	ep := &agent.Episode{
		Schema: agent.Schema, Task: t.ID, Title: t.Title, Labels: t.Labels, Source: t.Source, TaskDigest: j.Digest,
		Agent: r.name(), Protocol: r.Config.Protocol, Trial: j.Trial, Seed: r.Config.Seed + t.Seed, Envelope: t.Envelope(),
		Turns: []agent.Turn{}, Trace: sim.Trace{}, Answers: nil,
	}
	return ep
}

func (r *Runner) name() string {
	if r.Player == nil {
		return reports.KindCertification
	}
	return r.Player.Name
}

func (r *Runner) record(ep *agent.Episode) *agent.Episode {
	ep = r.Record(ep)
	if r.Progress != nil {
		r.Progress(ep)
	}
	return ep
}

// Record finishes and writes an episode. One that cannot be written is broken, and nothing more
// begins.
func (r *Runner) Record(ep *agent.Episode) *agent.Episode {
	ep.Pid = os.Getpid()
	rec := &reports.Record{Episode: *ep}
	if cert, ok := r.Certs.Known(ep.Task); ok {
		rec.Certificate = certificateOf(cert)
	}
	if err := r.Bundle.WriteRecord(rec); err != nil {
		r.mu.Lock()
		r.lost = append(r.lost, fmt.Sprintf("%s: %v", ep.Key(), err))
		r.mu.Unlock()
		if r.halt != nil {
			r.halt(fmt.Sprintf("records cannot be written: %v", err))
		}
		if ep.Outcome != grader.Skipped {
			ep.Break(agent.Faultf(grader.LayerOrchestration, "record", "the record could not be written: %w", err))
		}
	}
	return ep
}

// Lost returns the episodes whose records could not be written, and why.
func (r *Runner) Lost() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
}

func (r *Runner) play(ctx context.Context, j *Job) *agent.Episode {
	cert := r.Certs.Of(ctx, j)
	if r.Player == nil {
		return r.proven(j, cert)
	}
	if !cert.Held() && !cert.Skipped() && !r.Certs.Outside(j.Task.ID) {
		ep := r.blank(j)
		ep.Break(agent.Faultf(grader.LayerFixture, "uncertified", "the task does not prove itself, so nothing is measured with it: %s", firstProblem(cert)))
		return ep
	}
	a, err := r.Player.New(j.Task, j.Kit, j.Trial)
	if err != nil {
		ep := r.blank(j)
		if fault := (*agent.Fault)(nil); errors.As(err, &fault) { // of the world, which says where
			ep.Break(fault)
		} else {
			ep.Break(agent.Faultf(grader.LayerAdapter, "agent", "%w", err))
		}
		return ep
	}
	return r.Play(ctx, a, j, cert)
}

// Play lets an agent play a job, and grades it.
func (r *Runner) Play(ctx context.Context, a agent.Agent, j *Job, cert gates.Certificate) *agent.Episode {
	env, cleanup, err := r.env()
	if err != nil {
		ep := r.blank(j)
		ep.Break(agent.Faultf(grader.LayerOrchestration, "scratch", "%w", err))
		return ep
	}
	defer cleanup()
	ep := agent.Play(ctx, a, agent.Config{
		Kit: j.Kit, Task: j.Task, Digest: j.Digest, Trial: j.Trial, Seed: r.Config.Seed, Agent: r.name(), Protocol: r.Config.Protocol,
		Env: env, Basis: r.basis(), Grace: r.Grace, Spent: func(u agent.Usage) {
			if n, _ := u.Budget(r.basis()); r.Bundle != nil {
				r.Bundle.Spend(j.Task.ID, j.Trial, n)
			}
			r.pay(u)
		},
	})
	Grade(ctx, ep, j.Task, j.Kit)
	justify(ep, cert)
	if !cert.Skipped() {
		floor := cert.Floor
		ep.Floor = &floor
	}
	ep.Uncertified = !cert.Held()
	r.account(ep)
	return ep
}

// Grade evaluates a task's checks on an episode that is not broken. It finishes also when ctx
// has ended: what was played is graded.
func Grade(ctx context.Context, ep *agent.Episode, t tasks.Task, k *tasks.Kit) {
	if ep.Outcome == grader.Broken {
		return
	}
	v := grader.Grade(context.WithoutCancel(ctx), t.Rubric.Checks, ep)
	if k.Score != nil && v.Outcome != grader.Broken {
		v.Score = k.Score(v)
	}
	ep.Verdict, ep.Outcome, ep.Layer, ep.Reason, ep.Score = v, v.Outcome, v.Layer, v.Reason, v.Score
}

// justify fails an episode that was skipped and had no reason to be: more of its checks skip than
// need a judge, as the certificate has counted them. Whatever an agent can bring about is no way out
// of the rates. Where the task could not be certified, the count is unknown and nothing is said.
func justify(ep *agent.Episode, cert gates.Certificate) {
	if ep.Outcome != grader.Skipped || !cert.Held() {
		return
	}
	n := 0
	for _, r := range ep.Verdict.Results {
		if r.State == grader.SkippedRule {
			n++
		}
	}
	if n <= cert.Judged {
		return
	}
	f := grader.Finding{Code: "unjustified_skip", Type: grader.ContractType,
		Message: fmt.Sprintf("%d checks skip on what the agent left behind, and %d on the reference: %s", n, cert.Judged, ep.Reason)}
	ep.Verdict.Results = append(ep.Verdict.Results, grader.Result{Check: "no check skips but those that need a judge", Rule: "skips", State: grader.Unmet, Findings: []grader.Finding{f}})
	ep.Verdict.Outcome, ep.Outcome = grader.Failed, grader.Failed
	ep.Verdict.Reason, ep.Reason = "", ""
}

// env gives an episode its surroundings. The scratch folder is made only where worlds need one.
func (r *Runner) env() (sim.Env, func(), error) {
	if r.Scratch == "" {
		return sim.Env{}, func() {}, nil
	}
	dir, err := os.MkdirTemp(r.Scratch, "episode-")
	if err != nil {
		return sim.Env{}, nil, err
	}
	return sim.Env{Scratch: dir}, func() { os.RemoveAll(dir) }, nil
}

func (r *Runner) basis() agent.Basis {
	if r.Player == nil {
		return agent.Uncached
	}
	return r.Player.Options.Basis
}

func (r *Runner) prices() *ollama.Prices {
	if r.Player == nil {
		return nil
	}
	return r.Player.Options.Prices
}

// account fills in what the episode cost.
func (r *Runner) account(ep *agent.Episode) {
	n, known := ep.Usage.Budget(r.basis())
	ep.Budget = n
	switch {
	case !known:
		ep.BudgetNote = "the provider did not count all tokens"
	case ep.Usage.Requests > 0 && ep.Usage.Cached == nil && r.basis() != agent.Total:
		ep.BudgetNote = "cached input is unknown: all input counts"
	}
	if c := cost(r.prices(), ep.Usage); c != nil {
		ep.Cost = json.Number(c.FloatString(6))
	}
}

// pay adds what a turn cost to the run's bill, and halts the run when it is over its cap.
func (r *Runner) pay(u agent.Usage) {
	if limit := r.Config.Spend; limit.Tokens == 0 && limit.Cost == nil {
		return
	}
	r.mu.Lock()
	n, known := u.Budget(r.basis())
	r.spent += min(n, math.MaxInt64-r.spent)
	r.blind = r.blind || !known
	if c := cost(r.prices(), u); c != nil {
		if r.cost == nil {
			r.cost = new(big.Rat)
		}
		r.cost.Add(r.cost, c)
	}
	limit := r.Config.Spend
	reason := ""
	least := ""
	if r.blind {
		least = "at least "
	}
	switch {
	case limit.Tokens > 0 && r.spent >= limit.Tokens:
		reason = fmt.Sprintf("BENCH_SPEND: %s%d of %d budget tokens are spent", least, r.spent, limit.Tokens)
	case limit.Cost != nil && r.cost != nil && r.cost.Cmp(limit.Cost) >= 0:
		reason = fmt.Sprintf("BENCH_SPEND: %s$%s of $%s are spent", least, r.cost.FloatString(4), limit.Cost.FloatString(2))
	}
	r.mu.Unlock()
	if reason != "" && r.halt != nil {
		r.halt(reason)
	}
}
