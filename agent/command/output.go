package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"benchwright/sim"
)

// MaxOutput is how many bytes of an output file are read.
const MaxOutput = 4 << 20

// MaxCalls is how many calls an output may hold.
const MaxCalls = 10_000

// ParseError is the name of the call that stands for output that cannot be read.
const ParseError = "agent_output_parse_error"

// readOutput returns what a process left in its output file: nothing where there is none.
func readOutput(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, errors.New("the output cannot be opened; it must be a plain file")
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, errors.New("the output is not a plain file")
	}
	raw, err := io.ReadAll(io.LimitReader(f, MaxOutput+1))
	switch {
	case err != nil:
		return nil, errors.New("the output cannot be read")
	case len(raw) > MaxOutput:
		return nil, fmt.Errorf("the output has more than %d bytes", MaxOutput)
	}
	return raw, nil
}

// ParseOutput reads calls from an output: one object a line, or one JSON list of objects. Empty
// lines are skipped, other keys ignored. An error names the line, or the place in the list.
func ParseOutput(raw []byte) ([]sim.Call, error) {
	raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
	var calls []sim.Call
	add := func(where string, n int, raw json.RawMessage) error {
		c, err := parseCall(raw)
		if err != nil {
			return fmt.Errorf("%s %d: %w", where, n, err)
		}
		if calls = append(calls, c); len(calls) > MaxCalls {
			return fmt.Errorf("the output holds more than %d calls", MaxCalls)
		}
		return nil
	}
	if trimmed := bytes.TrimSpace(raw); len(trimmed) > 0 && trimmed[0] == '[' {
		var list []json.RawMessage
		if err := json.Unmarshal(trimmed, &list); err != nil {
			return nil, fmt.Errorf("the list is not JSON: %w", err)
		}
		for i, raw := range list {
			if err := add("call", i+1, raw); err != nil {
				return nil, err
			}
		}
		return calls, nil
	}
	for i, line := range bytes.Split(raw, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := add("line", i+1, line); err != nil {
			return nil, err
		}
	}
	return calls, nil
}

func parseCall(raw json.RawMessage) (sim.Call, error) {
	var o struct {
		Tool, Name      *string
		Args, Arguments json.RawMessage
	}
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return sim.Call{}, errors.New("want a JSON object")
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return sim.Call{}, err
	}
	if o.Tool == nil {
		o.Tool = o.Name
	}
	if o.Tool == nil || *o.Tool == "" {
		return sim.Call{}, errors.New(`the call has no "tool"`)
	}
	if o.Args == nil {
		o.Args = o.Arguments
	}
	return sim.Call{Name: *o.Tool, Arguments: o.Args}, nil
}
