//go:build unix

package backend_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/onsi/gomega"

	"benchwright/sim/workspace/backend"
)

// TestPipesAreNotOpened holds that a pipe is refused instead of waited for, be it where the folder
// should be, or a file of it, or a folder of its answers.
func TestPipesAreNotOpened(t *testing.T) {
	widgets := `{"w":{"name":"W","description":"w","endpoint":"deep/w","params":[{"paramName":"p","type":"endpoint","description":"p","optionsEndpoint":"options"}]}}`
	for name, want := range map[string]string{
		"":             "not a directory",
		"widgets.json": "a named pipe, not a regular file",
		"apps.json":    "a named pipe, not a regular file",
		"deep":         "a named pipe, not a regular folder",
		"deep/w.json":  "a named pipe, not a regular file",
		"options.json": "a named pipe, not a regular file",
	} {
		t.Run(name, func(t *testing.T) {
			g := gomega.NewWithT(t)
			dir := filepath.Join(t.TempDir(), "place")
			pipe := filepath.Join(dir, name)
			g.Expect(os.MkdirAll(filepath.Dir(pipe), 0o755)).To(gomega.Succeed())
			if name != "" {
				g.Expect(os.WriteFile(filepath.Join(dir, "widgets.json"), []byte(widgets), 0o644)).To(gomega.Succeed())
			}
			if name == "widgets.json" {
				g.Expect(os.Remove(pipe)).To(gomega.Succeed())
			}
			if err := syscall.Mkfifo(pipe, 0o644); err != nil {
				t.Skip(err)
			}
			for what, open := range map[string]func() error{
				"folder": func() error { _, err := backend.OpenDir(dir); return err },
				"place":  func() error { _, err := backend.Open(t.Context(), dir); return err },
			} {
				done := make(chan error, 1)
				go func() { done <- open() }()
				select {
				case err := <-done:
					g.Expect(err).To(gomega.MatchError(gomega.ContainSubstring(want)), what)
				case <-time.After(10 * time.Second):
					t.Fatalf("%s: waits for the pipe", what)
				}
			}
		})
	}
}
