package agent

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"
)

// number draws a number on a decimal grid: whole ones, hundredths, or what multipleOf asks for.
// Where a schema bounds one side alone, the other is a hundred steps away.
func (d *drawer) number(s map[string]any, whole bool) any {
	unit, digits := int64(1), 2
	if whole {
		digits = 0
	}
	multiple, fixed := float(s["multipleOf"])
	if fixed {
		text := strconv.FormatFloat(multiple, 'f', -1, 64)
		before, after, _ := strings.Cut(text, ".")
		n, err := strconv.ParseInt(before+after, 10, 64)
		if fixed = err == nil && n > 0 && n < 1e15 && len(after) <= 9; fixed {
			unit, digits = n, len(after)
			if whole {
				digits = 0
			}
		}
	}
	low, lowOpen, lowest := bound(s, "minimum", "exclusiveMinimum", math.Max)
	high, highOpen, highest := bound(s, "maximum", "exclusiveMaximum", math.Min)
	span := 100 * max(1, float64(unit)/math.Pow10(digits))
	switch {
	case !lowest && !highest:
		low, high = 0, span
	case !highest:
		high = low + span
	case !lowest:
		low = high - span
	}
	for !fixed && !whole && digits < 9 && (high-low)*math.Pow10(digits) < 10 {
		digits++
	}
	for !fixed && digits > 0 && max(math.Abs(low), math.Abs(high))*math.Pow10(digits) > 1e17 {
		digits--
	}
	scale := math.Pow10(digits)
	at := func(k int64) float64 { return float64(k*unit) / scale }
	first := int64(math.Ceil(clamp(low*scale) / float64(unit)))
	last := int64(math.Floor(clamp(high*scale) / float64(unit)))
	for range 3 { // what rounding may have moved
		if at(first) < low || lowOpen && at(first) <= low {
			first++
		}
		if at(last) > high || highOpen && at(last) >= high {
			last--
		}
	}
	if first > last {
		if n, ok := s["minimum"].(json.Number); ok && !whole {
			return n
		}
		last = first
	}
	return decimal((first+d.rng.Int64N(last-first+1))*unit, digits)
}

// bound reads a bound and the one that excludes itself, which older drafts spell as true.
func bound(s map[string]any, incl, excl string, tighter func(a, b float64) float64) (at float64, open, ok bool) {
	at, ok = float(s[incl])
	at = clamp(at)
	if x, isNumber := float(s[excl]); isNumber {
		x = clamp(x)
		if !ok || tighter(x, at) == x {
			return x, true, true
		}
	}
	return at, ok && s[excl] == true, ok
}

func clamp(f float64) float64 { return min(max(f, -1e17), 1e17) }

// decimal writes n / 10^digits.
func decimal(n int64, digits int) json.Number {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	text := fmt.Sprintf("%0*d", digits+1, n)
	if digits > 0 {
		text = text[:len(text)-digits] + "." + text[len(text)-digits:]
	}
	return json.Number(sign + text)
}

// text draws a string: by pattern, else by format, else a word; of the length that is asked for
// as far as that can be.
func (d *drawer) text(s map[string]any) string {
	low, high := limits(s, "minLength", "maxLength", drawRunes)
	if p, ok := s["pattern"].(string); ok {
		if w, ok := d.pattern(p, low, high); ok {
			return w
		}
	}
	if f, ok := s["format"].(string); ok {
		if w := d.format(f); w != "" {
			return w
		}
	}
	w := word(d.rng)
	if len(w) < low {
		w += letters(d.rng, low-len(w))
	}
	return w[:min(len(w), high)]
}

func letters(rng *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('a' + rng.IntN(26))
	}
	return string(b)
}

func word(rng *rand.Rand) string {
	return letters(rng, 3+rng.IntN(6))
}

// format draws a string of a common format; "" stands for one that it does not know.
func (d *drawer) format(name string) string {
	n := d.rng.IntN
	date := func() string { return fmt.Sprintf("20%02d-%02d-%02d", n(40), 1+n(12), 1+n(28)) }
	clock := func() string { return fmt.Sprintf("%02d:%02d:%02dZ", n(24), n(60), n(60)) }
	switch name {
	case "date":
		return date()
	case "time":
		return clock()
	case "date-time":
		return date() + "T" + clock()
	case "duration":
		return fmt.Sprintf("P%dD", 1+n(90))
	case "email", "idn-email":
		return word(d.rng) + "@" + word(d.rng) + ".example"
	case "hostname", "idn-hostname":
		return word(d.rng) + ".example"
	case "uri", "iri", "uri-reference", "iri-reference", "url":
		return "https://" + word(d.rng) + ".example/" + word(d.rng)
	case "uuid":
		a, b := d.rng.Uint64(), d.rng.Uint64()
		return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", uint32(a), uint16(a>>32), a>>52, b&0xfff, b>>16)
	case "ipv4":
		return fmt.Sprintf("192.0.2.%d", n(256))
	case "ipv6":
		return fmt.Sprintf("2001:db8::%x", 1+n(0xffff))
	case "json-pointer":
		return "/" + word(d.rng)
	}
	return ""
}

// pattern draws a string that a regular expression matches, within bounds of its length where a
// few attempts find one. Patterns that Go cannot read give none.
func (d *drawer) pattern(p string, low, high int) (w string, ok bool) {
	tree, err := syntax.Parse(p, syntax.Perl)
	if err != nil {
		return "", false
	}
	re, err := regexp.Compile(p)
	if err != nil {
		return "", false
	}
	for range 50 {
		var b strings.Builder
		d.match(&b, tree)
		w = b.String()
		n := utf8.RuneCountInString(w)
		if n < low && !strings.HasSuffix(p, "$") { // what is not anchored may go on
			w, n = w+letters(d.rng, low-n), low
		}
		if n >= low && n <= high && re.MatchString(w) || d.steps < 0 {
			break
		}
	}
	return w, true
}

// match writes a string for a regular expression. Anchors and word boundaries write nothing.
func (d *drawer) match(b *strings.Builder, re *syntax.Regexp) {
	if d.steps--; d.steps < 0 {
		return
	}
	repeat := func(low, high int) {
		if b.Len() > drawRunes {
			high = low
		}
		for range low + d.rng.IntN(high-low+1) {
			d.match(b, re.Sub[0])
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(d.member(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte(byte('a' + d.rng.IntN(26)))
	case syntax.OpStar:
		repeat(0, 4)
	case syntax.OpPlus:
		repeat(1, 5)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		high := re.Max
		if high < 0 {
			high = re.Min + 4
		}
		repeat(re.Min, high)
	case syntax.OpAlternate:
		d.match(b, re.Sub[d.rng.IntN(len(re.Sub))])
	default: // concatenations, groups, and what writes nothing
		for _, sub := range re.Sub {
			d.match(b, sub)
		}
	}
}

// member draws from a class, which is a list of ranges: a printable ASCII character where it
// has any, each with the same chance.
func (d *drawer) member(ranges []rune) rune {
	for _, in := range [][2]rune{{' ', '~'}, {0, utf8.MaxRune}} {
		var parts [][2]rune
		total := rune(0)
		for i := 0; i+1 < len(ranges); i += 2 {
			if low, high := max(ranges[i], in[0]), min(ranges[i+1], in[1]); low <= high {
				parts = append(parts, [2]rune{low, high})
				total += high - low + 1
			}
		}
		if total == 0 {
			continue
		}
		k := rune(d.rng.IntN(int(total)))
		for _, p := range parts {
			if n := p[1] - p[0] + 1; k >= n {
				k -= n
				continue
			}
			return p[0] + k
		}
	}
	return 'a' // of a class that nothing is in
}
