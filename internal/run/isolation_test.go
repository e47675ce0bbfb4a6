package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/internal/e2e/counter"
	"benchwright/internal/run"
	"benchwright/reports"
	"benchwright/sim"
	"benchwright/tasks"
)

// boxed is the counter's suite as one whose world runs commands.
func boxed(isolate func(ctx context.Context, sandbox, python string) (tasks.Isolation, error)) tasks.Suite {
	s := counter.Suite()
	s.Kits[0].Isolate = isolate
	return s
}

func fixed(is tasks.Isolation, err error) func(context.Context, string, string) (tasks.Isolation, error) {
	return func(context.Context, string, string) (tasks.Isolation, error) { return is, err }
}

// played runs the first task of a suite in a folder of its own, and returns its bundle and what
// was printed.
func played(t *testing.T, suite tasks.Suite, env ...string) (*reports.Reader, *agent.Episode, string) {
	t.Helper()
	t.Chdir(t.TempDir())
	out := t.TempDir()
	s, err := run.Open(append(env, "BENCH_OUT="+out+"/bundle"), suite, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(out, "printed"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s.Out = f
	if err := s.Begin(t.Context(), s.Jobs[:1], "", run.Procs{Total: 1}); err != nil {
		t.Fatal(err)
	}
	s.Start()
	ep := s.Await(t.Context(), s.Jobs[0])
	s.Finish(nil)
	r, err := reports.Open(out + "/bundle")
	if err != nil {
		t.Fatal(err)
	}
	printed, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return r, ep, string(printed)
}

func TestTheRecordNamesTheIsolation(t *testing.T) {
	var asked []string
	suite := boxed(func(_ context.Context, sandbox, python string) (tasks.Isolation, error) {
		asked = append(asked, sandbox+"/"+python)
		return tasks.Isolation{Level: "a box", Python: "host python 3.0"}, nil
	})
	kind := suite.Kits[0].Kind.New
	suite.Kits[0].Kind.New = func(ctx context.Context, env sim.Env, setup json.RawMessage, tools []string) (sim.World, error) {
		if len(asked) == 0 {
			t.Error("a world is made before anybody has said what its commands run in")
		}
		return kind(ctx, env, setup, tools)
	}
	r, ep, _ := played(t, suite, "BENCH_SANDBOX=landlock", "BENCH_PYTHON=host")
	if got := r.Run(); got.Isolation != "a box" || got.Python != "host python 3.0" || ep.Outcome != grader.Passed {
		t.Errorf("isolation %q, python %q, %s", got.Isolation, got.Python, ep.Outcome)
	}
	if fmt.Sprint(asked) != "[landlock/host]" {
		t.Errorf("the kit was asked %q", asked)
	}
	again := reports.Rerun(r.Run(), "", 0)
	if !strings.Contains(again, "BENCH_PYTHON=host ") || strings.Contains(again, "BENCH_SANDBOX") {
		t.Errorf("%s", again)
	}
	if r, _, _ := played(t, counter.Suite()); r.Run().Python != "" || !strings.HasPrefix(r.Run().Isolation, "none needed") {
		t.Errorf("a suite that runs no commands: %q %q", r.Run().Isolation, r.Run().Python)
	}
	open := reports.Run{Kind: reports.KindNoop, Agent: "noop", Isolation: "none"}
	if again := reports.Rerun(open, "", 0); !strings.Contains(again, "BENCH_SANDBOX=none ") {
		t.Errorf("without isolation: %s", again)
	}
}

func TestAMachineThatRunsNoCommands(t *testing.T) {
	refusal := fmt.Errorf("no kernel to speak of: %w", errors.ErrUnsupported)
	suite := boxed(fixed(tasks.Isolation{}, refusal))
	r, ep, out := played(t, suite)
	if ep.Outcome != grader.Passed || !strings.HasPrefix(r.Run().Isolation, "refused: ") || !strings.Contains(out, "no kernel to speak of") {
		t.Errorf("a task that needs no command: %s %q\n%s", ep.Outcome, r.Run().Isolation, out)
	}
	suite.Kits[0].Kind.New = func(context.Context, sim.Env, json.RawMessage, []string) (sim.World, error) { return nil, refusal }
	if _, ep, out = played(t, suite); ep.Outcome != grader.Skipped || !strings.Contains(out, "no kernel to speak of") {
		t.Errorf("a certification of one that does: %s\n%s", ep.Outcome, out)
	}
	for _, model := range []string{"reference", "noop", "random"} {
		if _, ep, _ = played(t, suite, "BENCH_MODEL="+model); ep.Outcome != grader.Broken || ep.Layer != grader.LayerToolRuntime || ep.Floor != nil {
			t.Errorf("%s: %s %s %s", model, ep.Outcome, ep.Layer, ep.Reason)
		}
	}
	_, err := run.ToolsOf(&suite.Kits[0], tasks.Task{})
	if fault := (*agent.Fault)(nil); !errors.As(err, &fault) || fault.Layer != grader.LayerToolRuntime {
		t.Errorf("the tools of a world that cannot be: %v", err)
	}
}

// TestARunThatCannotBeIsolated keeps the messages in one golden file.
func TestARunThatCannotBeIsolated(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		name   string
		suite  tasks.Suite
		env    []string
		reason string
	}{
		{"no-world-sandbox", counter.Suite(), []string{"BENCH_SANDBOX=none"}, "what is said in vain is a mistake"},
		{"no-world-python", counter.Suite(), []string{"BENCH_PYTHON=host"}, "so is this"},
		{"no-python", boxed(fixed(tasks.Isolation{}, errors.New("there is no Python here"))), []string{"BENCH_PYTHON=host"}, "what was asked for is not there"},
		{"panic", boxed(func(context.Context, string, string) (tasks.Isolation, error) { panic("at the kit's") }), nil, "kits are foreign code"},
	} {
		t.Chdir(t.TempDir())
		s, err := run.Open(append(c.env, "BENCH_OUT=bundle"), c.suite, nil)
		if err == nil {
			s.Out = io.Discard
			err = s.Begin(t.Context(), s.Jobs[:1], "", run.Procs{Total: 1})
		}
		if err == nil {
			t.Errorf("%s: accepted: %s", c.name, c.reason)
			continue
		}
		if _, err := os.Lstat("bundle"); err == nil {
			t.Errorf("%s: it left a bundle", c.name)
		}
		b.WriteString("# " + c.name + ": " + c.reason + "\n" + err.Error() + "\n\n")
	}
	t.Chdir(here)
	golden(t, "isolation.golden", b.String())
}

// here is the folder of this package, before any test changes it.
var here, _ = os.Getwd()

func TestSeveralBoxes(t *testing.T) {
	kit := func(name string, is tasks.Isolation, err error) tasks.Kit {
		return tasks.Kit{Kind: sim.Kind{Name: name}, Isolate: fixed(is, err)}
	}
	box := tasks.Isolation{Level: "box", Python: "python 1"}
	for _, c := range []struct {
		name          string
		kits          []tasks.Kit
		level, python string
		reason        string
	}{
		{"none", nil, "none needed: no task runs commands", "", "nothing was readied"},
		{"alike", []tasks.Kit{kit("a", box, nil), kit("b", box, nil)}, "box", "python 1", "one box serves both"},
		{"two", []tasks.Kit{kit("a", box, nil), kit("b", tasks.Isolation{Level: "another"}, nil)}, "another; box", "python 1", "both are told, in one order"},
		{"refused", []tasks.Kit{kit("a", tasks.Isolation{}, errors.ErrUnsupported)}, "refused: world a: unsupported operation", "", "a reader sees why nothing ran"},
		{"plain", []tasks.Kit{{Kind: sim.Kind{Name: "a"}}}, "none needed: no task runs commands", "", "a kit without the hook runs none"},
	} {
		boxes, err := run.NewBoxes(tasks.Suite{Kits: c.kits}, run.Config{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.kits {
			for range 2 {
				if err := boxes.Ready(t.Context(), &c.kits[i]); err != nil && !errors.Is(err, errors.ErrUnsupported) {
					t.Errorf("%s: %v", c.name, err)
				}
			}
		}
		if level, python := boxes.Record(); level != c.level || python != c.python {
			t.Errorf("%s: %q, %q: %s", c.name, level, python, c.reason)
		}
	}
}

func TestAReplayElsewhereSaysSo(t *testing.T) {
	box := func(level string) tasks.Suite { return boxed(fixed(tasks.Isolation{Level: level}, nil)) }
	r, _, _ := played(t, box("a box"), "BENCH_MODEL=random")
	for level, warned := range map[string]bool{"a box": false, "another": true} {
		_, _, out := played(t, box(level), "BENCH_MODEL=replay:"+r.Name())
		if strings.Contains(out, "the replayed run ran in a box, here another") != warned {
			t.Errorf("%s:\n%s", level, out)
		}
	}
}
