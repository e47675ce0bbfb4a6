package workspace

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"benchwright/sim"
	world "benchwright/sim/workspace"
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
		s.dashboard(id, "dashboard "+id+" with a widget configured otherwise", func(b object) bool {
			all := elements(b, "widgets")
			if len(all) == 0 {
				return false
			}
			all[0]["data_args"] = object{"otherwise": true}
			return true
		})
		s.dashboard(id, "dashboard "+id+" without its first widget", func(b object) bool {
			all := elements(b, "widgets")
			return len(all) > 0 && removeWidgets(b, func(w object) bool { return w["widget_uuid"] == all[0]["widget_uuid"] })
		})
	}
	s.state("one more dashboard", func(d *draft) bool { d.addBoard("dash_spare", "Spare Parts"); return true })
}

// touched adds the mutants in which a dashboard has another name, and one more widget.
func (s *spoiler) touched(id string) {
	s.dashboard(id, "dashboard "+id+" renamed", func(b object) bool { b["name"] = "Quite Otherwise"; return true })
	s.dashboard(id, "dashboard "+id+" with one more widget", func(b object) bool { addWidget(b, nil, 0, 0, 10, 4); return true })
	s.dashboard(id, "dashboard "+id+" with one more tab", func(b object) bool {
		all, _ := b["tabs"].([]any)
		b["tabs"] = append(all, object{"id": "spare", "name": "Spare", "layout": []any{}})
		return true
	})
	s.dashboard(id, "dashboard "+id+" with its tabs in another order", func(b object) bool {
		all, _ := b["tabs"].([]any)
		slices.Reverse(all)
		return len(all) > 1
	})
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
			s.widgets(On(id), "widget "+w.UUID+" sunk", meant, func(w object) {
				if l, ok := w["layout"].(object); ok {
					l["y"] = json.Number(fmt.Sprint(below))
				}
			})
		}
	}
}

// made spoils what may be made: dashboards made twice or with more on them, and widgets made with
// settings that nobody asked for, or that may change in some ways changed in others.
func (s *spoiler) made(r *NothingElseRule) {
	initial, err := read(s.ev.Initial)
	if err != nil {
		return
	}
	final, err := read(s.ev.Final)
	if err != nil {
		return
	}
	for _, id := range final.order() {
		if _, ok := initial.boards[id]; ok || !slices.Contains(r.NewDashboards, final.title(id)) {
			continue
		}
		s.state("dashboard "+id+" made twice", func(d *draft) bool { d.addBoard("dash_spare", final.title(id)); return true })
		s.touched(id)
		s.dashboard(id, "dashboard "+id+" with a note more", func(b object) bool {
			addWidget(b, object{"generated": true, "type": "note", "name": "Spare", "origin": "generated", "widget_id": "generated_note", "generated_data": "spare"}, 0, 0, 20, 8)
			return true
		})
	}
	for _, id := range final.order() {
		c, err := final.board(id)
		if err != nil || c == nil {
			continue
		}
		old, _ := initial.board(id)
		for i := range c.Widgets {
			w := &c.Widgets[i]
			if old != nil && old.Widget(w.UUID) != nil {
				continue
			}
			meant := func(o object) bool { return o["widget_uuid"] == w.UUID }
			at := func(name string, edit func(w object)) {
				s.dashboard(id, "widget "+w.UUID+" "+name, func(b object) bool { return editWidgets(b, meant, edit) })
			}
			at("made hidden", func(w object) { w["ui_args"] = object{"hidden": true} })
			at("made with an argument more", func(w object) {
				args, _ := w["data_args"].(object)
				args = maps.Clone(args)
				if args == nil {
					args = object{}
				}
				args["spare"] = "otherwise"
				w["data_args"] = args
			})
		}
	}
	for _, t := range r.Widgets {
		if t.UUID != "" && len(t.Only) > 0 {
			id := s.holder(initial, t.UUID)
			meant := func(o object) bool { return o["widget_uuid"] == t.UUID }
			s.dashboard(id, "widget "+t.UUID+" with an argument more", func(b object) bool {
				return editWidgets(b, meant, func(w object) {
					if args, ok := w["data_args"].(object); ok {
						args["spare"] = "otherwise"
					}
				})
			})
		}
	}
}

// holder returns the dashboard of the start that holds a widget.
func (s *spoiler) holder(initial *view, uuid string) string {
	for _, id := range initial.order() {
		if c, err := initial.board(id); err == nil && c != nil && c.Widget(uuid) != nil {
			return id
		}
	}
	return ""
}

// behind adds the mutants in which calls do more than was asked for, and no state shows it.
func (s *spoiler) behind(r *NothingElseRule) {
	s.trace("tasks handed to an agent more", func(t sim.Trace) sim.Trace {
		var tasks []any
		for range r.Delegated + 1 {
			tasks = append(tasks, object{"id": "spare", "description": "Spare", "assigned_holder_url": "http://127.0.0.1:1", "assigned_agent_id": "spare"})
		}
		return s.within(t, s.event(world.AssignTasks, object{"task_requests": tasks}, true))
	})
	for _, c := range s.customs() {
		s.trace("backend "+c.ID+" told to be one of the platform", func(t sim.Trace) sim.Trace {
			return s.within(t, s.event(world.ManageBackends, object{"operation": "update", "backend_id": c.ID, "is_openbb_platform": true}, true))
		})
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
