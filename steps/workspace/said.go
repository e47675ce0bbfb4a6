package workspace

import (
	"errors"
	"fmt"
	"slices"

	rules "benchwright/grader/workspace"
	"benchwright/tasks"
)

// together reads what one line must say: several texts, since one alone has nothing to stand with.
func together(list string) (rules.Lines, error) {
	texts := quotedList(list)
	for _, t := range texts {
		if t == "" {
			return nil, errors.New("an empty text")
		}
	}
	if len(texts) < 2 {
		return nil, errors.New(`a line says several things together; of one alone say that it "says" it`)
	}
	return rules.Lines{texts}, nil
}

// demandedLines reads what must be said line by line: a row a line, its cells together. The columns are named for
// readers. An empty cell demands nothing.
func demandedLines(t *tasks.Table, only bool) (rules.Lines, error) {
	var out rules.Lines
	var problems []error
	for _, r := range t.Rows {
		n := 0
		for _, c := range r.Cells {
			if c != "" {
				n++
			}
		}
		switch {
		case n == 0:
			problems = append(problems, fmt.Errorf("line %d: the row says nothing", r.Line))
		case n == 1 && !only:
			problems = append(problems, fmt.Errorf("line %d: a line says several things together; of one alone say that it \"says\" it", r.Line))
		}
		out = append(out, r.Cells)
	}
	if len(out) == 0 {
		problems = append(problems, errors.New("the table has no rows"))
	}
	return out, errors.Join(problems...)
}

func generatedLine(d *tasks.Draft, kind, name, tab, list string) error {
	lines, err := together(list)
	if err != nil {
		return err
	}
	return demandLines(d, kind, name, tab, lines, false)
}

func generatedLines(only bool) func(d *tasks.Draft, kind, name, tab string, t *tasks.Table) error {
	return func(d *tasks.Draft, kind, name, tab string, t *tasks.Table) error {
		lines, err := demandedLines(t, only)
		if err != nil {
			return err
		}
		return demandLines(d, kind, name, tab, lines, only)
	}
}

func demandLines(d *tasks.Draft, kind, name, tab string, lines rules.Lines, only bool) error {
	id, err := tabID(d, "", tab)
	if err != nil {
		return err
	}
	return d.Check(&rules.GeneratedRule{Type: kind, Named: name, TabID: id, Lines: lines, Only: only, Min: 1})
}

func generatedUnsaid(d *tasks.Draft, kind, name, tab, list string) error {
	id, err := tabID(d, "", tab)
	if err != nil {
		return err
	}
	return unsaid(d, &rules.UnsaidRule{Type: kind, Named: name, TabID: id, Values: quotedList(list)})
}

func answerUnsaid(d *tasks.Draft, list string) error {
	return unsaid(d, &rules.UnsaidRule{Values: quotedList(list)})
}

func unsaid(d *tasks.Draft, r *rules.UnsaidRule) error {
	if slices.Contains(r.Values, "") {
		return errors.New("an empty text")
	}
	return d.Check(r)
}

func answerLine(d *tasks.Draft, list string) error {
	lines, err := together(list)
	if err != nil {
		return err
	}
	return d.Check(&rules.AnswerLinesRule{Lines: lines})
}

func answerLines(only bool) func(d *tasks.Draft, t *tasks.Table) error {
	return func(d *tasks.Draft, t *tasks.Table) error {
		lines, err := demandedLines(t, only)
		if err != nil {
			return err
		}
		return d.Check(&rules.AnswerLinesRule{Lines: lines, Only: only})
	}
}
