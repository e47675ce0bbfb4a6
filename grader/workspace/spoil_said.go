package workspace

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"benchwright/sim"
)

// respelled writes every mention of a fragment otherwise.
func respelled(v any, fragment string, to func(as string) string) any {
	switch v := v.(type) {
	case string:
		return respell(v, fragment, to)
	case json.Number:
		if out := respell(string(v), fragment, to); out != string(v) {
			return out
		}
	case []any:
		out := []any{}
		for _, e := range v {
			out = append(out, respelled(e, fragment, to))
		}
		return out
	case object:
		out := object{}
		for k, e := range v {
			out[k] = respelled(e, fragment, to)
		}
		return out
	}
	return v
}

func respell(text, fragment string, to func(as string) string) string {
	s := &saying{text: strings.ToLower(text)}
	if len(s.text) != len(text) { // the places are not the same
		return text
	}
	all := s.mentions(newFragment(fragment))
	slices.SortFunc(all, func(a, b span) int { return b.from - a.from })
	for _, p := range slices.Compact(all) {
		for _, q := range s.quantities() {
			if q.from >= p.from && q.to <= p.to {
				p.from, p.to = min(p.from, q.start), max(p.to, q.end)
			}
		}
		text = text[:p.from] + to(text[p.from:p.to]) + text[p.to:]
	}
	return text
}

// misstated are ways to say a fragment so that something else is said: of another sign, of another
// scale, and denied.
func misstated(fragment string) map[string]func(as string) string {
	out := map[string]func(string) string{"denied": func(as string) string { return "not " + as }}
	if !plainNumber(fragment) || !strings.ContainsAny(fragment, "123456789") {
		return out
	}
	out["of the other sign"] = func(string) string {
		if rest, ok := strings.CutPrefix(fragment, "-"); ok {
			return rest
		}
		return "-" + fragment
	}
	out["of another scale"] = func(string) string { return fragment + " thousand" }
	return out
}

var misstatements = []string{"denied", "of the other sign", "of another scale"}

// misstatedGenerated spoils what a generated widget says of one thing or another.
func (s *spoiler) misstatedGenerated(r *GeneratedRule) {
	if r.Min <= 0 || r.Reading != Strict {
		return
	}
	meant := func(o object) bool {
		w := asWidget(o)
		w.GeneratedData = o["generated_data"]
		return w.Generated && w.Type == r.Type && len(r.lacks(w)) == 0
	}
	what := strings.TrimSpace(r.Type + " " + r.Named)
	for _, f := range r.Contains {
		ways := misstated(f)
		for _, way := range misstatements {
			if to := ways[way]; to != nil {
				s.widgets(r.Dashboard, fmt.Sprintf("%s with %q %s", what, f, way), meant, func(w object) {
					w["generated_data"] = respelled(w["generated_data"], f, to)
				})
			}
		}
	}
	if len(r.Lines) == 0 {
		return
	}
	more := Lines{r.Contains}
	for _, c := range s.checks {
		if o, ok := c.Rule.(*GeneratedRule); ok && o != r && o.Type == r.Type && o.Named == r.Named {
			more = slices.Concat(more, Lines{o.Contains}, o.Lines)
		}
	}
	for _, l := range s.mislined(r.Lines, r.Only, more) {
		s.widgets(r.Dashboard, what+" "+l.name, meant, func(w object) { w["generated_data"] = l.data(r.Type) })
	}
}

// misstatedAnswer spoils one value of the answer.
func (s *spoiler) misstatedAnswer(r *AnswerSaysRule) {
	if r.Reading != Strict {
		return
	}
	ways := misstated(r.Value)
	for _, way := range misstatements {
		if to := ways[way]; to != nil {
			s.answer(fmt.Sprintf("an answer with %q %s", r.Value, way), sim.MustCanonical(respell(answerText(s.ev), r.Value, to)))
		}
	}
}

func (s *spoiler) answerLines(r *AnswerLinesRule) {
	var more Lines
	for _, c := range s.checks {
		switch o := c.Rule.(type) {
		case *AnswerSaysRule:
			more = append(more, []string{o.Value})
		case *AnswerLinesRule:
			if o != r {
				more = append(more, o.Lines...)
			}
		}
	}
	for _, l := range s.mislined(r.Lines, r.Only, more) {
		s.answer("an answer "+l.name, sim.MustCanonical(l.text()))
	}
}

// A mislined text says lines that are not as demanded.
type mislined struct {
	name  string
	lines Lines
}

func (m mislined) text() string {
	var b strings.Builder
	for _, row := range m.lines {
		b.WriteString("- " + strings.Join(filled(row), " | ") + "\n")
	}
	return b.String()
}

// data is the text as the data of a generated widget.
func (m mislined) data(kind string) any {
	switch kind {
	case "note":
		return m.text()
	case "html":
		var b strings.Builder
		for _, row := range m.lines {
			b.WriteString("<p>" + strings.Join(filled(row), " – ") + "</p>")
		}
		return b.String()
	}
	out := []any{}
	for _, row := range m.lines {
		o := object{}
		for c, v := range row {
			o[fmt.Sprintf("column_%d", c+1)] = v
		}
		out = append(out, o)
	}
	return out
}

// mislined makes texts that say all that is demanded, but not together, or not only that, and what
// other checks want to hear.
func (s *spoiler) mislined(lines Lines, only bool, more Lines) (out []mislined) {
	var tail Lines
	for _, row := range more {
		if slices.ContainsFunc(row, func(v string) bool { return !slices.Contains(lines.all(), v) }) {
			tail = append(tail, row)
		}
	}
	add := func(name string, l Lines) { out = append(out, mislined{name, slices.Concat(l, tail)}) }
	clone := func() Lines {
		l := make(Lines, len(lines))
		for i := range l {
			l[i] = slices.Clone(lines[i])
		}
		return l
	}
	key := max(0, lines.keyColumn())
	var apart Lines
	for _, v := range lines.all() {
		apart = append(apart, []string{v})
	}
	add("with every value in a line of its own", apart)
	for c := range lines.width() {
		for i := 1; i < len(lines); i++ {
			l := clone()
			if c == key || c >= len(l[i]) || c >= len(l[i-1]) || l.cell(l[i], c) == l.cell(l[i-1], c) {
				continue
			}
			l[i][c], l[i-1][c] = l[i-1][c], l[i][c]
			add(fmt.Sprintf("with %q and %q crossed", l[i-1][c], l[i][c]), l)
			break
		}
	}
	for c, v := range lines[0] {
		ways := misstated(v)
		for _, way := range misstatements {
			if to := ways[way]; v != "" && to != nil {
				l := clone()
				l[0][c] = to(v)
				add(fmt.Sprintf("with %q %s", v, way), l)
			}
		}
	}
	if len(lines) > 1 {
		add("without its last line", clone()[:len(lines)-1])
		l := clone()
		both := slices.Clone(l[0])
		for c := range both {
			if c != key && c < len(l[1]) {
				both[c] = l[1][c]
			}
		}
		add("that also gives the first what is the second's", append(l, both))
	}
	if only {
		if k := s.anotherKey(lines, key); k != "" {
			l := clone()
			extra := slices.Clone(l[0])
			extra[key] = k
			add("with a line about "+k+" too", append(l, extra))
		}
	}
	return out
}

// anotherKey is one that a text with these lines alone would not say.
func (s *spoiler) anotherKey(lines Lines, key int) string {
	var keys []string
	for _, row := range lines {
		keys = append(keys, lines.cell(row, key))
	}
	for _, v := range columnOf(s.ev, keys) {
		if !slices.Contains(keys, v) {
			return v
		}
	}
	last := lines[len(lines)-1][key]
	if shapeOf(keys) == nil {
		return ""
	}
	from := strings.LastIndexAny(last, "0123456789") + 1
	to := from
	for from > 0 && digit(last[from-1]) {
		from--
	}
	n, err := strconv.Atoi(last[from:to])
	if err != nil {
		return ""
	}
	for {
		n++
		if k := last[:from] + fmt.Sprintf("%0*d", to-from, n) + last[to:]; !slices.Contains(keys, strings.ToLower(k)) {
			return k
		}
	}
}

// unsaid has what is forbidden said.
func (s *spoiler) unsaid(r *UnsaidRule) {
	for _, v := range filled(r.Values) {
		if r.Type == "" {
			s.answer(fmt.Sprintf("an answer that says %q", v), sim.MustCanonical(answerText(s.ev)+"\n"+v))
			continue
		}
		what := fmt.Sprintf("%s that says %q", strings.TrimSpace(r.Type+" "+r.Named), v)
		s.widgets(r.Dashboard, what, func(o object) bool {
			w := asWidget(o)
			return w.Generated && w.Type == r.Type && phrase(r.Named, w.Name) && (r.TabID == nil || *r.TabID == w.Layout.TabID)
		}, func(w object) {
			switch data := w["generated_data"].(type) {
			case []any:
				w["generated_data"] = append(slices.Clone(data), object{"more": v})
			case string:
				w["generated_data"] = data + "\n" + v
			}
		})
		s.board(r.Dashboard, "one more "+what, func(b object) bool {
			like := object{"generated": true, "type": r.Type, "name": r.Named, "generated_data": v, "origin": "generated", "widget_id": "generated_" + r.Type}
			if r.TabID != nil {
				like["layout"] = object{"tab_id": *r.TabID}
			}
			addWidget(b, like, 0, below, 20, 8)
			return true
		})
	}
}
