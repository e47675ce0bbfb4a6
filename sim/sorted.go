package sim

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"sync"
)

// A sorter writes JSON in its canonical form while it reads it, without decoding more than strings
// that are spelled in an odd way. Objects whose keys do not ascend are put in order when they
// are complete. Its methods give up, and report so, where anything is wrong; what it is,
// parseSlowly knows.
type sorter struct {
	text    []byte
	at      int
	out     []byte
	members []member // of the objects that are open, outer ones first
	copy    []byte   // of an object that is put in order
}

// A member of an object is written in out[from:to], its key and quotes in out[from:key].
type member struct{ from, key, to int }

var sorters = sync.Pool{New: func() any { return &sorter{} }}

// maxSorter is how much memory a sorter may hold and still be used again.
const maxSorter = 1 << 20

// appendSorted appends the canonical form of raw.
func appendSorted(b, raw []byte) ([]byte, bool) {
	s := sorters.Get().(*sorter)
	defer func() {
		if s.text = nil; cap(s.out)+cap(s.copy)+24*cap(s.members) <= maxSorter {
			sorters.Put(s)
		}
	}()
	s.text, s.at, s.out, s.members = raw, 0, s.out[:0], s.members[:0]
	s.space()
	if !s.value(0) {
		return b, false
	}
	if s.space(); s.at != len(s.text) {
		return b, false
	}
	return append(b, s.out...), true
}

func (s *sorter) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *sorter) space() {
	for c := s.peek(); c == ' ' || c == '\n' || c == '\t' || c == '\r'; c = s.peek() {
		s.at++
	}
}

// value stands at no space, and leaves none behind itself.
func (s *sorter) value(depth int) bool {
	switch s.peek() {
	case '{':
		return depth < MaxDepth && s.object(depth+1)
	case '[':
		return depth < MaxDepth && s.list(depth+1)
	}
	end, canonical := ScanJSON(s.text, s.at)
	if end < 0 {
		return false
	}
	word := s.text[s.at:end]
	s.at = end
	if canonical {
		s.out = append(s.out, word...)
		return true
	}
	var decoded string
	if json.Unmarshal(word, &decoded) != nil {
		return false
	}
	s.out = appendString(s.out, decoded)
	return true
}

func (s *sorter) list(depth int) bool {
	s.at++
	s.out = append(s.out, '[')
	if s.space(); s.peek() == ']' {
		s.at++
		s.out = append(s.out, ']')
		return true
	}
	for {
		if !s.value(depth) {
			return false
		}
		s.space()
		c := s.peek()
		if c != ',' && c != ']' {
			return false
		}
		s.at++
		s.out = append(s.out, c)
		if c == ']' {
			return true
		}
		s.space()
	}
}

func (s *sorter) object(depth int) bool {
	s.at++
	begin, outer := len(s.out), len(s.members)
	s.out = append(s.out, '{')
	if s.space(); s.peek() == '}' {
		s.at++
		s.out = append(s.out, '}')
		return true
	}
	for ascending := true; ; {
		m := member{from: len(s.out)}
		if s.peek() != '"' || !s.value(depth) {
			return false
		}
		m.key = len(s.out)
		if s.space(); s.peek() != ':' {
			return false
		}
		s.at++
		s.out = append(s.out, ':')
		if s.space(); !s.value(depth) {
			return false
		}
		m.to = len(s.out)
		if n := len(s.members); n > outer && s.compare(s.members[n-1], m) >= 0 {
			ascending = false
		}
		s.members = append(s.members, m)
		s.space()
		c := s.peek()
		if c != ',' && c != '}' {
			return false
		}
		s.at++
		s.out = append(s.out, c)
		if c == ',' {
			s.space()
			continue
		}
		ok := ascending || s.sort(begin, s.members[outer:])
		s.members = s.members[:outer]
		return ok
	}
}

// sort puts the members of the object that begins at a position in order. Two of one name are
// wrong.
func (s *sorter) sort(begin int, members []member) bool {
	slices.SortFunc(members, s.compare)
	for i := 1; i < len(members); i++ {
		if s.compare(members[i-1], members[i]) == 0 {
			return false
		}
	}
	s.copy = append(s.copy[:0], s.out[begin:]...)
	s.out = s.out[:begin]
	for i, m := range members {
		s.out = append(s.out, "{,"[min(i, 1)])
		s.out = append(s.out, s.copy[m.from-begin:m.to-begin]...)
	}
	s.out = append(s.out, '}')
	return true
}

// compare compares the keys of two members by what they say.
func (s *sorter) compare(a, b member) int {
	x, y := s.out[a.from+1:a.key-1], s.out[b.from+1:b.key-1]
	if bytes.IndexByte(x, '\\') < 0 && bytes.IndexByte(y, '\\') < 0 {
		return bytes.Compare(x, y)
	}
	return cmp.Compare(unquoted(s.out[a.from:a.key]), unquoted(s.out[b.from:b.key]))
}

func unquoted(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var decoded string
	json.Unmarshal(raw, &decoded) // it was written by appendString, or is spelled as that would
	return decoded
}
