package workspace_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"benchwright/steps/workspace"
	"benchwright/tasks"
)

// compile compiles one feature.
func compile(feature string) ([]tasks.Task, error) {
	s := tasks.Suite{Features: fstest.MapFS{"desk.feature": &fstest.MapFile{Data: []byte(feature)}}, Kits: []tasks.Kit{workspace.Kit()}}
	c, err := tasks.Compile(s)
	if err != nil {
		return nil, err
	}
	return c.Tasks, nil
}

const head = "@suite:s @world:workspace\nFeature: Desk\n"

// given is what a scenario needs before it asks.
const given = `    Given a bare workspace
    And the backend desk-mini
    And the skills breach-review
    And every tool
    And the open dashboard "Board" with tabs "One" and "Two":
      | uuid | widget     | severity | status | tab | at        |
      | w_1  | Breach Log | High     | Open   | One | 0,0 20x14 |
    When the agent is asked "Do it."
`

// given2 is given with a twin.
var given2 = strings.Replace(given, "    When", "      | w_2  | Breach Log | High     | Open   | One | 20,0 20x14 |\n    When", 1)

// solved is a reference that does little.
const solved = `    And a reference solution is:
      | call                   | arguments |
      | get_workspace_snapshot |           |
`

func TestWhatIsWrongWithScenarios(t *testing.T) {
	cases := []struct{ name, text string }{
		{"fixtures", `    Given the workspace "desk-mini-b"
    And the backends desk-mini and desk-maxi
    And the skills breach-reviews
    And the tools get_workspace_snapshot, read_widgets and create_widget
    When the agent is asked "Do it."
    Then the dashboard is called "Home"
` + solved},
		{"what is missing", `    Given at most 3 turns
    When the agent is asked "Do it."
    Then the dashboard is called "Home"
`},
		{"said twice", `    Given a bare workspace
    And the workspace "desk-mini-a"
    And every tool
    And the tool read_widget
    And the dashboard "A" is open
    And the open, empty dashboard "B"
    When the agent is asked "Do it."
    Then no call fails
`},
		{"seeds", `    Given a bare workspace
    And the backend desk-mini
    And every tool
    And the open dashboard "Board" with tab "One":
      | uuid | widget       | from         | severity | period | tab | at         |
      | w_1  | Breach Logs  | Desk Mini    |          |        |     |            |
      | w_1  | Breach Log   | Desk Maxi    |          |        |     |            |
      | w_2  | Breach Log   |              | Severe   |        |     |            |
      | w_3  | Breach Log   |              |          | YTD    | Two |            |
      | w_4  | Breach Log   |              |          | YTD    | One | 30,0 20x10 |
      | w_5  | Breach Log   |              |          | YTD    | One | top left   |
      | w_6  | Cash Level   |              |          | YTD    | One | 0,0 10x5   |
      | w_6  | Breach Log   | Morning Desk |          | YTD    | One | 0,0 10x5   |
    And on its tab "Three" a note "N" at 0,0 20x8:
      """
      x
      """
    When the agent is asked "Do it."
    Then no call fails
` + solved},
		{"demands", given + `    Then the dashboard holds exactly these widgets:
      | uuid | widget     | status | colour |
      | w_1  | Breach Log | Opened |        |
      | w_1  | Breach Log | Open   | red    |
    And the dashboard holds these widgets:
      | uuid | widget     |
      | w_1  | Breach Log |
    And the dashboard holds no widget "Cash Levels"
    And these widgets sit:
      | uuid | place     | at  |
      | w_1  | 0,0 10x10 |     |
    And these widgets sit:
      | uuid | at  |
      | w_1  |     |
    And these calls are made:
      | call         | arguments       | times |
      | get_snapshot |                 |       |
      | read_widget  | widget_uuid w_1 |       |
      | read_widget  | widget_uuid: {  |       |
      | read_widget  |                 | many  |
    And the skill "desk-handover" is read
    And the data of "Breach Log" from "Desk Mini" is read with severity: Huge
    And a result of read_widgets says "x"
    And nothing else has changed
    And nothing else has changed
` + solved},
		{"lines", given + `    Then a note "N" has a line that says "x"
    And a note "N" has a line that says "x" and ""
    And a note "N" on tab "Four" has a line that says "x" and "y"
    And a note "N" says, line by line:
      | a | b |
      | x |   |
      |   |   |
    And a note "N" says exactly these lines:
      | a | b |
    And the answer has a line that says "x"
    And the answer says, line by line:
      | a |
      | x |
    And the answer does not say ""
    And a note "N" does not say ""
` + solved},
		{"solutions", given + `    Then no call fails
    And it goes on with read_widget:
      """
      widget_uuid: w_1
      """
    And a reference solution is:
      | call         | arguments      |
      | final_answer | text: x        |
      | read_widgets |                |
      | read_widget  | widget_uuid: [ |
    And a reference solution is:
      | call        | arguments        |
      | read_widget | widget_uuid: w_1 |
    And these near misses fail:
      | near miss | differs by                            | fails with             |
      | a         | without call 2                        | too_many_invalid_calls |
      | b         | call 1 with widget_uuid w_1           | too_many_invalid_calls |
      | c         | call 1 without widget_id              | too_many_invalid_calls |
      | d         | call 1 with data_args.x 1             | too_many_invalid_calls |
      | e         | then read_wodget: widget_uuid: w_1    | too_many_invalid_calls |
      | f         | call 1 again                          | too_many_failed_calls  |
      | g         | call one                              | too_many_invalid_calls |
      | h         | without its answer                    | too_many_invalid_calls |
`},
		{"a setup that does not build", `    Given a bare workspace
    And the backend desk-mini
    And every tool
    And the dashboard "Nowhere" is open
    When the agent is asked "Do it."
    Then no call fails
` + solved},
		{"what is not there", given + `    Then the dashboard has the tab "Three"
    And the dashboard holds exactly these widgets:
      | uuid | widget     | tab   |
      | w_2  | Breach Log | Three |
      | w_1  | Breach Log | Tree  |
    And these widgets sit:
      | uuid | at        |
      | w_3  | 0,0 20x14 |
    And a note "N" on tab "Four" says "x"
    And the tab "Three" is called "Four"
    And the tab "a" of the dashboard "Made" is called "Four"
    And the dashboard "Made" is called "Four"
    And the dashboard "Made" is opened from the app "Issuer Wash" of "Desk Mini"
` + solved},
		{"any of several", given2 + `    Then these widgets sit:
      | widget     | at        |
      | Breach Log | 0,20 20x5 |
    And the dashboard holds these widgets:
      | widget     | at        |
      | Breach Log | 0,30 20x5 |
    And nothing else has changed
` + solved},
	}
	var b strings.Builder
	for _, tt := range cases {
		_, err := compile(head + "  Scenario: X\n" + tt.text)
		var list tasks.Errors
		if !errors.As(err, &list) {
			t.Errorf("%s: %v", tt.name, err)
		}
		fmt.Fprintf(&b, "# %s\n%v\n\n", tt.name, err)
	}
	golden(t, "vocabulary/errors", b.String())
}

// everySentence is a scenario that says everything that can be said.
const everySentence = `    Given the workspace "desk-mini-a"
    And the backend desk-mini
    And every skill
    And every tool
    And the dashboard "Side":
      | widget     | from     |
      | Cash Level | Treasury |
    And on it a table "Rows" at 20,0 20x8:
      """
      [{"a": 1}]
      """
    And the open dashboard "Board" with tabs "One" and "Two":
      | uuid | widget     | from         | severity | status    | period | tab | at         |
      | w_1  | Breach Log | Morning Desk | High     | Closed    | YTD    | One | 0,0 20x14  |
      | w_2  | Breach Log | Risk         | Low      | In Review | MTD    | One | 20,0 20x14 |
    And on its tab "Two" a note "Old Note" at 0,0 20x8:
      """
      Keep BR-1987.
      """
    And the user's own backend "Own Feed" serves:
      """
      {"widgets_json": {"w": {"name": "Own Rows", "description": "d", "endpoint": "rows"}}}
      """
    And the user's own backends answer:
      """
      {"datasets": [{"name": "rows", "widget_id": "w", "fields": [], "payload": [{"a": 1}]}]}
      """
    When the agent is asked, with 9 turns, "Do it all."
    Then the dashboard is called "Board"
    And the dashboard has the tabs "One" and "Two"
    And the dashboard "Side" has the tab "New"
    And the dashboard "Credit Watch" is called "Credit"
    And the tab "Two" is called "Second"
    And the tab "positions" of the dashboard "Desk Overview" is called "Book"
    And the dashboard holds exactly these widgets:
      | uuid | widget     | from      | severity | status    | period | tab | at        | times |
      | w_1  | Breach Log | Desk Mini | High     | Open      | QTD    | One | 0,0 20x14 |       |
      | w_2  | Breach Log | Desk Mini | Low      | In Review | MTD    | One |           | 1     |
      |      | Own Rows   | Own Feed  |          |           |        | Two |           | 2     |
    And the dashboard "Side" holds these widgets:
      | widget       | topics          | limit | at       |
      | Market News  | ["rates", "fx"] | 3     | 0,5 20x9 |
    And the dashboard holds no widget "Cash Level" from "Treasury"
    And a note "Old Note" on tab "Two" says "BR-1987"
    And a chart "New Chart" says "x" and "y"
    And a note "Old Note" has a line that says "NVDA" and "4.18"
    And a note "Old Note" on tab "Two" says, line by line:
      | breach  | owner     | excess |
      | BR-2041 | Ines Falk |        |
      | BR-2046 | Ada Reyl  | 97000  |
    And a table "New Table" says exactly these lines:
      | breach  |
      | BR-2041 |
    And a note "Old Note" on tab "Two" does not say "BR-1" and "BR-2"
    And these widgets sit:
      | uuid | tab | at        |
      | w_2  | One | 0,14 20x7 |
    And every widget lies within the grid
    And no widgets overlap
    And the backend "New Feed" serves these widgets:
      | widget | name  | data.table.showAll | refetchInterval |
      | fresh  | Fresh | true               | 60000           |
    And the backend "New Feed" serves the app "New App" with the tabs "a" and "b"
    And the app "New App" of "New Feed" holds "fresh" on tab "a"
    And the app "New App" of "New Feed" holds "fresh" on tab "a" at 0,0 20x10
    And the tab "a" of the app "New App" of "New Feed" is called "First"
    And the app "New App" of "New Feed" says description: Rows, allowCustomization: true
    And the backend "New Feed" is at "http://127.0.0.1:7799"
    And the backend "Open Feed" serves these widgets, among others:
      | widget | params                            | params.0.type |
      | some   | [{paramName: desk, type: text}]   |               |
    And the backend "Open Feed" serves the app "Open App" with the tab "a", among others
    And the dashboard "New Room" is opened from the app "New App" of "New Feed"
    And the dashboard "Watch" is opened from the app "Issuer Watch" of "Desk Mini"
    And no custom backend has warnings
    And the dashboard "New Room" holds exactly these widgets:
      | widget | from     |
      | Fresh  | New Feed |
    And these calls are made:
      | call        | arguments                      | times |
      | read_widget | widget_uuid: w_1               | 2     |
      | manage_apps | operation: list, activate: true |      |
    And the data of "Risk Limits" from "Desk Mini" is read with limit_type: VaR, tier: 1
    And the data of "Cash Level" from "Desk Mini" is read
    And the skill "breach-review" is read
    And the prompt "workspace_tool_usage" is read
    And the resource "openbb://workspace/specs/apps-json" is read
    And the resource "openbb://workspace/specs/apps-json" is read and says "fernhill"
    And a result of manage_apps says "Ticket"
    And an answer is given
    And the answer names "1,234.50" and "x"
    And the answer has a line that says "x" and "y"
    And the answer says, line by line:
      | what | figure |
      | x    | 1      |
    And the answer says exactly these lines:
      | what |
      | x    |
    And the answer does not say "z"
    And a judge accepts the answer
    And nothing else has changed
    And no other dashboard has changed
    And at most 1 call fails
    And widgets are listed before they are used
    And schemas are read before widgets are placed
    And a reference solution is:
      | call            | arguments                                                                |
      | manage_backends | {"operation": "list"}                                                    |
      | read_widget     | widget_uuid: w_1, dashboard_id: null, x: [1, two, {a: "b, c"}], y: 007   |
    And it goes on with update_widget:
      """
      widget_uuid: w_1,
      data_args: {
        status: Open
      }
      """
    And it answers:
      """
      1,234.50
      """
    And these near misses fail:
      | near miss | differs by                                                                        | fails with           |
      | a         | without call 1; call 2 with y 8; first get_workspace_snapshot                 | misconfigured_widget |
      | b         | call 3 without data_args.status; call 3 again; then manage_apps: operation: list  | misconfigured_widget, missing_tool_call |
      | c         | call 2 is delete_widget: widget_uuid: w_2; answers no, none                       | missing_answer_value |
      | d         | without its answer                                                                | missing_final_answer |
    And the near miss "e" fails with missing_widget, missing_tool_call:
      | call                   | arguments |
      | get_workspace_snapshot |           |
`

func TestEverySentenceDeclaresSomething(t *testing.T) {
	all, err := compile(head + "  @level:4\n  Scenario: X\n" + everySentence)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	got := all[0]
	fmt.Fprintf(&b, "tools %v\nlimits %+v\ncontext %s\nsetup %s\n", got.Tools, got.Limits, got.Asks[0].Context, got.Setup)
	for _, c := range got.Rubric.Checks {
		raw, err := c.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		rule, _, _ := strings.Cut(string(raw), `,"source"`)
		fmt.Fprintf(&b, "%s\n  %s\n", c, rule)
	}
	moves := func(name string, list []tasks.Move) {
		fmt.Fprintln(&b, name)
		for _, m := range list {
			for _, c := range m.Calls {
				fmt.Fprintf(&b, "  %s %s\n", c.Name, c.Arguments)
			}
			if m.Answer != nil {
				fmt.Fprintf(&b, "  = %s\n", m.Answer)
			}
		}
	}
	moves("reference", got.Rubric.Reference)
	for _, p := range got.Rubric.Probes {
		moves(fmt.Sprintf("probe %s %v", p.Name, p.Codes), p.Moves)
	}
	golden(t, "vocabulary/sentences", b.String())
}
