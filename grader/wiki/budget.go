package wiki

import (
	"errors"
	"fmt"

	world "benchwright/sim/wiki"
)

// DefaultBudget returns the budget of a stage: its counts are loose ceilings, so that it is the
// tokens that normally end a stage. One of no known name has none.
func DefaultBudget(stage string) world.Budget {
	switch stage {
	case world.Protocol:
		return world.Budget{Tokens: 150_000, ModelCalls: 20, ToolCalls: 40, Seconds: 180}
	case world.EvidenceSample:
		return world.Budget{Tokens: 650_000, ModelCalls: 80, ToolCalls: 160, Seconds: 600}
	case QAStage: // in which nobody but the host acts
		return world.Budget{Seconds: 60}
	case world.Formal:
		return world.Budget{Tokens: 4_000_000, ModelCalls: 400, ToolCalls: 1_200, Seconds: 3_600}
	}
	return world.Budget{}
}

// A Basis says which tokens a budget counts.
type Basis string

// The bases.
const (
	UncachedPlusOutput Basis = "uncached_plus_output" // so that a high share of cache hits is not taken for as much new work
	RawTotal           Basis = "raw_total"
)

// A Shape says how a provider counts.
type Shape string

// The shapes.
const (
	Inclusive      Shape = "inclusive"       // cached input is among the input, reasoning among the output
	CachedApart    Shape = "cached_apart"    // cached input comes on top of the input
	ReasoningApart Shape = "reasoning_apart" // reasoning comes on top of the output
	BothApart      Shape = "both_apart"
)

// Reported is what a provider says of one model call. What it does not say is nil.
type Reported struct{ Input, Cached, Output, Reasoning, Total *int64 }

// A Usage is what one or several model calls cost, whatever the provider's way of counting.
type Usage struct {
	RawInput    *int64 `json:"raw_input"`    // cached input included
	CachedInput *int64 `json:"cached_input"` // nil where the provider never tells; all input then counts
	Output      *int64 `json:"output"`       // reasoning included
	Reasoning   *int64 `json:"reasoning"`
	RawTotal    *int64 `json:"raw_total"`
}

// ErrAccounting is what is wrapped when what a provider says of a call cannot be: the run has no
// valid score.
var ErrAccounting = errors.New("accounting_fault")

// most tokens of a call: beyond it a count is an error of whoever counts.
const mostTokens = 1 << 50

// Normalise brings what a provider says into one form. All that cannot be is in the error, which
// wraps ErrAccounting: no input or output, a negative or absurd count, more cached than input, more
// reasoning than output, and a total that is not the sum, give or take one.
func Normalise(shape Shape, r Reported) (Usage, error) {
	var wrong []error
	fault := func(format string, args ...any) {
		wrong = append(wrong, fmt.Errorf("%w: "+format, append([]any{ErrAccounting}, args...)...))
	}
	get := func(name string, n *int64, needed bool) int64 {
		switch {
		case n == nil && needed:
			fault("the provider does not tell the %s", name)
		case n == nil:
		case *n < 0:
			fault("%s %d is negative", name, *n)
		case *n > mostTokens:
			fault("%s %d is absurd", name, *n)
		default:
			return *n
		}
		return 0
	}
	in, out := get("input", r.Input, true), get("output", r.Output, true)
	cached, reasoning, total := get("cached input", r.Cached, false), get("reasoning", r.Reasoning, false), get("total", r.Total, false)
	switch shape {
	case Inclusive, "":
	case CachedApart:
		in += cached
	case ReasoningApart:
		out += reasoning
	case BothApart:
		in, out = in+cached, out+reasoning
	default:
		return Usage{}, fmt.Errorf("there is no usage shape %q; there are %s, %s, %s, %s", shape, Inclusive, CachedApart, ReasoningApart, BothApart)
	}
	if len(wrong) > 0 {
		return Usage{}, errors.Join(wrong...)
	}
	if cached > in {
		fault("cached input %d is more than the input %d", cached, in)
	}
	if reasoning > out {
		fault("reasoning %d is more than the output %d", reasoning, out)
	}
	sum := in + out
	if r.Total != nil && (total > sum+1 || total < sum-1) {
		fault("the provider's total %d is not the sum %d", total, sum)
	}
	if len(wrong) > 0 {
		return Usage{}, errors.Join(wrong...)
	}
	u := Usage{RawInput: &in, Output: &out, RawTotal: &sum}
	if r.Cached != nil {
		u.CachedInput = &cached
	}
	if r.Reasoning != nil {
		u.Reasoning = &reasoning
	}
	return u, nil
}

// Budget returns the tokens that count. What is not known counts as 0, but for cached input, without
// which all input counts.
func (u Usage) Budget(b Basis) int64 {
	n := value(u.RawInput)
	if b != RawTotal {
		n -= value(u.CachedInput)
	}
	return max(n, 0) + value(u.Output)
}

// CachedShare returns the cached share of the input in per cent with two decimals, such as
// "97.51", and "" where it is not known.
func (u Usage) CachedShare() string {
	if u.RawInput == nil || u.CachedInput == nil || *u.RawInput <= 0 {
		return ""
	}
	n := (*u.CachedInput*20_000/(*u.RawInput) + 1) / 2 // hundredths of a per cent, rounded
	return fmt.Sprintf("%d.%02d", n/100, n%100)
}

// Add returns the sum. A count that either side does not know is unknown in the sum.
func (u Usage) Add(v Usage) Usage {
	sum := func(a, b *int64) *int64 {
		if a == nil || b == nil {
			return nil
		}
		n := min(*a, mostTokens) + min(*b, mostTokens)
		return &n
	}
	return Usage{sum(u.RawInput, v.RawInput), sum(u.CachedInput, v.CachedInput), sum(u.Output, v.Output), sum(u.Reasoning, v.Reasoning), sum(u.RawTotal, v.RawTotal)}
}

func value(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// A Meter holds the model calls of a stage against its budget of tokens, as a session does: it is
// asked before each call and told after it. So a call may overshoot, and the next is not made.
type Meter struct {
	Basis Basis
	Limit int64 // 0 is none
	spent int64
}

// May reports whether another call may be made.
func (m *Meter) May() bool { return m.Limit <= 0 || m.spent < m.Limit }

// Add counts a call and reports whether the budget is exceeded.
func (m *Meter) Add(u Usage) (exceeded bool) {
	m.spent += u.Budget(m.Basis)
	return m.Overshoot() > 0
}

// Spent returns the tokens that were counted.
func (m *Meter) Spent() int64 { return m.spent }

// Overshoot returns by how much they are more than the limit.
func (m *Meter) Overshoot() int64 {
	if m.Limit <= 0 {
		return 0
	}
	return max(m.spent-m.Limit, 0)
}
