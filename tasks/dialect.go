package tasks

import (
	"encoding/json"
	"fmt"

	"benchwright/sim"
)

// A Message is one line of the conversation between the loop and a model.
type Message struct {
	Role    string     `json:"role"` // system, user, assistant, tool
	Content string     `json:"content"`
	Calls   []sim.Call `json:"calls,omitempty"` // native tool calls of an assistant
	Tool    string     `json:"tool,omitempty"`  // whose result a tool message is
}

// The roles of a Message.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// An Action is a model's reply, understood.
type Action struct {
	Calls   []sim.Call
	Answer  json.RawMessage // canonical; not nil when the reply answers the ask
	Ignored []string        // names of fields that the protocol drops, sorted
}

// A Malformed reply could not be understood. It is the agent's doing.
type Malformed struct {
	Code   string // "invalid_json"
	Detail string
}

func (m *Malformed) Error() string { return m.Code + ": " + m.Detail }

// A Dialect is a published protocol as code: what a model is sent in the json protocol and how
// its replies are read. It is stateless, and everything it says follows from its arguments.
type Dialect interface {
	// Open returns the messages that put ask number n: for the first, system text included.
	Open(env Envelope, ask int, tools []sim.Tool) ([]Message, error)
	// Format is the JSON that constrains a reply: a schema, the string "json" in quotes, or nil.
	Format(env Envelope, tools []sim.Tool) json.RawMessage
	// Parse reads a reply. An error is always a *Malformed.
	Parse(env Envelope, reply string) (Action, error)
	// Reply writes a move as a perfect model would say it, so that scripted agents pass through
	// the same Parse as everybody else.
	Reply(m Move) (string, error)
	// Result returns the message that tells the model what its call gave.
	Result(c sim.Call, r sim.Result) (Message, error)
	// Repair returns the message that tells the model what was wrong with its reply; used by
	// lenient protocols alone.
	Repair(m *Malformed) Message
}

// ToolsDialect is the part of the protocol that native tool calling replaces. A kit whose
// Dialect implements it decides how an answer looks there; otherwise the text of a reply
// without calls is the answer, as a JSON string.
type ToolsDialect interface {
	// OpenTools is Open for the tools protocol.
	OpenTools(env Envelope, ask int, tools []sim.Tool) ([]Message, error)
	// ParseText reads the text of a reply that has no calls.
	ParseText(env Envelope, reply string) (Action, error)
}

// A Repairer is a lenient dialect that bounds how many malformed replies an episode survives;
// the next one ends it. Without it only the turns bound them. 0 means none, as in a strict one.
type Repairer interface{ Repairs() int }

// A Teller words results by task and turn, where Dialect.Result knows the call alone.
type Teller interface {
	// Tell is Result for a call of a turn, counted from 1 over all asks.
	Tell(env Envelope, turn int, c sim.Call, r sim.Result) (Message, error)
}

// A NativeDialect is a ToolsDialect that offers tools which the world does not have, such as one
// that answers the ask.
type NativeDialect interface {
	ToolsDialect
	// Offer returns what a model may call natively, given the tools of the world.
	Offer(env Envelope, tools []sim.Tool) []sim.Tool
	// ParseCalls reads native calls: those for the world, and those that answer the ask.
	ParseCalls(env Envelope, calls []sim.Call) (Action, error)
}

// Malformedf returns a *Malformed with a formatted detail.
func Malformedf(code, format string, args ...any) *Malformed {
	return &Malformed{Code: code, Detail: fmt.Sprintf(format, args...)}
}
