package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A Process is a command of the user's, run through the shell.
type Process struct {
	Command string
	Env     []string // beside what is inherited; see Environ
}

// An Exit is how a process ended.
type Exit struct {
	Code   int    // 0 when it exited so; -1 when it was killed
	Killed bool   // its context ended first
	Output string // the end of what it wrote to standard output and standard error, at most 16 KB
}

// Run runs the process until it exits or ctx ends, when it is killed with its group; so is what it
// leaves behind of its group. An error says that it could not be started.
func (p Process) Run(ctx context.Context) (Exit, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return Exit{}, err
	}
	defer read.Close()
	cmd := exec.Command("/bin/sh", "-c", p.Command)
	cmd.Env = append(Environ(os.Environ()), p.Env...)
	cmd.Stdout, cmd.Stderr = write, write
	apart(cmd)
	err = cmd.Start()
	write.Close()
	if err != nil {
		return Exit{}, err
	}
	var said tail
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		said.drain(read)
	}()
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	var e Exit
	select {
	case err = <-exited:
	case <-ctx.Done():
		e.Killed = true
		kill(cmd)
		err = <-exited
	}
	kill(cmd) // whoever is left of the group
	select {
	case <-drained:
	case <-time.After(time.Second): // somebody who has left the group holds the pipe
		read.Close()
		<-drained
	}
	var code *exec.ExitError
	switch {
	case errors.As(err, &code):
		e.Code = code.ExitCode()
	case err != nil:
		return Exit{}, err
	}
	e.Output = said.text()
	return e, nil
}

// Environ returns an environment without what configures the run.
func Environ(environ []string) []string {
	var out []string
	for _, kv := range environ {
		if !strings.HasPrefix(kv, "BENCH_") {
			out = append(out, kv)
		}
	}
	return out
}

// Check reports a command that cannot be run, as far as its first word tells.
func Check(command string) error {
	words := strings.Fields(command)
	if len(words) == 0 {
		return errors.New("the command is empty")
	}
	if strings.ContainsAny(words[0], "=$`'\"\\(){}[]<>|&;*?~!#") {
		return nil // for the shell to say
	}
	if err := exec.Command("/bin/sh", "-c", `command -v "$0" >/dev/null`, words[0]).Run(); err != nil {
		return fmt.Errorf("there is no command %q", words[0])
	}
	return nil
}

// maxTail is how much of a process's words is kept.
const maxTail = 16 << 10

// A tail keeps the end of a stream.
type tail struct {
	mu   sync.Mutex
	b    []byte
	lost int
}

func (t *tail) drain(f *os.File) {
	buf := make([]byte, 32<<10)
	for {
		n, err := f.Read(buf)
		t.mu.Lock()
		t.b = append(t.b, buf[:n]...)
		if over := len(t.b) - maxTail; over > 0 {
			t.lost += over
			t.b = append(t.b[:0], t.b[over:]...)
		}
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lost > 0 {
		return fmt.Sprintf("… (%d bytes before)\n%s", t.lost, t.b)
	}
	return string(t.b)
}
