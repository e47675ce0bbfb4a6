package backend

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ParseFixture reads a fixture file; the format is in the package comment.
func ParseFixture(raw []byte) (*Backend, error) {
	o, err := fixtureObject(raw)
	if err != nil {
		return nil, err
	}
	for _, k := range []string{"slug", "name"} {
		if o.str(k) == "" {
			return nil, fmt.Errorf("backend fixture: %q is required and must be text", k)
		}
	}
	return fixture(o, true)
}

// ParseNamed reads a fixture file of the published format, which says neither slug nor name. It
// is not validated: what is published stands.
func ParseNamed(slug, name string, raw []byte) (*Backend, error) {
	o, err := fixtureObject(raw)
	if err != nil {
		return nil, fmt.Errorf("backend %q: %w", slug, err)
	}
	o.set("slug", slug)
	o.set("name", name)
	return fixture(o, false)
}

func fixtureObject(raw []byte) (*object, error) {
	v, err := parse(raw)
	if err != nil {
		return nil, fmt.Errorf("backend fixture: %w", err)
	}
	o, ok := v.(*object)
	if !ok {
		return nil, errors.New("backend fixture: want an object with slug, name, widgets, apps and data")
	}
	return o, nil
}

func fixture(o *object, validate bool) (*Backend, error) {
	where := fmt.Sprintf("backend fixture %q", shorten(o.str("slug")))
	if err := keys(o, "slug", "name", "url", "as_of", "widgets", "apps", "data"); err != nil && validate {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	widgets := o.obj("widgets")
	if widgets == nil {
		return nil, fmt.Errorf("%s: widgets must be an object of definitions by widget id", where)
	}
	asOf, err := dayOf(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	filters, empty := fixedFilters(o.str("slug"))
	answers := map[string]*answer{}
	clean := &object{m: map[string]any{}}
	for _, id := range widgets.keys {
		doc := widgets.obj(id)
		if doc == nil {
			return nil, fmt.Errorf("%s: widget %q: the definition is no object", where, shorten(id))
		}
		doc, a, err := baked(doc, filters)
		if err != nil {
			return nil, fmt.Errorf("%s: widget %q: %w", where, shorten(id), err)
		}
		clean.set(id, doc)
		if a != nil {
			answers[id] = a
		}
	}
	src := Source{Slug: o.str("slug"), Name: o.str("name"), URL: o.str("url"), Widgets: encode(clean)}
	if v := o.get("apps"); v != nil {
		src.Apps = encode(v)
	}
	r := Validate(src.Widgets, src.Apps)
	if validate {
		if err := r.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
	}
	apps, ok := o.get("apps").([]any)
	if !ok && o.get("apps") != nil {
		return nil, fmt.Errorf("%s: apps must be a list", where)
	}
	b, err := build(src, clean, apps, false)
	if err != nil {
		return nil, err
	}
	b.Warnings, b.answers, b.empty = r.Warnings, answers, empty
	if err := b.addData(o.get("data"), asOf); err != nil {
		return nil, fmt.Errorf("%s: data: %w", where, err)
	}
	return b, b.seal()
}

// addData reads the answers that stand beside the definitions.
func (b *Backend) addData(v any, asOf day) error {
	data, ok := v.(*object)
	if !ok && v != nil {
		return errors.New("want an object by widget id")
	}
	if data == nil {
		return nil
	}
	for _, id := range data.keys {
		d := b.index[id]
		if d == nil {
			return fmt.Errorf("%q is no widget of the fixture", shorten(id))
		}
		e := data.obj(id)
		if e == nil {
			return fmt.Errorf("widget %q: want an object", shorten(id))
		}
		err := keys(e, "byArgs", "payload", "filters", "nomatch", "options")
		if err == nil && b.answers[id] != nil {
			err = errors.New("it has rows in its definition too")
		}
		var a *answer
		if err == nil {
			a, err = readAnswer(e.get("byArgs"), e.get("filters"), e.get("nomatch"), e.get("payload"), nil, asOf)
		}
		var options map[string][]choice
		if err == nil {
			options, err = choices(d, e.get("options"))
		}
		if err != nil {
			return fmt.Errorf("widget %q: %w", shorten(id), err)
		}
		if a != nil {
			b.answers[id] = a
		}
		for _, name := range slices.Sorted(maps.Keys(options)) {
			for _, c := range options[name] {
				b.addChoice(id, name, c)
			}
		}
	}
	return nil
}

// choices reads the options of a widget's endpoints, by parameter.
func choices(d *Definition, v any) (map[string][]choice, error) {
	if v == nil {
		return nil, nil
	}
	o, ok := v.(*object)
	if !ok {
		return nil, errors.New("options must be an object by parameter")
	}
	out := map[string][]choice{}
	for _, name := range o.keys {
		p := d.Param(name)
		if p == nil || p.OptionsEndpoint == "" {
			return nil, fmt.Errorf("options: %q is no parameter with an optionsEndpoint", shorten(name))
		}
		for i, v := range o.list(name) {
			opt, ok := v.(*object)
			if !ok || badOption(v) {
				return nil, fmt.Errorf("options of %q: option %d needs label and value", name, i)
			}
			c := choice{}
			if w := opt.obj("when"); w != nil {
				c.when = map[string]string{}
				for k, v := range w.m {
					if d.Param(k) == nil {
						return nil, fmt.Errorf("options of %q: option %d: when: %q is no parameter", name, i, shorten(k))
					}
					c.when[k] = Str(plain(v))
				}
				opt = opt.copy()
				opt.del("when")
			}
			c.option = encode(opt)
			out[name] = append(out[name], c)
		}
	}
	return out, nil
}

func (b *Backend) addChoice(id, name string, c choice) {
	if b.options == nil {
		b.options = map[string]map[string][]choice{}
	}
	if b.options[id] == nil {
		b.options[id] = map[string][]choice{}
	}
	b.options[id][name] = append(b.options[id][name], c)
}

// fixedFilters are those of the published fixtures.
func fixedFilters(slug string) (filters []filter, empty bool) {
	same := func(names ...string) []filter {
		var out []filter
		for _, n := range names {
			out = append(out, filter{param: n, field: n})
		}
		return out
	}
	switch {
	case strings.HasPrefix(slug, "stark-enterprise"):
		return same("status", "desk", "vendor", "fund", "period"), false
	case slug == "support-daloopa-skills" || slug == "daloopa":
		return []filter{
			{param: "ticker", field: "ticker"}, {param: "period", field: "calendar_period"},
			{param: "doc_type", field: "doc_type"}, {param: "category", field: "category"},
		}, false
	}
	return nil, slug == "getting-started" || slug == "widget-examples"
}

// baked takes the rows of the published format out of a definition.
func baked(doc *object, filters []filter) (*object, *answer, error) {
	rows, isList := doc.get("data").([]any)
	if !isList && !has(doc, "sampleData") && !has(doc, "sampleDataByArgs") && !has(doc, "filters") {
		return doc, nil, nil
	}
	clean := doc.copy()
	var payload any
	if isList {
		payload = rows
		clean.del("data")
	}
	a, err := readAnswer(doc.get("sampleDataByArgs"), doc.get("filters"), nil, payload, filters, day{})
	if err != nil {
		return nil, nil, err
	}
	if v, ok := doc.m["sampleData"]; ok && v != nil {
		if a == nil {
			a = &answer{}
		}
		a.sample = encode(v)
	}
	for _, k := range []string{"sampleData", "sampleDataByArgs", "filters"} {
		clean.del(k)
	}
	return clean, a, nil
}

// readAnswer returns nil when there is neither an entry nor a payload.
func readAnswer(byArgs, filters, nomatch, payload any, fixed []filter, asOf day) (*answer, error) {
	a := &answer{}
	list, ok := byArgs.([]any)
	if !ok && byArgs != nil {
		return nil, errors.New("byArgs must be a list of {dataArgs, data}")
	}
	for i, v := range list {
		e, _ := v.(*object)
		if e == nil || e.obj("dataArgs") == nil || !has(e, "data") {
			return nil, fmt.Errorf("byArgs %d: want {dataArgs, data}", i)
		}
		a.byArgs = append(a.byArgs, argsEntry{textsOf(e.obj("dataArgs")), encode(e.get("data"))})
	}
	fixed, err := readFilters(filters, fixed, asOf)
	if err == nil {
		a.strict, err = readNomatch(nomatch)
	}
	if err != nil {
		return nil, err
	}
	if payload != nil {
		a.payload = encode(payload)
		a.table = tableOf(payload, a.payload, fixed, a.strict, asOf)
	}
	if len(a.byArgs) == 0 && a.payload == nil {
		return nil, nil
	}
	return a, nil
}

// textsOf returns Str of each value of an object.
func textsOf(o *object) map[string]string {
	out := make(map[string]string, len(o.m))
	for k, v := range o.m {
		out[k] = Str(plain(v))
	}
	return out
}

// keys refuses keys that are not known.
func keys(o *object, known ...string) error {
	m := set(known...)
	var bad []string
	for _, k := range o.keys {
		if !m[k] {
			bad = append(bad, shorten(k))
		}
	}
	if len(bad) > 0 {
		return fmt.Errorf("unknown keys %q; known are %q", bad, known)
	}
	return nil
}
