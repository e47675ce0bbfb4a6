package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"benchwright/grader"
	"benchwright/sim"
)

// ListedRule demands that widgets are found and not invented: an origin is listed before its
// widgets' schemas are read or its widgets are placed, and the id is one of those listed. Only
// get_widget_schema and create_widget calls that succeeded are looked at.
type ListedRule struct {
	// MustList also demands the listing itself. It goes with tasks that allow
	// list_available_widgets; without it an origin that was never listed is let pass.
	MustList bool `json:"must_list"`
}

// FindsWidgets demands that origins are listed before their widgets are used, and that the ids
// used were among those listed.
func FindsWidgets() grader.Check { return grader.Check{Rule: &ListedRule{MustList: true}} }

// Name implements grader.Rule.
func (*ListedRule) Name() string { return "workspace.listed_widgets" }

// Codes implements grader.Rule.
func (r *ListedRule) Codes() []string {
	if r.MustList {
		return []string{"unlisted_widget_id", "widget_list_not_called_before_use"}
	}
	return []string{"unlisted_widget_id"}
}

// Graded implements grader.Grounder: there is nothing to find.
func (*ListedRule) Graded() []string { return nil }

func (r *ListedRule) String() string {
	if r.MustList {
		return "widgets are listed before they are used, and none is invented"
	}
	return "no widget is invented"
}

// Grade implements grader.Rule.
func (r *ListedRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *ListedRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *ListedRule) points(ev grader.Evidence) ([]point, error) {
	known := map[string][][]string{} // lists of widget ids by origin
	mark := func(origin string, ids []string) {
		if all := known[origin]; origin != "" && (len(all) == 0 || !slices.Equal(all[len(all)-1], ids)) {
			known[origin] = append(all, ids)
		}
	}
	lists := func(origin, id string) bool {
		return slices.ContainsFunc(known[origin], func(ids []string) bool { return slices.Contains(ids, id) })
	}
	unlisted := point{code: "unlisted_widget_id", side: grader.TraceType}
	early := point{code: "widget_list_not_called_before_use", side: grader.TraceType}
	var out []point
	for i, e := range ev.Trace {
		if !e.Result.OK() {
			continue
		}
		switch e.Call.Name {
		case "list_available_widgets":
			for _, o := range list(e.Result.Data).origins {
				mark(o.name, o.ids)
			}
		case "manage_backends":
			switch argumentOf(e, "operation") {
			case "add", "refresh":
				args := arguments(e)
				m, _ := args.(map[string]any)
				var ids []string
				if w, ok := m["widgets_json"].(map[string]any); ok {
					ids = slices.Sorted(maps.Keys(w))
				}
				mark(argument(args, "name"), ids)
				mark(list(e.Result.Data).backend, ids)
			}
		case "get_widget_schema", "create_widget":
			origin, id := argumentOf(e, "origin", "backend_name"), argumentOf(e, "widget_id")
			use := func() string { return fmt.Sprintf("call %d, %s", i+1, e.Call.Name) }
			switch listed := len(known[origin]) > 0; {
			case !listed && r.MustList:
				p := early
				p.message = fmt.Sprintf("%s of %s: the widgets of that origin were not listed before", use(), quote(origin))
				out = append(out, p)
			case listed && !lists(origin, id):
				p := unlisted
				p.message = fmt.Sprintf("%s of %s: the origin %s did not list that widget", use(), quote(id), quote(origin))
				out = append(out, p)
			}
		}
	}
	if len(out) == 0 {
		out = append(out, unlisted)
		if r.MustList {
			out = append(out, early)
		}
	}
	return out, nil
}

// A listing is what a result says of widgets and backends.
type listing struct {
	origins []origin
	backend string // name of the one added or refreshed
}

type origin struct {
	name string
	ids  []string
}

// list reads a result once. Whatever is not as expected in it is not listed.
func list(raw json.RawMessage) *listing {
	if l := listings.get(raw); l != nil {
		return l
	}
	l := glanced(resultData(raw))
	if l == nil {
		l = decodedListing(raw)
	}
	listings.put(raw, l)
	return l
}

// glanced reads the data of a result without decoding it, or returns nil.
func glanced(raw json.RawMessage) *listing {
	l := new(listing)
	g := glance{raw: raw}
	all := whole{string(raw), 0}
	for ok := g.enter('{'); ok; ok = g.more() {
		switch string(g.key()) {
		case "widgets":
			for ok := g.enter('['); ok; ok = g.more() {
				var o, id string
				for ok := g.enter('{'); ok; ok = g.more() {
					switch string(g.key()) {
					case "origin":
						o = g.textIn(all)
					case "widget_id":
						id = g.textIn(all)
					default:
						g.value()
					}
				}
				l.add(o, id)
			}
		case "backend", "backend_id", "backends":
			return nil // of which there are few
		default:
			g.value()
		}
	}
	if g.bad || g.at != len(raw) {
		return nil
	}
	return l
}

func (l *listing) add(from, id string) {
	if from == "" {
		return
	}
	i := len(l.origins) - 1
	for i >= 0 && l.origins[i].name != from {
		i--
	}
	if i < 0 {
		i = len(l.origins)
		l.origins = append(l.origins, origin{name: from})
	}
	l.origins[i].ids = append(l.origins[i].ids, id)
}

func decodedListing(raw json.RawMessage) *listing {
	l := new(listing)
	data, _ := parsed(resultData(raw)).(map[string]any)
	widgets, _ := data["widgets"].([]any)
	for _, v := range widgets {
		w, _ := v.(map[string]any)
		o, _ := w["origin"].(string)
		id, _ := w["widget_id"].(string)
		l.add(o, id)
	}
	if b, ok := data["backend"].(map[string]any); ok {
		l.backend, _ = b["name"].(string)
	}
	if l.backend == "" {
		id, _ := data["backend_id"].(string)
		all, _ := data["backends"].([]any)
		for _, v := range all {
			if b, ok := v.(map[string]any); ok && id != "" && b["id"] == id {
				l.backend, _ = b["name"].(string)
			}
		}
	}
	return l
}

// SchemaFirstRule demands that the schema of a widget was read before the widget is placed, also
// where placing it then failed.
type SchemaFirstRule struct{}

// ReadsSchemas demands that a widget's schema is read before the widget is placed.
func ReadsSchemas() grader.Check { return grader.Check{Rule: &SchemaFirstRule{}} }

// Name implements grader.Rule.
func (*SchemaFirstRule) Name() string { return "workspace.schema_first" }

// Codes implements grader.Rule.
func (*SchemaFirstRule) Codes() []string { return []string{"schema_not_called_before_create"} }

// Graded implements grader.Grounder: there is nothing to find.
func (*SchemaFirstRule) Graded() []string { return nil }

func (*SchemaFirstRule) String() string { return "schemas are read before widgets are placed" }

// Grade implements grader.Rule.
func (r *SchemaFirstRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *SchemaFirstRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *SchemaFirstRule) points(ev grader.Evidence) ([]point, error) {
	type key struct{ origin, id string }
	read := map[key]bool{}
	of := func(e sim.Event) key {
		return key{argumentOf(e, "origin", "backend_name"), argumentOf(e, "widget_id")}
	}
	var out []point
	for i, e := range ev.Trace {
		switch e.Call.Name {
		case "get_widget_schema":
			if e.Result.OK() {
				read[of(e)] = true
			}
		case "create_widget":
			p := point{code: "schema_not_called_before_create", side: grader.TraceType}
			if k := of(e); !read[k] {
				p.message = fmt.Sprintf("call %d, create_widget of %s of %s: its schema was not read before", i+1, quote(k.id), quote(k.origin))
			}
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		out = append(out, point{code: "schema_not_called_before_create"})
	}
	return out, nil
}
