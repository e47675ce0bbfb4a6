package files_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing/fstest"

	rules "benchwright/grader/files"
	"benchwright/grader/gates"
	world "benchwright/sim/files"
	"benchwright/steps/files"
	"benchwright/tasks"
)

// shelves is a family of one scenario: names of books have to be put in order.
type shelves struct{}

func (shelves) Name() string                             { return "shelf_order" }
func (shelves) Scenarios() []world.Scenario              { return []world.Scenario{{ID: "sort_the_books"}} }
func (shelves) Complexity(d int) world.ComplexityProfile { return world.BaseComplexity(d) }

// Generate draws as many titles as the difficulty asks for. What is drawn hangs on the request alone.
func (shelves) Generate(r *world.Request) (*world.Draft, error) {
	titles := []string{"Amber", "Birch", "Clay", "Dune", "Ember", "Fern", "Gale", "Heath", "Iris", "Juniper"}
	drawn := world.Shuffled(r.Rand("titles"), titles)[:world.At(r, 3, 4, 6, 8, 10)]
	sorted := slices.Sorted(slices.Values(drawn))
	if slices.Equal(drawn, sorted) {
		return nil, world.Redraw("the books are in order already")
	}
	text := func(list []string) string { return strings.Join(list, "\n") + "\n" }
	return &world.Draft{
		Instruction: "Put the books of books.txt in order, as README.md says.",
		Readme:      world.Readme{Title: "Books", Description: "One title a line. They belong in the order of the alphabet, in shelf.txt."},
		Task:        map[string]any{"output_path": "shelf.txt"},
		Visible:     world.Tree{"books.txt": text(drawn)},
		Hidden:      world.Tree{"expected_shelf.txt": text(sorted)},
		Reference:   world.Tree{"shelf.txt": text(sorted)},
		Evaluator:   "shelf_order:Lines",
		Layout:      world.Layout{OutputPath: "shelf.txt"},
	}, nil
}

// lines grades such a workspace: the share of lines that are where they belong.
type lines struct{}

func (lines) Labels(*world.Instance) []string { return []string{"shelf_missing", "wrong_order"} }
func (lines) Runs(*world.Instance) bool       { return false }

func (lines) Evaluate(_ context.Context, in *world.Instance, left world.Tree, _ rules.Observer) (rules.Result, error) {
	text, there := left["shelf.txt"]
	if !there {
		return rules.Result{FailureLabels: []string{"shelf_missing"}}, nil
	}
	want, got := strings.Split(in.Hidden["expected_shelf.txt"], "\n"), strings.Split(text, "\n")
	right := 0
	for i := range min(len(want), len(got)) {
		if want[i] == got[i] {
			right++
		}
	}
	r := rules.Result{Score: float64(right) / float64(max(len(want), len(got)))}
	if r.Score < 1 {
		r.FailureLabels = []string{"wrong_order"}
	}
	return r, nil
}

// A family of one's own is a generator and an evaluator. Its scenarios are then named like all
// others, and proved like all others.
func ExampleKitOf() {
	kit := files.KitOf([]world.Family{shelves{}}, rules.Evaluators{"shelf_order:Lines": lines{}})
	feature := `@suite:library @world:files
Feature: Books

  Scenario Outline: Shelve them
    Given the workspace "sort_the_books" of difficulty <difficulty> and seed 1
    And every tool
    When the agent is asked to do the work
    Then the work is done
    Examples:
      | difficulty |
      | 1          |
      | 5          |
`
	suite := tasks.Suite{Features: fstest.MapFS{"books.feature": {Data: []byte(feature)}}, Kits: []tasks.Kit{kit}}
	compiled, err := tasks.Compile(suite)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, cert := range gates.CertifySuite(context.Background(), suite, compiled.Tasks, gates.Options{}, 1) {
		fmt.Printf("%s: held %t, floor %v\n", cert.Task, cert.Held(), cert.Floor)
		if !cert.Held() {
			fmt.Println(gates.Table([]gates.Certificate{cert}))
		}
	}
	// Output:
	// library/books/shelve_them_1: held true, floor 0
	// library/books/shelve_them_5: held true, floor 0
}
