package wiki

import (
	"errors"
	"strings"
	"testing"

	"benchwright/agent"
	world "benchwright/sim/wiki"
)

func n(i int64) *int64 { return &i }

// TestPublishedFigures holds the accounting against the two runs that were published.
func TestPublishedFigures(t *testing.T) {
	for _, c := range []struct {
		name            string
		in, cached, out int64
		basis           Basis
		budget, raw     int64
		share           string
	}{
		// The split of the reference run is not published: any with this total has this budget.
		{"reference", 581_631, 277_322, 15_000, RawTotal, 596_631, 596_631, "47.68"},
		// The split of this row is solved from it: the share is that of the input.
		{"flash", 2_588_617, 2_524_160, 21_184, UncachedPlusOutput, 85_641, 2_609_801, "97.51"},
	} {
		u, err := Normalise(Inclusive, Reported{Input: n(c.in), Cached: n(c.cached), Output: n(c.out), Total: n(c.raw)})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := u.Budget(c.basis); got != c.budget {
			t.Errorf("%s: budget %d, want %d", c.name, got, c.budget)
		}
		if *u.RawTotal != c.raw || u.CachedShare() != c.share {
			t.Errorf("%s: raw total %d, cached %s%%; want %d, %s%%", c.name, *u.RawTotal, u.CachedShare(), c.raw, c.share)
		}
		// The session's own count is the one that ends a run: both agree.
		session := agent.Usage{Requests: 1, Input: n(c.in), Cached: n(c.cached), Output: n(c.out)}
		basis := agent.Uncached
		if c.basis == RawTotal {
			basis = agent.Total
		}
		if got, known := session.Budget(basis); got != c.budget || !known {
			t.Errorf("%s: the session counts %d", c.name, got)
		}
		sum := 0
		for _, stage := range []string{world.Protocol, world.EvidenceSample} {
			sum += DefaultBudget(stage).Tokens
		}
		if c.budget > int64(sum) {
			t.Errorf("%s: the budgets of the gates, %d, do not hold what was spent", c.name, sum)
		}
	}
	// Had the share been of the raw total, the budget would have been another.
	if of := int64(2_609_801) - 2_609_801*9751/10_000; of > 66_000 || of < 64_000 {
		t.Errorf("the other reading gives %d", of)
	}
}

func TestNormalise(t *testing.T) {
	for _, c := range []struct {
		name   string
		shape  Shape
		r      Reported
		want   [4]int64 // raw input, output, raw total, budget
		fault  string
		reason string
	}{
		{"inclusive", Inclusive, Reported{Input: n(100), Cached: n(60), Output: n(20), Reasoning: n(5), Total: n(120)}, [4]int64{100, 20, 120, 60}, "", "as it stands"},
		{"cached-apart", CachedApart, Reported{Input: n(40), Cached: n(60), Output: n(20), Total: n(120)}, [4]int64{100, 20, 120, 60}, "", "cached input is added"},
		{"reasoning-apart", ReasoningApart, Reported{Input: n(100), Output: n(15), Reasoning: n(5), Total: n(120)}, [4]int64{100, 20, 120, 120}, "", "reasoning is added"},
		{"both-apart", BothApart, Reported{Input: n(40), Cached: n(60), Output: n(15), Reasoning: n(5)}, [4]int64{100, 20, 120, 60}, "", "both are"},
		{"no-cached", Inclusive, Reported{Input: n(100), Output: n(20)}, [4]int64{100, 20, 120, 120}, "", "a count that the provider never gives is not missing"},
		{"one-off", Inclusive, Reported{Input: n(100), Output: n(20), Total: n(121)}, [4]int64{100, 20, 120, 120}, "", "a total may be one off"},
		{"two-off", Inclusive, Reported{Input: n(100), Output: n(20), Total: n(122)}, [4]int64{}, "total 122 is not the sum 120", "not two"},
		{"too-cached", Inclusive, Reported{Input: n(100), Cached: n(101), Output: n(20)}, [4]int64{}, "cached input 101 is more", "no more can be cached than there is"},
		{"too-thoughtful", Inclusive, Reported{Input: n(100), Output: n(20), Reasoning: n(21)}, [4]int64{}, "reasoning 21 is more", "no more can be thought than said"},
		{"negative", Inclusive, Reported{Input: n(-1), Output: n(20)}, [4]int64{}, "input -1 is negative", "there are no negative tokens"},
		{"absurd", Inclusive, Reported{Input: n(1 << 60), Output: n(20)}, [4]int64{}, "absurd", "and no sum may overflow"},
		{"no-input", Inclusive, Reported{Output: n(20)}, [4]int64{}, "does not tell the input", "usage is missing"},
		{"no-usage", Inclusive, Reported{}, [4]int64{}, "does not tell the output", "all of it is"},
	} {
		u, err := Normalise(c.shape, c.r)
		if c.fault != "" {
			if !errors.Is(err, ErrAccounting) || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s (%s): %v", c.name, c.reason, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s (%s): %v", c.name, c.reason, err)
			continue
		}
		if got := [4]int64{*u.RawInput, *u.Output, *u.RawTotal, u.Budget(UncachedPlusOutput)}; got != c.want {
			t.Errorf("%s (%s): %v, want %v", c.name, c.reason, got, c.want)
		}
		if (u.CachedInput == nil) != (c.r.Cached == nil) {
			t.Errorf("%s: cached input is unknown exactly where the provider does not tell", c.name)
		}
	}
	if _, err := Normalise("upside_down", Reported{}); err == nil || errors.Is(err, ErrAccounting) {
		t.Errorf("an unknown shape is a mistake of the profile: %v", err)
	}
}

func TestMeter(t *testing.T) {
	u, err := Normalise(Inclusive, Reported{Input: n(50), Output: n(10)})
	if err != nil {
		t.Fatal(err)
	}
	m := Meter{Limit: 100}
	if !m.May() || m.Add(u) || !m.May() {
		t.Error("60 of 100 are spent: another call may be made")
	}
	if !m.Add(u) || m.Overshoot() != 20 {
		t.Errorf("the overshoot of one call is recorded: %d", m.Overshoot())
	}
	if m.May() {
		t.Error("and there is no other")
	}
	exact := Meter{Limit: 60}
	if exact.Add(u) || exact.May() {
		t.Error("a budget that is spent exactly is not exceeded, and holds no other call")
	}
	none := Meter{}
	if none.Add(u); !none.May() {
		t.Error("without a limit there is always another")
	}
}
