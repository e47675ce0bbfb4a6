package backend

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Report is what validation says about a pair of manifests. Errors refuse the whole pair;
// warnings never do. All are in the order of the manifests, and within one definition in the
// order in which this package checks.
type Report struct {
	WidgetErrors []string
	AppErrors    []string
	Warnings     []string // of widgets.json, then of apps.json

	widgets *object
	apps    []any
}

// Err returns the first kind of errors as one *[Invalid], or nil.
func (r *Report) Err() error {
	switch {
	case len(r.WidgetErrors) > 0:
		return &Invalid{Part: "Widget", Errors: r.WidgetErrors}
	case len(r.AppErrors) > 0:
		return &Invalid{Part: "App", Errors: r.AppErrors}
	}
	return nil
}

// Invalid says that a manifest is refused.
type Invalid struct {
	Part   string   // "Widget" or "App"
	Errors []string // all of them
}

// Error is the product's text: "Widget validation failed: " and the Summary.
func (e *Invalid) Error() string { return e.Part + " validation failed: " + e.Summary() }

// Summary joins the first three errors and says how many there are beyond.
func (e *Invalid) Summary() string {
	const most = 3
	if n := len(e.Errors) - most; n > 0 {
		return strings.Join(e.Errors[:most], " | ") + fmt.Sprintf(" (+%d more)", n)
	}
	return strings.Join(e.Errors, " | ")
}

// Validate checks widgets.json and apps.json as the product does. Nil apps means that there is
// no apps.json, which is fine. Parameters inside forms are not checked, and unknown keys are
// warnings.
func Validate(widgets, apps json.RawMessage) Report {
	var r Report
	r.validateWidgets(widgets)
	if apps != nil {
		r.validateApps(apps)
	}
	return r
}

// A scope collects the messages about one place of a manifest.
type scope struct {
	at       string // what every message begins with
	errors   *[]string
	warnings *[]string
}

func (s scope) fail(format string, args ...any) { s.note(s.errors, format, args) }

func (s scope) warn(format string, args ...any) { s.note(s.warnings, format, args) }

// maxMessages is how many errors or warnings are told of one manifest: a manifest of a few
// kilobytes can earn millions.
const maxMessages = 200

const unsaid = "More messages are left out."

func (s scope) note(list *[]string, format string, args []any) {
	switch n := len(*list); {
	case n < maxMessages:
		*list = append(*list, s.at+": "+fmt.Sprintf(format, args...))
	case n == maxMessages:
		*list = append(*list, unsaid)
	}
}

// full reports that no further warning would be told.
func (s scope) full() bool { return len(*s.warnings) > maxMessages }

// in returns the scope of a place within s.
func (s scope) in(format string, args ...any) scope {
	s.at += fmt.Sprintf(format, args...)
	return s
}

// unknown warns of keys that are not in known.
func (s scope) unknown(o *object, known map[string]bool) {
	var bad []string
	for _, k := range o.keys {
		if !known[k] {
			bad = append(bad, k)
		}
	}
	if len(bad) > 0 {
		s.warn("unrecognized keys %s (accepted but ignored by the workspace).", names(bad))
	}
}

func set(list ...string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}

// oneOf reports whether v is one of the texts in list.
func oneOf(v any, list []string) bool {
	s, ok := v.(string)
	if !ok {
		return false
	}
	for _, e := range list {
		if s == e {
			return true
		}
	}
	return false
}

// numeric returns a JSON number. A boolean is none.
func numeric(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

func text(v any) bool {
	s, ok := v.(string)
	return ok && s != ""
}

func texts(v any) bool {
	list, ok := v.([]any)
	if !ok {
		return false
	}
	for _, e := range list {
		if _, ok := e.(string); !ok {
			return false
		}
	}
	return true
}

// cron reports whether v is five fields.
func cron(v any) bool {
	s, ok := v.(string)
	return ok && len(strings.Fields(s)) == 5
}
