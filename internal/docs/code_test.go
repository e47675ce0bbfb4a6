package docs

import (
	"encoding/json"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// certifier proves the documented tasks of the example's world, which lives in another module.
const certifier = `package main

import (
	"context"
	"fmt"
	"os"

	"benchwright/grader/gates"
	"benchwright/tasks"
	"example.com/ledger"
)

func main() {
	files := os.DirFS("tasks")
	suite := tasks.Suite{Name: "docs", Features: files, Tasks: files, Kits: []tasks.Kit{ledger.Kit()}}
	c, err := tasks.Compile(suite)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	certs := gates.CertifySuite(context.Background(), suite, c.Tasks, gates.Options{}, 2)
	for _, cert := range certs {
		if !cert.Held() {
			fmt.Print(gates.Table(certs))
			os.Exit(1)
		}
	}
}
`

// Every block that is a whole Go file compiles and passes go vet in a user's module, and every
// task of the example's world proves itself there.
func TestCode(t *testing.T) {
	dir := userModule(t)
	all := pages(t)
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	feature := ""
	for _, b := range blocksOf(all, "gherkin") {
		if b.whole() && b.world(t) == "ledger" {
			feature = b.text
			write("tasks/"+b.fileName(".feature"), b.text)
		}
	}
	for _, b := range blocksOf(all, "json") {
		if !json.Valid([]byte(b.text)) {
			t.Errorf("%s: not JSON", b.at)
		} else if b.info == "json task" && b.world(t) == "ledger" {
			write("tasks/"+b.fileName(".json"), b.text)
		}
	}
	for _, b := range blocksOf(all, "go") {
		if !strings.HasPrefix(b.text, "package ") {
			continue
		}
		if pretty, err := format.Source([]byte(b.text)); err != nil || string(pretty) != b.text {
			t.Errorf("%s: not as gofmt writes it (error %v)", b.at, err)
		}
		name := "main.go"
		if strings.Contains(b.text, "\"testing\"") {
			name = "main_test.go"
		}
		folder := b.fileName("")
		write(filepath.Join(folder, name), b.text)
		if strings.Contains(b.text, "//go:embed *.feature") {
			write(filepath.Join(folder, "a.feature"), feature)
		}
	}
	write("certify/main.go", certifier)
	command(t, dir, "vet", "./...")
	command(t, dir, "run", "./certify")
}

// userModule makes a module that uses ours as the README says, with the same dependencies.
func userModule(t *testing.T) string {
	t.Helper()
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(top, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(top, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text := strings.Replace(string(mod), "module benchwright\n", "module example.com/user\n", 1) +
		"\nrequire benchwright v0.0.0\nrequire example.com/ledger v0.0.0\n" +
		"\nreplace benchwright => " + top + "\nreplace example.com/ledger => " + filepath.Join(top, "examples", "ledger") + "\n"
	for name, data := range map[string]string{"go.mod": text, "go.sum": string(sum)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// command runs go without a network.
func command(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("go", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
