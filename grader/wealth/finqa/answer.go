package finqa

import (
	"math"
	"strconv"
)

// Answer is what a program computes: a number, or yes or no. Answers are compared with ==.
type Answer struct {
	// Word is "yes" or "no", and empty if the answer is a number.
	Word string
	// Number is the answer rounded to five decimals, and 0 beside a Word. It is finite and never -0.
	Number float64
}

// String returns the word, or the shortest decimal that reads back as the same number.
func (a Answer) String() string {
	if a.Word != "" {
		return a.Word
	}
	format := byte('f')
	if abs := math.Abs(a.Number); abs >= 1e21 || abs != 0 && abs < 1e-6 {
		format = 'e'
	}
	return strconv.FormatFloat(a.Number, format, -1, 64)
}

// numberAnswer rounds a finite x to five decimals of its exact binary value, half to even.
func numberAnswer(x float64) Answer {
	// A finite number printed with five decimals always parses, so there is no error to report.
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', 5, 64), 64)
	return Answer{Number: rounded + 0} // -0 + 0 is 0
}

// wordAnswer turns a comparison into an answer.
func wordAnswer(yes bool) Answer {
	if yes {
		return Answer{Word: "yes"}
	}
	return Answer{Word: "no"}
}
