package wealth

import (
	"encoding/json"

	"benchwright/sim"
)

// What a call came to: Result.Status.
const (
	StatusOK      = sim.StatusOK
	StatusDenied  = "denied"  // the agent may not do this
	StatusInvalid = "invalid" // the arguments are of the wrong shape
	StatusError   = "error"   // the tool could not do it
)

// Why a call was not ok: Result.Code. A fault planted in a fixture brings its own code.
const (
	CodeUnknownTool      = "unknown_tool"
	CodeWriteDenied      = "write_denied"
	CodeToolNotInScope   = "tool_not_in_scope"
	CodeInvalidArguments = "invalid_arguments"
	CodeHouseholdDenied  = "household_out_of_scope"
	CodeDeadline         = "deadline_exceeded"
	CodeNotFound         = "not_found"
	CodeToolUnavailable  = "tool_unavailable" // the fault of the built-in fixtures
)

// maxName is how much of a name that no tool has is repeated to the agent.
const maxName = 64

// success is what the agent sees of a successful call. Its fields are in the order of canonical
// JSON. A nil date says that the value is dated by its inputs, which the tool cannot know.
type success struct {
	AsOf   *string `json:"as_of"`
	Claim  *string `json:"claim"`
	Data   any     `json:"data"`
	OK     bool    `json:"ok"`
	Source string  `json:"source"`
	Tool   string  `json:"tool"`
	Unit   string  `json:"unit"`
	Value  string  `json:"value"`
}

// computed is the result of a calculator. Everything in it is ASCII of our own that needs no
// escape, so it is put together by hand: this is the hot path.
func (t *tool) computed(value string) sim.Result {
	b := make([]byte, 0, 160)
	b = append(b, `{"as_of":null,"claim":"`...)
	b = append(b, t.claim...)
	b = append(b, `","data":{},"ok":true,"source":"`...)
	b = append(b, t.source...)
	b = append(b, `","tool":"`...)
	b = append(b, t.name...)
	b = append(b, `","unit":"`...)
	b = append(b, t.unit...)
	b = append(b, `","value":"`...)
	b = append(b, value...)
	b = append(b, `"}`...)
	return sim.Result{Data: b, Status: StatusOK}
}

// rejected is the result of a call that was not ok.
func rejected(tool, status, code, message string) sim.Result {
	data := make([]byte, 0, 256)
	data = append(data, `{"error":{"code":`...)
	data = quote(data, code)
	data = append(data, `,"message":`...)
	data = quote(data, message)
	data = append(data, `,"retryable":false},"ok":false,"tool":`...)
	data = quote(data, clip(tool, maxName))
	data = append(data, '}')
	return sim.Result{Data: data, Status: status, Code: code, Invalid: status == StatusInvalid}
}

// encode returns a record as a successful result, canonical.
func (r *record) encode(tool, claim string) json.RawMessage {
	return sim.MustCanonical(success{
		AsOf: &r.asOf, Claim: &claim, Data: r.data, OK: true,
		Source: r.source, Tool: tool, Unit: r.unit, Value: r.value,
	})
}
