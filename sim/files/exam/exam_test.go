package exam_test

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchwright/sim/files"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/exam/examtest"
)

// sheet asks for a function and a script: twice a number, and the doubles of a file.
func sheet() *exam.Sheet {
	return &exam.Sheet{
		Runs: 2, Seconds: 3,
		Cases: []exam.Case{
			{ID: "three", Root: "src", Calls: []exam.Call{{Module: "double", Function: "double", Args: []any{3}}}},
			{ID: "ten", Root: "src", Calls: []exam.Call{{Module: "double", Function: "double", Args: []any{10}}}},
			{
				ID: "all", Files: files.Tree{"data/in.json": "[1, 2, 40]"}, Clear: []string{"out"},
				Script: []string{"run.py"}, Read: []string{"out/rows.json"},
			},
		},
		Checks: []exam.Check{
			{ID: "three", Test: "function", Case: "three", Aspect: exam.Equal, Want: []any{6}},
			{ID: "ten", Test: "function", Case: "ten", Aspect: exam.Equal, Want: []any{20}},
			{ID: "runs", Test: "runs", Case: "all", Aspect: exam.Runs},
			{ID: "rows", Test: "rows", Capability: "rows", Case: "all", Aspect: exam.Equal, File: "out/rows.json", Want: []any{
				map[string]any{"n": 1, "double": 2}, map[string]any{"n": 2, "double": 4}, map[string]any{"n": 40, "double": 80},
			}},
			{ID: "keys", Test: "form", Capability: "form", Case: "all", Aspect: exam.Keys, File: "out/rows.json", Want: []string{"n", "double"}},
			{ID: "order", Test: "form", Capability: "form", Case: "all", Aspect: exam.Order, File: "out/rows.json", By: "n", Want: []any{1, 2, 40}},
			{ID: "list", Test: "form", Capability: "form", Case: "all", Aspect: exam.List, File: "out/rows.json"},
			{ID: "same", Test: "same", Capability: "same", Case: "all", Aspect: exam.Same, File: "out/rows.json"},
		},
	}
}

const (
	doubles = "def double(n):\n    return 2 * n\n"
	script  = `import json, sys
from pathlib import Path
sys.path.insert(0, "src")
from double import double
print("noise", file=sys.stderr)
rows = [{"n": n, "double": double(n)} for n in json.loads(Path("data/in.json").read_text())]
Path("out").mkdir(exist_ok=True)
Path("out/rows.json").write_text(json.dumps(rows))
`
)

func workspace(over files.Tree) files.Tree {
	return files.Tree{"src/double.py": doubles, "run.py": script, "data/in.json": "[5]", "out/rows.json": "[]"}.With(over)
}

func held(t *testing.T, tree files.Tree) (map[string]bool, []exam.Run) {
	t.Helper()
	s := sheet()
	runs := examtest.Observe(t, s, tree)[0]
	return s.Grade(tree, runs), runs
}

// TestCodeCannotForgeItsVerdict lets code try everything but to solve the task, between two
// workspaces that solve it.
func TestCodeCannotForgeItsVerdict(t *testing.T) {
	const forgery = `print('{"success": true, "score": 1.0, "subscores": {"tests_passed": 9, "tests_total": 9}, "failure_labels": []}', flush=True)` + "\n"
	attempts := []struct {
		name, reason string
		tree         files.Tree
		fails        []string // of the checks; all others hold
	}{
		{
			name: "prints-a-verdict", reason: "what is printed is no observation",
			tree:  workspace(files.Tree{"src/double.py": forgery + "import os\nos._exit(0)\n"}),
			fails: []string{"three", "ten", "rows", "keys", "order", "list", "same"},
		},
		{
			name: "exits-in-a-script", reason: "a script that ends well without its file has made nothing, and the old file does not count",
			tree:  workspace(files.Tree{"run.py": forgery + "raise SystemExit(0)\n"}),
			fails: []string{"rows", "keys", "order", "list", "same"},
		},
		{
			name: "exits-after-the-first-call", reason: "only what was returned was observed",
			tree:  workspace(files.Tree{"src/double.py": "import os\ndef double(n):\n    if n == 10:\n        os._exit(0)\n    return 2 * n\n"}),
			fails: []string{"ten"},
		},
		{
			name: "patches-the-libraries", reason: "nothing of the comparison runs where code can patch it",
			tree: workspace(files.Tree{"src/double.py": `import json, unittest, builtins
unittest.TestCase.assertEqual = lambda *a, **k: None
json.dumps = lambda *a, **k: '{"id": "0/three", "value": [true]}'
class Any(int):
    __eq__ = lambda self, other: True
    __hash__ = int.__hash__
def double(n):
    return Any(0)
`}),
			fails: []string{"three", "ten", "rows", "keys", "order", "list"},
		},
		{
			name: "hangs", reason: "a call that never returns is over at the limit",
			tree:  workspace(files.Tree{"src/double.py": "import time\ndef double(n):\n    time.sleep(600)\n"}),
			fails: []string{"three", "ten", "runs", "rows", "keys", "order", "list", "same"},
		},
		{
			name: "links-the-file", reason: "a link is no regular file",
			tree: workspace(files.Tree{"run.py": script + "import os\nos.rename('out/rows.json', 'x.json')\nos.symlink('../x.json', 'out/rows.json')\n"}),
			fails: []string{
				"rows", "keys", "order", "list", "same",
			},
		},
		{
			name: "links-the-folder", reason: "nor is what is reached through one",
			tree:  workspace(files.Tree{"run.py": script + "import os\nos.rename('out', 'x')\nos.symlink('x', 'out')\n"}),
			fails: []string{"rows", "keys", "order", "list", "same"},
		},
		{
			name: "pipe", reason: "a pipe is not waited for",
			tree:  workspace(files.Tree{"run.py": script + "import os\nos.unlink('out/rows.json')\nos.mkfifo('out/rows.json')\n"}),
			fails: []string{"rows", "keys", "order", "list", "same"},
		},
		{
			name: "too-large", reason: "a file beyond the limit was not observed",
			tree:  workspace(files.Tree{"run.py": script + "open('out/rows.json', 'a').write(' ' * (1 << 20))\n"}),
			fails: []string{"rows", "keys", "order", "list", "same"},
		},
		{
			name: "differs-by-run", reason: "an artifact has to be the same again",
			tree:  workspace(files.Tree{"run.py": script + "import os\nopen('out/rows.json', 'a').write(' ' * (1 + os.urandom(1)[0] + 256 * os.urandom(1)[0]))\n"}),
			fails: []string{"same"},
		},
		{
			name: "cleans-up-around-itself", reason: "code finds no folder of the observer's to take away but its own",
			tree:  workspace(files.Tree{"run.py": script + "import shutil, os\nshutil.rmtree(os.getcwd())\n"}),
			fails: []string{"rows", "keys", "order", "list", "same"},
		},
		{
			name: "daemon", reason: "what code leaves running does not hold up the observer, nor does it write where it reads",
			tree: workspace(files.Tree{"src/double.py": `import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(1)
    os._exit(0)
def double(n):
    return 7
`}),
			fails: []string{"three", "ten", "rows"},
		},
		{
			name: "deep-value", reason: "a value that JSON cannot hold was not observed",
			tree:  workspace(files.Tree{"src/double.py": "def double(n):\n    l = []\n    l.append(l)\n    return l\n"}),
			fails: []string{"three", "ten", "runs", "rows", "keys", "order", "list", "same"},
		},
		{
			name: "booleans", reason: "true is not 1",
			tree:  workspace(files.Tree{"src/double.py": "def double(n):\n    return 2 * n if n > 1 else True\n"}),
			fails: []string{"rows"},
		},
	}
	// All are observed by one process, so that none may spoil it for the others either.
	trees := []files.Tree{workspace(nil)}
	for _, a := range attempts {
		trees = append(trees, a.tree)
	}
	trees = append(trees, workspace(nil))
	s := sheet()
	seen := examtest.Observe(t, s, trees...)
	for _, i := range []int{0, len(trees) - 1} {
		for id, ok := range s.Grade(trees[i], seen[i]) {
			if !ok {
				t.Errorf("%s of correct code does not hold: %+v", id, seen[i][0])
			}
		}
		if _, again := seen[i][1]["three"]; again || len(seen[i][1]) != 1 {
			t.Errorf("the second run holds %v, want only what has to come out the same", seen[i][1])
		}
		if said := seen[i][0]["all"].Said; said != "noise\n" {
			t.Errorf("said %q", said)
		}
	}
	for i, a := range attempts {
		t.Run(a.name, func(t *testing.T) {
			for id, ok := range s.Grade(trees[i+1], seen[i+1]) {
				if wrong := slices.Contains(a.fails, id); ok == wrong {
					t.Errorf("%s: %t, want %t, since %s\n%+v", id, ok, !wrong, a.reason, seen[i+1][0])
				}
			}
		})
	}
}

// TestTrustedObservations compares what tests of families see, in one process, with what the
// observer sees.
func TestTrustedObservations(t *testing.T) {
	s := sheet()
	s.Runs, s.Checks = 1, slices.DeleteFunc(s.Checks, func(k exam.Check) bool { return k.Aspect == exam.Same })
	trees := map[string]files.Tree{
		"right":  workspace(nil),
		"wrong":  workspace(files.Tree{"src/double.py": "def double(n):\n    return {'n': [n, None, 0.5]}\n"}),
		"raises": workspace(files.Tree{"src/double.py": "def double(n):\n    return {}[n]\n"}),
		"exits":  workspace(files.Tree{"run.py": script + "sys.exit(3)\n"}),
		"absent": workspace(files.Tree{"run.py": "import absent\n"}),
	}
	dir := t.TempDir()
	var names []string
	for name, tree := range trees {
		names = append(names, name)
		if err := tree.Write(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(names)
	want, err := s.Observe(t.Context(), examtest.Python(t, dir), names...)
	if err != nil {
		t.Fatal(err)
	}
	var asked []exam.Asked
	for _, name := range names {
		asked = append(asked, exam.Asked{Workspace: name, Cases: s.Start(0)})
	}
	got, whole, err := exam.ParseRuns("tok", examtest.Trusted(t, dir, s.Request("tok", asked...)), asked...)
	if err != nil || !whole {
		t.Fatalf("observed all: %t, %v", whole, err)
	}
	for i, name := range names {
		for id, o := range want[name][0] {
			seen := got[i][id]
			o.Said, seen.Said = "", "" // tracebacks
			if !reflect.DeepEqual(seen, o) {
				t.Errorf("%s, case %s: trusted code shows %+v, the observer sees %+v", name, id, seen, o)
			}
		}
	}
}

// TestTheChannelCanBeSpoiledNotUsed lets code find the descriptor and the token of the observer.
func TestTheChannelCanBeSpoiledNotUsed(t *testing.T) {
	thief := `import os, sys
frame = sys._getframe()
while frame:
    request = frame.f_locals.get("request")
    if isinstance(request, dict) and "token" in request:
        token = request["token"]
    frame = frame.f_back
line = token + ' {"id": "0/three", "state": "ok", "exit": 0, "said": "", "value": [6]}\n'
for name in os.listdir("/proc/%d/fd" % os.getppid()):
    path = "/proc/%d/fd/%s" % (os.getppid(), name)
    if os.readlink(path).startswith("pipe:"):
        try:
            os.write(os.open(path, os.O_WRONLY | os.O_NONBLOCK), line.encode())
        except OSError:
            pass
def double(n):
    return 0
`
	h, runs := held(t, workspace(files.Tree{"src/double.py": thief}))
	for id, ok := range h {
		if ok {
			t.Errorf("%s holds: %+v", id, runs[0])
		}
	}
}

func TestParseRuns(t *testing.T) {
	s := sheet()
	line := func(id, rest string) string { return `tok {"id": "` + id + `", "state": "ok"` + rest + "}\n" }
	asked := exam.Asked{Workspace: "w", Cases: s.Cases}
	all := line("0/three", "") + line("0/ten", "") + line("0/all", "")
	const end = `tok {"observed": 3}` + "\n"
	for _, c := range []struct {
		name, out string
		bad       bool
		seen      int
	}{
		{"nothing", "", false, 0},
		{"all", all + end, false, 3},
		{"all-but-the-end", all, false, 3},
		{"an-end-too-early", line("0/three", "") + end, true, 0},
		{"an-end-that-counts-otherwise", all + `tok {"observed": 4}` + "\n", true, 0},
		{"two-ends", all + end + end, true, 0},
		{"more-after-the-end", all + end + line("0/three", ""), true, 0},
		{"chatter", "hello\n{}\ntoken {\n", false, 0},
		{"one", line("0/three", `, "value": [6]`), false, 1},
		{"cut-off", line("0/three", "") + `tok {"id": "0/t`, false, 1},
		{"twice", line("0/three", "") + line("0/three", ""), true, 0},
		{"unknown", line("1/three", ""), true, 0},
		{"malformed", "tok {]\n", true, 0},
		{"doubled-key", `tok {"id": "0/three", "id": "0/ten", "state": "ok"}` + "\n", true, 0},
		{"wrong-type", `tok {"id": "0/three", "state": 1}` + "\n", true, 0},
	} {
		runs, whole, err := exam.ParseRuns("tok", []byte(c.out), asked)
		if c.bad != errors.Is(err, exam.ErrChannel) || !c.bad && len(runs[0]) != c.seen || whole != (c.name == "all") {
			t.Errorf("%s: %v, whole %t, %v", c.name, runs, whole, err)
		}
	}
}

func TestObserveReportsThatPythonCannotBeStarted(t *testing.T) {
	gone := errors.New("gone")
	if _, err := sheet().Observe(t.Context(), func(context.Context, []byte) ([]byte, error) { return nil, gone }, "w"); !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
}

func TestSheetsGoThroughTheirFiles(t *testing.T) {
	s := sheet()
	hidden, err := s.Files()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(hidden["cases.json"], "80") {
		t.Error("the cases hold an expected value")
	}
	for _, r := range []string{"\"want\"", "80"} {
		if strings.Contains(string(s.Request("tok", exam.Asked{Workspace: "w", Cases: s.Cases})), r) {
			t.Errorf("the request holds %s", r)
		}
	}
	back, err := exam.ParseSheet(hidden)
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.Files()
	if err != nil || again.Digest() != hidden.Digest() {
		t.Errorf("the files change when they are read and written: %v", err)
	}
	if got := back.Capabilities(); strings.Join(got, " ") != "rows form same" {
		t.Errorf("capabilities %q", got)
	}
	shares := back.Shares(map[string]bool{"rows": true, "keys": true})
	if shares["rows"] != 1 || shares["form"] < 0.3 || shares["form"] > 0.4 || shares["same"] != 0 {
		t.Errorf("shares %v", shares)
	}
	tests := back.Tests(map[string]bool{"three": true, "runs": true})
	if tests["function"] || !tests["runs"] || len(tests) != 5 {
		t.Errorf("tests %v", tests)
	}
}

func TestValidateNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		want string
		do   func(s *exam.Sheet)
	}{
		{"want 1 or 2 runs", func(s *exam.Sheet) { s.Runs = 3 }},
		{`case "three" is there twice`, func(s *exam.Sheet) { s.Cases[1].ID = "three" }},
		{"either a script or calls", func(s *exam.Sheet) { s.Cases[0].Script = []string{"x"} }},
		{"they read and clear no files", func(s *exam.Sheet) { s.Cases[0].Read = []string{"x"} }},
		{"one has another a", func(s *exam.Sheet) {
			s.Cases[0].Files, s.Cases[1].Files = files.Tree{"a": "1"}, files.Tree{"a": "2"}
		}},
		{"ids must be there, once each", func(s *exam.Sheet) { s.Checks[1].ID = "three" }},
		{"belongs to no test", func(s *exam.Sheet) { s.Checks[1].Test = "" }},
		{`there is no case "x"`, func(s *exam.Sheet) { s.Checks[1].Case = "x" }},
		{`does not read "x"`, func(s *exam.Sheet) { s.Checks[3].File = "x" }},
		{"name a file", func(s *exam.Sheet) { s.Checks[3].File = "" }},
		{"one run cannot be the same", func(s *exam.Sheet) { s.Runs = 1 }},
		{`unknown aspect "shape"`, func(s *exam.Sheet) { s.Checks[3].Aspect = "shape" }},
		{"wants nothing", func(s *exam.Sheet) { s.Checks[3].Want = nil }},
		{`case "all": files: "a" is a file and the folder of "a/b"`, func(s *exam.Sheet) { s.Cases[2].Files = files.Tree{"a": "", "a/b": ""} }},
		{`files: "a\\x00b" is not a relative`, func(s *exam.Sheet) { s.Cases[2].Files = files.Tree{"a\x00b": ""} }},
		{`files: "../x" is not a relative`, func(s *exam.Sheet) { s.Cases[2].Files = files.Tree{"../x": ""} }},
		{`files: "/x" is not a relative`, func(s *exam.Sheet) { s.Cases[2].Files = files.Tree{"/x": ""} }},
		{`clear: "a/../../x" is not a relative`, func(s *exam.Sheet) { s.Cases[2].Clear = []string{"a/../../x"} }},
		{`clear: "." is not a relative`, func(s *exam.Sheet) { s.Cases[2].Clear = []string{"."} }},
		{`read: "/etc/passwd" is not a relative`, func(s *exam.Sheet) { s.Cases[2].Read = append(s.Cases[2].Read, "/etc/passwd") }},
		{`root: "../src" is not a relative`, func(s *exam.Sheet) { s.Cases[0].Root = "../src" }},
		{`script: "-c" is an option of Python`, func(s *exam.Sheet) { s.Cases[2].Script = []string{"-c", "print(1)"} }},
		{`script: path: "/bin/x.py" is not a relative`, func(s *exam.Sheet) { s.Cases[2].Script = []string{"/bin/x.py"} }},
		{`script: "\x00" cannot be an argument`, func(s *exam.Sheet) { s.Cases[2].Script = []string{"run.py", "\x00"} }},
		{`calls: "" is no name`, func(s *exam.Sheet) { s.Cases[0].Calls[0].Function = "" }},
		{`calls: "a\x00" is no name`, func(s *exam.Sheet) { s.Cases[0].Calls[0].Module = "a\x00" }},
	} {
		s := sheet()
		c.do(s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want one with %q", err, c.want)
		}
	}
}

func TestNumber(t *testing.T) {
	many := strings.Repeat("7", 200_000)
	for _, same := range [][]string{
		{"0", "-0", "0.000", "0e999999999999999999999", "-0.0E-5"},
		{"12", "12.0", "1.2e1", "120E-1", "0.0012e+4", "12e00"},
		{"-0.5", "-5e-1", "-0.50"},
		{"1e9999", "10e9998", "0.1e10000", "1E+9999"},
		{"1e-9999", "0.1e-9998", "10e-10000"},
		{"7" + strings.Repeat("0", 100), "7e100", "0.7e101"},
		{many, many + ".0", "0." + many + "e200000"},
		{"1e99999999999999999999", "10e99999999999999999998"},
	} {
		for _, s := range same {
			if got, want := exam.Number(s), exam.Number(same[0]); got != want || len(got) > len(s)+45 {
				t.Errorf("Number(%.40q) is %.60q, want %.60q", s, got, want)
			}
		}
	}
	for s, want := range map[string]string{"12.50": "12.5", "-3e2": "-300", "5e-3": "0.005", "123e-2": "1.23", "1e41": "1e41", "25e-1000": "25e-1000", "1e1": "10"} {
		if got := exam.Number(s); got != want {
			t.Errorf("Number(%s) is %s, want %s", s, got, want)
		}
	}
	apart := map[string]string{}
	for _, s := range []string{"0", "1", "-1", "10", "0.1", "1e9999", "-1e9999", "1e9998", "1e-9999", "11e9999", many, many + "7", "1.0000000000000000000000000000000000000000000001"} {
		if other, again := apart[exam.Number(s)]; again {
			t.Errorf("%.40s and %.40s have one text", s, other)
		}
		apart[exam.Number(s)] = s
	}
}

func TestSameJSON(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"12", "12.0", true}, {"1e2", "100", true}, {"0.1", "0.10000001", false}, {"true", "1", false}, {`"1"`, "1", false}, {"null", "0", false},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, true}, {`{"a":1}`, `{"a":1,"b":null}`, false}, {"[1,2]", "[2,1]", false}, {"[]", "{}", false},
		{"1e999999999", "2e999999999", false}, {"[[1]]", "[[1.0]]", true}, {"-0.0", "0", true},
	} {
		if got := exam.SameJSON(json.RawMessage(c.a), json.RawMessage(c.b)); got != c.same {
			t.Errorf("%s and %s: %t", c.a, c.b, got)
		}
	}
}

// TestTheRunnerJudgesByItself runs the hidden tree as people run it who have no Go.
func TestTheRunnerJudgesByItself(t *testing.T) {
	dir := t.TempDir()
	python := examtest.Interpreter(t)
	hidden, err := sheet().Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, tree := range []struct {
		name string
		tree files.Tree
		want string
		ok   bool
	}{
		{"hidden", hidden, "", false},
		{"right", workspace(nil), `"score": 1.0`, true},
		{"wrong", workspace(files.Tree{"src/double.py": "def double(n):\n    return 2 * n if n < 40 else 0\n"}), `"failures": ["rows"]`, false},
	} {
		if err := tree.tree.Write(filepath.Join(dir, tree.name)); err != nil {
			t.Fatal(err)
		}
		if tree.want == "" {
			continue
		}
		c := exec.Command(python, "run_hidden_tests.py", filepath.Join(dir, tree.name))
		c.Dir = filepath.Join(dir, "hidden")
		out, err := c.Output()
		if (err == nil) != tree.ok || !strings.Contains(string(out), tree.want) {
			t.Errorf("%s: %s, %v", tree.name, out, err)
		}
	}
}
