package gates

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"benchwright/sim"
)

// A document is canonical JSON with an index of its values, so that one of them can be
// changed by splicing bytes: what did not change is neither parsed nor encoded again.
type document struct {
	bytes []byte
	nodes []node // in the order of the text; a value comes before what it holds
}

// A node is one value of a document.
type node struct {
	kind       byte // '{', '[', '"', '0' for numbers, 't' for booleans, 'n' for null
	start, end int  // the value's bytes
	key        int  // where the member starts, its quoted key first; start for anything else
	parent     int  // -1 for the whole
	next       int  // the node after all that this one holds
}

func (n node) container() bool { return n.kind == '{' || n.kind == '[' }

// parseDocument indexes raw, which is brought to canonical form if it is not.
func parseDocument(raw []byte) (*document, bool) {
	if d, ok := indexDocument(raw); ok {
		return d, true
	}
	c, err := sim.Canonical(json.RawMessage(raw))
	if err != nil {
		return nil, false
	}
	return indexDocument(c)
}

// indexDocument indexes JSON without insignificant space.
func indexDocument(raw []byte) (*document, bool) {
	s := scanner{src: raw, nodes: make([]node, 0, 8+len(raw)/16)}
	end, ok := s.value(0, -1, 0, 0)
	if !ok || end != len(raw) {
		return nil, false
	}
	return &document{raw, s.nodes}, true
}

// A scanner walks one JSON value. With space set it allows insignificant space.
type scanner struct {
	src   []byte
	nodes []node
	space bool
}

func (s *scanner) skip(i int) int {
	for s.space && i < len(s.src) && (s.src[i] == ' ' || s.src[i] == '\n' || s.src[i] == '\t' || s.src[i] == '\r') {
		i++
	}
	return i
}

// value scans the value at i and returns the offset after it.
func (s *scanner) value(i, parent, key, depth int) (int, bool) {
	if i >= len(s.src) || depth > sim.MaxDepth {
		return i, false
	}
	at := len(s.nodes)
	c := s.src[i]
	s.nodes = append(s.nodes, node{kind: c, start: i, key: key, parent: parent})
	end, ok := i, false
	switch {
	case c == '{' || c == '[':
		end, ok = s.container(i, at, depth)
	case c == '"':
		end, ok = stringEnd(s.src, i)
	case c == '-' || '0' <= c && c <= '9':
		s.nodes[at].kind = '0'
		end, ok = numberEnd(s.src, i)
	case c == 't':
		end, ok = s.word(i, "true")
	case c == 'f':
		s.nodes[at].kind = 't'
		end, ok = s.word(i, "false")
	case c == 'n':
		end, ok = s.word(i, "null")
	}
	s.nodes[at].end, s.nodes[at].next = end, len(s.nodes)
	return end, ok
}

func (s *scanner) container(i, at, depth int) (int, bool) {
	object := s.src[i] == '{'
	closing := s.src[i] + 2 // '}' follows '{' by two in ASCII, as ']' does '['
	i = s.skip(i + 1)
	if i < len(s.src) && s.src[i] == closing {
		return i + 1, true
	}
	for i < len(s.src) {
		key, ok := i, true
		if object {
			if i, ok = stringEnd(s.src, i); !ok {
				return i, false
			}
			if i = s.skip(i); i >= len(s.src) || s.src[i] != ':' {
				return i, false
			}
			i = s.skip(i + 1)
		}
		if i, ok = s.value(i, at, key, depth+1); !ok {
			return i, false
		}
		if i = s.skip(i); i >= len(s.src) {
			return i, false
		}
		switch s.src[i] {
		case closing:
			return i + 1, true
		case ',':
			i = s.skip(i + 1)
		default:
			return i, false
		}
	}
	return i, false
}

func (s *scanner) word(i int, w string) (int, bool) {
	if len(s.src)-i < len(w) || string(s.src[i:i+len(w)]) != w {
		return i, false
	}
	return i + len(w), true
}

// stringEnd returns the offset after the string literal at i.
func stringEnd(src []byte, i int) (int, bool) {
	if i >= len(src) || src[i] != '"' {
		return i, false
	}
	for i++; i < len(src); i++ {
		switch c := src[i]; {
		case c == '"':
			return i + 1, true
		case c == '\\':
			i++
		case c < 0x20:
			return i, false
		}
	}
	return i, false
}

func numberEnd(src []byte, i int) (int, bool) {
	start := i
	for i < len(src) && strings.IndexByte("+-.eE0123456789", src[i]) >= 0 {
		i++
	}
	c := src[i-1]
	return i, i > start && '0' <= c && c <= '9'
}

// raw returns the bytes of a node.
func (d *document) raw(n int) []byte { return d.bytes[d.nodes[n].start:d.nodes[n].end] }

// text returns what a string node says, or the spelling of any other.
func (d *document) text(n int) string {
	raw := d.raw(n)
	if d.nodes[n].kind != '"' {
		return string(raw)
	}
	return unquote(raw)
}

// unquote returns what a string literal says.
func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return string(raw[1 : len(raw)-1])
	}
	return s
}

// member returns the key of a member of an object, quoted, or nil.
func (d *document) member(n int) []byte {
	v := d.nodes[n]
	if v.key == v.start {
		return nil
	}
	end, _ := stringEnd(d.bytes, v.key)
	return d.bytes[v.key:end]
}

// children returns the nodes directly within n.
func (d *document) children(n int) []int {
	var out []int
	for c := n + 1; c < d.nodes[n].next; c = d.nodes[c].next {
		out = append(out, c)
	}
	return out
}

// path says where a node is: "outcome.codes[1]"; "" for the whole.
func (d *document) path(n int) string {
	p := d.nodes[n].parent
	if p < 0 {
		return ""
	}
	up := d.path(p)
	if key := d.member(n); key != nil {
		if up != "" {
			up += "."
		}
		return up + unquote(key)
	}
	at := 0
	for c := p + 1; c < n; c = d.nodes[c].next {
		at++
	}
	return up + "[" + strconv.Itoa(at) + "]"
}

// splice returns the document's bytes with [from,to) replaced by the parts.
func (d *document) splice(from, to int, parts ...string) json.RawMessage {
	n := len(d.bytes) - (to - from)
	for _, p := range parts {
		n += len(p)
	}
	out := append(make([]byte, 0, n), d.bytes[:from]...)
	for _, p := range parts {
		out = append(out, p...)
	}
	return append(out, d.bytes[to:]...)
}

// replace returns the document with node n replaced by raw JSON.
func (d *document) replace(n int, raw string) json.RawMessage {
	return d.splice(d.nodes[n].start, d.nodes[n].end, raw)
}

// drop returns the document without node n, which must not be the whole.
func (d *document) drop(n int) json.RawMessage {
	from, to := d.nodes[n].key, d.nodes[n].end
	if d.bytes[to] == ',' {
		to++
	} else if d.bytes[from-1] == ',' {
		from--
	}
	return d.splice(from, to)
}

// double returns the document with the array element n twice.
func (d *document) double(n int) json.RawMessage {
	end := d.nodes[n].end
	return d.splice(end, end, ",", string(d.raw(n)))
}

// swap returns the document with the array elements a and b, a first, exchanged.
func (d *document) swap(a, b int) json.RawMessage {
	x, y := d.nodes[a], d.nodes[b]
	return d.splice(x.start, y.end, string(d.raw(b)), string(d.bytes[x.end:y.start]), string(d.raw(a)))
}

// add returns the document with a member added to the object n, at the key's place. The key
// must need no escapes.
func (d *document) add(n int, key, raw string) json.RawMessage {
	quoted := `"` + key + `"`
	last := -1
	for c := n + 1; c < d.nodes[n].next; c = d.nodes[c].next {
		if string(d.member(c)) > quoted {
			at := d.nodes[c].key
			return d.splice(at, at, quoted, ":", raw, ",")
		}
		last = c
	}
	if last < 0 {
		at := d.nodes[n].start + 1
		return d.splice(at, at, quoted, ":", raw)
	}
	at := d.nodes[last].end
	return d.splice(at, at, ",", quoted, ":", raw)
}

// push returns the document with an element added at the end of the array n.
func (d *document) push(n int, raw string) json.RawMessage {
	at := d.nodes[n].end - 1
	if d.nodes[n].next == n+1 {
		return d.splice(at, at, raw)
	}
	return d.splice(at, at, ",", raw)
}
