package files

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Defect is something wrong in the visible sources, as edits of the correct ones.
type Defect struct {
	ID         string // the bug's label; never visible
	Capability string // what an agent lacks that leaves it in, "" outside of bundles
	Edits      []Edit
}

// An Edit replaces the one place of a file where Old stands with New.
type Edit struct{ Path, Old, New string }

// Inject applies the edits of defects, in order, to correct sources. Every edit must find its
// text, and must change something.
func Inject(canonical Tree, defects []Defect) (Tree, error) {
	out := canonical.Clone()
	for _, d := range defects {
		for _, e := range d.Edits {
			before := out[e.Path]
			after := strings.Replace(before, e.Old, e.New, 1)
			if e.Old == "" || after == before {
				//nolint:staticcheck // the published text
				return nil, fmt.Errorf("Bug application '%s' did not modify '%s'; canonical source drifted.", d.ID, e.Path)
			}
			if n := strings.Count(before, e.Old); n != 1 {
				return nil, fmt.Errorf("defect %q: its text stands %d times in %s, want once", d.ID, n, e.Path)
			}
			out[e.Path] = after
		}
	}
	return out, nil
}

// A DefectBundle groups the defects of a hard instance by what it takes to see them.
type DefectBundle struct {
	ID            string              `json:"bundle_id"`
	DefectIDs     []string            `json:"defect_ids"`
	Edges         [][2]string         `json:"dependency_edges"` // [a, b]: b shows only when a is repaired
	Groups        map[string][]string `json:"capability_groups"`
	RequiredFiles []string            `json:"required_files"`
	Depth         int                 `json:"semantic_dependency_depth"` // 0: the longest chain
}

// Check says what is wrong with a bundle, and fills in its depth.
func (b *DefectBundle) Check() error {
	ids := slices.Clone(b.DefectIDs)
	slices.Sort(ids)
	if len(slices.Compact(slices.Clone(ids))) != len(b.DefectIDs) || len(ids) < 2 {
		return fmt.Errorf("bundle %s: want two or more different defects, have %q", b.ID, b.DefectIDs)
	}
	var grouped []string
	for _, g := range b.Groups {
		grouped = append(grouped, g...)
	}
	slices.Sort(grouped)
	if !slices.Equal(grouped, ids) {
		return fmt.Errorf("bundle %s: capability groups cover %q, want every defect exactly once", b.ID, grouped)
	}
	if len(b.RequiredFiles) == 0 {
		return fmt.Errorf("bundle %s: no required files", b.ID)
	}
	for _, e := range b.Edges {
		for _, id := range e {
			if !slices.Contains(ids, id) {
				return fmt.Errorf("bundle %s: edge to %q, which is no defect of it", b.ID, id)
			}
		}
	}
	depth, err := b.longest()
	if err != nil {
		return fmt.Errorf("bundle %s: %w", b.ID, err)
	}
	if b.Depth == 0 {
		b.Depth = depth
	}
	return nil
}

var errCycle = errors.New("dependency graph must be acyclic")

// longest counts the defects of the longest chain.
func (b *DefectBundle) longest() (int, error) {
	const open = -1
	depths := map[string]int{}
	var visit func(id string) (int, error)
	visit = func(id string) (int, error) {
		switch d := depths[id]; {
		case d == open:
			return 0, errCycle
		case d > 0:
			return d, nil
		}
		depths[id] = open
		deepest := 0
		for _, e := range b.Edges {
			if e[1] != id {
				continue
			}
			d, err := visit(e[0])
			if err != nil {
				return 0, err
			}
			deepest = max(deepest, d)
		}
		depths[id] = deepest + 1
		return deepest + 1, nil
	}
	longest := 0
	for _, id := range b.DefectIDs {
		d, err := visit(id)
		if err != nil {
			return 0, err
		}
		longest = max(longest, d)
	}
	return longest, nil
}
