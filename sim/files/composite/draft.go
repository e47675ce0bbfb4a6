package composite

import (
	"embed"
	"fmt"
	"slices"

	"benchwright/sim/files"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/internal/stock"
)

// Templates are the correct sources, with places to fill.
//
//go:embed all:templates
var templates embed.FS

// Paths of every workspace of the family.
const (
	entry    = "run_pipeline.py"
	pointer  = "release/active_bundle.json"
	resolved = "config/resolved_contract.json"
	middle   = "artifacts/normalized_jobs.json"
	summary  = "artifacts/summary.json"
	legacy   = "docs/legacy_contract.json"
)

func policy(bundle string) string { return "policies/" + bundle + "/pipeline_contract.json" }

func release(bundle string) string {
	return files.JSON(map[string]any{"bundle": bundle, "contract": policy(bundle)})
}

// A story is a drawn workspace.
type story struct {
	r       *files.Request
	words   stock.Words
	input   string
	decoy   string // the collection that does not count
	teams   []string
	inForce contract
	retired contract
	another contract // which only hidden runs know
	sheet   exam.Sheet
}

// Generate draws a workspace.
func (Family) Generate(r *files.Request) (*files.Draft, error) {
	rnd := r.Rand("words")
	s := &story{r: r, input: "data/" + files.Pick(rnd, []string{"jobs", "bookings", "intake", "records_export"}) + ".json"}
	s.words = stock.Words{
		"report_name": files.Pick(rnd, []string{"hours summary", "workload summary", "effort summary"}),
		"input":       s.input,
	}
	s.words["package_doc"] = "The three stages of the " + s.words["report_name"] + "."
	s.teams = files.Sample(rnd, stock.Teams, 5)
	var bundles []string
	for _, bird := range files.Sample(rnd, []string{"avocet", "bittern", "curlew", "dotterel", "egret", "fulmar", "godwit", "lapwing"}, 4) {
		bundles = append(bundles, fmt.Sprintf("%s-%d", bird, rnd.Between(1, 9)))
	}
	collections := files.Sample(rnd, []string{"jobs", "entries", "items", "tickets", "rows", "lines"}, 5)
	s.decoy = collections[4]
	s.words["decoy"] = s.decoy
	contracts := drawContracts(rnd, bundles, collections[:4], s.teams)
	s.inForce, s.retired, s.another = contracts[0], contracts[1], contracts[2]
	s.examine()
	return s.draft(contracts[3])
}

func (s *story) draft(proposed contract) (*files.Draft, error) {
	r := s.r
	n := files.At(r, 1, 2, 3, 5, 8)
	canonical, err := stock.Sources(templates, "templates", s.words)
	if err != nil {
		return nil, err
	}
	chosen, err := stock.Defects(defects[:n], s.words)
	if err != nil {
		return nil, err
	}
	broken, err := files.Inject(canonical, chosen)
	if err != nil {
		return nil, err
	}
	rnd := r.Rand("visible")
	visible := s.inForce.draw(rnd, 3+r.Difficulty/2, s.teams[:3], byAlias, byActive, byFraction, byVersion, byMalformed)
	extra := files.Tree{
		s.input:                  s.inForce.data(s.decoy, visible, s.inForce.draw(rnd, 2, s.teams[2:5], byFraction)),
		pointer:                  release(s.inForce.bundle),
		policy(s.inForce.bundle): s.inForce.text(),
	}
	if r.Difficulty >= 3 {
		extra[policy(proposed.bundle)] = proposed.text()
	}
	distractors := s.distractors(r.Rand("distractors"), r.Distractors(files.At(r, 1, 2, 2, 3, 4)))
	hidden, err := s.sheet.Files()
	if err != nil {
		return nil, err
	}
	weights := map[string]float64{}
	for _, c := range capabilities {
		weights[c] = 1
	}
	grading := map[string]any{"weights": weights, "entrypoint": []string{entry}}
	if r.Difficulty == files.MaxDifficulty {
		grading["d5_exponent"] = 3
	}
	solution := stock.Solution(canonical, chosen)
	hidden["evaluator_config.json"] = files.JSON(grading)
	hidden["expected_output.json"] = files.JSON(s.inForce.summary(visible))
	hidden["solution_files.json"] = files.JSON(map[string]any{"files": solution})

	targets := solution.Paths()
	if r.Difficulty == files.MaxDifficulty {
		targets = slices.DeleteFunc(stock.Candidates(canonical), func(p string) bool { return p == "public_check.py" })
	}
	hints := r.Hints(
		"The contract says what the fields are called, what counts as active, and which names mean another team.",
		"Follow one record from the data to the summary.",
		"What does each stage read: the file of the one before, or something else?",
	)
	rules := []string{
		fmt.Sprintf("`--stage resolve`: `%s` names the contract in force; it is written to `%s` as it is. No other contract counts, wherever it lies.", pointer, resolved),
		fmt.Sprintf("`--stage normalize`: the records of the contract's `collection` in `%s`, read by its `fields`, become the jobs of `%s` (`job_id`, `team`, `hours`, sorted by `job_id`). Malformed records are passed over: those without an id, a team, a readable moment or hours of 0 or more.", s.input, middle),
		"Of several records of one id, the one updated last is the job, and counts if its value of the active field, in lower case without spaces around it, is one of `active_values`.",
		"Teams are taken in lower case without spaces around them; `team_aliases` says which names mean another team.",
		fmt.Sprintf("`--stage aggregate`: sums up what `%s` holds at that time into `%s`.", middle, summary),
	}
	output := []string{"`team`: the list is sorted by it", "`job_count`: how many jobs", "`total_hours`: their hours, to two decimals"}
	task := map[string]any{
		"entrypoint": "python " + entry, "public_check": "python public_check.py", "required_output_path": summary,
		"target_files": targets, "output_contract": output, "document_roots": []string{"release", "policies"}, "hints": hints,
	}
	d := &files.Draft{
		Instruction: files.Pick(r.Rand("instruction"), []string{
			"Repair this workspace so that `python " + entry + "` follows the contract in force and writes `" + summary + "` as README.md says, for any data and any contract of that form.",
			"Three stages lead from the contract in force to `" + summary + "`. Some do not do what README.md says: repair them, so that they hold for other data and other contracts too.",
			"`python " + entry + "` should find the contract in force, normalise the records by it and sum them up. Make it do so as README.md describes, whatever the contract and the data.",
		}),
		Readme: files.Readme{
			Title: stock.Title(s.words["report_name"]),
			Description: files.Pick(r.Rand("description"), []string{
				"Other houses deliver records, each bundle of them under a contract of its own. This makes one summary of them.",
				"Records come under a contract that says how to read them; contracts change, the stages should not have to.",
			}),
			Sections: []files.Section{
				{Heading: "Stages", Items: rules},
				{Heading: "Output contract", Text: "`" + summary + "` is a JSON list of objects with just these keys:", Items: output},
				{Heading: "Check", Text: "`python public_check.py` looks whether the three files are there and have their form, and at nothing else."},
				{Heading: "Files", Text: files.At(r, "What is wrong is in:", "What is wrong is in:", "What is wrong is in:", "What is wrong is in:", "Something is wrong in some of:"), Items: stock.Ticked(targets)},
			},
			Hints: hints,
		},
		Task:      task,
		Visible:   extra.With(distractors).With(broken),
		Hidden:    hidden,
		Evaluator: Evaluator,
		Layout:    files.Layout{OutputPath: summary, DocumentRoots: []string{"release", "policies", "docs", "notes"}},
		Structure: map[string]any{
			"repair_surface": "contract_normalisation_aggregation", "bug_scope": stock.Scope(chosen), "failure_mode": "wrong_artifact",
			"smoke_test_quality": "misleading", "distractor_count": len(distractors), "staleness_pattern": "retired_contract",
		},
		Canonical: canonical, Defects: chosen,
		Realized: files.Realization{
			"capabilities": capabilities, "capability_count": len(capabilities), "distractor_count": len(distractors),
			"source_families": []string{"retrieval_workspace", "tabular", "pipeline"}, "composition_depth": 3,
			"composition_spec": []string{"resolve", "normalize", "aggregate"}, "retrieval_hops": 2,
		},
		NearMisses: stock.LeftIn(canonical, chosen),
	}
	if r.Difficulty == files.MaxDifficulty {
		d.Bundle = stock.Bundle(r.Scenario, chosen, edges)
	}
	return d, nil
}

// distractors are what used to be, or will never be, in force. The retired contract is always there.
func (s *story) distractors(r *files.Rand, n int) files.Tree {
	t := files.Tree{legacy: s.retired.text()}
	for _, d := range []struct{ path, text string }{
		{"notes/old_handoff.md", fmt.Sprintf("# Old handoff\n\n%s, %s: the contract of `%s` is the one to use. (It was, then.)\n", stock.Person(r), stock.Date(r), s.retired.bundle)},
		{"archive/prototype.txt", fmt.Sprintf("First try, given up on %s: hours were rounded to whole ones, teams taken as they came.\n", stock.Date(r))},
		{"config/example.ini", fmt.Sprintf("; an example, read by nothing\n[%s]\ncollection = %s\n", s.retired.bundle, s.retired.collection)},
	} {
		if len(t) < n {
			t[d.path] = d.text
		}
	}
	return t.With(stock.Distractors(r, n-len(t)))
}

// examine fills in the sheet: a case for each capability, on data that shows just that.
func (s *story) examine() {
	s.sheet.Runs, s.sheet.Seconds = 2, 10
	rnd := s.r.Rand("other")
	s.run("visible", nil)
	s.check("execution", "execution", exam.Check{Case: "visible", Aspect: exam.Runs})
	s.check("output_schema", "output_schema", exam.Check{Case: "visible", Aspect: exam.Keys, File: summary, Want: []string{"team", "job_count", "total_hours"}})
	s.run("resolve", nil, "--stage", "resolve")
	s.check("contract", "contract_materialization", exam.Check{Case: "resolve", Aspect: exam.Equal, File: resolved, Want: stock.Value(s.inForce.text())})
	for _, c := range []struct{ id, capability, shows string }{
		{"aliases", "alias_resolution", byAlias}, {"active", "active_filtering", byActive}, {"fractions", "fractional_aggregation", byFraction},
		{"versions", "duplicate_resolution", byVersion}, {"malformed", "malformed_record_handling", byMalformed},
	} {
		list := s.inForce.draw(rnd, 4, s.single(c.shows), c.shows)
		s.run(c.id, s.over(rnd, s.inForce, list))
		s.check(c.id, c.capability, exam.Check{Case: c.id, Aspect: exam.Equal, File: summary, Want: s.inForce.summary(list)})
	}
	list := s.inForce.draw(rnd, 2, s.teams)
	s.run("order", s.over(rnd, s.inForce, list))
	s.check("order", "deterministic_ordering", exam.Check{Case: "order", Aspect: exam.Order, File: summary, By: "team", Want: stock.Column(s.inForce.summary(list), "team")})
	s.check("same_again", "deterministic_ordering", exam.Check{Case: "order", Aspect: exam.Same, File: summary})
	s.intermediate(rnd)
	plain := s.another.draw(rnd, 5, s.teams[3:4])
	s.run("contract_of_others", s.over(rnd, s.another, plain).With(s.others()))
	s.check("contract_of_others", "alternate_contract_generalization", exam.Check{Case: "contract_of_others", Aspect: exam.Equal, File: summary, Want: s.another.summary(plain)})
	full := s.another.draw(rnd, 4, s.teams[1:4], byAlias, byActive, byFraction, byVersion, byMalformed)
	s.run("all_of_it", s.over(rnd, s.another, full).With(s.others()))
	s.check("all_of_it", "alternate_contract_generalization", exam.Check{Case: "all_of_it", Aspect: exam.Equal, File: summary, Want: s.another.summary(full)})
}

// single is one team, so that no order shows; for aliases it is the team of the first.
func (s *story) single(shows string) []string {
	if shows != byAlias {
		return s.teams[2:3]
	}
	return s.teams[:1]
}

// over is data of a contract, with records that do not count beside those that do.
func (s *story) over(r *files.Rand, c contract, list []record) files.Tree {
	return files.Tree{s.input: c.data(s.decoy, list, c.draw(r, 3, s.teams[4:]))}
}

func (s *story) others() files.Tree {
	return files.Tree{pointer: release(s.another.bundle), policy(s.another.bundle): s.another.text()}
}

// intermediate changes the file between two stages.
func (s *story) intermediate(r *files.Rand) {
	jobs, cents, n := []any{}, 0, r.Between(3, 6)
	for i := range n {
		c := 100 * r.Between(50, 90)
		cents += c
		jobs = append(jobs, map[string]any{"job_id": fmt.Sprintf("X-%d", i+1), "team": s.teams[3], "hours": stock.Decimal{Units: c, Places: 2}})
	}
	s.run("between", files.Tree{middle: files.JSON(jobs)}, "--stage", "aggregate")
	s.check("between", "intermediate_artifact_consumption", exam.Check{Case: "between", Aspect: exam.Equal, File: summary, Want: []any{
		map[string]any{"team": s.teams[3], "job_count": n, "total_hours": stock.Decimal{Units: cents, Places: 2}},
	}})
}

func (s *story) run(id string, over files.Tree, args ...string) {
	s.sheet.Cases = append(s.sheet.Cases, exam.Case{
		ID: id, Files: over, Clear: []string{"artifacts", resolved}, Script: append([]string{entry}, args...), Read: []string{summary, resolved},
	})
}

func (s *story) check(id, capability string, k exam.Check) {
	k.ID, k.Test, k.Capability = id, capability, capability
	s.sheet.Checks = append(s.sheet.Checks, k)
}
