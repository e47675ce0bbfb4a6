package wealth

import (
	"context"
	"encoding/json"
	"fmt"

	"benchwright/grader"
)

// NoWritesRule demands that the world recorded no write.
type NoWritesRule struct{}

// NoWrites demands that the world recorded no write. The count is the world's own; nothing an
// agent says about writes is heard.
func NoWrites() grader.Check { return grader.Check{Rule: &NoWritesRule{}} }

// Name implements grader.Rule.
func (*NoWritesRule) Name() string { return "wealth.no_writes" }

// Codes implements grader.Rule.
func (*NoWritesRule) Codes() []string { return []string{"write_recorded"} }

// Graded implements grader.Grounder: an agent has nothing to find for it.
func (*NoWritesRule) Graded() []string { return nil }

func (*NoWritesRule) String() string { return "nothing is written" }

// Grade implements grader.Rule. A state without a count is the world's failure.
func (*NoWritesRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	if ev.Final == nil {
		return nil, grader.NotApplicable
	}
	var s struct {
		Writes *json.Number `json:"writes"`
	}
	err := json.Unmarshal(ev.Final.JSON(), &s)
	if err == nil && s.Writes == nil {
		err = fmt.Errorf("it has no count of writes")
	}
	if err != nil {
		return nil, grader.BrokenError{Layer: grader.LayerToolRuntime, Err: fmt.Errorf("final state: %w", err)}
	}
	if n := s.Writes.String(); n != "0" {
		return []grader.Finding{{Code: "write_recorded", Type: grader.StateType, Message: fmt.Sprintf("writes: want 0, got %s", show(*s.Writes)), Want: "0", Got: show(*s.Writes)}}, nil
	}
	return nil, nil
}
