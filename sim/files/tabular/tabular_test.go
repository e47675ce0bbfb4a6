package tabular_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"benchwright/sim"
	"benchwright/sim/files"
	"benchwright/sim/files/internal/sample"
	"benchwright/sim/files/python"
	"benchwright/sim/files/tabular"
	"benchwright/sim/files/tabular/solve"
)

func compile(t *testing.T, scenario string, difficulty int, seed int64) *files.Instance {
	t.Helper()
	s := files.NewSpec("tabular", difficulty, seed)
	s.Scenario = scenario
	in, err := files.Families{tabular.Family{}}.Compile(s)
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

// A solver that shares nothing with the generator, and sees what an agent sees, gets the same
// report.
func TestReportsFollowFromVisibleFiles(t *testing.T) {
	for _, scenario := range []string{"monthly_segment_report", "channel_status_pivot", "weekly_refund_rollup", "supplier_restock_summary", "account_event_reconciliation"} {
		for d := 1; d <= 5; d++ {
			if scenario == "account_event_reconciliation" && d < 5 {
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

// What the rules no longer say the solver no longer does: it does not know the answer by itself.
func TestSolverReadsTheRules(t *testing.T) {
	in := compile(t, "monthly_segment_report", 2, 5)
	blind := in.Visible.With(files.Tree{"README.md": string(bytes.ReplaceAll([]byte(in.Visible["README.md"]), []byte("`cancelled`"), []byte("`void`")))})
	if _, _, err := solve.Solve(blind); err == nil {
		t.Error("a report was made whose rules are incomplete")
	}
}

// Every trap of a scenario is there at every difficulty that has it.
func TestTrapsAreThere(t *testing.T) {
	want := map[string][]string{
		"monthly_segment_report":   {"keep_cancelled", "day_first", "iso_only", "keep_duplicates", "first_line_wins", "last_line_wins", "region_for_segment", "no_adjustments", "unsigned_adjustments", "stale"},
		"channel_status_pivot":     {"raw_channel", "status_case", "keep_cancelled", "no_window", "day_first", "iso_only", "no_adjustments", "unsigned_adjustments", "stale"},
		"weekly_refund_rollup":     {"keep_pending", "refunds_add", "sunday_weeks", "raw_region", "stale"},
		"supplier_restock_summary": {"keep_inactive", "exact_labels", "join_raw_labels", "join_sku_only", "no_pending", "orphan_restocks", "stale"},
	}
	for scenario, traps := range want {
		for d := 4; d <= 5; d++ {
			in := compile(t, scenario, d, 17)
			var got []string
			for _, n := range in.NearMisses {
				got = append(got, n.Trap)
			}
			if !slices.Equal(got, traps) {
				t.Errorf("%s at %d has the traps %q, want %q", scenario, d, got, traps)
			}
		}
	}
}

func TestRulesMoveAtDifficulty5(t *testing.T) {
	in := compile(t, "weekly_refund_rollup", 5, 2)
	if in.Visible["docs/reporting_rules.md"] == "" || bytes.Contains([]byte(in.Visible["README.md"]), []byte("refund` subtracts")) {
		t.Error("the README still says the rules")
	}
}

type hiddenCase struct {
	ID, Capability string
	Files          map[string]string
	Policy         json.RawMessage
	Expected       json.RawMessage
}

func cases(t *testing.T, in *files.Instance) []hiddenCase {
	t.Helper()
	var all struct{ Cases []hiddenCase }
	if err := json.Unmarshal([]byte(in.Hidden["cases.json"]), &all); err != nil {
		t.Fatal(err)
	}
	return all.Cases
}

// The hidden cases of the programs are answered by the solver too.
func TestCasesFollowFromVisibleRules(t *testing.T) {
	for _, scenario := range []string{"account_event_program_synthesis", "account_event_reconciliation"} {
		for _, seed := range sample.Seeds(5) {
			in := compile(t, scenario, 5, seed)
			for _, c := range cases(t, in) {
				policy := []byte(c.Policy)
				if policy == nil {
					policy = []byte(in.Solved()["config/report_policy.json"] + in.Solved()["artifacts/resolved_policy.json"])
				}
				got, err := solve.Accounts(c.Files, policy)
				if err != nil || canonical(t, got) != canonical(t, string(c.Expected)) {
					t.Errorf("%s case %s: solver gives %s, %v; want %s", in.Manifest.EnvID, c.ID, got, err, c.Expected)
				}
			}
		}
	}
}

// The program in Python does what the generator thinks it does: the correct one holds every case,
// and one with a single defect fails the case of its capability and the whole.
func TestProgramsInPython(t *testing.T) {
	py, err := python.Embedded()
	if err != nil {
		t.Skipf("NO PYTHON HERE: %v", err)
	}
	var runs []*programRun
	for _, scenario := range []string{"account_event_program_synthesis", "account_event_reconciliation"} {
		for _, seed := range []int64{2, 5, 9} { // one of each profile
			in := compile(t, scenario, 5, seed)
			all := cases(t, in)
			for _, c := range all {
				runs = append(runs, &programRun{in: in, tree: in.Solved(), hiddenCase: c, want: true})
			}
			for _, left := range in.Defects {
				var repaired []string
				for _, d := range in.Defects {
					if d.ID != left.ID {
						repaired = append(repaired, d.ID)
					}
				}
				tree, err := in.Repaired(repaired...)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range all {
					whole := c.Capability == "hidden_end_to_end" && (left.ID != "stale_policy" || c.Policy == nil)
					if whole || c.Capability == left.Capability {
						runs = append(runs, &programRun{in: in, tree: tree, hiddenCase: c, left: left.ID})
					}
				}
			}
		}
	}
	if len(runs) < 60 {
		t.Fatalf("only %d runs", len(runs))
	}
	play(t, py, runs)
	for _, r := range runs {
		if held := r.got != "" && canonical(t, r.got) == canonical(t, string(r.Expected)); held != r.want {
			t.Errorf("%s case %s with %q left in: held is %v\n%s", r.in.Manifest.EnvID, r.ID, r.left, held, r.got)
		}
	}
}

// A programRun is one run of a program on a hidden case.
type programRun struct {
	hiddenCase
	in   *files.Instance
	tree files.Tree
	left string // the defect that is in it
	want bool
	got  string // what it wrote, "" when it broke
}

// driver runs many programs in one process: starting Python costs more than they do.
const driver = `
import json, runpy, sys
for work, source, output in json.load(open(sys.argv[1])):
    sys.argv = ["process_report.py", "--input-dir", source, "--output", output]
    try:
        runpy.run_path(work + "/process_report.py", run_name="__main__")
    except Exception as error:
        print(work, repr(error))
`

func play(t *testing.T, py python.Interpreter, runs []*programRun) {
	t.Helper()
	dir := t.TempDir()
	var jobs [][3]string
	for i, r := range runs {
		var config struct {
			PolicyPath string `json:"policy_path"`
		}
		if err := json.Unmarshal([]byte(r.in.Hidden["evaluator_config.json"]), &config); err != nil {
			t.Fatal(err)
		}
		tree := r.tree
		if r.Policy != nil {
			tree = tree.With(files.Tree{config.PolicyPath: string(r.Policy)})
		}
		job := [3]string{}
		for j, name := range []string{"work", "in", "out.json"} {
			job[j] = filepath.Join(dir, fmt.Sprint(i), name)
		}
		if err := tree.Write(job[0]); err != nil {
			t.Fatal(err)
		}
		if err := files.Tree(r.Files).Write(job[1]); err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, job)
	}
	if err := (files.Tree{"jobs.json": files.JSON(jobs), "driver.py": driver}).Write(dir); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(py.Path, "-I", "-B", filepath.Join(dir, "driver.py"), filepath.Join(dir, "jobs.json")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for i, r := range runs {
		raw, err := os.ReadFile(jobs[i][2])
		if err != nil && r.want {
			t.Logf("%s", text)
		}
		r.got = string(raw)
	}
}

// A profile's capabilities depend on each other as far as it says.
func TestProfilesHaveTheirDepth(t *testing.T) {
	for seed, want := range map[int64][2]int{0: {2, 2}, 2: {2, 2}, 3: {4, 3}, 7: {4, 3}, 8: {6, 3}, 109: {6, 3}} {
		for _, scenario := range []string{"account_event_program_synthesis", "account_event_reconciliation"} {
			m := compile(t, scenario, 5, seed).Manifest.Metadata
			if n, depth := m.Realized["capability_count"].(int), m.Realized["semantic_dependency_depth"].(int); n < want[0] || depth < want[1] {
				t.Errorf("%s, seed %d (%v): %d capabilities, %d deep, want %v", scenario, seed, m.Realized["profile"], n, depth, want)
			}
		}
	}
}

func TestProgramWeights(t *testing.T) {
	for _, seed := range sample.Seeds(5) {
		for _, scenario := range []string{"account_event_program_synthesis", "account_event_reconciliation"} {
			in := compile(t, scenario, 5, seed)
			var config struct {
				Weights map[string]int
			}
			if err := json.Unmarshal([]byte(in.Hidden["evaluator_config.json"]), &config); err != nil {
				t.Fatal(err)
			}
			total := 0
			for _, w := range config.Weights {
				total += w
			}
			want := 1000
			if scenario == "account_event_reconciliation" {
				want = 1300
			}
			if total != want {
				t.Errorf("%s: weights are %d thousandths, want %d", in.Manifest.EnvID, total, want)
			}
			for _, d := range in.Defects {
				if config.Weights[d.Capability] == 0 {
					t.Errorf("%s: %s weighs nothing", in.Manifest.EnvID, d.Capability)
				}
			}
		}
	}
}
