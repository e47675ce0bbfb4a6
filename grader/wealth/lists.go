package wealth

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"benchwright/grader"
)

// EvidenceRule demands exactly the given evidence ids.
type EvidenceRule struct {
	IDs []string `json:"evidence_ids"`
}

// Evidence demands that exactly these sources are cited, in any order.
func Evidence(ids ...string) grader.Check { return grader.Check{Rule: &EvidenceRule{sorted(ids)}} }

// Name implements grader.Rule.
func (*EvidenceRule) Name() string { return "wealth.evidence" }

// Codes implements grader.Rule.
func (*EvidenceRule) Codes() []string { return []string{"wrong_evidence"} }

// Graded implements grader.Grounder.
func (r *EvidenceRule) Graded() []string { return slices.Clone(r.IDs) }

func (r *EvidenceRule) String() string {
	return listed("the evidence is exactly ", r.IDs, "no evidence is cited")
}

// Grade implements grader.Rule.
func (r *EvidenceRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return gradeList(ev, "wrong_evidence", "evidence_ids", r.IDs)
}

// MissingFieldsRule demands exactly the given names of missing inputs.
type MissingFieldsRule struct {
	Fields []string `json:"missing_fields"`
}

// MissingFields demands that exactly these inputs are reported as missing, in any order.
func MissingFields(names ...string) grader.Check {
	return grader.Check{Rule: &MissingFieldsRule{sorted(names)}}
}

// Name implements grader.Rule.
func (*MissingFieldsRule) Name() string { return "wealth.missing_fields" }

// Codes implements grader.Rule.
func (*MissingFieldsRule) Codes() []string { return []string{"wrong_missing_fields"} }

// Graded implements grader.Grounder.
func (r *MissingFieldsRule) Graded() []string { return slices.Clone(r.Fields) }

func (r *MissingFieldsRule) String() string {
	return listed("the missing inputs are exactly ", r.Fields, "no input is reported as missing")
}

// Grade implements grader.Rule.
func (r *MissingFieldsRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return gradeList(ev, "wrong_missing_fields", "missing_fields", r.Fields)
}

// sorted never returns nil, so that a rule without names is written [] and reads back equal.
func sorted(names []string) []string {
	out := append([]string{}, names...)
	slices.Sort(out)
	return slices.Compact(out)
}

func listed(lead string, names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return lead + strings.Join(names, ", ")
}

// gradeList compares a list of strings as a set. An absent list is an empty one; anything but
// strings in it, or another shape, is wrong.
func gradeList(ev grader.Evidence, code, key string, want []string) ([]grader.Finding, error) {
	res, err := resultOf(ev)
	if err != nil {
		return nil, err
	}
	f := grader.Finding{Code: code, Type: grader.AnswerType, Want: strings.Join(want, ", ")}
	list, ok := res[key].([]any)
	if !ok && res[key] != nil {
		f.Got = show(res[key])
		f.Message = fmt.Sprintf("%s: want a list of names, got %s", key, f.Got)
		return []grader.Finding{f}, nil
	}
	var missing, extra []string
	seen := map[string]bool{}
	for _, v := range list {
		s, isString := v.(string)
		if isString && seen[s] {
			continue
		}
		seen[s] = seen[s] || isString
		if !isString || !slices.Contains(want, s) {
			extra = append(extra, show(v))
		}
	}
	for _, w := range want {
		if !seen[w] {
			missing = append(missing, fmt.Sprintf("%q", w))
		}
	}
	if len(missing) == 0 && len(extra) == 0 {
		return nil, nil
	}
	var parts []string
	if len(missing) > 0 {
		parts = append(parts, "the missing elements are "+strings.Join(missing, ", "))
	}
	if n := len(extra); n > 0 {
		if n > maxUnexpected {
			extra = append(extra[:maxUnexpected], fmt.Sprintf("and %d more", n-maxUnexpected))
		}
		f.Got = strings.Join(extra, ", ")
		parts = append(parts, "the extra elements are "+f.Got)
	}
	f.Message = key + ": " + strings.Join(parts, "; ")
	return []grader.Finding{f}, nil
}
