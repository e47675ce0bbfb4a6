package files_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"benchwright/sim"
	"benchwright/sim/files"
	"benchwright/sim/files/machine"
	"benchwright/sim/files/sandbox"
)

func text(s string) files.File { return files.File{Text: &s} }

// patient permits everything, and gives commands more time than a busy machine needs.
var patient = func() files.ToolPermissions {
	p := files.AllTools
	p.ShellTimeoutSeconds, p.PythonTimeoutSeconds = 60, 60
	return p
}()

// desk is a workspace of nobody's family.
func desk() *files.Bundle {
	return &files.Bundle{
		Files: map[string]files.File{
			"README.md": text("Count the lines.\n"), "data/in.txt": text("a\nb\n"), "data/more/x.csv": text("1\n"),
			"count.py": text("import sys\nn = len(open('data/in.txt').readlines())\nopen('out.json', 'w').write('{\"n\": %d}' % n)\nprint(n, *sys.argv[1:])\n"),
		},
		Tools: patient, MaxSteps: 40, TimeLimitSeconds: 600,
		Observability: files.Observability{ShowInstruction: true, IncludeWorkspaceDigest: true, RedactHiddenPaths: true},
		Work:          files.Work{Required: "out.json"},
	}
}

func deskSetup(change ...func(*files.Setup)) json.RawMessage {
	s := files.Setup{Bundle: desk()}
	for _, c := range change {
		c(&s)
	}
	return s.JSON()
}

var confined = sync.OnceValue(func() *machine.Machine { return machine.New("", "") })

// commands returns the machine that commands run on. Where there is none, the test is skipped.
func commands(t testing.TB) files.Machine {
	t.Helper()
	err := confined().Ready(t.Context())
	if errors.Is(err, sandbox.ErrRefused) {
		t.Skipf("SKIPPED: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return confined()
}

func open(t testing.TB, kind sim.Kind, setup json.RawMessage, tools ...string) sim.World {
	t.Helper()
	if tools == nil {
		tools = []string{"all"}
	}
	w, err := kind.New(t.Context(), sim.Env{}, setup, tools)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	if err := w.Begin(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	return w
}

// do calls a tool with arguments in pairs.
func do(t testing.TB, w sim.World, tool string, pairs ...string) (files.Outcome, sim.Result) {
	t.Helper()
	args := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i]] = pairs[i+1]
	}
	return raw(t, w, tool, string(sim.MustCanonical(args)))
}

func raw(t testing.TB, w sim.World, tool, args string) (files.Outcome, sim.Result) {
	t.Helper()
	r := w.Call(t.Context(), sim.Call{Name: tool, Arguments: json.RawMessage(args)})
	if r.Fault != "" {
		t.Fatalf("%s(%s): fault %s", tool, args, r.Fault)
	}
	o, err := files.ParseOutcome(r.Data)
	if err != nil {
		t.Fatalf("%s(%s): %v", tool, args, err)
	}
	if !sim.IsCanonical(r.Data) {
		t.Errorf("%s(%s): the data is not canonical: %s", tool, args, r.Data)
	}
	return o, r
}

func state(t testing.TB, w sim.World) *files.Workspace {
	t.Helper()
	s, err := w.State()
	if err != nil {
		t.Fatal(err)
	}
	ws, err := files.ReadWorkspace(s)
	if err != nil {
		t.Fatal(err)
	}
	return ws
}

func call(tool string, pairs ...string) sim.Call {
	args := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i]] = pairs[i+1]
	}
	return sim.Call{Name: tool, Arguments: sim.MustCanonical(args)}
}

// scribe is a machine whose commands write down what they were asked, and make a link and a folder.
type scribe struct{}

func (scribe) Ready(context.Context) error { return nil }

func (scribe) Run(_ context.Context, c files.Command) (sandbox.Result, error) {
	said := fmt.Sprintf("%q %q", c.Line, c.Script)
	log, err := os.OpenFile(c.Dir+"/log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return sandbox.Result{}, err
	}
	defer log.Close()
	if _, err := log.WriteString(said); err != nil {
		return sandbox.Result{}, err
	}
	os.Symlink("data", c.Dir+"/link")
	return sandbox.Result{Stdout: []byte(said)}, os.MkdirAll(c.Dir+"/hollow/deep", 0o700)
}

// slow is a machine whose commands do what a scribe's do and then take too long.
type slow struct{ scribe }

func (s slow) Run(ctx context.Context, c files.Command) (sandbox.Result, error) {
	res, err := s.scribe.Run(ctx, c)
	res.ExitCode, res.Over = -1, sandbox.TimedOut
	return res, err
}
