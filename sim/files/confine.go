package files

import (
	"errors"
	"strings"
)

// Root is where a workspace is, to those who work in it.
const Root = "/workspace"

// maxLinks is how many links one path may lead over, as Linux has it.
const maxLinks = 40

var (
	errEscapes = errors.New("the path leads out of the workspace")
	errLoop    = errors.New("links lead in a circle")
)

// resolve follows a path that an agent gave, relative or absolute, over the links of the
// workspace, and returns where it ends, relative to the root: "" is the root itself. As with a
// resolved path of Python's, what is not there is taken by its name, ".." is applied to where the
// links before it led, and only the end has to lie inside.
func (s *snapshot) resolve(p string) (string, error) {
	const root = Root + "/"
	at := []string{Root[1:]} // from the top of the file system
	if strings.HasPrefix(p, "/") {
		at = nil
	}
	todo := strings.Split(p, "/")
	for links := 0; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			at = at[:max(len(at)-1, 0)]
			continue
		}
		at = append(at[:len(at):len(at)], name)
		inside, ok := strings.CutPrefix("/"+strings.Join(at, "/"), root)
		if !ok {
			continue
		}
		n := s.find(inside)
		if n == nil || n.kind != link {
			continue
		}
		if links++; links > maxLinks {
			return "", errLoop
		}
		at = at[:len(at)-1]
		if strings.HasPrefix(n.text, "/") {
			at = nil
		}
		todo = append(strings.Split(n.text, "/"), todo...)
	}
	full := "/" + strings.Join(at, "/") + "/"
	inside, ok := strings.CutPrefix(full, root)
	if !ok {
		return "", errEscapes
	}
	return strings.TrimSuffix(inside, "/"), nil
}
