// Package python gives agents' scripts, and graders', an interpreter that is the same on
// every machine, to be run in package sandbox:
//
//	py, err := python.Find("embedded")
//	...
//	res, err := box.Run(ctx, py.Command(box, dir, "run_example.py"))
//
// The embedded CPython travels in the binary and is unpacked once into the user's cache
// folder. It costs a binary 36 MB, which is why nothing but this package imports it, and why
// a suite that runs no Python must not import this package. The host's own Python is used
// when it is asked for by name; results of two versions are not the same byte for byte, so a
// run records Version and SHA256.
package python

import (
	"fmt"
	"strings"

	"benchwright/sim/files/sandbox"
)

// An Interpreter is a Python that commands can be lent.
type Interpreter struct {
	Path    string // the executable on the host
	Root    string // the folder that commands are lent, with bin/python and bin/python3
	Version string // "3.14.6"
	SHA256  string // of the executable, in hex
}

// inside is where commands find Root.
const inside = "/opt/python"

// Find returns the interpreter of a name, as BENCH_PYTHON spells it: "embedded", which is
// also what an empty name means, or "host".
func Find(name string) (Interpreter, error) {
	switch name {
	case "", "embedded":
		return Embedded()
	case "host":
		return Host()
	}
	return Interpreter{}, fmt.Errorf("python %q: want embedded or host", name)
}

// String names the interpreter for a run's record.
func (i Interpreter) String() string { return "python " + i.Version + " sha256:" + i.SHA256 }

// Lent is the mount that a command needs to find i.
func (i Interpreter) Lent() sandbox.Mount { return sandbox.Mount{Host: i.Root, Inside: inside} }

// Env returns the variables that make Python deterministic and let a shell find i as
// python and python3: a fixed hash seed, UTF-8, no byte code files, no packages of a user.
func (i Interpreter) Env(s *sandbox.Sandbox) []string {
	return []string{
		"PATH=" + i.Lent().Path(s) + "/bin:/usr/bin:/bin",
		"PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0", "PYTHONNOUSERSITE=1", "PYTHONUTF8=1",
	}
}

// Command returns the command that runs Python with args in dir: first of all options, then
// a script and its arguments. The folder of the script can be imported from, as ever; the
// option -P keeps it out, which a grader wants that starts in a folder of an agent's. Not -I,
// which would ignore the environment and with it the fixed hash seed.
func (i Interpreter) Command(s *sandbox.Sandbox, dir string, args ...string) sandbox.Command {
	exe := i.Lent().Path(s) + "/bin/python3"
	return i.command(s, dir, append([]string{exe}, args...))
}

// Shell returns the command that has /bin/sh run a line in dir, with i on its path.
func (i Interpreter) Shell(s *sandbox.Sandbox, dir, line string) sandbox.Command {
	return i.command(s, dir, []string{"/bin/sh", "-c", line})
}

func (i Interpreter) command(s *sandbox.Sandbox, dir string, args []string) sandbox.Command {
	return sandbox.Command{
		Args: args, Dir: dir, Lent: []sandbox.Mount{i.Lent()}, Env: i.Env(s),
		Local: strings.HasPrefix(i.Path, "/usr/local/"),
	}
}
