package repair

import (
	"embed"
	"fmt"
	"maps"
	"slices"

	"benchwright/sim/files"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/internal/stock"
)

// Templates are sources with places to fill; each scenario has a folder.
//
//go:embed all:templates
var templates embed.FS

// Paths of every workspace of the family.
const (
	entry    = "run_example.py"
	settings = "config/settings.json"
	report   = "artifacts/report.json"
	code     = "src/repair_target/"
)

// A story is one scenario, drawn.
type story struct {
	template    string
	words       stock.Words
	title       string
	description string
	contract    []string
	hints       [3]string
	structure   map[string]any

	input   string // path of the data
	data    string // what lies there
	named   string // what the settings call it; "" is the path
	values  []stock.Setting
	core    []files.Defect
	more    []files.Defect // from difficulty 4 on
	edges   [][2]string
	suspect string // what the incident log says was seen

	sheet exam.Sheet
}

// call adds a test that calls a function of a module of the package, once for each argument list.
func (s *story) call(test, capability, module, function string, over files.Tree, want []any, args ...[]any) {
	c := exam.Case{ID: test, Root: "src", Files: over}
	for _, a := range args {
		c.Calls = append(c.Calls, exam.Call{Module: "repair_target." + module, Function: function, Args: a})
	}
	s.sheet.Cases = append(s.sheet.Cases, c)
	s.sheet.Checks = append(s.sheet.Checks, exam.Check{
		ID: test, Test: test, Capability: capability, Case: test, Aspect: exam.Equal, Want: want,
	})
}

// run adds the run of the entry point on other data, and a test that its report is what is wanted.
func (s *story) run(data string, want any) {
	s.sheet.Cases = append(s.sheet.Cases, exam.Case{
		ID: "entrypoint", Files: files.Tree{s.input: data}, Clear: []string{"artifacts"},
		Script: []string{entry}, Read: []string{report, settings},
	})
	s.also("entrypoint", exam.Check{Capability: "end_to_end", Aspect: exam.Equal, File: report, Want: want})
}

// also adds a test on what the entry point left.
func (s *story) also(test string, k exam.Check) {
	k.ID, k.Test, k.Case = test, test, "entrypoint"
	s.sheet.Checks = append(s.sheet.Checks, k)
}

// defects draws which of the scenario's defects there are.
func (s *story) defects(r *files.Request) (chosen []files.Defect, core int, err error) {
	pool := s.core
	if r.Difficulty >= 4 {
		pool = append(slices.Clone(s.core), s.more...)
	}
	n := r.Transformations(min(files.At(r, 1, 1, 2, 3, 4), len(pool)))
	if n < 1 || n > len(pool) {
		return nil, 0, fmt.Errorf("complexity_profile: transformation_count is %d, and of difficulty %d there are 1 to %d defects", n, r.Difficulty, len(pool))
	}
	picked := r.Rand("defects").Perm(len(pool))[:n]
	slices.Sort(picked)
	for _, i := range picked {
		chosen = append(chosen, pool[i])
		if i < len(s.core) {
			core++
		}
	}
	return chosen, core, nil
}

// config is the settings file with the values in force, or with those that are out of date.
func (s *story) config(stale bool) string {
	m := map[string]any{"input_file": s.input}
	if s.named != "" {
		m["input_file"] = s.named
	}
	for _, v := range s.values {
		m[v.Key] = v.Right
		if stale {
			m[v.Key] = v.Stale
		}
	}
	return files.JSON(m)
}

func (s *story) draft(r *files.Request) (*files.Draft, error) {
	defects, core, err := s.defects(r)
	if err != nil {
		return nil, err
	}
	advanced := len(defects) - core
	canonical, err := stock.Sources(templates, "templates/"+s.template, s.words)
	if err != nil {
		return nil, err
	}
	if defects, err = stock.Defects(defects, s.words); err != nil {
		return nil, err
	}
	extra := files.Tree{s.input: s.data}
	canonical[settings] = s.config(false)
	config := map[string]any{"cases": len(s.sheet.Cases)}
	var reading string
	if r.Mode == files.ModeCompositional {
		policy := stock.NewPolicy(r.Rand("policy"), settings, s.values)
		extra, reading = extra.With(policy.Documents), policy.Reading
		defects = append(defects, files.Defect{ID: "stale_settings", Capability: "settings", Edits: []files.Edit{
			{Path: settings, Old: s.config(false), New: s.config(true)},
		}})
		s.also("settings", exam.Check{Capability: "settings", Aspect: exam.Content, File: settings, Want: stock.Value(s.config(false))})
		config["required_tests"], config["score_cap"] = []string{"settings", "entrypoint"}, 0.30
	}
	if r.Difficulty == files.MaxDifficulty {
		config["d5_exponent"] = 3
	}
	s.sheet.Runs, s.sheet.Seconds = 1, 10
	hidden, err := s.sheet.Files()
	if err != nil {
		return nil, err
	}
	broken, err := files.Inject(canonical, defects)
	if err != nil {
		return nil, err
	}
	solution := stock.Solution(canonical, defects)
	distractors := stock.Distractors(r.Rand("distractors"), r.Distractors(files.At(r, 0, 1, 1, 2, 3)))
	if r.Difficulty >= 4 {
		extra["notes/incident_log.md"] = s.incident(r.Rand("incident"))
	}
	hidden["evaluator_config.json"] = files.JSON(config)
	hidden["solution_files.json"] = files.JSON(map[string]any{"files": solution})

	targets := solution.Paths()
	if r.Difficulty == files.MaxDifficulty {
		targets = stock.Candidates(canonical)
	}
	hints := r.Hints(s.hints[:]...)
	task := map[string]any{
		"entrypoint": "python " + entry, "target_files": targets, "repair_contract": s.contract, "hints": hints,
	}
	sections := []files.Section{
		{Heading: "What it should do", Items: s.contract},
		{Heading: "Smoke test", Text: "`python " + entry + "` reads `" + settings + "` and the data it names, and writes `" + report + "`. That it ends well does not show that the report is right. The code is also used on other data of the same form."},
		{Heading: "Files", Text: files.At(r, "The mistake is in this file:", "The mistake is in this file:", "The mistakes are in these files:", "The mistakes are in these files:", "There are mistakes in some of these:"), Items: stock.Ticked(targets)},
		{Heading: "Rules", Items: []string{"Keep the names and the arguments of public functions.", "Prefer small repairs to new code."}},
	}
	if reading != "" {
		sections = append(sections, files.Section{Heading: "Settings in force", Text: reading})
		task["settings_path"] = settings
	}
	d := &files.Draft{
		Instruction: files.Pick(r.Rand("instruction"), []string{
			"Repair the Python package in this workspace so that it does what README.md says, also on data other than the sample.",
			"The Python code here does not do what README.md promises. Find out where, and mend it; it has to hold for other data too.",
			"README.md says what this small Python package is for. It has mistakes: repair them, so that it is right for any data of that form.",
		}),
		Readme:    files.Readme{Title: s.title, Description: s.description, Sections: sections, Hints: hints},
		Task:      task,
		Visible:   extra.With(distractors).With(broken),
		Hidden:    hidden,
		Evaluator: Evaluator,
		Layout:    files.Layout{TargetPath: targets[0]},
		Structure: maps.Clone(s.structure),
		Canonical: canonical, Defects: defects,
		Realized: files.Realization{
			"core_bug_count": core, "advanced_bug_count": advanced, "distractor_count": len(distractors),
			"capabilities": s.sheet.Capabilities(), "test_count": len(s.sheet.Tests(nil)),
		},
		NearMisses: stock.LeftIn(canonical, defects),
	}
	if reading != "" {
		d.Layout.DocumentRoots = []string{"docs"}
		d.Realized["source_families"], d.Realized["composition_depth"] = []string{"retrieval_workspace", "script_repair"}, 2
	}
	d.Structure["bug_scope"] = stock.Scope(defects)
	if r.Difficulty == files.MaxDifficulty {
		d.Bundle = stock.Bundle(r.Scenario, defects, s.edges)
	}
	return d, nil
}

func (s *story) incident(r *files.Rand) string {
	return fmt.Sprintf("# Incident log\n\n- %s: %s says that %s.\n- %s: the smoke test was run again and ended well. It did so before, too: it may look fine while the report is wrong.\n",
		stock.Date(r), stock.Person(r), s.suspect, stock.Date(r))
}

// edit is a defect of one edit of a file of the package.
func edit(id, capability, file, old, with string) files.Defect {
	return files.Defect{ID: id, Capability: capability, Edits: []files.Edit{{Path: code + file, Old: old, New: with}}}
}
