// Package wiki holds the sentences, the protocol and the records of tasks about the wiki world: a
// wiki whose evidence is partly missing, which is repaired from a frozen source, stage by stage.
//
//	Given the case "plugins-wiki-revision"
//	And the stages "protocol" and "evidence_sample"
//	When the agent is asked, with 20 turns, 40 calls, 150,000 tokens and 180 seconds:
//	  """
//	  …
//	  """
//	Then the symbols that the host asks for are found by reading
//	And the next ask depends on this
//	When the agent is asked, with 80 turns, 160 calls, 650,000 tokens and 600 seconds:
//	  """
//	  …
//	  """
//	Then the selected pages have their evidence, and nothing else has changed
//	And the host's audit finds no violation
//	And a reference solution does what is asked
//	And the candidate "rewrite-loop" fails with "repeated_mutation"
//
// Ask n is about stage n. What the first message of a stage has to name follows from these sentences:
// the roots and which of them can be written, the stage, the pages that the host selected, the symbols
// that it asks for, the budgets that are left.
//
// A stage's budget is that of its ask. Setup and the host's audit belong to no ask, so nothing of
// them is ever counted.
package wiki
