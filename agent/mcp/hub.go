package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"benchwright/agent"
	"benchwright/agent/command"
	"benchwright/tasks"
)

// A Hub serves episodes over HTTP, each at an address of its own:
//
//	POST /episodes               hands out the next episode that nobody has: {"url", "prompt", "done"};
//	                             204 when there is none yet
//	GET  /episodes               counts them: {"waiting", "playing", "ended"}
//	     /episode/<token>/mcp    the world of one episode, by streamable HTTP
//	GET  /episode/<token>/prompt what the user asks for
//	POST /episode/<token>/done   says that the harness is finished
//
// A hub made by [Listen] with alone set serves one episode, which is at /mcp, /prompt and /done.
// Tokens cannot be guessed. It answers only for hosts that are really this machine's, refuses
// pages of other origins, and bounds headers, bodies, requests at once and time.
type Hub struct {
	opts   Options
	alone  bool
	l      net.Listener
	server *http.Server
	base   string
	busy   chan struct{} // a token for each request that is being answered

	mu       sync.Mutex
	byToken  map[string]*place
	waiting  []*place // in the order in which they came
	arrived  chan struct{}
	ended    int
	stopping bool
}

// A place is an episode at its address.
type place struct {
	*episode
	token   string
	handler http.Handler
	serving sync.WaitGroup // requests, the standing ones left out
}

// Listen opens a hub at an address, host:port; port 0 takes any free one, and no host is the
// loopback interface.
func Listen(addr string, alone bool, o Options) (*Hub, error) {
	if host, port, err := net.SplitHostPort(addr); err == nil && host == "" {
		addr = net.JoinHostPort("127.0.0.1", port)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	h := &Hub{opts: o, alone: alone, l: l, base: "http://" + reachable(l.Addr()), busy: make(chan struct{}, maxRequests),
		byToken: map[string]*place{}, arrived: make(chan struct{})}
	h.server = &http.Server{
		Handler:           guard(http.NewCrossOriginProtection().Handler(h), addr),
		ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
	}
	go h.server.Serve(l)
	return h, nil
}

// reachable is an address at which this machine reaches a listener.
func reachable(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return a.String()
}

const (
	maxRequests = 256              // at once, over all episodes
	bodyTime    = 30 * time.Second // for the body of a request
	handTime    = 25 * time.Second // that a request for an episode waits for one
	lastWords   = 30 * time.Second // that an episode which is over still says so
)

// URL is where the hub is.
func (h *Hub) URL() string { return h.base }

// Agent returns the agent of one episode: whoever takes it.
func (h *Hub) Agent(d tasks.Dialect) agent.Agent { return &guest{hub: h, dialect: d} }

// A guest is a harness that comes to the hub, or is started for it.
type guest struct {
	hub     *Hub
	dialect tasks.Dialect
	launch  func(ctx context.Context, s *agent.Session, p *place) error // starts the harness and waits for it; may be nil
}

// Play implements agent.Agent.
func (g *guest) Play(ctx context.Context, s *agent.Session) error {
	e, err := open(ctx, s, g.dialect, g.hub.opts)
	if err != nil {
		return err
	}
	p, err := g.hub.add(e, g.launch == nil)
	if err != nil {
		return err
	}
	defer g.hub.retire(p)
	defer e.report()
	if g.launch != nil {
		return g.launch(ctx, s, p)
	}
	return e.await(ctx)
}

// add gives an episode its address.
func (h *Hub) add(e *episode, offered bool) (*place, error) {
	p := &place{episode: e, token: command.Token()}
	p.handler = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return e.server }, &sdk.StreamableHTTPOptions{
		JSONResponse: true, SessionTimeout: h.opts.idle(), MaxRequestBodyBytes: MaxMessage,
		DisableLocalhostProtection: true, // guard knows which hosts are meant
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopping {
		return nil, errors.New("mcp: the listener is closed")
	}
	if h.alone {
		if len(h.byToken) > 0 {
			return nil, errors.New("mcp: a second episode at the address of one")
		}
		p.token = ""
		e.claim() // whoever is told the address
	}
	h.byToken[p.token] = p
	if offered && !h.alone {
		h.waiting = append(h.waiting, p)
		close(h.arrived)
		h.arrived = make(chan struct{})
	}
	return p, nil
}

// retire takes an episode off. For a while its address still answers that it is over.
func (h *Hub) retire(p *place) {
	h.mu.Lock()
	h.ended++
	h.mu.Unlock()
	p.leave()
	time.AfterFunc(lastWords, func() { h.remove(p) })
}

func (h *Hub) remove(p *place) {
	h.mu.Lock()
	if h.byToken[p.token] == p {
		delete(h.byToken, p.token)
	}
	h.mu.Unlock()
	p.retire()
}

// Close ends the hub, once the requests that are being answered are, but within ctx.
func (h *Hub) Close(ctx context.Context) {
	h.mu.Lock()
	h.stopping = true
	var all []*place
	for _, p := range h.byToken {
		all = append(all, p)
	}
	h.mu.Unlock()
	for _, p := range all {
		answered := make(chan struct{})
		go func() { p.serving.Wait(); close(answered) }()
		select {
		case <-answered:
		case <-ctx.Done():
		}
		h.remove(p)
	}
	if h.server.Shutdown(ctx) != nil {
		h.server.Close()
	}
}

func (h *Hub) url(p *place, what string) string {
	if h.alone {
		return h.base + "/" + what
	}
	return h.base + "/episode/" + p.token + "/" + what
}

// ServeHTTP implements http.Handler.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case h.busy <- struct{}{}:
		defer func() { <-h.busy }()
	default:
		http.Error(w, "too many requests at once", http.StatusServiceUnavailable)
		return
	}
	if r.Method == http.MethodPost { // a GET may stand open for events
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime))
	}
	token, what, ok := "", strings.TrimPrefix(r.URL.Path, "/"), h.alone
	if !h.alone {
		if r.URL.Path == "/episodes" {
			h.index(w, r)
			return
		}
		if rest, found := strings.CutPrefix(r.URL.Path, "/episode/"); found {
			token, what, ok = strings.Cut(rest, "/")
		}
	}
	h.mu.Lock()
	p := h.byToken[token]
	if h.stopping {
		p = nil
	}
	if p != nil {
		p.serving.Add(1)
	}
	h.mu.Unlock()
	if p == nil || !ok {
		if p != nil {
			p.serving.Done()
		}
		http.Error(w, "there is no such episode, or it is over", http.StatusNotFound)
		return
	}
	done := sync.OnceFunc(p.serving.Done)
	defer done()
	switch {
	case what == "mcp":
		if r.Method == http.MethodGet {
			done() // it stands open until the session is closed
		}
		if r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "" && p.full() {
			http.Error(w, "the episode has too many sessions", http.StatusServiceUnavailable)
			return
		}
		p.handler.ServeHTTP(w, r)
	case what == "prompt" && r.Method == http.MethodGet:
		p.claim()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintln(w, p.prompt)
	case what == "done" && r.Method == http.MethodPost:
		p.leave()
		w.WriteHeader(http.StatusNoContent)
	case what == "prompt" || what == "done":
		http.Error(w, "GET prompt, POST done", http.StatusMethodNotAllowed)
	default:
		http.NotFound(w, r)
	}
}

// index hands out episodes, or counts them.
func (h *Hub) index(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		h.mu.Lock()
		n := map[string]int{"waiting": 0, "playing": 0, "ended": h.ended}
		for _, p := range h.byToken {
			switch came, over := p.status(); {
			case over:
			case came:
				n["playing"]++
			default:
				n["waiting"]++
			}
		}
		h.mu.Unlock()
		writeJSON(w, n)
	case http.MethodPost:
		limit := time.NewTimer(handTime)
		defer limit.Stop()
		for {
			p, arrived := h.take()
			if p != nil {
				writeJSON(w, map[string]string{"url": h.url(p, "mcp"), "prompt": p.prompt, "done": h.url(p, "done")})
				return
			}
			select {
			case <-arrived:
			case <-r.Context().Done():
				return
			case <-limit.C:
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
	default:
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "POST takes the next episode, GET counts them", http.StatusMethodNotAllowed)
	}
}

// take returns the episode that waits longest, or what is closed when another arrives.
func (h *Hub) take() (*place, <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.waiting) > 0 {
		p := h.waiting[0]
		h.waiting = h.waiting[1:]
		if p.claim() {
			return p, nil
		}
	}
	return nil, h.arrived
}

// status says whether somebody has the episode, and whether it is over.
func (e *episode) status() (came, over bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.came || e.claimed, e.gone
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.Encode(v)
}

// guard refuses requests that name a host which is not this machine's, so that a page on the web
// cannot reach the listener under a name of its own. What addr names is meant; an address that is
// not on the loopback interface is reached by other addresses too.
func guard(next http.Handler, addr string) http.Handler {
	own := hostOf(addr)
	open := own == "" || !loopback(own)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostOf(r.Host)
		if host != "" && (loopback(host) || host == own || open && net.ParseIP(host) != nil) {
			next.ServeHTTP(w, r)
			return
		}
		http.Error(w, "this server does not answer for that host", http.StatusMisdirectedRequest)
	})
}

// hostOf is the host of "host:port" in lower case.
func hostOf(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(addr, "["), "]")
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
