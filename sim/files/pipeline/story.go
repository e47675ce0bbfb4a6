package pipeline

import (
	"embed"
	"fmt"
	"maps"
	"slices"

	"benchwright/sim/files"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/internal/stock"
)

// Templates are sources with places to fill; each flow has a folder.
//
//go:embed all:templates
var templates embed.FS

// Paths of every workspace of the family.
const (
	entry      = "run_pipeline.py"
	configPath = "config/pipeline_config.json"
	policyPath = "config/policy.json"
	code       = "src/pipeline_app/"
)

// A story is one flow, drawn.
type story struct {
	template    string
	words       stock.Words
	title       string
	description string
	rules       []string // what the steps do
	contract    []string // what the artifact is
	hints       [3]string
	structure   map[string]any
	handoff     string // what the one before left to say

	config map[string]any // paths, beside policy_path and output_path
	policy []stock.Setting
	output string // path of the artifact
	inputs files.Tree
	stale  files.Tree // inputs of another time, which defects may point to

	core  []files.Defect
	more  []files.Defect // from difficulty 4 on
	edges [][2]string

	rows  []map[string]any // the artifact of the visible data
	other []map[string]any // and of the other data
	sheet exam.Sheet       // has the cases "visible" and "other" at least

	evaluator string
	weights   map[string]float64 // of capabilities
	chosen    []files.Defect     // settled by the story itself, else nil
	realized  files.Realization
}

// graded fills in the sheet of an artifact that is scored by its rows.
func (s *story) graded(other files.Tree) {
	s.evaluator = RowsEvaluator
	s.runs(other)
	s.check("visible_runs", "execution", exam.Check{Case: "visible", Aspect: exam.Runs})
	s.check("visible_json", "serialization", exam.Check{Case: "visible", Aspect: exam.List, File: s.output})
	s.check("visible_rows", "visible_rows", exam.Check{Case: "visible", Aspect: exam.Equal, File: s.output, Want: s.rows})
	s.check("other_rows", "other_rows", exam.Check{Case: "other", Aspect: exam.Equal, File: s.output, Want: s.other})
	s.check("same_again", "determinism", exam.Check{Case: "visible", Aspect: exam.Same, File: s.output})
}

// runs adds the two runs of the entry point that every sheet has.
func (s *story) runs(other files.Tree) {
	s.run("visible", nil)
	s.run("other", other)
}

func (s *story) run(id string, over files.Tree) {
	c := exam.Case{ID: id, Files: over, Clear: []string{"artifacts"}, Script: []string{entry}, Read: []string{s.output}}
	if id == "visible" {
		c.Read = append(c.Read, policyPath)
	}
	s.sheet.Cases = append(s.sheet.Cases, c)
}

func (s *story) check(id, capability string, k exam.Check) {
	k.ID, k.Test, k.Capability = id, id, capability
	s.sheet.Checks = append(s.sheet.Checks, k)
}

// defects draws which of the flow's defects there are.
func (s *story) defects(r *files.Request) (chosen []files.Defect, core int) {
	if s.chosen != nil {
		return s.chosen, len(s.chosen)
	}
	pool := s.core
	if r.Difficulty >= 4 {
		pool = append(slices.Clone(s.core), s.more...)
	}
	n := min(files.At(r, 1, 2, 2, 3, len(pool)), len(pool))
	picked := r.Rand("defects").Perm(len(pool))[:n]
	slices.Sort(picked)
	for _, i := range picked {
		chosen = append(chosen, pool[i])
		if i < len(s.core) {
			core++
		}
	}
	return chosen, core
}

func (s *story) policyText(stale bool) string {
	m := map[string]any{}
	for _, v := range s.policy {
		m[v.Key] = v.Right
		if stale {
			m[v.Key] = v.Stale
		}
	}
	return files.JSON(m)
}

func (s *story) draft(r *files.Request) (*files.Draft, error) {
	defects, core := s.defects(r)
	advanced := len(defects) - core
	canonical, err := stock.Sources(templates, "templates/"+s.template, s.words)
	if err != nil {
		return nil, err
	}
	if defects, err = stock.Defects(defects, s.words); err != nil {
		return nil, err
	}
	config := maps.Clone(s.config)
	config["policy_path"], config["output_path"] = policyPath, s.output
	canonical[configPath], canonical[policyPath] = files.JSON(config), s.policyText(false)
	extra := s.inputs.Clone()
	if r.Difficulty >= 3 {
		extra = extra.With(s.stale)
	}
	grading := map[string]any{
		"entrypoint": []string{entry}, "output_path": s.output, "visible_case": "visible", "other_case": "other",
	}
	if s.weights != nil {
		grading["weights"] = s.weights
	}
	runs := "visible_runs" // the test that the entry point ends well
	if s.weights != nil {
		runs = "execution"
	}
	var reading string
	if r.Mode == files.ModeCompositional {
		policy := stock.NewPolicy(r.Rand("policy"), policyPath, s.policy)
		extra, reading = extra.With(policy.Documents), policy.Reading
		defects = append(defects, files.Defect{ID: "stale_policy", Capability: "policy", Edits: []files.Edit{
			{Path: policyPath, Old: s.policyText(false), New: s.policyText(true)},
		}})
		s.check("policy", "", exam.Check{Case: "visible", Aspect: exam.Content, File: policyPath, Want: stock.Value(s.policyText(false))})
		grading["required_tests"], grading["score_cap"] = []string{"policy", runs}, 0.30
	}
	if r.Difficulty == files.MaxDifficulty {
		grading["d5_exponent"] = 3
	}
	s.sheet.Runs, s.sheet.Seconds = 2, 10
	hidden, err := s.sheet.Files()
	if err != nil {
		return nil, err
	}
	broken, err := files.Inject(canonical, defects)
	if err != nil {
		return nil, err
	}
	solution := stock.Solution(canonical, defects)
	hidden["evaluator_config.json"] = files.JSON(grading)
	hidden["expected_output.json"] = files.JSON(s.rows)
	hidden["solution_files.json"] = files.JSON(map[string]any{"files": solution})

	distractors := stock.Distractors(r.Rand("distractors"), r.Distractors(files.At(r, 0, 1, 1, 2, 3)))
	if r.Difficulty >= 4 {
		rnd := r.Rand("notes")
		extra["config/README.txt"] = files.Pick(rnd, []string{
			"Only the JSON files count here. Whatever else lies beside them is not read.\n",
			"The program reads the JSON configuration and nothing else in this folder.\n",
		})
		extra["notes/handoff.md"] = fmt.Sprintf("# Handoff\n\n%s handed this over on %s: %s. What was tried since did not help.\n", stock.Person(rnd), stock.Date(rnd), s.handoff)
	}
	targets := solution.Paths()
	if r.Difficulty == files.MaxDifficulty {
		targets = stock.Candidates(canonical)
	}
	hints := r.Hints(s.hints[:]...)
	task := map[string]any{
		"entrypoint": "python " + entry, "required_output_path": s.output, "target_files": targets,
		"output_contract": s.contract, "hints": hints,
	}
	sections := []files.Section{
		{Heading: "What the flow does", Items: s.rules},
		{Heading: "Output contract", Text: fmt.Sprintf("`python %s` writes `%s`: a JSON list of objects with just these keys.", entry, s.output), Items: s.contract},
		{Heading: "Run", Text: fmt.Sprintf("`python %s`, from this folder. It has to be right for other data of the same form too, and give the same bytes each time.", entry)},
		{Heading: "Files", Text: files.At(r, "What is wrong is in:", "What is wrong is in:", "What is wrong is in:", "What is wrong is in:", "Something is wrong in some of:"), Items: stock.Ticked(targets)},
	}
	if reading != "" {
		sections = append(sections, files.Section{Heading: "Policy in force", Text: reading})
		task["policy_path"] = policyPath
	}
	d := &files.Draft{
		Instruction: files.Pick(r.Rand("instruction"), []string{
			"Repair this mini-project so that running `python " + entry + "` yields the artifact that README.md describes, for any data of that form.",
			"`python " + entry + "` should write `" + s.output + "` as README.md says. Find out why it does not, and repair the project.",
			"The steps in this folder make one artifact, and make it wrong. Mend them so that README.md is true, also for other data.",
		}),
		Readme:    files.Readme{Title: s.title, Description: s.description, Sections: sections, Hints: hints},
		Task:      task,
		Visible:   extra.With(distractors).With(broken),
		Hidden:    hidden,
		Evaluator: s.evaluator,
		Layout:    files.Layout{OutputPath: s.output},
		Structure: maps.Clone(s.structure),
		Canonical: canonical, Defects: defects,
		Realized: files.Realization{
			"core_bug_count": core, "advanced_bug_count": advanced, "distractor_count": len(distractors),
			"capabilities": s.sheet.Capabilities(), "input_file_count": len(s.inputs),
		},
		NearMisses: append(stock.LeftIn(canonical, defects), s.forged(broken, solution)...),
	}
	maps.Copy(d.Realized, s.realized)
	d.Structure["bug_scope"] = stock.Scope(defects)
	if reading != "" {
		d.Layout.DocumentRoots = []string{"docs"}
		d.Realized["source_families"], d.Realized["composition_depth"] = []string{"retrieval_workspace", "pipeline"}, 2
	}
	if r.Difficulty == files.MaxDifficulty {
		d.Bundle = stock.Bundle(r.Scenario, defects, s.edges)
	}
	return d, nil
}

// forged are ways to have the right artifact of the visible data without a right flow.
func (s *story) forged(broken, solution files.Tree) []files.NearMiss {
	byHand := files.Tree{s.output: files.JSON(s.rows)}
	for p := range solution {
		byHand[p] = broken[p]
	}
	printed := byHand.Clone()
	delete(printed, s.output)
	printed[entry] = fmt.Sprintf("from pathlib import Path\n\ntarget = Path(__file__).resolve().parent / %q\ntarget.parent.mkdir(exist_ok=True)\ntarget.write_text('''%s''')\n", s.output, files.JSON(s.rows))
	return []files.NearMiss{
		{Trap: "writes the artifact by hand", Files: byHand},
		{Trap: "prints the rows of the sample", Files: printed},
	}
}

// reprs writes rows as Python shows them, which is never JSON, not even where there are none.
const reprs = `"\n".join(repr(row) for row in value)`

// edit is a defect of one edit of a file of the package.
func edit(id, capability, file, old, with string) files.Defect {
	return files.Defect{ID: id, Capability: capability, Edits: []files.Edit{{Path: code + file, Old: old, New: with}}}
}

// path is a defect of one path of the configuration.
func path(id, key, right, wrong string) files.Defect {
	return files.Defect{ID: id, Capability: "configuration", Edits: []files.Edit{{
		Path: configPath, Old: fmt.Sprintf("%q: %q", key, right), New: fmt.Sprintf("%q: %q", key, wrong),
	}}}
}

// sorted returns the rows of groups by the name of the group.
func sorted(groups map[string]map[string]any) []map[string]any {
	rows := []map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		rows = append(rows, groups[name])
	}
	return rows
}

// shares reports whether two artifacts have a row in common.
func shares(a, b []map[string]any) bool {
	return slices.ContainsFunc(a, func(x map[string]any) bool {
		return slices.ContainsFunc(b, func(y map[string]any) bool { return exam.SameJSON(x, y) })
	})
}

// inOrder reports whether numbers rise from each to the next, as they must not where an order by
// them is to differ from that by name.
func inOrder(rows []map[string]any, value func(map[string]any) int) bool {
	return slices.IsSortedFunc(rows, func(a, b map[string]any) int { return value(a) - value(b) })
}

func tenths(row map[string]any) int { return row["total_hours"].(stock.Decimal).Units }

// elsewhere returns another place for the artifact.
func elsewhere(r *files.Rand, output string) string {
	return files.Pick(r, []string{"artifacts/draft.json", "artifacts/out.json", "build/result.json", "output/latest.json", output + ".tmp"})
}
