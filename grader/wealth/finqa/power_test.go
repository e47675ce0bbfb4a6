package finqa

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestPowerIsTheNearestDouble(t *testing.T) {
	seen := caseNames{}
	for _, c := range []struct {
		name       string
		x, y, want float64
		reason     string
	}{
		{"one", 1, 1e300, 1, "exact"},
		{"minus-one-even", -1, 1e300, 1, "every large double is even"},
		{"minus-one-odd", -1, 1<<53 - 1, -1, "the largest odd double"},
		{"zero-exponent", -8, 0, 1, "also for a negative base"},
		{"zero-base", 0, .5, 0, "exact"},
		{"first-power", .1, 1, .1, "exact"},
		{"cube-root", 27, 1.0 / 3, 3, "27 to the double nearest to a third is nearest to 3"},
		{"tie-to-even", 1<<27 - 1, 2, 1<<54 - 1<<28, "the square has 54 bits and lies midway between two doubles"},
		{"tie-of-root", 262143 * 262143, 1.5, 262143 * 262143 * 262143, "the cube has 54 bits and lies midway between two doubles"},
		{"smallest", 2, -1074, 5e-324, "subnormal numbers are rounded once"},
		{"half-of-smallest", 2, -1075, 0, "ties go to even"},
		{"just-above-half-of-smallest", 2.0000000001, -1075, 0, "rounds to zero"},
		{"largest-exponent", 2, 1023, 0x1p1023, "exact"},
		{"overflow", 2, 1024, math.Inf(1), "the caller refuses infinities"},
		{"overflow-negative", -2, 1025, math.Inf(-1), "the caller refuses infinities"},
		{"far-overflow", math.MaxFloat64, math.MaxFloat64, math.Inf(1), "no exponent overflows"},
		{"far-underflow", math.MaxFloat64, -math.MaxFloat64, 0, "no exponent overflows"},
		{"near-one", 1 + 0x1p-52, 0x1p52, 2.718281828459045, "a logarithm near zero keeps its digits"},
	} {
		seen.add(c.name, c.reason)
		if got, err := power(c.x, c.y); err != nil || got != c.want {
			t.Errorf("%s: %v to the power of %v is %v, %v; want %v: %s", c.name, c.x, c.y, got, err, c.want, c.reason)
		}
	}
}

func TestPowerAgreesWithExactArithmetic(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 2))
	for range 1000 {
		x := math.Ldexp(random.Float64()+.5, random.IntN(12)-4)
		if got, _ := power(x, .5); got != math.Sqrt(x) {
			t.Errorf("%v to the power of 0.5 is %v; the correctly rounded root is %v", x, got, math.Sqrt(x))
		}
		n := 2 + random.IntN(19)
		exact := new(big.Float).SetPrec(53 * 20).SetInt64(1)
		for range n {
			exact.Mul(exact, big.NewFloat(x))
		}
		want, _ := exact.Float64()
		if got, _ := power(x, float64(n)); got != want {
			t.Errorf("%v to the power of %d is %v; exact multiplication gives %v", x, n, got, want)
		}
		if got, _ := power(-x, float64(n)); math.Abs(got) != want || (got < 0) != (n%2 == 1) {
			t.Errorf("%v to the power of %d is %v; want the size %v", -x, n, got, want)
		}
	}
}
