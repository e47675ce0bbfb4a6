//go:build unix

package wealth_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"benchwright/cmd"
	"benchwright/cmd/wealth"
	"benchwright/features"
)

// TestVerbsWaitForNoPipe holds that a pipe where a file should be is an error instead of a wait for
// ever.
func TestVerbsWaitForNoPipe(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "bundle.json"), 0o644); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{{"wealth", "score", pipe}, {"wealth", "latency", pipe}, {"finqa", pipe}, {"wealth", "verify", dir}, {"wealth", "compare", dir, dir}} {
		done := make(chan string, 1)
		go func() {
			var out bytes.Buffer
			c := cmd.New(features.Suite(), wealth.Verbs()...)
			c.SetOut(&out)
			c.SetErr(&out)
			c.SetArgs(args)
			if err := c.Execute(); err != nil {
				out.WriteString(err.Error())
			}
			done <- out.String()
		}()
		select {
		case out := <-done:
			if !strings.Contains(out, "a named pipe, not a file") {
				t.Errorf("%s: %s", strings.Join(args, " "), out)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s waits for a pipe", strings.Join(args, " "))
		}
	}
}
