//go:build linux

package stage

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// become turns this process into the command.
func become() {
	unix.CloseOnExec(specFD)
	unix.CloseOnExec(reportFD)
	s := receive()
	dir := s.Dir
	if s.Space {
		dir = Workspace
	}
	must("entering the workspace", os.Chdir(dir))
	rules := -1
	if s.Landlock > 0 {
		var err error
		rules, err = ruleset(s)
		must("landlock", err)
	}
	unix.Umask(0o022)
	if s.Become >= 0 {
		must("changing the user", setUser(s.Become, s.Search))
	}
	if s.Confine {
		must("giving up capabilities", dropCapabilities(s.Search))
	}
	for _, l := range []struct {
		what int
		want uint64
	}{
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_FSIZE, s.FileSize},
		{unix.RLIMIT_NOFILE, s.Open},
		{unix.RLIMIT_CPU, s.CPU + 1},
	} {
		to := bounded(l.what, l.want)
		if l.what == unix.RLIMIT_CPU {
			to.Cur = min(to.Cur, s.CPU) // SIGXCPU first, which tells it from other deaths
		}
		must("setting limits", unix.Prlimit(0, l.what, &to, nil))
	}
	if rules >= 0 {
		must("landlock", restrict(rules))
	}
	if len(s.Filter) > 0 {
		must("seccomp", loadFilter(s.Filter, len(s.Calls) > 0))
	}
	if s.Canary != nil {
		try(*s.Canary)
	}
	execute(s)
}

// setUser takes a user id, for this thread, which is the one that calls execve.
func setUser(id int, search bool) error {
	if search {
		// While the bounding set still allows it. For dropCapabilities.
		head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var has [2]unix.CapUserData
		if err := unix.Capget(&head, &has[0]); err != nil {
			return err
		}
		has[0].Inheritable |= 1 << unix.CAP_DAC_READ_SEARCH
		if err := unix.Capset(&head, &has[0]); err != nil {
			return err
		}
		if err := unix.Prctl(unix.PR_SET_KEEPCAPS, 1, 0, 0, 0); err != nil { // until execve
			return err
		}
	}
	for _, call := range []struct{ nr, a, b, c uintptr }{
		{unix.SYS_SETGROUPS, 0, 0, 0},
		{unix.SYS_SETRESGID, uintptr(id), uintptr(id), uintptr(id)},
		{unix.SYS_SETRESUID, uintptr(id), uintptr(id), uintptr(id)},
	} {
		if call.nr == unix.SYS_SETRESUID {
			// The bounding set can be emptied as long as there are capabilities.
			if err := dropBounding(); err != nil {
				return err
			}
		}
		if _, _, errno := unix.RawSyscall(call.nr, call.a, call.b, call.c); errno != 0 {
			return errno
		}
	}
	return nil
}

func dropBounding() error {
	for c := uintptr(0); ; c++ {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		if err == unix.EINVAL { // past the last capability of this kernel
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// dropCapabilities gives up every capability of this thread for good, but for the one to
// pass folders and read where search is set, which Landlock then bounds.
func dropCapabilities(search bool) error {
	if err := dropBounding(); err != nil && err != unix.EPERM {
		return err // without CAP_SETPCAP there is nothing that could be gained back
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var left [2]unix.CapUserData
	if search {
		left[0] = unix.CapUserData{Effective: 1 << unix.CAP_DAC_READ_SEARCH, Permitted: 1 << unix.CAP_DAC_READ_SEARCH, Inheritable: 1 << unix.CAP_DAC_READ_SEARCH}
	}
	if err := unix.Capset(&head, &left[0]); err != nil {
		return err
	}
	if search {
		if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_RAISE, unix.CAP_DAC_READ_SEARCH, 0, 0); err != nil {
			return err
		}
	}
	return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}

// loadFilter installs a program of struct sock_filter for this thread, and sends the
// supervisor the listener where it is to make calls. Until it is received, they wait.
func loadFilter(program []byte, listen bool) error {
	if len(program)%8 != 0 {
		return errors.New("filter: cut short")
	}
	code := make([]unix.SockFilter, len(program)/8)
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&code[0])), len(program)), program)
	prog := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	flags := uintptr(0)
	if listen {
		flags = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER
	}
	fd, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return errno
	}
	if !listen {
		return nil
	}
	defer unix.Close(int(fd))
	return unix.Sendmsg(linkFD, []byte{0}, unix.UnixRights(int(fd)), nil, 0)
}

// try reports what of the canary's targets can be reached.
func try(c Canary) {
	if fd, err := unix.Open(c.Secret, unix.O_RDONLY|unix.O_CLOEXEC, 0); err == nil {
		unix.Close(fd)
		report(Report{Escape: "a file outside the workspace was opened"})
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return
	}
	if unix.Connect(fd, &unix.SockaddrInet4{Port: c.Port, Addr: [4]byte{127, 0, 0, 1}}) == nil {
		report(Report{Escape: "a connection to the host's loopback was made"})
	}
	unix.Close(fd)
}

// lookUp finds the program as execvp does.
func lookUp(name string, env []string) (string, syscall.Errno) {
	if strings.Contains(name, "/") {
		return name, 0
	}
	path := ""
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, "PATH="); ok {
			path = v
		}
	}
	found := syscall.ENOENT
	for dir := range strings.SplitSeq(path, ":") {
		if dir == "" {
			dir = "."
		}
		p := dir + "/" + name
		st, err := os.Stat(p)
		if err != nil || st.IsDir() {
			continue
		}
		if unix.Access(p, unix.X_OK) == nil {
			return p, 0
		}
		found = syscall.EACCES
	}
	return "", found
}

// execute sets the limits that break a running Go program and calls execve.
//
// With an address space or a number of threads below what the runtime wants at that moment
// it dies, now and then: so everything is prepared before, the texts for a failure too, and
// nothing allocates between and after the raw calls; the
// collector is off in stages.
func execute(s Spec) {
	args, err1 := syscall.SlicePtrFromStrings(s.Args)
	env, err2 := syscall.SlicePtrFromStrings(s.Env)
	if err1 != nil || err2 != nil {
		refuse(failure(s.Args[0], "an argument holds a NUL byte"), 126)
	}
	program, errno := lookUp(s.Args[0], s.Env)
	var texts [134][]byte
	for e := range texts {
		texts[e] = failure(s.Args[0], syscall.Errno(e).Error())
	}
	if errno == 0 {
		path, _ := syscall.BytePtrFromString(program)
		processes, address := bounded(unix.RLIMIT_NPROC, s.Processes), bounded(unix.RLIMIT_AS, s.Address)
		syscall.RawSyscall6(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_NPROC, uintptr(unsafe.Pointer(&processes)), 0, 0, 0)
		syscall.RawSyscall6(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_AS, uintptr(unsafe.Pointer(&address)), 0, 0, 0)
		_, _, errno = syscall.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(path)),
			uintptr(unsafe.Pointer(&args[0])), uintptr(unsafe.Pointer(&env[0])))
	}
	code := 126
	if errno == syscall.ENOENT || errno == syscall.ENOTDIR {
		code = 127
	}
	refuse(texts[min(int(errno), len(texts)-1)], code)
}

// bounded returns a limit that this process may set: nobody raises the host's own.
func bounded(what int, want uint64) unix.Rlimit {
	var has unix.Rlimit
	if unix.Prlimit(0, what, nil, &has) == nil {
		want = min(want, has.Max)
	}
	return unix.Rlimit{Cur: want, Max: want}
}

// failure tells the command's own reader, on standard error, why it was not started.
func failure(program, why string) []byte {
	if len(program) > 200 {
		program = program[:200] + "…"
	}
	return []byte("sandbox: " + program + ": " + why + "\n")
}

func refuse(text []byte, code int) {
	syscall.RawSyscall(syscall.SYS_WRITE, 2, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
	exit(code)
}
