package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"benchwright/agent"
	"benchwright/agent/mcp"
	"benchwright/grader"
	"benchwright/tasks"
)

// This binary is also a harness: see TestLaunchedHarness.
func TestMain(m *testing.M) {
	if what := os.Getenv("TEST_HARNESS"); what != "" {
		harness(what)
	}
	os.Exit(m.Run())
}

func harness(what string) {
	ctx := context.Background()
	prompt, err := os.ReadFile(os.Getenv("BENCHWRIGHT_PROMPT_FILE"))
	if err != nil || !strings.Contains(string(prompt), "Add") || os.Getenv("BENCH_FILTER") != "" {
		os.Exit(90)
	}
	if what == "absent" {
		os.Exit(0)
	}
	c, err := sdk.NewClient(&sdk.Implementation{Name: "harness", Version: "1"}, nil).
		Connect(ctx, &sdk.StreamableClientTransport{Endpoint: os.Getenv("BENCHWRIGHT_MCP_URL")}, nil)
	if err != nil {
		os.Exit(91)
	}
	c.CallTool(ctx, &sdk.CallToolParams{Name: "add", Arguments: map[string]int{"n": 5}})
	fmt.Println("harness: added")
	switch what {
	case "answers":
		c.CallTool(ctx, &sdk.CallToolParams{Name: agent.FinalAnswer, Arguments: map[string]string{"text": "5"}})
		select {} // until it is killed
	case "fails":
		os.Exit(3)
	}
	os.Exit(0)
}

func hub(t testing.TB, alone bool, o mcp.Options) *mcp.Hub {
	t.Helper()
	h, err := mcp.Listen("127.0.0.1:0", alone, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		h.Close(ctx)
	})
	return h
}

// request makes a request and returns the status and the body.
func request(t testing.TB, method, url, body string, header ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(raw)
}

type handed struct{ URL, Prompt, Done string }

func take(t testing.TB, h *mcp.Hub) (out handed) {
	t.Helper()
	status, body := request(t, "POST", h.URL()+"/episodes", "")
	if status != http.StatusOK || json.Unmarshal([]byte(body), &out) != nil {
		t.Fatalf("POST /episodes: %d %s", status, body)
	}
	return out
}

func at(ctx context.Context, t testing.TB, url string) *sdk.ClientSession {
	return connect(ctx, t, &sdk.StreamableClientTransport{Endpoint: url})
}

func background(a agent.Agent, task tasks.Task) <-chan *agent.Episode {
	done := make(chan *agent.Episode, 1)
	go func() { done <- play(context.Background(), a, task, &kit) }()
	return done
}

func TestEpisodesAtOnceDoNotMix(t *testing.T) {
	h := hub(t, false, mcp.Options{})
	const n = 8
	var episodes []<-chan *agent.Episode
	for i := range n {
		episodes = append(episodes, background(h.Agent(kit.Speaks()), tallyTask(fmt.Sprintf("Add %d.", i+1))))
	}
	seen := map[string]bool{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			got := take(t, h)
			mu.Lock()
			if seen[got.URL] {
				t.Errorf("%s was handed out twice", got.URL)
			}
			seen[got.URL] = true
			mu.Unlock()
			var k int
			fmt.Sscanf(got.Prompt, "Add %d.", &k)
			c := at(t.Context(), t, got.URL)
			defer c.Close()
			for range k {
				call(t.Context(), t, c, "add", map[string]int{"n": k})
			}
			call(t.Context(), t, c, agent.FinalAnswer, map[string]string{"text": fmt.Sprint(k * k)})
		})
	}
	wg.Wait()
	for i, done := range episodes {
		ep := <-done
		expect(t, ep, grader.EndDone, i+1)
		if want := fmt.Sprint((i + 1) * (i + 1)); string(ep.States[0]) != want || string(ep.Answers[0]) != `"`+want+`"` {
			t.Errorf("episode %d: state %s, answer %s", i+1, ep.States[0], ep.Answers[0])
		}
	}
	if _, body := request(t, "GET", h.URL()+"/episodes", ""); !strings.Contains(body, `"ended":8`) || !strings.Contains(body, `"waiting":0`) {
		t.Errorf("the index counts %s", body)
	}
}

func TestHowAnEpisodeOverHTTPEnds(t *testing.T) {
	for _, c := range []struct {
		name   string
		opts   mcp.Options
		wall   time.Duration
		do     func(ctx context.Context, t *testing.T, h *mcp.Hub)
		end    string
		calls  int
		reason string
	}{
		{"deleted", mcp.Options{Linger: 200 * time.Millisecond}, 0, func(ctx context.Context, t *testing.T, h *mcp.Hub) {
			c := at(ctx, t, take(t, h).URL)
			call(ctx, t, c, "add", map[string]int{"n": 1})
			c.Close()
		}, grader.EndStopped, 1, "the client is gone"},
		{"looked around first", mcp.Options{Linger: 5 * time.Second}, 0, func(ctx context.Context, t *testing.T, h *mcp.Hub) {
			got := take(t, h)
			at(ctx, t, got.URL).Close()
			c := at(ctx, t, got.URL)
			call(ctx, t, c, "add", map[string]int{"n": 1})
			call(ctx, t, c, agent.FinalAnswer, map[string]string{"text": "1"})
		}, grader.EndDone, 1, "a session may follow another"},
		{"done", mcp.Options{}, 0, func(ctx context.Context, t *testing.T, h *mcp.Hub) {
			got := take(t, h)
			call(ctx, t, at(ctx, t, got.URL), "add", map[string]int{"n": 1})
			if status, _ := request(t, "POST", got.Done, ""); status != http.StatusNoContent {
				t.Errorf("done: %d", status)
			}
		}, grader.EndStopped, 1, "its runner says so"},
		{"idle", mcp.Options{Idle: time.Second}, 0, func(ctx context.Context, t *testing.T, h *mcp.Hub) {
			call(ctx, t, at(ctx, t, take(t, h).URL), "add", map[string]int{"n": 1})
		}, grader.EndStopped, 1, "nothing is heard any more"},
		{"out of time", mcp.Options{}, 2 * time.Second, func(ctx context.Context, t *testing.T, h *mcp.Hub) {
			call(ctx, t, at(ctx, t, take(t, h).URL), "add", map[string]int{"n": 1})
		}, grader.EndWall, 1, "the task's own limit"},
		{"handed out in vain", mcp.Options{Connect: time.Second}, 0, func(_ context.Context, t *testing.T, h *mcp.Hub) { take(t, h) },
			grader.EndStopped, 0, "a harness that knows the task and stays away is no way out of the denominator"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := hub(t, false, c.opts)
			task := tallyTask("Add.")
			task.Limits.Wall = tasks.Duration(c.wall)
			done := background(h.Agent(kit.Speaks()), task)
			c.do(t.Context(), t, h)
			select {
			case ep := <-done:
				expect(t, ep, c.end, c.calls)
			case <-time.After(10 * time.Second):
				t.Errorf("it never ended: %s", c.reason)
			}
		})
	}
}

func TestAHarnessThatNeverComesBreaksTheEpisode(t *testing.T) {
	h := hub(t, false, mcp.Options{Connect: 50 * time.Millisecond})
	short := tallyTask("Add.")
	short.Limits.Wall = tasks.Duration(20 * time.Millisecond)
	for _, task := range []tasks.Task{tallyTask("Add."), short} {
		ep := <-background(h.Agent(kit.Speaks()), task)
		if ep.Outcome != grader.Broken || ep.Layer != grader.LayerAdapter || ep.FaultCode != mcp.NoHarness {
			t.Errorf("%s %s %s %+v", ep.Outcome, ep.Layer, ep.FaultCode, ep.End)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if ep := play(ctx, h.Agent(kit.Speaks()), tallyTask("Add."), &kit); ep.Layer != grader.LayerOrchestration {
		t.Errorf("an interrupted wait is %s %s", ep.Layer, ep.Reason)
	}
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

func TestHostileClients(t *testing.T) {
	h := hub(t, false, mcp.Options{})
	done := background(h.Agent(kit.Speaks()), tallyTask("Add."))
	got := take(t, h)
	for _, c := range []struct {
		name, method, url, body string
		header                  []string
		status                  int
		reason                  string
	}{
		{"foreign host", "POST", got.URL, initialize, []string{"Host", "evil.example"}, 421, "a page of the web that resolves to this machine"},
		{"foreign origin", "POST", got.URL, initialize, []string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, 403, "a page of the web"},
		{"foreign origin, index", "POST", h.URL() + "/episodes", "", []string{"Origin", "https://evil.example"}, 403, "it would take episodes away"},
		{"guessed token", "POST", h.URL() + "/episode/00000000000000000000000000000000/mcp", initialize, nil, 404, "tokens cannot be guessed"},
		{"no token", "POST", h.URL() + "/mcp", initialize, nil, 404, "there is no world without one"},
		{"huge", "POST", got.URL, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"` + strings.Repeat("x", mcp.MaxMessage) + `"}`, nil, 413, "bodies are bounded"},
		{"garbage", "POST", got.URL, "\x00{[", nil, 400, "no JSON"},
		{"no session", "POST", got.URL, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}`, []string{"Mcp-Session-Id", "nope"}, 404, "unknown sessions"},
		{"form", "POST", got.URL, initialize, []string{"Content-Type", "text/plain"}, 415, "what a page can send without asking"},
		{"wrong method", "PUT", h.URL() + "/episodes", "", nil, 405, ""},
		{"elsewhere", "GET", h.URL() + "/episode/", "", nil, 404, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if status, body := request(t, c.method, c.url, c.body, c.header...); status != c.status {
				t.Errorf("%d %.200s, want %d: %s", status, body, c.status, c.reason)
			}
		})
	}
	t.Run("many sessions", func(t *testing.T) {
		refused := 0
		for range 40 {
			if status, _ := request(t, "POST", got.URL, initialize); status == http.StatusServiceUnavailable {
				refused++
			}
		}
		if refused == 0 {
			t.Error("40 sessions of one episode were let in")
		}
	})
	t.Run("headers without end", func(t *testing.T) {
		conn, err := net.Dial("tcp", strings.TrimPrefix(h.URL(), "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(10 * time.Second))
		fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: %s", strings.Repeat("y", 128<<10))
		raw, _ := io.ReadAll(conn)
		if !strings.Contains(string(raw), "431") {
			t.Errorf("answered %.100q", raw)
		}
	})
	request(t, "POST", got.Done, "")
	ep := <-done
	expect(t, ep, grader.EndStopped, 0)
	if text, bad := request(t, "POST", got.URL, initialize); text != 200 && text != 503 {
		t.Errorf("after the end: %d %s", text, bad)
	}
}

func TestAloneIsAtItsOwnAddress(t *testing.T) {
	h := hub(t, true, mcp.Options{})
	done := background(h.Agent(kit.Speaks()), tallyTask("Add."))
	waitFor(t, func() bool { status, _ := request(t, "GET", h.URL()+"/prompt", ""); return status == 200 })
	c := at(t.Context(), t, h.URL()+"/mcp")
	call(t.Context(), t, c, "add", map[string]int{"n": 1})
	call(t.Context(), t, c, agent.FinalAnswer, map[string]string{"text": "1"})
	expect(t, <-done, grader.EndDone, 1)
}

func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain")
		}
	}
}

func TestLaunchedHarness(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("BENCH_FILTER", "is not passed on")
	for _, c := range []struct {
		what, end string
		calls     int
		reason    string
	}{
		{"answers", grader.EndDone, 1, "and is killed, since the episode is over"},
		{"leaves", grader.EndStopped, 1, "without an answer"},
		{"fails", grader.EndAgent, 1, "its exit code says so; what stands is graded"},
		{"absent", grader.EndStopped, 0, "it knew the task"},
	} {
		t.Run(c.what, func(t *testing.T) {
			h := hub(t, false, mcp.Options{})
			ep := <-background(h.Launch(kit.Speaks(), "TEST_HARNESS="+c.what+" exec "+self), tallyTask("Add five."))
			expect(t, ep, c.end, c.calls)
			if last := ep.Messages[len(ep.Messages)-1]; c.end != grader.EndDone && c.calls > 0 && !strings.Contains(last.Content, "harness: added") {
				t.Errorf("its words are not kept: %+v", last)
			}
		})
	}
}
