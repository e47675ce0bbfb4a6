package agent

import "math"

// Usage is what replies cost, as the provider counts it. A count that it does not give is nil,
// never 0.
type Usage struct {
	Requests  int    `json:"requests"`            // replies asked for
	Attempts  int    `json:"attempts,omitempty"`  // transport attempts behind them; more than Requests means retries
	Input     *int64 `json:"input"`               // tokens, all of the prompt
	Cached    *int64 `json:"cached_input"`        // of these, read from a cache
	Output    *int64 `json:"output"`              // tokens
	Reasoning *int64 `json:"reasoning,omitempty"` // of these, thinking
}

// Tokens returns a known count.
func Tokens(n int64) *int64 { return &n }

// Add returns the sum. A count that either side does not know is unknown in the sum; a side
// without requests costs nothing and adds nothing but its attempts. Add is associative and
// commutative for usages of requests, and does not overflow.
func (u Usage) Add(v Usage) Usage {
	if u.Requests == 0 {
		v.Attempts += u.Attempts
		return v
	}
	if v.Requests == 0 {
		u.Attempts += v.Attempts
		return u
	}
	sum := func(a, b *int64) *int64 {
		if a == nil || b == nil {
			return nil
		}
		return Tokens(plus(*a, *b))
	}
	return Usage{
		Requests: u.Requests + v.Requests, Attempts: u.Attempts + v.Attempts,
		Input: sum(u.Input, v.Input), Cached: sum(u.Cached, v.Cached),
		Output: sum(u.Output, v.Output), Reasoning: sum(u.Reasoning, v.Reasoning),
	}
}

// plus adds counts. A sum that would overflow stays at the largest number: no budget is ever
// won back by it.
func plus(a, b int64) int64 {
	a, b = max(a, 0), max(b, 0)
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// counted reports whether any tokens are known.
func (u Usage) counted() bool {
	return u.Input != nil || u.Cached != nil || u.Output != nil || u.Reasoning != nil
}

// A Basis says which tokens a budget counts.
type Basis string

// The bases. The zero value is Uncached.
const (
	Uncached Basis = "uncached" // input that was not read from a cache, and output
	Total    Basis = "total"    // input and output
)

// Budget returns the tokens that count against a budget, and whether all of them are known.
// Where the provider does not tell cached input, all input counts. An unknown input or output
// counts as 0 and makes known false. The result is never negative.
func (u Usage) Budget(b Basis) (n int64, known bool) {
	known = u.Requests == 0 || (u.Input != nil && u.Output != nil)
	if u.Input != nil {
		n = max(*u.Input, 0)
		if b != Total && u.Cached != nil {
			n = max(n-max(*u.Cached, 0), 0)
		}
	}
	if u.Output != nil {
		n = plus(n, *u.Output)
	}
	return n, known
}
