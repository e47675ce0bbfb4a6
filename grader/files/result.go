package files

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"benchwright/grader"
	"benchwright/sim"
)

// A Result is what became of a workspace: the published EvaluatorResult.
type Result struct {
	Success        bool               `json:"success"`
	Score          float64            `json:"score"` // 0..1, to six decimals
	Subscores      map[string]float64 `json:"subscores"`
	FailureLabels  []string           `json:"failure_labels"`
	Diagnostics    map[string]any     `json:"diagnostics"` // for who may see the answer
	RuntimeSeconds float64            `json:"runtime_seconds"`
}

// JSON returns the result as records hold it: two spaces, sorted keys, whole numbers as floats are.
func (r Result) JSON() []byte {
	raw, err := json.MarshalIndent(json.RawMessage(sim.MustCanonical(r)), "", "  ")
	if err != nil {
		panic("files: result: " + err.Error()) // canonical JSON is JSON
	}
	return append(raw, '\n')
}

// newResult returns a result that has failed with the labels, in order, each once.
func newResult(score float64, labels ...string) Result {
	r := Result{Score: score, Subscores: map[string]float64{}, Diagnostics: map[string]any{}}
	r.fail(labels...)
	return r
}

func (r *Result) fail(labels ...string) {
	for _, l := range labels {
		if !slices.Contains(r.FailureLabels, l) {
			r.FailureLabels = append(r.FailureLabels, l)
		}
	}
}

// settle makes the parts of a result agree: success is a score of 1 without a failure label, and
// everything is rounded as it is published.
func (r *Result) settle() {
	if r.FailureLabels == nil {
		r.FailureLabels = []string{}
	}
	if r.Subscores == nil {
		r.Subscores = map[string]float64{}
	}
	if r.Diagnostics == nil {
		r.Diagnostics = map[string]any{}
	}
	r.Score = round(r.Score)
	r.Success = r.Score == 1 && len(r.FailureLabels) == 0
	for k, v := range r.Subscores {
		r.Subscores[k] = round(v)
	}
}

// round rounds to six decimals within what may be said: no score is below 0 or not a number.
func round(v float64) float64 {
	if math.IsNaN(v) || v < 0 {
		return 0
	}
	return math.Round(v*million) / million
}

const million = 1e6

// clone returns a copy that may be written to, but for what is inside its diagnostics.
func (r Result) clone() Result {
	r.Subscores, r.Diagnostics = maps.Clone(r.Subscores), maps.Clone(r.Diagnostics)
	r.FailureLabels = slices.Clone(r.FailureLabels)
	return r
}

// A result travels in a verdict as tallies in millionths: its score, and its subscores by name.
const (
	scoreTally    = "score"
	subscorePlace = "subscore:"
)

func (r Result) tallies() []grader.Tally {
	list := []grader.Tally{{Code: scoreTally, Held: millionths(r.Score), Of: million}}
	for _, name := range slices.Sorted(maps.Keys(r.Subscores)) {
		list = append(list, grader.Tally{Code: subscorePlace + name, Held: millionths(r.Subscores[name]), Of: million})
	}
	return list
}

func millionths(v float64) int { return int(math.Round(v * million)) }

// Score returns the evaluator's score of a verdict, to six decimals: that of its [Evaluated] checks,
// or the lowest where there are several. A verdict without one has its own.
func Score(v grader.Verdict) float64 {
	score, found := v.Score, false
	for _, r := range v.Results {
		if got, ok := resultOf(r); ok && (!found || got.Score < score) {
			score, found = got.Score, true
		}
	}
	return score
}

// ResultOf returns the result that a verdict was made of, without its runtime. Its diagnostics are
// the messages for people, by label. It is not ok where the evaluator did not come to a result.
func ResultOf(v grader.Verdict) (Result, bool) {
	for _, r := range v.Results {
		if got, ok := resultOf(r); ok {
			return got, true
		}
	}
	return Result{}, false
}

func resultOf(r grader.Result) (Result, bool) {
	out := newResult(0)
	found := false
	if r.Rule != ruleName {
		return out, false
	}
	for _, t := range r.Tally {
		if t.Of != million {
			continue
		}
		if name, sub := strings.CutPrefix(t.Code, subscorePlace); sub {
			out.Subscores[name] = float64(t.Held) / million
		} else if t.Code == scoreTally {
			out.Score, found = float64(t.Held)/million, true
		}
	}
	for _, f := range r.Findings {
		out.fail(f.Code)
		out.Diagnostics[f.Code] = f.Message
	}
	out.settle()
	return out, found
}
