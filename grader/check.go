package grader

import (
	"context"
	"fmt"
	"strings"

	"benchwright/sim"
)

// A Check is a rule at a place in a task. It is also a Gomega matcher over an [Evidencer],
// so that a hand-written spec can say
//
//	Expect(benchwright.Play(ctx, task)).To(wealth.Outcome("refuse", "write_not_permitted"))
//
// In a matcher a rule that does not apply, or cannot be evaluated, is misuse: an error.
type Check struct {
	Rule   Rule
	Ask    int // whose aftermath it demands something of, from 0
	Source Source
}

// String says what the check demands, in one line.
func (c Check) String() string {
	if c.Source.Text != "" {
		return c.Source.Text
	}
	return describe(c.Rule)
}

func describe(r Rule) string {
	if d, ok := r.(Describer); ok {
		return d.String()
	}
	args, err := sim.Canonical(r)
	if err != nil || string(args) == "{}" {
		return r.Name()
	}
	return r.Name() + " " + string(args)
}

// Match implements Gomega's matcher.
func (c Check) Match(actual any) (bool, error) {
	f, err := c.match(actual)
	return err == nil && len(f) == 0, err
}

func (c Check) match(actual any) ([]Finding, error) {
	e, ok := actual.(Evidencer)
	if !ok {
		return nil, fmt.Errorf("%s: a check matches an episode, not a %T", c.Rule.Name(), actual)
	}
	ev, err := e.Evidence(c.Ask)
	if err != nil {
		return nil, err
	}
	return c.grade(context.Background(), ev)
}

// FailureMessage implements Gomega's matcher: what was demanded, and each finding.
func (c Check) FailureMessage(actual any) string {
	f, err := c.match(actual)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Expected the episode to hold\n    %s\nbut found", describe(c.Rule))
	for _, x := range f {
		fmt.Fprintf(&b, "\n    %s: %s", x.Code, strings.ReplaceAll(x.Message, "\n", "\n    "))
	}
	return b.String()
}

// NegatedFailureMessage implements Gomega's matcher.
func (c Check) NegatedFailureMessage(any) string {
	return "Expected the episode not to hold\n    " + describe(c.Rule)
}

// grade evaluates the rule and stamps the check's source on its findings. A panic of the rule
// is the grader's failure.
func (c Check) grade(ctx context.Context, ev Evidence) ([]Finding, error) {
	f, _, err := c.tally(ctx, ev)
	return f, err
}

// tally is grade, with what a [Tallier] counted.
func (c Check) tally(ctx context.Context, ev Evidence) (f []Finding, t []Tally, err error) {
	defer func() {
		if p := recover(); p != nil {
			f, t, err = nil, nil, BrokenError{LayerGrader, fmt.Errorf("rule %s panicked: %v", c.Rule.Name(), p)}
		}
	}()
	if r, ok := c.Rule.(Tallier); ok {
		f, t, err = r.Tally(ctx, ev)
	} else {
		f, err = c.Rule.Grade(ctx, ev)
	}
	for i := range f {
		f[i].Source = c.Source
	}
	return f, t, err
}
