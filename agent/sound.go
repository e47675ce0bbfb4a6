package agent

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"benchwright/sim"
)

// sound reports whether raw is JSON in UTF-8 that sim.ParseJSON reads and that nests no deeper
// than depth. Every call, result and state goes through it, so it decodes nothing and allocates
// little.
func sound(raw []byte, depth int) bool {
	if sim.IsCanonicalWithin(raw, depth) { // as states are, and most arguments
		return true
	}
	if !utf8.Valid(raw) {
		return false
	}
	keys := openKeys.Get().(*[][]byte)
	r := soundReader{raw: raw, keys: (*keys)[:0]}
	defer func() {
		clear(r.keys[:cap(r.keys)]) // they are parts of raw
		if *keys = r.keys[:0]; cap(r.keys) <= maxOpenKeys {
			openKeys.Put(keys)
		}
	}()
	r.space()
	if !r.value(depth) {
		return false
	}
	if r.space(); r.at != len(raw) {
		return false
	}
	if r.odd {
		_, err := sim.ParseJSON(raw)
		return err == nil
	}
	return true
}

// openKeys is room for the keys of objects that are open while they are read.
var openKeys = sync.Pool{New: func() any { return new(make([][]byte, 0, 32)) }}

// maxOpenKeys is how much room is kept for the next reader.
const maxOpenKeys = 1 << 10

// A soundReader goes through JSON by its grammar. Its methods report whether what they are
// named after stands at the position, and leave the position behind it.
type soundReader struct {
	raw  []byte
	at   int
	keys [][]byte // of the objects that are open, outer ones first
	odd  bool     // a key has escapes: only decoding can tell whether it occurs twice
}

func (r *soundReader) space() {
	for r.at < len(r.raw) && (r.raw[r.at] == ' ' || r.raw[r.at] == '\n' || r.raw[r.at] == '\t' || r.raw[r.at] == '\r') {
		r.at++
	}
}

func (r *soundReader) is(c byte) bool {
	if r.at < len(r.raw) && r.raw[r.at] == c {
		r.at++
		return true
	}
	return false
}

// value stands at no space, and leaves none behind itself.
func (r *soundReader) value(depth int) bool {
	if r.at >= len(r.raw) {
		return false
	}
	switch r.raw[r.at] {
	case '{':
		return depth > 0 && r.object(depth-1)
	case '[':
		return depth > 0 && r.list(depth-1)
	case '"':
		_, _, ok := r.text()
		return ok
	case 't':
		return r.word("true")
	case 'f':
		return r.word("false")
	case 'n':
		return r.word("null")
	}
	return r.number()
}

func (r *soundReader) object(depth int) bool {
	r.at++
	if r.space(); r.is('}') {
		return true
	}
	outer, sorted := len(r.keys), true
	var seen map[string]bool // of an object with many keys in no order
	for {
		key, plain, ok := r.text()
		if !ok {
			return false
		}
		r.odd = r.odd || !plain
		before := r.keys[outer:]
		sorted = sorted && (len(before) == 0 || bytes.Compare(before[len(before)-1], key) < 0)
		switch {
		case sorted: // as in canonical JSON: one comparison for each
		case len(before) < 64:
			if slices.ContainsFunc(before, func(k []byte) bool { return bytes.Equal(k, key) }) {
				return false
			}
		case seen == nil:
			seen = make(map[string]bool, 2*len(before))
			for _, k := range before {
				seen[string(k)] = true
			}
			fallthrough
		default:
			if seen[string(key)] {
				return false
			}
			seen[string(key)] = true
		}
		r.keys = append(r.keys, key)
		if r.space(); !r.is(':') {
			return false
		}
		if r.space(); !r.value(depth) {
			return false
		}
		if r.space(); r.is('}') {
			r.keys = r.keys[:outer]
			return true
		}
		if !r.is(',') {
			return false
		}
		r.space()
	}
}

func (r *soundReader) list(depth int) bool {
	r.at++
	if r.space(); r.is(']') {
		return true
	}
	for {
		if !r.value(depth) {
			return false
		}
		if r.space(); r.is(']') {
			return true
		}
		if !r.is(',') {
			return false
		}
		r.space()
	}
}

// text returns what stands between the quotes as it is spelled, and whether that is the text.
func (r *soundReader) text() (spelled []byte, plain, ok bool) {
	if !r.is('"') {
		return nil, false, false
	}
	plain = true
	for from := r.at; r.at < len(r.raw); r.at++ {
		switch c := r.raw[r.at]; {
		case c == '"':
			r.at++
			return r.raw[from : r.at-1], plain, true
		case c < ' ':
			return nil, false, false
		case c == '\\':
			plain = false
			if !r.escape() {
				return nil, false, false
			}
		}
	}
	return nil, false, false
}

// escape leaves the position at the escape's last byte.
func (r *soundReader) escape() bool {
	if r.at++; r.at >= len(r.raw) {
		return false
	}
	switch r.raw[r.at] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		for range 4 {
			if r.at++; r.at >= len(r.raw) || strings.IndexByte("0123456789abcdefABCDEF", r.raw[r.at]) < 0 {
				return false
			}
		}
		return true
	}
	return false
}

func (r *soundReader) word(w string) bool {
	if !bytes.HasPrefix(r.raw[r.at:], []byte(w)) {
		return false
	}
	r.at += len(w)
	return true
}

func (r *soundReader) number() bool {
	r.is('-')
	if !r.is('0') && !r.digits() {
		return false
	}
	if r.is('.') && !r.digits() {
		return false
	}
	if r.is('e') || r.is('E') {
		if !r.is('+') {
			r.is('-')
		}
		return r.digits()
	}
	return true
}

func (r *soundReader) digits() bool {
	from := r.at
	for r.at < len(r.raw) && '0' <= r.raw[r.at] && r.raw[r.at] <= '9' {
		r.at++
	}
	return r.at > from
}
