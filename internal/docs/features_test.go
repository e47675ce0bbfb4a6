package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"benchwright/grader/gates"
	"benchwright/steps/files"
	"benchwright/steps/wealth"
	"benchwright/steps/wiki"
	"benchwright/steps/workspace"
	"benchwright/tasks"
)

// whole reports whether a Gherkin block is a feature, and not an excerpt of one.
func (b block) whole() bool {
	return strings.Contains(b.text, "Feature:") && !strings.Contains(b.text, "\n    …\n") && !strings.Contains(b.text, "\n  …\n")
}

// world is the world that a feature or a JSON task is about.
func (b block) world(t *testing.T) string {
	t.Helper()
	for _, form := range []string{`@world:(\w+)`, `"world": "(\w+)"`} {
		if m := regexp.MustCompile(form).FindStringSubmatch(b.text); m != nil {
			return m[1]
		}
	}
	t.Errorf("%s: it says nothing of its world", b.at)
	return ""
}

// Features of worlds that live outside the module are certified by TestCode.
func TestFeaturesProveThemselves(t *testing.T) {
	blocks := fstest.MapFS{}
	for _, b := range blocksOf(pages(t), "gherkin") {
		if b.whole() && b.world(t) != "ledger" {
			blocks[b.fileName(".feature")] = &fstest.MapFile{Data: []byte(b.text)}
		}
	}
	suite := tasks.Suite{Name: "docs", Features: blocks, Kits: []tasks.Kit{wealth.Kit(), workspace.Kit(), files.Kit(), wiki.Kit()}}
	c, err := tasks.Compile(suite)
	if err != nil {
		t.Fatal(err)
	}
	for _, cert := range gates.CertifySuite(t.Context(), suite, c.Tasks, gates.Options{}, 2) {
		if !cert.Held() {
			t.Error(gates.Table([]gates.Certificate{cert}))
		}
	}
}

var featureFile = regexp.MustCompile("`([\\w./-]+\\.feature)`")

// An excerpt names its feature above it, has "…" where lines are left out, and keeps the order.
func TestExcerptsAreOfRealFeatures(t *testing.T) {
	for _, b := range blocksOf(pages(t), "gherkin") {
		if b.whole() {
			continue
		}
		names := featureFile.FindAllStringSubmatch(b.before, -1)
		if names == nil {
			t.Errorf("%s: it is no whole feature, and no feature is named above it", b.at)
			continue
		}
		name := names[len(names)-1][1]
		raw, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Errorf("%s: %v", b.at, err)
			continue
		}
		rest := strings.Split(string(raw), "\n")
		for _, line := range strings.Split(strings.TrimSpace(b.text), "\n") {
			if line = strings.TrimSpace(line); line == "" || line == "…" {
				continue
			}
			i := 0
			for i < len(rest) && strings.TrimSpace(rest[i]) != line {
				i++
			}
			if i == len(rest) {
				t.Errorf("%s: %s has no such line, or has it further up: %s", b.at, name, line)
				break
			}
			rest = rest[i+1:]
		}
	}
}
