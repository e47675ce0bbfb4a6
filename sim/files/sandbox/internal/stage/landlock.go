//go:build linux

package stage

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	mayRead  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	mayWrite = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	mayMake  = unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER
	ofFiles = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | mayWrite | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
)

// LandlockABI returns the version of Landlock that the kernel offers, 0 for none.
func LandlockABI() (int, error) {
	abi, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0, errno
	}
	return int(abi), nil
}

// handled returns what a ruleset of this ABI governs: all of the file system that it can,
// TCP, abstract sockets and signals.
func handled(abi int) unix.LandlockRulesetAttr {
	all := uint64(mayRead | mayWrite | mayMake | unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV)
	if abi < 5 {
		all &^= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi < 3 {
		all &^= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi < 2 {
		all &^= unix.LANDLOCK_ACCESS_FS_REFER // which ABI 1 always denies
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: all}
	if abi >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if abi >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	return attr
}

// ruleset opens what the command may reach, with the rights of the stage, which can still
// pass folders that the command's user cannot.
//
// /proc is not among it. A command needs nothing there that it must open, and in
// /proc/self/mountinfo it would read the host's paths.
func ruleset(s Spec) (int, error) {
	attr := handled(s.Landlock)
	// The kernel wants the bytes that it does not know to be zero, and they are.
	fd, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return -1, errno
	}
	set := int(fd)
	allow := func(path string, access uint64, optional bool) error {
		err := addRule(set, path, access&attr.Handled_access_fs)
		if optional && errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	const read, write = uint64(mayRead), uint64(mayRead | mayWrite | mayMake)
	dir, temp := s.Dir, s.Temp
	if s.Space {
		dir, temp = Workspace, Temp
	}
	var all error
	self := own()
	lend := func(path string, optional bool) error {
		if s.Space { // where it is covered
			return allow(path, read, optional)
		}
		return self.around(path, func(p string, access uint64) error { return allow(p, access, optional) })
	}
	for _, list := range [][]string{s.system(), rootFolders} {
		for _, p := range list {
			all = errors.Join(all, lend(p, true))
		}
	}
	for _, p := range devices {
		all = errors.Join(all, allow(p, unix.LANDLOCK_ACCESS_FS_READ_FILE|mayWrite, true))
	}
	for _, m := range s.Lent {
		p := m.Host
		if s.Space {
			p = m.Inside
		}
		all = errors.Join(all, lend(p, false))
	}
	if s.Space {
		all = errors.Join(all, allow("/etc", read, false))
	}
	all = errors.Join(all, allow(dir, write, false), allow(temp, write, false))
	return set, all
}

func addRule(set int, path string, access uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return &os.PathError{Op: "stat", Path: path, Err: err}
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= ofFiles
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return &os.PathError{Op: "allow", Path: path, Err: errno}
	}
	return nil
}

// restrict shuts this thread in. Package go-landlock would do it for every thread, which with
// cgo means a walk over /proc/self/task, and that is empty where /proc could not be mounted.
func restrict(set int) error {
	_, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(set), 0, 0)
	unix.Close(set)
	if errno != 0 {
		return errno
	}
	return nil
}
