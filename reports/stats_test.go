package reports

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestWilson(t *testing.T) {
	cases := []struct {
		c, n      int
		low, high float64
		reason    string
	}{
		{20, 24, 0.6415, 0.9332, "a usual run"},
		{0, 10, 0, 0.2775, "exactly 0 at the bottom"},
		{10, 10, 0.7225, 1, "exactly 1 at the top"},
		{1, 1, 0.2065, 1, "a single episode proves little"},
		{500, 1000, 0.4691, 0.5309, "many"},
	}
	for _, c := range cases {
		low, high := Wilson(c.c, c.n)
		if math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%d of %d (%s): %.4f to %.4f, want %.4f to %.4f", c.c, c.n, c.reason, low, high, c.low, c.high)
		}
	}
}

func TestReliabilityEstimates(t *testing.T) {
	cases := []struct {
		n, c, k    int
		some, each float64
		reason     string
	}{
		{5, 3, 1, 0.6, 0.6, "one trial: both are the rate"},
		{5, 3, 2, 0.9, 0.3, "1 − C(2,2)/C(5,2), C(3,2)/C(5,2)"},
		{5, 3, 4, 1, 0, "more trials than failures, and than passes"},
		{4, 0, 2, 0, 0, "never"},
		{4, 4, 4, 1, 1, "always"},
	}
	for _, c := range cases {
		if some, each := PassAny(c.n, c.c, c.k), PassAll(c.n, c.c, c.k); math.Abs(some-c.some) > 1e-9 || math.Abs(each-c.each) > 1e-9 {
			t.Errorf("n=%d c=%d k=%d (%s): %v, %v", c.n, c.c, c.k, c.reason, some, each)
		}
	}
}

func TestMoneyIsAddedExactly(t *testing.T) {
	sum := json.Number("0")
	for range 10 {
		sum = addAmounts(sum, "0.1")
	}
	if sum != "1" {
		t.Errorf("ten times 0.1 is %s", sum)
	}
	if got := addAmounts("0.00025", "12.5"); got != "12.50025" {
		t.Errorf("got %s", got)
	}
	for in, want := range map[json.Number]json.Number{"1e-7": "0.0000001", "-2.50": "-2.50", "1E2": "100"} {
		if got := amount(in); got == nil || *got != want {
			t.Errorf("%s: %v", in, got)
		}
	}
	for _, in := range []string{"", "1e999999999", "NaN", "1.", ".", "0x1p4", "1_000", strings.Repeat("9", 400)} {
		if got := amount(json.Number(in)); got != nil {
			t.Errorf("%q is money: %s", in, *got)
		}
	}
}
