package e2e

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestImportsPointOneWay holds the order of the rooms: sim, grader, tasks, agent, gates and
// reports, then what runs them. A world is seen by its own rooms alone, Ginkgo by the bridge,
// godog by tasks.
func TestImportsPointOneWay(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}:{{join .Imports ","}}`, "benchwright/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	rank := func(p string) int {
		switch room := strings.TrimPrefix(p, "benchwright/"); {
		case room == "fixtures" || room == "fixtures/wiki" || room == "internal/regular": // which know nothing of the rest
			return 0
		case room == "sim" || strings.HasPrefix(room, "sim/"):
			return 1
		case strings.HasPrefix(room, "grader/gates"):
			return 6
		case room == "grader" || strings.HasPrefix(room, "grader/"):
			return 3
		case room == "tasks":
			return 4
		case room == "agent" || strings.HasPrefix(room, "agent/"):
			return 5
		case room == "steps":
			return 5
		case room == "reports":
			return 6
		}
		return 9
	}
	// worldOf is the world that a room belongs to, or "".
	worldOf := func(room string) string {
		p := strings.Split(room, "/")
		if len(p) > 1 && slices.Contains([]string{"sim", "grader", "steps", "cmd"}, p[0]) && slices.Contains([]string{"files", "wealth", "wiki", "workspace"}, p[1]) {
			return p[1]
		}
		return ""
	}
	for line := range strings.Lines(string(out)) {
		pkg, list, _ := strings.Cut(strings.TrimSpace(line), ":")
		room := strings.TrimPrefix(pkg, "benchwright/")
		for imp := range strings.SplitSeq(list, ",") {
			mine := strings.TrimPrefix(imp, "benchwright/")
			switch {
			case strings.HasPrefix(imp, "github.com/onsi/ginkgo") && room != "internal/bridge":
				t.Errorf("%s imports Ginkgo: only the bridge may", pkg)
			case (strings.HasPrefix(imp, "github.com/cucumber/") || strings.HasPrefix(imp, "github.com/cucumber/godog")) && room != "tasks":
				t.Errorf("%s imports %s: only tasks may", pkg, imp)
			case !strings.HasPrefix(imp, "benchwright"):
			case rank(imp) > rank(pkg):
				t.Errorf("%s imports %s, which stands above it", pkg, imp)
			case strings.HasPrefix(room, "cmd") && imp == "benchwright":
				t.Errorf("%s imports the root, and with it Ginkgo's flags", pkg)
			case worldOf(mine) != "" && worldOf(mine) != worldOf(room) && room != "features" && room != "cmd/bench":
				t.Errorf("%s imports the world %s", pkg, imp)
			case mine == "features" && !strings.HasPrefix(room, "cmd/"):
				t.Errorf("%s imports the built-in suite", pkg)
			}
		}
	}
}
