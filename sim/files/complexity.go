package files

import (
	"fmt"
	"slices"
	"strings"
)

// A ComplexityProfile declares the latent factors of an instance. What an instance really holds is
// measured and stored beside it ([Realization]).
//
// A spec may have one of its own, which then drives generation. It may differ from the family's in
// distractor_count and in the factors that a [Shaper] lists; one that differs in any other is
// refused, since it would say of the instance what is not so.
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

// A Shaper is a Family that generates by other factors of a spec's profile than distractor_count.
type Shaper interface {
	// Factors lists them, by the names of a profile's JSON.
	Factors() []string
}

// shaped returns the profile of an instance: the spec's, if its family can generate by it.
func shaped(f Family, s Spec) (ComplexityProfile, error) {
	own := f.Complexity(s.Difficulty)
	if s.Complexity == nil {
		return own, nil
	}
	driven := []string{"distractor_count"}
	if shaper, ok := f.(Shaper); ok {
		driven = append(driven, shaper.Factors()...)
	}
	usual := own.factors()
	for i, given := range s.Complexity.factors() {
		if given.value != usual[i].value && !slices.Contains(driven, given.name) {
			return own, fmt.Errorf("complexity_profile: %s is %v, and family %s of difficulty %d always has %v; what it generates by is %s",
				given.name, given.value, f.Name(), s.Difficulty, usual[i].value, strings.Join(driven, ", "))
		}
	}
	return *s.Complexity, nil
}

type factor struct {
	name  string
	value any // an int, or a bool
}

func (p ComplexityProfile) factors() []factor {
	return []factor{
		{"file_count", p.FileCount}, {"distractor_count", p.DistractorCount},
		{"dependency_depth", p.DependencyDepth}, {"reasoning_hops", p.ReasoningHops},
		{"transformation_count", p.TransformationCount}, {"bug_subtlety", p.BugSubtlety},
		{"execution_required", p.ExecutionRequired}, {"output_constraint_strength", p.OutputConstraintStrength},
	}
}

// maxFactor bounds what a spec of somebody else's may ask for.
const maxFactor = 64

func (p ComplexityProfile) validate() error {
	for _, f := range p.factors() {
		if n, ok := f.value.(int); ok && (n < 0 || n > maxFactor) {
			return fmt.Errorf("complexity_profile: %s is %d, want 0 to %d", f.name, n, maxFactor)
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
