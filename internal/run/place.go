package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A place is where a package stands in its module. Test processes run in their package's folder.
type place struct {
	root string // the module's root
	pkg  string // the package's folder below it, "." for the root itself
}

// here finds the module of the working directory. Without one, the directory is its own root.
func here() (place, error) {
	wd, err := os.Getwd()
	if err != nil {
		return place{}, err
	}
	for dir := wd; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			rel, err := filepath.Rel(dir, wd)
			return place{dir, filepath.ToSlash(rel)}, err
		}
		if dir == filepath.Dir(dir) {
			return place{wd, "."}, nil
		}
	}
}

// name is what the place's files are told apart by: "" for the root package.
func (p place) name() string {
	if p.pkg == "." {
		return ""
	}
	return "." + strings.ReplaceAll(p.pkg, "/", "_")
}

// own is the folder of the module in which runs and what belongs to them are kept. It hides
// itself from git.
func (p place) own() (string, error) {
	dir := filepath.Join(p.root, ".bench")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("the folder of the runs: %w; set BENCH_OUT to one that can be written", err)
	}
	ignore := filepath.Join(dir, ".gitignore")
	if _, err := os.Stat(ignore); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// bundle returns the folder of a run that starts now, and whether another name may be taken
// when that one is: a folder that somebody chose is not exchanged behind their back.
func (p place) bundle(out, agent string, now time.Time) (dir string, free bool, err error) {
	if out != "" {
		if !filepath.IsAbs(out) {
			out = filepath.Join(p.root, out)
		}
		return filepath.Join(out, filepath.FromSlash(p.pkg)), false, nil
	}
	own, err := p.own()
	if err != nil {
		return "", false, err
	}
	name := now.UTC().Format("20060102T150405Z") + "-" + slug(agent)
	return filepath.Join(own, "runs", name, filepath.FromSlash(p.pkg)), true, nil
}

// slug makes a file name of an agent's name.
func slug(s string) string {
	f := func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-') {
			return r
		}
		return '_'
	}
	s = strings.Trim(strings.Map(f, s), "._")
	if len(s) > 60 {
		s = s[:60]
	}
	return s
}

// latest notes the run that has just ended, for people and for go's test cache: a test that has
// opened a file of its module as young as this is never answered from the cache.
func (p place) latest(bundle string) error {
	own, err := p.own()
	if err != nil {
		return err
	}
	path := filepath.Join(own, "latest"+p.name())
	if err := os.WriteFile(path, []byte(bundle+"\n"), 0o644); err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}
