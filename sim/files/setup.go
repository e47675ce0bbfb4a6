package files

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"benchwright/sim"
)

// A Setup says which workspace an episode is played in: one to be compiled, or one that somebody
// else compiled. Exactly one of the two is given.
type Setup struct {
	Spec   *Spec   `json:"spec,omitempty"`
	Bundle *Bundle `json:"bundle,omitempty"`

	// Limits of the episode's own; 0 takes those of the workspace.
	MaxSteps         int `json:"max_steps,omitempty"`
	TimeLimitSeconds int `json:"time_limit_seconds,omitempty"`

	// MaxObservation is how many characters of contents and streams one result shows: 0 means
	// 20,000, a negative number all.
	MaxObservation int `json:"max_observation_chars,omitempty"`
	// Unguided leaves out the messages that begin "Guidance:" and "Submit correction:"; then
	// whatever is submitted ends the episode.
	Unguided bool `json:"unguided,omitempty"`
	// Commands says that the task cannot be done, or not be graded, without running commands. Where
	// none can be run, no world is made: the error wraps [errors.ErrUnsupported].
	Commands bool `json:"commands,omitempty"`
}

// A Bundle is the public half of an instance: all that a world needs of it. Nothing hidden is in
// it.
type Bundle struct {
	Files            map[string]File `json:"files"`
	Tools            ToolPermissions `json:"tool_permissions"`
	MaxSteps         int             `json:"max_steps"`
	TimeLimitSeconds int             `json:"time_limit_seconds"`
	Observability    Observability   `json:"observability"`
	Work             Work            `json:"work"`
}

// Work says what an agent's guidance is about. All of it stands in what the agent may read.
type Work struct {
	Required   string   `json:"required_path,omitempty"` // the artifact that has to be there
	Entrypoint string   `json:"entrypoint,omitempty"`    // the documented command that checks the work
	Targets    []string `json:"target_files,omitempty"`  // the files that are likely to need a change
}

// BundleOf returns the public half of an instance.
func BundleOf(in *Instance) *Bundle {
	m := &in.Manifest
	b := &Bundle{
		Files: make(map[string]File, len(in.Visible)), Tools: m.Tools,
		MaxSteps: m.MaxSteps, TimeLimitSeconds: m.TimeLimitSeconds,
		Observability: Observability{true, true, true}, Work: workOf(m),
	}
	for p, text := range in.Visible {
		if utf8.ValidString(text) {
			b.Files[p] = File{Text: &text}
			continue
		}
		raw := base64.StdEncoding.EncodeToString([]byte(text))
		b.Files[p] = File{Base64: &raw}
	}
	return b
}

// workOf reads what is public of an instance's work from its layout and its task.json.
func workOf(m *Manifest) Work {
	w := Work{Required: m.Metadata.Layout.OutputPath}
	if w.Required == "" {
		w.Required = m.Metadata.Layout.TargetPath
	}
	w.Entrypoint, _ = m.Metadata.Task["entrypoint"].(string)
	switch list := m.Metadata.Task["target_files"].(type) {
	case []string:
		w.Targets = slices.Clone(list)
	case []any:
		for _, v := range list {
			if s, ok := v.(string); ok {
				w.Targets = append(w.Targets, s)
			}
		}
	}
	return w
}

// JSON returns the setup as tasks hold it.
func (s Setup) JSON() json.RawMessage { return sim.MustCanonical(s) }

// ParseSetup reads a setup. Unknown fields are errors.
func ParseSetup(raw []byte) (Setup, error) {
	var wire struct {
		Setup
		Spec json.RawMessage `json:"spec"`
	}
	if err := strict(raw, &wire); err != nil {
		return Setup{}, errorf("setup: %w", err)
	}
	s := wire.Setup
	if wire.Spec != nil {
		spec, err := ParseSpec(wire.Spec)
		if err != nil {
			return Setup{}, errorf("setup: %w", err)
		}
		s.Spec = &spec
	}
	switch {
	case (s.Spec == nil) == (s.Bundle == nil):
		return Setup{}, errorf("setup: want either spec or bundle")
	case s.MaxSteps < 0 || s.TimeLimitSeconds < 0:
		return Setup{}, errorf("setup: max_steps and time_limit_seconds must be positive")
	case s.MaxSteps > mostSteps || s.TimeLimitSeconds > mostSeconds:
		return Setup{}, errorf("setup: max_steps must not be more than %d, and time_limit_seconds not more than %d", mostSteps, mostSeconds)
	}
	if s.Bundle != nil {
		if err := s.Bundle.check(); err != nil {
			return Setup{}, errorf("setup: bundle: %w", err)
		}
	}
	return s, nil
}

func (b *Bundle) check() error {
	switch {
	case len(b.Files) == 0:
		return errors.New("there are no files")
	}
	return bounded(b.MaxSteps, b.TimeLimitSeconds, b.Tools)
}

// What limits may be. Beyond, a time could not be counted, and an episode would be over before it
// began.
const (
	mostSteps   = 1 << 30
	mostSeconds = 1 << 20
)

// bounded says what is wrong with the limits of an episode.
func bounded(steps, seconds int, tools ToolPermissions) error {
	shell, python := tools.ShellTimeoutSeconds, tools.PythonTimeoutSeconds
	switch {
	case steps <= 0:
		return errors.New("max_steps must be positive")
	case steps > mostSteps:
		return fmt.Errorf("max_steps must not be more than %d", mostSteps)
	case seconds <= 0:
		return errors.New("time_limit_seconds must be positive")
	case seconds > mostSeconds:
		return fmt.Errorf("time_limit_seconds must not be more than %d", mostSeconds)
	case shell <= 0 || python <= 0:
		return errors.New("tool_permissions: timeouts must be positive")
	case shell > mostSeconds || python > mostSeconds:
		return fmt.Errorf("tool_permissions: timeouts must not be more than %d seconds", mostSeconds)
	}
	return nil
}

// snapshot reads the files of a bundle.
func (b *Bundle) snapshot() (*snapshot, error) {
	seen := Tree{}
	entries := make([]entry, 0, len(b.Files))
	for p, f := range b.Files {
		n, err := f.node()
		if err == nil && n.kind == sealed {
			err = errors.New("its content is missing")
		}
		if err != nil {
			return nil, errorf("setup: file %q: %w", clip(p), err)
		}
		seen[p] = ""
		entries = append(entries, entry{p, n})
	}
	if err := seen.Check("setup"); err != nil {
		return nil, errorf("%w", err)
	}
	return newSnapshot(entries), nil
}

// strict reads JSON into v: one value, no unknown fields, no key twice.
func strict(raw []byte, v any) error {
	if _, err := sim.ParseJSON(raw); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one value")
	}
	return nil
}

func errorf(format string, args ...any) error { return fmt.Errorf("files: "+format, args...) }
