package wiki

import (
	"slices"
	"strings"
)

const (
	maxLines = 400 // of one call of read_file
	maxHits  = 50  // of one call of search
	maxHit   = 300 // bytes of a line that is found
)

// named returns the place that the argument path names, and notes its only spelling.
func (k *call) named(otherwise string) (string, *failure) {
	raw := k.args.text("path")
	if raw == "" {
		raw = otherwise
	}
	at, f := k.reach(raw)
	if f == nil && at == otherwise {
		delete(k.canonical, "path")
	}
	return at, f
}

type listing struct {
	Entries []entry `json:"entries"`
	OK      bool    `json:"ok"`
	Path    string  `json:"path"`
}

func (k *call) listDir() (any, *failure) {
	at, f := k.named("")
	if f != nil {
		return k.absent(at, f)
	}
	if at == "/" {
		list := []entry{}
		for _, root := range Roots() {
			if k.world.mounted(root) && !k.world.faults.HideRoots {
				list = append(list, folderEntry(root[1:]))
			}
		}
		return listing{list, true, at}, nil
	}
	if list, ok := k.world.now.folder(at); ok {
		return listing{list, true, at}, nil
	}
	if k.world.now.file(at) != nil {
		return nil, fail(CodeNotFound, "read it with read_file", "%s is a file, not a folder", shown(at))
	}
	return k.absent(at, k.nothing(at))
}

// absent is what list_dir says of a folder that is not there. With the published fault it looks
// empty.
func (k *call) absent(at string, f *failure) (any, *failure) {
	if k.world.faults.HideRoots {
		return listing{[]entry{}, true, k.target}, nil
	}
	return nil, f
}

type reading struct {
	EndLine    int    `json:"end_line"`
	OK         bool   `json:"ok"`
	Path       string `json:"path"`
	SHA256     string `json:"sha256"`
	StartLine  int    `json:"start_line"`
	Text       string `json:"text"`
	TotalLines int    `json:"total_lines"`
}

func (k *call) readFile() (any, *failure) {
	at, f := k.named("")
	if f != nil {
		return nil, f
	}
	m := k.world.now
	file := m.file(at)
	if file == nil {
		if _, folder := m.folder(at); folder || at == "/" {
			return nil, fail(CodeNotFound, "list it with list_dir", "%s is a folder, not a file", shown(at))
		}
		return nil, k.nothing(at)
	}
	from, to := max(k.args.count("start_line"), 1), k.args.count("end_line")
	if from == 1 {
		delete(k.canonical, "start_line")
	}
	t, most := byName[ReadFile], min(file.lines, from+maxLines-1)
	switch {
	case from > max(file.lines, 1):
		return nil, t.invalid("start_line %d: the file has %d lines", from, file.lines)
	case to > 0 && to < from:
		return nil, t.invalid("end_line %d is before start_line %d", to, from)
	case to == 0:
		to = most
	case to >= file.lines:
		to = file.lines
	}
	if k.canonical["end_line"] = to; to == most { // as if none had been given
		delete(k.canonical, "end_line")
	}
	if to-from+1 > maxLines {
		return nil, fail(CodeTooLarge, "read a shorter range, or leave end_line out", "lines %d to %d are more than %d", from, to, maxLines)
	}
	k.prove(file)
	return reading{to, true, at, file.hash, from, lines(file, from, to), file.lines}, nil
}

// prove notes that a file was read, and enters a source file in the ledger.
func (k *call) prove(f *file) {
	w := k.world
	if f.source == "" || w.now.stage < 0 {
		return
	}
	k.source = f.source
	w.now, k.proven = w.now.prove(f, w.calls)
}

// lines returns lines of a file, counted from 1, with their ends.
func lines(f *file, from, to int) string {
	if from == 1 && to == f.lines {
		return f.text
	}
	n, begin := 1, 0
	for i := range len(f.text) {
		if f.text[i] != '\n' {
			continue
		}
		if n++; n == from {
			begin = i + 1
		}
		if n == to+1 {
			return f.text[begin : i+1]
		}
	}
	return f.text[begin:]
}

type finding struct {
	Hits      []hit  `json:"hits"`
	OK        bool   `json:"ok"`
	Path      string `json:"path"`
	Query     string `json:"query"`
	Truncated bool   `json:"truncated"` // there are more
}

type hit struct {
	Line int    `json:"line"`
	Path string `json:"path"`
	Text string `json:"text"`
}

func (k *call) search() (any, *failure) {
	at, f := k.named("/")
	if f != nil {
		return nil, f
	}
	m := k.world.now
	files := m.within(at)
	if len(files) == 0 {
		if _, folder := m.folder(at); !folder {
			return nil, k.nothing(at)
		}
	}
	out := finding{Hits: []hit{}, OK: true, Path: at, Query: k.args.text("query")}
	for _, file := range files {
		if !strings.Contains(file.text, out.Query) {
			continue
		}
		n := 0
		for text := range strings.Lines(file.text) {
			if n++; !strings.Contains(text, out.Query) {
				continue
			}
			if len(out.Hits) == maxHits {
				out.Truncated = true
				return out, nil
			}
			out.Hits = append(out.Hits, hit{n, file.path, clip(strings.TrimSuffix(text, "\n"), maxHit)})
		}
	}
	return out, nil
}

type skill struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

func (k *call) loadSkill() (any, *failure) {
	name := k.args.text("name")
	at := skillPath(name)
	k.target = clip(at, maxShown)
	skills := sorted(k.world.now.library.c.Skills)
	if !slices.Contains(skills, name) {
		k.missing = true
		return nil, fail(CodeNotFound, "there are "+strings.Join(skills, ", "), "there is no skill %s", shown(name))
	}
	return skill{name, true, k.world.now.file(at).text}, nil
}
