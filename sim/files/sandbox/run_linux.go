package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"benchwright/sim/files/sandbox/internal/stage"
)

// Run runs c and returns when it and all that it started are gone. A cancelled ctx ends
// it too, with the error of ctx.
func (s *Sandbox) Run(ctx context.Context, c Command) (Result, error) {
	return s.run(ctx, c, nil)
}

func (s *Sandbox) run(ctx context.Context, c Command, canary *stage.Canary) (_ Result, failed error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if err := c.check(); err != nil {
		return Result{}, err
	}
	dir, err := filepath.EvalSymlinks(c.Dir)
	if err != nil {
		return Result{}, fmt.Errorf("sandbox: workspace: %w", err)
	}
	release, err := claim(dir)
	if err != nil {
		return Result{}, err
	}
	defer release()

	spec := stage.Spec{
		Space: s.level.namespaces, Confine: s.level.seccomp, Landlock: s.level.landlock, Filter: s.filter, Calls: s.calls, Become: -1,
		Args: c.Args, Dir: dir, Local: c.Local,
		CPU: uint64((c.Limits.CPU + time.Second - 1) / time.Second), FileSize: uint64(c.Limits.FileSize), Open: uint64(c.Limits.Open),
		Processes: uint64(c.Limits.Processes), Address: uint64(c.Limits.Address),
		Disk: c.Limits.Disk, Entries: c.Limits.Entries, Canary: canary,
	}
	for _, m := range c.Lent {
		host, err := filepath.EvalSymlinks(m.Host)
		if err != nil {
			return Result{}, fmt.Errorf("sandbox: lent: %w", err)
		}
		spec.Lent = append(spec.Lent, stage.Mount{Host: host, Inside: m.Inside})
	}
	p := process{level: s.level, limits: c.Limits, dir: dir}
	if s.level.nobody {
		id := <-users
		defer func() { users <- id }()
		p.user = id
		spec.Become = id
		if s.level.namespaces {
			spec.Become = stage.User
		}
		if err := (&tree{owner: id, limits: c.Limits}).walk(dir); err != nil && !errors.Is(err, errBeyond) {
			return Result{}, fmt.Errorf("sandbox: handing over the workspace: %w", err)
		}
	}
	spec.Temp = stage.Temp
	if !s.level.namespaces {
		made, err := os.MkdirTemp("", "benchwright-tmp-")
		if err == nil {
			p.temp, err = filepath.EvalSymlinks(made)
		}
		if err != nil {
			return Result{}, fmt.Errorf("sandbox: temporary folder: %w", err)
		}
		defer func() { failed = errors.Join(failed, Remove(p.temp)) }()
		if s.level.nobody {
			if err := os.Chown(p.temp, p.user, p.user); err != nil {
				return Result{}, fmt.Errorf("sandbox: temporary folder: %w", err)
			}
			// Landlock bounds what it may read all the same.
			spec.Search = !reachable(dir, p.temp) || slices.ContainsFunc(spec.Lent, func(m stage.Mount) bool { return !reachable(m.Host) })
		} else if os.Geteuid() != 0 { // whom the kernel does not count
			// The kernel counts all that this user runs, other commands too, so its limit can
			// only be a loose one; the watchdog holds the tight one.
			spec.Processes = uint64(tasksOf(os.Getuid()) + 8*c.Limits.Processes)
		}
		spec.Temp = p.temp
	}
	spec.Env = environment(spec.Temp, c.Local, c.Env)
	res, err := p.run(ctx, spec, c.Stdin)
	if err != nil {
		err = fmt.Errorf("sandbox: %w", err)
	}
	return res, err
}

// A process is one command on its way.
type process struct {
	level  Level
	limits Limits
	dir    string
	temp   string // "" where it is a file system of its own
	user   int    // of the command, where it is not this process's

	cmd   *exec.Cmd
	leash *os.File
	end   sync.Once
	over  Limit // why it was ended; read after end
}

// stop ends the command and all that it started, for a reason. The first reason counts.
func (p *process) stop(why Limit) {
	p.end.Do(func() {
		p.over = why
		if p.level.namespaces {
			p.cmd.Process.Kill() // PID 1 takes its namespace with it
		} else {
			p.leash.Close() // see stage: a kill would leave daemons behind
		}
	})
}

func (p *process) run(ctx context.Context, spec stage.Spec, stdin []byte) (Result, error) {
	encoded, err := spec.Encode()
	if err != nil {
		return Result{}, err
	}
	specOut, leash, err := os.Pipe()
	if err != nil {
		return Result{}, err
	}
	defer leash.Close()
	reports, reportIn, err := os.Pipe()
	if err != nil {
		specOut.Close()
		return Result{}, err
	}
	defer reports.Close()
	p.leash = leash

	beyond := func() { p.stop(OutputLimit) }
	stdout := &capture{limit: p.limits.Output, over: beyond}
	stderr := &capture{limit: p.limits.Output, over: beyond}
	p.cmd = &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{"benchwright-sandbox"}, Env: stage.Environment("supervise"),
		Stdout: stdout, Stderr: stderr, ExtraFiles: []*os.File{specOut, reportIn},
		WaitDelay:   30 * time.Second, // a pipe that a stuck process holds must not hold us for ever
		SysProcAttr: p.attributes(),
	}
	if stdin != nil {
		p.cmd.Stdin = bytes.NewReader(stdin)
	}
	started := time.Now()
	err = p.cmd.Start()
	specOut.Close()
	reportIn.Close()
	if err != nil {
		return Result{}, fmt.Errorf("starting: %w", err)
	}

	deadline := time.AfterFunc(p.limits.Wall, func() { p.stop(TimedOut) })
	defer deadline.Stop()
	cancelled := context.AfterFunc(ctx, func() { p.stop("cancelled") })
	defer cancelled()
	watched, unwatch := make(chan struct{}), make(chan struct{})
	go func() { defer close(watched); p.watch(unwatch) }()
	heard := make(chan []stage.Report, 1)
	go func() { heard <- hear(reports) }()

	_, sendErr := leash.Write(encoded) // EPIPE where the supervisor died, which Wait tells more about
	waitErr := p.cmd.Wait()
	wall := time.Since(started)
	close(unwatch)
	<-watched
	p.end.Do(func() {}) // nobody stops it from here on, and over can be read
	if errors.Is(waitErr, exec.ErrWaitDelay) {
		return Result{}, errors.New("something still holds the output of a command that ended")
	}
	res := Result{
		ExitCode: -1, Over: p.over, Wall: wall,
		Stdout: stdout.kept, Stderr: stderr.kept, StdoutBytes: stdout.total, StderrBytes: stderr.total,
	}
	if err := ctx.Err(); err != nil && p.over == "cancelled" {
		return Result{}, errors.Join(err, p.takeBack(&res))
	}
	if err := p.judge(&res, <-heard, errors.Join(sendErr, waitErr)); err != nil {
		return Result{}, err
	}
	return res, p.takeBack(&res)
}

// judge fills in how the command ended, from what the stages reported.
func (p *process) judge(res *Result, heard []stage.Report, died error) error {
	ended := false
	for _, r := range heard {
		switch {
		case r.Escape != "":
			return fmt.Errorf("isolation does not hold: %s", r.Escape)
		case r.Error != "":
			if r.Errno != 0 {
				return &stageError{r.Error, syscall.Errno(r.Errno)}
			}
			return errors.New(r.Error)
		case r.Ended:
			ended = true
			res.CPU = r.CPU
			res.Signal = syscall.Signal(r.Signal)
			if r.Signal == 0 {
				res.ExitCode = r.Code
			}
		}
	}
	switch {
	case ended && p.over == "" && (res.Signal == unix.SIGXCPU || res.Signal == unix.SIGKILL && res.CPU >= p.limits.CPU):
		res.Over = CPULimit
	case ended:
	case p.over != "":
		res.Signal = syscall.SIGKILL
	default:
		return fmt.Errorf("the supervisor died without a report: %w", died)
	}
	return nil
}

// A stageError is a failure of a stage, with the kernel's reason.
type stageError struct {
	text  string
	errno syscall.Errno
}

func (e *stageError) Error() string { return e.text }
func (e *stageError) Unwrap() error { return e.errno }

// takeBack measures what the command left and makes it this process's own again.
func (p *process) takeBack(res *Result) error {
	t := tree{owner: -1, open: true, limits: p.limits}
	if p.level.nobody {
		t.owner = os.Getuid()
	}
	err := t.walk(p.dir)
	if errors.Is(err, errBeyond) {
		if res.Over == "" {
			res.Over = DiskLimit
		}
		return nil
	}
	if errors.Is(err, os.ErrNotExist) { // removed, which only a command without walls can
		return nil
	}
	return err
}

func hear(r io.Reader) []stage.Report {
	var all []stage.Report
	for lines := bufio.NewScanner(r); lines.Scan() && len(all) < 16; {
		var one stage.Report
		if json.Unmarshal(lines.Bytes(), &one) == nil {
			all = append(all, one)
		}
	}
	return all
}

// claimed holds the folders that a command works in.
var claimed sync.Map

func claim(dir string) (release func(), err error) {
	if _, taken := claimed.LoadOrStore(dir, true); taken {
		return nil, fmt.Errorf("sandbox: workspace %s: another command runs in it", dir)
	}
	return func() { claimed.Delete(dir) }, nil
}
