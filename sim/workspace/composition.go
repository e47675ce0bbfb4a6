package workspace

import (
	"encoding/json"
	"strconv"
	"strings"

	"benchwright/sim"
)

// ParseComposition reads a dashboard as a state says it. It is several times faster than decoding
// where the text is as this package writes it, and decodes what is not: states are also spoiled on
// purpose, and then what has the wrong type is left out, as far as encoding/json goes on.
func ParseComposition(raw json.RawMessage) (*Composition, error) {
	r := compositionReader{text: string(raw), ok: true}
	c := r.composition()
	if r.ok && r.at == len(r.text) {
		return c, nil
	}
	c = new(Composition)
	d := json.NewDecoder(strings.NewReader(r.text))
	d.UseNumber()
	return c, d.Decode(c)
}

// A compositionReader reads canonical JSON of a composition. Its methods read what they are named
// after; where it is not there, or not as it should be, ok becomes false and nothing else matters.
type compositionReader struct {
	text string
	at   int
	ok   bool
}

// is reports whether a text comes next, and if so goes behind it.
func (r *compositionReader) is(s string) bool {
	if !r.ok || !strings.HasPrefix(r.text[r.at:], s) {
		return false
	}
	r.at += len(s)
	return true
}

// object calls member for each key, which reads the value.
func (r *compositionReader) object(member func(key string)) {
	if !r.is("{") {
		r.ok = false
		return
	}
	for last := ""; r.ok && !r.is("}"); {
		key := r.str()
		if last != "" && (key <= last || !r.ok) || !r.is(":") {
			r.ok = false
			return
		}
		last = key
		member(key)
		r.next('}')
	}
}

// list calls item where each item begins, which reads it.
func (r *compositionReader) list(item func()) {
	if !r.is("[") {
		r.ok = false
		return
	}
	for r.ok && !r.is("]") {
		item()
		r.next(']')
	}
}

// next goes to what comes after a member or item: the next one, or the end.
func (r *compositionReader) next(end byte) {
	comma := r.is(",")
	closed := r.at < len(r.text) && r.text[r.at] == end
	r.ok = r.ok && comma != closed
}

// span is the text of a value.
func (r *compositionReader) span() string {
	end, canonical := -1, false
	if r.ok && r.at < len(r.text) {
		end, canonical = sim.ScanJSON(r.text, r.at)
	}
	if !canonical {
		r.ok = false
		return ""
	}
	s := r.text[r.at:end]
	r.at = end
	return s
}

func (r *compositionReader) str() string {
	s := r.span()
	if len(s) < 2 || s[0] != '"' {
		r.ok = false
		return ""
	}
	if strings.IndexByte(s, '\\') < 0 {
		return s[1 : len(s)-1]
	}
	var decoded string
	r.ok = r.ok && json.Unmarshal([]byte(s), &decoded) == nil
	return decoded
}

func (r *compositionReader) number() float64 {
	f, err := strconv.ParseFloat(r.span(), 64)
	r.ok = r.ok && err == nil
	return f
}

func (r *compositionReader) flag() bool {
	s := r.span()
	r.ok = r.ok && (s == "true" || s == "false")
	return s == "true"
}

// value reads anything, as sim.ParseJSON does; null is nil.
func (r *compositionReader) value() any {
	s := r.span()
	if s == "null" || s == "" {
		return nil
	}
	v, err := sim.ParseJSON([]byte(s))
	r.ok = r.ok && err == nil
	return v
}

// values reads an object of anything, or null.
func (r *compositionReader) values() map[string]any {
	if r.is("{}") {
		return map[string]any{}
	}
	v := r.value()
	m, ok := v.(map[string]any)
	r.ok = r.ok && (ok || v == nil)
	return m
}

func (r *compositionReader) composition() *Composition {
	c := &Composition{}
	r.object(func(key string) {
		switch key {
		case "dashboard_id":
			c.DashboardID = r.str()
		case "name":
			c.Name = r.str()
		case "navigation_bar":
			c.NavigationBar = r.flag()
		case "tabs":
			c.Tabs = []Tab{}
			r.list(func() { c.Tabs = append(c.Tabs, r.tab()) })
		case "widgets":
			c.Widgets = []Widget{}
			r.list(func() { c.Widgets = append(c.Widgets, r.widget()) })
		default: // perhaps a name in other letters, which decoding takes
			r.ok = false
		}
	})
	return c
}

func (r *compositionReader) tab() (t Tab) {
	r.object(func(key string) {
		switch key {
		case "id":
			t.ID = r.str()
		case "name":
			t.Name = r.str()
		case "layout":
			t.Layout = []LayoutItem{}
			r.list(func() {
				var l LayoutItem
				r.object(func(key string) {
					switch key {
					case "widget_uuid":
						l.WidgetUUID = r.str()
					case "widget_id":
						l.WidgetID = r.str()
					case "origin":
						l.Origin = r.str()
					default:
						r.layout(key, &l.Layout)
					}
				})
				t.Layout = append(t.Layout, l)
			})
		default:
			r.ok = false
		}
	})
	return t
}

func (r *compositionReader) widget() (w Widget) {
	r.object(func(key string) {
		switch key {
		case "widget_uuid":
			w.UUID = r.str()
		case "widget_id":
			w.WidgetID = r.str()
		case "origin":
			w.Origin = r.str()
		case "name":
			w.Name = r.str()
		case "type":
			w.Type = r.str()
		case "data_args":
			w.DataArgs = r.values()
		case "ui_args":
			w.UIArgs = r.values()
		case "generated":
			w.Generated = r.flag()
		case "generated_data":
			w.GeneratedData = r.value()
		case "chart_params":
			w.ChartParams = r.values()
		case "description":
			if !r.is("null") {
				s := r.str()
				w.Description = &s
			}
		case "layout":
			r.object(func(key string) { r.layout(key, &w.Layout) })
		default:
			r.ok = false
		}
	})
	return w
}

// layout reads the member of a layout with a key.
func (r *compositionReader) layout(key string, l *Layout) {
	bound := func(to **float64) {
		n := r.number()
		*to = &n
	}
	switch key {
	case "tab_id":
		l.TabID = r.str()
	case "x":
		l.X = r.number()
	case "y":
		l.Y = r.number()
	case "w":
		l.W = r.number()
	case "h":
		l.H = r.number()
	case "min_w":
		bound(&l.MinW)
	case "min_h":
		bound(&l.MinH)
	case "max_w":
		bound(&l.MaxW)
	case "max_h":
		bound(&l.MaxH)
	default:
		r.ok = false
	}
}
