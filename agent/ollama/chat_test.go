package ollama

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"benchwright/agent"
	"benchwright/sim"
)

// A reply case is one way for a server to answer and what must be made of it.
type replyCase struct {
	name   string
	reason string
	serve  handler
	err    string // as kind words it
	says   string // part of the error's text
	text   string
	began  bool
	tries  int   // attempts; 0 means 1
	in     int64 // 0 means unknown
	out    int64
	most   int64 // bytes of a body; 0 means more than any here
}

const length = `{"model":"tiny","message":{"role":"assistant","content":""},"done":true,"done_reason":"length","prompt_eval_count":21,"eval_count":3}`

func last(fields string) string {
	return `{"model":"tiny","message":{"content":""},"done":true,"done_reason":"stop",` + fields + `}`
}

var streams = []replyCase{
	{name: "sound", reason: "the plain case", serve: answer(said("he"), said("llo"), done), text: "hello", began: true, in: 21, out: 3},
	{name: "one-object", reason: "a server may ignore stream: true", began: true, text: "hello", in: 1, out: 2,
		serve: body("application/json; charset=utf-8", `{"model":"tiny","message":{"content":"hello"},"done":true,"prompt_eval_count":1,"eval_count":2}`)},
	{name: "other-content-type", reason: "the body decides, not its label", serve: body("text/plain", said("x")+"\n"+done), text: "x", began: true, in: 21, out: 3},
	{name: "blank-lines", reason: "they say nothing", serve: answer("", said("x"), " ", done, "", "\t"), text: "x", began: true, in: 21, out: 3},
	{name: "full-name", reason: "tiny is tiny:latest is registry.ollama.ai/library/tiny:latest", began: true,
		serve: answer(`{"model":"registry.ollama.ai/library/tiny:latest","message":{"content":"x"},"done":true}`), text: "x"},
	{name: "cut-at-output-limit", reason: "the loop reads the done reason; the reply is whole as far as the wire goes", serve: answer(said(`{"a`), length), text: `{"a`, began: true, in: 21, out: 3},

	{name: "cut", reason: "the client returns nil with the text so far", serve: raw(chunks(said("he") + "\n")),
		err: "provider/network_error", says: "cut after 114 bytes of the reply: unexpected EOF", text: "he", began: true},
	{name: "cut-in-object", reason: "half an object is no object", serve: raw(chunks(said("he")+"\n", `{"model":"tiny","mess`)),
		err: "provider/network_error", text: "he", began: true},
	{name: "cut-before-line-break", reason: "it is not known to be whole", serve: raw(chunks(said("he")+"\n", done)),
		err: "provider/network_error", text: "he", began: true},
	{name: "cut-before-first-byte", reason: "not retried: the header had come", serve: raw(chunks()), err: "provider/network_error", says: "cut after 0 bytes"},
	{name: "cut-after-done", reason: "the reply was complete", serve: raw(chunks(said("x")+"\n", done+"\n")), text: "x", began: true, in: 21, out: 3},
	{name: "short-of-its-length", reason: "another way to see a cut", began: true, text: "x",
		serve: raw("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n" + said("x") + "\n"), err: "provider/network_error"},
	{name: "without-length", reason: "a body that ends with its connection cannot tell an end from a cut", began: true, text: "x",
		serve: raw("HTTP/1.0 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n" + said("x") + "\n"), err: "provider/network_error", says: "may have been cut"},
	{name: "without-length-but-done", reason: "the last object tells", began: true, text: "x", in: 21, out: 3,
		serve: raw("HTTP/1.0 200 OK\r\n\r\n" + said("x") + "\n" + done)},

	{name: "no-done", reason: "how Ollama stops a model that repeats itself: clean end, no counts", serve: answer(said("a"), said("a")),
		err: "ended/no_done", text: "aa", began: true},
	{name: "one-object-not-done", reason: "the same without streaming", serve: body("application/json", said("aaa")), err: "ended/no_done", text: "aaa", began: true},
	{name: "no-objects", reason: "the same with tools, where blanks are held back", serve: answer(), err: "ended/no_done"},
	{name: "empty-body", reason: "that is not how a stream begins", serve: body("text/html", ""), err: "adapter/bad_reply", says: `the body is empty ("text/html")`},

	{name: "html", reason: "something else answers at this address", serve: body("text/html", "<html>\nhello</html>"),
		err: "adapter/bad_reply", says: `object 1 of the stream ("text/html"): invalid character '<' looking for beginning of value: "<html>"`},
	{name: "half-object", reason: "a clean end does not make it whole", serve: body("application/x-ndjson", said("x")+"\n"+`{"model":"ti`),
		err: "adapter/bad_reply", says: "object 2", text: "x", began: true},
	{name: "wrong-type", reason: "content must be text", serve: answer(said("x"), `{"message":{"content":5},"done":false}`), err: "adapter/bad_reply", text: "x", began: true},
	{name: "done-is-text", reason: "\"false\" must not count as either", serve: answer(`{"message":{"content":""},"done":"false"}`), err: "adapter/bad_reply"},
	{name: "no-object", reason: "null decodes into anything", serve: answer("null"), err: "adapter/bad_reply", says: "it has no message"},
	{name: "list", reason: "JSON, but no object", serve: answer("[]"), err: "adapter/bad_reply"},
	{name: "other-object", reason: "JSON of something else", serve: answer(`{"status":"success"}`), err: "adapter/bad_reply", says: "no message"},
	{name: "only-the-client-minds", reason: "what its types refuse is not passed over", serve: answer(`{"created_at":5,"message":{"content":"x"},"done":false}`),
		err: "adapter/bad_reply", says: "object 1", text: "x", began: true},
	{name: "two-ends", reason: "which one counts?", serve: answer(said("x"), done, done), err: "adapter/bad_reply", says: "more after", text: "x", began: true, in: 21, out: 3},
	{name: "text-after-done", reason: "it belongs to nothing", serve: answer(said("x"), done, "bye"), err: "adapter/bad_reply", text: "x", began: true, in: 21, out: 3},
	{name: "hostile-text", reason: "no control sequence reaches a message", serve: answer("\x1b[2J\u009b1m"), err: "adapter/bad_reply", says: `"\x1b[2J\u009b1m"`},
	{name: "huge-object", reason: "the client takes a line of 8 MB for the end", serve: answer(said(strings.Repeat("x", maxLine))),
		err: "adapter/too_large", says: "object 1 has more than 4194304 bytes"},
	{name: "endless", reason: "a model that does not stop: no reply fills the memory", began: true, serve: endless(said("")),
		err: "ended/reply_too_large", says: "went on after 50000 bytes", most: 50_000},
	{name: "endless-thinking", reason: "nor do thoughts", began: true, serve: endless(`{"model":"tiny","message":{"content":"","thinking":"` + strings.Repeat("hm ", 99) + `"},"done":false}`),
		err: "ended/reply_too_large", most: 50_000},
	{name: "endless-blanks", reason: "it is not a model that says nothing", serve: endless(" "), err: "adapter/too_large", says: "more than 50000 bytes", most: 50_000},
	{name: "endless-blanks-after-text", reason: "nor does it go on with nothing", began: true, text: "x", serve: after(answer(said("x")), endless(" ")), err: "adapter/too_large", most: 50_000},
	{name: "endless-line", reason: "nor write half an object", serve: endless(`{"model":"tiny","message":{"content":"`, "xxxx"), err: "adapter/too_large", most: 50_000},
	{name: "blanks-without-end", reason: "the reply was complete", began: true, in: 21, out: 3, serve: after(answer(done), endless(" ")), most: 50_000},
	{name: "megabytes-of-blanks", reason: "the same", began: true, in: 21, out: 3, serve: after(answer(done), endless(strings.Repeat(" ", 1<<16)))},
	{name: "connection-left-open", reason: "the same: nobody waits for its end", began: true, text: "x", in: 21, out: 3,
		serve: after(answer(said("x"), done), func(w http.ResponseWriter, r *http.Request, n int) { <-r.Context().Done() })},
	{name: "loaded", reason: "a server that was asked nothing answers so; this one was", began: true,
		serve: answer(`{"model":"tiny","message":{"content":""},"done":true,"done_reason":"load"}`), err: "adapter/bad_reply", says: "did load the model"},
	{name: "unloaded", reason: "the same", began: true,
		serve: answer(`{"model":"tiny","message":{"content":""},"done":true,"done_reason":"unload"}`), err: "adapter/bad_reply", says: "did unload the model"},

	{name: "no-counts", reason: "a count that is not given is unknown, never 0", serve: answer(said("x"), `{"model":"tiny","message":{"content":""},"done":true,"done_reason":"stop"}`), text: "x", began: true},
	{name: "null-counts", reason: "the same, spelled out", serve: answer(last(`"prompt_eval_count":null,"eval_count":null`)), began: true},
	{name: "zero-prompt", reason: "no prompt is empty", serve: answer(last(`"prompt_eval_count":0,"eval_count":2`)), began: true, out: 2},
	{name: "zero-output-with-text", reason: "nor is a text", serve: answer(said("x"), last(`"prompt_eval_count":2,"eval_count":0`)), text: "x", began: true, in: 2},
	{name: "negative-counts", reason: "what cannot be a count is unknown", serve: answer(last(`"prompt_eval_count":-1,"eval_count":-5`)), began: true},
	{name: "absurd-counts", reason: "the client's types refuse these, and with them the reply", serve: answer(said("x"), last(`"prompt_eval_count":1e30,"eval_count":99999999999999999999`)), text: "x", began: true},
	{name: "fractional-counts", reason: "half a token", serve: answer(last(`"prompt_eval_count":1.5,"eval_count":"3"`)), began: true},

	{name: "another-model", reason: "its replies would be booked on this one", serve: answer(said("x"), `{"model":"huge","message":{"content":"y"},"done":true}`),
		err: "adapter/wrong_model", says: `"huge" answered for "tiny"`, text: "x", began: true},
	{name: "another-tag", reason: "tiny:1b is not tiny:latest", serve: answer(`{"model":"tiny:1b","message":{"content":"y"},"done":true}`), err: "adapter/wrong_model"},

	{name: "runner-dies", reason: "status 200, then an object with an error", began: true, text: "x",
		serve: answer(said("x"), `{"error":"an error was encountered while running the model: unexpected EOF"}`),
		err:   "provider/runner_error", says: "in the stream: \"an error was encountered"},
	{name: "error-that-is-no-text", reason: "the client takes it for text", serve: answer(`{"error":{"code":7}}`), err: "provider/runner_error", says: `{\"code\":7}`},
	{name: "empty-error", reason: "the client ignores it", serve: answer(said("x"), `{"error":""}`, done), err: "provider/runner_error", text: "x", began: true},
	{name: "unread-tool-call", reason: "the model wrote it, so the model fails",
		serve: answer(`{"error":"error parsing tool call: raw='{', err=unexpected end of JSON input"}`), err: "ended/invalid_tool_call"},
	{name: "context-in-stream", reason: "as with status 400", serve: answer(`{"error":"the input length exceeds the context length"}`), err: "ended/context_exceeded"},
}

var statuses = []replyCase{
	{name: "unknown-model", reason: "nothing to retry", serve: refuse(404, "model 'tiny' not found"), err: "provider/model_not_found", says: `status 404: "model 'tiny' not found"`},
	{name: "pull-it-first", reason: "the scheduler's words for it", serve: refuse(404, `model "tiny" not found, try pulling it first`), err: "provider/model_not_found"},
	{name: "wrong-path", reason: "no Ollama at this address", serve: plain(404, "404 page not found"), err: "provider/http_status", says: "an Ollama server?"},
	{name: "wrong-method", reason: "no Ollama at this address", serve: plain(405, "405 method not allowed"), err: "provider/http_status", says: `"405 method not allowed"`},
	{name: "no-model-name", reason: "a mistake in the request", serve: refuse(400, "model is required"), err: "adapter/bad_request"},
	{name: "no-body", reason: "a mistake in the request", serve: refuse(400, "missing request body"), err: "adapter/bad_request"},
	{name: "broken-json", reason: "a mistake in the request", serve: refuse(400, "unexpected EOF"), err: "adapter/bad_request"},
	{name: "no-tools", reason: "a mistake in the choice of model", serve: refuse(400, "registry.ollama.ai/library/tiny:latest does not support tools"), err: "adapter/unsupported", says: "json protocol"},
	{name: "no-thinking", reason: "the same", serve: refuse(400, `"tiny" does not support thinking`), err: "adapter/unsupported"},
	{name: "no-thinking-level", reason: "the same", serve: refuse(400, `think value "low" is not supported for this model`), err: "adapter/unsupported"},
	{name: "context", reason: "whose doing it is depends on the turn, which the loop knows", serve: refuse(400, "the input length exceeds the context length"), err: "ended/context_exceeded"},
	{name: "bad-format", reason: "status 500 for a mistake in the request", serve: refuse(500, `invalid format: "5"; expected "json" or a valid JSON Schema object`), err: "adapter/bad_request"},
	{name: "bad-schema", reason: "the same", serve: refuse(500, "invalid JSON schema in format"), err: "adapter/bad_request"},
	{name: "bad-option", reason: "the same", serve: refuse(500, `option "temperature" must be of type float32`), err: "adapter/bad_request"},
	{name: "runner-stopped", reason: "also how a grammar that is too large ends", err: "provider/runner_error",
		serve: refuse(500, "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details")},
	{name: "other-500", reason: "status 500 is not retried", serve: refuse(500, "model requires more system memory"), err: "provider/http_status"},
	{name: "500-with-retry-after", reason: "not even then", serve: plain(500, "oops", "Retry-After", "1"), err: "provider/http_status"},
	{name: "501", reason: "not retried", serve: plain(501, ""), err: "provider/http_status", says: "status 501"},
	{name: "unread-tool-call-500", reason: "before anything was sent it is a status", serve: refuse(500, "error parsing tool call: raw='x'"), err: "ended/invalid_tool_call"},
	{name: "error-without-body", reason: "the client returns nil and never calls back", serve: plain(500, ""), err: "provider/http_status", says: "status 500"},
	{name: "unauthorized", reason: "the client has a type of its own for it", serve: refuse(401, "unauthorized"), err: "provider/http_status", says: "401"},
	{name: "html-error", reason: "a proxy's page is quoted and cut", serve: plain(403, "<html>"+strings.Repeat("\x1b", 900)), err: "provider/http_status", says: "… (906 bytes)"},
	{name: "no-content", reason: "success without a reply", serve: plain(204, ""), err: "provider/http_status", says: "204"},
	{name: "redirect", reason: "the conversation goes where it was sent, or nowhere", serve: plain(307, "", "Location", "http://127.0.0.1:1/api/chat"),
		err: "provider/http_status", says: "redirects are not followed"},

	{name: "busy", reason: "the queue is full; tried to the end", serve: refuse(503, "server busy, please try again.  maximum pending requests exceeded"),
		err: "provider/http_status", says: "maximum pending requests exceeded\" (4 attempts)", tries: 4},
	{name: "busy-once", reason: "a retry helps", serve: first(1, refuse(503, "server busy"), answer(said("x"), done)), text: "x", began: true, tries: 2, in: 21, out: 3},
	{name: "429-then-502-then-504", reason: "each of them is worth another try", tries: 4, text: "x", began: true, in: 21, out: 3,
		serve: first(1, plain(429, ""), first(2, plain(502, ""), first(3, plain(504, ""), answer(said("x"), done))))},
	{name: "retry-after-an-hour", reason: "the wait is capped", serve: plain(429, "", "Retry-After", "3600"), err: "provider/http_status", says: "(4 attempts)", tries: 4},
	{name: "retry-after-eternity", reason: "nor does it overflow into no wait at all", serve: plain(503, "", "Retry-After", "9223372036854775807"), err: "provider/http_status", tries: 4},
	{name: "retry-after-a-date", reason: "the other form", serve: plain(503, "", "Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"), err: "provider/http_status", tries: 4},
	{name: "retry-after-nonsense", reason: "ignored", serve: plain(503, "", "Retry-After", "soon"), err: "provider/http_status", tries: 4},
	{name: "hang-up", reason: "the connection ends before the header", serve: raw(""), err: "provider/network_error", says: "EOF", tries: 4},
	{name: "hang-up-once", reason: "a retry helps", serve: first(1, raw(""), answer(said("x"), done)), text: "x", began: true, tries: 2, in: 21, out: 3},
	{name: "not-http", reason: "something else listens there", serve: raw("SSH-2.0-x\r\n"), err: "provider/network_error", tries: 4},
	{name: "cut-is-not-retried", reason: "a second inference would hide the first", serve: first(1, raw(chunks(said("x")+"\n")), answer(said("y"), done)),
		err: "provider/network_error", text: "x", began: true},
	{name: "cut-after-retry", reason: "attempts are counted all the same", serve: first(1, plain(503, ""), raw(chunks(said("x")+"\n"))),
		err: "provider/network_error", text: "x", began: true, tries: 2},
}

func TestEveryWayToAnswer(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range append(append([]replyCase{}, streams...), statuses...) {
		if c.reason == "" || seen[c.name] {
			t.Fatalf("case %q: it needs a reason and a name of its own", c.name)
		}
		seen[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cl := serve(t, Config{MaxReply: c.most}, c.serve)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			reply, usage, err := cl.Model(Request{}).Next(ctx, hello, nil)
			fail := func(format string, args ...any) {
				t.Helper()
				t.Errorf("%s\n(%s)", fmt.Sprintf(format, args...), c.reason)
			}
			if kind(err) != c.err {
				fail("error %q (%v), want %q", kind(err), err, c.err)
			}
			if err != nil && !strings.Contains(err.Error()+detail(err), c.says) {
				fail("error %q says nothing of %q", err.Error()+detail(err), c.says)
			}
			if reply.Text != c.text {
				fail("text %.100q, want %q", reply.Text, c.text)
			}
			if reply.Began != c.began {
				fail("began %v", reply.Began)
			}
			if want := max(c.tries, 1); usage.Requests != 1 || usage.Attempts != want {
				fail("%d requests, %d attempts, want 1 and %d", usage.Requests, usage.Attempts, want)
			}
			if d := cmp.Diff([]*int64{known(c.in), known(c.out), nil, nil}, []*int64{usage.Input, usage.Output, usage.Cached, usage.Reasoning}); d != "" {
				fail("input, output, cached, reasoning (-want +got):\n%s", d)
			}
			if len(reply.Request) != 64 {
				fail("the request's digest is %q", reply.Request)
			}
		})
	}
}

// endless answers with the first text, and then the last one over and over.
func endless(texts ...string) handler {
	return func(w http.ResponseWriter, r *http.Request, n int) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		for i := 0; r.Context().Err() == nil; i++ {
			text := texts[min(i, len(texts)-1)]
			if strings.HasSuffix(text, "}") {
				text += "\n"
			}
			if _, err := io.WriteString(w, text); err != nil {
				return
			}
		}
	}
}

// after answers with one and goes on with another.
func after(one, other handler) handler {
	return func(w http.ResponseWriter, r *http.Request, n int) {
		one(w, r, n)
		other(w, r, n)
	}
}

// A text without end is not read to any end; its beginning is there.
func TestAnEndlessText(t *testing.T) {
	c := serve(t, Config{}, endless(said(strings.Repeat("x", 1<<20))))
	reply, _, err := c.Model(Request{}).Next(t.Context(), hello, nil)
	if kind(err) != "ended/reply_too_large" || len(reply.Text) <= agent.MaxReply || len(reply.Text) > agent.MaxReply+1<<20 || !reply.Began {
		t.Errorf("%v after %d bytes", err, len(reply.Text))
	}
	c = serve(t, Config{}, endless(`{"model":"tiny","message":{"tool_calls":[{"function":{"name":"f","arguments":{"a":"`+strings.Repeat("x", 1<<20)+`"}}}]},"done":false}`))
	if reply, _, err = c.Model(Request{Tools: true}).Next(t.Context(), hello, nil); kind(err) != "ended/reply_too_large" || len(reply.Calls) != 4 {
		t.Errorf("%v after %d calls", err, len(reply.Calls))
	}
}

// What a server could not read, the model may have written only where it was offered tools;
// otherwise the text must say that it was the model's.
func TestWhoWroteWhatCannotBeRead(t *testing.T) {
	for _, c := range []struct{ msg, plain, tools, reason string }{
		{"invalid character '<' looking for beginning of value", "provider", "ended/invalid_tool_call", "a proxy's page, or a call"},
		{"unexpected end of JSON input", "provider", "ended/invalid_tool_call", "a runner that died, or a call"},
		{"XML syntax error on line 1: unexpected EOF", "provider", "ended/invalid_tool_call", "the same"},
		{"failed to parse JSON: unexpected EOF", "provider", "ended/invalid_tool_call", "the same"},
		{"error parsing tool call: raw='{'", "ended/invalid_tool_call", "ended/invalid_tool_call", "a model may write a call also where nobody asked for one"},
		{"mismatched arg_key and arg_value counts", "ended/invalid_tool_call", "ended/invalid_tool_call", "the same"},
	} {
		for _, h := range []struct {
			name  string
			serve handler
			code  string
		}{{"status", refuse(500, c.msg), "http_status"}, {"stream", answer(fmt.Sprintf(`{"error":%q}`, c.msg)), "runner_error"}} {
			for _, offered := range [][]sim.Tool{nil, abacus} {
				want := c.plain
				if offered != nil {
					want = c.tools
				}
				if want == "provider" {
					want += "/" + h.code
				}
				_, _, err := serve(t, Config{}, h.serve).Model(Request{Tools: offered != nil}).Next(t.Context(), hello, offered)
				if kind(err) != want {
					t.Errorf("%s with %d tools, %q: %v, want %s (%s)", h.name, len(offered), c.msg, err, want, c.reason)
				}
			}
		}
	}
}

func known(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

func detail(err error) string {
	if e, ok := err.(*agent.Ended); ok {
		return e.End.Detail
	}
	return ""
}

func TestAServerThatIsDown(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	c := connect(t, Config{Options: Options{Retries: ptr(2)}}, "http://"+l.Addr().String())
	reply, usage, err := c.Model(Request{}).Next(t.Context(), hello, nil)
	if kind(err) != "provider/network_error" || !strings.Contains(err.Error(), "connection refused; is the server running there? (3 attempts)") {
		t.Errorf("error %v", err)
	}
	if reply.Began || usage.Attempts != 3 {
		t.Errorf("began %v, attempts %d", reply.Began, usage.Attempts)
	}
}

func TestTheBodyIsTheSameInEveryAttempt(t *testing.T) {
	var bodies []string
	c := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request, n int) {
		bodies = append(bodies, readAll(r))
		if n < 3 {
			plain(503, "")(w, r, n)
			return
		}
		ndjson(w, done)
	})
	reply, _, err := c.Model(Request{Seed: 9}).Next(t.Context(), hello, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(bodies) != 3 || bodies[0] != bodies[1] || bodies[1] != bodies[2] {
		t.Errorf("bodies differ: %q", bodies)
	}
	if want := digest(bodies[0]); reply.Request != want {
		t.Errorf("the reply names request %s, sent was %s", reply.Request, want)
	}
}

func TestDeadlines(t *testing.T) {
	// hang waits until the client goes away; the limit is for a test that fails.
	hang := func(r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	}
	for _, c := range []struct {
		name, reason, text string
		began              bool
		serve              func(end func()) handler
	}{
		{"before-header", "nothing had come: the provider's doing", "", false, func(end func()) handler {
			return func(w http.ResponseWriter, r *http.Request, n int) { readAll(r); end(); hang(r) }
		}},
		{"after-header", "a header is no byte of the reply", "", false, func(end func()) handler {
			return func(w http.ResponseWriter, r *http.Request, n int) {
				readAll(r)
				ndjson(w)
				w.(http.Flusher).Flush()
				end()
				hang(r)
			}
		}},
		{"in-reply", "the client returns nil; the model was too slow", "x", true, func(end func()) handler {
			return func(w http.ResponseWriter, r *http.Request, n int) {
				readAll(r)
				ndjson(w, said("x"))
				time.AfterFunc(20*time.Millisecond, end)
				hang(r)
			}
		}},
		{"in-blanks", "blanks say nothing, so nothing had come", "", false, func(end func()) handler {
			return func(w http.ResponseWriter, r *http.Request, n int) {
				readAll(r)
				ndjson(w, "", " ", "\t")
				time.AfterFunc(20*time.Millisecond, end)
				hang(r)
			}
		}},
		{"in-first-object", "nor does half an object", "", false, func(end func()) handler {
			return func(w http.ResponseWriter, r *http.Request, n int) {
				readAll(r)
				ndjson(w)
				io.WriteString(w, said("x")[:90])
				w.(http.Flusher).Flush()
				time.AfterFunc(20*time.Millisecond, end)
				hang(r)
			}
		}},
		{"in-error-body", "a refusal that never ends is none", "", false, func(end func()) handler {
			return func(w http.ResponseWriter, r *http.Request, n int) {
				readAll(r)
				w.WriteHeader(400)
				w.(http.Flusher).Flush()
				end()
				hang(r)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			cl := serve(t, Config{}, c.serve(cancel))
			reply, usage, err := cl.Model(Request{}).Next(ctx, hello, nil)
			if err != context.Canceled {
				t.Errorf("error %v, want the context's (%s)", err, c.reason)
			}
			if reply.Began != c.began || reply.Text != c.text || usage.Attempts != 1 {
				t.Errorf("began %v, text %q, attempts %d (%s)", reply.Began, reply.Text, usage.Attempts, c.reason)
			}
		})
	}
	t.Run("between-attempts", func(t *testing.T) {
		cl := serve(t, Config{}, plain(503, "", "Retry-After", "60"))
		cl.cfg.RetryWaitMax = time.Minute
		slow, err := New(cl.cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer slow.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		began := time.Now()
		_, usage, err := slow.Model(Request{}).Next(ctx, hello, nil)
		if err != context.DeadlineExceeded || usage.Attempts != 1 {
			t.Errorf("error %v, attempts %d", err, usage.Attempts)
		}
		if d := time.Since(began); d > 10*time.Second {
			t.Errorf("the wait went on for %s after the deadline", d)
		}
	})
	t.Run("over-before-it-begins", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		reply, _, err := connect(t, Config{}, "http://127.0.0.1:1").Model(Request{}).Next(ctx, hello, nil)
		if err != context.Canceled || reply.Began {
			t.Errorf("error %v, began %v", err, reply.Began)
		}
	})
}

func TestARepliesParticulars(t *testing.T) {
	c := serve(t, Config{}, answer(
		`{"model":"tiny:latest","message":{"role":"assistant","content":"","thinking":"let me see"},"done":false}`,
		`{"model":"tiny:latest","message":{"role":"assistant","content":"{}","tool_calls":[{"id":"call_x","function":{"name":"f","arguments":{}}}]},"done":false}`,
		strings.Replace(done, "tiny", "tiny:latest", 1)))
	got, _, err := c.Model(Request{}).Next(t.Context(), hello, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := agent.Reply{Text: "{}", DoneReason: "stop", Model: "tiny:latest", Thinking: 10, Request: got.Request, Began: true,
		Timing: agent.Timing{Total: 9000, Load: 1000, Prompt: 2000, Output: 3000}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("thinking counts by length, native calls do not count in the json protocol (-want +got):\n%s", d)
	}
}

func TestNativeToolCalls(t *testing.T) {
	for _, c := range []struct{ name, args, want, reason string }{
		{"canonical", `{"b": 1.0, "a": 12345678901234567890}`, `{"a":12345678901234567890,"b":1.0}`, "sorted, and numbers as they are spelled"},
		{"none", `{}`, `{}`, "a call without arguments"},
		{"null", `null`, `{}`, "the same"},
		{"duplicate", `{"a":1,"a":2}`, `{"a":1,"a":2}`, "whatever an agent says is kept for the world to judge"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cl := serve(t, Config{}, answer(`{"model":"tiny","message":{"content":"","tool_calls":[{"id":"call_8fk2","function":{"index":0,"name":"f","arguments":`+c.args+
				`}},{"function":{"name":"g"}}]},"done":false}`, done))
			reply, _, err := cl.Model(Request{Tools: true}).Next(t.Context(), hello, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := []sim.Call{{Name: "f", Arguments: []byte(c.want)}, {Name: "g", Arguments: []byte("{}")}}
			if d := cmp.Diff(want, reply.Calls); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

func TestConcurrentReplies(t *testing.T) {
	c := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request, n int) {
		if n%3 == 0 {
			plain(503, "")(w, r, n)
			return
		}
		ndjson(w, said("x"), done)
	})
	m := c.Model(Request{})
	errs := make(chan error)
	for range 16 {
		go func() {
			_, _, err := m.Next(context.Background(), hello, nil)
			errs <- err
		}()
	}
	for range 16 {
		if err := <-errs; err != nil && kind(err) != "provider/http_status" {
			t.Error(err)
		}
	}
}
