package tasks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	messages "github.com/cucumber/messages/go/v34"
)

// legalLabel reports what keeps a text from being a label: Ginkgo ends the program for a label
// that it cannot filter by, so it is refused long before.
func legalLabel(label string) error {
	key, value, pair := strings.Cut(label, ":")
	switch {
	case strings.TrimSpace(label) == "":
		return fmt.Errorf("an empty label: remove it")
	case label != strings.TrimSpace(label):
		return fmt.Errorf("label %s: remove the spaces around it", short(label))
	case pair && key == "":
		return fmt.Errorf("label %s: a label may not start with ':'", short(label))
	case pair && strings.TrimSpace(value) == "":
		return fmt.Errorf("label %s: write a value after the colon, or no colon", short(label))
	case len(label) > 200:
		return fmt.Errorf("label %s: longer than 200 bytes", short(label))
	}
	if i := strings.IndexAny(label, "&|!,()/"); i >= 0 {
		return fmt.Errorf("label %s: a label may not contain %q, which label filters use; write '_' or '-'", short(label), label[i])
	}
	if i := strings.IndexFunc(label, func(r rune) bool { return r < ' ' || r == 0x7f }); i >= 0 {
		return fmt.Errorf("label %s: control characters cannot be typed into a filter", short(label))
	}
	return nil
}

// where the tags with a meaning may stand.
var reserved = map[string][]string{
	"suite":    {"feature"},
	"world":    {"feature"},
	"id":       {"scenario"},
	"trials":   {"feature", "rule", "scenario", "examples"},
	"requires": {"feature", "rule", "scenario", "examples"},
}

// tags checks the tags written at one place.
func (f *feature) tags(tags []*messages.Tag, place string) {
	for _, t := range tags {
		at := int(t.Location.Line)
		name := strings.TrimPrefix(t.Name, "@")
		if err := legalLabel(name); err != nil {
			f.note(at, "tag @%s: %s", name, strings.TrimPrefix(err.Error(), "label "+short(name)+": "))
			f.badTags[name] = true
			continue
		}
		key, value, _ := strings.Cut(name, ":")
		places, ok := reserved[key]
		switch {
		case !ok:
		case value == "":
			f.note(at, "tag @%s: write a value after a colon", name)
		case !slices.Contains(places, place):
			f.note(at, "tag @%s: @%s: belongs above the %s, not above the %s", name, key, places[0], place)
		}
	}
}

// labels returns the tags of a scenario as labels, each once, with its family among them.
func (f *feature) labels(tags []*messages.PickleTag) []string {
	var out []string
	for _, t := range tags {
		if l := strings.TrimPrefix(t.Name, "@"); !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	if l := "family:" + f.family; !slices.Contains(out, l) {
		out = append(out, l)
	}
	return out
}

// value returns the value of the one label with a key; two different ones are an error.
func (f *feature) value(line int, labels []string, key string) string {
	var vals []string
	for _, l := range labels {
		if v, ok := strings.CutPrefix(l, key+":"); ok {
			vals = append(vals, v)
		}
	}
	if len(vals) > 1 {
		f.note(line, "@%s:%s and @%s:%s both hold here, from the feature, the rule or the scenario: leave one", key, vals[0], key, vals[1])
	}
	if len(vals) == 0 {
		return ""
	}
	return vals[0]
}

const maxTrials = 1000

func (f *feature) trials(line int, labels []string) int {
	v := f.value(line, labels, "trials")
	if v == "" {
		return 0
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > maxTrials {
		f.note(line, "tag @trials:%s: write a number from 1 to %d", v, maxTrials)
	}
	return n
}

// requires reads @requires:name, @requires:family:name or @requires:suite:family:name; a tag
// cannot hold the '/' of an id.
func (f *feature) requires(line int, labels []string) ID {
	v := f.value(line, labels, "requires")
	if v == "" {
		return ""
	}
	p := strings.Split(v, ":")
	switch len(p) {
	case 1:
		p = []string{f.suite, f.family, p[0]}
	case 2:
		p = []string{f.suite, p[0], p[1]}
	}
	id := ID(strings.Join(p, "/"))
	if id.Valid() != nil {
		f.note(line, "tag @requires:%s: write the name of a task of this file, family:name, or suite:family:name", v)
		return ""
	}
	return id
}
