package docs

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

func TestLinksResolve(t *testing.T) {
	all := pages(t)
	anchors := map[string][]string{}
	for _, p := range all {
		for _, m := range heading.FindAllStringSubmatch(p.prose(), -1) {
			anchors[p.path] = append(anchors[p.path], anchor(m[1]))
		}
	}
	for _, p := range all {
		for _, m := range link.FindAllStringSubmatch(p.prose(), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, part, _ := strings.Cut(m[1], "#")
			target := p.path
			if file != "" {
				target = path.Join(path.Dir(p.path), file)
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s: link %s leads nowhere", p.path, m[1])
			}
			if part != "" && !slices.Contains(anchors[target], part) {
				t.Errorf("%s: link %s: %s has no such heading; it has %s", p.path, m[1], target, strings.Join(anchors[target], ", "))
			}
		}
	}
}

// anchor is what a heading is linked by.
func anchor(heading string) string {
	keep := func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r == ' ':
			return '-'
		}
		return -1
	}
	return strings.Map(keep, strings.ToLower(heading))
}

func TestNothingIsLeftOpen(t *testing.T) {
	open := regexp.MustCompile(`@@\w+@@|\bTODO\b|\bTBD\b|\bXXX\b`)
	for _, p := range pages(t) {
		if m := open.FindString(p.text); m != "" {
			t.Errorf("%s: %s", p.path, m)
		}
	}
}
