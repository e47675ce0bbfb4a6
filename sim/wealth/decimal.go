package wealth

import (
	"math/big"
	"strings"
)

// The longest numbers that a tool accepts.
const (
	maxIntegerDigits  = 18
	maxFractionDigits = 10
)

// Decimal returns the canonical spelling of a number, and whether s is one: an optional minus,
// digits without a leading zero, and an optional fraction. There is no exponent, plus, grouping,
// currency sign or per cent sign. The canonical spelling has no trailing zeros in its fraction
// and no negative zero, so equal numbers have equal spellings and comparing needs no arithmetic.
func Decimal(s string) (string, bool) {
	digits, negative := strings.CutPrefix(s, "-")
	whole, fraction, point := strings.Cut(digits, ".")
	if !allDigits(whole) || len(whole) > 1 && whole[0] == '0' || point && !allDigits(fraction) {
		return "", false
	}
	canonical := whole
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		canonical += "." + fraction
	}
	if negative && canonical != "0" {
		canonical = "-" + canonical
	}
	return canonical, true
}

// decimal is Decimal for the arguments of tools, whose length is limited.
func decimal(s string) (string, bool) {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if len(whole) > maxIntegerDigits || len(fraction) > maxFractionDigits {
		return "", false
	}
	return Decimal(s)
}

// integer is decimal for numbers that are written without a point.
func integer(s string) (string, bool) {
	if strings.Contains(s, ".") {
		return "", false
	}
	return decimal(s)
}

// allDigits reports whether s is one or more ASCII digits.
func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// number returns the value of a decimal, and 0 for what is none.
func number(s string) *big.Rat {
	canonical, ok := decimal(s)
	if !ok {
		return new(big.Rat)
	}
	whole, fraction, _ := strings.Cut(canonical, ".")
	num, _ := new(big.Int).SetString(whole+fraction, 10)
	return new(big.Rat).SetFrac(num, powerOfTen[len(fraction)])
}

// powerOfTen holds 10^0 to 10^maxFractionDigits.
var powerOfTen = func() (p [maxFractionDigits + 1]*big.Int) {
	for i := range p {
		p[i] = power(big.NewInt(10), int64(i))
	}
	return p
}()
