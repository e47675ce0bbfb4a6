package workspace

import "encoding/json"

// split returns the members of an object of canonical JSON without looking into their values,
// many times faster than decoding does. False means that raw is none and must be decoded to
// learn why; a value that is no JSON is found out when it is decoded.
func split(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	g := glance{raw: raw}
	m := g.members()
	if m == nil || g.bad || g.at != len(raw) {
		return nil, false
	}
	return m, true
}

// members reads the object at the position into a map, or steps over what is none and returns nil.
func (g *glance) members() map[string]json.RawMessage {
	if g.peek() != '{' {
		g.value()
		return nil
	}
	out := map[string]json.RawMessage{}
	for ok := g.enter('{'); ok; ok = g.more() {
		key := g.key()
		if _, twice := out[string(key)]; twice {
			g.bad = true
		}
		value := g.value()
		if g.bad {
			return nil
		}
		out[string(key)] = value
	}
	return out
}

// splitList returns the elements of a list of canonical JSON.
func splitList(raw json.RawMessage) ([]json.RawMessage, bool) {
	n := len(raw)
	if n < 2 || raw[0] != '[' || raw[n-1] != ']' {
		return nil, false
	}
	var out []json.RawMessage
	for i := 1; i < n-1; i++ {
		start := i
		if i = valueEnd(raw, i); i <= start || i >= n || raw[i] != ',' && i != n-1 {
			return nil, false
		}
		out = append(out, raw[start:i:i])
	}
	return out, true
}

// valueEnd returns where the value that begins at i ends: at a comma or bracket outside of it.
func valueEnd(raw []byte, i int) int {
	for depth := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			if i, _ = stringEnd(raw, i); i < 0 {
				return -1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// stringEnd returns the place of the quote that closes the string that opens at i, or -1, and
// whether anything in it is escaped. Most strings are a few bytes long.
func stringEnd(raw []byte, i int) (end int, escaped bool) {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			return i, escaped
		case '\\':
			escaped = true
			i++
		}
	}
	return -1, escaped
}
