package workspace

import (
	"math"
	"slices"

	world "benchwright/sim/workspace"
)

// Settling is what the grid of a tab does after each change of it: every widget rises until it touches
// another, and makes room for one that was put where it was. Which rows the widgets come to depends on
// the order of the changes, so that there is not one outcome that is right. What can be told is
// whether a widget came to its row by others' going and coming, or was put there itself.

// A spot is a widget that only changed its row, or stayed where it was.
type spot struct {
	uuid    string
	was, is world.Layout
}

// settled returns the widgets of a dashboard whose row is another one only because the grid settled:
//
//   - One that rose lies on another, or on the first row, and has not passed one that was above it.
//   - One that sank lies on one that was moved or made, or on another that sank for such a one and was
//     not below it.
//
// target says whether a change of place is one that was asked for. Where nothing came, went or was
// asked to move, nothing settles.
func settled(was, is *world.Composition, target func(change) bool) map[string]bool {
	base := 0.0
	if is.NavigationBar {
		base = 2
	}
	moved := map[string]bool{}
	for _, tab := range tabIDs(was, is) {
		g := gravity{base: base}
		disturbed := false
		for i := range is.Widgets {
			w := &is.Widgets[i]
			old := was.Widget(w.UUID)
			asked := old != nil && !(rowAlone(old.Layout, w.Layout) && old.Layout.Y == w.Layout.Y) && target(change{board: is.DashboardID, aspect: "layout", key: w.UUID, was: layoutValue(old.Layout), is: layoutValue(w.Layout), widget: w})
			switch {
			case w.Layout.TabID != tab:
				disturbed = disturbed || old != nil && old.Layout.TabID == tab
			case old != nil && !asked && rowAlone(old.Layout, w.Layout):
				g.stayed = append(g.stayed, spot{w.UUID, old.Layout, w.Layout})
			default:
				disturbed = true
				g.put = append(g.put, w.Layout)
			}
		}
		for i := range was.Widgets {
			if w := &was.Widgets[i]; w.Layout.TabID == tab && is.Widget(w.UUID) == nil {
				disturbed = true
			}
		}
		for i := range g.stayed {
			if disturbed && g.explains(i) {
				moved[g.stayed[i].uuid] = true
			}
		}
	}
	return moved
}

func tabIDs(boards ...*world.Composition) (out []string) {
	for _, c := range boards {
		for i := range c.Widgets {
			if id := c.Widgets[i].Layout.TabID; !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

func layoutValue(l world.Layout) any { return plainValue(l) }

// rowAlone reports whether two layouts differ in their row alone, or not at all.
func rowAlone(a, b world.Layout) bool {
	a.Y = b.Y
	same := func(x, y *float64) bool { return x == y || x != nil && y != nil && *x == *y }
	return a.TabID == b.TabID && a.X == b.X && a.W == b.W && a.H == b.H &&
		same(a.MinW, b.MinW) && same(a.MinH, b.MinH) && same(a.MaxW, b.MaxW) && same(a.MaxH, b.MaxH)
}

// gravity is a tab after it has settled.
type gravity struct {
	base   float64
	stayed []spot
	put    []world.Layout // what was moved on purpose, or made
	sunk   map[int]bool   // what sank has answered
}

func (g *gravity) explains(i int) bool {
	s := &g.stayed[i]
	if s.was.W <= 0 || s.was.H <= 0 {
		return false
	}
	if s.is.Y > s.was.Y {
		return g.sank(i)
	}
	return g.rests(s.is) && !g.passed(i)
}

// rests reports whether something is right above a place, or nothing can be.
func (g *gravity) rests(l world.Layout) bool {
	return l.Y <= g.base || slices.ContainsFunc(g.put, func(o world.Layout) bool { return touches(o, l) }) ||
		slices.ContainsFunc(g.stayed, func(o spot) bool { return touches(o.is, l) })
}

// sank reports whether a widget lies on one that was put there, or on one that was not below it and sank
// for such a one. Of two that overlapped at the start, the grid pushes one below the other.
func (g *gravity) sank(i int) bool {
	if known, ok := g.sunk[i]; ok {
		return known
	}
	s := &g.stayed[i]
	yes := g.lies(s)
	if g.sunk == nil {
		g.sunk = map[int]bool{}
	}
	g.sunk[i] = yes
	return yes
}

func (g *gravity) lies(s *spot) bool {
	if slices.ContainsFunc(g.put, func(o world.Layout) bool { return touches(o, s.is) }) {
		return true
	}
	for j := range g.stayed {
		o := &g.stayed[j]
		if o.is.Y < s.is.Y && touches(o.is, s.is) && (overlap(o.was, s.was) || !above(s.was, o.was) && o.is.Y > o.was.Y && g.sank(j)) {
			return true
		}
	}
	return false
}

// passed reports whether a widget is above one that it was below, and which did not make way.
func (g *gravity) passed(i int) bool {
	s := &g.stayed[i]
	for j := range g.stayed {
		o := &g.stayed[j]
		if j != i && o.was.H > 0 && o.was.W > 0 && beside(o.was, s.was) && above(o.was, s.was) && above(s.is, o.is) &&
			(o.is.Y <= o.was.Y || !g.sank(j)) {
			return true
		}
	}
	return false
}

// slack is what sums of rows may be off by.
const slack = 1e-6

// beside reports whether two places have a column in common.
func beside(a, b world.Layout) bool { return a.X < b.X+b.W && b.X < a.X+a.W }

// above reports whether a place ends where another begins, or before it.
func above(a, b world.Layout) bool { return a.Y+a.H <= b.Y+slack }

// touches reports whether a place lies directly below another.
func touches(above, l world.Layout) bool {
	return above.W > 0 && above.H > 0 && beside(above, l) && math.Abs(above.Y+above.H-l.Y) < slack
}
