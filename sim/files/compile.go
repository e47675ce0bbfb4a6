package files

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// MaxDraws is how often a family may ask for another draw.
const MaxDraws = 400

// Compile makes the workspace that a spec describes, or says why there is none.
func (fs Families) Compile(s Spec) (*Instance, error) {
	in, err := fs.compile(s)
	if err != nil {
		return nil, fmt.Errorf("compile %s d%d s%d %s: %w", clip(s.Family), s.Difficulty, s.Seed, clip(s.Scenario), err)
	}
	return in, nil
}

func (fs Families) compile(s Spec) (*Instance, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	f, err := fs.Find(s.Family)
	if err != nil {
		return nil, err
	}
	if err := taken(f, s); err != nil {
		return nil, err
	}
	mode, err := mode(s)
	if err != nil {
		return nil, err
	}
	chosen, explicit, err := scenario(f, s, mode)
	if err != nil {
		return nil, err
	}
	r := &Request{Spec: s, Mode: mode}
	r.Scenario = chosen
	for ; ; r.Draw++ {
		d, err := f.Generate(r)
		if err == nil {
			return assemble(f, s, r, d, explicit)
		}
		if !errors.Is(err, ErrRedraw) {
			return nil, err
		}
		if r.Draw+1 >= MaxDraws {
			return nil, fmt.Errorf("no draw out of %d keeps its promises; the last: %w", MaxDraws, err)
		}
	}
}

// taken refuses parameters that change nothing: workspaces that differ in them alone would be one
// world under two ids.
func taken(f Family, s Spec) error {
	takes := []string{"generation_params.composition_mode", "generation_params.split", "generation_params.task_id"}
	if taker, ok := f.(Taker); ok {
		takes = append(takes, taker.Params()...)
	}
	slices.Sort(takes)
	for _, params := range []struct {
		name string
		is   map[string]any
	}{{"task_params", s.TaskParams}, {"evaluator_params", s.EvaluatorParams}, {"generation_params", s.GenerationParams}} {
		for _, key := range slices.Sorted(maps.Keys(params.is)) {
			if !slices.Contains(takes, params.name+"."+key) {
				return fmt.Errorf("%s: family %s takes no %q; there are %s", params.name, f.Name(), clip(key), strings.Join(takes, ", "))
			}
		}
	}
	return nil
}

func assemble(f Family, s Spec, r *Request, d *Draft, explicit bool) (*Instance, error) {
	profile, err := shaped(f, s)
	if err != nil {
		return nil, err
	}
	visible := d.Visible.With(Tree{"README.md": d.Readme.String(), "task.json": JSON(d.Task)})
	in := &Instance{
		Visible: visible, Hidden: d.Hidden,
		Canonical: d.Canonical, Defects: d.Defects, NearMisses: d.NearMisses,
	}
	labels, reference, err := repair(d)
	if err != nil {
		return nil, err
	}
	realized := Realization{
		"level": s.Difficulty, "guidance": Guidance(s.Difficulty), "hint_count": len(d.Readme.Hints),
		"candidate_file_count": len(visible) - 2, "file_count": len(visible), "touched_file_count": len(reference),
		"redraw_count": r.Draw,
	}
	if s.Difficulty == MaxDifficulty {
		realized["discovery_required"] = true
		realized["composition_mode"] = r.Mode
	}
	if len(d.Defects) > 0 {
		realized["applied_bug_count"] = len(d.Defects)
	}
	if b := d.Bundle; b != nil {
		if err := b.Check(); err != nil {
			return nil, err
		}
		realized["bug_bundle_id"], realized["dependency_edges"] = b.ID, b.Edges
		realized["semantic_dependency_depth"], realized["capability_count"] = b.Depth, len(b.Groups)
	}
	for k, v := range d.Realized {
		realized[k] = v
	}
	d.Layout.WorkspaceRoot = "visible"
	selection := Selection{Mode: "seed_modulo"}
	if explicit {
		requested := s.Scenario
		selection = Selection{Requested: &requested, Mode: "explicit"}
	}
	in.Manifest = Manifest{
		EnvID: s.ID(), Family: s.Family, Difficulty: s.Difficulty, Seed: s.Seed,
		Instruction:   d.Instruction,
		WorkspaceRoot: "visible", VisibleFiles: visible.Paths(), HiddenRoot: "hidden", HiddenFiles: d.Hidden.Paths(),
		Tools: s.Tools, MaxSteps: s.MaxSteps, TimeLimitSeconds: s.TimeLimitSeconds,
		Metadata: Metadata{
			Scenario: r.Scenario, Task: d.Task, Complexity: profile, Structure: d.Structure, Selection: selection,
			BugLabels: labels, Layout: d.Layout, Realized: realized,
		},
		Evaluator: d.Evaluator,
		Reference: Reference{Files: reference, Scenario: r.Scenario, BugLabels: labels},
	}
	m := &in.Manifest.Metadata
	if split, ok := s.GenerationParams["split"].(string); ok {
		seed := s.Seed
		m.Split, m.SplitFamily, m.SplitScenario, m.SplitDifficulty, m.SplitSeed = split, s.Family, r.Scenario, s.Difficulty, &seed
	}
	m.TaskID, _ = s.GenerationParams["task_id"].(string)
	return in, prove(in, d)
}

// repair returns the labels of a draft's defects and its solution, and checks that its visible
// sources are what its defects make of the correct ones.
func repair(d *Draft) (labels []string, reference Tree, err error) {
	reference = d.Reference.Clone()
	if len(d.Defects) == 0 {
		return nil, reference, nil
	}
	broken, err := Inject(d.Canonical, d.Defects)
	if err != nil {
		return nil, nil, err
	}
	for _, defect := range d.Defects {
		if slices.Contains(labels, defect.ID) {
			return nil, nil, fmt.Errorf("defect %q is there twice", defect.ID)
		}
		labels = append(labels, defect.ID)
		for _, e := range defect.Edits {
			if d.Reference == nil {
				reference[e.Path] = d.Canonical[e.Path]
			}
		}
	}
	for _, p := range d.Canonical.Paths() {
		if d.Visible[p] != broken[p] {
			return nil, nil, fmt.Errorf("%s is not what the defects make of its correct text", p)
		}
	}
	return labels, reference, nil
}
