package files

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"benchwright/sim"
)

// An Outcome is what an agent sees of a call: the data of a result.
type Outcome struct {
	Content         *string   `json:"content"`
	Done            bool      `json:"done"` // the episode is over
	Error           *string   `json:"error"`
	ExitCode        *int      `json:"exit_code"`
	Guidance        *string   `json:"guidance"` // begins "Guidance:" or "Submit correction:"
	Listing         []string  `json:"listing"`
	Message         string    `json:"message"`
	Omitted         int       `json:"omitted"` // characters of content and streams that were cut off
	State           ToolState `json:"state"`   // after the call
	Stderr          string    `json:"stderr"`
	Stdout          string    `json:"stdout"`
	Success         bool      `json:"success"`
	TouchedFiles    []string  `json:"touched_files"`
	WorkspaceDigest *string   `json:"workspace_digest"`
}

// ToolState is where an episode stands before a call.
type ToolState struct {
	AvailableTools []string `json:"available_tools"`
	LastExitCode   *int     `json:"last_exit_code"` // of the previous call, where it ran something
	RecentFiles    []string `json:"recent_files"`   // that the previous call touched
	RemainingSteps int      `json:"remaining_steps"`
	StepIndex      int      `json:"step_index"` // counted from 0
	Submitted      bool     `json:"submitted"`
}

// ParseOutcome reads the data of a result of this package's worlds.
func ParseOutcome(data json.RawMessage) (Outcome, error) {
	var o Outcome
	if err := strict(data, &o); err != nil {
		return o, errorf("outcome: %w", err)
	}
	return o, nil
}

// Text returns the outcome as the published harness words an observation: the message, then what
// there is of content, streams, error and exit code, then what was cut off, then the tool state,
// then the guidance.
func (o Outcome) Text() string {
	var b strings.Builder
	b.WriteString(o.Message)
	if o.Content != nil && *o.Content != "" {
		b.WriteString("\n" + *o.Content)
	}
	for _, s := range []struct{ name, text string }{{"stdout", o.Stdout}, {"stderr", o.Stderr}} {
		if s.text != "" {
			b.WriteString("\n" + s.name + ":\n" + strings.TrimSuffix(s.text, "\n"))
		}
	}
	if o.Error != nil {
		b.WriteString("\nerror: " + *o.Error)
	}
	if o.ExitCode != nil {
		b.WriteString("\nexit_code: " + strconv.Itoa(*o.ExitCode))
	}
	if o.Omitted > 0 {
		fmt.Fprintf(&b, "\n[%d more characters were omitted]", o.Omitted)
	}
	b.WriteString("\n" + o.State.String())
	if o.Guidance != nil {
		b.WriteString("\n\n" + *o.Guidance)
	}
	return b.String()
}

// String is one line, without the tools, which stay the same.
func (s ToolState) String() string {
	code, recent := "none", "none"
	if s.LastExitCode != nil {
		code = strconv.Itoa(*s.LastExitCode)
	}
	if len(s.RecentFiles) > 0 {
		const most = 10
		recent = strings.Join(s.RecentFiles[:min(most, len(s.RecentFiles))], ", ")
		if more := len(s.RecentFiles) - most; more > 0 {
			recent += fmt.Sprintf(" and %d more", more)
		}
	}
	return fmt.Sprintf("[step_index: %d; remaining_steps: %d; last_exit_code: %s; recent_files: %s; submitted: %t]",
		s.StepIndex, s.RemainingSteps, code, recent, s.Submitted)
}

// encode returns the outcome as canonical JSON.
func (o *Outcome) encode() json.RawMessage {
	size := 512 + len(o.Message) + len(o.Stdout) + len(o.Stderr)
	if o.Content != nil {
		size += len(*o.Content)
	}
	b := append(make([]byte, 0, size), `{"content":`...)
	b = appendMaybe(b, o.Content)
	b = strconv.AppendBool(append(b, `,"done":`...), o.Done)
	b = appendMaybe(append(b, `,"error":`...), o.Error)
	b = appendNumber(append(b, `,"exit_code":`...), o.ExitCode)
	b = appendMaybe(append(b, `,"guidance":`...), o.Guidance)
	b = appendTexts(append(b, `,"listing":`...), o.Listing)
	b = appendText(append(b, `,"message":`...), o.Message)
	b = strconv.AppendInt(append(b, `,"omitted":`...), int64(o.Omitted), 10)
	b = appendTexts(append(b, `,"state":{"available_tools":`...), o.State.AvailableTools)
	b = appendNumber(append(b, `,"last_exit_code":`...), o.State.LastExitCode)
	b = appendTexts(append(b, `,"recent_files":`...), o.State.RecentFiles)
	b = strconv.AppendInt(append(b, `,"remaining_steps":`...), int64(o.State.RemainingSteps), 10)
	b = strconv.AppendInt(append(b, `,"step_index":`...), int64(o.State.StepIndex), 10)
	b = strconv.AppendBool(append(b, `,"submitted":`...), o.State.Submitted)
	b = appendText(append(b, `},"stderr":`...), o.Stderr)
	b = appendText(append(b, `,"stdout":`...), o.Stdout)
	b = strconv.AppendBool(append(b, `,"success":`...), o.Success)
	b = appendTexts(append(b, `,"touched_files":`...), o.TouchedFiles)
	b = appendMaybe(append(b, `,"workspace_digest":`...), o.WorkspaceDigest)
	return append(b, '}')
}

func appendText(b []byte, s string) []byte { return sim.AppendCanonical(b, s) }

func appendTexts(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, s)
	}
	return append(b, ']')
}

func appendMaybe(b []byte, s *string) []byte {
	if s == nil {
		return append(b, "null"...)
	}
	return appendText(b, *s)
}

func appendNumber(b []byte, n *int) []byte {
	if n == nil {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, int64(*n), 10)
}

// cut bounds content, standard output and standard error, in this order, to so many characters
// together, and counts what it cut off. A negative bound cuts nothing.
func (o *Outcome) cut(most int) {
	if most < 0 {
		return
	}
	bound := func(s string) string {
		kept, n, left := prefix(s, most)
		most -= n
		o.Omitted += left
		return kept
	}
	if o.Content != nil {
		c := bound(*o.Content)
		o.Content = &c
	}
	o.Stdout, o.Stderr = bound(o.Stdout), bound(o.Stderr)
}

// prefix returns the first n characters of a text, how many those are, and how many more there
// were.
func prefix(s string, n int) (kept string, taken, left int) {
	if len(s) <= n { // no text has more characters than bytes
		return s, utf8.RuneCountInString(s), 0
	}
	for i := range s {
		if taken == n {
			return s[:i], taken, utf8.RuneCountInString(s[i:])
		}
		taken++
	}
	return s, taken, 0
}

// echo is what a message repeats of what an agent sent.
func echo(s string) string {
	const most = 500
	if kept, _, left := prefix(s, most); left > 0 {
		return kept + "…"
	}
	return s
}
