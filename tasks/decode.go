package tasks

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"benchwright/grader"
	"benchwright/sim"
)

// decodeTasks is DecodeTasks that also tells where each task stands in the file.
func decodeTasks(file string, raw []byte, s Suite) ([]found, []Problem) {
	d := &decoder{file: file, suite: s, raw: bytes.TrimPrefix(raw, []byte("\uFEFF"))}
	if line, bad := notUTF8(d.raw); bad {
		d.noteLine(line, "not UTF-8: save the file in that encoding")
		return nil, d.problems
	}
	root, err := parseNodes(d.raw)
	if err != nil {
		var p *placedError
		if !errors.As(err, &p) {
			p = &placedError{0, err.Error()}
		}
		d.note(p.off, "%s", p.text)
		return nil, d.problems
	}
	list := []*node{root}
	switch root.kind {
	case '[':
		if list = root.items; len(list) == 0 {
			d.note(root.off, "the list holds no tasks")
		}
	case '{':
	default:
		d.note(root.off, "want a task, or a list of tasks, found %s", root.kind)
		return nil, d.problems
	}
	var out []found
	for _, n := range list {
		if t, ok := d.task(n); ok {
			out = append(out, found{t, d.source(n)})
		}
	}
	return out, d.problems
}

// A decoder turns JSON into tasks and remembers everything that does not fit.
type decoder struct {
	file     string
	raw      []byte
	suite    Suite
	problems []Problem
	lineEnds []int
	kit      *Kit // of the task being read; nil if its world is unknown
}

func (d *decoder) note(off int, format string, args ...any) {
	d.noteLine(d.line(off), format, args...)
}

func (d *decoder) noteLine(line int, format string, args ...any) {
	d.problems = append(d.problems, Problem{grader.Source{File: d.file, Line: line}, fmt.Sprintf(format, args...)})
}

// line returns the line of a byte of the file.
func (d *decoder) line(off int) int {
	if d.lineEnds == nil {
		d.lineEnds = []int{}
		for i, c := range d.raw {
			if c == '\n' {
				d.lineEnds = append(d.lineEnds, i)
			}
		}
	}
	lo, hi := 0, len(d.lineEnds)
	for lo < hi {
		if m := (lo + hi) / 2; d.lineEnds[m] < off {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo + 1
}

func (d *decoder) source(n *node) grader.Source {
	return grader.Source{File: d.file, Line: d.line(n.off)}
}

// task reads one task and lints it.
func (d *decoder) task(n *node) (t Task, ok bool) {
	before := len(d.problems)
	d.kit = nil
	if w := n.get("world"); w != nil && w.kind == '"' {
		if d.kit = d.suite.Kit(w.text); d.kit == nil {
			d.note(w.off, "%v", Unknown("world", w.text, d.suite.Worlds()))
		}
	}
	d.value(n, reflect.ValueOf(&t).Elem(), "")
	if len(d.problems) > before {
		return t, false
	}
	placed := d.place(t, n, false)
	if p := normalize(&placed); len(p) > 0 {
		d.problems = append(d.problems, p...)
		return t, false
	}
	// What a task says of its sources is for its readers. Problems are told where they stand.
	if p := Lint(placed, d.suite); len(p) > 0 {
		d.problems = append(d.problems, p...)
		return t, false
	}
	t = d.place(t, n, true)
	normalize(&t)
	return t, true
}

// place returns the task with its sources set to places in the file: all of them, or those
// alone that it does not name itself.
func (d *decoder) place(t Task, n *node, keep bool) Task {
	set := func(s *grader.Source, n *node) {
		if !keep || s.File == "" {
			*s = d.source(n)
		}
	}
	if !keep || t.Source.File == "" {
		t.Source = Source{File: d.file, Line: d.line(n.off)}
	}
	moves := func(list []Move, n *node) []Move {
		out := append([]Move(nil), list...)
		for i := range out {
			set(&out[i].Source, n.items[i])
		}
		return out
	}
	r := n.get("rubric")
	if r == nil {
		return t
	}
	t.Rubric.Checks = append([]grader.Check(nil), t.Rubric.Checks...)
	for i := range t.Rubric.Checks {
		set(&t.Rubric.Checks[i].Source, r.get("checks").items[i])
	}
	t.Rubric.Reference = moves(t.Rubric.Reference, r.get("reference"))
	t.Rubric.Probes = append([]Probe(nil), t.Rubric.Probes...)
	for i := range t.Rubric.Probes {
		p := r.get("probes").items[i]
		set(&t.Rubric.Probes[i].Source, p)
		t.Rubric.Probes[i].Moves = moves(t.Rubric.Probes[i].Moves, p.get("moves"))
	}
	return t
}

var (
	rawType   = reflect.TypeFor[json.RawMessage]()
	checkType = reflect.TypeFor[grader.Check]()
)

// value reads n into v. path says where in the task it is, for people.
func (d *decoder) value(n *node, v reflect.Value, path string) {
	want := func(what string) { d.note(n.off, "%swant %s, found %s", colon(path), what, n.found()) }
	switch {
	case v.Type() == rawType:
		c, err := sim.Canonical(json.RawMessage(d.raw[n.off:n.end]))
		if err != nil {
			d.note(n.off, "%s%v", colon(path), err)
		}
		v.Set(reflect.ValueOf(c))
		return
	case v.Type() == checkType:
		d.check(n, v.Addr().Interface().(*grader.Check), path)
		return
	}
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if n.kind != '"' {
			want("a string")
		} else if err := u.UnmarshalText([]byte(n.text)); err != nil {
			d.note(n.off, "%s%v", colon(path), err)
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		if n.kind != '"' {
			want("a string")
			return
		}
		v.SetString(n.text)
	case reflect.Bool:
		if n.kind != 't' && n.kind != 'f' {
			want("true or false")
			return
		}
		v.SetBool(n.kind == 't')
	case reflect.Int, reflect.Int64:
		i, err := strconv.ParseInt(n.text, 10, 64)
		if n.kind != '0' || err != nil || v.OverflowInt(i) {
			want("a whole number")
			return
		}
		v.SetInt(i)
	case reflect.Slice:
		if n.kind != '[' {
			want("a list")
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), len(n.items), len(n.items)))
		for i, e := range n.items {
			d.value(e, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Map:
		if n.kind != '{' {
			want("an object")
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for _, m := range n.members {
			e := reflect.New(v.Type().Elem()).Elem()
			d.value(m.value, e, join(path, m.key))
			v.SetMapIndex(reflect.ValueOf(m.key), e)
		}
	case reflect.Struct:
		if n.kind != '{' {
			want("an object")
			return
		}
		fields := fieldsOf(v.Type())
		for _, m := range n.members {
			i := fields.index(m.key)
			if i < 0 {
				d.note(m.off, "%v", Unknown("key", join(path, m.key), fields.paths(path)))
				continue
			}
			d.value(m.value, v.Field(fields[i].index), join(path, m.key))
		}
	default:
		panic(fmt.Sprintf("tasks: cannot decode %s", v.Type())) // Task is plain data; its tests would meet this
	}
}

// check reads a check through the world's registry.
func (d *decoder) check(n *node, c *grader.Check, path string) {
	var e struct {
		Rule   string          `json:"rule"`
		Args   json.RawMessage `json:"args"`
		Ask    int             `json:"ask"`
		Source grader.Source   `json:"source"`
	}
	before := len(d.problems)
	d.value(n, reflect.ValueOf(&e).Elem(), path)
	if n.kind == '{' && n.get("rule") == nil {
		d.note(n.off, "%swant a rule", colon(path))
	}
	if d.kit == nil || len(d.problems) > before {
		return
	}
	rules := grader.Registry(d.kit.Rules)
	mk := rules[e.Rule]
	if mk == nil {
		d.note(n.get("rule").off, "%v", Unknown("rule", e.Rule, rules.Names()))
		return
	}
	args := n.get("args")
	if args != nil && args.kind == '{' && !d.arguments(args, mk(), path) {
		return
	}
	got, err := rules.Decode(d.raw[n.off:n.end])
	if err != nil {
		off := n.off
		text := err.Error()
		var t *json.UnmarshalTypeError
		if args != nil {
			off = args.off
			if errors.As(err, &t) {
				off += max(0, int(t.Offset)-1)
				text = fmt.Sprintf("%swant %s, found a JSON %s", colon(join("args", t.Field)), wanted(t.Type), t.Value)
			}
		}
		d.note(off, "%s%s", colon(path), text)
		return
	}
	*c = got
}

// arguments refuses keys that a rule does not have, with the nearest that it has. Rules that
// read their JSON themselves are left to do so.
func (d *decoder) arguments(args *node, rule grader.Rule, path string) bool {
	t := reflect.TypeOf(rule)
	if _, own := rule.(json.Unmarshaler); own || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return true
	}
	for i := range t.Elem().NumField() {
		if t.Elem().Field(i).Anonymous {
			return true
		}
	}
	fields := fieldsOf(t.Elem())
	ok := true
	for _, m := range args.members {
		if fields.index(m.key) < 0 {
			d.note(m.off, "%s%v", colon(path), Unknown("argument", m.key, fields.paths("")))
			ok = false
		}
	}
	return ok
}

// wanted names a Go type in the words of JSON.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

// field is a key of an object and the struct field that holds it.
type field struct {
	key   string
	index int
}

type fieldList []field

func fieldsOf(t reflect.Type) fieldList {
	var out fieldList
	for i := range t.NumField() {
		f := t.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "" {
			key = f.Name
		}
		if f.IsExported() && key != "-" {
			out = append(out, field{key, i})
		}
	}
	return out
}

func (l fieldList) index(key string) int {
	for i, f := range l {
		if f.key == key {
			return i
		}
	}
	return -1
}

func (l fieldList) paths(path string) []string {
	var out []string
	for _, f := range l {
		out = append(out, join(path, f.key))
	}
	return out
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	if key == "" {
		return path
	}
	return path + "." + key
}

func colon(path string) string {
	if path == "" {
		return ""
	}
	return path + ": "
}
