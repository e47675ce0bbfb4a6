package tasks_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"benchwright/grader"
	"benchwright/tasks"
)

// numbered is a published format: a file "numbers" with one task a line.
func numbered(pack fs.FS) ([]tasks.Task, bool, error) {
	raw, err := fs.ReadFile(pack, "numbers")
	if err != nil {
		return nil, false, nil
	}
	var out []tasks.Task
	var problems tasks.Errors
	for i, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		at := grader.Source{File: "numbers", Line: i + 1}
		if line == "broken" {
			return nil, true, errors.New("the pack cannot be read")
		}
		if strings.Trim(line, "0123456789") != "" {
			problems = append(problems, tasks.Problem{Source: at, Text: "this is no number"})
			continue
		}
		moves := []tasks.Move{{Answer: []byte("null"), Source: at}}
		out = append(out, tasks.Task{
			ID: tasks.ID("numbers/of/n" + line), World: "counter", Asks: []tasks.Ask{{Text: "Count to " + line + "."}}, Setup: []byte("{}"),
			Tools: []string{tasks.AllTools}, Limits: tasks.Limits{Turns: 3}, Labels: []string{"suite:numbers", "world:counter", "family:of"},
			Source: tasks.Source{File: at.File, Line: at.Line, Steps: []grader.Source{at}},
			Rubric: tasks.Rubric{Checks: []grader.Check{{Rule: &value{1}, Source: at}}, Reference: moves,
				Probes: []tasks.Probe{{Name: "p", Codes: []string{"wrong_value"}, Moves: moves, Source: at}}},
		})
	}
	if problems != nil {
		return nil, true, problems
	}
	return out, true, nil
}

func packed(files map[string]string) tasks.Suite {
	k := counter()
	k.Open = numbered
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return tasks.Suite{Dir: "published", Packs: fsys, Kits: []tasks.Kit{k}}
}

func TestPacksOfASuiteAreCompiled(t *testing.T) {
	c, err := tasks.Compile(packed(map[string]string{"first/numbers": "1\n2", "second/numbers": "3", ".hidden/numbers": "x"}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range c.Tasks {
		got = append(got, string(x.ID)+" "+x.Source.String())
	}
	if want := "numbers/of/n1 published/first/numbers:1, numbers/of/n2 published/first/numbers:2, numbers/of/n3 published/second/numbers:1"; strings.Join(got, ", ") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, ", "), want)
	}
	x, ok := c.Find("numbers/of/n2")
	r := x.Rubric
	for _, s := range []grader.Source{x.Source.Steps[0], r.Checks[0].Source, r.Reference[0].Source, r.Probes[0].Source, r.Probes[0].Moves[0].Source} {
		if !ok || s.File != "published/first/numbers" || s.Line != 2 {
			t.Errorf("a place is %s", s)
		}
	}
}

func TestWhatIsWrongWithPacksOfASuite(t *testing.T) {
	for _, tt := range []struct {
		name   string
		files  map[string]string
		want   []string
		reason string
	}{
		{"errors-of-the-pack", map[string]string{"a/numbers": "1\nx\ny", "b/numbers": "z"}, []string{"published/a/numbers:2: this is no number", "published/a/numbers:3: this is no number", "published/b/numbers:1: this is no number"}, "all of all packs, where they lie"},
		{"unreadable", map[string]string{"a/numbers": "broken"}, []string{"published/a:1: the pack cannot be read"}, "an error without a place is the pack's"},
		{"unknown-format", map[string]string{"a/letters": "1"}, []string{"published/a:1: no kit of the suite knows the format of this pack"}, "its tasks would be missed without a word"},
		{"loose-file", map[string]string{"numbers": "1"}, []string{"published/numbers:1: this is no pack"}, "nor may these be"},
		{"twice", map[string]string{"a/numbers": "1", "b/numbers": "1"}, []string{"published/b/numbers:1: task numbers/of/n1 is declared twice: also at published/a/numbers:1"}, "an id is one task's"},
		{"nothing", map[string]string{}, []string{"the suite has no tasks"}, "a suite without tasks measures nothing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tasks.Compile(packed(tt.files))
			for _, want := range tt.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: error %v\nwant %s", tt.reason, err, want)
				}
			}
		})
	}
}
