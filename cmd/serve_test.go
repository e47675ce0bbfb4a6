package cmd_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchwright/agent"
	"benchwright/cmd"
	"benchwright/grader"
	"benchwright/internal/e2e/counter"
	"benchwright/reports"
)

// serve runs the verb with a client that writes lines and closes its side.
func serve(in io.Reader, args ...string) (out, told string, code int) {
	var stdout, stderr bytes.Buffer
	c := cmd.New(counter.Suite())
	c.SetIn(in)
	c.SetOut(&stdout)
	c.SetErr(&stderr)
	c.SetArgs(append([]string{"serve"}, args...))
	if err := c.Execute(); err != nil {
		code = cmd.Code(err)
		stderr.WriteString("bench: " + err.Error() + "\n")
	}
	return stdout.String(), stderr.String(), code
}

const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

func TestServe(t *testing.T) {
	t.Setenv("BENCH_TASKS", "")
	const task = "counter/hindi/hindi_keywords"
	for _, c := range []struct {
		name, in string
		code     int
		outcome  grader.Outcome
		calls    int
		told     string
		reason   string
	}{
		{"nothing", "", 1, grader.Failed, 0, "failed: score", "the client is gone at once"},
		{"looks", handshake, 1, grader.Failed, 0, "failed: score", "doing nothing fails"},
		{"garbage", "}{\x00\n", 1, grader.Failed, 0, "failed: score", "what a client causes is failed"},
		{"solves", handshake + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"amount":31}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"final_answer","arguments":{"text":"31"}}}
`, 0, grader.Passed, 1, "passed: score 1.000, 1 call, ended by done", "the record and the exit code say so"},
	} {
		t.Run(c.name, func(t *testing.T) {
			record := filepath.Join(t.TempDir(), "episode.json")
			out, told, code := serve(strings.NewReader(c.in), "--task", task, "--out", record)
			if code != c.code || !strings.Contains(told, c.told) {
				t.Errorf("exit %d, want %d: %s\n%s\n%s", code, c.code, c.reason, told, out)
			}
			for line := range strings.Lines(out) {
				if !json.Valid([]byte(line)) {
					t.Errorf("standard output is the client's, and holds %q", line)
				}
			}
			raw, err := os.ReadFile(record)
			if err != nil {
				t.Fatal(err)
			}
			var rec reports.Record
			if err := json.Unmarshal(raw, &rec); err != nil || rec.Outcome != c.outcome || len(rec.Trace) != c.calls || rec.Schema != agent.Schema || rec.Task != task {
				t.Errorf("%v %s, %d calls: %.300s", err, rec.Outcome, len(rec.Trace), raw)
			}
		})
	}
}

func TestServeUsage(t *testing.T) {
	t.Setenv("BENCH_TASKS", "")
	there := filepath.Join(t.TempDir(), "there")
	if err := os.WriteFile(there, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"--task", "nope"}, {"--task", "counter/hindi/required", "--out", there}, {"--task", "counter/hindi/required", "--http", "nowhere"},
		{"--task", "counter/hindi/required", "--idle", "0s"}, {"counter/hindi/required"}} {
		if out, told, code := serve(strings.NewReader(""), args...); code != 2 {
			t.Errorf("%q: exit %d\n%s%s", args, code, out, told)
		}
	}
	out, told, code := serve(strings.NewReader(""), "--task", "counter/hindi/hindi_keywords", "--print-task")
	if code != 0 || !strings.Contains(out, "गिनती में 31 जोड़िए।") || strings.Contains(out, "hindi_keywords") {
		t.Errorf("exit %d\n%s%s", code, out, told)
	}
}
