package finqa

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestParseTokensAccepts(t *testing.T) {
	seen := caseNames{}
	for _, c := range []struct{ name, tokens, want, reason string }{
		{"one-step", "add(|1|2|)|EOF", "add(1, 2)", "the form of prediction files"},
		{"two-steps", "add(|1|2|)|divide(|#0|const_2|)|EOF", "add(1, 2), divide(#0, const_2)", "references are as in texts"},
		{"table", "table_max(|net sales|none|)|EOF", "table_max(net sales, none)", "a label is one token"},
		{"blanks-around-arguments", "add(| 1 |2\t|)|EOF", "add(1, 2)", "arguments are trimmed as in texts"},
		{"label-with-separator", "table_max(|sales, net|none|)|EOF", "table_max(sales, net, none)", "a token is an argument, whatever it contains"},
	} {
		seen.add(c.name, c.reason)
		p, err := ParseTokens(strings.Split(c.tokens, "|"))
		if err != nil || p.String() != c.want {
			t.Errorf("%s: got %s, %v; want %s: %s", c.name, p, err, c.want, c.reason)
		}
	}
}

func TestParseTokensRefusesWithItsPlace(t *testing.T) {
	seen := caseNames{}
	g := golden{path: "testdata/tokens.golden"}
	for _, c := range []struct {
		name   string
		tokens []string
		reason string
	}{
		{"nil", nil, "a program has a step and an end"},
		{"end-alone", []string{"EOF"}, "a program has a step"},
		{"no-end", []string{"add(", "1", "2", ")"}, "a list that was cut off is not a program"},
		{"end-in-lower-case", []string{"add(", "1", "2", ")", "eof"}, "the end has one spelling"},
		{"end-twice", []string{"add(", "1", "2", ")", "EOF", "EOF"}, "only the last token is dropped"},
		{"name-without-bracket", []string{"add", "1", "2", ")", "EOF"}, "the bracket belongs to the name"},
		{"name-with-two-brackets", []string{"add((", "1", "2", ")", "EOF"}, "the bracket belongs to the name, once"},
		{"name-with-blank", []string{" add(", "1", "2", ")", "EOF"}, "names are exact"},
		{"unknown-operation", []string{"power(", "1", "2", ")", "EOF"}, "the operations are a closed set"},
		{"bracket-alone", []string{"(", "1", "2", ")", "EOF"}, "the name is missing"},
		{"closing-with-blank", []string{"add(", "1", "2", ") ", "EOF"}, "the closing bracket is exact"},
		{"third-argument", []string{"add(", "1", "2", "3", ")", "EOF"}, "two arguments"},
		{"one-argument", []string{"add(", "1", ")", "EOF"}, "two arguments"},
		{"second-step-cut", []string{"add(", "1", "2", ")", "add(", "EOF"}, "every step is whole"},
		{"empty-argument", []string{"add(", "", "2", ")", "EOF"}, "an argument is not empty"},
		{"empty-label", []string{"table_max(", " ", "none", ")", "EOF"}, "a label is not empty"},
		{"opening-bracket-in-label", []string{"table_max(", "a (b", "none", ")", "EOF"}, "no text could express it, and the reference refuses it"},
		{"closing-bracket-in-argument", []string{"add(", "1", "2)", ")", "EOF"}, "the closing bracket is a token of its own"},
		{"reference-to-later", []string{"add(", "#1", "2", ")", "EOF"}, "steps run in order"},
		{"one-token-text", []string{"add(1, 2)", "EOF"}, "a text is not a token list"},
		{"nested", []string{"add(", "add(", "1", "2", ")", "3", ")", "EOF"}, "token lists are flat"},
		{"too-long", append(slices.Repeat([]string{"add(", "1", "2", ")"}, maxSteps+1), "EOF"), "work is bounded"},
		{"control-characters", []string{"add(\x1b[31m", "1", "2", ")", "EOF"}, "a message must not carry terminal sequences"},
	} {
		seen.add(c.name, c.reason)
		p, err := ParseTokens(c.tokens)
		if err == nil {
			t.Errorf("%s: got %s; want an error: %s", c.name, p, c.reason)
			continue
		}
		g.add(c.name, err.Error())
	}
	g.compare(t)
}

func TestParseTokensLeavesTheTokensAlone(t *testing.T) {
	tokens := []string{"add(", " 1", "2 ", ")", "EOF"}
	before := slices.Clone(tokens)
	if _, err := ParseTokens(tokens); err != nil || !slices.Equal(tokens, before) {
		t.Errorf("tokens are %q, error %v; want %q", tokens, err, before)
	}
}

func TestTokensAndTextAreTheSameProgram(t *testing.T) {
	text := "table_max(net sales, none), add(#0, 1,234), divide(#1, const_3)"
	tokens := strings.Split("table_max(|net sales|none|)|add(|#0|1,234|)|divide(|#1|const_3|)|EOF", "|")
	p, err := ParseTokens(tokens)
	if err != nil || !reflect.DeepEqual(p, mustParse(t, text)) {
		t.Errorf("got %s, %v; want %s", p, err, text)
	}
}

func FuzzParseTokens(f *testing.F) {
	f.Add("add(|1|2|)|divide(|#0|const_2|)|EOF")
	f.Add("table_max(|sales, net|none|)|EOF")
	f.Fuzz(func(t *testing.T, joined string) {
		p, err := ParseTokens(strings.Split(joined, "|"))
		if err != nil {
			checkPrintable(t, err.Error())
			return
		}
		p.Run(nil)
	})
}
