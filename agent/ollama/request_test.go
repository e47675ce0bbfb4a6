package ollama

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"benchwright/agent"
	"benchwright/sim"
	"benchwright/tasks"
)

func readAll(r *http.Request) string {
	b, _ := io.ReadAll(r.Body)
	return string(b)
}

func indent(t *testing.T, raw string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(raw), "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.String() + "\n"
}

var talk = []tasks.Message{
	{Role: tasks.RoleSystem, Content: "Answer with one <JSON> object."},
	{Role: tasks.RoleUser, Content: "How much is 2 & 3?"},
	{Role: tasks.RoleAssistant, Calls: []sim.Call{
		{Name: "add", Arguments: json.RawMessage(`{"b":12345678901234567890,"a":2.0}`)}, {Name: "now"}}},
	{Role: tasks.RoleTool, Tool: "add", Content: `{"sum":5}`},
}

var abacus = []sim.Tool{
	{Name: "now", Description: "Tells the time.", Schema: json.RawMessage(`{"type":"object","properties":{}}`)},
	{Name: "add", Description: "Adds.", Schema: json.RawMessage(`{"type":"object","properties":{"b":{"type":"number"},"a":{"type":["number","null"],"description":"first","enum":[1,2,null]}},"required":["a","b"],"additionalProperties":false}`)},
	{Name: "find", Schema: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string","maxLength":9}},"additionalProperties":false}`)},
	{Name: "odd", Description: "Takes anything.", Schema: json.RawMessage(`{"properties":{"x":true}}`)},
}

func TestTheBodyOfARequest(t *testing.T) {
	opts, err := ParseOptions([]byte(`{"context": 16384, "num_thread": 1, "keep_alive": "10m", "top_k": 0, "seed": 7, "prices": {"input": 1, "output": 2}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		cfg    Config
		req    Request
		conv   []tasks.Message
		reason string
	}{
		{"request-json", Config{Options: opts}, Request{Format: json.RawMessage(`{"type":"object","properties":{"z":{},"a":{"pattern":"^x$"}}}`), OutputTokens: 512, Seed: 8, Tools: false}, talk[:2],
			"the format keeps every keyword and the order of its keys"},
		{"request-tools", Config{Options: opts, Protocol: agent.ProtocolTools}, Request{OutputTokens: 512, Seed: 8, Tools: true}, talk,
			"a schema that Ollama's types lose part of is also given in words"},
		{"request-plain", Config{}, Request{Format: json.RawMessage(`"json"`), Seed: -1}, talk[:2],
			"defaults; -1 would mean a random seed"},
		{"request-thinking", Config{Options: Options{Think: "low", Temperature: 0.7, Output: 64}}, Request{OutputTokens: 128, Seed: 1 << 40}, talk[:2],
			"thinking only where it is asked for"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got string
			header := http.Header{}
			cl := serve(t, c.cfg, func(w http.ResponseWriter, r *http.Request, n int) {
				got, header = readAll(r), r.Header
				if r.URL.Path != "/api/chat" || r.Method != http.MethodPost {
					t.Errorf("%s %s", r.Method, r.URL.Path)
				}
				ndjson(w, done)
			})
			if _, _, err := cl.Model(c.req).Next(t.Context(), c.conv, abacus); err != nil {
				t.Fatal(err)
			}
			golden(t, c.name+".json", indent(t, got))
			for name := range header {
				switch name {
				case "Accept", "Content-Type", "Content-Length", "User-Agent":
				default:
					t.Errorf("header %s goes along: %q", name, header[name])
				}
			}
			if strings.Contains(got, "prices") {
				t.Error("prices are sent")
			}
		})
	}
}

func TestARequestThatCannotBeBuiltIsNotSent(t *testing.T) {
	c := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request, n int) { t.Error("a request was sent") })
	for _, x := range []struct {
		name, want string
		req        Request
		conv       []tasks.Message
		tools      []sim.Tool
	}{
		{"no-messages", "the conversation is empty", Request{}, nil, nil},
		{"bad-format", `the format is not JSON: "{"`, Request{Format: json.RawMessage("{")}, hello, nil},
		{"bad-arguments", `message 1: call 1 ("f"): arguments: unexpected end of JSON input`, Request{},
			[]tasks.Message{{Role: tasks.RoleAssistant, Calls: []sim.Call{{Name: "f", Arguments: json.RawMessage("{")}}}}, nil},
		{"bad-schema", `tool "f": schema:`, Request{Tools: true}, hello, []sim.Tool{{Name: "f", Schema: json.RawMessage(`{`)}}},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, usage, err := c.Model(x.req).Next(t.Context(), x.conv, x.tools)
			if kind(err) != "adapter/bad_request" || !strings.Contains(err.Error(), x.want) {
				t.Errorf("error %v, want %q", err, x.want)
			}
			if usage.Requests != 0 {
				t.Errorf("%d requests are counted", usage.Requests)
			}
		})
	}
}

// Whatever a model calls a tool with, the conversation goes on.
func TestArgumentsThatAreNoObject(t *testing.T) {
	for _, args := range []string{`[1]`, `"{\"n\":"`, `5`, `null`, `{"a":[1.0]}`, ``} {
		want := args
		switch args {
		case `null`, ``:
			want = `{}`
		case `[1]`, `"{\"n\":"`, `5`:
			want = `{"arguments":` + args + `}`
		}
		var got string
		c := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request, n int) {
			got = readAll(r)
			ndjson(w, done)
		})
		conv := append(talk[:2:2], tasks.Message{Role: tasks.RoleAssistant, Calls: []sim.Call{{Name: "f", Arguments: json.RawMessage(args)}}})
		if _, _, err := c.Model(Request{Tools: true}).Next(t.Context(), conv, abacus); err != nil {
			t.Errorf("%s: %v", args, err)
		} else if !strings.Contains(got, `"arguments":`+want+`}`) {
			t.Errorf("%s is sent as %s", args, got)
		}
	}
}
