package backend

import "slices"

// columns returns the column definitions of a table.
func columns(doc *object) []*object {
	var out []*object
	for _, v := range doc.obj("data").obj("table").list("columnsDefs") {
		if c, ok := v.(*object); ok {
			out = append(out, c)
		}
	}
	return out
}

// Keys by which a column's render function, or the data of a chart, names fields of the answer.
var (
	renderKeys = []string{"colorValueKey", "valueKey", "labelKey"}
	chartKeys  = []string{"categoryField", "categoryKey", "xField", "xKey", "yField", "yKey", "valueField", "valueKey", "series"}
)

// declaredFields returns the fields that a definition promises of its answer, sorted.
func declaredFields(doc *object) []string {
	var out []string
	for _, c := range columns(doc) {
		out = append(out, c.str("field"))
		params := c.obj("renderFnParams")
		for _, k := range renderKeys {
			out = append(out, params.str(k))
		}
	}
	out = append(out, chartFields(doc)...)
	out = slices.DeleteFunc(out, func(s string) bool { return s == "" })
	slices.Sort(out)
	return slices.Compact(out)
}

// chartFields returns the fields that the data of a chart names, in the order of chartKeys.
// Several fields under one key are a list, of texts or of objects with a field.
func chartFields(doc *object) []string {
	var out []string
	data := doc.obj("data")
	for _, k := range chartKeys {
		switch v := data.get(k).(type) {
		case string:
			out = append(out, v)
		case []any:
			for _, e := range v {
				switch e := e.(type) {
				case string:
					out = append(out, e)
				case *object:
					for _, n := range []string{"field", "yField", "yKey", "valueField", "valueKey"} {
						if s := e.str(n); s != "" {
							out = append(out, s)
							break
						}
					}
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}
