package reports

import (
	"bytes"
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
	"benchwright/sim"
)

// A Reader reads a bundle, also one whose run has not ended or was killed.
type Reader struct {
	fsys fs.FS
	name string // for messages
	run  Run
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
	return &Reader{fsys, name, run}, nil
}

// Run returns what ran.
func (r *Reader) Run() Run { return r.run }

// Name returns the bundle's folder, as it was opened.
func (r *Reader) Name() string { return r.name }

// Keys returns the names of all records, sorted: suite__family__task__t1.
func (r *Reader) Keys() ([]string, error) {
	entries, err := fs.ReadDir(r.fsys, EpisodesDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("bundle %s: %w", r.name, err)
	}
	var keys []string
	for _, e := range entries {
		key, ok := strings.CutSuffix(e.Name(), ".json")
		if ok && e.Type().IsRegular() && !strings.HasPrefix(key, ".") {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}

// maxRecord is how large a record may be that is read.
const maxRecord = 512 << 20

func (r *Reader) raw(key string) (string, []byte, error) {
	file := path.Join(EpisodesDir, key+".json")
	if strings.ContainsAny(key, `/\`) || !fs.ValidPath(file) {
		return file, nil, fmt.Errorf("bundle %s: record %q: not the name of a record", r.name, key)
	}
	info, err := fs.Stat(r.fsys, file)
	if err == nil && info.Size() > maxRecord {
		err = fmt.Errorf("%d bytes are more than a record may have", info.Size())
	}
	var raw []byte
	if err == nil {
		raw, err = fs.ReadFile(r.fsys, file)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return file, nil, fmt.Errorf("bundle %s: no record %q", r.name, key)
	}
	if err != nil {
		return file, nil, fmt.Errorf("bundle %s: %s: %w", r.name, file, err)
	}
	return file, raw, nil
}

// Record reads one record strictly: an unknown field or schema, a duplicate key, text behind
// the record or a record of another episode is an error that names the file.
func (r *Reader) Record(key string) (*Record, error) {
	file, raw, err := r.raw(key)
	if err != nil {
		return nil, err
	}
	if _, err := sim.ParseJSON(raw); err != nil {
		return nil, fmt.Errorf("bundle %s: %s: %w", r.name, file, err)
	}
	return r.decode(file, key, raw)
}

// quick reads a record without looking for duplicate keys: for what only sums up.
func (r *Reader) quick(key string) (*Record, error) {
	file, raw, err := r.raw(key)
	if err != nil {
		return nil, err
	}
	return r.decode(file, key, raw)
}

func (r *Reader) decode(file, key string, raw []byte) (*Record, error) {
	rec := &Record{}
	err := strict(raw, rec)
	if err == nil && rec.Schema != agent.Schema {
		err = fmt.Errorf("schema %q: this version reads %q", Clean(rec.Schema, 60), agent.Schema)
	}
	if err == nil {
		var want string
		if want, err = RecordKey(rec.Task, rec.Trial); err == nil && want != key {
			err = fmt.Errorf("the record is of task %s, trial %d, and belongs in %s.json", rec.Task, rec.Trial, want)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %s: %w", r.name, file, err)
	}
	return rec, nil
}

// Records yields every record in the order of the keys, reading one at a time. An error does
// not end the sequence: the next record may be sound.
func (r *Reader) Records() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		keys, err := r.Keys()
		if err != nil {
			yield(nil, err)
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
	raw, err := fs.ReadFile(r.fsys, file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("bundle %s: %w", r.name, err)
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

// Rows returns a row for every record, in the order of the keys. Rows come from
// results.jsonl; one that is missing or torn there is made from its record.
func (r *Reader) Rows() ([]Row, error) {
	keys, err := r.Keys()
	if err != nil {
		return nil, err
	}
	lines, err := r.lines(RowsFile)
	if err != nil {
		return nil, err
	}
	have := make(map[string]Row, len(keys))
	for _, line := range lines {
		var row Row
		if strict(line, &row) == nil {
			have[row.Record] = row
		}
	}
	rows := make([]Row, 0, len(keys))
	for _, k := range keys {
		row, ok := have[recordPath(k)]
		if !ok {
			rec, err := r.quick(k)
			if err != nil {
				return nil, err
			}
			row = rowOf(r.run.Kind, k, rec)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// Events returns the events in the order of the file. Torn lines are left out.
func (r *Reader) Events() ([]Event, error) {
	lines, err := r.lines(EventsFile)
	if err != nil {
		return nil, err
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

// Summary sums up the rows.
func (r *Reader) Summary() (Summary, error) {
	rows, err := r.Rows()
	if err != nil {
		return Summary{}, err
	}
	return Summarise(r.run, rows), nil
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
