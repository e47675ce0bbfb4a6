package scorer

import (
	"bytes"
	"errors"
	"fmt"

	"benchwright/sim"
)

// ComparisonSchema names the form of a comparison.
const ComparisonSchema = "wealthops.comparison/1"

// The transitions of a case from a base to what was made of it.
const (
	Kept         = "kept"
	Gained       = "gained"
	Lost         = "lost"
	StillFailing = "still_failing"
)

// A Comparison is what changed between a base and an adapted candidate.
type Comparison struct {
	Schema       string                 `json:"schema"`
	Base         Side                   `json:"base"`
	Adapted      Side                   `json:"adapted"`
	Transitions  Transitions            `json:"transitions"`
	ByLanguage   map[string]Transitions `json:"by_language"`
	ByFamily     map[string]Transitions `json:"by_family"`
	Cases        []Transition           `json:"cases"`
	LostCritical []string               `json:"lost_critical"`
	Release      bool                   `json:"release"` // no critical case lost, and no fewer families passed in all languages
	Reasons      []string               `json:"reasons"` // why not
}

// A Side is one of the two candidates.
type Side struct {
	Model          string `json:"model"`
	Digest         string `json:"digest"`
	RunKind        string `json:"run_kind"`
	Passed         int    `json:"passed"`
	Attempted      int    `json:"attempted"`
	FamiliesPassed int    `json:"families_all_languages_passed"`
}

// Transitions counts cases.
type Transitions struct {
	Kept         int `json:"kept"`
	Gained       int `json:"gained"`
	Lost         int `json:"lost"`
	StillFailing int `json:"still_failing"`
}

func (t *Transitions) add(what string) {
	switch what {
	case Kept:
		t.Kept++
	case Gained:
		t.Gained++
	case Lost:
		t.Lost++
	case StillFailing:
		t.StillFailing++
	}
}

// A Transition is one case's. Labels are those of the adapted candidate.
type Transition struct {
	CaseID     string   `json:"case_id"`
	Family     string   `json:"family"`
	Language   string   `json:"language"`
	Critical   bool     `json:"critical"`
	Transition string   `json:"transition"`
	Labels     []string `json:"labels"`
}

// Encode returns the comparison as a file.
func (c Comparison) Encode() ([]byte, error) { return document(c) }

// Compare sets an adapted candidate against its base. Both bundles must have been verified. They
// are comparable only when everything but the candidate is equal; the error names all that is
// not.
func Compare(base, adapted *Bundle) (Comparison, error) {
	if err := alike(base, adapted); err != nil {
		return Comparison{}, err
	}
	c := Comparison{
		Schema: ComparisonSchema, Base: side(base), Adapted: side(adapted),
		ByLanguage: map[string]Transitions{}, ByFamily: map[string]Transitions{},
		Cases: []Transition{}, LostCritical: []string{}, Reasons: []string{},
	}
	for i, was := range base.Report.Cases {
		is := adapted.Report.Cases[i]
		what := StillFailing
		switch {
		case was.Passed && is.Passed:
			what = Kept
		case is.Passed:
			what = Gained
		case was.Passed:
			what = Lost
		}
		c.Cases = append(c.Cases, Transition{is.CaseID, is.Family, is.Language, is.Critical, what, is.Labels})
		language, family := c.ByLanguage[is.Language], c.ByFamily[is.Family]
		c.Transitions.add(what)
		language.add(what)
		family.add(what)
		c.ByLanguage[is.Language], c.ByFamily[is.Family] = language, family
		if what == Lost && is.Critical {
			c.LostCritical = append(c.LostCritical, is.CaseID)
		}
	}
	if len(c.LostCritical) > 0 {
		c.Reasons = append(c.Reasons, "critical cases are lost: "+list(c.LostCritical))
	}
	if was, is := c.Base.FamiliesPassed, c.Adapted.FamiliesPassed; is < was {
		c.Reasons = append(c.Reasons, fmt.Sprintf("fewer families pass in all languages: %d, where the base had %d", is, was))
	}
	c.Release = len(c.Reasons) == 0
	return c, nil
}

func side(b *Bundle) Side {
	r := b.Report
	return Side{b.Candidate.Model, b.Candidate.Digest, b.Manifest.RunKind, r.Passed, r.Attempted, r.FamiliesPassed}
}

// alike reports all that differs and must not.
func alike(base, adapted *Bundle) error {
	var errs []error
	equal := func(what string, a, b any) {
		x, y := sim.MustCanonical(a), sim.MustCanonical(b)
		if !bytes.Equal(x, y) {
			errs = append(errs, fmt.Errorf("%s: %s in the base, %s in the adapted", what, quote(string(x)), quote(string(y))))
		}
	}
	a, b := base.Manifest, adapted.Manifest
	equal("run_kind", a.RunKind, b.RunKind)
	equal("input_digest", a.InputDigest, b.InputDigest)
	equal("cases_digest", a.CasesDigest, b.CasesDigest)
	equal("fixtures_digest", a.FixturesDigest, b.FixturesDigest)
	equal("protocol_digest", a.ProtocolDigest, b.ProtocolDigest)
	equal("scorer_version", a.ScorerVersion, b.ScorerVersion)
	equal("limits", base.Candidate.Limits, adapted.Candidate.Limits)
	equal("options", base.Candidate.Options, adapted.Candidate.Options)
	equal("http_retries", base.Candidate.HTTPRetries, adapted.Candidate.HTTPRetries)
	var ids [2][]string
	for i, r := range []Report{base.Report, adapted.Report} {
		for _, c := range r.Cases {
			ids[i] = append(ids[i], c.CaseID)
		}
	}
	equal("cases", ids[0], ids[1])
	if len(errs) == 0 && bytes.Equal(sim.MustCanonical(a), sim.MustCanonical(b)) {
		return errors.New("the two are the same bundle: there is nothing to compare")
	}
	if len(errs) > 0 {
		return fmt.Errorf("the runs cannot be compared:\n%w", errors.Join(errs...))
	}
	return nil
}
