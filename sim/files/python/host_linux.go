package python

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Host returns the system's own Python. Only the places of the system are looked at: what a
// PATH may name besides, such as a version manager's shim, starts slowly and is not where
// commands could read it.
func Host() (Interpreter, error) { return host() }

var places = []string{"/usr/bin/python3", "/usr/local/bin/python3"}

var host = sync.OnceValues(func() (Interpreter, error) {
	base, err := cache()
	if err != nil {
		return Interpreter{}, err
	}
	for _, p := range places {
		exe, err := filepath.EvalSymlinks(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return Interpreter{}, fmt.Errorf("python: %w", err)
		}
		i := Interpreter{Path: exe}
		if i.Version, err = ask(exe); err != nil {
			return Interpreter{}, fmt.Errorf("python: %w", err)
		}
		if i.SHA256, err = digest(exe); err != nil {
			return Interpreter{}, fmt.Errorf("python: %w", err)
		}
		i.Root, err = links(base, i)
		if err != nil {
			return Interpreter{}, fmt.Errorf("python: %w", err)
		}
		return i, nil
	}
	return Interpreter{}, fmt.Errorf("python: the host has none at %s or %s; install one, or use the embedded one", places[0], places[1])
})

// links makes a folder in which the host's Python is called python and python3, like the
// embedded one: Debian has no python.
func links(base string, i Interpreter) (string, error) {
	root := filepath.Join(base, "host-"+i.SHA256[:16])
	if err := os.MkdirAll(filepath.Join(root, "bin"), 0o755); err != nil {
		return "", err
	}
	for _, name := range []string{"python", "python3"} {
		at := filepath.Join(root, "bin", name)
		if to, err := os.Readlink(at); err == nil && to == i.Path {
			continue
		}
		tmp := fmt.Sprintf("%s.%d", at, os.Getpid()) // another process may be at it too
		os.Remove(tmp)
		if err := os.Symlink(i.Path, tmp); err != nil {
			return "", err
		}
		if err := os.Rename(tmp, at); err != nil {
			return "", err
		}
	}
	return root, nil
}
