package workspace

import (
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"benchwright/sim"
	"benchwright/tasks"
)

// A page is memory that messages are written in before their length is known.
type page struct{ b []byte }

var pages = sync.Pool{New: func() any { return &page{make([]byte, 0, 8<<10)} }}

// maxPage is the largest page that is used again.
const maxPage = 1 << 20

// done gives the page back, empty.
func (p *page) done() {
	if cap(p.b) <= maxPage {
		p.b = p.b[:0]
		pages.Put(p)
	}
}

// result returns the message with what a call gave. Turn 0 is no turn that is known.
func result(turn int, next string, c sim.Call, r sim.Result) (tasks.Message, error) {
	if len(r.Data) == 0 {
		return tasks.Message{}, fmt.Errorf("workspace: the result of %q has nothing to show: %s", clip(c.Name), clip(r.Fault))
	}
	draft := pages.Get().(*page)
	defer draft.done()
	args, err := draft.canonical(c.Arguments)
	data := r.Data
	if err == nil {
		data, err = draft.canonical(data)
	}
	if err != nil {
		return tasks.Message{}, fmt.Errorf("workspace: result of %q: %w", clip(c.Name), err)
	}
	p := pages.Get().(*page)
	defer p.done()
	b := append(p.b, "Tool result"...)
	if turn > 0 {
		b = strconv.AppendInt(append(b, " of turn "...), int64(turn), 10)
	}
	b = appendIndented(append(b, ":\n{\n  \"args\": "...), args, 1)
	b = appendIndented(append(b, ",\n  \"result\": "...), data, 1)
	b = sim.AppendCanonical(append(b, ",\n  \"tool\": "...), c.Name)
	p.b = append(append(b, "\n}\n\n"...), next...)
	return tasks.Message{Role: tasks.RoleUser, Tool: c.Name, Content: string(p.b)}, nil
}

// canonical returns the canonical form of JSON, written on the page where it is not that already.
// Nothing at all is an empty object.
func (p *page) canonical(raw json.RawMessage) (_ json.RawMessage, err error) {
	switch {
	case len(raw) == 0:
		return json.RawMessage("{}"), nil
	case sim.IsCanonical(raw):
		return raw, nil
	}
	from := len(p.b)
	p.b, err = sim.AppendCanonicalJSON(p.b, raw)
	return p.b[from:len(p.b):len(p.b)], err
}

// appendIndented appends compact JSON as json.Indent writes it with two spaces, within that many
// levels.
func appendIndented(b []byte, raw json.RawMessage, level int) []byte {
	from := 0 // what is not yet appended
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			for i++; raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
		case ':':
			b = append(append(b, raw[from:i+1]...), ' ')
			from = i + 1
		case ',':
			b = newLine(append(b, raw[from:i+1]...), level)
			from = i + 1
		case '{', '[':
			if raw[i+1] == raw[i]+2 { // empty; in ASCII the closing bracket is the next but one
				i++
				continue
			}
			level++
			b = newLine(append(b, raw[from:i+1]...), level)
			from = i + 1
		case '}', ']':
			level--
			b = newLine(append(b, raw[from:i]...), level)
			from = i
		}
	}
	return append(b, raw[from:]...)
}

func newLine(b []byte, level int) []byte {
	b = append(b, '\n')
	for range level {
		b = append(b, "  "...)
	}
	return b
}
