package tasks

import (
	"encoding/json"
	"fmt"
	"strings"

	"benchwright/sim"
)

// PlainDialect is the protocol of worlds that publish none: one JSON object a reply, either
//
//	{"tool": "add", "arguments": {"n": 2}}
//	{"answer": …}
//
// Reading is strict: a reply is that object and nothing around it. A reply that is not JSON has
// the code "invalid_json", one of another shape "invalid_action".
type PlainDialect struct{}

// The codes of replies that PlainDialect cannot read.
const (
	InvalidJSON   = "invalid_json"
	InvalidAction = "invalid_action"
)

const plainRules = `Reply with exactly one JSON object and nothing else. To call a tool:
{"tool": "<name>", "arguments": {…}}
You are told its result and reply again. To finish, give your answer, which may be any JSON value:
{"answer": …}`

// Open returns the system text, with the rules and the tools, before the first ask; and the ask.
func (PlainDialect) Open(env Envelope, ask int, tools []sim.Tool) ([]Message, error) {
	if ask < 0 || ask >= len(env.Asks) {
		return nil, fmt.Errorf("ask %d of %d", ask+1, len(env.Asks))
	}
	var out []Message
	if ask == 0 {
		var b strings.Builder
		if env.System != "" {
			fmt.Fprintf(&b, "%s\n\n", env.System)
		}
		b.WriteString(plainRules)
		if l := env.Limits; l != nil && l.Turns > 0 {
			fmt.Fprintf(&b, "\n\nYou have %d replies.", l.Turns)
		}
		if len(tools) > 0 {
			b.WriteString("\n\nTools:")
		}
		for _, t := range tools {
			fmt.Fprintf(&b, "\n- %s: %s", t.Name, t.Description)
			if len(t.Schema) > 0 {
				schema, err := sim.Canonical(t.Schema)
				if err != nil {
					return nil, fmt.Errorf("schema of tool %s: %w", t.Name, err)
				}
				fmt.Fprintf(&b, "\n  arguments: %s", schema)
			}
		}
		out = append(out, Message{Role: RoleSystem, Content: b.String()})
	}
	text := env.Asks[ask].Text
	if c := env.Asks[ask].Context; len(c) > 0 {
		text += "\n\n" + string(c)
	}
	return append(out, Message{Role: RoleUser, Content: text}), nil
}

// Format is a schema of the two shapes. Arguments are left free: the schemas of all tools
// together make grammars that small servers take seconds to build.
func (PlainDialect) Format(_ Envelope, tools []sim.Tool) json.RawMessage {
	// The order of the keys is the order in which a constrained model writes them, so the tool
	// comes before its arguments.
	const answer = `{"type":"object","properties":{"answer":{}},"required":["answer"],"additionalProperties":false}`
	if len(tools) == 0 {
		return json.RawMessage(answer)
	}
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name
	}
	return json.RawMessage(`{"anyOf":[{"type":"object","properties":{"tool":{"enum":` + string(sim.MustCanonical(names)) +
		`},"arguments":{"type":"object"}},"required":["tool","arguments"],"additionalProperties":false},` + answer + `]}`)
}

// Parse reads a reply. Arguments left out are {}.
func (PlainDialect) Parse(_ Envelope, reply string) (Action, error) {
	v, err := sim.ParseJSON([]byte(reply))
	if err != nil {
		return Action{}, Malformedf(InvalidJSON, "the reply is not one JSON object: %v", err)
	}
	m, ok := v.(map[string]any)
	if !ok {
		return Action{}, Malformedf(InvalidAction, "the reply is JSON, but not an object")
	}
	tool, call := m["tool"]
	args, given := m["arguments"]
	answer, done := m["answer"]
	known := 0
	for _, has := range []bool{call, given, done} {
		if has {
			known++
		}
	}
	switch {
	case known != len(m):
		return Action{}, Malformedf(InvalidAction, `an action has the keys "tool" and "arguments", or "answer", and no other`)
	case done && known == 1:
		return Action{Answer: sim.MustCanonical(answer)}, nil
	case done:
		return Action{}, Malformedf(InvalidAction, "the reply calls a tool and answers at once: do one of them")
	case !call:
		return Action{}, Malformedf(InvalidAction, `the reply has neither "tool" nor "answer"`)
	}
	name, ok := tool.(string)
	if !ok || name == "" {
		return Action{}, Malformedf(InvalidAction, `"tool" is not the name of a tool`)
	}
	if !given {
		args = map[string]any{}
	}
	if _, ok := args.(map[string]any); !ok {
		return Action{}, Malformedf(InvalidAction, `"arguments" is not an object`)
	}
	return Action{Calls: []sim.Call{{Name: name, Arguments: sim.MustCanonical(args)}}}, nil
}

// Reply writes a move as Parse reads it. The protocol has no way to make several calls at once.
func (PlainDialect) Reply(m Move) (string, error) {
	switch {
	case m.Raw != "":
		return m.Raw, nil
	case m.Answer != nil:
		a, err := sim.Canonical(m.Answer)
		return `{"answer":` + string(a) + `}`, err
	case len(m.Calls) != 1:
		return "", fmt.Errorf("a move of %d calls: this protocol makes one call a turn", len(m.Calls))
	}
	c := m.Calls[0]
	args := c.Arguments
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	args, err := sim.Canonical(args)
	return `{"tool":` + string(sim.MustCanonical(c.Name)) + `,"arguments":` + string(args) + `}`, err
}

// Result tells what a call gave, as {"tool": name, "result": data}.
func (PlainDialect) Result(c sim.Call, r sim.Result) (Message, error) {
	data := r.Data
	if len(data) == 0 {
		data = json.RawMessage("null")
	}
	data, err := sim.Canonical(data)
	if err != nil {
		return Message{}, fmt.Errorf("result of %s: %w", c.Name, err)
	}
	return Message{Role: RoleUser, Tool: c.Name, Content: `{"tool":` + string(sim.MustCanonical(c.Name)) + `,"result":` + string(data) + `}`}, nil
}

// Repair tells what was wrong with a reply.
func (PlainDialect) Repair(m *Malformed) Message {
	e := struct {
		Error  string `json:"error"`
		Detail string `json:"detail"`
	}{m.Code, m.Detail}
	return Message{Role: RoleUser, Content: string(sim.MustCanonical(e)) + "\n" + plainRules}
}

var _ Dialect = PlainDialect{}
