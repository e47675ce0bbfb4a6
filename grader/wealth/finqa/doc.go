// Package finqa interprets the arithmetic programs of FinQA, a public data set of questions over financial reports
// (MIT licence), and compares such programs with each other and with stored answers.
//
// It checks programs, not language models: [Check] over [Sample] shows that this interpreter gives the published
// answers, and says nothing about any model.
//
//	program, err := finqa.Parse("divide(682, 555), subtract(#0, const_1)")
//	if err != nil { … }
//	answer, err := program.Run(nil) // 0.22883
//
// # Programs
//
// A flat program is a sequence of steps op(a, b) joined by a comma and one blank; #k is the result of step k,
// counted from 0, and the last step gives the answer. The nested form writes a step in the place of its reference:
// divide(subtract(7, 5), 5) is subtract(7, 5), divide(#0, 5). The two forms cannot be mixed. A token list is a flat
// program cut into op with its bracket, two arguments and a closing bracket for every step, and EOF at the end; see
// [ParseTokens].
//
// The syntax is strict. Arguments are separated by a comma and a blank (a comma alone belongs to the number), white
// space around an argument is dropped, and there is none anywhere else.
//
//	add subtract multiply divide    arithmetic
//	exp                             the first argument to the power of the second
//	greater                         yes or no; no other step can use that result
//	table_max table_min             of a row of the table: op(row label, none)
//	table_sum table_average
//
// # Literals
//
// The rules are tried in this order; whatever fits none of them makes the program invalid.
//
//  1. Every comma is removed.
//  2. A plain number is what Python's float() reads: decimal, with an optional exponent, single underscores between
//     digits (1_000) and white space around it. Hexadecimal is not.
//  3. A text with a percent sign loses every such sign and must then be a plain number, which is divided by 100.
//  4. const_N is the plain number N, and const_m1 is -1.
//
// Three texts that Python's float() accepts are invalid here: infinity and nan under any spelling, a number too
// large for a double (1e400), and digits outside ASCII. A number in a FinQA report is none of these.
//
// # Table rows
//
// A table operation reads the last row whose first cell is exactly its first argument. In every other cell each $
// is removed, the text is trimmed, cut at the first opening bracket and trimmed again, and what is left is a
// literal: "$ -32 ( 32 )" is -32, and "( 35 )" is invalid. One invalid cell makes the program invalid, and so does
// a row without further cells.
//
// # Arithmetic
//
// Every step is IEEE double arithmetic, sums run from left to right, and exp is the double nearest to the exact
// power. Only the answer is rounded, to five decimals of its exact binary value. Division by zero, a power that is
// not real, and any result that is infinite or not a number make the program invalid. This is deliberately not
// decimal arithmetic: the published answers were rounded from binary doubles, and a few of them differ in the fifth
// decimal from the decimal truth.
//
// # Limits
//
// A program has at most 1000 steps and nests at most 100 deep (FinQA's own programs have a handful of steps).
// Texts inside error messages are quoted and cut.
package finqa
