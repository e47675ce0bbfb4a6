package agent

import (
	"encoding/json"
	"fmt"

	"benchwright/sim"
	"benchwright/tasks"
)

// native is the tools protocol of worlds whose dialect leaves it open: the provider tells the
// model about the tools, and the text of a reply without calls is the answer, as a JSON string.
type native struct{ tasks.Dialect }

// nativeOf returns how a dialect speaks where tools are called natively.
func nativeOf(d tasks.Dialect) tasks.ToolsDialect {
	if n, ok := d.(tasks.ToolsDialect); ok {
		return n
	}
	return native{d}
}

// OpenTools implements tasks.ToolsDialect.
func (native) OpenTools(env tasks.Envelope, ask int, _ []sim.Tool) ([]tasks.Message, error) {
	if ask < 0 || ask >= len(env.Asks) {
		return nil, fmt.Errorf("ask %d of %d", ask+1, len(env.Asks))
	}
	var out []tasks.Message
	system := env.System
	if l := env.Limits; l != nil && l.Turns > 0 {
		if system != "" {
			system += "\n\n"
		}
		system += fmt.Sprintf("You have %d replies.", l.Turns)
	}
	if ask == 0 && system != "" {
		out = append(out, tasks.Message{Role: tasks.RoleSystem, Content: system})
	}
	text := env.Asks[ask].Text
	if c := env.Asks[ask].Context; len(c) > 0 {
		text += "\n\n" + string(c)
	}
	return append(out, tasks.Message{Role: tasks.RoleUser, Content: text}), nil
}

// ParseText implements tasks.ToolsDialect.
func (native) ParseText(_ tasks.Envelope, reply string) (tasks.Action, error) {
	if reply == "" {
		return tasks.Action{}, tasks.Malformedf(tasks.InvalidAction, "the reply has neither calls nor text")
	}
	return tasks.Action{Answer: sim.MustCanonical(reply)}, nil
}

// Repair tells what was wrong without the words of the json protocol.
func (native) Repair(m *tasks.Malformed) tasks.Message {
	return tasks.Message{Role: tasks.RoleUser, Content: "That reply could not be used: " + m.Detail + "."}
}

// Reply writes an answer as ParseText reads it. One that is not a string is its JSON.
func (n native) Reply(m tasks.Move) (string, error) {
	if m.Raw != "" || m.Answer == nil {
		return n.Dialect.Reply(m)
	}
	var text string
	if json.Unmarshal(m.Answer, &text) == nil && len(m.Answer) > 0 && m.Answer[0] == '"' {
		return text, nil
	}
	answer, err := sim.Canonical(m.Answer)
	return string(answer), err
}

// spoken returns a move as the reply of a model that speaks a dialect perfectly.
func spoken(d tasks.Dialect, protocol string, m tasks.Move) (Reply, error) {
	if protocol != ProtocolTools {
		text, err := d.Reply(m)
		return Reply{Text: text}, err
	}
	if len(m.Calls) > 0 {
		if m.Answer != nil || m.Raw != "" {
			return Reply{}, fmt.Errorf("a move with calls and with words: a reply that calls tools says nothing else")
		}
		return Reply{Calls: m.Calls}, nil
	}
	if _, ok := d.(tasks.ToolsDialect); !ok {
		d = native{d}
	}
	text, err := d.Reply(m)
	return Reply{Text: text}, err
}
