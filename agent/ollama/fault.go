package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"benchwright/agent"
	"benchwright/grader"
)

// The codes of faults; doc.go says when each is raised.
const (
	codeNetwork     = "network_error"
	codeStatus      = "http_status"
	codeTimeout     = "timeout"
	codeRunner      = "runner_error"
	codeNotFound    = "model_not_found"
	codeChanged     = "model_changed"
	codeBadRequest  = "bad_request"
	codeUnsupported = "unsupported"
	codeWrongModel  = "wrong_model"
	codeBadReply    = "bad_reply"
	codeTooLarge    = "too_large"
)

// EndToolCall ends an episode whose model made a native tool call that the server could not
// read; it never comes through to be answered.
const EndToolCall = "invalid_tool_call"

// mistakes are how the server's error texts begin when the request is to blame, although the
// status is 500.
var mistakes = []string{"invalid format", "invalid JSON schema", "option \""}

// unread are how its error texts begin when it could not parse a tool call that the model wrote,
// as an object in the stream or, before anything else was sent, with status 500.
var unread = []string{"error parsing tool call", "empty function name", "mismatched arg_key"}

// unreadWithTools are how they begin when it could not parse something: where tools were offered,
// such a call. They come from the parsers of single model families. Without tools something else
// than the model has said it, a proxy for example.
var unreadWithTools = []string{"failed to parse JSON", "failed to parse XML", "XML syntax error", "invalid character ", "unexpected end of JSON input"}

// runner are parts of its error texts when the process that runs the model is to blame.
var runner = []string{"model runner", "running the model", "llama runner"}

// classify says what a refusal of the server means, by whether tools were offered. Status 200
// stands for an error object in a stream that had begun.
func classify(status int, msg string, tools bool) error {
	said := fmt.Sprintf("status %d", status)
	if status == http.StatusOK {
		said = "in the stream"
	}
	if msg != "" {
		said += ": " + quote(msg)
	}
	server := status == http.StatusInternalServerError || status == http.StatusOK
	fault := func(layer grader.Layer, code, remedy string) error {
		return agent.Faultf(layer, code, "%s%s", said, remedy)
	}
	switch {
	case strings.Contains(msg, "input length exceeds") && (server || status == http.StatusBadRequest):
		return agent.End(grader.EndContext, said)
	case status == http.StatusBadRequest && contains(msg, []string{"does not support", "is not supported"}):
		return fault(grader.LayerAdapter, codeUnsupported, "; choose a model that does, or the json protocol without thinking")
	case status == http.StatusBadRequest, server && begins(msg, mistakes):
		return fault(grader.LayerAdapter, codeBadRequest, "")
	case server && (begins(msg, unread) || tools && begins(msg, unreadWithTools)):
		return agent.End(EndToolCall, said)
	case status == http.StatusNotFound && strings.Contains(msg, "model"):
		return fault(grader.LayerProvider, codeNotFound, "")
	case status == http.StatusOK, server && contains(msg, runner):
		return fault(grader.LayerProvider, codeRunner, "")
	case status == http.StatusNotFound:
		return fault(grader.LayerProvider, codeStatus, "; is this the address of an Ollama server?")
	}
	return fault(grader.LayerProvider, codeStatus, "")
}

func begins(s string, with []string) bool {
	for _, w := range with {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

func contains(s string, any []string) bool {
	for _, w := range any {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// message returns what an error response says: the text of its JSON, or all of it.
func message(body []byte) string {
	var e struct {
		Error string `json:"error"`
	}
	if err := json.Unmarshal(body, &e); err == nil {
		return e.Error
	}
	return strings.TrimSpace(string(body))
}

// broken turns an error of a call into one with a meaning; the order of rules is that of its
// lines. nil stays nil.
func (c *Client) broken(ctx context.Context, ex *exchange, err error) error {
	var fault *agent.Fault
	var ended *agent.Ended
	var ue *url.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &fault):
		return tried(fault, ex.attempts)
	case errors.As(err, &ended):
		return ended
	case ctx.Err() != nil:
		return ctx.Err()
	case ex.body != nil && ex.body.err != nil:
		return agent.Faultf(grader.LayerProvider, codeNetwork, "cut after %d bytes of the reply: %w", ex.body.n, bare(ex.body.err))
	case errors.As(err, &ue):
		return tried(agent.Faultf(grader.LayerProvider, codeNetwork, "no answer from %s: %w; is the server running there?", c.base.Redacted(), bare(ue.Err)), ex.attempts)
	}
	return agent.Faultf(grader.LayerAdapter, codeBadReply, "%s", quote(err.Error()))
}

// tried says in a fault how often the request was sent, where that was more than once.
func tried(f *agent.Fault, attempts int) *agent.Fault {
	if attempts < 2 {
		return f
	}
	return agent.Faultf(f.Layer, f.Code, "%w (%d attempts)", f.Err, attempts)
}

// bare drops the addresses and ports from a network error: they differ from run to run.
func bare(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return fmt.Errorf("%s: %w", op.Op, op.Err)
	}
	return err
}

// clip shortens text from outside to what a message may hold.
func clip(s string) string {
	const most = 300
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:cut], len(s))
}

// quote makes text from outside harmless.
func quote(s string) string { return strconv.Quote(clip(s)) }
