package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"benchwright/reports"
)

// benchCommand runs the command line of the built-in benchmark.
func benchCommand(t *testing.T, args ...string) (string, int) {
	t.Helper()
	c := exec.Command(binary(t, "build", "benchwright/cmd/bench"), args...)
	c.Env = clean(os.Environ())
	out, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

const codewiki = "BENCH_FILTER=suite:codewiki"

// TestCodeWiki plays the suite as go test does: the reference qualifies and completes three trials, and
// whoever does nothing stops at the first gate, so that no trial is begun. The records hold.
func TestCodeWiki(t *testing.T) {
	for _, c := range []struct {
		name, model                     string
		exit                            int
		passed, failed, broken, skipped int
		says                            string // in the report of the run
	}{
		{"certify", "", 0, 2, 0, 0, 0, ""},
		{"reference", "reference", 0, 4, 0, 0, 0, "# PASS: formal of plugins-wiki-revision by reference"},
		{"noop", "noop", 1, 0, 1, 0, 3, "# FAIL (layer model): qualification of plugins-wiki-revision by noop"},
		{"random", "random", 1, 0, 1, 0, 3, "# FAIL (layer model): qualification of plugins-wiki-revision by random"},
	} {
		for _, protocol := range []string{"json", "tools"} {
			t.Run(c.name+"-"+protocol, func(t *testing.T) {
				env := []string{codewiki, "BENCH_PROTOCOL=" + protocol}
				if c.model != "" {
					env = append(env, "BENCH_MODEL="+c.model)
				}
				r := wealth(t, env...)
				_, s := r.open(t)
				if r.exit != c.exit || s.Passed != c.passed || s.Failed != c.failed || s.Broken != c.broken || s.Skipped != c.skipped {
					t.Fatalf("exit %d, %+v\n%s", r.exit, s, r.out)
				}
				if c.says == "" {
					return
				}
				records := filepath.Join(r.dir, "views", "codewiki", "three_gates")
				if raw, err := os.ReadFile(filepath.Join(records, "report.md")); err != nil || !strings.HasPrefix(string(raw), c.says+"\n") {
					t.Errorf("%v\n%s", err, raw)
				}
				if out, code := benchCommand(t, "wiki", "verify", r.dir); code != 0 || !strings.Contains(out, "three_gates holds") {
					t.Errorf("verify: exit %d\n%s", code, out)
				}
				if out, code := benchCommand(t, "status", r.dir); code != 0 || strings.Contains(out, "lost") || strings.Contains(out, "running") {
					t.Errorf("status: exit %d\n%s", code, out)
				}
				spoil(t, filepath.Join(records, "grading.json"))
				if out, code := benchCommand(t, "wiki", "verify", r.dir); code != 1 || !strings.Contains(out, "grading.json") {
					t.Errorf("verify of a spoiled record: exit %d\n%s", code, out)
				}
			})
		}
	}
}

// spoil changes one byte of a file.
func spoil(t *testing.T, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)/2] ^= 1
	if err := os.WriteFile(path, raw, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCodeWikiOfAModelThatKnowsNothing plays a model that says the same to everything: it is stopped at
// the first gate, and the records say why.
func TestCodeWikiOfAModelThatKnowsNothing(t *testing.T) {
	s := newStub(t)
	defer s.Close()
	r := wealth(t, codewiki, "BENCH_MODEL=ollama:stub", "OLLAMA_HOST="+s.URL)
	_, sum := r.open(t)
	if r.exit != 1 || sum.Failed != 1 || sum.Skipped != 3 || sum.Broken != 0 {
		t.Fatalf("exit %d, %+v\n%s", r.exit, sum, r.out)
	}
	raw, err := os.ReadFile(filepath.Join(r.dir, "views", "codewiki", "three_gates", "report.md"))
	if err != nil || !bytes.Contains(raw, []byte("# FAIL (layer model)")) || !bytes.Contains(raw, []byte("skipped because of protocol")) {
		t.Errorf("%v\n%s", err, raw)
	}
}

// TestKilledRunIsLost kills a run with signal 9: what it was playing is lost at once and never shown as
// running, what was recorded stays, and of a killed qualification there is no valid score.
func TestKilledRunIsLost(t *testing.T) {
	cmd, out, dir := command(t, []string{"BENCH_MODEL=slow", "BENCH_WORKERS=2"})
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var bundle string
	waitFor(t, "a record", func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, ".bench/runs/*/episodes/*.json"))
		if len(found) > 0 {
			bundle = filepath.Dir(filepath.Dir(found[0]))
		}
		return len(found) > 0
	})
	text, code := benchCommand(t, "status", bundle)
	if code != 0 || !strings.Contains(text, "running") || strings.Contains(text, "lost") {
		t.Errorf("while it runs: exit %d\n%s", code, text)
	}
	cmd.Process.Kill()
	cmd.Wait()
	text, code = benchCommand(t, "status", bundle)
	if code != 1 || strings.Contains(text, " running") || !strings.Contains(text, "its process is gone") || !strings.Contains(text, "finished") {
		t.Errorf("after kill -9: exit %d\n%s\n%s", code, text, out)
	}
	if text, code = benchCommand(t, "status", "--watch", "--every=50ms", bundle); code != 1 || !strings.Contains(text, "lost") {
		t.Errorf("--watch: exit %d\n%s", code, text)
	}
	r, err := reports.Open(bundle)
	if err != nil {
		t.Fatal(err)
	}
	events, err := r.Events()
	if err != nil || len(events) == 0 {
		t.Fatal(err)
	}
	silent := reports.Watch{Now: events[len(events)-1].Time.Add(reports.Silence + time.Second)}
	all, err := r.Executions(silent)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range all {
		if x.State == reports.Running || x.State == reports.Queued {
			t.Errorf("%s is %s though nobody has said anything for so long", x.Key, x.State)
		}
	}
}
