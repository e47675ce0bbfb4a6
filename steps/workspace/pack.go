package workspace

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"benchwright/grader"
	"benchwright/internal/regular"
	"benchwright/tasks"
)

// Manifest is the file that makes a folder a suite.
const Manifest = "taskset.json"

// Unnamed is the suite of a pack that has no manifest.
const Unnamed = "private"

// maxPackFile is what a file of a pack may weigh.
const maxPackFile = 16 << 20

// Open reads a task pack in the published format: a folder with a manifest, a folder of several
// such, or, without any manifest, folders of task files that have a "prompt". Of anything else
// it says false.
//
// A task file lies in a folder below its suite's, which is its family unless the file names
// another. JSON files beside the manifest are no tasks. Everything that is wrong, in all files,
// is reported together: the error is then a tasks.Errors. Sources name files within the pack.
func Open(pack fs.FS) ([]tasks.Task, bool, error) { return builtin.open(pack) }

func (s shelf) open(pack fs.FS) ([]tasks.Task, bool, error) {
	r := &packReader{fsys: pack, shelf: s}
	if err := r.walk(); err != nil {
		return nil, true, err
	}
	if len(r.manifests) == 0 && !r.published() {
		return nil, false, nil
	}
	r.suites()
	for _, name := range r.files {
		r.taskFile(name)
	}
	if len(r.found) == 0 && len(r.list) == 0 {
		r.note(grader.Source{File: ".", Line: 1}, "the pack has no tasks: they lie in folders below the one with %s", Manifest)
	}
	if len(r.list) > 0 {
		slices.SortFunc(r.list, func(a, b tasks.Problem) int {
			return cmp.Or(strings.Compare(a.Source.File, b.Source.File), cmp.Compare(a.Source.Line, b.Source.Line), strings.Compare(a.Text, b.Text))
		})
		return nil, true, tasks.Errors(r.list)
	}
	return r.found, true, nil
}

// A packReader gathers the tasks of a pack and what is wrong with it.
type packReader struct {
	problems
	shelf     shelf
	fsys      fs.FS
	manifests []string          // by path
	files     []string          // other JSON files, by path
	suite     map[string]*suite // by folder
	found     []tasks.Task
	place     map[tasks.ID]grader.Source
}

// walk lists the files of the pack in the order of their names.
func (r *packReader) walk() error {
	var features []string
	err := fs.WalkDir(r.fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir():
		case d.Name() == Manifest:
			r.manifests = append(r.manifests, name)
		case path.Ext(name) == ".json":
			r.files = append(r.files, name)
		case path.Ext(name) == ".feature":
			features = append(features, name)
		}
		return nil
	})
	if len(r.manifests) > 0 {
		for _, f := range features {
			r.note(grader.Source{File: f, Line: 1}, "a feature within a pack of published tasks would not be read: put it into a folder of its own")
		}
	}
	slices.Sort(r.manifests)
	slices.Sort(r.files)
	return err
}

// published reports whether a folder without a manifest holds tasks in the published format.
func (r *packReader) published() bool {
	for _, name := range r.files {
		if !strings.Contains(name, "/") {
			continue
		}
		raw, err := r.read(name)
		if err != nil {
			continue
		}
		if n, _, bad := parseFile(name, raw); bad == nil && n.get("prompt") != nil && n.get("asks") == nil && n.get("world") == nil {
			return true
		}
	}
	return false
}

func (r *packReader) read(name string) ([]byte, error) {
	if info, err := fs.Stat(r.fsys, name); err == nil && info.Size() > maxPackFile {
		return nil, fmt.Errorf("the file is larger than %d MB: split it", maxPackFile>>20)
	}
	return regular.ReadFS(r.fsys, name, maxPackFile)
}

// parse reads a file into nodes; what is wrong with it is noted.
func (r *packReader) parse(name string) *node {
	raw, err := r.read(name)
	if err != nil {
		r.note(grader.Source{File: name, Line: 1}, "%v", err)
		return nil
	}
	n, f, bad := parseFile(name, raw)
	if bad != nil {
		r.note(grader.Source{File: name, Line: f.line(bad.off)}, "%s", bad.text)
		return nil
	}
	return n
}

// suites reads the manifests.
func (r *packReader) suites() {
	r.suite = map[string]*suite{}
	first := map[string]string{}
	for _, name := range r.manifests {
		dir := path.Dir(name)
		for d := path.Dir(dir); d != dir && dir != "."; d = path.Dir(d) {
			if r.suite[d] != nil {
				r.note(grader.Source{File: name, Line: 1}, "a suite within the suite of %s: keep them side by side", path.Join(d, Manifest))
			}
			if d == "." {
				break
			}
		}
		s := &suite{broken: true}
		if n := r.parse(name); n != nil {
			s = r.manifest(n)
		}
		if other, dup := first[s.id]; dup && s.id != "" {
			r.note(grader.Source{File: name, Line: 1}, "the suite %q is also that of %s", s.id, other)
		}
		first[s.id] = name
		r.suite[dir] = s
	}
	if len(r.manifests) == 0 {
		r.suite["."] = &suite{id: Unnamed}
	}
}

// taskFile reads a file that may be a task.
func (r *packReader) taskFile(name string) {
	dir := path.Dir(name)
	for d := dir; ; d = path.Dir(d) {
		if s := r.suite[d]; s != nil {
			if d == dir {
				return // beside the manifest
			}
			rel := strings.TrimPrefix(strings.TrimPrefix(dir, d), "/")
			family, _, _ := strings.Cut(rel, "/")
			if n := r.parse(name); n != nil {
				r.task(n, s, family)
			}
			return
		}
		if d == "." {
			break
		}
	}
	if len(r.manifests) > 0 && dir != "." {
		r.note(grader.Source{File: name, Line: 1}, "the file belongs to no suite: there is no %s above it", Manifest)
	}
}

// Find returns the task that a name means: a whole id, or the last part of one. A name that
// means several is an error that lists them.
func Find(all []tasks.Task, name string) (tasks.Task, error) {
	var hits []tasks.Task
	var ids []string
	for _, t := range all {
		if string(t.ID) == name || t.ID.Name() == name {
			hits = append(hits, t)
		}
		ids = append(ids, string(t.ID), t.ID.Name())
	}
	switch len(hits) {
	case 0:
		return tasks.Task{}, tasks.Unknown("task", name, ids)
	case 1:
		return hits[0], nil
	}
	var names []string
	for _, t := range hits {
		names = append(names, string(t.ID))
	}
	slices.Sort(names)
	return tasks.Task{}, fmt.Errorf("ambiguous task %q; use one of %s", clip(name), strings.Join(names, ", "))
}
