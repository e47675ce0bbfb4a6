package e2e

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"benchwright/agent"
	"benchwright/reports"
)

// binaries are compiled once for all tests.
var binaries sync.Map

// binary compiles a package's tests, or a command, and returns the file.
func binary(t *testing.T, kind, pkg string) string {
	t.Helper()
	f, _ := binaries.LoadOrStore(kind+pkg, sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp("", "benchwright-e2e-")
		if err != nil {
			return "", err
		}
		out := filepath.Join(dir, filepath.Base(pkg)+".test")
		args := []string{"build", "-o", out, pkg}
		if kind == "test" {
			args = []string{"test", "-c", "-o", out, pkg}
		}
		if raw, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			return "", errors.New(string(raw))
		}
		return out, nil
	}))
	path, err := f.(func() (string, error))()
	if err != nil {
		t.Fatalf("go %s %s: %v", kind, pkg, err)
	}
	return path
}

func TestMain(m *testing.M) {
	code := m.Run()
	binaries.Range(func(_, f any) bool {
		if path, err := f.(func() (string, error))(); err == nil {
			os.RemoveAll(filepath.Dir(path))
		}
		return true
	})
	installed.Range(func(_, f any) bool {
		if dir, err := f.(func() (string, error))(); err == nil {
			os.RemoveAll(dir)
		}
		return true
	})
	os.Exit(code)
}

const counterPkg = "benchwright/internal/e2e/counter"

// A result is what one invocation left.
type result struct {
	out  string
	exit int
	dir  string // the bundle
}

// module makes a folder that looks like a module, so that default paths land in it.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/scratch\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// command prepares an invocation of the counter's test binary in a module of its own.
func command(t *testing.T, env []string, args ...string) (*exec.Cmd, *bytes.Buffer, string) {
	t.Helper()
	dir := module(t)
	cmd := exec.Command(binary(t, "test", counterPkg), args...)
	cmd.Dir = dir
	cmd.Env = append(clean(os.Environ()), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out, dir
}

// clean drops the variables that a developer may have set.
func clean(environ []string) []string {
	var out []string
	for _, kv := range environ {
		if !strings.HasPrefix(kv, "BENCH_") && !strings.HasPrefix(kv, "OLLAMA_") {
			out = append(out, kv)
		}
	}
	return out
}

// bench runs the counter's tests once.
func bench(t *testing.T, env []string, args ...string) result {
	t.Helper()
	cmd, out, dir := command(t, env, args...)
	return finish(t, cmd.Run(), out, dir)
}

func finish(t *testing.T, err error, out *bytes.Buffer, module string) result {
	t.Helper()
	r := result{out: out.String()}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		r.exit = exit.ExitCode()
	case err != nil:
		t.Fatal(err)
	}
	if found, _ := filepath.Glob(filepath.Join(module, ".bench", "runs", "*")); len(found) > 0 {
		r.dir = found[0]
	}
	return r
}

// open reads a result's bundle with its summary.
func (r result) open(t *testing.T) (*reports.Reader, reports.Summary) {
	t.Helper()
	if r.dir == "" {
		t.Fatalf("no bundle was left:\n%s", r.out)
	}
	b, err := reports.Open(r.dir)
	if err != nil {
		t.Fatalf("%v\n%s", err, r.out)
	}
	s, err := b.Summary()
	if err != nil {
		t.Fatalf("%v\n%s", err, r.out)
	}
	return b, s
}

// episodes reads every record of a bundle.
func episodes(t *testing.T, dir string) []*agent.Episode {
	t.Helper()
	b, err := reports.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []*agent.Episode
	for rec, err := range b.Records() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &rec.Episode)
	}
	return all
}

// waitFor polls until ok holds, for at most 20 s.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for !ok() {
		select {
		case <-ctx.Done():
			t.Fatalf("waited in vain for %s", what)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
