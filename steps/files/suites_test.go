package files_test

import (
	"slices"
	"strings"
	"testing"

	"benchwright/grader/gates"
	world "benchwright/sim/files"
	"benchwright/sim/files/splits"
	"benchwright/steps/files"
	"benchwright/tasks"
)

// suite is a suite of nothing but what the workshop brings, and some features.
func suite(w *files.Workshop) tasks.Suite {
	return tasks.Suite{Dir: "features", Kits: []tasks.Kit{w.Kit()}, Generators: w.Suites()}
}

func TestSuitesOfSplits(t *testing.T) {
	w := files.NewWorkshop(nil, nil)
	for _, c := range []struct {
		suite, split string
		n, cells     int
	}{{files.ValidationSuite, splits.Validation, 390, 39}, {files.HeldoutSuite, splits.Heldout, 240, 12}} {
		compiled, err := tasks.Compile(suite(w).Naming("suite:" + c.suite))
		if err != nil {
			t.Fatal(err)
		}
		if len(compiled.Tasks) != c.n {
			t.Errorf("%s has %d tasks, want %d", c.suite, len(compiled.Tasks), c.n)
		}
		if groups := tasks.Duplicates(compiled.Tasks); len(groups) > 0 {
			t.Errorf("%s: the same task twice: %v", c.suite, groups)
		}
		cells := map[string]int{}
		for _, task := range compiled.Tasks {
			scenario, _ := task.Label("scenario")
			difficulty, _ := task.Label("difficulty")
			cells[scenario+" "+difficulty]++
			if split, _ := task.Label("split"); split != c.split {
				t.Errorf("%s has the label split:%s", task.ID, split)
			}
		}
		for cell, n := range cells {
			if n != c.n/c.cells {
				t.Errorf("%s: %d tasks of %s, want %d", c.suite, n, cell, c.n/c.cells)
			}
		}
		if len(cells) != c.cells {
			t.Errorf("%s has %d scenarios and difficulties, want %d", c.suite, len(cells), c.cells)
		}
	}
	if _, err := tasks.Compile(suite(w)); err == nil {
		t.Error("suites on demand are compiled although nobody asks for them")
	}
}

func TestWhatATaskIsMadeOf(t *testing.T) {
	task, kit := one(t, row("script_repair", "csv_schema_drift", 4, 85))
	if task.ID != "some/script_repair/csv_schema_drift_d4_s85" || task.World != "files" {
		t.Errorf("%s of world %s", task.ID, task.World)
	}
	for _, label := range []string{"scenario:csv_schema_drift", "difficulty:4", "split:validation", "bug_scope:cross_file", "repair_surface:parser_and_report", "smoke_test_quality:weak", "code"} {
		if !slices.Contains(task.Labels, label) {
			t.Errorf("labels are %q, want %s among them", task.Labels, label)
		}
	}
	setup, err := world.ParseSetup(task.Setup)
	if err != nil {
		t.Fatal(err)
	}
	if !setup.Commands || setup.MaxSteps != files.ToolCalls || setup.TimeLimitSeconds != files.Seconds || task.Limits.Turns != files.Turns {
		t.Errorf("setup %s, limits %+v", task.Setup, task.Limits)
	}
	first, last := task.Rubric.Reference[0].Calls[0], task.Rubric.Reference[len(task.Rubric.Reference)-1].Calls[0]
	if first.Name != "list_directory" || last.Name != "submit" || len(task.Rubric.Reference) > files.Turns {
		t.Errorf("the reference begins with %s, ends with %s and has %d moves", first.Name, last.Name, len(task.Rubric.Reference))
	}
	raw, err := tasks.Encode(task)
	if err != nil {
		t.Fatal(err)
	}
	if back, problems := tasks.DecodeTasks("x.json", raw, tasks.Suite{Kits: []tasks.Kit{*kit}}); len(problems) > 0 || back[0].Digest() != task.Digest() {
		t.Errorf("it reads back as another: %v", problems)
	}
	plain, _ := one(t, row("tabular", "channel_status_pivot", 2, 80))
	if setup, err := world.ParseSetup(plain.Setup); err != nil || setup.Commands || slices.Contains(plain.Labels, "code") {
		t.Errorf("a task of one artifact needs commands: %s, %v", plain.Setup, err)
	}
	if len(plain.Rubric.Probes) == 0 {
		t.Error("its traps are no probes")
	}
}

// What a reference cannot hold is said, and by whom it can be helped.
func TestWorkspacesThatMakeNoTask(t *testing.T) {
	w := files.NewWorkshop(nil, nil)
	rows := []splits.Assignment{row("tabular", "weekly_refund_rollup", 2, 80), row("tabular", "weekly", 2, 80), row("tabluar", "", 2, 80)}
	_, err := w.Tasks("some", rows)
	for _, want := range []string{"swg.validation.tabular.weekly.d2.s80: ", "Unknown scenario_id 'weekly' for tabular", "swg.validation.tabluar.default.d2.s80: ", `unknown family "tabluar"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %s in it", err, want)
		}
	}
}

// A comment that a repair restores may name the scenario in other words; that is nothing to be found.
func TestARepairMaySayWhatTheScenarioIsCalled(t *testing.T) {
	task, kit := one(t, row("script_repair", "inventory_report", 3, 81))
	cert := gates.Certify(t.Context(), kit, task, gates.Options{})
	if cert.Skipped() {
		t.Skip("no commands can be run here")
	}
	if !cert.Held() {
		t.Error(gates.Table([]gates.Certificate{cert}))
	}
}
