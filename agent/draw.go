package agent

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"benchwright/sim"
)

// Bounds on what a schema, which may come from a stranger's server, can make a drawer do.
const (
	drawWork  = 20_000  // values of one drawing
	drawSteps = 200_000 // through the patterns of one drawing
	drawDeep  = 8       // from here on optional parts are left out
	drawEnd   = 60      // and from here on all parts
	drawItems = 1_000   // of one array or object
	drawRunes = 10_000  // of one string
)

// draw returns a random value that a JSON schema allows, as sim.ParseJSON would read it. It
// understands what tools use: local $ref, allOf, anyOf and oneOf, const, enum, type, properties
// with required and additionalProperties and their numbers, items and prefixItems with theirs,
// uniqueItems, bounds and multipleOf, string lengths, pattern and the common formats. Other
// keywords are not looked at; a schema that it cannot meet gets some value all the same.
func draw(rng *rand.Rand, schema json.RawMessage) any {
	root, err := sim.ParseJSON(schema)
	if err != nil {
		return map[string]any{}
	}
	d := &drawer{rng: rng, root: root, work: drawWork, steps: drawSteps}
	return d.value(root, 0)
}

type drawer struct {
	rng   *rand.Rand
	root  any
	work  int // values left
	steps int // through patterns left
}

func (d *drawer) value(schema any, depth int) any {
	d.work--
	if d.work < 0 || depth > drawEnd {
		return nil
	}
	s := d.flat(schema, depth, 0)
	if c, ok := s["const"]; ok {
		return c
	}
	if e, ok := s["enum"].([]any); ok && len(e) > 0 {
		return e[d.rng.IntN(len(e))]
	}
	switch d.kind(s) {
	case "object":
		return d.object(s, depth)
	case "array":
		return d.array(s, depth)
	case "integer":
		return d.number(s, true)
	case "number":
		return d.number(s, false)
	case "boolean":
		return d.rng.IntN(2) == 0
	case "null":
		return nil
	}
	return d.text(s)
}

// flat resolves references, merges allOf and chooses among anyOf and oneOf, so that one set of
// keywords is left.
func (d *drawer) flat(schema any, depth, hops int) map[string]any {
	s, _ := schema.(map[string]any)
	d.work--
	if hops > 20 || d.work < 0 {
		return s
	}
	if ref, ok := s["$ref"].(string); ok {
		s = without(s, "$ref")
		s = merged(d.flat(d.resolve(ref), depth, hops+1), s)
	}
	if all, ok := s["allOf"].([]any); ok {
		s = without(s, "allOf")
		for _, part := range all {
			s = merged(s, d.flat(part, depth, hops+1))
		}
	}
	for _, k := range []string{"anyOf", "oneOf"} {
		if parts, ok := s[k].([]any); ok && len(parts) > 0 {
			s = merged(without(s, k), d.flat(d.branch(parts, depth, hops), depth, hops+1))
		}
	}
	return s
}

// branch chooses one of several schemas; far down, one that goes no deeper if there is any.
func (d *drawer) branch(parts []any, depth, hops int) any {
	if depth >= drawDeep {
		for _, p := range parts {
			if k := d.kind(d.flat(p, depth, hops+1)); k != "object" && k != "array" {
				return p
			}
		}
	}
	return parts[d.rng.IntN(len(parts))]
}

// resolve follows a reference within the schema; others give a schema without demands.
func (d *drawer) resolve(ref string) any {
	at := d.root
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	for _, key := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if path == "" {
			break
		}
		key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
		switch v := at.(type) {
		case map[string]any:
			at = v[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			at = v[i]
		default:
			return nil
		}
	}
	return at
}

func without(s map[string]any, key string) map[string]any {
	s = maps.Clone(s)
	delete(s, key)
	return s
}

// merged returns the keywords of a and b, both of which must hold.
func merged(a, b map[string]any) map[string]any {
	if len(a) == 0 {
		return b
	}
	out := maps.Clone(a)
	for k, y := range b {
		x, both := out[k]
		if !both {
			out[k] = y
			continue
		}
		switch k {
		case "properties":
			out[k] = mergedProperties(x, y)
		case "required":
			x, _ := x.([]any)
			y, _ := y.([]any)
			out[k] = slices.Concat(x, y)
		case "enum":
			out[k] = common(x, y)
		case "type":
			out[k] = narrower(x, y)
		case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties":
			if above(y, x) {
				out[k] = y
			}
		case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties":
			if above(x, y) {
				out[k] = y
			}
		default:
			out[k] = y
		}
	}
	return out
}

func mergedProperties(x, y any) any {
	a, _ := x.(map[string]any)
	b, _ := y.(map[string]any)
	out := maps.Clone(a)
	if out == nil {
		return b
	}
	for name, schema := range b {
		if old, ok := out[name]; ok {
			schema = map[string]any{"allOf": []any{old, schema}}
		}
		out[name] = schema
	}
	return out
}

// common returns what two enums share, or the second when that is nothing.
func common(x, y any) any {
	a, _ := x.([]any)
	b, _ := y.([]any)
	var out []any
	for _, v := range b {
		if slices.ContainsFunc(a, func(w any) bool { return same(v, w) }) {
			out = append(out, v)
		}
	}
	if out == nil {
		return b
	}
	return out
}

func same(x, y any) bool {
	a, err := sim.Canonical(x)
	b, err2 := sim.Canonical(y)
	return err == nil && err2 == nil && string(a) == string(b)
}

// narrower returns the types that two type keywords share, or the second.
func narrower(x, y any) any {
	list := func(v any) []any {
		if l, ok := v.([]any); ok {
			return l
		}
		return []any{v}
	}
	var out []any
	for _, v := range list(y) {
		for _, w := range list(x) {
			if v == "integer" && w == "number" || v == "number" && w == "integer" {
				out = append(out, "integer")
			} else if name, ok := v.(string); ok && name == w {
				out = append(out, name)
			}
		}
	}
	if len(out) == 0 {
		return y
	}
	return out
}

func above(x, y any) bool {
	a, ok := float(x)
	b, ok2 := float(y)
	return ok && ok2 && a > b
}

// kind returns the type to draw; where the schema names none, the one that its keywords are of.
func (d *drawer) kind(s map[string]any) string {
	if k, ok := s["type"].(string); ok {
		return k
	}
	if list, ok := s["type"].([]any); ok && len(list) > 0 {
		k, _ := list[d.rng.IntN(len(list))].(string)
		return k
	}
	has := func(keys ...string) bool {
		return slices.ContainsFunc(keys, func(k string) bool { _, ok := s[k]; return ok })
	}
	switch {
	case has("properties", "required", "additionalProperties", "minProperties"):
		return "object"
	case has("items", "prefixItems", "minItems"):
		return "array"
	case has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
		return "number"
	}
	return "string"
}

// object draws the required properties, about half of the others, and a few more where they
// are described.
func (d *drawer) object(s map[string]any, depth int) any {
	props, _ := s["properties"].(map[string]any)
	more, described := s["additionalProperties"].(map[string]any)
	list, _ := s["required"].([]any)
	low, high := limits(s, "minProperties", "maxProperties", drawItems)
	out := map[string]any{}
	for _, r := range list {
		name, ok := r.(string)
		if _, twice := out[name]; !ok || twice {
			continue
		}
		schema, ok := props[name]
		if !ok {
			schema = more
		}
		out[name] = d.value(schema, depth+1)
	}
	var left []string
	for _, name := range slices.Sorted(maps.Keys(props)) {
		switch _, has := out[name]; {
		case has || props[name] == false:
		case depth < drawDeep && len(out) < high && d.rng.IntN(2) == 0:
			out[name] = d.value(props[name], depth+1)
		default:
			left = append(left, name)
		}
	}
	for len(out) < low && len(left) > 0 {
		i := d.rng.IntN(len(left))
		out[left[i]] = d.value(props[left[i]], depth+1)
		left = slices.Delete(left, i, i+1)
	}
	if s["additionalProperties"] == false {
		return out
	}
	extra := max(low-len(out), 0)
	if described && depth < drawDeep {
		extra += d.rng.IntN(max(min(high-len(out)-extra, 2), 0) + 1)
	}
	for range extra {
		w := word(d.rng)
		if _, known := props[w]; !known {
			out[w] = d.value(more, depth+1)
		}
	}
	return out
}

func (d *drawer) array(s map[string]any, depth int) any {
	prefix, _ := s["prefixItems"].([]any)
	items := s["items"]
	if tuple, ok := items.([]any); ok { // as older drafts spell prefixItems
		prefix, items = tuple, s["additionalItems"]
	}
	low, high := limits(s, "minItems", "maxItems", drawItems)
	if _, bounded := s["maxItems"]; !bounded {
		high = min(low+3, drawItems)
	}
	if items == false {
		high = max(min(high, len(prefix)), low)
	}
	if depth >= drawDeep || d.work < drawWork/2 {
		high = low
	}
	out := []any{}
	unique := s["uniqueItems"] == true
	want := low + d.rng.IntN(high-low+1)
	for tries := 0; len(out) < want && tries < want+20; tries++ {
		schema := items
		if i := len(out); i < len(prefix) {
			schema = prefix[i]
		}
		v := d.value(schema, depth+1)
		if !unique || !slices.ContainsFunc(out, func(w any) bool { return same(v, w) }) {
			out = append(out, v)
		}
	}
	return out
}

// limits reads a pair of keywords that count something, of which there are most at the most.
func limits(s map[string]any, lowest, highest string, most int) (low, high int) {
	clamp := func(f float64) int { return int(min(max(f, 0), float64(most))) }
	if f, ok := float(s[lowest]); ok {
		low = clamp(f)
	}
	high = most
	if f, ok := float(s[highest]); ok {
		high = max(clamp(f), low)
	}
	return low, high
}

func float(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}
