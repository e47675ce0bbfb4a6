package command_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"benchwright/agent"
	"benchwright/agent/command"
	"benchwright/features"
	"benchwright/grader"
	"benchwright/internal/run"
	"benchwright/sim"
	"benchwright/tasks"
)

// placing is a small task of the workspace with one ask and no answer.
func placing(t *testing.T) (*tasks.Kit, tasks.Task) {
	t.Helper()
	suite := features.Suite()
	compiled, err := tasks.Compile(suite)
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range compiled.Tasks {
		if task.ID == "workspace-small/placing/place_the_positions_of_a_desk" {
			return suite.Kit(task.World), task
		}
	}
	t.Fatal("there is no such task")
	return nil, tasks.Task{}
}

// reference is a task's solution as an output file.
func reference(t *testing.T, task tasks.Task, shape string) string {
	t.Helper()
	var lines []string
	for _, m := range task.Rubric.Reference {
		for _, c := range m.Calls {
			lines = append(lines, fmt.Sprintf(shape, sim.MustCanonical(c.Name), c.Arguments))
		}
	}
	return strings.Join(lines, "\n")
}

func play(t *testing.T, a command.Agent, task tasks.Task, k *tasks.Kit) *agent.Episode {
	t.Helper()
	a.Dialect = k.Speaks()
	ep := agent.Play(t.Context(), a, agent.Config{Kit: k, Task: task, Agent: "command", Protocol: agent.ProtocolTools, Grace: 5 * time.Second})
	run.Grade(context.Background(), ep, task, k)
	return ep
}

func TestOutcomes(t *testing.T) {
	k, task := placing(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	lines := write("lines", reference(t, task, `{"tool":%s,"args":%s}`))
	names := write("names", reference(t, task, `{"name":%s,"arguments":%s,"why":"because"}`))
	list := write("list", "["+strings.ReplaceAll(reference(t, task, `{"tool":%s,"args":%s}`), "\n", ",")+"]")
	n := len(strings.Split(reference(t, task, `%s%s`), "\n"))
	huge := write("huge", strings.Repeat(" ", command.MaxOutput+1))
	bad := func(text string) string { return write(fmt.Sprintf("bad%d", len(text)), text) }
	for _, c := range []struct {
		name, command string
		outcome       grader.Outcome
		end           string
		calls         int
		reason        string
	}{
		{"lines", `cp ` + lines + ` "$BENCHWRIGHT_OUTPUT_JSONL"`, grader.Passed, grader.EndDone, n, "one object a line"},
		{"published names", `test -s "$WORKSPACE_BENCH_TASK_JSON" && test -d "$WORKSPACE_BENCH_RUN_DIR" && test -n "$WORKSPACE_BENCH_TASK_ID" && cp ` + lines + ` "$WORKSPACE_BENCH_OUTPUT_JSONL"`, grader.Passed, grader.EndDone, n, "as the published system has them"},
		{"other keys", `cp ` + names + ` "$BENCHWRIGHT_OUTPUT_JSONL"`, grader.Passed, grader.EndDone, n, "name for tool"},
		{"a list", `cp ` + list + ` "$BENCHWRIGHT_OUTPUT_JSONL"`, grader.Passed, grader.EndDone, n, "one array"},
		{"nothing", `true`, grader.Failed, grader.EndDone, 0, "no output is no calls"},
		{"empty", `: > "$BENCHWRIGHT_OUTPUT_JSONL"`, grader.Failed, grader.EndDone, 0, "the same"},
		{"prose", `cp ` + bad("I would call create_widget.") + ` "$BENCHWRIGHT_OUTPUT_JSONL"`, grader.Failed, grader.EndDone, 1, "one invalid event"},
		{"half", `cat ` + lines + ` ` + bad("\n{") + ` > "$BENCHWRIGHT_OUTPUT_JSONL"`, grader.Failed, grader.EndDone, 1, "and nothing of the rest"},
		{"no tool", `cp ` + bad(`{"args":{}}`) + ` "$BENCHWRIGHT_OUTPUT_JSONL"`, grader.Failed, grader.EndDone, 1, "a call needs a name"},
		{"huge", `cp ` + huge + ` "$BENCHWRIGHT_OUTPUT_JSONL"`, grader.Failed, grader.EndDone, 1, "output is bounded"},
		{"a link", `ln -s ` + lines + ` "$BENCHWRIGHT_OUTPUT_JSONL"`, grader.Failed, grader.EndDone, 1, "a link may lead anywhere"},
		{"a pipe", `mkfifo "$BENCHWRIGHT_OUTPUT_JSONL"`, grader.Failed, grader.EndDone, 1, "nobody writes to it"},
		{"fails", `cp ` + lines + ` "$BENCHWRIGHT_OUTPUT_JSONL"; exit 3`, grader.Failed, grader.EndAgent, 0, "the exit code counts"},
		{"not there", `no-such-command-of-anybody`, grader.Failed, grader.EndAgent, 0, "what the shell cannot find is the agent's at this point; see Check"},
		{"killed", `kill -9 $$`, grader.Failed, grader.EndAgent, 0, "as much"},
		{"slow", `sleep 60`, grader.Failed, grader.EndAgent, 0, "it is over its time"},
		{"reads", `cat; cp ` + lines + ` "$BENCHWRIGHT_OUTPUT_JSONL"`, grader.Passed, grader.EndDone, n, "standard input is closed"},
		{"loud", `head -c 3000000 /dev/zero; cp ` + lines + ` "$BENCHWRIGHT_OUTPUT_JSONL"`, grader.Passed, grader.EndDone, n, "what it says is capped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			timeout := 20 * time.Second
			if c.name == "slow" {
				timeout = 200 * time.Millisecond
			}
			ep := play(t, command.Agent{Command: c.command, Timeout: timeout}, task, k)
			if ep.Outcome != c.outcome || ep.End.Code != c.end || len(ep.Trace) != c.calls {
				t.Errorf("%s, %+v, %d calls, %v; want %s, %s, %d: %s", ep.Outcome, ep.End, len(ep.Trace), ep.Verdict.Codes(), c.outcome, c.end, c.calls, c.reason)
			}
			if c.calls == 1 && n != 1 {
				if e := ep.Trace[0]; e.Call.Name != command.ParseError || !e.Result.Invalid {
					t.Errorf("the event is %+v", e)
				}
			}
			for _, m := range ep.Messages {
				if m.Role == tasks.RoleAssistant && len(m.Content) > 20<<10 {
					t.Errorf("%d bytes of its words are kept", len(m.Content))
				}
			}
		})
	}
}

func TestEnvelopeHoldsNothingSealed(t *testing.T) {
	k, task := placing(t)
	seen := filepath.Join(t.TempDir(), "seen")
	ep := play(t, command.Agent{Command: `cat "$BENCHWRIGHT_TASK_JSON" > ` + seen + `; env >> ` + seen}, task, k)
	if ep.Outcome != grader.Failed {
		t.Fatal(ep.Outcome, ep.Reason)
	}
	raw, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{string(task.ID), task.ID.Suite(), task.ID.Name(), "level:", "rubric", "initial_state\":{\"dash"} {
		if strings.Contains(string(raw), secret) {
			t.Errorf("the process is told %q", secret)
		}
	}
	line, _, _ := strings.Cut(string(raw), "\n")
	var e command.Envelope
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		t.Fatal(err)
	}
	if e.Schema != 1 || e.Task.Prompt != task.Asks[0].Text || len(e.Tools) != len(e.Task.Allowed) || len(e.Tools) < 18 || len(e.Task.ID) != 32 || e.Protocol.Format != "jsonl" {
		t.Errorf("%+v", e)
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	k, task := placing(t)
	dir := t.TempDir()
	pids := filepath.Join(dir, "pid")
	t.Setenv("TMPDIR", dir)
	t.Setenv("BENCH_TASKS", "private")
	began := time.Now()
	ep := play(t, command.Agent{Command: `test -z "$BENCH_TASKS" || exit 9; sleep 300 & echo $! > ` + pids}, task, k)
	if ep.End.Code != grader.EndDone || time.Since(began) > 10*time.Second {
		t.Errorf("%+v after %s", ep.End, time.Since(began))
	}
	raw, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	gone := func() bool {
		stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(raw)) + "/stat")
		return err != nil || strings.Contains(string(stat), ") Z ")
	}
	for end := time.Now().Add(5 * time.Second); !gone(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a child of the command lives on")
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, "benchwright-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestACommandThatCannotBeStartedIsBroken(t *testing.T) {
	k, task := placing(t)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	ep := play(t, command.Agent{Command: "true"}, task, k)
	if ep.Outcome != grader.Broken || ep.Layer != grader.LayerAdapter {
		t.Errorf("%s %s %s", ep.Outcome, ep.Layer, ep.Reason)
	}
}

func TestSeveralAsksAreRunOneByOne(t *testing.T) {
	k, task := placing(t)
	task.Asks = append(task.Asks, tasks.Ask{Text: "And now look.", Context: task.Asks[0].Context})
	task.Limits.Turns = 10
	log := filepath.Join(t.TempDir(), "log")
	ep := play(t, command.Agent{Command: `grep -o '"ask":[0-9]' "$BENCHWRIGHT_TASK_JSON" >> ` + log + `; echo '{"tool":"get_workspace_snapshot"}' > "$BENCHWRIGHT_OUTPUT_JSONL"`}, task, k)
	raw, _ := os.ReadFile(log)
	if string(raw) != "\"ask\":1\n\"ask\":2\n" || len(ep.Trace) != 2 || ep.Trace[1].Ask != 1 || ep.End.Code != grader.EndDone {
		t.Errorf("%q, %d calls, %+v", raw, len(ep.Trace), ep.End)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		command string
		ok      bool
	}{{"sh agent.sh", true}, {"A=1 whatever", true}, {"no-such-command-of-anybody --x", false}, {"  ", false}} {
		if err := command.Check(c.command); (err == nil) != c.ok {
			t.Errorf("%q: %v", c.command, err)
		}
	}
}

func FuzzParseOutput(f *testing.F) {
	for _, s := range []string{`{"tool":"a","args":{"x":1}}`, `[{"name":"a"}]`, "{\n", "[", "\uFEFF{}", `{"tool":null}`, `[[]]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		calls, err := command.ParseOutput(raw)
		if err != nil {
			return
		}
		var b strings.Builder
		for _, c := range calls {
			if c.Name == "" {
				t.Fatalf("a call without a name from %q", raw)
			}
			args := c.Arguments
			if args == nil {
				args = json.RawMessage("null")
			}
			line, err := json.Marshal(map[string]any{"tool": c.Name, "args": args})
			if err != nil {
				t.Fatalf("%q: %v", raw, err)
			}
			b.Write(append(line, '\n'))
		}
		again, err := command.ParseOutput([]byte(b.String()))
		if err != nil || len(again) != len(calls) || len(calls) > 0 && !reflect.DeepEqual(again[0].Name, calls[0].Name) {
			t.Errorf("%q: %v, %d calls and then %d", raw, err, len(calls), len(again))
		}
	})
}
