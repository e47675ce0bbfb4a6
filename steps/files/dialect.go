package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"benchwright/sim"
	world "benchwright/sim/files"
	"benchwright/tasks"
)

// Dialect is the published protocol: one JSON action a reply, {"tool": …, "args": {…}}, bare, in a
// code fence or between words, and the results as observation texts. A reply without an action is
// answered with what is wanted and costs no tool call. Where tools are called natively, a reply
// without a call is such a one.
type Dialect struct{}

// The codes of replies that hold no action.
const (
	CodeNoAction       = "no_action"       // no JSON object with a tool
	CodeSeveralActions = "several_actions" // more than one
	CodeInvalidAction  = "invalid_action"  // one of another shape
	CodeNoCall         = "no_tool_call"    // native: words alone
)

// Open returns the system text with the tools, and the ask with what is told of the workspace.
func (d Dialect) Open(env tasks.Envelope, ask int, tools []sim.Tool) ([]tasks.Message, error) {
	return open(env, ask, Protocol+toolList(tools))
}

// OpenTools is Open without what native tool calling says itself.
func (d Dialect) OpenTools(env tasks.Envelope, ask int, _ []sim.Tool) ([]tasks.Message, error) {
	return open(env, ask, ToolsProtocol)
}

func open(env tasks.Envelope, ask int, protocol string) ([]tasks.Message, error) {
	if ask < 0 || ask >= len(env.Asks) {
		return nil, fmt.Errorf("ask %d of %d", ask+1, len(env.Asks))
	}
	user, err := prompt(env, ask)
	if err != nil {
		return nil, err
	}
	out := []tasks.Message{{Role: tasks.RoleUser, Content: user}}
	if ask > 0 {
		return out, nil
	}
	if env.System != "" {
		protocol += "\n\n" + env.System
	}
	return append([]tasks.Message{{Role: tasks.RoleSystem, Content: protocol}}, out...), nil
}

// prompt is the user's message: lines about the task, the instruction, the artifact that has to be
// there and the documented check.
func prompt(env tasks.Envelope, ask int) (string, error) {
	var f facts
	a := env.Asks[ask]
	if len(a.Context) > 0 {
		if err := json.Unmarshal(a.Context, &f); err != nil {
			return "", fmt.Errorf("files: context of ask %d: %w", ask+1, err)
		}
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if len(f.Top) > 0 {
		line("Top-level files: %s", strings.Join(f.Top, ", "))
	}
	if l := env.Limits; l != nil && l.Turns > 0 {
		line("Replies: at most %d", l.Turns)
	}
	if f.Calls > 0 {
		line("Tool calls: at most %d", f.Calls)
	}
	if f.Seconds > 0 {
		line("Time limit: %d seconds", f.Seconds)
	}
	b.WriteString("\n" + a.Text)
	if f.Artifact != "" {
		b.WriteString("\n\nRequired final artifact: " + f.Artifact)
	}
	if f.Entrypoint != "" {
		b.WriteString("\nPublic check/entrypoint: " + f.Entrypoint)
	}
	return b.String(), nil
}

func toolList(tools []sim.Tool) string {
	var b strings.Builder
	for i, t := range tools {
		if i == 0 {
			b.WriteString("\n\nTools:")
		}
		fmt.Fprintf(&b, "\n- %s: %s\n  args: %s", t.Name, t.Description, t.Schema)
	}
	return b.String()
}

// Format is the schema of an action. Which arguments a tool takes is left to the tool: a grammar
// of them all costs small servers seconds.
func (Dialect) Format(_ tasks.Envelope, tools []sim.Tool) json.RawMessage {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name
	}
	// A constrained model writes keys in this order, so the tool comes before its arguments.
	return json.RawMessage(`{"type":"object","properties":{"tool":{"enum":` + string(sim.MustCanonical(names)) +
		`},"args":{"type":"object","additionalProperties":{"type":"string"}}},"required":["tool","args"],"additionalProperties":false}`)
}

// Parse finds the action of a reply.
func (Dialect) Parse(_ tasks.Envelope, reply string) (tasks.Action, error) {
	if !utf8.ValidString(reply) {
		return tasks.Action{}, tasks.Malformedf(CodeNoAction, "the reply is not UTF-8")
	}
	found := actions(reply)
	switch {
	case len(found) == 0 && strings.TrimSpace(reply) == "":
		return tasks.Action{}, tasks.Malformedf(CodeNoAction, "the reply is empty")
	case len(found) == 0:
		return tasks.Action{}, tasks.Malformedf(CodeNoAction, `the reply holds no JSON object with a "tool"`)
	case len(found) > 1:
		return tasks.Action{}, tasks.Malformedf(CodeSeveralActions, "the reply holds %d actions", len(found))
	}
	action := found[0]
	var ignored []string
	for key := range action {
		if key != "tool" && key != "args" {
			ignored = append(ignored, clip(key))
		}
	}
	slices.Sort(ignored)
	tool, ok := action["tool"].(string)
	if !ok || tool == "" {
		return tasks.Action{}, tasks.Malformedf(CodeInvalidAction, `"tool" is not the name of a tool`)
	}
	args, given := action["args"]
	if !given {
		args = map[string]any{}
	}
	if _, ok := args.(map[string]any); !ok {
		return tasks.Action{}, tasks.Malformedf(CodeInvalidAction, `"args" is not an object`)
	}
	raw, err := sim.Canonical(args)
	if err != nil {
		return tasks.Action{}, tasks.Malformedf(CodeInvalidAction, "%s", clip(err.Error()))
	}
	return tasks.Action{Calls: []sim.Call{{Name: tool, Arguments: raw}}, Ignored: ignored}, nil
}

// ParseText refuses what is no call: whoever calls tools natively has nothing to say in words.
func (Dialect) ParseText(tasks.Envelope, string) (tasks.Action, error) {
	return tasks.Action{}, tasks.Malformedf(CodeNoCall, "the reply calls no tool")
}

// Repair asks for exactly one action.
func (Dialect) Repair(m *tasks.Malformed) tasks.Message {
	want := `Reply with exactly one JSON action and nothing else: {"tool": "<name>", "args": {…}}`
	if m.Code == CodeNoCall {
		want = "Call exactly one tool. When the work is done, call submit"
	}
	return tasks.Message{Role: tasks.RoleUser, Content: "That could not be used: " + m.Detail + ". " + want + "."}
}

// AnswerSchema says that there is nothing to answer: an episode ends by the tool submit.
func (Dialect) AnswerSchema(tasks.Envelope) json.RawMessage {
	return json.RawMessage(`{"type":"null"}`)
}

// Reply writes a move as an action. An answer is a submission of no path, which is what somebody
// means who says that all is done.
func (Dialect) Reply(m tasks.Move) (string, error) {
	switch {
	case m.Raw != "" && len(m.Calls) == 0 && m.Answer == nil:
		return m.Raw, nil
	case m.Answer != nil && len(m.Calls) == 0 && m.Raw == "":
		return `{"tool":"submit","args":{"path_or_answer":"done"}}`, nil
	case len(m.Calls) != 1 || m.Answer != nil || m.Raw != "":
		return "", errors.New("files: a move is one call or one raw reply: a reply holds one action")
	}
	args := m.Calls[0].Arguments
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	args, err := sim.Canonical(args)
	if err == nil && args[0] != '{' {
		err = errors.New("want a JSON object")
	}
	if err != nil {
		return "", fmt.Errorf("files: arguments of %s: %w", clip(m.Calls[0].Name), err)
	}
	return `{"tool":` + string(sim.MustCanonical(m.Calls[0].Name)) + `,"args":` + string(args) + `}`, nil
}

// Result returns the observation text of a call.
func (Dialect) Result(c sim.Call, r sim.Result) (tasks.Message, error) {
	o, err := world.ParseOutcome(r.Data)
	if err != nil {
		return tasks.Message{}, fmt.Errorf("files: result of %s: %w", clip(c.Name), err)
	}
	return tasks.Message{Role: tasks.RoleUser, Content: o.Text()}, nil
}

var (
	_ tasks.Dialect      = Dialect{}
	_ tasks.ToolsDialect = Dialect{}
)
