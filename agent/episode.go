package agent

import (
	"encoding/json"
	"fmt"
	"time"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// Schema names the form of an episode's record.
const Schema = "benchwright.episode/1"

// An Episode is everything of one attempt of one task by one agent. It is also the record that
// a run keeps of it, and the evidence that its checks see.
type Episode struct {
	Schema     string         `json:"schema"`
	Task       tasks.ID       `json:"task"`
	Title      string         `json:"title,omitempty"`
	Labels     []string       `json:"labels"`
	Source     tasks.Source   `json:"source,omitzero"`
	TaskDigest tasks.Digest   `json:"task_digest"`
	Agent      string         `json:"agent"`
	Protocol   string         `json:"protocol"`
	Trial      int            `json:"trial"` // from 1
	Seed       int64          `json:"seed"`
	Outcome    grader.Outcome `json:"outcome"`
	Layer      grader.Layer   `json:"layer,omitempty"`      // of a broken one
	FaultCode  string         `json:"fault_code,omitempty"` // "network_error"
	Reason     string         `json:"reason,omitempty"`     // why broken or skipped
	Score      float64        `json:"score"`
	Floor      *float64       `json:"floor"` // the score of doing nothing; null when not certified
	Verdict    grader.Verdict `json:"verdict,omitzero"`
	// Uncertified marks an episode whose task, or whose spec beyond the task's rubric, has not
	// proven itself.
	Uncertified bool              `json:"uncertified,omitempty"`
	End         grader.End        `json:"end"`
	Usage       Usage             `json:"usage"`
	Budget      int64             `json:"budget_tokens"`
	BudgetNote  string            `json:"budget_note,omitempty"`
	Cost        json.Number       `json:"cost,omitempty"` // exact decimal; "" without prices
	Started     time.Time         `json:"started,omitzero"`
	Queued      time.Duration     `json:"queued_ns,omitempty"` // waited for a worker; outside the clock
	Wall        time.Duration     `json:"wall_ns"`
	Pid         int               `json:"pid,omitempty"`
	Envelope    tasks.Envelope    `json:"envelope"`
	Turns       []Turn            `json:"turns"`
	Trace       sim.Trace         `json:"trace"`
	Answers     []json.RawMessage `json:"answers"` // by ask; null where none was given
	Initial     json.RawMessage   `json:"initial_state,omitempty"`
	States      []json.RawMessage `json:"states,omitempty"` // after each ask that began
	Messages    []tasks.Message   `json:"conversation,omitempty"`
	Ignored     []string          `json:"ignored_fields,omitempty"` // of the answer, dropped by the protocol
}

// A Turn is one reply of the agent and what was made of it.
type Turn struct {
	Ask      int           `json:"ask"`
	Reply    Reply         `json:"reply"`
	Usage    Usage         `json:"usage"`
	Kind     string        `json:"kind"` // calls, answer, malformed, ended, fault
	Code     string        `json:"code,omitempty"`
	Detail   string        `json:"detail,omitempty"`
	Layer    grader.Layer  `json:"layer,omitempty"` // of a fault
	Duration time.Duration `json:"duration_ns"`
}

// The kinds of turn.
const (
	TurnCalls     = "calls"
	TurnAnswer    = "answer"
	TurnMalformed = "malformed"
	TurnEnded     = "ended"
	TurnFault     = "fault"
)

// Key identifies the episode within a run, and names its file: suite__family__task__t1.
func (e *Episode) Key() string { return Key(e.Task, e.Trial) }

// Key is Episode.Key for a task and a trial counted from 1.
func Key(id tasks.ID, trial int) string {
	return fmt.Sprintf("%s__%s__%s__t%d", id.Suite(), id.Family(), id.Name(), trial)
}

// Evidence returns what the checks of an ask see: the state after it and all that happened up
// to its end. For an ask that never began this is what stood when the episode ended.
func (e *Episode) Evidence(ask int) (grader.Evidence, error) {
	if e.Outcome == grader.Broken && e.Verdict.Results == nil && e.Layer != "" {
		return grader.Evidence{}, fmt.Errorf("the episode is broken: %s: %s", e.Layer, e.Reason)
	}
	var initial sim.State = sim.RawState(e.Initial)
	ev := grader.Evidence{Initial: initial, Final: initial, Trace: e.Trace.Until(ask), Ask: ask, End: e.End}
	if n := len(e.States); n > 0 {
		ev.Final = sim.RawState(e.States[min(ask, n-1)])
	}
	if ask < len(e.Answers) && string(e.Answers[ask]) != "null" {
		ev.Answer = e.Answers[ask]
	}
	return ev, nil
}

// Break makes the episode broken.
func (e *Episode) Break(f *Fault) {
	f = f.own()
	e.Outcome, e.Layer, e.FaultCode, e.Reason = grader.Broken, f.Layer, f.Code, f.Err.Error()
}

// Calls returns the number of tool calls.
func (e *Episode) Calls() int { return len(e.Trace) }
