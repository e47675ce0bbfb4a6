package backend

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"benchwright/sim"
)

// An object is a JSON object whose keys keep their order: widgets are listed, and tabs created,
// in the order of the manifest.
type object struct {
	keys []string
	m    map[string]any // values as sim.ParseJSON has them, but *object for objects
}

func (o *object) get(key string) any {
	if o == nil {
		return nil
	}
	return o.m[key]
}

// set adds or replaces a member; a new one comes last.
func (o *object) set(key string, v any) {
	if _, ok := o.m[key]; !ok {
		o.keys = append(o.keys, key)
	}
	o.m[key] = v
}

func (o *object) del(key string) {
	if _, ok := o.m[key]; !ok {
		return
	}
	delete(o.m, key)
	for i, k := range o.keys {
		if k == key {
			o.keys = append(o.keys[:i:i], o.keys[i+1:]...)
			return
		}
	}
}

// copy returns an object that can be changed at its top level.
func (o *object) copy() *object {
	c := &object{keys: append([]string(nil), o.keys...), m: make(map[string]any, len(o.m)+3)}
	for k, v := range o.m {
		c.m[k] = v
	}
	return c
}

// str returns a member that is text, or "".
func (o *object) str(key string) string {
	s, _ := o.get(key).(string)
	return s
}

// obj returns a member that is an object, or nil.
func (o *object) obj(key string) *object {
	c, _ := o.get(key).(*object)
	return c
}

// list returns a member that is a list, or nil.
func (o *object) list(key string) []any {
	l, _ := o.get(key).([]any)
	return l
}

// parse reads one JSON value. A byte order mark, which some editors write, is no fault.
func parse(raw []byte) (any, error) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if !json.Valid(raw) {
		return nil, syntax(raw)
	}
	p := parser{raw: raw}
	v, err := p.value(0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", position(raw, p.i), err)
	}
	return v, nil
}

// syntax says what is wrong with text that is no JSON, and where.
func syntax(raw []byte) error {
	var v any
	err := json.Unmarshal(raw, &v)
	var e *json.SyntaxError
	if errors.As(err, &e) {
		return fmt.Errorf("%s: not valid JSON: %w", position(raw, int(e.Offset)-1), err)
	}
	return fmt.Errorf("not valid JSON: %w", err)
}

func position(raw []byte, offset int) string {
	offset = min(max(offset, 0), len(raw))
	before := raw[:offset]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("line %d, column %d", line, column)
}

// A parser walks over text that is known to be valid JSON.
type parser struct {
	raw []byte
	i   int
}

func (p *parser) space() {
	for p.i < len(p.raw) {
		switch p.raw[p.i] {
		case ' ', '\t', '\r', '\n':
			p.i++
		default:
			return
		}
	}
}

func (p *parser) value(depth int) (any, error) {
	if depth > sim.MaxDepth {
		return nil, fmt.Errorf("nested deeper than %d", sim.MaxDepth)
	}
	p.space()
	switch c := p.raw[p.i]; c {
	case '{':
		return p.object(depth)
	case '[':
		p.i++
		list := []any{}
		for p.space(); p.raw[p.i] != ']'; p.space() {
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
			if p.space(); p.raw[p.i] == ',' {
				p.i++
			}
		}
		p.i++
		return list, nil
	case '"':
		return p.string(), nil
	case 't':
		p.i += len("true")
		return true, nil
	case 'f':
		p.i += len("false")
		return false, nil
	case 'n':
		p.i += len("null")
		return nil, nil
	default:
		start := p.i
		for p.i < len(p.raw) && (p.raw[p.i] >= '0' && p.raw[p.i] <= '9' || bytes.IndexByte([]byte("+-.eE"), p.raw[p.i]) >= 0) {
			p.i++
		}
		return json.Number(p.raw[start:p.i]), nil
	}
}

func (p *parser) object(depth int) (any, error) {
	p.i++
	o := &object{m: map[string]any{}}
	for p.space(); p.raw[p.i] != '}'; p.space() {
		start := p.i
		key := p.string()
		if _, dup := o.m[key]; dup {
			p.i = start
			return nil, fmt.Errorf("%w %s", sim.ErrDuplicateKey, strconv.Quote(shorten(key)))
		}
		p.space()
		p.i++ // the colon
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		o.keys = append(o.keys, key)
		o.m[key] = v
		if p.space(); p.raw[p.i] == ',' {
			p.i++
		}
	}
	p.i++
	return o, nil
}

func (p *parser) string() string {
	start, plain := p.i, true
	for p.i++; p.raw[p.i] != '"'; p.i++ {
		switch c := p.raw[p.i]; {
		case c == '\\':
			plain = false
			p.i++
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	p.i++
	if plain {
		return string(p.raw[start+1 : p.i-1])
	}
	var s string
	if json.Unmarshal(p.raw[start:p.i], &s) != nil { // it is valid JSON
		panic("backend: a valid JSON string cannot be read")
	}
	return s
}

// encode returns v as compact JSON with the keys of objects in their order.
func encode(v any) json.RawMessage { return appendJSON(nil, v) }

func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case *object:
		b = append(b, '{')
		for i, k := range v.keys {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendJSON(b, k), ':')
			b = appendJSON(b, v.m[k])
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, e)
		}
		return append(b, ']')
	case json.RawMessage:
		return append(b, v...)
	}
	return append(b, sim.MustCanonical(scalar(v))...)
}

// scalar passes everything through that sim.Canonical encodes as is.
func scalar(v any) any {
	if n, ok := v.(json.Number); ok {
		return json.RawMessage(n)
	}
	return v
}

// plain turns objects into maps: the form of sim.ParseJSON, which is what others are given.
func plain(v any) any {
	switch v := v.(type) {
	case *object:
		m := make(map[string]any, len(v.m))
		for k, e := range v.m {
			m[k] = plain(e)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, e := range v {
			l[i] = plain(e)
		}
		return l
	}
	return v
}
