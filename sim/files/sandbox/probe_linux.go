package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"benchwright/sim/files/sandbox/internal/stage"
)

// probe tries the levels that mode allows, from the strongest down.
func probe(ctx context.Context, mode Mode) (*Sandbox, error) {
	if mode == None {
		return at(Level{})
	}
	abi, landlockErr := stage.LandlockABI()
	nobody := mayBecome()
	var levels []Level
	if mode == Auto {
		levels = append(levels, Level{namespaces: true, landlock: abi, seccomp: true, nobody: nobody})
		if abi > 0 {
			levels = append(levels, Level{namespaces: true, seccomp: true, nobody: nobody})
		}
	}
	if abi > 0 {
		for _, broker := range []bool{true, false} { // refused where a container's engine is one already
			levels = append(levels, Level{landlock: abi, seccomp: true, nobody: nobody, broker: broker})
		}
	}
	var causes []string
	for _, l := range levels {
		s, err := at(l)
		if err == nil {
			err = s.try(ctx)
		}
		if err == nil {
			return s, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		name := "landlock"
		if l.namespaces {
			name = "user namespaces"
		}
		if cause := name + ": " + reason(err); len(causes) == 0 || causes[len(causes)-1] != cause {
			causes = append(causes, cause)
		}
	}
	if abi == 0 {
		causes = append(causes, "landlock: "+reason(landlockErr))
	}
	help := "Allow one of them"
	if mode == Landlock {
		help = "Allow it"
	}
	return nil, fmt.Errorf("sandbox: %w: %s. %s, or set BENCH_SANDBOX=none on a throw-away machine", ErrRefused, strings.Join(causes, "; "), help)
}

// at returns the sandbox of a level, untried.
func at(l Level) (*Sandbox, error) {
	s := &Sandbox{level: l}
	if !l.seccomp {
		return s, nil
	}
	var err error
	s.filter, s.calls, err = filter(l)
	return s, err
}

// reason says in few words why a level does not work.
func reason(err error) string {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return strings.TrimPrefix(err.Error(), "sandbox: ")
	}
	switch errno {
	case unix.ENOSYS, unix.EOPNOTSUPP:
		return "not supported"
	}
	return errno.Error()
}

// try runs a command in the complete sandbox, with a canary that tries to get out: features
// that are there one by one say little about their sum.
func (s *Sandbox) try(ctx context.Context) error {
	base, err := os.MkdirTemp("", "benchwright-probe-")
	if err != nil {
		return err
	}
	defer Remove(base)
	if err := os.Chmod(base, 0o755); err != nil {
		return err
	}
	dir, secret := filepath.Join(base, "workspace"), filepath.Join(base, "secret")
	if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(secret, []byte(rand.Text()), 0o644)); err != nil {
		return err
	}
	listener, port, err := listen()
	if err != nil {
		return err
	}
	defer unix.Close(listener)
	res, err := s.run(ctx, Command{
		Args: []string{"/bin/sh", "-c", "echo held > out && read line < out && echo $line"}, Dir: dir,
		Limits: Limits{Wall: 30 * time.Second},
	}, &stage.Canary{Secret: secret, Port: port})
	if err != nil {
		return err
	}
	if got := string(res.Stdout); !res.OK() || got != "held\n" {
		return fmt.Errorf("a plain command printed %.100q and %.200q, exit code %d", got, res.Stderr, res.ExitCode)
	}
	return nil
}

// listen opens a listener on loopback, which package net would do with a resolver in tow.
func listen() (fd, port int, err error) {
	if fd, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return 0, 0, err
	}
	if err = unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err == nil {
		err = unix.Listen(fd, 1)
	}
	var sa unix.Sockaddr
	if err == nil {
		sa, err = unix.Getsockname(fd)
	}
	v4, ok := sa.(*unix.SockaddrInet4)
	if err != nil || !ok {
		unix.Close(fd)
		return 0, 0, errors.Join(err, errors.New("no address"))
	}
	return fd, v4.Port, nil
}
