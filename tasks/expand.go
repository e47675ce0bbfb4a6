package tasks

import (
	"fmt"
	"slices"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"

	"benchwright/grader"
)

// expand makes a scenario of every plain scenario and of every row of an outline, and finds out
// what each step says. It returns false if there is nothing to execute.
func (f *feature) expand() bool {
	if err := f.affordable(); err != nil {
		f.note(1, "%v", err)
		return false
	}
	if f.kit == nil {
		return false
	}
	ast := f.nodes()
	for _, p := range gherkin.Pickles(*f.doc, f.file, (&messages.Incrementing{}).NewId) {
		s := &scenario{title: p.Name, line: int(p.Location.Line)}
		f.scenarios = append(f.scenarios, s)
		src := ast.scenarios[p.AstNodeIds[0]]
		outline := slices.Contains(f.dialect.ScenarioOutlineKeywords(), src.Keyword)
		if len(p.Steps) == 0 || outline && len(src.Examples) == 0 {
			s.dead = true // has been said; its steps would only make noise
			continue
		}
		var row *messages.TableRow
		if len(p.AstNodeIds) > 1 {
			row = ast.rows[p.AstNodeIds[1]]
			s.row = s.line
		}
		s.dead = f.flawed[src.Id] || row != nil && f.flawed[row.Id]
		f.begin(s, p, src, row)
		for _, ps := range p.Steps {
			f.step(s, ps, ast.steps[ps.AstNodeIds[0]])
		}
		if s.Draft != nil {
			for _, l := range s.steps {
				s.Draft.Task.Source.Steps = append(s.Draft.Task.Source.Steps, l.source)
			}
		}
	}
	return len(f.scenarios) > 0
}

// begin starts the draft of a scenario: its identity, and what its tags say.
func (f *feature) begin(s *scenario, p *messages.Pickle, src *messages.Scenario, row *messages.TableRow) {
	before := f.notes
	defer func() {
		if r := recover(); r != nil {
			f.note(s.line, "the vocabulary of world %s panicked: %v", f.kit.Kind.Name, r)
		}
		s.dead = s.dead || f.notes > before
	}()
	labels := f.labels(p.Tags)
	at := int(src.Location.Line)
	name := f.value(at, labels, "id")
	if name == "" {
		var ok bool
		// The columns vary from row to row, and the row adds its key.
		if name, ok = slug(placeholder.ReplaceAllString(src.Name, " ")); !ok {
			f.note(at, "%s gives no id: its name has too few Latin letters; add a tag such as @id:open_dashboard", short(src.Name))
		}
	}
	if row != nil && len(row.Cells) > 0 {
		key, ok := slug(row.Cells[0].Value)
		if !ok {
			f.note(s.line, "%s in the first column gives no id: make the first column a key in Latin letters or digits", short(row.Cells[0].Value))
		}
		name += "_" + key
	}
	d := NewDraft(f.kit)
	d.Task.ID = ID(fmt.Sprintf("%s/%s/%s", f.suite, f.family, name))
	d.Task.Title = p.Name
	d.Task.Labels = labels
	d.Task.Trials = f.trials(at, labels)
	d.Task.Requires = f.requires(at, labels)
	d.Task.Source = Source{File: f.file, Line: s.line}
	s.Draft = d
	if f.suite == "" || f.family == "" || slices.ContainsFunc(labels, func(l string) bool { return f.badTags[l] }) {
		s.dead = true // has been said where it is written
	}
}

// step finds the sentence of one step and checks what is below it.
func (f *feature) step(s *scenario, ps *messages.PickleStep, src *messages.Step) {
	l := stepLine{pickle: ps, ast: src}
	l.source = grader.Source{File: f.file, Line: int(src.Location.Line), Text: strings.TrimSpace(src.Keyword) + " " + ps.Text}
	m := f.grammar.find(ps.Text, ps.Type)
	problem := m.problem
	if m.sentence == nil {
		if s.row > 0 && len(placeholders(ps.Text)) > 0 {
			problem = "" // the placeholder has no column, which has been said
			s.dead = true
		}
		if !slices.Contains(s.stubs, ps.Text) {
			s.stubs = append(s.stubs, ps.Text)
		}
	} else {
		if !slices.Contains(s.known, m.sentence) {
			s.known = append(s.known, m.sentence)
		}
		problem = below(m.sentence, ps.Argument)
	}
	if problem == "" {
		l.sentence = m.sentence
	} else {
		f.noteStep(s, l.source.Line, problem)
	}
	if l.sentence == nil {
		s.dead = true
		s.mute = s.mute || asks(ps)
	}
	s.steps = append(s.steps, l)
}

// asks reports whether a step may be one that asks.
func asks(ps *messages.PickleStep) bool {
	return ps.Type == messages.PickleStepType_ACTION || ps.Type == messages.PickleStepType_UNKNOWN
}

// noteStep records a problem with a step of a scenario. What is wrong with it in every row is
// said once, with the first.
func (f *feature) noteStep(s *scenario, line int, text string) {
	key := Problem{grader.Source{File: f.file, Line: line}, text}
	if f.said[key] {
		return
	}
	f.said[key] = true
	if s.row > 0 {
		text += fmt.Sprintf(" (in the row at line %d)", s.row)
	}
	f.note(line, "%s", text)
}

// below says what is wrong with the table or doc string of a step.
func below(s *sentence, arg *messages.PickleStepArgument) string {
	var t *messages.PickleTable
	var doc *messages.PickleDocString
	if arg != nil {
		t, doc = arg.DataTable, arg.DocString
	}
	switch {
	case t != nil && doc != nil:
		return "" // refused for its form
	case s.last == tableType && t == nil, s.last == textType && doc == nil:
		return fmt.Sprintf("`%s` needs %s below it", s.text, s.takes())
	case s.last != tableType && t != nil:
		return fmt.Sprintf("`%s` takes no table", s.text)
	case s.last != textType && doc != nil:
		return fmt.Sprintf("`%s` takes no doc string", s.text)
	case t == nil:
		return ""
	}
	head := t.Rows[0].Cells
	if len(head) == 0 {
		return "the table has no columns"
	}
	for i, c := range head {
		if c.Value == "" {
			return fmt.Sprintf("column %d of the table has no name: the first row names the columns", i+1)
		}
		if slices.ContainsFunc(head[:i], func(o *messages.PickleTableCell) bool { return o.Value == c.Value }) {
			return fmt.Sprintf("column %s of the table is named twice", short(c.Value))
		}
	}
	if len(t.Rows) == 1 {
		return "the table has no rows below the names of its columns"
	}
	return ""
}

// nodes indexes the document by the ids that pickles refer to.
type nodes struct {
	scenarios map[string]*messages.Scenario
	steps     map[string]*messages.Step
	rows      map[string]*messages.TableRow
}

func (f *feature) nodes() nodes {
	n := nodes{map[string]*messages.Scenario{}, map[string]*messages.Step{}, map[string]*messages.TableRow{}}
	f.eachScenario(func(s *messages.Scenario, bg []*messages.Step) {
		n.scenarios[s.Id] = s
		for _, st := range slices.Concat(bg, s.Steps) {
			n.steps[st.Id] = st
		}
		for _, e := range s.Examples {
			for _, r := range e.TableBody {
				n.rows[r.Id] = r
			}
		}
	})
	return n
}

// These bound what a small file may expand to: steps of all rows, and bytes put in place of
// placeholders.
const (
	maxSteps    = 1 << 20
	maxReplaced = 64 << 20
)

// affordable reports whether the file expands to a bearable size.
func (f *feature) affordable() error {
	steps, replaced := 0, 0
	f.eachScenario(func(s *messages.Scenario, bg []*messages.Step) {
		n := len(bg) + len(s.Steps)
		if len(s.Examples) == 0 {
			steps += n
			return
		}
		uses := map[string]int{}
		for _, st := range s.Steps {
			for _, t := range texts(st) {
				for _, p := range placeholders(t) {
					uses[p]++
				}
			}
		}
		for _, e := range s.Examples {
			for _, r := range e.TableBody {
				steps += n
				for i, c := range r.Cells {
					replaced += uses[e.TableHeader.Cells[i].Value] * len(c.Value)
				}
			}
		}
	})
	if steps > maxSteps {
		return fmt.Errorf("the file expands to %d steps, more than %d: split it", steps, maxSteps)
	}
	if replaced > maxReplaced {
		return fmt.Errorf("the outlines expand to more than %d MB: split the file", maxReplaced>>20)
	}
	return nil
}
