package backend

import "slices"

var (
	cellTypes   = []string{"boolean", "date", "dateString", "number", "object", "text"}
	chartTypes  = []string{"category", "excluded", "series", "time"}
	formatters  = []string{"dateToYear", "int", "none", "normalized", "normalizedPercent", "percent"}
	renderFns   = []string{"cellOnClick", "columnColor", "greenRed", "hoverCard", "showCellChange", "titleCase"}
	conditions  = []string{"between", "contains", "eq", "gt", "gte", "lt", "lte", "ne", "notContains"}
	actionTypes = []string{"groupBy", "sendToAgent"}
	colors      = []string{"blue", "green", "red"}
)

func validateData(w scope, v any) {
	if v == nil {
		return
	}
	data, ok := v.(*object)
	if !ok {
		w.fail("data must be an object.")
		return
	}
	if v := data.get("dataKey"); v != nil {
		if _, ok := v.(string); !ok {
			w.fail("data.dataKey must be a string.")
		}
	}
	if data.get("table") == nil {
		return
	}
	table := data.obj("table")
	if table == nil {
		w.fail("data.table must be an object.")
		return
	}
	list, ok := table.get("columnsDefs").([]any)
	if !ok && table.get("columnsDefs") != nil {
		w.fail("columnsDefs must be an array.")
	}
	for i, v := range list {
		c := w.in(" columnsDefs[%d]", i)
		if col, ok := v.(*object); ok {
			validateColumn(c, col)
		} else {
			c.fail("must be an object.")
		}
	}
}

func validateColumn(c scope, col *object) {
	for _, k := range []string{"field", "headerName"} {
		if !text(col.get(k)) {
			c.fail("%s is required.", k)
		}
	}
	for _, e := range []struct {
		key  string
		list []string
	}{{"cellDataType", cellTypes}, {"chartDataType", chartTypes}, {"formatterFn", formatters}} {
		if v := col.get(e.key); v != nil && !oneOf(v, e.list) {
			c.fail("%s must be one of %s.", e.key, names(e.list))
		}
	}
	if v := col.get("decimalPlaces"); v != nil {
		if n, ok := numeric(v); !ok || n < 0 || n > 6 || n != float64(int(n)) {
			c.fail("decimalPlaces must be an integer between 0 and 6.")
		}
	}
	validateRenderFn(c, col.get("renderFn"))
	switch v := col.get("pinned").(type) {
	case nil, bool:
	default:
		if !oneOf(v, []string{"left", "right"}) {
			c.fail("pinned must be 'left', 'right', or a boolean.")
		}
	}
	if v := col.get("renderFnParams"); v != nil {
		if p, ok := v.(*object); ok {
			validateRenderParams(c, p)
		} else {
			c.fail("renderFnParams must be an object.")
		}
	}
}

func validateRenderFn(c scope, v any) {
	var fns []string
	switch v := v.(type) {
	case nil:
		return
	case string:
		fns = splitList(v)
	default:
		if !texts(v) {
			c.fail("renderFn must be a string or array of strings.")
			return
		}
		for _, e := range v.([]any) {
			fns = append(fns, e.(string))
		}
	}
	fns = slices.DeleteFunc(fns, func(s string) bool { return slices.Contains(renderFns, s) })
	if len(fns) > 0 {
		c.fail("unknown renderFn %s — supported: %s.", names(fns), names(renderFns))
	}
}

func validateRenderParams(c scope, p *object) {
	action := p.get("actionType")
	if action != nil && !oneOf(action, actionTypes) {
		c.fail("renderFnParams.actionType must be 'groupBy' or 'sendToAgent'.")
	}
	if action == "groupBy" && !text(p.obj("groupBy").get("paramName")) && !text(p.get("groupByParamName")) {
		c.fail("`groupBy.paramName` is required when actionType is `groupBy`.")
	}
	if action == "sendToAgent" && !text(p.obj("sendToAgent").get("markdown")) {
		c.fail("`sendToAgent.markdown` is required when actionType is `sendToAgent`.")
	}
	rules, ok := p.get("colorRules").([]any)
	if !ok && p.get("colorRules") != nil {
		c.fail("colorRules must be an array.")
	}
	for j, v := range rules {
		r := c.in(" colorRules[%d]", j)
		if rule, ok := v.(*object); ok {
			validateColorRule(r, rule)
		} else {
			r.fail("must be an object.")
		}
	}
}

func validateColorRule(r scope, rule *object) {
	condition := rule.get("condition")
	switch {
	case !oneOf(condition, conditions):
		r.fail("condition must be one of %s.", names(conditions))
	case condition == "between":
		_, lo := numeric(rule.obj("range").get("min"))
		_, hi := numeric(rule.obj("range").get("max"))
		if !lo || !hi {
			r.fail("'between' requires range with numeric min and max.")
		}
	case rule.get("value") == nil:
		r.fail("condition '%s' requires a value.", condition)
	}
	if v := rule.get("color"); !oneOf(v, colors) && !hexColor(v) {
		r.fail("color must be green, red, blue, or a hex value.")
	}
}

// hexColor reports whether v is # and 3, 4, 6 or 8 hexadecimal digits.
func hexColor(v any) bool {
	s, _ := v.(string)
	if len(s) != 4 && len(s) != 5 && len(s) != 7 && len(s) != 9 || s[0] != '#' {
		return false
	}
	for _, c := range s[1:] {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return false
		}
	}
	return true
}
