package backend

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"benchwright/sim"
)

// Limits of what is loaded.
const (
	maxManifest = 8 << 20  // one manifest
	maxAnswer   = 16 << 20 // one answer
	maxLoaded   = 256 << 20
)

// asked reports whether a widget has one answer that can be kept. An iframe has none, a chart
// of the UDF kind has a server of many questions, and a full URL may be anybody's.
func (d *Definition) asked() bool {
	return d.Type != "iframe" && d.Type != "advanced_charting" && !absolute(d.Endpoint)
}

func absolute(endpoint string) bool { return strings.Contains(endpoint, "://") }

// staticQuery is the query that is part of an endpoint, values joined with commas.
func staticQuery(endpoint string) map[string]string {
	u, err := url.Parse(strings.TrimSpace(endpoint))
	if err != nil || u.RawQuery == "" {
		return nil
	}
	out := map[string]string{}
	for k, v := range u.Query() {
		out[k] = strings.Join(v, ",")
	}
	return out
}

// freeze turns the bytes that an endpoint answered into what is kept. Text is kept as a JSON
// string for the types whose answer is text, and a server-side table as the rows of its block.
func (d *Definition) freeze(body []byte, isText bool) (json.RawMessage, error) {
	var wantsText bool
	switch d.Type {
	case "html", "markdown", "note", "youtube":
		wantsText = true
	case "metric", "newsfeed", "omni":
	default:
		wantsText = isText && !IsTable(d.Type) && !IsChart(d.Type)
	}
	v, err := parse(body)
	switch {
	case err != nil && !wantsText:
		return nil, err
	case err != nil:
		if !utf8.Valid(body) {
			return nil, fmt.Errorf("the text is not UTF-8")
		}
		v = string(body)
	case wantsText:
		if _, ok := v.(json.Number); ok {
			v = string(body)
		}
	}
	if o, ok := v.(*object); ok && ServerSide(d.Type) {
		if rows := o.list("rowData"); rows != nil {
			v = rows
		}
	}
	return encode(v), nil
}

// frozen puts the answer of a widget together. The entries for other arguments than the
// defaults come first, those with more arguments before those with fewer.
func frozen(payload json.RawMessage, failure *Failure, variants []argsEntry) *answer {
	variants = slices.DeleteFunc(variants, func(e argsEntry) bool { return len(e.args) == 1 && string(e.data) == string(payload) })
	if len(variants) == 0 {
		return &answer{payload: payload, failure: failure}
	}
	slices.SortFunc(variants, func(a, b argsEntry) int {
		if n := len(b.args) - len(a.args); n != 0 {
			return n
		}
		return strings.Compare(string(sim.MustCanonical(a.args)), string(sim.MustCanonical(b.args)))
	})
	if payload != nil {
		variants = append(variants, argsEntry{map[string]string{}, payload})
	}
	return &answer{byArgs: variants, failure: failure}
}

// unanswered is a widget whose endpoint has nothing to say.
func (b *Backend) unanswered(d *Definition) {
	switch {
	case d.Type == "iframe" || d.Type == "advanced_charting":
	case absolute(d.Endpoint):
		b.note(d, "endpoint '%s' is a full URL and is not asked", shown(d.Endpoint))
	default:
		b.note(d, "nothing answers at its endpoint '%s'", shown(d.Endpoint))
	}
	b.answers[d.ID] = &answer{failure: unknownEndpoint(d.ID)}
}

// note keeps what the answer of a widget would make its user see.
func (b *Backend) note(d *Definition, format string, args ...any) {
	b.Notes = append(b.Notes, fmt.Sprintf("widget '%s': ", shown(d.ID))+fmt.Sprintf(format, args...))
}

// noteAnswer says what is odd about an answer of a real backend, which stands all the same.
func (b *Backend) noteAnswer(d *Definition, payload json.RawMessage) {
	if problem := d.Check(payload); problem != "" {
		b.note(d, "endpoint '%s': %s", shown(d.Endpoint), problem)
	}
}

// choicesOf reads the answer of an options endpoint: a list of options, which may be plain text.
func choicesOf(v any) ([]choice, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	var out []choice
	for _, e := range list {
		o, ok := e.(*object)
		if !ok {
			o = &object{m: map[string]any{}}
			o.set("label", Str(plain(e)))
			o.set("value", e)
		}
		out = append(out, choice{option: encode(o)})
	}
	return out, true
}

// anchor is the day that date macros are resolved against when a real backend is asked, so that
// the same backend is asked the same on every day.
var anchor = time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC)

// macroPrefix begins a date that counts from today.
const macroPrefix = "$currentDate"

// resolveMacro turns a date macro into a date. Other values stay as they are.
func resolveMacro(v any) any {
	s, _ := v.(string)
	if d, ok := macro(s, anchor); ok {
		return d
	}
	return v
}

// macro resolves "$currentDate", with + or - a number of h, d, w, M or y.
func macro(s string, today time.Time) (string, bool) {
	rest, ok := strings.CutPrefix(s, macroPrefix)
	if !ok {
		return "", false
	}
	t := today
	if rest != "" {
		unit := rest[len(rest)-1]
		n, err := strconv.Atoi(rest[:len(rest)-1])
		if err != nil || n < -10000 || n > 10000 || rest[0] != '+' && rest[0] != '-' {
			return "", false
		}
		switch unit {
		case 'h':
			t = t.Add(time.Duration(n) * time.Hour)
		case 'd':
			t = t.AddDate(0, 0, n)
		case 'w':
			t = t.AddDate(0, 0, 7*n)
		case 'M':
			t = t.AddDate(0, n, 0)
		case 'y':
			t = t.AddDate(n, 0, 0)
		default:
			return "", false
		}
	}
	return t.Format(time.DateOnly), true
}

// sent returns the parameters that a widget sends by itself: its defaults, those of forms left out.
func (d *Definition) sent() map[string]any {
	out := map[string]any{}
	for _, p := range d.Params[:d.top] {
		if p.Value != nil && p.Type != "form" && p.Type != "button" {
			out[p.Name] = resolveMacro(p.Value)
		}
	}
	return out
}

// optionsQuery returns what a parameter's options endpoint is asked with: constants, and the
// defaults of the parameters referred to.
func (d *Definition) optionsQuery(p *Param) map[string]any {
	out := map[string]any{}
	for k, v := range p.OptionsParams {
		if name, ok := reference(v); ok {
			if o := d.Param(name); o != nil && o.Value != nil {
				out[k] = resolveMacro(o.Value)
			}
		} else if v != nil {
			out[k] = v
		}
	}
	return out
}
