package files

import (
	"cmp"
	"errors"
	"fmt"

	"benchwright/grader"
	"benchwright/sim/files/splits"
	"benchwright/tasks"
)

// The suites that are made of splits, each compiled only where a filter names it.
const (
	ValidationSuite = "files-validation"
	HeldoutSuite    = "files-heldout"
)

// Suites returns the suites of the standard splits validation (390 tasks) and heldout (240), on
// demand. They go with the workshop's kit.
func (s *Workshop) Suites() []tasks.Generator {
	return []tasks.Generator{
		s.suite(ValidationSuite, splits.Validation),
		s.suite(HeldoutSuite, splits.Heldout),
	}
}

func (s *Workshop) suite(name, split string) tasks.Generator {
	return tasks.Generator{Suite: name, OnDemand: true, Tasks: func() ([]tasks.Task, error) {
		m, err := splits.Build(s.library.Families(), splits.Options{Splits: []string{split}})
		if err != nil {
			return nil, err
		}
		return s.Tasks(name, m.Assignments)
	}}
}

// Tasks makes a task of each assignment, in their order. The suite is the first part of their ids.
func (s *Workshop) Tasks(suite string, rows []splits.Assignment) ([]tasks.Task, error) {
	var out []tasks.Task
	var problems []error
	for _, a := range rows {
		t, err := s.task(suite, a)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", a.TaskID, err))
			continue
		}
		out = append(out, t)
	}
	return out, errors.Join(problems...)
}

func (s *Workshop) task(suite string, a splits.Assignment) (tasks.Task, error) {
	j, err := s.fromSpec(a.Spec())
	if err != nil {
		return tasks.Task{}, err
	}
	scenario := cmp.Or(a.Scenario, j.in.Manifest.Metadata.Scenario)
	t := tasks.Task{
		ID:    tasks.ID(fmt.Sprintf("%s/%s/%s_d%d_s%d", suite, name(a.Family), name(scenario), a.Difficulty, a.Seed)),
		Title: fmt.Sprintf("%s, difficulty %d, seed %d", scenario, a.Difficulty, a.Seed),
		World: s.library.Kind(s.machine).Name,
		Tools: []string{tasks.AllTools},
	}
	t.Rubric.Checks = []grader.Check{{Rule: j.rule}}
	if err := j.complete(&t, published); err != nil {
		return tasks.Task{}, err
	}
	if labels := artifactOnly(j); labels != nil {
		t.Rubric.Probes = j.traps(labels)
	}
	return t, nil
}

// artifactOnly returns the label of a wrong artifact where one artifact is all that is graded: what a
// trap does to it is then known without running anything.
func artifactOnly(j job) []string {
	if j.runs || len(j.in.NearMisses) == 0 {
		return nil
	}
	return []string{"output_mismatch"}
}
