package workspace

import "encoding/json"

// split returns the members of an object of canonical JSON without looking into their values,
// many times faster than decoding does. False means that raw is none and must be decoded to
// learn why; a value that is no JSON is found out when it is decoded.
func split(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	m, end := splitAt(raw, 0, nil)
	return m, m != nil && end == len(raw)
}

// splitDeep is split that also splits the values of the keys in within, in the same pass. A value
// that is no object is not in within afterwards.
func splitDeep(raw json.RawMessage, within map[string]map[string]json.RawMessage) (map[string]json.RawMessage, bool) {
	m, end := splitAt(raw, 0, within)
	return m, m != nil && end == len(raw)
}

// splitAt splits the object that begins at i and returns its members and where it ends. Nil means that
// there is none.
func splitAt(raw json.RawMessage, i int, within map[string]map[string]json.RawMessage) (map[string]json.RawMessage, int) {
	if i >= len(raw) || raw[i] != '{' {
		return nil, i
	}
	out := map[string]json.RawMessage{}
	if i++; i < len(raw) && raw[i] == '}' {
		return out, i + 1
	}
	for i < len(raw) && raw[i] == '"' {
		end, escaped := stringEnd(raw, i)
		if end < 0 || escaped || end+1 >= len(raw) || raw[end+1] != ':' {
			return nil, i
		}
		key := string(raw[i+1 : end])
		start := end + 2
		i = start
		if _, deep := within[key]; deep {
			if within[key], i = splitAt(raw, start, nil); within[key] == nil {
				delete(within, key)
				i = start
			}
		}
		if i == start {
			i = valueEnd(raw, start)
		}
		if _, twice := out[key]; twice || i <= start || i >= len(raw) {
			return nil, i
		}
		out[key] = raw[start:i:i]
		switch raw[i] {
		case '}':
			return out, i + 1
		case ',':
			i++
		default:
			return nil, i
		}
	}
	return nil, i
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
