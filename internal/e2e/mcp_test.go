package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
	"benchwright/tasks"
)

// The pinned versions of what is installed from npm; newer inspectors ask for a newer Node.
const (
	inspector = "@modelcontextprotocol/inspector@0.15.0"
	opencode  = "opencode-ai@1.18.33"
)

// npm installs a package once for all tests, in a home of its own, and returns its commands'
// folder. BENCH_TEST_NPM asks for it.
func npm(t *testing.T, pkg string) string {
	t.Helper()
	if os.Getenv("BENCH_TEST_NPM") == "" {
		t.Skip("set BENCH_TEST_NPM=1 to install " + pkg + " from npm and to run it")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("there is no npm")
	}
	f, _ := installed.LoadOrStore(pkg, sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp("", "benchwright-npm-")
		if err != nil {
			return "", err
		}
		began := time.Now()
		cmd := exec.Command("npm", "install", "--no-audit", "--no-fund", "--no-update-notifier", "--prefix", dir, pkg)
		cmd.Dir, cmd.Env = dir, homely(dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			os.RemoveAll(dir)
			return "", fmt.Errorf("%w\n%s", err, out)
		}
		t.Logf("installed %s in %s", pkg, time.Since(began).Round(time.Second/10))
		return dir, nil
	}))
	dir, err := f.(func() (string, error))()
	if err != nil {
		t.Fatalf("npm install %s: %v", pkg, err)
	}
	return filepath.Join(dir, "node_modules", ".bin")
}

var installed sync.Map

// homely is the environment of a program that is to leave nothing in anybody's home.
func homely(dir string) []string {
	env := clean(os.Environ())
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
		env = append(env, name+"="+filepath.Join(dir, strings.ToLower(name)))
	}
	return env
}

// served starts bench serve over HTTP and returns its address, and how it ends.
func served(t *testing.T, args ...string) (url string, cmd *exec.Cmd, out *bytes.Buffer) {
	t.Helper()
	cmd = exec.Command(binary(t, "build", "benchwright/cmd/bench"), append([]string{"serve", "--http", "127.0.0.1:0"}, args...)...)
	cmd.Env = clean(os.Environ())
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	out = &bytes.Buffer{}
	cmd.Stderr = out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	lines := bufio.NewReader(pipe)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
	go io.Copy(out, lines)
	url, _, _ = strings.Cut(strings.TrimPrefix(first, "serving on "), ";")
	return url, cmd, out
}

const placing = "workspace-small/placing/place_the_positions_of_a_desk"

func TestInspectorSeesTheWorld(t *testing.T) {
	bin := filepath.Join(npm(t, inspector), "mcp-inspector")
	server := binary(t, "build", "benchwright/cmd/bench")
	dir := t.TempDir()
	url, cmd, out := served(t, "--task", placing)
	for _, transport := range [][]string{{server, "serve", "--task", placing}, {url, "--transport", "http"}} {
		for _, c := range []struct {
			args []string
			want string
		}{
			{[]string{"tools/list"}, `"name": "assign_tasks_to_agents"`},
			{[]string{"tools/call", "--tool-name", "get_widget_data", "--tool-arg", "origin=Desk Mini", "widget_id=cash_level"}, "7,340,000"},
			{[]string{"resources/list"}, `"uri": "openbb://workspace/validation/common-errors"`},
			{[]string{"resources/read", "--uri", "openbb://workspace/specs/layout-grid"}, "Layout Grid and Groups"},
			{[]string{"prompts/list"}, `"name": "workspace_session_context"`},
			{[]string{"prompts/get", "--prompt-name", "task"}, "Desk Mini"},
		} {
			began := time.Now()
			i := exec.Command(bin, append(append(append([]string{"--cli"}, transport...), "--method"), c.args...)...)
			i.Dir, i.Env = dir, homely(dir)
			raw, err := i.CombinedOutput()
			if err != nil || !strings.Contains(string(raw), c.want) {
				t.Errorf("%q %q: %v\n%.2000s", transport, c.args, err, raw)
			}
			if c.args[0] == "tools/list" && strings.Count(string(raw), `"inputSchema"`) != 20 {
				t.Errorf("%q: not twenty tools\n%.500s", transport, raw)
			}
			t.Logf("%s, %s: %s", transport[0][:4], c.args[0], time.Since(began).Round(time.Millisecond))
		}
	}
	if res, err := http.Post(strings.TrimSuffix(url, "mcp")+"done", "", nil); err != nil || res.StatusCode != http.StatusNoContent {
		t.Errorf("done: %v %v", res, err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(out.String(), "failed: score") {
		t.Errorf("%v\n%s", err, out)
	}
}

// A oracle speaks as much of the OpenAI protocol as a harness needs. It knows each task by its
// ask, and calls what the task's reference calls: as many calls in as the conversation has
// results.
type oracle struct {
	*httptest.Server
	tasks    []tasks.Task
	requests atomic.Int64
	problems sync.Map
}

func newOracle(t *testing.T, all []tasks.Task) *oracle {
	o := &oracle{tasks: all}
	o.Server = httptest.NewServer(o)
	t.Cleanup(o.Close)
	return o
}

func (o *oracle) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.requests.Add(1)
	var req struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		Tools []struct{ Function struct{ Name string } }
	}
	raw, _ := io.ReadAll(r.Body)
	if json.Unmarshal(raw, &req) != nil || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		o.problems.Store("cannot read "+r.URL.Path, true)
		http.Error(w, "?", http.StatusBadRequest)
		return
	}
	done, user := 0, ""
	for _, m := range req.Messages {
		switch m.Role {
		case "tool":
			done++
		case "user":
			user += string(m.Content)
		}
	}
	delta := map[string]any{"role": "assistant", "content": "All is done."}
	reason := "stop"
	if len(req.Tools) > 0 {
		var calls []map[string]any
		known := false
		for _, t := range o.tasks {
			// The ask stands in JSON within JSON, where its lines are joined by escapes.
			if !strings.Contains(user, strings.SplitN(t.Asks[0].Text, "\n", 2)[0]) {
				continue
			}
			known = true
			for _, m := range t.Rubric.Reference {
				for _, c := range m.Calls {
					calls = append(calls, map[string]any{"name": "bench_" + c.Name, "arguments": string(c.Arguments)})
				}
			}
		}
		if !known {
			o.problems.Store(fmt.Sprintf("no task in %.300q", user), true)
		}
		if done < len(calls) {
			delta = map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{
				"index": 0, "id": fmt.Sprintf("call_%d", done), "type": "function", "function": calls[done]}}}
			reason = "tool_calls"
		}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	chunk := func(choice any, usage any) {
		raw, _ := json.Marshal(map[string]any{"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "script", "choices": choice, "usage": usage})
		fmt.Fprintf(w, "data: %s\n\n", raw)
	}
	chunk([]any{map[string]any{"index": 0, "delta": delta}}, nil)
	chunk([]any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reason}}, nil)
	chunk([]any{}, map[string]int{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15})
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// script runs opencode on one episode: everything of it is in the episode's own folder.
const script = `cd "$BENCHWRIGHT_RUN_DIR" || exit 9
export HOME="$PWD/home" XDG_CONFIG_HOME="$PWD/config" XDG_DATA_HOME="$PWD/data" XDG_CACHE_HOME="$PWD/cache" XDG_STATE_HOME="$PWD/state"
export OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_LSP_DOWNLOAD=1
mkdir -p "$HOME" work && cd work
cat > opencode.json <<EOF
{"autoupdate": false, "share": "disabled", "model": "script/script",
 "provider": {"script": {"npm": "@ai-sdk/openai-compatible", "name": "Script", "options": {"baseURL": "$SCRIPT_URL", "apiKey": "none"}, "models": {"script": {"name": "Script"}}}},
 "mcp": {"bench": {"type": "remote", "url": "$BENCHWRIGHT_MCP_URL", "enabled": true}}}
EOF
exec "$OPENCODE" run --pure --format json "$(cat "$BENCHWRIGHT_PROMPT_FILE")" < /dev/null
`

// TestForeignHarnessSolvesTasks lets a complete agent that knows nothing of this project play
// four different tasks at once.
func TestForeignHarnessSolvesTasks(t *testing.T) {
	bin := filepath.Join(npm(t, opencode), "opencode")
	compiled, err := tasks.Compile(features.Suite())
	if err != nil {
		t.Fatal(err)
	}
	var chosen []tasks.Task
	for _, task := range compiled.Tasks {
		if task.ID.Suite() == "workspace-small" && len(task.Asks) == 1 && len(chosen) < 4 && !strings.Contains(string(task.Asks[0].Context), "final_answer") {
			chosen = append(chosen, task)
		}
	}
	model := newOracle(t, chosen)
	dir := module(t)
	sh := filepath.Join(dir, "harness.sh")
	if err := os.WriteFile(sh, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, task := range chosen {
		for _, l := range task.Labels {
			if strings.HasPrefix(l, "kind:") {
				kinds = append(kinds, l)
			}
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary(t, "test", "benchwright"))
	cmd.Dir = dir
	cmd.Env = append(clean(os.Environ()), "BENCH_MODEL=mcp", "BENCH_FILTER="+strings.Join(kinds, " || "), "BENCH_WORKERS=4",
		fmt.Sprintf(`BENCH_MODEL_OPTIONS={"command":"sh %s"}`, sh), "SCRIPT_URL="+model.URL+"/v1", "OPENCODE="+bin)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	r := finish(t, cmd.Run(), &out, dir)
	t.Logf("four episodes at once: %s, %d requests", time.Since(began).Round(time.Millisecond), model.requests.Load())
	_, sum := r.open(t)
	model.problems.Range(func(p, _ any) bool { t.Error(p); return true })
	if r.exit != 0 || sum.Passed != 4 || sum.Episodes != 4 {
		t.Errorf("exit %d, %+v\n%s", r.exit, sum, r.out)
	}
	for _, ep := range episodes(t, r.dir) {
		if ep.Outcome != grader.Passed || !ep.End.Finished() {
			last := ep.Messages[len(ep.Messages)-1].Content
			t.Errorf("%s: %s %+v, %d calls; it said\n%s", ep.Task, ep.Outcome, ep.End, len(ep.Trace), last)
		}
		t.Logf("%s: %d calls in %s", ep.Task.Name(), len(ep.Trace), ep.Wall.Round(time.Millisecond))
	}
}
