package workspace

import (
	"slices"
	"strings"

	"benchwright/grader"
)

// A Dimension is one side of a verdict.
type Dimension struct {
	Name   string         `json:"name"`
	Score  float64        `json:"score"` // mean over the codes of held ÷ of; 1 without checks
	Passed bool           `json:"passed"`
	Held   int            `json:"held"`
	Of     int            `json:"of"`
	Codes  []grader.Tally `json:"codes,omitempty"` // sorted by code
}

// The names of the dimensions.
const (
	State        = "state"
	Trace        = "trace"
	Preservation = "preservation"
	Runtime      = "runtime"
	Judge        = "judge"
)

// dimensionOf says which side a rule is about. Every rule of this package that is not named is
// about the state.
var dimensionOf = map[string]string{
	"workspace.calls":                Trace,
	"workspace.invalid_calls":        Trace,
	"workspace.listed_widgets":       Trace,
	"workspace.resource_read":        Trace,
	"workspace.schema_first":         Trace,
	"workspace.snapshots":            Trace,
	"workspace.tool_result":          Trace,
	"workspace.backends_kept":        Preservation,
	"workspace.created":              Preservation,
	"workspace.no_backend_warnings":  Preservation,
	"workspace.nothing_else":         Preservation,
	"workspace.other_apps":           Preservation,
	"workspace.other_dashboards":     Preservation,
	"workspace.unique_backend_names": Preservation,
	"workspace.runtime":              Runtime,
}

func dimension(rule string) string {
	switch d := dimensionOf[rule]; {
	case d != "":
		return d
	case strings.HasPrefix(rule, "judge"):
		return Judge
	}
	return State
}

// standing rules hold in a workspace that nobody has touched: they say nothing about progress.
func standingRule(rule string) bool {
	switch rule {
	case "workspace.app_structure", "workspace.no_overlaps", "workspace.within_grid":
		return true
	}
	return false
}

// Dimensions returns the five sides of a verdict: state, trace, preservation, runtime and judge, in
// this order. Checks that did not apply or were skipped belong to none.
func Dimensions(v grader.Verdict) []Dimension {
	out := []Dimension{{Name: State}, {Name: Trace}, {Name: Preservation}, {Name: Runtime}, {Name: Judge}}
	for i := range out {
		d := &out[i]
		d.Passed, d.Score = true, 1
		for _, r := range v.Results {
			if dimension(r.Rule) == d.Name && (r.State == grader.Held || r.State == grader.Unmet) {
				d.count(r)
			}
		}
		slices.SortFunc(d.Codes, func(a, b grader.Tally) int { return strings.Compare(a.Code, b.Code) })
		if len(d.Codes) > 0 {
			d.Score = 0
		}
		for _, c := range d.Codes {
			d.Held += c.Held
			d.Of += c.Of
			d.Score += float64(c.Held) / float64(c.Of) / float64(len(d.Codes))
		}
		d.Score = min(1, d.Score)
		if d.Held == d.Of {
			d.Score = 1
		}
	}
	return out
}

func (d *Dimension) count(r grader.Result) {
	d.Passed = d.Passed && r.State == grader.Held
	tally := r.Tally
	if len(tally) == 0 { // a rule of somebody else's, which is one thing
		if r.State == grader.Held && strings.HasPrefix(r.Rule, "workspace.") {
			return // a rule that found nothing to look at
		}
		tally = []grader.Tally{{Code: r.Rule, Of: 1}}
		if r.State == grader.Held {
			tally[0].Held = 1
		}
	}
	for _, t := range tally {
		if t.Of <= 0 {
			continue
		}
		i := slices.IndexFunc(d.Codes, func(c grader.Tally) bool { return c.Code == t.Code })
		if i < 0 {
			d.Codes = append(d.Codes, t)
			continue
		}
		d.Codes[i].Held += t.Held
		d.Codes[i].Of += t.Of
	}
}

// Score is the raw score of a verdict: that of the state, or its mean with that of the runtime where
// endpoints are probed. Where no check says what the state should become, so that doing nothing
// would score 1, it is 1 when everything holds and else 0.
func Score(v grader.Verdict) float64 {
	d := Dimensions(v)
	if !slices.ContainsFunc(v.Results, progresses) {
		for _, x := range d {
			if !x.Passed {
				return 0
			}
		}
		return 1
	}
	if d[3].Of > 0 {
		return (d[0].Score + d[3].Score) / 2
	}
	return d[0].Score
}

// progresses reports whether a result is about what the state or runtime should become.
func progresses(r grader.Result) bool {
	d := dimension(r.Rule)
	return (d == State && !standingRule(r.Rule) || d == Runtime) && (r.State == grader.Held || r.State == grader.Unmet)
}

// Adjusted is the raw score above that of doing nothing, from 0 to 1. Where doing nothing scores 1 it
// is 1 for an episode that passed and else 0.
func Adjusted(raw, floor float64, passed bool) float64 {
	if floor >= 1 {
		if passed {
			return 1
		}
		return 0
	}
	return max(0, min(1, (raw-floor)/(1-floor)))
}
