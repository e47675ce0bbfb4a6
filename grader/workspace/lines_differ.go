package workspace

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"benchwright/grader"
)

// mostFigures is how many figures of one part are looked at.
const mostFigures = 50

// linkWords may stand between a name and the figure that is said of it directly.
var linkWords = strings.Fields("is are was were has have had made makes earned earns of at stands equals totals totalled : =")

// figure returns the number that a part says directly of what stands at a place: "HY-7 made 5", "HY-7: 5", but not "HY-7: 5
// days".
func (m *matching) figure(key span, u span) (quantity, bool) {
	all := m.s.quantities()
	i, _ := slices.BinarySearchFunc(all, key.to, func(q quantity, at int) int { return q.from - at })
	if i == len(all) || all[i].end > u.to || all[i].start-key.to > 40 || all[i].start < key.to || !all[i].bare {
		return quantity{}, false
	}
	q := all[i]
	link := m.s.text[key.to:q.start]
	if strings.IndexByte(link, '\n') >= 0 || link == "" {
		return quantity{}, false
	}
	verb := false
	for _, w := range strings.Fields(strings.NewReplacer(":", " : ", "=", " = ", "*", "", "`", "").Replace(link)) {
		if !slices.Contains(linkWords, w) {
			return quantity{}, false
		}
		verb = verb || len(w) > 1
	}
	if !verb && m.counts(q) {
		return quantity{}, false
	}
	return q, true
}

// counts reports whether a number counts what follows it: "5 days".
func (m *matching) counts(q quantity) bool {
	rest := strings.TrimLeft(m.s.text[q.end:], " *_`")
	if len(rest) == len(m.s.text)-q.end || q.scaled {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(r) && currencyAt(rest, 0) == 0
}

// own reports whether a number is one of the cells of a row.
func (m *matching) own(row int, q quantity) bool {
	return slices.ContainsFunc(m.cells[row], func(w *wanted) bool {
		return w != nil && slices.ContainsFunc(w.numbers, func(n quantity) bool {
			return q.unit == n.unit && (q.value.near(n.own) || q.own == n.own || q.other == n.own)
		})
	})
}

// numeric returns the first column besides the key in which a row has a number, or -1.
func (m *matching) numeric(row int) int {
	return slices.IndexFunc(m.cells[row], func(w *wanted) bool {
		return w != nil && w.number && (m.key < 0 || w != m.cells[row][m.key])
	})
}

// misplaced reports whether a part says directly of the first cell of a row another figure than the row's.
func (m *matching) misplaced(row int, u span) bool {
	k := max(0, m.key)
	if k >= len(m.cells[row]) || m.cells[row][k] == nil || m.cells[row][k].number || m.numeric(row) < 0 {
		return false
	}
	h := m.found[row][k]
	i, _ := slices.BinarySearchFunc(h, u.from, func(s span, at int) int { return s.from - at })
	for n := 0; n < mostFigures && i < len(h) && h[i].to <= u.to; i, n = i+1, n+1 {
		if q, ok := m.figure(h[i], u); ok && !m.own(row, q) {
			return true
		}
	}
	return false
}

// role is what a text calls a number: the word before it, but for small ones, or "" where it stands behind a comma or
// the like.
func (m *matching) role(q quantity) string {
	from := m.s.lineOf(q.start)
	before := m.s.text[from:q.start]
	if c := currencyBefore(before, len(before)); c < len(before) {
		before = before[:c]
	}
	for range 4 {
		before = strings.TrimRight(before, " *_`\"'")
		if before == "" || strings.HasSuffix(before, "–") || strings.HasSuffix(before, "—") || strings.IndexByte(",-|(", before[len(before)-1]) >= 0 {
			return ""
		}
		before = strings.TrimRight(before, ":= ")
		rest, w := lastWord(before)
		if inAny(m.found[0], span{from + len(rest), from + len(before)}) {
			return ""
		}
		if !slices.Contains([]string{"is", "was", "of", "a", "an", "the", "at", "to", "by", "an"}, w) {
			return w
		}
		before = rest
	}
	return ""
}

// roles are what a text calls a figure of a row where it says it.
func (m *matching) roles(row, c int) (out []string) {
	all := m.s.quantities()
	for _, p := range m.found[row][c][:min(mostFigures, len(m.found[row][c]))] {
		if i, ok := slices.BinarySearchFunc(all, p.from, func(q quantity, at int) int { return q.from - at }); ok {
			out = append(out, m.role(all[i]))
		}
	}
	return out
}

// differs reports whether a statement that names one row says of it another figure in the role that its own has, or corrects it, or
// says another than it should of those that stood in a column of the data that was read.
func (m *matching) differs(row int, p span, columns [][]string) bool {
	c := m.numeric(row)
	if c >= 0 && !m.found[row][c].within(p) {
		if m.misplaced(row, p) {
			return true
		}
		correction := strings.Contains(m.s.text[p.from:p.to], "correct")
		roles := m.roles(row, c)
		all := m.s.quantities()
		i, _ := slices.BinarySearchFunc(all, p.from, func(q quantity, at int) int { return q.from - at })
		for n := 0; n < mostFigures && i < len(all) && all[i].to <= p.to; i, n = i+1, n+1 {
			q := all[i]
			if !q.bare || q.unit != "" || inAny(m.found[row], span{q.from, q.to}) || m.counts(q) {
				continue
			}
			if correction || slices.Contains(roles, m.role(q)) {
				return true
			}
		}
	}
	for c, values := range columns {
		if c >= len(m.found[row]) || m.cells[row][c] == nil || m.found[row][c].within(p) {
			continue
		}
		text := &saying{text: m.s.text[p.from:p.to]}
		if slices.ContainsFunc(values, func(v string) bool { return text.says(v) }) {
			return true
		}
	}
	return false
}

// columns returns for each column but the key's what the data that was read had there besides the cells of rows.
func (m *matching) columns(ev grader.Evidence) [][]string {
	out := make([][]string, m.rows.width())
	for c := range out {
		var cells []string
		for _, row := range m.rows {
			if v := m.rows.cell(row, c); v != "" {
				cells = append(cells, v)
			}
		}
		if c != m.key && len(cells) > 0 {
			out[c] = slices.DeleteFunc(columnOf(ev, cells), func(v string) bool { return slices.Contains(cells, v) })
		}
	}
	return out
}
