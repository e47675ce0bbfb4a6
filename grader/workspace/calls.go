package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"benchwright/grader"
	"benchwright/sim"
)

// A Call is a call that must have been made and have succeeded.
type Call struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args_contains,omitempty"` // a subset of its arguments
	Min  int            `json:"min_count,omitempty"`     // 0 means 1
}

func (c Call) String() string {
	s := c.Tool
	if len(c.Args) > 0 {
		s += " " + jsonText(c.Args)
	}
	if c.Min > 1 {
		s = fmt.Sprintf("%d × %s", c.Min, s)
	}
	return s
}

// An Assignment says whether one call made may stand for several that are wanted.
type Assignment string

// The assignments.
const (
	OneToOne Assignment = ""       // each call made stands for at most one of the wanted
	Shared   Assignment = "shared" // it stands for all that it matches, as published
)

// CallsRule demands calls, in any order. Failed calls never count.
type CallsRule struct {
	Calls      []Call     `json:"calls"`
	Assignment Assignment `json:"assignment,omitempty"`
}

// Calls demands that these calls were made, in any order, each by a call of its own.
func Calls(calls ...Call) grader.Check {
	calls = slices.Clone(calls)
	for i := range calls {
		calls[i].Args, _ = plainValue(calls[i].Args).(map[string]any)
	}
	return grader.Check{Rule: &CallsRule{Calls: calls}}
}

// Name implements grader.Rule.
func (*CallsRule) Name() string { return "workspace.calls" }

// Codes implements grader.Rule.
func (*CallsRule) Codes() []string { return []string{"missing_tool_call"} }

// Graded implements grader.Grounder: the arguments. Which tool it takes, a tool's description says.
func (r *CallsRule) Graded() []string {
	var out []string
	for _, c := range r.Calls {
		if len(c.Args) > 0 {
			out = leaves(out, c.Args)
		}
	}
	return graded(out...)
}

func (r *CallsRule) String() string {
	var out []string
	for _, c := range r.Calls {
		out = append(out, c.String())
	}
	return "the calls include " + strings.Join(out, ", ")
}

// Grade implements grader.Rule.
func (r *CallsRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *CallsRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *CallsRule) points(ev grader.Evidence) ([]point, error) {
	if len(r.Calls) == 0 {
		return nil, fixture("rule %s names no call", r.Name())
	}
	matches := func(c Call, i int) bool {
		e := ev.Trace[i]
		return e.Result.OK() && e.Call.Name == c.Tool && c.holds(e)
	}
	var slots []int // the wanted call of each slot
	for i, c := range r.Calls {
		for range max(1, c.Min) {
			slots = append(slots, i)
		}
	}
	filled := make([]int, len(r.Calls))
	if r.Assignment == Shared {
		for i, c := range r.Calls {
			for e := range ev.Trace {
				if matches(c, e) {
					filled[i]++
				}
			}
		}
	} else {
		for s, e := range assign(len(slots), len(ev.Trace), func(s, e int) bool { return matches(r.Calls[slots[s]], e) }) {
			if e >= 0 {
				filled[slots[s]]++
			}
		}
	}
	var out []point
	for i, c := range r.Calls {
		p := point{code: "missing_tool_call", side: grader.TraceType}
		if filled[i] < max(1, c.Min) {
			p.want = c.String()
			p.message = c.missing(ev.Trace, filled[i])
		}
		out = append(out, p)
	}
	return out, nil
}

// holds reports whether the arguments of a call hold the wanted ones. Texts are compared without
// decoding the rest.
func (c Call) holds(e sim.Event) bool {
	raw := argumentsOf(e)
	for k, v := range c.Args {
		want, isText := v.(string)
		got, ok := lookup(raw, k)
		if !isText || !ok || len(got) == 0 || got[0] != '"' {
			return subset(c.Args, arguments(e))
		}
		end, escaped := stringEnd(got, 0)
		if escaped || end != len(got)-1 {
			return subset(c.Args, arguments(e))
		}
		if string(got[1:end]) != want {
			return false
		}
	}
	return true
}

// missing words why a wanted call is missing, by the call that came nearest.
func (c Call) missing(trace sim.Trace, n int) string {
	what := "want " + cut(c.String())
	best, diff := -1, []string(nil)
	failed, spare := -1, -1
	for i, e := range trace {
		switch {
		case e.Call.Name != c.Tool:
		case !e.Result.OK():
			failed = i
		case c.holds(e):
			spare = i
		default:
			if d := differences(c.Args, arguments(e)); best < 0 || len(d) < len(diff) {
				best, diff = i, d
			}
		}
	}
	switch {
	case n > 0:
		return fmt.Sprintf("%s, made %d times", what, n)
	case spare >= 0:
		return fmt.Sprintf("%s, but call %d already stands for another", what, spare+1)
	case best >= 0:
		return fmt.Sprintf("%s, the nearest is call %d: %s", what, best+1, enough(diff, ", "))
	case failed >= 0:
		return fmt.Sprintf("%s, but call %d failed: %s", what, failed+1, quote(trace[failed].Result.Code))
	}
	return what + ", it was never called"
}

// arguments reads the arguments of a call, in the world's spelling where it has one. Nothing is
// an empty object.
func arguments(e sim.Event) any {
	raw := argumentsOf(e)
	if len(raw) == 0 || string(raw) == "{}" {
		return map[string]any(nil)
	}
	return parsed(raw)
}

func argumentsOf(e sim.Event) json.RawMessage {
	if len(e.Result.Arguments) == 0 {
		return e.Call.Arguments
	}
	return e.Result.Arguments
}

// argumentOf is argument of a call.
func argumentOf(e sim.Event, keys ...string) string {
	raw := argumentsOf(e)
	for _, k := range keys {
		if s := textAt(raw, k); s != "" {
			return s
		}
	}
	return ""
}

// argument returns one argument that is a text.
func argument(args any, keys ...string) string {
	m, _ := args.(map[string]any)
	for _, k := range keys {
		if s, ok := m[k].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// resultData is the data of a result's envelope, as JSON.
func resultData(raw json.RawMessage) json.RawMessage {
	if v, ok := lookup(raw, "data"); ok {
		return v
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m["data"]
}
