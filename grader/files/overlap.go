package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"benchwright/sim"
	"benchwright/sim/files/exam"
)

// parse reads JSON that was left. Bytes that are no text are none.
func parse(text string) (any, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("not UTF-8")
	}
	return sim.ParseJSON([]byte(text))
}

// canon writes a parsed value so that equal JSON has equal text: numbers by their value, keys in
// order. A boolean is never a number.
func canon(v any) string {
	var b strings.Builder
	writeCanon(&b, v)
	return b.String()
}

func writeCanon(b *strings.Builder, v any) {
	switch v := v.(type) {
	case map[string]any:
		b.WriteByte('{')
		for _, k := range slices.Sorted(maps.Keys(v)) {
			b.Write(sim.MustCanonical(k))
			b.WriteByte(':')
			writeCanon(b, v[k])
			b.WriteByte(',')
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for _, e := range v {
			writeCanon(b, e)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case json.Number:
		b.WriteString(exam.Number(v.String()))
	default:
		b.Write(sim.MustCanonical(v))
	}
}

// An overlap is how much two multisets have in common.
type overlap struct{ matches, got, want int }

func (o overlap) precision() float64 { return share(o.matches, o.got) }
func (o overlap) recall() float64 {
	if o.want == 0 && o.got == 0 {
		return 1
	}
	return share(o.matches, o.want)
}

func (o overlap) f1() float64 {
	p, r := o.precision(), o.recall()
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// score is the published formula, of an artifact that exists and is JSON.
func (o overlap) score(exact bool) float64 {
	if exact {
		return 1
	}
	return 0.2 + 0.2 + 0.3*o.precision() + 0.2*o.recall()
}

// multisets compares two lists of texts, and returns the texts of either that have no partner.
func multisets(got, want []string) (o overlap, unexpected, missing []string) {
	o.got, o.want = len(got), len(want)
	left := map[string]int{}
	for _, w := range want {
		left[w]++
	}
	for _, g := range got {
		if left[g] > 0 {
			left[g]--
			o.matches++
			continue
		}
		unexpected = append(unexpected, g)
	}
	for _, w := range want {
		if left[w] > 0 {
			left[w]--
			missing = append(missing, w)
		}
	}
	return o, unexpected, missing
}

// rows lists the texts of the elements of a list. What is no list has none.
func rows(v any) []string {
	list, _ := v.([]any)
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = canon(e)
	}
	return out
}

// A leaf is a value within a document. An empty object or list is one.
type leaf struct{ path, value string }

// eachLeaf visits the leaves of a document: $.a[0].b. The path is the visitor's during the call
// alone.
func eachLeaf(v any, visit func(path []byte, v any)) {
	path := []byte("$")
	var walk func(v any)
	walk = func(v any) {
		here := len(path)
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				path = append(append(path, '.'), k...)
				walk(v[k])
				path = path[:here]
			}
			if len(v) > 0 {
				return
			}
		case []any:
			for i, e := range v {
				path = append(strconv.AppendInt(append(path, '['), int64(i), 10), ']')
				walk(e)
				path = path[:here]
			}
			if len(v) > 0 {
				return
			}
		}
		visit(path, v)
	}
	walk(v)
}

// mostPaths is how many bytes the paths of an expected document's leaves may have together.
const mostPaths = 32 << 20

// leaves lists the leaves of an expected document.
func leaves(v any) ([]leaf, error) {
	var out []leaf
	total := 0
	eachLeaf(v, func(path []byte, v any) {
		if total += len(path); total <= mostPaths {
			out = append(out, leaf{string(path), canon(v)})
		}
	})
	if total > mostPaths {
		return nil, fmt.Errorf("the expected document: the paths of its leaves have more than %d MiB together", mostPaths>>20)
	}
	return out, nil
}
