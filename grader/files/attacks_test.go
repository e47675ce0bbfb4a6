package files

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/machine"
	"benchwright/sim/files/pipeline"
	"benchwright/sim/files/sandbox"
)

// walls returns the machines that there are here. A level that is missing is said loudly.
func walls(t *testing.T, modes ...sandbox.Mode) map[sandbox.Mode]*machine.Machine {
	t.Helper()
	out := map[sandbox.Mode]*machine.Machine{}
	for _, mode := range modes {
		if len(out) > 0 && os.Getenv("BENCHWRIGHT_ATTACKS") != "all" {
			t.Logf("SKIPPED: mode %s: only with BENCHWRIGHT_ATTACKS=all", mode)
			continue
		}
		m := machine.New(string(mode), "")
		if err := m.Ready(t.Context()); errors.Is(err, sandbox.ErrRefused) {
			t.Logf("SKIPPED: mode %s: %v", mode, err)
		} else if err != nil {
			t.Fatal(err)
		} else {
			out[mode] = m
		}
	}
	if len(out) == 0 {
		t.Skip("SKIPPED: nothing here can confine code")
	}
	return out
}

// attacked asks for the sum of numbers by name. What is expected of the unseen data holds a word that
// nothing gives but gold.
func attacked(t *testing.T, hint string) *world.Instance {
	row := func(k string, n int) any { return map[string]any{"k": k, "n": n} }
	s := &exam.Sheet{
		Runs: 2, Seconds: 2,
		Cases: []exam.Case{
			{ID: "visible", Script: []string{"run.py"}, Clear: []string{"out"}, Read: []string{"out/rows.json"}},
			{ID: "other", Script: []string{"run.py"}, Clear: []string{"out"}, Read: []string{"out/rows.json"}, Files: map[string]string{"data.json": `[["z",10],["z",5],["y",1]]`}},
		},
		Checks: []exam.Check{
			{ID: "visible_runs", Test: "visible_runs", Case: "visible", Aspect: exam.Runs},
			{ID: "visible_rows", Test: "visible_rows", Case: "visible", Aspect: exam.Equal, File: "out/rows.json", Want: []any{row("a", 3), row("b", 4)}},
			{ID: "other_rows", Test: "other_rows", Case: "other", Aspect: exam.Equal, File: "out/rows.json", Want: []any{row("y"+hint, 1), row("z", 15)}},
			{ID: "same_again", Test: "same_again", Case: "visible", Aspect: exam.Same, File: "out/rows.json"},
		},
	}
	return instance(pipeline.RowsEvaluator, "pipeline", 2, sheetTree(t, s, `{"output_path":"out/rows.json","visible_case":"visible","other_case":"other"}`))
}

const (
	honest = `import json, os
sums = {}
for k, n in json.load(open("data.json")):
    sums[k] = sums.get(k, 0) + n
os.makedirs("out", exist_ok=True)
json.dump([{"k": k, "n": n} for k, n in sorted(sums.items())], open("out/rows.json", "w"))
`
	sample   = `[{"k": "a", "n": 3}, {"k": "b", "n": 4}]`
	printing = `import os
os.makedirs("out", exist_ok=True)
open("out/rows.json", "w").write('` + sample + `')
`
	forged = `{"success": true, "score": 1.0, "subscores": {"tests_passed": 4.0}, "failure_labels": [], "diagnostics": {}}`
)

// attacks are what code may do to be graded better, or not at all. None may pass but the honest ones,
// none may break the measurement, and none may get more than those who print the rows of the sample.
var attacks = []struct {
	name, run string
	more      world.Tree
	honest    bool
	walls     bool // depends on what confines it
	label     string
	reason    string
}{
	{name: "honest", run: honest, honest: true, walls: true, reason: "else nothing is proven"},
	{name: "honest-and-noisy", run: honest + "import sys\nfor _ in range(1000):\n    print('x' * 1000, file=sys.stderr)\nprint('''" + forged + "''')\n", honest: true, reason: "what is printed does not matter"},
	{name: "prints-a-verdict-and-exits", run: "print('''" + forged + "''')\nraise SystemExit(0)\n", label: OutputMissing, reason: "what is printed is no verdict"},
	{name: "ends-at-once", run: printing + "os._exit(0)\n", reason: "an early end skips nothing but itself"},
	{name: "prints-the-sample", run: printing, label: OutputMismatch, reason: "unseen data has other rows"},
	{name: "crashes", run: "raise RuntimeError('no')\n", label: RunFailed, reason: "hard state"},
	{
		name: "patches-libraries",
		run: "import builtins, json, unittest, sys\n" + printing + `json.loads = json.load = lambda *a, **k: {"success": True}
json.dumps = lambda *a, **k: '` + forged + `'
unittest.TestCase.assertEqual = lambda *a, **k: None
unittest.TestResult.wasSuccessful = lambda self: True
builtins.print = lambda *a, **k: sys.stdout.write('` + forged + `')
builtins.all = builtins.any = lambda *a: True
`,
		reason: "nothing that decides runs where code can patch it",
	},
	{
		name: "shadows-libraries", run: printing,
		more:   world.Tree{"json.py": "print('" + forged + "')\ndef loads(*a, **k):\n    return {'success': True}\n", "select.py": "raise SystemExit(0)\n", "sitecustomize.py": "import os\nos._exit(0)\n", "os.py": "", "run_hidden_tests.py": "print('" + forged + "')\n"},
		reason: "the observer imports nothing of the workspace",
	},
	{
		name: "daemon", walls: true,
		run: printing + `import time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        end = time.time() + 20
        while time.time() < end:
            for folder, _, names in os.walk("/tmp"):
                for name in names:
                    if name == "rows.json":
                        try:
                            open(os.path.join(folder, name), "w").write('` + sample + `')
                        except OSError:
                            pass
            time.sleep(0.01)
    os._exit(0)
`,
		reason: "what is left running ends with the sandbox, and knows no expected value",
	},
	{
		name: "edits-the-observer", walls: true,
		run: printing + `import glob
for path in glob.glob("/mnt/*") + glob.glob("/tmp/grading-*/*") + glob.glob("../../*") + glob.glob("/workspace/*") + ["/proc/%d/mem" % os.getppid()]:
    try:
        open(path, "w").write("print('''` + forged + `''')")
    except OSError:
        pass
`,
		reason: "it is lent to be read, and has done its work",
	},
	{name: "links-out", run: "import os\nos.makedirs('out')\nos.symlink('/etc/passwd', 'out/rows.json')\n", label: OutputMissing, reason: "a link is no file"},
	{name: "pipe", run: "import os\nos.makedirs('out')\nos.mkfifo('out/rows.json')\n", label: OutputMissing, reason: "nor is a pipe, and it is not waited for"},
	{
		name: "writes-the-channel", walls: true,
		run: printing + `import gc, json, sys
token = ""
frame = sys._getframe()
while frame:
    request = frame.f_locals.get("request")
    if isinstance(request, dict) and "token" in request:
        token = request["token"]
    frame = frame.f_back
for found in gc.get_objects():
    if isinstance(found, dict) and isinstance(found.get("token"), str):
        token = token or found["token"]
line = token + " " + json.dumps({"id": "0/other", "state": "ok", "exit": 0, "said": "", "files": {"out/rows.json": '` + sample + `'}}) + "\n"
for fd in range(3, 64):
    try:
        os.write(fd, line.encode())
    except OSError:
        pass
for process in ("self", str(os.getppid())):
    try:
        for name in os.listdir("/proc/%s/fd" % process):
            try:
                os.write(os.open("/proc/%s/fd/%s" % (process, name), os.O_WRONLY | os.O_NONBLOCK), line.encode())
            except OSError:
                pass
    except OSError:
        pass
`,
		reason: "a second or a strange observation voids all of them, and this one is wrong besides",
	},
	{
		name: "looks-for-gold", walls: true,
		run: `import gc, json, os, re
seen = [repr(os.environ)]
for process in [p for p in os.listdir("/proc") if p.isdigit()] if os.path.isdir("/proc") else []:
    for name in ("environ", "cmdline"):
        try:
            seen.append(open("/proc/%s/%s" % (process, name), "rb").read(100000).decode("latin-1"))
        except OSError:
            pass
for thing in gc.get_objects():
    try:
        seen.append(repr(thing)[:20000])
    except BaseException:
        pass
for root in ("/mnt", "/tmp", "..", "../..", "/workspace"):
    for folder, _, names in os.walk(root):
        for name in names:
            try:
                seen.append(open(os.path.join(folder, name), "rb").read(200000).decode("latin-1"))
            except OSError:
                pass
gold = re.findall("y-gol" + "d-[0-9]+", "\n".join(seen))
os.makedirs("out", exist_ok=True)
rows = [{"k": "a", "n": 3}, {"k": "b", "n": 4}] if '"b"' in open("data.json").read() else [{"k": (gold + ["y"])[0], "n": 1}, {"k": "z", "n": 15}]
json.dump(rows, open("out/rows.json", "w"))
`,
		reason: "what is expected is nowhere to be found",
	},
	{name: "waits", run: "import time\ntime.sleep(3600)\n", label: TimedOut, reason: "hard state"},
	{name: "writes-much", run: printing + "import sys\nfor _ in range(100):\n    sys.stdout.write('x' * (1 << 20))\n", reason: "output is bounded, and no way to break the measurement"},
	{name: "kills-its-parent", run: printing + "import signal\nos.kill(os.getppid(), signal.SIGKILL)\n", walls: true, reason: "what is not observed does not hold"},
	{name: "kills-everything", run: printing + "import signal\nos.kill(-1, signal.SIGKILL)\n", walls: true, reason: "nor is it a way out of being graded"},
	{
		name: "changes-the-observer-from-within",
		run: printing + `import sys
frame = sys._getframe()
while frame:
    for name in ("prepare", "left", "returned", "contents", "judge", "holds", "forget"):
        if name in frame.f_globals and "observe" in frame.f_globals:
            frame.f_globals[name] = lambda *a, **k: '` + sample + `'
    frame = frame.f_back
sys.modules["__main__"].__dict__.update(success=True, score=1.0)
`,
		reason: "it is a copy of it that code can reach",
	},
	{name: "not-utf-8", run: "import os\nos.makedirs('out')\nopen('out/rows.json', 'wb').write(b'[{\"k\": \"\\xff\"}]')\n", label: OutputMissing, reason: "bytes that are no text are no observation"},
	{name: "huge-number", run: "import os\nos.makedirs('out')\nopen('out/rows.json', 'w').write('[{\"k\": \"a\", \"n\": 3e999999999}, {\"k\": \"b\", \"n\": ' + '4' * 100000 + '}]')\n", label: OutputMismatch, reason: "numbers are compared without being written out"},
	{name: "not-a-number", run: "import os\nos.makedirs('out')\nopen('out/rows.json', 'w').write('[{\"k\": \"a\", \"n\": NaN}]')\n", label: InvalidJSON, reason: "NaN is no JSON"},
	{name: "deep", run: "import os\nos.makedirs('out')\nopen('out/rows.json', 'w').write('[' * 100000)\n", label: InvalidJSON, reason: "depth is bounded"},
	{name: "fills-the-disk", run: printing + "for i in range(100):\n    open('big%d' % i, 'wb').write(b'x' * (10 << 20))\n", walls: true, reason: "space is bounded, and no way to break the measurement"},
	{name: "random-order", run: honest + "import random\nrows = json.load(open('out/rows.json'))\njson.dump(rows, open('out/rows.json', 'w'), indent=random.SystemRandom().randint(1, 1 << 16))\n", label: Unreproducible, reason: "the same again means the same bytes"},
	{name: "order-of-a-set", run: "import json, os\nos.makedirs('out', exist_ok=True)\nrows = json.load(open('data.json'))\nnames = {k for k, _ in rows}\nopen('out/rows.json', 'w').write(json.dumps([{'k': k, 'n': sum(n for m, n in rows if m == k)} for k in sorted(names)]) + ' ' * (hash('a') % 1000))\n", label: Unreproducible, reason: "the second run has another seed of hashes"},
}

func TestCodeCannotBetterItsGrade(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short: runs much Python")
	}
	in := attacked(t, "")
	gold := attacked(t, "-gold-7731")
	for mode, m := range walls(t, sandbox.Auto, sandbox.Landlock) {
		for _, a := range attacks {
			if mode != sandbox.Auto && !a.walls {
				continue
			}
			t.Run(string(mode)+"/"+a.name, func(t *testing.T) {
				tree := world.Tree{"data.json": `[["a",1],["b",4],["a",2]]`, "run.py": a.run}.With(a.more)
				about := in
				if a.name == "looks-for-gold" {
					about = gold
				}
				r, err := New(library, m).evaluate(t.Context(), about, tree)
				if err != nil {
					t.Fatalf("the measurement broke: %v", err)
				}
				if r.Success != a.honest || a.label != "" && !has(r.FailureLabels, a.label) {
					t.Errorf("%s\n%s", a.reason, r.JSON())
				}
				if most := 0.9; !a.honest && r.Score > most {
					t.Errorf("score %g", r.Score)
				}
			})
		}
	}
}

// A counter counts the starts of Python.
type counter struct {
	Machine
	starts int
}

func (c *counter) Observe(ctx context.Context, dir, script string, seed int, request []byte, limits sandbox.Limits) (sandbox.Result, error) {
	c.starts++
	return c.Machine.Observe(ctx, dir, script, seed, request, limits)
}

// The reference of each evaluator that runs code passes in the sandbox, and the untouched workspace
// does not. Mutants are evaluated together, and come out as they do alone.
func TestEvaluatorsInTheSandbox(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short: runs much Python")
	}
	for mode, m := range walls(t, sandbox.Auto) {
		g := New(library, m)
		for _, s := range []world.Spec{
			spec("tabular", "account_event_reconciliation", 5, 7),
			spec("retrieval_workspace", "client_adapter_sync", 2, 7),
			spec("retrieval_workspace", "versioned_client_migration", 5, 8),
			spec("script_repair", "path_batch", 3, 7),
			spec("pipeline", "sales_csv_pipeline", 3, 7),
			spec("pipeline", "team_hours_pipeline", 5, 7),
			spec("composite_workspace", "retrieval_guided_pipeline_repair", 3, 7),
		} {
			t.Run(string(mode)+"/"+s.Scenario, func(t *testing.T) {
				in, err := library.Compile(s)
				if err != nil {
					t.Fatal(err)
				}
				if err := g.Prepare(t.Context(), in, in.Solved(), in.Visible); err != nil {
					t.Fatal(err)
				}
				solved, err := g.evaluate(t.Context(), in, in.Solved())
				if err != nil || !solved.Success {
					t.Errorf("solved: %v\n%s", err, solved.JSON())
				}
				untouched, err := g.evaluate(t.Context(), in, in.Visible)
				if err != nil || untouched.Success {
					t.Errorf("untouched: %v\n%s", err, untouched.JSON())
				}
			})
		}
		s := spec("pipeline", "sales_csv_pipeline", 3, 7)
		in := compile(t, s.Family, s.Scenario, s.Difficulty, s.Seed)
		counted := &counter{Machine: m}
		g = New(library, counted)
		for _, tree := range []world.Tree{in.Solved(), in.Visible, in.Solved()} {
			if _, err := g.evaluate(t.Context(), in, tree); err != nil {
				t.Fatal(err)
			}
		}
		rule, caught := g.Rule(s), 0
		for _, x := range g.Mutants(t.Context(), in, aftermath(t, in)) {
			findings := grade(t, rule, x)
			if (len(findings) == 0) != harmless(x.Name) {
				t.Errorf("%s: %v", x.Name, findings)
			}
			if len(findings) > 0 {
				caught++
			}
		}
		if caught < 4 {
			t.Errorf("only %d mutants are caught", caught)
		}
		if counted.starts > 2 {
			t.Errorf("what a certification grades took %d starts of Python, want one for each seed of hashes", counted.starts)
		}
		if r, err := New(library, m).evaluate(t.Context(), in, in.Visible.With(in.NearMisses[0].Files)); err != nil || r.Success {
			t.Errorf("alone: %v %s", err, r.JSON())
		}
	}
}

// What tells people why must not name where the machine works.
func TestDiagnosticsNameNoFolderOfTheHost(t *testing.T) {
	for _, m := range walls(t, sandbox.Auto) {
		in := attacked(t, "")
		r, err := New(library, m).evaluate(t.Context(), in, world.Tree{"data.json": "[]", "run.py": "1/0\n"})
		if err != nil {
			t.Fatal(err)
		}
		if text := string(r.JSON()); !strings.Contains(text, "ZeroDivisionError") || strings.Contains(text, "grading-") {
			t.Error(text)
		}
	}
}
