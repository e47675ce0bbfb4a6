package workspace

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"benchwright/sim"
	"benchwright/sim/workspace/backend"
)

// A shelved backend is one of a library: what it is called, and how it is come by.
type shelved struct {
	slug, name string
	load       func() (*source, error) // once for all; they share it
}

// shelve finds a backend in a file: a fixture, or an archive, of which the index is read.
func shelve(fsys fs.FS, name string) (*shelved, error) {
	if path.Ext(name) != ".zip" {
		raw, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		b, err := backend.ParseFixture(raw)
		if err != nil {
			return nil, err
		}
		return ready(b), nil
	}
	r, size, err := randomAccess(fsys, name)
	if err != nil {
		return nil, err
	}
	a, err := backend.OpenArchive(r, size)
	if err != nil {
		return nil, err
	}
	return &shelved{a.Slug, a.Name, sync.OnceValues(func() (*source, error) {
		b, err := a.Backend()
		if err != nil {
			return nil, err
		}
		return &source{Backend: b}, nil
	})}, nil
}

// ready is a backend that has been read.
func ready(b *backend.Backend) *shelved {
	s := &source{Backend: b}
	return &shelved{b.Slug, b.Name, func() (*source, error) { return s, nil }}
}

// randomAccess opens a file to be read at any place. Embedded files are, and are not copied.
func randomAccess(fsys fs.FS, name string) (io.ReaderAt, int64, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	if r, ok := f.(io.ReaderAt); ok && inMemory(f) {
		return r, info.Size(), nil
	}
	defer f.Close()
	raw, err := io.ReadAll(f)
	return bytes.NewReader(raw), int64(len(raw)), err
}

// readBaseline reads an initial_state.
func readBaseline(fsys fs.FS, file string, packed bool) (*seedState, error) {
	raw, err := fs.ReadFile(fsys, file)
	if err == nil && packed {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(raw)); err == nil {
			raw, err = io.ReadAll(io.LimitReader(z, maxBaseline))
		}
	}
	if err != nil {
		return nil, err
	}
	return parseSeed(raw, "")
}

// maxBaseline bounds what a packed baseline may hold.
const maxBaseline = 64 << 20

// inMemory reports whether a file needs no closing: whether it is no file of the system.
func inMemory(f fs.File) bool {
	_, system := f.(interface{ Fd() uintptr })
	return !system
}

// A source is a backend with what is encoded of it once for all who are connected to it.
type source struct {
	*backend.Backend
	appsPart, widgetsPart cached
}

// apps encodes the first members of a custom backend in a snapshot.
func (s *source) apps() []byte {
	return s.appsPart.get(func() []byte {
		b := append([]byte{}, `{"apps_json":[`...)
		for i, a := range s.Apps {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, canonical(a.Raw)...)
		}
		return append(b, ']')
	})
}

// widgets encodes the last members of a custom backend in a snapshot.
func (s *source) widgets() []byte {
	return s.widgetsPart.get(func() []byte {
		b := append([]byte{}, `,"warnings":`...)
		b = append(b, sim.MustCanonical(append([]string{}, s.Warnings...))...)
		b = append(b, `,"widgets_json":{`...)
		for i, d := range slices.SortedFunc(slices.Values(s.Widgets), func(a, b *backend.Definition) int { return strings.Compare(a.ID, b.ID) }) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, d.ID), ':')
			b = append(b, canonical(d.Raw)...)
		}
		return append(b, '}')
	})
}

// canonical returns manifest JSON, which has been parsed before, in canonical form.
func canonical(raw json.RawMessage) json.RawMessage {
	c, err := sim.Canonical(raw)
	if err != nil {
		return json.RawMessage("null")
	}
	return c
}
