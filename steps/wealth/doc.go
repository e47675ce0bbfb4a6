// Package wealth is the kit of the wealth world: the sentences that its tasks are written in,
// the decision protocol that models speak, and what the proofs need to know.
//
//	suite := tasks.Suite{Features: files, Kits: []tasks.Kit{wealth.Kit()}}
//
// A feature says whom the assistant serves and what it may use, what the customer asks, and
// what the decision must be in every part: outcome and policy, claims, evidence, missing
// inputs, calls and writes. It then shows a reference solution and near misses.
//
// A solution is written one line for each thing that is done or said:
//
//	call future_value: principal 2500000, annual_rate 0.06, years 5
//	decide answer under illustrative_not_guaranteed
//	claim future_value: 3345563.94 INR of scenario-A as of 2026-09-01 from calc-fv-v1
//	cite calc-fv-v1
//	missing annual_rate, years
//
// A near miss is either such a solution of its own or the reference with edits, separated by
// "; ". The lines above add to the reference or replace what it says; besides there are
//
//	first call TOOL: ARGUMENTS      before all others
//	call N again                    once more, after all others
//	call N with ARGUMENT VALUE      another value for one argument
//	without call N                  also: without calls
//	claim NAME FIELD VALUE          FIELD is value, unit, subject, as_of or source
//	without claim NAME              also: without evidence, without missing inputs
//	without decision                nothing is said in the end
//	also say {"field": …}           fields that the protocol does not know
//	reply FORM                      how the decision is said, for example "in a code fence"
//
// Arguments are sent as strings, years as a number; "principal number 2.5e6" sends any other
// number as it is spelled. Every edit must change something, and every code must be one that a
// check of the scenario can raise.
package wealth
