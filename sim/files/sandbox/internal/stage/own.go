//go:build linux

package stage

import (
	"errors"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// A program is the file that this process runs. Hidden files of tasks are embedded in it, so no
// command may read it, wherever it is installed.
type program struct {
	path string // "" where it is gone
	info os.FileInfo
}

func own() program {
	path, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return program{}
	}
	path = strings.TrimSuffix(path, " (deleted)") // then there may be a newer one of that name
	info, err := os.Stat(path)
	if err != nil {
		return program{}
	}
	return program{path, info}
}

// below returns the path of p relative to a folder that it lies in, however that is called.
func (p program) below(folder string) (string, bool) {
	if p.path == "" {
		return "", false
	}
	fd, err := unix.Open(folder, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", false
	}
	defer unix.Close(fd)
	real, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
	if err != nil {
		return "", false
	}
	rest, inside := strings.CutPrefix(p.path, strings.TrimSuffix(real, "/")+"/")
	if !inside {
		return "", false
	}
	return rest, true
}

// around allows what is at path to be read, but for p. Landlock knows no exceptions: so each
// folder on the way to p may be listed, and what else is in it is allowed by itself. Links are
// not followed there: what they lead to is allowed where it is, or not at all.
func (p program) around(path string, allow func(path string, access uint64) error) error {
	rest, inside := p.below(path)
	if !inside {
		if p.at(path) {
			return nil
		}
		return allow(path, mayRead)
	}
	all := allow(path, unix.LANDLOCK_ACCESS_FS_READ_DIR)
	next, _, deeper := strings.Cut(rest, "/")
	entries, err := os.ReadDir(path)
	if err != nil {
		return errors.Join(all, err)
	}
	for _, e := range entries {
		at := path + "/" + e.Name()
		info, err := e.Info()
		switch {
		case err != nil || e.Type()&os.ModeSymlink != 0 || p.is(info):
		case deeper && e.Name() == next:
			all = errors.Join(all, p.around(at, allow))
		default:
			if err := allow(at, mayRead); !errors.Is(err, os.ErrNotExist) { // it may have gone meanwhile
				all = errors.Join(all, err)
			}
		}
	}
	return all
}

func (p program) at(path string) bool {
	info, err := os.Stat(path)
	return err == nil && p.is(info)
}

func (p program) is(info os.FileInfo) bool { return p.info != nil && os.SameFile(p.info, info) }
