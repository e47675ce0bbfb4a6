package workspace

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	world "benchwright/sim/workspace"
)

// What a definition says beside what was asked for is its author's affair as long as it changes neither
// what is seen nor what is reached: categories, sources, refreshing, columns that are shown, groups. The
// settings below do. They stay as they come, unless a demand speaks of them.

// settings lists what the definition of a widget says and should not.
func (r *BackendRule) settings(id string, b, was *custom) (out []string) {
	d, _ := b.Widgets[id].(map[string]any)
	old, _ := was.Widgets[id].(map[string]any)
	odd := func(path string, bad bool) {
		if bad && !spoken(r.Settings[id], path) && !exact(at(d, path), at(old, path)) {
			out = append(out, fmt.Sprintf("%s %s", path, show(at(d, path))))
		}
	}
	set := func(path string) bool { v := at(d, path); return v != nil && v != false && v != "" }
	kind, _ := d["type"].(string)
	odd("widgetId", set("widgetId") && d["widgetId"] != id)
	odd("id", set("id") && d["id"] != id)
	odd("defaultViz", set("defaultViz") && kind != "" && d["defaultViz"] != kind)
	odd("wsEndpoint", set("wsEndpoint") && kind != "live_grid")
	for _, path := range []string{"mcp_tool", "storage", "runButton", "hidden", "hide"} {
		odd(path, set(path))
	}
	grid, _ := d["gridData"].(map[string]any)
	odd("gridData.w", grid["w"] != nil && !atLeast(grid["w"], leastWidth))
	odd("gridData.h", grid["h"] != nil && !atLeast(grid["h"], leastHeight))
	columns, _ := at(d, "data.table.columnsDefs").([]any)
	for i, v := range columns {
		c, _ := v.(map[string]any)
		for _, key := range []string{"hide", "hidden"} {
			odd(fmt.Sprintf("data.table.columnsDefs.%d.%s", i, key), c[key] != nil && c[key] != false)
		}
	}
	return out
}

// spoken reports whether demands speak of a path, of what it is in or of what is in it.
func spoken(demands []string, path string) bool {
	return slices.ContainsFunc(demands, func(p string) bool {
		return p == path || strings.HasPrefix(path, p+".") || strings.HasPrefix(p, path+".")
	})
}

// itemKeys are those that say which widget a layout places, and where.
var itemKeys = []string{"i", "x", "y", "w", "h", "minW", "minH", "maxW", "maxH", "state", "groups"}

// placedOddly lists what the items of a tab say beside which widget they place and where: they hide
// it, give it no size to be seen, or parameters that it does not have. What was so at the start may
// stay.
func placedOddly(tab, old any, widgets map[string]any) (out []string) {
	items := func(tab any) []any {
		m, _ := tab.(map[string]any)
		list, _ := m["layout"].([]any)
		return list
	}
	had := items(old)
	for n, l := range layoutOf(tab) {
		o, ok := items(tab)[n].(map[string]any)
		if !ok || l.id == "navigation_bar" || slices.ContainsFunc(had, func(v any) bool { return exact(v, o) }) {
			continue
		}
		odd := func(format string, args ...any) { out = append(out, cut(l.id)+" "+fmt.Sprintf(format, args...)) }
		for _, k := range slices.Sorted(maps.Keys(o)) {
			if v := o[k]; v != nil && v != false && !slices.Contains(itemKeys, k) {
				odd("with %s %s", cut(k), show(v))
			}
		}
		if why := unseen(&world.Composition{}, &world.Widget{Layout: l.Layout}); why != "" {
			odd("that %s", why)
		}
		state, _ := o["state"].(map[string]any)
		params, _ := state["params"].(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(state)) {
			if k != "params" {
				odd("with the state %s", cut(k))
			}
		}
		for _, k := range slices.Sorted(maps.Keys(params)) {
			if !slices.Contains(paramNames(widgets[l.id]), k) {
				odd("with the parameter %s, which it does not have", quote(k))
			}
		}
	}
	return out
}

func atLeast(v any, least int) bool {
	n, ok := v.(json.Number)
	if !ok {
		return false
	}
	f, err := n.Float64()
	return err == nil && f >= float64(least)
}
