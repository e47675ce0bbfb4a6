package workspace

import (
	"fmt"
	"slices"
)

// elsewhere touches dashboards that were there at the start and that a task is hardly about, one
// after the other.
func (s *spoiler) elsewhere() {
	initial, err := read(s.ev.Initial)
	if err != nil {
		return
	}
	const most = 3
	n := 0
	for _, id := range initial.order() {
		if id == s.subject(AtStart) || id == s.subject(AtEnd) || n == most {
			continue
		}
		n++
		s.touched(id)
		s.board(On(id), "dashboard "+id+" with a widget configured otherwise", func(b object) bool {
			all := elements(b, "widgets")
			if len(all) == 0 {
				return false
			}
			all[0]["data_args"] = object{"otherwise": true}
			return true
		})
		s.board(On(id), "dashboard "+id+" without its first widget", func(b object) bool {
			all := elements(b, "widgets")
			return len(all) > 0 && removeWidgets(b, func(w object) bool { return w["widget_uuid"] == all[0]["widget_uuid"] })
		})
	}
	s.state("one more dashboard", func(d *draft) bool { d.addBoard("dash_spare", "Spare Parts"); return true })
}

// touched adds the mutants in which a dashboard has another name, and one more widget.
func (s *spoiler) touched(id string) {
	s.board(On(id), "dashboard "+id+" renamed", func(b object) bool { b["name"] = "Quite Otherwise"; return true })
	s.board(On(id), "dashboard "+id+" with one more widget", func(b object) bool { addWidget(b, nil, 0, 0, 10, 4); return true })
}

// untouched touches widgets that were there at the start and that no target names.
func (s *spoiler) untouched(r *NothingElseRule) {
	initial, err := read(s.ev.Initial)
	if err != nil {
		return
	}
	s.touched(s.subject(AtStart))
	const most = 6
	n := 0
	for _, id := range initial.order() {
		c, err := initial.board(id)
		if err != nil || c == nil {
			continue
		}
		for i := range c.Widgets {
			w := &c.Widgets[i]
			if n >= most || slices.ContainsFunc(r.Widgets, func(t Target) bool { return t.is("", change{board: id, key: w.UUID, widget: w}) }) {
				continue
			}
			n++
			meant := func(o object) bool { return o["widget_uuid"] == w.UUID }
			s.widgets(On(id), "widget "+w.UUID+" configured otherwise", meant, func(w object) { w["data_args"] = object{"otherwise": true} })
			s.widgets(On(id), "widget "+w.UUID+" moved", meant, func(w object) {
				if l, ok := w["layout"].(object); ok {
					l["x"] = other(l["x"])
				}
			})
		}
	}
}

func (s *spoiler) created(r *CreatedRule) {
	s.state("too many "+r.What, func(d *draft) bool {
		initial, err := read(s.ev.Initial)
		if err != nil {
			return false
		}
		had, have := len(initial.boards), len(d.boards)
		if r.What == backends {
			had, have = len(initial.customRaw), len(d.customs)
		}
		for i := range max(0, r.Max+1-(have-had)) {
			if r.What == backends {
				d.addBackend(fmt.Sprintf("backend_spare%d", i), fmt.Sprintf("Spare Parts %d", i))
			} else {
				d.addBoard(fmt.Sprintf("dash_spare%d", i), fmt.Sprintf("Spare Parts %d", i))
			}
		}
		return true
	})
}
