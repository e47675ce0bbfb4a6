package tasks_test

import (
	"fmt"
	"testing/fstest"

	"benchwright/tasks"
)

// A suite is features and the kits of the worlds that they are about. The counter kit of these
// tests knows sentences such as "a counter at 3".
func ExampleCompile() {
	compiled, err := tasks.Compile(tasks.Suite{
		Kits: []tasks.Kit{counter()},
		Features: fstest.MapFS{"adding.feature": {Data: []byte(`
@suite:counting @world:counter
Feature: Adding
  Scenario Outline: Add some <unit>
    Given a counter of "<unit>"
    When the agent is asked, with 4 turns, "Add <n> <unit>."
    Then the counter stands at <n>
    And the reference adds <n>

    Examples:
      | key | n | unit   |
      | few | 2 | apples |
      | lot | 9 | rupees |
`)}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range compiled.Tasks {
		fmt.Printf("%s %s: %s\n", t.Source, t.ID, t.Asks[0].Text)
	}
	// Output:
	// adding.feature:12 counting/adding/add_some_few: Add 2 apples.
	// adding.feature:13 counting/adding/add_some_lot: Add 9 rupees.
}

// All errors of all files come together, each with its place and a remedy.
func ExampleCompile_errors() {
	_, err := tasks.Compile(tasks.Suite{
		Kits: []tasks.Kit{counter()},
		Features: fstest.MapFS{"adding.feature": {Data: []byte(`@suite:counting @world:countr
Feature: Adding
  Scenario: Add two
    Givn a counter at 3
    When the agent is asked "Add two."
`)}},
		Tasks: fstest.MapFS{"more.json": {Data: []byte(`{"id": "counting/more/two",
"world": "counter", "ask": "Add two."}`)}},
	})
	fmt.Println(err)
	// Output:
	// adding.feature:2: unknown world "countr"; did you mean "counter"?
	// adding.feature:4: "Givn a counter at 3" is not a step, and a scenario has no description; did you mean "Given"?
	// more.json:2: unknown key "ask"; did you mean "asks"?
}
