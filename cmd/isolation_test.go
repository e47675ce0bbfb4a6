package cmd_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"benchwright/cmd"
	"benchwright/internal/e2e/counter"
	"benchwright/tasks"
)

// TestVerbsThatMakeWorldsAreIsolated: what makes a world honours the variables, and what makes none
// opens no sandbox.
func TestVerbsThatMakeWorldsAreIsolated(t *testing.T) {
	const task = "counter/hindi/required"
	var asked []string
	var refusal error
	suite := counter.Suite()
	suite.Kits[0].Isolate = func(_ context.Context, sandbox, python string) (tasks.Isolation, error) {
		asked = append(asked, sandbox+"/"+python)
		return tasks.Isolation{}, refusal
	}
	verb := func(args ...string) (string, error) {
		var out bytes.Buffer
		c := cmd.New(suite)
		c.SetOut(&out)
		c.SetErr(&out)
		c.SetIn(strings.NewReader(""))
		c.SetArgs(args)
		return out.String(), c.Execute()
	}
	t.Setenv("BENCH_SANDBOX", "landlock")
	t.Setenv("BENCH_PYTHON", "host")
	for _, c := range []struct {
		args  string
		asked int
	}{
		{"list", 0}, {"compile", 0}, {"show " + task, 0}, {"show --request " + task, 1}, {"serve --print-task --task " + task, 1},
	} {
		asked = nil
		if out, err := verb(strings.Fields(c.args)...); err != nil || len(asked) != c.asked {
			t.Errorf("bench %s: asked %q, want %d times: %v\n%s", c.args, asked, c.asked, err, out)
		}
		for _, a := range asked {
			if a != "landlock/host" {
				t.Errorf("bench %s: asked for %s", c.args, a)
			}
		}
	}
	refusal = fmt.Errorf("not on this machine: %w", errors.ErrUnsupported)
	if out, err := verb("show", "--request", task); err != nil {
		t.Errorf("a task that needs no commands: %v\n%s", err, out)
	}
	refusal = errors.New("there is no such Python")
	for _, args := range []string{"show --request " + task, "serve --print-task --task " + task} {
		if _, err := verb(strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), "no such Python") {
			t.Errorf("bench %s: %v", args, err)
		}
	}
	t.Setenv("BENCH_SANDBOX", "docker")
	if _, err := verb("show", "--request", task); err == nil || !strings.Contains(err.Error(), "BENCH_SANDBOX") {
		t.Errorf("an unknown level: %v", err)
	}
	if out, code := bench("show", "--request", task); code == 0 {
		t.Errorf("a suite that runs no commands: %s", out)
	}
}
