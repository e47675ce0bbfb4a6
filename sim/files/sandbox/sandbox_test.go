//go:build linux

package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"

	"benchwright/sim/files/sandbox"
)

// each runs a test at every level that this machine has, and at none. Where it is not thorough,
// only ordinary work is tried at the weaker levels too: they share all but the walls.
func each(t *testing.T, f func(*testing.T, *sandbox.Sandbox)) {
	t.Parallel()
	boxes, missing := levels(t)
	for name, reason := range missing {
		t.Run(name, func(t *testing.T) { t.Skipf("SKIPPED: as user %d, level %s: %s", os.Getuid(), name, reason) })
	}
	none, err := sandbox.Open(t.Context(), sandbox.None)
	if err != nil {
		t.Fatal(err)
	}
	boxes["none"] = none
	delete(boxes, "namespaces-alone") // which are for attacks
	delete(boxes, "landlock-alone")
	if !strings.Contains(t.Name(), "OrdinaryWork") { // which signals its own processes
		delete(boxes, "landlock-1")
		if boxes["namespaces"] != nil && !thorough() {
			delete(boxes, "landlock")
		}
	}
	for name, box := range boxes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			slot(t)
			f(t, box)
		})
	}
}

// TestOrdinaryWorkWorks is the control of the attacks: what scripts do all day.
func TestOrdinaryWorkWorks(t *testing.T) {
	py := interpreter(t)
	each(t, func(t *testing.T, box *sandbox.Sandbox) {
		_, dir := folder(t)
		if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte("id,amount\n1,5\n2,6\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		c := py.Shell(box, dir, `set -e
			[ "$(cat a.csv | wc -l)" = 3 ]; echo hi > out.txt; echo more >> out.txt; touch out.txt new; mkdir -p d/e; mv out.txt d/e/; ln -s e d/link
			awk -F, 'NR > 1 { n += $2 } END { print n }' a.csv; sort a.csv | head -1; cp a.csv d/copy.csv; rm new
			cp -p a.csv kept; sed -i s/1/1/ kept; chmod 600 kept; chmod 755 d; touch -d '2020-01-02 03:04:05 UTC' kept; stat -c '%a %Y' kept
			echo x > $TMPDIR/x; cat $TMPDIR/x; cat /dev/null; head -c 3 /dev/urandom > r; printf '#!/bin/sh\necho script\n' > s.sh; chmod +x s.sh; ./s.sh
			sleep 60 & kill $!; wait $! || timeout 0.1 sleep 60 || echo ended $?
			cat; python -c 'print(1 + 1)'; pwd`)
		c.Limits.Wall = time.Minute
		res := run(t, box, c)
		if want := "11\n1,5\n600 1577934245\nx\nscript\nended 124\n2\n" + box.Workspace(dir) + "\n"; string(res.Stdout) != want || !res.OK() {
			t.Errorf("shell: exit %d, stdout %q, stderr %q; want %q", res.ExitCode, res.Stdout, res.Stderr, want)
		}
		if b, err := os.ReadFile(filepath.Join(dir, "d/e/out.txt")); string(b) != "hi\nmore\n" {
			t.Errorf("out.txt holds %q, %v", b, err)
		}
		c = py.Command(box, dir, "-c", `
import asyncio, concurrent.futures, csv, json, os, pathlib, shutil, subprocess, sys, tempfile, threading, unittest
shutil.copy2('a.csv', 'b.csv'); shutil.copytree('d', 'e'); os.utime('b.csv', (1, 2)); os.utime('b.csv'); os.chown('b.csv', -1, os.getgid())
os.chmod('b.csv', 0o604); fd = os.open('b.csv', os.O_RDONLY); os.fchmod(fd, 0o640) if hasattr(os, 'fchmod') else os.chmod(fd, 0o640); os.utime(fd, (5, 6))
st = os.stat('b.csv'); assert (st.st_mode & 0o7777, st.st_mtime) == (0o640, 6), st
print(json.dumps(list(csv.DictReader(open('a.csv')))), sys.stdin.read())
print(subprocess.run(['wc', '-l', 'a.csv'], capture_output=True, text=True).stdout.strip())
asyncio.run(asyncio.sleep(0))
with concurrent.futures.ThreadPoolExecutor(4) as pool: print(sum(pool.map(abs, range(-3, 4))))
with tempfile.TemporaryDirectory() as d: pathlib.Path(d, 'x').write_text('x')
unittest.main(argv=['x', '-v'], module=None, exit=False)`)
		c.Stdin, c.Limits.Wall = []byte("given"), time.Minute
		res = run(t, box, c)
		want := `[{"id": "1", "amount": "5"}, {"id": "2", "amount": "6"}] given` + "\n3 a.csv\n12\n"
		if string(res.Stdout) != want || !res.OK() {
			t.Errorf("python: exit %d, stdout %q, stderr %q", res.ExitCode, res.Stdout, res.Stderr)
		}
		if st, err := os.Stat(filepath.Join(dir, "d", "copy.csv")); err != nil || int(st.Sys().(*syscall.Stat_t).Uid) != os.Getuid() {
			t.Errorf("the workspace was not given back: %+v, %v", st, err)
		}
	})
}

func TestResultsSayHowACommandEnded(t *testing.T) {
	each(t, func(t *testing.T, box *sandbox.Sandbox) {
		_, dir := folder(t)
		for _, c := range []struct {
			name   string
			args   []string
			code   int
			signal syscall.Signal
			stderr string
			reason string
		}{
			{"exit-code", []string{"sh", "-c", "exit 3"}, 3, 0, "", "a program without a slash is looked up"},
			{"high-exit-code", []string{"/bin/sh", "-c", "exit 137"}, 137, 0, "", "an exit code is not a signal"},
			{"signal", []string{"/bin/sh", "-c", "kill -9 0"}, -1, syscall.SIGKILL, "", "a signal is not an exit code"},
			{"stage-code", []string{"/bin/sh", "-c", `echo '{"Error":"forged"}' >&4; exit 125`}, 125, 0, "", "no exit code is taken for the sandbox's own failure"},
			{"missing", []string{"no-such-program"}, 127, 0, "sandbox: no-such-program: no such file or directory\n", "as a shell has it"},
			{"not-executable", []string{"/etc/localtime/x"}, 127, 0, "", "a path through a file"},
			{"folder", []string{"/usr"}, 126, 0, "sandbox: /usr: permission denied\n", "a folder is no program"},
			{"nul", []string{"/bin/sh", "-c", "echo \x00"}, 126, 0, "sandbox: /bin/sh: an argument holds a NUL byte\n", "no agent's text is an error of Run"},
			{"long", []string{"/bin/sh", "-c", strings.Repeat(":", 200_000)}, 126, 0, "sandbox: /bin/sh: argument list too long\n", "the kernel's limit is the command's affair"},
		} {
			res := run(t, box, sandbox.Command{Args: c.args, Dir: dir})
			if c.name == "stage-code" { // the shell complains of a bad descriptor
				res.Stderr = nil
				c.stderr = ""
			}
			if res.ExitCode != c.code || res.Signal != c.signal || res.Over != "" || c.stderr != "" && string(res.Stderr) != c.stderr {
				t.Errorf("%s: exit %d, signal %v, over %q, stderr %q; want %d, %v, %q: %s", c.name, res.ExitCode, res.Signal, res.Over, res.Stderr, c.code, c.signal, c.stderr, c.reason)
			}
		}
	})
}

func TestWhatCannotBeRunIsAnError(t *testing.T) {
	box, err := sandbox.Open(t.Context(), sandbox.None)
	if err != nil {
		t.Fatal(err)
	}
	_, dir := folder(t)
	for name, c := range map[string]sandbox.Command{
		`a command has no arguments: want at least the program`:                    {Dir: dir},
		`folder "x": want an absolute path`:                                        {Args: []string{"x"}, Dir: "x"},
		`workspace: lstat ` + dir + `/gone: no such file or directory`:             {Args: []string{"x"}, Dir: dir + "/gone"},
		`lent "x": want an absolute path`:                                          {Args: []string{"x"}, Dir: dir, Lent: []sandbox.Mount{{Host: "x", Inside: "/opt/x"}}},
		`lent "/x": inside path "/etc": want a clean path below /opt or /mnt`:      {Args: []string{"x"}, Dir: dir, Lent: []sandbox.Mount{{Host: "/x", Inside: "/etc"}}},
		`lent "/x": inside path "/opt/../x": want a clean path below /opt or /mnt`: {Args: []string{"x"}, Dir: dir, Lent: []sandbox.Mount{{Host: "/x", Inside: "/opt/../x"}}},
		`lent "/y": inside path "/opt/x/y" overlaps "/opt/x"`:                      {Args: []string{"x"}, Dir: dir, Lent: []sandbox.Mount{{Host: "/x", Inside: "/opt/x"}, {Host: "/y", Inside: "/opt/x/y"}}},
		`environment "x": want NAME=value`:                                         {Args: []string{"x"}, Dir: dir, Env: []string{"x"}},
		`disk limit -1: want a positive number, or 0 for the default`:              {Args: []string{"x"}, Dir: dir, Limits: sandbox.Limits{Disk: -1}},
	} {
		if _, err := box.Run(t.Context(), c); err == nil || err.Error() != "sandbox: "+name {
			t.Errorf("error %v, want %s", err, name)
		}
	}
	for _, mode := range []string{"userns", "AUTO", "none "} {
		if _, err := sandbox.ParseMode(mode); err == nil || err.Error() != fmt.Sprintf("sandbox mode %q: want auto, landlock or none", mode) {
			t.Errorf("mode %q: %v", mode, err)
		}
	}
}

func TestLentFoldersCanBeReadAndNotWritten(t *testing.T) {
	each(t, func(t *testing.T, box *sandbox.Sandbox) {
		base, dir := folder(t)
		hidden := filepath.Join(base, "tests")
		if err := errors.Join(os.Mkdir(hidden, 0o777), os.WriteFile(filepath.Join(hidden, "t.txt"), []byte("lent\n"), 0o666)); err != nil {
			t.Fatal(err)
		}
		m := sandbox.Mount{Host: hidden, Inside: "/mnt/tests"}
		c := shell(dir, `cat "$1/t.txt"; (echo x > "$1/t.txt") 2>/dev/null && echo wrote; (echo x > "$1/new") 2>/dev/null && echo made; true`)
		c.Args, c.Lent = append(c.Args, "sh", m.Path(box)), []sandbox.Mount{m}
		res := run(t, box, c)
		want := "lent\n"
		if box.Level().String() == "none" {
			want += "wrote\nmade\n"
		}
		if string(res.Stdout) != want {
			t.Errorf("stdout %q, stderr %q; want %q", res.Stdout, res.Stderr, want)
		}
	})
}

// TestWhatACommandLeftCanBeCountedAndRemoved leaves the worst of trees.
func TestWhatACommandLeftCanBeCountedAndRemoved(t *testing.T) {
	py := interpreter(t)
	each(t, func(t *testing.T, box *sandbox.Sandbox) {
		base, dir := folder(t)
		res := run(t, box, py.Command(box, dir, "-c", `
import os, socket
for name in (b'new\nline', b'\xff\xfe', b'-rf', b' ', b'\x1b[31m', b'a' * 255): open(name, 'w').close()
os.mkfifo('fifo'); os.symlink('loop', 'loop'); os.symlink('/', 'root'); os.symlink('..', 'up')
os.link(b'-rf', 'twice')
os.umask(0o777); os.mkdir('closed'); os.umask(0o022)
try:
    s = socket.socket(socket.AF_UNIX); s.bind('socket')
except OSError: pass
print('done')`))
		if string(res.Stdout) != "done\n" || !res.OK() {
			t.Fatalf("over %q, stderr %q", res.Over, res.Stderr)
		}
		if _, err := os.ReadDir(filepath.Join(dir, "closed")); err != nil {
			t.Errorf("a closed folder stays closed: %v", err)
		}
		res = run(t, box, py.Command(box, dir, "-c", `
import os
for i in range(3000):
    os.mkdir('deep'); os.chdir('deep')
open('end', 'w').close()`))
		if res.Over != sandbox.DiskLimit {
			t.Errorf("a tree too deep to be named: over %q, stderr %q; want %q", res.Over, res.Stderr, sandbox.DiskLimit)
		}
		if err := sandbox.Remove(base); err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(base); err == nil {
			t.Error("it is still there")
		}
	})
	if err := sandbox.Remove("/no/such/folder"); err != nil {
		t.Errorf("removing what is not there: %v", err)
	}
}

func TestTemporaryFilesEndWithTheCommand(t *testing.T) {
	each(t, func(t *testing.T, box *sandbox.Sandbox) {
		_, dir := folder(t)
		res := run(t, box, shell(dir, `echo $TMPDIR; touch $TMPDIR/x; mkdir -m 0 $TMPDIR/closed`))
		at := strings.TrimSpace(string(res.Stdout))
		if _, err := os.Stat(at + "/x"); err == nil || !res.OK() {
			t.Errorf("%s/x is there; stderr %q", at, res.Stderr)
		}
		if res := run(t, box, shell(dir, `ls -A $TMPDIR`)); len(res.Stdout) > 0 || !res.OK() {
			t.Errorf("the next command finds %q", res.Stdout)
		}
	})
}

func TestACancelledContextEndsTheCommand(t *testing.T) {
	each(t, func(t *testing.T, box *sandbox.Sandbox) {
		base, dir := folder(t)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
				if _, err := os.Stat(filepath.Join(dir, "started")); err == nil {
					break
				}
			}
			cancel()
		}()
		c := shell(dir, "(setsid sleep 60 &) ; touch started; sleep 60 # "+base)
		c.Limits.Wall = time.Minute
		if _, err := box.Run(ctx, c); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want %v", err, context.Canceled)
		}
		if left := alive(base); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
		if _, err := box.Run(ctx, c); !errors.Is(err, context.Canceled) {
			t.Errorf("under a cancelled context: error %v", err)
		}
	})
}

func TestCommandsRunInParallelAndOneAtATimeInAFolder(t *testing.T) {
	each(t, func(t *testing.T, box *sandbox.Sandbox) {
		var all sync.WaitGroup
		for i := range 4 {
			_, dir := folder(t)
			all.Go(func() {
				c := shell(dir, fmt.Sprintf("echo %d > mine; cat mine; ls", i))
				c.Limits.Wall = time.Minute
				res, err := box.Run(t.Context(), c)
				if want := fmt.Sprintf("%d\nmine\n", i); err != nil || string(res.Stdout) != want {
					t.Errorf("stdout %q, stderr %q, %v; want %q", res.Stdout, res.Stderr, err, want)
				}
			})
		}
		_, dir := folder(t)
		first := make(chan error, 1)
		go func() {
			_, err := box.Run(t.Context(), shell(dir, "touch started; while [ ! -e seen ]; do sleep 0.02; done"))
			first <- err
		}()
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if _, err := os.Stat(filepath.Join(dir, "started")); err == nil {
				break
			}
		}
		if _, err := box.Run(t.Context(), shell(dir, "true")); err == nil || !strings.HasSuffix(err.Error(), "another command runs in it") {
			t.Errorf("a second command in one folder: %v", err)
		}
		if err := errors.Join(os.WriteFile(filepath.Join(dir, "seen"), nil, 0o644), <-first); err != nil {
			t.Error(err)
		}
		all.Wait()
	})
}

// lasting is a helper process: it runs a command that would last, and says so.
func lasting() {
	box, err := sandbox.Open(context.Background(), sandbox.Mode(os.Getenv("MODE")))
	if err == nil {
		dir := os.Getenv("DIR")
		_, err = box.Run(context.Background(), sandbox.Command{
			Args: []string{"/bin/sh", "-c", "(setsid sleep 300 # " + dir + "\n) & touch started; sleep 300; : " + dir}, Dir: dir, Limits: sandbox.Limits{Wall: 5 * time.Minute},
		})
	}
	fmt.Fprintln(os.Stderr, "lasting:", err)
	os.Exit(1)
}

// TestNothingOutlivesTheParent kills the parent of a command, which then can kill nothing.
func TestNothingOutlivesTheParent(t *testing.T) {
	for _, mode := range []sandbox.Mode{sandbox.Auto, sandbox.Landlock, sandbox.None} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			slot(t)
			if _, err := sandbox.Open(t.Context(), mode); err != nil {
				t.Skipf("SKIPPED: %v", err)
			}
			base, dir := folder(t)
			cmd := exec.Command("/proc/self/exe")
			cmd.Env = []string{helperEnv + "=lasting", "MODE=" + string(mode), "DIR=" + dir, "TMPDIR=" + base, "HOME=" + os.Getenv("HOME")}
			var said strings.Builder
			cmd.Stderr = &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			wait := func(what string, is func() bool) {
				t.Helper()
				for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
					if time.Now().After(end) {
						t.Fatalf("after a minute not yet: %s; it said %q", what, said.String())
					}
				}
			}
			wait("the command has started", func() bool { _, err := os.Stat(filepath.Join(dir, "started")); return err == nil })
			if len(alive(dir)) == 0 {
				t.Error("the command is not seen: this test would prove nothing")
			}
			cmd.Process.Kill()
			cmd.Wait()
			wait("all is gone", func() bool {
				left, _ := filepath.Glob(filepath.Join(base, "benchwright-*"))
				return len(alive(dir)) == 0 && len(left) == 0
			})
		})
	}
}

// denyNamespaces makes of this process one on a machine that forbids them, and the system calls
// beside them, as container engines do.
func denyNamespaces(also ...string) error {
	groups := []seccomp.SyscallGroup{
		{Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS), Names: append([]string{"clone3"}, also...)},
		{
			Action: seccomp.ActionErrno, Names: []string{"unshare", "setns", "mount", "umount2", "pivot_root", "open_tree", "move_mount"},
			NamesWithCondtions: []seccomp.NameWithConditions{{Name: "clone", Conditions: []seccomp.Condition{{Argument: 0, Operation: seccomp.BitsSet, Value: unix.CLONE_NEWUSER}}}},
		},
	}
	return seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: seccomp.Policy{DefaultAction: seccomp.ActionAllow, Syscalls: groups}})
}

// container is a helper process on such a machine that, where it is bare, has no Landlock either.
// It prints what Open says.
func container(bare bool) {
	var also []string
	if bare {
		also = []string{"landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"}
	}
	if err := denyNamespaces(also...); err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	for _, mode := range []sandbox.Mode{sandbox.Auto, sandbox.Landlock, sandbox.None} {
		box, err := sandbox.Open(context.Background(), mode)
		if err != nil {
			fmt.Printf("%s: %v (%v)\n", mode, err, errors.Is(err, sandbox.ErrRefused))
			continue
		}
		fmt.Printf("%s: %s\n", mode, box.Level())
	}
	os.Exit(0)
}

func TestOpenFindsTheStrongestLevelThatHolds(t *testing.T) {
	t.Parallel()
	abi, _ := sandbox.LandlockABI()
	if abi == 0 {
		t.Skip("SKIPPED: this kernel has no Landlock to fall back to")
	}
	landlock := fmt.Sprintf("landlock%d+seccomp+broker+watchdog", abi)
	if sandbox.MayBecome() {
		landlock = "nobody+" + landlock
	}
	const refused = "sandbox: agent commands were not run: "
	for _, c := range []struct{ helper, want string }{
		{"container", "auto: " + landlock + "\nlandlock: " + landlock + "\nnone: none\n"},
		{"bare", "auto: " + refused + "user namespaces: operation not permitted; landlock: not supported. Allow one of them, or set BENCH_SANDBOX=none on a throw-away machine (true)\n" +
			"landlock: " + refused + "landlock: not supported. Allow it, or set BENCH_SANDBOX=none on a throw-away machine (true)\nnone: none\n"},
	} {
		cmd := exec.Command("/proc/self/exe")
		cmd.Env = []string{helperEnv + "=" + c.helper, "TMPDIR=" + os.TempDir(), "HOME=" + os.Getenv("HOME")}
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != c.want {
			t.Errorf("in a %s container: %v\n%swant\n%s", c.helper, err, out, c.want)
		}
	}
	box, err := sandbox.Open(t.Context(), sandbox.Auto)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("here: %s", box.Level())
	if again, err := sandbox.Open(t.Context(), ""); again != box || err != nil {
		t.Errorf("a second Open: %v, %v", again, err)
	}
}
