package workspace

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"benchwright/sim"
)

// Arguments in a table are written as people write them: names and values, in JSON or without
// its quotes and outer braces.
//
//	origin: Desk Mini, widget_id: open_orders, data_args: {status: Open, limit: 5, desks: [EU, US]}
//
// A bare value ends at a comma, brace or bracket; numbers, true, false and null are what they
// are in JSON, and quotes make a string of anything.

// parseArguments reads arguments as a JSON object with its keys in their order.
func parseArguments(text string) (json.RawMessage, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return json.RawMessage("{}"), nil
	}
	p := &notation{text: text}
	var b strings.Builder
	var err error
	if text[0] == '{' {
		err = p.value(&b, 0, "")
	} else {
		err = p.object(&b, 0, false)
	}
	if err == nil && p.at < len(text) {
		err = p.fail("text after the arguments: %q", clip(text[p.at:]))
	}
	if err != nil {
		return nil, err
	}
	if _, err := sim.ParseJSON([]byte(b.String())); err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	return json.RawMessage(b.String()), nil
}

// parseValue reads one value. All of the text is it: a comma does not end a bare one.
func parseValue(text string) (json.RawMessage, error) {
	text = strings.TrimSpace(text)
	if text != "" && strings.IndexByte(`{["`, text[0]) >= 0 {
		p := &notation{text: text}
		var b strings.Builder
		if err := p.value(&b, 0, ""); err != nil {
			return nil, err
		}
		if p.at == len(text) {
			if _, err := sim.ParseJSON([]byte(b.String())); err != nil {
				return nil, err
			}
			return json.RawMessage(b.String()), nil
		}
	}
	return bare(text), nil
}

// A notation is a text being read.
type notation struct {
	text string
	at   int
}

func (p *notation) fail(format string, args ...any) error {
	return fmt.Errorf("arguments, column %d: "+format, append([]any{p.at + 1}, args...)...)
}

func (p *notation) space() {
	for p.at < len(p.text) && unicode.IsSpace(rune(p.text[p.at])) {
		p.at++
	}
}

// next reports whether c comes next, and passes it.
func (p *notation) next(c byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		p.space()
		return true
	}
	return false
}

var keyPattern = regexp.MustCompile(`^(?:"(?:[^"\\]|\\.)*"|[\pL_$][\pL\pN_.$ -]*?)\s*:`)

// object reads members up to the closing brace, or to the end where there is none.
func (p *notation) object(b *strings.Builder, depth int, braced bool) error {
	if depth > 50 {
		return p.fail("nested too deep")
	}
	b.WriteByte('{')
	for i := 0; ; i++ {
		if braced && i == 0 && p.next('}') {
			break
		}
		p.space()
		m := keyPattern.FindString(p.text[p.at:])
		if m == "" {
			return p.fail("want a name and a colon, found %q", clip(p.text[p.at:]))
		}
		p.at += len(m)
		p.space()
		key := strings.TrimSpace(strings.TrimSuffix(m, ":"))
		if key[0] != '"' {
			key = string(sim.MustCanonical(key))
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(key + ":")
		ends := ","
		if braced {
			ends = ",}"
		}
		if err := p.value(b, depth+1, ends); err != nil {
			return err
		}
		if p.next(',') {
			continue
		}
		if braced && !p.next('}') {
			return p.fail("want , or } after the value of %s", key)
		}
		break
	}
	b.WriteByte('}')
	return nil
}

// value reads a value. A bare one ends at one of ends.
func (p *notation) value(b *strings.Builder, depth int, ends string) error {
	p.space()
	if p.at == len(p.text) {
		return p.fail("want a value")
	}
	switch p.text[p.at] {
	case '{':
		p.at++
		return p.object(b, depth, true)
	case '[':
		p.at++
		return p.list(b, depth)
	case '"':
		d := json.NewDecoder(strings.NewReader(p.text[p.at:]))
		var s json.RawMessage
		if err := d.Decode(&s); err != nil {
			return p.fail("a string that does not end, or holds a wrong escape")
		}
		p.at += int(d.InputOffset())
		b.Write(s)
		p.space()
		return nil
	}
	n := strings.IndexAny(p.text[p.at:], ends)
	if n < 0 {
		n = len(p.text) - p.at
	}
	word := strings.TrimSpace(p.text[p.at : p.at+n])
	if word == "" {
		return p.fail("want a value")
	}
	p.at += n
	b.Write(bare(word))
	return nil
}

func (p *notation) list(b *strings.Builder, depth int) error {
	if depth > 50 {
		return p.fail("nested too deep")
	}
	b.WriteByte('[')
	for i := 0; ; i++ {
		if i == 0 && p.next(']') {
			break
		}
		if i > 0 {
			b.WriteByte(',')
		}
		if err := p.value(b, depth+1, ",]"); err != nil {
			return err
		}
		if p.next(',') {
			continue
		}
		if !p.next(']') {
			return p.fail("want , or ] in the list")
		}
		break
	}
	b.WriteByte(']')
	return nil
}

// bare returns the JSON of a word without quotes.
func bare(word string) json.RawMessage {
	if (word == "true" || word == "false" || word == "null" || numberPattern.MatchString(word)) && json.Valid([]byte(word)) {
		return json.RawMessage(word)
	}
	return sim.MustCanonical(word)
}

var numberPattern = regexp.MustCompile(`^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$`)
