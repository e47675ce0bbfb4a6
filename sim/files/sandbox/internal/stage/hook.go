//go:build linux

package stage

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	specFD   = 3
	reportFD = 4
	linkFD   = 5 // of the second stage, to the broker
)

func init() {
	role := os.Getenv(Marker)
	if role == "" {
		return
	}
	// What follows is set for a thread, not for a process: Landlock, the filter, user ids,
	// and the death signal, which follows the thread that started the child.
	runtime.LockOSThread()
	closeOthers()
	switch role {
	case "supervise":
		supervise()
	case "command":
		become()
	}
	fail("stage", errors.New("unknown role "+role))
}

// Environment returns what a stage gets, and nothing else: the specs hold paths of the host,
// and /proc/1/environ could be read inside. The race detector would sleep a second at exit;
// a collection could come between the last calls before execve.
func Environment(role string) []string {
	return []string{Marker + "=" + role, "GORACE=atexit_sleep_ms=0", "GOMAXPROCS=2", "GOGC=off"}
}

// exit ends the process at once: os.Exit would run the hooks of the race detector, which
// sleeps a second, and of coverage, which writes to the command's standard error.
func exit(code int) {
	for {
		syscall.RawSyscall(syscall.SYS_EXIT_GROUP, uintptr(code), 0, 0)
	}
}

// closeOthers sees to it that no descriptor which the parent had inherited, a CI runner's
// or an editor's, reaches the command.
func closeOthers() {
	if unix.CloseRange(reportFD+1, ^uint(0)>>32, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	for fd := reportFD + 1; fd < 4096; fd++ { // before Linux 5.11
		unix.CloseOnExec(fd)
	}
}

func fail(doing string, err error) {
	r := Report{Error: doing + ": " + err.Error()}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		r.Errno = int(errno)
	}
	report(r)
	exit(125)
}

func must(doing string, err error) {
	if err != nil {
		fail(doing, err)
	}
}

// report writes one line; short ones are written whole.
func report(r Report) {
	line, err := json.Marshal(r)
	if err == nil {
		unix.Write(reportFD, append(line, '\n'))
	}
}

// Encode returns s as a stage reads it: its length, then JSON.
func (s Spec) Encode() ([]byte, error) {
	body, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(body))), body...), nil
}

func receive() Spec {
	head := make([]byte, 8)
	must("reading the spec", readFull(head))
	body := make([]byte, binary.LittleEndian.Uint64(head))
	must("reading the spec", readFull(body))
	var s Spec
	must("reading the spec", json.Unmarshal(body, &s))
	return s
}

func readFull(b []byte) error {
	for len(b) > 0 {
		n, err := unix.Read(specFD, b)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return err
		case n == 0: // the parent died
			return errors.New("cut short")
		default:
			b = b[n:]
		}
	}
	return nil
}

func writeAll(fd int, b []byte) error {
	for len(b) > 0 {
		n, err := unix.Write(fd, b)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}
