package exam

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"benchwright/sim"
	"benchwright/sim/files"
)

// Grade compares what was left in a workspace, and its runs, with what is wanted and says of each
// check, by its id, whether it holds.
func (s *Sheet) Grade(left files.Tree, runs []Run) map[string]bool {
	held := make(map[string]bool, len(s.Checks))
	for _, k := range s.Checks {
		if k.Aspect == Content {
			held[k.ID] = k.says(left)
		} else {
			held[k.ID] = k.holds(runs)
		}
	}
	return held
}

// Tests returns which tests pass: those of which every check holds.
func (s *Sheet) Tests(held map[string]bool) map[string]bool {
	tests := map[string]bool{}
	for _, k := range s.Checks {
		before, seen := tests[k.Test]
		tests[k.Test] = held[k.ID] && (before || !seen)
	}
	return tests
}

// Shares returns the share of held checks of each capability.
func (s *Sheet) Shares(held map[string]bool) map[string]float64 {
	of, n := map[string]int{}, map[string]int{}
	for _, k := range s.Checks {
		if k.Capability != "" {
			n[k.Capability]++
			if held[k.ID] {
				of[k.Capability]++
			}
		}
	}
	shares := map[string]float64{}
	for c := range n {
		shares[c] = float64(of[c]) / float64(n[c])
	}
	return shares
}

// says reports whether a file says what is wanted, as it was left before anything ran.
func (k *Check) says(left files.Tree) bool {
	text, there := left[k.File]
	if !there {
		return false
	}
	got, err := sim.ParseJSON([]byte(text))
	want, wrong := decoded(k.Want)
	return err == nil && wrong == nil && same(got, want)
}

func (k *Check) holds(runs []Run) bool {
	if len(runs) == 0 {
		return false
	}
	if k.Aspect == Same {
		return k.same(runs)
	}
	o, seen := runs[0][k.Case]
	if !seen || o.State != "ok" {
		return false
	}
	if k.Aspect == Runs {
		return true
	}
	raw := []byte(o.Value)
	if k.File != "" {
		text := o.Files[k.File]
		if text == nil {
			return false
		}
		raw = []byte(*text)
	}
	got, err := sim.ParseJSON(raw)
	if err != nil {
		return false
	}
	if k.Aspect == Equal {
		want, err := decoded(k.Want)
		return err == nil && same(got, want)
	}
	list, ok := got.([]any)
	if !ok {
		return false
	}
	if k.Aspect == List {
		return true
	}
	return k.rows(list)
}

func (k *Check) rows(list []any) bool {
	var of []any // what Order compares
	wanted := sortedWords(k.Want)
	for _, e := range list {
		row, ok := e.(map[string]any)
		if !ok {
			return false
		}
		if k.Aspect == Keys {
			if len(row) != len(wanted) {
				return false
			}
			keys := make([]string, 0, len(row))
			for key := range row {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			if !slices.Equal(keys, wanted) {
				return false
			}
		}
		of = append(of, row[k.By])
	}
	switch k.Aspect {
	case Keys:
		return len(list) > 0
	case Order:
		want, err := decoded(k.Want)
		return err == nil && same(of, want)
	}
	return false
}

func sortedWords(v any) []string {
	var words []string
	switch v := v.(type) {
	case []string:
		words = slices.Clone(v)
	case []any:
		for _, e := range v {
			words = append(words, fmt.Sprint(e))
		}
	}
	slices.Sort(words)
	return words
}

func (k *Check) same(runs []Run) bool {
	first := runs[0][k.Case].Files[k.File]
	if first == nil || len(runs) < 2 {
		return false
	}
	for _, r := range runs[1:] {
		if other := r[k.Case].Files[k.File]; other == nil || *other != *first {
			return false
		}
	}
	return true
}

// SameJSON reports whether two values are the same JSON: numbers by their value, so that 12 is
// 12.0, lists in order, a boolean never a number.
func SameJSON(a, b any) bool {
	a, errA := decoded(a)
	b, errB := decoded(b)
	return errA == nil && errB == nil && same(a, b)
}

func decoded(v any) (any, error) {
	raw, err := sim.Canonical(v)
	if err != nil {
		return nil, err
	}
	return sim.ParseJSON(raw)
}

func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			w, ok := b[k]
			if !ok || !same(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case json.Number:
		b, ok := b.(json.Number)
		return ok && Number(a.String()) == Number(b.String())
	}
	return a == b
}

// Number writes a number that JSON spells by its value: 12.0 and 1.2e1 are 12. Numbers are equal
// where their texts are. A text is hardly longer than the number was: what has a large exponent is
// not written out, since that would be somebody else's way to our memory.
func Number(s string) string {
	mantissa, power, _ := strings.Cut(strings.ToLower(s), "e")
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	sign := ""
	if negative {
		sign = "-"
	}
	short := strings.TrimRight(digits, "0")
	// The value is short × 10^exponent.
	exponent, ok := new(big.Int), true
	if power != "" {
		const longest = 1000 // digits of an exponent; beyond, two spellings of one number differ
		if exponent, ok = integer(power, longest); !ok {
			return s
		}
	}
	exponent.Add(exponent, big.NewInt(int64(len(digits)-len(short)-len(fraction))))
	const plain = 40 // digits of a number that is written without an exponent
	if exponent.IsInt64() && exponent.Int64() > -plain && exponent.Int64() <= plain && len(short) <= plain {
		switch e := int(exponent.Int64()); {
		case e >= 0:
			return sign + short + strings.Repeat("0", e)
		case -e < len(short):
			return sign + short[:len(short)+e] + "." + short[len(short)+e:]
		default:
			return sign + "0." + strings.Repeat("0", -e-len(short)) + short
		}
	}
	return sign + short + "e" + exponent.String()
}

func integer(s string, longest int) (*big.Int, bool) {
	digits := strings.TrimLeft(strings.TrimLeft(s, "+-"), "0")
	if len(digits) > longest {
		return nil, false
	}
	n, ok := new(big.Int).SetString("0"+digits, 10)
	if ok && strings.HasPrefix(s, "-") {
		n.Neg(n)
	}
	return n, ok
}
