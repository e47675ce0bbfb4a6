package reports

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"benchwright/agent"
	"benchwright/tasks"
)

// The files of a bundle.
const (
	RunFile     = "run.json"
	EpisodesDir = "episodes"
	EventsFile  = "events.jsonl"
	RowsFile    = "results.jsonl"
	SummaryFile = "summary.json"
	JUnitFile   = "junit.xml"
)

// RunSchema names the form of run.json.
const RunSchema = "benchwright.run/1"

// The kinds of run.
const (
	KindCertification = "certification"
	KindModel         = "model"
	KindReference     = "reference"
	KindNoop          = "noop"
	KindRandom        = "random"
	KindReplay        = "replay"
	KindExternal      = "external"
)

// A Run says what ran. It is run.json: written before the first episode and never changed. It
// holds no secret and nothing of the machine but its architecture.
type Run struct {
	Schema    string            `json:"schema"`
	ID        string            `json:"id"` // of the invocation; processes that share a bundle share it
	Kind      string            `json:"kind"`
	Agent     string            `json:"agent"` // as BENCH_MODEL spells it
	Suite     string            `json:"suite,omitempty"`
	TaskSet   tasks.Digest      `json:"task_set_digest,omitempty"`
	Fixtures  map[string]string `json:"fixture_digests,omitempty"`
	Prompts   tasks.Digest      `json:"prompts_digest,omitempty"`
	Grader    string            `json:"grader_version,omitempty"`
	Model     agent.Identity    `json:"model,omitzero"`
	Protocol  string            `json:"protocol,omitempty"`
	Options   map[string]any    `json:"options,omitempty"` // of the model, as configured
	Basis     agent.Basis       `json:"budget_basis,omitempty"`
	Limits    map[string]any    `json:"limits,omitempty"` // of the run: spend, wall …
	Gate      string            `json:"gate,omitempty"`
	Filter    string            `json:"filter,omitempty"`
	Track     string            `json:"track,omitempty"` // "" is guided
	Trials    int               `json:"trials"`
	Workers   int               `json:"workers,omitempty"`
	Seed      int64             `json:"seed"`
	Isolation string            `json:"isolation,omitempty"` // what commands of agents and graders run in
	Python    string            `json:"python,omitempty"`    // and by: name, version and digest of the interpreter
	Replays   string            `json:"replays,omitempty"`   // id of the run whose replies are used again
	Go        string            `json:"go"`
	OS        string            `json:"os"`
	Arch      string            `json:"arch"`
	CPUs      int               `json:"cpu_count,omitempty"`
	Module    string            `json:"module,omitempty"`  // path of the main module
	Version   string            `json:"version,omitempty"` // of the main module
	Commit    string            `json:"commit,omitempty"`
	Dirty     *bool             `json:"dirty,omitempty"` // null when nobody knows
	Started   time.Time         `json:"started"`
	Tasks     []Selected        `json:"tasks,omitempty"` // all that were selected, so that what was never reached is known
}

// GateSums are [held, tasks] of one gate.
type GateSums [2]int

// Selected is a task that the run means to play.
type Selected struct {
	ID     tasks.ID     `json:"id"`
	Digest tasks.Digest `json:"digest,omitempty"`
	Trials int          `json:"trials,omitempty"` // 0 means the run's
	Labels []string     `json:"labels,omitempty"`
	File   string       `json:"file,omitempty"`
	Line   int          `json:"line,omitempty"`
}

// Select describes a task for Run.Tasks.
func Select(t tasks.Task) Selected {
	return Selected{ID: t.ID, Digest: t.Digest(), Trials: t.Trials, Labels: t.Labels, File: t.Source.File, Line: t.Source.Line}
}

// A Clock tells the time and ticks. Its zero value is the real one.
type Clock struct {
	Now  func() time.Time
	Tick func(every time.Duration) (ticks <-chan time.Time, stop func())
}

func (c Clock) now() time.Time {
	if c.Now != nil {
		return c.Now()
	}
	return time.Now()
}

func (c Clock) tick(every time.Duration) (<-chan time.Time, func()) {
	if c.Tick != nil {
		return c.Tick(every)
	}
	t := time.NewTicker(every)
	return t.C, t.Stop
}

// A Bundle is a run's folder while the run goes on. It is safe for concurrent use, also by
// several processes on the same folder.
type Bundle struct {
	Clock Clock // of events; set it before anything else

	dir string
	run Run

	mu      sync.Mutex
	flight  map[string]int64 // budget tokens so far of episodes that have begun and are not recorded, by key
	written map[string]seal  // by this process, by key

	named    atomic.Uint64 // records that have their names
	settling sync.Mutex
	settled  uint64 // of these, how many names are durable
}

// Dir returns the bundle's folder.
func (b *Bundle) Dir() string { return b.dir }

// Run returns what run.json says.
func (b *Bundle) Run() Run { return b.run }

// Create makes dir a new bundle, with its parents, and writes run.json. A folder that holds a
// run, or what is left of one, is refused: of several callers that race for the same folder,
// in whatever process, exactly one gets it.
//
// The schema, an empty id or start, and what the binary knows of itself are filled in.
func Create(dir string, run Run) (*Bundle, error) {
	run.fill()
	run = run.redacted()
	raw, err := encodeLine(run)
	if err == nil {
		_, err = decodeRun(raw)
	}
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %s: %w", dir, RunFile, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("bundle %s: %w", dir, err)
	}
	if err := refuse(dir); err != nil {
		return nil, err
	}
	if err := writeNew(dir, RunFile, indent(raw)); err != nil {
		if why := refuse(dir); errors.Is(err, fs.ErrExist) && why != nil {
			return nil, why
		}
		return nil, fmt.Errorf("bundle %s: %w", dir, err)
	}
	b, err := newBundle(dir, run)
	if err != nil {
		return nil, err
	}
	syncDir(dir)
	return b, b.Log(Event{Event: EventRunStarted, Reason: run.Kind + " " + run.Agent})
}

// newBundle sees to it that there is a folder for the records, and no link to one.
func newBundle(dir string, run Run) (*Bundle, error) {
	episodes, err := openFolder(filepath.Join(dir, EpisodesDir))
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", dir, err)
	}
	episodes.Close()
	return &Bundle{dir: dir, run: run, flight: map[string]int64{}, written: map[string]seal{}}, nil
}

// refuse explains why dir cannot become a bundle, or returns nil. It looks for the rest of a run
// before it looks for run.json, which is always there first: so a bundle that is being created
// at this moment is not mistaken for a ruin.
func refuse(dir string) error {
	const remedy = "choose another folder with BENCH_OUT, or remove this one"
	rest := ""
	for _, name := range []string{EpisodesDir, EventsFile, RowsFile, SummaryFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			rest = name
			break
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, RunFile)); err == nil {
		what := ""
		if run, err := readRun(os.DirFS(dir)); err == nil {
			what = fmt.Sprintf(" (%s %q, started %s)", Clean(run.Kind, 40), Clean(run.Agent, 80), run.Started.UTC().Format(time.RFC3339))
		}
		return fmt.Errorf("bundle %s: the folder already holds a run%s: %s", dir, what, remedy)
	}
	if rest != "" {
		return fmt.Errorf("bundle %s: the folder holds the rest of a run (%s without %s): %s", dir, rest, RunFile, remedy)
	}
	return nil
}

// joinWait is how long Join waits for the process that creates the bundle.
var joinWait = 10 * time.Second

// Join opens the bundle that another process of the same invocation creates, waiting some
// seconds for it. A folder that holds a run of another id is refused.
func Join(dir, runID string) (*Bundle, error) {
	if runID == "" {
		return nil, fmt.Errorf("bundle %s: cannot join a run without its id", dir)
	}
	for end := time.Now().Add(joinWait); ; {
		run, err := readRun(os.DirFS(dir))
		if err == nil && run.ID != runID {
			return nil, fmt.Errorf("bundle %s: the folder holds run %s, not %s of this invocation: choose another folder with BENCH_OUT, or remove this one",
				dir, Clean(run.ID, 60), Clean(runID, 60))
		}
		if err == nil {
			b, err := newBundle(dir, run)
			if err != nil {
				return nil, err
			}
			return b, b.Log(Event{Event: EventJoined})
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("bundle %s: no run to join after %s: %w", dir, joinWait, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// NewID returns a new id for an invocation.
func NewID() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// fill completes what the caller left open.
func (r *Run) fill() {
	r.Schema = RunSchema
	if r.ID == "" {
		r.ID = NewID()
	}
	if r.Started.IsZero() {
		r.Started = time.Now()
	}
	r.Started = r.Started.UTC().Truncate(time.Millisecond)
	r.Trials = max(r.Trials, 1)
	set := func(s *string, v string) {
		if *s == "" {
			*s = v
		}
	}
	set(&r.Go, runtime.Version())
	set(&r.OS, runtime.GOOS)
	set(&r.Arch, runtime.GOARCH)
	if r.CPUs == 0 {
		r.CPUs = runtime.NumCPU()
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return
	}
	set(&r.Module, info.Main.Path)
	set(&r.Version, info.Main.Version)
	if r.Commit != "" {
		return
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			r.Commit = s.Value
		case "vcs.modified":
			dirty := s.Value == "true"
			r.Dirty = &dirty
		}
	}
}

var (
	secretName = regexp.MustCompile(`(?i)(api[-_]?key|secret|password|passwd|authori[sz]ation|bearer|credential|(access|auth|api)[-_]?token)`)
	userInfo   = regexp.MustCompile(`(://)[^/\s@"]+@`)
)

const redaction = "[redacted]"

// redacted returns the run without what looks like a secret: values of telling names among
// the options, and user names and passwords in URLs.
func (r Run) redacted() Run {
	str := func(s string) string { return userInfo.ReplaceAllString(s, "${1}"+redaction+"@") }
	var scrub func(name string, v any) any
	scrub = func(name string, v any) any {
		if secretName.MatchString(name) {
			return redaction
		}
		switch v := v.(type) {
		case string:
			return str(v)
		case map[string]any:
			out := make(map[string]any, len(v))
			for k, e := range v {
				out[k] = scrub(k, e)
			}
			return out
		case []any:
			out := make([]any, len(v))
			for i, e := range v {
				out[i] = scrub("", e)
			}
			return out
		}
		return v
	}
	all := func(m map[string]any) map[string]any {
		if m == nil {
			return nil
		}
		return scrub("", m).(map[string]any)
	}
	r.Agent, r.Model.Name, r.Model.Provider = str(r.Agent), str(r.Model.Name), str(r.Model.Provider)
	r.Options, r.Limits, r.Model.Options, r.Model.Details = all(r.Options), all(r.Limits), all(r.Model.Options), all(r.Model.Details)
	return r
}

// indent makes one line of JSON readable.
func indent(raw []byte) []byte {
	var b bytes.Buffer
	if json.Indent(&b, bytes.TrimSpace(raw), "", "  ") != nil {
		return raw
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// RecordKey names an episode's record within a bundle; its file is episodes/KEY.json. It is
// agent.Key, with a digest behind it where that alone would be too long for a file or could
// belong to another task as well. An id that is not valid has none.
func RecordKey(id tasks.ID, trial int) (string, error) {
	if err := id.Valid(); err != nil {
		return "", err
	}
	if trial < 1 {
		return "", fmt.Errorf("task %s: trial %d: trials count from 1", id, trial)
	}
	name := agent.Key(id, trial)
	if strings.Contains(name, "___") || len(name) > maxRecordName {
		d, err := tasks.DigestOf([]any{id, trial})
		if err != nil {
			return "", err
		}
		name = name[:min(len(name), maxRecordName-13)] + "~" + string(d[:12])
	}
	return name, nil
}

// maxRecordName leaves room for what a temporary file's name adds.
const maxRecordName = 200
