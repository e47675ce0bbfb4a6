package ollama

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"benchwright/agent"
)

// A fake is a server with models, which answers everything that Prepare asks. Any of its
// answers can be replaced.
type fake struct {
	mu     sync.Mutex
	digest string
	names  []string
	show   string
	answer map[string]handler // by path
	asked  []string           // method, path and body of each request
}

const digestA, digestB = "aa00000000000000000000000000000000000000000000000000000000000000", "bb00000000000000000000000000000000000000000000000000000000000000"

func newFake() *fake {
	return &fake{digest: digestA, names: []string{"other:7b", "tiny:latest"}, answer: map[string]handler{},
		show: `{"template":"{{ .Prompt }}","system":"Be brief.","parameters":"stop                           \"b\"\nstop                           \"a\"\nnum_ctx                        4096",
			"details":{"format":"gguf"},"capabilities":["tools","completion"],"model_info":{"general.architecture":"llama"}}`}
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, r.Method+" "+r.URL.Path+" "+readAll(r))
	if h := f.answer[r.URL.Path]; h != nil {
		h(w, r, n)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	switch r.URL.Path {
	case "/api/version":
		fmt.Fprint(w, `{"version":"0.17.4"}`)
	case "/api/tags":
		var list []map[string]any
		for _, name := range f.names {
			list = append(list, map[string]any{"name": name, "model": name, "digest": f.digest, "details": map[string]any{
				"parent_model": "/home/somebody/blobs/x", "format": "gguf", "family": "llama", "parameter_size": "115K", "quantization_level": "F32"}})
		}
		json.NewEncoder(w).Encode(map[string]any{"models": list})
	case "/api/show":
		fmt.Fprint(w, f.show)
	case "/api/ps":
		fmt.Fprintf(w, `{"models":[{"name":"tiny:latest","digest":%q,"context_length":1},{"name":"tiny:latest","digest":%q,"context_length":4096}]}`, digestB, f.digest)
	case "/api/chat":
		fmt.Fprint(w, `{"model":"tiny","message":{"role":"assistant","content":""},"done":true,"done_reason":"load"}`)
	default:
		plain(404, "404 page not found")(w, r, n)
	}
}

func TestPrepareSaysWhichModelItIs(t *testing.T) {
	f := newFake()
	opts, err := ParseOptions([]byte(`{"context": 4096, "num_thread": 1, "keep_alive": -1, "output": 64}`))
	if err != nil {
		t.Fatal(err)
	}
	c := serve(t, Config{Options: opts, Protocol: agent.ProtocolTools}, f.serve)
	id, err := c.Prepare(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(id, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "identity.json", string(got)+"\n")
	golden(t, "prepare-requests.txt", strings.Join(f.asked, "\n")+"\n")
	if err := c.Verify(t.Context()); err != nil {
		t.Errorf("nothing has changed, but: %v", err)
	}
	again, err := c.Prepare(t.Context())
	if err != nil || again.Digest != id.Digest {
		t.Errorf("a second Prepare gives %q, %v", again.Digest, err)
	}
}

func TestWhatPrepareRefuses(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		name, want, reason string
		cfg                Config
		change             func(f *fake)
	}{
		{"not-there", "provider/model_not_found", "nearest names first", Config{Name: "tinny"}, func(f *fake) { f.names = []string{"zeta", "tiny:latest", "alpha:1b"} }},
		{"nothing-near", "provider/model_not_found", "then what there is", Config{Name: "qwen3:8b"}, func(f *fake) {}},
		{"no-models", "provider/model_not_found", "a fresh server", Config{}, func(f *fake) { f.names = nil }},
		{"many-models", "provider/model_not_found", "a list that stays readable", Config{Name: "qwen3:8b"}, func(f *fake) {
			f.names = nil
			for i := range 15 {
				f.names = append(f.names, fmt.Sprintf("model-number-%02d", i))
			}
		}},
		{"hostile-name", "provider/model_not_found", "names are text from outside", Config{Name: "qwen3:8b"}, func(f *fake) { f.names = []string{"\x1b[2J\u009bx"} }},
		{"other-tag", "provider/model_not_found", "tiny:1b is another model", Config{}, func(f *fake) { f.names = []string{"tiny:1b"} }},
		{"no-digest", "adapter/bad_reply", "a model without identity cannot be recorded", Config{}, func(f *fake) { f.digest = "sha256:12" }},
		{"cannot-chat", "adapter/unsupported", "found before any episode", Config{}, func(f *fake) { f.show = `{"capabilities":["embedding"]}` }},
		{"no-tools", "adapter/unsupported", "found before any episode", Config{Protocol: agent.ProtocolTools}, func(f *fake) { f.show = `{"capabilities":["completion"]}` }},
		{"no-thinking", "adapter/unsupported", "found before any episode", Config{Options: Options{Think: true}}, func(f *fake) {}},
		{"does-not-load", "provider/http_status", "not enough memory, say", Config{}, func(f *fake) { f.answer["/api/chat"] = refuse(500, "model requires more system memory (9 GiB)") }},
		{"load-is-a-reply", "adapter/bad_reply", "an empty conversation was not understood as one", Config{}, func(f *fake) { f.answer["/api/chat"] = answer(done) }},
		{"load-has-no-end", "adapter/bad_reply", "no model is to blame for saying nothing", Config{}, func(f *fake) { f.answer["/api/chat"] = answer() }},
		{"not-ollama", "provider/http_status", "another server at the address", Config{}, func(f *fake) { f.answer["/api/version"] = plain(404, "nothing here") }},
		{"html", "adapter/bad_reply", "another server that is friendlier", Config{}, func(f *fake) { f.answer["/api/version"] = body("text/html", "<html>") }},
		{"empty-list", "adapter/bad_reply", "the client takes an empty body for an empty list", Config{}, func(f *fake) { f.answer["/api/tags"] = body("text/html", "") }},
		{"cut-list", "provider/network_error", "a list that may lack the model", Config{}, func(f *fake) {
			f.answer["/api/tags"] = raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"models\":[")
		}},
		{"endless-list", "adapter/too_large", "no list fills the memory", Config{MaxReply: 1000}, func(f *fake) { f.answer["/api/tags"] = body("application/json", strings.Repeat(" ", 2000)) }},
		{"busy", "provider/http_status", "tried again first", Config{}, func(f *fake) { f.answer["/api/show"] = refuse(503, "busy") }},
		{"ps-fails", "provider/http_status", "nothing fails in silence", Config{}, func(f *fake) { f.answer["/api/ps"] = refuse(500, "oops") }},
	} {
		f := newFake()
		c.change(f)
		_, err := serve(t, c.cfg, f.serve).Prepare(t.Context())
		if kind(err) != c.want {
			t.Errorf("%s: error %q (%v), want %q (%s)", c.name, kind(err), err, c.want, c.reason)
			continue
		}
		fmt.Fprintf(&b, "%s\n    %s\n", c.name, err)
	}
	golden(t, "prepare-errors.txt", b.String())
}

// A drip is a body that says nothing but a blank each second, until its request ends.
type drip struct{ ctx context.Context }

func (d drip) Read(p []byte) (int, error) {
	select {
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	case <-time.After(time.Second):
		p[0] = ' '
		return 1, nil
	}
}

// stuckAt carries requests to a fake, but for those of a path, which it never comes to an end with.
type stuckAt struct {
	fake  *fake
	path  string
	begun bool // an answer begins
}

func (s stuckAt) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path != s.path {
		w := httptest.NewRecorder()
		if r.Body == nil {
			r.Body = http.NoBody
		}
		s.fake.serve(w, r, 1)
		return w.Result(), nil
	}
	if s.begun {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(drip{r.Context()}), ContentLength: -1}, nil
	}
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// A server that never comes to an end of an answer holds nobody up for ever.
func TestPrepareWaitsOnlySoLong(t *testing.T) {
	for _, path := range []string{"/api/version", "/api/tags", "/api/show", "/api/chat", "/api/ps"} {
		for _, begun := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				c, err := New(Config{Name: "tiny", Transport: stuckAt{newFake(), path, begun}})
				if err != nil {
					t.Fatal(err)
				}
				most, says := 15*time.Second, "no whole answer from http://127.0.0.1:11434"+path+" within 15s"
				if path == "/api/chat" {
					most, says = 10*time.Minute, `model "tiny" was not loaded within 10m0s`
				}
				start := time.Now()
				_, err = c.Prepare(t.Context())
				if kind(err) != "provider/timeout" || !strings.Contains(err.Error(), says) || time.Since(start) != most {
					t.Errorf("%s, begun %v: %v after %s", path, begun, err, time.Since(start))
				}
				ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
				defer cancel()
				start = time.Now()
				if _, err := c.Prepare(ctx); err != context.DeadlineExceeded || time.Since(start) != 2500*time.Millisecond {
					t.Errorf("%s, begun %v: with a context that ends %v after %s", path, begun, err, time.Since(start))
				}
			})
		}
	}
}

func TestPrepareStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := newFake()
	f.answer["/api/show"] = func(w http.ResponseWriter, r *http.Request, n int) { cancel(); <-r.Context().Done() }
	if _, err := serve(t, Config{}, f.serve).Prepare(ctx); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

func TestVerify(t *testing.T) {
	f := newFake()
	c := serve(t, Config{}, f.serve)
	if err := c.Verify(t.Context()); kind(err) != "adapter/model_changed" {
		t.Errorf("before Prepare: %v", err)
	}
	if _, err := c.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.digest = digestB
	err := c.Verify(t.Context())
	if kind(err) != "provider/model_changed" || !strings.Contains(err.Error(), digestA) || !strings.Contains(err.Error(), digestB) {
		t.Errorf("after a change: %v", err)
	}
	f.names = nil
	if err := c.Verify(t.Context()); kind(err) != "provider/model_not_found" {
		t.Errorf("after removal: %v", err)
	}
}

// The identity of an older server, which lists no capabilities, is not held against its model.
func TestAServerThatListsNoCapabilitiesIsBelieved(t *testing.T) {
	f := newFake()
	f.show = `{"template":"x"}`
	if _, err := serve(t, Config{Protocol: agent.ProtocolTools, Options: Options{Think: true}}, f.serve).Prepare(t.Context()); err != nil {
		t.Error(err)
	}
}

var _ agent.Preparer = (*Client)(nil)
