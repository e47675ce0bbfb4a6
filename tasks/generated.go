package tasks

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"benchwright/grader"
)

// A Generator is a suite whose tasks a program makes. They are held to what tasks of files are
// held to: the same lint, labels, digests and gates.
type Generator struct {
	// Suite is the first part of every task's id.
	Suite string
	// OnDemand keeps a large suite out of what is compiled, unless a label filter names it: see
	// [Suite.Naming].
	OnDemand bool
	// Tasks makes the tasks: the same ones at every call. A task that tells no source is placed in
	// its family's list, at its number there: features/files-validation/tabular.generated:12.
	Tasks func() ([]Task, error)
}

// Generated is the extension of what stands for a file in the source of a generated task.
const Generated = ".generated"

// Naming returns the suite with those of its on-demand generators that a text names: a label
// filter such as "suite:files-validation && family:tabular", or the id of a task. A name counts
// where it stands as a whole word.
func (s Suite) Naming(text string) Suite {
	s.Generators = slices.Clone(s.Generators)
	for i, g := range s.Generators {
		s.Generators[i].OnDemand = g.OnDemand && !mentions(text, g.Suite)
	}
	return s
}

// OnDemand lists the suites that are compiled only where something names them, sorted.
func (s Suite) OnDemand() []string {
	var names []string
	for _, g := range s.Generators {
		if g.OnDemand {
			names = append(names, g.Suite)
		}
	}
	slices.Sort(names)
	return names
}

// mentions reports whether a name stands in a text as a whole word.
func mentions(text, name string) bool {
	for rest, at := text, 0; name != ""; {
		i := strings.Index(rest[at:], name)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(name)
		before := from > 0 && strings.IndexByte(idChars, rest[from-1]) >= 0
		after := to < len(rest) && strings.IndexByte(idChars, rest[to]) >= 0
		if !before && !after {
			return true
		}
		at = from + 1
	}
	return false
}

// generated takes the tasks of the generators that are not left for another time.
func (c *compiler) generated() {
	seen := map[string]bool{}
	for _, g := range c.suite.Generators {
		at := grader.Source{File: path.Join(c.suite.Dir, g.Suite+Generated), Line: 1}
		switch {
		case ID(g.Suite+"/a/b").Valid() != nil:
			c.note(at, "a generator of the suite is called %s: use letters, digits, '.', '_' and '-'", short(g.Suite))
			continue
		case seen[g.Suite]:
			c.note(at, "two generators of the suite are called %s", short(g.Suite))
			continue
		case g.Tasks == nil:
			c.note(at, "generator %s makes no tasks: set Tasks", short(g.Suite))
			continue
		}
		seen[g.Suite] = true
		if !g.OnDemand {
			c.generate(g, at)
		}
	}
}

func (c *compiler) generate(g Generator, at grader.Source) {
	list, err := made(g)
	if err != nil {
		c.note(at, "%v", err)
		return
	}
	if len(list) == 0 {
		c.note(at, "generator %s made no task", short(g.Suite))
	}
	lines := map[string]int{}
	for _, t := range list {
		if t.Source.File == "" {
			lines[t.ID.Family()]++
			t.Source.File = path.Join(c.suite.Dir, g.Suite, t.ID.Family()+Generated)
			t.Source.Line = lines[t.ID.Family()]
		}
		from := grader.Source{File: t.Source.File, Line: t.Source.Line}
		if t.ID.Valid() == nil && t.ID.Suite() != g.Suite {
			c.note(from, "task %s is not of the suite %s that its generator makes", t.ID, g.Suite)
			continue
		}
		problems := normalize(&t)
		for _, p := range append(problems, Lint(t, c.suite)...) {
			c.note(p.Source, "%s", p.Text)
		}
		c.found = append(c.found, found{t, from})
	}
}

// made calls a generator. Its panic is an error, as are all mistakes of those who write tasks.
func made(g Generator) (list []Task, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("generator %s panicked: %v", short(g.Suite), p)
		}
	}()
	return g.Tasks()
}
