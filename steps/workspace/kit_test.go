package workspace_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	world "benchwright/sim/workspace"
	"benchwright/sim/workspace/backend"
	"benchwright/steps/workspace"
	"benchwright/tasks"
)

func TestAKitOfOnesOwnBackends(t *testing.T) {
	l, err := world.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	own, err := backend.Author(backend.Source{Slug: "own-feed", Name: "Own Feed", URL: "http://127.0.0.1:9",
		Widgets: json.RawMessage(`{"rows": {"name": "Own Rows", "description": "d", "endpoint": "rows", "params": [{"paramName": "book", "type": "text"}]}}`)})
	if err != nil {
		t.Fatal(err)
	}
	if l, err = l.With(own); err != nil {
		t.Fatal(err)
	}
	text := head + `  Scenario: X
    Given a bare workspace
    And the backend own-feed
    And every tool
    And the open, empty dashboard "Board"
    When the agent is asked "Place the Own Rows of Own Feed for the book A1."
    Then the dashboard holds exactly these widgets:
      | widget   | book |
      | Own Rows | A1   |
    And a reference solution is:
      | call          | arguments                                               |
      | create_widget | origin: Own Feed, widget_id: rows, data_args: {book: A1} |
`
	s := tasks.Suite{Features: fstest.MapFS{"x.feature": &fstest.MapFile{Data: []byte(text)}}, Kits: []tasks.Kit{workspace.KitOf(l)}}
	c, err := tasks.Compile(s)
	if err != nil {
		t.Fatal(err)
	}
	if ctx := string(c.Tasks[0].Asks[0].Context); !strings.Contains(ctx, `"own-feed":"Own Feed"`) {
		t.Errorf("context %s", ctx)
	}
	if _, err := compile(text); err == nil || !strings.Contains(err.Error(), `unknown backend "own-feed"`) {
		t.Errorf("without that library: %v", err)
	}
}

func TestSkillsThatAreNotDeclaredAreHidden(t *testing.T) {
	kit := workspace.Kit()
	src, err := kit.Sources(tasks.Task{Setup: json.RawMessage(`{"backends":["desk-mini"],"skills":["breach-review"]}`)})
	if err != nil {
		t.Fatal(err)
	}
	hidden := strings.Join(src.Hidden, "\n")
	if len(src.Hidden) != 11 || !strings.Contains(hidden, "K-17") || strings.Contains(hidden, "QM-58") || len(src.Calls) < 4 || src.Digest == "" {
		t.Errorf("%+v", src)
	}
	if _, err := kit.Sources(tasks.Task{Setup: json.RawMessage(`{"back":1}`)}); err == nil {
		t.Error("a setup with an unknown key has sources")
	}
}
