package finqa

import (
	"math"
	"testing"
)

func TestLiteral(t *testing.T) {
	invalid := math.NaN()
	seen := caseNames{}
	for _, c := range []struct {
		name, text string
		want       float64
		reason     string
	}{
		{"whole", "682", 682, "a plain number"},
		{"decimal", "70.08", 70.08, "a plain number"},
		{"negative", "-32", -32, "a sign"},
		{"positive", "+32", 32, "a sign"},
		{"point-first", ".5", .5, "Python takes it"},
		{"point-last", "5.", 5, "Python takes it"},
		{"leading-zeros", "007", 7, "not octal"},
		{"exponent", "1.5e3", 1500, "Python takes it"},
		{"exponent-upper-case", "1E-2", .01, "Python takes it"},
		{"exponent-signed", "1e+2", 100, "Python takes it"},
		{"underscore", "1_000", 1000, "the reference takes it, Go's parser does not"},
		{"underscores-everywhere", "1_0.0_1e1_0", 10.01e10, "between any two digits"},
		{"comma", "1,234,567.8", 1234567.8, "commas are removed first"},
		{"commas-anywhere", ",1,,2,", 12, "commas are removed, not checked"},
		{"blanks-around", " 7\t", 7, "Python's float() trims"},
		{"no-break-space-around", "\u00a07\u2003", 7, "Python's white space is Unicode's"},
		{"separator-character-around", "\x1c7\x1f", 7, "white space in Python, not in Go"},
		{"negative-zero", "-0", 0, "a number"},
		{"smallest", "5e-324", 5e-324, "a double"},
		{"too-small", "1e-400", 0, "Python rounds to zero"},
		{"largest", "1.7976931348623157e308", math.MaxFloat64, "a double"},
		{"nearest-double", "0.1000000000000000055511151231257827021181583404541015625", .1, "all digits count"},

		{"percent", "36%", .36, "divided by 100"},
		{"percent-decimal", "49.9%", 49.9 / 100, "divided as a double, which is not the double of 0.499"},
		{"percent-before", "%5", .05, "the sign is dropped wherever it is, as in the reference"},
		{"percent-twice", "5%%", .05, "every sign is dropped, divided once, as in the reference"},
		{"percent-blank", "5 %", .05, "Python's float() trims what is left"},
		{"percent-comma", "1,000%", 10, "commas first"},

		{"const", "const_100", 100, "const_N is N"},
		{"const-million", "const_1000000", 1e6, "const_N is N"},
		{"const-minus-one", "const_m1", -1, "the one name with a letter"},
		{"const-decimal", "const_2.5", 2.5, "N is a plain number"},
		{"const-comma", "const_1,000", 1000, "commas first"},
		{"const-negative", "const_-1", -1, "N is a plain number"},

		{"empty", "", invalid, "not a number"},
		{"comma-alone", ",", invalid, "nothing is left"},
		{"percent-alone", "%", invalid, "nothing is left"},
		{"const-alone", "const_", invalid, "nothing is left"},
		{"point-alone", ".", invalid, "no digit"},
		{"sign-alone", "-", invalid, "no digit"},
		{"two-signs", "--1", invalid, "one sign"},
		{"sign-and-blank", "- 1", invalid, "no white space inside"},
		{"two-points", "1.2.3", invalid, "one point"},
		{"blank-inside", "1 000", invalid, "no white space inside"},
		{"exponent-alone", "e5", invalid, "no digit before"},
		{"exponent-empty", "1e", invalid, "no digit after"},
		{"exponent-two-signs", "1e-+5", invalid, "one sign"},
		{"exponent-decimal", "1e1.5", invalid, "whole"},
		{"exponent-of-fortran", "1d3", invalid, "Python refuses it"},
		{"underscore-first", "_1", invalid, "between digits only"},
		{"underscore-last", "1_", invalid, "between digits only"},
		{"underscore-twice", "1__0", invalid, "single"},
		{"underscore-before-point", "1_.5", invalid, "between digits only"},
		{"underscore-after-point", "1._5", invalid, "between digits only"},
		{"underscore-before-exponent", "1_e5", invalid, "between digits only"},
		{"underscore-in-exponent", "1e_5", invalid, "between digits only"},
		{"underscore-after-sign", "-_1", invalid, "between digits only"},
		{"hexadecimal", "0x10", invalid, "Go's parser takes it, Python's does not"},
		{"hexadecimal-float", "0x1p4", invalid, "Go's parser takes it, Python's does not"},
		{"binary", "0b1", invalid, "neither"},
		{"infinity", "inf", invalid, "Python's float() takes it, this language does not"},
		{"infinity-long", "-Infinity", invalid, "Python's float() takes it, this language does not"},
		{"infinity-percent", "inf%", invalid, "no way around"},
		{"infinity-const", "const_inf", invalid, "no way around"},
		{"nan", "NaN", invalid, "Python's float() takes it, this language does not"},
		{"too-large", "1e400", invalid, "an infinity under another name"},
		{"too-large-percent", "1e309%", invalid, "too large before the division, as in the reference"},
		{"too-large-const", "const_1e400", invalid, "no way around"},
		{"other-digits", "\u0661\u0662", invalid, "Python's float() takes them, this language does not"},
		{"fullwidth-digits", "\uff11", invalid, "Python's float() takes them, this language does not"},
		{"letters", "none", invalid, "not a number"},
		{"dollar", "$5", invalid, "only cells have dollar signs"},
		{"const-upper-case", "CONST_5", invalid, "names are case-sensitive"},
		{"const-letter", "const_m2", invalid, "m1 is the only such name"},
		{"const-percent", "const_5%", invalid, "what is left without the sign must be plain"},
		{"const-twice", "const_const_5", invalid, "N is a plain number"},
		{"const-inside", "5const_", invalid, "a prefix"},
		{"const-without-underscore", "const5", invalid, "a prefix with its underscore"},
		{"zero-byte", "5\x00", invalid, "not white space"},
	} {
		seen.add(c.name, c.reason)
		got, err := literal(c.text)
		if math.IsNaN(c.want) {
			if err == nil {
				t.Errorf("%s: literal(%q) is %v; want an error: %s", c.name, c.text, got, c.reason)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s: literal(%q) is %v, %v; want %v: %s", c.name, c.text, got, err, c.want, c.reason)
		}
	}
}
