package sim

import "unicode/utf8"

// text is JSON in either of Go's ways to hold bytes.
type text interface{ ~string | ~[]byte }

// IsCanonical reports whether raw is canonical JSON, as [Canonical] writes it, without decoding
// it. False says only that it may be something else: Canonical tells.
func IsCanonical[T text](raw T) bool { return IsCanonicalWithin(raw, MaxDepth) }

// IsCanonicalWithin is IsCanonical of JSON that nests no deeper than depth.
func IsCanonicalWithin[T text](raw T, depth int) bool {
	s := scanner[T]{raw: raw, canonical: true, strict: true, most: depth}
	return s.value(0) && s.canonical && s.at == len(raw)
}

// ScanJSON goes over the JSON value that begins at raw[from], where no white space may stand,
// without decoding it. It returns where the value ends, or -1 when there is none or it nests as
// deep as [MaxDepth], and whether the value is canonical. A value that is not may name a key twice
// and hold bytes that are not UTF-8, which encoding/json takes as well.
func ScanJSON[T text](raw T, from int) (end int, canonical bool) {
	s := scanner[T]{raw: raw, at: from, canonical: true, most: MaxDepth}
	if !s.value(0) {
		return -1, false
	}
	return s.at, s.canonical
}

// A scanner goes through JSON by its grammar. Its methods report whether what they are named
// after stands at the position, and leave the position behind it.
type scanner[T text] struct {
	raw       T
	at        int
	most      int  // levels
	canonical bool // so far
	strict    bool // what is not canonical is not read to its end
}

func (s *scanner[T]) peek() byte {
	if s.at < len(s.raw) {
		return s.raw[s.at]
	}
	return 0
}

func (s *scanner[T]) space() {
	for {
		switch s.peek() {
		case ' ', '\n', '\t', '\r':
			s.at++
			s.canonical = false
			continue
		}
		return
	}
}

// value stands at no space, and leaves none behind itself.
func (s *scanner[T]) value(depth int) bool {
	switch s.peek() {
	case '{':
		return depth < s.most && s.object(depth+1)
	case '[':
		return depth < s.most && s.list(depth+1)
	case '"':
		return s.str()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.number()
}

func (s *scanner[T]) object(depth int) bool {
	s.at++
	s.space()
	if s.peek() == '}' {
		s.at++
		return true
	}
	for last := -1; ; {
		key := s.at
		if s.peek() != '"' || !s.str() {
			return false
		}
		if s.canonical && last >= 0 && !keysAscend(s.raw, last, key) {
			s.canonical = false
		}
		last = key
		if s.space(); s.peek() != ':' || s.strict && !s.canonical {
			return false
		}
		s.at++
		if s.space(); !s.value(depth) {
			return false
		}
		s.space()
		switch s.peek() {
		case ',':
			s.at++
			s.space()
			continue
		case '}':
			s.at++
			return true
		}
		return false
	}
}

func (s *scanner[T]) list(depth int) bool {
	s.at++
	s.space()
	if s.peek() == ']' {
		s.at++
		return true
	}
	for {
		if !s.value(depth) {
			return false
		}
		s.space()
		switch s.peek() {
		case ',':
			s.at++
			s.space()
			continue
		case ']':
			s.at++
			return true
		}
		return false
	}
}

// str is a string. A canonical one is UTF-8, and escapes nothing that may stand for itself.
func (s *scanner[T]) str() bool {
	raw, i := s.raw, s.at+1
	from, wide := i, false
	for ; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			if wide && !valid(raw[from:i]) {
				s.canonical = false
			}
			s.at = i + 1
			return true
		case c == '\\':
			i++
			if i >= len(raw) {
				return false
			}
			switch raw[i] {
			case '"', '\\', 'n', 'r', 't', 'b', 'f':
			case '/':
				s.canonical = false
			case 'u':
				code, upper := 0, false
				for range 4 {
					if i++; i >= len(raw) {
						return false
					}
					d := hexDigit(raw[i])
					if d < 0 {
						return false
					}
					code, upper = code<<4|d, upper || raw[i] < 'a' && raw[i] > '9'
				}
				if upper || code >= 0x20 || code == '\n' || code == '\r' || code == '\t' || code == '\b' || code == '\f' {
					s.canonical = false
				}
			default:
				return false
			}
		case c < 0x20:
			return false
		case c >= utf8.RuneSelf:
			wide = true
		}
	}
	return false
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// valid is utf8.Valid for either.
func valid[T text](raw T) bool {
	for i := 0; i < len(raw); {
		if raw[i] < utf8.RuneSelf {
			i++
			continue
		}
		var rune [utf8.UTFMax]byte
		n := copy(rune[:], raw[i:])
		r, size := utf8.DecodeRune(rune[:n])
		if r == utf8.RuneError && size == 1 {
			return false
		}
		i += size
	}
	return true
}

// keysAscend reports whether one key, of those that begin at two positions, is smaller than the
// other. An escape before they differ, which is rare, is left to decoding.
func keysAscend[T text](raw T, a, b int) bool {
	for {
		a, b = a+1, b+1
		x, y := raw[a], raw[b]
		switch {
		case x == '\\' || y == '\\':
			return false
		case x == '"':
			return y != '"'
		case y == '"' || x > y:
			return false
		case x < y:
			return true
		}
	}
}

func (s *scanner[T]) word(w string) bool {
	if len(s.raw)-s.at < len(w) || string(s.raw[s.at:s.at+len(w)]) != w {
		return false
	}
	s.at += len(w)
	return true
}

func (s *scanner[T]) number() bool {
	if s.peek() == '-' {
		s.at++
	}
	switch c := s.peek(); {
	case c == '0':
		s.at++
	case c >= '1' && c <= '9':
		s.digits()
	default:
		return false
	}
	if s.peek() == '.' {
		s.at++
		if !s.digits() {
			return false
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		return s.digits()
	}
	return true
}

func (s *scanner[T]) digits() bool {
	from := s.at
	for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
		s.at++
	}
	return s.at > from
}
