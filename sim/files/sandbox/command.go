package sandbox

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A Command is one command and all that it gets.
type Command struct {
	// Args are the program and its arguments. A program without a slash is looked up in the
	// PATH that the command gets; one that is not there ends with exit code 127, one that
	// cannot be executed with 126, as a shell has it.
	Args []string
	// Dir is the folder that the command works in and may write to: an existing folder of
	// the host, the episode's own copy. Only one command at a time may run in a folder. As
	// root, all in it is handed to the command's user and back.
	Dir string
	// Lent are folders and files of the host that the command may read.
	Lent []Mount
	// Local lends the host's /usr/local as well: for an interpreter that lives there.
	Local bool
	// Env is added to the sandbox's own environment, as NAME=value.
	Env []string
	// Stdin is what the command reads. Nil is empty.
	Stdin []byte
	// Limits that are zero have their default.
	Limits Limits
}

// A Mount is a folder or file that a command may read.
type Mount struct {
	Host   string // absolute path on the host
	Inside string // where the command sees it with namespaces: below /opt or /mnt
}

// Path returns the path by which commands of s see m.
func (m Mount) Path(s *Sandbox) string {
	if s.level.namespaces {
		return m.Inside
	}
	return m.Host
}

// Limits bound one command. The zero value is right for small scripts.
type Limits struct {
	Wall      time.Duration // from start to end; 5 s
	CPU       time.Duration // of one process, whole seconds; 5 s
	Memory    int64         // bytes in use by all processes together; 256 MiB
	Address   int64         // address space of one process; 512 MiB
	Processes int           // processes and threads at a time; 64
	Open      int           // descriptors of one process; 256
	FileSize  int64         // bytes of one file; 16 MiB
	Disk      int64         // bytes in Dir, and in /tmp; 64 MiB each
	Entries   int           // files and folders in Dir, and in /tmp; 20,000 each
	Output    int64         // bytes kept of standard output, and of standard error; 64 KiB each
}

// DefaultLimits are what stands for a limit of zero.
var DefaultLimits = Limits{
	Wall: 5 * time.Second, CPU: 5 * time.Second, Memory: 256 << 20, Address: 512 << 20, Processes: 64, Open: 256,
	FileSize: 16 << 20, Disk: 64 << 20, Entries: 20_000, Output: 64 << 10,
}

// A Limit names what a command ran into.
type Limit string

const (
	TimedOut     Limit = "timed_out"
	CPULimit     Limit = "cpu_limit"
	MemoryLimit  Limit = "memory_limit"
	ProcessLimit Limit = "process_limit" // only where the kernel's own limit does not hold
	OutputLimit  Limit = "output_limit"
	DiskLimit    Limit = "disk_limit"
)

// A Result is how a command ended. Whatever a command does ends in one.
type Result struct {
	ExitCode int            // -1 where a signal or the sandbox ended it
	Signal   syscall.Signal // 0 where it exited
	// Over is the limit that ended the command, or that it left its folder beyond; else "".
	// Address space, descriptors, processes and file sizes are refusals that the command sees
	// by itself.
	Over        Limit
	Stdout      []byte // the first Limits.Output bytes
	Stderr      []byte
	StdoutBytes int64 // all that it wrote, as far as it was drained
	StderrBytes int64
	Wall        time.Duration
	CPU         time.Duration // of the command itself and the children that it waited for
}

// OK reports whether the command ended by itself with exit code 0 and within its limits.
func (r Result) OK() bool { return r.ExitCode == 0 && r.Over == "" }

// check completes c and finds what cannot be run at all. What only makes the command fail,
// as a NUL in an argument does, is a result instead.
func (c *Command) check() error {
	if len(c.Args) == 0 {
		return fmt.Errorf("sandbox: a command has no arguments: want at least the program")
	}
	if !filepath.IsAbs(c.Dir) {
		return fmt.Errorf("sandbox: folder %q: want an absolute path", c.Dir)
	}
	for i, m := range c.Lent {
		in := path.Clean(m.Inside)
		switch {
		case !filepath.IsAbs(m.Host):
			return fmt.Errorf("sandbox: lent %q: want an absolute path", m.Host)
		case in != m.Inside || !strings.HasPrefix(in, "/opt/") && !strings.HasPrefix(in, "/mnt/"):
			return fmt.Errorf("sandbox: lent %q: inside path %q: want a clean path below /opt or /mnt", m.Host, m.Inside)
		}
		for _, n := range c.Lent[:i] {
			if strings.HasPrefix(in+"/", n.Inside+"/") || strings.HasPrefix(n.Inside+"/", in+"/") {
				return fmt.Errorf("sandbox: lent %q: inside path %q overlaps %q", m.Host, m.Inside, n.Inside)
			}
		}
	}
	for _, e := range c.Env {
		if name, _, ok := strings.Cut(e, "="); !ok || name == "" || strings.ContainsRune(e, 0) {
			return fmt.Errorf("sandbox: environment %q: want NAME=value", e)
		}
	}
	return c.Limits.complete()
}

func (l *Limits) complete() error {
	d := DefaultLimits
	for _, f := range []struct {
		name     string
		v        *int64
		standard int64
	}{
		{"wall", (*int64)(&l.Wall), int64(d.Wall)},
		{"cpu", (*int64)(&l.CPU), int64(d.CPU)},
		{"memory", &l.Memory, d.Memory},
		{"address", &l.Address, d.Address},
		{"file size", &l.FileSize, d.FileSize},
		{"disk", &l.Disk, d.Disk},
		{"output", &l.Output, d.Output},
	} {
		switch {
		case *f.v < 0:
			return fmt.Errorf("sandbox: %s limit %d: want a positive number, or 0 for the default", f.name, *f.v)
		case *f.v == 0:
			*f.v = f.standard
		}
	}
	for _, f := range []struct {
		name     string
		v        *int
		standard int
	}{
		{"process", &l.Processes, d.Processes},
		{"descriptor", &l.Open, d.Open},
		{"entry", &l.Entries, d.Entries},
	} {
		switch {
		case *f.v < 0:
			return fmt.Errorf("sandbox: %s limit %d: want a positive number, or 0 for the default", f.name, *f.v)
		case *f.v == 0:
			*f.v = f.standard
		}
	}
	return nil
}

// environment returns what the command gets: the sandbox's own variables, then extra, of
// which the last of a name wins. temp is the command's private folder for temporary files,
// which is its home as well, so that dotfiles do not land in the workspace.
func environment(temp string, local bool, extra []string) []string {
	path := "PATH=/usr/bin:/bin"
	if local {
		path = "PATH=/usr/local/bin:/usr/bin:/bin"
	}
	env := []string{
		path, "LANG=C.UTF-8", "USER=agent",
		"HOME=" + temp, "TMPDIR=" + temp, "TMP=" + temp, "TEMP=" + temp,
	}
	for _, e := range extra {
		name, _, _ := strings.Cut(e, "=")
		env = slices.DeleteFunc(env, func(have string) bool { return strings.HasPrefix(have, name+"=") })
		env = append(env, e)
	}
	return env
}
