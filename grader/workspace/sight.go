package workspace

import (
	"fmt"
	"slices"

	world "benchwright/sim/workspace"
)

// unseen says why nobody would see a widget of a dashboard, or "" when it is to be seen: it lies
// on a tab that there is, and inside the grid with some size. A demanded widget has to be; the
// world lets an agent put one anywhere. An unseen widget that was not demanded is there all the
// same.
func unseen(c *world.Composition, w *world.Widget) string {
	l := w.Layout
	switch {
	case len(c.Tabs) > 0 && !slices.ContainsFunc(c.Tabs, func(t world.Tab) bool { return t.ID == l.TabID }):
		return fmt.Sprintf("is on tab %s, which there is not", quote(l.TabID))
	case l.W <= 0 || l.H <= 0:
		return fmt.Sprintf("has no size: %v×%v", l.W, l.H)
	case l.MaxW != nil && *l.MaxW <= 0 || l.MaxH != nil && *l.MaxH <= 0:
		return "may have no size"
	case l.X < 0 || l.Y < 0 || l.X+l.W > 40:
		return fmt.Sprintf("lies off the grid: %v,%v %v×%v", l.X, l.Y, l.W, l.H)
	}
	return ""
}
