package ollama

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"

	"github.com/ollama/ollama/types/model"
)

const (
	// maxLine bounds one object of a stream. The client reads lines of up to 8 MB, and takes a
	// longer one for the end.
	maxLine = 4 << 20
	// What follows the last object is waited for no longer, and read no further, than this.
	tailTime  = 500 * time.Millisecond
	tailBytes = 64 << 10
)

// A stream is the body of a chat's response on its way to the client. It reads every object
// first, strictly, and keeps what the client would lose. The client gets the objects that are
// sound; after the first that is not, an error, which it ignores.
type stream struct {
	*exchange
	src   *bufio.Reader
	kind  string // content type
	sized bool   // the end of the body is marked, so that it cannot be mistaken

	pending []byte // of an object that the client has not taken yet
	lines   int
	sound   int64 // bytes of objects that were taken
	size    int   // bytes of what the model has said in them
	ended   bool  // cleanly
	err     error // *agent.Fault, *agent.Ended, or of the connection
	done    bool
	reply   agent.Reply
	in, out *int64
	text    strings.Builder
}

func newStream(ex *exchange, resp *http.Response) *stream {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return &stream{
		exchange: ex, src: bufio.NewReaderSize(ex.body, 32<<10), kind: kind,
		sized: resp.ContentLength >= 0 || len(resp.TransferEncoding) > 0 || resp.ProtoMajor > 1,
	}
}

// Read implements io.Reader.
func (s *stream) Read(p []byte) (int, error) {
	for len(s.pending) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		if s.ended {
			return 0, io.EOF
		}
		s.next()
	}
	n := copy(p, s.pending)
	s.pending = s.pending[n:]
	return n, nil
}

// Close implements io.Closer.
func (s *stream) Close() error { return s.body.Close() }

// next reads one line. The last one need not end in a line break, unless the connection broke
// there: then it is not known to be whole.
func (s *stream) next() {
	line, err := s.line()
	s.ended = err == io.EOF
	if err != nil && !s.ended {
		s.err = err
		if s.body.full() && s.sound > s.body.n/2 { // it was the model that did not stop
			s.err = tooLarge(s.body.n)
		}
		return
	}
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	s.lines++
	if s.err = s.take(line); s.err == nil {
		s.sound += int64(len(line))
		s.pending = append(line, '\n')
	}
	if s.done && s.err == nil {
		s.err = s.rest()
	}
}

// line returns a line without its break, in memory of its own.
func (s *stream) line() ([]byte, error) {
	var line []byte
	for {
		part, err := s.src.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, agent.Faultf(grader.LayerAdapter, codeTooLarge, "object %d has more than %d bytes", s.lines+1, maxLine)
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimSuffix(line, []byte("\n")), err
		}
	}
}

// rest reads what follows the last object, which must be nothing. The reply is complete: that the
// connection breaks there, or does not come to its end, does no harm.
func (s *stream) rest() error {
	late := time.AfterFunc(tailTime, s.stop)
	defer late.Stop()
	s.ended = true
	for range tailBytes {
		c, err := s.src.ReadByte()
		switch {
		case err != nil:
			return nil
		case !strings.ContainsRune(" \t\r\n", rune(c)):
			return agent.Faultf(grader.LayerAdapter, codeBadReply, "there is more after the object that says done")
		}
	}
	return nil
}

// tooLarge ends an episode whose model says more than any reply may hold.
func tooLarge(n int64) error {
	return agent.End(agent.ReplyTooLarge, fmt.Sprintf("the reply went on after %d bytes", n))
}

// object is what is read of an object in the stream. Numbers are kept as they are spelled: the
// client's own types turn a missing one into 0, and refuse the whole object for a bad one.
type object struct {
	Error   json.RawMessage `json:"error"`
	Model   string          `json:"model"`
	Message *struct {
		Content   string `json:"content"`
		Thinking  string `json:"thinking"`
		ToolCalls []struct {
			Function struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"message"`
	Done           bool            `json:"done"`
	DoneReason     string          `json:"done_reason"`
	PromptCount    json.RawMessage `json:"prompt_eval_count"`
	Count          json.RawMessage `json:"eval_count"`
	TotalDuration  json.RawMessage `json:"total_duration"`
	LoadDuration   json.RawMessage `json:"load_duration"`
	PromptDuration json.RawMessage `json:"prompt_eval_duration"`
	Duration       json.RawMessage `json:"eval_duration"`
}

// take reads one object into the reply.
func (s *stream) take(line []byte) error {
	bad := func(format string, args ...any) error {
		return agent.Faultf(grader.LayerAdapter, codeBadReply, "object %d of the stream (%s): "+format, append([]any{s.lines, quote(s.kind)}, args...)...)
	}
	var o object
	if err := json.Unmarshal(line, &o); err != nil {
		return bad("%w: %s", err, quote(string(line)))
	}
	if e := string(o.Error); e != "" && e != "null" {
		msg := e
		json.Unmarshal(o.Error, &msg)
		return classify(http.StatusOK, msg, s.tools)
	}
	if o.Message == nil && !o.Done {
		return bad("it has no message: %s", quote(string(line)))
	}
	if o.Model != "" {
		if !sameModel(o.Model, s.model) {
			return agent.Faultf(grader.LayerAdapter, codeWrongModel, "%s answered for %q", quote(o.Model), s.model)
		}
		s.reply.Model = o.Model
	}
	if m := o.Message; m != nil {
		s.text.WriteString(m.Content)
		s.size += len(m.Content)
		s.reply.Thinking += len(m.Thinking)
		for _, c := range m.ToolCalls {
			s.size += len(c.Function.Name) + len(c.Function.Arguments)
			s.reply.Calls = append(s.reply.Calls, sim.Call{Name: c.Function.Name, Arguments: arguments(c.Function.Arguments)})
		}
	}
	if s.size > agent.MaxReply {
		return tooLarge(int64(s.size))
	}
	if !o.Done {
		return nil
	}
	s.done = true
	s.reply.DoneReason = clip(o.DoneReason)
	s.in, s.out = count(o.PromptCount), count(o.Count)
	if s.in != nil && *s.in == 0 {
		s.in = nil // no prompt is empty
	}
	if s.out != nil && *s.out == 0 && s.text.Len() > 0 {
		s.out = nil // nor is a reply with text
	}
	s.reply.Timing = agent.Timing{
		Total: nanoseconds(o.TotalDuration), Load: nanoseconds(o.LoadDuration),
		Prompt: nanoseconds(o.PromptDuration), Output: nanoseconds(o.Duration),
	}
	return nil
}

// arguments returns a call's arguments in canonical form; what has none, such as an object with
// a duplicate key, stays as it was spelled.
func arguments(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage("{}")
	}
	if c, err := sim.Canonical(raw); err == nil {
		return c
	}
	return bytes.Clone(raw)
}

// count reads a number of tokens. What cannot be one is unknown, like one that is not given.
func count(raw json.RawMessage) *int64 {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n < 0 || n > 1e9 {
		return nil
	}
	return agent.Tokens(n)
}

// nanoseconds reads a duration; 0 stands for unknown, and for anything above a week.
func nanoseconds(raw json.RawMessage) time.Duration {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if d := time.Duration(n); err == nil && d >= 0 && d < 7*24*time.Hour {
		return d
	}
	return 0
}

// result returns what has come, and why that is not a whole reply if it is not. The order of
// rules: what was wrong with an object; a complete reply; how the body ended. client is the
// client's own error.
func (s *stream) result(client error) error {
	var fault *agent.Fault
	var ended *agent.Ended
	switch {
	case errors.As(s.err, &fault), errors.As(s.err, &ended):
		return s.err
	case s.done:
		return nil
	case s.err != nil:
		return s.err
	case !s.ended || client != nil:
		return agent.Faultf(grader.LayerAdapter, codeBadReply, "object %d of the stream (%s): %w", s.lines, quote(s.kind), client)
	case s.lines == 0 && s.kind != "application/x-ndjson":
		return agent.Faultf(grader.LayerAdapter, codeBadReply, "the body is empty (%s)", quote(s.kind))
	case !s.sized:
		return agent.Faultf(grader.LayerProvider, codeNetwork, "the body has neither a length nor a last object, so it may have been cut after %d objects", s.lines)
	}
	return agent.End(grader.EndNoDone, "the stream ended without an object that says done, as it does when a model repeats itself")
}

// sameModel reports whether two names mean the same model: "tiny" is "tiny:latest".
func sameModel(a, b string) bool {
	return a == b || model.ParseName(a).EqualFold(model.ParseName(b))
}
