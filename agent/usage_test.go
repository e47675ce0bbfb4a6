package agent_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"benchwright/agent"
)

// usages returns usages of every mixture of known and unknown counts, small and very large.
func usages(n int) []agent.Usage {
	rng := rand.New(rand.NewPCG(1, 2))
	count := func() *int64 {
		switch rng.IntN(5) {
		case 0:
			return nil
		case 1:
			return agent.Tokens(0)
		case 2:
			return agent.Tokens(math.MaxInt64 - rng.Int64N(9))
		}
		return agent.Tokens(rng.Int64N(1000))
	}
	out := []agent.Usage{{}, {Attempts: 3}}
	for range n {
		u := agent.Usage{Requests: rng.IntN(3), Attempts: rng.IntN(3)}
		if u.Requests > 0 {
			u.Input, u.Cached, u.Output, u.Reasoning = count(), count(), count(), count()
		}
		out = append(out, u)
	}
	return out
}

func TestUsageSums(t *testing.T) {
	all := usages(30)
	for _, u := range all {
		for _, v := range all {
			if a, b := u.Add(v), v.Add(u); !reflect.DeepEqual(a, b) {
				t.Fatalf("%+v and %+v: %+v one way, %+v the other", u, v, a, b)
			}
			for _, w := range all {
				if a, b := u.Add(v).Add(w), u.Add(v.Add(w)); !reflect.DeepEqual(a, b) {
					t.Fatalf("%+v, %+v and %+v: %+v one way, %+v the other", u, v, w, a, b)
				}
			}
		}
		if got := u.Add(agent.Usage{}); !reflect.DeepEqual(got, u) {
			t.Errorf("%+v and nothing is %+v", u, got)
		}
	}
}

func TestUnknownCountsStayUnknown(t *testing.T) {
	blind := agent.Usage{Requests: 1, Input: agent.Tokens(5)}
	sum := used(3, 4).Add(blind)
	if sum.Requests != 2 || sum.Input == nil || *sum.Input != 8 || sum.Output != nil || sum.Cached != nil {
		t.Errorf("%+v", sum)
	}
	if sum = sum.Add(used(1, 1)); sum.Output != nil {
		t.Errorf("a later count made an unknown one known: %+v", sum)
	}
	if n, known := sum.Budget(agent.Total); n != 9 || known {
		t.Errorf("%d, %v", n, known)
	}
	if n, known := (agent.Usage{}).Budget(agent.Uncached); n != 0 || !known {
		t.Errorf("nothing asked is nothing spent, and known: %d, %v", n, known)
	}
}

func TestBudget(t *testing.T) {
	full := agent.Usage{Requests: 1, Input: agent.Tokens(100), Cached: agent.Tokens(70), Output: agent.Tokens(9), Reasoning: agent.Tokens(5)}
	uncounted := full
	uncounted.Cached = nil
	odd := full
	odd.Cached = agent.Tokens(1000)
	for _, c := range []struct {
		name   string
		usage  agent.Usage
		basis  agent.Basis
		want   int64
		reason string
	}{
		{"uncached", full, agent.Uncached, 39, "input that was not read from a cache, and output; reasoning is output already"},
		{"zero-value", full, "", 39, "the zero value is uncached"},
		{"total", full, agent.Total, 109, "all of it"},
		{"cached-unknown", uncounted, agent.Uncached, 109, "where nobody tells, all input counts"},
		{"more-cached-than-input", odd, agent.Uncached, 9, "a provider that counts wrongly earns no tokens back"},
		{"negative", agent.Usage{Requests: 1, Input: agent.Tokens(-50), Output: agent.Tokens(-1)}, agent.Total, 0, "nor by negative counts"},
		{"overflow", agent.Usage{Requests: 1, Input: agent.Tokens(math.MaxInt64), Output: agent.Tokens(5)}, agent.Total, math.MaxInt64, "nor by counts that do not fit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := c.usage.Budget(c.basis); got != c.want {
				t.Errorf("%d, want %d: %s", got, c.want, c.reason)
			}
		})
	}
	for _, u := range usages(200) {
		total, _ := u.Budget(agent.Total)
		if n, _ := u.Budget(agent.Uncached); n < 0 || n > total {
			t.Errorf("%+v: %d uncached of %d", u, n, total)
		}
	}
}

// A turn whose usage counts tokens counts a request, even where an adapter forgot to say so.
func TestForgottenRequests(t *testing.T) {
	u := used(5, 6)
	u.Requests = 0
	ep := play(t, loop(costs(add(2), u), costs(answer(`1`), u)), task())
	if ep.Usage.Requests != 2 || *ep.Usage.Input != 10 || *ep.Usage.Output != 12 {
		t.Errorf("%+v", ep.Usage)
	}
}
