package workspace

import (
	"fmt"
	"slices"
	"strings"

	"benchwright/grader"
)

// unexpected lists what a text says beside its rows: a line that gives a row what belongs to another; and, where the rows are
// all that may be said, lines about other things of their kind. Those are what is written as the keys are
// (BR-2041, BR-2046: any BR- with digits), and what the column that holds the keys had beside them in the data that was read.
// For what must not be said any mention counts, denied or not.
func (m *matching) unexpected(ev grader.Evidence, only bool) (out []string) {
	if m.s.long {
		out = append(out, "goes on behind what is read of it, "+plural(maxSaid, "byte"))
	}
	if all := m.s.mentioned(); all != m.s {
		m = m.rows.match(all)
	}
	columns := m.columns(ev)
	for _, l := range m.s.textLines() {
		for _, p := range m.statements(l) {
			keys := m.named(p)
			if len(keys) == 0 {
				continue
			}
			if !several(keys) {
				if m.crossed(keys[0].row, p) {
					out = append(out, m.contradicts(keys[0].row, p))
				} else if m.differs(keys[0].row, p, columns) {
					out = append(out, fmt.Sprintf("says of %s something else as well: %s", quote(m.rows[keys[0].row][m.key]), quote(strings.TrimSpace(m.s.text[p.from:p.to]))))
				}
				continue
			}
			clean := false
			sides := m.sides(p, keys)
			for _, s := range sides {
				clean = clean || !slices.ContainsFunc(s, func(k keyHit) bool { return m.crossed(k.row, k.span) })
			}
			if !clean {
				out = append(out, m.contradicts(keys[0].row, p))
			}
		}
	}
	if !only {
		return out
	}
	for _, k := range m.others(ev) {
		out = append(out, fmt.Sprintf("says %s, which is none of what was asked for", quote(k)))
	}
	return append(out, m.again()...)
}

func (m *matching) contradicts(row int, p span) string {
	return fmt.Sprintf("says of %s what belongs to another: %s", quote(m.rows[row][m.key]), quote(strings.TrimSpace(m.s.text[p.from:p.to])))
}

// statements are the parts of a line that say one thing each.
func (m *matching) statements(l textLine) []span {
	if len(m.keys) == 0 {
		return nil
	}
	if l.row {
		return []span{l.span}
	}
	return l.sentence
}

// again lists rows of a table that are there beside those that stand for what was demanded.
func (m *matching) again() (out []string) {
	for _, l := range m.s.textLines() {
		if !l.row {
			continue
		}
		at, row := -1, 0
		if keys := m.named(l.span); len(keys) > 0 {
			at, row = keys[0].from, keys[0].row
		} else if len(m.rows) == 1 && m.key == 0 {
			at = m.found[0][0].first(l.span)
		}
		if at >= 0 && m.fit[row] >= 0 && at != m.fit[row] {
			out = append(out, "has one more row: "+quote(m.s.text[l.from:l.to]))
		}
	}
	return out
}
