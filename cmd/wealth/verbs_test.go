package wealth_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"benchwright/agent"
	"benchwright/cmd"
	verbs "benchwright/cmd/wealth"
	"benchwright/features"
	"benchwright/grader"
	"benchwright/grader/wealth/finqa"
	"benchwright/reports"
	"benchwright/steps/wealth"
	"benchwright/tasks"
)

var update = flag.Bool("update", false, "write the golden files anew")

// bench runs the command line and returns what it printed and its exit code.
func bench(args ...string) (out string, exit int) {
	var b bytes.Buffer
	root := cmd.New(features.Suite(), verbs.Verbs()...)
	root.SetArgs(args)
	root.SetOut(&b)
	root.SetErr(&b)
	if err := root.Execute(); err != nil {
		b.WriteString("bench: " + err.Error() + "\n")
		exit = cmd.Code(err)
	}
	return b.String(), exit
}

var testdata, _ = filepath.Abs("testdata")

// golden compares got with testdata/name.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join(testdata, name+".golden")
	if *update {
		if err := os.MkdirAll(testdata, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run the test with -update", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got), run with -update if it is right:\n%s", name, diff)
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// A call is one use of the command line.
type call struct {
	name   string
	args   []string
	exit   int
	reason string
}

// check runs each call and compares what is printed with a golden file.
func check(t *testing.T, calls []call) {
	t.Helper()
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			out, exit := bench(c.args...)
			if exit != c.exit {
				t.Errorf("exit %d, want %d, since %s", exit, c.exit, c.reason)
			}
			for _, r := range out {
				if r < ' ' && r != '\n' || r >= 0x7F && r <= 0x9F || r == 0x202E {
					t.Errorf("it prints %U", r)
				}
			}
			golden(t, c.name, out)
		})
	}
}

func TestFinQA(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "sample.jsonl", finqa.Sample())
	write(t, "wrong.jsonl", bytes.Replace(finqa.Sample(), []byte("12216.0"), []byte("12216.5"), 1))
	write(t, "hostile.jsonl", []byte("\x1b[2J\n"))
	write(t, "empty.jsonl", nil)
	check(t, []call{
		{"finqa-sample", []string{"finqa", "sample.jsonl"}, 0, "eight programs agree with their targets"},
		{"finqa-disagreement", []string{"finqa", "wrong.jsonl"}, 1, "one does not"},
		{"finqa-hostile", []string{"finqa", "hostile.jsonl"}, 1, "a line that is no program disagrees"},
		{"finqa-empty", []string{"finqa", "empty.jsonl"}, 1, "nothing was checked, so nothing agrees"},
		{"finqa-missing-file", []string{"finqa", "nothing.jsonl"}, 1, "there is no such file"},
	})
	if out, _ := bench("finqa", "sample.jsonl"); out != "agree 8/8\n" {
		t.Errorf("sample: %s", out)
	}
}

func TestScore(t *testing.T) {
	t.Chdir(t.TempDir())
	oracle, exit := bench("compile", "--view", "oracle")
	if exit != 0 {
		t.Fatal(oracle)
	}
	write(t, "oracle.jsonl", []byte(oracle))
	lines := strings.SplitAfter(oracle, "\n")
	write(t, "ten.jsonl", []byte(strings.Join(lines[:10], "")))
	write(t, "wrong.jsonl", []byte(strings.Replace(oracle, "3345563.94", "3345563.95", 1)))
	write(t, "errors.jsonl", []byte(strings.Join(lines[1:], "")+lines[3]+"\x1b[2J\u202e\n"+
		strings.Replace(lines[0], "WO-1-en", "WO-\\u001b[31m", 1)+strings.Replace(lines[0], `"oracle"`, `"model"`, 1)))
	write(t, "empty.jsonl", nil)
	write(t, "taken.json", []byte("mine"))
	cases, _ := bench("compile", "--view", "cases")
	write(t, "cases.json", []byte(cases))
	write(t, "bad-cases.json", []byte(strings.Replace(cases, `"outcome": "answer"`, `"outcome": 1`, 1)))
	check(t, []call{
		{"score-oracle", []string{"wealth", "score", "oracle.jsonl"}, 0, "the instrument holds"},
		{"score-require-all", []string{"wealth", "score", "oracle.jsonl", "--require-all", "--output", "report.json"}, 0, "all pass"},
		{"score-ten", []string{"wealth", "score", "ten.jsonl"}, 0, "scored is scored, whatever the score"},
		{"score-ten-require-all", []string{"wealth", "score", "ten.jsonl", "--require-all"}, 2, "fourteen are missing"},
		{"score-wrong", []string{"wealth", "score", "wrong.jsonl", "--cases", "cases.json"}, 0, "one value is off"},
		{"score-errors", []string{"wealth", "score", "errors.jsonl", "--require-all"}, 1, "what is wrong with the file comes first"},
		{"score-empty", []string{"wealth", "score", "empty.jsonl"}, 0, "nothing was submitted"},
		{"score-taken", []string{"wealth", "score", "oracle.jsonl", "--output", "taken.json"}, 1, "results are not overwritten"},
		{"score-missing-file", []string{"wealth", "score", "nothing.jsonl"}, 1, "there is no such file"},
		{"score-missing-cases", []string{"wealth", "score", "oracle.jsonl", "--cases", "nothing.json"}, 1, "there is no such file"},
		{"score-bad-cases", []string{"wealth", "score", "oracle.jsonl", "--cases", "bad-cases.json"}, 1, "nothing can be graded"},
		{"score-usage", []string{"wealth", "score"}, 2, "wrong usage"},
		{"latency-oracle", []string{"wealth", "latency", "oracle.jsonl"}, 0, "nobody measured anything"},
		{"latency-errors", []string{"wealth", "latency", "errors.jsonl"}, 1, "two lines are no records"},
	})
	if string(read(t, "taken.json")) != "mine" {
		t.Error("a file was overwritten")
	}
	bench("wealth", "score", "oracle.jsonl", "--output", "again.json")
	if !bytes.Equal(read(t, "report.json"), read(t, "again.json")) {
		t.Error("the same files give another report")
	}
}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

var compiled = sync.OnceValues(func() (*tasks.Compiled, error) { return tasks.Compile(features.Suite()) })

// run leaves the bundle of a model that does nothing for the cases named and solves all others,
// with its views.
func run(t *testing.T, dir, name string, change func(*reports.Run), wrong ...string) {
	t.Helper()
	c, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	all := slices.DeleteFunc(slices.Clone(c.Tasks), func(t tasks.Task) bool { return t.ID.Suite() != "wealthops" })
	r := reports.Run{
		ID: "r-" + name, Kind: reports.KindModel, Agent: "ollama:" + name, Protocol: agent.ProtocolJSON, Trials: 1, Seed: 1, Go: "go1.26", OS: "linux", Arch: "amd64",
		Module: "example", Version: "v1.0.0", Commit: "abc", Started: noon,
		Model: agent.Identity{Name: name, Digest: strings.Repeat(name[:1], 64), Version: "0.17.4", Options: map[string]any{"temperature": 0}},
	}
	for _, task := range all {
		r.Tasks = append(r.Tasks, reports.Select(task))
	}
	if change != nil {
		change(&r)
	}
	b, err := reports.Create(dir, r)
	if err != nil {
		t.Fatal(err)
	}
	kit := wealth.Kit()
	for i, task := range all {
		moves := task.Rubric.Reference
		if slices.Contains(wrong, task.ID.Family()+"/"+task.ID.Name()[strings.LastIndex(task.ID.Name(), "_")+1:]) {
			moves = nil
		}
		ep := agent.Play(context.Background(), agent.Loop{Model: agent.Script(kit.Dialect, agent.ProtocolJSON, moves), Dialect: kit.Dialect}, agent.Config{Kit: &kit, Task: task})
		ep.Verdict = grader.Grade(context.Background(), task.Rubric.Checks, ep)
		ep.Outcome, ep.Started, ep.Wall = ep.Verdict.Outcome, noon, time.Duration(i)*time.Second
		for j := range ep.Turns {
			turn := &ep.Turns[j]
			turn.Duration, turn.Reply.Timing = time.Duration(100+10*i-j)*time.Millisecond, agent.Timing{Total: 9e7, Load: 5e6, Output: 4e7}
			turn.Usage = agent.Usage{Requests: 1, Input: agent.Tokens(600), Output: agent.Tokens(50)}
		}
		if err := b.Write(ep); err != nil {
			t.Fatal(err)
		}
	}
	files, err := kit.Views(context.Background(), os.DirFS(dir), all)
	if err != nil {
		t.Fatal(err)
	}
	for file, data := range files {
		path := filepath.Join(dir, "views", filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, path, data)
	}
}

func TestBundles(t *testing.T) {
	t.Chdir(t.TempDir())
	run(t, "base", "base", nil, "missing_inputs/en", "order_instruction/hi")
	run(t, "better", "better", func(r *reports.Run) { r.Model.Digest = strings.Repeat("c", 64) })
	run(t, "worse", "worse", nil, "tool_outage/hinglish", "portfolio_allocation/en", "portfolio_allocation/hi")
	run(t, "warmer", "warmer", func(r *reports.Run) { r.Model.Options["temperature"] = 0.7 })
	run(t, "certified", "x", func(r *reports.Run) { r.Kind = reports.KindCertification })
	if err := os.CopyFS("views-only", os.DirFS("base/views/wealthops")); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"forged", "replaced"} {
		if err := os.CopyFS(dir, os.DirFS("base")); err != nil {
			t.Fatal(err)
		}
	}
	forged := "forged/views/wealthops/report.json"
	write(t, forged, bytes.Replace(read(t, forged), []byte(`"passed": 22`), []byte(`"passed": 24`), 1))
	if err := os.RemoveAll("replaced/views/wealthops"); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS("replaced/views/wealthops", os.DirFS("better/views/wealthops")); err != nil {
		t.Fatal(err)
	}
	predictions := "base/views/wealthops/predictions.jsonl"
	check(t, []call{
		{"verify-run", []string{"wealth", "verify", "base"}, 0, "all follows from the episodes"},
		{"verify-views", []string{"wealth", "verify", "views-only"}, 0, "all follows from the predictions"},
		{"verify-forged", []string{"wealth", "verify", "forged"}, 1, "a report is computed again"},
		{"verify-replaced", []string{"wealth", "verify", "replaced"}, 1, "sound files of another run are not this run's"},
		{"verify-certification", []string{"wealth", "verify", "certified"}, 1, "a certification has no predictions"},
		{"verify-nothing", []string{"wealth", "verify", "."}, 1, "there is no bundle"},
		{"compare-better", []string{"wealth", "compare", "base", "better", "--output", "comparison.json"}, 0, "two cases are gained"},
		{"compare-worse", []string{"wealth", "compare", "base", "worse"}, 2, "a critical case is lost"},
		{"compare-other-options", []string{"wealth", "compare", "base", "warmer"}, 1, "the candidates were asked in two ways"},
		{"compare-forged", []string{"wealth", "compare", "base", "forged"}, 1, "only what holds is compared"},
		{"compare-itself", []string{"wealth", "compare", "base", "base"}, 1, "nothing can have changed"},
		{"compare-usage", []string{"wealth", "compare", "base"}, 2, "wrong usage"},
		{"latency-run", []string{"wealth", "latency", predictions}, 0, "every case was timed"},
		{"score-run", []string{"wealth", "score", predictions}, 0, "a run's predictions are a file like any other"},
	})
	if len(read(t, "comparison.json")) == 0 {
		t.Error("no comparison was written")
	}
}
