package workspace

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

// GeneratedRule demands generated widgets (notes, tables, charts, HTML): at least Min and, if Max is
// given, at most so many, of a type, whose name holds a phrase and which say every fragment.
type GeneratedRule struct {
	Dashboard On       `json:"dashboard,omitempty"`
	Type      string   `json:"widget_type"` // note, table, chart or html
	Named     string   `json:"name_contains,omitempty"`
	Contains  []string `json:"data_contains,omitempty"`
	Lines     Lines    `json:"lines,omitempty"`      // what it says line by line
	Only      bool     `json:"lines_only,omitempty"` // and that it has no line about anything else of that kind
	TabID     *string  `json:"tab_id,omitempty"`
	Min       int      `json:"min_count"`
	Max       *int     `json:"max_count,omitempty"`
	Reading   Reading  `json:"reading,omitempty"`
	Kept      bool     `json:"kept,omitempty"` // as for WidgetRule
}

// NoteSays demands a note on the open dashboard whose name holds a phrase and which says every
// fragment.
func NoteSays(name string, fragments ...string) grader.Check {
	return grader.Check{Rule: &GeneratedRule{Type: "note", Named: name, Contains: fragments, Min: 1}}
}

// NoteLines demands a note on the open dashboard whose name holds a phrase and which says the cells of each
// row together in a line of its own.
func NoteLines(name string, lines ...[]string) grader.Check {
	return grader.Check{Rule: &GeneratedRule{Type: "note", Named: name, Lines: lines, Min: 1}}
}

// NoteLinesOnly is NoteLines, and the note has no line about anything else of that kind.
func NoteLinesOnly(name string, lines ...[]string) grader.Check {
	return grader.Check{Rule: &GeneratedRule{Type: "note", Named: name, Lines: lines, Only: true, Min: 1}}
}

// Name implements grader.Rule.
func (*GeneratedRule) Name() string { return "workspace.generated_widget" }

// Codes implements grader.Rule.
func (r *GeneratedRule) Codes() []string {
	var out []string
	if r.Min > 0 {
		out = append(out, "missing_generated_widget")
	}
	if r.Max != nil || r.Min == 0 {
		out = append(out, "too_many_widgets")
	}
	if r.Lines.extra(r.Only) {
		out = append(out, "unexpected_line")
	}
	return out
}

// Graded implements grader.Grounder: what is to be said. The type is a word of the tools.
func (r *GeneratedRule) Graded() []string {
	if r.Kept {
		return nil
	}
	out := append([]string{r.Dashboard.ground(), r.Named}, slices.Concat(r.Contains, r.Lines.all())...)
	if r.TabID != nil {
		out = append(out, *r.TabID)
	}
	return graded(out...)
}

func (r *GeneratedRule) String() string {
	what := "a " + r.Type
	if n := times(r.Min, r.Max); n != "" {
		what = n + r.Type
	}
	if r.Named != "" {
		what += fmt.Sprintf(" %q", r.Named)
	}
	if r.TabID != nil {
		what += fmt.Sprintf(" on tab %q", *r.TabID)
	}
	if len(r.Contains) > 0 {
		what += " that says " + quoted(r.Contains)
	}
	if len(r.Lines) > 0 {
		what += " that says " + r.Lines.words(r.Only)
	}
	return r.Dashboard.of("there is " + what)
}

// Grade implements grader.Rule.
func (r *GeneratedRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *GeneratedRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

func (r *GeneratedRule) points(ev grader.Evidence) ([]point, error) {
	c, none, err := r.Dashboard.board(ev)
	if err != nil {
		return nil, err
	}
	if err := r.Lines.check(r.Reading); err != nil {
		return nil, err
	}
	all := r.look(c)
	var out []point
	if r.Min > 0 {
		p := point{code: "missing_generated_widget", side: grader.StateType, message: none}
		if c != nil {
			p.message = r.missing(c, all)
		}
		out = append(out, p)
	}
	if r.Lines.extra(r.Only) {
		out = append(out, r.unexpected(ev, c, all))
	}
	if r.Max == nil {
		return out, nil
	}
	p := point{code: "too_many_widgets", side: grader.StateType}
	start, err := r.Dashboard.also(ev, r.Min, c)
	if err != nil {
		return nil, err
	}
	for _, c := range []*world.Composition{c, start} {
		if c == nil || p.message != "" {
			continue
		}
		if n := r.count(c); n > *r.Max {
			p.message = fmt.Sprintf("%s: want at most %s like that, there are %d", title(c), plural(*r.Max, r.Type), n)
		}
	}
	return append(out, p), nil
}

func (r *GeneratedRule) count(c *world.Composition) (n int) {
	for i := range c.Widgets {
		if w := &c.Widgets[i]; w.Generated && w.Type == r.Type && len(r.lacks(w)) == 0 {
			n++
		}
	}
	return n
}

// A look is what a look at a generated widget of the right type gave.
type look struct {
	w     *world.Widget
	lacks []string
	lines *matching // nil where none are demanded
}

func (r *GeneratedRule) look(c *world.Composition) (out []look) {
	if c == nil {
		return nil
	}
	for i := range c.Widgets {
		if w := &c.Widgets[i]; w.Generated && w.Type == r.Type {
			lacks, lines := r.read(w)
			out = append(out, look{w, lacks, lines})
		}
	}
	return out
}

// lacks lists what a generated widget of the right type lacks.
func (r *GeneratedRule) lacks(w *world.Widget) []string {
	lacks, _ := r.read(w)
	return lacks
}

func (r *GeneratedRule) read(w *world.Widget) (out []string, lines *matching) {
	if !phrase(r.Named, w.Name) { // another widget, whose content is beside the point
		return []string{"is called " + quote(w.Name)}, nil
	}
	if r.TabID != nil && w.Layout.TabID != *r.TabID {
		out = append(out, fmt.Sprintf("is on tab %s", quote(w.Layout.TabID)))
	}
	if len(r.Contains) > 0 {
		if missing := absent(generatedBlob(r.Reading, w), r.Contains); len(missing) > 0 {
			out = append(out, "does not say "+quoted(missing))
		}
	}
	if len(r.Lines) > 0 {
		lines = r.Lines.match(generatedText(w))
		out = append(out, lines.missing()...)
	}
	return out, lines
}

// unexpected is what the widgets say that say all lines, and more.
func (r *GeneratedRule) unexpected(ev grader.Evidence, c *world.Composition, all []look) point {
	p := point{code: "unexpected_line", side: grader.StateType, silent: true}
	if c == nil {
		return p
	}
	for _, l := range all {
		if len(l.lacks) > 0 {
			continue
		}
		p.silent = false
		if more := l.lines.unexpected(ev, r.Only); len(more) > 0 {
			p.message = fmt.Sprintf("%s: %s %s", title(c), cut(l.w.UUID), enough(more, " and "))
			return p
		}
	}
	return p
}

func absent(b *blob, fragments []string) []string {
	var out []string
	for _, f := range fragments {
		if !b.contains(f) {
			out = append(out, f)
		}
	}
	return out
}

// generatedBlob is the text of a generated widget. As published it has the widget's name,
// description and tab too, which say nothing about its content.
func generatedBlob(r Reading, w *world.Widget) *blob {
	if r != Strict {
		text := jsonText(w.GeneratedData) + " " + w.Name + " " + w.Layout.TabID
		if w.Description != nil {
			text += " " + *w.Description
		}
		return newBlob(r, begun(text, maxSaid))
	}
	return &blob{strict: generatedText(w)}
}

// generatedText is a generated widget as somebody reads it.
func generatedText(w *world.Widget) *saying {
	text := readable(w)
	s := claimed(begun(text, maxSaid))
	data, _ := w.GeneratedData.(string)
	s.long = len(text) > maxSaid || len(data) > 4*maxSaid
	return s
}

func textOf(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	var b strings.Builder
	flatText(&b, v)
	return b.String()
}

// missing words why there are not enough, or "" where there are.
func (r *GeneratedRule) missing(c *world.Composition, all []look) string {
	n := 0
	var others []string
	for _, l := range all {
		w, lacks := l.w, l.lacks
		if why := unseen(c, w); why != "" {
			lacks = append(lacks, why)
		}
		if len(lacks) == 0 {
			n++
			continue
		}
		others = append(others, cut(w.UUID)+" "+strings.Join(lacks, " and "))
	}
	if n >= r.Min {
		return ""
	}
	what := fmt.Sprintf("%s: want %s", title(c), strings.TrimPrefix((&GeneratedRule{Type: r.Type, Named: r.Named, TabID: r.TabID, Min: r.Min}).String(), "there is "))
	switch {
	case len(others) > 0:
		return what + ", but\n  " + enough(others, "\n  ")
	case n > 0:
		return what + fmt.Sprintf(", there is %d", n)
	}
	return what + ", there is none"
}
