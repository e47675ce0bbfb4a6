package finqa

import (
	"slices"
	"strings"
)

// operation is the name of what a step does.
type operation string

const (
	opAdd          operation = "add"
	opSubtract     operation = "subtract"
	opMultiply     operation = "multiply"
	opDivide       operation = "divide"
	opExp          operation = "exp"
	opGreater      operation = "greater"
	opTableMax     operation = "table_max"
	opTableMin     operation = "table_min"
	opTableSum     operation = "table_sum"
	opTableAverage operation = "table_average"
)

// noArgument is the second argument of every table operation.
const noArgument = "none"

// operations holds every operation, sorted for messages.
var operations = []operation{
	opAdd, opDivide, opExp, opGreater, opMultiply, opSubtract,
	opTableAverage, opTableMax, opTableMin, opTableSum,
}

// known reports whether op is an operation of the language; names are case-sensitive.
func (op operation) known() bool { return slices.Contains(operations, op) }

// readsTable reports whether op takes a row label in place of numbers.
func (op operation) readsTable() bool { return strings.HasPrefix(string(op), "table_") }

// operationList is the list of alternatives for messages.
func operationList() string {
	names := make([]string, len(operations))
	for i, op := range operations {
		names[i] = string(op)
	}
	return strings.Join(names, ", ")
}
