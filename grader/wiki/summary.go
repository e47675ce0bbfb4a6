package wiki

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	fixture "benchwright/fixtures/wiki"
	world "benchwright/sim/wiki"
)

// The schemas of the other records.
const (
	ManifestSchema = "codewiki.manifest/1"
	SummarySchema  = "codewiki.summary/1"
)

// The types of run.
const (
	QualificationRun = "qualification"
	FormalRun        = "formal"
)

// A Manifest is manifest.json: what ran. It is written before the first model call.
type Manifest struct {
	Schema           string                  `json:"schema"`
	RunID            string                  `json:"run_id"`
	RunType          string                  `json:"run_type"`
	Case             ManifestCase            `json:"case"`
	Profile          Profile                 `json:"profile"`
	Budget           map[string]world.Budget `json:"budget"`      // by stage
	LoopLimits       map[string]int          `json:"loop_limits"` // by kind
	Trials           int                     `json:"trials"`
	SelectedPages    []string                `json:"selected_pages"`
	PromptDigest     string                  `json:"prompt_digest"`
	ToolsDigest      string                  `json:"tools_digest"`
	SkillsDigest     string                  `json:"skills_digest"`
	Runtime          Runtime                 `json:"runtime"`
	QualificationRef string                  `json:"qualification_ref,omitempty"` // run id of the qualification that a formal run relies on
	CreatedAt        string                  `json:"created_at"`
	Reproduce        string                  `json:"reproduce"` // the command that does it again
}

// ManifestCase is the case that was played.
type ManifestCase struct {
	ID            string         `json:"id"`
	FixtureDigest string         `json:"fixture_digest"`
	SkeletonHash  string         `json:"skeleton_hash"`
	Counts        fixture.Counts `json:"counts"`
}

// A Profile is the model and how it was asked.
type Profile struct {
	Name      string `json:"name"`
	Provider  string `json:"provider"`
	Model     string `json:"model"`
	Digest    string `json:"model_digest"`
	Reasoning string `json:"reasoning"`
	Basis     Basis  `json:"budget_basis"`
	Shape     Shape  `json:"usage_shape"`
	Streaming bool   `json:"streaming"`
	Profile   string `json:"profile_digest"`
}

// A Runtime is what a run ran on. Nothing in it names the machine.
type Runtime struct {
	Harness        string `json:"harness_version"`
	Go             string `json:"go_version"`
	OS             string `json:"os"`
	Arch           string `json:"arch"`
	Adapter        string `json:"adapter"`
	AdapterVersion string `json:"adapter_version"`
}

// A Summary is summary.json: the run for machines.
type Summary struct {
	Schema        string            `json:"schema"`
	RunID         string            `json:"run_id"`
	Verdict       string            `json:"verdict"`
	Layer         string            `json:"layer"`
	Partial       bool              `json:"partial"`
	Qualification *GateSummary      `json:"qualification"` // null where there was none
	Formal        *FormalSummary    `json:"formal"`        // null where there was none
	ModelCalls    int               `json:"model_calls"`
	ToolCalls     int               `json:"tool_calls"`
	Usage         UsageSummary      `json:"usage"`
	Cost          json.Number       `json:"cost"` // "" is written as null: nobody knows
	WallMS        int64             `json:"wall_ms"`
	TTFT          *Percentiles      `json:"ttft_ms"`    // null when not streamed
	OutputTPS     *Median           `json:"output_tps"` // null when not streamed
	Stages        []Spending        `json:"stages"`
	Digests       map[string]string `json:"digests"` // of the other records, by name
}

// A GateSummary is the verdict of each gate, in their order.
type GateSummary struct {
	Gates []GateVerdict `json:"gates"`
}

// A GateVerdict is that of one gate.
type GateVerdict struct {
	Gate    string `json:"gate"`
	Verdict string `json:"verdict"`
}

// A FormalSummary is what came of the trials. What it counts is over those with a valid score, and
// none of it is given unless all have one.
type FormalSummary struct {
	Trials int          `json:"trials"`
	Passed int          `json:"passed"`
	Stats  *FormalStats `json:"stats"`
}

// FormalStats are the spread of the trials.
type FormalStats struct {
	Coverage Statistics `json:"coverage"`
	Tokens   Statistics `json:"tokens"`
	WallMS   Statistics `json:"wall_ms"`
}

// A UsageSummary is the usage of a run.
type UsageSummary struct {
	Usage
	BudgetTokens int64       `json:"budget_tokens"`
	CachedPct    json.Number `json:"cached_input_pct"`
}

// MarshalJSON writes an unknown share as null.
func (u UsageSummary) MarshalJSON() ([]byte, error) {
	type flat struct {
		RawInput     *int64       `json:"raw_input"`
		CachedInput  *int64       `json:"cached_input"`
		Output       *int64       `json:"output"`
		Reasoning    *int64       `json:"reasoning"`
		RawTotal     *int64       `json:"raw_total"`
		BudgetTokens int64        `json:"budget_tokens"`
		CachedPct    *json.Number `json:"cached_input_pct"`
	}
	return json.Marshal(flat{u.RawInput, u.CachedInput, u.Output, u.Reasoning, u.RawTotal, u.BudgetTokens, known(u.CachedPct)})
}

// known is nil for a number that nobody knows.
func known(n json.Number) *json.Number {
	if n == "" {
		return nil
	}
	return &n
}

// MarshalJSON writes an unknown cost as null.
func (s Summary) MarshalJSON() ([]byte, error) {
	type plain Summary
	return json.Marshal(struct {
		plain
		Cost *json.Number `json:"cost"`
	}{plain(s), known(s.Cost)})
}

// Percentiles are of times in milliseconds.
type Percentiles struct {
	P50 int64 `json:"p50"`
	P95 int64 `json:"p95"`
}

// A Median is of tokens a second, with one decimal.
type Median struct {
	P50 json.Number `json:"p50"`
}

// JSON returns the bytes of summary.json.
func (s Summary) JSON() []byte { return indented(s) }

// JSON returns the bytes of manifest.json.
func (m Manifest) JSON() []byte { return indented(m) }

// Summarise sums up a run. The digests are those of the other records that there are already.
func Summarise(m Manifest, run Run, g Grading, records map[string][]byte) Summary {
	s := Summary{Schema: SummarySchema, RunID: m.RunID, Verdict: g.Attribution.Verdict, Layer: g.Attribution.Layer, Partial: g.Partial, Stages: []Spending{}, Digests: map[string]string{}}
	for name, raw := range records {
		s.Digests[name] = fixture.Hash(string(raw))
	}
	if run.Qualification != nil {
		s.Qualification = &GateSummary{[]GateVerdict{}}
		for _, st := range g.Stages {
			s.Qualification.Gates = append(s.Qualification.Gates, GateVerdict{st.Stage, st.Verdict})
		}
	}
	var b bill
	if q := run.Qualification; q != nil {
		b.add(q.Record, m)
	}
	var tokens, walls []float64
	for _, t := range run.Trials {
		spent, wall := b.tokens, b.wall
		b.add(t.Record, m)
		tokens, walls = append(tokens, float64(b.tokens-spent)), append(walls, float64(b.wall-wall))
	}
	if n := len(run.Trials); n > 0 {
		s.Formal = &FormalSummary{Trials: n}
		for _, t := range g.Trials {
			if t.Verdict == Pass {
				s.Formal.Passed++
			}
		}
		if g.Scores != nil {
			s.Formal.Stats = &FormalStats{g.Scores.Coverage, statistics(tokens, 0), statistics(walls, 0)}
		}
	}
	s.ModelCalls, s.ToolCalls, s.WallMS, s.Stages, s.Cost = b.models, b.tools, b.wall, append(s.Stages, b.stages...), b.cost()
	s.Usage = UsageSummary{b.usage, b.tokens, json.Number(b.usage.CachedShare())}
	if len(b.ttft) > 0 {
		s.TTFT = &Percentiles{percentile(b.ttft, 50), percentile(b.ttft, 95)}
	}
	if len(b.tps) > 0 {
		n := percentile(b.tps, 50)
		s.OutputTPS = &Median{json.Number(fmt.Sprintf("%d.%d", n/10, n%10))}
	}
	return s
}

// A bill is what episodes cost together.
type bill struct {
	models, tools int
	usage         Usage
	metered       bool
	tokens, wall  int64
	stages        []Spending
	ttft, tps     []int64 // milliseconds; tenths of tokens a second
	costs         []string
}

func (b *bill) add(r *Record, m Manifest) {
	if r == nil {
		return
	}
	b.wall += r.Wall.Milliseconds()
	b.costs = append(b.costs, string(r.Cost))
	for _, s := range Spend(r, m.Profile.Basis, m.Budget) {
		b.models += s.ModelCalls
		b.tools += s.ToolCalls
		b.tokens += s.Tokens
		b.stages = append(b.stages, s)
	}
	for _, t := range r.Turns {
		if t.Usage.Requests > 0 {
			u := t.Usage.normal()
			if b.metered {
				u = b.usage.Add(u)
			}
			b.usage, b.metered = u, true
		}
		if at := t.Reply.Timing; m.Profile.Streaming && at.Prompt > 0 {
			b.ttft = append(b.ttft, (at.Load + at.Prompt).Milliseconds())
		}
		if at := t.Reply.Timing; m.Profile.Streaming && at.Output > 0 && t.Usage.Output != nil && *t.Usage.Output < mostTokens {
			n := new(big.Int).Mul(big.NewInt(*t.Usage.Output), big.NewInt(10_000_000_000))
			b.tps = append(b.tps, n.Div(n, big.NewInt(int64(at.Output))).Int64())
		}
	}
}

// cost is the sum of exact decimals; "" where one is not known.
func (b *bill) cost() json.Number {
	sum, places := new(big.Rat), 0
	for _, c := range b.costs {
		n, ok := new(big.Rat).SetString(c)
		if !ok {
			return ""
		}
		sum.Add(sum, n)
		if _, decimals, ok := strings.Cut(c, "."); ok {
			places = max(places, len(decimals))
		}
	}
	if len(b.costs) == 0 {
		return ""
	}
	return json.Number(sum.FloatString(places))
}
