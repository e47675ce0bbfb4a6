package workspace

import (
	"fmt"
	"slices"

	world "benchwright/sim/workspace"
)

// The smallest size at which a widget is seen: room for a word and a line. What is smaller shows
// nothing that anybody could read.
const (
	leastWidth  = 4
	leastHeight = 2
)

// unseen says why nobody would see a widget of a dashboard, or "" when it is to be seen: it lies
// on a tab that there is, and inside the grid, is large enough to show something, and may be of that
// size by its bounds. A demanded widget has to be; the world lets an agent put one anywhere. An
// unseen widget that was not demanded is there all the same.
func unseen(c *world.Composition, w *world.Widget) string {
	l := w.Layout
	switch {
	case len(c.Tabs) > 0 && !slices.ContainsFunc(c.Tabs, func(t world.Tab) bool { return t.ID == l.TabID }):
		return fmt.Sprintf("is on tab %s, which there is not", quote(l.TabID))
	case !(l.W >= leastWidth && l.H >= leastHeight):
		return fmt.Sprintf("has no size to be seen: %v×%v, less than %d×%d", l.W, l.H, leastWidth, leastHeight)
	case !(l.X >= 0 && l.Y >= 0 && l.X+l.W <= world.GridWidth):
		return fmt.Sprintf("lies off the grid: %v,%v %v×%v", l.X, l.Y, l.W, l.H)
	}
	if bad := contradictions(l); len(bad) > 0 {
		return "cannot be of its size: " + enough(bad, ", ")
	}
	return ""
}
