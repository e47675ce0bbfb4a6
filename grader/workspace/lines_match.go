package workspace

import (
	"slices"
)

// A matching is a text taken apart by what rows demand of it.
type matching struct {
	rows  Lines
	cells [][]*wanted // of each row, nil where it demands nothing
	s     *saying
	key   int      // the column that tells the rows apart, or -1
	found [][]hits // of each cell of each row
	rival [][]hits // what other rows have in its column instead
	keys  []keyHit // in order, where rows can be told apart
	units []span   // the parts that may stand for a row
	fit   []int    // of each row, where its line has what identifies it, or -1
}

// hits are the places of a cell, in order.
type hits []span

func (h hits) within(u span) bool { return h.first(u) >= 0 }

// first returns the first place within a part, or -1.
func (h hits) first(u span) int {
	i, _ := slices.BinarySearchFunc(h, u.from, func(s span, at int) int { return s.from - at })
	if i < len(h) && h[i].to <= u.to {
		return h[i].from
	}
	return -1
}

type keyHit struct {
	span
	row int
}

func (r Lines) match(s *saying) *matching {
	m := &matching{rows: r, s: s, key: r.keyColumn(), cells: r.wanted(s)}
	spots := make([]hits, 2*len(r)*r.width())
	row := func(n int) (out []hits) {
		out, spots = spots[:n:n], spots[n:]
		return out
	}
	m.found, m.rival = make([][]hits, len(r)), make([][]hits, len(r))
	for i, cells := range m.cells {
		m.found[i] = row(len(cells))
		for c, w := range cells {
			if w != nil {
				m.found[i][c] = w.found
			}
		}
	}
	for i, cells := range m.cells {
		rival := row(len(cells))
		for c := range cells {
			for _, w := range m.rivals(i, c) {
				for _, p := range w.found {
					// Within what the row says itself, as a name in a longer one, it is none.
					if !inAny(m.found[i], p) && m.bare(p) {
						rival[c] = append(rival[c], p)
					}
				}
			}
			slices.SortFunc(rival[c], func(a, b span) int { return a.from - b.from })
		}
		m.rival[i] = rival
	}
	if m.key >= 0 && len(r) > 1 {
		for i := range r {
			for _, p := range m.found[i][m.key] {
				m.keys = append(m.keys, keyHit{p, i})
			}
		}
		slices.SortFunc(m.keys, func(a, b keyHit) int {
			if a.from != b.from {
				return a.from - b.from
			}
			return b.to - a.to
		})
		end := 0
		m.keys = slices.DeleteFunc(m.keys, func(k keyHit) bool { // a name in a longer one
			in := k.from < end
			end = max(end, k.to)
			return in
		})
	}
	m.cut()
	m.assign()
	return m
}

// bare reports whether a place is no number in the middle of an identifier or date.
func (m *matching) bare(p span) bool {
	if !plainNumber(m.s.text[p.from:p.to]) {
		return true
	}
	all := m.s.quantities()
	i, ok := slices.BinarySearchFunc(all, p.from, func(q quantity, at int) int { return q.from - at })
	return !ok || all[i].bare
}

func inAny(all []hits, p span) bool {
	return slices.ContainsFunc(all, func(h hits) bool { return h.around(p) })
}

// around reports whether a part lies within one of the places, of which few overlap.
func (h hits) around(p span) bool {
	i, _ := slices.BinarySearchFunc(h, p.from+1, func(s span, at int) int { return s.from - at })
	return slices.ContainsFunc(h[max(0, i-4):i], func(o span) bool { return o.holds(p) })
}

// fits reports whether a part stands for a row: it says every cell, and nothing that another row has
// instead.
func (m *matching) fits(row int, u span) bool {
	for c, v := range m.rows[row] {
		if v != "" && !m.found[row][c].within(u) || m.rival[row][c].within(u) {
			return false
		}
	}
	return !m.misplaced(row, u)
}

// crossed reports whether a part says what another row has instead of what its own has.
func (m *matching) crossed(row int, u span) bool {
	for c, h := range m.rival[row] {
		if h.within(u) && !m.found[row][c].within(u) {
			return true
		}
	}
	return false
}

// named returns the keys in a part.
func (m *matching) named(u span) []keyHit {
	i, _ := slices.BinarySearchFunc(m.keys, u.from, func(k keyHit, at int) int { return k.from - at })
	j := i
	for j < len(m.keys) && m.keys[j].to <= u.to {
		j++
	}
	return m.keys[i:j]
}

func several(keys []keyHit) bool {
	return slices.ContainsFunc(keys, func(k keyHit) bool { return k.row != keys[0].row })
}

// assign finds a line for each row. Parts in which what identifies the row stands at the same place are one line.
func (m *matching) assign() {
	anchors := make([][]int, len(m.rows))
	var all []int
	for i := range m.rows {
		k := m.key
		if k < 0 {
			k = slices.IndexFunc(m.rows[i], func(v string) bool { return v != "" })
		}
		for _, u := range m.units {
			if m.fits(i, u) {
				a := m.found[i][k].first(u)
				anchors[i] = append(anchors[i], a)
				all = append(all, a)
			}
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	m.fit = assign(len(m.rows), len(all), func(row, a int) bool { return slices.Contains(anchors[row], all[a]) })
	for i, a := range m.fit {
		if a >= 0 {
			m.fit[i] = all[a]
		}
	}
}

// missing words the rows that no line stands for.
func (m *matching) missing() (out []string) {
	for i, a := range m.fit {
		if a < 0 {
			out = append(out, "has no line of its own that says "+quoted(filled(m.rows[i])))
		}
	}
	return out
}
