package cmd_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"benchwright/agent"
	"benchwright/cmd"
	"benchwright/grader"
	"benchwright/reports"
	"benchwright/tasks"
)

// statusBundle is a run in which something is played by this process, something was begun by one
// that is gone, and something has not begun.
func statusBundle(t *testing.T) string {
	t.Helper()
	at := time.Date(2126, 11, 30, 12, 0, 0, 0, time.UTC)
	dir := filepath.Join(t.TempDir(), "run")
	run := reports.Run{
		ID: "r1", Kind: reports.KindModel, Agent: "ollama:qwen3:8b", Protocol: "json", Trials: 1, Workers: 2, Seed: 1, Started: at, Basis: agent.Uncached,
		Model:   agent.Identity{Name: "qwen3:8b", Provider: "ollama", Digest: strings.Repeat("ab", 32)},
		Options: map[string]any{"temperature": 0, "think": "low"}, Limits: map[string]any{"spend_tokens": 100000}, Go: "go1.26", OS: "linux", Arch: "amd64",
	}
	for _, name := range []string{"done", "broken", "mine", "theirs", "later"} {
		run.Tasks = append(run.Tasks, reports.Selected{ID: tasks.ID("counter/s/" + name), Trials: 1})
	}
	b, err := reports.Create(dir, run)
	if err != nil {
		t.Fatal(err)
	}
	b.Clock = reports.Clock{Now: func() time.Time { return at.Add(2 * time.Second) }}
	for name, o := range map[string]grader.Outcome{"done": grader.Passed, "broken": grader.Broken} {
		ep := &agent.Episode{
			Schema: agent.Schema, Task: tasks.ID("counter/s/" + name), Agent: "ollama:qwen3:8b", Protocol: "json", Trial: 1, Outcome: o, Budget: 1234,
			End: grader.End{Code: grader.EndDone}, Envelope: tasks.Envelope{World: "counter"}, Labels: []string{}, Turns: []agent.Turn{{Kind: agent.TurnCalls}},
		}
		if o == grader.Broken {
			ep.Layer, ep.FaultCode, ep.Reason, ep.End.Code = grader.LayerProvider, "http_500", "the server said \x1b[31mno\x1b[0m", "broken"
		}
		if err := b.WriteRecord(&reports.Record{Episode: *ep}); err != nil {
			t.Fatal(err)
		}
	}
	b.Begin("counter/s/mine", 1)
	if err := b.Log(reports.Event{Event: reports.EventEpisodeStarted, Task: "counter/s/theirs", Trial: 1, Pid: gone}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// gone is above every process id that there is.
const gone = 1 << 30

func TestStatus(t *testing.T) {
	dir := statusBundle(t)
	at := time.Date(2126, 11, 30, 12, 0, 9, 0, time.UTC)
	defer cmd.SetNow(func() time.Time { return at })()
	var b strings.Builder
	for _, c := range []struct {
		args   string
		after  time.Duration
		exit   int
		reason string
	}{
		{"status", 0, 1, "the process of one execution is gone"},
		{"status --elsewhere", 0, 0, "of another machine nobody knows which processes are there"},
		{"status --elsewhere", 30 * time.Second, 1, "but silence is silence"},
		{"status --json", 0, 1, "for programs"},
		{"status --watch --every=1ms", 30 * time.Second, 1, "a watch ends when nothing is running any more"},
		{"status --watch --json", 0, 2, "one or the other"},
		{"status --every=0s", 0, 2, "no time"},
	} {
		at = time.Date(2126, 11, 30, 12, 0, 9, 0, time.UTC).Add(c.after)
		out, code := bench(append(strings.Fields(c.args), dir)...)
		if code != c.exit {
			t.Errorf("bench %s: exit %d, want %d: %s\n%s", c.args, code, c.exit, c.reason, out)
		}
		out = strings.ReplaceAll(out, dir, "BUNDLE")
		out = strings.ReplaceAll(strings.ReplaceAll(out, pidText("process %d"), "process 1"), pidText(`"pid":%d`), `"pid":1`)
		b.WriteString("$ bench " + c.args + " BUNDLE    (after " + (9*time.Second + c.after).String() + ")\n" + out + "\n")
	}
	path := filepath.Join("testdata", "status.golden")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (- wanted, + found):\n%s", path, diff)
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("a terminal sequence got through")
	}
}

func pidText(format string) string {
	return strings.ReplaceAll(format, "%d", strconv.Itoa(os.Getpid()))
}
