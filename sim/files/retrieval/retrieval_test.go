package retrieval_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"benchwright/sim"
	"benchwright/sim/files"
	"benchwright/sim/files/internal/sample"
	"benchwright/sim/files/python"
	"benchwright/sim/files/retrieval"
	"benchwright/sim/files/retrieval/solve"
)

func compile(t *testing.T, scenario string, difficulty int, seed int64) *files.Instance {
	t.Helper()
	s := files.NewSpec("retrieval_workspace", difficulty, seed)
	s.Scenario = scenario
	in, err := files.Families{retrieval.Family{}}.Compile(s)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func canonical(t *testing.T, text string) string {
	t.Helper()
	v, err := sim.ParseJSON([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return string(sim.MustCanonical(v))
}

var documents = []string{"service_config_reconciliation", "migration_plan_bundle", "incident_report_bundle"}

var clients = []string{"client_adapter_sync", "client_adapter_policy_sync", "versioned_client_migration"}

// A solver that shares nothing with the generator, and reads what an agent reads, finds the same
// values: every graded leaf stands in a visible document, and visible rules settle every conflict.
func TestDocumentsFollowFromEvidence(t *testing.T) {
	for _, scenario := range append(documents, clients[1:]...) {
		for d := 1; d <= 5; d++ {
			if d < 5 && !slices.Contains(documents, scenario) {
				continue
			}
			for _, seed := range sample.Seeds(d) {
				in := compile(t, scenario, d, seed)
				path, got, err := solve.Solve(in.Visible)
				if err != nil {
					t.Errorf("%s %s: %v", scenario, in.Manifest.EnvID, err)
					continue
				}
				if want, ok := in.Reference()[path]; !ok || canonical(t, got) != canonical(t, want) {
					t.Errorf("%s %s: solver gives\n%s\nthe reference is\n%s", scenario, in.Manifest.EnvID, got, want)
				}
			}
		}
	}
}

// Take any one document of evidence away and the answer is another, or is not to be found: each of
// them is needed.
func TestEveryDocumentOfEvidenceIsNeeded(t *testing.T) {
	for _, scenario := range documents {
		for d := 1; d <= 5; d++ {
			for _, seed := range sample.Seeds(d) {
				in := compile(t, scenario, d, seed)
				needed := 0
				for p := range in.Visible {
					if !strings.HasSuffix(p, ".md") && !strings.HasSuffix(p, ".log") || p == "README.md" {
						continue
					}
					without := in.Visible.Clone()
					delete(without, p)
					path, got, err := solve.Solve(without)
					if err != nil || canonical(t, got) != canonical(t, in.Reference()[path]) {
						needed++
					}
				}
				want := in.Manifest.Metadata.Realized["evidence_count"].(int)
				if d == 5 {
					want += 2 // the index, and the rules
				}
				// Without the index there is no telling the tags apart, but with nothing outdated
				// that disagrees about a leaf the answer may be found all the same.
				if needed < want-1 || needed > want {
					t.Errorf("%s %s: %d documents are needed, measured are %d", scenario, in.Manifest.EnvID, needed, want)
				}
			}
		}
	}
}

// From difficulty 4 on there is an outdated source, and believing it gives a wrong answer.
func TestStaleSources(t *testing.T) {
	for _, scenario := range documents {
		for d := 1; d <= 5; d++ {
			in := compile(t, scenario, d, 23)
			m := in.Manifest.Metadata
			stale := slices.ContainsFunc(in.NearMisses, func(n files.NearMiss) bool { return n.Trap == "stale_source" })
			if want := []any{"none", "none", "none", "stale_note", "superseded_changelog"}[d-1]; m.Structure["staleness_pattern"] != want || stale != (d >= 4) {
				t.Errorf("%s at %d: staleness is %v, a near miss believes it: %v", scenario, d, m.Structure["staleness_pattern"], stale)
			}
			found := false
			for p, text := range in.Visible {
				switch d {
				case 4:
					found = found || strings.HasPrefix(p, "notes/") && (strings.Contains(text, "Superseded by") || strings.Contains(text, "not a source for"))
				case 5:
					archived := regexp.MustCompile("Archived evidence bundle: (`[^`]+`)").FindStringSubmatch(in.Visible["changelog/evidence_index.md"])
					found = found || strings.HasPrefix(p, "changelog/2026-") && strings.HasPrefix(text, "Evidence bundle: "+archived[1])
				}
			}
			if found != (d >= 4) {
				t.Errorf("%s at %d: an outdated source is there: %v", scenario, d, found)
			}
		}
	}
}

// At difficulty 5 every document says first which bundle it belongs to.
func TestEveryDocumentIsTagged(t *testing.T) {
	for _, scenario := range append(documents, clients...) {
		in := compile(t, scenario, 5, 31)
		for p, text := range in.Visible {
			if p == "README.md" || strings.HasSuffix(p, ".py") || strings.HasSuffix(p, ".json") {
				continue
			}
			if first, _, _ := strings.Cut(text, "\n"); !strings.Contains(first, "Evidence bundle: `") {
				t.Errorf("%s: %s begins with %q", scenario, p, first)
			}
		}
	}
}

func TestDistractors(t *testing.T) {
	for d, want := range map[int]int{1: 0, 2: 1, 3: 2, 4: 3, 5: 4} {
		in := compile(t, "service_config_reconciliation", d, 4)
		if got := in.Manifest.Metadata.Structure["distractor_count"]; got != want {
			t.Errorf("difficulty %d has %v distractors, want %d", d, got, want)
		}
	}
	s := files.NewSpec("retrieval_workspace", 2, 4)
	p := retrieval.Family{}.Complexity(2)
	p.DistractorCount = 5
	s.Complexity = &p
	in, err := files.Families{retrieval.Family{}}.Compile(s)
	if err != nil {
		t.Fatal(err)
	}
	if got := in.Manifest.Metadata.Structure["distractor_count"]; got != 5 {
		t.Errorf("a profile that asks for 5 distractors gets %v", got)
	}
}

type hiddenCase struct {
	ID, Capability            string
	Input, Contract, Expected json.RawMessage
}

func cases(t *testing.T, in *files.Instance) []hiddenCase {
	t.Helper()
	var all struct{ Cases []hiddenCase }
	if err := json.Unmarshal([]byte(in.Hidden["cases.json"]), &all); err != nil {
		t.Fatal(err)
	}
	return all.Cases
}

func contractPath(t *testing.T, in *files.Instance) string {
	t.Helper()
	var config struct {
		Path string `json:"contract_path"`
	}
	if err := json.Unmarshal([]byte(in.Hidden["evaluator_config.json"]), &config); err != nil {
		t.Fatal(err)
	}
	return config.Path
}

// holds reports whether an answer has what a case expects.
func (c hiddenCase) holds(t *testing.T, answer string) bool {
	t.Helper()
	var got, want map[string]json.RawMessage
	if json.Unmarshal([]byte(answer), &got) != nil {
		return false
	}
	if err := json.Unmarshal(c.Expected, &want); err != nil {
		t.Fatal(err)
	}
	for k, v := range want {
		if got[k] == nil || canonical(t, string(got[k])) != canonical(t, string(v)) {
			return false
		}
	}
	return true
}

// What the clients have to answer follows from the documents too.
func TestCasesFollowFromEvidence(t *testing.T) {
	for _, scenario := range clients {
		for d := 1; d <= 5; d++ {
			if d < 5 && scenario != "client_adapter_sync" {
				continue
			}
			for _, seed := range sample.Seeds(d) {
				in := compile(t, scenario, d, seed)
				for _, c := range cases(t, in) {
					contract := []byte(c.Contract)
					if path := contractPath(t, in); contract == nil && path != "" {
						contract = []byte(in.Solved()[path])
					}
					got, err := solve.Summary(in.Visible, c.Input, contract)
					if err != nil || !c.holds(t, got) {
						t.Errorf("%s %s case %s: solver gives %s, %v; want %s", scenario, in.Manifest.EnvID, c.ID, got, err, c.Expected)
					}
				}
			}
		}
	}
}

// Clients in Python do what the generator thinks they do: a correct one holds every case, one with
// a single flaw fails a case of its capability, and repairing one more never breaks a case.
func TestClientsInPython(t *testing.T) {
	py, err := python.Embedded()
	if err != nil {
		t.Skipf("NO PYTHON HERE: %v", err)
	}
	var calls []*call
	var chains [][]*call // calls of one case with ever more flaws repaired
	for _, scenario := range clients {
		for d := 1; d <= 5; d++ {
			if d < 5 && scenario != "client_adapter_sync" {
				continue
			}
			for _, seed := range []int64{1, 4, 8} { // one of each profile
				in := compile(t, scenario, d, seed)
				var labels []string
				for _, defect := range in.Defects {
					labels = append(labels, defect.ID)
				}
				states := []state{{"all repaired", in.Solved(), true, ""}}
				for i, defect := range in.Defects {
					tree, err := in.Repaired(slices.Delete(slices.Clone(labels), i, i+1)...)
					if err != nil {
						t.Fatal(err)
					}
					states = append(states, state{"all but " + defect.ID, tree, false, defect.Capability})
				}
				all := cases(t, in)
				for _, s := range states {
					for _, c := range all {
						calls = append(calls, &call{in: in, state: s, hiddenCase: c})
					}
				}
				for _, c := range all {
					var chain []*call
					for n := range len(labels) + 1 {
						tree, err := in.Repaired(labels[:n]...)
						if err != nil {
							t.Fatal(err)
						}
						chain = append(chain, &call{in: in, state: state{name: fmt.Sprint(n, " repaired"), tree: tree}, hiddenCase: c})
					}
					chains = append(chains, chain)
					calls = append(calls, chain...)
				}
			}
		}
	}
	play(t, py, calls)
	failed := map[string]bool{}
	for _, c := range calls {
		held := c.holds(t, c.got)
		if c.whole && !held {
			t.Errorf("%s %s: the reference fails case %s: %s", c.in.Manifest.Metadata.Scenario, c.in.Manifest.EnvID, c.ID, c.got)
		}
		if c.capability != "" {
			key := c.in.Manifest.Metadata.Scenario + " " + c.in.Manifest.EnvID + " " + c.name
			failed[key] = failed[key] || !held && (c.Capability == c.capability || c.capability == "authority")
		}
	}
	for key, any := range failed {
		if !any {
			t.Errorf("%s: no case of its capability fails", key)
		}
	}
	for _, chain := range chains {
		before := false
		for _, c := range chain {
			held := c.holds(t, c.got)
			if before && !held {
				t.Errorf("%s: with %s case %s does not hold any more", c.in.Manifest.EnvID, c.name, c.ID)
			}
			before = held
		}
	}
}

// A state is a workspace with some flaws repaired.
type state struct {
	name       string
	tree       files.Tree
	whole      bool   // all of them
	capability string // of the one that is left
}

// A call is one call of a client in some state.
type call struct {
	state
	hiddenCase
	in  *files.Instance
	got string
}

// driver calls many clients in one process: starting Python costs more than they do.
const driver = `
import importlib, json, sys
answers = []
path = list(sys.path)
for source, request in json.load(open(sys.argv[1])):
    sys.path = [source] + path
    for name in ("client_adapter", "response_parser", "serializer"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    try:
        answers.append(json.dumps(importlib.import_module("client_adapter").build_summary(request)))
    except Exception as error:
        answers.append(repr(error))
json.dump(answers, open(sys.argv[2], "w"))
`

func play(t *testing.T, py python.Interpreter, calls []*call) {
	t.Helper()
	dir := t.TempDir()
	var jobs [][2]any
	written := map[string]string{}
	for _, c := range calls {
		tree := files.Tree{}
		for p, text := range c.tree {
			if strings.HasPrefix(p, "src/") || strings.HasPrefix(p, "config/") {
				tree[p] = text
			}
		}
		if c.Contract != nil {
			tree[contractPath(t, c.in)] = string(c.Contract)
		}
		work := written[tree.Digest()]
		if work == "" {
			work = filepath.Join(dir, fmt.Sprint(len(written)))
			written[tree.Digest()] = work
			if err := tree.Write(work); err != nil {
				t.Fatal(err)
			}
		}
		jobs = append(jobs, [2]any{filepath.Join(work, "src"), c.Input})
	}
	if err := (files.Tree{"jobs.json": files.JSON(jobs), "driver.py": driver}).Write(dir); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "answers.json")
	if text, err := exec.Command(py.Path, "-I", "-B", filepath.Join(dir, "driver.py"), filepath.Join(dir, "jobs.json"), out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var answers []string
	if err := json.Unmarshal(raw, &answers); err != nil || len(answers) != len(calls) {
		t.Fatalf("%d answers to %d calls, %v", len(answers), len(calls), err)
	}
	for i, c := range calls {
		c.got = answers[i]
	}
}
