package tasks_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path"
	"strconv"
	"testing/fstest"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/steps"
	"benchwright/tasks"
)

var update = flag.Bool("update", false, "rewrite golden files")

// The world of these tests is a counter with two tools, add and get. Nothing ever builds it:
// compiling acts on nothing.

// value demands that the counter stands at N.
type value struct {
	N int `json:"n"`
}

func (value) Name() string    { return "counter.value" }
func (value) Codes() []string { return []string{"wrong_value"} }
func (value) Grade(context.Context, grader.Evidence) ([]grader.Finding, error) {
	return nil, grader.NotApplicable
}

// holds demands a table of counters.
type holds struct {
	Counters map[string]string `json:"counters"`
}

func (holds) Name() string    { return "counter.holds" }
func (holds) Codes() []string { return []string{"wrong_counter"} }
func (holds) Grade(context.Context, grader.Evidence) ([]grader.Finding, error) {
	return nil, grader.NotApplicable
}

// stray is a rule that no kit registers.
type stray struct{}

func (stray) Name() string    { return "counter.stray" }
func (stray) Codes() []string { return []string{"stray"} }
func (stray) Grade(context.Context, grader.Evidence) ([]grader.Finding, error) {
	return nil, grader.NotApplicable
}

type notes struct {
	Start int    `json:"start"`
	Unit  string `json:"unit,omitempty"`
}

func on(d *tasks.Draft) *notes { return d.World.(*notes) }

func counter() tasks.Kit {
	v := tasks.Vocabulary{
		New: func() any { return &notes{} },
		Finish: func(d *tasks.Draft) error {
			if on(d).Start == 13 {
				return fmt.Errorf("no counter starts at 13")
			}
			d.Task.Tools = []string{"add", "get"}
			return d.Setup(on(d))
		},
	}
	v = v.With(steps.Common()...).With(
		tasks.Given(`a counter at (-?\d+)`, func(d *tasks.Draft, n int) error { on(d).Start = n; return nil }),
		tasks.Given(`a counter of "([^"]*)"`, func(d *tasks.Draft, unit string) error {
			units := []string{"rupees", "apples", "shares"}
			for _, u := range units {
				if u == unit {
					on(d).Unit = unit
					return nil
				}
			}
			return tasks.Unknown("unit", unit, units)
		}),
		tasks.Given(`a rate of (\S+)`, func(d *tasks.Draft, rate float64) error { on(d).Start = int(rate * 100); return nil }),
		tasks.Given(`the counters:`, func(d *tasks.Draft, t *tasks.Table) error {
			if err := t.Allow("name", "value"); err != nil {
				return err
			}
			return t.Require("name")
		}),
		tasks.Given(`a broken step`, func(d *tasks.Draft) error { panic("out of cheese") }),
		tasks.Given(`a (?:red|green) counter`, func(d *tasks.Draft) error { return nil }),
		tasks.Given(`a green (?:counter|number)`, func(d *tasks.Draft) error { return nil }),
		tasks.Given(`unspeakable JSON`, func(d *tasks.Draft) error {
			d.Move(tasks.Move{Answer: json.RawMessage(`{"a":1,"a":2}`)})
			return nil
		}),
		tasks.Then(`the counter stands at (-?\d+)`, func(d *tasks.Draft, n int) error { return d.Check(value{n}) }),
		tasks.Then(`the counters are:`, func(d *tasks.Draft, t *tasks.Table) error {
			if err := t.Allow("name", "value"); err != nil {
				return err
			}
			m := map[string]string{}
			for _, r := range t.Rows {
				m[t.Get(r, "name")] = t.Get(r, "value")
			}
			return d.Check(holds{m})
		}),
		tasks.Then(`a stray demand`, func(d *tasks.Draft) error { return d.Check(stray{}) }),
		tasks.Then(`the reference adds (-?\d+)`, func(d *tasks.Draft, n int) error {
			return d.Call("add", map[string]any{"n": n})
		}),
		tasks.Then(`the reference answers (.*)`, func(d *tasks.Draft, text string) error {
			return d.Answer(json.RawMessage(strconv.Quote(text)))
		}),
		tasks.Then(`the near miss "([^"]*)" fails with "([^"]*)"`, func(d *tasks.Draft, name, code string) error {
			return d.Probe(name, code)
		}),
		tasks.Then(`it adds (-?\d+)`, func(d *tasks.Draft, n int) error {
			return d.Call("add", map[string]any{"n": n})
		}),
	)
	return tasks.Kit{
		Kind:       sim.Kind{Name: "counter"},
		Vocabulary: v,
		Rules: map[string]func() grader.Rule{
			"counter.value": func() grader.Rule { return &value{} },
			"counter.holds": func() grader.Rule { return &holds{} },
		},
	}
}

// suite returns a suite of the counter world over two folders; "" is none.
func suite(features, files string) tasks.Suite {
	s := tasks.Suite{Kits: []tasks.Kit{counter()}}
	if features != "" {
		s.Features = os.DirFS(features)
	}
	if files != "" {
		s.Tasks = os.DirFS(files)
	}
	return s
}

// one returns a suite of one file.
func one(file, text string) tasks.Suite {
	s := suite("", "")
	fsys := fstest.MapFS{file: {Data: []byte(text)}}
	if path.Ext(file) == ".json" {
		s.Tasks = fsys
	} else {
		s.Features = fsys
	}
	return s
}
