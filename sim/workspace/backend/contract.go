package backend

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Check says why a payload is not what the definition promises, in the words of the response
// contract, or "".
func (d *Definition) Check(payload json.RawMessage) string {
	v, err := parse(payload)
	if err != nil {
		return "The backend response was not valid JSON."
	}
	if reason := d.mismatch(v); reason != "" {
		return "The backend response does not match the widget definition: " + reason
	}
	if placeholder(v) {
		return "The backend response contains placeholder data."
	}
	return ""
}

// IsTable reports whether widgets of a type show rows.
func IsTable(t string) bool {
	return t == "table" || t == "live_grid" || ServerSide(t)
}

// ServerSide reports whether the rows of a type are asked for with POST, block by block.
func ServerSide(t string) bool { return t == "table_ssrm" || t == "ssrm_table" || t == "ssrm_advanced" }

// IsChart reports whether widgets of a type draw a series.
func IsChart(t string) bool { return strings.HasPrefix(t, "chart") }

// mismatch returns the reason why an answer does not fit, or "".
func (d *Definition) mismatch(v any) string {
	switch {
	case IsTable(d.Type):
		return d.tableMismatch(v)
	case IsChart(d.Type):
		return d.chartMismatch(v)
	case d.Type == "metric":
		if blank(v) {
			return "metric response is empty."
		}
	case d.Type == "markdown" || d.Type == "html":
		if !hasText(v) {
			return "markdown response must contain non-empty text."
		}
	case d.Type == "iframe": // it has no answer
	default:
		if blank(v) {
			return d.Type + " response is empty."
		}
	}
	return ""
}

// rowsOf finds the rows of an answer: a list, or one under rows, rowData or data.dataKey. Nil
// if there is none, or if an element is no object.
func (d *Definition) rowsOf(v any) []*object {
	if o, ok := v.(*object); ok {
		for _, k := range []string{d.document().obj("data").str("dataKey"), "rows", "rowData"} {
			if l := o.list(k); l != nil {
				v = l
				break
			}
		}
	}
	list, _ := v.([]any)
	out := make([]*object, 0, len(list))
	for _, e := range list {
		o, ok := e.(*object)
		if !ok {
			return nil
		}
		out = append(out, o)
	}
	return out
}

func (d *Definition) tableMismatch(v any) string {
	rows := d.rowsOf(v)
	if len(rows) == 0 {
		return "table/grid response must contain a non-empty list of objects."
	}
	if id := d.document().obj("data").str("wsRowIdColumn"); d.Type == "live_grid" && id != "" {
		if slices.ContainsFunc(rows, func(o *object) bool { return o.get(id) == nil }) {
			return fmt.Sprintf("live-grid row identifier '%s' is missing from returned rows.", shown(id))
		}
	}
	for _, c := range columns(d.document()) {
		f := c.str("field")
		switch there, filled := column(rows, f); {
		case f == "":
		case !there:
			return fmt.Sprintf("declared column '%s' is missing from returned rows.", shown(f))
		case !filled:
			return fmt.Sprintf("declared column '%s' is all null.", shown(f))
		}
	}
	return ""
}

// column reports whether any row has a field, and whether any has a value there.
func column(rows []*object, field string) (there, filled bool) {
	for _, o := range rows {
		v, ok := o.m[field]
		there = there || ok
		filled = filled || v != nil
	}
	return there, filled
}

func (d *Definition) chartMismatch(v any) string {
	rows := d.rowsOf(v)
	if len(rows) == 0 {
		// A finished figure: its series are inside.
		if o, ok := v.(*object); ok && len(o.keys) > 0 {
			if !numbersIn(v) {
				return "chart response has no numeric series values."
			}
			return ""
		}
		return "chart response cannot construct categories and series."
	}
	for _, f := range chartFields(d.document()) {
		switch there, filled := column(rows, f); {
		case !there:
			return fmt.Sprintf("declared chart field '%s' is missing.", shown(f))
		case !filled:
			return fmt.Sprintf("declared chart field '%s' is all null.", shown(f))
		}
	}
	numeric, fields := false, map[string]bool{}
	for _, o := range rows {
		for k, v := range o.m {
			_, n := v.(json.Number)
			numeric = numeric || n
			fields[k] = true
		}
	}
	if !numeric {
		return "chart response has no numeric series values."
	}
	if len(fields) < 2 { // a series needs something to stand on
		return "chart response cannot construct categories and series."
	}
	return ""
}

// numbersIn reports whether there is a list of numbers, or of rows with numbers, anywhere in v.
func numbersIn(v any) bool {
	switch v := v.(type) {
	case *object:
		for _, e := range v.m {
			if numbersIn(e) {
				return true
			}
		}
	case []any:
		for _, e := range v {
			switch e := e.(type) {
			case json.Number:
				return true
			case *object:
				for _, f := range e.m {
					if _, ok := f.(json.Number); ok || numbersIn(f) {
						return true
					}
				}
			case []any:
				if numbersIn(e) {
					return true
				}
			}
		}
	}
	return false
}

func blank(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	case *object:
		return len(v.keys) == 0
	}
	return false
}

// hasText reports whether an answer is text, or an object with text as its content.
func hasText(v any) bool {
	if o, ok := v.(*object); ok {
		for _, k := range []string{"content", "markdown", "html", "text"} {
			if s := o.str(k); strings.TrimSpace(s) != "" {
				return true
			}
		}
		return false
	}
	s, _ := v.(string)
	return strings.TrimSpace(s) != ""
}

var (
	placeholders     = []string{"placeholder", "todo", "tbd", "coming soon", "lorem ipsum", "not implemented", "n/a"}
	placeholderParts = []string{"lorem ipsum", "coming soon", "not implemented"}
)

// placeholder reports whether any text in v stands in for data.
func placeholder(v any) bool {
	switch v := v.(type) {
	case string:
		s := strings.ToLower(strings.TrimSpace(v))
		return slices.Contains(placeholders, s) || slices.ContainsFunc(placeholderParts, func(p string) bool { return strings.Contains(s, p) })
	case []any:
		return slices.ContainsFunc(v, placeholder)
	case *object:
		for _, e := range v.m {
			if placeholder(e) {
				return true
			}
		}
	}
	return false
}
