package workspace

import (
	"fmt"
	"slices"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

// backends lists the points about backends.
func (r *NothingElseRule) backends(initial, final *view) ([]point, error) {
	free := func(id, name string) bool {
		return slices.Contains(r.Backends, id) || slices.Contains(r.Backends, name)
	}
	var out []point
	add := func(code, format string, args ...any) {
		out = append(out, point{code: code, side: grader.StateType, message: fmt.Sprintf(format, args...)})
	}
	for _, b := range initial.backends {
		i := slices.IndexFunc(final.backends, func(o world.BackendRef) bool { return o.ID == b.ID })
		switch {
		case free(b.ID, b.Name):
		case i < 0:
			add("custom_backend_replaced", "backend %s (%s) is gone", quote(b.ID), quote(b.Name))
		case final.backends[i] != b && initial.customRaw[b.ID] == nil:
			add("collateral_backend_change", "backend %s (%s) must stay as it was", quote(b.ID), quote(b.Name))
		}
	}
	var made []string // of each name one is free, and none beside one that stayed
	for _, b := range initial.backends {
		if slices.ContainsFunc(final.backends, func(o world.BackendRef) bool { return o.ID == b.ID }) {
			made = append(made, b.Name)
		}
	}
	for _, b := range final.backends {
		known := slices.ContainsFunc(initial.backends, func(o world.BackendRef) bool { return o.ID == b.ID })
		if known {
			continue
		}
		if !slices.Contains(r.Backends, b.Name) || slices.Contains(made, b.Name) {
			add("unexpected_backend_created", "backend %s (%s) was connected", quote(b.ID), quote(b.Name))
		}
		made = append(made, b.Name)
	}
	was, err := initial.customs()
	if err != nil {
		return nil, err
	}
	is, err := final.customs()
	if err != nil {
		return nil, err
	}
	for _, a := range was {
		i := slices.IndexFunc(is, func(b *custom) bool { return b.ID == a.ID })
		if free(a.ID, a.Name) || i < 0 || sameJSON(initial.customRaw[a.ID], final.customRaw[a.ID]) {
			continue
		}
		b := is[i]
		if !exact(appList(a), appList(b)) {
			add("collateral_app_change", "the apps of backend %s (%s) must stay as they were", quote(a.ID), quote(a.Name))
		}
		if a.Name != b.Name || a.URL != b.URL || !exact(map[string]any(a.Widgets), map[string]any(b.Widgets)) || !slices.Equal(a.Warnings, b.Warnings) {
			add("collateral_backend_change", "backend %s (%s) must stay as it was", quote(a.ID), quote(a.Name))
		}
	}
	return out, nil
}

func appList(c *custom) []any {
	out := make([]any, len(c.Apps))
	for i, a := range c.Apps {
		out[i] = a
	}
	return out
}
