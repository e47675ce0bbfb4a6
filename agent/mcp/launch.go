package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"benchwright/agent"
	"benchwright/agent/command"
	"benchwright/grader"
	"benchwright/tasks"
)

// Launch returns the agent of one episode that is a command of the user's: it is run through the
// shell with the address of the world in BENCHWRIGHT_MCP_URL, the ask in the file
// BENCHWRIGHT_PROMPT_FILE, and an empty folder of its own in BENCHWRIGHT_RUN_DIR. When it exits it
// has finished; another exit code than 0 is agent_error, graded on what stands. When the episode
// is over it is killed with its group.
func (h *Hub) Launch(d tasks.Dialect, cmd string) agent.Agent {
	return &guest{hub: h, dialect: d, launch: func(ctx context.Context, s *agent.Session, p *place) error {
		p.claim()
		dir, err := os.MkdirTemp("", "benchwright-mcp-")
		if err != nil {
			return agent.Faultf(grader.LayerAdapter, "scratch", "%w", err)
		}
		defer os.RemoveAll(dir)
		prompt := filepath.Join(dir, "prompt.txt")
		if err := os.WriteFile(prompt, []byte(p.prompt+"\n"), 0o600); err != nil {
			return agent.Faultf(grader.LayerAdapter, "scratch", "%w", err)
		}
		exit, err := command.Process{Command: cmd, Env: []string{
			"BENCHWRIGHT_MCP_URL=" + h.url(p, "mcp"), "BENCHWRIGHT_PROMPT_FILE=" + prompt, "BENCHWRIGHT_RUN_DIR=" + dir,
		}}.Run(ctx)
		if err != nil {
			return agent.Faultf(grader.LayerAdapter, "command", "the command cannot be started: %w", err)
		}
		if exit.Output != "" {
			s.Say(tasks.Message{Role: tasks.RoleAssistant, Content: exit.Output})
		}
		switch {
		case ctx.Err() != nil:
			return nil // the session knows
		case exit.Code != 0:
			return agent.End(grader.EndAgent, fmt.Sprintf("the command exited with %d", exit.Code))
		}
		if err := p.finish(ctx); err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	}}
}
