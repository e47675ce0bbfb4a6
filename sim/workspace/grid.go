package workspace

import (
	"cmp"
	"slices"
)

// The grid of a tab: GridWidth columns and rows without end. A navigation bar takes the first
// barHeight rows.
const (
	GridWidth = 40
	barHeight = 2
)

// The size of a widget that nobody gave one.
const (
	defaultWidth, defaultHeight     = 20, 10
	generatedWidth, generatedHeight = 20, 8
	chartWidth, chartHeight         = 24, 12
)

// maxCoordinate bounds what is taken for a coordinate, so that sums of them stay exact.
const maxCoordinate = 1e9

// bounded brings a coordinate of a manifest into reach.
func bounded(f float64) float64 { return min(max(f, -maxCoordinate), maxCoordinate) }

// base is the first row for content.
func (d *dashboard) base() float64 {
	if d.bar {
		return barHeight
	}
	return 0
}

// freeRow is the first row below everything on a tab: the place of a widget that nobody placed.
func (d *dashboard) freeRow(tab string) float64 {
	row := d.base()
	for _, w := range d.widgets {
		if w.at.tab == tab {
			row = max(row, w.at.y+w.at.h)
		}
	}
	return row
}

// settle closes the gaps on a tab as the live grid does after each change of it. Widgets are
// taken by row and column; of two on one corner the incumbent comes before newest, the index of
// the widget that was just put there, or -1. Each rises until it touches one that was taken
// before it, or the first row of content, and is pushed below whatever it still overlaps.
//
// Columns and sizes never change. A widget without an area takes no part: it stays where it was
// put and nothing minds it. Neither do widgets above the first row of content sink to it.
//
// The dashboard must be a copy that nobody else has seen; widgets that move are replaced.
func (d *dashboard) settle(tab string, newest int) {
	order := make([]int, 0, len(d.widgets))
	for i, w := range d.widgets {
		if w.at.tab == tab && w.at.w > 0 && w.at.h > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &d.widgets[i].at, &d.widgets[j].at
		switch {
		case a.y != b.y:
			return less(a.y < b.y)
		case a.x != b.x:
			return less(a.x < b.x)
		case i == newest || j == newest:
			return less(j == newest)
		}
		return i - j
	})
	room := make([]*place, 32)
	sw := sweep{base: d.base(), bottom: d.base(), ahead: room[:0:16], behind: room[16:16]}
	for _, i := range order {
		if y := sw.row(&d.widgets[i].at); y != d.widgets[i].at.y {
			p := d.widgets[i].at
			p.y = y
			d.widgets[i] = d.widgets[i].moved(p)
		}
		sw.place(&d.widgets[i].at)
	}
}

func less(yes bool) int {
	if yes {
		return -1
	}
	return 1
}

// A sweep goes down a tab while its widgets settle. Widgets come in the order of their rows, so
// a placed one whose end has been passed matters no more but as what others rise to. What a
// widget costs is in proportion to the few that are still ahead, and to the few of those behind
// that can be seen from below; not to all that were placed.
type sweep struct {
	base, bottom float64  // the first row of content; the first row below everything
	ahead        []*place // end below the sweep, in the order of their ends
	behind       []*place // end at or above it, save those that another one hides
}

// row returns the row in which the next widget comes to rest.
func (s *sweep) row(p *place) float64 {
	y := min(p.y, s.bottom)
	s.pass(y)
	return s.drop(p, s.rise(p, y))
}

// pass moves the sweep down to a row.
func (s *sweep) pass(y float64) {
	n := 0
	for n < len(s.ahead) && s.ahead[n].end() <= y {
		q := s.ahead[n]
		s.behind = slices.DeleteFunc(s.behind, func(b *place) bool {
			return q.x <= b.x && b.x+b.w <= q.x+q.w && b.end() <= q.end()
		})
		s.behind = append(s.behind, q)
		n++
	}
	s.ahead = slices.Delete(s.ahead, 0, n)
}

// rise returns how far p moves up from the row of the sweep, if the row above it is free.
func (s *sweep) rise(p *place, y float64) float64 {
	if y <= s.base {
		return y
	}
	up := max(y-1, s.base)
	for _, q := range s.ahead {
		if p.beside(q) && q.y < up+p.h {
			return y
		}
	}
	top := s.base
	for _, q := range s.behind {
		if p.beside(q) {
			top = max(top, q.end())
		}
	}
	return top
}

// drop returns the first row from y on in which p overlaps nothing. Nothing behind the sweep is
// in the way, and what has been passed by is not met again, since ends only grow.
func (s *sweep) drop(p *place, y float64) float64 {
	for _, q := range s.ahead {
		if q.y < y+p.h && y < q.end() && p.beside(q) {
			y = q.end()
		}
	}
	return y
}

// place puts a widget that has come to rest ahead.
func (s *sweep) place(p *place) {
	at := len(s.ahead)
	if at > 0 && s.ahead[at-1].end() > p.end() {
		at, _ = slices.BinarySearchFunc(s.ahead, p, func(a, b *place) int { return cmp.Compare(a.end(), b.end()) })
	}
	s.ahead = slices.Insert(s.ahead, at, p)
	s.bottom = max(s.bottom, p.end())
}

// end is the first row below a widget.
func (p *place) end() float64 { return p.y + p.h }

// beside reports whether two widgets have a column in common.
func (p *place) beside(q *place) bool { return q.x < p.x+p.w && p.x < q.x+q.w }
