package workspace

import (
	"encoding/json"
	"fmt"
	"slices"

	"benchwright/sim"
	"benchwright/tasks"
)

// Dialect is the interactive protocol of the published system: one JSON action a turn, read
// leniently. The zero value is ready for use. An ask's Context is an [AskContext], or empty.
//
// What the published protocol sends about a task's identity (its id, family and difficulty) is
// left out. Its limit of turns is never told.
type Dialect struct{}

var (
	_ tasks.Dialect       = Dialect{}
	_ tasks.NativeDialect = Dialect{}
	_ tasks.Repairer      = Dialect{}
	_ tasks.Teller        = Dialect{}
)

// FinalAnswer is the tool that answers an ask. It belongs to the protocol: no world has it.
const FinalAnswer = "final_answer"

// recoveries is how many malformed replies an episode survives.
const recoveries = 2

// Repairs returns how many malformed replies an episode survives.
func (Dialect) Repairs() int { return recoveries }

// Open returns the system message, for the first ask, and the user message with the tool
// reference and the task. A System text of the envelope takes the place of [Rules].
func (Dialect) Open(env tasks.Envelope, ask int, tools []sim.Tool) ([]tasks.Message, error) {
	return open(env, ask, tools, jsonTurns, true)
}

// OpenTools is Open where the provider itself tells the model about the tools.
func (Dialect) OpenTools(env tasks.Envelope, ask int, tools []sim.Tool) ([]tasks.Message, error) {
	return open(env, ask, tools, toolsTurns, false)
}

func open(env tasks.Envelope, ask int, tools []sim.Tool, turns string, reference bool) ([]tasks.Message, error) {
	if ask < 0 || ask >= len(env.Asks) {
		return nil, fmt.Errorf("workspace: there is no ask %d of %d", ask+1, len(env.Asks))
	}
	c, err := factsOf(env.Asks[ask].Context)
	if err != nil {
		return nil, fmt.Errorf("workspace: ask %d: context: %w", ask+1, err)
	}
	offered := offer(tools, c.FinalAnswer)
	pg := pages.Get().(*page)
	defer pg.done()
	if reference && ask == 0 {
		b, err := appendReference(append(pg.b, "Tools:\n"...), offered)
		if err != nil {
			return nil, fmt.Errorf("workspace: %w", err)
		}
		pg.b = append(b, "\n\n"...)
	}
	b := c.appendTask(append(pg.b, "Task:\n"...), env.Asks[ask].Text, offered)
	if c.FinalAnswer {
		b = append(append(b, "\n\n"...), completion...)
	}
	pg.b = append(append(b, "\n\n"...), firstCall...)
	user := tasks.Message{Role: tasks.RoleUser, Content: string(pg.b)}
	if ask > 0 {
		return []tasks.Message{user}, nil
	}
	rules := env.System
	if rules == "" {
		rules = Rules(c.Track)
	}
	return []tasks.Message{{Role: tasks.RoleSystem, Content: turns + "\n\n" + rules}, user}, nil
}

// WithTrack returns the task as it is put on a track: with the rules of the track, unless the
// task brings its own, and with contexts that name it. On the cold track display names of
// backends are in the context for reading replies and are not told.
func WithTrack(t tasks.Task, track string) (tasks.Task, error) {
	if !slices.Contains(Tracks(), track) {
		return t, tasks.Unknown("track", track, Tracks())
	}
	if t.System == "" || t.System == Rules(Guided) || t.System == Rules(Cold) {
		t.System = Rules(track)
	}
	t.Asks = slices.Clone(t.Asks)
	for i := range t.Asks {
		c, err := parseContext(t.Asks[i].Context)
		if err != nil {
			return t, fmt.Errorf("task %s: ask %d: context: %w", t.ID, i+1, err)
		}
		c.Track = track
		if t.Asks[i].Context, err = sim.Canonical(c); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Offer returns the tools of the world and, where an ask is completed by an answer, the one that
// submits it.
func (Dialect) Offer(env tasks.Envelope, tools []sim.Tool) []sim.Tool {
	return offer(tools, answers(env))
}

func offer(tools []sim.Tool, answers bool) []sim.Tool {
	if !answers {
		return tools
	}
	return append(slices.Clone(tools), sim.Tool{Name: FinalAnswer, Description: finalAnswer,
		Schema: json.RawMessage(`{"additionalProperties":false,"properties":{"text":{"type":"string"}},"required":["text"],"type":"object"}`)})
}

// Format is the schema of an action: whether the agent is done, a tool by its name, and any
// object of arguments. The arguments stay free on purpose: the schemas of twenty tools make a
// grammar that some servers die of.
func (Dialect) Format(env tasks.Envelope, tools []sim.Tool) json.RawMessage {
	names := []string{}
	for _, t := range offer(tools, answers(env)) {
		names = append(names, t.Name)
	}
	tool := `{"type":"string"}`
	if len(names) > 0 {
		tool = `{"type":"string","enum":` + string(sim.MustCanonical(names)) + `}`
	}
	// A constrained model writes the keys in this order.
	return json.RawMessage(`{"type":"object","properties":{"done":{"type":"boolean"},"tool":` + tool +
		`,"args":{"type":"object"}},"required":["done"],"additionalProperties":false}`)
}

// AnswerSchema describes what completes an ask: a text, or nothing.
func (Dialect) AnswerSchema(env tasks.Envelope) json.RawMessage {
	if answers(env) {
		return json.RawMessage(`{"type":"string"}`)
	}
	return json.RawMessage(`{"type":"null"}`)
}

// Reply writes a move as an action: Raw as it is, one call, or an answer. The answer null is
// {"done": true}; any other goes through final_answer, as its text where it is a string.
func (Dialect) Reply(m tasks.Move) (string, error) {
	said := 0
	for _, has := range []bool{m.Raw != "", len(m.Calls) > 0, m.Answer != nil} {
		if has {
			said++
		}
	}
	switch {
	case said != 1:
		return "", fmt.Errorf("workspace: a move is one call, one answer or one raw reply")
	case m.Raw != "":
		return m.Raw, nil
	case len(m.Calls) > 1:
		return "", fmt.Errorf("workspace: a move of %d calls: this protocol makes one call a turn", len(m.Calls))
	case len(m.Calls) == 1:
		args, err := sim.Canonical(m.Calls[0].Arguments)
		if len(m.Calls[0].Arguments) == 0 {
			args, err = json.RawMessage("{}"), nil
		}
		if err == nil && args[0] != '{' {
			err = fmt.Errorf("want a JSON object")
		}
		if err != nil {
			return "", fmt.Errorf("workspace: arguments of %s: %w", m.Calls[0].Name, err)
		}
		return action(m.Calls[0].Name, args), nil
	}
	answer, err := sim.Canonical(m.Answer)
	if err != nil {
		return "", fmt.Errorf("workspace: answer: %w", err)
	}
	if string(answer) == "null" {
		return `{"done":true}`, nil
	}
	if answer[0] != '"' {
		answer = sim.MustCanonical(string(answer))
	}
	return action(FinalAnswer, json.RawMessage(`{"text":`+string(answer)+`}`)), nil
}

func action(tool string, args json.RawMessage) string {
	return `{"done":false,"tool":` + string(sim.MustCanonical(tool)) + `,"args":` + string(args) + `}`
}

// Result is Tell without knowing the task and the turn.
func (Dialect) Result(c sim.Call, r sim.Result) (tasks.Message, error) {
	return result(0, nextEither, c, r)
}

// Tell returns the user message with what a call gave. The result's keys are sorted.
func (Dialect) Tell(env tasks.Envelope, turn int, c sim.Call, r sim.Result) (tasks.Message, error) {
	next := nextCall
	if answers(env) {
		next = nextAnswer
	}
	return result(turn, next, c, r)
}

// Repair says what was wrong with a reply, and which replies are allowed.
func (Dialect) Repair(m *tasks.Malformed) tasks.Message {
	text := "Your reply could not be read as a single JSON action: " + m.Detail + ".\n" + twoShapes
	switch m.Code {
	case EmptyAnswer:
		text = m.Detail
	case InvalidText:
		text = "Your reply could not be used: " + m.Detail + ". Call a tool, or reply in words when nothing is left to do."
	}
	return tasks.Message{Role: tasks.RoleUser, Content: text}
}
