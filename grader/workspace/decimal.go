package workspace

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A decimal is a number in a form of which each number has one: digits without zeros at either
// end, and the power of ten of the last.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

// number reads a JSON number, or a string that spells one.
func number(v any) (decimal, bool) {
	if s, ok := v.(string); ok {
		return parseDecimal(strings.TrimSpace(s))
	}
	return numeral(v)
}

// numeral reads a JSON number.
func numeral(v any) (decimal, bool) {
	switch v := v.(type) {
	case json.Number:
		return parseDecimal(string(v))
	case int, int64, float64:
		return parseDecimal(fmt.Sprint(v))
	}
	return decimal{}, false
}

func parseDecimal(s string) (decimal, bool) {
	var d decimal
	if s != "" && (s[0] == '-' || s[0] == '+') {
		d.negative = s[0] == '-'
		s = s[1:]
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.Atoi(s[i+1:])
		if err != nil || e > 1<<30 || e < -1<<30 {
			return decimal{}, false
		}
		d.exponent, s = e, s[:i]
	}
	whole, frac, _ := strings.Cut(s, ".")
	d.digits = whole + frac
	if !allDigits(d.digits) {
		return decimal{}, false
	}
	d.exponent -= len(frac)
	d.digits = strings.TrimLeft(d.digits, "0")
	trimmed := strings.TrimRight(d.digits, "0")
	d.exponent += len(d.digits) - len(trimmed)
	if d.digits = trimmed; d.digits == "" {
		return decimal{}, true
	}
	return d, true
}
