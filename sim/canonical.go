package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxDepth is how deep JSON from outside may nest.
const MaxDepth = 200

// What an agent says comes back inside the results and states of worlds, and all of it inside
// records, each some levels deeper. Each may therefore nest less than what will hold it, so that
// a record can be read.
const (
	MaxAgentDepth = 128 // arguments and answers of an agent
	MaxWorldDepth = 160 // results and states of a world
)

// Canonical returns v as canonical JSON: keys sorted by their bytes, no insignificant space,
// numbers spelled as they were (1.0 stays 1.0), strings in the shortest form of RFC 8259
// with invalid UTF-8 replaced by U+FFFD. Raw JSON in v is brought to the same form.
// A duplicate key in it is an error, as is nesting deeper than [MaxDepth].
func Canonical(v any) (json.RawMessage, error) {
	if s, ok := v.(string); ok {
		return appendString(make([]byte, 0, len(s)+2), s), nil
	}
	raw, ok := v.(json.RawMessage)
	if !ok {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			return nil, err
		}
		raw = b.Bytes()
	}
	c, err := AppendCanonicalJSON(nil, raw)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// MustCanonical is Canonical for values that cannot fail: plain data of the program's own.
func MustCanonical(v any) json.RawMessage {
	raw, err := Canonical(v)
	if err != nil {
		panic(fmt.Sprintf("sim: canonical JSON of %T: %v", v, err))
	}
	return raw
}

// ErrDuplicateKey is wrapped by ParseJSON's error when an object names a key twice.
var ErrDuplicateKey = errors.New("duplicate key")

// ParseJSON reads exactly one JSON value, surrounded by nothing but white space. Numbers are
// json.Number. Unlike encoding/json it refuses duplicate keys and bounds the nesting.
func ParseJSON(raw []byte) (any, error) {
	p := parser{text: string(raw)}
	p.space()
	if v, ok := p.value(0); ok {
		if p.space(); p.at == len(raw) {
			return v, nil
		}
	}
	return parseSlowly(raw)
}

// parseSlowly goes through the tokens one by one, and so can say what is wrong and where.
func parseSlowly(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	v, err := parseValue(d, 0)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("offset %d: text after the JSON value", d.InputOffset())
	}
	return v, nil
}

func parseValue(d *json.Decoder, depth int) (any, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("offset %d: nested deeper than %d", d.InputOffset(), MaxDepth)
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		m := map[string]any{}
		for d.More() {
			k, err := d.Token()
			if err != nil {
				return nil, err
			}
			key := k.(string)
			if _, dup := m[key]; dup {
				return nil, fmt.Errorf("offset %d: %w %q", d.InputOffset(), ErrDuplicateKey, key)
			}
			if m[key], err = parseValue(d, depth+1); err != nil {
				return nil, err
			}
		}
		_, err := d.Token()
		return m, err
	case json.Delim('['):
		a := []any{}
		for d.More() {
			v, err := parseValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			a = append(a, v)
		}
		_, err := d.Token()
		return a, err
	}
	return t, nil
}

func appendCanonical(b []byte, v any) []byte {
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		b = append(b, '{')
		for i, k := range keys {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, k), ':')
			b = appendCanonical(b, v[k])
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCanonical(b, e)
		}
		return append(b, ']')
	case string:
		return appendString(b, v)
	case json.Number:
		return append(b, v...)
	case bool:
		if v {
			return append(b, "true"...)
		}
		return append(b, "false"...)
	}
	return append(b, "null"...)
}

func appendString(b []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\r':
			b = append(b, '\\', 'r')
		case c == '\t':
			b = append(b, '\\', 't')
		case c == '\b':
			b = append(b, '\\', 'b')
		case c == '\f':
			b = append(b, '\\', 'f')
		case c < 0x20:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
