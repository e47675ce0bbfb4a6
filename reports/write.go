package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
)

// A Record is the file of one episode: the episode, and what the gates proved of its task
// where the run certified it.
type Record struct {
	agent.Episode
	Certificate *Certificate `json:"certificate,omitempty"`
}

// A Certificate is what the gates say of one task.
type Certificate struct {
	Gates   []GateResult `json:"gates"`
	Skipped string       `json:"skipped,omitempty"` // why the task could not be certified here
}

// A GateResult is one gate's.
type GateResult struct {
	Gate    string        `json:"gate"` // "live"
	Held    bool          `json:"held"`
	Nothing bool          `json:"nothing_to_prove,omitempty"` // held for want of anything to prove
	Detail  string        `json:"detail,omitempty"`           // what is wrong, or what was proved
	Source  grader.Source `json:"source,omitzero"`
}

// Held reports whether every gate holds.
func (c *Certificate) Held() bool {
	for _, g := range c.Gates {
		if !g.Held {
			return false
		}
	}
	return true
}

// Write records an episode. When it returns without error the record is on disk, whole; a
// process killed before leaves no record, and at most a *.tmp file that readers ignore. A
// record is never changed: to write the same task and trial again is an error. Arguments of an
// agent that are not JSON are kept as a JSON string of their text.
func (b *Bundle) Write(ep *agent.Episode) error { return b.WriteRecord(&Record{Episode: *ep}) }

// WriteRecord is Write for an episode with its certificate.
func (b *Bundle) WriteRecord(rec *Record) error {
	name, err := RecordKey(rec.Task, rec.Trial)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	raw, err := encodeLine(rec)
	if err != nil { // an agent's arguments need not be JSON
		rec = rec.quoted()
		raw, err = encodeLine(rec)
	}
	if err != nil {
		return fmt.Errorf("record %s: %w", name, err)
	}
	if err := writeNew(filepath.Join(b.dir, EpisodesDir), name+".json", raw); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("record %s: task %s, trial %d is recorded already, and records never change", name, rec.Task, rec.Trial)
		}
		return fmt.Errorf("record %s: %w", name, err)
	}
	b.settle()
	row := rowOf(b.run.Kind, name, rec)
	line, err := encodeLine(row)
	if err == nil {
		err = appendLine(filepath.Join(b.dir, RowsFile), line)
	}
	if err != nil {
		return fmt.Errorf("record %s is written, but not its row: %w", name, err)
	}
	b.mu.Lock()
	delete(b.flight, rec.Key())
	b.mu.Unlock()
	return b.Log(Event{Event: EventEpisodeFinished, Task: rec.Task, Trial: rec.Trial, Outcome: row.Outcome, Layer: row.Layer})
}

// quoted returns a copy in which everything that an agent sent as JSON, and is none, is a JSON
// string of its text.
func (r *Record) quoted() *Record {
	c := *r
	quote := func(m *json.RawMessage) {
		if len(*m) > 0 && !json.Valid(*m) {
			*m, _ = json.Marshal(string(*m)) // a string always marshals
		}
	}
	calls := func(in []sim.Call) []sim.Call {
		out := slices.Clone(in)
		for i := range out {
			quote(&out[i].Arguments)
		}
		return out
	}
	c.Trace = slices.Clone(r.Trace)
	for i := range c.Trace {
		quote(&c.Trace[i].Call.Arguments)
		quote(&c.Trace[i].Result.Data)
		quote(&c.Trace[i].Result.Arguments)
	}
	c.Turns = slices.Clone(r.Turns)
	for i := range c.Turns {
		c.Turns[i].Reply.Calls = calls(c.Turns[i].Reply.Calls)
	}
	c.Messages = slices.Clone(r.Messages)
	for i := range c.Messages {
		c.Messages[i].Calls = calls(c.Messages[i].Calls)
	}
	c.Answers = slices.Clone(r.Answers)
	for i := range c.Answers {
		quote(&c.Answers[i])
	}
	return &c
}

// encodeLine returns v as one line of JSON.
func encodeLine(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// strict decodes exactly one JSON value without unknown fields.
func strict(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("offset %d: text after the JSON value", d.InputOffset())
	}
	return nil
}

var temporary atomic.Uint64

// syncFile is what makes files durable; tests that do not test that leave it out.
var syncFile = (*os.File).Sync

// writeTemp writes and syncs a temporary file next to name and returns its path.
func writeTemp(dir, name string, data []byte) (string, error) {
	for {
		tmp := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.tmp", name, os.Getpid(), temporary.Add(1)))
		f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue // left by a process that had the same number
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		if err == nil {
			err = syncFile(f)
		}
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			os.Remove(tmp)
			return "", err
		}
		return tmp, nil
	}
}

// writeNew makes the file dir/name with the data, whole, unless there is one: then the error is
// fs.ErrExist. Its name is durable once the folder is synced. A hard link gives the temporary file its name, since unlike a
// rename it never replaces what is there.
func writeNew(dir, name string, data []byte) error {
	tmp, err := writeTemp(dir, name, data)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, name)
	err = os.Link(tmp, path)
	if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without hard links
		if _, serr := os.Lstat(path); serr == nil {
			err = fs.ErrExist
		} else {
			err = os.Rename(tmp, path)
		}
	}
	os.Remove(tmp)
	return err
}

// settle makes the names of all records so far durable. Writers that come at the same time
// share one sync of the folder.
func (b *Bundle) settle() {
	mine := b.named.Add(1)
	b.settling.Lock()
	defer b.settling.Unlock()
	if b.settled >= mine {
		return
	}
	upTo := b.named.Load()
	syncDir(filepath.Join(b.dir, EpisodesDir))
	b.settled = upTo
}

// replace writes dir/name whole and durable, whatever is there.
func replace(dir, name string, data []byte) error {
	tmp, err := writeTemp(dir, name, data)
	if err != nil {
		return err
	}
	if err := os.Rename(tmp, filepath.Join(dir, name)); err != nil {
		os.Remove(tmp)
		return err
	}
	syncDir(dir)
	return nil
}

// syncDir makes the names in a folder durable. Where folders cannot be synced there is
// nothing to be done.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		syncFile(d)
		d.Close()
	}
}

// appendLine appends a line with a single write, so that processes can share the file. After
// a torn line it starts a new one. The file is opened anew each time, since a rebuild puts
// another file in its place.
func appendLine(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		var last [1]byte
		if _, err := f.ReadAt(last[:], info.Size()-1); err == nil && last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	_, err = f.Write(line)
	return err
}
