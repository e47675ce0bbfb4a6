//go:build linux

package sandbox_test

import (
	"crypto/rand"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"benchwright/sim/files/sandbox"
)

// embedded is what an attack looks for in the binary behind PID 1.
const embedded = "marker-embedded-in-the-test-binary-5c1f"

// An attack is a script of a hostile agent. It prints $A$B, which nothing else spells, when
// it got through; the secret of the hidden file must not turn up anywhere either.
type attack struct {
	name   string
	shell  string
	python string
	limits sandbox.Limits
	reason string
	ended  sandbox.Limit                           // the limit that it must run into
	or     sandbox.Limit                           // or this one
	check  func(*testing.T, *site, sandbox.Result) // what the host must look like afterwards
}

// severalWalls are the attacks that more than one wall stands against, which are tried at the
// levels that lack some of them as well.
var severalWalls = []string{"read-hidden", "walk-proc", "system-files", "write-outside", "change-metadata", "devices", "watching", "network", "signals", "privileges"}

// A site is a machine under attack: an episode's folder, a process, and listeners.
type site struct {
	base, dir, hidden, secret string
	a, b                      string
	port, victim              int
	socket, abstract          string
	visitors                  *atomic.Int64
	mode                      fs.FileInfo
	devices                   []syscall.Stat_t
}

// devices returns what the host says of the devices that commands may open.
func devices(t *testing.T) (list []syscall.Stat_t) {
	t.Helper()
	for _, name := range []string{"null", "zero", "full", "random", "urandom"} {
		var st syscall.Stat_t
		if err := syscall.Stat("/dev/"+name, &st); err != nil {
			t.Fatal(err)
		}
		list = append(list, st)
	}
	return list
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{a: rand.Text(), b: rand.Text(), secret: "gold-" + rand.Text(), visitors: new(atomic.Int64)}
	s.base, s.dir = folder(t)
	hide := filepath.Join(s.base, "hidden")
	s.hidden = filepath.Join(hide, "gold.json")
	for _, err := range []error{
		os.Chmod(s.base, 0o755), os.Mkdir(hide, 0o755), os.WriteFile(s.hidden, []byte(s.secret), 0o666), os.Chmod(s.hidden, 0o666),
		os.WriteFile(filepath.Join(s.dir, "a.csv"), []byte("id,amount\n1,5\n"), 0o644),
		os.Symlink(s.hidden, filepath.Join(s.dir, "prepared")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	s.mode, _ = os.Stat(s.hidden)
	s.devices = devices(t)

	victim := exec.Command("sleep", "600")
	victim.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	s.victim = victim.Process.Pid
	t.Cleanup(func() {
		if err := victim.Process.Signal(syscall.Signal(0)); err != nil {
			t.Errorf("a process outside was ended: %v", err)
		}
		victim.Process.Kill()
		victim.Wait()
	})
	s.socket, s.abstract = filepath.Join(s.base, "s"), "benchwright-"+rand.Text()
	for _, l := range []net.Listener{listen(t, "tcp", "127.0.0.1:0"), listen(t, "unix", s.socket), listen(t, "unix", "@"+s.abstract)} {
		if a, ok := l.Addr().(*net.TCPAddr); ok {
			s.port = a.Port
		}
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				s.visitors.Add(1)
				c.Close()
			}
		}()
	}
	os.Chmod(s.socket, 0o777)
	return s
}

func listen(t *testing.T, network, address string) net.Listener {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// write puts the site's facts into a script.
func (s *site) write(script string) string {
	return strings.NewReplacer("HIDDEN", s.hidden, "BASE", s.base, "PORT", strconv.Itoa(s.port), "VICTIM", strconv.Itoa(s.victim),
		"SOCKET", s.socket, "ABSTRACT", s.abstract, "SELF", strconv.Itoa(os.Getpid()), "EMBEDDED", embedded[:20]+"["+embedded[20:21]+"]"+embedded[21:]).Replace(script)
}

// TestAttacks runs every attack at the levels that this machine has: all of them at all levels
// where it is thorough.
func TestAttacks(t *testing.T) {
	t.Logf("the binary holds %s", embedded)
	open, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	// What a parent may have inherited itself, unlike what Go opens, survives execve.
	inherited, err := syscall.Dup(int(open.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(inherited); open.Close() })
	py := interpreter(t)
	boxes, missing := levels(t)
	strongest := "namespaces"
	if boxes[strongest] == nil {
		strongest = "landlock"
	}
	for name, reason := range missing {
		t.Run(name, func(t *testing.T) { t.Skipf("SKIPPED: as user %d, level %s: %s", os.Getuid(), name, reason) })
	}
	for name, box := range boxes {
		few := strings.Contains(name, "-") || raced || !thorough() && name != strongest
		if raced && name != strongest {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var made atomic.Int64
			t.Cleanup(func() {
				t.Logf("ATTACKED: as user %d, level %s (%s): %d of %d attacks", os.Getuid(), name, box.Level(), made.Load(), len(attacks))
			})
			for _, a := range attacks {
				if few && !slices.Contains(severalWalls, a.name) {
					continue
				}
				t.Run(a.name, func(t *testing.T) {
					t.Parallel()
					slot(t)
					made.Add(1)
					if a.reason == "" || (a.shell == "") == (a.python == "") {
						t.Fatal("an attack has a reason and one script")
					}
					s := newSite(t)
					mark := s.write("\n# BASE") // by which its processes are known
					c := py.Shell(box, s.dir, s.write(a.shell)+mark)
					if a.python != "" {
						c = py.Command(box, s.dir, "-c", prelude+s.write(a.python)+mark)
					}
					c.Env = append(c.Env, "A="+s.a, "B="+s.b)
					c.Limits = a.limits
					res := run(t, box, c)
					s.inspect(t, a, res)
				})
			}
		})
	}
}

// prelude is what the Python attacks share: LEAK says that one got through.
const prelude = `
import os
def isopen(fd):
    try: os.fstat(fd)
    except OSError: return False
    return True
inherited = [fd for fd in range(3, 256) if isopen(fd)]  # before a library opens any
import sys, time, socket, ctypes, subprocess
def LEAK(*what): print(os.environ['A'] + os.environ['B'], *what, flush=True)
def tries(f, *args):
    try: f(*args)
    except (OSError, ValueError) as e: print('refused', e, flush=True)
    else: LEAK(f, args)
libc = ctypes.CDLL(None, use_errno=True)
x86 = os.uname().machine == 'x86_64'  # whose numbers of system calls are used below
`

func (s *site) inspect(t *testing.T, a attack, res sandbox.Result) {
	t.Helper()
	all := string(res.Stdout) + string(res.Stderr)
	filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if b, err := os.ReadFile(path); err == nil && len(b) < 1<<20 {
				all += string(b)
			}
		}
		return nil
	})
	if strings.Contains(all, s.a+s.b) || strings.Contains(all, s.secret[5:]) {
		t.Errorf("got through: %s", a.reason)
	}
	if left := alive(s.base); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
	if n := s.visitors.Load(); n != 0 {
		t.Errorf("a listener of the host had %d visitors", n)
	}
	if b, err := os.ReadFile(s.hidden); err != nil || string(b) != s.secret {
		t.Errorf("the hidden file was changed: %q, %v", b, err)
	}
	if st, err := os.Stat(s.hidden); err != nil || st.Mode() != s.mode.Mode() || !st.ModTime().Equal(s.mode.ModTime()) || !os.SameFile(st, s.mode) {
		t.Errorf("the hidden file was changed: %v, was %v; %v", st, s.mode, err)
	}
	if now := devices(t); !slices.Equal(now, s.devices) {
		t.Errorf("the host's devices were changed: %+v, were %+v", now, s.devices)
	}
	if left, _ := filepath.Glob("/tmp/benchwright-evil*"); len(left) > 0 {
		t.Errorf("left on the host: %v", left)
	}
	if a.ended != "" && res.Over != a.ended && (a.or == "" || res.Over != a.or) {
		t.Errorf("ended over %q, want %q", res.Over, a.ended)
	}
	if a.check != nil {
		a.check(t, s, res)
	}
	if t.Failed() {
		t.Logf("exit %d, signal %v, over %q, %v; stdout %.2000q stderr %.2000q", res.ExitCode, res.Signal, res.Over, res.Wall, res.Stdout, res.Stderr)
	}
}

// exits wants a script to have run to its end: an attack that never started proves nothing.
func exits(code int) func(*testing.T, *site, sandbox.Result) {
	return func(t *testing.T, _ *site, res sandbox.Result) {
		t.Helper()
		if res.ExitCode != code || res.Over != "" {
			t.Errorf("exit code %d, over %q; want %d", res.ExitCode, res.Over, code)
		}
	}
}

// says wants a word in the output.
func says(word string) func(*testing.T, *site, sandbox.Result) {
	return func(t *testing.T, _ *site, res sandbox.Result) {
		t.Helper()
		if !strings.Contains(string(res.Stdout), word) {
			t.Errorf("stdout %.300q, stderr %.1000q; want %q", res.Stdout, res.Stderr, word)
		}
	}
}

func stops(after time.Duration) func(*testing.T, *site, sandbox.Result) {
	return func(t *testing.T, _ *site, res sandbox.Result) {
		t.Helper()
		if res.Wall > after {
			t.Errorf("took %v, want at most %v", res.Wall, after)
		}
	}
}
