package workspace_test

import (
	"strings"
	"testing"

	"benchwright/grader/workspace"
)

// opened is a scenario in which the app of a backend is to be opened as it comes.
func opened(app, from string) string {
	return head + "\n  Scenario: Open\n" + given + `    Then the dashboard "Room" is the app "` + app + `" of "` + from + `" as it comes` + "\n    And nothing else has changed\n" + solved
}

// All that the app lays out is demanded where it lays it out, but for the navigation bar, which is no widget.
func TestAnAppAsItComes(t *testing.T) {
	all, err := compile(opened("Morning Desk", "Desk Mini"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all[0].Rubric.Checks {
		e, ok := c.Rule.(*workspace.ExactRule)
		if !ok {
			continue
		}
		var got []string
		for _, w := range e.Widgets {
			if w.At == nil || w.TabID == nil {
				t.Fatalf("%s may be anywhere", w.WidgetID)
			}
			got = append(got, *w.TabID+"/"+w.WidgetID)
		}
		if want := "morning_overview/desk_positions morning_overview/pnl_trend morning_overview/cash_level risk/risk_limits risk/breach_log"; strings.Join(got, " ") != want {
			t.Errorf("demanded are %q, want %q", got, want)
		}
		return
	}
	t.Error("no widgets are demanded")
}

func TestAppsThatAreNotThere(t *testing.T) {
	for _, c := range []struct{ app, from, want string }{
		{"Evening Desk", "Desk Mini", `unknown app of Desk Mini "Evening Desk"`},
		{"Morning Desk", "Desk Maxi", `unknown backend "Desk Maxi"`},
	} {
		if _, err := compile(opened(c.app, c.from)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
