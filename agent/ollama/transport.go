package ollama

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"benchwright/agent"
	"benchwright/grader"
)

// An exchange is what happened below the client during one of its calls. It travels in the
// request's context and belongs to the goroutine of the call.
type exchange struct {
	model    string // that must answer; empty where nothing of a chat is expected
	tools    bool   // the request offers tools
	stop     context.CancelFunc
	request  string // SHA-256 of the body
	attempts int
	body     *tap    // of the response; nil before there was one with status 200
	stream   *stream // its objects, where a model must answer
}

type exchangeKey struct{}

// begin begins an exchange: the context is for the client's call, after which the exchange must
// be stopped.
func begin(ctx context.Context, model string) (context.Context, *exchange) {
	ctx, stop := context.WithCancel(ctx)
	ex := &exchange{model: model, stop: stop}
	return context.WithValue(ctx, exchangeKey{}, ex), ex
}

// watch is the transport between the client and the retries. It lets nothing but a response
// with status 200 through to the client, and reads that one as the client does.
type watch struct {
	next http.RoundTripper
	most int64
}

// RoundTrip implements http.RoundTripper.
func (w watch) RoundTrip(req *http.Request) (*http.Response, error) {
	ex := req.Context().Value(exchangeKey{}).(*exchange)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		h := sha256.New()
		if _, err := io.Copy(h, body); err != nil {
			return nil, err
		}
		ex.request = hex.EncodeToString(h.Sum(nil))
	}
	resp, err := w.next.RoundTrip(req)
	if err != nil {
		if resp != nil {
			resp.Body.Close()
		}
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		const most = 64 << 10 // an error is a sentence; what a proxy adds to it can wait
		body, _ := io.ReadAll(io.LimitReader(resp.Body, most))
		if err := req.Context().Err(); err != nil {
			return nil, err
		}
		msg := message(body)
		if to := resp.Header.Get("Location"); to != "" && resp.StatusCode/100 == 3 {
			msg = "redirects are not followed; this one leads to " + to
		}
		return nil, classify(resp.StatusCode, msg, ex.tools)
	}
	ex.body = &tap{src: resp.Body, left: w.most}
	resp.Body = ex.body
	if ex.model != "" {
		ex.stream = newStream(ex, resp)
		resp.Body = ex.stream
	}
	return resp, nil
}

// A tap counts the bytes of a body and remembers how it ended.
type tap struct {
	src  io.ReadCloser
	n    int64
	left int64
	err  error // that ended it, unless it was a proper end
}

// full reports whether more came than may.
func (t *tap) full() bool { return t.left <= 0 }

// Read implements io.Reader.
func (t *tap) Read(p []byte) (int, error) {
	if t.full() {
		return 0, agent.Faultf(grader.LayerAdapter, codeTooLarge, "more than %d bytes", t.n)
	}
	n, err := t.src.Read(p[:min(int64(len(p)), t.left)])
	t.n += int64(n)
	t.left -= int64(n)
	if err != nil && err != io.EOF {
		t.err = err
	}
	return n, err
}

// Close implements io.Closer.
func (t *tap) Close() error { return t.src.Close() }

// counter is the transport below the retries.
type counter struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (c counter) RoundTrip(req *http.Request) (*http.Response, error) {
	req.Context().Value(exchangeKey{}).(*exchange).attempts++
	return c.next.RoundTrip(req)
}

// httpClient returns a client that sends through base and tries again where that can help.
func httpClient(base http.RoundTripper, cfg Config) *http.Client {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	r := &retryablehttp.Client{
		HTTPClient:   &http.Client{Transport: counter{base}, CheckRedirect: stay},
		RetryMax:     cfg.Options.retries(),
		RetryWaitMin: cfg.RetryWait,
		RetryWaitMax: cfg.RetryWaitMax,
		CheckRetry:   again,
		Backoff:      pause,
		ErrorHandler: retryablehttp.PassthroughErrorHandler, // keeps status and message
	}
	return &http.Client{Transport: watch{&retryablehttp.RoundTripper{Client: r}, cfg.MaxReply}, CheckRedirect: stay}
}

// again says whether to try again. Not after status 500, which is how Ollama answers mistakes
// in the request.
func again(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if err != nil || ctx.Err() != nil {
		return retryablehttp.DefaultRetryPolicy(ctx, resp, err)
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true, nil
	}
	return false, nil
}

// pause returns the wait before the next attempt: what the server asks for, else twice the
// last, and never more than high.
func pause(low, high time.Duration, attempt int, resp *http.Response) time.Duration {
	d := retryablehttp.DefaultBackoff(low, high, attempt, resp)
	if d < 0 || d > high { // below 0: seconds that overflow a Duration
		return high
	}
	return d
}

// transport returns the connections of one Client. A proxy between this machine and itself
// would only be a mistake; for other hosts the usual variables count.
func transport(local bool) *http.Transport {
	t := &http.Transport{
		DialContext:            (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout:    10 * time.Second,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    64,
		IdleConnTimeout:        time.Minute,
		MaxResponseHeaderBytes: 1 << 18,
		DisableCompression:     true,
	}
	if !local {
		t.Proxy = http.ProxyFromEnvironment
	}
	return t
}
