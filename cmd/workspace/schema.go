package workspace

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// narrowed lists what a schema no longer accepts that another did, as far as can be told from
// them: by their types, values, properties, items and bounds. What only describes does not count.
// Where a side is an anyOf or oneOf, every earlier shape needs one that accepts it now.
func narrowed(before, now json.RawMessage) []string {
	var b, n any
	if json.Unmarshal(before, &b) != nil || json.Unmarshal(now, &n) != nil {
		return []string{"its schema is not JSON"}
	}
	if reflect.DeepEqual(b, n) {
		return nil
	}
	steps := 0
	c := comparison{before: b, now: n, steps: &steps}
	return c.shape("", b, n, 0)
}

type schema = map[string]any

// A comparison is of two schemas, which references are resolved in. It counts its steps, since
// branches of branches multiply.
type comparison struct {
	before, now any
	steps       *int
}

// What is nested deeper, goes round in circles or takes more steps is not compared, and what is not
// compared is not known to be as it was.
const (
	maxNesting = 40
	maxSteps   = 100_000
)

// shape lists at a path what now refuses of before.
func (c comparison) shape(path string, before, now any, depth int) []string {
	if *c.steps++; depth > maxNesting || *c.steps > maxSteps {
		return []string{at(path, "nests too deep, or has too many branches, to be compared")}
	}
	depth++
	if now == true || now == nil {
		return nil
	}
	if before == false {
		return nil
	}
	n, ok := now.(schema)
	if !ok {
		return []string{at(path, "accepts nothing now")}
	}
	b, ok := before.(schema)
	if !ok {
		b = schema{}
	}
	b, n = flat(c.before, b, 0), flat(c.now, n, 0)
	if len(b) == 0 && len(n) == 0 {
		return nil
	}
	if ref, ok := n["$ref"]; ok && !reflect.DeepEqual(ref, b["$ref"]) {
		return []string{at(path, fmt.Sprintf("refers to %s, which is not there to be compared", said(ref)))}
	}
	if nothing(n) {
		return []string{at(path, "accepts nothing now")}
	}
	key, branches := either(b)
	nowKey, nowBranches := either(n)
	if list, ok := b["type"].([]any); ok && branches == nil && len(list) > 1 && nowBranches != nil {
		for _, t := range list {
			branches = append(branches, schema{"type": t})
		}
	}
	if branches != nil {
		var out []string
		for _, one := range branches {
			if p := c.shape(path, merged(b, key, one), n, depth); len(p) > 0 {
				out = append(out, p[0])
			}
		}
		return slices.Compact(out)
	}
	if branches := nowBranches; branches != nil {
		var first []string
		for i, one := range branches {
			p := c.shape(path, b, merged(n, nowKey, one), depth)
			if len(p) == 0 {
				return nil
			}
			if i == 0 {
				first = p
			}
		}
		if len(branches) == 1 {
			return first
		}
		return []string{at(path, "no branch accepts the earlier shape; of the first: "+first[0])}
	}
	out := values(path, b, n)
	if len(out) > 0 {
		return out
	}
	out = append(out, bounds(path, b, n)...)
	out = append(out, c.properties(path, b, n, depth)...)
	if items, ok := n["items"]; ok && may(b, "array") {
		out = append(out, c.shape(path+"[]", b["items"], items, depth)...)
	}
	return out
}

// either returns the branches of an anyOf, or else of a oneOf, and which of the two it is.
func either(s schema) (key string, branches []any) {
	for _, key := range []string{"anyOf", "oneOf"} {
		if list, ok := s[key].([]any); ok && len(list) > 0 {
			return key, list
		}
	}
	return "", nil
}

// nothing reports whether a schema plainly accepts no value: no type, value or branch is left.
func nothing(s schema) bool {
	for _, key := range []string{"anyOf", "oneOf", "enum"} {
		if list, ok := s[key].([]any); ok && len(list) == 0 {
			return true
		}
	}
	switch t := s["type"].(type) {
	case nil, string:
		return false
	case []any:
		return len(t) == 0
	}
	return true
}

// merged is a branch of the named key with what stands beside that.
func merged(s schema, key string, branch any) any {
	b, ok := branch.(schema)
	if !ok {
		return branch
	}
	out := maps.Clone(s)
	delete(out, key)
	return both(out, b)
}

// both is a schema that holds what each of two says; where they say different things of one key,
// properties and required names are joined and else the second counts.
func both(a, b schema) schema {
	out := maps.Clone(a)
	for k, v := range b {
		switch k {
		case "properties":
			if old, ok := out[k].(schema); ok {
				if more, ok := v.(schema); ok {
					old = maps.Clone(old)
					maps.Copy(old, more)
					v = old
				}
			}
		case "required":
			old, _ := out[k].([]any)
			if more, ok := v.([]any); ok {
				v = append(slices.Clone(old), more...)
			}
		}
		out[k] = v
	}
	return out
}

// flat is a schema with its reference and its allOf written out.
func flat(root any, s schema, depth int) schema {
	target := resolve(root, s)
	if _, ok := s["$ref"]; ok && !reflect.DeepEqual(target, s) {
		beside := maps.Clone(s)
		delete(beside, "$ref")
		s = both(target, beside)
	}
	all, ok := s["allOf"].([]any)
	if !ok || depth > maxNesting {
		return s
	}
	out := maps.Clone(s)
	delete(out, "allOf")
	for _, one := range all {
		if one, ok := one.(schema); ok {
			out = both(out, flat(root, one, depth+1))
		}
	}
	return out
}

// resolve follows a reference into the definitions of the same document.
func resolve(root any, s schema) schema {
	for range maxNesting {
		ref, ok := s["$ref"].(string)
		if !ok {
			return s
		}
		path, ok := strings.CutPrefix(ref, "#/")
		if !ok {
			return s
		}
		v := root
		for _, key := range strings.Split(path, "/") {
			key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
			switch at := v.(type) {
			case schema:
				v = at[key]
			case []any:
				i, err := strconv.Atoi(key)
				if err != nil || i < 0 || i >= len(at) {
					return s
				}
				v = at[i]
			}
		}
		next, ok := v.(schema)
		if !ok {
			return s
		}
		s = next
	}
	return s
}

// types returns the types that a schema accepts, or nil for all.
func types(s schema) []string {
	var out []string
	switch t := s["type"].(type) {
	case string:
		out = []string{t}
	case []any:
		for _, one := range t {
			if name, ok := one.(string); ok {
				out = append(out, name)
			}
		}
	default:
		return nil
	}
	if slices.Contains(out, "number") {
		out = append(out, "integer")
	}
	return out
}

func may(s schema, name string) bool {
	t := types(s)
	return t == nil || slices.Contains(t, name)
}

// enum returns the values that a schema lists, and whether it lists any.
func enum(s schema) ([]any, bool) {
	if v, ok := s["const"]; ok {
		return []any{v}, true
	}
	list, ok := s["enum"].([]any)
	return list, ok
}

// values compares types and listed values.
func values(path string, b, n schema) []string {
	before, listedBefore := enum(b)
	if now, listed := enum(n); listed {
		if !listedBefore {
			return []string{at(path, "takes only listed values now: "+said(now))}
		}
		for _, v := range before {
			if !slices.ContainsFunc(now, func(w any) bool { return reflect.DeepEqual(v, w) }) {
				return []string{at(path, "no longer takes "+said(v))}
			}
		}
		return nil
	}
	now := types(n)
	if now == nil {
		return nil
	}
	was := types(b)
	if was == nil && listedBefore {
		for _, v := range before {
			was = append(was, typeOf(v))
		}
	}
	if was == nil {
		return []string{at(path, "takes only "+strings.Join(now, " or ")+" now")}
	}
	for _, t := range was {
		if !slices.Contains(now, t) {
			return []string{at(path, "no longer takes "+t+", only "+strings.Join(now, " or "))}
		}
	}
	return nil
}

func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case float64:
		if v == float64(int64(v)) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// bounds compares what limits values.
func bounds(path string, b, n schema) []string {
	var out []string
	for _, key := range []string{"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"} {
		if now, ok := n[key].(float64); ok {
			if was, ok := b[key].(float64); (!ok && (now > 0 || !strings.HasPrefix(key, "min") || key == "minimum")) || ok && now > was {
				out = append(out, at(path, fmt.Sprintf("%s is %v now", key, now)))
			}
		}
	}
	for _, key := range []string{"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"} {
		if now, ok := n[key].(float64); ok {
			if was, ok := b[key].(float64); !ok || now < was {
				out = append(out, at(path, fmt.Sprintf("%s is %v now", key, now)))
			}
		}
	}
	for _, key := range []string{"pattern", "format", "multipleOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "propertyNames",
		"patternProperties", "contains", "prefixItems", "unevaluatedProperties", "unevaluatedItems"} {
		if now, ok := n[key]; ok && !reflect.DeepEqual(now, b[key]) {
			out = append(out, at(path, key+" is "+said(now)+" now"))
		}
	}
	if n["uniqueItems"] == true && b["uniqueItems"] != true {
		out = append(out, at(path, "items have to be unique now"))
	}
	return out
}

// properties compares objects.
func (c comparison) properties(path string, b, n schema, depth int) []string {
	if !may(b, "object") {
		return nil
	}
	var out []string
	before, _ := b["properties"].(schema)
	now, _ := n["properties"].(schema)
	for _, name := range names(before) {
		if _, ok := now[name]; ok {
			out = append(out, c.shape(join(path, name), before[name], now[name], depth)...)
		} else if now != nil || n["additionalProperties"] == false || path == "" {
			out = append(out, at(join(path, name), "is gone"))
		}
	}
	was := texts(b["required"])
	for _, name := range texts(n["required"]) {
		if !slices.Contains(was, name) {
			out = append(out, at(join(path, name), "is required now"))
		}
	}
	if extra, ok := n["additionalProperties"]; ok {
		switch earlier := b["additionalProperties"]; {
		case earlier == false:
		case extra == false:
			out = append(out, at(path, "no longer takes other properties"))
		default:
			out = append(out, c.shape(join(path, "*"), earlier, extra, depth)...)
		}
	}
	return out
}

func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, one := range list {
		if s, ok := one.(string); ok {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func at(path, text string) string {
	if path == "" {
		return "the arguments: " + text
	}
	return path + ": " + text
}

// said writes a value for people.
func said(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	return string(raw[:min(len(raw), 120)])
}
