package simtest

import "slices"

// The clauses of the contract, by the names that reports use.
const (
	newWorks         = "new-works"
	newDeterministic = "new-deterministic"
	newHostile       = "new-hostile"
	toolsStable      = "tools-stable"
	toolNames        = "tool-names"
	toolSchemas      = "tool-schemas"
	beginWorks       = "begin-works"
	callNoPanic      = "call-no-panic"
	callNoFault      = "call-no-fault"
	callJSON         = "call-json"
	callArguments    = "call-arguments"
	callFacts        = "call-facts"
	callStatus       = "call-status"
	callUnknown      = "call-unknown"
	callKept         = "call-kept"
	callCancelled    = "call-cancelled"
	stateWorks       = "state-works"
	stateCanonical   = "state-canonical"
	stateImmutable   = "state-immutable"
	stateDecodes     = "state-decodes"
	stateChanges     = "state-changes"
	forkWorks        = "fork-works"
	forkSame         = "fork-same"
	forkIndependent  = "fork-independent"
	forkConcurrent   = "fork-concurrent"
	closeTwice       = "close-twice"
	closeFaults      = "close-faults"
	closeAlone       = "close-alone"
	neverPanics      = "never-panics"
)

var clauses = map[string]string{
	newWorks:         "New makes a world of a good setup",
	newDeterministic: "the same setup, seed and calls give the same tools, results and states",
	newHostile:       "a setup that New cannot use is an error, never a panic",
	toolsStable:      "the tools and their order depend on the setup alone",
	toolNames:        "every tool has a name of its own and a description",
	toolSchemas:      "every tool's schema is a JSON Schema of an object",
	beginWorks:       "Begin starts an ask",
	callNoPanic:      "Call never panics, whatever the agent sent",
	callNoFault:      "what an agent sent is never the world's own fault",
	callJSON:         "what the agent sees is one JSON value",
	callArguments:    "a call's own arguments stay as they were, and the result's are canonical JSON",
	callFacts:        "what a world notes about a call is canonical JSON",
	callStatus:       "every result has a status, and an invalid call is not ok",
	callUnknown:      "a tool that is not listed cannot be called with success",
	callKept:         "a result never changes afterwards",
	callCancelled:    "a call without time left gives a result",
	stateWorks:       "State returns the present state",
	stateCanonical:   "a state's JSON is canonical, and equal states have equal bytes",
	stateImmutable:   "a state never changes afterwards",
	stateDecodes:     "a recorded state decodes to the same state",
	stateChanges:     "the case's calls change the state, or it says that nothing can",
	forkWorks:        "Fork returns a world",
	forkSame:         "a fork has its parent's tools and state, and the same calls give it the same results",
	forkIndependent:  "nothing done to one of two forks shows in the other",
	forkConcurrent:   "forks of one another may be used concurrently",
	closeTwice:       "a second Close does nothing",
	closeFaults:      "after Close every call is a fault",
	closeAlone:       "closing a world leaves its forks, and its parent, as they were",
	neverPanics:      "no method panics",
}

// Clauses returns the names of all clauses, sorted, each with what it demands.
func Clauses() (names []string, demands map[string]string) {
	demands = make(map[string]string, len(clauses))
	for name, demand := range clauses {
		names = append(names, name)
		demands[name] = demand
	}
	slices.Sort(names)
	return names, demands
}
