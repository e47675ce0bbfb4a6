package files

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"benchwright/cmd"
	grader "benchwright/grader/files"
	"benchwright/reports"
	"benchwright/sim/files"
	"benchwright/sim/files/machine"
	"benchwright/tasks"
)

var update = flag.Bool("update", false, "write the golden files anew")

// bench runs the command line and returns what it printed and its exit code.
func bench(args ...string) (out string, exit int) {
	var b bytes.Buffer
	root := cmd.New(tasks.Suite{}, Verbs()...)
	root.SetArgs(args)
	root.SetOut(&b)
	root.SetErr(&b)
	if err := root.Execute(); err != nil {
		b.WriteString("bench: " + err.Error() + "\n")
		exit = cmd.Code(err)
	}
	return b.String(), exit
}

var testdata, _ = filepath.Abs("testdata")

// golden compares got with testdata/name.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join(testdata, name+".golden")
	if *update {
		if err := os.MkdirAll(testdata, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run the test with -update", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got), run with -update if it is right:\n%s", name, diff)
	}
}

// A call is one use of the command line.
type call struct {
	args   string // split at spaces
	exit   int
	reason string
}

// transcript makes the calls, one after the other, and compares all that is printed with a golden
// file.
func transcript(t *testing.T, name string, calls []call) {
	t.Helper()
	var b strings.Builder
	for _, c := range calls {
		out, exit := bench(strings.Fields(c.args)...)
		if exit != c.exit {
			t.Errorf("bench %s: exit %d, want %d, since %s\n%s", c.args, exit, c.exit, c.reason, out)
		}
		for _, r := range out {
			if r < ' ' && r != '\n' || r >= 0x7F && r <= 0x9F || r == 0x202E {
				t.Errorf("bench %s prints %U", c.args, r)
			}
		}
		fmt.Fprintf(&b, "$ bench %s    # %s\n%s\n", c.args, c.reason, out)
	}
	golden(t, name, b.String())
}

// tree reads all below a folder of the present directory.
func tree(t *testing.T, dir string) files.Tree {
	t.Helper()
	list, err := files.ReadTree(os.DirFS("."), dir)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// solved writes a workspace as the reference leaves it.
func solved(t *testing.T, environment, dir string) {
	t.Helper()
	in, err := load(environment)
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Solved().Write(dir); err != nil {
		t.Fatal(err)
	}
}

const tabular = "generated/tabular-d3-s1-66e46f8a"

func TestGenerate(t *testing.T) {
	t.Chdir(t.TempDir())
	transcript(t, "generate", []call{
		{"generate --family tabular --count 3", 0, "each has a seed of its own"},
		{"generate --family retrieval_workspace --difficulty easy --scenario incident_report_bundle --output-dir named", 0, "a word is a difficulty, too"},
		{"generate --family pipeline --skip-validate --split validation --seed 80 --output-dir split", 0, "nothing is run"},
		{"generate --family tabular --scenario no_such_story --count 2 --output-dir nothing", 1, "each says why, and none is there"},
		{"generate", 2, "nobody knows of which family"},
		{"generate --family cooking", 2, "there is no such family"},
		{"generate --family tabular --difficulty 9", 2, "there is no such difficulty"},
		{"generate --family tabular --count 0", 2, "nothing is no work"},
		{"generate --family tabular --seed -1", 2, "seeds are not negative"},
		{"generate --family tabular --split secret", 2, "there is no such split"},
		{"generate --family tabular --count 2 --task-id mine", 2, "an id is of one task"},
		{"generate --family tabular --name mine", 2, "only a dataset has a name"},
		{"generate tabular", 2, "it takes flags alone"},
	})
	first := tree(t, "generated")
	if out, exit := bench("generate", "--family", "tabular", "--count", "3"); exit != 0 || !cmp.Equal(first, tree(t, "generated")) {
		t.Errorf("the same flags give other bytes, or exit %d:\n%s", exit, out)
	}
	in, err := load(tabular)
	if err != nil || in.Manifest.Metadata.Split != "" || in.Manifest.Seed != 1 || in.Manifest.Difficulty != 3 {
		t.Errorf("%+v, %v", in, err)
	}
	split, err := filepath.Glob("split/*")
	if err != nil || len(split) != 1 {
		t.Fatalf("%v, %v", split, err)
	}
	in, err = load(split[0])
	if err != nil || in.Manifest.Metadata.Split != "validation" || in.Manifest.Metadata.TaskID != "swg.validation.pipeline.default.d3.s80" {
		t.Errorf("%+v, %v", in.Manifest.Metadata, err)
	}
	if _, err := os.Stat("nothing"); err == nil {
		t.Error("what could not be made left a folder")
	}
}

func TestAnExportIsADataset(t *testing.T) {
	t.Chdir(t.TempDir())
	transcript(t, "export", []call{
		{"generate --family tabular --count 2 --difficulty 1 --export --output-dir data --name two-tables --created-at 2026-01-02T03:04:05Z", 0, "with what says what it is"},
		{"generate --family tabular --export --output-dir data", 2, "a dataset is not overwritten"},
		{"splits export --split heldout,validation --sample balanced --max 3 --skip-validate --output-dir splits", 0, "of several splits"},
		{"splits export --split secret", 2, "there is no such split"},
		{"splits export --sample best", 2, "there is no such choice"},
	})
	golden(t, "dataset", tree(t, ".")["data/metadata.json"]+tree(t, ".")["data/manifest.jsonl"]+tree(t, ".")["splits/metadata.json"])
	rows := strings.Count(tree(t, "splits")["manifest.jsonl"], "\n")
	folders, err := filepath.Glob("splits/environments/*/manifest.json")
	if err != nil || rows != 3 || len(folders) != 3 {
		t.Errorf("%d rows, folders %v, %v", rows, folders, err)
	}
}

// TestProofs holds a workspace to each of its promises.
func TestProofs(t *testing.T) {
	lib := library()
	g := newGrader(lib, nil)
	var b strings.Builder
	for _, c := range []struct {
		name, reason string
		change       func(in *files.Instance)
	}{
		{"no-reference", "nobody can say what is wanted", func(in *files.Instance) { in.Manifest.Reference.Files = nil }},
		{"nothing-to-do", "the solution is there already", func(in *files.Instance) { in.Visible = in.Solved() }},
		{"wrong", "the solution does not pass", func(in *files.Instance) {
			in.Manifest.Reference.Files = files.Tree{"outputs/report.json": "[]"}
		}},
		{"solved", "the untouched workspace passes", func(in *files.Instance) {
			in.Visible = in.Solved()
			in.Manifest.Reference.Files = files.Tree{"outputs/other.json": "{}"}
		}},
	} {
		in, err := lib.Compile(files.NewSpec("tabular", 3, 1))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := prove(t.Context(), g, in); err != nil {
			t.Fatalf("as it was made: %v", err)
		}
		own := *in
		c.change(&own)
		if _, err := prove(t.Context(), g, &own); err == nil {
			t.Errorf("%s: proven, though %s", c.name, c.reason)
		} else {
			fmt.Fprintf(&b, "# %s: %s\n%s\n\n", c.name, c.reason, err)
		}
	}
	golden(t, "proofs", b.String())
}

// TestOneFailureDoesNotKeepTheOthers writes what can be made, and tells the rest.
func TestOneFailureDoesNotKeepTheOthers(t *testing.T) {
	t.Chdir(t.TempDir())
	c := &cobra.Command{}
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetErr(&out)
	bad := files.NewSpec("tabular", 2, 7)
	bad.Scenario = "no_such_story"
	w := writingFlags(c, "made")
	w.export = func() bool { return true }
	err := w.write(c, []files.Spec{files.NewSpec("tabular", 2, 6), bad, files.NewSpec("tabular", 2, 8)})
	if err == nil || !strings.Contains(err.Error(), "1 of 3") {
		t.Errorf("%v", err)
	}
	all := tree(t, "made")
	if n := strings.Count(all["manifest.jsonl"], "\n"); n != 2 || !strings.Contains(all["metadata.json"], "no_such_story") || !strings.Contains(out.String(), "error: tabular of difficulty 2, seed 7: ") {
		t.Errorf("%d rows\n%s%s", n, all["metadata.json"], out.String())
	}
}

func TestEvaluate(t *testing.T) {
	t.Chdir(t.TempDir())
	bench("generate", "--family", "tabular")
	solved(t, tabular, "solved")
	solved(t, tabular, "reordered")
	report := string(tree(t, "solved")["outputs/report.json"])
	put(t, "invalid/outputs/report.json", "{")
	put(t, "elsewhere.json", report)
	for _, link := range [][2]string{{"../../elsewhere.json", "linked/outputs/report.json"}, {"/etc", "linked/system"}} {
		if err := os.MkdirAll("linked/outputs", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(link[0], link[1]); err != nil {
			t.Fatal(err)
		}
	}
	bench("generate", "--family", "tabular", "--output-dir", "foreign")
	foreign := "foreign/" + filepath.Base(tabular)
	put(t, foreign+"/manifest.json", strings.NewReplacer(`"tabular:Rows"`, `"cooking:Taste"`, `"family": "tabular"`, `"family": "cooking"`).Replace(tree(t, foreign)["manifest.json"]))
	put(t, "torn/manifest.json", "{")
	timed := took
	took = func(grader.Result) float64 { return 0 }
	t.Cleanup(func() { took = timed })
	transcript(t, "evaluate", []call{
		{"evaluate --environment " + tabular, 1, "untouched, it is not done"},
		{"evaluate --environment " + tabular + " --workspace solved", 0, "this is the solution"},
		{"evaluate --environment " + tabular + " --workspace invalid", 1, "no JSON is worth its file"},
		{"evaluate --environment " + tabular + " --workspace linked", 1, "what lies elsewhere was not left here"},
		{"evaluate --environment " + foreign, 2, "nobody knows how to grade it"},
		{"evaluate", 2, "nobody said what"},
		{"evaluate --environment nowhere", 2, "it is not there"},
		{"evaluate --environment torn", 2, "it cannot be read"},
		{"evaluate --environment " + tabular + " --workspace nowhere", 2, "nothing was left"},
	})
}

func TestBaselines(t *testing.T) {
	t.Chdir(t.TempDir())
	now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC) }
	t.Cleanup(func() { now = time.Now })
	bench("generate", "--family", "tabular")
	put(t, "torn/manifest.json", "{")
	transcript(t, "run", []call{
		{"run --environment " + tabular, 0, "who knows the solution passes"},
		{"run --environment " + tabular + " --agent scripted", 0, "tables can be worked out"},
		{"run --environment " + tabular + " --agent noop --output-dir elsewhere", 0, "a failed episode is a result"},
		{"run --environment " + tabular, 1, "records are not overwritten"},
		{"run --environment " + tabular + " --agent genius", 2, "there is no such agent"},
		{"run", 2, "nobody said what"},
		{"run --environment torn", 2, "it cannot be read"},
	})
	var names []string
	err := fs.WalkDir(os.DirFS("."), "episodes", func(p string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.Contains(p, "scripted") {
			names = append(names, strings.TrimPrefix(p, "episodes/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	golden(t, "episode", strings.Join(names, "\n")+"\n")
}

// TestBaselinesRunCommands plays a workspace that has to be run, where that can be done.
func TestBaselinesRunCommands(t *testing.T) {
	if err := machine.New("", "").Ready(t.Context()); err != nil {
		t.Skipf("commands are NOT tested here: %v", err)
	}
	t.Chdir(t.TempDir())
	if out, exit := bench("generate", "--family", "script_repair", "--difficulty", "1"); exit != 0 {
		t.Fatalf("exit %d\n%s", exit, out)
	}
	made, err := filepath.Glob("generated/*")
	if err != nil || len(made) != 1 {
		t.Fatalf("%v %v", made, err)
	}
	for agent, want := range map[string]string{"heuristic": "passed: score 1.000000", "scripted": "failed: score 0."} {
		if out, exit := bench("run", "--environment", made[0], "--agent", agent); exit != 0 || !strings.HasPrefix(out, want) {
			t.Errorf("%s: exit %d\n%s", agent, exit, out)
		}
	}
	solved(t, made[0], "solved")
	if out, exit := bench("evaluate", "--environment", made[0], "--workspace", "solved"); exit != 0 {
		t.Errorf("exit %d\n%s", exit, out)
	}
	t.Setenv("BENCH_SANDBOX", "docker")
	if out, exit := bench("evaluate", "--environment", made[0]); exit != 2 || !strings.Contains(out, "BENCH_SANDBOX") {
		t.Errorf("exit %d\n%s", exit, out)
	}
}

func TestSplits(t *testing.T) {
	t.Chdir(t.TempDir())
	bench("splits", "build", "--split", "validation", "--max", "2", "--output", "two.json")
	two := tree(t, ".")["two.json"]
	put(t, "doubled.json", strings.Replace(two, `"seed": 81`, `"seed": 80`, 1))
	put(t, "torn.json", "{")
	transcript(t, "splits", []call{
		{"splits build --split heldout --max 1 --created-at 2026-01-02T03:04:05Z", 0, "a manifest on standard output"},
		{"splits build --split secret", 2, "there is no such split"},
		{"splits build --max -1", 2, "fewer than none"},
		{"splits build --output two.json", 2, "files are not overwritten"},
		{"splits validate", 0, "the standard splits are sound"},
		{"splits validate two.json", 0, "two of one split are, too"},
		{"splits validate doubled.json", 1, "one workspace has two names"},
		{"splits validate torn.json", 2, "it cannot be read"},
		{"splits validate nowhere.json", 2, "it is not there"},
		{"splits stats two.json --split validation", 0, "both that it names are worlds of their own"},
		{"splits stats two.json --json", 0, "for programs"},
		{"splits stats two.json --split train", 1, "there is nothing to count"},
	})
}

// TestJSONIsShownClean holds that what is printed says the same, and nothing to a terminal.
func TestJSONIsShownClean(t *testing.T) {
	const hostile = "a\u001b[2J\u009b2J\u202eé😀\U000e0001"
	raw, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	got := shown(string(raw))
	var back string
	if err := json.Unmarshal([]byte(got), &back); err != nil || back != hostile || strings.ContainsAny(got, "\x1b\u009b\u202e\U000e0001") || !strings.Contains(got, "é😀") {
		t.Errorf("%q, %v", got, err)
	}
}

// TestWhatIsReadIsClean: nothing that comes from a folder reaches a terminal as it is.
func TestWhatIsReadIsClean(t *testing.T) {
	t.Chdir(t.TempDir())
	hostile := "\x1b[2Jx"
	put(t, filepath.Join(hostile, "manifest.json"), "{}")
	for _, args := range [][]string{{"evaluate", "--environment", hostile}, {"run", "--environment", hostile}, {"splits", "validate", hostile}, {"generate", "--family", hostile}} {
		out, exit := bench(args...)
		if exit != 2 || strings.Contains(out, "\x1b") || reports.Clean(out, len(out)) != strings.TrimSpace(strings.ReplaceAll(out, "\n", " ")) {
			t.Errorf("%q: exit %d\n%q", args, exit, out)
		}
	}
}
