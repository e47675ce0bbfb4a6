package finqa

import (
	"strings"
	"testing"
	"time"
)

func TestEquivalent(t *testing.T) {
	seen := caseNames{}
	for _, c := range []struct {
		name, gold, predicted string
		want                  bool
		reason                string
	}{
		{"same", "divide(682, 555), subtract(#0, const_1)", "divide(682, 555), subtract(#0, const_1)", true, "the same steps"},
		{"nested", "subtract(7, 5), divide(#0, 5)", "divide(subtract(7, 5), 5)", true, "the form does not matter"},
		{"commuted", "add(1, 2)", "add(2, 1)", true, "addition commutes"},
		{"commuted-product", "multiply(1, 2)", "multiply(2, 1)", true, "multiplication commutes"},
		{"not-commuted", "subtract(1, 2)", "subtract(2, 1)", false, "subtraction does not commute"},
		{"not-commuted-quotient", "divide(1, 2)", "divide(2, 1)", false, "division does not commute"},
		{"associated", "add(1, 2), add(#0, 3)", "add(2, 3), add(1, #0)", true, "addition associates"},
		{"distributed", "add(1, 2), multiply(#0, 3)", "multiply(1, 3), multiply(2, 3), add(#0, #1)", true, "multiplication distributes"},
		{"fraction", "subtract(7, 5), divide(#0, 5)", "divide(7, 5), divide(5, 5), subtract(#0, #1)", true, "the same rational function, written with one more literal of the gold"},
		{"foreign-one", "subtract(7, 5), divide(#0, 5)", "divide(7, 5), subtract(#0, const_1)", false, "const_1 is not in the gold program, though the values agree"},
		{"same-value-other-function", "add(2, 2.0)", "multiply(2, 2.0)", false, "literals are variables, so 2+2 is not 2*2"},
		{"same-number-other-text", "add(5, 3)", "add(5.0, 3)", false, "a text is a variable"},
		{"same-text-twice", "add(5, 5)", "add(5, 5), subtract(#0, 5), add(#1, 5)", true, "one text is one variable"},
		{"text-trimmed", "add(5, 3)", "add( 5 , 3)", true, "white space is not part of the text"},
		{"comma-in-text", "add(1,000, 3)", "add(1000, 3)", false, "a comma is part of the text"},
		{"fewer-literals", "add(5, 3), subtract(#0, 3)", "add(5, 3), subtract(#0, 3), add(#1, 3), subtract(#2, 3)", true, "the gold may use more than it needs"},
		{"gold-only-literal", "multiply(5, 3), divide(#0, 3)", "divide(5, 5), multiply(#0, 5)", true, "a literal that cancels out may be left out"},
		{"foreign-literal-unused", "add(5, 3)", "add(9, 9), add(5, 3)", false, "every predicted literal must be known, used or not"},
		{"known-literal-unused", "add(5, 3)", "multiply(5, 5), add(5, 3)", true, "an unused step changes nothing"},
		{"gold-unused-literal", "add(9, 9), add(5, 3)", "add(5, 3), add(#0, 9), subtract(#1, 9)", true, "literals of unused gold steps are known"},
		{"unused-undefined", "add(5, 3)", "subtract(5, 5), divide(3, #0), add(5, 3)", true, "only what the answer needs is looked at"},
		{"cancelled", "multiply(5, 3), divide(#0, 3)", "divide(3, 3), multiply(5, #0)", true, "a point where a division is undefined does not count"},
		{"undefined", "subtract(5, 5), divide(3, #0)", "subtract(3, 3), divide(5, #0)", false, "never defined"},
		{"undefined-itself", "subtract(5, 5), divide(3, #0)", "subtract(5, 5), divide(3, #0)", true, "the same steps"},
		{"undefined-nested", "subtract(5, 5), divide(3, #0), multiply(#1, 5)", "add(3, 5)", false, "never defined"},

		{"table", "table_max(a, none), add(#0, 5)", "table_max(a, none), add(5, #0)", true, "a table step is a variable"},
		{"table-other-row", "table_max(a, none)", "table_max(b, none)", false, "another variable"},
		{"table-other-operation", "table_max(a, none)", "table_min(a, none)", false, "another variable"},
		{"table-twice", "table_max(a, none), multiply(#0, #0)", "table_max(a, none), table_max(a, none), multiply(#0, #1)", true, "one text is one variable"},
		{"table-average-is-no-quotient", "table_average(a, none), table_sum(a, none), subtract(#0, #0)", "table_sum(a, none), subtract(#0, #0)", true, "both are zero"},
		{"label-and-literal", "table_max(5, none), add(#0, 5)", "table_max(5, none), add(5, 5)", false, "a label is no literal"},

		{"greater", "greater(1, 2)", "greater(1, 2)", true, "the same steps"},
		{"greater-swapped", "greater(1, 2)", "greater(2, 1)", false, "the order counts"},
		{"greater-moved", "subtract(1, 2), greater(#0, 3)", "add(2, 3), greater(1, #0)", true, "the differences are the same"},
		{"greater-scaled", "greater(1, 2)", "multiply(1, 1), multiply(2, 1), greater(#0, #1)", false, "scaling by an unknown may turn the sign"},
		{"greater-and-difference", "greater(1, 2)", "subtract(1, 2)", false, "a word is not a number"},

		{"exp", "exp(1, 2)", "exp(1, 2)", true, "the same steps"},
		{"exp-arguments", "add(1, 2), exp(#0, 3)", "add(2, 1), exp(#0, 3)", true, "the same function of equal arguments"},
		{"exp-swapped", "exp(1, 2)", "exp(2, 1)", false, "powers do not commute"},
		{"exp-in-formula", "divide(7, 5), divide(const_1, 3), exp(#0, #1), subtract(#2, const_1)", "divide(const_1, 3), divide(7, 5), exp(#1, #0), subtract(#2, const_1)", true, "a growth rate, steps reordered"},
		{"exp-square", "exp(5, const_2)", "multiply(5, 5)", false, "const_2 is not in question, but it is a variable: 5 to an unknown power"},
		{"exp-product", "exp(5, 2), exp(5, 3), multiply(#0, #1)", "add(2, 3), exp(5, #0)", false, "exp is opaque"},
		{"exp-one", "exp(5, 3)", "divide(3, 3), multiply(3, #0), exp(5, #1)", true, "equal exponents"},
		{"exp-small-whole", "divide(3, 3), exp(5, #0)", "divide(3, 3), multiply(5, #0)", true, "an exponent that is always 1"},
		{"exp-two", "divide(3, 3), add(#0, #0), exp(5, #1)", "divide(3, 3), multiply(5, 5)", true, "an exponent that is always 2"},
		{"exp-minus-one", "divide(3, 3), subtract(#0, #0), subtract(#1, #0), exp(5, #2)", "divide(3, 5), divide(#0, 3)", true, "an exponent that is always -1"},
		{"exp-zero-to-minus-one", "divide(3, 3), subtract(#0, #0), subtract(#1, #0), exp(#1, #2)", "subtract(3, 3)", false, "never defined"},
		{"exp-zero", "subtract(3, 3), exp(5, #0)", "divide(5, 5), multiply(#0, 3), divide(#1, 3)", true, "an exponent that is always 0"},
		{"exp-large-whole", doublings(5) + ", exp(3, #5)", doublings(6) + ", exp(3, #6)", false, "beyond the limit exponents are opaque, but still different"},

		{"too-large", squarings(40), squarings(40) + ", add(5, #39)", false, "too large to decide"},
		{"too-large-itself", squarings(40), squarings(40), true, "the same steps"},
		{"large", squarings(6) + ", multiply(#5, 3)", squarings(6) + ", multiply(3, #5)", true, "a product of 65 factors is decided"},
	} {
		seen.add(c.name, c.reason)
		gold, predicted := mustParse(t, c.gold), mustParse(t, c.predicted)
		for range 2 {
			if got := Equivalent(gold, predicted); got != c.want {
				t.Errorf("%s: Equivalent(%s, %s) is %t; want %t: %s", c.name, gold, predicted, got, c.want, c.reason)
			}
		}
	}
}

// squarings is a program that squares 5 n times; its value has 2^n factors.
func squarings(n int) string {
	return "multiply(5, 5)" + chain("multiply(#%, #%)", n)
}

// doublings is a program whose last step is always 2^n.
func doublings(n int) string {
	return "divide(5, 5)" + chain("add(#%, #%)", n+1)
}

// chain repeats a step, each time with the reference to the step before, for steps 1 to n-1.
func chain(step string, n int) string {
	var b strings.Builder
	for k := range n - 1 {
		b.WriteString(", " + strings.ReplaceAll(step, "#%", reference(k)))
	}
	return b.String()
}

func TestEquivalentRefusesTheZeroProgram(t *testing.T) {
	p := mustParse(t, "add(1, 2)")
	if Equivalent(Program{}, Program{}) || Equivalent(p, Program{}) || Equivalent(Program{}, p) {
		t.Error("the zero Program is equivalent to nothing, not even itself")
	}
}

func TestEquivalentIsBoundedOnHostilePrograms(t *testing.T) {
	// The values stay near the limit for as many steps as a program can have.
	text := squarings(7) + ", multiply(#6, #5)"
	for k := 7; k < maxSteps-1; k++ {
		text += ", " + []string{"divide(#%, 9)", "multiply(#%, 9)"}[k%2]
		text = strings.ReplaceAll(text, "#%", reference(k))
	}
	gold := mustParse(t, text)
	commuted := mustParse(t, strings.ReplaceAll(text, "multiply(#6, #5)", "multiply(#5, #6)"))
	start := time.Now()
	if !Equivalent(gold, commuted) {
		t.Error("a product of 192 factors is not equivalent to itself, commuted")
	}
	// It takes about a second; without a limit on the size of values it would not end.
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}

func BenchmarkEquivalent(b *testing.B) {
	gold := mustParse(b, "subtract(7, 5), divide(#0, 5)")
	predicted := mustParse(b, "divide(7, 5), divide(5, 5), subtract(#0, #1)")
	for b.Loop() {
		if !Equivalent(gold, predicted) {
			b.Fatal("not equivalent")
		}
	}
}
