package workspace

import (
	"bytes"
	"fmt"
	"sync"

	"benchwright/sim"
	"benchwright/sim/workspace/backend"
)

// What a call came to: Result.Status.
const (
	StatusOK    = sim.StatusOK
	StatusError = "error"
)

// Why a call was not ok: Result.Code.
const (
	CodeInvalidRequest  = backend.InvalidRequest  // the arguments are wrong, or there is no such tool
	CodeCommandFailed   = backend.CommandFailed   // what was named does not exist, or a manifest is no good
	CodeResponseInvalid = backend.ResponseInvalid // an authored backend answers what its manifest does not promise
)

// A failure is why a call was refused. It is what the agent sees.
type failure = backend.Failure

func invalid(format string, args ...any) *failure {
	return &failure{Code: CodeInvalidRequest, Message: fmt.Sprintf(format, args...)}
}

func failed(format string, args ...any) *failure {
	return &failure{Code: CodeCommandFailed, Message: fmt.Sprintf(format, args...)}
}

// refused is the result of a call that failed.
func refused(tool string, f *failure) sim.Result {
	if f.Fault != nil {
		return sim.Fault("%v", f.Fault)
	}
	b := make([]byte, 0, 160+2*len(f.Message))
	b = appendText(append(b, `{"ok":false,"command":`...), clip(tool))
	b = appendText(append(b, `,"request_id":null,"message":`...), f.Message)
	b = appendText(append(b, `,"data":null,"error":{"code":`...), f.Code)
	b = appendText(append(b, `,"message":`...), f.Message)
	b = append(b, `,"details":null,"retryable":false}}`...)
	return sim.Result{Data: b, Status: StatusError, Code: f.Code, Invalid: true}
}

// clip cuts the name of a tool that an agent made up.
func clip(name string) string {
	if len(name) > maxQuoted {
		return name[:maxQuoted]
	}
	return name
}

// buffers are where answers are put together before they are copied to their exact size: a
// trace keeps them for long.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxPooled is how large a buffer may be and still be kept for the next call.
const maxPooled = 1 << 20

// answered is the result of a call that worked. write appends the data as an object without its
// closing brace; the session's context, as it is after the call, becomes its last member.
func answered(tool string, after *state, write func(b []byte) []byte) sim.Result {
	pooled := buffers.Get().(*[]byte)
	b := (*pooled)[:0]
	b = append(b, `{"ok":true,"command":"`...)
	b = append(b, tool...)
	b = append(b, `","request_id":null,"message":"ok","data":`...)
	b = write(b)
	b = after.appendFocus(append(b, `,"session_context":`...))
	b = append(b, `},"error":null}`...)
	r := sim.Result{Data: bytes.Clone(b), Status: StatusOK}
	if cap(b) <= maxPooled {
		*pooled = b
		buffers.Put(pooled)
	}
	return r
}
