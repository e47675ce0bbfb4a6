package cmd_test

import (
	"bytes"
	"strings"
	"testing"

	"benchwright/cmd"
	"benchwright/internal/e2e/counter"
	"benchwright/tasks"
)

// Verbs see a suite on demand where their labels, the id of a task or BENCH_FILTER name it.
func TestVerbsSeeSuitesOnDemandWhereTheyAreNamed(t *testing.T) {
	suite := counter.Suite()
	compiled, err := tasks.Compile(suite)
	if err != nil {
		t.Fatal(err)
	}
	suite.Generators = []tasks.Generator{{Suite: "many", OnDemand: true, Tasks: func() ([]tasks.Task, error) {
		again := compiled.Tasks[0]
		again.ID, again.Labels, again.Source = "many/more/again", nil, tasks.Source{}
		return []tasks.Task{again}, nil
	}}}
	verb := func(args ...string) string {
		var out bytes.Buffer
		c := cmd.New(suite)
		c.SetOut(&out)
		c.SetErr(&out)
		c.SetArgs(args)
		if err := c.Execute(); err != nil {
			out.WriteString(err.Error())
		}
		return out.String()
	}
	t.Setenv("BENCH_TASKS", "")
	t.Setenv("BENCH_FILTER", "")
	if got := verb("list"); strings.Contains(got, "many/more/again") {
		t.Errorf("nobody names the suite, and it is listed:\n%s", got)
	}
	few := verb("compile")
	if got := verb("list", "suite:many"); !strings.Contains(got, "many/more/again  many/more.generated:1") || !strings.Contains(got, "1 task\n") {
		t.Errorf("list suite:many prints\n%s", got)
	}
	if got := verb("show", "many/more/again"); !strings.Contains(got, `"world": "counter"`) {
		t.Errorf("show prints\n%s", got)
	}
	t.Setenv("BENCH_FILTER", "suite:many && size:small")
	if got := verb("compile"); got == few || !strings.Contains(got, "compiled") {
		t.Errorf("with a filter that names the suite, compile prints %s", got)
	}
}
