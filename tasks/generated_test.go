package tasks_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchwright/grader"
	"benchwright/tasks"
)

// counted is a generator of tasks that count to each of some numbers.
func counted(suite string, onDemand bool, numbers ...int) tasks.Generator {
	return tasks.Generator{Suite: suite, OnDemand: onDemand, Tasks: func() ([]tasks.Task, error) {
		var out []tasks.Task
		for _, n := range numbers {
			out = append(out, tasks.Task{
				ID: tasks.ID(fmt.Sprintf("%s/count/to_%d", suite, n)), World: "counter", Asks: []tasks.Ask{{Text: fmt.Sprintf("Count to %d.", n)}},
				Tools: []string{tasks.AllTools}, Limits: tasks.Limits{Turns: 3}, Labels: []string{"size:small"},
				Rubric: tasks.Rubric{Checks: []grader.Check{{Rule: &value{n}}}, Reference: []tasks.Move{{Answer: []byte(" null ")}}},
			})
		}
		return out, nil
	}}
}

func generated(g ...tasks.Generator) tasks.Suite {
	return tasks.Suite{Dir: "made", Kits: []tasks.Kit{counter()}, Generators: g}
}

func ids(c *tasks.Compiled) (out []string) {
	for _, t := range c.Tasks {
		out = append(out, string(t.ID))
	}
	return out
}

func TestGeneratedTasksAreTasksLikeAllOthers(t *testing.T) {
	c, err := tasks.Compile(generated(counted("big", false, 2, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(c); !slices.Equal(got, []string{"big/count/to_2", "big/count/to_1"}) {
		t.Errorf("compiled %q", got)
	}
	last := c.Tasks[1]
	if last.Source.String() != "made/big/count.generated:2" {
		t.Errorf("the second task of its family is at %s", last.Source)
	}
	for _, label := range []string{"size:small", "suite:big", "world:counter", "family:count"} {
		if !slices.Contains(last.Labels, label) {
			t.Errorf("%s has the labels %q, want %s among them", last.ID, last.Labels, label)
		}
	}
	if string(last.Setup) != "{}" || string(last.Rubric.Reference[0].Answer) != "null" {
		t.Errorf("its JSON is not canonical: setup %s, answer %s", last.Setup, last.Rubric.Reference[0].Answer)
	}
	if _, ok := c.Find("big/count/to_1"); !ok {
		t.Error("it is not found by its id")
	}
}

func TestSuitesOnDemandWaitUntilTheyAreNamed(t *testing.T) {
	s := generated(counted("small", false, 1), counted("big", true, 2), counted("big-one", true, 3))
	if got := s.OnDemand(); !slices.Equal(got, []string{"big", "big-one"}) {
		t.Errorf("on demand are %q", got)
	}
	for _, c := range []struct{ text, want, reason string }{
		{"", "small/count/to_1", "nobody asks for the others"},
		{"suite:small", "small/count/to_1", "nor here"},
		{"suite:big", "big/count/to_2 small/count/to_1", "a label"},
		{"suite: containsAny {big, x} && !slow", "big/count/to_2 small/count/to_1", "a set"},
		{"suite:big-one", "big-one/count/to_3 small/count/to_1", "another suite begins with the same word"},
		{"(suite:big-one||suite:big)", "big/count/to_2 big-one/count/to_3 small/count/to_1", "both"},
		{"suite:bigger || big_x || x.big", "small/count/to_1", "words that only hold the name"},
		{"big/count/to_2", "big/count/to_2 small/count/to_1", "the id of a task"},
	} {
		compiled, err := tasks.Compile(s.Naming(c.text))
		if err != nil {
			t.Fatal(err)
		}
		got := ids(compiled)
		want := strings.Fields(c.want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q compiles %q, want %q: %s", c.text, got, want, c.reason)
		}
	}
	if len(s.OnDemand()) != 2 {
		t.Error("naming a suite changes the one that was given")
	}
}

func TestWhatIsWrongWithGenerators(t *testing.T) {
	with := func(change func(*tasks.Task)) tasks.Generator {
		g := counted("big", false, 1)
		list, _ := g.Tasks()
		change(&list[0])
		g.Tasks = func() ([]tasks.Task, error) { return list, nil }
		return g
	}
	for _, c := range []struct {
		name, want string
		g          []tasks.Generator
		reason     string
	}{
		{"no-name", `made/.generated:1: a generator of the suite is called ""`, []tasks.Generator{counted("", false, 1)}, "its tasks would have no ids"},
		{"bad-name", `a generator of the suite is called "a/b"`, []tasks.Generator{counted("a/b", false, 1)}, "it is one part of an id"},
		{"twice", `two generators of the suite are called "big"`, []tasks.Generator{counted("big", false, 1), counted("big", true, 2)}, "a filter could not tell them apart"},
		{"nothing", `generator "big" makes no tasks: set Tasks`, []tasks.Generator{{Suite: "big"}}, "also where it is on demand"},
		{"empty", `made/big.generated:1: generator "big" made no task`, []tasks.Generator{counted("big", false)}, "a suite without tasks can only pass"},
		{"error", `made/big.generated:1: no numbers left`, []tasks.Generator{{Suite: "big", Tasks: func() ([]tasks.Task, error) { return nil, errors.New("no numbers left") }}}, "its own words"},
		{"panic", `generator "big" panicked: boom`, []tasks.Generator{{Suite: "big", Tasks: func() ([]tasks.Task, error) { panic("boom") }}}, "a mistake of who wrote it"},
		{"suite", `made/big/count.generated:1: task small/count/to_1 is not of the suite big`, []tasks.Generator{with(func(t *tasks.Task) { t.ID = "small/count/to_1" })}, "a filter by suite would miss it"},
		{"id", `made/big/.generated:1: task id "big": want suite/family/name`, []tasks.Generator{with(func(t *tasks.Task) { t.ID = "big" })}, "linted"},
		{"world", `unknown world "countr"; did you mean "counter"?`, []tasks.Generator{with(func(t *tasks.Task) { t.World = "countr" })}, "linted"},
		{"turns", `made/big/count.generated:1: no limit of turns`, []tasks.Generator{with(func(t *tasks.Task) { t.Limits.Turns = 0 })}, "linted"},
		{"setup", `made/big/count.generated:1: setup: `, []tasks.Generator{with(func(t *tasks.Task) { t.Setup = []byte("{") })}, "no JSON"},
		{"same-id", `task big/count/to_1 is declared twice: also at made/big/count.generated:1; give one of them another id`, []tasks.Generator{counted("big", false, 1, 1)}, "records are named by it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := tasks.Compile(generated(c.g...))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is\n%v\nwant\n%s\n(%s)", err, c.want, c.reason)
			}
		})
	}
}
