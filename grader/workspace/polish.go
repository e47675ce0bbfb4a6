package workspace

import (
	"fmt"

	"benchwright/grader"
)

// A Polish is a wish about a widget definition. It is reported and never fails an episode, so
// that it is no rule.
type Polish struct {
	Code     string `json:"code"`
	Backend  string `json:"backend_name"`
	WidgetID string `json:"widget_id"`
	Path     string `json:"path"`
	Expected any    `json:"expected"`
}

// Unpolished returns a finding for each wish that is not met.
func Unpolished(wishes []Polish, ev grader.Evidence) ([]grader.Finding, error) {
	final, err := read(ev.Final)
	if err != nil {
		return nil, err
	}
	var out []grader.Finding
	for _, w := range wishes {
		b, err := final.backend(w.Backend)
		if err != nil {
			return nil, err
		}
		var def any
		if b != nil {
			def = b.Widgets[w.WidgetID]
		}
		if got, want := at(def, w.Path), plainValue(w.Expected); !exact(want, got) {
			out = append(out, grader.Finding{
				Code: w.Code, Type: grader.StateType, Want: show(want), Got: show(got),
				Message: fmt.Sprintf("widget %s: %s: want %s, got %s", quote(w.WidgetID), cut(w.Path), show(want), show(got)),
			})
		}
	}
	return out, nil
}
