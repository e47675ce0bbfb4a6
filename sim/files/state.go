package files

import (
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"sync/atomic"
	"unicode/utf8"

	"benchwright/sim"
)

// Bounds on the contents that a state holds: what is beyond is recorded by digest and size, and
// nobody who grades the state gets to see it, whether it was recorded in between or not.
const (
	maxRecorded      = 1 << 20  // bytes of one file
	maxRecordedTotal = 16 << 20 // bytes of all, counted in the order of their paths
)

// A Workspace is the state of a world of this package: every file, and what was submitted. It is
// immutable.
//
// Steps are not in it, so that equal workspaces have equal bytes; the trace counts them.
type Workspace struct {
	files      *snapshot
	submission *string

	encoded atomic.Pointer[json.RawMessage]
}

// ReadWorkspace returns the workspace that a state is.
func ReadWorkspace(s sim.State) (*Workspace, error) {
	if w, ok := s.(*Workspace); ok {
		return w, nil
	}
	if s == nil {
		return nil, errorf("there is no state")
	}
	return decodeWorkspace(s.JSON())
}

// NewWorkspace returns the workspace that holds a tree and in which nothing was submitted.
func NewWorkspace(t Tree) (*Workspace, error) {
	if err := t.Check("workspace"); err != nil {
		return nil, err
	}
	return &Workspace{files: treeSnapshot(t)}, nil
}

// Tree returns the plain files of the workspace, whether they may be executed or not. Links are
// not in it, and neither are the files of which the state has but a digest.
func (w *Workspace) Tree() Tree {
	t := make(Tree, len(w.files.entries))
	w.kept(func(p string, n *node, whole bool) {
		if whole && n.kind == file {
			t[p] = n.text
		}
	})
	return t
}

// Digest is the workspace digest. For plain files it is that of [Tree.Digest]. It is for the eye:
// two workspaces made to have the same one may differ, where their JSON would not.
func (w *Workspace) Digest() string { return w.files.sum() }

// Submission returns what the agent submitted, and whether it did.
func (w *Workspace) Submission() (string, bool) {
	if w.submission == nil {
		return "", false
	}
	return *w.submission, true
}

// Links returns the links of the workspace and where they lead.
func (w *Workspace) Links() map[string]string {
	links := map[string]string{}
	for _, e := range w.files.entries {
		if e.node.kind == link {
			links[e.path] = e.node.text
		}
	}
	return links
}

// Withheld lists the files of which the state has but a digest.
func (w *Workspace) Withheld() []string {
	var paths []string
	w.kept(func(p string, _ *node, whole bool) {
		if !whole {
			paths = append(paths, p)
		}
	})
	return paths
}

// kept visits all nodes and says of each whether the state holds it whole.
func (w *Workspace) kept(visit func(p string, n *node, whole bool)) {
	total := int64(0)
	for _, e := range w.files.entries {
		whole := e.node.kind != sealed
		if size := e.node.length(); e.node.kind == file {
			if size > maxRecorded || total+size > maxRecordedTotal {
				whole = false
			} else {
				total += size
			}
		}
		visit(e.path, e.node, whole)
	}
}

// JSON returns the state's canonical bytes.
func (w *Workspace) JSON() json.RawMessage {
	if raw := w.encoded.Load(); raw != nil {
		return *raw
	}
	raw := w.encode()
	w.encoded.Store(&raw)
	return raw
}

// MarshalJSON returns the bytes that JSON returns.
func (w *Workspace) MarshalJSON() ([]byte, error) { return w.JSON(), nil }

func (w *Workspace) encode() json.RawMessage {
	b := append(make([]byte, 0, 256+2*min(w.files.bytes, maxRecordedTotal)), `{"files":{`...)
	var folders, links []entry
	more := false
	w.kept(func(p string, n *node, whole bool) {
		switch n.kind {
		case folder:
			folders = append(folders, entry{p, n})
			return
		case link:
			links = append(links, entry{p, n})
			return
		}
		if more {
			b = append(b, ',')
		}
		more = true
		b = append(appendText(b, p), ':')
		if whole {
			b = append(b, n.json()...)
		} else {
			b = append(append(append(b, `{"sha256":"`...), n.digest()...), `","size":`...)
			b = append(strconv.AppendInt(b, n.length(), 10), '}')
		}
	})
	b = append(b, `},"folders":[`...)
	for i, e := range folders {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, e.path)
	}
	b = append(b, `],"links":{`...)
	for i, e := range links {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(appendText(b, e.path), ':'), e.node.text)
	}
	b = append(b, `},"submission":`...)
	if w.submission == nil {
		return append(b, `null,"submitted":false}`...)
	}
	return append(appendText(b, *w.submission), `,"submitted":true}`...)
}

// json is a whole file as states hold it.
func (n *node) json() []byte {
	if b := n.encoded.Load(); b != nil {
		return *b
	}
	b := []byte{'{'}
	text := utf8.ValidString(n.text)
	if !text {
		b = append(append(b, `"base64":"`...), base64.StdEncoding.EncodeToString([]byte(n.text))...)
		b = append(b, '"')
	}
	if n.exec {
		if !text {
			b = append(b, ',')
		}
		b = append(b, `"mode":"`+execMode+`"`...)
	}
	if text {
		if n.exec {
			b = append(b, ',')
		}
		b = appendText(append(b, `"text":`...), n.text)
	}
	b = append(b, '}')
	n.encoded.Store(&b)
	return b
}

// execMode is the mode of a file that may be executed. All others are of mode 644.
const execMode = "755"

// A File is a file as setups and states spell it: its text, or its bytes where they are no text,
// or no more than a digest where they are many.
type File struct {
	Text   *string `json:"text,omitempty"`
	Base64 *string `json:"base64,omitempty"`
	Mode   string  `json:"mode,omitempty"` // "755" where it may be executed
	SHA256 string  `json:"sha256,omitempty"`
	Size   int64   `json:"size,omitempty"`
}

// node reads a file.
func (f File) node() (*node, error) {
	n := &node{exec: f.Mode == execMode}
	switch {
	case f.Mode != "" && f.Mode != execMode:
		return nil, errorf("mode %q: want %s, or none", clip(f.Mode), execMode)
	case f.Text != nil && f.Base64 == nil && f.SHA256 == "":
		n.text = *f.Text
	case f.Base64 != nil && f.Text == nil && f.SHA256 == "":
		raw, err := base64.StdEncoding.Strict().DecodeString(*f.Base64)
		if err != nil {
			return nil, err
		}
		n.text = string(raw)
	case sums.MatchString(f.SHA256) && f.Text == nil && f.Base64 == nil && f.Size > 0 && !n.exec:
		n.kind, n.size = sealed, f.Size
		n.sum.Store(&f.SHA256)
	default:
		return nil, errorf("want either text, or base64, or sha256 and size")
	}
	return n, nil
}

var sums = regexp.MustCompile("^[0-9a-f]{64}$")

// decode reads a recorded state.
func decode(raw json.RawMessage, _ fs.FS) (sim.State, error) { return decodeWorkspace(raw) }

func decodeWorkspace(raw json.RawMessage) (*Workspace, error) {
	var wire struct {
		Files      map[string]File   `json:"files"`
		Folders    []string          `json:"folders"`
		Links      map[string]string `json:"links"`
		Submission *string           `json:"submission"`
		Submitted  bool              `json:"submitted"`
	}
	if err := strict(raw, &wire); err != nil {
		return nil, errorf("state: %w", err)
	}
	if wire.Submitted != (wire.Submission != nil) {
		return nil, errorf("state: submitted and submission say different things")
	}
	seen := Tree{}
	var entries []entry
	add := func(p string, n *node) error {
		if _, ok := seen[p]; ok {
			return errorf("state: %q is there twice", clip(p))
		}
		seen[p] = ""
		entries = append(entries, entry{p, n})
		return nil
	}
	for _, p := range slices.Sorted(maps.Keys(wire.Files)) {
		n, err := wire.Files[p].node()
		if err != nil {
			return nil, errorf("state: file %q: %w", clip(p), err)
		}
		if err := add(p, n); err != nil {
			return nil, err
		}
	}
	for _, p := range wire.Folders {
		if err := add(p, &node{kind: folder}); err != nil {
			return nil, err
		}
	}
	for _, p := range slices.Sorted(maps.Keys(wire.Links)) {
		if err := add(p, &node{kind: link, text: wire.Links[p]}); err != nil {
			return nil, err
		}
	}
	if err := seen.Check("state"); err != nil {
		return nil, errorf("%w", err)
	}
	return &Workspace{files: newSnapshot(entries), submission: wire.Submission}, nil
}
