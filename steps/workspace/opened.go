package workspace

import (
	"errors"
	"slices"

	rules "benchwright/grader/workspace"
	"benchwright/sim/workspace/backend"
	"benchwright/tasks"
)

// navigationBar is what an app lays out where its tabs are to be shown. It is no widget.
const navigationBar = "navigation_bar"

// openedWhole demands that a dashboard is made of an app of a connected backend, and still holds all
// that the app puts on it: each widget on its tab, at its place and with the arguments that it is given
// there, and no other.
func openedWhole(d *tasks.Draft, dashboard, app, from string) error {
	all, err := noted(d).backends()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(b *backend.Backend) bool { return from == b.Name || from == b.Slug })
	if i < 0 {
		var names []string
		for _, b := range all {
			names = append(names, b.Name)
		}
		return tasks.Unknown("backend", from, names)
	}
	if err := openedFrom(d, dashboard, app, from); err != nil {
		return err
	}
	b := all[i]
	e := &rules.ExactRule{Dashboard: subject(dashboard), Scope: rules.Catalogue}
	for _, a := range b.Apps {
		if a.Name != app {
			continue
		}
		for _, t := range a.Tabs {
			for _, item := range t.Layout {
				if item.WidgetID == navigationBar {
					continue
				}
				w := b.Widget(item.WidgetID)
				if w == nil {
					return errors.New("the app shows the widget " + item.WidgetID + ", which its backend does not serve")
				}
				p := rules.Placed{Origin: b.Name, WidgetID: w.ID, TabID: &t.Key, At: rules.At(item.X, item.Y, item.W, item.H)}
				for k, v := range item.Params {
					if w.Param(k) != nil {
						if p.Args == nil {
							p.Args = map[string]any{}
						}
						p.Args[k] = v
					}
				}
				e.Widgets = append(e.Widgets, p)
			}
		}
	}
	return d.Check(e)
}
