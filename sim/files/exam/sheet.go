package exam

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"benchwright/sim"
	"benchwright/sim/files"
)

// Runner is the observer's Python source.
//
//go:embed run_hidden_tests.py
var Runner string

// A Sheet is all that is asked of a workspace's code, and what it should answer.
type Sheet struct {
	Runs    int // how often everything is observed: 1, or 2 where outputs must be reproducible
	Seconds int // wall clock of one case
	Cases   []Case
	Checks  []Check

	// Together says that whoever asks has made all workspaces, so that the observer need not keep them,
	// nor their cases, apart, and may believe their code in how it ended. It costs less, and is for
	// proofs about instances alone. It is no part of the sheet's files.
	Together bool
}

// A Case is one thing that is done in a fresh copy of a workspace: a script, or calls. Neighbouring
// cases of calls share a copy and a process.
type Case struct {
	ID     string            `json:"id"`
	Files  map[string]string `json:"files,omitempty"` // put over the workspace
	Clear  []string          `json:"clear,omitempty"` // files and folders removed before that
	Script []string          `json:"script,omitempty"`
	Root   string            `json:"root,omitempty"` // folder of the modules that are called
	Calls  []Call            `json:"calls,omitempty"`
	Read   []string          `json:"read,omitempty"` // files to report afterwards
}

// Clears reports whether a file of the workspace is not there for the case.
func (c Case) Clears(path string) bool {
	return slices.ContainsFunc(c.Clear, func(place string) bool {
		return path == place || strings.HasPrefix(path, place+"/")
	})
}

// A Call calls a function. An argument {"$time": "2024-03-01T10:00:00"} is a moment; results come
// back as JSON, moments as such objects.
type Call struct {
	Module   string `json:"module"`
	Function string `json:"function"`
	Args     []any  `json:"args"`
}

// A Check holds or does not: of one case, in one aspect.
type Check struct {
	ID         string `json:"id"`
	Test       string `json:"test"`                 // checks of one test pass together
	Capability string `json:"capability,omitempty"` // what an agent must be able to do, for weighted scores
	Case       string `json:"case"`
	Aspect     Aspect `json:"aspect"`
	File       string `json:"file,omitempty"` // whose contents are looked at; "" is the list of the calls' values
	By         string `json:"by,omitempty"`   // key, for Order
	Want       any    `json:"want,omitempty"`
}

// An Aspect is what a check looks at. All but Content and Same demand that the case ended well.
// Content looks at what was left in the workspace, before anything ran: the check's case is but the
// one that it is told with.
type Aspect string

const (
	Runs    Aspect = "runs"    // it ended well
	Equal   Aspect = "equal"   // the JSON is Want: numbers by value, lists in order
	List    Aspect = "list"    // the JSON is a list
	Keys    Aspect = "keys"    // it is rows, at least one, each with just the keys of Want
	Order   Aspect = "order"   // the rows' values of By are those of Want, in order
	Content Aspect = "content" // the JSON of the workspace's file is Want
	Same    Aspect = "same"    // both runs left the same bytes
)

// Validate says what is wrong with a sheet.
func (s *Sheet) Validate() error {
	if err := s.validateCases(); err != nil {
		return err
	}
	return s.validateChecks()
}

func (s *Sheet) validateCases() error {
	if s.Runs < 1 || s.Runs > 2 || s.Seconds < 1 || s.Seconds > 60 || len(s.Cases) == 0 {
		return errors.New("want 1 or 2 runs, 1 to 60 seconds, and cases")
	}
	cases, shared := map[string]bool{}, map[string]string{}
	for _, c := range s.Cases {
		if err := c.validate(); err != nil {
			return fmt.Errorf("case %q: %w", c.ID, err)
		}
		if c.ID == "" || strings.ContainsAny(c.ID, "/ ") || (len(c.Script) == 0) == (len(c.Calls) == 0) {
			return fmt.Errorf("case %q: want an id, and either a script or calls", c.ID)
		}
		if cases[c.ID] {
			return fmt.Errorf("case %q is there twice", c.ID)
		}
		if len(c.Calls) > 0 && len(c.Read)+len(c.Clear) > 0 {
			return fmt.Errorf("case %q: calls share a copy with others: they read and clear no files", c.ID)
		}
		for p, text := range c.Files {
			if before, there := shared[p]; there && before != text && len(c.Calls) > 0 {
				return fmt.Errorf("case %q: calls share a copy with others, of which one has another %s", c.ID, p)
			}
			if len(c.Calls) > 0 {
				shared[p] = text
			}
		}
		cases[c.ID] = true
	}
	return nil
}

func (s *Sheet) validateChecks() error {
	if len(s.Checks) == 0 {
		return errors.New("want checks")
	}
	cases := map[string]Case{}
	for _, c := range s.Cases {
		cases[c.ID] = c
	}
	ids := map[string]bool{}
	for _, k := range s.Checks {
		c, ok := cases[k.Case]
		switch {
		case k.ID == "" || ids[k.ID]:
			return fmt.Errorf("check %q: ids must be there, once each", k.ID)
		case k.Test == "":
			return fmt.Errorf("check %q belongs to no test", k.ID)
		case !ok:
			return fmt.Errorf("check %q: there is no case %q", k.ID, k.Case)
		case k.Aspect == Runs:
		case k.Aspect == Content && (files.Tree{k.File: ""}).Check("file") != nil:
			return fmt.Errorf("check %q: want the relative path of a file, not %q", k.ID, k.File)
		case k.Aspect == Content && k.Want != nil:
		case k.File != "" && !slices.Contains(c.Read, k.File):
			return fmt.Errorf("check %q: case %s does not read %q", k.ID, k.Case, k.File)
		case k.File == "" && len(c.Calls) == 0:
			return fmt.Errorf("check %q: a script returns nothing: name a file", k.ID)
		case k.Aspect == Same && s.Runs < 2:
			return fmt.Errorf("check %q: one run cannot be the same as another", k.ID)
		case !slices.Contains([]Aspect{Equal, List, Keys, Order, Content, Same}, k.Aspect):
			return fmt.Errorf("check %q: unknown aspect %q", k.ID, k.Aspect)
		case k.Want == nil && k.Aspect != List && k.Aspect != Same:
			return fmt.Errorf("check %q wants nothing", k.ID)
		}
		ids[k.ID] = true
	}
	return nil
}

// validate says what the observer could not do in any workspace.
func (c Case) validate() error {
	if err := files.Tree(c.Files).Check("files"); err != nil {
		return err
	}
	for _, list := range []struct {
		name  string
		paths []string
	}{{"clear", c.Clear}, {"read", c.Read}} {
		for _, p := range list.paths {
			if err := (files.Tree{p: ""}).Check(list.name); err != nil {
				return err
			}
		}
	}
	if c.Root != "" && c.Root != "." {
		if err := (files.Tree{c.Root: ""}).Check("root"); err != nil {
			return err
		}
	}
	if len(c.Script) > 0 {
		if err := Script(c.Script); err != nil {
			return fmt.Errorf("script: %w", err)
		}
	}
	for _, call := range c.Calls {
		for _, name := range []string{call.Module, call.Function} {
			if name == "" || strings.ContainsAny(name, "/\\ \x00") || !utf8.ValidString(name) {
				return fmt.Errorf("calls: %q is no name of a module or function", name)
			}
		}
	}
	return nil
}

// Script says what is wrong with a script of a workspace and its arguments: the first word is the
// path of a file, and none of Python's options.
func Script(words []string) error {
	if strings.HasPrefix(words[0], "-") {
		return fmt.Errorf("%q is an option of Python: want the path of a script", words[0])
	}
	for _, w := range words {
		if strings.ContainsRune(w, 0) || !utf8.ValidString(w) {
			return fmt.Errorf("%q cannot be an argument", w)
		}
	}
	return files.Tree{words[0]: ""}.Check("path")
}

// Capabilities lists the capabilities of the checks, in order of appearance.
func (s *Sheet) Capabilities() []string {
	var list []string
	for _, k := range s.Checks {
		if k.Capability != "" && !slices.Contains(list, k.Capability) {
			list = append(list, k.Capability)
		}
	}
	return list
}

type wireCases struct {
	Runs    int    `json:"runs"`
	Seconds int    `json:"seconds"`
	Cases   []Case `json:"cases"`
}

type wireChecks struct {
	Checks []Check `json:"checks"`
}

// Files writes a sheet as files of a hidden tree.
func (s *Sheet) Files() (files.Tree, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return files.Tree{
		"cases.json":           files.JSON(wireCases{s.Runs, s.Seconds, s.Cases}),
		"expected_checks.json": files.JSON(wireChecks{s.Checks}),
		"run_hidden_tests.py":  Runner,
	}, nil
}

// ParseSheet reads the sheet of a hidden tree.
func ParseSheet(hidden files.Tree) (*Sheet, error) {
	var cases wireCases
	var checks wireChecks
	for _, f := range []struct {
		name string
		into any
	}{{"cases.json", &cases}, {"expected_checks.json", &checks}} {
		if err := parse(hidden, f.name, f.into); err != nil {
			return nil, fmt.Errorf("hidden/%s: %w", f.name, err)
		}
	}
	s := &Sheet{Runs: cases.Runs, Seconds: cases.Seconds, Cases: cases.Cases, Checks: checks.Checks}
	if err := s.validateCases(); err != nil {
		return nil, fmt.Errorf("hidden/cases.json: %w", err)
	}
	if err := s.validateChecks(); err != nil {
		return nil, fmt.Errorf("hidden/expected_checks.json: %w", err)
	}
	return s, nil
}

func parse(hidden files.Tree, name string, into any) error {
	text, ok := hidden[name]
	if !ok {
		return errors.New("there is no such file")
	}
	if _, err := sim.ParseJSON([]byte(text)); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	d.DisallowUnknownFields()
	return d.Decode(into)
}
