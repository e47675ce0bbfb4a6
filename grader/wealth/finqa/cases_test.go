package finqa

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata from what the tests print")

// caseNames refuses a table whose cases have no reason or share a name.
type caseNames map[string]bool

func (seen caseNames) add(name, reason string) {
	if name == "" || reason == "" || seen[name] {
		panic(fmt.Sprintf("test case %q needs a name of its own and a reason", name))
	}
	seen[name] = true
}

// golden compares printed texts with a file of sections "-- name --", in the order of the tests.
type golden struct {
	path string
	text strings.Builder
}

func (g *golden) add(name, text string) {
	fmt.Fprintf(&g.text, "-- %s --\n%s\n", name, strings.TrimSuffix(text, "\n"))
}

func (g *golden) compare(t *testing.T) {
	t.Helper()
	got := g.text.String()
	if *update {
		if err := os.WriteFile(g.path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(g.path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	i := 0
	for i < min(len(gotLines), len(wantLines))-1 && gotLines[i] == wantLines[i] {
		i++
	}
	t.Errorf("%s:%d: the messages have changed (go test -update accepts them)\n-   %s\n+   %s",
		g.path, i+1, wantLines[i], gotLines[i])
}

// mustParse parses a program that the test has written itself.
func mustParse(t testing.TB, text string) Program {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return p
}
