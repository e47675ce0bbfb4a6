package workspace

import (
	"fmt"
	"regexp"

	rules "benchwright/grader/workspace"
	world "benchwright/sim/workspace"
	"benchwright/sim/workspace/backend"
	"benchwright/tasks"
)

// tabID returns the id of a tab of a dashboard by its name: of one that is there at the start, or
// of one that the scenario has demanded. Of a dashboard that is only made, any may be meant.
func tabID(d *tasks.Draft, dashboard, name string) (*string, error) {
	if name == "" {
		return nil, nil
	}
	n := noted(d)
	s, err := n.start()
	if err != nil {
		return nil, err
	}
	made := backend.Slug(name, "tab")
	c := n.composition(s, dashboard)
	if c == nil {
		if keyLike.MatchString(name) { // the key of an app's tab
			made = name
		}
		return &made, nil
	}
	var names []string
	for _, t := range c.Tabs {
		if t.Name == name || t.ID == name {
			return &t.ID, nil
		}
		names = append(names, t.Name)
	}
	for _, check := range d.Task.Rubric.Checks {
		if r, ok := check.Rule.(*rules.TabNameRule); ok && string(r.Dashboard) == dashboard {
			switch {
			case r.Named != name:
			case r.ID != nil:
				return r.ID, nil
			default:
				return &made, nil
			}
			names = append(names, r.Named)
		}
	}
	return nil, tasks.Unknown("tab", name, names)
}

var keyLike = regexp.MustCompile(`^[a-z0-9_]+$`)

// uuid reports a widget that a dashboard does not have at the start. What is made later has an id
// that nobody knows yet.
func (n *notes) uuid(dashboard, id string) error {
	if id == "" {
		return nil
	}
	s, err := n.start()
	if err != nil {
		return err
	}
	c := n.composition(s, dashboard)
	if c == nil {
		return fmt.Errorf("uuid %q: the dashboard is only made, so nobody knows its widgets yet", id)
	}
	if c.Widget(id) != nil {
		return nil
	}
	var ids []string
	for _, w := range c.Widgets {
		ids = append(ids, w.UUID)
	}
	return tasks.Unknown("uuid", id, ids)
}

// start returns the workspace at the start, made once. What is wrong with the setup is told when
// the scenario ends; until then there is nothing to compare with.
func (n *notes) start() (*world.Snapshot, error) {
	if n.snapshot != nil {
		return n.snapshot, nil
	}
	state, err := n.state()
	if err != nil {
		return nil, err
	}
	n.setup.State = state
	n.open()
	l, err := n.shelf.library()
	if err != nil {
		return nil, err
	}
	s, err := initial(l, n.setup)
	if err != nil {
		return nil, err
	}
	n.snapshot = s
	return s, nil
}

// open opens the dashboard that the scenario seeds first, where it does not say which is open.
func (n *notes) open() {
	if n.setup.Selected == "" && n.setup.Baseline == "" && len(n.boards) > 0 {
		n.setup.Selected = n.boards[0].Name
	}
}

// composition returns a dashboard by its name; "" is the open one.
func (n *notes) composition(s *world.Snapshot, name string) *world.Composition {
	if name == "" {
		return s.Composition
	}
	for _, d := range s.Dashboards {
		if d.Name == name {
			return s.Compositions[d.ID]
		}
	}
	return nil
}
