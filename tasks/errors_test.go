package tasks_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"testing"

	"benchwright/tasks"
)

const bad = "testdata/errors"

// badSuite is a suite of one file of testdata/errors.
func badSuite(t testing.TB, name string) tasks.Suite {
	t.Helper()
	raw, err := os.ReadFile(path.Join(bad, name))
	if err != nil {
		t.Fatal(err)
	}
	return one(name, string(raw))
}

func badFiles(t testing.TB) []string {
	t.Helper()
	entries, err := os.ReadDir(bad)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestErrorsGolden compiles each file of testdata/errors alone. Its remark says why it is wrong.
func TestErrorsGolden(t *testing.T) {
	var b bytes.Buffer
	for _, name := range badFiles(t) {
		c, err := tasks.Compile(badSuite(t, name))
		if err == nil {
			t.Errorf("%s compiles", name)
			continue
		}
		if c != nil {
			t.Errorf("%s: an error and tasks", name)
		}
		placed(t, err)
		fmt.Fprintf(&b, "%v\n\n", err)
	}
	golden(t, "errors.golden", b.Bytes())
}

// placed fails the test if a problem has no file and line, or could upset a terminal.
func placed(t testing.TB, err error) {
	t.Helper()
	var list tasks.Errors
	if !errors.As(err, &list) || len(list) == 0 {
		t.Fatalf("want tasks.Errors, got %T: %v", err, err)
	}
	for _, p := range list {
		if p.Source.File == "" || p.Source.Line < 1 {
			t.Errorf("no place: %q", p.String())
		}
		if strings.ContainsFunc(p.String(), func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) {
			t.Errorf("control characters: %q", p.String())
		}
	}
}

// All errors of all files come together, sorted.
func TestErrorsOfAllFiles(t *testing.T) {
	_, err := tasks.Compile(suite(bad, bad))
	placed(t, err)
	list := err.(tasks.Errors)
	files := map[string]bool{}
	for i, p := range list {
		files[p.Source.File] = true
		if i > 0 {
			q := list[i-1]
			if q.Source.File > p.Source.File || q.Source.File == p.Source.File && q.Source.Line > p.Source.Line {
				t.Errorf("%v stands before %v", q, p)
			}
		}
	}
	for _, name := range badFiles(t) {
		// Requirements are looked at only when all else is well.
		if !files[name] && !strings.HasPrefix(name, "requires-unknown") {
			t.Errorf("no error of %s", name)
		}
	}
	text := err.Error()
	if n := strings.Count(text, "\n"); n > 200 {
		t.Errorf("the message has %d lines", n)
	}
	if !strings.Contains(text, "more problems") {
		t.Errorf("the message does not say how many problems it leaves out:\n%s", text)
	}
}
