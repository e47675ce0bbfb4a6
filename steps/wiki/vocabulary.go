package wiki

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	fixture "benchwright/fixtures/wiki"
	"benchwright/grader"
	rules "benchwright/grader/wiki"
	"benchwright/sim"
	world "benchwright/sim/wiki"
	"benchwright/steps"
	"benchwright/tasks"
)

// notes is what a scenario has said so far.
type notes struct {
	c          *fixture.Case
	setup      world.Setup
	solved     bool
	candidates []near
}

// near is a candidate that is seen to fail.
type near struct {
	name, code string
	source     grader.Source
}

func noted(d *tasks.Draft) *notes { return d.World.(*notes) }

func vocabulary() tasks.Vocabulary {
	check := func(c grader.Check) func(*tasks.Draft) error {
		return func(d *tasks.Draft) error { return d.Check(c.Rule) }
	}
	return tasks.Vocabulary{
		New:    func() any { return &notes{} },
		Finish: finish,
		Steps: []tasks.Step{
			tasks.Given(`the case "([^"]*)"`, inCase),
			tasks.Given(`the stages? (".+")`, inStages),
			tasks.Then(`the symbols that the host asks for are found by reading`, func(d *tasks.Draft) error { return d.Check(rules.Protocol().Rule) }),
			tasks.Then(`the selected pages have their evidence, and nothing else has changed`, func(d *tasks.Draft) error { return d.Check(rules.EvidenceSample().Rule) }),
			tasks.Then(`every page has its evidence and every requirement is closed`, func(d *tasks.Draft) error { return d.Check(rules.FormalTask().Rule) }),
			tasks.Then(`the host's audit finds no violation`, check(rules.FocusedQA())),
			tasks.Then(`a reference solution does what is asked`, func(d *tasks.Draft) error { noted(d).solved = true; return nil }),
			tasks.Then(`the candidate "([^"]*)" fails with "([^"]*)"`, candidateFails),
		},
	}.With(steps.Common()...)
}

func inCase(d *tasks.Draft, id string) error {
	c, err := fixture.Plugins()
	if err != nil {
		return err
	}
	if id != c.ID {
		return tasks.Unknown("case", id, []string{c.ID})
	}
	n := noted(d)
	n.c, n.setup.Case = c, id
	return nil
}

func inStages(d *tasks.Draft, list string) error {
	n := noted(d)
	if len(n.setup.Stages) > 0 {
		return errors.New("the stages are named twice")
	}
	known := []string{world.Protocol, world.EvidenceSample, world.Formal}
	for _, name := range strings.Split(strings.ReplaceAll(list, " and ", ", "), ", ") {
		name = strings.Trim(name, `"`)
		if !slices.Contains(known, name) {
			return tasks.Unknown("stage", name, known)
		}
		n.setup.Stages = append(n.setup.Stages, world.Stage{Name: name, Locked: name == world.EvidenceSample})
	}
	return nil
}

func candidateFails(d *tasks.Draft, name, code string) error {
	if !slices.Contains(Candidates(), name) {
		return tasks.Unknown("candidate", name, Candidates())
	}
	n := noted(d)
	n.candidates = append(n.candidates, near{name, code, d.Source()})
	return nil
}

// finish makes the task of what a scenario has said.
func finish(d *tasks.Draft) error {
	n, t := noted(d), &d.Task
	if n.c == nil {
		return errors.New(`the scenario names no case: Given the case "plugins-wiki-revision"`)
	}
	if len(n.setup.Stages) != len(t.Asks) {
		return fmt.Errorf(`the scenario has %d stages and asks %d times: ask n is about stage n. Given the stages "protocol" and "evidence_sample"`, len(n.setup.Stages), len(t.Asks))
	}
	var wall time.Duration
	for i := range t.Asks {
		a, st := &t.Asks[i], &n.setup.Stages[i]
		if a.Turns == 0 || a.Calls == 0 || a.Tokens == 0 || a.Wall == 0 {
			return fmt.Errorf("stage %q: its ask names no budget of turns, calls, tokens and seconds: with 20 turns, 40 calls, 150,000 tokens and 180 seconds", st.Name)
		}
		wall += time.Duration(a.Wall)
		st.Budget = world.Budget{ToolCalls: a.Calls, ModelCalls: a.Turns, Tokens: a.Tokens, Seconds: int(time.Duration(a.Wall) / time.Second)}
	}
	if t.Limits.Wall == 0 {
		d.Wall(wall)
	}
	for _, c := range t.Rubric.Checks {
		budgeted(c.Rule, n.setup.Stages[c.Ask])
	}
	if err := n.brief(t); err != nil {
		return err
	}
	t.System, t.Tools = Rules, []string{tasks.AllTools}
	t.Protocol = tasks.Protocol{Lenient: true, ShowLimits: true}
	if err := n.scripts(t); err != nil {
		return err
	}
	return d.Setup(n.setup)
}

// budgeted lets a rule know the budget of its stage where that is not the usual one.
func budgeted(r grader.Rule, st world.Stage) {
	if st.Budget == rules.DefaultBudget(st.Name) {
		return
	}
	switch r := r.(type) {
	case *rules.ProtocolRule:
		r.Budget = &st.Budget
	case *rules.EvidenceSampleRule:
		r.Budget = &st.Budget
	case *rules.FormalRule:
		r.Budget = &st.Budget
	}
}

// brief fills in what comes with each ask.
func (n *notes) brief(t *tasks.Task) error {
	resolved, err := n.setup.Resolve(n.c)
	if err != nil {
		return err
	}
	for i, st := range resolved.Stages {
		b := Brief{Fixture: n.c.Fixture.Digests.Fixture, Stage: st.Name, Number: i + 1, Of: len(resolved.Stages), StructureLocked: st.Locked}
		for _, root := range world.Roots() {
			b.Roots = append(b.Roots, Root{root, root == world.WikiRoot && st.Writes()})
		}
		switch {
		case st.Name == world.Protocol:
			for _, s := range rules.Asked(n.c) {
				b.Symbols = append(b.Symbols, s.Name)
			}
		case len(st.Selected) < len(n.c.Skeleton.Pages):
			b.Selected = st.Selected
		}
		t.Asks[i].Context = sim.MustCanonical(b)
	}
	return nil
}

// scripts fills in the reference and the candidates.
func (n *notes) scripts(t *tasks.Task) error {
	var stages []string
	for _, st := range n.setup.Stages {
		stages = append(stages, st.Name)
	}
	if n.solved {
		moves, err := Candidate(n.c, Good, stages)
		if err != nil {
			return err
		}
		t.Rubric.Reference = moves
	}
	for _, c := range n.candidates {
		moves, err := Candidate(n.c, c.name, stages)
		if err != nil {
			return err
		}
		for i := range moves {
			moves[i].Source = c.source
		}
		t.Rubric.Probes = append(t.Rubric.Probes, tasks.Probe{Name: c.name, Codes: []string{c.code}, Moves: moves, Source: c.source})
	}
	return nil
}
