package workspace

import (
	"encoding/json"
	"strconv"

	"benchwright/sim"
)

// maxArgumentDepth is how deep arguments may nest. What they hold comes back inside results and
// states, which nest a little deeper.
const maxArgumentDepth = sim.MaxDepth - 40

// arguments are those of a call, as sim.ParseJSON reads them. null is the same as absent.
type arguments map[string]any

// parse reads the arguments of a call; nothing at all and null are no arguments.
func parse(tool string, raw json.RawMessage) (arguments, *failure) {
	if len(raw) == 0 {
		return nil, nil
	}
	if depth(raw) > maxArgumentDepth {
		return nil, invalid("%s arguments are nested deeper than %d.", tool, maxArgumentDepth)
	}
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return nil, invalid("%s arguments must be a JSON object.", tool)
	}
	switch v := v.(type) {
	case map[string]any:
		return v, nil
	case nil:
		return nil, nil
	}
	return nil, invalid("%s arguments must be a JSON object.", tool)
}

// depth returns how deep JSON nests. Text that is no JSON gets some answer.
func depth(raw []byte) int {
	deepest, d := 0, 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			for i++; i < len(raw) && raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			d++
			deepest = max(deepest, d)
		case '}', ']':
			d--
		}
	}
	return deepest
}

// has reports whether an argument is there.
func (a arguments) has(name string) bool { return a[name] != nil }

// text returns an argument that is a string, and "" for anything else.
func (a arguments) text(name string) string {
	s, _ := a[name].(string)
	return s
}

// tab returns an argument that names a tab, for which the empty string is a name too.
func (a arguments) tab(name string) (string, bool) {
	s, ok := a[name].(string)
	return s, ok
}

// flag returns an argument that is a boolean.
func (a arguments) flag(name string, otherwise bool) bool {
	if b, ok := a[name].(bool); ok {
		return b
	}
	return otherwise
}

// object returns an argument that is an object, or nil.
func (a arguments) object(name string) map[string]any {
	m, _ := a[name].(map[string]any)
	return m
}

// list returns an argument that is a list, or nil.
func (a arguments) list(name string) []any {
	l, _ := a[name].([]any)
	return l
}

// number returns an argument that is a number on the grid. Text and booleans are none, nor is
// what is too far away.
func (a arguments) number(name string) (float64, bool) {
	n, ok := a[name].(json.Number)
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil || f > maxCoordinate || f < -maxCoordinate {
		return 0, false
	}
	return f + 0, true // -0 is 0
}

// The shapes that arguments have.
type shape byte

const (
	isText shape = iota
	isFlag
	isNumber
	isObject
	isList
	isAny
)

var shapeNames = [...]string{isText: "a string", isFlag: "a boolean", isNumber: "a number", isObject: "an object", isList: "an array"}

func (s shape) fits(v any) bool {
	ok := true
	switch s {
	case isText:
		_, ok = v.(string)
	case isFlag:
		_, ok = v.(bool)
	case isNumber:
		_, ok = v.(json.Number)
	case isObject:
		_, ok = v.(map[string]any)
	case isList:
		_, ok = v.([]any)
	}
	return ok
}
