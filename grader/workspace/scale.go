package workspace

import "strings"

// scales are the words that say the scale of a number, by the power of ten. Those of the second
// kind make another number of it that has no equal without them.
var scales = map[string]int{
	"hundred": 2, "hundreds": 2, "thousand": 3, "thousands": 3, "k": 3, "thou": 3, "thsd": 3, "tsd": 3, "grand": 3, "lakh": 5, "lakhs": 5, "lac": 5, "lacs": 5,
	"m": 6, "mm": 6, "mn": 6, "mio": 6, "mln": 6, "million": 6, "millions": 6, "crore": 7, "crores": 7,
	"b": 9, "bn": 9, "bln": 9, "billion": 9, "billions": 9, "tn": 12, "trn": 12, "trillion": 12, "trillions": 12,
	"'000": 3, "’000": 3, "000s": 3,
	"%": -2, "percent": -2, "pct": -2, "per cent": -2, "‰": -3,
	"bp": -4, "bps": -4, "basis point": -4, "basis points": -4,
}

var otherUnits = map[string]string{"x": "x", "cr": "cr", "dr": "dr", "pp": "pp", "ppt": "pp", "percentage point": "pp", "percentage points": "pp"}

var currencies = []string{"usd", "eur", "gbp", "chf", "jpy", "inr", "cny", "aud", "cad", "nzd", "sek", "nok", "dkk", "pln", "hkd", "sgd", "zar", "brl", "mxn", "krw"}

// scale reads what follows a number.
func (q *quantity) scale(s string) {
	q.end = q.to
	if n := timesAt(s, q.to); n > 0 {
		q.end, q.scaled, q.unit = q.to+n, true, "×"
		return
	}
	for range 3 {
		n, ten, unit := scaleAt(s, q.end)
		if n == 0 {
			return
		}
		q.end, q.scaled = q.end+n, true
		if unit != "" {
			q.unit = unit
		} else if q.own.digits != "" {
			q.own.exponent += ten
		}
	}
}

// scaleAt reads a scale at a place, behind blanks, a currency, brackets or "in".
func scaleAt(s string, at int) (n, ten int, unit string) {
	i := skipMarks(s, at)
	apart := false
	blank := func() {
		for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
			i++
			apart = true
		}
	}
	blank()
	if j := currencyAt(s, i); j > i {
		i, apart = j, true
		blank()
	}
	bracket, hyphen := i < len(s) && s[i] == '(', i < len(s) && s[i] == '-' && !apart
	if bracket || hyphen {
		i, apart = i+1, true
	}
	if strings.HasPrefix(s[i:], "in ") {
		i, apart = i+3, true
	}
	if bracket {
		if j := currencyAt(s, i); j > i {
			i = j
			blank()
		}
	}
	ten, unit, j := scaleWord(s, i)
	if j == i || apart && s[i:j] == "b" || hyphen && j-i < 3 { // option b; form 10-K
		return 0, 0, ""
	}
	if unit == "x" { // 20 x 14 has no multiple
		k := j
		for k < len(s) && s[k] == ' ' {
			k++
		}
		if k < len(s) && digit(s[k]) {
			return 0, 0, ""
		}
	}
	if bracket {
		if j == len(s) || s[j] != ')' {
			return 0, 0, ""
		}
		j++
	}
	return j - at, ten, unit
}

// scaleWord reads a word that says a scale, and returns where it ends: at i when there is none.
func scaleWord(s string, i int) (ten int, unit string, end int) {
	if i >= len(s) {
		return 0, "", i
	}
	for _, p := range []string{"%", "‰", "'000", "’000", "000s"} {
		if strings.HasPrefix(s[i:], p) && (len(p) < 4 || !wordAfter(s, i+len(p))) {
			return scales[p], "", i + len(p)
		}
	}
	word := func(i int) int {
		for i < len(s) && 'a' <= s[i] && s[i] <= 'z' {
			i++
		}
		return i
	}
	j := word(i)
	if j == i || wordAfter(s, j) {
		return 0, "", i
	}
	if j < len(s) && s[j] == ' ' {
		if k := word(j + 1); !wordAfter(s, k) {
			if t, ok := scales[s[i:k]]; ok {
				return t, "", k
			}
			if u, ok := otherUnits[s[i:k]]; ok {
				return 0, u, k
			}
		}
	}
	if t, ok := scales[s[i:j]]; ok {
		return t, "", j
	}
	if u, ok := otherUnits[s[i:j]]; ok {
		return 0, u, j
	}
	return 0, "", i
}

// timesAt returns how long a power or a product with a power of ten is that follows a number: "^2", "× 10^3", "/1000".
// A size ("20 x 14") and a share ("3/12") are none.
func timesAt(s string, at int) int {
	i := skipBlank(s, at)
	sign := ""
	for _, p := range []string{"^", "×", "x", "*", "·", "/", "÷"} {
		if strings.HasPrefix(s[i:], p) {
			sign = p
		}
	}
	if sign == "" {
		return 0
	}
	i = skipBlank(s, i+len(sign))
	j := i
	for j < len(s) && digit(s[j]) {
		j++
	}
	ten := j > i+1 && s[i] == '1' && strings.Trim(s[i+1:j], "0") == "" && (sign != "/" || j > i+2)
	if j == i || sign != "^" && !ten || wordAfter(s, j) {
		return 0
	}
	if j+1 < len(s) && s[j] == '^' && digit(s[j+1]) {
		for j++; j < len(s) && digit(s[j]); j++ {
		}
	}
	return j - at
}
