package files

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing/fstest"
	"unicode/utf8"
)

// A Tree is a set of files: slash-separated relative paths and their contents, byte for byte.
type Tree map[string]string

// Paths lists the files in order.
func (t Tree) Paths() []string { return slices.Sorted(maps.Keys(t)) }

// Clone returns a copy that may be written to.
func (t Tree) Clone() Tree {
	c := make(Tree, len(t))
	maps.Copy(c, t)
	return c
}

// With returns a copy in which the files of over take the place of those of t.
func (t Tree) With(over Tree) Tree {
	c := t.Clone()
	maps.Copy(c, over)
	return c
}

// has reports whether all files of another tree are there, with those contents.
func (t Tree) has(other Tree) bool {
	for p, text := range other {
		if have, ok := t[p]; !ok || have != text {
			return false
		}
	}
	return true
}

// Digest is the workspace digest: SHA-256 over, for each file in path order, the bytes of its
// path and the hex SHA-256 of its contents.
func (t Tree) Digest() string {
	h := sha256.New()
	for _, p := range t.Paths() {
		h.Write([]byte(p))
		h.Write([]byte(FileDigest(t[p])))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// FileDigest is the hex SHA-256 of a file's contents.
func FileDigest(contents string) string {
	sum := sha256.Sum256([]byte(contents))
	return hex.EncodeToString(sum[:])
}

// FS returns the tree as a file system.
func (t Tree) FS() fs.FS {
	m := make(fstest.MapFS, len(t))
	for p, text := range t {
		m[p] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return m
}

// Check says what is wrong with the paths of a tree, which is called name: each is relative,
// slash-separated and clean, and none is a file and a folder.
func (t Tree) Check(name string) error {
	for _, p := range t.Paths() {
		if !fs.ValidPath(p) || p == "." || strings.ContainsAny(p, "\\\x00") || !utf8.ValidString(p) {
			return fmt.Errorf("%s: %q is not a relative slash-separated path", name, clip(p))
		}
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			if _, ok := t[dir]; ok {
				return fmt.Errorf("%s: %q is a file and the folder of %q", name, dir, p)
			}
		}
	}
	return nil
}
