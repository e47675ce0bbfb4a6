package reports

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"benchwright/tasks"
)

// A seal holds the digests of what a process wrote and has verified: a record, and its row.
type seal struct{ record, row [sha256.Size]byte }

func sealOf(record, row []byte) seal { return seal{sha256.Sum256(record), sha256.Sum256(row)} }

// A rowError is about a line of results.jsonl, or about the file.
type rowError struct {
	line int
	why  string
}

func (e rowError) Error() string {
	if e.line == 0 {
		return e.why
	}
	return fmt.Sprintf("%s:%d: %s", RowsFile, e.line, e.why)
}

// Rows returns a row for every sound record, in the order of the keys, made from the record.
//
// The error says what of the bundle cannot be relied on, and how to mend it: a record that
// cannot be read, or is of another version of its task than the run selected, what stands in a
// record's place, and a line of results.jsonl that is not what
// its record says or has no record. A line that is missing or torn is neither: a killed process
// leaves such. The rows come with the error, for an account of what is left; nothing that is
// kept may be made from them.
func (r *Reader) Rows() ([]Row, error) { return r.rows(true) }

// rows is Rows; without check, what results.jsonl says does not matter.
func (r *Reader) rows(check bool) ([]Row, error) {
	var have map[string]rowLine
	var bad []error
	if check { // before the records are listed, since a record is there before its row
		have, bad = r.rowLines()
	}
	selected := map[tasks.ID]tasks.Digest{} // a run may also play what it did not select
	for _, t := range r.run.Tasks {
		selected[t.ID] = t.Digest
	}
	keys, more := r.keys()
	rows := make([]Row, 0, len(keys))
	for _, k := range keys {
		row, err := r.row(k, have[recordPath(k)])
		delete(have, recordPath(k))
		if want := selected[row.Task]; want != "" && want != row.TaskDigest {
			err = fmt.Errorf("%s: task_digest %q: the run selected the task as %q", Clean(row.Record, 300), Clean(string(row.TaskDigest), 80), Clean(string(want), 80))
		}
		if err == nil || errors.As(err, new(rowError)) {
			rows = append(rows, row)
		}
		if err != nil {
			bad = append(bad, err)
		}
	}
	if len(more) > 0 { // rows that are left over have had their cause
		clear(have)
	}
	for _, record := range slices.Sorted(maps.Keys(have)) {
		bad = append(bad, rowError{have[record].n, fmt.Sprintf("there is no record %s", Clean(record, 300))})
	}
	return rows, r.problem(append(more, bad...))
}

// A rowLine is the n-th line of results.jsonl, or nil.
type rowLine struct {
	n    int
	text []byte
}

// rowLines returns the whole lines of results.jsonl by their records, and what is no row.
func (r *Reader) rowLines() (map[string]rowLine, []error) {
	lines, err := r.lines(RowsFile)
	if err != nil {
		return nil, []error{rowError{why: err.Error()}}
	}
	have := map[string]rowLine{}
	var bad []error
	for n, line := range lines {
		var of struct{ Record string }
		err := json.Unmarshal(line, &of)
		switch before, twice := have[of.Record]; {
		case errors.As(err, new(*json.SyntaxError)): // torn
		case err != nil || !strings.HasPrefix(of.Record, EpisodesDir+"/"):
			bad = append(bad, rowError{n, "this is no row"})
		case twice && !bytes.Equal(bytes.TrimSpace(before.text), bytes.TrimSpace(line)):
			bad = append(bad, rowError{n, fmt.Sprintf("there is another row of %s in line %d", Clean(of.Record, 300), before.n)})
		default:
			have[of.Record] = rowLine{n, line}
		}
	}
	return have, bad
}

// row makes the row of a record, and compares it with its line in results.jsonl if there is one.
func (r *Reader) row(key string, line rowLine) (Row, error) {
	file, raw, err := r.raw(key)
	if err != nil {
		return Row{}, err
	}
	if r.own != nil && line.text != nil {
		var row Row
		if s, ok := r.own(key); ok && s == sealOf(raw, line.text) && strict(line.text, &row) == nil {
			return row, nil
		}
	}
	rec, err := parseRecord(key, raw)
	if err != nil {
		return Row{}, fmt.Errorf("%s: %w", Clean(file, 300), err)
	}
	row := rowOf(r.run.Kind, key, rec)
	if line.text == nil {
		return row, nil
	}
	want, err := encodeLine(row)
	if err != nil {
		return Row{}, fmt.Errorf("%s: %w", Clean(file, 300), err)
	}
	if !bytes.Equal(bytes.TrimSpace(line.text), bytes.TrimSpace(want)) {
		return row, rowError{line.n, fmt.Sprintf("this is not what %s says", Clean(file, 300))}
	}
	return row, nil
}

// encodeRows returns what results.jsonl holds.
func encodeRows(rows []Row) ([]byte, error) {
	var b bytes.Buffer
	for _, row := range rows {
		line, err := encodeLine(row)
		if err != nil {
			return nil, fmt.Errorf("row %s: %w", row.Record, err)
		}
		b.Write(line)
	}
	return b.Bytes(), nil
}

// Rebuild makes results.jsonl again from the records alone, sorted by key, and drops torn lines
// from events.jsonl. A record that is not sound is an error, and then nothing is written. One
// that is missing is not: its episode counts as never reached. No process may be writing to the
// bundle meanwhile.
func Rebuild(dir string) error {
	r, err := Open(dir)
	if err != nil {
		return err
	}
	rows, err := r.rows(false)
	if err != nil {
		return err
	}
	raw, err := encodeRows(rows)
	if err == nil {
		err = replace(dir, RowsFile, raw)
	}
	if err != nil {
		return fmt.Errorf("bundle %s: %s: %w", dir, RowsFile, err)
	}
	return r.mendEvents(dir)
}

// mendEvents drops lines that are no events.
func (r *Reader) mendEvents(dir string) error {
	raw, err := readFile(r.fsys, EventsFile, maxLines)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("bundle %s: %s: %w", dir, EventsFile, cause(err))
	}
	var sound []byte
	for line := range bytes.Lines(raw) {
		var e Event
		if bytes.HasSuffix(line, []byte("\n")) && strict(line, &e) == nil {
			sound = append(sound, line...)
		}
	}
	if bytes.Equal(sound, raw) {
		return nil
	}
	if err := replace(dir, EventsFile, sound); err != nil {
		return fmt.Errorf("bundle %s: %w", dir, err)
	}
	return nil
}

// Publish writes what is derived from the records: results.jsonl in the order of the keys,
// summary.json and junit.xml. It may be repeated at any time, and gives the same bytes.
//
// In a bundle that is not sound, as [Reader.Rows] says, it writes nothing: what is kept is true
// of all records or not there. A file that cannot be written, on a full disk say, does not keep
// the others from being written; the error names all that are missing. The summary is returned
// with either error, of the records that are sound.
func Publish(dir string) (Summary, error) {
	r, err := Open(dir)
	if err != nil {
		return Summary{}, err
	}
	return r.publish(dir)
}

// Finish publishes what the run has left. Of several processes the first calls it, when the
// others are done.
func (b *Bundle) Finish() (Summary, error) {
	r, err := b.Reader()
	if err != nil {
		return Summary{}, err
	}
	return r.publish(b.dir)
}

func (r *Reader) publish(dir string) (Summary, error) {
	rows, err := r.Rows()
	s := Summarise(r.run, rows)
	if err != nil {
		return s, err
	}
	var missing []string
	var errs []error
	write := func(name string, make func() ([]byte, error)) {
		raw, err := make()
		if err == nil {
			err = replace(dir, name, raw)
		}
		if err != nil {
			missing, errs = append(missing, name), append(errs, err)
		}
	}
	write(RowsFile, func() ([]byte, error) { return encodeRows(rows) })
	write(SummaryFile, func() ([]byte, error) {
		raw, err := encodeLine(s)
		return indent(raw), err
	})
	write(JUnitFile, func() ([]byte, error) {
		var x bytes.Buffer
		err := r.writeJUnit(&x, rows)
		return x.Bytes(), err
	})
	if errs != nil {
		return s, fmt.Errorf("bundle %s: %w: when that is mended: bench results rebuild %s", dir, notWritten(missing, errs), shell(dir))
	}
	return s, nil
}
