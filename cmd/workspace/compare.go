package workspace

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"benchwright/sim/workspace"
)

// A difference is one between two surfaces.
type difference struct {
	Kind, Name string // "tool", "create_widget"
	Text       string
	Fails      bool
}

// compare lists how a surface differs from what is wanted, failures before notes.
func compare(want, have *surface) []difference {
	var out []difference
	add := func(kind, name, text string, fails bool) { out = append(out, difference{kind, name, text, fails}) }
	for _, name := range names(want.Tools) {
		got, ok := have.Tools[name]
		if !ok {
			add("tool", name, "is gone", true)
			continue
		}
		for _, p := range narrowed(want.Tools[name], got) {
			add("tool", name, p, true)
		}
	}
	for _, name := range names(want.Prompts) {
		got, ok := have.Prompts[name]
		if !ok {
			add("prompt", name, "is gone", true)
			continue
		}
		var before, now []string
		json.Unmarshal(want.Prompts[name], &before)
		json.Unmarshal(got, &now)
		for _, a := range now {
			if !slices.Contains(before, a) {
				add("prompt", name, "the argument "+a+" is required now", true)
			}
		}
	}
	for kind, pair := range map[string][2]map[string]string{"resource": {want.Resources, have.Resources}, "template": {want.Templates, have.Templates}} {
		for _, uri := range names(pair[0]) {
			switch got, ok := pair[1][uri]; {
			case !ok:
				add(kind, uri, "is gone", true)
			case got != pair[0][uri]:
				add(kind, uri, "its uri, name, description or type changed: "+pair[0][uri][:min(12, len(pair[0][uri]))]+" is now "+got[:12], true)
			}
		}
		for _, uri := range names(pair[1]) {
			if _, ok := pair[0][uri]; !ok {
				add(kind, uri, "is new", false)
			}
		}
	}
	for _, name := range names(have.Tools) {
		if _, ok := want.Tools[name]; !ok {
			text := "is new"
			if workspace.Wrapper(name) {
				text = "is new: a tool of the simulator, which reads what the protocol reads"
			}
			add("tool", name, text, false)
		}
	}
	for _, name := range names(have.Prompts) {
		if _, ok := want.Prompts[name]; !ok {
			add("prompt", name, "is new", false)
		}
	}
	slices.SortStableFunc(out, func(a, b difference) int {
		switch {
		case a.Fails != b.Fails && a.Fails:
			return -1
		case a.Fails != b.Fails:
			return 1
		case a.Kind != b.Kind:
			return strings.Compare(b.Kind, a.Kind)
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

func names[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
