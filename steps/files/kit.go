package files

import (
	rules "benchwright/grader/files"
	world "benchwright/sim/files"
	"benchwright/sim/files/builtin"
	"benchwright/sim/files/machine"
	"benchwright/steps"
	"benchwright/tasks"
)

// The limits of a task that names none: those that published evaluations ran with.
const (
	Turns     = 25
	ToolCalls = 64
	Seconds   = 300
)

// Kit returns what the files world brings, with the built-in families: the kit of a [Workshop] of its
// own.
func Kit() tasks.Kit { return NewWorkshop(nil, nil).Kit() }

// KitOf is Kit with families and evaluators beside the built-in ones.
func KitOf(families []world.Family, evaluators rules.Evaluators) tasks.Kit {
	return NewWorkshop(families, evaluators).Kit()
}

// A Workshop is what a kit and the suites about its workspaces share: one library, so that a
// workspace is compiled once, and one machine, so that agents' commands and graders' are run alike.
// The machine is opened when a task first needs it. It may be used concurrently.
type Workshop struct {
	library *world.Library
	machine *machine.Machine
	grader  *rules.Grader
}

// NewWorkshop returns a workshop of the built-in families and evaluators, and those of others.
func NewWorkshop(families []world.Family, evaluators rules.Evaluators) *Workshop {
	s := &Workshop{
		library: world.NewLibrary(append(builtin.Families(), families...)...),
		machine: machine.New("", ""),
	}
	s.grader = rules.New(s.library, s.machine, evaluators)
	return s
}

// Library returns what the workshop compiles workspaces with.
func (s *Workshop) Library() *world.Library { return s.library }

// Machine returns what commands are run by.
func (s *Workshop) Machine() *machine.Machine { return s.machine }

// Grader returns what workspaces are graded by.
func (s *Workshop) Grader() *rules.Grader { return s.grader }

// Kit returns the kit of the workshop.
func (s *Workshop) Kit() tasks.Kit {
	return tasks.Kit{
		Kind:       s.library.Kind(s.machine),
		Vocabulary: s.vocabulary().With(steps.Common()...),
		Rules:      s.grader.Rules(),
		Dialect:    Dialect{},
		Sources:    s.sources,
		Mutants:    s.mutants,
		Solve:      s.solve,
		Score:      rules.Score,
		Open:       s.open,
		Isolate:    isolate(s.machine),
		Views:      s.views,
	}
}
