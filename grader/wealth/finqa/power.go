package finqa

import (
	"errors"
	"math"
	"math/big"
	"sync"
)

const (
	// powerBits is the precision of the intermediate arithmetic; about ten bits are lost on the way.
	powerBits = 256
	// exactBits is the precision at which an approximation is taken for exact: a power that lies midway between two
	// doubles has 54 bits, and its approximation must not fall on the wrong side.
	exactBits = 128
)

// power returns the double nearest to the exact x to the power of y, and an infinity if that is too large.
//
// math.Pow would be shorter, but it is often wrong in the last digit (of 20,000 mixed random powers, 57 % differed
// from Python's, here 0.05 %), differently on different processors, and from about 1e10 on that digit survives the
// rounding to five decimals.
func power(x, y float64) (float64, error) {
	switch {
	case y == 0 || x == 1:
		return 1, nil
	case x == 0 && y < 0:
		return 0, errors.New("division by zero (zero to a negative power)")
	case x == 0:
		return 0, nil
	case x < 0 && y != math.Trunc(y):
		return 0, errors.New("the power is not real (a negative number to a power that is not whole)")
	}
	result := positivePower(math.Abs(x), y)
	if x < 0 && math.Mod(y, 2) != 0 {
		return -result, nil
	}
	return result, nil
}

// positivePower computes exp(y * ln x) for x > 0.
func positivePower(x, y float64) float64 {
	t := newFloat().Mul(new(big.Float).SetFloat64(y), logarithm(x))
	approx, _ := t.Float64()
	switch { // far outside the doubles, where the exponent below would not fit an int
	case approx > 800:
		return math.Inf(1)
	case approx < -800:
		return 0
	}
	// exp(t) = 2^k * exp(r) with r near 0.
	k := math.Round(approx / math.Ln2)
	r := t.Sub(t, newFloat().Mul(newFloat().SetFloat64(k), ln2()))
	e := exponential(r)
	e.SetMantExp(e, int(k))
	result, _ := e.SetPrec(exactBits).Float64()
	return result
}

func newFloat() *big.Float { return new(big.Float).SetPrec(powerBits) }

// ln2 is the natural logarithm of 2.
var ln2 = sync.OnceValue(func() *big.Float {
	third := newFloat().Quo(big.NewFloat(1), big.NewFloat(3)) // (2-1)/(2+1)
	return twiceArtanh(third.SetPrec(powerBits))
})

// logarithm returns ln x for x > 0: x = m * 2^e with m near 1, and ln m = 2 artanh((m-1)/(m+1)).
func logarithm(x float64) *big.Float {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	below := newFloat().SetFloat64(m)
	above := newFloat().Add(below, big.NewFloat(1))
	below.Sub(below, big.NewFloat(1))
	result := twiceArtanh(below.Quo(below, above))
	if e == 0 {
		return result
	}
	return result.Add(result, newFloat().Mul(newFloat().SetInt64(int64(e)), ln2()))
}

// twiceArtanh sums 2 * (z + z^3/3 + z^5/5 + …), for |z| of at most 1/3.
func twiceArtanh(z *big.Float) *big.Float {
	sum := newFloat()
	square := newFloat().Mul(z, z)
	odd := newFloat().Set(z)
	for n := int64(1); !negligible(odd, sum); n += 2 {
		sum.Add(sum, newFloat().Quo(odd, newFloat().SetInt64(n)))
		odd.Mul(odd, square)
	}
	return sum.Mul(sum, big.NewFloat(2))
}

// exponential returns exp(r) for |r| < 1/2: the series of exp(r/256), squared eight times.
func exponential(r *big.Float) *big.Float {
	const halvings = 8
	r = newFloat().SetMantExp(r, -halvings)
	sum := newFloat().SetInt64(1)
	term := newFloat().SetInt64(1)
	for n := int64(1); !negligible(term, sum); n++ {
		term.Mul(term, r)
		term.Quo(term, newFloat().SetInt64(n))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// negligible reports whether adding term to sum would change nothing that matters.
func negligible(term, sum *big.Float) bool {
	return term.Sign() == 0 || sum.Sign() != 0 && term.MantExp(nil) < sum.MantExp(nil)-powerBits
}
