package tasks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"sync"

	"github.com/cucumber/godog"
	"github.com/cucumber/godog/formatters"
	messages "github.com/cucumber/messages/go/v34"

	"benchwright/grader"
)

// play has godog execute the steps of all scenarios of the file, once, in order.
//
// godog matches again, against the few sentences that the scenario says: a linear search among
// all of a vocabulary, for every step, would be most of the cost of compiling.
func (f *feature) play() {
	next := 0
	status := runGodog(godog.TestSuite{
		Name: f.file,
		ScenarioInitializer: func(sc *godog.ScenarioContext) {
			s := f.scenarios[next]
			next++
			s.register(sc)
			p := &playState{feature: f, scenario: s, step: -1}
			sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) {
				return context.WithValue(ctx, playKey{}, p), nil
			})
			sc.StepContext().Before(func(ctx context.Context, _ *godog.Step) (context.Context, error) {
				p.step++
				return ctx, nil
			})
			sc.StepContext().After(func(ctx context.Context, _ *godog.Step, _ godog.StepResultStatus, err error) (context.Context, error) {
				if err != nil && !s.dead {
					p.note("%v", err)
				}
				return ctx, nil
			})
		},
		Options: &godog.Options{
			Format: silent, NoColors: true, Output: io.Discard, Strict: true,
			DefaultContext:  context.Background(),
			FeatureContents: []godog.Feature{{Name: f.file, Contents: f.src}},
		},
	})
	if next != len(f.scenarios) {
		f.note(1, "godog ran %d of %d scenarios (status %d)", next, len(f.scenarios), status)
	}
}

// register declares the sentences of a scenario to godog.
func (s *scenario) register(sc *godog.ScenarioContext) {
	for _, k := range s.known {
		switch k.Keyword {
		case "Given":
			sc.Given(k.Expr, k.handler)
		case "When":
			sc.When(k.Expr, k.handler)
		case "Then":
			sc.Then(k.Expr, k.handler)
		default:
			sc.Step(k.Expr, k.handler)
		}
	}
	// A step without a sentence would end the scenario; the steps after it shall report too.
	for _, text := range s.stubs {
		sc.Step(regexp.MustCompile("^"+regexp.QuoteMeta(text)+"$"), func(context.Context) error { return nil })
	}
}

type playKey struct{}

// A playState is where the execution of a scenario stands.
type playState struct {
	*feature
	scenario *scenario
	step     int
}

func playing(ctx context.Context) *playState { return ctx.Value(playKey{}).(*playState) }

// note records a problem at the present step.
func (p *playState) note(format string, args ...any) {
	p.scenario.dead = true
	if p.step < 0 || p.step >= len(p.scenario.steps) {
		p.feature.note(p.scenario.line, format, args...)
		return
	}
	p.noteStep(p.scenario, p.scenario.steps[p.step].source.Line, fmt.Sprintf(format, args...))
}

// do executes the step: it converts what the sentence found and lets it declare.
func (p *playState) do(s *sentence, groups []reflect.Value) {
	at := p.scenario.steps[p.step]
	if at.sentence != s {
		return // something is wrong with it, and has been said
	}
	defer func() {
		if r := recover(); r != nil {
			p.note("step panicked: %v", r)
		}
	}()
	d := p.scenario.Draft
	d.At(at.source)
	in := make([]reflect.Value, 0, len(groups)+2)
	in = append(in, reflect.ValueOf(d))
	for i, g := range groups {
		v, err := s.number(i, g.String())
		if err != nil {
			p.note("%v", err)
			return
		}
		in = append(in, v)
	}
	switch s.last {
	case tableType:
		in = append(in, reflect.ValueOf(table(at)))
	case textType:
		in = append(in, reflect.ValueOf(Text(at.pickle.Argument.DocString.Content)))
	}
	err, _ := reflect.ValueOf(s.Do).Call(in)[0].Interface().(error)
	if err == nil || errors.Is(err, errNoAsk) && p.scenario.mute {
		return
	}
	p.scenario.mute = p.scenario.mute || asks(at.pickle)
	p.note("%v", err)
}

// table converts the table below a step, whose form has been checked.
func table(at stepLine) *Table {
	t := &Table{}
	for i, r := range at.pickle.Argument.DataTable.Rows {
		cells := make([]string, len(r.Cells))
		for j, c := range r.Cells {
			cells[j] = c.Value
		}
		if i == 0 {
			t.Columns = cells
			continue
		}
		t.Rows = append(t.Rows, Row{Line: int(at.ast.DataTable.Rows[i].Location.Line), Cells: cells})
	}
	return t
}

// finish turns the drafts into tasks.
func (f *feature) finish() {
	for _, s := range f.scenarios {
		if s.dead || s.Draft == nil {
			continue
		}
		at := grader.Source{File: f.file, Line: s.line}
		s.Draft.At(grader.Source{File: f.file, Line: s.line, Text: "Scenario: " + s.title})
		if err := f.finishDraft(s.Draft); err != nil {
			f.note(s.line, "%v", err)
			continue
		}
		t := s.Draft.Task
		problems := normalize(&t)
		if len(problems) == 0 {
			problems = Lint(t, f.compiler.suite)
		}
		for _, p := range problems {
			f.compiler.note(p.Source, "%s", p.Text)
		}
		f.found = append(f.found, found{t, at})
	}
}

func (f *feature) finishDraft(d *Draft) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the vocabulary of world %s panicked: %v", f.kit.Kind.Name, r)
		}
	}()
	return d.finish()
}

// godog keeps its formatters in one list and its settings in two environment variables of the
// process. One run at a time, and the variables put back, keep both from being noticed.
var godogOnce sync.Mutex

func runGodog(ts godog.TestSuite) int {
	godogOnce.Lock()
	defer godogOnce.Unlock()
	for _, name := range []string{"GODOG_SEED", "GODOG_TESTED_PACKAGE"} {
		if old, set := os.LookupEnv(name); set {
			defer os.Setenv(name, old)
		} else {
			defer os.Unsetenv(name)
		}
	}
	return ts.Run()
}

// silent is the formatter that prints nothing; without one, godog writes to stdout.
const silent = "benchwright-silent"

func init() {
	formatters.Format(silent, "prints nothing", func(string, io.Writer) formatters.Formatter { return mute{} })
}

type mute struct{}

type (
	pickle     = messages.Pickle
	pickleStep = messages.PickleStep
	definition = formatters.StepDefinition
)

func (mute) TestRunStarted()                                    {}
func (mute) Feature(*messages.GherkinDocument, string, []byte)  {}
func (mute) Pickle(*pickle)                                     {}
func (mute) Defined(*pickle, *pickleStep, *definition)          {}
func (mute) Failed(*pickle, *pickleStep, *definition, error)    {}
func (mute) Passed(*pickle, *pickleStep, *definition)           {}
func (mute) Skipped(*pickle, *pickleStep, *definition)          {}
func (mute) Undefined(*pickle, *pickleStep, *definition)        {}
func (mute) Pending(*pickle, *pickleStep, *definition)          {}
func (mute) Ambiguous(*pickle, *pickleStep, *definition, error) {}
func (mute) Summary()                                           {}
func (mute) Close() error                                       { return nil }
