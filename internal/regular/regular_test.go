//go:build unix

package regular_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"benchwright/internal/regular"
)

func TestOnlyFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(in("file"), []byte("text"), 0o644), os.WriteFile(in("empty"), nil, 0o644), os.Mkdir(in("folder"), 0o755),
		syscall.Mkfifo(in("pipe"), 0o644), os.Symlink("file", in("link")), os.Symlink("pipe", in("link-to-pipe")), os.Symlink("/dev/zero", in("device"))); err != nil {
		t.Skip(err)
	}
	if l, err := net.Listen("unix", in("socket")); err == nil {
		defer l.Close()
	}
	for _, tt := range []struct{ name, text, want, reason string }{
		{"file", "text", "", "that is what it is for"},
		{"empty", "", "", "so is one without bytes"},
		{"link", "text", "", "a link to a file is a file"},
		{"pipe", "", "a named pipe, not a file", "it waits for a writer"},
		{"link-to-pipe", "", "a named pipe, not a file", "links are followed first"},
		{"device", "", "a device, not a file", "it has no end"},
		{"folder", "", "a folder, not a file", "it has no bytes"},
		{"socket", "", "a socket, not a file", "nor has that"},
		{"nothing", "", "no such file", "there must be one"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				a, errA := regular.Read(in(tt.name), 4)
				b, errB := regular.ReadFS(os.DirFS(dir), tt.name, 4)
				f, errC := regular.Open(in(tt.name))
				if errC == nil {
					f.Close()
				}
				if string(a) != tt.text || string(b) != tt.text {
					t.Errorf("%q and %q, want %q: %s", a, b, tt.text, tt.reason)
				}
				for _, err := range []error{errA, errB, errC} {
					if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
						t.Errorf("error %v, want %q: %s", err, tt.want, tt.reason)
					}
					if (tt.name == "nothing") != errors.Is(err, fs.ErrNotExist) {
						t.Errorf("%v: errors.Is(fs.ErrNotExist) is wrong", err)
					}
				}
			}()
			select {
			case <-done:
			case <-time.After(10 * time.Second):
				t.Fatal("it hangs")
			}
		})
	}
	if _, err := regular.Read(in("file"), 3); err == nil || !strings.Contains(err.Error(), "at most 3 are read") {
		t.Errorf("a file that is too large: %v", err)
	}
}
