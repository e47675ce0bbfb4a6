package workspace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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

// An AskContext is the public facts that come with an ask. It is the Context of a tasks.Ask.
type AskContext struct {
	Track         string            `json:"track,omitempty"`               // "" is [Guided]
	FinalAnswer   bool              `json:"final_answer,omitempty"`        // the ask is completed by an answer
	Specification string            `json:"specification_level,omitempty"` // explicit, partially-specified or open-brief
	Terms         []string          `json:"business_terms,omitempty"`      // business identifiers that the ask may use verbatim
	Fixtures      []string          `json:"fixtures,omitempty"`            // slugs of the backends
	Origins       map[string]string `json:"origin_hints,omitempty"`        // slug → display name; told on the guided track alone
}

// publicTask is how an ask is shown.
type publicTask struct {
	Prompt        string            `json:"prompt"`
	Specification string            `json:"specification_level,omitempty"`
	Terms         []string          `json:"business_terms,omitempty"`
	Fixtures      []string          `json:"fixtures,omitempty"`
	Origins       map[string]string `json:"origin_hints,omitempty"`
	State         struct {
		Note string `json:"note"`
	} `json:"initial_state"`
	Tools []string `json:"allowed_tools"`
}

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
	c, err := parseContext(env.Asks[ask].Context)
	if err != nil {
		return nil, fmt.Errorf("workspace: ask %d: context: %w", ask+1, err)
	}
	offered := offer(tools, c.FinalAnswer)
	p := publicTask{Prompt: env.Asks[ask].Text, Specification: c.Specification, Terms: c.Terms, Fixtures: c.Fixtures}
	if c.Track != Cold {
		p.Origins = c.Origins
	}
	p.Tools = make([]string, 0, len(offered))
	p.State.Note = closed
	for _, t := range offered {
		p.Tools = append(p.Tools, t.Name)
		if t.Name == "get_workspace_snapshot" {
			p.State.Note = closedLook
		}
	}
	var b strings.Builder
	if reference && ask == 0 {
		list, err := toolReference(offered)
		if err != nil {
			return nil, fmt.Errorf("workspace: %w", err)
		}
		b.WriteString("Tools:\n" + list + "\n\n")
	}
	shown, err := pretty(p)
	if err != nil {
		return nil, fmt.Errorf("workspace: ask %d: %w", ask+1, err)
	}
	b.WriteString("Task:\n" + shown)
	if c.FinalAnswer {
		b.WriteString("\n\n" + completion)
	}
	b.WriteString("\n\n" + firstCall)
	user := tasks.Message{Role: tasks.RoleUser, Content: b.String()}
	if ask > 0 {
		return []tasks.Message{user}, nil
	}
	rules := env.System
	if rules == "" {
		rules = Rules(c.Track)
	}
	return []tasks.Message{{Role: tasks.RoleSystem, Content: turns + "\n\n" + rules}, user}, nil
}

// parseContext reads an AskContext; none at all is one without facts.
func parseContext(raw json.RawMessage) (c AskContext, err error) {
	if len(raw) == 0 {
		return c, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, err
	}
	if c.Track != "" && !slices.Contains(Tracks(), c.Track) {
		return c, tasks.Unknown("track", c.Track, Tracks())
	}
	return c, nil
}

// answers reports whether an ask of the envelope is completed by an answer, and returns the
// display names of backends by lower-case slug and name.
func publicOf(env tasks.Envelope) (answers bool, origins map[string]string) {
	origins = map[string]string{}
	for _, a := range env.Asks {
		c, err := parseContext(a.Context)
		if err != nil {
			continue // Open has said so
		}
		answers = answers || c.FinalAnswer
		for slug, name := range c.Origins {
			origins[strings.ToLower(slug)] = name
			origins[strings.ToLower(name)] = name
		}
	}
	return answers, origins
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
	answers, _ := publicOf(env)
	return offer(tools, answers)
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
	answers, _ := publicOf(env)
	names := []string{}
	for _, t := range offer(tools, answers) {
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
	if answers, _ := publicOf(env); answers {
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
	return result("Tool result:", nextEither, c, r)
}

// Tell returns the user message with what a call gave. The result's keys are sorted.
func (Dialect) Tell(env tasks.Envelope, turn int, c sim.Call, r sim.Result) (tasks.Message, error) {
	next := nextCall
	if answers, _ := publicOf(env); answers {
		next = nextAnswer
	}
	return result(fmt.Sprintf("Tool result of turn %d:", turn), next, c, r)
}

func result(head, next string, c sim.Call, r sim.Result) (tasks.Message, error) {
	args := c.Arguments
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	if !json.Valid(r.Data) {
		return tasks.Message{}, fmt.Errorf("workspace: the result of %q has nothing to show: %s", clip(c.Name), clip(r.Fault))
	}
	raw, err := sim.Canonical(struct {
		Tool   string          `json:"tool"`
		Args   json.RawMessage `json:"args"`
		Result json.RawMessage `json:"result"`
	}{c.Name, args, r.Data})
	if err != nil {
		return tasks.Message{}, fmt.Errorf("workspace: result of %q: %w", clip(c.Name), err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return tasks.Message{}, fmt.Errorf("workspace: result of %q: %w", clip(c.Name), err)
	}
	return tasks.Message{Role: tasks.RoleUser, Tool: c.Name, Content: head + "\n" + b.String() + "\n\n" + next}, nil
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
