package wealth

import (
	"errors"
	"fmt"
	"time"

	"benchwright/fixtures"
	rules "benchwright/grader/wealth"
	world "benchwright/sim/wealth"
	"benchwright/tasks"
)

// The limits of every task. They are the published ones.
const (
	Decisions    = 4
	Deadline     = 30 * time.Second
	OutputTokens = 512
)

// Kit returns what the wealth world brings: tasks about the money of households, each ending in
// one decision of the published decision protocol.
func Kit() tasks.Kit {
	return tasks.Kit{
		Kind:       world.Kind,
		Vocabulary: vocabulary(),
		Rules:      rules.Rules(),
		Dialect:    Dialect{},
		Sources:    sources,
		Mutants:    mutants,
		Views:      views,
		Compiled:   compiled(),
	}
}

// finish fills in what all tasks have in common and reports what a scenario left open.
func finish(d *tasks.Draft) error {
	n := noted(d)
	var problems []error
	if n.setup.Household == "" {
		problems = append(problems, errors.New(`the scenario does not say whom the assistant serves: Given the assistant serves household "…" on 2006-01-02`))
	}
	if n.setup.Fixture == "" {
		problems = append(problems, errors.New(`the scenario does not say which records there are: Given it works from the records "…"`))
	}
	if len(d.Task.Tools) == 0 {
		problems = append(problems, errors.New("the scenario does not say what the assistant may use: Given it may use …"))
	}
	if !n.solved {
		problems = append(problems, errors.New("the scenario has no reference solution"))
	}
	said := map[string]bool{}
	for _, c := range d.Task.Rubric.Checks {
		said[c.Rule.Name()] = true
	}
	for _, name := range keys(rules.Rules()) {
		if !said[name] {
			problems = append(problems, fmt.Errorf("nothing is said about %s: a decision is graded in every part", parts[name]))
		}
	}
	if err := errors.Join(problems...); err != nil {
		return err
	}
	if d.Task.System == "" {
		d.Task.System = Rules
	}
	if d.Task.Limits.Turns == 0 {
		d.Task.Limits.Turns = Decisions
	}
	if d.Task.Limits.Wall == 0 {
		d.Wall(Deadline)
	}
	if d.Task.Limits.OutputTokens == 0 {
		d.Task.Limits.OutputTokens = OutputTokens
	}
	return d.Setup(n.setup)
}

// parts is what each rule is about, for people.
var parts = map[string]string{
	"wealth.completed":      "whether there is a final decision",
	"wealth.outcome":        "its outcome and policy",
	"wealth.claims":         "its claims",
	"wealth.evidence":       "its evidence",
	"wealth.missing_fields": "its missing inputs",
	"wealth.trace":          "the calls",
	"wealth.no_writes":      "writes",
}

// sources says what the caller may not see and how one might reach for it.
func sources(t tasks.Task) (tasks.Sources, error) {
	setup, err := world.ParseSetup(t.Setup)
	if err != nil {
		return tasks.Sources{}, err
	}
	var s tasks.Sources
	if s.Hidden, err = world.Hidden(setup); err != nil {
		return s, err
	}
	if s.Calls, err = world.Probes(setup); err != nil {
		return s, err
	}
	s.Digest, err = fixtures.Wealth().Digest()
	return s, err
}
