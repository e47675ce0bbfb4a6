package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"benchwright/agent"
	"benchwright/agent/mcp"
	"benchwright/grader"
	"benchwright/internal/run"
	"benchwright/reports"
	"benchwright/sim"
	"benchwright/tasks"
)

func serve(suite tasks.Suite) *cobra.Command {
	c := &cobra.Command{
		Use: "serve --task TASK", Short: "Serve the world of one task as an MCP server, and grade what a harness leaves",
		Long: `Serve the world of one task as an MCP server: its tools, and its resources and prompts where the world has them. By
default over standard input and output, for harnesses that start their servers; with --http over streamable HTTP at
/mcp of that address. The ask is the server's instructions, and its prompt "task"; --print-task prints it and exits.

The episode ends when the last ask is answered, a budget is spent, or the client is gone: its input is closed, its
HTTP session is deleted, it says nothing for --idle, or somebody sends POST /done. It is then graded, and the verdict
printed on standard error (with --http, on standard output). Exit code 0 is passed, 1 failed, 2 broken or wrong usage.

It proves nothing about the task itself, which go test does, and its verdict is part of no run.`,
		Args: args(cobra.NoArgs),
	}
	extra := tasksFlag(c)
	id := c.Flags().String("task", "", "id of the task, as list prints it")
	addr := c.Flags().String("http", "", "serve over streamable HTTP at host:port; port 0 is any free one")
	out := c.Flags().String("out", "", "a new file for the record of the episode")
	show := c.Flags().Bool("print-task", false, "print what the user asks for, as a harness is told, and exit")
	native := c.Flags().Bool("native", false, "leave out the tools that only read resources and prompts, which the protocol reads too")
	idle := c.Flags().Duration("idle", 10*time.Minute, "how long a client may say nothing")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *id == "" {
			return Usage(errors.New("serve: say which task: --task TASK; bench list names them"))
		}
		if *idle <= 0 {
			return Usage(fmt.Errorf("serve: --idle %s: want a time above 0", *idle))
		}
		all, err := compiled(c.Context(), suite.Naming(*id), *extra)
		if err != nil {
			return Usage(err)
		}
		t, err := find(all, *id)
		if err != nil {
			return Usage(err)
		}
		if err := readied(c.Context(), suite, t); err != nil {
			return Usage(err)
		}
		if *out != "" {
			if _, err := os.Lstat(*out); err == nil {
				return Usage(fmt.Errorf("serve: --out %s: there is such a file already", *out))
			}
		}
		parent := c.Context()
		if parent == nil {
			parent = context.Background()
		}
		ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
		defer stop()
		v := serving{task: t, kit: suite.Kit(t.World), out: c.ErrOrStderr(), record: *out, opts: mcp.Options{Native: *native, Idle: *idle, Connect: 24 * time.Hour}}
		switch {
		case *show:
			return v.print(ctx, c.OutOrStdout())
		case *addr != "":
			v.out = c.OutOrStdout()
			return v.http(ctx, *addr)
		}
		return v.stdio(ctx, c.InOrStdin(), c.OutOrStdout())
	}
	return c
}

// A serving is one task that is served.
type serving struct {
	task   tasks.Task
	kit    *tasks.Kit
	opts   mcp.Options
	out    io.Writer // for people
	record string
}

// print prints the first ask without beginning an episode.
func (v serving) print(ctx context.Context, w io.Writer) error {
	var text string
	ep := v.play(ctx, asking{func(ctx context.Context, s *agent.Session) error {
		desk, err := agent.NewDesk(ctx, s, v.kit.Speaks())
		if err == nil {
			text, err = desk.Prompt(ctx)
		}
		return err
	}})
	if text == "" {
		return &Exit{2, fmt.Errorf("serve: %s: %s", v.task.ID, reports.Clean(ep.Reason, 500))}
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

type asking struct {
	play func(context.Context, *agent.Session) error
}

func (a asking) Play(ctx context.Context, s *agent.Session) error { return a.play(ctx, s) }

func (v serving) stdio(ctx context.Context, in io.Reader, out io.Writer) error {
	s := mcp.NewStream(in, out, v.kit.Speaks(), v.options())
	ended := v.interruptible(ctx, s)
	ep := v.play(context.WithoutCancel(ctx), ended)
	err := v.verdict(ep)
	patience, stop := context.WithTimeout(ctx, 10*time.Second) // for the client to read what it was told last
	defer stop()
	s.Wait(patience)
	return err
}

func (v serving) http(ctx context.Context, addr string) error {
	hub, err := mcp.Listen(addr, true, v.options())
	if err != nil {
		return Usage(fmt.Errorf("serve: --http %s: %w", addr, err))
	}
	fmt.Fprintf(v.out, "serving on %s/mcp; the ask is at %s/prompt, and POST %s/done ends it\n", hub.URL(), hub.URL(), hub.URL())
	ep := v.play(context.WithoutCancel(ctx), v.interruptible(ctx, hub.Agent(v.kit.Speaks())))
	err = v.verdict(ep)
	last, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	hub.Close(last)
	return err
}

func (v serving) options() mcp.Options {
	o := v.opts
	o.Report = func(breaches []mcp.Breach) {
		for _, b := range breaches {
			fmt.Fprintf(v.out, "note: %s: against its published schema: %s\n", b.Tool, b.Problem)
		}
	}
	return o
}

// interruptible ends an agent when ctx ends, as one that went away: what stands is graded.
func (v serving) interruptible(ctx context.Context, a agent.Agent) agent.Agent {
	return asking{func(playing context.Context, s *agent.Session) error {
		stop := context.AfterFunc(ctx, func() { s.End(grader.EndStopped, "interrupted") })
		defer stop()
		return a.Play(playing, s)
	}}
}

func (v serving) play(ctx context.Context, a agent.Agent) *agent.Episode {
	ep := agent.Play(ctx, a, agent.Config{Kit: v.kit, Task: v.task, Agent: "mcp", Protocol: agent.ProtocolTools, Env: sim.Env{}})
	run.Grade(ctx, ep, v.task, v.kit)
	return ep
}

// verdict prints what became of an episode, writes its record, and returns the exit code's error.
func (v serving) verdict(ep *agent.Episode) error {
	var b strings.Builder
	if ep.Outcome == grader.Broken {
		fmt.Fprintf(&b, "broken (%s): %s\n", ep.Layer, reports.Clean(ep.Reason, 500))
	} else {
		fmt.Fprintf(&b, "%s: score %.3f, %s, ended by %s\n", ep.Outcome, ep.Score, plural(ep.Calls(), "call"), ep.End.Code)
	}
	for _, f := range ep.Verdict.Findings() {
		fmt.Fprintf(&b, "  %s: %s\n", f.Code, reports.Clean(f.Message, 500))
	}
	io.WriteString(v.out, b.String())
	if v.record != "" {
		raw, err := sim.Canonical(reports.Record{Episode: *ep})
		if err == nil {
			err = write(io.Discard, v.record, append(raw, '\n'))
		}
		if err != nil {
			return &Exit{2, fmt.Errorf("serve: --out: %w", err)}
		}
	}
	switch ep.Outcome {
	case grader.Passed:
		return nil
	case grader.Failed:
		return &Exit{1, errors.New("the episode failed")}
	}
	return &Exit{2, fmt.Errorf("the episode is %s", ep.Outcome)}
}
