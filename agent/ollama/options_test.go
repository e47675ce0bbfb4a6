package ollama

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"benchwright/agent"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got); run with -update if this is right:\n%s", path, d)
	}
}

func ptr[T any](v T) *T { return &v }

func TestParseOptions(t *testing.T) {
	for _, c := range []struct {
		name, raw, reason string
		want              Options
	}{
		{"nothing", "", "the zero value is right", Options{}},
		{"empty-object", " {} ", "the default of the run's variable", Options{}},
		{"sampling", `{"temperature": 0.8, "top_k": 0, "top_p": 1, "repeat_penalty": 1, "stop": ["a", "b"]}`,
			"a zero that is set differs from one that is not",
			Options{Temperature: 0.8, TopK: ptr(0), TopP: ptr(1.0), RepeatPenalty: ptr(1.0), Stop: []string{"a", "b"}}},
		{"sizes", `{"context": 16384, "output": 256, "num_thread": 1}`, "named for people, not for the server",
			Options{Context: 16384, Output: 256, Threads: 1}},
		{"keep-alive-text", `{"keep_alive": "10m"}`, "as Ollama has it", Options{KeepAlive: ptr(10 * time.Minute)}},
		{"keep-alive-seconds", `{"keep_alive": 30}`, "as Ollama has it", Options{KeepAlive: ptr(30 * time.Second)}},
		{"keep-alive-for-ever", `{"keep_alive": -1}`, "as Ollama has it", Options{KeepAlive: ptr(-time.Second)}},
		{"think", `{"think": true}`, "a switch", Options{Think: true}},
		{"think-level", `{"think": "low"}`, "or a level", Options{Think: "low"}},
		{"of-the-run", `{"seed": 0, "retries": 0, "basis": "total", "prices": {"input": 0.15, "cached": "0.075", "output": 0.60}}`,
			"zero is a seed and a number of retries; prices keep their spelling",
			Options{Seed: ptr(int64(0)), Retries: ptr(0), Basis: agent.Total, Prices: &Prices{"0.15", "0.075", "0.60"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseOptions([]byte(c.raw))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

func TestParseOptionsErrors(t *testing.T) {
	var b strings.Builder
	for _, raw := range []string{
		`{`, `[]`, `null`, `{"seed": 1, "seed": 2}`, `{} {}`,
		`{"temprature": 0}`, `{"num_ctx": 1}`, `{"num_predict": 1}`, `{"xyzzy": 1}`, `{"a\u001b[2J": 1}`,
		`{"temperature": "hot"}`, `{"temperature": -1}`, `{"temperature": null}`, `{"temperature": 1e999}`,
		`{"seed": 1.5}`, `{"seed": -1}`, `{"seed": 4294967296}`, `{"seed": "1"}`,
		`{"context": 0}`, `{"context": true}`, `{"output": 1e3}`, `{"num_thread": -2}`, `{"top_k": []}`, `{"top_p": 1.1}`,
		`{"stop": "END"}`, `{"stop": [1]}`, `{"stop": [""]}`,
		`{"keep_alive": 0}`, `{"keep_alive": "0s"}`, `{"keep_alive": "soon"}`, `{"keep_alive": {}}`,
		`{"think": "hard"}`, `{"think": 1}`, `{"basis": "all"}`, `{"basis": ""}`, `{"retries": 11}`,
		`{"prices": 1}`, `{"prices": {}}`, `{"prices": {"input": 1}}`, `{"prices": {"inptu": 1}}`,
		`{"prices": {"input": -1, "output": 1}}`, `{"prices": {"input": 1e3, "output": 1}}`, `{"prices": {"input": "1,5", "output": 1}}`,
		`{"think": 1, "seed": -1, "sede": 1}`,
	} {
		_, err := ParseOptions([]byte(raw))
		if err == nil {
			t.Errorf("%s: no error", raw)
			continue
		}
		b.WriteString(raw + "\n    " + strings.ReplaceAll(err.Error(), "\n", "\n    ") + "\n")
	}
	golden(t, "options-errors.txt", b.String())
}

func TestEverythingOfTheModelIsSentAndNothingOfTheRun(t *testing.T) {
	o, err := ParseOptions([]byte(`{"temperature": 1, "top_k": 0, "top_p": 1, "repeat_penalty": 1, "stop": ["x"], "context": 2, "num_thread": 3,
		"output": 4, "keep_alive": "1m", "think": false, "seed": 5, "prices": {"input": 1, "output": 2}, "basis": "total", "retries": 6}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(o.sent())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"num_ctx":2,"num_thread":3,"repeat_penalty":1,"stop":["x"],"temperature":1,"top_k":0,"top_p":1}`
	if string(got) != want {
		t.Errorf("sent\n%s\nwant\n%s", got, want)
	}
}

func TestAnOptionTightensTheTasksOutputLimitAndNeverWidensIt(t *testing.T) {
	for _, c := range []struct{ option, task, want int }{{0, 0, 0}, {0, 512, 512}, {256, 512, 256}, {1024, 512, 512}, {256, 0, 256}, {0, -1, 0}} {
		if got := (Options{Output: c.option}).output(c.task); got != c.want {
			t.Errorf("option %d, task %d: %d, want %d", c.option, c.task, got, c.want)
		}
	}
}
