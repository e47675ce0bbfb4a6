package ollama

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"benchwright/agent"
	"benchwright/sim"
	"benchwright/tasks"
)

// real returns a client of the server that BENCH_TEST_OLLAMA names. It must have a model tiny
// with a template that knows tools; what the model says does not matter.
func real(t *testing.T, change func(*Config)) *Client {
	t.Helper()
	host := os.Getenv("BENCH_TEST_OLLAMA")
	if host == "" {
		t.Skip("BENCH_TEST_OLLAMA names no server")
	}
	cfg := Config{Name: "tiny", Host: host, Options: Options{Context: 8192, Threads: 1}}
	if change != nil {
		change(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestRealPrepare(t *testing.T) {
	c := real(t, func(c *Config) { c.Protocol = agent.ProtocolTools })
	id, err := c.Prepare(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(id.Digest) != 64 || id.Version == "" || id.Details["context_length"] != 8192 || id.Details["template_sha256"] == digest("") {
		t.Errorf("identity %+v", id)
	}
	if err := c.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	reply, _, err := c.Model(Request{OutputTokens: 1}).Next(t.Context(), hello, nil)
	if err != nil {
		t.Fatal(err)
	}
	if reply.Timing.Load > time.Second {
		t.Errorf("the model was loaded again, in %s", reply.Timing.Load)
	}
}

func TestRealUnknownModel(t *testing.T) {
	c := real(t, func(c *Config) { c.Name = "tinny" })
	if _, err := c.Prepare(t.Context()); kind(err) != "provider/model_not_found" || !strings.Contains(err.Error(), `did you mean "tiny"`) {
		t.Errorf("Prepare: %v", err)
	}
	if _, _, err := c.Model(Request{}).Next(t.Context(), hello, nil); kind(err) != "provider/model_not_found" {
		t.Errorf("Next: %v", err)
	}
}

// action is a schema with two tools and a final answer, every string bounded.
const action = `{"anyOf":[
	{"type":"object","properties":{"tool":{"const":"add"},"a":{"type":"integer","minimum":0,"maximum":9}},"required":["tool","a"],"additionalProperties":false},
	{"type":"object","properties":{"answer":{"type":"string","maxLength":8}},"required":["answer"],"additionalProperties":false}]}`

func TestRealConstrainedReplyTwice(t *testing.T) {
	m := real(t, nil).Model(Request{Format: json.RawMessage(action), OutputTokens: 200, Seed: 7})
	var before agent.Reply
	for i := range 2 {
		reply, usage, err := m.Next(t.Context(), hello, nil)
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if reply.DoneReason == "stop" && json.Unmarshal([]byte(reply.Text), &object) != nil {
			t.Errorf("a constrained reply is no object: %q", reply.Text)
		}
		if usage.Input == nil || usage.Output == nil || *usage.Input == 0 || *usage.Output == 0 || usage.Cached != nil || usage.Attempts != 1 {
			t.Errorf("usage %+v", usage)
		}
		if !reply.Began || reply.Model != "tiny" || reply.Timing.Total <= 0 {
			t.Errorf("reply %+v", reply)
		}
		if d := cmp.Diff(before, reply, cmpopts.IgnoreFields(agent.Reply{}, "Timing")); i > 0 && d != "" {
			t.Errorf("two equal requests, two replies:\n%s", d)
		}
		before = reply
	}
}

func TestRealRepetition(t *testing.T) {
	reply, usage, err := real(t, nil).Model(Request{OutputTokens: 3000}).Next(t.Context(), hello, nil)
	switch kind(err) {
	case "":
		t.Skip("this model does not repeat itself")
	case "ended/no_done":
		if reply.Text == "" || reply.DoneReason != "" || usage.Input != nil || usage.Output != nil {
			t.Errorf("reply %+v, usage %+v: want the text, and no counts", reply, usage)
		}
	default:
		t.Error(err)
	}
}

func TestRealToolCall(t *testing.T) {
	tools := []sim.Tool{{Name: "add", Description: "Adds.", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer","maximum":9}},"required":["a"]}`)}}
	format := json.RawMessage(`{"type":"object","properties":{"name":{"const":"add"},"arguments":{"type":"object",
		"properties":{"a":{"type":"integer","minimum":0,"maximum":9}},"required":["a"],"additionalProperties":false}},"required":["name","arguments"],"additionalProperties":false}`)
	m := real(t, nil).Model(Request{Format: format, OutputTokens: 200, Seed: 7, Tools: true})
	reply, _, err := m.Next(t.Context(), hello, tools)
	if err != nil {
		t.Fatal(err)
	}
	if len(reply.Calls) != 1 || reply.Calls[0].Name != "add" || !strings.HasPrefix(string(reply.Calls[0].Arguments), `{"a":`) {
		t.Fatalf("calls %+v, text %q", reply.Calls, reply.Text)
	}
	conv := append(hello[:1:1], tasks.Message{Role: tasks.RoleAssistant, Calls: reply.Calls}, tasks.Message{Role: tasks.RoleTool, Tool: "add", Content: `{"sum":5}`})
	if _, _, err := m.Next(t.Context(), conv, tools); err != nil {
		t.Errorf("with the call in the conversation: %v", err)
	}
}

func TestRealMistakes(t *testing.T) {
	long := []tasks.Message{{Role: tasks.RoleUser, Content: strings.Repeat("hello ", 2000)}}
	for _, c := range []struct {
		name, want string
		conv       []tasks.Message
		req        Request
		change     func(*Config)
	}{
		{"format", "adapter/bad_request", hello, Request{Format: json.RawMessage("5")}, nil},
		{"schema", "adapter/bad_request", hello, Request{Format: json.RawMessage(`{"type":"nonsense"}`)}, nil},
		{"thinking", "adapter/unsupported", hello, Request{}, func(c *Config) { c.Options.Think = true }},
		{"too-long", "ended/context_exceeded", long, Request{}, nil},
	} {
		_, usage, err := real(t, c.change).Model(c.req).Next(t.Context(), c.conv, nil)
		if kind(err) != c.want || usage.Attempts != 1 {
			t.Errorf("%s: %q (%v), want %q; attempts %d", c.name, kind(err), err, c.want, usage.Attempts)
		}
	}
}

func TestRealDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, _, err := real(t, nil).Model(Request{}).Next(ctx, hello, nil); err != context.DeadlineExceeded {
		t.Errorf("error %v", err)
	}
}
