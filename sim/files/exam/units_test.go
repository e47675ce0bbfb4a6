package exam_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"benchwright/sim/files"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/exam/examtest"
)

// Cases of a workspace share a process, and each is as if it had one of its own: what honest code
// leaves behind in it is forgotten, and where code ends the process the next case goes on.
func TestCasesOfAProcessDoNotMeet(t *testing.T) {
	const meets = `import decimal, json, os, sys
import counter
counter.n += 1
seen = {"n": counter.n, "env": os.environ.get("MARK"), "path": "marked" in sys.path, "prec": decimal.getcontext().prec, "here": sorted(os.listdir(".")), "folder": os.path.basename(os.getcwd())}
os.environ["MARK"] = "x"
sys.path.insert(0, "marked")
decimal.getcontext().prec = 3
json.dump(seen, open("seen.json", "w"))
sys.stdout = open(os.devnull, "w")
end = open("end.txt").read() if os.path.exists("end.txt") else ""
os.chdir("/")
exec(end)
`
	tree := files.Tree{"run.py": meets, "counter.py": "n = 0\n"}
	script := func(id, end string) exam.Case {
		c := exam.Case{ID: id, Script: []string{"run.py"}, Read: []string{"seen.json"}}
		if end != "" {
			c.Files = map[string]string{"end.txt": end}
		}
		return c
	}
	ends := map[string]string{"first": "", "raises": "raise RuntimeError", "exits": "os._exit(3)", "leaves": "sys.exit(4)", "killed": "os.kill(os.getpid(), 9)", "last": ""}
	s := &exam.Sheet{Runs: 1, Seconds: 10}
	for _, id := range []string{"first", "raises", "exits", "leaves", "killed", "last"} {
		s.Cases = append(s.Cases, script(id, ends[id]))
		s.Checks = append(s.Checks, exam.Check{ID: id, Test: id, Case: id, Aspect: exam.Runs})
	}
	dir := t.TempDir()
	var names []string
	for i := range 3 {
		names = append(names, fmt.Sprintf("w%d", i))
		if err := tree.With(files.Tree{fmt.Sprintf("only%d", i): ""}).Write(filepath.Join(dir, names[i])); err != nil {
			t.Fatal(err)
		}
	}
	var apart map[string][]exam.Run
	for _, together := range []bool{false, true} {
		s.Together = together
		seen, err := s.Observe(t.Context(), examtest.Python(t, dir), names...)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range names {
			for id, end := range ends {
				o := seen[name][0][id]
				here := `"counter.py", ` + fmt.Sprintf(`"only%d", "run.py"`, i)
				if end != "" {
					here = `"counter.py", "end.txt", ` + fmt.Sprintf(`"only%d", "run.py"`, i)
				}
				want := `{"n": 1, "env": null, "path": false, "prec": 28, "here": [` + here + `], "folder": "workspace"}`
				if text := o.Files["seen.json"]; text == nil || *text != want {
					t.Errorf("together %t, %s, %s: it saw %v, want %s; %s", together, name, id, text, want, o.Said)
				}
				if code := map[string]int{"raises": 1, "exits": 3, "leaves": 4, "killed": -9}[id]; o.Exit == nil || *o.Exit != code {
					t.Errorf("together %t, %s, %s: %+v, want exit %d", together, name, id, o, code)
				}
			}
		}
		if !together {
			apart = seen
		} else if !reflect.DeepEqual(seen, apart) {
			t.Errorf("together %+v\napart %+v", seen, apart)
		}
	}
}

// A workspace that waits is not waited for at every case.
func TestTheObserverLosesPatience(t *testing.T) {
	s := &exam.Sheet{Runs: 1, Seconds: 1}
	for i := range 8 {
		id := fmt.Sprint(i)
		s.Cases = append(s.Cases, exam.Case{ID: id, Script: []string{"run.py"}, Read: []string{"x"}})
		s.Checks = append(s.Checks, exam.Check{ID: id, Test: id, Case: id, Aspect: exam.Runs})
	}
	dir := t.TempDir()
	tree := files.Tree{"run.py": "import time\nopen('x', 'w').write('begun')\ntime.sleep(60)\n"}
	if err := tree.Write(filepath.Join(dir, "w0")); err != nil {
		t.Fatal(err)
	}
	seen, err := s.Observe(t.Context(), examtest.Python(t, dir), "w0")
	if err != nil {
		t.Fatal(err)
	}
	begun := 0
	for id, o := range seen["w0"][0] {
		if o.State != "timeout" || o.Exit != nil {
			t.Errorf("%s: %+v", id, o)
		}
		if o.Files["x"] != nil {
			begun++
		}
	}
	if begun != 2 {
		t.Errorf("%d cases were begun", begun)
	}
}
