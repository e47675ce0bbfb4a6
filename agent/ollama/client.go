package ollama

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// Config says which model of which server, and how it is asked.
type Config struct {
	Name         string            // of the model, with or without a tag
	Host         string            // URL of the server; "" takes DefaultHost
	Options      Options           // of the run
	Protocol     string            // agent.ProtocolJSON (the zero value) or agent.ProtocolTools
	RetryWait    time.Duration     // before the first retry, doubled for each further one; 0 takes 200 ms
	RetryWaitMax time.Duration     // 0 takes 5 s; no Retry-After waits longer
	MaxReply     int64             // bytes of a response's body; 0 takes 64 MB
	Patience     time.Duration     // for each question of Prepare and Verify; 0 takes 15 s
	LoadWait     time.Duration     // for the model to be loaded by Prepare; 0 takes 10 min
	Transport    http.RoundTripper // carries the requests; nil takes connections of the client's own
}

// A Client is one model of one server. It is safe for concurrent use.
type Client struct {
	cfg   Config
	base  *url.URL
	api   *api.Client
	local bool
	idle  func()

	mu       sync.Mutex
	identity agent.Identity // since Prepare
}

// New returns a client; nothing is sent yet.
func New(cfg Config) (*Client, error) {
	if !model.ParseName(cfg.Name).IsValid() {
		return nil, fmt.Errorf("ollama: model name %s: want name or name:tag, as `ollama list` prints it", quote(cfg.Name))
	}
	switch cfg.Protocol {
	case "", agent.ProtocolJSON, agent.ProtocolTools:
	default:
		return nil, fmt.Errorf("ollama: protocol %s: want %q or %q", quote(cfg.Protocol), agent.ProtocolJSON, agent.ProtocolTools)
	}
	base, err := parseHost(cfg.Host)
	if err != nil {
		return nil, err
	}
	if cfg.RetryWait <= 0 {
		cfg.RetryWait = 200 * time.Millisecond
	}
	if cfg.RetryWaitMax <= 0 {
		cfg.RetryWaitMax = 5 * time.Second
	}
	if cfg.MaxReply <= 0 {
		cfg.MaxReply = 64 << 20
	}
	if cfg.Patience <= 0 {
		cfg.Patience = 15 * time.Second
	}
	if cfg.LoadWait <= 0 {
		cfg.LoadWait = 10 * time.Minute
	}
	c := &Client{cfg: cfg, base: base, local: local(base.Hostname()), idle: func() {}}
	carrier := cfg.Transport
	if carrier == nil {
		t := transport(c.local)
		carrier, c.idle = t, t.CloseIdleConnections
	}
	c.api = api.NewClient(base, httpClient(carrier, cfg))
	return c, nil
}

// Local reports whether the server is on this machine, where it shares the processors with the
// run.
func (c *Client) Local() bool { return c.local }

// Close gives idle connections back. The client can still be used.
func (c *Client) Close() { c.idle() }

// A Request is what the replies of one episode have in common.
type Request struct {
	Format       json.RawMessage // a JSON schema, "json" in quotes, or nil; passed on as it is
	OutputTokens int             // cap of one reply, by the task; 0 sets none
	Seed         int64           // of the episode; only its low 31 bits are sent
	Tools        bool            // native tool calling
}

// Model returns the model for one episode. It holds no conversation of its own, so it may be
// used again and concurrently.
func (c *Client) Model(r Request) agent.Model { return episode{c, r} }

type episode struct {
	c *Client
	r Request
}

// Next implements agent.Model.
func (e episode) Next(ctx context.Context, conv []tasks.Message, tools []sim.Tool) (agent.Reply, agent.Usage, error) {
	req, err := e.request(conv, tools)
	if err != nil {
		return agent.Reply{}, agent.Usage{}, agent.Faultf(grader.LayerAdapter, codeBadRequest, "%w", err)
	}
	reply, usage, err := e.c.chat(ctx, req)
	if !e.r.Tools {
		reply.Calls = nil
	}
	if err == nil && (reply.DoneReason == doneLoad || reply.DoneReason == doneUnload) {
		err = agent.Faultf(grader.LayerAdapter, codeBadReply, "the server says that it did %s the model, and not what the model replied", reply.DoneReason)
	}
	return reply, usage, err
}

// Done reasons of a server that was asked nothing.
const (
	doneLoad   = "load"
	doneUnload = "unload"
)

// chat has one request answered. The client's callback has nothing to do: the reply is read
// below it.
func (c *Client) chat(ctx context.Context, req *api.ChatRequest) (agent.Reply, agent.Usage, error) {
	callCtx, ex := begin(ctx, c.cfg.Name)
	defer ex.stop()
	ex.tools = len(req.Tools) > 0
	err := c.api.Chat(callCtx, req, func(api.ChatResponse) error { return nil })
	usage := agent.Usage{Requests: 1, Attempts: ex.attempts}
	if ex.stream == nil {
		return agent.Reply{Request: ex.request}, usage, c.broken(ctx, ex, err)
	}
	s := ex.stream
	reply := s.reply
	reply.Text, reply.Request, reply.Began = s.text.String(), ex.request, s.sound > 0
	usage.Input, usage.Output = s.in, s.out
	return reply, usage, c.broken(ctx, ex, s.result(err))
}

// request builds what is sent.
func (e episode) request(conv []tasks.Message, tools []sim.Tool) (*api.ChatRequest, error) {
	if len(conv) == 0 {
		return nil, fmt.Errorf("the conversation is empty")
	}
	req := e.c.template()
	req.Options["seed"] = e.r.Seed & maxSeed
	if n := e.c.cfg.Options.output(e.r.OutputTokens); n > 0 {
		req.Options["num_predict"] = n
	}
	if len(e.r.Format) > 0 {
		if !json.Valid(e.r.Format) {
			return nil, fmt.Errorf("the format is not JSON: %s", quote(string(e.r.Format)))
		}
		req.Format = e.r.Format
	}
	for i, m := range conv {
		out, err := apiMessage(m)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
		req.Messages = append(req.Messages, out)
	}
	if e.r.Tools {
		var err error
		if req.Tools, err = apiTools(tools); err != nil {
			return nil, err
		}
	}
	return req, nil
}

// template returns what all requests of the client have in common, that which loads the model
// included.
func (c *Client) template() *api.ChatRequest {
	yes, no := true, false
	return &api.ChatRequest{
		Model: c.cfg.Name, Messages: []api.Message{}, Stream: &yes, Truncate: &no, Shift: &no,
		Think: c.cfg.Options.think(), KeepAlive: c.cfg.Options.keepAlive(), Options: c.cfg.Options.sent(),
	}
}
