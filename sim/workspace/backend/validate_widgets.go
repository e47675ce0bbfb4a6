package backend

import (
	"encoding/json"
	"slices"
)

// Types returns the widget types that a manifest may name, sorted.
func Types() []string { return slices.Clone(types) }

var (
	types = []string{
		"advanced_charting", "chart", "chart-highcharts", "chart-vegalite", "file_viewer", "html", "iframe", "live_grid", "markdown", "metric",
		"multi_file_viewer", "newsfeed", "note", "omni", "pdf", "ssrm_advanced", "ssrm_table", "table", "table_ssrm", "youtube",
	}
	paramTypes = []string{"boolean", "button", "date", "endpoint", "form", "number", "tabs", "text", "ticker"}
	languages  = []string{"css", "html", "javascript", "json", "markdown", "python", "sql", "text", "xml"}
	widgetKeys = set("name", "description", "endpoint", "type", "defaultViz", "category", "subCategory", "sub_category", "searchCategory", "source",
		"showTitle", "schemaName", "widgetId", "widgetType", "inputType", "groupById", "copilotParseAs", "disableRetrievalForCopilot", "fileEndpoint",
		"gridData", "params", "data", "wsEndpoint", "raw", "runButton", "exportable", "refetchInterval", "staleTime", "dataUpdateDisplay", "storage", "mcp_tool")
)

const (
	gridColumns  = 40
	minMillis    = 1000
	fileSelector = "fileSelector"
)

func (r *Report) validateWidgets(raw json.RawMessage) {
	s := scope{"[widgets.json]", &r.WidgetErrors, &r.Warnings}
	v, err := parse(raw)
	if err != nil {
		s.fail("%s.", err)
		return
	}
	o, ok := v.(*object)
	switch {
	case !ok:
		if _, list := v.([]any); list {
			s.fail(`Invalid format. Expected an object map of widget_id -> definition, e.g. {"table_data": {"name": "Table data", ...}}; received an array.`)
			return
		}
		s.fail("Invalid format. Expected an object map.")
		return
	case bare(o):
		s.fail("Invalid format. Received a bare widget definition; expected an object map of widget_id -> definition.")
		return
	}
	r.widgets = o
	for _, id := range o.keys {
		if id == "" {
			s.fail("widget ids must be non-empty strings.")
			continue
		}
		w := s.in(" widget '%s'", shown(id))
		d, ok := o.m[id].(*object)
		if !ok {
			w.fail("definition must be an object.")
			continue
		}
		validateWidget(w, d)
	}
}

// bare reports whether a manifest is one definition instead of a map of them.
func bare(o *object) bool {
	_, name := o.get("name").(string)
	_, endpoint := o.get("endpoint").(string)
	return name && endpoint
}

func validateWidget(w scope, d *object) {
	for _, k := range []string{"name", "description", "endpoint"} {
		if !text(d.get(k)) {
			w.fail("'%s' is required and must be a string.", k)
		}
	}
	if t := d.get("type"); t != nil && !oneOf(t, types) {
		w.fail("unsupported type '%s' — supported types: %s.", shown(Str(t)), names(types))
	}
	if t := d.get("defaultViz"); t != nil && !oneOf(t, types) {
		w.fail("unsupported defaultViz '%s'.", shown(Str(t)))
	}
	validateGrid(w, d.get("gridData"))
	validateRefresh(w, d)
	params := validateParams(w, d)
	validateData(w, d.get("data"))
	for _, p := range params {
		for _, name := range lookups(p.obj("optionsParams")) {
			if !slices.ContainsFunc(params, func(o *object) bool { return o.str("paramName") == name }) {
				w.warn("optionsParams references '$%s' but no param named '%s' exists.", shown(name), shown(name))
			}
		}
	}
	if effectiveType(d) == "live_grid" && !text(d.get("wsEndpoint")) {
		w.warn("type 'live_grid' usually requires wsEndpoint.")
	}
	w.unknown(d, widgetKeys)
}

// effectiveType is what a widget is: its type, else its defaultViz, else a table.
func effectiveType(d *object) string {
	for _, k := range []string{"type", "defaultViz"} {
		if s := d.str(k); s != "" {
			return s
		}
	}
	return "table"
}

func validateGrid(w scope, v any) {
	if v == nil {
		return
	}
	g, ok := v.(*object)
	if !ok {
		w.fail("gridData must be an object with numeric w and h.")
		return
	}
	width, wok := numeric(g.get("w"))
	height, hok := numeric(g.get("h"))
	if !wok {
		w.fail("gridData.w must be a number.")
	}
	if !hok {
		w.fail("gridData.h must be a number.")
	}
	if wok && (width < 1 || width > gridColumns) {
		w.fail("gridData.w must be between 1 and 40.")
	}
	if hok && height < 1 {
		w.fail("gridData.h must be at least 1.")
	}
}

func validateRefresh(w scope, d *object) {
	if v := d.get("staleTime"); v != nil {
		if n, ok := numeric(v); !ok || n < minMillis {
			w.fail("staleTime must be a number >= 1000 (milliseconds).")
		}
	}
	switch v := d.get("refetchInterval").(type) {
	case nil:
	case string:
		if !cron(v) {
			w.fail("refetchInterval string must be a 5-field cron expression.")
		}
	default:
		if n, ok := numeric(v); v != false && (!ok || n < minMillis) {
			w.fail("refetchInterval must be milliseconds, a cron string, or false.")
		}
	}
	if v := d.get("dataUpdateDisplay"); v != nil && !cron(v) {
		w.fail("dataUpdateDisplay must be a 5-field cron expression.")
	}
}

// validateParams returns the parameters that are objects.
func validateParams(w scope, d *object) []*object {
	var params []*object
	list, ok := d.get("params").([]any)
	if !ok && d.get("params") != nil {
		w.fail("params must be an array.")
	}
	seen := map[string]bool{}
	for _, v := range rows(list) {
		p, ok := v.(*object)
		if !ok {
			w.fail("each param must be an object.")
			continue
		}
		params = append(params, p)
		name := p.str("paramName")
		if name == "" {
			w.fail("paramName is required.")
			continue
		}
		if seen[name] {
			w.fail("duplicate paramName '%s'.", shown(name))
		}
		seen[name] = true
		validateParam(w, shown(name), p)
	}
	selectors, endpoint := 0, false
	for _, p := range params {
		if slices.Contains(p.list("roles"), any(fileSelector)) {
			selectors++
			endpoint = endpoint || p.str("type") == "endpoint"
		}
	}
	if selectors > 1 {
		w.fail("Only one parameter can have the role 'fileSelector'.")
	}
	if effectiveType(d) == "multi_file_viewer" && !endpoint {
		w.fail("Endpoint param with `{ roles: [\"fileSelector\"] }` required for `multi_file_viewer`.")
	}
	return params
}

func validateParam(w scope, name string, p *object) {
	t := p.get("type")
	if t == nil {
		t = "text"
	}
	if !oneOf(t, paramTypes) {
		w.fail("param '%s' has unsupported type '%s' — supported: %s.", name, shown(Str(t)), names(paramTypes))
	}
	w = w.in(": param '%s'", name)
	if p.get("multiple") == true && t != "text" {
		w.fail("`multiple` can only be true when `type` is 'text'.")
	}
	if v := p.get("options"); v != nil {
		if list, ok := v.([]any); !ok {
			w.fail("options must be an array.")
		} else if slices.ContainsFunc(list, badOption) {
			w.fail("each option needs label and value.")
		}
	}
	if v := p.get("optionsEndpoint"); v != nil {
		if _, ok := v.(string); !ok {
			w.fail("optionsEndpoint must be a string.")
		}
	}
	if v := p.get("optionsParams"); v != nil && p.obj("optionsParams") == nil {
		w.fail("optionsParams must be an object.")
	}
	if v := p.obj("style").get("popupWidth"); v != nil {
		if n, ok := numeric(v); !ok || n < 100 || n > 1000 {
			w.fail("style.popupWidth must be between 100 and 1000.")
		}
	}
	if v := p.get("roles"); v != nil && !texts(v) {
		w.fail("roles must be an array of strings.")
	}
	if v := p.get("language"); v != nil && !oneOf(v, languages) {
		w.fail("language must be one of %s.", names(languages))
	}
	if t == "form" {
		validateForm(w, p)
	}
	for _, k := range []string{"min", "max"} {
		if v := p.get(k); v != nil {
			if _, ok := numeric(v); !ok {
				w.fail("%s must be a number.", k)
			}
		}
	}
}

func badOption(v any) bool {
	o, ok := v.(*object)
	if !ok {
		return true
	}
	_, label := o.m["label"]
	_, value := o.m["value"]
	return !label || !value
}

func validateForm(w scope, p *object) {
	if _, ok := p.get("inputParams").([]any); !ok {
		w.fail("type 'form' requires an inputParams array.")
	}
	if !text(p.get("endpoint")) {
		w.fail("type 'form' requires a submit endpoint — set the param's 'endpoint' key to the relative submit path (e.g. '/form-submit').")
	}
	if v := p.get("method"); v != nil && !oneOf(v, []string{"POST", "PUT"}) {
		w.fail("form method must be 'POST' or 'PUT'.")
	}
}
