package files

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
)

// A snapshot is what a workspace holds at one moment. It is immutable: a change makes another one
// that shares every node that it leaves alone, so that a fork is a pointer.
//
// Folders that hold something are not in it: the paths of what they hold imply them.
type snapshot struct {
	entries []entry // in the order of their paths
	bytes   int64

	digest atomic.Pointer[string]
}

type entry struct {
	path string
	node *node
}

type kind uint8

const (
	file   kind = iota
	link        // text is where it leads
	folder      // an empty one
	sealed      // a file of a recorded state of which only digest and size are known
)

// A node is a file, a link or an empty folder. It never changes.
type node struct {
	kind kind
	exec bool
	text string
	at   int   // the step that made it what it is; modification times follow from it
	size int64 // of a sealed one

	sum     atomic.Pointer[string] // hex SHA-256 of text
	encoded atomic.Pointer[[]byte]
}

func (n *node) length() int64 {
	if n.kind == sealed {
		return n.size
	}
	return int64(len(n.text))
}

// digest is what stands for a node in the workspace digest.
func (n *node) digest() string {
	if s := n.sum.Load(); s != nil {
		return *s
	}
	s := FileDigest(n.text)
	if n.kind == link {
		s = "link " + s
	}
	n.sum.Store(&s)
	return s
}

// same reports whether two nodes are the same to an agent.
func (n *node) same(m *node) bool {
	return n.kind == m.kind && n.exec == m.exec && n.text == m.text && n.size == m.size
}

func newSnapshot(entries []entry) *snapshot {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	s := &snapshot{entries: entries}
	for _, e := range entries {
		s.bytes += e.node.length()
	}
	return s
}

// treeSnapshot is the snapshot of plain files.
func treeSnapshot(t Tree) *snapshot {
	entries := make([]entry, 0, len(t))
	for p, text := range t {
		entries = append(entries, entry{p, &node{text: text}})
	}
	return newSnapshot(entries)
}

// search returns where a path is or would be.
func (s *snapshot) search(p string) (int, bool) {
	return slices.BinarySearchFunc(s.entries, p, func(e entry, p string) int { return strings.Compare(e.path, p) })
}

// find returns the node of a path, or nil. Folders that hold something have none.
func (s *snapshot) find(p string) *node {
	if i, ok := s.search(p); ok {
		return s.entries[i].node
	}
	return nil
}

// isFolder reports whether a path is a folder; "" is the workspace.
func (s *snapshot) isFolder(p string) bool {
	if p == "" {
		return true
	}
	if n := s.find(p); n != nil {
		return n.kind == folder
	}
	i, _ := s.search(p + "/")
	return i < len(s.entries) && strings.HasPrefix(s.entries[i].path, p+"/")
}

// list returns the names in a folder, sorted; those of folders end in a slash.
func (s *snapshot) list(dir string) []string {
	prefix := ""
	if dir != "" {
		prefix = dir + "/"
	}
	i, _ := s.search(prefix)
	names := []string{}
	for ; i < len(s.entries) && strings.HasPrefix(s.entries[i].path, prefix); i++ {
		name, _, deeper := strings.Cut(s.entries[i].path[len(prefix):], "/")
		if deeper || s.entries[i].node.kind == folder || s.entries[i].node.kind == link && s.leadsToFolder(s.entries[i].path) {
			name += "/"
		}
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	slices.Sort(names) // "a/" comes after "a.txt", though all below a comes before
	return slices.Compact(names)
}

func (s *snapshot) leadsToFolder(p string) bool {
	real, err := s.resolve(p)
	return err == nil && s.isFolder(real)
}

// with returns the snapshot with a node at a path. What was empty above it is no longer.
func (s *snapshot) with(p string, n *node) *snapshot {
	next := &snapshot{entries: make([]entry, 0, len(s.entries)+1), bytes: s.bytes + n.length()}
	placed := false
	for _, e := range s.entries {
		if !placed && p <= e.path {
			next.entries, placed = append(next.entries, entry{p, n}), true
		}
		if e.path == p || e.node.kind == folder && strings.HasPrefix(p, e.path+"/") {
			next.bytes -= e.node.length()
			continue
		}
		next.entries = append(next.entries, e)
	}
	if !placed {
		next.entries = append(next.entries, entry{p, n})
	}
	return next
}

// sum is the workspace digest: [Tree.Digest] where there are plain files alone. A link counts
// with where it leads, an empty folder does not count.
func (s *snapshot) sum() string {
	if d := s.digest.Load(); d != nil {
		return *d
	}
	var b bytes.Buffer
	for _, e := range s.entries {
		if e.node.kind != folder {
			b.WriteString(e.path)
			b.WriteString(e.node.digest())
		}
	}
	h := sha256.Sum256(b.Bytes())
	d := hex.EncodeToString(h[:])
	s.digest.Store(&d)
	return d
}

// changed lists the paths of files and links that differ, sorted: added, removed or changed.
func changed(before, after *snapshot) []string {
	paths := []string{}
	note := func(e entry) {
		if e.node.kind != folder {
			paths = append(paths, e.path)
		}
	}
	a, b := before.entries, after.entries
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].path < b[0].path:
			note(a[0])
			a = a[1:]
		case len(a) == 0 || b[0].path < a[0].path:
			note(b[0])
			b = b[1:]
		default:
			x, y := a[0].node, b[0].node
			if x != y && (x.kind != y.kind || x.text != y.text) {
				if x.kind != folder || y.kind != folder {
					paths = append(paths, a[0].path)
				}
			}
			a, b = a[1:], b[1:]
		}
	}
	return paths
}

// Bounds on what a workspace may hold. They are those of commands, so that what a tool may write
// a command may be given.
const (
	maxEntries   = 20_000
	maxBytes     = 64 << 20
	maxWritten   = 16 << 20 // bytes of one file
	maxPath      = 1024     // bytes
	maxComponent = 255
	maxNested    = 64 // folders
)

// storable reports whether a file may have this path on the disks of the machines that matter.
func storable(p string) bool {
	if len(p) > maxPath || !fs.ValidPath(p) || p == "." || strings.ContainsAny(p, "\\\x00") || strings.Count(p, "/") > maxNested {
		return false
	}
	for name := range strings.SplitSeq(p, "/") {
		if len(name) > maxComponent {
			return false
		}
	}
	return true
}
