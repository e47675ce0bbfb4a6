package files

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"benchwright/sim"
	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/sandbox"
)

// values visits a value and all that is within it.
func values(v any, visit func(v any)) {
	visit(v)
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			values(e, visit)
		}
	case []any:
		for _, e := range v {
			values(e, visit)
		}
	}
}

// trivial reports whether a value says so little that it may occur anywhere.
func trivial(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		for _, e := range v {
			if !trivial(e) {
				return false
			}
		}
		return len(v) < 4
	case string:
		return len(v) < 12
	}
	return true
}

// holding are the values that a case's inputs hold, by their canonical text.
func holding(t *testing.T, c exam.Case) map[string]bool {
	found := map[string]bool{}
	note := func(v any) { values(v, func(v any) { found[canon(v)] = true }) }
	for _, text := range c.Files {
		if v, err := parse(text); err == nil {
			note(v)
		}
	}
	for _, call := range c.Calls {
		v, err := sim.ParseJSON(sim.MustCanonical(call.Args))
		if err != nil {
			t.Fatal(err)
		}
		note(v)
	}
	return found
}

// TestNoInputHoldsAnAnswer demands of all families that what one case is given holds no answer that
// another case of the same start is graded for: no value that it wants, and not the file that an
// agent was to write and that the other one meets as the agent left it. Of the second kind there are
// some, so that those have to come when the other one is over.
func TestNoInputHoldsAnAnswer(t *testing.T) {
	pairs, later := 0, 0
	every(t, []int{1, 3, 5}, []int64{1, 2, 3}, func(in *world.Instance) {
		e, err := ours().find(in)
		if err != nil {
			t.Fatal(err)
		}
		code, ok := e.(sheetEvaluator)
		if !ok {
			return
		}
		s, r, err := code.sheet(in, in.Solved())
		if err != nil || r != nil {
			t.Fatalf("%s: %v, %v", in.Manifest.EnvID, r, err)
		}
		solved := in.Solved()
		for n := range s.Runs {
			cases := s.Start(n)
			holds := make([]map[string]bool, len(cases))
			for i, c := range cases {
				holds[i] = holding(t, c)
			}
			for i, b := range cases {
				for j, a := range cases {
					if i == j {
						continue
					}
					pairs++
					for _, k := range s.Checks {
						if k.Case != b.ID || k.Aspect == exam.Content || k.Want == nil {
							continue
						}
						want, err := sim.ParseJSON(sim.MustCanonical(k.Want))
						if err != nil {
							t.Fatal(err)
						}
						if !trivial(want) && holds[j][canon(want)] {
							t.Errorf("%s: what check %s wants is in the input of case %s", in.Manifest.EnvID, k.ID, a.ID)
						}
					}
					for p, text := range a.Files {
						answer, graded := solved[p]
						_, laid := b.Files[p]
						if laid || b.Clears(p) || !graded || in.Visible[p] == answer || !exam.SameJSON(json.RawMessage(text), json.RawMessage(answer)) {
							continue
						}
						if later++; j < i {
							t.Errorf("%s: case %s is given %s as it should be before case %s, which meets the agent's own", in.Manifest.EnvID, a.ID, p, b.ID)
						}
					}
				}
			}
		}
	})
	if pairs < 1000 || later == 0 {
		t.Errorf("looked at %d pairs of cases, of which %d share an answer", pairs, later)
	}
}

// stealing looks for the policy in force wherever what other cases are given might lie, and puts it
// in the place of its own.
const stealing = `import gc, json, os, sys

mine = json.load(open("config/policy.json"))
texts = []
for root in {"../..", "/workspace", os.environ["TMPDIR"]}:
    for folder, _, names in os.walk(root):
        for name in names:
            try:
                texts.append(open(os.path.join(folder, name)).read(200000))
            except (OSError, ValueError):
                pass
things, frame = gc.get_objects(), sys._getframe()
while frame:
    things += list(frame.f_locals.values()) + list(frame.f_globals.values())
    frame = frame.f_back
for thing in things:
    if thing is texts or thing is things:
        continue
    if isinstance(thing, dict) and set(thing) == set(mine) and thing != mine:
        texts.append(json.dumps(thing))
    for text in thing.values() if isinstance(thing, dict) else thing if isinstance(thing, (list, tuple)) else [thing]:
        if isinstance(text, (str, bytes)) and len(text) < 200000:
            texts.append(text if isinstance(text, str) else text.decode("latin-1"))
for fd in range(0, 256):
    try:
        texts.append(os.pread(fd, 200000, 0).decode("latin-1"))
    except OSError:
        pass
for text in texts:
    if list(mine)[0] not in text:
        continue
    try:
        found = json.loads(text)
    except ValueError:
        continue
    if isinstance(found, dict) and set(found) == set(mine) and found != mine:
        json.dump(found, open("config/policy.json", "w"))
        open("/tmp/kept.json", "w").write(json.dumps(found))
        break
`

// TestAnswersAreNotToBeStolen leaves the policy wrong, with code that looks for it in what the other
// cases are given.
func TestAnswersAreNotToBeStolen(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short: runs much Python")
	}
	for mode, m := range walls(t, sandbox.Auto, sandbox.Landlock) {
		for _, seed := range []int64{1, 3} {
			if mode != sandbox.Auto && seed != 1 {
				continue
			}
			in := compile(t, "pipeline", "team_hours_pipeline", 5, seed)
			wrong := in.Solved().With(world.Tree{"config/policy.json": in.Visible["config/policy.json"]})
			if wrong["config/policy.json"] == in.Solved()["config/policy.json"] {
				t.Fatal("the policy is right as it stands")
			}
			stolen := wrong.With(world.Tree{"run_pipeline.py": stealing + wrong["run_pipeline.py"]})
			g := New(library, m)
			without, err := g.evaluate(t.Context(), in, wrong)
			if err != nil {
				t.Fatal(err)
			}
			with, err := g.evaluate(t.Context(), in, stolen)
			if err != nil {
				t.Fatal(err)
			}
			if with.Success || with.Score > without.Score || with.Subscores["capability_execution"] != 1 || !has(with.FailureLabels, "policy_failed") {
				t.Errorf("%s, seed %d: stealing makes %g of %g\n%s", mode, seed, with.Score, without.Score, with.JSON())
			}
		}
	}
}

// TestCodeDoesNotSayHowItEnded lets right code fail, and say in all ways that it did not.
func TestCodeDoesNotSayHowItEnded(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short: runs much Python")
	}
	for mode, m := range walls(t, sandbox.Auto) {
		in := compile(t, "pipeline", "team_hours_pipeline", 5, 3)
		run := in.Solved()["run_pipeline.py"]
		for name, end := range map[string]string{"exits": "raise SystemExit(7)\n", "waits": "import time\ntime.sleep(600)\n"} {
			forge := "\nimport os\nfor fd in range(3, 256):\n    for n in range(12):\n        try:\n            os.write(fd, b'%d 0\\n' % n)\n        except OSError:\n            pass\n" + end
			r, err := New(library, m).evaluate(t.Context(), in, in.Solved().With(world.Tree{"run_pipeline.py": run + forge}))
			if err != nil || r.Success || r.Score > halting {
				t.Errorf("%s, %s: %v\n%s", mode, name, err, r.JSON())
			}
		}
	}
}

// TestFilesAreGradedAsTheyWereLeft: what code does to a file has no weight in what the file says.
func TestFilesAreGradedAsTheyWereLeft(t *testing.T) {
	s := &exam.Sheet{
		Runs: 1, Seconds: 2,
		Cases:  []exam.Case{{ID: "c", Script: []string{"run.py"}, Read: []string{"a.json"}}},
		Checks: []exam.Check{{ID: "a", Test: "a", Case: "c", Aspect: exam.Content, File: "policy.json", Want: map[string]any{"n": 1}}},
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{`{"n": 1}`: true, `{"n": 1.0}`: true, `{"n": 2}`: false, `{"n": 1} x`: false, "": false} {
		for _, seen := range []string{`{"n": 1}`, `{"n": 2}`} {
			runs := []exam.Run{{"c": ran("policy.json", seen)}}
			if held := s.Grade(world.Tree{"policy.json": text}, runs); held["a"] != want {
				t.Errorf("%s, later %s: %v", text, seen, held)
			}
		}
	}
	if s.Grade(nil, []exam.Run{{"c": ran("policy.json", `{"n": 1}`)}})["a"] {
		t.Error("a file that only a run made was left")
	}
}

// TestTogetherIsAsApart compares the two ways of observing, on every scenario: what was solved, what
// was left untouched, and a near miss.
func TestTogetherIsAsApart(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short: runs much Python")
	}
	for _, m := range walls(t, sandbox.Auto) {
		every(t, []int{5}, []int64{4}, func(in *world.Instance) {
			e, _ := ours().find(in)
			if !e.Runs(in) {
				return
			}
			trees := []world.Tree{in.Solved(), in.Visible}
			if len(in.NearMisses) > 0 {
				trees[1] = in.Visible.With(in.NearMisses[0].Files)
			}
			both := New(library, m)
			if err := both.Prepare(t.Context(), in, trees...); err != nil {
				t.Fatal(err)
			}
			for i, tree := range trees {
				together, err := both.evaluate(t.Context(), in, tree)
				if err != nil {
					t.Fatal(err)
				}
				alone := New(library, m)
				code := e.(sheetEvaluator)
				apart, err := code.Evaluate(t.Context(), in, tree, alone.run)
				if err != nil {
					t.Fatal(err)
				}
				apart.settle()
				together.RuntimeSeconds = apart.RuntimeSeconds
				a, b := string(together.JSON()), string(apart.JSON())
				if a != b {
					t.Errorf("%s, tree %d: %s", in.Manifest.EnvID, i, fmt.Sprint("together ", a, "\napart ", b))
				}
				if i == 0 && !apart.Success || strings.Contains(a, "not observed") {
					t.Errorf("%s: %s", in.Manifest.EnvID, b)
				}
			}
		})
	}
}
