package workspace

import (
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// A quantity is a number as a text has it, with its sign and its scale.
type quantity struct {
	from, to     int     // its digits
	start, end   int     // with its sign, currency and scale
	own          decimal // as it says itself
	value        decimal // as its label says it too: "P&L (k): 207.3"
	other        decimal // as it may be meant as well: "182.000" is 182 or 182000
	unit         string  // what makes it no plain number: "x", "pp", "±"
	power        bool    // has an exponent
	bare, scaled bool    // no part of an identifier; says its scale
	doubt        bool    // in what an agent says: "about 5", "5 or 6"
}

func (q quantity) same(o quantity) bool { return q.own == o.own && q.unit == o.unit }

const (
	currencySigns = "$€£¥₹"
	marks         = "*_`~\"'“”" // of emphasis and quotation, which say nothing
	dashes        = "-‐‑–—"     // that part words, and stand for a minus as well
	minusSigns    = "−﹣－"
)

// quantities reads the numbers of a text in lower case, in order. It is exact and linear.
//
// A sign is a minus, or a hyphen or en dash that touches the number and no word before it, or
// stands apart between a colon, comma or bracket and the number; the words minus and negative; and brackets
// around the number alone where a figure is expected: at the start, after a mark, a currency, or a
// word of accounting. After a name they hold an aside. A hyphen between words, after a digit, or at
// the start of a line before a space is a dash. Commas, narrow and unbreakable spaces and apostrophes group digits
// by threes.
func quantities(s string) (out []quantity) {
	for i := 0; i < len(s); {
		j := strings.IndexAny(s[i:], "0123456789")
		if j < 0 {
			return out
		}
		q := quantity{from: i + j}
		if p := q.from - 1; p >= 0 && s[p] == '.' && !wordBefore(s, p) {
			q.from = p
		}
		q.bare = !wordBefore(s, q.from) && !(q.from > 0 && strings.IndexByte("-_/", s[q.from-1]) >= 0 && wordBefore(s, q.from-1))
		var digits, other string
		digits, other, q.to = readDigits(s, q.from, q.bare)
		i = q.to
		if len(digits) > maxNumeral {
			continue
		}
		q.power = strings.Contains(digits, "e")
		var ok bool
		if q.own, ok = parseDecimal(digits); !ok {
			continue
		}
		q.scale(s)
		if other != "" && q.bare && !q.scaled && q.unit == "" {
			q.other, _ = parseDecimal(other)
		}
		if q.end == q.to && q.bare {
			q.bare = !wordAfter(s, q.to) && !(q.to < len(s) && s[q.to] == '-' && wordAfter(s, q.to+1))
		}
		q.sign(s)
		q.value = q.own
		out = append(out, q)
	}
	return out
}

// readDigits reads a number from its first digit, and returns it without what groups digits; and what else it may mean.
// Blanks group digits, where it is free of words.
func readDigits(s string, from int, free bool) (digits, other string, to int) {
	run := func(i int) int {
		for i < len(s) && digit(s[i]) {
			i++
		}
		return i
	}
	var b strings.Builder
	i := run(from)
	b.WriteString(s[from:i])
	grouped := false
	if i-from <= 3 && s[from] != '.' {
		for i < len(s) {
			n := grouping(s[i:])
			if n == 0 && free && s[i] == ' ' && s[from] != '0' {
				n = 1
			}
			if n == 0 || run(i+n) != i+n+3 {
				break
			}
			b.WriteString(s[i+n : i+n+3])
			i += n + 3
			grouped = true
		}
	}
	if !grouped && free && i-from <= 3 && s[from] != '0' && s[from] != '.' {
		if whole, end := pointed(s, from, i, run); end > i {
			cents := end < len(s) && s[end] == ',' && run(end+1) > end+1 && run(end+1) <= end+3
			switch {
			case cents:
				return whole + "." + s[end+1:run(end+1)], "", run(end + 1)
			case end > i+4:
				return whole, "", end
			}
			other = whole
		}
	}
	switch {
	case i+1 < len(s) && s[i] == '.' && digit(s[i+1]):
		j := run(i + 1)
		b.WriteString(s[i:j])
		i = j
	case free && i-from > 3 && i+1 < len(s) && s[i] == ',' && (from == 0 || s[from-1] != ','): // 182000,5
		if j := run(i + 1); j > i+1 && j <= i+3 && (j == len(s) || s[j] != ',') {
			b.WriteString("." + s[i+1:j])
			i = j
		}
	}
	if i < len(s) && s[i] == 'e' {
		j := i + 1
		if j < len(s) && (s[j] == '-' || s[j] == '+') {
			j++
		}
		if k := run(j); k > j && k <= j+3 && !wordAfter(s, k) {
			b.WriteString(s[i:k])
			return b.String(), "", k
		}
	}
	return b.String(), other, i
}

// pointed reads digits that points group by threes, of which the first run ends at i.
func pointed(s string, from, i int, run func(int) int) (digits string, end int) {
	digits = s[from:i]
	for i < len(s) && s[i] == '.' && run(i+1) == i+4 {
		digits += s[i+1 : i+4]
		i += 4
	}
	return digits, i
}

// grouping returns how long the mark between groups of digits is with which s begins.
func grouping(s string) int {
	for _, g := range []string{",", "'", "’", "\u00a0", "\u202f", "\u2007", "\u2009"} {
		if strings.HasPrefix(s, g) {
			return len(g)
		}
	}
	return 0
}

// sign reads what stands before a number and after it.
func (q *quantity) sign(s string) {
	q.start = q.from
	p := marksBefore(s, q.from)
	places := []int{p}
	if c := currencyBefore(s, p); c < p {
		q.start = c
		places = append(places, marksBefore(s, c))
	}
	for _, p := range places {
		if strings.HasSuffix(s[:p], "±") {
			q.unit, q.start = "±", p-len("±")
			return
		}
		if n := minusBefore(s, p); n > 0 {
			q.start = min(q.start, p-n)
			q.negate()
			return
		}
	}
	end := marksAfter(s, q.end)
	if c := currencyAt(s, end); c > end {
		end = marksAfter(s, c)
	}
	if slices.ContainsFunc([]string{"(negative)", "(neg)", "(neg.)", "(minus)", "(loss)"}, func(w string) bool { return strings.HasPrefix(s[end:], w) }) {
		q.negate()
	} else if end < len(s) && s[end] == ')' {
		p := strings.TrimRight(s[:places[len(places)-1]], " ")
		if before, ok := strings.CutSuffix(p, "("); ok && figureExpected(before) {
			q.start, q.end = len(before), end+1
			q.negate()
		}
	} else if q.end < len(s) && s[q.end] == '-' && (q.end+1 == len(s) || strings.IndexByte("\n|,.;)", s[q.end+1]) >= 0) {
		q.end++
		q.negate()
	}
}

func (q *quantity) negate() {
	if q.own.digits != "" {
		q.own.negative = !q.own.negative
	}
}

// minusBefore returns the length of the sign that ends at p, with the blanks behind it, or 0.
func minusBefore(s string, p int) int {
	r, n := utf8.DecodeLastRuneInString(s[:p])
	switch {
	case n == 0:
		return 0
	case strings.ContainsRune(minusSigns, r):
		if wordBefore(s, p-n) {
			return 0
		}
		return n
	case r == '-' || r == '–' || r == '‐' || r == '‑':
		if wordBefore(s, p-n) {
			return 0
		}
		return n
	case r == '—':
		if valueMark(s[:p-n]) {
			return n
		}
		return 0
	case r != ' ':
		return 0
	}
	t := strings.TrimRight(s[:p], " ")
	whole := t
	t = strings.TrimSuffix(t, ":")
	for _, w := range []string{"minus", "negative", "neg", "neg.", "less"} {
		if strings.HasSuffix(t, w) && !wordBefore(s, len(t)-len(w)) {
			return p - len(t) + len(w)
		}
	}
	t = whole
	r, n = utf8.DecodeLastRuneInString(t)
	before := strings.TrimRight(t[:len(t)-n], " ")
	switch {
	case n > 0 && strings.ContainsRune(minusSigns, r) && (before == "" || !digit(before[len(before)-1])):
		return p - len(t) + n
	case n > 0 && strings.ContainsRune(dashes, r) && before != "" && valueMark(before):
		return p - len(t) + n
	}
	return 0
}

// valueMark reports whether a text ends in a mark behind which a value stands.
func valueMark(s string) bool {
	s = strings.TrimRight(s, " "+marks)
	return s != "" && strings.IndexByte(":=(|,", s[len(s)-1]) >= 0
}

// figureWords are what stands before a figure in brackets that is a loss. After other words, and
// after numbers, brackets hold an aside.
var figureWords = strings.Fields("a an the is are was were be been of at to by with from made makes make earned earns lost returned returns shows showed " +
	"reached totals totalled stands stood equals reports reported has have had p&l pnl pl profit loss result income return earnings gain net total change amount value balance figure")

func figureExpected(before string) bool {
	before = strings.TrimRight(before, " \t"+marks)
	if before == "" {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	if strings.ContainsRune("\n:=,;.|>"+dashes+currencySigns, last) {
		return true
	}
	if currencyBefore(before, len(before)) < len(before) {
		return true
	}
	i := strings.LastIndexAny(before, " \t\n|(")
	return slices.Contains(figureWords, before[i+1:])
}

// near reports whether two numbers differ by no more than 1e-9.
func (d decimal) near(o decimal) bool {
	if d == o {
		return true
	}
	if size := max(d.size(), o.size()); size > -8 && (d.negative != o.negative || d.size()+1 < size || o.size()+1 < size) {
		return false
	}
	if d.exponent >= -8 && o.exponent >= -8 {
		return false // they are whole numbers of 1e-8, and not the same
	}
	const most = 100
	if max(d.exponent, o.exponent) > most || min(d.exponent, o.exponent) < -most {
		return false
	}
	a, b := d.rat(), o.rat()
	a.Sub(a, b)
	return a.Abs(a).Cmp(tolerance) <= 0
}

// size is how many digits stand before the point; negative for noughts behind it.
func (d decimal) size() int {
	if d.digits == "" {
		return -1 << 31
	}
	return len(d.digits) + d.exponent
}

func (d decimal) rat() *big.Rat {
	out := new(big.Rat)
	if d.digits == "" {
		return out
	}
	n, _ := new(big.Int).SetString(d.digits, 10)
	if d.negative {
		n.Neg(n)
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(d.exponent, -d.exponent))), nil)
	if d.exponent < 0 {
		return out.SetFrac(n, ten)
	}
	return out.SetInt(n.Mul(n, ten))
}

func wordBefore(s string, i int) bool {
	r, n := utf8.DecodeLastRuneInString(s[:i])
	return n > 0 && wordRune(r)
}

func wordAfter(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return wordRune(r)
}

func skipBlank(s string, i int) int {
	for i < len(s) && s[i] == ' ' {
		i++
	}
	return i
}

// skipMarks skips the marks of emphasis that close behind a number.
func skipMarks(s string, i int) int {
	for i < len(s) && (s[i] == '*' || s[i] == '_' || s[i] == '`') {
		i++
	}
	return i
}

func marksAfter(s string, i int) int { return len(s) - len(strings.TrimLeft(s[i:], " "+marks)) }

func marksBefore(s string, i int) int {
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if !strings.ContainsRune(marks, r) {
			break
		}
		i -= n
	}
	return i
}

// currencyAt returns where a currency ends that stands at i, or i.
func currencyAt(s string, i int) int {
	if i >= len(s) {
		return i
	}
	if r, n := utf8.DecodeRuneInString(s[i:]); strings.ContainsRune(currencySigns, r) {
		return i + n
	}
	if i+3 <= len(s) && slices.Contains(currencies, s[i:i+3]) && !wordAfter(s, i+3) {
		return i + 3
	}
	return i
}

// currencyBefore returns where a currency begins that stands before i, or i.
func currencyBefore(s string, i int) int {
	j := i
	for j > 0 && s[j-1] == ' ' {
		j--
	}
	if r, n := utf8.DecodeLastRuneInString(s[:j]); n > 0 && strings.ContainsRune(currencySigns, r) {
		j -= n
		if strings.HasSuffix(s[:j], "us") && !wordBefore(s, j-2) {
			j -= 2
		}
		return j
	}
	if j >= 3 && slices.Contains(currencies, s[j-3:j]) && !wordBefore(s, j-3) {
		return j - 3
	}
	return i
}
