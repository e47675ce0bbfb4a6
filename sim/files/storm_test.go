package files_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"benchwright/sim"
	"benchwright/sim/files"
	"benchwright/sim/files/sandbox"
)

// model is what a workspace should hold after writes alone, kept as simply as can be.
type model map[string]string

func TestRandomCalls(t *testing.T) {
	kind := files.KindOf(nil)
	for round := range 40 {
		r := files.NewRand(fmt.Sprint("storm", round))
		w := open(t, kind, deskSetup(func(s *files.Setup) { s.MaxSteps = 1 << 20 }))
		m := model(state(t, w).Tree())
		type twin struct {
			world sim.World
			was   string
		}
		var twins []twin
		for range 120 {
			p := files.Pick(r, []string{"a", "b/c", "b/c/d", "b", "data/in.txt", "./b//e", "data/../f", "../x", "/workspace/g", "b/../../workspace/h", "README.md/x"})
			text := strings.Repeat("é", r.N(4))
			clean := map[string]string{"./b//e": "b/e", "data/../f": "f", "/workspace/g": "g", "b/../../workspace/h": "h"}
			real := p
			if c := clean[p]; c != "" {
				real = c
			}
			tool := files.Pick(r, []string{"write_file", "append_file"})
			o, _ := do(t, w, tool, "path", p, "content", text)
			possible := p != "../x" && p != "README.md/x" && !m.folder(real) && !m.below(real)
			if o.Success != possible {
				t.Fatalf("round %d: %s %s: %+v, possible: %t, in %v", round, tool, p, o, possible, m)
			}
			if possible && tool == "append_file" {
				m[real] += text
			} else if possible {
				m[real] = text
			}
			if got, want := state(t, w).Digest(), files.Tree(m).Digest(); got != want || *o.WorkspaceDigest != want {
				t.Fatalf("round %d: after %s %s the workspace is %v, want %v", round, tool, p, state(t, w).Tree(), m)
			}
			for _, twin := range twins {
				if got := string(state(t, twin.world).JSON()); got != twin.was {
					t.Fatalf("round %d: %s in one fork changed another: %s, was %s", round, p, got, twin.was)
				}
			}
			if r.Chance(5) {
				f, err := w.Fork()
				if err != nil {
					t.Fatal(err)
				}
				twins = append(twins, twin{w, string(state(t, w).JSON())})
				w = f
			}
		}
		raw := state(t, w).JSON()
		if !sim.IsCanonical(raw) {
			t.Fatalf("the state is not canonical: %s", raw)
		}
		again, err := kind.DecodeState(raw, nil)
		if err != nil || string(again.JSON()) != string(raw) {
			t.Fatalf("decoded, %s is %v, %v", raw, again, err)
		}
	}
}

func (m model) folder(p string) bool {
	for q := range m {
		if strings.HasPrefix(q, p+"/") {
			return true
		}
	}
	return false
}

func (m model) below(p string) bool {
	for q := range m {
		if strings.HasPrefix(p, q+"/") {
			return true
		}
	}
	return false
}

// What a call leaves is the same, whether the workspace was on a disk in between or not.
func TestCommandsAndToolsSeeOneWorkspace(t *testing.T) {
	w := open(t, files.KindOf(commands(t)), deskSetup())
	do(t, w, "write_file", "path", "deep/er/x.txt", "content", "one\n")
	do(t, w, "write_file", "path", "l.py", "content", "import os\nos.symlink('er', 'deep/short')\nos.symlink('/', 'out')\nos.mkdir('hollow')\nopen('deep/er/x.txt', 'a').write('two\\n')\n")
	do(t, w, "run_python", "command_or_script", "l.py")
	before := state(t, w)
	if o, _ := do(t, w, "run_shell", "command", "true"); len(o.TouchedFiles) > 0 || string(state(t, w).JSON()) != string(before.JSON()) {
		t.Errorf("a command that does nothing touched %v", o.TouchedFiles)
	}
	if o, _ := do(t, w, "append_file", "path", "deep/short/x.txt", "content", "three\n"); fmt.Sprint(o.TouchedFiles) != "[deep/er/x.txt]" {
		t.Errorf("a write over a link touched %v", o.TouchedFiles)
	}
	for _, p := range []string{"out/etc/passwd", "deep/short/../../../x"} {
		if o, r := do(t, w, "read_file", "path", p); r.Code != files.CodePathEscape || o.Content != nil {
			t.Errorf("reading %s: %+v", p, o)
		}
		if _, r := do(t, w, "write_file", "path", p, "content", "x"); r.Code != files.CodePathEscape {
			t.Errorf("writing %s: %+v", p, r)
		}
	}
	if o, _ := do(t, w, "list_directory", "path", "deep"); fmt.Sprint(o.Listing) != "[er/ short/]" {
		t.Errorf("deep holds %v", o.Listing)
	}
	do(t, w, "write_file", "path", "hollow/y", "content", "")
	if o, _ := do(t, w, "run_shell", "command", "cat deep/er/x.txt; ls hollow"); o.Stdout != "one\ntwo\nthree\ny\n" {
		t.Errorf("the command saw %q, %q", o.Stdout, o.Stderr)
	}
	if tree := state(t, w).Tree(); tree["out"] != "" || tree["deep/er/x.txt"] == "" {
		t.Errorf("the tree holds %v", tree)
	}
}

func FuzzCall(f *testing.F) {
	for _, name := range files.ToolNames() {
		f.Add(name, `{"path":"a/../b","content":"x"}`)
		f.Add(name, `{"path":"../../etc/passwd"}`)
		f.Add(name, `{"command":"python -c 1","path_or_answer":"out.json"}`)
		f.Add(name, `{"command_or_script":"'unclosed","path":5}`)
	}
	f.Add("no_such_tool", `[]`)
	kind := files.KindOf(deaf{})
	f.Fuzz(func(t *testing.T, name, args string) {
		w := open(t, kind, deskSetup())
		r := w.Call(t.Context(), sim.Call{Name: name, Arguments: json.RawMessage(args)})
		if r.Fault != "" {
			t.Fatalf("%q(%q): fault %s", name, args, r.Fault)
		}
		o, err := files.ParseOutcome(r.Data)
		if err != nil || !sim.IsCanonical(r.Data) {
			t.Fatalf("%q(%q): %v: %s", name, args, err, r.Data)
		}
		if o.Success != r.OK() {
			t.Errorf("%q(%q): success is %t, the status %s", name, args, o.Success, r.Status)
		}
		for p := range state(t, w).Tree() {
			if strings.HasPrefix(p, "/") || strings.Contains("/"+p+"/", "/../") {
				t.Errorf("%q(%q) wrote %q", name, args, p)
			}
		}
		raw := state(t, w).JSON()
		if again, err := kind.DecodeState(raw, nil); err != nil || string(again.JSON()) != string(raw) {
			t.Errorf("%q(%q): the state %s decodes to %v, %v", name, args, raw, again, err)
		}
	})
}

func FuzzDecodeState(f *testing.F) {
	f.Add(`{"files":{"a":{"text":"x"},"b":{"base64":"/w==","mode":"755"}},"folders":["c"],"links":{"d":"a"},"submission":"a","submitted":true}`)
	f.Add(`{"files":{"a/b":{"text":"x"},"a":{"sha256":"x","size":1}},"folders":["a"]}`)
	f.Fuzz(func(t *testing.T, raw string) {
		s, err := files.KindOf(nil).DecodeState(json.RawMessage(raw), nil)
		if err != nil {
			return
		}
		first := s.JSON()
		if !sim.IsCanonical(first) {
			t.Fatalf("%q: the state is not canonical: %s", raw, first)
		}
		again, err := files.KindOf(nil).DecodeState(first, nil)
		if err != nil || string(again.JSON()) != string(first) {
			t.Errorf("%q became %s, and that %v, %v", raw, first, again, err)
		}
	})
}

// deaf is a machine whose commands do nothing.
type deaf struct{}

func (deaf) Ready(context.Context) error { return nil }
func (deaf) Run(context.Context, files.Command) (sandbox.Result, error) {
	return sandbox.Result{}, nil
}
