package workspace

import "slices"

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

// overlap reports whether two rectangles have a cell in common; touching edges are none.
func overlap(a, b *place) bool {
	return a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h
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
	placed := make([]*place, 0, len(order))
	bottom := d.base()
	for _, i := range order {
		p := d.widgets[i].at
		p.y = drop(rise(p, placed, d.base(), bottom), placed)
		if p.y != d.widgets[i].at.y {
			d.widgets[i] = d.widgets[i].moved(p)
		}
		placed = append(placed, &d.widgets[i].at)
		bottom = max(bottom, p.y+p.h)
	}
}

func less(yes bool) int {
	if yes {
		return -1
	}
	return 1
}

// rise moves p up, if the row above it is free, as far as that goes.
func rise(p place, placed []*place, base, bottom float64) place {
	p.y = min(p.y, bottom)
	if p.y <= base {
		return p
	}
	up := p
	up.y = max(p.y-1, base)
	top := base
	for _, q := range placed {
		if q.x >= p.x+p.w || p.x >= q.x+q.w {
			continue
		}
		switch {
		case q.y+q.h <= p.y: // above it
			top = max(top, q.y+q.h)
		case overlap(&up, q):
			return p
		}
	}
	p.y = top
	return p
}

// drop returns the first row from p's own on in which p overlaps nothing.
func drop(p place, placed []*place) float64 {
	for i := 0; i < len(placed); i++ {
		if overlap(&p, placed[i]) {
			p.y = placed[i].y + placed[i].h
			i = -1
		}
	}
	return p.y
}
