package wealth

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wealth"
)

// A Call is one call of an accepted trace.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // an object; numbers are compared by value
	Status    string          `json:"status"`    // ok, denied, invalid or error
}

// The statuses of a call that the sandbox turned down.
const (
	denied  = "denied"
	invalid = "invalid"
)

// TraceRule demands that the calls are exactly one of the accepted sequences.
type TraceRule struct {
	Accepted [][]Call `json:"accepted_traces"`
}

// Trace demands that the calls made are exactly one of the accepted sequences, argument by
// argument and status by status. Trace() demands that no call is made.
//
// When none fits, the findings are about the sequence that differs in the fewest, the first of
// them if there are several. Calls are paired with the wanted ones in this order: equal calls
// that keep the order, as many as possible; equal calls that do not; calls of the same tool
// that differ in arguments or status; in both. Pairs that cross raise wrong_tool_order, once.
// What is left over is missing or unexpected. A call that the sandbox turned down raises
// denied_call_attempted or invalid_call_attempted in place of unexpected_tool_call, and beside
// wrong_tool_status where it stands for a wanted call with the same arguments.
func Trace(accepted ...[]Call) grader.Check {
	if len(accepted) == 0 {
		accepted = [][]Call{nil}
	}
	r := &TraceRule{}
	for _, t := range accepted {
		r.Accepted = append(r.Accepted, append([]Call{}, t...))
	}
	return grader.Check{Rule: r}
}

// Name implements grader.Rule.
func (*TraceRule) Name() string { return "wealth.trace" }

// Codes implements grader.Rule.
func (r *TraceRule) Codes() []string {
	codes := map[string]bool{"denied_call_attempted:*": true, "invalid_call_attempted:*": true, "unexpected_tool_call:*": true}
	for _, t := range r.Accepted {
		for _, c := range t {
			for _, k := range []string{"missing_tool_call:", "wrong_tool_arguments:", "wrong_tool_status:"} {
				codes[k+clean(c.Name)] = true
			}
		}
		if len(t) > 1 {
			codes["wrong_tool_order"] = true
		}
	}
	return slices.Sorted(maps.Keys(codes))
}

// Graded implements grader.Grounder: the tools' names and the leaves of their arguments.
func (r *TraceRule) Graded() []string {
	var out []string
	for _, t := range r.Accepted {
		for _, c := range t {
			out = append(out, c.Name)
			out = leaves(out, parsed(c.Arguments))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func leaves(out []string, v any) []string {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = leaves(out, v[k])
		}
	case []any:
		for _, e := range v {
			out = leaves(out, e)
		}
	case string:
		out = append(out, v)
	case json.Number:
		out = append(out, string(v))
	}
	return out
}

func (r *TraceRule) String() string {
	var traces []string
	for _, t := range r.Accepted {
		var calls []string
		for _, c := range t {
			calls = append(calls, fmt.Sprintf("%s %s %s", c.Name, c.Arguments, c.Status))
		}
		traces = append(traces, listed("", calls, "none"))
	}
	return "the calls are exactly " + strings.Join(traces, "; or ")
}

// Grade implements grader.Rule.
func (r *TraceRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	if len(r.Accepted) == 0 {
		return nil, grader.BrokenError{Layer: grader.LayerFixture, Err: fmt.Errorf("the rule accepts no trace at all")}
	}
	got := make([]call, 0, len(ev.Trace))
	for _, e := range ev.Trace {
		args := e.Result.Arguments
		if args == nil {
			args = e.Call.Arguments
		}
		got = append(got, call{e.Call.Name, parsed(args), e.Result.Status})
	}
	var best []grader.Finding
	for i, t := range r.Accepted {
		want := make([]call, 0, len(t))
		for _, c := range t {
			want = append(want, call{c.Name, parsed(c.Arguments), c.Status})
		}
		if f := compare(want, got); i == 0 || len(f) < len(best) {
			best = f
		}
	}
	return best, nil
}

// call is a call ready to be compared.
type call struct {
	name   string
	args   any
	status string
}

// rejected reports whether the sandbox turned the call down, and the code for having tried.
func (c call) rejected() (string, bool) {
	switch c.status {
	case denied, invalid:
		return c.status + "_call_attempted:" + clean(c.name), true
	}
	return "", false
}

// parsed reads arguments. Nothing is an empty object; what is no JSON stays as its own text,
// which no object equals.
func parsed(raw json.RawMessage) any {
	if len(raw) == 0 {
		return map[string]any{}
	}
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return string(raw)
	}
	return v
}

// same compares arguments: numbers and strings that spell one by value, all else exactly.
func same(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			if w, ok := y[k]; !ok || !same(v, w) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, same)
	case string, json.Number:
		s, t := fmt.Sprint(a), fmt.Sprint(b)
		switch b.(type) {
		case string, json.Number:
		default:
			return false
		}
		if d, ok := world.Decimal(s); ok {
			return sameValue(d, b)
		}
		return s == t
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}
