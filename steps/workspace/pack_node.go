package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"

	"benchwright/grader"
	"benchwright/sim"
)

// A node is a JSON value that knows where it stands.
type node struct {
	file    *packFile
	off     int // of its first byte
	end     int // after its last
	kind    byte
	text    string // of a string, or the spelling of a number
	members []nodeMember
	items   []*node
}

type nodeMember struct {
	key   string
	off   int
	value *node
}

// The kinds of node: '{', '[', '"', '0', 't', 'f' and 'n'.
func kindName(k byte) string {
	switch k {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 't':
		return "true"
	case 'f':
		return "false"
	}
	return "null"
}

// get returns the value of a key, or nil.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for _, m := range n.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// at is the place of the node.
func (n *node) at() grader.Source {
	return grader.Source{File: n.file.name, Line: n.file.line(n.off)}
}

// raw returns the node's canonical JSON.
func (n *node) raw() json.RawMessage {
	return sim.MustCanonical(json.RawMessage(n.file.src[n.off:n.end]))
}

// value returns the node as sim.ParseJSON reads it.
func (n *node) value() any {
	v, err := sim.ParseJSON(n.file.src[n.off:n.end])
	if err != nil { // it has been parsed before
		panic(fmt.Sprintf("workspace: %s: %v", n.at(), err))
	}
	return v
}

// A packFile is one file of a pack.
type packFile struct {
	name string
	src  []byte
	ends []int // offsets of the line ends
}

// line returns the line of a byte, from 1.
func (f *packFile) line(off int) int {
	if f.ends == nil {
		f.ends = []int{}
		for i, c := range f.src {
			if c == '\n' {
				f.ends = append(f.ends, i)
			}
		}
	}
	return sort.SearchInts(f.ends, off) + 1
}

// A placed error is what is wrong at a byte of a file.
type placed struct {
	off  int
	text string
}

func (e *placed) Error() string { return e.text }

// parseFile reads exactly one JSON value. A key that is named twice is an error.
func parseFile(name string, src []byte) (*node, *packFile, *placed) {
	f := &packFile{name: name, src: bytes.TrimPrefix(src, []byte("\uFEFF"))}
	p := &nodeParser{file: f, dec: json.NewDecoder(bytes.NewReader(f.src))}
	p.dec.UseNumber()
	n, err := p.value(0)
	if err == nil {
		if _, err = p.dec.Token(); errors.Is(err, io.EOF) {
			return n, f, nil
		}
		err = &placed{p.next(n.end), "text after the JSON value"}
	}
	var at *placed
	switch {
	case errors.As(err, &at):
		return nil, f, at
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, f, &placed{len(bytes.TrimRight(f.src, " \t\r\n")), "the JSON ends too early"}
	}
	return nil, f, &placed{p.next(int(p.dec.InputOffset())), "not JSON: " + err.Error()}
}

type nodeParser struct {
	file *packFile
	dec  *json.Decoder
}

// next returns where the token after off begins.
func (p *nodeParser) next(off int) int {
	for off < len(p.file.src) && bytes.IndexByte([]byte(" \t\r\n,:"), p.file.src[off]) >= 0 {
		off++
	}
	return off
}

func (p *nodeParser) value(depth int) (*node, error) {
	n := &node{file: p.file, off: p.next(int(p.dec.InputOffset()))}
	if depth > sim.MaxDepth {
		return nil, &placed{n.off, fmt.Sprintf("nested deeper than %d", sim.MaxDepth)}
	}
	t, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		n.kind = byte(t)
		for seen := map[string]bool{}; p.dec.More(); {
			var m nodeMember
			if t == '{' {
				m.off = p.next(int(p.dec.InputOffset()))
				k, err := p.dec.Token()
				if err != nil {
					return nil, err
				}
				m.key = k.(string)
				if seen[m.key] {
					return nil, &placed{m.off, fmt.Sprintf("key %q is named twice", clip(m.key))}
				}
				seen[m.key] = true
			}
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			if m.value = v; t == '{' {
				n.members = append(n.members, m)
			} else {
				n.items = append(n.items, v)
			}
		}
		if _, err := p.dec.Token(); err != nil {
			return nil, err
		}
	case string:
		n.kind, n.text = '"', t
	case json.Number:
		n.kind, n.text = '0', t.String()
	case bool:
		if n.kind = 'f'; t {
			n.kind = 't'
		}
	default:
		n.kind = 'n'
	}
	n.end = int(p.dec.InputOffset())
	return n, nil
}
