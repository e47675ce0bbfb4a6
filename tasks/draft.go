package tasks

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"benchwright/grader"
	"benchwright/sim"
)

// A Draft is a task being declared. Steps receive it and write on it; they never act.
// A Draft is used by one goroutine.
type Draft struct {
	Task  Task
	World any // the vocabulary's own notes, made by Vocabulary.New

	kit   *Kit
	step  grader.Source
	probe int // index of the probe that Move adds to, plus one; 0 for the reference
}

// NewDraft returns an empty draft for a kit. Front ends call it; so may tests of a vocabulary.
func NewDraft(k *Kit) *Draft {
	d := &Draft{kit: k}
	d.Task.World = k.Kind.Name
	if k.Vocabulary.New != nil {
		d.World = k.Vocabulary.New()
	}
	return d
}

// At sets the source that the following declarations carry.
func (d *Draft) At(s grader.Source) { d.step = s }

// Source returns the step being executed.
func (d *Draft) Source() grader.Source { return d.step }

// Ask adds an ask.
func (d *Draft) Ask(a Ask) error {
	if a.Text == "" {
		return fmt.Errorf("the ask says nothing")
	}
	d.Task.Asks = append(d.Task.Asks, a)
	return nil
}

var errNoAsk = errors.New("a Then needs a When before it: nothing has been asked yet")

// Check adds a demand on what the latest ask must leave behind.
func (d *Draft) Check(r grader.Rule) error {
	if len(d.Task.Asks) == 0 {
		return errNoAsk
	}
	d.Task.Rubric.Checks = append(d.Task.Rubric.Checks, grader.Check{Rule: r, Ask: len(d.Task.Asks) - 1, Source: d.step})
	return nil
}

// Probe starts a near miss: the moves that follow are its own, and it must fail with codes.
func (d *Draft) Probe(name string, codes ...string) error {
	if len(codes) == 0 {
		return fmt.Errorf("probe %q names no code that it must fail with", name)
	}
	for _, p := range d.Task.Rubric.Probes {
		if p.Name == name {
			return fmt.Errorf("probe %q is declared twice", name)
		}
	}
	d.Task.Rubric.Probes = append(d.Task.Rubric.Probes, Probe{Name: name, Codes: codes, Source: d.step})
	d.probe = len(d.Task.Rubric.Probes)
	return nil
}

// Reference says that the moves that follow are the reference solution's.
func (d *Draft) Reference() { d.probe = 0 }

// Move adds a move to the reference, or to the probe begun last.
func (d *Draft) Move(m Move) {
	m.Source = d.step
	if d.probe > 0 {
		p := &d.Task.Rubric.Probes[d.probe-1]
		p.Moves = append(p.Moves, m)
		return
	}
	d.Task.Rubric.Reference = append(d.Task.Rubric.Reference, m)
}

// Call adds a move of one call.
func (d *Draft) Call(name string, arguments any) error {
	raw, err := sim.Canonical(arguments)
	if err != nil {
		return err
	}
	d.Move(Move{Calls: []sim.Call{{Name: name, Arguments: raw}}})
	return nil
}

// Answer adds a move that answers the ask.
func (d *Draft) Answer(answer any) error {
	raw, err := sim.Canonical(answer)
	if err != nil {
		return err
	}
	d.Move(Move{Answer: raw})
	return nil
}

// Setup sets what the world is built from.
func (d *Draft) Setup(v any) error {
	raw, err := sim.Canonical(v)
	d.Task.Setup = raw
	return err
}

// Stated notes that words in an ask say a value in another spelling.
func (d *Draft) Stated(value, words string) {
	if d.Task.Rubric.Stated == nil {
		d.Task.Rubric.Stated = map[string]string{}
	}
	d.Task.Rubric.Stated[value] = words
}

// Turns sets the limit of turns.
func (d *Draft) Turns(n int) error {
	if n < 1 {
		return fmt.Errorf("%d turns: an agent needs at least one", n)
	}
	d.Task.Limits.Turns = n
	return nil
}

// Wall sets the limit of time.
func (d *Draft) Wall(t time.Duration) { d.Task.Limits.Wall = Duration(t) }

// finish lets the vocabulary turn its notes into the task.
func (d *Draft) finish() error {
	if f := d.kit.Vocabulary.Finish; f != nil {
		if err := f(d); err != nil {
			return err
		}
	}
	if d.Task.Setup == nil {
		d.Task.Setup = json.RawMessage("{}")
	}
	return nil
}
