//go:build linux && !race

package python

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestUnpackRepairs, which the race detector would have for a minute, unpacks for several processes at once, then finds damage.
func TestUnpackRepairs(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks twice")
	}
	whole := uncompiled
	uncompiled = "/python3[.0-9]*/([^c]|c[^s])" // all but csv.py and its like
	t.Cleanup(func() { uncompiled = whole })
	base := t.TempDir()
	t.Cleanup(func() {
		if err := unlock(base); err != nil { // else the folder cannot be removed
			t.Error(err)
		}
	})
	var all sync.WaitGroup
	found := make([]Interpreter, 3)
	for i := range found {
		all.Go(func() {
			var err error
			if found[i], err = unpack(base); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if found[0] != found[1] || found[1] != found[2] || found[0].Version == "" {
		t.Fatalf("unpacked %v", found)
	}
	lib := filepath.Join(found[0].Root, "lib", "python"+found[0].Version[:4])
	if pyc, err := filepath.Glob(filepath.Join(lib, "__pycache__", "csv.*.pyc")); err != nil || len(pyc) != 1 {
		t.Errorf("compiled: %v, %v", pyc, err)
	}
	a, errA := os.Stat(filepath.Join(found[0].Root, "bin", "python"))
	b, errB := os.Stat(found[0].Path)
	if errA != nil || errB != nil || !os.SameFile(a, b) {
		t.Errorf("python and python3 are two files: %v, %v", errA, errB)
	}

	// What a cleaner of old files takes away comes back.
	if err := os.Chmod(lib, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(lib, "csv.py")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(lib, 0o555); err != nil {
		t.Fatal(err)
	}
	again, err := unpack(base)
	if err != nil || again != found[0] {
		t.Errorf("unpacked again: %v, %v", again, err)
	}
	if _, err := os.Stat(filepath.Join(lib, "csv.py")); err != nil {
		t.Error(err)
	}
	// An executable that is another one than was sealed is not taken for it.
	if err := os.WriteFile(filepath.Join(again.Root, sealName), []byte(`{"Version":"9.9.9","SHA256":"00"}`), 0o644); err != nil && os.Getuid() == 0 {
		t.Fatal(err)
	} else if err == nil {
		if third, err := unpack(base); err != nil || third != found[0] {
			t.Errorf("with a forged seal: %v, %v", third, err)
		}
	}
}
