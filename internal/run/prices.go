package run

import (
	"encoding/json"
	"math/big"

	"benchwright/agent"
	"benchwright/agent/ollama"
)

// cost is what a usage costs at the given prices for a million tokens; nil where there are no
// prices or a count is unknown. Cached input is paid as such only where both its count and its
// price are known.
func cost(p *ollama.Prices, u agent.Usage) *big.Rat {
	if p == nil || u.Requests > 0 && (u.Input == nil || u.Output == nil) {
		return nil
	}
	sum := new(big.Rat)
	if u.Requests == 0 {
		return sum
	}
	add := func(price json.Number, tokens int64) {
		if r, ok := new(big.Rat).SetString(string(price)); ok {
			sum.Add(sum, r.Mul(r, big.NewRat(tokens, 1_000_000)))
		}
	}
	input := *u.Input
	if u.Cached != nil && p.Cached != "" {
		input -= *u.Cached
		add(p.Cached, *u.Cached)
	}
	add(p.Input, input)
	add(p.Output, *u.Output)
	return sum
}
