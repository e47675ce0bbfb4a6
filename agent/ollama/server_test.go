package ollama

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"benchwright/agent"
	"benchwright/tasks"
)

// A handler answers request number n, from 1.
type handler func(w http.ResponseWriter, r *http.Request, n int)

// serve starts a server on loopback and returns a client of it whose waits are short.
func serve(t *testing.T, cfg Config, h handler) *Client {
	t.Helper()
	var n atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h(w, r, int(n.Add(1))) }))
	t.Cleanup(srv.Close)
	return connect(t, cfg, srv.URL)
}

func connect(t *testing.T, cfg Config, url string) *Client {
	t.Helper()
	cfg.Host = url
	if cfg.Name == "" {
		cfg.Name = "tiny"
	}
	cfg.RetryWait, cfg.RetryWaitMax = time.Microsecond, time.Millisecond
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

var hello = []tasks.Message{{Role: tasks.RoleUser, Content: "hello"}}

// said is an object in the middle of a stream.
func said(text string) string {
	return fmt.Sprintf(`{"model":"tiny","created_at":"2026-01-02T03:04:05.6Z","message":{"role":"assistant","content":%q},"done":false}`, text)
}

// done is the last object of a stream.
const done = `{"model":"tiny","created_at":"2026-01-02T03:04:05.7Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop",` +
	`"total_duration":9000,"load_duration":1000,"prompt_eval_count":21,"prompt_eval_duration":2000,"eval_count":3,"eval_duration":3000}`

// answer answers with lines of objects.
func answer(lines ...string) handler {
	return func(w http.ResponseWriter, r *http.Request, n int) { ndjson(w, lines...) }
}

func ndjson(w http.ResponseWriter, lines ...string) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	for _, l := range lines {
		io.WriteString(w, l+"\n")
		w.(http.Flusher).Flush()
	}
}

// body answers with status 200 and a body of any kind.
func body(kind, text string) handler {
	return func(w http.ResponseWriter, r *http.Request, n int) {
		w.Header().Set("Content-Type", kind)
		io.WriteString(w, text)
	}
}

// refuse answers as Ollama refuses: a status and an object with the error.
func refuse(status int, msg string) handler {
	return func(w http.ResponseWriter, r *http.Request, n int) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":%q}`, msg)
	}
}

// plain answers with a status and text that is not Ollama's.
func plain(status int, text string, header ...string) handler {
	return func(w http.ResponseWriter, r *http.Request, n int) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, text)
	}
}

// raw answers with bytes of its own making and closes the connection.
func raw(text string) handler {
	return func(w http.ResponseWriter, r *http.Request, n int) {
		readAll(r) // else closing resets the connection
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		io.WriteString(conn, text)
	}
}

// chunks writes a chunked response without its end.
func chunks(lines ...string) string {
	var b strings.Builder
	b.WriteString("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
	for _, l := range lines {
		fmt.Fprintf(&b, "%x\r\n%s\r\n", len(l), l)
	}
	return b.String()
}

// first fails the first requests and then answers.
func first(fails int, bad, good handler) handler {
	return func(w http.ResponseWriter, r *http.Request, n int) {
		if n <= fails {
			bad(w, r, n)
			return
		}
		good(w, r, n)
	}
}

// kind words an error as "provider/network_error", "ended/no_done" or the error's text.
func kind(err error) string {
	var fault *agent.Fault
	var ended *agent.Ended
	switch {
	case err == nil:
		return ""
	case errors.As(err, &fault):
		return string(fault.Layer) + "/" + fault.Code
	case errors.As(err, &ended):
		return "ended/" + ended.End.Code
	}
	return err.Error()
}
