package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"benchwright/agent"
	"benchwright/internal/regular"
	"benchwright/sim"
)

// A Reader reads a bundle, also one whose run has not ended or was killed.
type Reader struct {
	fsys fs.FS
	name string // for messages
	run  Run
	own  func(key string) (seal, bool) // what this process wrote itself; nil for nothing
}

// Open opens the bundle in a folder.
func Open(dir string) (*Reader, error) { return OpenFS(os.DirFS(dir), dir) }

// OpenFS opens the bundle at the root of a file system; name stands for it in messages.
func OpenFS(fsys fs.FS, name string) (*Reader, error) {
	run, err := readRun(fsys)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("bundle %s: no run here: there is no %s", name, RunFile)
	}
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", name, err)
	}
	return &Reader{fsys: fsys, name: name, run: run}, nil
}

// readRun reads run.json strictly.
func readRun(fsys fs.FS) (Run, error) {
	raw, err := readFile(fsys, RunFile, maxRun)
	if errors.Is(err, fs.ErrNotExist) {
		return Run{}, err
	}
	if err != nil {
		return Run{}, fmt.Errorf("%s: %w", RunFile, cause(err))
	}
	run, err := decodeRun(raw)
	if err != nil {
		return Run{}, fmt.Errorf("%s: %w", RunFile, err)
	}
	return run, nil
}

func decodeRun(raw []byte) (Run, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return Run{}, err
	}
	if head.Schema != RunSchema {
		return Run{}, fmt.Errorf("schema %q: this version reads %q", Clean(head.Schema, 60), RunSchema)
	}
	var run Run
	if err := strict(raw, &run); err != nil {
		return Run{}, err
	}
	return run, run.check()
}

// Run returns what ran.
func (r *Reader) Run() Run { return r.run }

// Name returns the bundle's folder, as it was opened.
func (r *Reader) Name() string { return r.name }

// Keys returns the names of all records, sorted: suite__family__task__t1. What stands among the
// records and is no file, such as a link in the place of one, is an error that names it, and so
// is a missing folder of records when the run selected tasks; the names that there are come
// with it.
func (r *Reader) Keys() ([]string, error) {
	keys, bad := r.keys()
	return keys, r.problem(bad)
}

func (r *Reader) keys() (keys []string, bad []error) {
	info, err := fs.Lstat(r.fsys, EpisodesDir)
	if errors.Is(err, fs.ErrNotExist) {
		if n := len(r.run.Tasks); n > 0 {
			bad = append(bad, fmt.Errorf("there is no folder %s, though %s selects %s", EpisodesDir, RunFile, count(n, "task", "tasks")))
		}
		return nil, bad
	}
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is %s, not a folder", EpisodesDir, regular.What(info.Mode()))
	}
	if err != nil {
		return nil, []error{err}
	}
	entries, err := fs.ReadDir(r.fsys, EpisodesDir)
	if err != nil {
		return nil, []error{err}
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		key, ok := strings.CutSuffix(e.Name(), ".json")
		switch {
		case !e.Type().IsRegular():
			bad = append(bad, fmt.Errorf("%s is %s, not a file", Clean(path.Join(EpisodesDir, e.Name()), 300), regular.What(e.Type())))
		case ok:
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, bad
}

// problem words what makes the bundle unsound, or returns nil.
func (r *Reader) problem(bad []error) error {
	if len(bad) == 0 {
		return nil
	}
	rows := 0
	for _, err := range bad {
		if errors.As(err, new(rowError)) {
			rows++
		}
	}
	remedy := ""
	if rows < len(bad) {
		remedy = "put the records right, or remove them for good, then "
	}
	return fmt.Errorf("bundle %s: %w: %smake the rest anew with: bench results rebuild %s", r.name, &problems{bad}, remedy, shell(r.name))
}

func (r *Reader) raw(key string) (string, []byte, error) {
	file := path.Join(EpisodesDir, key+".json")
	if strings.ContainsAny(key, `/\`) || !fs.ValidPath(file) {
		return file, nil, fmt.Errorf("record %q: not the name of a record", key)
	}
	raw, err := readFile(r.fsys, file, maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return file, nil, fmt.Errorf("no record %q", key)
	}
	if err != nil {
		return file, nil, fmt.Errorf("%s: %w", Clean(file, 300), cause(err))
	}
	return file, raw, nil
}

// cause is an error without the name of its file.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Record reads one record strictly: an unknown field or schema, a duplicate key, text behind
// the record, a word or a number that a record cannot hold, a record of another episode, and
// anything that is not a file, is an error that names the file.
func (r *Reader) Record(key string) (*Record, error) {
	rec, err := r.record(key)
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", r.name, err)
	}
	return rec, nil
}

func (r *Reader) record(key string) (*Record, error) {
	file, raw, err := r.raw(key)
	if err != nil {
		return nil, err
	}
	rec, err := parseRecord(key, raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Clean(file, 300), err)
	}
	return rec, nil
}

// parseRecord is Record on a file's bytes.
func parseRecord(key string, raw []byte) (*Record, error) {
	v, err := sim.ParseJSON(raw)
	if err == nil {
		err = checkSpelling(v)
	}
	if err != nil {
		return nil, err
	}
	return decodeRecord(key, raw)
}

// decodeRecord is parseRecord for bytes that have been parsed before.
func decodeRecord(key string, raw []byte) (*Record, error) {
	rec := &Record{}
	err := strict(raw, rec)
	if rec.Schema != agent.Schema && rec.Schema != "" {
		err = fmt.Errorf("schema %q: this version reads %q", Clean(rec.Schema, 60), agent.Schema)
	}
	if err != nil {
		return nil, err
	}
	if rec.Schema == "" {
		return nil, fmt.Errorf("no schema: this version reads %q", agent.Schema)
	}
	want, err := RecordKey(rec.Task, rec.Trial)
	if err == nil && want != key {
		err = fmt.Errorf("the record is of task %s, trial %d, and belongs in %s.json", rec.Task, rec.Trial, want)
	}
	if err == nil {
		err = rec.check()
	}
	if err != nil {
		return nil, err
	}
	return rec, nil
}

// Records yields every record in the order of the keys, reading one at a time. An error does
// not end the sequence: the next record may be sound.
func (r *Reader) Records() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		keys, bad := r.keys()
		if err := r.problem(bad); err != nil && !yield(nil, err) {
			return
		}
		for _, k := range keys {
			if rec, err := r.Record(k); !yield(rec, err) {
				return
			}
		}
	}
}

// lines yields the whole lines of a JSON-lines file, with their numbers. Torn lines are the
// caller's to notice: they do not decode.
func (r *Reader) lines(file string) (iter.Seq2[int, []byte], error) {
	raw, err := readFile(r.fsys, file, maxLines)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", file, cause(err))
	}
	return func(yield func(int, []byte) bool) {
		n := 0
		for line := range bytes.Lines(raw) {
			n++
			if len(bytes.TrimSpace(line)) > 0 && !yield(n, line) {
				return
			}
		}
	}, nil
}

// Events returns the events in the order of the file. Torn lines are left out.
func (r *Reader) Events() ([]Event, error) {
	lines, err := r.lines(EventsFile)
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", r.name, err)
	}
	var out []Event
	for _, line := range lines {
		var e Event
		if strict(line, &e) == nil {
			out = append(out, e)
		}
	}
	return out, nil
}

// Summary sums up the rows, with the error of [Reader.Rows].
func (r *Reader) Summary() (Summary, error) {
	rows, err := r.Rows()
	return Summarise(r.run, rows), err
}

// A Status is how far a run has come.
type Status struct {
	Ended    bool // by itself; otherwise it goes on or was killed
	Exit     int
	Reason   string
	Last     time.Time // the last sign of life
	InFlight []string  // keys of episodes that began and are not recorded, sorted
}

// Status tells from the events how far the run has come.
func (r *Reader) Status() (Status, error) {
	events, err := r.Events()
	if err != nil {
		return Status{}, err
	}
	var s Status
	running := map[string]bool{}
	for _, e := range events {
		if e.Time.After(s.Last) {
			s.Last = e.Time
		}
		switch key := agent.Key(e.Task, e.Trial); e.Event {
		case EventEpisodeStarted:
			running[key] = true
		case EventEpisodeFinished:
			delete(running, key)
		case EventRunEnded:
			s.Ended, s.Reason = true, e.Reason
			if e.Exit != nil {
				s.Exit = *e.Exit
			}
		}
	}
	keys, err := r.Keys() // a process killed right after a record could not say that it is there
	if err != nil {
		return Status{}, err
	}
	for k := range running {
		if !slices.Contains(keys, k) {
			s.InFlight = append(s.InFlight, k)
		}
	}
	slices.Sort(s.InFlight)
	return s, nil
}

// String says it in one line.
func (s Status) String() string {
	switch {
	case s.Ended:
		return fmt.Sprintf("ended with exit code %d: %s", s.Exit, Clean(s.Reason, 300))
	case s.Last.IsZero():
		return "not ended, and without a sign of life"
	}
	return fmt.Sprintf("not ended: the last sign of life is of %s, with %d episodes in flight", s.Last.UTC().Format(time.RFC3339), len(s.InFlight))
}
