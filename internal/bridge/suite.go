package bridge

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
	"golang.org/x/term"

	"benchwright/internal/run"
	"benchwright/tasks"
)

// Options is what a caller of Run may add.
type Options struct {
	Agents run.Custom
}

// bounds divide the time that go test leaves before it kills the process without a report: when
// to stop, and how long agents may then take to unwind. What remains is for the reports.
func bounds(left time.Duration) (stop, grace time.Duration) {
	margin := min(25*time.Second, left/2)
	return left - margin, min(10*time.Second, margin/4)
}

// Run runs a suite under t, as benchwright.Run documents.
func Run(t *testing.T, suite tasks.Suite, o Options) {
	t.Helper()
	gomega.RegisterFailHandler(ginkgo.Fail)
	cfg, rep := ginkgo.GinkgoConfiguration()
	session, err := run.Open(os.Environ(), suite.Naming(cfg.LabelFilter), o.Agents)
	if err != nil {
		t.Fatal(err)
	}
	s := &specs{session: session, byKey: map[string]*run.Job{}, played: map[string]bool{}}
	for _, j := range session.Jobs {
		s.byKey[specKey(j.Task.Source.File, j.Task.Source.Line, specName(j))] = j
	}
	declare(session.Jobs, s.spec)
	ginkgo.ReportAfterEach(s.after)

	cfg.FailOnEmpty = true
	rep.NoColor = rep.NoColor || !term.IsTerminal(int(os.Stdout.Fd()))
	cfg.LabelFilter = both(cfg.LabelFilter, session.Config.Filter)
	ctx := t.Context()
	if !given("ginkgo.timeout") { // an hour by default, whatever go test allows
		cfg.Timeout = 365 * 24 * time.Hour
	}
	if end, ok := t.Deadline(); ok {
		stop, grace := bounds(time.Until(end))
		session.Bound(grace)
		cfg.Timeout = min(cfg.Timeout, stop)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, stop, errors.New("go test's deadline is near"))
		defer cancel()
	}
	if err := vet(); err != nil {
		t.Fatal(err)
	}
	selected, err := selection(session.Jobs, session.Suite.Name, cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.chosen = map[*run.Job]bool{}
	for _, j := range selected {
		s.chosen[j] = true
	}
	if cfg.DryRun {
		ginkgo.RunSpecs(t, session.Suite.Name, cfg, rep)
		return
	}
	procs := run.Procs{Total: cfg.ParallelTotal, Index: cfg.ParallelProcess, Host: cfg.ParallelHost}
	s.begin = sync.OnceValue(func() error { return session.Begin(ctx, selected, cfg.LabelFilter, procs) })
	if len(selected) > 0 {
		if err := s.begin(); err != nil {
			t.Fatal(err)
		}
		if cfg.ParallelTotal == 1 {
			session.Start()
		}
	}
	stop := context.AfterFunc(ctx, func() {
		if session.Begun() {
			session.Interrupt("the time of go test was up: raise -timeout; the run ended before this episode began")
		}
	})
	defer stop()
	current.Store(s)
	var failed failure
	unfocused(func() { ginkgo.RunSpecs(&failed, session.Suite.Name, cfg, rep) })
	current.Store(nil)
	strays := s.strays(failed.failed)
	switch {
	case session.Begun():
		if code, _ := session.Finish(strays); code != 0 {
			t.Fail()
		}
	case s.ran == 0:
		t.Fatal(session.NothingSelected(cfg.LabelFilter))
	case failed.failed:
		t.Fail()
	}
}

// vet refuses flags that Ginkgo refuses, before anything has begun: it exits on them.
func vet() error {
	if f := flag.Lookup("test.count"); f != nil && f.Value.String() != "1" {
		return fmt.Errorf("-count=%s: a run happens once: use -count=1, and BENCH_TRIALS for repetitions", f.Value)
	}
	if f := flag.Lookup("test.parallel"); f != nil && f.Value.String() != fmt.Sprint(runtime.GOMAXPROCS(0)) {
		return fmt.Errorf("-parallel=%s: use BENCH_WORKERS for the number of episodes in flight", f.Value)
	}
	return nil
}

// given reports whether a flag stands on the command line.
func given(name string) bool {
	found := false
	flag.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

// unfocused runs the specs without Ginkgo's habit of leaving the process when one of them is
// focused: the run has reports to write.
func unfocused(specs func()) {
	const key = "GINKGO_EDITOR_INTEGRATION"
	if old, set := os.LookupEnv(key); set {
		defer os.Setenv(key, old)
	} else {
		defer os.Unsetenv(key)
	}
	os.Setenv(key, "true")
	specs()
}

// failure is a testing.T that remembers: whether a failed spec fails the test is the gate's to say.
type failure struct{ failed bool }

// Fail implements Ginkgo's testing interface.
func (f *failure) Fail() { f.failed = true }

// both joins two label filters.
func both(a, b string) string {
	switch {
	case a == "" || a == b:
		return b
	case b == "":
		return a
	}
	return "(" + a + ") && (" + b + ")"
}

// specs is what the specs of a run share.
type specs struct {
	session *run.Session
	byKey   map[string]*run.Job
	begin   func() error // creates the bundle, once; a package may have specs that play no task

	mu       sync.Mutex
	stray    []string // failures that are no task's
	failures int      // of specs that are tasks, or played one
	ran      int
	chosen   map[*run.Job]bool // selected by the flags
	played   map[string]bool
}

// spec is the body of a task's spec.
func (s *specs) spec(ctx ginkgo.SpecContext, j *run.Job) {
	ep := s.session.Await(ctx, j)
	report(j, ep, s.session.Again(j.Task), s.session.RecordPath(ep))
}

// after notes failures that no record tells: those of specs which play no task.
func (s *specs) after(r ginkgo.SpecReport) {
	s.mu.Lock()
	defer s.mu.Unlock()
	filtered := r.State == types.SpecStateSkipped && r.Failure.Message == ""
	if j := s.byKey[specKey(r.FileName(), r.LineNumber(), r.LeafNodeText)]; filtered && s.chosen[j] && len(s.stray) == 0 {
		s.stray = append(s.stray, "a spec of this package is focused (FIt, FDescribe or Focus), so that selected tasks were skipped: take the focus away and use BENCH_FILTER")
	}
	if !filtered && r.State != types.SpecStatePending {
		s.ran++
	}
	if !r.Failed() {
		return
	}
	if s.played[r.FullText()] || s.byKey[specKey(r.FileName(), r.LineNumber(), r.LeafNodeText)] != nil {
		s.failures++
		return
	}
	s.stray = append(s.stray, fmt.Sprintf("%s:%d: %s: %s", r.FileName(), r.LineNumber(), r.FullText(), r.State))
}

// strays returns what fails the test whatever the gate says: specs that play no task, and
// reasons of Ginkgo's own.
func (s *specs) strays(ginkgoFailed bool) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ginkgoFailed && s.failures == 0 && len(s.stray) == 0 {
		return []string{"Ginkgo failed the suite for a reason of its own, shown above"}
	}
	return s.stray
}

// current is the run whose specs are being executed; hand-written specs play under it.
var current pointer

type pointer struct {
	mu sync.Mutex
	s  *specs
}

func (p *pointer) Store(s *specs) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.s = s
}

func (p *pointer) Load() *specs {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.s
}
