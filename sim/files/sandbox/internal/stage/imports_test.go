package stage

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestTheHookRunsEarly holds the imports down. Among packages that are ready Go initialises
// the first in the order of their paths, so that one import late in the alphabet, such as
// runtime/debug, would have every stage of every command pay for the initialisers of nearly
// all that a binary links.
func TestTheHookRunsEarly(t *testing.T) {
	cmd := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, ".")
	cmd.Env = append(cmd.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	allowed := strings.Fields("encoding/binary encoding/json errors golang.org/x/sys/unix os runtime strconv strings sync syscall time unsafe")
	for _, path := range strings.Fields(string(out)) {
		if !slices.Contains(allowed, path) {
			t.Errorf("it imports %s: do without, or show that stages start no later", path)
		}
	}
}
