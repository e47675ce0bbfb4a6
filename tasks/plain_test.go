package tasks_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"benchwright/sim"
	"benchwright/tasks"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var replies = []struct {
	name, reply string
	want        string // the action, or the code
	legal       bool   // by the schema that Format gives for tools add and get
	reason      string
}{
	{"call", `{"tool":"add","arguments":{"n":2}}`, `add {"n":2}`, true, "the plain case"},
	{"spaces", " {\n\"arguments\": {\"b\":1.0,\"a\":[]}, \"tool\": \"get\"}\n", `get {"a":[],"b":1.0}`, true, "space and order of keys are free; numbers keep their spelling"},
	{"no-arguments", `{"tool":"get"}`, `get {}`, false, "arguments left out are none, though a constrained model writes them"},
	{"answer", `{"answer":{"total":5}}`, `answer {"total":5}`, true, "any value answers"},
	{"null-answer", `{"answer":null}`, `answer null`, true, "null is a value"},
	{"unknown-tool", `{"tool":"fly","arguments":{}}`, `fly {}`, false, "whether there is such a tool is the world's business"},
	{"prose", `I add two.`, tasks.InvalidJSON, false, "a reply is JSON alone"},
	{"fence", "```json\n{\"answer\":1}\n```", tasks.InvalidJSON, false, "a fence is text around the object"},
	{"two", `{"answer":1}{"answer":2}`, tasks.InvalidJSON, false, "one action a turn"},
	{"duplicate", `{"tool":"add","tool":"get"}`, tasks.InvalidJSON, false, "which of the two was meant is not for us to guess"},
	{"empty", ``, tasks.InvalidJSON, false, "nothing is not JSON"},
	{"list", `[{"answer":1}]`, tasks.InvalidAction, false, "an action is an object"},
	{"neither", `{}`, tasks.InvalidAction, false, "an action does something"},
	{"both", `{"tool":"add","answer":1}`, tasks.InvalidAction, false, "an action does one thing"},
	{"extra", `{"answer":1,"thought":"hm"}`, tasks.InvalidAction, false, "unknown keys may be a misunderstanding"},
	{"only-arguments", `{"arguments":{}}`, tasks.InvalidAction, false, "of which tool?"},
	{"tool-number", `{"tool":7,"arguments":{}}`, tasks.InvalidAction, false, "a tool has a name"},
	{"tool-empty", `{"tool":"","arguments":{}}`, tasks.InvalidAction, false, "a tool has a name"},
	{"arguments-list", `{"tool":"add","arguments":[2]}`, tasks.InvalidAction, false, "arguments are named"},
}

var plainTools = []sim.Tool{
	{Name: "add", Description: "Raises the counter.", Schema: json.RawMessage(`{"type": "object", "properties": {"n": {"type": "integer"}}}`)},
	{Name: "get", Description: "Reads the counter."},
}

func TestPlainParse(t *testing.T) {
	for _, c := range replies {
		t.Run(c.name, func(t *testing.T) {
			if c.reason == "" {
				t.Fatal("a case without a reason")
			}
			a, err := tasks.PlainDialect{}.Parse(tasks.Envelope{}, c.reply)
			got := fmt.Sprintf("answer %s", a.Answer)
			if len(a.Calls) == 1 {
				got = fmt.Sprintf("%s %s", a.Calls[0].Name, a.Calls[0].Arguments)
			}
			var m *tasks.Malformed
			if errors.As(err, &m) {
				got = m.Code
			}
			if got != c.want {
				t.Errorf("got %s, want %s: %s", got, c.want, c.reason)
			}
		})
	}
}

// The schema that constrains a model allows what is read, and nothing that is refused.
func TestPlainFormat(t *testing.T) {
	check := func(tools []sim.Tool) func(string) bool {
		raw := tasks.PlainDialect{}.Format(tasks.Envelope{}, tools)
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("reply.json", doc); err != nil {
			t.Fatal(err)
		}
		schema, err := c.Compile("reply.json")
		if err != nil {
			t.Fatal(err)
		}
		return func(reply string) bool {
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(reply))
			return err == nil && schema.Validate(v) == nil
		}
	}
	legal := check(plainTools)
	for _, c := range replies {
		if c.want == tasks.InvalidJSON {
			continue
		}
		if got := legal(c.reply); got != c.legal {
			t.Errorf("%s: the schema says %v, want %v", c.name, got, c.legal)
		}
	}
	none := check(nil)
	if none(`{"tool":"add","arguments":{}}`) || !none(`{"answer":1}`) {
		t.Error("without tools there is nothing to do but answer")
	}
}

func TestPlainConversation(t *testing.T) {
	d := tasks.PlainDialect{}
	env := tasks.Envelope{
		System: "You count.",
		Asks:   []tasks.Ask{{Text: "Add two.", Context: json.RawMessage(`{"unit":"apples"}`)}, {Text: "Again."}},
		Limits: &tasks.Limits{Turns: 4},
	}
	var b strings.Builder
	show := func(list ...tasks.Message) {
		for _, m := range list {
			fmt.Fprintf(&b, "--- %s\n%s\n", m.Role, m.Content)
		}
	}
	reply := func(m tasks.Move) {
		text, err := d.Reply(m)
		if err != nil {
			t.Fatal(err)
		}
		show(tasks.Message{Role: tasks.RoleAssistant, Content: text})
	}
	call := sim.Call{Name: "add", Arguments: json.RawMessage(`{"n": 2}`)}
	for ask := range env.Asks {
		m, err := d.Open(env, ask, plainTools)
		if err != nil {
			t.Fatal(err)
		}
		show(m...)
		reply(tasks.Move{Calls: []sim.Call{call}})
		r, err := d.Result(call, sim.Result{Data: json.RawMessage(`{"now": 5}`), Status: "secret"})
		if err != nil {
			t.Fatal(err)
		}
		show(r)
	}
	reply(tasks.Move{Raw: "Done!"})
	show(d.Repair(tasks.Malformedf(tasks.InvalidJSON, "the reply is not one JSON object")))
	reply(tasks.Move{Answer: json.RawMessage(`7`)})
	golden(t, "plain.golden", []byte(b.String()))

	if _, err := d.Open(env, 2, nil); err == nil {
		t.Error("Open opens an ask that there is not")
	}
	if _, err := d.Reply(tasks.Move{Calls: []sim.Call{call, call}}); err == nil {
		t.Error("Reply says two calls at once")
	}
}
