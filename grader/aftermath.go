package grader

import (
	"encoding/json"

	"benchwright/sim"
)

// An Aftermath is what an episode left behind, as JSON that can be spoiled on purpose.
type Aftermath struct {
	Initial json.RawMessage
	States  []json.RawMessage // after each ask
	Trace   sim.Trace
	Answers []json.RawMessage // by ask; nil where none was given
	End     End
}

// A Mutant is a spoiled outcome.
type Mutant struct {
	Name      string
	Aftermath Aftermath
}
