package files_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"benchwright/sim"
	"benchwright/sim/files"
	"benchwright/sim/files/builtin"
	"benchwright/sim/files/machine"
	"benchwright/sim/files/sandbox"
)

func TestCommandsMeetNothingOfTheHost(t *testing.T) {
	for _, mode := range []string{"auto", "landlock"} {
		t.Run(mode, func(t *testing.T) {
			m := machine.New(mode, "")
			if err := m.Ready(t.Context()); errors.Is(err, sandbox.ErrRefused) {
				t.Skipf("SKIPPED: %v", err)
			} else if err != nil {
				t.Fatal(err)
			}
			scratch := t.TempDir()
			spec := files.NewSpec("retrieval_workspace", 4, 91)
			lib := files.NewLibrary(builtin.Families()...)
			in, err := lib.Compile(spec)
			if err != nil {
				t.Fatal(err)
			}
			w, err := lib.Kind(m).New(t.Context(), sim.Env{Scratch: scratch}, files.Setup{Spec: &spec}.JSON(), []string{"all"})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			do(t, w, "write_file", "path", "look.py", "content", "import os, sys, json, tempfile\nprint(os.getcwd(), sys.argv, sys.path, tempfile.gettempdir(), sys.executable)\nprint(sorted(os.environ.items()))\nprint([(f, int(os.stat(f).st_mtime)) for f in sorted(os.listdir('.'))])\nopen('/nowhere/x')\n")
			for range 2 {
				o, _ := do(t, w, "run_python", "command_or_script", "look.py")
				said := o.Stdout + o.Stderr
				host, err := os.Hostname()
				if err != nil {
					t.Fatal(err)
				}
				for _, bad := range []string{scratch, os.TempDir() + "/", "benchwright", ".cache", host + " ", in.Manifest.Family, in.Manifest.Metadata.Scenario, in.Manifest.EnvID, "hidden", "BENCH", "difficulty", "'91'"} {
					if bad == "/tmp/" { // the command's own
						continue
					}
					if strings.Contains(said, bad) {
						t.Errorf("a command may read %q:\n%s", bad, said)
					}
				}
				if !strings.HasPrefix(o.Stdout, "/workspace ") || !strings.Contains(o.Stderr, "FileNotFoundError") && !strings.Contains(o.Stderr, "PermissionError") {
					t.Errorf("stdout %q, stderr %q", o.Stdout, o.Stderr)
				}
			}
			a, _ := do(t, w, "run_shell", "command", "python look.py; ls -lago --time-style=+%s . | tail -n +3")
			b, _ := do(t, w, "run_shell", "command", "python look.py; ls -lago --time-style=+%s . | tail -n +3")
			if a.Stdout == "" || strip(a.Stdout) != strip(b.Stdout) {
				t.Errorf("two runs of one command differ:\n%s\n%s", a.Stdout, b.Stdout)
			}
			left, err := os.ReadDir(scratch)
			if err != nil || len(left) > 0 {
				t.Errorf("between commands the scratch folder holds %v, %v", left, err)
			}
		})
	}
}

// strip leaves out the parent folder, which is the machine's.
func strip(listing string) string {
	var kept []string
	for line := range strings.Lines(listing) {
		if !strings.HasSuffix(line, " ..\n") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func TestWhatCommandsLeaveIsKeptAsFarAsItCanBe(t *testing.T) {
	w := open(t, files.KindOf(commands(t)), deskSetup())
	o, _ := do(t, w, "run_shell", "command", strings.Join([]string{
		`mkdir -p empty/deep closed`, `echo s > closed/secret`, `chmod 000 closed/secret closed`, `mkfifo pipe`, `ln README.md twin`, `ln -s data/in.txt alias`,
		`printf 'a\377b' > bytes`, `printf x > "$(printf 'bad\377name')"`, `printf '#!/bin/sh\necho ran\n' > tool.sh`, `chmod +x tool.sh`,
	}, "; "))
	if !o.Success {
		t.Fatalf("the command: %+v", o)
	}
	if got, want := fmt.Sprint(o.TouchedFiles), "[alias bytes closed/secret tool.sh twin]"; got != want {
		t.Errorf("touched %s, want %s", got, want)
	}
	if o, _ = do(t, w, "run_shell", "command", "./tool.sh; echo more >> twin; cat README.md; cat alias closed/secret; ls -d empty/deep; test -p pipe || echo no pipe"); o.Stdout != "ran\nCount the lines.\na\nb\ns\nempty/deep\nno pipe\n" {
		t.Errorf("the next command saw %q, %q", o.Stdout, o.Stderr)
	}
	ws := state(t, w)
	if tree := ws.Tree(); tree["bytes"] != "a\xffb" || tree["twin"] != "Count the lines.\nmore\n" || ws.Links()["alias"] != "data/in.txt" {
		t.Errorf("tree %q, links %q", tree, ws.Links())
	}
	decoded, err := files.KindOf(nil).DecodeState(ws.JSON(), nil)
	if err != nil || string(decoded.JSON()) != string(ws.JSON()) {
		t.Errorf("decoding %s: %v", ws.JSON(), err)
	}
	if o, _ = do(t, w, "read_file", "path", "bytes"); o.Message != "Tool execution failed: UnicodeDecodeError" {
		t.Errorf("reading what is no text: %+v", o)
	}
}

func TestACommandThatLeavesTooMuchLeavesNothing(t *testing.T) {
	w := open(t, files.KindOf(commands(t)), deskSetup())
	before := string(state(t, w).JSON())
	o, r := do(t, w, "run_shell", "command", "echo x > small; for i in 1 2 3 4 5 6; do dd if=/dev/zero of=big$i bs=1000000 count=15; done")
	if r.OK() || r.Code != string(sandbox.DiskLimit) || len(o.TouchedFiles) > 0 || string(state(t, w).JSON()) != before {
		t.Errorf("90 MB: %+v", o)
	}
	if o, r = do(t, w, "run_shell", "command", "dd if=/dev/zero of=big bs=1500000 count=1"); !r.OK() {
		t.Fatalf("1.5 MB: %+v", o)
	}
	ws := state(t, w)
	decoded, err := files.KindOf(nil).DecodeState(ws.JSON(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []sim.State{ws, decoded} {
		got, err := files.ReadWorkspace(s)
		if err != nil || len(s.JSON()) > 4096 || fmt.Sprint(got.Withheld()) != "[big]" || got.Digest() != ws.Digest() || got.Tree()["big"] != "" {
			t.Errorf("a state with a large file: %v, %.300s", err, s.JSON())
		}
	}
}

func TestWhatACommandDidBeforeItsTimeWasUpIsKept(t *testing.T) {
	w := open(t, files.KindOf(slow{}), deskSetup())
	o, r := do(t, w, "run_python", "command_or_script", "count.py")
	if r.Code != files.CodeTimeout || o.Message != "Python command timed out: count.py" || o.ExitCode != nil || o.Stdout == "" || state(t, w).Tree()["log"] != o.Stdout {
		t.Errorf("a slow script: %+v", o)
	}
}

func TestCommandsEndInTime(t *testing.T) {
	w := open(t, files.KindOf(commands(t)), deskSetup(func(s *files.Setup) { s.Bundle.Tools.ShellTimeoutSeconds = 1 }))
	o, r := do(t, w, "run_shell", "command", "sleep 90")
	if r.Code != files.CodeTimeout || o.Message != "Shell command timed out: sleep 90" || o.ExitCode != nil || r.Done {
		t.Errorf("a slow command: %+v", o)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	r = w.Call(ctx, call("run_shell", "command", "sleep 90"))
	if r.Fault != "" || !r.Done || r.Code != files.CodeTimeout {
		t.Errorf("a command when the episode ends: %+v", r)
	}
}
