package workspace_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchwright/cmd"
	steps "benchwright/steps/workspace"
	"benchwright/tasks"
)

const onTheirOwn = `@suite:theirs @world:workspace
Feature: orders

  Scenario: Place the blotter
    Given a bare workspace
    And the backend odd
    And the tool create_widget
    When the agent is asked:
      """
      Place the blotter.
      """
    Then no call fails
    And a reference solution is:
      | call |
      | done |
`

// Tasks on a backend of one's own are known to the command as they are to go test.
func TestVerbsKnowTheUsersBackends(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "orders.feature"), []byte(onTheirOwn), 0o600); err != nil {
		t.Fatal(err)
	}
	verb := func(args ...string) (string, error) {
		var out bytes.Buffer
		root := cmd.New(tasks.Suite{Name: "none", Kits: []tasks.Kit{steps.Kit()}})
		root.SetArgs(append(args, "--tasks", dir))
		root.SetOut(&out)
		root.SetErr(&out)
		err := root.ExecuteContext(t.Context())
		return out.String(), err
	}
	if _, err := verb("list"); err == nil || !strings.Contains(err.Error(), `unknown backend "odd"`) {
		t.Fatalf("without it: %v", err)
	}
	t.Setenv("BENCH_BACKENDS", "odd="+odd)
	for _, args := range [][]string{{"list"}, {"compile"}, {"show", "theirs/orders/place_the_blotter"}, {"serve", "--print-task", "--task", "theirs/orders/place_the_blotter"}} {
		if out, err := verb(args...); err != nil {
			t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	t.Setenv("BENCH_BACKENDS", "odd")
	if _, err := verb("list"); err == nil || !strings.Contains(err.Error(), "BENCH_BACKENDS") {
		t.Errorf("a list that is none: %v", err)
	}
}
