package wiki_test

import (
	"os"
	"sync"
	"testing"

	"benchwright/grader/gates"
	"benchwright/steps/wiki"
	"benchwright/tasks"
)

func suite() tasks.Suite {
	return tasks.Suite{Name: "benchwright", Dir: "features", Features: os.DirFS("../../features/codewiki"), Kits: []tasks.Kit{wiki.Kit()}}
}

// codewiki compiles the suite's tasks: the qualification, then the whole wiki.
var codewiki = sync.OnceValues(func() ([]tasks.Task, error) {
	c, err := tasks.Compile(suite())
	if err != nil {
		return nil, err
	}
	return c.Tasks, nil
})

// The tasks prove themselves in both protocols: the reference qualifies and repairs the wiki, doing
// nothing stops at the first gate, and every scripted candidate fails by the code it is said to.
func TestTheTasksProveThemselves(t *testing.T) {
	all, err := codewiki()
	if err != nil {
		t.Fatal(err)
	}
	certs := gates.CertifySuite(t.Context(), suite(), all, gates.Options{}, 2)
	for _, c := range certs {
		if !c.Held() {
			t.Error("not certified")
		}
	}
	t.Log("\n" + gates.Table(certs))
}
