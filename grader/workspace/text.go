package workspace

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/sim"
)

const (
	maxShown  = 80 // runes of a value in a message
	maxListed = 5  // differences, widgets and the like in one message
)

// show words a value that an agent may have made: escaped and short.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		return quote(v)
	case map[string]any, []any, map[string]string, []string:
		raw, err := sim.Canonical(v)
		if err != nil {
			return "something else"
		}
		return cut(string(raw))
	case json.RawMessage:
		return cut(string(v))
	}
	return cut(fmt.Sprint(v))
}

// quote words a text.
func quote(s string) string {
	r := []rune(s)
	if len(r) > maxShown {
		return fmt.Sprintf("%q (cut, %d characters)", string(r[:maxShown]), len(r))
	}
	return fmt.Sprintf("%q", s)
}

// cut words what needs no quotes of its own.
func cut(s string) string {
	q := quote(s)
	if rest, ok := strings.CutPrefix(q, `"`); ok && strings.HasSuffix(rest, `"`) {
		return strings.ReplaceAll(strings.TrimSuffix(rest, `"`), `\"`, `"`)
	}
	i := strings.LastIndex(q, `" (cut`)
	return strings.ReplaceAll(q[1:i], `\"`, `"`) + "…"
}

// enough joins a list for people and cuts it.
func enough(list []string, sep string) string {
	if n := len(list); n > maxListed {
		list = append(slices.Clone(list[:maxListed]), fmt.Sprintf("and %d more", n-maxListed))
	}
	return strings.Join(list, sep)
}

// quoted lists texts for people.
func quoted(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = quote(s)
	}
	return enough(out, ", ")
}

// differences lists where got is not the wanted subset, a line each, by path.
func differences(want, got any) []string {
	var out []string
	differ(&out, "", want, got)
	return out
}

func differ(out *[]string, path string, want, got any) {
	if subset(want, got) {
		return
	}
	w, ok := want.(map[string]any)
	g, also := got.(map[string]any)
	if !ok || !also {
		if path != "" {
			path += ": "
		}
		*out = append(*out, fmt.Sprintf("%swant %s, got %s", path, show(want), show(got)))
		return
	}
	for _, k := range slices.Sorted(maps.Keys(w)) {
		p := cut(k)
		if path != "" {
			p = path + "." + p
		}
		differ(out, p, w[k], g[k])
	}
}

// leaves appends every leaf and key of an argument, for grounding.
func leaves(out []string, v any) []string {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = leaves(append(out, k), v[k])
		}
	case []any:
		for _, e := range v {
			out = leaves(out, e)
		}
	case nil, bool:
	default:
		out = append(out, fmt.Sprint(v))
	}
	return out
}

// graded sorts what a rule demands and drops what is said twice or empty.
func graded(values ...string) []string {
	values = slices.DeleteFunc(values, func(s string) bool { return s == "" })
	slices.Sort(values)
	return slices.Compact(values)
}

// flatText writes every key and leaf of a value on a line of its own: what a reader of it reads.
func flatText(b *strings.Builder, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(k)
			b.WriteByte('\n')
			flatText(b, v[k])
		}
	case []any:
		for _, e := range v {
			flatText(b, e)
		}
	case nil:
	case string:
		b.WriteString(v)
		b.WriteByte('\n')
	default:
		fmt.Fprintln(b, v)
	}
}

// jsonText writes a value as canonical JSON, as the published blob has it.
func jsonText(v any) string {
	raw, err := sim.Canonical(v)
	if err != nil {
		return ""
	}
	return string(raw)
}

// plural words a number of things.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
