package files

import "fmt"

// A ComplexityProfile declares the latent factors of an instance. It is a label: what an
// instance really holds is measured and stored beside it ([Realization]).
type ComplexityProfile struct {
	FileCount                int  `json:"file_count"`
	DistractorCount          int  `json:"distractor_count"`
	DependencyDepth          int  `json:"dependency_depth"`
	ReasoningHops            int  `json:"reasoning_hops"`
	TransformationCount      int  `json:"transformation_count"`
	BugSubtlety              int  `json:"bug_subtlety"`
	ExecutionRequired        bool `json:"execution_required"`
	OutputConstraintStrength int  `json:"output_constraint_strength"`
}

// BaseComplexity is the profile that families start from. The difficulty is 1 to 5.
func BaseComplexity(difficulty int) ComplexityProfile {
	at := func(levels ...int) int { return levels[difficulty-1] }
	return ComplexityProfile{
		FileCount:                at(3, 4, 5, 6, 8),
		DistractorCount:          at(0, 1, 1, 2, 3),
		DependencyDepth:          at(1, 1, 2, 2, 3),
		ReasoningHops:            at(1, 2, 3, 4, 5),
		TransformationCount:      at(1, 2, 3, 4, 5),
		BugSubtlety:              at(1, 1, 2, 3, 4),
		ExecutionRequired:        difficulty > 1,
		OutputConstraintStrength: at(2, 2, 3, 4, 5),
	}
}

// maxFactor bounds what a spec of somebody else's may ask for.
const maxFactor = 64

func (p ComplexityProfile) validate() error {
	for _, f := range []struct {
		name  string
		value int
	}{
		{"file_count", p.FileCount}, {"distractor_count", p.DistractorCount},
		{"dependency_depth", p.DependencyDepth}, {"reasoning_hops", p.ReasoningHops},
		{"transformation_count", p.TransformationCount}, {"bug_subtlety", p.BugSubtlety},
		{"output_constraint_strength", p.OutputConstraintStrength},
	} {
		if f.value < 0 || f.value > maxFactor {
			return fmt.Errorf("complexity_profile: %s is %d, want 0 to %d", f.name, f.value, maxFactor)
		}
	}
	return nil
}

// Hints is how many of its three hints a difficulty shows.
func Hints(difficulty int) int { return [...]int{3, 3, 2, 1, 0}[difficulty-1] }

// Guidance is the word for how much a difficulty tells: full, reduced from 3 on, none at 5.
func Guidance(difficulty int) string {
	switch {
	case difficulty >= 5:
		return "none"
	case difficulty >= 3:
		return "reduced"
	}
	return "full"
}

// Composition modes of difficulty 5.
const (
	ModeAtomic        = "hard_atomic"
	ModeCompositional = "compositional"
)
