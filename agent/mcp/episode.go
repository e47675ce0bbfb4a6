package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// TaskPrompt is the name of the prompt that is the present ask.
const TaskPrompt = "task"

// Options say how worlds are served. The zero value serves them as the package says.
type Options struct {
	// Native leaves out the tools that only read documents and prompts, for harnesses that read
	// these by the protocol.
	Native bool
	// Idle is how long nothing may be heard of a client that has come. Zero takes ten minutes.
	Idle time.Duration
	// Connect is how long the first client may take. Zero takes ten minutes.
	Connect time.Duration
	// Linger is how long another HTTP session may follow one that was deleted. Zero takes two seconds.
	Linger time.Duration
	// Report is told, once an episode is over, of calls that broke published schemas. May be nil.
	Report func([]Breach)
}

func (o Options) idle() time.Duration    { return orElse(o.Idle, 10*time.Minute) }
func (o Options) connect() time.Duration { return orElse(o.Connect, 10*time.Minute) }
func (o Options) linger() time.Duration  { return orElse(o.Linger, 2*time.Second) }

func orElse(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// An episode is one world as it is served.
type episode struct {
	desk    *agent.Desk
	docs    sim.Documents
	server  *sdk.Server
	prompt  string
	opts    Options
	schemas *schemas

	left chan struct{} // closed when no client is expected to do more

	mu       sync.Mutex
	came     bool // a client has connected
	claimed  bool // somebody was handed the episode
	gone     bool // left is closed
	over     bool // the session has ended
	sessions map[*sdk.ServerSession]bool
	timer    *time.Timer // until the client counts as gone
	breaches []Breach
}

// open readies a server for an episode and puts its first ask.
func open(ctx context.Context, s *agent.Session, d tasks.Dialect, o Options) (*episode, error) {
	desk, err := agent.NewDesk(ctx, s, d)
	if err != nil {
		return nil, err
	}
	tools, err := desk.Tools()
	if err != nil {
		return nil, err
	}
	e := &episode{desk: desk, docs: s.Documents(ctx), opts: o, left: make(chan struct{}), sessions: map[*sdk.ServerSession]bool{}}
	if e.prompt, err = desk.Put(ctx); err != nil {
		return nil, err
	}
	if err := e.offer(s.Envelope().World, tools); err != nil {
		return nil, err
	}
	return e, nil
}

// offer makes the server. The library panics at what it cannot offer, which is the world's fault.
func (e *episode) offer(world string, tools []sim.Tool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = agent.Faultf(grader.LayerFixture, "offer", "world %s: %v", world, p)
		}
	}()
	can := &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{}} // which never change
	if len(e.docs.Resources) > 0 {
		can.Resources = &sdk.ResourceCapabilities{}
	}
	e.server = sdk.NewServer(&sdk.Implementation{Name: world, Version: "1"}, &sdk.ServerOptions{
		Instructions: e.prompt, Capabilities: can, PageSize: 100,
	})
	e.schemas = newSchemas(tools)
	for _, t := range tools {
		if e.opts.Native && (t.Name == e.docs.ReadTool || t.Name == e.docs.PromptTool) {
			continue
		}
		schema, err := objectSchema(t)
		if err != nil {
			return err
		}
		e.server.AddTool(&sdk.Tool{Name: t.Name, Description: t.Description, InputSchema: schema}, nowhere)
	}
	e.server.AddPrompt(&sdk.Prompt{Name: TaskPrompt, Description: "What the user asks for now, and what is to be known about it."}, nil)
	for _, p := range e.docs.Prompts {
		if p.Name != TaskPrompt {
			e.server.AddPrompt(&sdk.Prompt{Name: p.Name, Description: p.Description}, nil)
		}
	}
	for _, r := range e.docs.Resources {
		e.server.AddResource(&sdk.Resource{URI: r.URI, Name: r.Name, Description: r.Description, MIMEType: r.MIMEType}, nil)
	}
	e.server.AddReceivingMiddleware(e.receive)
	return nil
}

// objectSchema returns the schema of a tool, which MCP wants to be one of objects.
func objectSchema(t sim.Tool) (json.RawMessage, error) {
	if len(t.Schema) == 0 {
		return json.RawMessage(`{"type":"object"}`), nil
	}
	var schema map[string]any
	if err := json.Unmarshal(t.Schema, &schema); err != nil {
		return nil, agent.Faultf(grader.LayerFixture, "schema", "tool %q: %w", t.Name, err)
	}
	if schema["type"] == "object" {
		return t.Schema, nil
	}
	if schema["type"] != nil {
		return nil, agent.Faultf(grader.LayerFixture, "schema", "tool %q: its schema is not one of objects", t.Name)
	}
	schema["type"] = "object"
	return sim.Canonical(schema)
}

// nowhere is the handler of tools that receive answers itself.
func nowhere(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	return nil, errors.New("mcp: a call passed by the desk")
}

// receive answers what touches the episode, and leaves the rest to the library.
func (e *episode) receive(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		e.heard(req.GetSession(), method)
		switch p := req.GetParams().(type) {
		case *sdk.CallToolParamsRaw:
			return e.call(ctx, p)
		case *sdk.ReadResourceParams:
			if e.docs.ReadTool != "" {
				return e.read(ctx, p.URI)
			}
		case *sdk.GetPromptParams:
			switch {
			case p.Name == TaskPrompt:
				return e.task(ctx)
			case e.docs.PromptTool != "":
				return e.get(ctx, p.Name)
			}
		}
		return next(ctx, method, req)
	}
}

// call performs a tool call. What its world or budget says is a result, as MCP wants errors of
// tools to be, so that models see it.
func (e *episode) call(ctx context.Context, p *sdk.CallToolParamsRaw) (sdk.Result, error) {
	said, err := e.perform(ctx, sim.Call{Name: p.Name, Arguments: p.Arguments})
	res := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: said.Text}}, IsError: said.Error}
	if err != nil {
		text, broken := e.ending(err)
		if broken {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: text}
		}
		if said.Text == "" {
			res.Content, res.IsError = []sdk.Content{&sdk.TextContent{Text: text}}, true
		}
		return res, nil
	}
	if b := e.schemas.check(p.Name, p.Arguments); b != "" {
		e.mu.Lock()
		if len(e.breaches) < maxBreaches {
			e.breaches = append(e.breaches, Breach{Tool: short(p.Name), Problem: b})
		}
		e.mu.Unlock()
		res.Meta = sdk.Meta{"benchwright/schema": b}
	}
	return res, nil
}

// perform is Desk.Call, and notices the end of the episode.
func (e *episode) perform(ctx context.Context, c sim.Call) (agent.Said, error) {
	said, err := e.desk.Call(ctx, c)
	if e.desk.Over() {
		e.end()
	}
	return said, err
}

// ending words an error of the desk.
func (e *episode) ending(err error) (text string, broken bool) {
	var ended *agent.Ended
	var fault *agent.Fault
	switch {
	case errors.As(err, &ended) && ended.End.Finished():
		return "The episode is over. The call was not performed.", false
	case errors.As(err, &ended):
		return "The episode is over (" + ended.End.Code + "). The call was not performed.", false
	case errors.As(err, &fault):
		return "the simulated world broke, and with it the episode", true
	}
	return "the call was given up before it was performed", true
}

// read answers resources/read.
func (e *episode) read(ctx context.Context, uri string) (sdk.Result, error) {
	said, err := e.through(ctx, e.docs.ReadTool, "uri", uri)
	if err != nil {
		return nil, err
	}
	if said.Error {
		return nil, &jsonrpc.Error{Code: sdk.CodeResourceNotFound, Message: said.Text, Data: sim.MustCanonical(map[string]any{"uri": uri})}
	}
	text, mime := e.docs.Read(said.Raw)
	return &sdk.ReadResourceResult{Cacheable: sdk.Cacheable{CacheScope: "private"}, Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: mime, Text: text}}}, nil
}

// get answers prompts/get.
func (e *episode) get(ctx context.Context, name string) (sdk.Result, error) {
	said, err := e.through(ctx, e.docs.PromptTool, "name", name)
	if err != nil {
		return nil, err
	}
	if said.Error {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: said.Text}
	}
	res := &sdk.GetPromptResult{}
	if i := slices.IndexFunc(e.docs.Prompts, func(p sim.Prompt) bool { return p.Name == name }); i >= 0 {
		res.Description = e.docs.Prompts[i].Description
	}
	for _, text := range e.docs.Say(said.Raw) {
		res.Messages = append(res.Messages, &sdk.PromptMessage{Role: "user", Content: &sdk.TextContent{Text: text}})
	}
	return res, nil
}

// through calls the tool behind a native request.
func (e *episode) through(ctx context.Context, tool, argument, value string) (agent.Said, error) {
	said, err := e.perform(ctx, sim.Call{Name: tool, Arguments: sim.MustCanonical(map[string]any{argument: value})})
	if err != nil && said.Text == "" {
		text, broken := e.ending(err)
		code := int64(jsonrpc.CodeInvalidRequest)
		if broken {
			code = jsonrpc.CodeInternalError
		}
		return said, &jsonrpc.Error{Code: code, Message: text}
	}
	return said, nil
}

// task answers prompts/get for the present ask. It is no call and no turn.
func (e *episode) task(ctx context.Context) (sdk.Result, error) {
	text, err := e.desk.Prompt(ctx)
	if err != nil {
		text, _ = e.ending(err)
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: text}
	}
	return &sdk.GetPromptResult{Description: "What the user asks for now.", Messages: []*sdk.PromptMessage{
		{Role: "user", Content: &sdk.TextContent{Text: text}},
	}}, nil
}
