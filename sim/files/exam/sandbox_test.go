package exam_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"benchwright/sim/files"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/python"
	"benchwright/sim/files/sandbox"
)

// TestTheObserverWorksInTheSandbox is how graders run it: confined, with nothing lent but the
// observer's own text.
func TestTheObserverWorksInTheSandbox(t *testing.T) {
	for _, mode := range []sandbox.Mode{sandbox.Auto, sandbox.Landlock} {
		t.Run(string(mode), func(t *testing.T) {
			box, err := sandbox.Open(t.Context(), mode)
			if errors.Is(err, sandbox.ErrRefused) {
				t.Skipf("SKIPPED: %v", err)
			} else if err != nil {
				t.Fatal(err)
			}
			py, err := python.Embedded()
			if err != nil {
				t.Skipf("SKIPPED: %v", err)
			}
			base, err := os.MkdirTemp("", "exam") // without the folders of t.TempDir, which others may not pass
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { sandbox.Remove(base) })
			if err := os.Chmod(base, 0o755); err != nil {
				t.Fatal(err)
			}
			tree := workspace(nil)
			wrong := workspace(files.Tree{"src/double.py": "import os, glob\nprint(glob.glob('/mnt/**', recursive=True), os.environ)\ndef double(n):\n    return n\n"})
			for name, tr := range map[string]files.Tree{"work/w0": tree, "work/w1": wrong, "runner": {"run_hidden_tests.py": exam.Runner}} {
				if err := tr.Write(filepath.Join(base, name)); err != nil {
					t.Fatal(err)
				}
			}
			lent := sandbox.Mount{Host: filepath.Join(base, "runner"), Inside: "/mnt/observer"}
			s := sheet()
			s.Seconds = 20
			seen, err := s.Observe(t.Context(), func(ctx context.Context, request []byte) ([]byte, error) {
				c := py.Command(box, filepath.Join(base, "work"), "-I", lent.Path(box)+"/run_hidden_tests.py", "--observe")
				c.Lent = append(c.Lent, lent)
				c.Stdin, c.Limits = request, sandbox.Limits{Output: exam.OutputLimit, Wall: 60e9, CPU: 60e9}
				res, err := box.Run(ctx, c)
				if len(res.Stderr) > 0 || res.Over != "" {
					t.Logf("%s %s", res.Over, res.Stderr)
				}
				return res.Stdout, err
			}, "w0", "w1")
			if err != nil {
				t.Fatal(err)
			}
			for id, ok := range s.Grade(tree, seen["w0"]) {
				if !ok {
					t.Errorf("%s does not hold: %+v", id, seen["w0"][0])
				}
			}
			held := s.Grade(wrong, seen["w1"])
			if held["three"] || held["ten"] || held["rows"] || !held["keys"] || !held["same"] {
				t.Errorf("wrong code: %v", held)
			}
		})
	}
}
