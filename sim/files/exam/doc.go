// Package exam runs the programs of a workspace on inputs that nobody saw and compares what came
// out with what should have: the protocol between the families that generate code, and those who
// grade it.
//
// # The principle
//
// A process in which a workspace's code has run is not believed in anything. So nothing that it
// says is a verdict: it gets inputs, and reports observations, which Go compares with the expected
// values. Those are never in that process, in its files, or in anything that is lent to it.
// Whoever forges an observation has to forge the right value for an input that was not to be
// known, which is to solve the task.
//
// # What lies in the hidden tree
//
//	cases.json            inputs: {"runs", "seconds", "cases": [Case…]}
//	expected_checks.json  gold: {"checks": [Check…]}
//	run_hidden_tests.py   the observer, a copy of [Runner]
//
// [Sheet].Files writes the three, [ParseSheet] reads the first two.
//
// # How it is run
//
//	sheet, err := exam.ParseSheet(instance.Hidden)
//	runs, err := sheet.Observe(ctx, python, "w") // workspace folders, relative to the command's
//	held := sheet.Grade(tree, runs["w"]) // the tree that was left
//
// python starts "interpreter -I run_hidden_tests.py --observe" in a folder that holds copies of
// the workspaces, with the request as standard input, and returns its standard output. Use
// [Runner]'s own text, never the copy of an instance. Lend the runner's file alone, never
// the hidden tree. Keep at least [OutputLimit] bytes of output and write the workspaces where
// the command may read them. Several workspaces, such as all subsets of an instance's
// repairs, cost one start of Python.
//
// The observer forks a child for each script, and for neighbouring cases of calls together: it alone
// runs code of the workspace, in a fresh copy without links, with the case's files put over it and
// what it has to make removed. The copy is made just before and removed after; how the child ended
// is what the kernel says. What a case is given reaches the observer when those before it are over,
// and cases that are given less come first ([Sheet.Start]): a program can read what earlier cases
// were given, and leave word for later ones, but inputs are no answers, and what would be one for a
// case that looks at the workspace's own state is not there yet. What a file says that was left is
// graded from the tree itself, before anything ran. Only trees that whoever asks has made share
// children ([Sheet].Together): modules of theirs are forgotten in between. After two
// cases that were waited for in vain the rest is not begun. The child's standard streams are files.
// When it ends or its time is up, its session is killed. The observer then reads the files that the
// cases name, if they are regular and reached through no link, and writes a line for each case:
//
//	<token> {"id": …, "state": "ok"|"failed"|"timeout", "exit": …, "said": …, "value": …, "files": {…}}
//
// and, when it has observed all that it was asked,
//
//	<token> {"observed": number of cases}
//
// Without that line nobody knows whose doing it is that it did not come to its end.
//
// The token is random and travels in the request; it keeps chatter apart from observations. A line
// that is malformed, an unknown job or a second line for a job voids all observations of the run
// ([ErrChannel]): the workspace's doing, so all checks fail. A case without a line was not
// observed, and its checks fail.
//
// What code can do against this: print what it likes (it lands in a file); exit, crash or hang
// (its case fails); patch modules (in its own child; nothing of the verdict runs there); leave
// daemons (they can change no expected value, and end with the sandbox); find the channel or the
// token (then it may void its run, or report the right value).
//
// # Runs
//
// A sheet with Runs 2 is observed by two interpreters, whose hash seeds differ: the first has the
// cases on the workspace's own state and those that have to come out the same; the second has the
// latter again, and all others. The aspect "same" demands the same bytes from both; for nothing else
// does it count what was seen again.
package exam
