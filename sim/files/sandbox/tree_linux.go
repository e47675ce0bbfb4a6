package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// deepest is how many folders below one another are walked. Deeper trees, which no script
// needs, cannot be named by a path any more.
const deepest = 128

// A tree walks a folder that a hostile command filled: by descriptors, so that names may be
// anything and no link is followed, and with a bound on all that it does.
type tree struct {
	owner  int  // give all that it visits to this user; -1 leaves it
	open   bool // let the owner into folders that are closed to him
	limits Limits

	bytes   int64
	entries int
}

// errBeyond says that the tree is larger than the limits.
var errBeyond = errors.New("more than the limits allow")

// walk visits dir and all below. The error is errBeyond, or a failure of the walk itself.
func (t *tree) walk(dir string) error {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if err == unix.EACCES && t.open && unix.Chmod(dir, 0o700) == nil {
		fd, err = unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	}
	if err != nil {
		return &os.PathError{Op: "open", Path: dir, Err: err}
	}
	if t.owner >= 0 {
		if err := unix.Fchown(fd, t.owner, t.owner); err != nil {
			unix.Close(fd)
			return &os.PathError{Op: "chown", Path: dir, Err: err}
		}
	}
	return t.folder(fd, 0)
}

// folder visits what is in the folder fd, and closes it.
func (t *tree) folder(fd, depth int) error {
	f := os.NewFile(uintptr(fd), "folder")
	defer f.Close()
	if depth > deepest {
		return errBeyond
	}
	for {
		names, err := f.Readdirnames(256)
		for _, name := range names {
			if err := t.entry(fd, name, depth); err != nil {
				return err
			}
		}
		if err != nil || len(names) == 0 {
			return nil // what vanished meanwhile is no concern of a measurement
		}
	}
}

func (t *tree) entry(dir int, name string, depth int) error {
	var st unix.Stat_t
	if unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil {
		return nil
	}
	t.entries++
	size := st.Blocks * 512
	if st.Mode&unix.S_IFMT == unix.S_IFREG {
		size = max(size, st.Size) // a file with holes is copied in full
	}
	t.bytes += size
	if t.entries > t.limits.Entries || t.bytes > t.limits.Disk {
		return errBeyond
	}
	if t.owner >= 0 {
		if err := unix.Fchownat(dir, name, t.owner, t.owner, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return &os.PathError{Op: "chown", Path: name, Err: err}
		}
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		return nil
	}
	const how = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC | unix.O_NOFOLLOW
	fd, err := unix.Openat(dir, name, how, 0)
	if t.open && st.Mode&0o700 != 0o700 && int(st.Uid) == os.Geteuid() {
		// Not while a command runs: between the two calls it could put a link there.
		unix.Fchmodat(dir, name, st.Mode&0o777|0o700, 0)
		if err != nil {
			fd, err = unix.Openat(dir, name, how, 0)
		}
	}
	if err != nil {
		return nil
	}
	return t.folder(fd, depth+1)
}

// reachable reports whether any other user can get to the paths: every folder above them
// lets him pass.
func reachable(paths ...string) bool {
	for _, path := range paths {
		for p := filepath.Dir(path); ; p = filepath.Dir(p) {
			if st, err := os.Stat(p); err != nil || st.Mode()&1 == 0 {
				return false
			}
			if p == filepath.Dir(p) {
				break
			}
		}
	}
	return true
}

// Remove removes a folder that commands worked in, whatever they left: folders closed to
// their owner, and trees too deep for a path, on which os.RemoveAll fails. A folder that is
// not there is no error.
func Remove(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	root, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if err != nil {
		unix.Chmod(dir, 0o700)
		root, err = unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	}
	if err != nil {
		return &os.PathError{Op: "remove", Path: dir, Err: err}
	}
	defer unix.Close(root)
	unix.Fchmod(root, 0o700)
	// Folders are moved up to the root before they are emptied, so that none is ever deep.
	moved := 0
	for again := true; again; {
		again = false
		for _, name := range names(root) {
			if unix.Unlinkat(root, name, 0) == nil || unix.Unlinkat(root, name, unix.AT_REMOVEDIR) == nil {
				again = true
				continue
			}
			unix.Fchmodat(root, name, 0o700, 0)
			fd, err := unix.Openat(root, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
			if err != nil {
				continue
			}
			for _, n := range names(fd) {
				if unix.Unlinkat(fd, n, 0) == nil || unix.Unlinkat(fd, n, unix.AT_REMOVEDIR) == nil {
					again = true
					continue
				}
				unix.Fchmodat(fd, n, 0o700, 0) // a folder is moved by who may write to it
				moved++
				again = unix.Renameat(fd, n, root, "\x01"+strconv.Itoa(moved)) == nil || again
			}
			unix.Close(fd)
		}
	}
	return os.RemoveAll(dir)
}

func names(dir int) []string {
	fd, err := unix.Openat(dir, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	f := os.NewFile(uintptr(fd), "folder")
	defer f.Close()
	all, _ := f.Readdirnames(-1)
	return all
}
