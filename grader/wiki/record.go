package wiki

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wiki"
)

// A Record is what is used of an episode's record: its JSON, read by ParseRecord. It is a
// [grader.Evidencer], so that it can be graded again.
type Record struct {
	Task      string            `json:"task"`
	Agent     string            `json:"agent"`
	Protocol  string            `json:"protocol"`
	Trial     int               `json:"trial"`
	Outcome   grader.Outcome    `json:"outcome"`
	Layer     grader.Layer      `json:"layer"`
	FaultCode string            `json:"fault_code"`
	Reason    string            `json:"reason"`
	End       grader.End        `json:"end"`
	Usage     RecordedUsage     `json:"usage"`
	Budget    int64             `json:"budget_tokens"`
	Cost      json.Number       `json:"cost"`
	Wall      time.Duration     `json:"wall_ns"`
	Turns     []Turn            `json:"turns"`
	Trace     sim.Trace         `json:"trace"`
	Answers   []json.RawMessage `json:"answers"`
	Initial   json.RawMessage   `json:"initial_state"`
	States    []json.RawMessage `json:"states"`
	Messages  []Message         `json:"conversation"`
	Envelope  struct {
		Tools []string `json:"tools"`
	} `json:"envelope"`

	mute bool // see [Run.Muted]
}

// RecordedUsage is usage as episodes record it.
type RecordedUsage struct {
	Requests  int    `json:"requests"`
	Attempts  int    `json:"attempts"`
	Input     *int64 `json:"input"`
	Cached    *int64 `json:"cached_input"`
	Output    *int64 `json:"output"`
	Reasoning *int64 `json:"reasoning"`
}

// A Turn is a reply of the agent as it is recorded.
type Turn struct {
	Ask   int `json:"ask"`
	Reply struct {
		Text       string     `json:"text"`
		Calls      []sim.Call `json:"calls"`
		DoneReason string     `json:"done_reason"`
		Began      bool       `json:"began"`
		Timing     struct {
			Load   time.Duration `json:"load_ns"`
			Prompt time.Duration `json:"prompt_ns"`
			Output time.Duration `json:"output_ns"`
		} `json:"timing"`
	} `json:"reply"`
	Usage    RecordedUsage `json:"usage"`
	Kind     string        `json:"kind"`
	Code     string        `json:"code"`
	Layer    grader.Layer  `json:"layer"`
	Duration time.Duration `json:"duration_ns"`
}

// The kinds of turn that matter here.
const (
	turnCalls     = "calls"
	turnAnswer    = "answer"
	turnMalformed = "malformed"
)

// A Message is one line of the conversation.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// ParseRecord reads the record of an episode. What it does not know it ignores.
func ParseRecord(raw json.RawMessage) (*Record, error) {
	var r Record
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, fmt.Errorf("record of an episode: %w", err)
	}
	if r.Task == "" || r.Trial < 1 {
		return nil, errors.New("record of an episode: it names no task and trial")
	}
	return &r, nil
}

// Evidence implements grader.Evidencer.
func (r *Record) Evidence(ask int) (grader.Evidence, error) {
	if len(r.Initial) == 0 {
		return grader.Evidence{}, grader.BrokenError{Layer: grader.LayerFixture, Err: errors.New("the record has no state")}
	}
	ev := grader.Evidence{Initial: sim.RawState(r.Initial), Final: sim.RawState(r.Initial), Trace: r.Trace.Until(ask), Ask: ask, End: r.End}
	if n := len(r.States); n > 0 {
		ev.Final = sim.RawState(r.States[min(max(ask, 0), n-1)])
	}
	if ask >= 0 && ask < len(r.Answers) && string(r.Answers[ask]) != "null" {
		ev.Answer = r.Answers[ask]
	}
	return ev, nil
}

// stages returns the stages that the episode was set up with, by ask.
func (r *Record) stages() []world.StageState {
	if len(r.Initial) == 0 {
		return nil
	}
	s, err := world.ReadState(sim.RawState(r.Initial))
	if err != nil {
		return nil
	}
	return s.Stages
}

// stage names an ask.
func (r *Record) stage(ask int) string {
	if stages := r.stages(); ask >= 0 && ask < len(stages) {
		return stages[ask].Name
	}
	return world.Preparation
}

// faults returns what is wrong with the usage of a turn. A reply that no provider was asked for, as
// that of a script, has no usage.
func (t Turn) faults() error {
	if t.Usage.Requests == 0 {
		return nil
	}
	u := t.Usage
	if finished := t.Kind == turnCalls || t.Kind == turnAnswer || t.Kind == turnMalformed; !finished {
		zero := func(n *int64) *int64 { // of a call that did not finish nothing need be known
			if n == nil {
				return new(int64)
			}
			return n
		}
		u.Input, u.Output = zero(u.Input), zero(u.Output)
		if t.Usage.Input == nil {
			u.Cached = nil
		}
		if t.Usage.Output == nil {
			u.Reasoning = nil
		}
	}
	_, err := Normalise(Inclusive, Reported{Input: u.Input, Cached: u.Cached, Output: u.Output, Reasoning: u.Reasoning})
	return err
}

func (u RecordedUsage) normal() Usage {
	out := Usage{RawInput: u.Input, CachedInput: u.Cached, Output: u.Output, Reasoning: u.Reasoning}
	if u.Input != nil && u.Output != nil {
		n := min(max(*u.Input, 0), mostTokens) + min(max(*u.Output, 0), mostTokens)
		out.RawTotal = &n
	}
	return out
}

// Spending is what a stage cost.
type Spending struct {
	Stage      string        `json:"stage"`
	ModelCalls int           `json:"model_calls"`
	ToolCalls  int           `json:"tool_calls"` // nested ones included
	Nested     int           `json:"nested_calls"`
	Usage      Usage         `json:"usage"`
	Tokens     int64         `json:"budget_tokens"`
	Limit      int           `json:"token_limit"`
	Overshoot  int64         `json:"overshoot"`
	Wall       time.Duration `json:"wall_ns"` // of the replies
	Faults     []string      `json:"faults,omitempty"`
}

// Spend returns what each stage of an episode that began cost, in their order. What happens before
// the first, such as loading the system text, is in none. The limits are those of the run, by stage;
// a stage that is not among them has that of [DefaultBudget].
func Spend(r *Record, basis Basis, limits map[string]world.Budget) []Spending {
	last := -1
	for _, t := range r.Turns {
		last = max(last, t.Ask)
	}
	for _, e := range r.Trace {
		last = max(last, e.Ask)
	}
	out := make([]Spending, 0, last+1)
	for ask := range last + 1 {
		s := Spending{Stage: r.stage(ask)}
		s.Limit = limitOf(limits, s.Stage).Tokens
		m := Meter{Basis: basis, Limit: int64(s.Limit)}
		metered := false
		for _, t := range r.Turns {
			if t.Ask != ask {
				continue
			}
			s.ModelCalls++
			s.Wall += t.Duration
			if err := t.faults(); err != nil {
				s.Faults = append(s.Faults, strings.Split(err.Error(), "\n")...)
			}
			if t.Usage.Requests == 0 {
				continue
			}
			u := t.Usage.normal()
			m.Add(u)
			if metered {
				u = s.Usage.Add(u)
			}
			s.Usage, metered = u, true
		}
		s.Tokens, s.Overshoot = m.Spent(), m.Overshoot()
		for _, e := range r.Trace {
			if e.Ask == ask {
				s.ToolCalls++
				if e.Call.Parent > 0 {
					s.Nested++
				}
			}
		}
		out = append(out, s)
	}
	return out
}

func limitOf(limits map[string]world.Budget, stage string) world.Budget {
	if b, ok := limits[stage]; ok {
		return b
	}
	return DefaultBudget(stage)
}
