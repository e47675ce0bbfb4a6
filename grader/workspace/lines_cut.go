package workspace

import (
	"slices"
	"strings"
)

// mostUnits is how many parts of a text are looked at as lines.
const mostUnits = 4096

// cut finds the parts that may stand for a row.
func (m *matching) cut() {
	lines := m.s.textLines()
	for i, l := range lines {
		if l.blank() || len(m.units) > mostUnits {
			continue
		}
		table := len(m.rows) > 1
		if table || l.row || l.item && !strings.Contains(m.s.text[l.from:l.to], ";") {
			m.units = append(m.units, l.span)
		}
		if !l.row {
			m.apart(l)
		}
		if table {
			m.sections(lines, i)
		}
		if m.leads(l, lines, i) {
			end := beneath(lines, i)
			for j := i + 1; j < end; j++ {
				if k := m.named(lines[j].span); len(k) > 0 && (several(k) || k[0].row != m.named(l.span)[0].row) {
					end = j
				}
			}
			m.units = append(m.units, span{l.from, lines[end-1].to})
		}
	}
}

// sections adds what begins at a line and names one row alone: the lines up to a blank one, and what a
// heading or the like introduces.
func (m *matching) sections(lines []textLine, i int) {
	l := lines[i]
	var ends []int
	if i == 0 || lines[i-1].blank() || l.level > 0 || l.lead {
		j := i + 1
		for j < min(len(lines), i+mostBeneath) && !lines[j].blank() && lines[j].level == 0 {
			j++
		}
		ends = append(ends, j)
	}
	if l.level > 0 || l.lead {
		ends = append(ends, beneath(lines, i))
	}
	for _, end := range ends {
		if slices.ContainsFunc(lines[i:end], func(l textLine) bool { return l.row }) {
			continue
		}
		u := span{l.from, lines[end-1].to}
		if k := m.named(u); len(k) > 0 && !several(k) && end > i+1 {
			m.units = append(m.units, u)
		}
	}
}

// leads reports whether a line introduces what stands beneath it as a row's own.
func (m *matching) leads(l textLine, lines []textLine, i int) bool {
	if l.row {
		return false
	}
	if len(m.keys) > 0 || len(m.rows) > 1 {
		k := m.named(l.span)
		return len(k) > 0 && !several(k)
	}
	nested := i+1 < len(lines) && l.item && lines[i+1].indent > l.indent
	return (l.level > 0 || l.lead || nested) && slices.ContainsFunc(m.found[0], func(h hits) bool { return h.within(l.span) })
}

// apart takes a line apart: into its sentences, with those that name no row added to the one before, and these at what
// identifies rows where they name several.
func (m *matching) apart(l textLine) {
	if len(m.keys) == 0 {
		m.units = append(m.units, l.sentence...)
		return
	}
	var parts []span
	for _, s := range l.sentence {
		if n := len(parts); n > 0 && len(m.named(s)) == 0 {
			if k := m.named(parts[n-1]); len(k) > 0 && !several(k) {
				m.units = append(m.units, parts[n-1]) // what was said so far may be all about it
			}
			parts[n-1].to = s.to
			continue
		}
		parts = append(parts, s)
	}
	for _, p := range parts {
		keys := m.named(p)
		if len(keys) > 0 && !several(keys) {
			m.units = append(m.units, p)
		}
		for _, sides := range m.sides(p, keys) {
			if !slices.ContainsFunc(sides, func(k keyHit) bool { return !m.fits(k.row, k.span) }) {
				for _, k := range sides {
					m.units = append(m.units, k.span)
				}
				break
			}
		}
	}
}

// sides takes a part that names several rows apart: with their keys first, with their keys last, and at
// the words and commas between its clauses.
func (m *matching) sides(p span, keys []keyHit) (out [][]keyHit) {
	if len(keys) == 0 || !several(keys) {
		return nil
	}
	var first, last []keyHit
	from := p.from
	for i, k := range keys {
		to := p.to
		if i+1 < len(keys) {
			to = keys[i+1].from
		}
		first = append(first, keyHit{span{k.from, to}, k.row})
		last = append(last, keyHit{span{from, k.to}, k.row})
		from = k.to
	}
	out = append(out, first, last)
	for _, marks := range [][]string{{" and ", " while ", " whereas ", " but "}, {" and ", " while ", " whereas ", " but ", ", "}} {
		if c := m.clauses(p, marks); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// clauses takes a part apart at marks. What names no row belongs to the clause before; where one names
// several there are none.
func (m *matching) clauses(p span, marks []string) (out []keyHit) {
	add := func(c span) bool {
		keys := m.named(c)
		switch n := len(out); {
		case len(keys) > 0 && several(keys):
			return false
		case len(keys) > 0:
			out = append(out, keyHit{c, keys[0].row})
		case n > 0:
			out[n-1].to = c.to
		}
		return true
	}
	from := p.from
	for i := p.from; i < p.to; i++ {
		for _, mark := range marks {
			if mark[0] == m.s.text[i] && strings.HasPrefix(m.s.text[i:p.to], mark) {
				if !add(span{from, i}) {
					return nil
				}
				from = i + len(mark)
				i = from - 1
				break
			}
		}
	}
	if !add(span{from, p.to}) {
		return nil
	}
	return out
}
