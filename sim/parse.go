package sim

import (
	"encoding/json"
	"unicode/utf8"
)

// A parser reads JSON whose keys are all different. Its methods give up, and report so, where
// anything is wrong; what it is, parseSlowly knows. Strings without escapes are parts of the
// text, so that they cost no memory of their own.
type parser struct {
	text string
	at   int
}

func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) space() {
	for c := p.peek(); c == ' ' || c == '\n' || c == '\t' || c == '\r'; c = p.peek() {
		p.at++
	}
}

// value stands at no space, and leaves none behind itself.
func (p *parser) value(depth int) (any, bool) {
	switch p.peek() {
	case '{':
		if depth >= MaxDepth {
			return nil, false
		}
		m, ok := p.object(depth + 1)
		return m, ok
	case '[':
		if depth >= MaxDepth {
			return nil, false
		}
		l, ok := p.list(depth + 1)
		return l, ok
	case '"':
		s, ok := p.str()
		return s, ok
	}
	end, _ := ScanJSON(p.text, p.at)
	if end < 0 {
		return nil, false
	}
	word := p.text[p.at:end]
	p.at = end
	switch word {
	case "true":
		return true, true
	case "false":
		return false, true
	case "null":
		return nil, true
	}
	return json.Number(word), true
}

func (p *parser) object(depth int) (map[string]any, bool) {
	p.at++
	m := map[string]any{}
	if p.space(); p.peek() == '}' {
		p.at++
		return m, true
	}
	for n := 1; ; n++ {
		if p.peek() != '"' {
			return nil, false
		}
		key, ok := p.str()
		if !ok {
			return nil, false
		}
		if p.space(); p.peek() != ':' {
			return nil, false
		}
		p.at++
		p.space()
		v, ok := p.value(depth)
		if !ok {
			return nil, false
		}
		if m[key] = v; len(m) != n { // the key was there
			return nil, false
		}
		p.space()
		switch p.peek() {
		case ',':
			p.at++
			p.space()
		case '}':
			p.at++
			return m, true
		default:
			return nil, false
		}
	}
}

func (p *parser) list(depth int) ([]any, bool) {
	p.at++
	l := []any{}
	if p.space(); p.peek() == ']' {
		p.at++
		return l, true
	}
	for {
		v, ok := p.value(depth)
		if !ok {
			return nil, false
		}
		l = append(l, v)
		p.space()
		switch p.peek() {
		case ',':
			p.at++
			p.space()
		case ']':
			p.at++
			return l, true
		default:
			return nil, false
		}
	}
}

func (p *parser) str() (string, bool) {
	from := p.at
	plain, wide := true, false
	for i := from + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '"':
			p.at = i + 1
			s := p.text[from+1 : i]
			if plain && (!wide || utf8.ValidString(s)) {
				return s, true
			}
			var decoded string
			err := json.Unmarshal([]byte(p.text[from:i+1]), &decoded)
			return decoded, err == nil
		case c == '\\':
			plain = false
			i++
		case c < 0x20:
			return "", false
		case c >= utf8.RuneSelf:
			wide = true
		}
	}
	return "", false
}
