package scorer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/grader"
	rules "benchwright/grader/wealth"
	"benchwright/sim"
	world "benchwright/sim/wealth"
)

// CasesSchema names the form of a cases file.
const CasesSchema = "wealthops.cases/1"

// Cases is what is expected, case by case. It is for the scorer alone.
type Cases struct {
	Schema string `json:"schema"`
	Cases  []Case `json:"cases"`
}

// A Case is what one case must come to.
type Case struct {
	CaseID         string                 `json:"case_id"`
	Family         string                 `json:"family"`
	Language       string                 `json:"language"`
	Critical       bool                   `json:"critical"`
	Outcome        string                 `json:"outcome"`
	Claims         map[string]rules.Claim `json:"claims"`
	EvidenceIDs    []string               `json:"evidence_ids"`
	PolicyCode     string                 `json:"policy_code"`
	MissingFields  []string               `json:"missing_fields"`
	AcceptedTraces [][]rules.Call         `json:"accepted_traces"` // one or more; the empty one accepts no call
	Writes         int                    `json:"writes"`          // always 0
}

// Encode returns the file.
func (c Cases) Encode() ([]byte, error) {
	c.Schema = CasesSchema
	return document(c)
}

// ParseCases reads a cases file strictly.
func ParseCases(raw []byte) (Cases, error) {
	var c Cases
	if err := decode(raw, &c); err != nil {
		return c, fmt.Errorf("cases: %w", err)
	}
	if c.Schema != CasesSchema {
		return c, fmt.Errorf("cases: schema %s: this version reads %q", quote(c.Schema), CasesSchema)
	}
	if len(c.Cases) == 0 {
		return c, fmt.Errorf("cases: there are none")
	}
	seen := map[string]bool{}
	for i, one := range c.Cases {
		if err := one.check(); err != nil {
			return c, fmt.Errorf("cases[%d] (%s): %w", i, quote(one.CaseID), err)
		}
		if seen[one.CaseID] {
			return c, fmt.Errorf("cases[%d]: %s is there twice", i, quote(one.CaseID))
		}
		seen[one.CaseID] = true
	}
	return c, nil
}

func (c Case) check() error {
	for _, name := range [][2]string{{"case_id", c.CaseID}, {"family", c.Family}, {"language", c.Language}} {
		if !slug.MatchString(name[1]) {
			return fmt.Errorf("%s %s: want letters, digits, '.', '_' and '-'", name[0], quote(name[1]))
		}
	}
	if c.Outcome == "" || c.PolicyCode == "" {
		return fmt.Errorf("an outcome has a policy code, and both must be said")
	}
	if c.Writes != 0 {
		return fmt.Errorf("writes %d: no case may demand a write", c.Writes)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Claims)) {
		if _, ok := world.Decimal(c.Claims[name].Value); !ok {
			return fmt.Errorf("claim %s: value %s: want a plain decimal", quote(name), quote(c.Claims[name].Value))
		}
	}
	if len(c.AcceptedTraces) == 0 {
		return fmt.Errorf("accepted_traces: want at least one; where no call may be made, the empty one")
	}
	for _, trace := range c.AcceptedTraces {
		for _, call := range trace {
			v, err := sim.ParseJSON(call.Arguments)
			if _, object := v.(map[string]any); err != nil || !object {
				return fmt.Errorf("accepted_traces: %s: want an object of arguments", quote(call.Name))
			}
			if !slices.Contains(statuses, call.Status) {
				return fmt.Errorf("accepted_traces: %s: status %s: want one of %s", quote(call.Name), quote(call.Status), list(statuses))
			}
		}
	}
	return nil
}

// checks are the demands of the case, in the order of the labels.
func (c Case) checks() []grader.Check {
	return []grader.Check{
		rules.Completed(),
		rules.Outcome(c.Outcome, c.PolicyCode),
		rules.Claims(c.Claims),
		rules.Evidence(c.EvidenceIDs...),
		rules.MissingFields(c.MissingFields...),
		rules.Trace(c.AcceptedTraces...),
		rules.NoWrites(),
	}
}

func list(names []string) string { return strings.Join(names, ", ") }
