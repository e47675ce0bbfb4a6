//go:build linux

package stage

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A broker makes, for the command, the calls that Landlock does not govern and a filter
// cannot judge: changes of mode, owner and time, which are made where the file is the
// command's, and, on kernels that do not scope signals, signals to processes of the command.
// The command's thread waits meanwhile; the kernel calls this seccomp user notification.
type broker struct {
	listener int
	calls    map[int]string // the names of the calls, by number
	roots    []string       // the folders that are the command's
}

// struct seccomp_notif and struct seccomp_notif_resp
type (
	notification struct {
		id         uint64
		pid, flags uint32
		nr         int32
		arch       uint32
		ip         uint64
		args       [6]uint64
	}
	response struct {
		id    uint64
		val   int64
		errno int32
		flags uint32
	}
)

const notifIDValid = 0x40082102 // SECCOMP_IOCTL_NOTIF_ID_VALID

// serve takes the listener from the second stage and answers until the process ends.
func serve(link int, s Spec) {
	oob := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(link, make([]byte, 1), oob, unix.MSG_CMSG_CLOEXEC)
	if err != nil || n == 0 {
		return // the second stage failed, and has reported it
	}
	messages, err := unix.ParseSocketControlMessage(oob[:n])
	if err != nil || len(messages) != 1 {
		return
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return
	}
	b := broker{listener: fds[0], calls: s.Calls, roots: []string{s.Dir, s.Temp}}
	for {
		var n notification // has to be zero for the kernel
		if errno := b.ioctl(unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&n)); errno != 0 {
			if errno == unix.EINTR || errno == unix.ENOENT {
				continue
			}
			return
		}
		r := response{id: n.id}
		if err := b.answer(&n, &r); err != nil {
			errno := syscall.EPERM
			errors.As(err, &errno)
			r.errno = -int32(errno)
		}
		b.ioctl(unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&r))
	}
}

func (b *broker) ioctl(request uintptr, arg unsafe.Pointer) syscall.Errno {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(b.listener), request, uintptr(arg))
	return errno
}

// answer makes the call of n. The kernel's own rules hold for it too: a user cannot give
// files away, say.
func (b *broker) answer(n *notification, r *response) error {
	a := n.args
	change := func(dir, path uint64, flags int, f func(fd int, at string) error) error {
		fd, err := b.open(n, int32(dir), uintptr(path), flags)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return f(fd, "/proc/self/fd/"+strconv.Itoa(fd))
	}
	mode := func(m uint64) func(int, string) error {
		return func(_ int, at string) error { return unix.Chmod(at, uint32(m)&0o1777) }
	}
	owner := func(uid, gid uint64) func(int, string) error {
		return func(fd int, _ string) error {
			return unix.Fchownat(fd, "", int(int32(uid)), int(int32(gid)), unix.AT_EMPTY_PATH)
		}
	}
	times := func(at uint64, unit int64) func(int, string) error {
		return func(_ int, path string) error {
			if at == 0 {
				return unix.UtimesNanoAt(unix.AT_FDCWD, path, nil, 0)
			}
			words, err := b.words(n, uintptr(at), unit == 0)
			if err != nil {
				return err
			}
			t := []unix.Timespec{{Sec: words[0]}, {Sec: words[1]}}
			if unit > 0 {
				t = []unix.Timespec{{Sec: words[0], Nsec: words[1] * unit}, {Sec: words[2], Nsec: words[3] * unit}}
			}
			return unix.UtimesNanoAt(unix.AT_FDCWD, path, t, 0)
		}
	}
	const here, byFD = ^uint64(99), 0 // AT_FDCWD is -100; no path
	switch b.calls[int(n.nr)] {
	case "chmod":
		return change(here, a[0], 0, mode(a[1]))
	case "fchmod":
		return change(a[0], byFD, 0, mode(a[1]))
	case "fchmodat":
		return change(a[0], a[1], 0, mode(a[2]))
	case "fchmodat2":
		return change(a[0], a[1], int(a[3]), mode(a[2]))
	case "chown":
		return change(here, a[0], 0, owner(a[1], a[2]))
	case "lchown":
		return change(here, a[0], unix.AT_SYMLINK_NOFOLLOW, owner(a[1], a[2]))
	case "fchown":
		return change(a[0], byFD, 0, owner(a[1], a[2]))
	case "fchownat":
		return change(a[0], a[1], int(a[4]), owner(a[2], a[3]))
	case "utime":
		return change(here, a[0], 0, times(a[1], 0))
	case "utimes":
		return change(here, a[0], 0, times(a[1], 1000))
	case "futimesat":
		return change(a[0], a[1], 0, times(a[2], 1000))
	case "utimensat":
		return change(a[0], a[1], int(a[3]), times(a[2], 1))
	case "kill":
		return b.signal(r, int(int32(a[0])))
	case "tkill", "tgkill":
		return b.signal(r, int(int32(a[0])))
	}
	return unix.ENOSYS
}

// open finds the file that a call names, as the command would, and checks that it is the
// command's. What it finds stays the same file whatever is renamed meanwhile.
func (b *broker) open(n *notification, dir int32, path uintptr, flags int) (int, error) {
	proc := "/proc/" + strconv.Itoa(int(n.pid))
	at := proc + "/cwd"
	if dir != unix.AT_FDCWD {
		at = proc + "/fd/" + strconv.Itoa(int(dir))
	}
	how := unix.O_PATH | unix.O_CLOEXEC
	if path != 0 {
		name, err := b.text(n, path)
		if err != nil {
			return -1, err
		}
		switch {
		case strings.HasPrefix(name, "/"):
			at = name
		case name != "":
			at += "/" + name
		case flags&unix.AT_EMPTY_PATH == 0:
			return -1, unix.ENOENT
		}
		if flags&unix.AT_SYMLINK_NOFOLLOW != 0 && name != "" {
			how |= unix.O_NOFOLLOW
		}
	}
	fd, err := unix.Open(at, how, 0)
	if err != nil {
		return -1, err
	}
	if errno := b.ioctl(notifIDValid, unsafe.Pointer(&n.id)); errno != 0 { // another process's number by now
		unix.Close(fd)
		return -1, errno
	}
	is, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
	if err == nil {
		for _, root := range b.roots {
			if is == root || strings.HasPrefix(is, root+"/") {
				return fd, nil
			}
		}
		err = unix.EPERM
	}
	unix.Close(fd)
	return -1, err
}

// signal lets a signal pass that only processes of the command get.
func (b *broker) signal(r *response, to int) error {
	family := Descendants(os.Getpid())
	mine := func(pid int) bool {
		for _, p := range family {
			if p == pid {
				return true
			}
		}
		return false
	}
	switch {
	case to < -1: // a process group, of which all must be of the family
		all, err := groupMembers(-to)
		if err != nil {
			return err
		}
		for _, pid := range all {
			if !mine(pid) {
				return unix.EPERM
			}
		}
	case to <= 0 || !mine(thread(to)):
		return unix.EPERM
	}
	r.flags = unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE
	return nil
}

// thread returns the process that a thread belongs to, or the number itself.
func thread(id int) int {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(id) + "/status")
	if err != nil {
		return id
	}
	_, rest, _ := strings.Cut(string(status), "\nTgid:\t")
	line, _, _ := strings.Cut(rest, "\n")
	if tgid, err := strconv.Atoi(line); err == nil {
		return tgid
	}
	return id
}

func (b *broker) read(n *notification, at uintptr, into []byte) (int, error) {
	local := unix.Iovec{Base: &into[0]}
	local.SetLen(len(into))
	return unix.ProcessVMReadv(int(n.pid), []unix.Iovec{local}, []unix.RemoteIovec{{Base: at, Len: len(into)}}, 0)
}

// text reads a path of the command's memory, page by page, since it may end before one that
// is not there.
func (b *broker) text(n *notification, at uintptr) (string, error) {
	var s []byte
	for len(s) < unix.PathMax {
		page := make([]byte, 4096-at%4096)
		got, err := b.read(n, at, page)
		if err != nil {
			return "", err
		}
		if end := strings.IndexByte(string(page[:got]), 0); end >= 0 {
			return string(append(s, page[:end]...)), nil
		}
		if got < len(page) {
			return "", unix.EFAULT
		}
		s = append(s, page...)
		at += uintptr(got)
	}
	return "", unix.ENAMETOOLONG
}

// words reads two, or four, longs.
func (b *broker) words(n *notification, at uintptr, two bool) ([4]int64, error) {
	var w [4]int64
	size := int(unsafe.Sizeof(w))
	if two {
		size /= 2
	}
	got, err := b.read(n, at, unsafe.Slice((*byte)(unsafe.Pointer(&w)), size))
	if err == nil && got < size {
		err = unix.EFAULT
	}
	return w, err
}
