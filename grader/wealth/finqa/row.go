package finqa

import (
	"fmt"
	"slices"
	"strings"
)

// shownLabels is how many row labels a message lists.
const shownLabels = 8

// tableValue computes a table operation over the row with the given label.
func tableValue(op operation, table [][]string, label string) (float64, error) {
	numbers, err := rowNumbers(table, label)
	if err != nil {
		return 0, err
	}
	switch op {
	case opTableMax:
		return slices.Max(numbers), nil
	case opTableMin:
		return slices.Min(numbers), nil
	}
	sum := 0.0
	for _, x := range numbers {
		sum += x
	}
	if op == opTableAverage {
		return sum / float64(len(numbers)), nil
	}
	return sum, nil
}

// rowNumbers returns the numbers of the last row whose first cell is label; there is at least one. A row without
// cells has no label.
func rowNumbers(table [][]string, label string) ([]float64, error) {
	for _, row := range slices.Backward(table) {
		if len(row) == 0 || row[0] != label {
			continue
		}
		if len(row) == 1 {
			return nil, fmt.Errorf("row %s has no cells after its label", quote(label))
		}
		numbers := make([]float64, len(row)-1)
		for i, cell := range row[1:] {
			x, err := cellNumber(cell)
			if err != nil {
				return nil, fmt.Errorf("row %s, cell %d: %s: %w", quote(label), i+1, quote(cell), err)
			}
			numbers[i] = x
		}
		return numbers, nil
	}
	return nil, fmt.Errorf("the table has no row %s (%s)", quote(label), labels(table))
}

// cellNumber reads one cell: without $, and only what stands before the first opening bracket.
func cellNumber(cell string) (float64, error) {
	s, _, _ := strings.Cut(trim(strings.ReplaceAll(cell, "$", "")), "(")
	return literal(trim(s))
}

// labels describes the rows of a table for messages, in their order.
func labels(table [][]string) string {
	var shown []string
	for i, row := range table {
		if len(shown) == shownLabels {
			return fmt.Sprintf("its first rows are %s; %d more follow", strings.Join(shown, ", "), len(table)-i)
		}
		if len(row) > 0 {
			shown = append(shown, quote(row[0]))
		}
	}
	if len(shown) == 0 {
		return "the table is empty"
	}
	return "its rows are " + strings.Join(shown, ", ")
}
