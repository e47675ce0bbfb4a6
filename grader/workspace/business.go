package workspace

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"benchwright/grader"
)

// BusinessNameRule demands that a name of the business is used: on the dashboard, on an app of a custom
// backend, or on a tab of either. It is phrase match.
type BusinessNameRule struct {
	Dashboard On     `json:"dashboard,omitempty"`
	Scope     string `json:"scope"` // dashboard, app or tab
	Contains  string `json:"contains"`
}

// BusinessName demands that a dashboard, app or tab, as scope says, is named with a phrase.
func BusinessName(scope, phrase string) grader.Check {
	return grader.Check{Rule: &BusinessNameRule{Scope: scope, Contains: phrase}}
}

// Name implements grader.Rule.
func (*BusinessNameRule) Name() string { return "workspace.business_name" }

// Codes implements grader.Rule.
func (*BusinessNameRule) Codes() []string { return []string{"business_name_missing"} }

// Graded implements grader.Grounder.
func (r *BusinessNameRule) Graded() []string { return graded(r.Dashboard.ground(), r.Contains) }

func (r *BusinessNameRule) String() string {
	return r.Dashboard.of(fmt.Sprintf("%s is named %q", r.thing(), r.Contains))
}

func (r *BusinessNameRule) thing() string {
	if r.Scope == "app" {
		return "an app"
	}
	return "a " + r.Scope
}

// Grade implements grader.Rule.
func (r *BusinessNameRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *BusinessNameRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *BusinessNameRule) points(ev grader.Evidence) ([]point, error) {
	var have []string
	final, err := read(ev.Final)
	if err != nil {
		return nil, err
	}
	if r.Scope == "dashboard" || r.Scope == "tab" {
		c, _, err := r.Dashboard.board(ev)
		if err != nil {
			return nil, err
		}
		switch {
		case c == nil:
		case r.Scope == "dashboard":
			have = append(have, c.Name)
		default:
			for _, t := range c.Tabs {
				have = append(have, t.Name)
			}
		}
	}
	switch r.Scope {
	case "dashboard":
	case "app", "tab":
		all, err := final.customs()
		if err != nil {
			return nil, err
		}
		for _, b := range all {
			for _, a := range b.Apps {
				have = append(have, r.appNames(a)...)
			}
		}
	default:
		return nil, fixture("rule %s has the scope %q; there are dashboard, app and tab", r.Name(), r.Scope)
	}
	p := point{code: "business_name_missing", side: grader.StateType, want: r.Contains}
	if !slices.ContainsFunc(have, func(n string) bool { return phrase(r.Contains, n) }) {
		p.got = quoted(have)
		p.message = fmt.Sprintf("want %s named %q, there are %s", r.thing(), r.Contains, p.got)
		if len(have) == 0 {
			p.message = fmt.Sprintf("want %s named %q, there is none", r.thing(), r.Contains)
		}
	}
	return []point{p}, nil
}

func (r *BusinessNameRule) appNames(app map[string]any) []string {
	if r.Scope == "app" {
		name, _ := app["name"].(string)
		return []string{name}
	}
	var out []string
	tabs, _ := app["tabs"].(map[string]any)
	for _, k := range slices.Sorted(maps.Keys(tabs)) {
		t, _ := tabs[k].(map[string]any)
		name, _ := t["name"].(string)
		out = append(out, name)
	}
	return out
}
