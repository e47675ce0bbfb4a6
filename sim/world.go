package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
)

// A World is what one episode acts in. It belongs to one goroutine at a time; different
// worlds, also forks of one another, may be used concurrently.
type World interface {
	// Tools lists what the agent may call, in an order that depends on the setup alone.
	Tools() []Tool
	// Begin starts ask number ask, counted from 0. An error is the world's own failure.
	Begin(ctx context.Context, ask int) error
	// Call performs one call. It never panics, whatever the agent sent: what the agent
	// may see as an error is a Result, what is the world's own failure is Result.Fault.
	// After Close every call is a fault.
	Call(ctx context.Context, c Call) Result
	// State returns the present state. The value never changes afterwards.
	State() (State, error)
	// Fork returns an independent copy: nothing done to one shows in the other.
	Fork() (World, error)
	// Close frees what the world holds. A second Close does nothing.
	Close() error
}

// A Tool is what an agent is told about one thing that it can do.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"` // JSON Schema of the arguments object
}

// A Call is a tool call as an agent sent it: nothing in it has been validated.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Parent is the number, from 1, of the call in the trace in whose service this one was made,
	// as one inside another tool or by a sub-agent; 0 for a call of the agent's own.
	Parent int `json:"parent,omitempty"`
}

// A Result is what a call gave back. Data is for the agent; the rest is the world's own
// account of the call, for graders and budgets, and is never shown to an agent.
type Result struct {
	Data    json.RawMessage `json:"data"`              // what the agent sees
	Status  string          `json:"status"`            // the world's class of the result; "ok" is success
	Code    string          `json:"code,omitempty"`    // why it was not "ok"
	Invalid bool            `json:"invalid,omitempty"` // malformed; counts against the budget of invalid calls
	Done    bool            `json:"done,omitempty"`    // the world says that the ask is finished
	Fault   string          `json:"fault,omitempty"`   // the world itself broke: the episode is broken, not failed
	// Arguments in the world's canonical spelling, where it has one; graders compare these.
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Facts is what the world noted about the call, as JSON of the world's own form, so that
	// graders need not infer it: what was read, what changed, from what to what.
	Facts json.RawMessage `json:"facts,omitempty"`
}

// OK reports whether the call did what it was asked.
func (r Result) OK() bool { return r.Status == StatusOK && r.Fault == "" }

// StatusOK is the status of a call that did what it was asked.
const StatusOK = "ok"

// Fault returns the result of a call during which the world itself broke.
func Fault(format string, args ...any) Result {
	return Result{Status: "fault", Fault: fmt.Sprintf(format, args...)}
}

// A State is one moment of a world. It is immutable, and JSON is canonical: two states are
// equal when their bytes are. Callers must not write to what JSON returns.
type State interface {
	JSON() json.RawMessage
}

// A RawState is a State that is nothing but its canonical bytes.
type RawState json.RawMessage

// JSON returns the state's bytes.
func (s RawState) JSON() json.RawMessage { return json.RawMessage(s) }

// MarshalJSON returns the bytes as they are.
func (s RawState) MarshalJSON() ([]byte, error) {
	if len(s) == 0 {
		return []byte("null"), nil
	}
	return s, nil
}

// Env is what a world gets from the run.
type Env struct {
	Seed    int64  // every random choice of the world follows from it
	Scratch string // an empty folder of the episode's own, or "" where the run gives none
	Blobs   fs.FS  // fixtures by digest; may be nil
}

// A Kind makes worlds of one sort.
type Kind struct {
	Name string
	// New builds a world from a task's setup. tools names the tools in scope; worlds
	// without scopes ignore it. A setup that New cannot use is an error, never a panic.
	New func(ctx context.Context, env Env, setup json.RawMessage, tools []string) (World, error)
	// Decode reads a recorded state back, so that it can be graded again or mutated.
	// Nil means RawState. Decode(s.JSON()).JSON() equals s.JSON().
	Decode func(raw json.RawMessage, blobs fs.FS) (State, error)
}

// DecodeState reads a recorded state of a world of kind k.
func (k Kind) DecodeState(raw json.RawMessage, blobs fs.FS) (State, error) {
	if k.Decode != nil {
		return k.Decode(raw, blobs)
	}
	c, err := Canonical(raw)
	if err != nil {
		return nil, fmt.Errorf("state of world %s: %w", k.Name, err)
	}
	return RawState(c), nil
}
