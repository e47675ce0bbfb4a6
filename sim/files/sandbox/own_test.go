//go:build linux

package sandbox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"benchwright/sim/files/sandbox"
)

// lentEnv is the folder, lent to commands, that this binary runs from.
const lentEnv = "BENCHWRIGHT_SANDBOX_LENT"

// TestItsOwnProgramIsOutOfReach runs this binary from a folder that commands may read: what is
// beside it can be read, the binary cannot.
func TestItsOwnProgramIsOutOfReach(t *testing.T) {
	lent := os.Getenv(lentEnv)
	if lent == "" {
		base, err := os.MkdirTemp("", "benchwright-own-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { sandbox.Remove(base) })
		lent = filepath.Join(base, "lent")
		binary := filepath.Join(lent, "some", "bin", "sandbox.test")
		for _, err := range []error{
			os.Chmod(base, 0o755), os.MkdirAll(filepath.Join(lent, "some", "bin"), 0o755), os.MkdirAll(filepath.Join(lent, "other"), 0o755),
			link("/proc/self/exe", binary), os.Symlink("sandbox.test", filepath.Join(lent, "some", "bin", "alias")),
			os.WriteFile(filepath.Join(lent, "top"), []byte("top\n"), 0o644), os.WriteFile(filepath.Join(lent, "other", "side"), []byte("side\n"), 0o644),
			os.WriteFile(filepath.Join(lent, "some", "bin", "near"), []byte("near\n"), 0o644),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(binary, "-test.v", "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), lentEnv+"="+lent)
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	boxes, _ := levels(t)
	for name, box := range boxes {
		t.Run(name, func(t *testing.T) {
			_, dir := folder(t)
			m := sandbox.Mount{Host: lent, Inside: "/opt/lent"}
			alone := sandbox.Mount{Host: filepath.Join(lent, "some", "bin", "sandbox.test"), Inside: "/mnt/alone"}
			c := shell(dir, `cd `+m.Path(box)+` && cat top other/side some/bin/near && ls some/bin
				for f in some/bin/sandbox.test some/bin/alias `+alone.Path(box)+`; do
					grep -qa `+embedded[:20]+"["+embedded[20:21]+"]"+embedded[21:]+` $f && echo LEAK $f
					head -c 4 $f | grep -q . && echo LEAK $f
					$f -test.list=. && echo LEAK $f
				done 2>/dev/null; true`)
			c.Lent = []sandbox.Mount{m, alone}
			c.Limits = sandbox.Limits{Wall: time.Minute, Address: 64 << 30}
			res := run(t, box, c)
			if want := "top\nside\nnear\nalias\nnear\nsandbox.test\n"; string(res.Stdout) != want || !res.OK() {
				t.Errorf("exit %d, stdout %q, stderr %q; want %q", res.ExitCode, res.Stdout, res.Stderr, want)
			}
		})
	}
	t.Logf("the binary holds %s", embedded)
}

// TestReadingLeavesNoTrace looks at the time at which a lent file was read last, which is not
// kept where it is mounted.
func TestReadingLeavesNoTrace(t *testing.T) {
	boxes, missing := levels(t)
	box := boxes["namespaces"]
	if box == nil {
		t.Skipf("SKIPPED: as user %d, level namespaces: %s", os.Getuid(), missing["namespaces"])
	}
	base, dir := folder(t)
	lent, old := filepath.Join(base, "lent"), time.Unix(1, 0)
	for _, err := range []error{os.Chmod(base, 0o755), os.WriteFile(lent, []byte("lent"), 0o644), os.Chtimes(lent, old, old)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	c := shell(dir, "cat /opt/lent")
	c.Lent = []sandbox.Mount{{Host: lent, Inside: "/opt/lent"}}
	if res := run(t, box, c); string(res.Stdout) != "lent" {
		t.Fatalf("stdout %q, stderr %q", res.Stdout, res.Stderr)
	}
	var st syscall.Stat_t
	if err := syscall.Stat(lent, &st); err != nil || st.Atim.Sec != 1 {
		t.Errorf("read at %v, %v; want what it was", st.Atim, err)
	}
}

// TestLocalIsLentByName shows /usr/local to who asks for it.
func TestLocalIsLentByName(t *testing.T) {
	if _, err := os.Stat("/usr/local/bin"); err != nil {
		t.Skip(err)
	}
	boxes, _ := levels(t)
	for name, box := range boxes {
		_, dir := folder(t)
		c := shell(dir, "ls /usr/local/bin > /dev/null && echo $PATH")
		if res := run(t, box, c); res.OK() {
			t.Errorf("%s: it is shown to everybody: stdout %q", name, res.Stdout)
		}
		c.Local = true
		if res := run(t, box, c); !res.OK() || !strings.HasPrefix(string(res.Stdout), "/usr/local/bin:") {
			t.Errorf("%s: exit %d, stdout %q, stderr %q", name, res.ExitCode, res.Stdout, res.Stderr)
		}
	}
}
