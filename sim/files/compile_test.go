package files_test

import (
	"errors"
	"strings"
	"testing"

	"benchwright/sim/files"
)

// toy is a family whose drafts a test spoils.
type toy struct {
	spoil func(r *files.Request, d *files.Draft) error
}

func (toy) Name() string { return "toybox" }
func (toy) Scenarios() []files.Scenario {
	return []files.Scenario{{ID: "one_scenario"}, {ID: "kept_back", HeldOut: true}, {ID: "two_scenario"}, {ID: "hard_only", Only: []int{5}}}
}
func (toy) Complexity(d int) files.ComplexityProfile { return files.BaseComplexity(d) }

func (f toy) Generate(r *files.Request) (*files.Draft, error) {
	d := &files.Draft{
		Instruction: "Write the number.",
		Readme:      files.Readme{Title: "Toy", Description: "Write a number.", Hints: r.Hints("a", "b", "c")},
		Task:        map[string]any{"hints": r.Hints("a", "b", "c"), "output_path": "out.json"},
		Visible:     files.Tree{"in.txt": "4\n", "src/a.py": "x = bad\ny = 2\n"},
		Hidden:      files.Tree{"evaluator_config.json": "{}", "expected_output.json": "[4]"},
		Reference:   files.Tree{"out.json": "[4]\n", "src/a.py": "x = good\ny = 2\n"},
		Expected:    "[4]",
		Evaluator:   "toybox:Check",
		Layout:      files.Layout{OutputPath: "out.json"},
		Canonical:   files.Tree{"src/a.py": "x = good\ny = 2\n"},
		Defects:     []files.Defect{{ID: "bad_x", Edits: []files.Edit{{Path: "src/a.py", Old: "good", New: "bad"}}}},
		NearMisses:  []files.NearMiss{{Trap: "off by one", Files: files.Tree{"out.json": "[5]"}}},
	}
	if f.spoil == nil {
		return d, nil
	}
	return d, f.spoil(r, d)
}

func compileToy(spoil func(r *files.Request, d *files.Draft) error, difficulty int) (*files.Instance, error) {
	return files.Families{toy{spoil}}.Compile(files.NewSpec("toybox", difficulty, 3))
}

func TestCompile(t *testing.T) {
	in, err := compileToy(nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	m := in.Manifest
	if m.Metadata.Scenario != "one_scenario" || m.Metadata.Selection.Mode != "seed_modulo" || m.Metadata.Selection.Requested != nil {
		t.Errorf("seed 3 of two scenarios that are not held out: %+v", m.Metadata.Selection)
	}
	if got := m.Metadata.Realized["hint_count"]; got != 2 {
		t.Errorf("hint_count is %v, want 2", got)
	}
	if got := strings.Join(m.VisibleFiles, " "); got != "README.md in.txt src/a.py task.json" {
		t.Errorf("visible files are %s", got)
	}
	if in.Solved()["out.json"] != "[4]\n" || in.Visible["out.json"] != "" {
		t.Error("the solved tree is not the visible one with the reference over it")
	}
	fixed, err := in.Repaired("bad_x")
	if err != nil || fixed["src/a.py"] != "x = good\ny = 2\n" {
		t.Errorf("repaired: %q, %v", fixed["src/a.py"], err)
	}
	if left, err := in.Repaired(); err != nil || left.Digest() != in.Visible.Digest() {
		t.Errorf("nothing repaired is not the visible tree: %v", err)
	}
	if _, err := in.Repaired("bad_y"); err == nil {
		t.Error("a defect that is not there was repaired")
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		spoil      func(r *files.Request, d *files.Draft) error
	}{
		{"no-reference", "Reference solution metadata must include at least one file artifact.", func(_ *files.Request, d *files.Draft) error {
			d.Reference, d.Canonical, d.Defects, d.Expected, d.NearMisses = files.Tree{}, nil, nil, "", nil
			return nil
		}},
		{"reference-changes-nothing", "already solved: src/a.py", func(_ *files.Request, d *files.Draft) error {
			d.Visible["src/a.py"], d.Defects, d.Canonical = d.Reference["src/a.py"], nil, nil
			return nil
		}},
		{"solved-in-other-words", "untouched workspace is solved already", func(_ *files.Request, d *files.Draft) error {
			d.Visible["out.json"] = " [ 4 ]"
			return nil
		}},
		{"wrong-reference", "the reference's out.json is not the expected artifact", func(_ *files.Request, d *files.Draft) error {
			d.Reference["out.json"] = "[3]"
			return nil
		}},
		{"trap-without-teeth", `trap "off by one": mishandling it gives the right answer`, func(_ *files.Request, d *files.Draft) error {
			d.NearMisses[0].Files["out.json"] = "[ 4 ]"
			return nil
		}},
		{"drifted-source", "Bug application 'bad_x' did not modify 'src/a.py'; canonical source drifted.", func(_ *files.Request, d *files.Draft) error {
			d.Defects[0].Edits[0].Old = "gone"
			return nil
		}},
		{"ambiguous-edit", "stands 2 times", func(_ *files.Request, d *files.Draft) error {
			d.Defects[0].Edits[0].Old, d.Defects[0].Edits[0].New = " =", "="
			return nil
		}},
		{"visible-is-not-the-defects", "src/a.py is not what the defects make of its correct text", func(_ *files.Request, d *files.Draft) error {
			d.Visible["src/a.py"] += "\n"
			return nil
		}},
		{"names-family", `README.md says "toybox", which names the family`, func(_ *files.Request, d *files.Draft) error {
			d.Readme.Description = "A toybox."
			return nil
		}},
		{"names-scenario", `task.json says "one_scenario"`, func(_ *files.Request, d *files.Draft) error {
			d.Task["scenario_id"] = "one_scenario"
			return nil
		}},
		{"names-difficulty", `in.txt says "difficulty"`, func(_ *files.Request, d *files.Draft) error {
			d.Visible["in.txt"] = "difficulty 3"
			return nil
		}},
		{"names-defect", `in.txt says "bad_x", which names a defect`, func(_ *files.Request, d *files.Draft) error {
			d.Visible["in.txt"] = "# bad_x"
			return nil
		}},
		{"names-hidden-file", `the instruction says "expected_output", which names a hidden file`, func(_ *files.Request, d *files.Draft) error {
			d.Instruction = "Match expected_output.json."
			return nil
		}},
		{"hidden-path", "names the instance or a hidden path", func(_ *files.Request, d *files.Draft) error {
			d.Visible["in.txt"] = "see ../hidden/x"
			return nil
		}},
		{"names-sealed-word", `in.txt says "off_by_one", which names something sealed`, func(_ *files.Request, d *files.Draft) error {
			d.Words, d.Visible["in.txt"] = []string{"off_by_one"}, "off_by_one"
			return nil
		}},
		{"path-out", `"../x" is not a relative slash-separated path`, func(_ *files.Request, d *files.Draft) error {
			d.Visible["../x"] = ""
			return nil
		}},
		{"file-and-folder", `"in.txt" is a file and the folder of "in.txt/y"`, func(_ *files.Request, d *files.Draft) error {
			d.Visible["in.txt/y"] = ""
			return nil
		}},
		{"no-evaluator", "a draft names its evaluator", func(_ *files.Request, d *files.Draft) error {
			d.Evaluator = ""
			return nil
		}},
		{"never-good", "no draw out of 400 keeps its promises; the last: draw again: too dull", func(*files.Request, *files.Draft) error {
			return files.Redraw("too %s", "dull")
		}},
		{"own-error", "the tables are broken", func(*files.Request, *files.Draft) error { return errors.New("the tables are broken") }},
		{"cycle", "dependency graph must be acyclic", func(_ *files.Request, d *files.Draft) error {
			d.Bundle = &files.DefectBundle{
				ID: "b", DefectIDs: []string{"x", "y"}, Groups: map[string][]string{"g": {"x", "y"}}, RequiredFiles: []string{"src/a.py"},
				Edges: [][2]string{{"x", "y"}, {"y", "x"}},
			}
			return nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := compileToy(c.spoil, 3); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q", err, c.want)
			}
		})
	}
}

func TestCompileRedraws(t *testing.T) {
	in, err := compileToy(func(r *files.Request, _ *files.Draft) error {
		if r.Draw < 3 {
			return files.Redraw("draw %d", r.Draw)
		}
		return nil
	}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := in.Manifest.Metadata.Realized["redraw_count"]; got != 3 {
		t.Errorf("redraw_count is %v, want 3", got)
	}
}

func TestScenarioChoice(t *testing.T) {
	families := files.Families{toy{}}
	for seed, want := range map[int64]string{0: "two_scenario", 1: "one_scenario", 2: "two_scenario", 3: "one_scenario"} {
		in, err := families.Compile(files.NewSpec("toybox", 2, seed))
		if err != nil {
			t.Fatal(err)
		}
		if got := in.Manifest.Metadata.Scenario; got != want {
			t.Errorf("seed %d gives %s, want %s", seed, got, want)
		}
	}
	s := files.NewSpec("toybox", 2, 1)
	s.Scenario = "hard_only"
	_, err := families.Compile(s)
	if want := "Unknown scenario_id 'hard_only' for toybox. Available: one_scenario, kept_back, two_scenario"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error is %v, want %q", err, want)
	}
	s.Scenario = "kept_back"
	in, err := families.Compile(s)
	if err != nil {
		t.Fatal(err)
	}
	if got := in.Manifest.Metadata.Selection; got.Mode != "explicit" || *got.Requested != "kept_back" {
		t.Errorf("selection is %+v", got)
	}
	if _, err := families.Compile(files.NewSpec("toyboxes", 2, 1)); err == nil || !strings.Contains(err.Error(), `unknown family "toyboxes": want one of toybox`) {
		t.Errorf("unknown family: %v", err)
	}
}

func TestCompositionMode(t *testing.T) {
	for _, c := range []struct {
		seed int64
		ask  any
		want string
	}{{4, nil, files.ModeAtomic}, {5, nil, files.ModeCompositional}, {5, "atomic", files.ModeAtomic}, {4, "compositional", files.ModeCompositional}, {4, "both", ""}} {
		s := files.NewSpec("toybox", 5, c.seed)
		if c.ask != nil {
			s.GenerationParams["composition_mode"] = c.ask
		}
		in, err := files.Families{toy{}}.Compile(s)
		if c.want == "" {
			if err == nil {
				t.Errorf("mode %v was taken", c.ask)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := in.Manifest.Metadata.Realized["composition_mode"]; got != c.want {
			t.Errorf("seed %d, %v: mode is %v, want %s", c.seed, c.ask, got, c.want)
		}
	}
}

func TestDefectBundle(t *testing.T) {
	good := func() *files.DefectBundle {
		return &files.DefectBundle{
			ID: "b", DefectIDs: []string{"x", "y", "z"}, Groups: map[string][]string{"g": {"x"}, "h": {"y", "z"}}, RequiredFiles: []string{"a.py"},
			Edges: [][2]string{{"x", "y"}, {"y", "z"}},
		}
	}
	b := good()
	if err := b.Check(); err != nil || b.Depth != 3 {
		t.Errorf("depth is %d, %v; want the longest chain, 3", b.Depth, err)
	}
	for name, spoil := range map[string]func(b *files.DefectBundle){
		"two or more different": func(b *files.DefectBundle) { b.DefectIDs = []string{"x", "x", "z"} },
		"exactly once":          func(b *files.DefectBundle) { b.Groups["g"] = []string{"x", "y"} },
		"no defect of it":       func(b *files.DefectBundle) { b.Edges = append(b.Edges, [2]string{"x", "w"}) },
		"must be acyclic":       func(b *files.DefectBundle) { b.Edges = append(b.Edges, [2]string{"z", "x"}) },
		"no required files":     func(b *files.DefectBundle) { b.RequiredFiles = nil },
	} {
		b := good()
		spoil(b)
		if err := b.Check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error is %v, want %q", err, name)
		}
	}
}

// shaped is a toy that takes a parameter and generates by a factor.
type shaped struct{ toy }

func (shaped) Params() []string  { return []string{"task_params.number", "evaluator_params.tolerance"} }
func (shaped) Factors() []string { return []string{"reasoning_hops"} }

func TestWhatNobodyTakesIsRefused(t *testing.T) {
	hops := files.BaseComplexity(2)
	hops.ReasoningHops = 9
	wide := files.BaseComplexity(2)
	wide.FileCount = 9
	for _, c := range []struct {
		name   string
		do     func(s *files.Spec)
		family files.Family
		want   string // "" compiles
	}{
		{"none", func(*files.Spec) {}, toy{}, ""},
		{"of-the-compiler", func(s *files.Spec) {
			s.GenerationParams = map[string]any{"split": "train", "task_id": "x", "composition_mode": "atomic"}
		}, toy{}, ""},
		{"task", func(s *files.Spec) { s.TaskParams = map[string]any{"number": 4} }, toy{},
			`task_params: family toybox takes no "number"; there are generation_params.composition_mode, generation_params.split, generation_params.task_id`},
		{"task-taken", func(s *files.Spec) { s.TaskParams = map[string]any{"number": 4} }, shaped{}, ""},
		{"evaluator", func(s *files.Spec) { s.EvaluatorParams = map[string]any{"number": 4} }, shaped{}, `evaluator_params: family toybox takes no "number"; there are evaluator_params.tolerance, `},
		{"generation", func(s *files.Spec) { s.GenerationParams = map[string]any{"profle": "d5_a"} }, shaped{}, `generation_params: family toybox takes no "profle"`},
		{"factor", func(s *files.Spec) { s.Complexity = &hops }, toy{},
			"complexity_profile: reasoning_hops is 9, and family toybox of difficulty 2 always has 2; what it generates by is distractor_count"},
		{"factor-taken", func(s *files.Spec) { s.Complexity = &hops }, shaped{}, ""},
		{"other-factor", func(s *files.Spec) { s.Complexity = &wide }, shaped{}, "file_count is 9, and family toybox of difficulty 2 always has 4; what it generates by is distractor_count, reasoning_hops"},
	} {
		s := files.NewSpec("toybox", 2, 3)
		c.do(&s)
		in, err := files.Families{c.family}.Compile(s)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if err == nil && s.Complexity != nil && in.Manifest.Metadata.Complexity != *s.Complexity {
			t.Errorf("%s: the manifest declares %+v", c.name, in.Manifest.Metadata.Complexity)
		}
	}
}
