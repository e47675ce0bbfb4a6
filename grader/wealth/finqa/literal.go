package finqa

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// literalForms is the remedy in messages about literals.
const literalForms = "a number such as 12.5, 1,000, 36% or const_100"

// literal reads a number of a program or of a table cell by the four rules of the package comment. The error does
// not name the text.
func literal(text string) (float64, error) {
	s := strings.ReplaceAll(text, ",", "")
	scale := 1.0
	if strings.Contains(s, "%") {
		s, scale = strings.ReplaceAll(s, "%", ""), 100
	} else if n, ok := strings.CutPrefix(s, "const_"); ok {
		s = n
		if s == "m1" {
			s = "-1"
		}
	}
	x, ok := plainNumber(s)
	if !ok {
		return 0, fmt.Errorf("not a number (want %s)", literalForms)
	}
	if math.IsInf(x, 0) {
		return 0, errors.New("too large for a double")
	}
	return x / scale, nil
}

// plainNumber reads what Python's float() reads, without infinities, nan and digits outside ASCII. A number too
// large for a double comes back as an infinity.
//
// The grammar is checked here because strconv.ParseFloat has another one: it takes 0x1p4, inf and nan, and takes no
// underscore unless the base is in the text.
func plainNumber(text string) (x float64, ok bool) {
	s := trim(text)
	rest := strings.TrimLeft(s, "+-")
	if len(s)-len(rest) > 1 {
		return 0, false
	}
	whole, rest, ok := digits(rest)
	if !ok {
		return 0, false
	}
	fraction := 0
	if after, point := strings.CutPrefix(rest, "."); point {
		if fraction, rest, ok = digits(after); !ok {
			return 0, false
		}
	}
	if whole+fraction == 0 {
		return 0, false
	}
	if rest != "" {
		if rest[0] != 'e' && rest[0] != 'E' {
			return 0, false
		}
		exponent := strings.TrimPrefix(rest[1:], "-")
		if len(exponent) == len(rest)-1 {
			exponent = strings.TrimPrefix(exponent, "+")
		}
		n, tail, ok := digits(exponent)
		if !ok || n == 0 || tail != "" {
			return 0, false
		}
	}
	// The only error left is the range, and then x is an infinity, which the caller reports.
	x, _ = strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	return x, true
}

// digits takes the run of digits that s begins with, with single underscores between digits, and returns how many
// bytes it has and what follows. ok is false for an underscore in a wrong place.
func digits(s string) (n int, rest string, ok bool) {
	for n < len(s) && (s[n] == '_' || '0' <= s[n] && s[n] <= '9') {
		n++
	}
	run := s[:n]
	ok = !strings.HasPrefix(run, "_") && !strings.HasSuffix(run, "_") && !strings.Contains(run, "__")
	return n, s[n:], ok
}

// trim drops white space as Python's str.strip() does: Go's white space and the four separators U+001C to U+001F.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f
	})
}
