package machine_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"benchwright/sim/files"
	"benchwright/sim/files/machine"
	"benchwright/sim/files/sandbox"
)

func TestNamesThatAreNone(t *testing.T) {
	if err := machine.New("jail", "").Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "want auto, landlock or none") {
		t.Errorf("a sandbox mode that there is not: %v", err)
	}
	if err := machine.New("", "pypy").Ready(t.Context()); !errors.Is(err, sandbox.ErrRefused) && (err == nil || !strings.Contains(err.Error(), "want embedded or host")) {
		t.Errorf("a Python that there is not: %v", err)
	}
}

func TestCommandsRunWithPythonAndWithoutPathsOfTheHost(t *testing.T) {
	for _, mode := range []string{"auto", "landlock", "none"} {
		t.Run(mode, func(t *testing.T) {
			m := machine.New(mode, "")
			if err := m.Ready(t.Context()); errors.Is(err, sandbox.ErrRefused) {
				t.Skipf("SKIPPED: %v", err)
			} else if err != nil {
				t.Fatal(err)
			}
			level, err := m.Level(t.Context())
			if err != nil || level == "" || (level == "none") != (mode == "none") {
				t.Errorf("level %q, %v", level, err)
			}
			if name, err := m.Interpreter(t.Context()); err != nil || !strings.HasPrefix(name, "python 3.") {
				t.Errorf("interpreter %q, %v", name, err)
			}
			dir := t.TempDir()
			if err := os.WriteFile(dir+"/x.py", []byte("import os, sys, tempfile\nprint(os.getcwd(), sys.executable, tempfile.gettempdir(), sys.argv[1:])\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			res, err := m.Run(t.Context(), files.Command{Dir: dir, Script: []string{"./x.py", "a b"}, Wall: 20 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(res.Stdout); !strings.HasPrefix(got, "/workspace /opt/python/bin/python") || !strings.HasSuffix(got, " /tmp ['a b']\n") {
				t.Errorf("a script said %q, %q", got, res.Stderr)
			}
			res, err = m.Run(t.Context(), files.Command{Dir: dir, Line: "pwd; python x.py; exit 4", Wall: 20 * time.Second})
			if err != nil || res.ExitCode != 4 || strings.Contains(string(res.Stdout), dir) || strings.Count(string(res.Stdout), "/workspace") != 2 {
				t.Errorf("a line: %+v, %v", res, err)
			}
			if res, err = m.Run(t.Context(), files.Command{Dir: dir, Line: "sleep 20", Wall: 300 * time.Millisecond}); err != nil || res.Over != sandbox.TimedOut {
				t.Errorf("a slow line: %+v, %v", res, err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err = m.Run(ctx, files.Command{Dir: dir, Line: "true", Wall: time.Second}); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
		})
	}
}
