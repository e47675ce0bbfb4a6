package finqa

import (
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"slices"
)

const (
	// testPoints is how many random points decide. Two different functions of degree d agree at one point with a
	// probability of about d/2^31, and maxBits keeps d below a few hundred.
	testPoints = 3
	// maxBits bounds the size of a value at a point: squaring forty times would otherwise fill any memory.
	maxBits = 1 << 14
	// maxPower is the largest whole exponent that is multiplied out.
	maxPower = 16
)

// Equivalent reports whether the predicted program is the same algebraic function as the gold program: FinQA's
// program accuracy.
//
// Every distinct literal text is a variable, constants too: 5, 5.0 and const_5 are three variables. A table step is
// one variable, named by its whole text. A literal or table step that the gold program does not contain makes the
// programs unequal, even in a step whose result nothing uses.
//
// The identity is tested at random rational points, drawn by a generator that the two programs seed, so the same
// programs always give the same verdict. The choices behind "the same function" are these:
//
//   - A point where a division is undefined does not count: x*y/y is x. A program that divides by something that is
//     always zero equals only itself.
//   - exp is an opaque function of the values of its arguments: exp(a+b, c) equals exp(b+a, c), but exp(a, b)*exp(a, c)
//     does not equal exp(a, b+c). Only an exponent that is the same small whole number at every point is multiplied
//     out: exp(a, b/b) is a.
//   - Two programs ending in greater are equal if their differences of left and right side are; greater never
//     equals a number.
//   - Programs so large that a value at a point exceeds 16384 bits (products of more than about 250 factors) equal only
//     themselves.
//
// The zero Program is equivalent to nothing.
func Equivalent(gold, predicted Program) bool {
	if len(gold.steps) == 0 || len(predicted.steps) == 0 {
		return false
	}
	if slices.Equal(gold.steps, predicted.steps) {
		return true
	}
	if gold.answersWord() != predicted.answersWord() || !gold.hasVariablesOf(predicted) {
		return false
	}
	random := newRandom(gold.String(), predicted.String())
	for range testPoints {
		at := point{random: random, variables: map[string]*big.Rat{}, powers: map[[2]string]*big.Rat{}}
		want, defined := at.value(gold)
		if !defined {
			return false
		}
		got, defined := at.value(predicted)
		if !defined || want.Cmp(got) != 0 {
			return false
		}
	}
	return true
}

// answersWord reports whether the answer is yes or no.
func (p Program) answersWord() bool { return p.steps[len(p.steps)-1].op == opGreater }

// hasVariablesOf reports whether every variable of q is one of p.
func (p Program) hasVariablesOf(q Program) bool {
	known := map[string]bool{}
	for _, s := range p.steps {
		for _, name := range s.variables() {
			known[name] = true
		}
	}
	for _, s := range q.steps {
		for _, name := range s.variables() {
			if !known[name] {
				return false
			}
		}
	}
	return true
}

// variables names the variables of one step. The bracket in a table step keeps it apart from every literal.
func (s step) variables() []string {
	if s.op.readsTable() {
		return []string{s.String()}
	}
	var names []string
	for _, a := range []argument{s.a, s.b} {
		if !a.isRef {
			names = append(names, a.text)
		}
	}
	return names
}

// newRandom returns a generator seeded by the texts, so that no program can be written around the points it will be
// tested at.
func newRandom(texts ...string) *rand.Rand {
	h := sha256.New()
	for _, text := range texts {
		h.Write([]byte(text))
		h.Write([]byte{0})
	}
	sum := h.Sum(nil)
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum), binary.BigEndian.Uint64(sum[8:])))
}

// point assigns a random rational to every variable and to every opaque power, when it is first met.
type point struct {
	random    *rand.Rand
	variables map[string]*big.Rat
	powers    map[[2]string]*big.Rat // by base and exponent
}

// value computes the program at the point; of a program ending in greater, the difference of the two sides. It is
// not defined if a division by zero or a value beyond maxBits is needed for the answer.
func (at *point) value(p Program) (x *big.Rat, defined bool) {
	needed := p.needed()
	values := make([]*big.Rat, len(p.steps))
	for k, s := range p.steps {
		if !needed[k] {
			continue
		}
		if s.op.readsTable() {
			values[k] = at.variable(s.String())
			continue
		}
		values[k], defined = at.apply(s.op, at.argument(s.a, values), at.argument(s.b, values))
		if !defined || bits(values[k]) > maxBits {
			return nil, false
		}
	}
	return values[len(values)-1], true
}

// needed marks the steps that the answer depends on.
func (p Program) needed() []bool {
	needed := make([]bool, len(p.steps))
	needed[len(needed)-1] = true
	for k, s := range slices.Backward(p.steps) {
		for _, a := range []argument{s.a, s.b} {
			if needed[k] && a.isRef {
				needed[a.ref] = true
			}
		}
	}
	return needed
}

func (at *point) argument(a argument, values []*big.Rat) *big.Rat {
	if a.isRef {
		return values[a.ref]
	}
	return at.variable(a.text)
}

func (at *point) variable(name string) *big.Rat {
	x, ok := at.variables[name]
	if !ok {
		x = at.draw()
		at.variables[name] = x
	}
	return x
}

// draw returns a rational that is neither zero nor, but for a negligible chance, whole.
func (at *point) draw() *big.Rat {
	const half = 1 << 31
	numerator := half + at.random.Int64N(half)
	if at.random.IntN(2) == 0 {
		numerator = -numerator
	}
	return big.NewRat(numerator, half+at.random.Int64N(half))
}

// apply computes one arithmetic step or the difference that greater looks at.
func (at *point) apply(op operation, a, b *big.Rat) (x *big.Rat, defined bool) {
	switch op {
	case opAdd:
		return new(big.Rat).Add(a, b), true
	case opSubtract, opGreater:
		return new(big.Rat).Sub(a, b), true
	case opMultiply:
		return new(big.Rat).Mul(a, b), true
	case opDivide:
		if b.Sign() == 0 {
			return nil, false
		}
		return new(big.Rat).Quo(a, b), true
	}
	return at.power(a, b)
}

// power multiplies a small whole exponent out and draws one rational for every other pair of base and exponent.
func (at *point) power(base, exponent *big.Rat) (x *big.Rat, defined bool) {
	if exponent.IsInt() && exponent.Num().IsInt64() {
		if n := exponent.Num().Int64(); -maxPower <= n && n <= maxPower {
			return wholePower(base, int(n))
		}
	}
	key := [2]string{ratKey(base), ratKey(exponent)}
	if at.powers[key] == nil {
		at.powers[key] = at.draw()
	}
	return at.powers[key], true
}

func wholePower(base *big.Rat, n int) (x *big.Rat, defined bool) {
	if n < 0 {
		if base.Sign() == 0 {
			return nil, false
		}
		base, n = new(big.Rat).Inv(base), -n
	}
	if n*bits(base) > maxBits {
		return nil, false
	}
	x = big.NewRat(1, 1)
	for range n {
		x.Mul(x, base)
	}
	return x, true
}

func ratKey(x *big.Rat) string { return x.Num().Text(16) + "/" + x.Denom().Text(16) }

func bits(x *big.Rat) int { return x.Num().BitLen() + x.Denom().BitLen() }
