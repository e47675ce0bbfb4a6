//go:build linux

package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"benchwright/sim/files/python"
	"benchwright/sim/files/sandbox"
)

const (
	helperEnv = "BENCHWRIGHT_SANDBOX_HELPER" // makes this binary a helper process of a test
	pythonEnv = "BENCHWRIGHT_SANDBOX_PYTHON" // where a helper finds the interpreter: path, root
)

func TestMain(m *testing.M) {
	os.Setenv("HOST_SECRET", "known to the host alone")
	switch role := os.Getenv(helperEnv); role {
	case "":
		os.Exit(m.Run())
	case "user": // the same tests, as an ordinary user
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

// levels returns the sandboxes to attack here, by name.
func levels(t testing.TB) map[string]*sandbox.Sandbox {
	t.Helper()
	abi, _ := sandbox.LandlockABI()
	nobody := sandbox.MayBecome()
	all := map[string]*sandbox.Sandbox{}
	add := func(name string, namespaces bool, landlock int, broker bool) {
		s, err := sandbox.At(namespaces, landlock, nobody, broker)
		if err != nil {
			t.Fatal(err)
		}
		err = sandbox.Try(s, t.Context())
		var errno syscall.Errno
		switch {
		case err == nil:
			all[name] = s
		case namespaces && errors.As(err, &errno):
			t.Logf("SKIPPED: level %s: this machine has no user namespaces for us: %v", name, err)
		default:
			t.Errorf("level %s: %v", name, err)
		}
	}
	add("namespaces", true, abi, false)
	if nobody && !raced {
		add("namespaces-alone", true, 0, false)
	}
	if abi == 0 {
		t.Log("SKIPPED: the levels of Landlock: this kernel has none")
		return all
	}
	add("landlock", false, abi, true)
	if abi > 1 && !nobody && !raced {
		add("landlock-1", false, 1, true) // as on the first kernels that had it
		add("landlock-alone", false, 1, false)
	}
	return all
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

// TestAsAnOrdinaryUser runs the tests of this package again as a user without rights, where
// they run as root: both are what CI has.
func TestAsAnOrdinaryUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("these tests are run by an ordinary user already")
	}
	t.Parallel()
	const nobody = 65534
	py := interpreter(t)
	base, err := os.MkdirTemp("", "benchwright-user-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sandbox.Remove(base) })
	binary, home, root := filepath.Join(base, "sandbox.test"), filepath.Join(base, "home"), filepath.Join(base, "python")
	err = errors.Join(os.Chmod(base, 0o755), os.Mkdir(home, 0o755), os.Chown(home, nobody, nobody), link("/proc/self/exe", binary), linkTree(py.Root, root))
	if err != nil {
		t.Fatal(err)
	}
	what := "."
	if raced { // the attacks are made without it
		what = "^(TestOrdinaryWorkWorks|TestResultsSayHowACommandEnded|TestACancelledContextEndsTheCommand|TestNothingOutlivesTheParent)$"
	}
	cmd := exec.Command(binary, "-test.v", "-test.timeout=9m", "-test.run="+what)
	cmd.Dir = home
	cmd.Env = []string{
		helperEnv + "=user", pythonEnv + "=" + filepath.Join(root, "bin", "python3") + "," + root,
		"HOME=" + home, "TMPDIR=" + home, "PATH=/usr/bin:/bin", "GORACE=atexit_sleep_ms=0",
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}, Pdeathsig: syscall.SIGKILL}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("as user %d: %v\n%s", nobody, err, out)
	}
	tried := func(level string) bool {
		return bytes.Contains(out, []byte("--- PASS: TestAttacks/"+level)) || bytes.Contains(out, []byte("SKIPPED"))
	}
	if !raced && (!tried("namespaces") || !tried("landlock")) {
		t.Errorf("as user %d: the attacks were not run:\n%s", nobody, out)
	}
	for line := range bytes.Lines(out) {
		if bytes.Contains(line, []byte("SKIPPED")) {
			t.Logf("as user %d: %s", nobody, bytes.TrimSpace(line))
		}
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
