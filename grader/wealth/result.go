package wealth

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"benchwright/grader"
	"benchwright/sim"
)

// resultOf reads the decision. Without one the rules about it are not applicable; one that is
// no JSON object has no field at all.
func resultOf(ev grader.Evidence) (map[string]any, error) {
	if !decided(ev) {
		return nil, grader.NotApplicable
	}
	v, err := sim.ParseJSON(ev.Answer)
	if err != nil {
		return nil, nil //nolint:nilerr // a malformed answer is the agent's, and has none of the wanted fields
	}
	m, _ := v.(map[string]any)
	return m, nil
}

// differs compares one string field of the decision.
func differs(code, field, want string, got any) (grader.Finding, bool) {
	if s, ok := got.(string); ok && s == want {
		return grader.Finding{}, false
	}
	return grader.Finding{Code: code, Type: grader.AnswerType,
		Message: fmt.Sprintf("%s: want %q, got %s", field, want, show(got)), Want: want, Got: show(got)}, true
}

const (
	maxShown = 80 // runes of a value in a message
	maxName  = 40 // bytes of a name in a code
)

// show words a value that an agent made: escaped, short, never a whole structure.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		return quote(v)
	case json.Number:
		return strings.Trim(quote(string(v)), `"`)
	case bool:
		return fmt.Sprint(v)
	case map[string]any:
		return fmt.Sprintf("an object of %d", len(v))
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	}
	return "something else"
}

func quote(s string) string {
	if r := []rune(s); len(r) > maxShown {
		return fmt.Sprintf("%q (cut, %d characters)", string(r[:maxShown]), len(r))
	}
	return fmt.Sprintf("%q", s)
}

// plain words a detail that others wrote, which may quote a model: escaped and short, without
// quotes of its own.
func plain(s string) string {
	r := []rune(s)
	cut := len(r) > 2*maxShown
	if cut {
		r = r[:2*maxShown]
	}
	var b strings.Builder
	for _, c := range r {
		if unicode.IsPrint(c) {
			b.WriteRune(c)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(c), "'"))
		}
	}
	if cut {
		b.WriteString("…")
	}
	return b.String()
}

// clean makes a name fit to be part of a code: ASCII letters, digits, '_', '.' and '-', at most
// maxName of them; anything else becomes '_'.
func clean(name string) string {
	if name == "" {
		return "_"
	}
	b := []byte(name)
	b = b[:min(len(b), maxName)]
	for i, c := range b {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '.', c == '-':
		default:
			b[i] = '_'
		}
	}
	return string(b)
}
