// Package tasks holds what a benchmark is made of: tasks, the suites that group them, and the
// front ends that compile Gherkin and JSON into them.
//
// Everything becomes the same [Task], once, at load. Steps of a feature do not act: they
// declare on a [Draft], so that one declaration serves listing, linting, hashing, certifying,
// running, regrading and exporting.
//
//	compiled, err := tasks.Compile(suite) // every error of every file, with its line
//
// The public half of a task is its [Envelope]; the [Rubric] is sealed and never leaves the
// program's graders.
//
// # Features
//
// A feature has one @suite: and one @world: tag. The world's [Kit] brings the sentences that
// its steps may say: each is a [Step] made by [Given], [When], [Then] or [Any]. A scenario is a
// task; each row of an outline is one, too. A task's [ID] is
//
//	suite / file name / scenario name            breach/review/restore_the_view
//	suite / file name / scenario name _ row key  breach/review/restore_the_view_level_3
//
// with the names in lower case and runs of other characters as one '_'. The key of a row is its
// first column; the other columns of an outline are left out of the name. Tags become labels,
// word for word; family: is added. Some have a meaning:
//
//	@id:restore       takes the place of the scenario's name, which need not be Latin then
//	@trials:3         the task's own number of trials
//	@requires:first   a task of this file that must have passed; also family:name and
//	                  suite:family:name
//
// Parsing is strict. Gherkin takes a mistyped keyword for a description, and drops what it does
// not understand; here, a scenario, a background and Examples have no description, and whatever
// has no effect is an error: a column that no step reads, Examples without rows, text after the
// last | of a row, a step that stands in the description of its feature. So is a step that no
// sentence fits, or two, or one of another keyword. The language line chooses the keywords; the
// sentences are the vocabulary's.
//
// # JSON
//
// A *.json file holds one [Task] or a list of them, as [Encode] writes them; what it leaves out
// is empty. Rules are looked up in the kit, as {"rule": name, "args": {…}}. Reading is as strict
// as with features: see [DecodeTasks].
//
// # Generators
//
// A [Generator] makes the tasks of one suite by program. One that is on demand is compiled only
// where a label filter names its suite.
package tasks
