package workspace

import (
	"encoding/json"
	"sync/atomic"
)

// cached is bytes that are made once, on demand, by whoever needs them first.
type cached struct{ p atomic.Pointer[[]byte] }

func (c *cached) get(make func() []byte) []byte {
	if b := c.p.Load(); b != nil {
		return *b
	}
	b := make()
	if c.p.CompareAndSwap(nil, &b) {
		return b
	}
	return *c.p.Load()
}

// seal encodes the widget's own part. Keys are in canonical order.
func (w *body) seal() *body {
	b := make([]byte, 0, 256+len(w.payload)+len(w.chart))
	b = append(b, `{"chart_params":`...)
	b = appendRaw(b, w.chart)
	b = append(b, `,"data_args":`...)
	b = w.data.append(b)
	b = append(b, `,"description":`...)
	if w.description == nil {
		b = append(b, "null"...)
	} else {
		b = appendText(b, *w.description)
	}
	b = append(b, `,"generated":`...)
	b = appendBool(b, w.generated)
	b = append(b, `,"generated_data":`...)
	b = appendRaw(b, w.payload)
	b = append(b, `,"layout":`...)
	w.split = len(b)
	b = appendText(append(b, `,"name":`...), w.name)
	b = appendText(append(b, `,"origin":`...), w.origin)
	b = appendText(append(b, `,"type":`...), w.kind)
	b = append(b, `,"ui_args":`...)
	b = w.ui.append(b)
	b = appendText(append(b, `,"widget_id":`...), w.id)
	b = appendText(append(b, `,"widget_uuid":`...), w.uuid)
	w.encoded = append(b, '}')
	return w
}

func appendRaw(b []byte, raw json.RawMessage) []byte {
	if len(raw) == 0 {
		return append(b, "null"...)
	}
	return append(b, raw...)
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, "true"...)
	}
	return append(b, "false"...)
}

// append appends the widget as agents and graders see it.
func (w *widget) append(b []byte) []byte {
	b = append(b, w.encoded[:w.split]...)
	b = w.at.append(b, nil)
	return append(b, w.encoded[w.split:]...)
}

// append appends a layout, or, with the widget, the layout item of a tab.
func (p *place) append(b []byte, of *widget) []byte {
	b = appendNumber(append(b, `{"h":`...), p.h)
	if p.bounds != nil {
		for _, bound := range []struct {
			key   string
			value *float64
		}{{`,"max_h":`, p.bounds.maxH}, {`,"max_w":`, p.bounds.maxW}, {`,"min_h":`, p.bounds.minH}, {`,"min_w":`, p.bounds.minW}} {
			if bound.value != nil {
				b = appendNumber(append(b, bound.key...), *bound.value)
			}
		}
	}
	if of != nil {
		b = appendText(append(b, `,"origin":`...), of.origin)
	}
	b = appendText(append(b, `,"tab_id":`...), p.tab)
	b = appendNumber(append(b, `,"w":`...), p.w)
	if of != nil {
		b = appendText(append(b, `,"widget_id":`...), of.id)
		b = appendText(append(b, `,"widget_uuid":`...), of.uuid)
	}
	b = appendNumber(append(b, `,"x":`...), p.x)
	b = appendNumber(append(b, `,"y":`...), p.y)
	return append(b, '}')
}

// composition returns the dashboard's composition, encoded once.
func (d *dashboard) composition() []byte {
	if b := d.encoded.Load(); b != nil {
		return *b
	}
	size := 256
	for _, w := range d.widgets {
		size += len(w.encoded) + 320
	}
	b := make([]byte, 0, size)
	b = appendText(append(b, `{"dashboard_id":`...), d.id)
	b = appendText(append(b, `,"name":`...), d.name)
	b = appendBool(append(b, `,"navigation_bar":`...), d.bar)
	b = append(b, `,"tabs":[`...)
	for i := range d.tabs {
		t := &d.tabs[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(b, `{"id":`...), t.id)
		b = append(b, `,"layout":[`...)
		first := true
		for _, w := range d.widgets {
			if w.at.tab != t.id {
				continue
			}
			if !first {
				b = append(b, ',')
			}
			first = false
			b = w.at.append(b, w)
		}
		b = appendText(append(b, `],"name":`...), t.name)
		b = append(b, '}')
	}
	b = append(b, `],"widgets":[`...)
	for i, w := range d.widgets {
		if i > 0 {
			b = append(b, ',')
		}
		b = w.append(b)
	}
	b = append(b, "]}"...)
	d.encoded.CompareAndSwap(nil, &b)
	return b
}
