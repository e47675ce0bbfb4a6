package tasks

import (
	"fmt"
	"reflect"
	"regexp"
)

// A Vocabulary is the steps that tasks about a world are written in.
type Vocabulary struct {
	Steps  []Step
	New    func() any           // the notes of a fresh draft (Draft.World); optional
	Finish func(d *Draft) error // turns the notes into the task when its last step has run; optional
}

// With returns the vocabulary with more steps.
func (v Vocabulary) With(steps ...Step) Vocabulary {
	v.Steps = append(v.Steps[:len(v.Steps):len(v.Steps)], steps...)
	return v
}

// A Step is one sentence and what it declares.
type Step struct {
	Keyword string // Given, When, Then, or "" for any
	Expr    *regexp.Regexp
	Do      any // func(d *Draft, args…) error
}

// A Table is the table below a step: its first row names the columns.
type Table struct {
	Columns []string
	Rows    []Row
}

// A Row is one line of a table.
type Row struct {
	Line  int
	Cells []string // as many as there are columns
}

// Get returns the row's cell in the named column, or "".
func (t *Table) Get(r Row, column string) string {
	for i, c := range t.Columns {
		if c == column {
			return r.Cells[i]
		}
	}
	return ""
}

// Text is the doc string below a step.
type Text string

var (
	draftType = reflect.TypeFor[*Draft]()
	tableType = reflect.TypeFor[*Table]()
	textType  = reflect.TypeFor[Text]()
	errorType = reflect.TypeFor[error]()
)

// Given declares a sentence about the start. The expression is anchored by itself. do is a
// func(*Draft, args…) error whose args are one string, int or float64 for each group of the
// expression, then a *Table or Text if the step has one below it. A wrong do panics: it is a
// mistake of the program, met at its first start.
func Given(expr string, do any) Step { return step("Given", expr, do) }

// When declares a sentence about what is asked.
func When(expr string, do any) Step { return step("When", expr, do) }

// Then declares a sentence about what must be left behind.
func Then(expr string, do any) Step { return step("Then", expr, do) }

// Any declares a sentence that may stand anywhere.
func Any(expr string, do any) Step { return step("", expr, do) }

func step(keyword, expr string, do any) Step {
	re := regexp.MustCompile(`^(?:` + expr + `)$`)
	t := reflect.TypeOf(do)
	bad := func(why string) {
		panic(fmt.Sprintf("tasks: step %q: %s: want func(*tasks.Draft, …) error, got %T", expr, why, do))
	}
	if t == nil || t.Kind() != reflect.Func || t.NumIn() == 0 || t.In(0) != draftType || t.NumOut() != 1 || t.Out(0) != errorType || t.IsVariadic() {
		bad("not a step")
	}
	args := t.NumIn() - 1
	if args > 0 && (t.In(args) == tableType || t.In(args) == textType) {
		args--
	}
	if args != re.NumSubexp() {
		bad(fmt.Sprintf("%d groups and %d arguments", re.NumSubexp(), args))
	}
	for i := 1; i <= args; i++ {
		switch t.In(i).Kind() {
		case reflect.String, reflect.Int, reflect.Float64:
		default:
			bad(fmt.Sprintf("argument %d is %s", i, t.In(i)))
		}
	}
	return Step{Keyword: keyword, Expr: re, Do: do}
}
