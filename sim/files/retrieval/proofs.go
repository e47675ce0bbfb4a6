package retrieval

import (
	"fmt"
	"reflect"
	"slices"

	"benchwright/sim/files"
)

// A hiddenCase is one call of build_summary. Only the keys of Expected are compared.
type hiddenCase struct {
	ID         string         `json:"id"`
	Capability string         `json:"capability"`
	Input      map[string]any `json:"input"`
	Contract   map[string]any `json:"contract,omitempty"` // takes the place of the contract file; absent: what the workspace has
	Expected   map[string]any `json:"expected"`
}

// A run says what a client with some flaws answers; nil is that it breaks.
type run func(c hiddenCase, wrong map[string]bool) map[string]any

// holds reports whether an answer has what a case expects.
func (c hiddenCase) holds(answer map[string]any) bool {
	if answer == nil {
		return false
	}
	for key, want := range c.Expected {
		if !reflect.DeepEqual(answer[key], want) {
			return false
		}
	}
	return true
}

// proveShown checks that each flaw alone breaks a case of its capability.
func proveShown(cases []hiddenCase, flaws []flaw, answer run) error {
	for _, f := range flaws {
		if !slices.ContainsFunc(cases, func(c hiddenCase) bool {
			return c.Capability == f.capability && !c.holds(answer(c, map[string]bool{f.id: true}))
		}) {
			return files.Redraw("no case of %s shows %s", f.capability, f.id)
		}
	}
	return nil
}

// proveMonotone checks that no repair breaks a case that held, and that cases of the whole hold
// with no flaw only; but a response that has entries does not show what one without them breaks.
func proveMonotone(cases []hiddenCase, flaws []flaw, whole string, answer run) error {
	exempt := 0
	for i, f := range flaws {
		if f.id == emptyBreaks {
			exempt = 1 << i
		}
	}
	for _, c := range cases {
		held := make([]bool, 1<<len(flaws))
		for set := range held {
			wrong := map[string]bool{}
			for i, f := range flaws {
				wrong[f.id] = set>>i&1 == 1
			}
			held[set] = c.holds(answer(c, wrong))
		}
		if !held[0] {
			return fmt.Errorf("case %s: the correct client does not hold it", c.ID)
		}
		for set, ok := range held {
			if ok && set&^exempt > 0 && c.Capability == whole {
				return files.Redraw("case %s holds with flaws %b", c.ID, set)
			}
			for i := range flaws {
				if ok && !held[set&^(1<<i)] {
					return files.Redraw("case %s: repairing %s breaks it", c.ID, flaws[i].id)
				}
			}
		}
	}
	return nil
}
