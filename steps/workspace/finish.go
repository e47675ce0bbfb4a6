package workspace

import (
	"encoding/json"
	"errors"
	"fmt"

	"benchwright/grader"
	rules "benchwright/grader/workspace"
	"benchwright/sim"
	"benchwright/tasks"
)

// finish fills in what all tasks have in common and reports what a scenario left open.
func finish(d *tasks.Draft) error {
	n := noted(d)
	var problems []error
	if n.setup.Baseline == "" && !n.said["workspace"] && len(n.boards) == 0 {
		problems = append(problems, errors.New(`the scenario does not say where it starts: Given the workspace "…", or Given a bare workspace`))
	}
	if !n.said["backend"] && len(n.custom) == 0 {
		problems = append(problems, errors.New("the scenario does not say what is connected: Given the backends …, or Given every backend"))
	}
	if !n.said["tool"] {
		problems = append(problems, errors.New("the scenario does not say what the agent may use: Given the tools …, or Given every tool"))
	}
	if !n.solved {
		problems = append(problems, errors.New("the scenario has no reference solution: Then a reference solution is: …"))
	}
	if err := errors.Join(problems...); err != nil {
		return err
	}
	start, err := n.start()
	if err != nil {
		return err
	}
	n.subjects(d, start)
	if err := n.nothingElse(d, start); err != nil {
		return err
	}
	if d.Task.System == "" {
		d.Task.System = Rules(Guided)
	}
	if d.Task.Limits.Turns == 0 {
		d.Task.Limits.Turns = Turns
	}
	if d.Task.Limits.Wall == 0 {
		d.Wall(Deadline)
	}
	d.Task.Protocol.Lenient = true
	if !n.answered() && len(n.reference) < d.Task.Limits.Turns {
		last := d.Task.Rubric.Reference[len(d.Task.Rubric.Reference)-1].Source
		d.At(last)
		add(d, tasks.Move{Answer: json.RawMessage("null")})
	}
	for i := range d.Task.Asks {
		if len(d.Task.Asks[i].Context) == 0 {
			d.Task.Asks[i].Context = sim.MustCanonical(n.public(d.Task, i))
		}
	}
	return d.Setup(n.setup)
}

// public is what comes with an ask.
func (n *notes) public(t tasks.Task, ask int) AskContext {
	difficulty, _ := t.Label("difficulty")
	if level, ok := t.Label("level"); ok {
		difficulty = "level" + level
	}
	c := AskContext{Track: Guided, Specification: specification(difficulty), Fixtures: connected(n.setup), Origins: n.shelf.origins(n.setup)}
	if s, ok := t.Label("specification"); ok {
		c.Specification = s
	}
	for _, check := range t.Rubric.Checks {
		switch check.Rule.(type) {
		case *rules.AnswerRule, *rules.AnswerSaysRule, *rules.AnswerLinesRule, *JudgedRule:
			c.FinalAnswer = c.FinalAnswer || check.Ask == ask
		}
	}
	return c
}

// nothingCodes are what a change of something else raises.
var nothingCodes = (*rules.NothingElseRule)(nil).Codes()

// nothingElse notes that all that is not demanded must be as it was. What is demanded is known
// when the scenario ends.
func nothingElse(d *tasks.Draft) error {
	if len(d.Task.Asks) == 0 {
		return errors.New("a Then needs a When before it: nothing has been asked yet")
	}
	n := noted(d)
	for len(n.nothing) < len(d.Task.Asks) {
		n.nothing = append(n.nothing, grader.Source{})
	}
	i := len(d.Task.Asks) - 1
	if n.nothing[i] != (grader.Source{}) {
		return fmt.Errorf("line %d has said so already", n.nothing[i].Line)
	}
	n.nothing[i] = d.Source()
	return once(d, &rules.NothingElseRule{})
}
