package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"benchwright/features"
	"benchwright/grader"
	"benchwright/reports"
	"benchwright/tasks"
)

// wealth runs the WealthOps suite of the built-in benchmark in a module of its own.
func wealth(t *testing.T, env ...string) result {
	t.Helper()
	dir := module(t)
	cmd := exec.Command(binary(t, "test", "benchwright"))
	cmd.Dir = dir
	cmd.Env = append(append(clean(os.Environ()), "BENCH_FILTER=suite:wealthops"), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return finish(t, cmd.Run(), &out, dir)
}

// A stub speaks as much of Ollama as a run needs. It gives the same decision to every request.
type stub struct {
	*httptest.Server
	chats  atomic.Int64
	dieAt  int64 // closes connections from this chat on; 0 never
	blind  int64 // so many first replies come without counts
	digest atomic.Value
	mu     sync.Mutex
	bodies []string
}

const refusal = `{"kind":"final","result":{"outcome":"refuse","policy_code":"write_not_permitted"}}`

func newStub(t *testing.T) *stub {
	s := &stub{}
	s.digest.Store(strings.Repeat("ab", 32))
	reply := func(w http.ResponseWriter, v any) { json.NewEncoder(w).Encode(v) }
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) { reply(w, map[string]any{"version": "stub"}) })
	mux.HandleFunc("GET /api/tags", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, map[string]any{"models": []any{map[string]any{"name": "stub:latest", "model": "stub:latest", "digest": s.digest.Load()}}})
	})
	mux.HandleFunc("POST /api/show", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, map[string]any{"template": "{{ .Prompt }}", "capabilities": []string{"completion", "tools"}})
	})
	mux.HandleFunc("GET /api/ps", func(w http.ResponseWriter, _ *http.Request) { reply(w, map[string]any{"models": []any{}}) })
	mux.HandleFunc("POST /api/chat", func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		var req struct {
			Messages []any `json:"messages"`
		}
		json.Unmarshal(raw, &req)
		w.Header().Set("Content-Type", "application/x-ndjson")
		last := map[string]any{"model": "stub", "created_at": time.Now(), "message": map[string]any{"role": "assistant", "content": ""}, "done": true, "done_reason": "load"}
		if len(req.Messages) > 0 {
			s.mu.Lock()
			s.bodies = append(s.bodies, string(raw))
			s.mu.Unlock()
			if n := s.chats.Add(1); s.dieAt > 0 && n >= s.dieAt {
				panic(http.ErrAbortHandler)
			}
			reply(w, map[string]any{"model": "stub", "created_at": time.Now(), "message": map[string]any{"role": "assistant", "content": refusal}, "done": false})
			last["done_reason"] = "stop"
			if s.chats.Load() > s.blind {
				last["prompt_eval_count"], last["eval_count"] = 100, 20
			}
		}
		reply(w, last)
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func TestModelRunAgainstAServer(t *testing.T) {
	s := newStub(t)
	r := wealth(t, "BENCH_MODEL=ollama:stub", "OLLAMA_HOST="+s.URL, "BENCH_GATE=none", `BENCH_MODEL_OPTIONS={"prices":{"input":2,"output":10}}`)
	b, sum := r.open(t)
	run := b.Run()
	if r.exit != 0 || sum.Episodes != 24 || sum.Passed != 3 || sum.Failed != 21 {
		t.Errorf("exit %d, %+v\n%s", r.exit, sum, r.out)
	}
	if run.Kind != reports.KindModel || run.Model.Digest != strings.Repeat("ab", 32) || run.Workers != 1 {
		t.Errorf("kind %s, digest %s, %d workers", run.Kind, run.Model.Digest, run.Workers)
	}
	if sum.Usage.Budget != 24*120 || sum.Usage.Cost == nil || sum.Usage.Cost.String() != "0.0096" {
		t.Errorf("usage %+v", sum.Usage)
	}
	for name := range map[string]bool{"predictions.jsonl": true, "report.json": true, "latency.json": true} {
		if _, err := os.Stat(filepath.Join(r.dir, "views", "wealthops", name)); err != nil {
			t.Error(err)
		}
	}
	noneNamesTheTask(t, s.bodies)
}

// noneNamesTheTask fails when a request holds a task's id, its case, or its family.
func noneNamesTheTask(t *testing.T, bodies []string) {
	t.Helper()
	compiled, err := tasks.Compile(features.Suite())
	if err != nil {
		t.Fatal(err)
	}
	if len(bodies) == 0 {
		t.Fatal("no request was seen")
	}
	for _, task := range compiled.Tasks {
		number, ok := task.Label("case")
		if !ok {
			continue // of another suite
		}
		for _, name := range []string{string(task.ID), task.ID.Family(), task.ID.Name(), number + "-"} {
			for _, body := range bodies {
				if strings.Contains(body, name) {
					t.Errorf("a request holds %q:\n%s", name, body)
				}
			}
		}
	}
}

func TestServerThatDiesMidRun(t *testing.T) {
	s := newStub(t)
	s.dieAt = 8
	r := wealth(t, "BENCH_MODEL=ollama:stub", "OLLAMA_HOST="+s.URL, `BENCH_MODEL_OPTIONS={"retries":0}`)
	_, sum := r.open(t)
	if r.exit == 0 || sum.Broken != 5 || sum.Layers["provider"] != 5 || sum.Passed+sum.Failed != 7 || sum.Skipped != 24-12 || sum.Unreached != 12 {
		t.Errorf("exit %d %+v\n%s", r.exit, sum, r.out)
	}
}

func TestModelThatIsNotThere(t *testing.T) {
	s := newStub(t)
	r := wealth(t, "BENCH_MODEL=ollama:stob", "OLLAMA_HOST="+s.URL, "BENCH_GATE=none")
	_, sum := r.open(t)
	if r.exit == 0 || sum.Skipped != 24 || !strings.Contains(r.out, "stub") {
		t.Errorf("exit %d %+v\n%s", r.exit, sum, r.out)
	}
	if s.chats.Load() != 0 {
		t.Errorf("%d chats", s.chats.Load())
	}
}

func TestModelThatChangesUnderTheRun(t *testing.T) {
	s := newStub(t)
	go func() {
		for s.chats.Load() < 3 {
			time.Sleep(time.Millisecond)
		}
		s.digest.Store(strings.Repeat("cd", 32))
	}()
	r := wealth(t, "BENCH_MODEL=ollama:stub", "OLLAMA_HOST="+s.URL, "BENCH_GATE=none")
	if b, _ := r.open(t); r.exit != 1 || !strings.Contains(r.out, "exit 1") {
		t.Errorf("a changed model went unnoticed in %s\n%s", b.Name(), r.out)
	}
}

func TestSpendCapStopsTheRun(t *testing.T) {
	s := newStub(t)
	r := wealth(t, "BENCH_MODEL=ollama:stub", "OLLAMA_HOST="+s.URL, "BENCH_GATE=none", "BENCH_SPEND=600")
	_, sum := r.open(t)
	if r.exit == 0 || sum.Passed+sum.Failed != 5 || sum.Unreached != 19 || s.chats.Load() != 5 {
		t.Errorf("exit %d, %d chats, %+v\n%s", r.exit, s.chats.Load(), sum, r.out)
	}
}

// TestSpendCapSurvivesUnknownCounts holds that one reply without counts does not lift the cap.
func TestSpendCapSurvivesUnknownCounts(t *testing.T) {
	s := newStub(t)
	s.blind = 1
	r := wealth(t, "BENCH_MODEL=ollama:stub", "OLLAMA_HOST="+s.URL, "BENCH_GATE=none", "BENCH_SPEND=600")
	if _, sum := r.open(t); r.exit == 0 || sum.Passed+sum.Failed != 6 || !strings.Contains(r.out, "at least 600") {
		t.Errorf("exit %d, %+v\n%s", r.exit, sum, r.out)
	}
}

// TestRealServer is the same against a real one; BENCH_TEST_OLLAMA names it. The model is the
// one of BENCHWRIGHT_TEST_MODEL, or tiny.
func TestRealServer(t *testing.T) {
	server := os.Getenv("BENCH_TEST_OLLAMA")
	if server == "" {
		t.Skip("set BENCH_TEST_OLLAMA to the URL of an Ollama server")
	}
	model := os.Getenv("BENCHWRIGHT_TEST_MODEL")
	if model == "" {
		model = "tiny"
	}
	target, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var bodies []string
	var limit, chats atomic.Int64
	proxy := httputil.NewSingleHostReverseProxy(target)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/chat" {
			raw, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(raw))
			mu.Lock()
			bodies = append(bodies, string(raw))
			mu.Unlock()
			if n := chats.Add(1); limit.Load() > 0 && n > limit.Load() {
				panic(http.ErrAbortHandler)
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	defer front.Close()
	env := []string{"BENCH_MODEL=ollama:" + model, "OLLAMA_HOST=" + front.URL, "BENCH_GATE=none", `BENCH_MODEL_OPTIONS={"num_thread":1,"retries":0}`}
	verdicts := func(r result) string {
		var b strings.Builder
		for _, ep := range episodes(t, r.dir) {
			fmt.Fprintln(&b, ep.Key(), ep.Outcome, ep.End.Code, ep.Verdict.Codes())
		}
		return b.String()
	}
	first, second := wealth(t, env...), wealth(t, env...)
	a, sum := first.open(t)
	if sum.Episodes != 24 || sum.Broken+sum.Skipped != 0 || len(a.Run().Model.Digest) != 64 {
		t.Errorf("%+v, digest %q\n%s", sum, a.Run().Model.Digest, first.out)
	}
	if x, y := verdicts(first), verdicts(second); x != y {
		t.Errorf("two runs differ:\n%s\n%s", x, y)
	}
	noneNamesTheTask(t, bodies)
	replay := wealth(t, "BENCH_MODEL=replay:"+first.dir, "BENCH_GATE=none")
	if x, y := verdicts(first), verdicts(replay); x != y {
		t.Errorf("the replay differs:\n%s\n%s", x, y)
	}
	limit.Store(chats.Load() + 1 + 10) // the load, then ten replies
	_, cut := wealth(t, env...).open(t)
	if cut.Failed+cut.Passed != 10 || cut.Layers[string(grader.LayerProvider)] != cut.Broken || cut.Broken != 5 || cut.Skipped != 9 {
		t.Errorf("a server that went away: %+v", cut)
	}
}
