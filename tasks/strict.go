package tasks

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	messages "github.com/cucumber/messages/go/v34"
)

// structure refuses what Gherkin takes without a word and people never mean: a mistyped keyword
// that became a description, an outline that yields nothing, a column that nobody reads.
func (f *feature) structure() {
	ft := f.doc.Feature
	f.tags(ft.Tags, "feature")
	f.prose(ft.Location, ft.Description)
	columns := f.allColumns()
	n := 0
	for _, ch := range ft.Children {
		switch {
		case ch.Background != nil:
			f.background(ch.Background, columns)
		case ch.Scenario != nil:
			f.scenario(ch.Scenario)
			n++
		case ch.Rule != nil:
			f.tags(ch.Rule.Tags, "rule")
			f.prose(ch.Rule.Location, ch.Rule.Description)
			in := 0
			for _, rc := range ch.Rule.Children {
				if rc.Background != nil {
					f.background(rc.Background, columns)
				}
				if rc.Scenario != nil {
					f.scenario(rc.Scenario)
					in++
				}
			}
			if in == 0 {
				f.note(int(ch.Rule.Location.Line), "the rule has no scenarios")
			}
			n += in
		}
	}
	if n == 0 && !slices.ContainsFunc(ft.Children, func(c *messages.FeatureChild) bool { return c.Rule != nil }) {
		f.note(int(ft.Location.Line), "the feature has no scenarios")
	}
}

// prose looks at a description that is allowed. It is where a mistyped title ends up, together
// with the steps below it.
func (f *feature) prose(at *messages.Location, text string) {
	if text == "" {
		return
	}
	f.described(int(at.Line), func(n int, line string) bool {
		if f.looseStep(n, line) {
			return false
		}
		head, _, ok := strings.Cut(line, ":")
		if head = strings.TrimSpace(head); !ok {
			return true
		}
		if strings.HasPrefix(line, head+":") && slices.Contains(titles(f.dialect), head+":") {
			f.note(n, "%s is read as a description: it has no place here", short(line))
			return false
		}
		var near []string
		for _, k := range titles(f.dialect) {
			// Short words are near to too many others, unless they differ in case alone.
			if name := strings.TrimSuffix(k, ":"); strings.EqualFold(name, head) || utf8.RuneCountInString(name) >= 6 {
				near = append(near, k)
			}
		}
		if hint := nearest(head+":", near); hint != "" {
			f.note(n, "%s is read as a description%s", short(line), hint)
			return false
		}
		return true
	})
}

// looseStep refuses a step that stands in a description, for want of a scenario above it. Prose
// may begin with the word Given; prose that is also a sentence of the vocabulary is none.
func (f *feature) looseStep(n int, line string) bool {
	if f.grammar == nil {
		return false
	}
	for _, k := range f.dialect.StepKeywords() {
		if text, ok := strings.CutPrefix(line, k); ok && f.grammar.find(strings.TrimSpace(text), messages.PickleStepType_UNKNOWN).sentence != nil {
			f.note(n, "%s belongs to no scenario: it is read as a description", short(line))
			return true
		}
	}
	return false
}

// noProse refuses a description: it is what a mistyped first step becomes.
func (f *feature) noProse(at *messages.Location, what, text string) {
	if text == "" {
		return
	}
	f.described(int(at.Line), func(n int, line string) bool {
		hint := suggestKeyword(f.dialect, line)
		if hint == "" {
			hint = ": start the line with # if it is a remark"
		}
		f.note(n, "%s is not a step, and %s has no description%s", short(line), what, hint)
		return false
	})
}

// described calls do for the lines of the description below a title, until it returns false.
func (f *feature) described(title int, do func(n int, line string) bool) {
	ends := blocks(f.dialect)
	for n := title + 1; n <= len(f.lines); n++ {
		line := strings.TrimSpace(f.line(n))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		// The description ends where the parser found the next title or tag.
		if strings.HasPrefix(line, "@") || slices.ContainsFunc(ends, func(k string) bool { return strings.HasPrefix(line, k) }) || !do(n, line) {
			return
		}
	}
}

func (f *feature) background(b *messages.Background, columns map[string]bool) {
	f.noProse(b.Location, "a background", b.Description)
	if len(b.Steps) == 0 {
		f.note(int(b.Location.Line), "the background has no steps")
	}
	f.stepsForm(b.Steps)
	for _, s := range b.Steps {
		for _, text := range texts(s) {
			for _, p := range placeholders(text) {
				if columns[p] {
					f.note(int(s.Location.Line), "<%s> stays as it is in a background: columns of an outline reach only the outline's own steps", p)
				}
			}
		}
	}
}

func (f *feature) scenario(s *messages.Scenario) {
	before := f.notes
	defer func() { f.flawed[s.Id] = f.notes > before }()
	at := int(s.Location.Line)
	f.tags(s.Tags, "scenario")
	f.noProse(s.Location, "a scenario", s.Description)
	if len(s.Steps) == 0 {
		f.note(at, "the scenario has no steps")
	}
	f.stepsForm(s.Steps)
	if len(s.Examples) == 0 {
		if slices.Contains(f.dialect.ScenarioOutlineKeywords(), s.Keyword) {
			f.note(at, "the outline has no Examples: add a table of them, or call it a %s", f.dialect.ScenarioKeywords()[len(f.dialect.ScenarioKeywords())-1])
		}
		return
	}
	used := map[string]bool{}
	for _, p := range placeholders(s.Name) {
		used[p] = true
	}
	for _, st := range s.Steps {
		for _, text := range texts(st) {
			for _, p := range placeholders(text) {
				used[p] = true
			}
		}
	}
	keys := map[string]int{}
	for _, e := range s.Examples {
		f.examples(e, used, keys)
	}
}

func (f *feature) examples(e *messages.Examples, used map[string]bool, keys map[string]int) {
	at := int(e.Location.Line)
	f.tags(e.Tags, "examples")
	f.noProse(e.Location, "Examples", e.Description)
	if e.TableHeader == nil || len(e.TableBody) == 0 {
		f.note(at, "the Examples have no rows, so no task comes of them")
	}
	if e.TableHeader == nil {
		return
	}
	head := int(e.TableHeader.Location.Line)
	f.rowForm(e.TableHeader)
	if len(e.TableHeader.Cells) == 0 {
		return // its form has been refused, and so has that of the rows below it
	}
	cols := map[string]bool{}
	for i, c := range e.TableHeader.Cells {
		switch {
		case c.Value == "":
			f.note(head, "column %d has no name", i+1)
		case cols[c.Value]:
			f.note(head, "column %s is named twice", short(c.Value))
		case i > 0 && !used[c.Value]:
			f.note(head, "column %s is used nowhere: write <%s> in a step, or remove it", short(c.Value), c.Value)
		}
		cols[c.Value] = true
	}
	var names []string
	for c := range cols {
		names = append(names, c)
	}
	for _, p := range sortedKeys(used) {
		if !cols[p] {
			f.note(head, "<%s> has no column%s", p, nearest(p, names))
		}
	}
	for _, r := range e.TableBody {
		f.rowForm(r)
		for _, c := range r.Cells {
			for _, p := range placeholders(c.Value) {
				if cols[p] {
					f.note(int(r.Location.Line), "a cell may not hold <%s>: whether it is replaced would depend on the order of the columns", p)
				}
			}
		}
		if key, ok := slug(r.Cells[0].Value); ok {
			if first := keys[key]; first > 0 {
				f.note(int(r.Location.Line), "key %s stands in line %d as well: the first column must tell the rows apart", short(r.Cells[0].Value), first)
				f.flawed[r.Id] = true
			} else {
				keys[key] = int(r.Location.Line)
			}
		}
	}
}

// allColumns returns the names of the columns of all outlines.
func (f *feature) allColumns() map[string]bool {
	all := map[string]bool{}
	f.eachScenario(func(s *messages.Scenario, _ []*messages.Step) {
		for _, e := range s.Examples {
			if e.TableHeader != nil {
				for _, c := range e.TableHeader.Cells {
					all[c.Value] = true
				}
			}
		}
	})
	return all
}

// eachScenario visits the scenarios, with the background steps that each inherits.
func (f *feature) eachScenario(do func(s *messages.Scenario, background []*messages.Step)) {
	var outer []*messages.Step
	for _, ch := range f.doc.Feature.Children {
		switch {
		case ch.Background != nil:
			outer = ch.Background.Steps
		case ch.Scenario != nil:
			do(ch.Scenario, outer)
		case ch.Rule != nil:
			inner := outer
			for _, rc := range ch.Rule.Children {
				if rc.Background != nil {
					inner = slices.Concat(outer, rc.Background.Steps)
				}
				if rc.Scenario != nil {
					do(rc.Scenario, inner)
				}
			}
		}
	}
}

var mediaType = regexp.MustCompile(`^[\w.+/-]*$`)

// stepsForm checks what is below steps, and that no step goes on from nothing.
func (f *feature) stepsForm(steps []*messages.Step) {
	for i, s := range steps {
		at := int(s.Location.Line)
		if i == 0 && s.KeywordType == messages.StepKeywordType_CONJUNCTION {
			f.note(at, "%s has no step before it to go on from: write Given, When or Then", strings.TrimSpace(s.Keyword))
		}
		if s.DocString != nil && s.DataTable != nil {
			f.note(at, "the step has a table and a doc string: it can take one of them")
		}
		if s.DocString != nil && !mediaType.MatchString(s.DocString.MediaType) {
			f.note(int(s.DocString.Location.Line), "text after the opening %s is lost: begin the doc string on the next line", s.DocString.Delimiter)
		}
		if s.DocString != nil {
			at := int(s.DocString.Location.Line)
			if l := f.line(at); strings.Contains(l[:len(l)-len(strings.TrimLeft(l, " \t"))], "\t") {
				f.note(at, "the doc string is indented by tabs, which would stay in its text: use spaces")
			}
		}
		if s.DataTable != nil {
			for _, r := range s.DataTable.Rows {
				f.rowForm(r)
			}
		}
	}
}

// rowForm refuses what the parser would drop: text after the last separator of a row.
func (f *feature) rowForm(r *messages.TableRow) {
	n := int(r.Location.Line)
	f.closedRow(n)
}

func (f *feature) closedRow(n int) bool {
	line := strings.TrimSpace(f.line(n))
	end := strings.TrimSuffix(line, "|")
	slashes := len(end) - len(strings.TrimRight(end, `\`))
	if end == line || slashes%2 == 1 || end == "" {
		f.note(n, "a row of a table ends with |: what stands after the last one is lost")
		return false
	}
	return true
}

var placeholder = regexp.MustCompile(`<(\pL(?:[\pL\pM\pN_. -]*[\pL\pM\pN_])?)>`)

// placeholders returns the names in angle brackets.
func placeholders(text string) []string {
	if !strings.Contains(text, "<") {
		return nil
	}
	var out []string
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// texts returns all that a step says in which placeholders are replaced.
func texts(s *messages.Step) []string {
	out := []string{s.Text}
	if s.DocString != nil {
		out = append(out, s.DocString.Content)
	}
	if s.DataTable != nil {
		for _, r := range s.DataTable.Rows {
			for _, c := range r.Cells {
				out = append(out, c.Value)
			}
		}
	}
	return out
}

func sortedKeys(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
