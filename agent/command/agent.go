package command

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// DefaultTimeout is how long a process may take for an ask.
const DefaultTimeout = 120 * time.Second

// An Agent runs a command for each ask and performs the calls that it wrote.
type Agent struct {
	Command string
	Dialect tasks.Dialect
	Timeout time.Duration // of a process; zero takes DefaultTimeout
}

// Play implements agent.Agent.
func (a Agent) Play(ctx context.Context, s *agent.Session) error {
	desk, err := agent.NewDesk(ctx, s, a.Dialect)
	if err != nil {
		return err
	}
	tools, err := desk.Tools()
	if err != nil {
		return err
	}
	id := Token()
	env := s.Envelope()
	for ask := range env.Asks {
		told, err := desk.Put(ctx)
		if err != nil {
			return err
		}
		calls, err := a.ask(ctx, s, envelope(id, env, ask, told, tools))
		if err != nil {
			return err
		}
		for _, c := range calls {
			if said, err := desk.Call(ctx, c); err != nil {
				return err
			} else if desk.Over() {
				return nil
			} else {
				s.Say(tasks.Message{Role: tasks.RoleTool, Tool: c.Name, Content: said.Text})
			}
		}
		if ask+1 < len(env.Asks) {
			if err := desk.Advance(ctx); err != nil {
				return err
			}
		}
	}
	return desk.Finish(ctx)
}

// Token returns an id that says nothing and cannot be guessed.
func Token() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// ask runs the process for one ask and returns the calls that it wants.
func (a Agent) ask(ctx context.Context, s *agent.Session, e Envelope) ([]sim.Call, error) {
	dir, err := os.MkdirTemp("", "benchwright-command-")
	if err != nil {
		return nil, agent.Faultf(grader.LayerAdapter, "scratch", "%w", err)
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "task.json"), filepath.Join(dir, "output.jsonl")
	raw, err := sim.Canonical(e)
	if err == nil {
		err = os.WriteFile(in, append(raw, '\n'), 0o600)
	}
	if err != nil {
		return nil, agent.Faultf(grader.LayerAdapter, "envelope", "%w", err)
	}
	p := Process{Command: a.Command}
	for _, v := range [][2]string{{"TASK_JSON", in}, {"OUTPUT_JSONL", out}, {"RUN_DIR", dir}, {"TASK_ID", e.Task.ID}} {
		p.Env = append(p.Env, "BENCHWRIGHT_"+v[0]+"="+v[1])
		if e.Benchmark.World == "workspace" {
			p.Env = append(p.Env, "WORKSPACE_BENCH_"+v[0]+"="+v[1])
		}
	}
	limit := a.Timeout
	if limit == 0 {
		limit = DefaultTimeout
	}
	timed, stop := context.WithTimeout(ctx, limit)
	defer stop()
	exit, err := p.Run(timed)
	if err != nil {
		return nil, agent.Faultf(grader.LayerAdapter, "command", "the command cannot be started: %w", err)
	}
	if exit.Output != "" {
		s.Say(tasks.Message{Role: tasks.RoleAssistant, Content: exit.Output})
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err() // the session knows whose end it is
	case exit.Killed:
		return nil, agent.End(grader.EndAgent, fmt.Sprintf("the command took longer than %s", limit))
	case exit.Code != 0:
		return nil, agent.End(grader.EndAgent, fmt.Sprintf("the command exited with %d", exit.Code))
	}
	raw, err = readOutput(out)
	var calls []sim.Call
	if err == nil {
		calls, err = ParseOutput(raw)
	}
	if err != nil {
		return []sim.Call{{Name: ParseError, Arguments: sim.MustCanonical(map[string]any{"error": err.Error()})}}, nil
	}
	return calls, nil
}
