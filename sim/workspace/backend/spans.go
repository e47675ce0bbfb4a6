package backend

import (
	"encoding/json"
	"errors"
)

// A span is a part of JSON text as it stands there, and its value.
type span struct {
	key   string // of a member
	raw   json.RawMessage
	value any
}

var (
	errNoObject = errors.New("want an object")
	errNoList   = errors.New("want a list")
)

// members splits an object into its members. The text of each is kept as it is: numbers keep
// the places with which they are written.
func members(raw []byte) ([]span, error) {
	v, err := parse(raw)
	if err != nil {
		return nil, err
	}
	o, ok := v.(*object)
	if !ok {
		return nil, errNoObject
	}
	return spans(raw, o.keys), nil
}

// elements splits a list into its elements.
func elements(raw []byte) ([]span, error) {
	v, err := parse(raw)
	if err != nil {
		return nil, err
	}
	if _, ok := v.([]any); !ok {
		return nil, errNoList
	}
	return spans(raw, nil), nil
}

// spans walks over valid JSON text of an object with these keys, or of a list.
func spans(raw []byte, keys []string) []span {
	p := parser{raw: raw}
	p.space()
	object := raw[p.i] == '{'
	p.i++
	var out []span
	for p.space(); raw[p.i] != '}' && raw[p.i] != ']'; p.space() {
		var s span
		if object {
			s.key = keys[len(out)]
			_ = p.string()
			p.space()
			p.i++ // the colon
			p.space()
		}
		start := p.i
		s.value, _ = p.value(0) // it has been read before
		s.raw = raw[start:p.i:p.i]
		out = append(out, s)
		if p.space(); raw[p.i] == ',' {
			p.i++
		}
	}
	return out
}
