package ollama

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/iotest"

	"benchwright/agent"
	"benchwright/grader"
)

// carry is a transport that answers every request with the same bytes.
type carry struct {
	status int
	kind   string
	body   []byte
	cut    bool
}

func (c carry) RoundTrip(r *http.Request) (*http.Response, error) {
	io.Copy(io.Discard, r.Body)
	var body io.Reader = bytes.NewReader(c.body)
	if c.cut {
		body = io.MultiReader(body, iotest.ErrReader(io.ErrUnexpectedEOF))
	}
	return &http.Response{
		StatusCode: c.status, Header: http.Header{"Content-Type": {c.kind}}, Body: io.NopCloser(body), Request: r,
		ContentLength: -1, TransferEncoding: []string{"chunked"}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}, nil
}

// FuzzStream feeds any bytes as the body of a response: there is never a panic, and always a
// whole reply or an error with a class.
func FuzzStream(f *testing.F) {
	lines := func(l ...string) []byte {
		var b []byte
		for _, s := range l {
			b = append(append(b, s...), '\n')
		}
		return b
	}
	for _, seed := range [][]byte{
		nil, lines(said("x"), done), lines(said("x")), lines(done, done), lines(`{"error":"x"}`), lines("null"), lines(said("x"), `{"mess`),
		lines(`{"model":"tiny","message":{"tool_calls":[{"function":{"name":"f","arguments":{"a":[1,2.0,{"b":null}]}}}]},"done":true}`),
		lines(`{"message":{"content":"\ud800"},"done":true,"eval_count":1e9,"prompt_eval_count":-0}`), []byte("\xff\xfe\n\r\n"),
	} {
		f.Add(seed, 200, false)
		f.Add(seed, 500, true)
	}
	f.Fuzz(func(t *testing.T, body []byte, status int, cut bool) {
		if status < 100 || status > 999 {
			return // no transport lets it through
		}
		c, err := New(Config{Name: "tiny", Transport: carry{status, "application/x-ndjson", body, cut}, MaxReply: 1 << 20, Options: Options{Retries: new(int)}})
		if err != nil {
			t.Fatal(err)
		}
		reply, usage, err := c.Model(Request{Tools: true}).Next(context.Background(), hello, nil)
		var fault *agent.Fault
		var ended *agent.Ended
		switch {
		case err == nil:
			if status != 200 || !bytes.Contains(bytes.ToLower(body), []byte("done")) {
				t.Errorf("status %d with body %q is taken for a reply: %+v", status, body, reply)
			}
		case errors.As(err, &fault):
			if fault.Code == "" || (fault.Layer != grader.LayerProvider && fault.Layer != grader.LayerAdapter) {
				t.Errorf("a fault of layer %q and code %q", fault.Layer, fault.Code)
			}
		case errors.As(err, &ended):
			if ended.End.Code == "" {
				t.Error("an end without a code")
			}
		default:
			t.Errorf("an error of no class: %v", err)
		}
		for _, n := range []*int64{usage.Input, usage.Output} {
			if n != nil && (*n < 0 || *n > 1e9) {
				t.Errorf("%d tokens", *n)
			}
		}
		if usage.Attempts != 1 || usage.Requests != 1 || reply.Began && len(body) == 0 {
			t.Errorf("usage %+v, began %v", usage, reply.Began)
		}
	})
}
