package files_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	world "benchwright/sim/files"
	"benchwright/steps/files"
	"benchwright/tasks"
)

func compile(steps string) ([]tasks.Task, error) {
	text := "@suite:some @world:files\nFeature: Some\n\n  Scenario: one\n"
	for line := range strings.Lines(steps) {
		text += "    " + line
	}
	c, err := tasks.Compile(tasks.Suite{
		Features: fstest.MapFS{"some.feature": &fstest.MapFile{Data: []byte(text + "\n")}}, Kits: []tasks.Kit{files.Kit()},
	})
	if err != nil {
		return nil, err
	}
	return c.Tasks, nil
}

const (
	given = `Given the workspace "weekly_refund_rollup" of difficulty 3 and seed 210` + "\nAnd every tool\n"
	when  = "When the agent is asked to do the work\n"
	then  = "Then the work is done\n"
)

func TestScenariosSayWhatAWorkspaceLeavesOpen(t *testing.T) {
	list, err := compile(given + when + then)
	if err != nil {
		t.Fatal(err)
	}
	plain := list[0]
	if !strings.Contains(plain.Asks[0].Text, "README.md") || plain.Limits.Turns != files.Turns || plain.Limits.Wall != tasks.Duration(files.Seconds*time.Second) {
		t.Errorf("asked %q under %+v", plain.Asks[0].Text, plain.Limits)
	}
	list, err = compile(`Given the workspace "weekly_refund_rollup" of difficulty medium and seed 210
And only the tools read_file, list_directory, write_file and submit
And at most 9 turns
And at most 20 tool calls
And at most 90 seconds
And nobody tells the next step
When the agent is asked "Roll up the refunds, please."
Then the work is done
And each of its traps fails with "output_mismatch"
`)
	if err != nil {
		t.Fatal(err)
	}
	own := list[0]
	setup, err := world.ParseSetup(own.Setup)
	if err != nil {
		t.Fatal(err)
	}
	if setup.MaxSteps != 20 || setup.TimeLimitSeconds != 90 || !setup.Unguided || own.Limits.Turns != 9 || own.Asks[0].Text != "Roll up the refunds, please." {
		t.Errorf("setup %s, limits %+v, asked %q", own.Setup, own.Limits, own.Asks[0].Text)
	}
	if !slices.Equal(own.Tools, []string{"list_directory", "read_file", "submit", "write_file"}) || len(own.Rubric.Reference) > 9 {
		t.Errorf("tools %q, %d moves", own.Tools, len(own.Rubric.Reference))
	}
	if len(own.Rubric.Probes) < 3 || own.Rubric.Probes[0].Codes[0] != "output_mismatch" || own.Rubric.Probes[0].Source.Line != 13 {
		t.Errorf("%d probes, the first at line %d", len(own.Rubric.Probes), own.Rubric.Probes[0].Source.Line)
	}
	drawn, err := compile(`Given a "tabular" workspace of difficulty 5 and seed 204` + "\nAnd every tool\n" + when + then)
	if err != nil {
		t.Fatal(err)
	}
	if scenario, _ := drawn[0].Label("scenario"); scenario != "account_event_program_synthesis" {
		t.Errorf("the seed chooses %s", scenario)
	}
}

func TestWhatIsWrongWithScenarios(t *testing.T) {
	for _, c := range []struct{ name, steps, want, reason string }{
		{"workspace", strings.Replace(given, "weekly_refund_rollup", "weekly_refund_rolup", 1) + when + then, `some.feature:5: unknown workspace "weekly_refund_rolup"; did you mean "weekly_refund_rollup"?`, ""},
		{"family", `Given a "tabluar" workspace of difficulty 1 and seed 1` + "\nAnd every tool\n" + when + then, `unknown family "tabluar"; did you mean "tabular"?`, ""},
		{"difficulty", strings.Replace(given, "difficulty 3", "difficulty 6", 1) + when + then, "difficulty must be between 1 and 5", ""},
		{"difficulty-word", strings.Replace(given, "difficulty 3", "difficulty nightmare", 1) + when + then, "Unsupported difficulty value: nightmare", ""},
		{"only-at-five", strings.Replace(given, "weekly_refund_rollup", "account_event_reconciliation", 1) + when + then, "Unknown scenario_id 'account_event_reconciliation' for tabular", "there is none of difficulty 3"},
		{"none", "Given every tool\n" + when + then, "there is no workspace yet", ""},
		{"two", given + `And the workspace "path_batch" of difficulty 3 and seed 1` + "\n" + when + then, "a task has one workspace", ""},
		{"no-tools", strings.Replace(given, "And every tool\n", "", 1) + when + then, "the scenario does not say what the agent may use", "all is said, never implied"},
		{"tool", strings.Replace(given, "every tool", "only the tools read_fil", 1) + when + then, `unknown tool "read_fil"; did you mean "read_file"?`, ""},
		{"tool-twice", strings.Replace(given, "every tool", "only the tools submit and submit", 1) + when + then, "a tool is named twice", ""},
		{"missing-tool", strings.Replace(given, "every tool", "only the tools list_directory, read_file and submit", 1) + when + then, "the solution needs write_file, which the agent may not use", "nobody could do it"},
		{"turns", given + "And at most 1 turn\n" + when + then, "the solution takes 2 moves, and there are 1: give it more turns", "writing and submitting"},
		{"no-calls", given + "And at most 0 tool calls\n" + when + then, "0 tool calls: an agent needs at least one", ""},
		{"not-done", given + when, "nothing says that the work must be done", "a task demands something"},
		{"done-twice", given + when + then + "And the work is done\n", "that the work is done has been said", ""},
		{"two-asks", given + when + then + when, "the work is asked once", ""},
		{"no-traps", strings.Replace(given, "weekly_refund_rollup\" of difficulty 3", "path_batch\" of difficulty 1", 1) + when + then + `And each of its traps fails with "output_mismatch"` + "\n", "this workspace has no traps to walk into", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := compile(c.steps)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is\n%v\nwant\n%s\n(%s)", err, c.want, c.reason)
			}
		})
	}
}

// What each sentence declares does not depend on the order of what is given.
func TestGivensMayStandInAnyOrder(t *testing.T) {
	lines := []string{`the workspace "weekly_refund_rollup" of difficulty 3 and seed 210`, "every tool", "at most 30 tool calls", "nobody tells the next step"}
	digest := func(order ...int) tasks.Digest {
		steps := ""
		for _, i := range order {
			steps += fmt.Sprintf("Given %s\n", lines[i])
		}
		list, err := compile(steps + when + then)
		if err != nil {
			t.Fatal(err)
		}
		return list[0].Digest()
	}
	if digest(0, 1, 2, 3) != digest(3, 2, 1, 0) {
		t.Error("another order is another task")
	}
}
