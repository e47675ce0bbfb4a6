package files

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	rules "benchwright/grader/files"
	"benchwright/sim"
	world "benchwright/sim/files"
	"benchwright/tasks"
)

// instance returns the whole workspace of a task, hidden half included.
func (s *Workshop) instance(t tasks.Task) (*world.Instance, error) {
	setup, err := world.ParseSetup(t.Setup)
	if err != nil {
		return nil, err
	}
	if setup.Spec != nil {
		return s.library.Compile(*setup.Spec)
	}
	for _, c := range t.Rubric.Checks {
		rule, ok := c.Rule.(*rules.Evaluated)
		if !ok {
			continue
		}
		in, err := rule.Instance()
		if err != nil {
			return nil, err
		}
		in.Visible, err = visible(setup.Bundle)
		return in, err
	}
	return nil, fmt.Errorf("task %s: no check grades its workspace", t.ID)
}

// visible returns the files of a bundle as a tree.
func visible(b *world.Bundle) (world.Tree, error) {
	t := world.Tree{}
	for p, f := range b.Files {
		switch {
		case f.Text != nil:
			t[p] = *f.Text
		case f.Base64 != nil:
			raw, err := base64.StdEncoding.DecodeString(*f.Base64)
			if err != nil {
				return nil, fmt.Errorf("file %q: %w", clip(p), err)
			}
			t[p] = string(raw)
		}
	}
	return t, nil
}

func (s *Workshop) sources(t tasks.Task) (tasks.Sources, error) {
	in, err := s.instance(t)
	if err != nil {
		return tasks.Sources{}, err
	}
	src := tasks.Sources{Hidden: rules.Hidden(in), Calls: rules.Reach(in, s.grader.Runs(in))}
	src.Hidden = slices.DeleteFunc(src.Hidden, func(word string) bool { // a refusal repeats what was asked for
		return slices.ContainsFunc(src.Calls, func(c sim.Call) bool { return strings.Contains(string(c.Arguments), word) })
	})
	return src, nil
}

// mutants are the grader's. A kit is asked for them without a context; those that run code are
// bounded by what the grader allows a workspace.
func (s *Workshop) mutants(t tasks.Task, good tasks.Aftermath) []tasks.Mutant {
	in, err := s.instance(t)
	if err != nil {
		return nil
	}
	return s.grader.Mutants(context.Background(), in, good)
}

// solve recomputes what is graded from visible files alone. The paths of visible files count as
// worked out: a listing names a file, and its folder is what was listed. So do the names of the family
// and the scenario, which are arguments of the rule: they say which workspace it is and demand
// nothing, and a comment that a repair restores may well be in the same words.
func (s *Workshop) solve(t tasks.Task) ([]string, error) {
	in, err := s.instance(t)
	if err != nil {
		return nil, err
	}
	values, err := s.grader.Solve(in)
	if err != nil {
		return nil, err
	}
	values = append(values, in.Manifest.Family, in.Manifest.Metadata.Scenario)
	return append(values, in.Visible.Paths()...), nil
}
