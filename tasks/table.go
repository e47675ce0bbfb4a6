package tasks

import (
	"fmt"
	"slices"
	"strings"

	"benchwright/grader"
)

// Allow returns an error that names every column of the table which is not among cols, with
// the nearest of them.
func (t *Table) Allow(cols ...string) error {
	var bad []string
	for _, c := range t.Columns {
		if !slices.Contains(cols, c) {
			bad = append(bad, Unknown("column", c, cols).Error())
		}
	}
	return lines(bad)
}

// Require returns an error that names every one of cols that the table lacks.
func (t *Table) Require(cols ...string) error {
	var missing []string
	for _, c := range cols {
		if !slices.Contains(t.Columns, c) {
			missing = append(missing, fmt.Sprintf("the table has no column %q; it has %s", c, strings.Join(t.Columns, ", ")))
		}
	}
	return lines(missing)
}

func lines(texts []string) error {
	if len(texts) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(texts, "\n"))
}

// Unknown returns the error for a name that is not among the valid ones, with the nearest:
//
//	unknown widget "Trade Idea"; did you mean "Trade Ideas"?
func Unknown(kind, got string, valid []string) error {
	return fmt.Errorf("unknown %s %s%s", kind, short(got), grader.Suggest(got, valid))
}
