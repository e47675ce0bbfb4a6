package finqa

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func TestParseAcceptsBothForms(t *testing.T) {
	seen := caseNames{}
	for _, c := range []struct{ name, text, want, reason string }{
		{"one-step", "add(1, 2)", "add(1, 2)", "a single step is flat and nested at once"},
		{"references", "add(1, 2), divide(#0, #0)", "add(1, 2), divide(#0, #0)", "a result can be used twice"},
		{"unused-step", "add(1, 2), add(3, 4)", "add(1, 2), add(3, 4)", "the last step gives the answer, whatever came before"},
		{"nested-left", "divide(subtract(7, 5), 5)", "subtract(7, 5), divide(#0, 5)", "the example of the language"},
		{"nested-right", "divide(5, subtract(7, 5))", "subtract(7, 5), divide(5, #0)", "an operation may stand in either place"},
		{"nested-both", "divide(add(1, 2), add(3, 4))", "add(1, 2), add(3, 4), divide(#0, #1)", "steps come in the order of evaluation"},
		{"nested-deep", "add(add(add(1, 2), 3), 4)", "add(1, 2), add(#0, 3), add(#1, 4)", "nesting is recursive"},
		{"nested-table", "divide(table_max(net sales, none), 2)", "table_max(net sales, none), divide(#0, 2)", "a table operation gives a number like any other"},
		{"nested-greater", "greater(add(1, 2), 3)", "add(1, 2), greater(#0, 3)", "yes or no may be the answer"},
		{"blanks-around-arguments", "add( 1 ,  2\t)", "add(1, 2)", "white space around an argument is dropped"},
		{"commas-in-numbers", "add(1,234, 5,678)", "add(1,234, 5,678)", "a comma without a blank belongs to the number"},
		{"comma-at-the-end", "add(1,, 2)", "add(1,, 2)", "the first comma is followed by no blank, so it belongs to the number"},
		{"comma-at-the-start", "add(1, ,2)", "add(1, ,2)", "the separator is taken first"},
		{"label-with-hash", "table_sum(# of shares, none)", "table_sum(# of shares, none)", "only a hash before digits is a reference"},
		{"label-with-comma", "table_sum(a,b, none)", "table_sum(a,b, none)", "only comma and blank end a label"},
		{"label-like-number", "table_sum(2019, none)", "table_sum(2019, none)", "a row may be named by a year"},
		{"label-like-operation", "table_sum(add, none)", "table_sum(add, none)", "a name without bracket is a label"},
		{"deepest", nestedAdds(maxDepth), "", "the limit itself is allowed"},
		{"longest", strings.Repeat("add(1, 2), ", maxSteps-1) + "add(1, 2)", "", "the limit itself is allowed"},
	} {
		seen.add(c.name, c.reason)
		p, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: Parse(%q): %v; want no error: %s", c.name, c.text, err, c.reason)
			continue
		}
		if got := p.String(); c.want != "" && got != c.want {
			t.Errorf("%s: Parse(%q) is %s; want %s: %s", c.name, c.text, got, c.want, c.reason)
		}
	}
}

// nestedAdds nests operations inside each other, depth of them below the first.
func nestedAdds(depth int) string {
	return strings.Repeat("add(", depth) + "add(1, 2)" + strings.Repeat(", 1)", depth)
}

// invalidTexts are all the ways in which a text is not a program; their messages are in testdata/parse.golden.
var invalidTexts = []struct{ name, text, reason string }{
	{"empty", "", "a program has a step"},
	{"blank", " ", "white space is not a program"},
	{"number-alone", "5", "a number is not a step"},
	{"unknown-operation", "power(2, 3)", "the operations are a closed set"},
	{"upper-case", "Add(1, 2)", "names are case-sensitive"},
	{"unknown-table-operation", "table_median(a, none)", "a prefix is not enough"},
	{"no-operation", "(1, 2)", "the name is missing"},
	{"unknown-nested", "add(power(2, 3), 1)", "nested operations are operations too"},
	{"blank-before", " add(1, 2)", "white space stands only around arguments"},
	{"blank-after", "add(1, 2) ", "white space stands only around arguments"},
	{"blank-before-bracket", "add (1, 2)", "the bracket belongs to the name"},
	{"blank-before-nested", "add( add(1, 2), 3)", "a nested operation is not a text with white space around it"},
	{"line-end-after", "add(1, 2)\n", "the caller cuts the program out"},
	{"two-blanks-between-steps", "add(1, 2),  add(#0, 1)", "the separator is one comma and one blank"},
	{"no-blank-between-steps", "add(1, 2),add(#0, 1)", "the separator is one comma and one blank"},
	{"no-blank-between-arguments", "add(1,2)", "12 is one argument"},
	{"separator-at-the-end", "add(1, 2), ", "a separator is followed by a step"},
	{"no-closing-bracket", "add(1, 2", "every bracket is closed"},
	{"two-closing-brackets", "add(1, 2))", "every bracket is opened"},
	{"text-after-nested", "add(add(1, 2)x, 3)", "an argument is an operation or a text"},
	{"no-arguments", "add()", "two arguments"},
	{"one-argument", "add(1)", "two arguments"},
	{"three-arguments", "add(1, 2, 3)", "two arguments"},
	{"empty-first", "add(, 2)", "an argument is not empty"},
	{"empty-second", "add(1, )", "an argument is not empty"},
	{"empty-label", "table_max(, none)", "a label is not empty"},
	{"literal-word", "add(five, 2)", "a literal is a number"},
	{"literal-none", "add(5, none)", "none stands only in table operations"},
	{"literal-dollar", "add($5, 2)", "only table cells may have a dollar sign"},
	{"literal-infinity", "add(inf, 2)", "Python's float() takes it, this language does not"},
	{"literal-nan", "add(nan, 2)", "Python's float() takes it, this language does not"},
	{"literal-too-large", "divide(1, 1e400)", "an infinity under another name"},
	{"literal-hexadecimal", "add(0x10, 2)", "Go's parser takes it, Python's does not"},
	{"literal-nested-bracket", "add(5(6), 2)", "a bracket makes it an operation"},
	{"reference-to-itself", "add(#0, 1)", "a step has no result before it ran"},
	{"reference-to-later", "add(1, 2), add(#2, 1), add(1, 1)", "steps run in order"},
	{"reference-to-missing", "add(1, 2), add(#9, 1)", "there is no such step"},
	{"reference-huge", "add(1, 2), add(#99999999999999999999, 1)", "larger than an int"},
	{"reference-negative", "add(1, 2), add(#-1, 1)", "steps are counted from 0"},
	{"reference-signed", "add(1, 2), add(#+0, 1)", "a reference has one spelling"},
	{"reference-padded", "add(1, 2), add(#00, 1)", "a reference has one spelling"},
	{"reference-without-number", "add(1, 2), add(#, 1)", "which step?"},
	{"reference-with-blank", "add(1, 2), add(# 0, 1)", "a reference has one spelling"},
	{"reference-to-greater", "greater(1, 2), add(#0, 1)", "yes is not a number"},
	{"reference-greater-to-greater", "greater(1, 2), greater(#0, 1)", "yes is not a number for comparisons either"},
	{"nested-greater", "add(greater(1, 2), 1)", "yes is not a number"},
	{"table-second-argument", "table_max(a, 5)", "the second argument is none"},
	{"table-second-argument-missing", "table_max(a)", "the second argument is written, though it says nothing"},
	{"table-reference", "add(1, 2), table_max(#0, none)", "a table operation takes a label"},
	{"table-bracket-in-label", "table_max(sales (net), none)", "brackets belong to operations"},
	{"table-nested", "table_max(add(1, 2), none)", "a table operation takes a label"},
	{"mixed-reference-inside", "add(subtract(7, 5), #0)", "the two forms cannot be mixed"},
	{"mixed-reference-deeper", "add(subtract(7, 5), add(#0, 1))", "the two forms cannot be mixed"},
	{"mixed-step-after-nested", "add(subtract(7, 5), 1), add(1, 2)", "the two forms cannot be mixed"},
	{"mixed-nested-in-later-step", "add(7, 5), add(subtract(7, 5), 1)", "the two forms cannot be mixed"},
	{"end-token", "add(1, 2), EOF", "only token lists end in EOF"},
	{"too-deep", nestedAdds(maxDepth + 1), "recursion is bounded"},
	{"far-too-deep", strings.Repeat("add(", 1<<20), "recursion is bounded whatever the size"},
	{"too-long", strings.Repeat("add(1, 2), ", maxSteps) + "add(1, 2)", "work is bounded"},
	{"control-characters", "\x1b[31madd\x00(1, 2)", "a message must not carry terminal sequences"},
	{"right-to-left", "add(\u202e5, 2)", "a message must not reorder what follows it"},
	{"not-utf-8", "add(\xff, 2)", "any bytes may come"},
}

func TestParseRefusesWithItsPlace(t *testing.T) {
	seen := caseNames{}
	g := golden{path: "testdata/parse.golden"}
	for _, c := range invalidTexts {
		seen.add(c.name, c.reason)
		p, err := Parse(c.text)
		if err == nil {
			t.Errorf("%s: Parse(%.80q) is %s; want an error: %s", c.name, c.text, p, c.reason)
			continue
		}
		if p.steps != nil {
			t.Errorf("%s: a program came with the error", c.name)
		}
		g.add(c.name, err.Error())
	}
	g.compare(t)
}

func TestNestedAndFlatFormsAreTheSameProgram(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 1))
	table := [][]string{{"sales", "$ 10", "20", "36%"}}
	for range 2000 {
		var flat []string
		nested, _ := randomTree(random, 4, &flat)
		p, q := mustParse(t, nested), mustParse(t, strings.Join(flat, ", "))
		if !reflect.DeepEqual(p, q) {
			t.Fatalf("nested %s is %s, flat is %s", nested, p, q)
		}
		pAnswer, pErr := p.Run(table)
		qAnswer, qErr := q.Run(table)
		if pAnswer != qAnswer || (pErr == nil) != (qErr == nil) {
			t.Fatalf("nested %s gives %v, %v; flat %v gives %v, %v", nested, pAnswer, pErr, flat, qAnswer, qErr)
		}
		if !Equivalent(p, q) || !Equivalent(q, p) {
			t.Fatalf("nested %s and flat %v are not equivalent", nested, flat)
		}
	}
}

// randomTree draws an operation with operations nested up to depth, returns its nested form and the reference to
// its result, and appends its steps to flat.
func randomTree(random *rand.Rand, depth int, flat *[]string) (nested, ref string) {
	ops := []string{"add", "subtract", "multiply", "divide", "exp", "table_sum"}
	op := ops[random.IntN(len(ops))]
	nestedArgs, flatArgs := [2]string{"sales", "none"}, [2]string{"sales", "none"}
	if op != "table_sum" {
		for i := range nestedArgs {
			if depth > 0 && random.IntN(2) == 0 {
				nestedArgs[i], flatArgs[i] = randomTree(random, depth-1, flat)
				continue
			}
			nestedArgs[i] = []string{"5", "2.5", "36%", "1,000", "const_100", "const_m1", "0"}[random.IntN(7)]
			flatArgs[i] = nestedArgs[i]
		}
	}
	*flat = append(*flat, fmt.Sprintf("%s(%s, %s)", op, flatArgs[0], flatArgs[1]))
	return fmt.Sprintf("%s(%s, %s)", op, nestedArgs[0], nestedArgs[1]), fmt.Sprintf("#%d", len(*flat)-1)
}

func FuzzParse(f *testing.F) {
	for _, c := range invalidTexts {
		if len(c.text) < 1000 {
			f.Add(c.text)
		}
	}
	f.Add("divide(682, 555), subtract(#0, const_1)")
	f.Add("greater(exp(-2, 0.5), table_average(net sales, none))")
	f.Add("multiply(1_000.5e-3, 49.9%), exp(#0, const_1000000), table_min(net sales, none)")
	table := [][]string{{}, {"net sales", "$ 9,091", "-32 ( 32 )"}, {"a", "n/a"}, {"b"}}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			checkPrintable(t, err.Error())
			return
		}
		again, err := Parse(p.String())
		if err != nil || !reflect.DeepEqual(p, again) {
			t.Fatalf("%q is %q, which reads back as %q, %v", text, p, again, err)
		}
		answer, err := p.Run(table)
		if err != nil {
			checkPrintable(t, err.Error())
		} else if answer != answer { // NaN
			t.Fatalf("%q gives %v", text, answer)
		}
		if !Equivalent(p, again) {
			t.Fatalf("%q is not equivalent to itself", text)
		}
		Equivalent(p, Program{steps: p.steps[:1]})
	})
}

// checkPrintable fails if a message carries something a terminal would act on.
func checkPrintable(t *testing.T, message string) {
	t.Helper()
	if quoted := fmt.Sprintf("%q", message); strings.Contains(strings.ReplaceAll(quoted, `\\`, ""), `\x`) ||
		strings.ContainsAny(message, "\n\r\t\x1b") {
		t.Fatalf("a message is not printable: %s", quoted)
	}
}
