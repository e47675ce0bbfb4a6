package workspace

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"benchwright/sim"
)

// pairs is a JSON object with its keys sorted and its values in canonical form. It never changes.
type pairs []pair

type pair struct {
	key   string
	value json.RawMessage
}

// pairsOf returns an object, as sim.ParseJSON reads it, as pairs.
func pairsOf(m map[string]any) pairs {
	p := make(pairs, 0, len(m))
	for k, v := range m {
		p = append(p, pair{k, sim.AppendCanonical(nil, v)})
	}
	p.sort()
	return p
}

func (p pairs) sort() {
	slices.SortFunc(p, func(a, b pair) int { return strings.Compare(a.key, b.key) })
}

// merged returns p with the values of q over its own.
func (p pairs) merged(q pairs) pairs {
	if len(q) == 0 {
		return p
	}
	out := make(pairs, 0, len(p)+len(q))
	for len(p) > 0 && len(q) > 0 {
		switch c := strings.Compare(p[0].key, q[0].key); {
		case c < 0:
			out, p = append(out, p[0]), p[1:]
		case c > 0:
			out, q = append(out, q[0]), q[1:]
		default:
			out, p, q = append(out, q[0]), p[1:], q[1:]
		}
	}
	return append(append(out, p...), q...)
}

func (p pairs) equal(q pairs) bool {
	return slices.EqualFunc(p, q, func(a, b pair) bool { return a.key == b.key && bytes.Equal(a.value, b.value) })
}

func (p pairs) append(b []byte) []byte {
	b = append(b, '{')
	for i, e := range p {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, e.key), ':')
		b = append(b, e.value...)
	}
	return append(b, '}')
}

// object returns the pairs as sim.ParseJSON would read them.
func (p pairs) object() map[string]any {
	m := make(map[string]any, len(p))
	for _, e := range p {
		m[e.key], _ = sim.ParseJSON(e.value) // canonical JSON always parses
	}
	return m
}
