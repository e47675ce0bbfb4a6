package tasks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"benchwright/grader"
)

// A Problem is one thing that is wrong with a suite, at the place where it was written.
type Problem struct {
	Source grader.Source
	Text   string
}

// String returns "file:line: text". Lines of the text after the first are indented.
func (p Problem) String() string {
	at := p.Source.File
	if p.Source.Line > 0 {
		at = p.Source.String()
	}
	if at == "" {
		return clean(p.Text)
	}
	return clean(at) + ": " + clean(p.Text)
}

// Errors is everything that is wrong with a suite, sorted by file and line. Compile's error is
// always one.
type Errors []Problem

// maxShown is how many problems a message lists; a reader fixes the first few and compiles again.
const maxShown = 60

// Error lists the problems, one a line, and says how many it left out.
func (e Errors) Error() string {
	var b strings.Builder
	for i, p := range e {
		if i == maxShown {
			fmt.Fprintf(&b, "\n… and %d more problems", len(e)-i)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.String())
	}
	return b.String()
}

// sorted orders problems by place and drops repetitions.
func sorted(e []Problem) []Problem {
	slices.SortStableFunc(e, func(a, b Problem) int {
		return cmp.Or(
			strings.Compare(a.Source.File, b.Source.File),
			cmp.Compare(a.Source.Line, b.Source.Line),
			strings.Compare(a.Text, b.Text),
		)
	})
	return slices.CompactFunc(e, func(a, b Problem) bool {
		return a.Source.File == b.Source.File && a.Source.Line == b.Source.Line && a.Text == b.Text
	})
}

// maxText is how long one message may get; it may quote what somebody else wrote.
const maxText = 1500

// Hindi is written with these two format characters; all others hide something.
const zwnj, zwj = '\u200c', '\u200d'

// clean makes text fit for a terminal: control characters are escaped, new lines indented,
// and what is too long is cut.
func clean(s string) string {
	if len(s) > maxText {
		n := maxText
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = fmt.Sprintf("%s… (%d bytes more)", s[:n], len(s)-n)
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == '\n':
			b.WriteString("\n    ")
		case r == '\t':
			b.WriteByte(' ')
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && r != zwnj && r != zwj:
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// short quotes what somebody wrote, cut to a readable length.
func short(s string) string { return fmt.Sprintf("%q", cut(s, 80)) }

// cut shortens a text to so many runes.
func cut(s string, most int) string {
	if len(s) > most {
		if r := []rune(s); len(r) > most {
			return string(r[:most]) + "…"
		}
	}
	return s
}
