package workspace

import (
	"context"
	"fmt"

	"benchwright/grader"
	"benchwright/sim"
)

// ToolResultRule demands results: at least Min calls of a tool that succeeded and whose result
// says every fragment.
type ToolResultRule struct {
	Tool     string   `json:"tool"`
	Contains []string `json:"data_contains"`
	Min      int      `json:"min_count,omitempty"` // 0 means 1
	Reading  Reading  `json:"reading,omitempty"`
}

// ToolResult demands that a call of a tool had a result that says every fragment.
func ToolResult(tool string, fragments ...string) grader.Check {
	return grader.Check{Rule: &ToolResultRule{Tool: tool, Contains: fragments}}
}

// Name implements grader.Rule.
func (*ToolResultRule) Name() string { return "workspace.tool_result" }

// Codes implements grader.Rule.
func (*ToolResultRule) Codes() []string { return []string{"missing_tool_result"} }

// Graded implements grader.Grounder: nothing, since an agent need not say what it is to read.
func (*ToolResultRule) Graded() []string { return nil }

func (r *ToolResultRule) String() string {
	return fmt.Sprintf("a result of %s says %s", r.Tool, quoted(r.Contains))
}

// Grade implements grader.Rule.
func (r *ToolResultRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *ToolResultRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *ToolResultRule) points(ev grader.Evidence) ([]point, error) {
	return resultPoints(ev, "missing_tool_result", r.String, r.Reading, r.Contains, r.Min, func(e sim.Event) bool { return e.Call.Name == r.Tool })
}

// ResourceReadRule demands that a resource was read: at least Min calls of
// read_workspace_resource with exactly that URI that succeeded and whose result says every
// fragment.
type ResourceReadRule struct {
	URI      string   `json:"uri"`
	Contains []string `json:"data_contains,omitempty"`
	Min      int      `json:"min_count,omitempty"` // 0 means 1
	Reading  Reading  `json:"reading,omitempty"`
}

// ResourceRead demands that a resource was read and said every fragment.
func ResourceRead(uri string, fragments ...string) grader.Check {
	return grader.Check{Rule: &ResourceReadRule{URI: uri, Contains: fragments}}
}

// Name implements grader.Rule.
func (*ResourceReadRule) Name() string { return "workspace.resource_read" }

// Codes implements grader.Rule.
func (*ResourceReadRule) Codes() []string { return []string{"missing_resource_read"} }

// Graded implements grader.Grounder: the agent must come to know the URI.
func (r *ResourceReadRule) Graded() []string { return graded(r.URI) }

func (r *ResourceReadRule) String() string {
	if len(r.Contains) == 0 {
		return "the resource " + r.URI + " is read"
	}
	return fmt.Sprintf("the resource %s is read and says %s", r.URI, quoted(r.Contains))
}

// Grade implements grader.Rule.
func (r *ResourceReadRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *ResourceReadRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *ResourceReadRule) points(ev grader.Evidence) ([]point, error) {
	return resultPoints(ev, "missing_resource_read", r.String, r.Reading, r.Contains, r.Min, func(e sim.Event) bool {
		if e.Call.Name != "read_workspace_resource" {
			return false
		}
		return argumentOf(e, "uri") == r.URI
	})
}

func resultPoints(ev grader.Evidence, code string, what func() string, reading Reading, fragments []string, min int, is func(sim.Event) bool) ([]point, error) {
	p := point{code: code, side: grader.TraceType}
	n, last := 0, ""
	for i, e := range ev.Trace {
		switch {
		case !is(e):
		case !e.Result.OK():
			last = fmt.Sprintf("call %d failed: %s", i+1, quote(e.Result.Code))
		default:
			missing := absent(resultBlob(reading, e), fragments)
			if len(missing) == 0 {
				n++
			} else {
				last = fmt.Sprintf("that of call %d does not say %s", i+1, quoted(missing))
			}
		}
	}
	if n >= max(1, min) {
		return []point{p}, nil
	}
	p.message = "want that " + what()
	switch {
	case n > 0:
		p.message += fmt.Sprintf(", %d times, there are %d", min, n)
	case last != "":
		p.message += "; " + last
	default:
		p.message += "; it was never called"
	}
	return []point{p}, nil
}

// resultBlob is the text of a result: its data, or as published the whole of it.
func resultBlob(r Reading, e sim.Event) *blob {
	if r != Strict {
		return newBlob(r, begun(string(e.Result.Data), maxResult))
	}
	return newBlob(r, begun(textOf(parsed(resultData(e.Result.Data))), maxResult))
}
