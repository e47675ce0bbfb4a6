package features

import (
	"flag"
	"testing"

	"benchwright/tasks"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestTheSuiteCompiles(t *testing.T) {
	c, err := tasks.Compile(Suite())
	if err != nil {
		t.Fatal(err)
	}
	digests := map[tasks.Digest]tasks.ID{}
	for _, task := range c.Tasks {
		if other, dup := digests[task.Digest()]; dup {
			t.Errorf("%s and %s are the same task", task.ID, other)
		}
		digests[task.Digest()] = task.ID
	}
}
