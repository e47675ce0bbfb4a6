package finqa

import (
	"fmt"
	"strings"
)

// endToken ends every token list.
const endToken = "EOF"

// stepTokens is the number of tokens of a step: operation with its bracket, two arguments, closing bracket.
const stepTokens = 4

// tokenPattern describes a step in messages.
const tokenPattern = `"op(", two arguments and ")"`

// ParseTokens reads a flat program cut into tokens, the form of FinQA's prediction files:
//
//	"add(", "1", "2", ")", "divide(", "#0", "const_2", ")", "EOF"
//
// The last token must be EOF and is dropped; every step is exactly four tokens. Unlike a text, a token list may
// hold a row label that contains a comma followed by a blank. Whatever breaks a rule is an error that names the
// token, counted from 0. The tokens are not changed.
func ParseTokens(tokens []string) (Program, error) {
	if len(tokens) == 0 || tokens[len(tokens)-1] != endToken {
		return Program{}, fmt.Errorf("a token list ends in %s (this one has %d tokens)", endToken, len(tokens))
	}
	tokens = tokens[:len(tokens)-1]
	if len(tokens) == 0 {
		return Program{}, fmt.Errorf("a program has at least one step (want %s before %s)", tokenPattern, endToken)
	}
	var p Program
	for i := 0; i < len(tokens); i += stepTokens {
		if len(tokens)-i < stepTokens {
			return Program{}, fmt.Errorf("token %d: the last step has %d of %d tokens (want %s)",
				i, len(tokens)-i, stepTokens, tokenPattern)
		}
		if err := p.addTokens(i, tokens[i:i+stepTokens]); err != nil {
			return Program{}, err
		}
	}
	return p, nil
}

// addTokens appends the step whose four tokens begin at place i.
func (p *Program) addTokens(i int, tokens []string) error {
	name, bracket := strings.CutSuffix(tokens[0], "(")
	op := operation(name)
	if !bracket || !op.known() {
		return fmt.Errorf("token %d: %s: want an operation with its bracket (one of %s)",
			i, quote(tokens[0]), operationList())
	}
	for k, text := range tokens[1:3] {
		if strings.ContainsAny(text, "()") {
			return fmt.Errorf("token %d: %s: an argument cannot contain a bracket", i+1+k, quote(text))
		}
	}
	if tokens[3] != ")" {
		return fmt.Errorf("token %d: %s: after two arguments comes %q", i+3, quote(tokens[3]), ")")
	}
	if err := p.add(op, tokens[1], tokens[2]); err != nil {
		return fmt.Errorf("token %d: %w", i, err)
	}
	return nil
}
