package ollama

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"

	"benchwright/agent"
	"benchwright/grader"
)

// Prepare finds the model, says precisely which one it is, and loads it with the options of
// every later request, so that no episode's clock pays for that. A model that cannot do what
// the options or the protocol ask for is refused here. It waits no longer than [Config] says:
// Patience for each answer, LoadWait for the model.
func (c *Client) Prepare(ctx context.Context) (agent.Identity, error) {
	var none agent.Identity
	version, err := call(ctx, c, "/api/version", c.api.Version)
	if err != nil {
		return none, err
	}
	listed, err := c.find(ctx)
	if err != nil {
		return none, err
	}
	shown, err := call(ctx, c, "/api/show", func(ctx context.Context) (*api.ShowResponse, error) {
		return c.api.Show(ctx, &api.ShowRequest{Model: c.cfg.Name})
	})
	if err != nil {
		return none, err
	}
	if err := c.able(shown.Capabilities); err != nil {
		return none, err
	}
	reply, err := c.load(ctx)
	var ended *agent.Ended
	switch {
	case errors.As(err, &ended): // by a model that has said nothing
		return none, agent.Faultf(grader.LayerAdapter, codeBadReply, "loading the model: %w", err)
	case err != nil:
		return none, err
	case reply.DoneReason != doneLoad:
		return none, agent.Faultf(grader.LayerAdapter, codeBadReply, "loading the model ended with %s instead of %q", quote(reply.DoneReason), doneLoad)
	}
	id := agent.Identity{
		Name: c.cfg.Name, Digest: listed.Digest, Provider: "ollama", Version: clip(version),
		Details: details(listed, shown), Options: c.options(),
	}
	id.Details["endpoint_host_class"] = "remote"
	if c.local {
		id.Details["endpoint_host_class"] = "loopback"
	}
	id.Details["http_retries"] = c.cfg.Options.retries()
	running, err := call(ctx, c, "/api/ps", c.api.ListRunning)
	if err != nil {
		return none, err
	}
	for _, r := range running.Models {
		if r.Digest == listed.Digest && r.ContextLength > 0 {
			id.Details["context_length"] = r.ContextLength // as loaded
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.identity = id
	return id, nil
}

// Verify reports an error unless the server's model is still the one of Prepare. It is for the
// end of a run: nobody can say which of two models gave which reply.
func (c *Client) Verify(ctx context.Context) error {
	c.mu.Lock()
	before := c.identity.Digest
	c.mu.Unlock()
	if before == "" {
		return agent.Faultf(grader.LayerAdapter, codeChanged, "model %q was never prepared, so nothing is known to compare with", c.cfg.Name)
	}
	now, err := c.find(ctx)
	if err != nil {
		return err
	}
	if now.Digest != before {
		return agent.Faultf(grader.LayerProvider, codeChanged, "model %q has digest %s, but had %s before; the run is not of one model", c.cfg.Name, now.Digest, before)
	}
	return nil
}

// load has the server load the model.
func (c *Client) load(ctx context.Context) (agent.Reply, error) {
	short, cancel := context.WithTimeout(ctx, c.cfg.LoadWait)
	defer cancel()
	reply, usage, err := c.chat(short, c.template())
	return reply, late(ctx, short, err, usage.Attempts, "model %q was not loaded within %s; load it beforehand, or choose a smaller one", c.cfg.Name, c.cfg.LoadWait)
}

// call performs one of the client's plain calls. Unlike the client it does not take an empty
// body for an answer.
func call[T any](ctx context.Context, c *Client, path string, do func(context.Context) (T, error)) (T, error) {
	short, cancel := context.WithTimeout(ctx, c.cfg.Patience)
	defer cancel()
	callCtx, ex := begin(short, "")
	defer ex.stop()
	v, err := do(callCtx)
	if err == nil && (ex.body == nil || ex.body.n == 0) {
		err = agent.Faultf(grader.LayerAdapter, codeBadReply, "the body is empty; is this the address of an Ollama server?")
	}
	return v, late(ctx, short, c.broken(short, ex, err), ex.attempts, "no whole answer from %s%s within %s; is the server overloaded, or another one?", c.base.Redacted(), path, c.cfg.Patience)
}

// late words an error that came of waiting no longer, under short, where ctx goes on.
func late(ctx, short context.Context, err error, attempts int, format string, args ...any) error {
	switch {
	case err == nil || ctx.Err() == nil && short.Err() == nil:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return tried(agent.Faultf(grader.LayerProvider, codeTimeout, format, args...), attempts)
	}
	return err
}

var hex64 = regexp.MustCompile(`^[0-9a-f]{64}$`)

// find returns the model's entry in the server's list, the only place that has its digest.
func (c *Client) find(ctx context.Context) (api.ListModelResponse, error) {
	list, err := call(ctx, c, "/api/tags", c.api.List)
	if err != nil {
		return api.ListModelResponse{}, err
	}
	var names []string
	for _, m := range list.Models {
		if sameModel(m.Name, c.cfg.Name) {
			if !hex64.MatchString(m.Digest) {
				return m, agent.Faultf(grader.LayerAdapter, codeBadReply, "model %q: digest %s: want 64 hexadecimal digits", c.cfg.Name, quote(m.Digest))
			}
			return m, nil
		}
		names = append(names, clip(strings.ToValidUTF8(m.Name, "?")))
	}
	return api.ListModelResponse{}, agent.Faultf(grader.LayerProvider, codeNotFound, "model %q is not there%s", c.cfg.Name, others(c.cfg.Name, names))
}

// others lists models, the nearest names first.
func others(name string, names []string) string {
	const most = 12
	if len(names) == 0 {
		return "; the server has no models"
	}
	for i, n := range names {
		names[i] = strings.TrimSuffix(n, ":latest")
	}
	slices.Sort(names)
	near := grader.Suggest(strings.TrimSuffix(name, ":latest"), names)
	if !strings.HasPrefix(near, "; did you mean") {
		near = ""
	}
	more := ""
	if n := len(names) - most; n > 0 {
		names, more = names[:most], fmt.Sprintf(" and %d more", n)
	}
	for i, n := range names {
		names[i] = quote(n)
	}
	return near + "; the server has " + strings.Join(names, ", ") + more
}

// able reports an error when the model cannot do what it will be asked for. A server that lists
// no capabilities is asked nothing.
func (c *Client) able(has []model.Capability) error {
	need := func(what model.Capability, remedy string) error {
		if len(has) == 0 || slices.Contains(has, what) {
			return nil
		}
		return agent.Faultf(grader.LayerAdapter, codeUnsupported, "model %q does not support %s; %s", c.cfg.Name, what, remedy)
	}
	if err := need(model.CapabilityCompletion, "choose one that can chat"); err != nil {
		return err
	}
	if c.cfg.Protocol == agent.ProtocolTools {
		if err := need(model.CapabilityTools, "use the json protocol, or a model whose template has tools"); err != nil {
			return err
		}
	}
	if c.cfg.Options.think().Bool() {
		return need(model.CapabilityThinking, `leave out the option "think"`)
	}
	return nil
}

// options returns what every request says, for the record.
func (c *Client) options() map[string]any {
	m := c.cfg.Options.sent()
	m["think"] = c.cfg.Options.think().Value
	m["truncate"], m["shift"] = false, false
	if n := c.cfg.Options.Output; n > 0 {
		m["num_predict"] = n
	}
	if d := c.cfg.Options.KeepAlive; d != nil {
		m["keep_alive"] = d.String()
	}
	return m
}

// details returns what tells one build of a model from another, beside its digest. The server
// lists parameters in the order of a map, and names a file of its own as parent: the former are
// sorted, the latter is left out.
func details(l api.ListModelResponse, s *api.ShowResponse) map[string]any {
	d := map[string]any{"template_sha256": digest(s.Template)}
	put := func(key, v string) {
		if v != "" {
			d[key] = clip(v)
		}
	}
	put("format", l.Details.Format)
	put("family", l.Details.Family)
	put("parameter_size", l.Details.ParameterSize)
	put("quantization", l.Details.QuantizationLevel)
	put("renderer", s.Renderer)
	put("parser", s.Parser)
	put("remote_model", l.RemoteModel)
	if s.System != "" {
		d["system_sha256"] = digest(s.System)
	}
	if params := parameters(s.Parameters); len(params) > 0 {
		d["parameters"] = params
	}
	if len(s.Capabilities) > 0 {
		var caps []string
		for _, c := range s.Capabilities {
			caps = append(caps, clip(string(c)))
		}
		slices.Sort(caps)
		d["capabilities"] = caps
	}
	return d
}

func parameters(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name != "" {
			out = append(out, clip(name+" "+strings.TrimSpace(value)))
		}
	}
	slices.Sort(out)
	return out
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
