package reports

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// z is the 97.5 % quantile of the normal distribution.
const z = 1.959963984540054

// Wilson returns Wilson's 95 % interval for the share of passed among n. It takes episodes
// for independent: with several trials a task it is narrower than the truth. n must not be 0.
func Wilson(passed, n int) (low, high float64) {
	c, m := float64(passed), float64(n)
	mid := c + z*z/2
	half := z * math.Sqrt(c*(m-c)/m+z*z/4)
	low, high = (mid-half)/(m+z*z), (mid+half)/(m+z*z)
	if passed == 0 {
		low = 0
	}
	if passed == n {
		high = 1
	}
	return low, high
}

// PassAny and PassAll estimate, without bias, the chance that at least one of k trials passes
// and that all k pass, from c passed among n valid trials of a task; k must not exceed n.
func PassAny(n, c, k int) float64 { return 1 - allOf(n, n-c, k) }

// PassAll is described with PassAny.
func PassAll(n, c, k int) float64 { return allOf(n, c, k) }

// allOf is C(c,k) ÷ C(n,k).
func allOf(n, c, k int) float64 {
	p := 1.0
	for i := range k {
		p *= float64(max(c-i, 0)) / float64(n-i)
	}
	return p
}

// round keeps d decimals, so that published numbers have the same bytes on every machine.
func round(x float64, d int) float64 {
	s := math.Pow10(d)
	return math.Round(x*s) / s
}

func rounded(x float64, d int) *float64 {
	x = round(x, d)
	return &x
}

// share is a ÷ b with four decimals, or nil for b = 0.
func share(a, b int) *float64 {
	if b == 0 {
		return nil
	}
	return rounded(float64(a)/float64(b), 4)
}

// A mean sums up what is known.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(x float64) { m.sum += x; m.n++ }

func (m *mean) value() *float64 {
	if m.n == 0 {
		return nil
	}
	return rounded(m.sum/float64(m.n), 4)
}

// amount returns a decimal number without an exponent, or nil for what is none.
func amount(text json.Number) *json.Number {
	whole, frac, dot := strings.Cut(strings.TrimPrefix(string(text), "-"), ".")
	digits := func(s string) bool { return s != "" && len(s) <= 40 && strings.Trim(s, "0123456789") == "" }
	if digits(whole) && (!dot || digits(frac)) {
		return &text
	}
	x, err := strconv.ParseFloat(string(text), 64) // with an exponent, which must not make it huge
	if err != nil || !strings.ContainsAny(string(text), "eE") || len(text) > 40 || math.IsInf(x, 0) {
		return nil
	}
	n := json.Number(strconv.FormatFloat(x, 'f', -1, 64))
	return &n
}

// addAmounts sums decimal numbers exactly. What is none makes the sum unknown.
func addAmounts(a, b json.Number) json.Number {
	m, n := amount(a), amount(b)
	if m == nil || n == nil {
		return unknownCost
	}
	x, _ := new(big.Rat).SetString(string(*m))
	y, _ := new(big.Rat).SetString(string(*n))
	decimals := func(n json.Number) int {
		_, frac, _ := strings.Cut(string(n), ".")
		return len(frac)
	}
	s := x.Add(x, y).FloatString(max(decimals(*m), decimals(*n)))
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return json.Number(s)
}
