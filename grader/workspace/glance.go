package workspace

import (
	"encoding/json"
	"strconv"
)

// A glance goes over canonical JSON and decodes nothing but what is asked for. Evidence is canonical
// and large, and a rule wants two or three texts of it. What is not written as it should be is
// bad: then it is decoded as a whole, slowly.
type glance struct {
	raw []byte
	at  int
	bad bool
}

func (g *glance) peek() byte {
	if g.at < len(g.raw) {
		return g.raw[g.at]
	}
	return 0
}

// enter steps into the object or list that opens like that and holds something. Anything else it
// steps over. It goes with more:
//
//	for ok := g.enter('['); ok; ok = g.more() {
//		g.value()
//	}
func (g *glance) enter(open byte) bool {
	if g.bad {
		return false
	}
	if g.peek() != open {
		g.value()
		return false
	}
	if g.at++; g.peek() == open+2 { // the bracket that closes it
		g.at++
		return false
	}
	return true
}

// more steps over what follows an element, and reports whether that is another one.
func (g *glance) more() bool {
	c := g.peek()
	g.at++
	if c != ',' && c != '}' && c != ']' {
		g.bad = true
	}
	return c == ',' && !g.bad
}

// key reads the key of a member, and the colon.
func (g *glance) key() []byte {
	if g.bad || g.peek() != '"' {
		g.bad = true
		return nil
	}
	end, escaped := stringEnd(g.raw, g.at)
	if end < 0 || escaped || end+1 >= len(g.raw) || g.raw[end+1] != ':' {
		g.bad = true
		return nil
	}
	k := g.raw[g.at+1 : end]
	g.at = end + 2
	return k
}

// value steps over a value within an object or list and returns it.
func (g *glance) value() json.RawMessage {
	if g.bad {
		return nil
	}
	start, end := g.at, valueEnd(g.raw, g.at)
	if end <= start {
		g.bad = true
		return nil
	}
	g.at = end
	return g.raw[start:end:end]
}

// text reads a text; anything else is bad.
func (g *glance) text() string {
	s, ok := plainText(g.value())
	g.bad = g.bad || !ok
	return s
}

// A whole is the value at a place, of which texts are parts that take no memory of their own.
type whole struct {
	text string
	at   int
}

// whole returns the value at the position and stays there.
func (g *glance) whole() whole {
	if end := valueEnd(g.raw, g.at); !g.bad && end > g.at {
		return whole{string(g.raw[g.at:end]), g.at}
	}
	return whole{}
}

// textIn is text as a part of what is around it.
func (g *glance) textIn(w whole) string {
	from := g.at - w.at
	raw := g.value()
	if end, escaped := stringEnd(raw, 0); len(raw) > 1 && raw[0] == '"' && end == len(raw)-1 && !escaped {
		return w.text[from+1 : from+end]
	}
	s, ok := plainText(raw)
	g.bad = g.bad || !ok
	return s
}

// textOrNull is text that may be null.
func (g *glance) textOrNull() *string {
	if g.peek() == 'n' {
		g.bad = g.bad || string(g.value()) != "null"
		return nil
	}
	s := g.text()
	return &s
}

// number reads a whole number; anything else is bad.
func (g *glance) number() int {
	n, err := strconv.Atoi(string(g.value()))
	g.bad = g.bad || err != nil
	return n
}

// plainText decodes a JSON text. False means that it is none.
func plainText(raw json.RawMessage) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	end, escaped := stringEnd(raw, 0)
	if end == len(raw)-1 && !escaped {
		return string(raw[1:end]), true
	}
	s, ok := parsed(raw).(string)
	return s, ok
}

// lookup returns the value of a key of an object, nil where it has none. False means that this cannot be told
// without decoding.
func lookup(raw json.RawMessage, key string) (value json.RawMessage, ok bool) {
	g := glance{raw: raw}
	if g.peek() != '{' {
		return nil, false
	}
	for ok := g.enter('{'); ok; ok = g.more() {
		switch k := g.key(); {
		case string(k) != key:
			g.value()
		case value != nil:
			return nil, false
		default:
			value = g.value()
		}
	}
	return value, !g.bad && g.at == len(raw)
}

// textAt returns the text under a key, "" where there is none.
func textAt(raw json.RawMessage, key string) string {
	if v, ok := lookup(raw, key); ok {
		if len(v) == 0 || v[0] != '"' {
			return ""
		}
		if s, ok := plainText(v); ok {
			return s
		}
	}
	return argument(parsed(raw), key)
}
