package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// An Agent acts. Play returns when it is done, when the session says that the episode is over
// (by an error, which Play may return as it is), or when ctx ends.
//
// A *Fault says that what the agent relies on is broken — its provider, say — and breaks the
// episode in that layer; an *Ended ends it. Any other error, a panic and runtime.Goexit are the
// agent's own doing, and so is not to return when ctx ends: the episode ends with
// [grader.EndAgent], or because its time is up, and is graded on what stands.
type Agent interface {
	Play(ctx context.Context, s *Session) error
}

// A Model answers a conversation with one reply. Its errors are:
//
//   - *Fault: the measurement broke (no server, cut stream, wrong model …);
//   - *Ended: the model ended the episode by its own doing (no_done, context_exceeded …);
//   - *tasks.Malformed: a reply that no dialect need read, with the code [ReplyTooLarge];
//   - ctx's error, when ctx ended first; Reply.Began then says whether anything had arrived.
//
// Anything else, a panic included, is a fault of the adapter. Reply and Usage are recorded also
// when the error is not nil.
type Model interface {
	Next(ctx context.Context, conv []tasks.Message, tools []sim.Tool) (Reply, Usage, error)
}

// A Reply is one reply of a model, as it came.
type Reply struct {
	Text       string     `json:"text"`
	Calls      []sim.Call `json:"calls,omitempty"`       // native tool calls
	DoneReason string     `json:"done_reason,omitempty"` // as the provider says; "length" means cut at the output limit
	Model      string     `json:"model,omitempty"`       // that answered, by the provider's account
	Thinking   int        `json:"thinking,omitempty"`    // bytes of thinking, which are not kept
	Request    string     `json:"request,omitempty"`     // SHA-256 of the request's body
	Began      bool       `json:"began,omitempty"`       // a sound part of it had arrived
	Timing     Timing     `json:"timing,omitzero"`
}

// Timing is the provider's own account of a reply, in nanoseconds; 0 where it gives none.
type Timing struct {
	Total  time.Duration `json:"total_ns,omitempty"`
	Load   time.Duration `json:"load_ns,omitempty"`
	Prompt time.Duration `json:"prompt_ns,omitempty"`
	Output time.Duration `json:"output_ns,omitempty"`
}

// DoneLength is the done reason of a reply that was cut at the output limit.
const DoneLength = "length"

// MaxReply is how many bytes of a reply are read: its text, and its calls with their arguments.
const MaxReply = 4 << 20

// Codes of replies that no dialect is asked to read.
const (
	ReplyTooLarge = "reply_too_large" // more than MaxReply; its beginning is recorded
	TooManyCalls  = "too_many_calls"  // more than a turn holds
	TooDeep       = "too_deep"        // an answer nested deeper than sim.MaxAgentDepth
)

// A Fault is a failure of the measurement: never the agent's doing.
type Fault struct {
	Layer grader.Layer
	Code  string // "network_error"
	Err   error
}

func (f *Fault) Error() string { return fmt.Sprintf("%s: %s: %v", f.Layer, f.Code, f.Err) }

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// Faultf returns a *Fault with a formatted cause; %w works.
func Faultf(layer grader.Layer, code, format string, args ...any) *Fault {
	return &Fault{layer, code, fmt.Errorf(format, args...)}
}

// Ended says that the episode is over, and why. The session returns it once a budget is spent
// or the world is done; every later call of the session returns it again.
type Ended struct{ End grader.End }

func (e *Ended) Error() string { return "the episode is over: " + e.End.Code }

// End returns the error that ends an episode for a reason of the agent's own making.
func End(code, detail string) error { return &Ended{grader.End{Code: code, Detail: detail}} }

// errWall is the cause of a context whose task ran out of time.
var errWall = errors.New("the task's time is up")

// An Identity says precisely which model acted. It is part of a run's identity.
type Identity struct {
	Name     string         `json:"name"`
	Digest   string         `json:"digest,omitempty"` // of weights, template and parameters, as the provider gives it
	Details  map[string]any `json:"details,omitempty"`
	Provider string         `json:"provider,omitempty"`
	Version  string         `json:"version,omitempty"` // of the server
	Options  map[string]any `json:"options,omitempty"` // as sent with every request
}

// A Preparer is a model, or maker of models, that must be made ready before any episode's clock
// starts: found, identified, loaded.
type Preparer interface {
	Prepare(ctx context.Context) (Identity, error)
}
