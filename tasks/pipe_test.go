//go:build unix

package tasks_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"benchwright/tasks"
)

// What is no file would keep its reader waiting, or never end.
func TestOnlyFilesAreCompiled(t *testing.T) {
	for _, c := range []struct {
		name, file string
		plant      func(path string) error
		want       string // "" where it compiles
		reason     string
	}{
		{"pipe", "p.feature", func(p string) error { return syscall.Mkfifo(p, 0o644) }, "p.feature:1: this is a named pipe, not a file: remove it", "it waited for a writer"},
		{"json-pipe", "p.json", func(p string) error { return syscall.Mkfifo(p, 0o644) }, "another extension than .json", "the other front end"},
		{"device", "d.feature", func(p string) error { return os.Symlink("/dev/zero", p) }, "d.feature:1: this is a device, not a file", "it has no end"},
		{"link-to-pipe", "l.feature", func(p string) error {
			return errors.Join(syscall.Mkfifo(p+".pipe", 0o644), os.Symlink(p+".pipe", p))
		}, "l.feature:1: this is a named pipe", "links are followed first"},
		{"link-to-folder", "f.feature", func(p string) error { return os.Symlink(filepath.Dir(p), p) }, "f.feature:1: this is a folder", "its tasks would be missed without a word"},
		{"link-to-file", "l.feature", func(p string) error { return os.Symlink("t.feature.kept", p) }, "", "a link to a file is a file"},
		{"other", "notes", func(p string) error { return syscall.Mkfifo(p, 0o644) }, "", "what is not asked for is not looked at"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.reason == "" {
				t.Fatal("a case without a reason")
			}
			dir := t.TempDir()
			if err := errors.Join(
				os.WriteFile(filepath.Join(dir, "a.feature"), []byte(head+"  Scenario: x"+body), 0o644),
				os.WriteFile(filepath.Join(dir, "t.feature.kept"), []byte(head+"  Scenario: y"+body), 0o644),
				c.plant(filepath.Join(dir, c.file)),
			); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() {
				_, err := tasks.Compile(suite(dir, dir))
				done <- err
			}()
			select {
			case err := <-done:
				if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
					t.Errorf("got %v\nwant %s", err, c.want)
				}
			case <-time.After(10 * time.Second):
				t.Fatal("it hangs")
			}
		})
	}
}
