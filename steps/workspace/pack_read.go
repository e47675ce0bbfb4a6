package workspace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"benchwright/grader"
	"benchwright/tasks"
)

// problems gathers what is wrong with a pack, each thing once.
type problems struct {
	list []tasks.Problem
	seen map[tasks.Problem]bool
}

func (p *problems) note(at grader.Source, format string, args ...any) {
	at.Text = ""
	x := tasks.Problem{Source: at, Text: fmt.Sprintf(format, args...)}
	if !p.seen[x] {
		if p.seen == nil {
			p.seen = map[tasks.Problem]bool{}
		}
		p.seen[x] = true
		p.list = append(p.list, x)
	}
}

// A reading is a JSON object being read. Each key that is asked for is known; done reports the
// others.
type reading struct {
	p    *problems
	n    *node
	what string // "task", "eval", "required widget"
	keys []string
}

// reads starts to read an object; nil if the node is none, which is then a problem.
func (p *problems) reads(n *node, what string) *reading {
	if n.kind != '{' {
		p.note(n.at(), "%s: want an object, found %s", what, kindName(n.kind))
		return nil
	}
	return &reading{p: p, n: n, what: what}
}

// get returns the value of a key. null counts as absent.
func (o *reading) get(key string) *node {
	o.keys = append(o.keys, key)
	if n := o.n.get(key); n != nil && n.kind != 'n' {
		return n
	}
	return nil
}

// one returns the value of the one spelling of a key that is used.
func (o *reading) one(keys ...string) *node {
	var found *node
	var as string
	for _, k := range keys {
		switch n := o.get(k); {
		case n == nil:
		case found != nil:
			o.p.note(n.at(), "%s: %q and %q are the same; leave one", o.what, as, k)
		default:
			found, as = n, k
		}
	}
	return found
}

// done reports the keys that nobody asked for.
func (o *reading) done() {
	var unknown []string
	var at *nodeMember
	for i, m := range o.n.members {
		if !slices.Contains(o.keys, m.key) {
			unknown = append(unknown, m.key)
			if at == nil {
				at = &o.n.members[i]
			}
		}
	}
	if at == nil {
		return
	}
	for i, k := range unknown {
		unknown[i] = strconv.Quote(clip(k))
	}
	slices.Sort(unknown)
	hint := ""
	if len(unknown) == 1 {
		hint = grader.Suggest(at.key, o.keys)
	}
	o.p.note(grader.Source{File: o.n.file.name, Line: o.n.file.line(at.off)}, "%s contains unknown fields: %s%s", o.what, strings.Join(unknown, ", "), hint)
}

func (o *reading) wants(n *node, key, what string) {
	o.p.note(n.at(), "%s: %s: want %s, found %s", o.what, key, what, kindName(n.kind))
}

// require reports a missing key.
func (o *reading) require(n *node, key string) bool {
	if n == nil {
		o.p.note(o.n.at(), "%s: %q is required", o.what, key)
	}
	return n != nil
}

// text returns a string, "" if it is absent.
func (o *reading) text(key string) string { return o.textOf(o.get(key), key) }

func (o *reading) textOf(n *node, key string) string {
	if n == nil {
		return ""
	}
	if n.kind != '"' {
		o.wants(n, key, "a string")
	}
	return n.text
}

// needText returns a string that must be there and not blank.
func (o *reading) needText(keys ...string) string {
	n := o.one(keys...)
	if !o.require(n, keys[0]) {
		return ""
	}
	s := o.textOf(n, keys[0])
	if n.kind == '"' && strings.TrimSpace(s) == "" {
		o.p.note(n.at(), "%s: %s: want a text that is not blank", o.what, keys[0])
	}
	return s
}

func (o *reading) boolean(key string, otherwise bool) bool {
	n := o.get(key)
	switch {
	case n == nil:
		return otherwise
	case n.kind != 't' && n.kind != 'f':
		o.wants(n, key, "true or false")
	}
	return n.kind == 't'
}

// integer returns a whole number of at least least; nil if it is absent.
func (o *reading) integer(key string, least int) *int {
	n := o.get(key)
	if n == nil {
		return nil
	}
	i, err := strconv.Atoi(n.text)
	if n.kind != '0' || err != nil || i < least {
		o.p.note(n.at(), "%s: %s: want a whole number of at least %d", o.what, key, least)
		return nil
	}
	return &i
}

func (o *reading) integerOr(key string, least, otherwise int) int {
	if i := o.integer(key, least); i != nil {
		return *i
	}
	return otherwise
}

// number returns a number; nil if it is absent.
func (o *reading) number(key string) *float64 {
	n := o.get(key)
	if n == nil {
		return nil
	}
	f, err := strconv.ParseFloat(n.text, 64)
	if n.kind != '0' || err != nil {
		o.wants(n, key, "a number")
		return nil
	}
	return &f
}

// list returns the elements of a list.
func (o *reading) list(keys ...string) []*node {
	n := o.one(keys...)
	if n == nil {
		return nil
	}
	if n.kind != '[' {
		o.wants(n, keys[0], "a list")
		return nil
	}
	return n.items
}

// texts returns a list of strings that are not empty.
func (o *reading) texts(key string) []string {
	var out []string
	for _, n := range o.list(key) {
		if n.kind != '"' || n.text == "" {
			o.wants(n, key, "strings that are not empty")
			continue
		}
		out = append(out, n.text)
	}
	return out
}

// names returns a list of strings without repetitions; given says whether the key is there at all.
func (o *reading) names(key string) (out []string, given bool) {
	n := o.n.get(key)
	out = o.texts(key)
	for i, s := range out {
		if slices.Contains(out[:i], s) {
			o.p.note(n.at(), "%s: %s: %q is there twice", o.what, key, clip(s))
		}
	}
	given = n != nil && n.kind != 'n'
	if given && n.kind == '[' && len(n.items) == 0 {
		o.p.note(n.at(), "%s: %s: an empty list; leave the key out", o.what, key)
	}
	return out, given
}

// fragments returns a string or a list of strings.
func (o *reading) fragments(key string) []string {
	if n := o.n.get(key); n != nil && n.kind == '"' {
		o.keys = append(o.keys, key)
		if n.text == "" {
			o.wants(n, key, "text to look for")
		}
		return []string{n.text}
	}
	return o.texts(key)
}

// object returns an object as a map.
func (o *reading) object(key string) map[string]any {
	n := o.get(key)
	if n == nil {
		return nil
	}
	if n.kind != '{' {
		o.wants(n, key, "an object")
		return nil
	}
	return n.value().(map[string]any)
}

// objects returns a list of objects as maps.
func (o *reading) objects(key string) []map[string]any {
	var out []map[string]any
	for _, n := range o.list(key) {
		if n.kind != '{' {
			o.wants(n, key, "objects")
			continue
		}
		out = append(out, n.value().(map[string]any))
	}
	return out
}

// choice returns a string that is one of several, "" if it is absent.
func (o *reading) choice(key string, of []string) string {
	n := o.get(key)
	if n == nil {
		return ""
	}
	s := o.textOf(n, key)
	if n.kind == '"' && !slices.Contains(of, s) {
		o.p.note(n.at(), "%s: %v", o.what, tasks.Unknown(key, s, of))
	}
	return s
}
