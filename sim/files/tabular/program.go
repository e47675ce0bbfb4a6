package tabular

import (
	_ "embed"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"benchwright/sim/files"
)

//go:embed templates/process_report.py
var programTemplate string

const (
	programPath  = "process_report.py"
	configPath   = "config/report_policy.json"
	artifactPath = "artifacts/resolved_policy.json"
	smokeCommand = "python process_report.py --input-dir data --output outputs/account_report.json"
)

// A fault is a defect that the program can have, and the hidden case that shows it.
type fault struct {
	id, capability string
	weight         int // in thousandths
	old, new       string
	traits         traits
}

var programFaults = []fault{
	{unsafeBoolean, "active_coercion", 80,
		`return normalise(text) in policy["active_values"]`, `return bool(normalise(text))`,
		traits{inactive: true, events: 8}},
	{truncated, "fractional_amounts", 80,
		`return Decimal(text)`, `return Decimal(int(float(text)))`,
		traits{fractions: true, events: 8}},
	{aliasBypass, "canonical_identity", 120,
		`return aliases.get(label, label)`, `return label`,
		traits{aliases: true, events: 8}},
	{earlyDedup, "deduplication", 130,
		`key = (event["account"], event["reference"])`, `key = (event["label"], event["reference"])`,
		traits{aliases: true, duplicates: true, crossing: true, events: 10}},
	{lexicalTime, "timestamps", 100,
		`return parse_time(candidate["updated_at"]) > parse_time(current["updated_at"])`, `return candidate["updated_at"] > current["updated_at"]`,
		traits{duplicates: true, zones: true, events: 10}},
	{statusTime, "temporal_join", 120,
		`known = [entry for entry in entries if entry[0] <= moment]`, `known = list(entries)`,
		traits{changes: true, events: 10}},
}

// Weights that do not hang on a defect, in thousandths.
var structural = map[string]int{"script_exists": 30, "execution": 50, "valid_json": 40, "schema": 50, "determinism": 50}

const (
	endToEnd       = "hidden_end_to_end"
	endToEndWeight = 150
	policyWeight   = 150 // each of finding and reading the policy
)

// edges say which defect hides which: with aliases bypassed every label is an account of its own,
// so the order of resolving and deduplicating does not show, and so on.
var edges = [][2]string{
	{aliasBypass, earlyDedup}, {earlyDedup, lexicalTime}, {aliasBypass, statusTime}, {stalePolicy, ignoredPolicy}, {ignoredPolicy, unsafeBoolean},
}

// profile is how hard an instance of difficulty 5 is: a, b or c, by the last digit of its seed; how
// many capabilities it takes, and how many defects long the longest chain is, at least, in which each
// hides the next. The chain of all six is no longer than that of b.
func profile(seed int64) (letter string, capabilities, depth int) {
	switch n := seed % 10; {
	case n < 3:
		return "d5_a", 2, 2
	case n < 8:
		return "d5_b", 4, 3
	}
	return "d5_c", 6, 3
}

// drawFaults draws so many faults that with others they have a chain of that depth.
func drawFaults(rnd *files.Rand, n, depth int, others ...string) []fault {
	for {
		chosen := files.Sample(rnd, programFaults, n)
		ids := slices.Clone(others)
		for _, f := range chosen {
			ids = append(ids, f.id)
		}
		if chain(ids) >= depth {
			return chosen
		}
	}
}

// chain returns how many of the defects are in the longest chain of edges.
func chain(ids []string) int {
	longest := min(1, len(ids))
	depths := map[string]int{}
	for range ids { // as many rounds as the longest chain could need
		for _, e := range edges {
			if slices.Contains(ids, e[0]) && slices.Contains(ids, e[1]) {
				depths[e[1]] = max(depths[e[1]], depths[e[0]]+1)
				longest = max(longest, depths[e[1]]+1)
			}
		}
	}
	return longest
}

// accountProgram draws a program with defects and hidden inputs to run it on. Where a policy has
// to be found first, finding it and reading it are two of the capabilities.
func accountProgram(r *files.Request) (*files.Draft, error) {
	rnd := r.Rand("program")
	letter, capabilities, depth := profile(r.Seed)
	withPolicy := r.Scenario == reconcile
	var chosen []fault
	if withPolicy {
		chosen = drawFaults(rnd, max(1, capabilities-2), depth, stalePolicy, ignoredPolicy)
	} else {
		chosen = drawFaults(rnd, capabilities, depth)
	}
	slices.SortFunc(chosen, func(a, b fault) int {
		return slices.IndexFunc(programFaults, is(a)) - slices.IndexFunc(programFaults, is(b))
	})

	pol := drawPolicies(r.Rand("policies"))
	path := configPath
	if withPolicy {
		path = artifactPath
		chosen = append(chosen, fault{id: ignoredPolicy, capability: "policy_consumption", weight: policyWeight,
			old: `return json.loads(POLICY_PATH.read_text(encoding="utf-8"))`, new: "return " + pol.builtin.python(),
			traits: traits{changes: true, events: 10}})
	}
	canonical := files.Tree{programPath: strings.Replace(programTemplate, "@POLICY@", path, 1)}
	var defects []files.Defect
	for _, f := range chosen {
		defects = append(defects, files.Defect{ID: f.id, Capability: f.capability, Edits: []files.Edit{{Path: programPath, Old: f.old, New: f.new}}})
	}
	visible := files.Tree{configPath: pol.active.json()}
	if withPolicy {
		canonical[artifactPath] = pol.active.json()
		defects = append(defects, files.Defect{ID: stalePolicy, Capability: "policy_resolution",
			Edits: []files.Edit{{Path: artifactPath, Old: pol.active.json(), New: pol.retired.json()}}})
		visible = pol.documents(r.Rand("documents"))
	}
	broken, err := files.Inject(canonical, defects)
	if err != nil {
		return nil, err
	}

	cases, seen, err := programCases(r, chosen, pol, withPolicy)
	if err != nil {
		return nil, err
	}
	visible = visible.With(broken).With(under("data", seen.tree()))
	visible["docs/report_contract.md"] = programContract(r.Rand("wording"), path)
	distractors := report{snapshot: "data/archive/events_first_cut.csv", stale: firstLines(seen.tree()["events.csv"], 6)}.distractors(r)
	visible = visible.With(distractors)

	d := programDraft(r, chosen, defects, path, withPolicy)
	d.Visible, d.Canonical = visible, canonical
	d.Hidden = hiddenProgram(chosen, cases, path, withPolicy, pol, canonical)
	d.Task["input_files"] = sourceFiles(visible)
	d.Realized = files.Realization{
		"operation_count": 6, "input_file_count": 4, "distractor_count": len(distractors),
		"oracle_profile": letter, "profile": letter, "capabilities": capabilityNames(defects), "hidden_case_count": len(cases),
	}
	if withPolicy {
		d.Realized["source_families"], d.Realized["composition_depth"] = []string{"retrieval_workspace", "tabular"}, 2
		d.NearMisses = pol.nearMisses()
	}
	return d, nil
}

func firstLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[:min(n, len(lines))], "")
}

func is(f fault) func(fault) bool { return func(g fault) bool { return f.id == g.id } }

func capabilityNames(defects []files.Defect) []string {
	var names []string
	for _, d := range defects {
		names = append(names, d.Capability)
	}
	return names
}

func programDraft(r *files.Request, chosen []fault, defects []files.Defect, path string, withPolicy bool) *files.Draft {
	rnd := r.Rand("readme")
	bundle := &files.DefectBundle{ID: "account_events", Groups: map[string][]string{}, RequiredFiles: []string{programPath}}
	if withPolicy {
		bundle.RequiredFiles = append(bundle.RequiredFiles, path)
	}
	for _, d := range defects {
		bundle.DefectIDs = append(bundle.DefectIDs, d.ID)
		bundle.Groups[d.Capability] = append(bundle.Groups[d.Capability], d.ID)
	}
	for _, e := range edges {
		if slices.Contains(bundle.DefectIDs, e[0]) && slices.Contains(bundle.DefectIDs, e[1]) {
			bundle.Edges = append(bundle.Edges, e)
		}
	}
	instruction := "Repair the report program of this workspace so that it does what its documents say, on the data here and on any other data of the same form."
	description := files.Pick(rnd, []string{
		"The program that sums up account events gives wrong figures.",
		"Account events are summed up by region; the figures have been wrong for some weeks.",
		"Nobody trusts the account report any more. The program runs, but what it writes is wrong.",
	})
	if withPolicy {
		instruction = "Find the reporting policy in force among the documents, write it to `" + path + "`, and repair the report program so that it does what the documents say under that policy or any other, on the data here and on any other data of the same form."
		description += " The policy that it should read was never brought up to date either: find the one in force and write it to `" + path + "`."
	}
	structure := map[string]any{"task_type": "program_synthesis", "input_shape": "csv_json_mix", "time_bucketing": "none", "output_style": "sorted_row_summary"}
	return &files.Draft{
		Instruction: instruction,
		Readme: files.Readme{
			Title:       files.Pick(rnd, []string{"Account report", "Account events by region", "Regional account summary"}),
			Description: description,
			Sections: []files.Section{
				{Heading: "Inputs", Text: "A folder with `accounts.csv`, `aliases.csv`, `events.csv` and `status_history.csv`. The one in `data/` is an example; the program is run on others."},
				{Heading: "Smoke test", Text: "`" + smokeCommand + "`"},
				{Heading: "Output contract", Text: "See the documents. Keep the command line as it is."},
			},
		},
		Task: map[string]any{
			"hints": []string{}, "output_path": "outputs/account_report.json", "group_by": []string{"region"}, "sort_by": []string{"region"},
			"operations": []string{"Make the program keep the contract that the documents of this workspace state."},
		},
		Evaluator: ProgramEvaluator, Layout: files.Layout{TargetPath: programPath},
		Structure: structure, Defects: defects, Bundle: bundle,
	}
}

// A hiddenCase is one run of the program on an input folder.
type hiddenCase struct {
	ID         string           `json:"id"`
	Capability string           `json:"capability"`
	Files      files.Tree       `json:"files"`            // the input folder
	Policy     json.RawMessage  `json:"policy,omitempty"` // takes the place of the policy file; absent: what the workspace has
	Expected   []map[string]any `json:"expected"`
}

// programCases draws the visible input and the hidden ones.
func programCases(r *files.Request, chosen []fault, pol policies, withPolicy bool) (cases []hiddenCase, seen ledger, err error) {
	present := faults{}
	for _, f := range chosen {
		present[f.id] = true
	}
	draw := func(name string, t traits, p policy, good func(ledger) bool) (ledger, error) {
		rnd := r.Rand("ledger " + name)
		for range 400 {
			if l := drawLedger(rnd, t, p); good(l) {
				return l, nil
			}
		}
		return ledger{}, files.Redraw("no input shows %q", name)
	}
	add := func(id, capability string, l ledger, own bool) {
		c := hiddenCase{ID: id, Capability: capability, Files: l.tree(), Expected: l.rows(nil, pol.builtin)}
		if !own {
			c.Policy = json.RawMessage(l.policy.json())
		}
		cases = append(cases, c)
	}
	for _, f := range chosen {
		p := pol.active
		if f.id == ignoredPolicy {
			p = pol.alternate
		}
		l, err := draw(f.capability, f.traits, p, func(l ledger) bool { return l.shows(f.id, pol.builtin) && l.monotone(present, pol.builtin) })
		if err != nil {
			return nil, seen, err
		}
		add(f.capability, f.capability, l, false)
	}
	everything := func(l ledger) bool {
		for id := range present {
			if !l.shows(id, pol.builtin) {
				return false
			}
		}
		old := l
		old.policy = pol.retired
		return l.strict(present, pol.builtin) && (!withPolicy || !reflect.DeepEqual(old.rows(nil, pol.builtin), l.rows(nil, pol.builtin)))
	}
	unseen, err := draw(endToEnd, allTraits, pol.alternate, everything)
	if err != nil {
		return nil, seen, err
	}
	add(endToEnd, endToEnd, unseen, false)
	if seen, err = draw("visible", allTraits, pol.active, everything); err != nil {
		return nil, seen, err
	}
	add("visible_run", endToEnd, seen, true)
	return cases, seen, nil
}

// shows reports whether a defect alone changes the report of a ledger that has one.
func (l ledger) shows(id string, other policy) bool {
	right := l.rows(nil, other)
	return len(right) > 1 && !reflect.DeepEqual(right, l.rows(faults{id: true}, other))
}

// outcomes lists, for each subset of defects, whether the report is right with them.
func (l ledger) outcomes(present faults, other policy) (ids []string, right []bool) {
	for _, f := range programFaults {
		if present[f.id] {
			ids = append(ids, f.id)
		}
	}
	if present[ignoredPolicy] {
		ids = append(ids, ignoredPolicy)
	}
	want := l.rows(nil, other)
	for set := range 1 << len(ids) {
		wrong := faults{}
		for i, id := range ids {
			wrong[id] = set>>i&1 == 1
		}
		right = append(right, reflect.DeepEqual(l.rows(wrong, other), want))
	}
	return ids, right
}

// monotone reports whether repairing one more defect never makes a right report wrong.
func (l ledger) monotone(present faults, other policy) bool {
	ids, right := l.outcomes(present, other)
	for set, ok := range right {
		for i := range ids {
			if ok && !right[set&^(1<<i)] {
				return false
			}
		}
	}
	return true
}

// strict reports whether the report is right with no defect only.
func (l ledger) strict(present faults, other policy) bool {
	_, right := l.outcomes(present, other)
	return !slices.Contains(right[1:], true)
}

func hiddenProgram(chosen []fault, cases []hiddenCase, path string, withPolicy bool, pol policies, canonical files.Tree) files.Tree {
	weights := map[string]int{}
	for name, w := range structural {
		weights[name] = w
	}
	weights[endToEnd] = endToEndWeight
	for _, f := range programFaults {
		if slices.ContainsFunc(chosen, is(f)) {
			weights[f.capability] = f.weight
		} else { // what is sound already is held by the whole
			weights[endToEnd] += f.weight
		}
	}
	config := map[string]any{
		"kind": "program", "program": programPath, "arguments": []string{"--input-dir", "{input}", "--output", "{output}"},
		"cases": "cases.json", "policy_path": path, "row_keys": []string{"region", "account_count", "event_count", "total_amount"},
		"compression_exponent": 3,
	}
	reference := files.Tree{programPath: canonical[programPath]}
	hidden := files.Tree{
		"cases.json":           files.JSON(map[string]any{"cases": cases}),
		"expected_output.json": files.JSON(cases[len(cases)-1].Expected), // of the visible run
	}
	if withPolicy {
		weights["policy_consumption"], weights["policy_resolution"] = policyWeight, policyWeight
		config["artifact"] = map[string]any{"path": path, "expected": "expected_policy.json", "capability": "policy_resolution"}
		hidden["expected_policy.json"] = pol.active.json()
		reference[path] = pol.active.json()
	}
	config["weights"] = weights
	hidden["evaluator_config.json"] = files.JSON(config)
	hidden["reference_solution.json"] = files.JSON(map[string]any{"files": reference})
	return hidden
}

func programContract(rnd *files.Rand, path string) string {
	rules := []string{
		"`alias` labels of `aliases.csv` stand for accounts. Labels and ids are compared trimmed and in lower case.",
		"Events with the same account and the same `reference` are one event: the one with the latest `updated_at` counts. Two labels of one account are the same account.",
		"Timestamps carry their own offset from UTC; what is compared is the moment.",
		"An account is active if its `active` value, trimmed and in lower case, is one of the policy's `active_values`. Events of other accounts are left out.",
		"An event counts if the status that its account had when the event occurred is one of the policy's `counted_statuses`. A status holds from its `effective_at` to the next one.",
		"Amounts are decimal numbers and are summed up exactly.",
	}
	return files.Readme{
		Title:       "Contract of the account report",
		Description: "The program reads an input folder and the policy in `" + path + "`, and writes one JSON array.",
		Sections: []files.Section{
			{Heading: "Rules", Items: files.Shuffled(rnd, rules)},
			{Heading: "Rows", Text: "One object a region that has an event that counts, sorted by `region`:", Items: []string{
				"`region`: text, as the accounts have it", "`account_count`: number of accounts with an event that counts",
				"`event_count`: number of events that count", "`total_amount`: their sum, with 2 decimal places as a JSON number",
			}},
		},
	}.String()
}
