package reports

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with -update", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (- wanted, + found):\n%s", path, diff)
	}
}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// still is a clock that stands.
func still() Clock {
	return Clock{
		Now:  func() time.Time { return noon },
		Tick: func(time.Duration) (<-chan time.Time, func()) { return nil, func() {} },
	}
}

// sampleRun is a run with nothing of this machine in it.
func sampleRun(kind, agent string) Run {
	clean := false
	return Run{
		ID: "r1", Kind: kind, Agent: agent, Suite: "sample", TaskSet: "d0", Protocol: "json", Gate: "strict",
		Trials: 1, Workers: 8, Seed: 1, Go: "go1.26", CPUs: 2, OS: "linux", Arch: "amd64", Module: "example", Version: "v1.0.0",
		Commit: "abc", Dirty: &clean, Started: noon,
	}
}

func ref[T any](v T) *T { return &v }

// episode makes an episode with one turn and one call, line n of its feature.
func episode(id tasks.ID, trial, n int, o grader.Outcome) *agent.Episode {
	ep := &agent.Episode{
		Schema: agent.Schema, Task: id, Title: "A task", Labels: []string{"suite:" + id.Suite(), "level:2", "slow"},
		Source: tasks.Source{File: "features/" + id.Family() + ".feature", Line: n}, TaskDigest: "d1",
		Agent: "ollama:m", Protocol: "json", Trial: trial, Seed: 1, Outcome: o, Score: 1, Floor: ref(0.25),
		End:   grader.End{Code: grader.EndDone},
		Usage: agent.Usage{Requests: 1, Attempts: 1, Input: ref(int64(100)), Cached: ref(int64(40)), Output: ref(int64(7))}, Budget: 67, Cost: "0.1",
		Started: noon, Queued: time.Millisecond, Wall: 1500 * time.Millisecond, Pid: 7,
		Envelope: tasks.Envelope{World: "counter", System: "Count.", Asks: []tasks.Ask{{Text: "Count to one.", Context: json.RawMessage(`{"now":0}`)}}, Tools: []string{"add"}},
		Turns:    []agent.Turn{{Reply: agent.Reply{Text: "one"}, Kind: agent.TurnAnswer, Usage: agent.Usage{Requests: 1}}},
		Trace:    sim.Trace{{Turn: 1, Call: sim.Call{Name: "add", Arguments: json.RawMessage(`{"n":1}`)}, Result: sim.Result{Data: json.RawMessage(`1`), Status: "ok"}}},
		Answers:  []json.RawMessage{json.RawMessage(`"one"`)}, Initial: json.RawMessage(`{"n":0}`), States: []json.RawMessage{json.RawMessage(`{"n":1}`)},
		Messages: []tasks.Message{{Role: tasks.RoleSystem, Content: "Count."}, {Role: tasks.RoleUser, Content: "Count to one."}, {Role: tasks.RoleAssistant, Content: "one"}},
	}
	src := grader.Source{File: ep.Source.File, Line: n + 3, Text: "Then the counter is at 1"}
	ep.Verdict = grader.Verdict{Outcome: o, Score: 1, Results: []grader.Result{{Check: src.Text, Rule: "counter.at", Source: src, State: grader.Held}}}
	switch o {
	case grader.Failed:
		ep.Score, ep.Verdict.Score = 0.5, 0.5
		ep.Verdict.Results = append(ep.Verdict.Results, grader.Result{
			Check: "Then the answer is \"two\"", Rule: "answer.is", Source: grader.Source{File: src.File, Line: n + 4}, State: grader.Unmet,
			Findings: []grader.Finding{
				{Code: "wrong_value:answer", Type: grader.AnswerType, Message: "the answer differs\nin its only word", Want: "two", Got: "one"},
				{Code: "missing_tool_call", Type: grader.TraceType, Message: "add was called once"},
			},
		})
	case grader.Broken:
		ep.Break(agent.Faultf(grader.LayerProvider, "network_error", "connection refused"))
		ep.Score, ep.Verdict, ep.End.Code = 0, grader.Verdict{}, "broken"
		ep.Usage, ep.Budget, ep.Cost = agent.Usage{}, 0, ""
	case grader.Skipped:
		ep.FaultCode, ep.Reason, ep.Score, ep.Verdict, ep.End = "no_judge", "no judge is configured", 0, grader.Verdict{}, grader.End{}
		ep.Usage, ep.Budget, ep.Cost = agent.Usage{}, 0, ""
	}
	return ep
}

// sampleEpisodes has every outcome, two suites, and a task of three trials.
func sampleEpisodes() []*agent.Episode {
	hi := episode("work/notes/namaste", 1, 9, grader.Passed)
	hi.Labels = append(hi.Labels, "lang:hi")
	return []*agent.Episode{
		episode("work/notes/write", 1, 3, grader.Passed),
		hi,
		episode("work/mail/send", 1, 5, grader.Failed),
		episode("work/mail/read", 1, 15, grader.Broken),
		episode("wealth/tax/pay", 1, 7, grader.Skipped),
		episode("wealth/tax/file", 1, 17, grader.Passed),
		episode("wealth/tax/file", 2, 17, grader.Failed),
		episode("wealth/tax/file", 3, 17, grader.Broken),
	}
}

// sampleBundle writes a bundle of these episodes and returns its folder.
func sampleBundle(t testing.TB, run Run, eps ...*agent.Episode) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bundle")
	b, err := Create(dir, run)
	if err != nil {
		t.Fatal(err)
	}
	b.Clock = still()
	for _, ep := range eps {
		if err := errors.Join(b.Begin(ep.Task, ep.Trial), b.Write(ep)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t testing.TB, dir string) *Reader {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func read(t testing.TB, path ...string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// wantError checks that an error says all of the words.
func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}

func manyEpisodes(n int) []*agent.Episode {
	outcomes := []grader.Outcome{grader.Passed, grader.Passed, grader.Failed, grader.Passed, grader.Broken}
	var eps []*agent.Episode
	for i := range n {
		eps = append(eps, episode(tasks.ID(fmt.Sprintf("work/f%02d/t%04d", i/50, i)), 1, i+1, outcomes[i%len(outcomes)]))
	}
	return eps
}
