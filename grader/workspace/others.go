package workspace

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

// others lists the keys of other rows that a text mentions, whatever it says of them.
func (m *matching) others(ev grader.Evidence) (out []string) {
	c := max(0, m.key)
	var keys, bare []string
	for _, row := range m.rows {
		if v := m.rows.cell(row, c); v != "" {
			keys, bare = append(keys, v), append(bare, unmarked(v))
		}
	}
	add := func(k string) {
		if !slices.Contains(out, k) && !slices.Contains(bare, unmarked(k)) {
			out = append(out, k)
		}
	}
	if p := shapeOf(keys); p != nil {
		for _, t := range p.find(m.s.text) {
			add(m.s.text[t.from:t.to])
		}
		for _, k := range p.numbered(m.s) {
			add(k)
		}
	}
	for _, v := range columnOf(ev, keys) {
		if !slices.Contains(out, v) && !slices.Contains(keys, v) && m.says(v) {
			add(v)
		}
	}
	return out
}

// unmarked is a key without the marks between its letters and digits.
func unmarked(key string) string {
	return strings.Map(func(r rune) rune {
		if kindOf(r) == '.' {
			return -1
		}
		return r
	}, key)
}

// says reports whether a value is said elsewhere than in what is demanded.
func (m *matching) says(v string) bool {
	for _, p := range m.s.places(newFragment(v)) {
		if !slices.ContainsFunc(m.found, func(row []hits) bool { return inAny(row, p) }) {
			return true
		}
	}
	return false
}

// A shape is how identifiers are written: parts of letters, digits and marks.
type shape []shapePart

type shapePart struct {
	kind     byte // 'a' letters, '0' digits, '.' a mark
	text     string
	min, max int
}

// shapeOf returns the shape that all keys have, in which letters that they share are told from others. Without digits,
// or of nothing but digits, there is none: too much else is written like that.
func shapeOf(keys []string) shape {
	var out shape
	for i, k := range keys {
		p := partsOf(k)
		if i == 0 {
			out = p
			continue
		}
		if len(p) != len(out) {
			return nil
		}
		for j := range p {
			o := &out[j]
			if p[j].kind != o.kind || o.kind == '.' && p[j].text != o.text {
				return nil
			}
			if p[j].text != o.text {
				o.text = ""
			}
			o.min, o.max = min(o.min, p[j].min), max(o.max, p[j].max)
		}
	}
	digits := slices.ContainsFunc(out, func(p shapePart) bool { return p.kind == '0' })
	letters := slices.ContainsFunc(out, func(p shapePart) bool { return p.kind == 'a' })
	if !digits || !letters {
		return nil
	}
	return out
}

func kindOf(r rune) byte {
	switch {
	case unicode.IsLetter(r):
		return 'a'
	case '0' <= r && r <= '9':
		return '0'
	}
	return '.'
}

func partsOf(s string) (out shape) {
	for _, r := range s {
		k := kindOf(r)
		if n := len(out); n > 0 && out[n-1].kind == k && k != '.' {
			out[n-1].text += string(r)
			out[n-1].min++
			out[n-1].max++
			continue
		}
		out = append(out, shapePart{k, string(r), 1, 1})
	}
	return out
}

// known reports whether all letters of the shape are those of every key: then it is known between any marks, and with
// letters behind.
func (p shape) known() bool {
	return !slices.ContainsFunc(p, func(o shapePart) bool { return o.kind == 'a' && o.text == "" })
}

// find returns what has the shape in a text in lower case, as whole words.
func (p shape) find(text string) (out []span) {
	known := p.known()
	for i := 0; i < len(text); {
		if !wordAfter(text, i) {
			i++
			continue
		}
		end := wordEnd(text, i)
		if j := p.at(text, i, known); j > 0 && (known || !wordAfter(text, j)) {
			j = wordEnd(text, j)
			out = append(out, span{i, j})
			end = max(end, j)
		}
		i = end
	}
	return out
}

// wordEnd returns where the word ends that goes on at i.
func wordEnd(text string, i int) int {
	for i < len(text) && wordAfter(text, i) {
		_, n := utf8.DecodeRuneInString(text[i:])
		i += n
	}
	return i
}

// mostMarks is how many marks and blanks stand between the parts of a key at most.
const mostMarks = 5

// at returns where what has the shape ends, or 0. What is known by its letters may have other marks, and none, between
// its parts, if it has as many digits as the keys have.
func (p shape) at(text string, i int, known bool) int {
	other := false
	for _, part := range p {
		if part.kind == '.' && known && !strings.HasPrefix(text[i:], part.text) {
			other = true
			for n := 0; n < mostMarks && i < len(text) && text[i] != '\n' && !wordAfter(text, i); n++ {
				_, size := utf8.DecodeRuneInString(text[i:])
				i += size
			}
			continue
		}
		j, n := i, 0
		for _, r := range text[i:] {
			if kindOf(r) != part.kind || part.kind == '.' && n == 1 || part.kind == 'a' && known && n == part.max {
				break
			}
			j += len(string(r))
			n++
		}
		switch {
		case part.kind == '0' && (n == 0 || other && (n < part.min || n > part.max)), part.kind == '.' && text[i:j] != part.text,
			part.kind == 'a' && part.text != "" && text[i:j] != part.text,
			part.kind == 'a' && part.text == "" && (n < part.min || n > part.max):
			return 0
		}
		i = j
	}
	return i
}

// numbered returns the keys of the shape of which a text says no more than "no. 1987".
func (p shape) numbered(s *saying) (out []string) {
	n := len(p)
	if !p.known() || p[n-1].kind != '0' || slices.ContainsFunc(p[:n-1], func(o shapePart) bool { return o.kind == '0' }) {
		return nil
	}
	var before string
	for _, o := range p[:n-1] {
		before += o.text
	}
	for _, q := range s.quantities() {
		digits := s.text[q.from:q.to]
		if !q.bare || !allDigits(digits) || len(digits) < p[n-1].min || len(digits) > p[n-1].max {
			continue
		}
		label := strings.TrimRight(s.text[:q.from], " :"+marks)
		for _, w := range []string{"no.", "no", "nr.", "nr", "number", "#", "id"} {
			if strings.HasSuffix(label, w) && !wordBefore(label, len(label)-len(w)) {
				out = append(out, before+digits)
				break
			}
		}
	}
	return out
}

// columnOf returns what the column of the keys had in the data that was read. Columns of one name are one.
func columnOf(ev grader.Evidence, keys []string) []string {
	const most = 2000
	columns := map[string]map[string]bool{}
	for _, e := range ev.Trace {
		if e.Call.Name != world.GetWidgetData || !e.Result.OK() {
			continue
		}
		columnsIn(columns, parsed(resultData(e.Result.Data)), most)
	}
	var out []string
	for _, values := range columns {
		if slices.ContainsFunc(keys, func(k string) bool { return !values[k] }) {
			continue
		}
		for v := range values {
			if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	slices.Sort(out)
	return out
}

func columnsIn(columns map[string]map[string]bool, v any, most int) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			columnsIn(columns, e, most)
		}
	case map[string]any:
		for k, e := range v {
			text, ok := e.(string)
			if !ok {
				columnsIn(columns, e, most)
				continue
			}
			if columns[k] == nil {
				columns[k] = map[string]bool{}
			}
			if text = strings.ToLower(strings.TrimSpace(text)); len(text) > 1 && len(columns[k]) < most {
				columns[k][text] = true
			}
		}
	}
}
