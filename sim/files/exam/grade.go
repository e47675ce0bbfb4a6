package exam

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"benchwright/sim"
)

// Grade compares the runs of one workspace with what is wanted and says of each check, by its id,
// whether it holds.
func (s *Sheet) Grade(runs []Run) map[string]bool {
	held := make(map[string]bool, len(s.Checks))
	for _, k := range s.Checks {
		held[k.ID] = k.holds(runs)
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

func (k *Check) holds(runs []Run) bool {
	if len(runs) == 0 {
		return false
	}
	if k.Aspect == Same {
		return k.same(runs)
	}
	o, seen := runs[0][k.Case]
	if !seen || o.State != "ok" && k.Aspect != Content {
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
	if k.Aspect == Equal || k.Aspect == Content {
		return SameJSON(got, k.Want)
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
	for _, e := range list {
		row, ok := e.(map[string]any)
		if !ok {
			return false
		}
		if k.Aspect == Keys {
			keys := make([]string, 0, len(row))
			for key := range row {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			if !slices.Equal(keys, sortedWords(k.Want)) {
				return false
			}
		}
		of = append(of, row[k.By])
	}
	switch k.Aspect {
	case Keys:
		return len(list) > 0
	case Order:
		return SameJSON(of, k.Want)
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
		return ok && sameNumber(a.String(), b.String())
	}
	return a == b
}

// sameNumber compares two numbers as JSON spells them. Huge exponents are compared as text, since
// writing them out would be somebody else's way to our memory.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	for _, s := range []string{a, b} {
		if i := strings.IndexAny(s, "eE"); len(s) > 64 || i >= 0 && len(s)-i > 5 {
			return false
		}
	}
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) == 0
}
