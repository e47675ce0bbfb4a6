package wealth

import "math/big"

// An exact is num/den, not reduced: the greatest common divisor of the numbers behind sixty
// years of monthly compounding costs forty times what computing them does.
type exact struct{ num, den *big.Int }

// futureValue is principal·(1+rate)^years: interest is compounded once a year.
func futureValue(principal, rate *big.Rat, years int64) exact {
	p, q := rate.Num(), rate.Denom()
	return exact{
		num: product(principal.Num(), power(sum(q, p), years)),
		den: product(principal.Denom(), power(q, years)),
	}
}

// requiredMonthlySaving is what must be put aside at the end of every month, with interest
// compounded monthly at a twelfth of the annual rate, to reach target: with i = rate/12 and
// n months, target·i/((1+i)^n − 1). For i = p/q that is target·p·q^(n−1)/((q+p)^n − q^n).
func requiredMonthlySaving(target, rate *big.Rat, years int64) exact {
	months := 12 * years
	if rate.Sign() == 0 {
		return exact{target.Num(), product(target.Denom(), big.NewInt(months))}
	}
	monthly := new(big.Rat).Quo(rate, big.NewRat(12, 1))
	p, q := monthly.Num(), monthly.Denom()
	before := power(q, months-1)
	growth := power(sum(q, p), months)
	growth.Sub(growth, product(before, q))
	return exact{
		num: product(target.Num(), p, before),
		den: product(target.Denom(), growth),
	}
}

// percentOf is part/whole·100.
func percentOf(part, whole *big.Rat) exact {
	return exact{
		num: product(part.Num(), whole.Denom(), big.NewInt(100)),
		den: product(part.Denom(), whole.Num()),
	}
}

// coverMonths is how many months liquid assets last.
func coverMonths(liquid, monthly *big.Rat) exact {
	return exact{
		num: product(liquid.Num(), monthly.Denom()),
		den: product(liquid.Denom(), monthly.Num()),
	}
}

// round writes a number of zero or more with exactly two decimals; a half goes up, which is
// away from zero.
func (e exact) round() string {
	hundredths := product(e.num, big.NewInt(200))
	hundredths.Add(hundredths, e.den)
	hundredths.Quo(hundredths, product(e.den, big.NewInt(2)))
	s := hundredths.String()
	for len(s) < 3 {
		s = "0" + s
	}
	return s[:len(s)-2] + "." + s[len(s)-2:]
}

func sum(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }

func power(base *big.Int, n int64) *big.Int {
	return new(big.Int).Exp(base, big.NewInt(n), nil)
}

func product(factors ...*big.Int) *big.Int {
	p := new(big.Int).Set(factors[0])
	for _, f := range factors[1:] {
		p.Mul(p, f)
	}
	return p
}
