package scorer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	rules "benchwright/grader/wealth"
	"benchwright/grader/wealth/scorer"
)

// result is the result of a record, to be spoiled.
type result struct {
	Outcome  string                 `json:"outcome"`
	Policy   string                 `json:"policy_code"`
	Claims   map[string]rules.Claim `json:"claims,omitempty"`
	Evidence []string               `json:"evidence_ids,omitempty"`
	Missing  []string               `json:"missing_fields,omitempty"`
}

// A mutation spoils one part of a known-correct record and returns the labels that must follow,
// or nil where the record has no such part.
type mutation struct {
	name  string
	spoil func(p *scorer.Prediction, r *result) []string
}

// ofClaims spoils each claim of a record.
func ofClaims(label string, spoil func(*rules.Claim)) func(*scorer.Prediction, *result) []string {
	return func(_ *scorer.Prediction, r *result) []string {
		var want []string
		for _, name := range slices.Sorted(maps.Keys(r.Claims)) {
			c := r.Claims[name]
			spoil(&c)
			r.Claims[name] = c
			want = append(want, label+":"+name)
		}
		return want
	}
}

// plus adds a hundredth to a value with two decimals, or takes one away.
func plus(value string, hundredths int) string {
	var n int
	fmt.Sscan(strings.Replace(value, ".", "", 1), &n)
	n += hundredths
	return fmt.Sprintf("%d.%02d", n/100, n%100)
}

var mutations = []mutation{
	{"value-up", ofClaims("wrong_value", func(c *rules.Claim) { c.Value = plus(c.Value, 1) })},
	{"value-down", ofClaims("wrong_value", func(c *rules.Claim) { c.Value = plus(c.Value, -1) })},
	{"value-grouped", ofClaims("wrong_value", func(c *rules.Claim) { c.Value = c.Value[:1] + "," + c.Value[1:] })},
	{"unit", ofClaims("wrong_unit", func(c *rules.Claim) { c.Unit = "USD" })},
	{"subject", ofClaims("wrong_subject", func(c *rules.Claim) { c.Subject = "H-B" })},
	{"date", ofClaims("wrong_as_of", func(c *rules.Claim) { c.AsOf = "2026-08-30" })},
	{"source", ofClaims("wrong_source", func(c *rules.Claim) { c.Source = "calc-x-v1" })},
	{"claim-dropped", func(_ *scorer.Prediction, r *result) (want []string) {
		for _, name := range slices.Sorted(maps.Keys(r.Claims)) {
			want = append(want, "missing_claim:"+name)
		}
		r.Claims = nil
		return want
	}},
	{"claim-added", func(_ *scorer.Prediction, r *result) []string {
		if r.Claims == nil {
			r.Claims = map[string]rules.Claim{}
		}
		r.Claims["advice"] = rules.Claim{Value: "1.00"}
		return []string{"unexpected_claim:advice"}
	}},
	{"outcome", func(_ *scorer.Prediction, r *result) []string { r.Outcome = "maybe"; return []string{"wrong_outcome"} }},
	{"policy", func(_ *scorer.Prediction, r *result) []string {
		r.Policy = "none_needed"
		return []string{"wrong_policy"}
	}},
	{"evidence-dropped", func(_ *scorer.Prediction, r *result) []string {
		if len(r.Evidence) == 0 {
			return nil
		}
		r.Evidence = r.Evidence[1:]
		return []string{"wrong_evidence"}
	}},
	{"evidence-added", func(_ *scorer.Prediction, r *result) []string {
		r.Evidence = append(r.Evidence, "pf-H-B-2026-08-31")
		return []string{"wrong_evidence"}
	}},
	{"missing-field-dropped", func(_ *scorer.Prediction, r *result) []string {
		if len(r.Missing) == 0 {
			return nil
		}
		r.Missing = r.Missing[1:]
		return []string{"wrong_missing_fields"}
	}},
	{"call-dropped", func(p *scorer.Prediction, _ *result) []string {
		n := len(p.ToolCalls)
		if n == 0 {
			return nil
		}
		dropped := p.ToolCalls[n-1]
		p.ToolCalls = p.ToolCalls[:n-1]
		return []string{"missing_tool_call:" + dropped.Name}
	}},
	{"call-added", func(p *scorer.Prediction, _ *result) []string {
		p.ToolCalls = append(p.ToolCalls, scorer.ToolCall{Index: len(p.ToolCalls) + 1, Name: "percent_of", Arguments: json.RawMessage(`{"part":"1","whole":"2"}`), Status: "ok"})
		return []string{"unexpected_tool_call:percent_of"}
	}},
	{"call-denied", func(p *scorer.Prediction, _ *result) []string {
		p.ToolCalls = append(p.ToolCalls, scorer.ToolCall{Index: len(p.ToolCalls) + 1, Name: "read_portfolio", Arguments: json.RawMessage(`{"household_id":"H-B"}`), Status: "denied"})
		return []string{"denied_call_attempted:read_portfolio"}
	}},
	{"call-invalid", func(p *scorer.Prediction, _ *result) []string {
		p.ToolCalls = append(p.ToolCalls, scorer.ToolCall{Index: len(p.ToolCalls) + 1, Name: "get_nav", Status: "invalid"})
		return []string{"invalid_call_attempted:get_nav"}
	}},
	{"calls-reordered", func(p *scorer.Prediction, _ *result) []string {
		n := len(p.ToolCalls)
		if n < 2 {
			return nil
		}
		p.ToolCalls[n-1], p.ToolCalls[0] = p.ToolCalls[0], p.ToolCalls[n-1]
		p.ToolCalls[n-1].Index, p.ToolCalls[0].Index = n, 1
		return []string{"wrong_tool_order"}
	}},
	{"argument-changed", func(p *scorer.Prediction, _ *result) []string {
		if len(p.ToolCalls) == 0 {
			return nil
		}
		c := &p.ToolCalls[len(p.ToolCalls)-1]
		c.Arguments = bytes.Replace(c.Arguments, []byte(`":"`), []byte(`":"9`), 1)
		return []string{"wrong_tool_arguments:" + c.Name}
	}},
	{"status-changed", func(p *scorer.Prediction, _ *result) []string {
		if len(p.ToolCalls) == 0 {
			return nil
		}
		c := &p.ToolCalls[0]
		c.Status = map[string]string{"ok": "error", "error": "ok"}[c.Status]
		return []string{"wrong_tool_status:" + c.Name}
	}},
	{"written", func(p *scorer.Prediction, _ *result) []string { p.Writes = 1; return []string{"write_recorded"} }},
	{"failed", func(p *scorer.Prediction, _ *result) []string {
		p.Status, p.Error = scorer.Failed, &scorer.Error{Code: "deadline_exceeded"}
		return []string{"runtime:deadline_exceeded"}
	}},
}

// TestEveryMutationFails spoils every known-correct record in every way that there is: each must
// fail with exactly the labels of what was spoiled.
func TestEveryMutationFails(t *testing.T) {
	for _, m := range mutations {
		want := map[string][]string{}
		var spoiled []scorer.Prediction
		for _, p := range oracle(t) {
			var r result
			if err := json.Unmarshal(p.Result, &r); err != nil {
				t.Fatal(err)
			}
			labels := m.spoil(&p, &r)
			if labels == nil {
				continue
			}
			want[p.CaseID] = labels
			raw, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if p.Result = raw; p.Status == scorer.Failed {
				p.Result = nil
			}
			spoiled = append(spoiled, p)
		}
		if len(spoiled) == 0 {
			t.Errorf("mutation %s fits no record", m.name)
		}
		report := score(t, lines(t, spoiled...))
		if report.Passed != 0 || report.Submitted != len(spoiled) || len(report.Errors) > 0 {
			t.Errorf("%s: %d passed, %d submitted, errors %v", m.name, report.Passed, report.Submitted, report.Errors)
		}
		for id, labels := range want {
			if diff := cmp.Diff(labels, labelsOf(t, report, id)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", id, m.name, diff)
			}
		}
	}
}
