package workspace_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"benchwright/cmd"
	verbs "benchwright/cmd/workspace"
	"benchwright/sim/workspace/backend"
	"benchwright/tasks"
)

const odd = "../../sim/workspace/backend/testdata/odd-backend"

// A screen is what a command printed so far.
type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// bench runs the command line until ctx ends.
func bench(ctx context.Context, out io.Writer, args ...string) error {
	root := cmd.New(tasks.Suite{}, verbs.Verbs()...)
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(out)
	return root.ExecuteContext(ctx)
}

var address = regexp.MustCompile(`on (http://\S+)\n`)

// serving starts a server and returns its URL, what it prints and how to stop it.
func serving(t *testing.T, what string) (url string, out *screen, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out = &screen{}
	done := make(chan error, 1)
	go func() { done <- bench(ctx, out, "serve-backend", what, "--addr", "127.0.0.1:0") }()
	stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { _ = stop() })
	for range 1000 {
		if m := address.FindStringSubmatch(out.String()); m != nil {
			return m[1], out, stop
		}
		select {
		case err := <-done:
			t.Fatalf("it ended: %v\n%s", err, out)
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Fatalf("it does not listen:\n%s", out)
	return "", nil, nil
}

func TestServeAFolder(t *testing.T) {
	url, out, stop := serving(t, odd)
	for _, want := range []string{
		"warning: [widgets.json] widget 'quote_board': unrecognized keys ['imgUrl'] (accepted but ignored by the workspace).\n",
		"note: widget 'scan': nothing answers at its endpoint '/scan'\n",
		"serving odd-backend (15 widgets, 2 apps, digest ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not print %q:\n%s", want, out)
		}
	}
	here, err := backend.OpenDir(odd)
	if err != nil {
		t.Fatal(err)
	}
	there, err := backend.OpenURL(t.Context(), url)
	if err != nil || there.Digest != here.Digest {
		t.Errorf("what is served is not what is in the folder: %v", err)
	}
	req, err := http.NewRequest("GET", url+"/widgets.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "rebound.example"
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("a foreign host gets HTTP %d", resp.StatusCode)
	}
	if err := stop(); err != nil || !strings.HasSuffix(out.String(), "\nstopped\n") {
		t.Errorf("stopped with %v:\n%s", err, out)
	}
	if _, err := http.Get(url); err == nil {
		t.Error("it still answers")
	}
}

func TestServeAServer(t *testing.T) {
	first, _, _ := serving(t, odd)
	second, _, _ := serving(t, first)
	a, err := backend.OpenURL(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	b, err := backend.OpenURL(t.Context(), second)
	if err != nil || a.Digest != b.Digest {
		t.Errorf("a copy of a server differs: %v", err)
	}
}

func TestServeBuiltIn(t *testing.T) {
	url, out, _ := serving(t, "desk-mini")
	b, err := backend.OpenURL(t.Context(), url)
	if err != nil || len(b.Widgets) == 0 || !strings.Contains(out.String(), "serving Desk Mini (") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestServeErrors(t *testing.T) {
	bad := t.TempDir()
	if err := os.WriteFile(filepath.Join(bad, "widgets.json"), []byte(`{"a": {}, "b": {"name": "\u001b[2J"}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	tests := []struct {
		name string
		args []string
		code int
		want []string
	}{
		{"no-argument", nil, 2, []string{"usage: bench serve-backend NAME|FOLDER|URL"}},
		{"flag", []string{"x", "--port", "1"}, 2, []string{"unknown flag: --port"}},
		{"name", []string{"desk-maxi"}, 1, []string{`"desk-maxi" is neither a built-in backend nor a folder; built in are: `, "desk-mini"}},
		{"folder", []string{"./no/such"}, 1, []string{"no such file or directory"}},
		{"invalid", []string{bad}, 1, []string{"the workspace would refuse this backend: 5 errors:", "\n  [widgets.json] widget 'a': 'name' is required and must be a string.", "\n  [widgets.json] widget 'b': 'endpoint' is required"}},
		{"taken", []string{odd, "--addr", l.Addr().String()}, 1, []string{"--addr " + l.Addr().String(), "address already in use"}},
		{"address", []string{odd, "--addr", "nonsense"}, 1, []string{"--addr nonsense"}},
		{"dead", []string{"http://" + deadAddress(t)}, 1, []string{"backend URL http://", "/widgets.json"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := bench(t.Context(), io.Discard, append([]string{"serve-backend"}, test.args...)...)
			if err == nil || cmd.Code(err) != test.code {
				t.Fatalf("error %v, want code %d", err, test.code)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %v, want one with %q", err, want)
				}
			}
			if strings.ContainsRune(err.Error(), '\x1b') {
				t.Errorf("terminal sequence in %q", err)
			}
		})
	}
}

// deadAddress is one at which nothing listens.
func deadAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
