package grader

import (
	"context"
	"encoding/json"

	"benchwright/sim"
)

// Evidence is what an episode left behind, frozen. Rules read it and must not change it.
type Evidence struct {
	Initial sim.State
	Final   sim.State       // after the check's ask; nil when that ask never began
	Trace   sim.Trace       // up to the end of the check's ask
	Answer  json.RawMessage // what the agent answered to the check's ask; nil when it gave none
	Ask     int
	End     End
	Asker   Asker // nil where the run has no judge
}

// An End is why an episode ended.
type End struct {
	Code   string `json:"code"`             // one of the End… constants, or the dialect's code for a malformed reply
	Detail string `json:"detail,omitempty"` // for people
}

// Why an episode ended. Codes of malformed replies come from the task's dialect.
const (
	EndDone      = "done"                    // every ask was answered, or the world said that it is done
	EndStopped   = "stopped"                 // the agent went away without an answer
	EndTurns     = "decision_limit_exceeded" // no turn left
	EndWall      = "deadline_exceeded"       // no time left
	EndTokens    = "token_limit_exceeded"
	EndCalls     = "call_limit_exceeded" // no tool call left
	EndInvalid   = "invalid_call_limit_exceeded"
	EndNoDone    = "no_done"          // the model's stream ended cleanly without saying that it is complete
	EndTruncated = "output_truncated" // a reply was cut at the output limit and cannot be read
	EndContext   = "context_exceeded" // what the agent gathered no longer fits the window
	EndUnreached = "unreached"        // the run ended before the episode began
	EndGate      = "gate_failed"      // a gated ask was not met, so the next was not put
	EndAgent     = "agent_error"      // the agent itself went wrong: a panic, an error of its own, misuse of its session
)

// Finished reports whether the episode ran to its natural end.
func (e End) Finished() bool { return e.Code == EndDone }

// An Asker puts a question to a model; the judge's rule reaches its model by it.
type Asker interface {
	Ask(ctx context.Context, system, user string) (string, error)
}

// An Evidencer can show the evidence for the checks of an ask. An episode is one.
type Evidencer interface {
	Evidence(ask int) (Evidence, error)
}
