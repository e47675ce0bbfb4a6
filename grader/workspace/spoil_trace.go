package workspace

import (
	"benchwright/grader"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/sim"
)

// event makes a call of the present ask and what came of it.
func (s *spoiler) event(tool string, args object, ok bool) sim.Event {
	e := sim.Event{Ask: s.ask, Turn: len(s.good.Trace) + 1, Call: sim.Call{Name: tool, Arguments: sim.MustCanonical(args)}}
	e.Result = sim.Result{Status: sim.StatusOK, Data: json.RawMessage(`{"command":"` + tool + `","data":{},"error":null,"message":"ok","ok":true,"request_id":null}`)}
	if !ok {
		e.Result = failedResult(tool)
	}
	return e
}

func failedResult(tool string) sim.Result {
	return sim.Result{
		Status: "error", Code: "command_failed", Invalid: true,
		Data: json.RawMessage(`{"command":` + string(sim.MustCanonical(tool)) + `,"data":null,"error":{"code":"command_failed","details":null,"message":"spoiled","retryable":false},"message":"spoiled","ok":false,"request_id":null}`),
	}
}

// within puts events at the end of the present ask.
func (s *spoiler) within(t sim.Trace, events ...sim.Event) sim.Trace {
	n := len(t.Until(s.ask))
	return slices.Insert(slices.Clone(t), n, events...)
}

func (s *spoiler) calls(r *CallsRule) {
	trace := s.good.Trace.Until(s.ask)
	for i, e := range trace {
		which := fmt.Sprintf("call %d (%s) ", i+1, e.Call.Name)
		var keys []string
		wanted := false
		for _, c := range r.Calls {
			if c.Tool == e.Call.Name && e.Result.OK() && subset(c.Args, arguments(e)) {
				wanted = true
				keys = append(keys, slices.Collect(maps.Keys(c.Args))...)
			}
		}
		if !wanted {
			continue
		}
		s.trace(which+"never made", func(t sim.Trace) sim.Trace { return slices.Delete(t, i, i+1) })
		s.trace(which+"failed", func(t sim.Trace) sim.Trace { t[i].Result = failedResult(e.Call.Name); return t })
		slices.Sort(keys)
		for _, k := range slices.Compact(keys) {
			s.trace(which+"with another "+k, func(t sim.Trace) sim.Trace {
				args, ok := arguments(e).(object)
				if ok {
					args = maps.Clone(args)
					args[k] = other(args[k])
					t[i].Call.Arguments = sim.MustCanonical(args)
					if len(t[i].Result.Arguments) > 0 {
						t[i].Result.Arguments = t[i].Call.Arguments
					}
				}
				return t
			})
		}
		s.trace(which+"made twice", func(t sim.Trace) sim.Trace { return slices.Insert(t, i, e) })
	}
}

func (s *spoiler) results(tool string, fragments []string) {
	edit := func(name string, to func(raw json.RawMessage) json.RawMessage) {
		s.trace(name, func(t sim.Trace) sim.Trace {
			for i := range t {
				if t[i].Call.Name == tool && t[i].Result.OK() {
					t[i].Result.Data = to(t[i].Result.Data)
				}
			}
			return t
		})
	}
	edit("the results of "+tool+" emptied", func(json.RawMessage) json.RawMessage {
		return json.RawMessage(`{"command":"` + tool + `","data":{},"error":null,"message":"ok","ok":true,"request_id":null}`)
	})
	for _, f := range fragments {
		edit(fmt.Sprintf("the results of %s without %q", tool, f), func(raw json.RawMessage) json.RawMessage {
			v := parsed(raw)
			if v == nil {
				return raw
			}
			return sim.MustCanonical(lessText(v, f))
		})
	}
	s.trace("no call of "+tool, func(t sim.Trace) sim.Trace {
		return slices.DeleteFunc(t, func(e sim.Event) bool { return e.Call.Name == tool })
	})
}

func (s *spoiler) listed() {
	s.trace("the schema of an origin that was not listed", func(t sim.Trace) sim.Trace {
		return s.within(t, s.event("get_widget_schema", object{"origin": "Spare Parts", "widget_id": "spare"}, true))
	})
	for _, e := range s.good.Trace.Until(s.ask) {
		if e.Call.Name != "list_available_widgets" || !e.Result.OK() {
			continue
		}
		for _, o := range list(e.Result.Data).origins {
			s.trace("the schema of an invented id of "+o.name, func(t sim.Trace) sim.Trace {
				return s.within(t, s.event("get_widget_schema", object{"origin": o.name, "widget_id": "spare_invented"}, true))
			})
			break
		}
	}
	s.trace("no listing", func(t sim.Trace) sim.Trace {
		return slices.DeleteFunc(t, func(e sim.Event) bool { return e.Call.Name == "list_available_widgets" })
	})
}

func (s *spoiler) schemaFirst() {
	s.trace("a widget placed without its schema", func(t sim.Trace) sim.Trace {
		return s.within(t, s.event("create_widget", object{"origin": "Spare Parts", "widget_id": "spare"}, false))
	})
	s.trace("no schema read", func(t sim.Trace) sim.Trace {
		return slices.DeleteFunc(t, func(e sim.Event) bool { return e.Call.Name == "get_widget_schema" })
	})
}

func (s *spoiler) invalidCalls(r *InvalidCallsRule) {
	s.trace("too many failed calls", func(t sim.Trace) sim.Trace {
		var extra []sim.Event
		for range r.Max + 1 {
			extra = append(extra, s.event("read_widget", object{"widget_uuid": "spare"}, false))
		}
		return s.within(t, extra...)
	})
}

func (s *spoiler) snapshots(r *SnapshotsRule) {
	s.trace("too many snapshots in a row", func(t sim.Trace) sim.Trace {
		var extra []sim.Event
		for range r.Max + 1 {
			extra = append(extra, s.event("get_workspace_snapshot", object{}, true))
		}
		return s.within(t, extra...)
	})
}

func (s *spoiler) answerSays(r *AnswerSaysRule) {
	if s.ask >= len(s.good.Answers) {
		return
	}
	text := answerText(s.ev)
	less, _ := lessText(ungroup(text), r.Value).(string)
	s.answer(fmt.Sprintf("an answer without %q", r.Value), sim.MustCanonical(less+" "))
	s.add(fmt.Sprintf("an answer with %q altered", r.Value), func(a *grader.Aftermath) {
		a.Answers[s.ask] = sim.MustCanonical(strings.NewReplacer("0", "1", "1", "2", "2", "3", "3", "4", "4", "5", "5", "6", "6", "7", "7", "8", "8", "9", "9", "0").Replace(text))
	})
}
