package finqa

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// report is the table that the tests of this package share.
var report = [][]string{
	{"", "2019", "2018", "2017"},
	{"equity securities", "$ 4578", "$ 2573", "$ 3781"},
	{"net sales", "1", "2", "3"},
	{"net sales", "$ 9091", "$ 8732", "$ 9037"},
	{"change", "-32 ( 32 )", "$ -2,500 (cut", "36%"},
	{"loss", "( 35 )", "1"},
	{"gap", "1", "n/a"},
	{"bare"},
	{},
	{" padded", "1"},
	{"one", "$5$"},
	{"constants", "const_100", "const_m1"},
	{"dash", "-"},
	{"large", "1e308", "1e308"},
	{"tenths", "0.1", "0.2", "0.3", "-0.6"},
}

func TestRunAnswers(t *testing.T) {
	seen := caseNames{}
	for _, c := range []struct{ name, text, want, reason string }{
		{"add", "add(1, 2.5)", "3.5", "arithmetic"},
		{"subtract", "subtract(1, 2.5)", "-1.5", "the order of arguments counts"},
		{"multiply", "multiply(4, 2.5)", "10", "arithmetic"},
		{"divide", "divide(1, 8)", "0.125", "the order of arguments counts"},
		{"exp", "exp(2, 10)", "1024", "the second argument is the exponent"},
		{"exp-root", "exp(2, 0.5)", "1.41421", "real exponents"},
		{"exp-negative-base", "exp(-2, 3)", "-8", "a whole exponent keeps the sign"},
		{"exp-zero-zero", "exp(0, 0)", "1", "as in Python"},
		{"exp-negative-exponent", "exp(2, -1)", "0.5", "real exponents"},
		{"exp-large", "exp(2000.5, 4)", "16016006001000.062", "the nearest double, not math.Pow's"},
		{"exp-underflow", "exp(10, -400)", "0", "too small is zero, not invalid"},
		{"greater-no", "greater(40000, 210000)", "no", "a word"},
		{"greater-yes", "greater(2, 1)", "yes", "a word"},
		{"greater-equal", "greater(2, 2)", "no", "strictly greater"},
		{"greater-negative-zero", "greater(0, -0)", "no", "the zeros are equal"},
		{"greater-unused", "greater(2, 1), add(1, 1)", "2", "the last step gives the answer"},
		{"reference", "divide(682, 555), subtract(#0, const_1)", "0.22883", "the first sample"},
		{"reference-twice", "add(1, 2), multiply(#0, #0)", "9", "results are kept"},
		{"binary-arithmetic", "add(0.1, 0.2), subtract(#0, 0.3), multiply(#1, 1e17)", "5.55112", "doubles, not decimals"},
		{"binary-percent", "subtract(36%, 28%), multiply(#0, const_1000)", "80", "79.99999999999999 rounds to 80"},
		{"only-the-answer-is-rounded", "divide(1, 3), multiply(#0, 3)", "1", "0.33333 times 3 would be 0.99999"},
		{"round-exact-binary", "add(1.000005, 0)", "1.00001", "the double lies just above the decimal"},
		{"round-exact-binary-below", "add(2.000015, 0)", "2.00001", "the double lies just below the decimal"},
		{"round-half-to-even-down", "divide(1, 64), multiply(#0, 0.00064)", "0.00001", "five decimals"},
		{"round-tie", "add(0.03125, 0), multiply(#0, 0.0001)", "0", "0.000003125 is below half"},
		{"round-to-zero", "add(0, 0.000001)", "0", "five decimals"},
		{"never-negative-zero", "subtract(0, 0.000001)", "0", "-0 would print oddly and means 0"},
		{"negative-zero-product", "multiply(0, -1)", "0", "-0 would print oddly and means 0"},
		{"largest-number", "add(1.7976931348623157e308, 0)", "1.7976931348623157e+308", "rounding leaves large numbers alone"},
		{"table-max", "table_max(equity securities, none)", "4578", "of a row"},
		{"table-min", "table_min(equity securities, none)", "2573", "of a row"},
		{"table-sum", "table_sum(equity securities, none)", "10932", "of a row"},
		{"table-average", "table_average(net sales, none)", "8953.33333", "of the last row with the label"},
		{"table-twice", "table_max(net sales, none), table_min(net sales, none), subtract(#0, #1)", "359", "results of rows are numbers"},
		{"table-brackets", "table_min(change, none)", "-2500", "cut at the bracket, commas and dollars removed"},
		{"table-percent", "table_max(change, none)", "0.36", "literal rules hold in cells"},
		{"table-dollars", "table_sum(one, none)", "5", "every dollar sign is removed"},
		{"table-constants", "table_min(constants, none)", "-1", "literal rules hold in cells, constants too"},
		{"table-label-trimmed", "table_max( one , none )", "5", "the argument is trimmed"},
		{"table-sum-order", "table_sum(tenths, none), multiply(#0, 1e17)", "11.10223", "from left to right in doubles, without compensation"},
	} {
		seen.add(c.name, c.reason)
		p, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		answer, err := p.Run(report)
		if err != nil || answer.String() != c.want {
			t.Errorf("%s: %s gives %s, %v; want %s: %s", c.name, c.text, answer, err, c.want, c.reason)
		}
	}
}

func TestRunRefusesWithItsPlace(t *testing.T) {
	seen := caseNames{}
	g := golden{path: "testdata/run.golden"}
	for _, c := range []struct{ name, text, reason string }{
		{"division-by-zero", "divide(1, 0)", "invalid"},
		{"division-by-negative-zero", "divide(1, -0)", "zero has two signs"},
		{"division-by-underflow", "divide(1, 1e-400)", "the literal is zero"},
		{"zero-by-zero", "divide(0, 0)", "not a number"},
		{"division-by-result", "subtract(5, 5), divide(1, #0)", "found only when running"},
		{"division-unused", "divide(1, 0), add(1, 2)", "every step is executed"},
		{"zero-to-negative-power", "exp(0, -1)", "a division by zero"},
		{"power-not-real", "exp(-8, 0.5)", "complex in Python"},
		{"power-not-real-unused", "exp(-8, 0.5), add(1, 2)", "every step is valid, also an unused one"},
		{"power-too-large", "exp(10, 400)", "infinite"},
		{"power-far-too-large", "exp(1e300, 1e300)", "infinite, and beyond any exponent"},
		{"sum-too-large", "add(1e308, 1e308)", "infinite"},
		{"product-too-large", "multiply(1e308, 10), divide(1, #0)", "infinite between steps, though the answer would be 0"},
		{"quotient-too-large", "divide(1e308, 0.1)", "infinite"},
		{"row-sum-too-large", "table_sum(large, none)", "infinite"},
		{"row-unknown", "table_max(gross sales, none)", "no such row"},
		{"row-case", "table_max(Net Sales, none)", "labels match exactly"},
		{"row-label-not-trimmed", "table_max(padded, none)", "the label in the table is not trimmed"},
		{"row-part-of-label", "table_max(net, none)", "labels match whole"},
		{"row-bad-cell", "table_max(gap, none)", "one bad cell makes the program invalid"},
		{"row-bracket-first", "table_max(loss, none)", "nothing is left before the bracket"},
		{"row-dash", "table_max(dash, none)", "a dash is not a number"},
		{"row-bare", "table_sum(bare, none)", "nothing to sum"},
		{"row-bad-unused", "table_max(gap, none), add(1, 2)", "every step is executed"},
	} {
		seen.add(c.name, c.reason)
		answer, err := mustParse(t, c.text).Run(report)
		if err == nil {
			t.Errorf("%s: %s gives %s; want an error: %s", c.name, c.text, answer, c.reason)
			continue
		}
		if answer != (Answer{}) {
			t.Errorf("%s: an answer came with the error", c.name)
		}
		g.add(c.name, err.Error())
	}
	_, err := mustParse(t, "table_max(a, none)").Run(nil)
	g.add("no-table", fmt.Sprint(err))
	_, err = mustParse(t, "table_max(a, none)").Run([][]string{{"\x1b]0;title\x07", "1"}, {"b", strings.Repeat("x", 500)}})
	g.add("hostile-label", fmt.Sprint(err))
	_, err = mustParse(t, "table_max(b, none)").Run([][]string{{"b", strings.Repeat("x", 500)}})
	g.add("long-cell", fmt.Sprint(err))
	_, err = Program{}.Run(nil)
	g.add("zero-program", fmt.Sprint(err))
	g.compare(t)
}

func TestRunLeavesTheTableAloneAndIsSafeTogether(t *testing.T) {
	p := mustParse(t, "table_max(change, none)")
	before := fmt.Sprintf("%q", report)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if answer, err := p.Run(report); err != nil || answer.Number != .36 {
				t.Errorf("got %v, %v", answer, err)
			}
		})
	}
	wg.Wait()
	if after := fmt.Sprintf("%q", report); after != before {
		t.Error("Run changed the table")
	}
}

func TestAnswersCompareExactly(t *testing.T) {
	if (Answer{Number: .22883}) != numberAnswer(.228834) || (Answer{Number: .22883}) == numberAnswer(.228836) {
		t.Error("numbers are compared after rounding to five decimals")
	}
	if (Answer{Word: "yes"}) == numberAnswer(0) || wordAnswer(true) == wordAnswer(false) {
		t.Error("a word equals neither a number nor the other word")
	}
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		mustParse(b, "add(11984, 10764), add(#0, 13900), divide(#1, const_3)")
	}
}

func BenchmarkRun(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"arithmetic", "add(11984, 10764), add(#0, 13900), divide(#1, const_3)"},
		{"table", "table_average(net sales, none)"},
		{"exp", "divide(682, 555), exp(#0, 0.2), subtract(#1, const_1)"},
	} {
		p := mustParse(b, c.text)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := p.Run(report); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
