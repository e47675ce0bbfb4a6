package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"benchwright/agent"
	"benchwright/grader"
)

func TestCommandsPlayARun(t *testing.T) {
	sh := filepath.Join(t.TempDir(), "agent.sh")
	if err := os.WriteFile(sh, []byte(`echo '{"tool":"add","args":{"amount":31}}' > "$BENCHWRIGHT_OUTPUT_JSONL"; echo planned`), 0o644); err != nil {
		t.Fatal(err)
	}
	r := bench(t, []string{"BENCH_MODEL=command:sh " + sh, "BENCH_GATE=none"})
	b, sum := r.open(t)
	if r.exit != 0 || sum.Broken != 0 || sum.Failed == 0 || b.Run().Kind != "external" || b.Run().Protocol != agent.ProtocolTools {
		t.Errorf("exit %d, %+v\n%s", r.exit, sum, r.out)
	}
	for _, ep := range episodes(t, r.dir) {
		if ep.Outcome != grader.Skipped && (len(ep.Trace) == 0 || ep.Trace[0].Call.Name != "add" || !strings.Contains(ep.Messages[1].Content, "planned")) {
			t.Errorf("%s: %d calls, %+v", ep.Task, len(ep.Trace), ep.Messages)
		}
	}
}

// TestHarnessesTakeEpisodesFromARun lets two harnesses take turns until the run is over.
func TestHarnessesTakeEpisodesFromARun(t *testing.T) {
	cmd, out, dir := command(t, []string{"BENCH_MODEL=mcp:127.0.0.1:0", "BENCH_GATE=none", "BENCH_WORKERS=2"})
	pipe, write := io.Pipe()
	both := io.MultiWriter(out, write)
	cmd.Stdout, cmd.Stderr = both, both // one value, so that one goroutine writes
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	found := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(pipe)
		for lines.Scan() {
			if rest, ok := strings.CutPrefix(lines.Text(), "mcp: POST "); ok {
				address, _, _ := strings.Cut(rest, " ")
				found <- address
			}
		}
	}()
	var index string
	select {
	case index = <-found:
	case <-time.After(30 * time.Second):
		cmd.Process.Kill()
		t.Fatal("no address was printed")
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				res, err := http.Post(index, "", nil)
				if err != nil {
					return // the run is over
				}
				raw, err := io.ReadAll(res.Body)
				res.Body.Close()
				var got struct{ URL, Prompt, Done string }
				if err != nil || res.StatusCode != http.StatusOK || json.Unmarshal(raw, &got) != nil || got.Prompt == "" {
					continue
				}
				c, err := sdk.NewClient(&sdk.Implementation{Name: "h", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: got.URL}, nil)
				if err != nil {
					t.Error(err)
					continue
				}
				c.CallTool(context.Background(), &sdk.CallToolParams{Name: "add", Arguments: map[string]int{"amount": 31}})
				http.Post(got.Done, "", nil)
				c.Close()
			}
		})
	}
	err := cmd.Wait()
	write.Close()
	wg.Wait()
	r := finish(t, err, out, dir)
	_, sum := r.open(t)
	if r.exit != 0 || sum.Broken != 0 || sum.Failed+sum.Passed == 0 || sum.Unreached != 0 {
		t.Errorf("exit %d, %+v\n%s", r.exit, sum, r.out)
	}
	for _, ep := range episodes(t, r.dir) {
		if ep.Outcome != grader.Skipped && len(ep.Trace) != 1 {
			t.Errorf("%s: %d calls, %+v", ep.Task, len(ep.Trace), ep.End)
		}
	}
}
