package scorer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"benchwright/grader"
	"benchwright/sim"
)

// decode reads exactly one JSON value into a struct. Every field of it must be there, spelled as
// it is, unless it is marked omitempty, and there may be no others; null is only for pointers and
// raw JSON. No key may come twice.
func decode(raw []byte, into any) error {
	v, err := parse(raw)
	if err != nil {
		return err
	}
	return fill(into, v, raw)
}

func parse(raw []byte) (any, error) {
	if !utf8.Valid(raw) {
		return nil, fmt.Errorf("it is not valid UTF-8")
	}
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return nil, fmt.Errorf("it is not JSON: %s", quote(err.Error()))
	}
	return v, nil
}

// fill is decode for what has been parsed.
func fill(into, v any, raw []byte) error {
	if err := shaped(reflect.TypeOf(into).Elem(), v, ""); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s", quote(err.Error()))
	}
	return nil
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// shaped compares parsed JSON with the type that it is for, since encoding/json takes any
// spelling of a key and misses none.
func shaped(t reflect.Type, v any, at string) error {
	bad := func(want string) error {
		if at == "" {
			return fmt.Errorf("want %s", want)
		}
		return fmt.Errorf("%s: want %s", at, want)
	}
	if t.Kind() == reflect.Pointer {
		if v == nil {
			return nil
		}
		return shaped(t.Elem(), v, at)
	}
	if reflect.PointerTo(t).Implements(unmarshaler) || t.Kind() == reflect.Interface {
		return nil
	}
	switch t.Kind() {
	case reflect.Struct:
		m, ok := v.(map[string]any)
		if !ok {
			return bad("an object")
		}
		return fields(t, m, at)
	case reflect.Map:
		m, ok := v.(map[string]any)
		if !ok {
			return bad("an object")
		}
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if err := shaped(t.Elem(), m[k], join(at, quote(k))); err != nil {
				return err
			}
		}
	case reflect.Slice:
		list, ok := v.([]any)
		if !ok {
			return bad("a list")
		}
		for i, e := range list {
			if err := shaped(t.Elem(), e, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	default:
		return leaf(t.Kind(), v, bad)
	}
	return nil
}

// leaf compares a value that holds no others. What numbers fit is encoding/json's to say.
func leaf(k reflect.Kind, v any, bad func(want string) error) error {
	want, ok := "a number", false
	switch k {
	case reflect.String:
		want = "a string"
		_, ok = v.(string)
	case reflect.Bool:
		want = "true or false"
		_, ok = v.(bool)
	default:
		_, ok = v.(json.Number)
	}
	if !ok {
		return bad(want)
	}
	return nil
}

func fields(t reflect.Type, m map[string]any, at string) error {
	var known []string
	for f := range structFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		known = append(known, name)
		v, ok := m[name]
		if !ok {
			if strings.Contains(options, "omit") {
				continue
			}
			return fmt.Errorf("%s is missing", join(at, name))
		}
		if err := shaped(f.Type, v, join(at, name)); err != nil {
			return err
		}
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(known, k) {
			return fmt.Errorf("%s: there is no such field%s", join(at, quote(k)), grader.Suggest(k, known))
		}
	}
	return nil
}

func structFields(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// maxQuoted is how many bytes of foreign text go into a message.
const maxQuoted = 160

// quote makes foreign text short and harmless.
func quote(s string) string {
	if len(s) <= maxQuoted {
		return strconv.Quote(s)
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(cut(s, maxQuoted)), len(s))
}

// cut returns at most the first n bytes of s, cut between runes.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// document returns v as indented JSON.
func document(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return harmless(b.Bytes()), nil
}

// harmless spells what a terminal might obey, and what nobody can see, as \u escapes. In JSON
// such characters stand in strings alone, where the escape means the same.
func harmless(raw []byte) []byte {
	if !slices.ContainsFunc(raw, func(c byte) bool { return c >= 0x7F }) {
		return raw
	}
	out := make([]byte, 0, len(raw)+64)
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		switch {
		case r < 0x7F || unicode.IsPrint(r) && (r != utf8.RuneError || size > 1):
			out = append(out, raw[i:i+size]...)
		case r > 0xFFFF:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += size
	}
	return out
}
