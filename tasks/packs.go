package tasks

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"benchwright/grader"
)

// packs has each folder of s.Packs read by the first kit that knows its format. What the kit says
// of files within the pack is told of the files as they lie in the suite.
func (c *compiler) packs(fsys fs.FS) {
	if fsys == nil {
		return
	}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		c.note(grader.Source{}, "%v", err)
	}
	for _, e := range entries {
		at := grader.Source{File: path.Join(c.suite.Dir, e.Name()), Line: 1}
		switch {
		case e.Name()[0] == '.':
		case !e.IsDir():
			c.note(at, "this is no pack: a pack of published tasks is a folder")
		default:
			pack, err := fs.Sub(fsys, e.Name())
			if err != nil {
				c.note(at, "%v", err)
				continue
			}
			c.pack(at, pack)
		}
	}
}

func (c *compiler) pack(at grader.Source, pack fs.FS) {
	for _, k := range c.suite.Kits {
		if k.Open == nil {
			continue
		}
		list, ok, err := k.Open(pack)
		var problems Errors
		switch {
		case errors.As(err, &problems):
			for _, p := range problems {
				c.note(inPack(at.File, p.Source), "%s", p.Text)
			}
			return
		case err != nil:
			c.note(at, "%v", err)
			return
		case ok:
			for _, t := range list {
				t = movedBelow(at.File, t)
				for _, p := range Lint(t, c.suite) {
					c.note(p.Source, "%s", p.Text)
				}
				c.found = append(c.found, found{t, grader.Source{File: t.Source.File, Line: t.Source.Line}})
			}
			return
		}
	}
	c.note(at, "no kit of the suite knows the format of this pack")
}

// inPack returns a place in a pack as it is called from outside.
func inPack(dir string, s grader.Source) grader.Source {
	if s.File != "" {
		s.File = path.Join(dir, s.File)
	}
	return s
}

// movedBelow returns a copy of a task all of whose sources are below a folder.
func movedBelow(dir string, t Task) Task {
	moves := func(in []Move) []Move {
		in = slices.Clone(in)
		for i := range in {
			in[i].Source = inPack(dir, in[i].Source)
		}
		return in
	}
	if t.Source.File != "" {
		t.Source.File = path.Join(dir, t.Source.File)
	}
	t.Source.Steps = slices.Clone(t.Source.Steps)
	for i := range t.Source.Steps {
		t.Source.Steps[i] = inPack(dir, t.Source.Steps[i])
	}
	r := &t.Rubric
	r.Checks = slices.Clone(r.Checks)
	for i := range r.Checks {
		r.Checks[i].Source = inPack(dir, r.Checks[i].Source)
	}
	r.Reference = moves(r.Reference)
	r.Probes = slices.Clone(r.Probes)
	for i := range r.Probes {
		r.Probes[i].Source = inPack(dir, r.Probes[i].Source)
		r.Probes[i].Moves = moves(r.Probes[i].Moves)
	}
	return t
}
