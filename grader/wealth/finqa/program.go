package finqa

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

const (
	// maxSteps bounds what a hostile program can cost. FinQA's own programs have a handful of steps.
	maxSteps = 1000
	// maxDepth bounds the recursion on nested programs.
	maxDepth = 100
)

// Program is a valid FinQA program, made by [Parse] or [ParseTokens].
//
// What can be known without a table has been checked: operations, literals, references. The zero Program has no
// steps; running it is an error. A Program is immutable and may be used by several goroutines.
type Program struct {
	steps []step
}

// step is one operation. Steps are comparable: equal steps at equal places mean the same.
type step struct {
	op   operation
	a, b argument // of arithmetic and greater
	row  string   // of table operations
}

// argument is a literal or a reference to an earlier step.
type argument struct {
	text  string // as written, without white space around it; "#k" for a reference, also in nested programs
	isRef bool
	ref   int     // the step referred to
	value float64 // of a literal
}

// String returns the program in the flat form, whatever form it was parsed from.
//
// Parsing the result gives the same program, with one exception: a token list may hold an argument that contains a
// comma followed by a blank, which no text can express.
func (p Program) String() string {
	texts := make([]string, len(p.steps))
	for i, s := range p.steps {
		texts[i] = s.String()
	}
	return strings.Join(texts, separator)
}

func (s step) String() string {
	if s.op.readsTable() {
		return string(s.op) + "(" + s.row + separator + noArgument + ")"
	}
	return string(s.op) + "(" + s.a.text + separator + s.b.text + ")"
}

// add checks one step against the steps before it and appends it. The arguments are trimmed here. The error names
// the argument but not the place, which only the caller knows.
func (p *Program) add(op operation, a, b string) error {
	if len(p.steps) == maxSteps {
		return fmt.Errorf("too long: a program has at most %d steps", maxSteps)
	}
	if op.readsTable() {
		row, err := rowLabel(a, b)
		if err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
		p.steps = append(p.steps, step{op: op, row: row})
		return nil
	}
	s := step{op: op}
	var err error
	if s.a, err = p.argument(a); err != nil {
		return fmt.Errorf("%s: argument 1: %w", op, err)
	}
	if s.b, err = p.argument(b); err != nil {
		return fmt.Errorf("%s: argument 2: %w", op, err)
	}
	p.steps = append(p.steps, s)
	return nil
}

// argument reads one argument of the step that would be appended next.
func (p *Program) argument(text string) (argument, error) {
	text = trim(text)
	if text == "" {
		return argument{}, fmt.Errorf("empty (want %s)", literalForms)
	}
	if !strings.HasPrefix(text, "#") {
		value, err := literal(text)
		if err != nil {
			return argument{}, fmt.Errorf("%s: %w", quote(text), err)
		}
		return argument{text: text, value: value}, nil
	}
	k, err := strconv.Atoi(text[1:])
	if err != nil || k < 0 || reference(k) != text {
		return argument{}, fmt.Errorf("%s: a reference is # and the number of a step, such as #0", quote(text))
	}
	if k >= len(p.steps) {
		return argument{}, fmt.Errorf("%s refers to a later or missing step (only earlier steps, from #0 on, have a result)",
			text)
	}
	if p.steps[k].op == opGreater {
		return argument{}, fmt.Errorf("%s is yes or no, the result of greater (only a number can be used)", text)
	}
	return argument{text: text, isRef: true, ref: k}, nil
}

// reference is the text that refers to step k.
func reference(k int) string { return "#" + strconv.Itoa(k) }

// rowLabel checks the two arguments of a table operation and returns the trimmed label.
func rowLabel(a, b string) (string, error) {
	a, b = trim(a), trim(b)
	if a == "" {
		return "", errors.New("argument 1: empty (want the label of a row)")
	}
	if strings.HasPrefix(a, "#") && strings.Trim(a[1:], "0123456789") == "" {
		return "", fmt.Errorf("argument 1: %s: a table operation takes the label of a row, not a reference", quote(a))
	}
	if b != noArgument {
		return "", fmt.Errorf("argument 2: %s: the second argument of a table operation is %s", quote(b), noArgument)
	}
	return a, nil
}
