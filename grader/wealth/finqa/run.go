package finqa

import (
	"errors"
	"fmt"
	"math"
)

// Run executes the program over a table of rows, each a label and its cells; a program without table operations
// ignores the table, which may be nil. Run changes neither.
//
// Every step is executed, also one whose result nothing uses, and the first that is invalid ends the run: division
// by zero, a power that is not real, an unknown row, a cell that is not a number, and a result that is infinite.
// The error names the step, counted from 0. Run never panics.
func (p Program) Run(table [][]string) (Answer, error) {
	if len(p.steps) == 0 {
		return Answer{}, errors.New("the program has no steps (make it with Parse or ParseTokens)")
	}
	var answer Answer
	values := make([]float64, len(p.steps))
	for k, s := range p.steps {
		if s.op == opGreater {
			// Nothing can refer to this step, so values[k] stays unused.
			answer = wordAnswer(s.a.number(values) > s.b.number(values))
			continue
		}
		x, err := s.run(values, table)
		if err == nil && (math.IsInf(x, 0) || math.IsNaN(x)) {
			err = errors.New("the result is too large for a double")
		}
		if err != nil {
			return Answer{}, fmt.Errorf("step %d: %s: %w", k, quote(s.String()), err)
		}
		values[k] = x
		answer = numberAnswer(x)
	}
	return answer, nil
}

// number is the value of the argument, given the results of the earlier steps.
func (a argument) number(values []float64) float64 {
	if a.isRef {
		return values[a.ref]
	}
	return a.value
}

// run computes any step but greater.
func (s step) run(values []float64, table [][]string) (float64, error) {
	if s.op.readsTable() {
		return tableValue(s.op, table, s.row)
	}
	a, b := s.a.number(values), s.b.number(values)
	switch s.op {
	case opAdd:
		return a + b, nil
	case opSubtract:
		return a - b, nil
	case opMultiply:
		// The conversion keeps processors with a fused multiply-add from rounding only once for two steps.
		return float64(a * b), nil
	case opDivide:
		if b == 0 {
			return 0, errors.New("division by zero")
		}
		return a / b, nil
	case opExp:
		return power(a, b)
	}
	return 0, fmt.Errorf("unknown operation %s", quote(string(s.op)))
}
