//go:build linux

package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"benchwright/sim/files/python"
	"benchwright/sim/files/sandbox"
)

const (
	attacksEnv = "BENCHWRIGHT_ATTACKS"        // "all" makes every attack at every level, as CI does
	helperEnv  = "BENCHWRIGHT_SANDBOX_HELPER" // makes this binary a helper process of a test
	pythonEnv  = "BENCHWRIGHT_SANDBOX_PYTHON" // where a helper finds the interpreter: path, root
)

func TestMain(m *testing.M) {
	os.Setenv("HOST_SECRET", "known to the host alone")
	switch role := os.Getenv(helperEnv); role {
	case "":
		os.Exit(m.Run())
	case "user": // the same tests, as an ordinary user
		os.Exit(m.Run())
	case "denied": // the same tests, where there are no namespaces to be had
		if err := denyNamespaces(); err != nil {
			fmt.Printf("SKIPPED: no level without namespaces: they cannot be forbidden here: %v\n", err)
			os.Exit(0)
		}
		os.Exit(m.Run())
	case "container", "bare":
		container(role == "bare")
	case "lasting":
		lasting()
	default:
		fmt.Fprintln(os.Stderr, "unknown helper", role)
		os.Exit(2)
	}
}

// interpreter returns the Python that attacks are written in.
func interpreter(t testing.TB) python.Interpreter {
	t.Helper()
	if given := os.Getenv(pythonEnv); given != "" {
		path, root, _ := strings.Cut(given, ",")
		return python.Interpreter{Path: path, Root: root}
	}
	py, err := python.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return py
}

// thorough reports whether every attack is wanted at every level, also as an ordinary user, which
// takes a minute or two. Else the strongest level has them all, and the others those that more than
// one wall stands against.
func thorough() bool { return os.Getenv(attacksEnv) == "all" }

// levels returns the sandboxes to attack here, by name, and why this machine has no others.
func levels(t testing.TB) (all map[string]*sandbox.Sandbox, missing map[string]string) {
	t.Helper()
	f, err := tried()
	if err != nil {
		t.Error(err)
	}
	return maps.Clone(f.boxes), f.missing
}

type found struct {
	boxes   map[string]*sandbox.Sandbox
	missing map[string]string // reasons by name
}

// tried tries the levels out, which costs as much as some attacks, once.
var tried = sync.OnceValues(func() (f found, failed error) {
	abi, landlockErr := sandbox.LandlockABI()
	nobody := sandbox.MayBecome()
	f = found{map[string]*sandbox.Sandbox{}, map[string]string{}}
	add := func(name string, namespaces bool, landlock int, broker bool) bool {
		s, err := sandbox.At(namespaces, landlock, nobody, broker)
		if err == nil {
			err = sandbox.Try(s, context.Background())
		}
		switch {
		case err == nil:
			f.boxes[name] = s
		case denied(err):
			f.missing[name] = err.Error()
		default: // it was let in and does not hold
			failed = errors.Join(failed, fmt.Errorf("level %s: %w", name, err))
		}
		return err == nil
	}
	add("namespaces", true, abi, false)
	if nobody && !raced && thorough() {
		add("namespaces-alone", true, 0, false)
	}
	if abi == 0 {
		f.missing["landlock"] = fmt.Sprintf("this kernel has no Landlock: %v", landlockErr)
		return f, failed
	}
	if !add("landlock", false, abi, true) && f.missing["landlock"] != "" { // a container's engine may be a broker already
		add("landlock-alone", false, abi, false)
		return f, failed
	}
	if abi > 1 && !nobody && !raced && thorough() {
		add("landlock-1", false, 1, true) // as on the first kernels that had it
		add("landlock-alone", false, 1, false)
	}
	return f, failed
})

// denied reports whether an error of a level is the machine's refusal of what it is made of.
func denied(err error) bool {
	var errno syscall.Errno
	return errors.As(err, &errno) && slices.Contains([]syscall.Errno{
		syscall.EPERM, syscall.EACCES, syscall.ENOSYS, syscall.EOPNOTSUPP, syscall.ENOSPC, syscall.EUSERS, syscall.EBUSY,
	}, errno)
}

// folder makes an episode's folder with a workspace in it, as open as a run makes it.
func folder(t testing.TB) (base, dir string) {
	t.Helper()
	base, err := os.MkdirTemp("", "benchwright-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sandbox.Remove(base); err != nil {
			t.Error(err)
		}
	})
	dir = filepath.Join(base, "visible")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return base, dir
}

func shell(dir, line string) sandbox.Command {
	return sandbox.Command{Args: []string{"/bin/sh", "-c", line}, Dir: dir}
}

// run runs a command that the sandbox itself must get through.
func run(t testing.TB, s *sandbox.Sandbox, c sandbox.Command) sandbox.Result {
	t.Helper()
	if c.Limits.Wall == 0 {
		c.Limits.Wall = 30 * time.Second // the machine may be busy
	}
	res, err := s.Run(context.Background(), c)
	if err != nil {
		t.Fatalf("%.200q: %v", c.Args, err)
	}
	return res
}

// TestAsAnOrdinaryUser runs the tests of this package again as a user without rights, where they
// run as root: both are what CI has.
func TestAsAnOrdinaryUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("these tests are run by an ordinary user already")
	}
	if !thorough() {
		t.Skip("SKIPPED: takes a minute: make attacks")
	}
	const nobody = 65534
	cmd := again(t, nobody)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("as user %d: %v\n%s", nobody, err, out)
	}
	report(t, "", out)
}

// TestWithoutNamespaces makes the attacks once more on a machine that forbids namespaces, as most
// containers do: what is left has to be found, and to hold.
func TestWithoutNamespaces(t *testing.T) {
	if os.Getenv(helperEnv) == "denied" {
		t.Skip("these tests run without namespaces already")
	}
	if !thorough() {
		t.Skip("SKIPPED: takes a minute: make attacks")
	}
	cmd := again(t, os.Getuid(), "-test.run=^(TestAttacks|TestOrdinaryWorkWorks)$")
	cmd.Env = append(cmd.Env, helperEnv+"=denied")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("without namespaces: %v\n%s", err, out)
	}
	if bytes.Contains(out, []byte("level namespaces (")) {
		t.Errorf("there were namespaces: this test proves nothing\n%s", out)
	}
	report(t, "without namespaces, ", out)
}

// again returns this binary as a command of a user, with a copy of Python that he can read.
func again(t *testing.T, user int, args ...string) *exec.Cmd {
	t.Helper()
	py := interpreter(t)
	base, err := os.MkdirTemp("", "benchwright-user-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sandbox.Remove(base) })
	binary, home, root := filepath.Join(base, "sandbox.test"), filepath.Join(base, "home"), filepath.Join(base, "python")
	err = errors.Join(os.Chmod(base, 0o755), os.Mkdir(home, 0o755), os.Chown(home, user, -1), link("/proc/self/exe", binary), linkTree(py.Root, root))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, append([]string{"-test.v", "-test.timeout=9m"}, args...)...)
	cmd.Dir = home
	cmd.Env = []string{
		helperEnv + "=user", attacksEnv + "=all", pythonEnv + "=" + filepath.Join(root, "bin", "python3") + "," + root,
		"HOME=" + home, "TMPDIR=" + home, "PATH=/usr/bin:/bin", "GORACE=atexit_sleep_ms=0",
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if user != os.Getuid() {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(user), Gid: uint32(user)}
	}
	return cmd
}

// report passes on which levels were attacked, and which were not. That there is no word of either
// is a failure.
func report(t *testing.T, where string, out []byte) {
	t.Helper()
	attacked := false
	for line := range bytes.Lines(out) {
		for _, word := range []string{"ATTACKED", "SKIPPED"} {
			if _, said, ok := bytes.Cut(line, []byte(word+": ")); ok {
				t.Logf("%s: %s%s", word, where, bytes.TrimSpace(said))
				attacked = attacked || bytes.Contains(said, []byte("level "))
			}
		}
	}
	if !attacked {
		t.Errorf("%sno level was attacked, and none was said to be missing:\n%s", where, out)
	}
}

// linkTree makes a copy of a tree by hard links, or of bytes on another file system.
func linkTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := to + strings.TrimPrefix(path, from)
		switch d.Type() {
		case fs.ModeDir:
			return os.Mkdir(at, 0o755)
		case fs.ModeSymlink:
			target, err := os.Readlink(path)
			return errors.Join(err, os.Symlink(target, at))
		}
		if os.Link(path, at) == nil {
			return nil
		}
		return link(path, at)
	})
}

func link(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	st, err := os.Stat(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, st.Mode().Perm()|0o555)
}

// alive lists the processes of this machine whose command line holds word, or that work
// below it.
func alive(word string) (pids []string) {
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range all {
		line, _ := os.ReadFile(p + "/cmdline")
		cwd, _ := os.Readlink(p + "/cwd")
		if bytes.Contains(line, []byte(word)) || strings.HasPrefix(cwd, word) {
			pids = append(pids, filepath.Base(p))
		}
	}
	return pids
}

// slots bounds how many commands the parallel tests run at a time, so that deadlines mean
// something on a small machine.
var slots = make(chan struct{}, 3)

func slot(t testing.TB) {
	slots <- struct{}{}
	var once sync.Once
	t.Cleanup(func() { once.Do(func() { <-slots }) })
}
