package finqa

import (
	"fmt"
	"strings"
)

// separator stands between steps and between arguments. The blank is part of it: a comma alone belongs to a number.
const separator = ", "

// Parse reads a program in the flat or the nested form; the package comment gives the rules.
//
// Everything that is not exactly a program is an error, which names the byte where it was found: an unknown
// operation, a wrong number of arguments, an invalid literal, a reference to a later, missing or yes/no step, a mix
// of the two forms, white space outside an argument, and the empty text. Parse never panics.
func Parse(text string) (Program, error) {
	p := parser{text: text}
	for {
		if err := p.operation(0); err != nil {
			return Program{}, err
		}
		p.finished++
		if p.pos == len(p.text) {
			return p.program, nil
		}
		if !strings.HasPrefix(p.text[p.pos:], separator) {
			return Program{}, p.errorf(p.pos, "%s: after a step comes %q and the next step, or nothing",
				quote(p.text[p.pos:]), separator)
		}
		if p.nested {
			return Program{}, p.errorf(p.pos, "a nested program is a single operation (use #k in all steps or in none)")
		}
		p.pos += len(separator)
	}
}

// parser holds the state of one Parse: recursive descent over
//
//	program   = operation { ", " operation }
//	operation = name "(" argument ", " argument ")"
//	argument  = operation | text
type parser struct {
	text     string
	pos      int
	program  Program
	finished int  // operations finished at the top level
	nested   bool // whether an operation stood in the place of an argument
}

// errorf makes an error that begins with its place.
func (p *parser) errorf(pos int, format string, args ...any) error {
	return fmt.Errorf("at byte %d: %w", pos, fmt.Errorf(format, args...))
}

// operation reads one operation and the operations nested in it, and appends their steps in the order of
// evaluation.
func (p *parser) operation(depth int) error {
	start := p.pos
	if depth > maxDepth {
		return p.errorf(start, "nested too deeply (at most %d operations inside each other)", maxDepth)
	}
	bracket := strings.IndexByte(p.text[start:], '(')
	if bracket < 0 {
		return p.errorf(start, "%s: want an operation with its bracket, such as add(1, 2)", quote(p.text[start:]))
	}
	op := operation(p.text[start : start+bracket])
	if !op.known() {
		return p.errorf(start, "%s: unknown operation (want one of %s)", quote(string(op)), operationList())
	}
	p.pos += bracket + 1
	a, err := p.argument(op, depth)
	if err != nil {
		return err
	}
	if !p.skip(separator) {
		return p.errorf(p.pos, "%s: after the first argument comes %q and the second, not %s",
			op, separator, quote(p.text[p.pos:]))
	}
	b, err := p.argument(op, depth)
	if err != nil {
		return err
	}
	if !p.skip(")") {
		return p.errorf(p.pos, "%s: after the second argument comes a closing bracket, not %s", op, quote(p.text[p.pos:]))
	}
	if err := p.program.add(op, a, b); err != nil {
		return p.errorf(start, "%w", err)
	}
	return nil
}

// argument reads an argument of op as a text. An operation in its place is parsed and replaced by a reference.
func (p *parser) argument(op operation, depth int) (string, error) {
	rest := p.text[p.pos:]
	end := len(rest)
	if i := strings.IndexAny(rest, "()"); i >= 0 {
		end = i
	}
	if i := strings.Index(rest[:end], separator); i >= 0 {
		end = i
	}
	if end < len(rest) && rest[end] == '(' {
		return p.nestedArgument(op, depth)
	}
	text := rest[:end]
	if p.nested && strings.HasPrefix(trim(text), "#") && !op.readsTable() {
		return "", p.errorf(p.pos, "%s: a nested program has no references (use #k in all steps or in none)", quote(text))
	}
	p.pos += end
	return text, nil
}

// nestedArgument parses an operation in the place of an argument and returns the reference to its result.
func (p *parser) nestedArgument(op operation, depth int) (string, error) {
	if op.readsTable() {
		return "", p.errorf(p.pos, "%s: the label of a row cannot contain a bracket", op)
	}
	if p.finished > 0 {
		return "", p.errorf(p.pos, "an operation inside a later step (use #k in all steps or in none)")
	}
	p.nested = true
	if err := p.operation(depth + 1); err != nil {
		return "", err
	}
	return reference(len(p.program.steps) - 1), nil
}

// skip steps over text if it comes next.
func (p *parser) skip(text string) bool {
	if !strings.HasPrefix(p.text[p.pos:], text) {
		return false
	}
	p.pos += len(text)
	return true
}
