package sim

import "encoding/json"

// AppendCanonical appends the canonical form of v to b and returns it. It is for values as
// [ParseJSON] returns them; anything else in v becomes null.
func AppendCanonical(b []byte, v any) []byte { return appendCanonical(b, v) }

// AppendCanonicalJSON appends the canonical form of raw JSON, as [Canonical] returns it, to b and
// returns it. Where there is none, b comes back as it was.
func AppendCanonicalJSON(b []byte, raw json.RawMessage) ([]byte, error) {
	if IsCanonical(raw) {
		return append(b, raw...), nil
	}
	if out, ok := appendSorted(b, raw); ok {
		return out, nil
	}
	v, err := parseSlowly(raw)
	if err != nil {
		return b, err
	}
	return appendCanonical(b, v), nil
}
