package run

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/grader/gates"
	"benchwright/reports"
	"benchwright/sim"
	"benchwright/tasks"
)

// A Certifier proves the tasks of a run, each once.
type Certifier struct {
	Config Config
	Cache  gates.Cache // the zero value proves everything afresh

	boxes    *Boxes                    // nil for tasks that run no commands
	distinct map[tasks.ID]gates.Result // a proof about all tasks together
	outside  map[tasks.ID]bool

	mu    sync.Mutex
	certs map[tasks.ID]*certificate
}

type certificate struct {
	once sync.Once
	gates.Certificate
}

// NewCertifier prepares to certify tasks; outside names those that came by BENCH_TASKS.
func NewCertifier(c Config, all []tasks.Task, outside map[tasks.ID]bool, cache gates.Cache) *Certifier {
	return &Certifier{Config: c, Cache: cache, distinct: distinct(all), outside: outside, certs: map[tasks.ID]*certificate{}}
}

// distinct decides the distinct gate for all tasks that could be selected.
func distinct(all []tasks.Task) map[tasks.ID]gates.Result {
	stubs := make([]gates.Certificate, len(all))
	for i, t := range all {
		stubs[i] = gates.Certificate{Task: t.ID, TaskDigest: t.Digest(), Source: t.Source, Gates: []gates.Result{{Gate: gates.Distinct}}}
	}
	gates.MarkDistinct(stubs)
	out := map[tasks.ID]gates.Result{}
	for _, c := range stubs {
		out[c.Task] = c.Gates[0]
	}
	return out
}

// Outside reports whether the task came by BENCH_TASKS.
func (c *Certifier) Outside(id tasks.ID) bool { return c.outside[id] }

// Of returns the certificate of a job's task, proving it at its first use.
func (c *Certifier) Of(ctx context.Context, j *Job) gates.Certificate {
	c.mu.Lock()
	e := c.certs[j.Task.ID]
	if e == nil {
		e = &certificate{}
		c.certs[j.Task.ID] = e
	}
	c.mu.Unlock()
	e.once.Do(func() {
		o := gates.Options{Seed: c.Config.Seed, Protocol: c.Config.Protocol, Isolation: c.boxes.Of(j.Kit)}
		cert := c.certify(context.WithoutCancel(ctx), j, o)
		for i, g := range cert.Gates {
			if d, ok := c.distinct[cert.Task]; ok && g.Gate == gates.Distinct {
				cert.Gates[i] = d
			}
		}
		c.mu.Lock()
		e.Certificate = cert
		c.mu.Unlock()
	})
	return e.Certificate
}

// certify takes a certificate from the cache or proves the task. A cache that fails costs time
// and nothing else.
func (c *Certifier) certify(ctx context.Context, j *Job, o gates.Options) gates.Certificate {
	if c.Cache.Dir == "" {
		return gates.Certify(ctx, j.Kit, j.Task, o)
	}
	key, err := gates.Key(j.Kit, j.Task, o)
	if err != nil {
		return gates.Certify(ctx, j.Kit, j.Task, o)
	}
	if cert, ok := c.Cache.Get(key); ok {
		return cert
	}
	cert := gates.Certify(ctx, j.Kit, j.Task, o)
	c.Cache.Put(key, cert)
	return cert
}

// Known returns the certificate of a task that has been proven.
func (c *Certifier) Known(id tasks.ID) (gates.Certificate, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.certs[id]
	if e == nil || e.Task == "" {
		return gates.Certificate{}, false
	}
	return e.Certificate, true
}

// certificateOf is a certificate as records keep it.
func certificateOf(c gates.Certificate) *reports.Certificate {
	out := &reports.Certificate{}
	for _, g := range c.Gates {
		if g.State == gates.Skipped {
			out.Skipped = g.Note
			continue
		}
		r := reports.GateResult{Gate: string(g.Gate), Held: g.State == gates.Held, Nothing: g.Nothing, Detail: g.Note}
		for i, p := range g.Problems {
			if i == 0 {
				r.Detail, r.Source = p.Text, p.Source
			}
		}
		out.Gates = append(out.Gates, r)
	}
	return out
}

func firstProblem(c gates.Certificate) string {
	for _, g := range c.Gates {
		for _, p := range g.Problems {
			return fmt.Sprintf("gate %s: %s", g.Gate, p.Text)
		}
	}
	return "it is not certified"
}

// proven is the record of a task's certification: its checks are the gates.
func (r *Runner) proven(j *Job, c gates.Certificate) *agent.Episode {
	ep := r.blank(j)
	v := grader.Verdict{Outcome: grader.Passed}
	held := 0
	for _, g := range c.Gates {
		res := grader.Result{Check: "gate " + string(g.Gate), Rule: "gate", State: grader.Held, Detail: g.Note, Source: grader.Source{File: j.Task.Source.File, Line: j.Task.Source.Line}}
		switch g.State {
		case gates.Failed:
			res.State = grader.Unmet
			v.Outcome = grader.Failed
			for _, p := range g.Problems {
				res.Findings = append(res.Findings, grader.Finding{Code: "gate:" + string(g.Gate), Type: grader.ContractType, Message: p.Text, Source: p.Source})
			}
		case gates.Skipped:
			res.State = grader.SkippedRule
		default:
			held++
		}
		v.Results = append(v.Results, res)
	}
	if c.Skipped() && v.Outcome == grader.Passed {
		v.Outcome, v.Reason = grader.Skipped, "this machine cannot certify the task: "+skipNote(c)
	}
	if n := len(c.Gates); n > 0 {
		v.Score = float64(held) / float64(n)
	}
	floor := c.Floor
	ep.Verdict, ep.Outcome, ep.Score, ep.Floor, ep.Reason = v, v.Outcome, v.Score, &floor, v.Reason
	ep.End = grader.End{Code: grader.EndDone}
	return ep
}

func skipNote(c gates.Certificate) string {
	for _, g := range c.Gates {
		if g.State == gates.Skipped {
			return g.Note
		}
	}
	return ""
}

// ToolsOf lists the tools that a task's agent will see.
func ToolsOf(k *tasks.Kit, t tasks.Task) (list []sim.Tool, err error) {
	defer func() { // a kit is foreign code
		if p := recover(); p != nil {
			list, err = nil, agent.Faultf(grader.LayerFixture, "setup", "world %s: panic: %v", k.Kind.Name, p)
		}
	}()
	w, err := k.Kind.New(context.Background(), sim.Env{}, t.Setup, t.Tools)
	if err != nil {
		if errors.Is(err, errors.ErrUnsupported) {
			return nil, agent.Faultf(grader.LayerToolRuntime, "unsupported", "world %s: %w", k.Kind.Name, err)
		}
		return nil, agent.Faultf(grader.LayerFixture, "setup", "%w", err)
	}
	defer w.Close()
	return w.Tools(), nil
}
