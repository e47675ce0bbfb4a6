// Package workspace is the kit of the workspace world: the sentences that its tasks are written
// in, the interactive protocol that models speak, and the reader of task packs in the published
// format.
//
//	suite := tasks.Suite{Features: files, Kits: []tasks.Kit{workspace.Kit()}}
//
// # Sentences
//
// A scenario says where the agent starts and what it may use, what is asked, what must then be
// so, and how a good solution goes:
//
//	Given the workspace "desk-mini-a" with every backend, skill and tool
//	And the open dashboard "Breach Review" with tab "Review":
//	  | uuid  | widget     | from      | severity | status | at        |
//	  | w_b2b | Breach Log | Desk Mini | High     | Closed | 0,0 20x14 |
//	And on its tab "Review" a note "Prior Note" at 20,0 20x8:
//	When the agent is asked, with 9 turns:
//	Then the dashboard holds exactly these widgets:
//	And a note "Evidence Note" says "evidence gaps"
//	And the skill "breach-review" is read
//	And nothing else has changed
//	And at most 2 calls fail
//	And a reference solution is:
//	  | call          | arguments                                         |
//	  | update_widget | widget_uuid: w_b2b, data_args: {status: Open}     |
//	And these near misses fail:
//	  | near miss      | differs by                    | fails with           |
//	  | the wrong twin | call 1 with widget_uuid w_7b8 | misconfigured_widget |
//
// A widget is called by its name or its id; "from" is its backend, an app that shows it, or its
// category, and is needed where the name is not enough. "at" is the corner and the size on the
// grid. All other columns are parameters: they must be declared by the widget, and their values
// be among the options. A row of "holds exactly" that has a uuid is that instance. Generated
// widgets are other sentences' affair.
//
// "Nothing else has changed" frees what the other sentences demand to be other than it was at the
// start, and nothing more: of an instance the parameters that must be other may be set, and it may
// not be moved; a note that is not there yet may be added, once; a widget that is not listed may be
// removed; a dashboard that is not there may be made, once, with the widgets that are demanded on it.
// What is made has the defaults of the parameters that nobody spoke of, and no ui_args. Where something
// must be moved or removed, others may rise or sink as the grid settles.
//
// Names of dashboards, tabs and apps are exact. A tab that is to be made is demanded by its name ("the
// dashboard has the tab \"Treasury\""), and one that is to be renamed by the id or name that it has at the
// start ("the tab \"Market Context\" is called \"Macro\""), so that the name on another tab is of no use.
//
// "The dashboard" is the one that was open when the agent was asked, or the one that "the dashboard is
// called" names, where the agent is to go there. Where a dashboard is to be made, it is the one left open.
//
// "The dashboard \"Room\" is the app \"A\" of \"B\" as it comes" demands a dashboard that was made of an app of a connected
// backend, with every widget on the tab, at the place and with the arguments that the app gives it, and no other.
//
// What a note or an answer "says" is looked for piece by piece, and the pieces may stand anywhere in it. What
// belongs together is demanded together, in one line of the text, and the ask must say so:
//
//	Then a note "Multiples" has a line that says "NVDA" and "4.18"
//	And a note "Open Breaches" says exactly these lines:
//	  | breach  | owner     | excess |
//	  | BR-2041 | Ines Falk | 182000 |
//	And the answer says, line by line:
//	And a note "Open Breaches" does not say "BR-1987"
//
// The columns are named for readers. The first one in which no two rows are equal tells the rows apart; "exactly" lets
// the text have no line about anything else of that kind. See package grader/workspace for what a line is.
//
// Sentences may also be about a dashboard by its name ("the dashboard \"Side\" holds these
// widgets:"), backends that the agent authors ("the backend \"B\" serves these widgets:"), calls,
// data, resources, results and answers. Where an answer is demanded, final_answer is offered.
//
// A backend that the agent authors serves the widgets and apps of its sentences and no others, but for what
// the user's own one served at the start; its widgets have no more parameters than the rows say, and its apps
// no more tabs, and on a tab no more than is said to be held. "Among others" after a sentence takes this back
// for what the sentence lists.
//
// # Packs
//
// [Open] reads the published task JSON. Every field of it becomes part of the setup or a rule of
// package grader/workspace, at its line. What is published in another way, or not said:
//
//   - A key of a suite's task_defaults.eval is inherited whole, or not at all. Nothing is merged
//     within a key, as published, since packs are written for that. Of keys that exclude each
//     other, a task's own one keeps the others from being inherited.
//   - Fragments, absences and required calls are read as strictly as in features: see package
//     grader/workspace.
//   - app_structure is graded where a task mentions it. polish is checked for its form; nothing
//     reports what does not count.
//   - forbid_invented_widget_ids is graded where the task has a tool that can list widgets.
//   - A judged answer is a check that ends skipped where there is no judge, and never passed.
//   - allowed_tools left out means every tool, and an answer where one is graded.
//   - The reference says in the end that it is done when there is a turn left for that.
//   - A task without max_turns has 12, and every task 15 minutes, as the published runner has.
//   - content_sha256 is checked for its form.
//
// # Protocol
//
// [Dialect] is the interactive protocol. It leaves out the id, family and difficulty of a task,
// which the published one sends; it never tells the limit of turns. A malformed reply costs a turn
// and one of two recoveries, whatever is wrong with it; the published system ends the episode at
// once for an action without a tool or with arguments that are no object, and takes final_answer
// without a text for a failed call.
package workspace
