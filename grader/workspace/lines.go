package workspace

import (
	"slices"
	"strings"
)

// Lines is what a text must say line by line: what stands in a row must stand together in one
// line, and each line stands for one row.
//
// A line is a row of a table, an item, a line or block of its own, a heading or "BR-2041:" with what stands beneath, or a
// sentence. It must hold every cell of its row and nothing that another row has in the same column instead, so
// that a line that says everything says nothing. Where a line or sentence names several rows, it is taken apart at
// what identifies them, the first column in which no two rows are equal: this comes first, or last, or once in each
// clause, in the same way for all that are named in it.
type Lines [][]string

// keyColumn returns the first column in which every row has a value of its own, or -1.
func (r Lines) keyColumn() int {
	for c := range r.width() {
		seen := map[string]bool{}
		for _, row := range r {
			if v := r.cell(row, c); v != "" {
				seen[v] = true
			}
		}
		if len(seen) == len(r) {
			return c
		}
	}
	return -1
}

func (r Lines) width() (n int) {
	for _, row := range r {
		n = max(n, len(row))
	}
	return n
}

func (r Lines) cell(row []string, c int) string {
	if c >= len(row) {
		return ""
	}
	return strings.ToLower(row[c])
}

// rivals returns what other rows have in a column where this one has something else.
func (m *matching) rivals(i, c int) (out []*wanted) {
	if m.cells[i][c] == nil {
		return nil
	}
	for j, other := range m.cells {
		if c >= len(other) || other[c] == nil || j == i || slices.Contains(out, other[c]) {
			continue
		}
		own := slices.ContainsFunc(m.cells[i], func(w *wanted) bool { return w != nil && w.itself().holds(&other[c].fragment) })
		if !own {
			out = append(out, other[c])
		}
	}
	return out
}

// A wanted is a cell of the rows. Equal cells are one.
type wanted struct {
	fragment
	own   saying // what it says itself
	found hits   // where the text says it
}

func (w *wanted) itself() *saying {
	w.own.text = w.text
	return &w.own
}

func (r Lines) wanted(s *saying) [][]*wanted {
	known := map[string]*wanted{}
	cells := make([]*wanted, len(r)*r.width())
	out := make([][]*wanted, len(r))
	for i, row := range r {
		out[i], cells = cells[:len(row):len(row)], cells[len(row):]
		for c, v := range row {
			if v == "" {
				continue
			}
			v = strings.ToLower(v)
			w := known[v]
			if w == nil {
				w = &wanted{fragment: *newFragment(v)}
				w.found = s.places(&w.fragment)
				slices.SortFunc(w.found, func(a, b span) int { return a.from - b.from })
				w.found = slices.Compact(w.found)
				known[v] = w
			}
			out[i][c] = w
		}
	}
	return out
}

func filled(row []string) []string {
	return slices.DeleteFunc(slices.Clone(row), func(s string) bool { return s == "" })
}

func (r Lines) all() (out []string) {
	for _, row := range r {
		out = append(out, filled(row)...)
	}
	return out
}

// words says what is demanded.
func (r Lines) words(only bool) string {
	var out []string
	for _, row := range r {
		out = append(out, quoted(filled(row)))
	}
	return map[bool]string{true: "exactly these lines: ", false: "line by line: "}[only] + enough(out, "; ")
}

// extra reports whether there can be too much beside the rows.
func (r Lines) extra(only bool) bool { return only && len(r) > 0 || len(r) > 1 }

// check reports rows that demand nothing.
func (r Lines) check(reading Reading) error {
	if r == nil {
		return nil
	}
	if reading != Strict {
		return fixture("lines are read strictly, and not as published")
	}
	for i, row := range r {
		if len(filled(row)) == 0 {
			return fixture("line %d demands nothing", i+1)
		}
	}
	return nil
}
