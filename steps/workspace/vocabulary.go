package workspace

import (
	"fmt"
	"regexp"
	"strings"

	"benchwright/grader"
	rules "benchwright/grader/workspace"
	"benchwright/steps"
	"benchwright/tasks"
)

// vocabulary returns the sentences that tasks about the workspace are written in; see the package
// comment for what they look like together.
func (s shelf) vocabulary() tasks.Vocabulary {
	v := tasks.Vocabulary{New: func() any { return &notes{shelf: s} }, Finish: finish}
	return v.With(steps.Common()...).With(givenSteps()...).With(thenSteps()...).With(solutionSteps()...)
}

func givenSteps() []tasks.Step {
	return []tasks.Step{
		tasks.Given(`the workspace "([^"]+)" with every backend, skill and tool`, everything),
		tasks.Given(`the workspace "([^"]+)"`, baseline),
		tasks.Given(`a bare workspace`, func(d *tasks.Draft) error { return baseline(d, "") }),
		tasks.Given(`every backend`, everyBackend),
		tasks.Given(`every skill`, everySkill),
		tasks.Given(`every tool`, everyTool),
		tasks.Given(`the backends? (.+)`, theBackends),
		tasks.Given(`the skills? (.+)`, theSkills),
		tasks.Given(`the tools? (.+)`, theTools),
		tasks.Given(`the dashboard "([^"]+)" is open`, selected),

		tasks.Given(`the open dashboard "([^"]+)":`, seeds(true)),
		tasks.Given(`the open dashboard "([^"]+)" with tabs? ("[^:]*"):`, seedsWithTabs(true)),
		tasks.Given(`the dashboard "([^"]+)":`, seeds(false)),
		tasks.Given(`the dashboard "([^"]+)" with tabs? ("[^:]*"):`, seedsWithTabs(false)),
		tasks.Given(`the open, empty dashboard "([^"]+)"`, func(d *tasks.Draft, name string) error { return seed(d, name, "", true, nil) }),
		tasks.Given(`the open, empty dashboard "([^"]+)" with tabs? (".*")`, func(d *tasks.Draft, name, tabs string) error { return seed(d, name, tabs, true, nil) }),
		tasks.Given(`on it a (note|table|chart|html) "([^"]+)" at (\S+ \S+):`, func(d *tasks.Draft, kind, name, at string, text tasks.Text) error {
			return seedGenerated(d, kind, name, "", at, string(text))
		}),
		tasks.Given(`on its tab "([^"]+)" a (note|table|chart|html) "([^"]+)" at (\S+ \S+):`, func(d *tasks.Draft, tab, kind, name, at string, text tasks.Text) error {
			return seedGenerated(d, kind, name, tab, at, string(text))
		}),
		tasks.Given(`the user's own backend "([^"]+)" serves:`, ownBackend),
		tasks.Given(`the user's own backends answer:`, ownAnswers),
	}
}

func thenSteps() []tasks.Step {
	return []tasks.Step{
		tasks.Then(`the dashboard is called "([^"]+)"`, func(d *tasks.Draft, name string) error {
			return d.Check(&rules.DashboardNameRule{Named: name})
		}),
		tasks.Then(`the dashboard "([^"]+)" is called "([^"]+)"`, dashboardCalled),
		tasks.Then(`the tab "([^"]+)" is called "([^"]+)"`, func(d *tasks.Draft, tab, name string) error { return tabCalled(d, "", tab, name) }),
		tasks.Then(`the tab "([^"]+)" of the dashboard "([^"]+)" is called "([^"]+)"`, func(d *tasks.Draft, tab, dashboard, name string) error {
			return tabCalled(d, dashboard, tab, name)
		}),
		tasks.Then(`the dashboard has the tabs? (".*")`, func(d *tasks.Draft, list string) error { return tabs(d, "", list) }),
		tasks.Then(`the dashboard "([^"]+)" has the tabs? (".*")`, tabs),
		tasks.Then(`the dashboard holds exactly these widgets:`, func(d *tasks.Draft, t *tasks.Table) error { return exactly(d, "", t) }),
		tasks.Then(`the dashboard "([^"]+)" holds exactly these widgets:`, exactly),
		tasks.Then(`the dashboard holds these widgets:`, func(d *tasks.Draft, t *tasks.Table) error { return holds(d, "", t) }),
		tasks.Then(`the dashboard "([^"]+)" holds these widgets:`, holds),
		tasks.Then(`the dashboard holds no widget "([^"]+)"`, func(d *tasks.Draft, name string) error { return holdsNo(d, name, "") }),
		tasks.Then(`the dashboard holds no widget "([^"]+)" from "([^"]+)"`, holdsNo),
		tasks.Then(`a (note|table|chart|html) "([^"]+)" says (".*")`, func(d *tasks.Draft, kind, name, list string) error {
			return generated(d, kind, name, "", list)
		}),
		tasks.Then(`a (note|table|chart|html) "([^"]+)" on tab "([^"]+)" says (".*")`, generated),
		tasks.Then(`a (note|table|chart|html) "([^"]+)"(?: on tab "([^"]+)")? has a line that says (".*")`, generatedLine),
		tasks.Then(`a (note|table|chart|html) "([^"]+)"(?: on tab "([^"]+)")? says, line by line:`, generatedLines(false)),
		tasks.Then(`a (note|table|chart|html) "([^"]+)"(?: on tab "([^"]+)")? says exactly these lines:`, generatedLines(true)),
		tasks.Then(`a (note|table|chart|html) "([^"]+)"(?: on tab "([^"]+)")? does not say (".*")`, generatedUnsaid),
		tasks.Then(`these widgets sit:`, layout),
		tasks.Then(`every widget lies within the grid`, func(d *tasks.Draft) error { return d.Check(&rules.GridRule{Width: 40}) }),
		tasks.Then(`no widgets overlap`, func(d *tasks.Draft) error { return d.Check(&rules.OverlapRule{}) }),

		tasks.Then(`the backend "([^"]+)" is at "([^"]+)"`, backendAt),
		tasks.Then(`the backend "([^"]+)" serves these widgets:`, servesWidgets),
		tasks.Then(`the backend "([^"]+)" serves these widgets, among others:`, servesWidgetsToo),
		tasks.Then(`the backend "([^"]+)" serves the app "([^"]+)" with the tabs? (".*")`, servesApp),
		tasks.Then(`the backend "([^"]+)" serves the app "([^"]+)" with the tabs? (".*"), among others`, servesAppToo),
		tasks.Then(`the app "([^"]+)" of "([^"]+)" holds "([^"]+)" on tab "([^"]*)"`, appHolds),
		tasks.Then(`the app "([^"]+)" of "([^"]+)" holds "([^"]+)" on tab "([^"]*)" at (\S+ \S+)`, appHoldsAt),
		tasks.Then(`the tab "([^"]+)" of the app "([^"]+)" of "([^"]+)" is called "([^"]+)"`, appTabCalled),
		tasks.Then(`the app "([^"]+)" of "([^"]+)" says (.+: .+)`, appSays),
		tasks.Then(`the dashboard "([^"]+)" is opened from the app "([^"]+)" of "([^"]+)"`, openedFrom),
		tasks.Then(`the dashboard "([^"]+)" is the app "([^"]+)" of "([^"]+)" as it comes`, openedWhole),
		tasks.Then(`no custom backend has warnings`, func(d *tasks.Draft) error { return d.Check(&rules.BackendWarningsRule{}) }),

		tasks.Then(`these calls are made:`, callsMade),
		tasks.Then(`the data of "([^"]+)" from "([^"]+)" is read with (.+)`, dataRead),
		tasks.Then(`the data of "([^"]+)" from "([^"]+)" is read`, func(d *tasks.Draft, name, from string) error { return dataRead(d, name, from, "") }),
		tasks.Then(`the skill "([^"]+)" is read`, skillRead),
		tasks.Then(`the prompt "([^"]+)" is read`, func(d *tasks.Draft, name string) error {
			return called(d, "get_workspace_prompt", map[string]any{"name": name})
		}),
		tasks.Then(`the resource "([^"]+)" is read`, func(d *tasks.Draft, uri string) error { return d.Check(&rules.ResourceReadRule{URI: uri}) }),
		tasks.Then(`the resource "([^"]+)" is read and says (".*")`, func(d *tasks.Draft, uri, list string) error {
			return d.Check(&rules.ResourceReadRule{URI: uri, Contains: quotedList(list)})
		}),
		tasks.Then(`a result of (\w+) says (".*")`, func(d *tasks.Draft, tool, list string) error {
			if err := knownTool(tool); err != nil {
				return err
			}
			return d.Check(&rules.ToolResultRule{Tool: tool, Contains: quotedList(list)})
		}),

		tasks.Then(`an answer is given`, func(d *tasks.Draft) error { return d.Check(&rules.AnswerRule{}) }),
		tasks.Then(`the answer names (".*")`, answerNames),
		tasks.Then(`the answer has a line that says (".*")`, answerLine),
		tasks.Then(`the answer says, line by line:`, answerLines(false)),
		tasks.Then(`the answer says exactly these lines:`, answerLines(true)),
		tasks.Then(`the answer does not say (".*")`, answerUnsaid),
		tasks.Then(`a judge accepts the answer`, func(d *tasks.Draft) error { return d.Check(&JudgedRule{}) }),

		tasks.Then(`nothing else has changed`, nothingElse),
		tasks.Then(`no other dashboard has changed`, func(d *tasks.Draft) error { return d.Check(&rules.OtherDashboardsRule{}) }),
		tasks.Then(`no call fails`, func(d *tasks.Draft) error { return d.Check(&rules.InvalidCallsRule{}) }),
		tasks.Then(`at most (\d+) calls? fails?`, func(d *tasks.Draft, n int) error { return d.Check(&rules.InvalidCallsRule{Max: n}) }),
		tasks.Then(`widgets are listed before they are used`, func(d *tasks.Draft) error {
			return d.Check(&rules.ListedRule{MustList: true})
		}),
		tasks.Then(`schemas are read before widgets are placed`, func(d *tasks.Draft) error { return d.Check(&rules.SchemaFirstRule{}) }),
	}
}

// quotes finds the texts of a list: "a", "b" and "c".
var quotedText = regexp.MustCompile(`"([^"]*)"`)

// quotedList returns the texts of a list in quotes.
func quotedList(list string) []string {
	var out []string
	for _, m := range quotedText.FindAllStringSubmatch(list, -1) {
		out = append(out, m[1])
	}
	return out
}

// namesOf returns the names of a list: a, b and c, in quotes or not.
func namesOf(list string) []string {
	var out []string
	for part := range strings.SplitSeq(strings.ReplaceAll(list, " and ", ", "), ",") {
		if part = strings.Trim(strings.TrimSpace(part), `"`); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func knownTool(name string) error {
	if name != FinalAnswer && !known(name) {
		return tasks.Unknown("tool", name, toolNames)
	}
	return nil
}

// once adds a check of which a scenario needs no second one.
func once(d *tasks.Draft, r grader.Rule) error {
	for _, c := range d.Task.Rubric.Checks {
		if c.Rule.Name() == r.Name() && c.Ask == len(d.Task.Asks)-1 {
			return fmt.Errorf("line %d has said so already: %s", c.Source.Line, c.Source.Text)
		}
	}
	return d.Check(r)
}
