package files

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Family generates the workspaces of one sort of work. Its methods may be called concurrently.
type Family interface {
	// Name is how specs name it.
	Name() string
	// Scenarios lists what it can generate. The order is part of the contract: seeds choose by it.
	Scenarios() []Scenario
	// Complexity is the profile that it declares for a difficulty.
	Complexity(difficulty int) ComplexityProfile
	// Generate draws one workspace. It depends on the request alone. [ErrRedraw] asks for another
	// draw, any other error refuses the spec.
	Generate(r *Request) (*Draft, error)
}

// A Chooser is a Family that chooses the scenario of a spec that names none by itself where it
// returns one that is not "". Others go by the seed through those that are not held out.
type Chooser interface {
	Choose(difficulty int, seed int64, mode string) string
}

// A Taker is a Family that takes parameters of a spec. Compile refuses those that nobody takes; it
// takes generation_params.split, task_id and composition_mode itself.
type Taker interface {
	// Params lists them: "task_params.currency", "evaluator_params.tolerance".
	Params() []string
}

// A Scenario is one story of a family.
type Scenario struct {
	ID      string
	HeldOut bool  // kept out of every split but heldout
	Only    []int // the difficulties at which there is such a scenario; nil means all
}

// At reports whether there is such a scenario at a difficulty.
func (s Scenario) At(difficulty int) bool {
	return s.Only == nil || slices.Contains(s.Only, difficulty)
}

// ErrRedraw is returned by Generate, wrapped in the reason, when a draw does not keep what the
// family promises.
var ErrRedraw = errors.New("draw again")

// Redraw returns an [ErrRedraw] with its reason.
func Redraw(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRedraw, fmt.Sprintf(format, args...))
}

// Families is the list of those that a program knows.
type Families []Family

// Find returns the family of a name. The error lists those that there are.
func (fs Families) Find(name string) (Family, error) {
	var names []string
	for _, f := range fs {
		if f.Name() == name {
			return f, nil
		}
		names = append(names, f.Name())
	}
	slices.Sort(names)
	return nil, fmt.Errorf("unknown family %q: want one of %s", clip(name), strings.Join(names, ", "))
}

// scenario settles which scenario a spec means, and whether the spec named it.
func scenario(f Family, s Spec, mode string) (chosen string, explicit bool, err error) {
	var all, pool []string
	for _, sc := range f.Scenarios() {
		if !sc.At(s.Difficulty) {
			continue
		}
		if sc.ID == s.Scenario {
			return sc.ID, true, nil
		}
		all = append(all, sc.ID)
		if !sc.HeldOut && sc.Only == nil {
			pool = append(pool, sc.ID)
		}
	}
	if s.Scenario != "" {
		//nolint:staticcheck // the published text
		return "", false, fmt.Errorf("Unknown scenario_id '%s' for %s. Available: %s", clip(s.Scenario), f.Name(), strings.Join(all, ", "))
	}
	if c, ok := f.(Chooser); ok {
		if id := c.Choose(s.Difficulty, s.Seed, mode); id != "" {
			return id, false, nil
		}
	}
	if len(pool) == 0 {
		return "", false, fmt.Errorf("family %s has no scenario of difficulty %d to choose from: name one", f.Name(), s.Difficulty)
	}
	n := int64(len(pool))
	return pool[((s.Seed-1)%n+n)%n], false, nil
}

// mode settles the composition mode of difficulty 5: by the parity of the seed, or as the
// generation parameter composition_mode says.
func mode(s Spec) (string, error) {
	if s.Difficulty < MaxDifficulty {
		return "", nil
	}
	switch m := s.GenerationParams["composition_mode"]; m {
	case nil, "":
		if s.Seed%2 == 0 {
			return ModeAtomic, nil
		}
		return ModeCompositional, nil
	case "atomic", ModeAtomic:
		return ModeAtomic, nil
	case ModeCompositional:
		return ModeCompositional, nil
	default:
		return "", fmt.Errorf("composition_mode %q: want atomic, hard_atomic or compositional", clip(fmt.Sprint(m)))
	}
}

// A Request is what Generate gets: a spec whose scenario is settled.
type Request struct {
	Spec
	Mode string // composition mode at difficulty 5, else ""
	Draw int    // how many draws were thrown away before this one
}

// Rand returns a stream of random choices of the request's own. Streams of other names are
// independent of it, so that one part of a workspace may change without the others.
func (r *Request) Rand(stream string) *Rand {
	return NewRand(fmt.Sprintf("%d:%s:%s:d%d:%d:%s", r.Seed, r.Scenario, r.Family, r.Difficulty, r.Draw, stream))
}

// Distractors returns how many distractors are wanted: what an explicit complexity profile says,
// else usual.
func (r *Request) Distractors(usual int) int {
	if r.Complexity != nil {
		return r.Complexity.DistractorCount
	}
	return usual
}

// Transformations returns how many transformations are wanted, of which each undoes or makes one
// change: what an explicit complexity profile says, else usual.
func (r *Request) Transformations(usual int) int {
	if r.Complexity != nil {
		return r.Complexity.TransformationCount
	}
	return usual
}

// Hints returns those of the three hints that the difficulty shows.
func (r *Request) Hints(hints ...string) []string {
	return hints[:min(len(hints), Hints(r.Difficulty))]
}

// At returns the value of the request's difficulty: the first is that of 1.
func At[T any](r *Request, levels ...T) T { return levels[min(r.Difficulty, len(levels))-1] }

// A Draft is what a family makes of a request. Compile adds the rest.
type Draft struct {
	Instruction string
	Readme      Readme         // becomes README.md
	Task        map[string]any // becomes task.json; without family, scenario, difficulty and seed

	Visible   Tree // without README.md and task.json
	Hidden    Tree
	Reference Tree // full text of every file that the solution writes

	Evaluator string // key of the graders' registry
	Layout    Layout
	Structure map[string]any // slices of reports
	Realized  Realization    // measured facts of the family's own

	// Canonical holds the correct text of the files that Defects were put into. Both are empty
	// where there is nothing to repair. Without a Reference of its own a draft's solution is the
	// canonical text of each file that a defect touched.
	Canonical Tree
	Defects   []Defect
	Bundle    *DefectBundle

	NearMisses []NearMiss
	// Expected is the graded JSON artifact at Layout.OutputPath or TargetPath, where there is one.
	Expected string
	// Words may not occur in visible text, beside those that Compile knows.
	Words []string
}

// A NearMiss is what an agent leaves that mishandles one trap: files beside the reference's.
// None may pass.
type NearMiss struct {
	Trap  string
	Files Tree
}
