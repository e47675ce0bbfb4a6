package wiki

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"benchwright/sim"
)

// A param is one argument of a tool.
type param struct {
	name     string
	kind     kind
	optional bool
	about    string
	choices  []string // of a choice
}

// A kind is what an argument must be.
type kind byte

const (
	text   kind = iota // 1 to maxName bytes
	line               // 1 to maxQuery bytes without a line end
	body               // any string
	count              // a whole number from 1
	choice             // one of the choices
	value              // anything
)

const (
	maxName   = 1 << 10 // bytes of a path, an id or a name
	maxQuery  = 200     // bytes
	maxShown  = 120     // bytes of what an agent sent, in a message
	maxAnswer = 64 << 10
	maxDepth  = 100 // of an answer
	maxCount  = 1_000_000
)

// schema describes a param to an agent.
func (p param) schema() map[string]any {
	s := map[string]any{"description": p.about}
	switch p.kind {
	case text:
		s["type"], s["minLength"], s["maxLength"] = "string", 1, maxName
	case line:
		s["type"], s["minLength"], s["maxLength"] = "string", 1, maxQuery
	case body:
		s["type"] = "string"
	case count:
		s["type"], s["minimum"], s["maximum"] = "integer", 1, maxCount
	case choice:
		s["type"], s["enum"] = "string", p.choices
	}
	return s
}

// demand says what an argument of the kind must be.
func (p param) demand() string {
	switch p.kind {
	case text:
		return fmt.Sprintf("must be a string of 1 to %d bytes", maxName)
	case line:
		return fmt.Sprintf("must be a string of 1 to %d bytes without a line end", maxQuery)
	case body:
		return "must be a string"
	case count:
		return fmt.Sprintf("must be a whole number from 1 to %d", maxCount)
	case choice:
		return "must be one of " + strings.Join(p.choices, ", ")
	}
	return fmt.Sprintf("must be JSON that nests no deeper than %d", maxDepth)
}

// read returns an argument as the kind has it: a string, an int, or canonical JSON.
func (p param) read(v any) (any, bool) {
	switch p.kind {
	case value:
		raw := sim.MustCanonical(v)
		return raw, sim.IsCanonicalWithin(raw, maxDepth)
	case count:
		n, ok := v.(json.Number)
		if !ok {
			return nil, false
		}
		i, err := strconv.Atoi(string(n))
		return i, err == nil && i >= 1 && i <= maxCount
	}
	s, ok := v.(string)
	switch {
	case !ok:
		return nil, false
	case p.kind == text:
		ok = s != "" && len(s) <= maxName
	case p.kind == line:
		ok = s != "" && len(s) <= maxQuery && !strings.ContainsAny(s, "\n\r")
	case p.kind == choice:
		ok = slices.Contains(p.choices, s)
	}
	return s, ok
}

// arguments are those of a call that has the right shape: those that were given, and not as null
// where that is as good as nothing.
type arguments map[string]any

func (a arguments) text(name string) string { s, _ := a[name].(string); return s }
func (a arguments) count(name string) int   { n, _ := a[name].(int); return n }

// parse reads the arguments of a call.
func (t *tool) parse(raw json.RawMessage) (arguments, *failure) {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	v, err := sim.ParseJSON(raw)
	object, ok := v.(map[string]any)
	if err != nil || !ok {
		return nil, t.invalid("the arguments must be one JSON object that names no key twice")
	}
	a := arguments{}
	for _, p := range t.params {
		v, given := object[p.name]
		if !given || v == nil && p.optional && p.kind != value {
			if !p.optional {
				return nil, t.invalid("%s is missing", p.name)
			}
			continue
		}
		if a[p.name], ok = p.read(v); !ok {
			return nil, t.invalid("%s %s", p.name, p.demand())
		}
	}
	for _, name := range sorted(object) {
		if !slices.ContainsFunc(t.params, func(p param) bool { return p.name == name }) {
			return nil, t.invalid("there is no argument %s", shown(name))
		}
	}
	return a, nil
}

// invalid is the failure of arguments of the wrong shape.
func (t *tool) invalid(format string, args ...any) *failure {
	return fail(CodeInvalidArguments, t.signature(), format, args...)
}

// signature says which arguments the tool takes.
func (t *tool) signature() string {
	if len(t.params) == 0 {
		return t.Name + " takes no arguments"
	}
	names := make([]string, len(t.params))
	for i, p := range t.params {
		if names[i] = p.name; p.optional {
			names[i] += "?"
		}
	}
	return t.Name + " takes " + strings.Join(names, ", ")
}

// shown quotes what an agent sent, for a message.
func shown(s string) string { return strconv.Quote(clip(s, maxShown)) }

// clip returns at most n bytes of a text, cut between runes, and a mark where something is cut.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
