// Package wealth grades what a financial assistant decided and how it got there.
//
// A case of the wealth world ends in one decision: an outcome, the policy code that goes with
// it, claims with their provenance, the evidence relied on, and the inputs that are missing.
// Each rule here demands one part of that, or of the calls that led to it:
//
//	[Completed]      a final decision was given at all       runtime:<code>
//	[Outcome]        outcome and policy code                 wrong_outcome, wrong_policy
//	[Claims]         exactly these claims                    missing_claim:<c>, unexpected_claim:<c>, wrong_value:<c>,
//	                                                         wrong_unit:<c>, wrong_subject:<c>, wrong_as_of:<c>, wrong_source:<c>
//	[Evidence]       exactly these evidence ids              wrong_evidence
//	[MissingFields]  exactly these missing inputs            wrong_missing_fields
//	[Trace]          exactly one of these call sequences     missing_tool_call:<t>, unexpected_tool_call:<t>, wrong_tool_arguments:<t>,
//	                                                         wrong_tool_status:<t>, wrong_tool_order,
//	                                                         denied_call_attempted:<t>, invalid_call_attempted:<t>
//	[NoWrites]       the world recorded no write             write_recorded
//
// Money is compared as exact decimals, without tolerance and never through a float. Units,
// subjects, dates, sources and codes are compared as strings.
//
// An episode without a final decision fails [Completed]; the rules about the decision are then
// not applicable, while those about calls and writes still are. Whatever an answer looks like
// it yields findings, never an error: a model cannot break the measurement by answering
// nonsense. Names that a model made up are shortened and cleaned before they become part of a
// code.
//
// The rules need no running world. Evidence put together from a record (its result as Answer,
// its calls as Trace, its error as End and its write count as Final) is graded the same way.
package wealth
