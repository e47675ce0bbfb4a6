//go:build unix

package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"benchwright/steps/workspace"
)

// TestPackWithAPipeIsRefused holds that a pipe in a pack is an error instead of a wait for ever.
func TestPackWithAPipeIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "place"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "taskset.json"), []byte(`{"taskset_id":"piped"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "place", "x.json"), 0o644); err != nil {
		t.Skip(err)
	}
	done := make(chan error, 1)
	go func() {
		_, _, err := workspace.Open(os.DirFS(dir))
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "a named pipe, not a file") {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the pack reader waits for a pipe")
	}
}
