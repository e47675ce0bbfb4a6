package wealth

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	rules "benchwright/grader/wealth"
	"benchwright/sim"
	world "benchwright/sim/wealth"
	"benchwright/tasks"
)

// split reads "a, b and c".
func split(list string) []string {
	var out []string
	for _, part := range strings.Split(list, ", ") {
		for _, name := range strings.Split(part, " and ") {
			out = append(out, strings.Trim(strings.TrimSpace(name), `"`))
		}
	}
	return out
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// parseCall reads the arguments of a call in the notation
//
//	principal 2500000, annual_rate 0.06, years 5
//
// or as the JSON object that is sent. The name may be one that no tool has.
func parseCall(name, arguments string) (sim.Call, error) {
	if name == "" {
		return sim.Call{}, errors.New("the call names no tool")
	}
	arguments = strings.TrimSpace(arguments)
	if strings.HasPrefix(arguments, "{") {
		raw, err := sim.Canonical(json.RawMessage(arguments))
		if err != nil {
			return sim.Call{}, fmt.Errorf("arguments of %s: %w", name, err)
		}
		return sim.Call{Name: name, Arguments: raw}, nil
	}
	args := map[string]any{}
	for _, part := range strings.Split(arguments, ", ") {
		if part == "" {
			continue
		}
		key, value, ok := strings.Cut(part, " ")
		if _, dup := args[key]; !ok || dup {
			return sim.Call{}, fmt.Errorf(`argument %q of %s: want "name value", each name once`, part, name)
		}
		v, err := argument(key, value)
		if err != nil {
			return sim.Call{}, fmt.Errorf("argument %q of %s: %w", key, name, err)
		}
		args[key] = v
	}
	raw, err := sim.Canonical(args)
	return sim.Call{Name: name, Arguments: raw}, err
}

// argument is the JSON value of an argument: the text as a string; as it stands after the word
// "number", and for years, the one argument that the schemas want as a number.
func argument(name, text string) (any, error) {
	bare, ok := strings.CutPrefix(text, "number ")
	if !ok && name != "years" {
		return text, nil
	}
	v, err := sim.ParseJSON([]byte(bare))
	if n, isNumber := v.(json.Number); err == nil && isNumber {
		return n, nil
	}
	return nil, fmt.Errorf("%q is no JSON number", bare)
}

// parseClaim reads a claim in the notation
//
//	3345563.94 INR of scenario-A as of 2026-09-01 from calc-fv-v1
func parseClaim(name, text string) (rules.Claim, error) {
	form := fmt.Errorf(`claim %q: want "VALUE UNIT of SUBJECT as of DATE from SOURCE", got %q`, name, text)
	rest, source, ok1 := strings.Cut(text, " from ")
	rest, date, ok2 := strings.Cut(rest, " as of ")
	rest, subject, ok3 := strings.Cut(rest, " of ")
	value, unit, ok4 := strings.Cut(rest, " ")
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return rules.Claim{}, form
	}
	c := rules.Claim{Value: value, Unit: unit, Subject: subject, AsOf: date, Source: source}
	return c, checkClaim(name, c)
}

// checkClaim reports what no claim can be, right or wrong.
func checkClaim(name string, c rules.Claim) error {
	if name == "" || strings.ContainsAny(name, " :") {
		return fmt.Errorf("claim %q: a name is one word", name)
	}
	if _, ok := world.Decimal(c.Value); !ok {
		return fmt.Errorf("claim %q: value %q: want a plain decimal without grouping or exponent", name, c.Value)
	}
	if c.Unit == "" || c.Subject == "" || c.Source == "" {
		return fmt.Errorf("claim %q: unit, subject and source must be said", name)
	}
	if _, err := time.Parse(time.DateOnly, c.AsOf); err != nil {
		return fmt.Errorf("claim %q: as of %q: want a date like 2006-01-02", name, c.AsOf)
	}
	return nil
}

// A solution is what a scripted agent does: its calls, one a turn, and then its decision.
type solution struct {
	calls    []sim.Call
	decision decision
	silent   bool                      // gives no decision
	form     func(reply string) string // how the decision is said, when not as it should be
}

type decision struct {
	outcome, policy string
	claims          map[string]rules.Claim
	cited, missing  []string
	also            map[string]any // fields that the protocol does not know
}

func (s solution) clone() solution {
	s.calls = slices.Clone(s.calls)
	s.decision.claims = maps.Clone(s.decision.claims)
	s.decision.also = maps.Clone(s.decision.also)
	return s
}

// moves returns the solution turn by turn.
func (s solution) moves() ([]tasks.Move, error) {
	var out []tasks.Move
	for _, c := range s.calls {
		out = append(out, tasks.Move{Calls: []sim.Call{c}})
	}
	if s.silent {
		return out, nil
	}
	if s.decision.outcome == "" {
		return nil, errors.New(`the solution decides nothing; say "decide OUTCOME under POLICY"`)
	}
	answer, err := s.decision.encode()
	if err != nil {
		return nil, err
	}
	last := tasks.Move{Answer: answer}
	if s.form != nil {
		reply, err := Dialect{}.Reply(last)
		if err != nil {
			return nil, err
		}
		last = tasks.Move{Raw: s.form(reply)}
	}
	return append(out, last), nil
}

// encode writes the decision as the protocol wants it: what is empty is left out.
func (d decision) encode() (json.RawMessage, error) {
	result := map[string]any{"outcome": d.outcome, "policy_code": d.policy}
	if len(d.claims) > 0 {
		result["claims"] = d.claims
	}
	if len(d.cited) > 0 {
		result["evidence_ids"] = d.cited
	}
	if len(d.missing) > 0 {
		result["missing_fields"] = d.missing
	}
	for k, v := range d.also {
		result[k] = v
	}
	return sim.Canonical(result)
}
