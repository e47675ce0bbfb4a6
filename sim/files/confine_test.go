package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Random trees with links are written to a disk, and every path is resolved there too.
func TestPathsLeadWhereTheyLeadOnADisk(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := NewRand("confine")
	names := []string{"a", "b", "c"}
	walk := func(steps int) string {
		var parts []string
		for range steps {
			parts = append(parts, Pick(r, []string{"a", "b", "c", ".", "..", "a", "b"}))
		}
		return strings.Join(parts, "/")
	}
	agreed, inside := 0, 0
	for i := range 60 {
		s := newSnapshot(nil)
		for range r.Between(2, 8) {
			p := Pick(r, names)
			for range r.N(3) {
				p += "/" + Pick(r, names)
			}
			n := &node{text: "x"}
			if r.Chance(50) {
				n = &node{kind: link, text: walk(r.Between(1, 3))}
				if r.Chance(10) {
					n.text = Root + "/" + n.text
				}
			}
			if s.find(p) == nil && !s.isFolder(p) && free(s, p) {
				s = s.with(p, n)
			}
		}
		dir := filepath.Join(top, string(rune('a'+i%26))+strings.Repeat("x", i/26))
		disk := filepath.Join(dir, "workspace")
		if err := os.MkdirAll(disk, 0o700); err != nil {
			t.Fatal(err)
		}
		onDisk := &snapshot{}
		for _, e := range s.entries {
			n := *e.node.clone()
			if rest, ok := strings.CutPrefix(n.text, Root); ok {
				n.text = disk + rest
			}
			onDisk.entries = append(onDisk.entries, entry{e.path, &n})
		}
		root, err := os.OpenRoot(disk)
		if err != nil {
			t.Fatal(err)
		}
		if err := onDisk.write(root); err != nil {
			t.Fatal(err)
		}
		for range 30 {
			p := walk(r.Between(1, 5))
			want, err := filepath.EvalSymlinks(disk + "/" + p)
			got, problem := s.resolve(p)
			if err != nil { // only what is there can be compared
				continue
			}
			agreed++
			rel, err := filepath.Rel(disk, want)
			if err != nil {
				t.Fatal(err)
			}
			if out := rel == ".." || strings.HasPrefix(rel, "../"); out != errors.Is(problem, errEscapes) || !out && strings.TrimPrefix(rel, ".") != got {
				t.Errorf("%q in %v leads to %q, %v; on the disk to %q", p, s.entries, got, problem, rel)
			}
			if problem != nil {
				continue
			}
			inside++
			// What os.Root finds by the path, a command meets as well.
			if _, err := root.Stat(filepath.FromSlash("./" + got)); err != nil {
				t.Errorf("%q leads to %q, which os.Root refuses: %v", p, got, err)
			}
			if info, err := os.Stat(want); err != nil || info.IsDir() != s.isFolder(got) {
				t.Errorf("%q is a folder: %t; on the disk %v, %v", got, s.isFolder(got), info, err)
			}
		}
		root.Close()
	}
	if agreed < 300 || inside < 200 {
		t.Errorf("only %d paths were compared, %d of them inside", agreed, inside)
	}
}

// free reports whether all above a path can be folders.
func free(s *snapshot, p string) bool {
	for dir := filepath.Dir(p); dir != "."; dir = filepath.Dir(dir) {
		if s.find(dir) != nil {
			return false
		}
	}
	return true
}

func (n *node) clone() *node {
	return &node{kind: n.kind, exec: n.exec, text: n.text, at: n.at, size: n.size}
}

func TestLinksInACircle(t *testing.T) {
	s := newSnapshot([]entry{{"a", &node{kind: link, text: "b"}}, {"b", &node{kind: link, text: "a"}}, {"out", &node{kind: link, text: "../../etc"}}})
	if _, err := s.resolve("a/x"); !errors.Is(err, errLoop) {
		t.Errorf("a circle: %v", err)
	}
	if _, err := s.resolve("out/passwd"); !errors.Is(err, errEscapes) {
		t.Errorf("a link out: %v", err)
	}
}
