package retrieval

import (
	"maps"
	"slices"

	"benchwright/sim/files"
)

const adapterPath = "src/client_adapter.py"

// A flaw is a defect of a client: its label, what an agent has to know to see it, and its edit.
// The order of a list of flaws is the order of its subsets.
type flaw struct {
	id, capability, path, old, new string
}

// sampleFlaws takes n of them, in their order.
func sampleFlaws(rnd *files.Rand, flaws []flaw, n int) []flaw {
	picked := files.Sample(rnd, flaws, n)
	return slices.DeleteFunc(slices.Clone(flaws), func(f flaw) bool {
		return !slices.ContainsFunc(picked, func(p flaw) bool { return p.id == f.id })
	})
}

// settle gives the weight of capabilities that are sound already to the whole: what nobody has to
// repair earns nothing by itself. kept capabilities keep theirs.
func settle(weights map[string]int, flaws []flaw, whole string, kept ...string) map[string]int {
	out := map[string]int{}
	for _, name := range sortedKeys(weights) {
		broken := slices.ContainsFunc(flaws, func(f flaw) bool { return f.capability == name })
		if broken || slices.Contains(kept, name) || name == whole {
			out[name] += weights[name]
		} else {
			out[whole] += weights[name]
		}
	}
	return out
}

// clientParts are what a drawn client consists of.
type clientParts struct {
	titles                           [3]string
	canonical                        files.Tree
	flaws                            []flaw
	visible                          files.Tree // without the sources
	cases                            []hiddenCase
	config                           map[string]any
	hidden                           files.Tree
	weights                          map[string]int
	bundle                           *files.DefectBundle
	contract                         []string
	near                             []files.NearMiss
	evidence, documents, distractors int
}

// client makes the draft of a client.
func client(r *files.Request, p clientParts) (*files.Draft, error) {
	var defects []files.Defect
	for _, f := range p.flaws {
		defects = append(defects, files.Defect{ID: f.id, Capability: f.capability, Edits: []files.Edit{{Path: f.path, Old: f.old, New: f.new}}})
	}
	broken, err := files.Inject(p.canonical, defects)
	if err != nil {
		return nil, err
	}
	visible := p.visible.With(broken)
	config := map[string]any{
		"kind": "function", "module": adapterPath, "function": "build_summary", "cases": "cases.json", "weights": p.weights,
	}
	maps.Copy(config, p.config)
	if r.Difficulty == 5 {
		config["compression_exponent"] = 3
	}
	whole := p.cases[len(p.cases)-1]
	for _, c := range p.cases {
		if c.Capability == alternate {
			whole = c
		}
	}
	hidden := files.Tree{
		"evaluator_config.json": files.JSON(config),
		"cases.json":            files.JSON(map[string]any{"cases": p.cases}),
		"expected_output.json":  files.JSON(whole.Expected),
	}.With(p.hidden)
	reference := files.Tree{}
	for _, f := range p.flaws {
		reference[f.path] = p.canonical[f.path]
	}
	hidden["reference_solution.json"] = files.JSON(map[string]any{"files": reference})
	roots := documentRoots(visible)
	hints := [3]string{"The names of fields have changed.", "The sample is a response of today's interface.", "Try a response without entries."}
	contract := append([]string{"`build_summary(response)` in `" + adapterPath + "` returns a dictionary with the keys that the documents name"}, p.contract...)
	d := &files.Draft{
		Instruction: "Inspect the documents of this workspace, find the evidence, and bring `" + adapterPath + "` and what it reads up to date from it.",
		Readme: readme(r, p.titles, [3]string{
			"The client was written for an earlier interface and gives wrong summaries.",
			"The service changed and its client did not. The documents say what holds today.",
			"Summaries have been wrong since the service was updated; the client has to follow.",
		}, adapterPath, roots, contract, hints),
		Task:    task(r, "client_update", adapterPath, "python_module", roots, hints),
		Visible: visible, Hidden: hidden, Canonical: p.canonical, Defects: defects, Bundle: p.bundle,
		Evaluator: AdapterEvaluator, Layout: files.Layout{TargetPath: adapterPath, DocumentRoots: roots}, NearMisses: p.near,
	}
	measure(r, d, p.evidence, p.documents, p.distractors, "client_update", "python_module")
	d.Realized["hidden_case_count"] = len(p.cases)
	var capabilities []string
	for _, f := range p.flaws {
		if !slices.Contains(capabilities, f.capability) {
			capabilities = append(capabilities, f.capability)
		}
	}
	d.Realized["capabilities"], d.Realized["capability_count"] = capabilities, len(capabilities)
	return d, nil
}
