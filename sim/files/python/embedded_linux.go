package python

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	embed "github.com/kluctl/go-embed-python/python"
	"golang.org/x/sys/unix"

	"benchwright/sim/files/sandbox"
)

// Embedded returns the CPython that the binary carries. The first call on a machine unpacks
// and compiles it, which takes some seconds; the first one of a process checks it.
func Embedded() (Interpreter, error) { return embedded() }

var embedded = sync.OnceValues(func() (Interpreter, error) {
	base, err := cache()
	if err != nil {
		return Interpreter{}, err
	}
	i, err := unpack(base)
	if err != nil {
		return Interpreter{}, fmt.Errorf("python: unpacking below %s: %w", base, err)
	}
	return i, nil
})

// cache returns the user's cache folder for Python.
func cache() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("python: there is no folder to unpack into: %w; set XDG_CACHE_HOME", err)
	}
	base = filepath.Join(base, "benchwright")
	return base, os.MkdirAll(base, 0o755)
}

// A seal is written last, so that a tree without one is known to be unfinished.
type seal struct {
	Version string
	SHA256  string
}

const sealName = "benchwright.json"

// unpack puts the interpreter below base, unless a sealed one is there. One process at a
// time does.
func unpack(base string) (Interpreter, error) {
	lock, err := os.OpenFile(filepath.Join(base, "python.lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return Interpreter{}, err
	}
	defer lock.Close()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		return Interpreter{}, err
	}
	root, err := extract(base)
	if err != nil {
		return Interpreter{}, err
	}
	exe := filepath.Join(root, "bin", "python3")
	sum, err := digest(exe)
	if err != nil {
		return Interpreter{}, err
	}
	var s seal
	if raw, err := os.ReadFile(filepath.Join(root, sealName)); err == nil && json.Unmarshal(raw, &s) == nil && s.SHA256 == sum && s.Version != "" {
		return Interpreter{Path: exe, Root: root, Version: s.Version, SHA256: sum}, nil
	}
	s = seal{SHA256: sum}
	if s.Version, err = finish(root, exe); err != nil {
		return Interpreter{}, err
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return Interpreter{}, err
	}
	if err := writeOnce(filepath.Join(root, sealName), raw); err != nil {
		return Interpreter{}, err
	}
	return Interpreter{Path: exe, Root: root, Version: s.Version, SHA256: sum}, protect(root)
}

// extract completes the tree: the library compares sizes and writes what differs. In a
// finished tree it may not, so one that was damaged since is unpacked anew.
func extract(base string) (string, error) {
	for again := false; ; again = true {
		py, err := embed.NewEmbeddedPythonWithTmpDir(filepath.Join(base, "python"), true)
		if err == nil {
			return py.GetExtractedPath(), nil
		}
		trees, globErr := filepath.Glob(filepath.Join(base, "python-*[0-9a-f]"))
		if again || globErr != nil || len(trees) == 0 {
			return "", err
		}
		for _, t := range trees {
			if err := sandbox.Remove(t); err != nil {
				return "", err
			}
		}
	}
}

// uncompiled is what of the library is left as it is: what no script of a workspace imports.
// Tests, which unpack often, leave more.
var uncompiled = "/(site-packages|idlelib|tkinter|turtledemo|ensurepip)/"

// finish makes one file of the copies of the executable, so that the page cache holds one,
// and compiles the library, which saves a script a fifth of its start. It returns the version.
func finish(root, exe string) (string, error) {
	if err := unlock(root); err != nil {
		return "", err
	}
	for _, name := range []string{"python", filepath.Base(versioned(root))} {
		copied := filepath.Join(root, "bin", name)
		if a, err := digest(copied); err != nil || name == "python3" {
			continue
		} else if b, err := digest(exe); err != nil || a != b {
			continue
		}
		if err := os.Remove(copied); err != nil {
			return "", err
		}
		if err := os.Link(exe, copied); err != nil {
			return "", err
		}
	}
	version, err := ask(exe)
	if err != nil {
		return "", err
	}
	lib := filepath.Join(root, "lib", "python"+version[:strings.LastIndexByte(version, '.')])
	// Unchecked: what is compiled is never compared with its source again, which also makes
	// the times that the files happen to have irrelevant.
	cmd := exec.Command(exe, "-I", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash",
		"-x", uncompiled, lib)
	cmd.Env = []string{"LANG=C.UTF-8"}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compiling the library: %w: %.500q", err, out)
	}
	return version, nil
}

func versioned(root string) string {
	all, _ := filepath.Glob(filepath.Join(root, "bin", "python3.[0-9]*[0-9]"))
	if len(all) == 0 {
		return "python3"
	}
	return all[0]
}

// ask returns the version of an interpreter of ours or the host's.
func ask(exe string) (string, error) {
	cmd := exec.Command(exe, "-I", "-B", "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])")
	cmd.Env = []string{"LANG=C.UTF-8"}
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("asking %s for its version: %w", exe, err)
	}
	version := strings.TrimSpace(string(out))
	if strings.Count(version, ".") != 2 {
		return "", fmt.Errorf("asking %s for its version: it printed %.100q", exe, out)
	}
	return version, nil
}

// protect takes the right to write away; unlock gives it back.
func protect(root string) error { return modes(root, 0o555, ^fs.FileMode(0o222)) }
func unlock(root string) error  { return modes(root, 0o755, ^fs.FileMode(0)) }

func modes(root string, folder, files fs.FileMode) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, folder)
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(path, (st.Mode().Perm()|0o444)&files)
	})
}

func digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// writeOnce replaces a file whole.
func writeOnce(path string, data []byte) error {
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, data, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}
