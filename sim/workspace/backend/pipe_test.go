//go:build unix

package backend_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"benchwright/sim/workspace/backend"
)

// TestPipesAreNotOpened holds that a pipe where a file should be is refused instead of waited for.
func TestPipesAreNotOpened(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "widgets.json"), 0o644); err != nil {
		t.Skip(err)
	}
	if _, err := backend.OpenDir(dir); err == nil || !strings.Contains(err.Error(), "regular") {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(dir, "widgets.json")); err != nil {
		t.Fatal(err)
	}
}
