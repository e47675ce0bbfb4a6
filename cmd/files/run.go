package files

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"benchwright/agent"
	"benchwright/cmd"
	"benchwright/grader"
	"benchwright/internal/run"
	"benchwright/reports"
	steps "benchwright/steps/files"
	"benchwright/tasks"
)

// now is the clock of episodes, for tests to set.
var now = time.Now

func runVerb() *cobra.Command {
	c := &cobra.Command{
		Use: "run --environment FOLDER", Short: "Let a baseline play one workspace, and record the episode",
		Long: `Let a baseline play one workspace that bench generate has made, and write the episode as the published system
records it: manifest.json, trajectory.jsonl, evaluator_result.json, summary.json, final_diff.txt and
final_workspace/, in a folder of its own; beside them steps.jsonl and factors.json, for analyses.

  heuristic  knows the solution and writes it: it shows that the way from workspace to verdict is sound
  scripted   reads what the work is, solves what is a matter of tables, else runs the documented command
  noop       does nothing: its score is the floor

A model plays workspaces in a run: BENCH_TASKS=FOLDER BENCH_MODEL=ollama:NAME go test. It exits with 0 when an
episode was played, whatever its score, and with 2 when it is broken.`,
		Args: args(cobra.NoArgs),
	}
	environment := c.Flags().String("environment", "", "a folder with manifest.json, visible/ and hidden/")
	name := c.Flags().String("agent", "heuristic", strings.Join(baselineNames, ", "))
	dir := c.Flags().String("output-dir", "episodes", "the folder to write to")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := oneOf("agent", *name, baselineNames...); err != nil {
			return err
		}
		in, err := load(*environment)
		if err != nil {
			return err
		}
		ctx := contextOf(c)
		kit := steps.Kit()
		if _, err := commands(); err != nil {
			return err
		}
		if _, err := kit.Isolate(ctx, os.Getenv("BENCH_SANDBOX"), os.Getenv("BENCH_PYTHON")); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			return cmd.Usage(err)
		}
		t, err := open(kit, *environment)
		if err != nil {
			return cmd.Usage(fmt.Errorf("--environment %s: %w", clean(*environment), err))
		}
		ep := agent.Play(ctx, baselines[*name](t), agent.Config{Kit: &kit, Task: t, Agent: *name, Protocol: agent.ProtocolTools, Seed: 1, Now: now})
		run.Grade(ctx, ep, t, &kit)
		if ep.Outcome == grader.Broken {
			return &cmd.Exit{Code: 2, Err: fmt.Errorf("the episode is broken (%s): %s", ep.Layer, clean(ep.Reason))}
		}
		p, err := steps.Publish(ep, in)
		if err != nil {
			return err
		}
		at := filepath.Join(*dir, p.ID)
		if _, err := os.Lstat(at); err == nil {
			return fmt.Errorf("%s is there already, and records are not overwritten", clean(at))
		}
		if err := os.MkdirAll(*dir, 0o755); err != nil {
			return err
		}
		if err := reports.WriteFiles(at, p.Files); err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "%s: score %.6f, %s, %s, ended by %s\n", ep.Outcome, ep.Score, plural(ep.Calls(), "call"), filepath.ToSlash(at), ep.End.Code)
		for _, f := range ep.Verdict.Findings() {
			first, _, _ := strings.Cut(f.Message, "\n")
			fmt.Fprintf(c.OutOrStdout(), "  %s: %s\n", f.Code, clean(first))
		}
		return nil
	}
	return c
}

// open returns the task that a workspace is.
func open(kit tasks.Kit, dir string) (tasks.Task, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return tasks.Task{}, cause(err)
	}
	defer root.Close()
	list, ok, err := kit.Open(root.FS())
	switch {
	case err != nil:
		return tasks.Task{}, err
	case !ok || len(list) != 1:
		return tasks.Task{}, errors.New("the folder is not one workspace")
	}
	return list[0], nil
}

// baselines make agents of tasks. Only the heuristic one reads the rubric.
var baselines = map[string]func(t tasks.Task) agent.Agent{
	"heuristic": func(t tasks.Task) agent.Agent { return heuristic{t.Rubric.Reference} },
	"scripted":  func(tasks.Task) agent.Agent { return scripted{} },
	"noop":      func(tasks.Task) agent.Agent { return agent.Noop{} },
}

var baselineNames = []string{"heuristic", "scripted", "noop"}

// A heuristic agent makes the moves of the reference that do something.
type heuristic struct{ moves []tasks.Move }

// Play implements agent.Agent.
func (h heuristic) Play(ctx context.Context, s *agent.Session) error {
	if _, ok, err := s.Next(ctx); !ok || err != nil {
		return err
	}
	for _, m := range h.moves {
		for _, c := range m.Calls {
			if c.Name == "read_file" || c.Name == "list_directory" {
				continue
			}
			if _, err := s.Call(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}
