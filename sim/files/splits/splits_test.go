package splits_test

import (
	"slices"
	"strings"
	"testing"

	"benchwright/sim/files"
	"benchwright/sim/files/builtin"
	"benchwright/sim/files/splits"
)

func build(t *testing.T, o splits.Options) *splits.Manifest {
	t.Helper()
	m, err := splits.Build(builtin.Families(), o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTheStandardSplitsHaveThePublishedSizes(t *testing.T) {
	m := build(t, splits.Options{})
	for _, want := range []struct {
		split     string
		n         int
		scenarios int
	}{{splits.Train, 3120, 13}, {splits.Validation, 390, 13}, {splits.Test, 390, 13}, {splits.Heldout, 240, 4}} {
		rows := m.Of(want.split)
		scenarios := map[string]bool{}
		for _, a := range rows {
			scenarios[a.Scenario] = true
		}
		if len(rows) != want.n || len(scenarios) != want.scenarios {
			t.Errorf("%s: %d workspaces of %d scenarios, want %d of %d", want.split, len(rows), len(scenarios), want.n, want.scenarios)
		}
	}
	report := splits.Validate(m, builtin.Families())
	if !report.Valid || len(report.Errors) > 0 || len(report.Warnings) > 0 || report.Counts[splits.Train] != 3120 {
		t.Errorf("the standard splits do not hold: %+v", report)
	}
	first := m.Of(splits.Heldout)[0]
	if want := "swg.heldout.tabular.supplier_restock_summary.d3.s100"; first.TaskID != want {
		t.Errorf("the first held-out task is %s, want %s", first.TaskID, want)
	}
	if got := splits.TaskID("train", "pipeline", "", 2, 7); got != "swg.train.pipeline.default.d2.s7" {
		t.Errorf("a task without a scenario is %s", got)
	}
}

func TestAManifestIsReadBack(t *testing.T) {
	m := build(t, splits.Options{Splits: []string{splits.Validation}, Most: map[string]int{splits.Validation: 3}, CreatedAt: "2026-01-02T03:04:05Z"})
	raw := m.JSON()
	for _, key := range []string{`"name": "swg"`, `"version": "v1"`, `"created_at": "2026-01-02T03:04:05Z"`, `"split_specs"`, `"count": 3`, `"shuffle_seed": 0`} {
		if !strings.Contains(raw, key) {
			t.Errorf("the manifest does not say %s", key)
		}
	}
	back, err := splits.Parse([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	if back.JSON() != raw {
		t.Error("the manifest reads back as another")
	}
	for _, bad := range []string{``, `{`, `[]`, `{"name":"x"}`, `{"assignments":[{"seed":"1"}]}`, `{"assignments":[],"assignments":[]}`} {
		if _, err := splits.Parse([]byte(bad)); err == nil {
			t.Errorf("%s is taken for a manifest", bad)
		}
	}
}

func TestShufflesKeepWhatIsThere(t *testing.T) {
	plain := build(t, splits.Options{Splits: []string{splits.Test}})
	ids := func(m *splits.Manifest) (out []string) {
		for _, a := range m.Assignments {
			out = append(out, a.TaskID)
		}
		return out
	}
	one := build(t, splits.Options{Splits: []string{splits.Test}, Shuffle: true, ShuffleSeed: 1})
	if !slices.Equal(ids(one), ids(build(t, splits.Options{Splits: []string{splits.Test}, Shuffle: true, ShuffleSeed: 1}))) {
		t.Error("the same shuffle gives two orders")
	}
	two := build(t, splits.Options{Splits: []string{splits.Test}, Shuffle: true, ShuffleSeed: 2})
	if slices.Equal(ids(one), ids(two)) || slices.Equal(ids(one), ids(plain)) {
		t.Error("the seed of the shuffle does not matter")
	}
	if !slices.Equal(slices.Sorted(slices.Values(ids(one))), slices.Sorted(slices.Values(ids(plain)))) {
		t.Error("a shuffle changes which workspaces there are")
	}
	if _, err := splits.Build(builtin.Families(), splits.Options{Splits: []string{"dev"}}); err == nil || err.Error() != "Invalid split name: dev" {
		t.Errorf("an unknown split is built: %v", err)
	}
	if _, err := splits.Build(nil, splits.Options{}); err == nil {
		t.Error("splits are built without families")
	}
}

func TestEveryFaultOfAManifestIsFound(t *testing.T) {
	row := func(split, family, scenario string, difficulty int, seed int64) splits.Assignment {
		return splits.Assignment{Split: split, Family: family, Scenario: scenario, Difficulty: difficulty, Seed: seed, TaskID: splits.TaskID(split, family, scenario, difficulty, seed)}
	}
	weekly := func(split string, seed int64) splits.Assignment {
		return row(split, "tabular", "weekly_refund_rollup", 3, seed)
	}
	named := func(a splits.Assignment, id string) splits.Assignment { a.TaskID = id; return a }
	for _, c := range []struct {
		name   string
		rows   []splits.Assignment
		want   string
		reason string
	}{
		{"split-name", []splits.Assignment{weekly("dev", 1)}, "Invalid split name: dev", "there are four splits"},
		{"task-id", []splits.Assignment{weekly("train", 1), named(weekly("train", 2), weekly("train", 1).TaskID)}, "Duplicate task_id: swg.train.tabular.weekly_refund_rollup.d3.s1", "an id names one task"},
		{"tuple", []splits.Assignment{weekly("train", 1), weekly("test", 1)}, "Duplicate environment tuple across splits: tabular, weekly_refund_rollup, difficulty 3, seed 1", "what is trained on is not tested with"},
		{"family", []splits.Assignment{row("train", "tabluar", "", 3, 1)}, "Unknown family: tabluar", "nothing compiles it"},
		{"scenario", []splits.Assignment{row("train", "tabular", "weekly", 3, 1)}, "Unknown scenario for tabular: weekly", "nothing compiles it"},
		{"difficulty", []splits.Assignment{row("train", "tabular", "", 6, 1)}, "Difficulty must be between 1 and 5: swg.train.tabular.default.d6.s1 has 6", "there are five"},
		{"no-difficulty", []splits.Assignment{row("train", "tabular", "", 0, 1)}, "Difficulty must be between 1 and 5: swg.train.tabular.default.d0.s1 has 0", "a missing one is none"},
		{"seed", []splits.Assignment{row("train", "tabular", "", 3, -1)}, "Seed must not be negative: swg.train.tabular.default.d3.s-1 has -1", "seeds count from 0"},
		{"held-out", []splits.Assignment{row("validation", "tabular", "supplier_restock_summary", 3, 1)}, "Held-out scenario outside of heldout: supplier_restock_summary is in validation", "held out means met nowhere else"},
		{"overlap-train-validation", []splits.Assignment{weekly("train", 4), weekly("train", 5), weekly("validation", 5)}, "Seed overlap between train and validation: tabular, weekly_refund_rollup, difficulty 3, seeds 5", "seeds are divided"},
		{"overlap-train-test", []splits.Assignment{weekly("test", 5), weekly("train", 5)}, "Seed overlap between train and test: tabular, weekly_refund_rollup, difficulty 3, seeds 5", "in whatever order they stand"},
		{"overlap-validation-test", []splits.Assignment{weekly("validation", 5), weekly("test", 5)}, "Seed overlap between validation and test: tabular, weekly_refund_rollup, difficulty 3, seeds 5", "also with one another"},
		{"hostile", []splits.Assignment{row("train", "\x1b[31m", "", 3, 1)}, `Unknown family: \x1b[31m`, "words of others are escaped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := splits.Validate(&splits.Manifest{Assignments: c.rows}, builtin.Families())
			if report.Valid || report.ErrorCount != len(report.Errors) || !slices.Contains(report.Errors, c.want) {
				t.Errorf("errors are %q, want %q among them: %s", report.Errors, c.want, c.reason)
			}
		})
	}
	same := []splits.Assignment{weekly("train", 1), row("validation", "tabular", "weekly_refund_rollup", 2, 1)}
	report := splits.Validate(&splits.Manifest{Assignments: same}, builtin.Families())
	if !report.Valid {
		t.Errorf("one seed at two difficulties is no overlap: %q", report.Errors)
	}
	if want := []string{"Split has no assignments: test", "Split has no assignments: heldout"}; !slices.Equal(report.Warnings, want) {
		t.Errorf("warnings are %q, want %q", report.Warnings, want)
	}
}

func TestSamples(t *testing.T) {
	rows := build(t, splits.Options{Splits: []string{splits.Validation}}).Assignments
	sample := func(s splits.Sampling) []splits.Assignment {
		t.Helper()
		got, err := splits.Sample(rows, s)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	ids := func(rows []splits.Assignment) (out []string) {
		for _, a := range rows {
			out = append(out, a.TaskID)
		}
		return out
	}
	for _, first := range []string{"", "first", "head"} {
		if got := sample(splits.Sampling{Strategy: first, N: 5}); !slices.Equal(ids(got), ids(rows[:5])) {
			t.Errorf("%q takes %q", first, ids(got))
		}
	}
	for _, n := range []int{0, -1, 1000} {
		if got := sample(splits.Sampling{Strategy: "balanced", N: n}); len(got) != len(rows) {
			t.Errorf("%d rows are wanted and %d taken", n, len(got))
		}
	}
	// 13 scenarios at three difficulties are 39 groups: 60 rows are one of each, and a second of 21.
	for _, shuffled := range []bool{false, true} {
		got := sample(splits.Sampling{Strategy: "balanced", N: 60, Shuffle: shuffled, Seed: 3})
		per := map[string]int{}
		for _, a := range got {
			per[a.Scenario+string(rune('0'+a.Difficulty))]++
		}
		twice := 0
		for _, n := range per {
			if n == 2 {
				twice++
			}
		}
		if len(got) != 60 || len(per) != 39 || twice != 21 {
			t.Errorf("shuffled %t: %d rows of %d groups, %d of them twice", shuffled, len(got), len(per), twice)
		}
	}
	if a, b := sample(splits.Sampling{Strategy: "stratified", N: 9, Shuffle: true, Seed: 1}), sample(splits.Sampling{Strategy: "balanced", N: 9, Shuffle: true, Seed: 2}); slices.Equal(ids(a), ids(b)) {
		t.Error("the seed of the sample does not matter")
	}
	if got := sample(splits.Sampling{N: 5, Shuffle: true, Seed: 1}); slices.Equal(ids(got), ids(rows[:5])) {
		t.Error("a shuffle changes nothing")
	}
	if rows[0].TaskID != "swg.validation.tabular.monthly_segment_report.d2.s80" {
		t.Error("sampling changed the list it was given")
	}
	if _, err := splits.Sample(rows, splits.Sampling{Strategy: "random"}); err == nil || err.Error() != "Unsupported SWG sample_strategy: random" {
		t.Errorf("an unknown strategy: %v", err)
	}
}

func TestRangesAreReadAsTheyAreTyped(t *testing.T) {
	if got, err := splits.ParseSeeds("3:6"); err != nil || !slices.Equal(got, []int64{3, 4, 5}) {
		t.Errorf("3:6 is %v, %v", got, err)
	}
	if got, err := splits.ParseSeeds("7"); err != nil || !slices.Equal(got, []int64{7}) {
		t.Errorf("7 is %v, %v", got, err)
	}
	if got, err := splits.ParseDifficulties("1:3"); err != nil || !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("1:3 is %v, %v", got, err)
	}
	if got, err := splits.ParseDifficulties("hard"); err != nil || !slices.Equal(got, []int{5}) {
		t.Errorf("hard is %v, %v", got, err)
	}
	for _, bad := range []string{"", "x", "5:5", "5:4", "-1", "1:2:3", "0:99999999"} {
		if _, err := splits.ParseSeeds(bad); err == nil {
			t.Errorf("seeds %q are taken", bad)
		}
	}
	for _, bad := range []string{"", "0", "6", "3:2", "1:9"} {
		if _, err := splits.ParseDifficulties(bad); err == nil {
			t.Errorf("difficulties %q are taken", bad)
		}
	}
}

func TestWorldsAreCounted(t *testing.T) {
	m := build(t, splits.Options{Splits: []string{splits.Train, splits.Validation}, Most: map[string]int{splits.Train: 2, splits.Validation: 1}})
	again := m.Assignments[0]
	again.Split = splits.Validation
	m.Assignments = append(m.Assignments, again) // the first world of train once more, in another split
	got, err := splits.Count(m, builtin.Families().Compile)
	if err != nil {
		t.Fatal(err)
	}
	want := []splits.Tally{{Split: "train", Instances: 2, Distinct: 2}, {Split: "validation", Instances: 2, Distinct: 2, Known: 1}}
	if !slices.Equal(got, want) {
		t.Errorf("counted %+v, want %+v", got, want)
	}
	m.Assignments[0].Scenario = "none"
	if _, err := splits.Count(m, builtin.Families().Compile); err == nil {
		t.Error("what does not compile is passed over")
	}
}

func TestAnAssignmentIsTheSameWorldUnderItsOwnId(t *testing.T) {
	a := build(t, splits.Options{Splits: []string{splits.Heldout}}).Assignments[0]
	in, err := builtin.Families().Compile(a.Spec())
	if err != nil {
		t.Fatal(err)
	}
	bare := files.NewSpec(a.Family, a.Difficulty, a.Seed)
	bare.Scenario = a.Scenario
	plain, err := builtin.Families().Compile(bare)
	if err != nil {
		t.Fatal(err)
	}
	if in.World() != plain.World() || in.Manifest.EnvID == plain.Manifest.EnvID {
		t.Error("split and task id must change the id and nothing else")
	}
	if m := in.Manifest.Metadata; m.Split != "heldout" || m.TaskID != a.TaskID {
		t.Errorf("the manifest says split %q, task id %q", m.Split, m.TaskID)
	}
}
