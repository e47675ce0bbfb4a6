package wealth

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/grader"
	world "benchwright/sim/wealth"
)

// A Claim is one value that a decision states, with where it comes from.
type Claim struct {
	Value   string `json:"value"` // a plain decimal
	Unit    string `json:"unit"`
	Subject string `json:"subject"`
	AsOf    string `json:"as_of"`
	Source  string `json:"source"`
}

// ClaimsRule demands exactly the given claims.
type ClaimsRule struct {
	Claims map[string]Claim `json:"claims"`
}

// Claims demands exactly these claims by name; nil demands that nothing is claimed.
func Claims(want map[string]Claim) grader.Check {
	if want == nil {
		want = map[string]Claim{}
	}
	return grader.Check{Rule: &ClaimsRule{want}}
}

// maxUnexpected bounds the findings about claims that nobody asked for.
const maxUnexpected = 16

// Name implements grader.Rule.
func (*ClaimsRule) Name() string { return "wealth.claims" }

// Codes implements grader.Rule.
func (r *ClaimsRule) Codes() []string {
	out := []string{"unexpected_claim:*"}
	for c := range r.Claims {
		for _, k := range []string{"missing_claim:", "wrong_value:", "wrong_unit:", "wrong_subject:", "wrong_as_of:", "wrong_source:"} {
			out = append(out, k+clean(c))
		}
	}
	slices.Sort(out)
	return out
}

// Graded implements grader.Grounder.
func (r *ClaimsRule) Graded() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(r.Claims)) {
		c := r.Claims[name]
		out = append(out, name, c.Value, c.Unit, c.Subject, c.AsOf, c.Source)
	}
	return out
}

func (r *ClaimsRule) String() string {
	if len(r.Claims) == 0 {
		return "nothing is claimed"
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(r.Claims)) {
		c := r.Claims[name]
		parts = append(parts, fmt.Sprintf("%s = %s %s of %s as of %s from %s", name, c.Value, c.Unit, c.Subject, c.AsOf, c.Source))
	}
	return "the claims are exactly " + strings.Join(parts, "; ")
}

// Grade implements grader.Rule.
func (r *ClaimsRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	res, err := resultOf(ev)
	if err != nil {
		return nil, err
	}
	got, isObject := res["claims"].(map[string]any)
	var out []grader.Finding
	for _, name := range slices.Sorted(maps.Keys(r.Claims)) {
		want := r.Claims[name]
		if _, ok := world.Decimal(want.Value); !ok {
			return nil, grader.BrokenError{Layer: grader.LayerFixture, Err: fmt.Errorf("claim %q: its wanted value %q is no plain decimal", name, want.Value)}
		}
		v, ok := got[name]
		if !ok {
			out = append(out, grader.Finding{Code: "missing_claim:" + clean(name), Type: grader.AnswerType,
				Message: fmt.Sprintf("claim %q is missing", name), Want: want.Value})
			continue
		}
		out = append(out, want.grade(name, v)...)
	}
	if !isObject && res["claims"] != nil {
		return append(out, grader.Finding{Code: "unexpected_claim:not_an_object", Type: grader.AnswerType,
			Message: "claims: want an object of claims, got " + show(res["claims"]), Got: show(res["claims"])}), nil
	}
	var extra []string
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, wanted := r.Claims[name]; !wanted {
			extra = append(extra, name)
		}
	}
	for i, name := range extra {
		f := grader.Finding{Code: "unexpected_claim:" + clean(name), Type: grader.AnswerType, Message: fmt.Sprintf("claim %s was not asked for", quote(name))}
		if c, ok := got[name].(map[string]any); ok {
			f.Got = show(c["value"])
		}
		if i == maxUnexpected-1 && len(extra) > maxUnexpected {
			f.Message += fmt.Sprintf(", nor were %d more", len(extra)-maxUnexpected)
			return append(out, f), nil
		}
		out = append(out, f)
	}
	return out, nil
}

// grade compares one claim, whatever it is. What is no object has no field right.
func (c Claim) grade(name string, got any) []grader.Finding {
	fields, _ := got.(map[string]any)
	var out []grader.Finding
	if !sameValue(c.Value, fields["value"]) {
		out = append(out, grader.Finding{Code: "wrong_value:" + clean(name), Type: grader.AnswerType,
			Message: fmt.Sprintf("%s: value: want %s, got %s", name, c.Value, show(fields["value"])), Want: c.Value, Got: show(fields["value"])})
	}
	for _, f := range []struct{ key, want string }{{"unit", c.Unit}, {"subject", c.Subject}, {"as_of", c.AsOf}, {"source", c.Source}} {
		if d, ok := differs("wrong_"+f.key+":"+clean(name), name+": "+f.key, f.want, fields[f.key]); ok {
			out = append(out, d)
		}
	}
	return out
}

// sameValue compares by value. Only a string or a number token in plain notation is a value.
func sameValue(want string, got any) bool {
	var text string
	switch g := got.(type) {
	case string:
		text = g
	case json.Number:
		text = string(g)
	}
	w, _ := world.Decimal(want)
	g, ok := world.Decimal(text)
	return ok && w == g
}
