package backend

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// An Archive is a backend in a zip file, as the baker of package fixtures writes them; the format
// is in the package comment. It may be used concurrently.
type Archive struct {
	Slug string
	Name string

	url   string
	files map[string]*zip.File
	sums  map[string]string // SHA-256 in hexadecimal of every other member
}

// Members of an archive besides data/<widget id>.json.
const (
	archiveIndex    = "index.json"
	archiveManifest = "backend.json"
	archiveSums     = "SHA256SUMS"
	archiveData     = "data/"
)

// OpenArchive reads which members there are and what the backend is called, and nothing else.
func OpenArchive(r io.ReaderAt, size int64) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("backend archive: %w", err)
	}
	a := &Archive{files: make(map[string]*zip.File, len(z.File)), sums: make(map[string]string, len(z.File))}
	for _, f := range z.File {
		if a.files[f.Name] != nil {
			return nil, fmt.Errorf("backend archive: %q is there twice", shorten(f.Name))
		}
		a.files[f.Name] = f
	}
	if err := a.readSums(); err != nil {
		return nil, fmt.Errorf("backend archive: %s: %w", archiveSums, err)
	}
	raw, err := a.read(archiveIndex)
	if err != nil {
		return nil, fmt.Errorf("backend archive: %w", err)
	}
	o, err := fixtureObject(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", archiveIndex, err)
	}
	a.Slug, a.Name, a.url = o.str("slug"), o.str("name"), o.str("url")
	if a.Slug == "" || a.Name == "" {
		return nil, fmt.Errorf("backend archive: %s: slug and name are required", archiveIndex)
	}
	return a, nil
}

// readSums reads the digests, which must be those of all other members.
func (a *Archive) readSums() error {
	raw, err := a.inflate(archiveSums)
	if err != nil {
		return err
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n") {
		sum, name, ok := strings.Cut(line, "  ")
		switch {
		case !ok || len(sum) != 2*sha256.Size:
			return fmt.Errorf("line %d: want a digest, two blanks and a name", i+1)
		case a.files[name] == nil || a.sums[name] != "":
			return fmt.Errorf("line %d: %q is not in the archive, or is listed twice", i+1, shorten(name))
		}
		a.sums[name] = sum
	}
	if len(a.sums) != len(a.files)-1 {
		return fmt.Errorf("%d digests for %d members", len(a.sums), len(a.files)-1)
	}
	return nil
}

// read returns a member whose digest agrees.
func (a *Archive) read(name string) ([]byte, error) {
	raw, err := a.inflate(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != a.sums[name] {
		return nil, fmt.Errorf("%s: its digest is %x and %s says %s", name, sum, archiveSums, a.sums[name])
	}
	return raw, nil
}

func (a *Archive) inflate(name string) ([]byte, error) {
	f := a.files[name]
	if f == nil {
		return nil, errors.New("it is missing")
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if f.UncompressedSize64 > maxAnswer {
		return nil, fmt.Errorf("larger than %d bytes", maxAnswer)
	}
	b := bytes.NewBuffer(make([]byte, 0, int(f.UncompressedSize64)+bytes.MinRead))
	_, err = b.ReadFrom(r) // which ends with an error where the member is larger than it says
	return b.Bytes(), err
}

// Backend reads the manifests. The data of a widget is read when it is first asked for, and kept.
// The manifests are not validated: whoever made the archive did that.
func (a *Archive) Backend() (*Backend, error) {
	where := fmt.Sprintf("backend archive %q", shorten(a.Slug))
	raw, err := a.read(archiveManifest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	o, err := fixtureObject(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", where, archiveManifest, err)
	}
	day, err := dayOf(o)
	if err == nil {
		err = keys(o, "as_of", "widgets", "apps")
	}
	widgets := o.obj("widgets")
	if err == nil && widgets == nil {
		err = errors.New("widgets must be an object of definitions by widget id")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", where, archiveManifest, err)
	}
	b, err := build(Source{Slug: a.Slug, Name: a.Name, URL: a.url}, widgets, o.list("apps"), false)
	if err != nil {
		return nil, err
	}
	for _, d := range b.Widgets {
		d.doc = nil
	}
	b.lazy = &lazyData{archive: a, day: day, entries: map[string]*entry{}}
	for name := range a.files {
		id, ok := strings.CutPrefix(name, archiveData)
		if !ok {
			continue
		}
		id, ok = strings.CutSuffix(id, ".json")
		if !ok || b.index[id] == nil {
			return nil, fmt.Errorf("%s: %q is data of no widget", where, shorten(name))
		}
		b.lazy.entries[id] = &entry{}
	}
	b.Digest = a.digest()
	return b, nil
}

// digest is that of what is served, which is known without reading it.
func (a *Archive) digest() string {
	var names []string
	for name := range a.sums {
		if name == archiveManifest || strings.HasPrefix(name, archiveData) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range names {
		fmt.Fprintf(h, "%s  %s\n", a.sums[name], name)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// lazyData is what an archive answers for the widgets of its backend.
type lazyData struct {
	archive *Archive
	day     day
	entries map[string]*entry // by widget id; never changed
}

// An entry is what is known of one widget once somebody has asked.
type entry struct {
	once sync.Once
	stored
	err error
}

// stored is the answer of a widget and the choices of its parameters.
type stored struct {
	answer  *answer
	options map[string][]choice
}

func (l *lazyData) get(d *Definition) (stored, error) {
	e := l.entries[d.ID]
	if e == nil {
		return stored{}, nil
	}
	e.once.Do(func() {
		name := archiveData + d.ID + ".json"
		raw, err := l.archive.read(name)
		if err == nil {
			e.stored, err = readStored(d, raw, l.day)
		}
		if err != nil {
			e.err = fmt.Errorf("backend archive %q: %s: %w", l.archive.Slug, name, err)
		}
	})
	return e.stored, e.err
}

// readStored reads what an archive says of one widget. The rows stay the text that they are.
func readStored(d *Definition, raw []byte, asOf day) (stored, error) {
	list, err := members(raw)
	if err != nil {
		return stored{}, err
	}
	var out stored
	var filters, rule any
	a := &answer{}
	for _, m := range list {
		switch m.key {
		case "filters":
			filters = m.value
		case "nomatch":
			rule = m.value
		case "payload":
			a.payload = m.raw
		case "byArgs":
			a.byArgs, err = storedEntries(m.raw)
		case "options":
			out.options, err = choices(d, m.value)
		default:
			err = fmt.Errorf("unknown key %q", shorten(m.key))
		}
		if err != nil {
			return stored{}, err
		}
	}
	fs, err := readFilters(filters, nil, asOf)
	if err == nil {
		a.strict, err = readNomatch(rule)
	}
	if err != nil {
		return stored{}, err
	}
	if a.payload != nil {
		if rows, err := elements(a.payload); err == nil {
			a.table = newTable(rows, a.payload, fs, a.strict, asOf)
		}
	}
	if a.payload != nil || len(a.byArgs) > 0 {
		out.answer = a
	}
	return out, nil
}

// storedEntries reads byArgs.
func storedEntries(raw []byte) ([]argsEntry, error) {
	list, err := elements(raw)
	if err != nil {
		return nil, fmt.Errorf("byArgs: %w", err)
	}
	var out []argsEntry
	for i, s := range list {
		o, _ := s.value.(*object)
		if o == nil || o.obj("dataArgs") == nil || !has(o, "data") {
			return nil, fmt.Errorf("byArgs %d: want {dataArgs, data}", i)
		}
		e := argsEntry{args: textsOf(o.obj("dataArgs"))}
		for _, m := range spans(s.raw, o.keys) {
			if m.key == "data" {
				e.data = m.raw
			}
		}
		out = append(out, e)
	}
	return out, nil
}
