package tasks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"benchwright/sim"
)

// A node is a JSON value that knows where it stands in its file.
type node struct {
	off, end int // its bytes
	kind     kind
	text     string // of a string, or the spelling of a number
	members  []member
	items    []*node
}

// A member is one key of an object.
type member struct {
	key   string
	off   int // of the key
	value *node
}

// A kind is what a value is: '{', '[', '"', '0', 't', 'f' or 'n'.
type kind byte

func (k kind) String() string {
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

// found says what a value is, for people.
func (n *node) found() string {
	switch n.kind {
	case '0':
		return "the number " + cut(n.text, 40)
	case '"':
		return "the string " + short(n.text)
	}
	return n.kind.String()
}

// get returns the value of a key, or nil.
func (n *node) get(key string) *node {
	for _, m := range n.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// A placedError is what is wrong at a byte of a file.
type placedError struct {
	off  int
	text string
}

func (e *placedError) Error() string { return fmt.Sprintf("offset %d: %s", e.off, e.text) }

// parseNodes reads exactly one JSON value.
func parseNodes(raw []byte) (*node, error) {
	p := &nodeParser{raw: raw, dec: json.NewDecoder(bytes.NewReader(raw))}
	p.dec.UseNumber()
	n, err := p.value(0)
	if err != nil {
		return nil, p.placed(err)
	}
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, &placedError{p.next(n.end), "text after the JSON value: a file holds one task, or one list of tasks"}
	}
	return n, nil
}

type nodeParser struct {
	raw []byte
	dec *json.Decoder
}

// placed gives an error of encoding/json its place.
func (p *nodeParser) placed(err error) error {
	var at *placedError
	switch {
	case errors.As(err, &at):
		return at
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		if len(bytes.TrimSpace(p.raw)) == 0 {
			return &placedError{0, "the file is empty: it holds a task, or a list of tasks"}
		}
		return &placedError{len(bytes.TrimRight(p.raw, " \t\r\n")), "the JSON ends too early"}
	}
	// The offset in a json.SyntaxError is not that of the stream; the last good token's end is.
	return &placedError{p.next(int(p.dec.InputOffset())), "not JSON: " + err.Error()}
}

// next returns where the token after off begins.
func (p *nodeParser) next(off int) int {
	for off < len(p.raw) && bytes.IndexByte([]byte(" \t\r\n,:"), p.raw[off]) >= 0 {
		off++
	}
	return off
}

func (p *nodeParser) value(depth int) (*node, error) {
	n := &node{off: p.next(int(p.dec.InputOffset()))}
	if depth > sim.MaxDepth {
		return nil, &placedError{n.off, fmt.Sprintf("nested deeper than %d", sim.MaxDepth)}
	}
	t, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		n.kind = kind(t)
		if t == '{' {
			err = p.object(n, depth)
		} else {
			err = p.list(n, depth)
		}
		if err != nil {
			return nil, err
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

func (p *nodeParser) object(n *node, depth int) error {
	seen := map[string]bool{}
	for p.dec.More() {
		m := member{off: p.next(int(p.dec.InputOffset()))}
		t, err := p.dec.Token()
		if err != nil {
			return err
		}
		key, ok := t.(string)
		if !ok {
			return &placedError{m.off, "not JSON: want a key in quotes"}
		}
		if seen[key] {
			return &placedError{m.off, fmt.Sprintf("key %s is named twice", short(key))}
		}
		seen[key] = true
		m.key = key
		if m.value, err = p.value(depth + 1); err != nil {
			return err
		}
		n.members = append(n.members, m)
	}
	return nil
}

func (p *nodeParser) list(n *node, depth int) error {
	for p.dec.More() {
		v, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, v)
	}
	return nil
}
