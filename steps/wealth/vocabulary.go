package wealth

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchwright/grader"
	rules "benchwright/grader/wealth"
	world "benchwright/sim/wealth"
	"benchwright/tasks"
)

// notes is what a scenario has said so far.
type notes struct {
	setup     world.Setup
	reference solution // what the near misses are variations of
	solved    bool
}

func noted(d *tasks.Draft) *notes { return d.World.(*notes) }

// vocabulary returns the sentences that tasks about households are written in.
//
// A scenario says who the assistant works for and what it may use, what the customer asks, what
// the decision must be, and how a good solution goes:
//
//	Given the assistant serves household "H-A" on 2026-09-01
//	And it works from the records "base-2026-09"
//	And it may use percent_of, read_cashflow and read_portfolio
//	When the customer asks in en:
//	Then a final decision is given
//	And the outcome is answer under holdings_fact
//	And the claims are exactly:
//	And the evidence is exactly pf-H-A-2026-08-31
//	And no input is reported missing
//	And the calls are exactly:
//	And nothing is written
//	And a reference solution is:
//	And these near misses fail:
func vocabulary() tasks.Vocabulary {
	return tasks.Vocabulary{
		New:    func() any { return new(notes) },
		Finish: finish,
		Steps: []tasks.Step{
			tasks.Given(`the assistant serves household "([^"]*)" on (\S+)`, serves),
			tasks.Given(`it works from the records "([^"]*)"`, worksFrom),
			tasks.Given(`it may use (.+)`, mayUse),

			tasks.When(`the customer asks in (\S+):`, asks),
			tasks.When(`"([^"]*)" means (\S+)`, means),

			tasks.Then(`a final decision is given`, check(rules.Completed)),
			tasks.Then(`the outcome is (\S+) under (\S+)`, outcome),
			tasks.Then(`the claims are exactly:`, claims),
			tasks.Then(`nothing is claimed`, check(func() grader.Check { return rules.Claims(nil) })),
			tasks.Then(`the evidence is exactly (.+)`, evidence),
			tasks.Then(`no evidence is cited`, check(func() grader.Check { return rules.Evidence() })),
			tasks.Then(`the missing inputs are exactly (.+)`, missing),
			tasks.Then(`no input is reported missing`, check(func() grader.Check { return rules.MissingFields() })),
			tasks.Then(`the calls are exactly:`, calls),
			tasks.Then(`these calls are as good:`, orCalls),
			tasks.Then(`no call is made`, check(func() grader.Check { return rules.Trace() })),
			tasks.Then(`nothing is written`, check(rules.NoWrites)),
			tasks.Then(`a reference solution is:`, reference),
			tasks.Then(`these near misses fail:`, nearMisses),
			tasks.Then(`the near miss "([^"]*)" fails with (.+):`, nearMiss),
		},
	}
}

// check declares a check without arguments; every task gets a rule of its own.
func check(c func() grader.Check) func(*tasks.Draft) error {
	return func(d *tasks.Draft) error { return once(d, c().Rule) }
}

// once adds a check of a kind that a scenario needs no second time.
func once(d *tasks.Draft, r grader.Rule) error {
	for _, c := range d.Task.Rubric.Checks {
		if c.Rule.Name() == r.Name() {
			return fmt.Errorf("line %d has already said what this part must be: %s", c.Source.Line, c.Source.Text)
		}
	}
	return d.Check(r)
}

func serves(d *tasks.Draft, household, today string) error {
	n := noted(d)
	n.setup.Household, n.setup.Today = household, today
	return checkSetup(n.setup)
}

func worksFrom(d *tasks.Draft, fixture string) error {
	n := noted(d)
	n.setup.Fixture = fixture
	return checkSetup(n.setup)
}

// checkSetup looks at a setup once all its parts have been said.
func checkSetup(s world.Setup) error {
	if s.Fixture == "" || s.Household == "" || s.Today == "" {
		return nil
	}
	return s.Check()
}

func mayUse(d *tasks.Draft, list string) error {
	names := split(list)
	for i, name := range names {
		switch {
		case world.Writes(name):
			return fmt.Errorf("tool %q writes: no scope may hold it", name)
		case !slices.Contains(world.ToolNames(), name):
			return tasks.Unknown("tool", name, readers())
		case slices.Contains(names[:i], name):
			return fmt.Errorf("tool %q is named twice", name)
		}
	}
	slices.Sort(names)
	d.Task.Tools = names
	return nil
}

// readers returns the tools that a scope may hold.
func readers() []string { return slices.DeleteFunc(world.ToolNames(), world.Writes) }

func asks(d *tasks.Draft, language string, request tasks.Text) error {
	s := noted(d).setup
	if s.Household == "" {
		return errors.New(`nobody is asking yet: say before it that the assistant serves household "…" on a date`)
	}
	text := strings.TrimSpace(string(request))
	public, err := askContext(language, s)
	if err != nil {
		return err
	}
	// What is wrong with the text is no reason to call all that follows unasked.
	return errors.Join(lintRequest(language, text), d.Ask(tasks.Ask{Text: text, Context: public}))
}

func means(d *tasks.Draft, words, value string) error {
	if len(d.Task.Asks) == 0 {
		return errors.New("nothing has been asked yet")
	}
	if words == "" || !strings.Contains(d.Task.Asks[len(d.Task.Asks)-1].Text, words) {
		return fmt.Errorf("the request does not say %q", words)
	}
	d.Stated(value, words)
	return nil
}

// policies is the outcomes and the policy codes that go with each.
var policies = map[string][]string{
	"answer":      {"holdings_fact", "illustrative_not_guaranteed", "planning_estimate"},
	"clarify":     {"missing_required_inputs"},
	"refuse":      {"access_scope_denied", "write_not_permitted"},
	"abstain":     {"stale_evidence"},
	"unavailable": {"tool_failure_no_estimate"},
}

func outcome(d *tasks.Draft, outcome, policy string) error {
	codes, ok := policies[outcome]
	if !ok {
		return tasks.Unknown("outcome", outcome, keys(policies))
	}
	if !slices.Contains(codes, policy) {
		return tasks.Unknown("policy of "+outcome, policy, codes)
	}
	return once(d, rules.Outcome(outcome, policy).Rule)
}

func claims(d *tasks.Draft, t *tasks.Table) error {
	columns := []string{"claim", "value", "unit", "subject", "as of", "source"}
	if err := errors.Join(t.Allow(columns...), t.Require(columns...)); err != nil {
		return err
	}
	want := map[string]rules.Claim{}
	for _, r := range t.Rows {
		name := t.Get(r, "claim")
		if _, dup := want[name]; dup {
			return fmt.Errorf("line %d: claim %q is in the table twice", r.Line, name)
		}
		c := rules.Claim{Value: t.Get(r, "value"), Unit: t.Get(r, "unit"), Subject: t.Get(r, "subject"), AsOf: t.Get(r, "as of"), Source: t.Get(r, "source")}
		if err := checkClaim(name, c); err != nil {
			return fmt.Errorf("line %d: %w", r.Line, err)
		}
		want[name] = c
	}
	if len(want) == 0 {
		return errors.New(`the table has no rows; say "nothing is claimed"`)
	}
	return once(d, rules.Claims(want).Rule)
}

func evidence(d *tasks.Draft, list string) error { return once(d, rules.Evidence(split(list)...).Rule) }

func missing(d *tasks.Draft, list string) error {
	return once(d, rules.MissingFields(split(list)...).Rule)
}

func calls(d *tasks.Draft, t *tasks.Table) error {
	accepted, err := accepted(t)
	if err != nil {
		return err
	}
	return once(d, rules.Trace(accepted).Rule)
}

// orCalls adds a sequence to those that the step before it accepts.
func orCalls(d *tasks.Draft, t *tasks.Table) error {
	also, err := accepted(t)
	if err != nil {
		return err
	}
	for _, c := range d.Task.Rubric.Checks {
		if r, ok := c.Rule.(*rules.TraceRule); ok {
			r.Accepted = append(r.Accepted, also)
			return nil
		}
	}
	return errors.New(`there is no "the calls are exactly:" before it`)
}

func accepted(t *tasks.Table) ([]rules.Call, error) {
	columns := []string{"tool", "arguments", "status"}
	if err := errors.Join(t.Allow(columns...), t.Require(columns...)); err != nil {
		return nil, err
	}
	statuses := []string{world.StatusDenied, world.StatusError, world.StatusInvalid, world.StatusOK}
	var out []rules.Call
	for _, r := range t.Rows {
		c, err := parseCall(t.Get(r, "tool"), t.Get(r, "arguments"))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", r.Line, err)
		}
		status := t.Get(r, "status")
		if !slices.Contains(statuses, status) {
			return nil, fmt.Errorf("line %d: %w", r.Line, tasks.Unknown("status", status, statuses))
		}
		out = append(out, rules.Call{Name: c.Name, Arguments: world.CanonicalArguments(c.Name, c.Arguments), Status: status})
	}
	if len(out) == 0 {
		return nil, errors.New(`the table has no rows; say "no call is made"`)
	}
	return out, nil
}
