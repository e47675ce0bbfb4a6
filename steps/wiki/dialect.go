package wiki

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"benchwright/sim"
	world "benchwright/sim/wiki"
	"benchwright/tasks"
)

// Dialect is the protocol of the product: one tool call a reply, as {"tool": …, "arguments": {…}},
// or natively. A stage ends by the tool finish; a reply without a call is answered with what is
// wanted and costs a turn.
type Dialect struct{ tasks.PlainDialect }

// A Brief is the Context of an ask: what the first message of its stage names beside the text.
type Brief struct {
	Fixture         string   `json:"fixture"` // digest of the case: a task is about these bytes and no others. No message says it
	Stage           string   `json:"stage"`
	Number          int      `json:"number"` // from 1
	Of              int      `json:"of"`
	Roots           []Root   `json:"roots"` // none with the published fault, which hid them
	StructureLocked bool     `json:"structure_locked,omitempty"`
	Selected        []string `json:"selected,omitempty"` // pages; none where every page may be written, or no page
	Symbols         []string `json:"symbols,omitempty"`  // that the host asks for
}

// A Root is a virtual root.
type Root struct {
	Path     string `json:"path"`
	Writable bool   `json:"writable"`
}

// CodeNoCall is the code of a reply that calls no tool.
const CodeNoCall = "no_tool_call"

// Open returns the system text with the tools, and the message that puts a stage.
func (Dialect) Open(env tasks.Envelope, ask int, tools []sim.Tool) ([]tasks.Message, error) {
	return open(env, ask, Protocol+described(tools))
}

// OpenTools is Open without what native tool calling says itself.
func (Dialect) OpenTools(env tasks.Envelope, ask int, _ []sim.Tool) ([]tasks.Message, error) {
	return open(env, ask, ToolsProtocol)
}

func open(env tasks.Envelope, ask int, system string) ([]tasks.Message, error) {
	if ask < 0 || ask >= len(env.Asks) {
		return nil, fmt.Errorf("wiki: ask %d of %d", ask+1, len(env.Asks))
	}
	text, err := stageText(env.Asks[ask])
	if err != nil {
		return nil, fmt.Errorf("wiki: ask %d: %w", ask+1, err)
	}
	user := tasks.Message{Role: tasks.RoleUser, Content: text}
	if ask > 0 {
		return []tasks.Message{user}, nil
	}
	if env.System != "" {
		system += "\n\n" + env.System
	}
	return []tasks.Message{{Role: tasks.RoleSystem, Content: system}, user}, nil
}

// stageText is the message that puts a stage.
func stageText(a tasks.Ask) (string, error) {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	var f Brief
	if len(a.Context) > 0 {
		if err := json.Unmarshal(a.Context, &f); err != nil {
			return "", fmt.Errorf("its context: %w", err)
		}
		line("Stage %d of %d: %s\n", f.Number, f.Of, f.Stage)
	}
	line("%s", a.Text)
	if len(f.Symbols) > 0 {
		line("\nSymbols to find: %s", strings.Join(f.Symbols, ", "))
	}
	if len(f.Selected) > 0 {
		line("\nPages selected for this stage, the only ones that can be written: %s", strings.Join(f.Selected, ", "))
	}
	if f.StructureLocked {
		line("The structure is locked: page_id, title, parent, order, kind and headings of a page stay as they are.")
	}
	if len(f.Roots) > 0 {
		line("\nRoots, and there is nothing else:")
	}
	for _, r := range f.Roots {
		switch {
		case r.Writable:
			line("- %s: readable; its pages are writable, by write_page alone", r.Path)
		case r.Path == world.WikiRoot:
			line("- %s: read only in this stage", r.Path)
		default:
			line("- %s: read only", r.Path)
		}
	}
	if left := budgets(a); left != "" {
		line("\nLeft for this stage: %s. get_status tells what is left of the calls.", left)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// budgets words the limits of an ask that has just begun.
func budgets(a tasks.Ask) string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(a.Turns, "replies")
	add(a.Calls, "tool calls")
	add(a.Tokens, "budget tokens")
	add(int(time.Duration(a.Wall)/time.Second), "seconds")
	return strings.Join(parts, ", ")
}

func described(tools []sim.Tool) string {
	var b strings.Builder
	for i, t := range tools {
		if i == 0 {
			b.WriteString("\n\nTools:")
		}
		fmt.Fprintf(&b, "\n- %s: %s\n  arguments: %s", t.Name, t.Description, t.Schema)
	}
	return b.String()
}

// Format is a schema of a call. Arguments are left free, since a grammar of all tools costs small
// servers seconds.
func (Dialect) Format(_ tasks.Envelope, tools []sim.Tool) json.RawMessage {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name
	}
	// A constrained model writes keys in this order, so the tool comes before its arguments.
	return json.RawMessage(`{"type":"object","properties":{"tool":{"enum":` + string(sim.MustCanonical(names)) +
		`},"arguments":{"type":"object"}},"required":["tool","arguments"],"additionalProperties":false}`)
}

// Parse reads a reply: one call.
func (d Dialect) Parse(env tasks.Envelope, reply string) (tasks.Action, error) {
	a, err := d.PlainDialect.Parse(env, reply)
	if err == nil && a.Answer != nil {
		return tasks.Action{}, tasks.Malformedf(CodeNoCall, `a stage is ended by calling finish, and an answer is its argument "answer"`)
	}
	return a, err
}

// ParseText reads a native reply without calls. One that spells a call out is understood, so that no
// call which anybody can read is lost between provider and world.
func (d Dialect) ParseText(env tasks.Envelope, reply string) (tasks.Action, error) {
	a, err := d.Parse(env, reply)
	if err != nil {
		return tasks.Action{}, tasks.Malformedf(CodeNoCall, "the reply calls no tool; a stage is ended by calling finish")
	}
	return a, nil
}

// Reply writes a move as Parse reads it. An answer is that of finish.
func (d Dialect) Reply(m tasks.Move) (string, error) {
	if m.Answer != nil && len(m.Calls) == 0 && m.Raw == "" {
		arguments := sim.MustCanonical(map[string]any{"answer": m.Answer})
		m = tasks.Move{Calls: []sim.Call{{Name: world.Finish, Arguments: arguments}}}
	}
	return d.PlainDialect.Reply(m)
}

// Repair tells what was wrong with a reply.
func (Dialect) Repair(m *tasks.Malformed) tasks.Message {
	return tasks.Message{Role: tasks.RoleUser, Content: "That reply was not understood: " + m.Detail + `. Reply with exactly one call and nothing else: {"tool": "<name>", "arguments": {…}}`}
}

var (
	_ tasks.Dialect      = Dialect{}
	_ tasks.ToolsDialect = Dialect{}
)
