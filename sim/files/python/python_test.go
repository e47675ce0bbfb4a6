//go:build linux

package python_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"benchwright/sim/files/python"
	"benchwright/sim/files/sandbox"
)

func box(t *testing.T) *sandbox.Sandbox {
	t.Helper()
	s, err := sandbox.Open(t.Context(), sandbox.Auto)
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	return s
}

func run(t *testing.T, s *sandbox.Sandbox, c sandbox.Command) string {
	t.Helper()
	res, err := s.Run(t.Context(), c)
	if err != nil || !res.OK() {
		t.Fatalf("%.200q: exit %d, over %q, stderr %.1000q, %v", c.Args, res.ExitCode, res.Over, res.Stderr, err)
	}
	return string(res.Stdout)
}

// interpreters returns the two, without the host's where a machine has none.
func interpreters(t *testing.T) map[string]python.Interpreter {
	t.Helper()
	all := map[string]python.Interpreter{}
	for _, name := range []string{"embedded", "host"} {
		py, err := python.Find(name)
		if err != nil && name == "host" && strings.Contains(err.Error(), "the host has none") {
			t.Logf("SKIPPED: %v", err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		all[name] = py
	}
	return all
}

func TestScriptsRunTheSameEverywhere(t *testing.T) {
	s := box(t)
	for name, py := range interpreters(t) {
		dir := t.TempDir()
		for path, text := range map[string]string{"helper.py": "N = 41", "main.py": "import helper, sys\nprint(helper.N + 1, sys.argv[1:], hash('x') % 1000, sys.flags.utf8_mode)"} {
			if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		first := run(t, s, py.Command(s, dir, "main.py", "a", "b"))
		if !strings.HasPrefix(first, "42 ['a', 'b'] ") || !strings.HasSuffix(first, " 1\n") {
			t.Errorf("%s: printed %q", name, first)
		}
		if again := run(t, s, py.Command(s, dir, "main.py", "a", "b")); again != first {
			t.Errorf("%s: hashes differ from run to run: %q, %q", name, first, again)
		}
		if got := run(t, s, py.Shell(s, dir, "python main.py a b && python3 main.py a b")); got != first+first {
			t.Errorf("%s: a shell gets %q", name, got)
		}
		if got := run(t, s, py.Command(s, dir, "-P", "-c", "import importlib.util; print(importlib.util.find_spec('helper'))")); got != "None\n" {
			t.Errorf("%s: -P finds %q in the folder", name, got)
		}
		if _, err := os.Stat(filepath.Join(dir, "__pycache__")); err == nil {
			t.Errorf("%s: byte code was written", name)
		}
		version := run(t, s, py.Command(s, dir, "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])"))
		if strings.TrimSpace(version) != py.Version || !regexp.MustCompile(`^python \d+\.\d+\.\d+ sha256:[0-9a-f]{64}$`).MatchString(py.String()) {
			t.Errorf("%s: version %q, named %s", name, version, py)
		}
	}
	if _, err := python.Find("shim"); err == nil || err.Error() != `python "shim": want embedded or host` {
		t.Errorf("an unknown name: %v", err)
	}
}

func TestTheEmbeddedPythonCannotBeChanged(t *testing.T) {
	py, err := python.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(py.Root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Type()&os.ModeSymlink != 0 {
			return err
		}
		if st, err := d.Info(); err != nil || st.Mode().Perm()&0o222 != 0 {
			t.Errorf("%s: mode %v, %v", path, st.Mode(), err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	s := box(t)
	out := run(t, s, py.Command(s, t.TempDir(), "-c", `
import csv, os, sys
for path in (csv.__file__, sys.executable, os.path.dirname(csv.__file__) + '/evil.py'):
    for f in (lambda: open(path, 'a'), lambda: os.chmod(path, 0o777), lambda: os.remove(path)):
        try: f()
        except OSError: print('refused')
        else: print('changed', path)`))
	if out != strings.Repeat("refused\n", 9) {
		t.Error(out)
	}
}

// TestOnlyThisPackageLinksPython holds what a suite without Python counts on.
func TestOnlyThisPackageLinksPython(t *testing.T) {
	const module = "github.com/kluctl/go-embed-python"
	deps := func(packages ...string) string {
		out, err := exec.Command("go", append([]string{"list", "-deps"}, packages...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if !strings.Contains(deps("benchwright/sim/files/python"), module) {
		t.Errorf("this package does not import %s: the test looks for the wrong name", module)
	}
	if strings.Contains(deps("benchwright", "benchwright/cmd", "benchwright/tasks", "benchwright/agent/...", "benchwright/reports", "benchwright/internal/run",
		"benchwright/sim", "benchwright/sim/workspace/...", "benchwright/steps/workspace", "benchwright/sim/files/sandbox"), module) {
		t.Errorf("a suite without Python links %s", module)
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}: {{join .Imports " "}}`, "benchwright/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, module) && !strings.HasPrefix(line, "benchwright/sim/files/python: ") {
			t.Errorf("imported elsewhere: %.200s", line)
		}
	}
}
