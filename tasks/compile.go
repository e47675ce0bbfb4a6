package tasks

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"benchwright/grader"
	"benchwright/internal/regular"
)

// Compiled is all tasks of a suite.
type Compiled struct {
	Tasks []Task // sorted by the file and line that they were read from

	index map[ID]int
}

// Find returns the task with an id.
func (c *Compiled) Find(id ID) (Task, bool) {
	i, ok := c.index[id]
	if !ok {
		return Task{}, false
	}
	return c.Tasks[i], true
}

// What a file may weigh. Both are far beyond what people write, and within what can be parsed
// in a moment.
const (
	maxFeature = 8 << 20
	maxJSON    = 64 << 20
)

// Compile reads every *.feature file of s.Features, every *.json file of s.Tasks and every pack of
// s.Packs into tasks, and takes those of every generator that is not on demand.
//
// All that is wrong, in all files, is reported together: the error is an [Errors], and then
// there is no Compiled. Nothing is acted on, printed or left behind, and the same suite gives
// the same tasks, byte for byte. Compile may be called concurrently.
func Compile(s Suite) (*Compiled, error) {
	c := &compiler{suite: s, grammars: map[string]*grammar{}, seen: map[Problem]bool{}}
	c.checkSuite()
	c.files(s.Features, ".feature", maxFeature, c.feature)
	c.files(s.Tasks, ".json", maxJSON, c.json)
	c.packs(s.Packs)
	c.generated()
	c.link()
	if len(c.problems) == 0 && len(c.found) == 0 {
		c.note(grader.Source{}, "the suite has no tasks: no *.feature file among its features, no *.json file among its tasks, no pack")
	}
	if len(c.problems) > 0 {
		return nil, Errors(sorted(c.problems))
	}
	out := &Compiled{index: make(map[ID]int, len(c.found))}
	for i, f := range c.found {
		out.Tasks = append(out.Tasks, f.task)
		out.index[f.task.ID] = i
	}
	return out, nil
}

// A compiler gathers tasks and problems.
type compiler struct {
	suite    Suite
	grammars map[string]*grammar // by world
	found    []found
	problems []Problem
	seen     map[Problem]bool
	notes    int // how often something was wrong, repetitions included
}

// found is a task and the place that it was read from, which need not be where its Source says
// that it was first written.
type found struct {
	task Task
	at   grader.Source
}

func (c *compiler) note(at grader.Source, format string, args ...any) {
	at.Text = ""
	p := Problem{Source: at, Text: fmt.Sprintf(format, args...)}
	c.notes++
	if !c.seen[p] {
		c.seen[p] = true
		c.problems = append(c.problems, p)
	}
}

func (c *compiler) grammar(k *Kit) *grammar {
	g := c.grammars[k.Kind.Name]
	if g == nil {
		g = newGrammar(k)
		c.grammars[k.Kind.Name] = g
	}
	return g
}

// checkSuite looks at what the program itself put together.
func (c *compiler) checkSuite() {
	seen := map[string]bool{}
	for _, k := range c.suite.Kits {
		if k.Kind.Name == "" {
			c.note(grader.Source{}, "a kit of the suite has no name: set Kind.Name")
		}
		if seen[k.Kind.Name] {
			c.note(grader.Source{}, "two kits of the suite are called %q", k.Kind.Name)
		}
		seen[k.Kind.Name] = true
	}
	if len(c.suite.Kits) == 0 {
		c.note(grader.Source{}, "the suite has no kits, so no world that a task could be about")
	}
}

// files hands every file with an extension to read, in the order of their names.
func (c *compiler) files(fsys fs.FS, ext string, most int64, read func(file string, raw []byte)) {
	if fsys == nil {
		return
	}
	var names []string
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			c.note(grader.Source{File: path.Join(c.suite.Dir, p), Line: 1}, "%v", err)
			return nil
		}
		if !d.IsDir() && path.Ext(p) == ext {
			names = append(names, p)
		}
		return nil
	})
	if err != nil {
		c.note(grader.Source{}, "%v", err)
	}
	slices.Sort(names)
	for _, name := range names {
		file := path.Join(c.suite.Dir, name)
		at := grader.Source{File: file, Line: 1}
		if info, err := fs.Stat(fsys, name); err != nil {
			c.note(at, "%v", err)
			continue
		} else if !info.Mode().IsRegular() { // a pipe or a device would keep us waiting
			c.note(at, "this is %s, not a file: remove it, or give it another extension than %s", regular.What(info.Mode()), ext)
			continue
		} else if info.Size() > most {
			c.note(at, "the file is larger than %d MB: split it", most>>20)
			continue
		}
		raw, err := fs.ReadFile(fsys, name)
		if err != nil {
			c.note(at, "%v", err)
			continue
		}
		if line, ok := notUTF8(raw); ok {
			at.Line = line
			c.note(at, "not UTF-8: save the file in that encoding")
			continue
		}
		read(file, raw)
	}
}

// notUTF8 returns the first line that is not UTF-8.
func notUTF8(raw []byte) (line int, bad bool) {
	if utf8.Valid(raw) {
		return 0, false
	}
	line = 1
	for len(raw) > 0 {
		r, n := utf8.DecodeRune(raw)
		if r == utf8.RuneError && n == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		raw = raw[n:]
	}
	return line, true
}

func (c *compiler) json(file string, raw []byte) {
	read, problems := decodeTasks(file, raw, c.suite)
	for _, p := range problems {
		c.note(p.Source, "%s", p.Text)
	}
	c.found = append(c.found, read...)
}

// link sorts the tasks and checks what they have to do with one another.
func (c *compiler) link() {
	slices.SortStableFunc(c.found, func(a, b found) int {
		return cmp.Or(strings.Compare(a.at.File, b.at.File), cmp.Compare(a.at.Line, b.at.Line))
	})
	first := map[ID]found{}
	var ids []string
	for _, f := range c.found {
		if g, dup := first[f.task.ID]; dup {
			remedy := "a tag such as @id:other_name, or another key in its row"
			if ext := path.Ext(f.at.File); ext == ".json" || ext == Generated {
				remedy = "another id"
			}
			c.note(f.at, "task %s is declared twice: also at %s; give one of them %s", f.task.ID, g.at, remedy)
			continue
		}
		first[f.task.ID] = f
		ids = append(ids, string(f.task.ID))
	}
	for _, f := range c.found {
		id := f.task.Requires
		if id == "" {
			continue
		}
		// Follow the chain; longer than all tasks together it can only be a circle.
		for range len(first) + 1 {
			g, ok := first[id]
			if !ok {
				// What is missing may be one of the tasks that did not compile.
				if id == f.task.Requires && len(c.problems) == 0 {
					c.note(f.at, "task %s requires %s, which does not exist%s", f.task.ID, id, nearest(string(id), ids))
				}
				id = ""
				break
			}
			if id = g.task.Requires; id == "" {
				break
			}
		}
		if id != "" {
			c.note(f.at, "task %s requires %s, which leads round in a circle", f.task.ID, f.task.Requires)
		}
	}
}

// nearest is grader.Suggest without its list of all names.
func nearest(got string, names []string) string {
	if s := grader.Suggest(got, names); strings.HasPrefix(s, "; did you mean") {
		return s
	}
	return ""
}
