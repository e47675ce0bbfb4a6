package wiki

import (
	"encoding/json"
	"fmt"

	fixture "benchwright/fixtures/wiki"
	"benchwright/sim"
)

// What a call came to: Result.Status.
const (
	StatusOK      = sim.StatusOK
	StatusDenied  = "denied"  // the agent may not do this
	StatusInvalid = "invalid" // what it sent is of the wrong shape
	StatusError   = "error"   // it cannot be done
)

// Why a call was not ok: Result.Code.
const (
	CodeNotFound          = "not_found"
	CodeOutsideRoots      = "outside_roots"
	CodeWriteDenied       = "write_denied"
	CodeStageForbidsWrite = "stage_forbids_write"
	CodePageNotSelected   = "page_not_selected"
	CodeStructureLocked   = "structure_locked"
	CodeStaleWrite        = "stale_write"
	CodeInvalidArguments  = "invalid_arguments"
	CodeUnknownTool       = "unknown_tool"
	CodeUnknownPage       = "unknown_page"
	CodeTooLarge          = "too_large"
	CodeBudgetExceeded    = "budget_exceeded"
	CodeToolRuntimeError  = "tool_runtime_error"
)

var statuses = map[string]string{
	CodeNotFound:          StatusError,
	CodeOutsideRoots:      StatusDenied,
	CodeWriteDenied:       StatusDenied,
	CodeStageForbidsWrite: StatusDenied,
	CodePageNotSelected:   StatusDenied,
	CodeStructureLocked:   StatusDenied,
	CodeStaleWrite:        StatusError,
	CodeInvalidArguments:  StatusInvalid,
	CodeUnknownTool:       StatusDenied,
	CodeUnknownPage:       StatusError,
	CodeTooLarge:          StatusError,
	CodeBudgetExceeded:    StatusDenied,
}

// A failure is why a call was not ok, for the agent.
type failure struct{ code, message, hint string }

func fail(code, hint, format string, args ...any) *failure {
	return &failure{code, fmt.Sprintf(format, args...), hint}
}

func (f *failure) data() json.RawMessage {
	return sim.MustCanonical(map[string]any{"ok": false, "code": f.code, "message": f.message, "hint": f.hint})
}

// Facts is what the world notes about a call in a stage: Result.Facts. Hashes are SHA-256 in
// hexadecimal.
//
// The state hash is that of the text "ledger <lines>\n" and, for each page in the order of the ids,
// "<hash>  <id>\n". It changes when a file is read for the first time and when a page changes.
type Facts struct {
	Call   int    `json:"call"` // its number in the episode, from 1; so the trace numbers them too
	Stage  string `json:"stage"`
	Result string `json:"result_hash"`  // of what the agent sees
	Before string `json:"state_before"` // the state hash
	After  string `json:"state_after"`
	// Target is the path or the page that the call was about, cleaned; "" where it named none, or
	// its arguments were of the wrong shape.
	Target string `json:"target,omitempty"`
	// Missing says that nothing is at the target.
	Missing bool `json:"missing,omitempty"`
	// Source is the path below /source of the file that was read.
	Source string `json:"source,omitempty"`
	// Read is the line that the ledger got, of a file that was read for the first time.
	Read  *fixture.LedgerLine `json:"read,omitempty"`
	Write *Write              `json:"write,omitempty"` // of a page that was written
}

// A Write is what a page was and became.
type Write struct {
	PageID           string   `json:"page_id"`
	Before           string   `json:"before"` // hash of the text
	After            string   `json:"after"`
	BackedBefore     int      `json:"backed_before"` // sources, all kinds
	BackedAfter      int      `json:"backed_after"`
	EvidenceDelta    int      `json:"evidence_delta"`    // gain in backed sources; may be negative
	RequirementDelta int      `json:"requirement_delta"` // requirements closed, less those opened
	Closed           []string `json:"closed,omitempty"`  // requirements, in the order of the plan
	Opened           []string `json:"opened,omitempty"`
}

// ReadFacts returns what the world noted about a call, and whether it noted anything.
func ReadFacts(r sim.Result) (f Facts, ok bool, err error) {
	if len(r.Facts) == 0 {
		return Facts{}, false, nil
	}
	if err := json.Unmarshal(r.Facts, &f); err != nil {
		return Facts{}, false, errorf("facts of a call: %w", err)
	}
	return f, true, nil
}
