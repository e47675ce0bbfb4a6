//go:build linux

package stage

import (
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ending is held by whoever ends the supervisor, so that nobody else does.
var ending sync.Mutex

func supervise() {
	unix.CloseOnExec(specFD)
	unix.CloseOnExec(reportFD)
	s := receive()
	pid, feed, link := start()
	if s.Space {
		newRoot(s)
		must("giving up capabilities", dropCapabilities(false))
	} else {
		must("becoming a sub-reaper", unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
	}
	if s.Confine {
		// Else the command reads this binary, and all that is embedded in it, through
		// /proc/1/exe, and its memory through /proc/1/mem.
		must("closing /proc/self", unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0))
	}
	if s.Space {
		defaultSignals()
	}
	spec, err := s.Encode()
	must("encoding the spec", err)
	must("sending the spec", writeAll(feed, spec))
	unix.Close(feed)
	go leash(s)
	if len(s.Calls) > 0 {
		go serve(link, s)
	}
	reap(s, pid)
}

// start starts the second stage, which waits for its spec.
func start() (pid, feed, link int) {
	var p [2]int
	must("making a pipe", unix.Pipe2(p[:], unix.O_CLOEXEC))
	l, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	must("making a socket pair", err)
	defer unix.Close(l[1])
	pid, err = syscall.ForkExec("/proc/self/exe", []string{"benchwright-command"}, &syscall.ProcAttr{
		Env:   Environment("command"),
		Files: []uintptr{0, 1, 2, uintptr(p[0]), reportFD, uintptr(l[1])},
		// A session of its own has no terminal to type into. The death signal is lost when
		// the command's user changes; the leash holds without it.
		Sys: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
	})
	must("starting the second stage", err)
	unix.Close(p[0])
	return pid, p[1], l[0]
}

// defaultSignals takes Go's signal handlers away from PID 1. The kernel keeps from it every
// signal of its own namespace that it has no handler for, SIGKILL included; with Go's
// handlers a command of the same user could end it by SIGTERM.
func defaultSignals() {
	var act [4]uint64 // struct sigaction, all zero: SIG_DFL
	for sig := 1; sig <= 64; sig++ {
		syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&act)), 0, 8, 0, 0)
	}
}

// leash ends everything once the parent has closed its end of the pipe or has died. Where
// there is no namespace to die with the supervisor, a SIGKILL from the parent would leave
// the descendants behind: so the parent always pulls the leash instead.
func leash(s Spec) {
	var b [1]byte
	for {
		if n, err := unix.Read(specFD, b[:]); n == 0 || err != nil && err != unix.EINTR {
			break
		}
	}
	ending.Lock()
	if !s.Space {
		killDescendants()
		os.RemoveAll(s.Temp) // which a dead parent cannot
	}
	exit(137)
}

// reap waits for every process that ends up as its child until the command itself ends,
// then reports and takes the rest with it.
func reap(s Spec, command int) {
	for {
		var ws syscall.WaitStatus
		var ru syscall.Rusage
		pid, err := syscall.Wait4(-1, &ws, 0, &ru)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			ending.Lock() // for good, where the leash has reaped the command
			fail("waiting", err)
		}
		if pid != command || !ws.Exited() && !ws.Signaled() {
			continue
		}
		ending.Lock()
		if !s.Space {
			killDescendants()
		}
		r := Report{Ended: true, CPU: time.Duration(ru.Utime.Nano() + ru.Stime.Nano())}
		if ws.Signaled() {
			r.Signal = int(ws.Signal())
		} else {
			r.Code = ws.ExitStatus()
		}
		report(r)
		exit(0)
	}
}
