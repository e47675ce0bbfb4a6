package e2e

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"benchwright/reports"
)

// goTest runs go test on packages of this module with a bundle folder of its own.
func goTest(t *testing.T, pkgs ...string) string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"test"}, pkgs...)...)
	cmd.Env = append(clean(os.Environ()), "BENCH_OUT="+t.TempDir()+"/out")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestInterruptLeavesReports(t *testing.T) {
	cmd, out, dir := command(t, []string{"BENCH_MODEL=slow", "BENCH_WORKERS=1"})
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the first episodes", func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, ".bench/runs/*/episodes/*.json"))
		return len(found) >= 2
	})
	cmd.Process.Signal(syscall.SIGINT)
	r := finish(t, cmd.Wait(), out, dir)
	_, s := r.open(t)
	if r.exit == 0 || s.Passed < 2 || s.Failed != 0 || s.Unreached == 0 || s.Passed+s.Broken+s.Skipped < total-1 {
		t.Errorf("exit %d %+v\n%s", r.exit, s, r.out)
	}
	if _, err := os.Stat(filepath.Join(r.dir, reports.JUnitFile)); err != nil {
		t.Error(err)
	}
}

func TestTimeoutOfGoTestLeavesReports(t *testing.T) {
	r := bench(t, []string{"BENCH_MODEL=slow", "BENCH_WORKERS=1"}, "-test.timeout=2s")
	_, s := r.open(t)
	if r.exit == 0 || s.Failed != 0 || s.Passed == 0 || s.Unreached == 0 || strings.Contains(r.out, "panic: test timed out") {
		t.Errorf("exit %d %+v\n%s", r.exit, s, r.out)
	}
}

func TestAgentThatBlocksLeavesReports(t *testing.T) {
	start := time.Now()
	r := bench(t, []string{"BENCH_MODEL=blocks", "BENCH_WORKERS=2"}, "-test.timeout=8s")
	_, s := r.open(t)
	if r.exit == 0 || s.Passed+s.Failed != 0 || s.Unreached == 0 || strings.Contains(r.out, "panic: test timed out") {
		t.Errorf("exit %d after %s, %+v\n%s", r.exit, time.Since(start), s, r.out)
	}
}

func TestModelThatNeverGetsReadyLeavesReports(t *testing.T) {
	block := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer block.Close()
	dir := module(t)
	cmd := exec.Command(binary(t, "test", counterPkg), "-test.timeout=6s")
	cmd.Dir, cmd.Env = dir, append(clean(os.Environ()), "BENCH_MODEL=ollama:x", "OLLAMA_HOST="+block.URL)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	r := finish(t, cmd.Run(), &out, dir)
	if _, s := r.open(t); r.exit == 0 || s.Unreached != total-1 || strings.Contains(r.out, "panic: test timed out") {
		t.Errorf("exit %d, %+v\n%s", r.exit, s, r.out)
	}
}

// TestStormOfKills kills runs at random moments: what had finished is readable, and nothing is
// there by half. BENCHWRIGHT_STORM says how often.
func TestStormOfKills(t *testing.T) {
	times := 3
	if n, err := strconv.Atoi(os.Getenv("BENCHWRIGHT_STORM")); err == nil {
		times = n
	}
	rng := rand.New(rand.NewPCG(1, 2))
	finished := 0
	for i := range times {
		cmd, out, dir := command(t, []string{"BENCH_MODEL=able", "BENCH_TRIALS=100", "BENCH_WORKERS=4"})
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		runs := filepath.Join(dir, ".bench/runs/*")
		waitFor(t, "the bundle", func() bool { found, _ := filepath.Glob(runs + "/run.json"); return len(found) > 0 })
		time.Sleep(time.Duration(rng.IntN(400)) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		found, _ := filepath.Glob(runs)
		all := episodes(t, found[0]) // fails on any record that is not whole
		for _, ep := range all {
			if ep.Outcome != "passed" || len(ep.Trace) != 1 {
				t.Errorf("kill %d: %s is %s with %d calls", i, ep.Key(), ep.Outcome, len(ep.Trace))
			}
		}
		finished += len(all)
		if _, err := reports.Publish(found[0]); err != nil {
			t.Errorf("kill %d: %v\n%s", i, err, out)
		}
	}
	t.Logf("%d kills, %d finished episodes, all readable", times, finished)
	if finished == 0 {
		t.Error("no run got as far as one episode: the test proves nothing")
	}
}

func TestConcurrentRunsNeverShareABundle(t *testing.T) {
	dir := module(t)
	bin := binary(t, "test", counterPkg)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			cmd := exec.Command(bin)
			cmd.Dir, cmd.Env = dir, append(clean(os.Environ()), "BENCH_MODEL=able")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	bundles, _ := filepath.Glob(filepath.Join(dir, ".bench/runs/*"))
	if len(bundles) != 4 {
		t.Fatalf("%d bundles of 4 runs: %v", len(bundles), bundles)
	}
	for _, b := range bundles {
		pids := map[int]bool{}
		all := episodes(t, b)
		for _, ep := range all {
			pids[ep.Pid] = true
		}
		if len(all) != total || len(pids) != 1 {
			t.Errorf("%s: %d episodes of %d processes", b, len(all), len(pids))
		}
	}
}

func TestSecondRunIntoOneFolderIsRefused(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	env := []string{"BENCH_MODEL=able", "BENCH_OUT=" + out}
	if r := bench(t, env); r.exit != 0 {
		t.Fatal(r.out)
	}
	before := episodes(t, out)
	if r := bench(t, env); r.exit == 0 || !strings.Contains(r.out, "BENCH_OUT") {
		t.Errorf("exit %d\n%s", r.exit, r.out)
	}
	if after := episodes(t, out); len(after) != len(before) {
		t.Errorf("%d episodes, then %d", len(before), len(after))
	}
}

func TestPackagesHaveFoldersOfTheirOwn(t *testing.T) {
	dir := module(t)
	bin := binary(t, "test", counterPkg)
	for _, pkg := range []string{".", "sub/one", "sub/two"} {
		if err := os.MkdirAll(filepath.Join(dir, pkg), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(bin)
		cmd.Dir, cmd.Env = filepath.Join(dir, pkg), append(clean(os.Environ()), "BENCH_OUT=out")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if n := len(episodes(t, filepath.Join(dir, "out", pkg))); n != total {
			t.Errorf("%s: %d episodes", pkg, n)
		}
	}
}

func TestProcessesOfOneGinkgoRunShareOneBundle(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("ginkgo --procs is tested on unix")
	}
	ginkgo := binary(t, "build", "github.com/onsi/ginkgo/v2/ginkgo")
	for _, c := range []struct {
		model, gate string
		exit, pids  int // quick episodes may all fall to one process
	}{{"", "", 0, 1}, {"slow", "", 0, 2}, {"partly", "", 1, 1}, {"partly", "none", 0, 1}} {
		t.Run(fmt.Sprintf("%s-%s", c.model, c.gate), func(t *testing.T) {
			dir := module(t)
			raw, err := os.ReadFile(binary(t, "test", counterPkg))
			if err != nil {
				t.Fatal(err)
			}
			bin := filepath.Join(dir, "counter.test") // ginkgo runs a binary in its own folder
			if err := os.WriteFile(bin, raw, 0o755); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(ginkgo, "--procs=2", bin)
			cmd.Dir = dir
			cmd.Env = clean(os.Environ())
			for k, v := range map[string]string{"BENCH_MODEL": c.model, "BENCH_GATE": c.gate} {
				if v != "" {
					cmd.Env = append(cmd.Env, k+"="+v)
				}
			}
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			r := finish(t, cmd.Run(), &out, dir)
			bundles, _ := filepath.Glob(filepath.Join(dir, ".bench/runs/*"))
			if len(bundles) != 1 {
				t.Fatalf("%d bundles\n%s", len(bundles), r.out)
			}
			_, s := r.open(t)
			pids := map[int]bool{}
			for _, ep := range episodes(t, r.dir) {
				pids[ep.Pid] = true
			}
			if (r.exit != 0) != (c.exit != 0) || s.Episodes != total || s.Unreached != 0 || len(pids) < c.pids || len(pids) > 2 {
				t.Errorf("exit %d, %d processes, %+v\n%s", r.exit, len(pids), s, r.out)
			}
		})
	}
}
