package workspace

import (
	"slices"

	"benchwright/sim"
)

func addGenerative(c *call) *failure {
	kind := c.args.text("widget_type")
	if !slices.Contains(generatedTypes, kind) {
		return invalid("add_generative_widget requires widget_type from {note, table, chart, html}.")
	}
	data := c.args["data"]
	width, height := float64(generatedWidth), float64(generatedHeight)
	var chart []byte
	switch kind {
	case "note", "html":
		if _, ok := data.(string); !ok {
			return invalid("add_generative_widget with widget_type='%s' requires string data.", kind)
		}
	case "table", "chart":
		if !rows(data) {
			return invalid("add_generative_widget with widget_type='%s' requires data as list[dict].", kind)
		}
	}
	if kind == "chart" {
		params, ok := chartParams(c.args.object("chart_params"))
		if !ok {
			return invalid("add_generative_widget with widget_type='chart' requires chart_params with chartType, xKey, and non-empty yKey.")
		}
		chart = sim.AppendCanonical(nil, params)
		width, height = chartWidth, chartHeight
	}
	if f := c.shapes(); f != nil {
		return f
	}
	i, f := c.dashboard()
	if f != nil {
		return f
	}
	inner, given := c.args.tab("inner_tab")
	if given && !c.state.dashboards[i].hasTab(inner) {
		return invalid("Unknown tab_id.")
	}
	if f := c.crowded(1); f != nil {
		return f
	}
	var description *string
	if text, ok := c.args["description"].(string); ok {
		description = &text
	}
	s := c.edit()
	d := s.rewrite(i)
	if !given {
		inner = d.room(s)
	}
	body := generatedBody(kind, s.nextWidget(d), c.args.text("name"), sim.AppendCanonical(nil, data), chart, description)
	if f := body.large(); f != nil {
		return c.undone(f)
	}
	return c.widgetAnswer(d.append(body, inner, width, height))
}

// rows reports whether v is a list of objects.
func rows(v any) bool {
	list, ok := v.([]any)
	for _, e := range list {
		if _, object := e.(map[string]any); !object {
			return false
		}
	}
	return ok
}

// chartAliases are the spellings of chart parameters that are understood and translated.
var chartAliases = map[string]string{
	"chart_type": "chartType", "x_key": "xKey", "y_key": "yKey",
	"angle_key": "angleKey", "callout_label_key": "calloutLabelKey",
}

// chartParams translates aliases and checks what every chart needs, pies and donuts included.
func chartParams(given map[string]any) (map[string]any, bool) {
	params := make(map[string]any, len(given))
	for k, v := range given {
		if name, ok := chartAliases[k]; ok {
			if _, both := given[name]; both {
				continue
			}
			k = name
		}
		params[k] = v
	}
	kind, _ := params["chartType"].(string)
	x, _ := params["xKey"].(string)
	y, _ := params["yKey"].([]any)
	for _, e := range y {
		if s, _ := e.(string); s == "" {
			return nil, false
		}
	}
	return params, kind != "" && x != "" && len(y) > 0
}
