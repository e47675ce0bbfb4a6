package backend

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A filter says that rows answer to a parameter by a field.
type filter struct {
	param, field string
	op           string // "" is equality
	many         bool   // text is a list of values with commas between them
}

// Kinds of filters besides equality.
const (
	opWindow = "window" // the field is a date in a period that ends at the as-of date
	opSince  = "since"  // the field is this date or later
	opUntil  = "until"  // the field is this date or earlier
	opLimit  = "limit"  // so many of the rows that the others leave
)

// A day is the as-of date of a fixture: "today" in its data. The zero value is none.
type day struct{ time.Time }

// dayOf reads as_of.
func dayOf(o *object) (day, error) {
	if o.get("as_of") == nil {
		return day{}, nil
	}
	t, err := time.Parse(time.DateOnly, o.str("as_of"))
	if err != nil {
		return day{}, errors.New("as_of must be a date such as 2026-05-15")
	}
	return day{t}, nil
}

// readFilters reads declared filters: parameters, or objects of param, field, op and many. Where
// there are none, the fixed ones hold.
func readFilters(v any, fixed []filter, asOf day) ([]filter, error) {
	if v == nil {
		return fixed, nil
	}
	list, ok := v.([]any)
	if !ok {
		return nil, errors.New("filters must be a list of parameters or {param, field}")
	}
	var out []filter
	for i, v := range list {
		var f filter
		switch v := v.(type) {
		case string:
			f = filter{param: v, field: v}
		case *object:
			f = filter{v.str("param"), v.str("field"), v.str("op"), v.get("many") == true}
			if err := keys(v, "param", "field", "op", "many"); err != nil {
				return nil, fmt.Errorf("filters %d: %w", i, err)
			}
		}
		switch {
		case f.param == "" || f.field == "" && f.op != opLimit:
			return nil, fmt.Errorf("filters %d: want a parameter or {param, field}", i)
		case !slices.Contains([]string{"", opWindow, opSince, opUntil, opLimit}, f.op):
			return nil, fmt.Errorf("filters %d: unknown op %q; known are %q", i, shorten(f.op), []string{opWindow, opSince, opUntil, opLimit})
		case f.op != "" && f.op != opLimit && asOf.IsZero():
			return nil, fmt.Errorf("filters %d: %s counts from as_of, and the fixture has none", i, f.op)
		}
		out = append(out, f)
	}
	return out, nil
}

// readNomatch reads what a choice without rows answers: no rows, or all of them.
func readNomatch(v any) (strict bool, err error) {
	switch v {
	case nil:
		return false, nil
	case "empty":
		return true, nil
	}
	return false, errors.New(`nomatch must be "empty" where it is there: else a choice without rows answers all of them`)
}

// A wish is what an argument demands of a column.
type wish struct {
	column int
	text   string   // equality
	list   []string // equality with any of them
	from   string   // first and last day; a day that cannot be is after any other
	to     string
	days   bool
}

// noDay and noText are what no cell is.
const (
	noDay  = "\xff"
	noText = "\x00"
)

// wish returns what the value of an argument demands by a filter that is no limit.
func (f filter) wish(column int, v any, asOf day) wish {
	w := wish{column: column, days: f.op != ""}
	switch f.op {
	case opWindow:
		w.from, w.to = asOf.window(Str(v))
		return w
	case opSince:
		w.from, w.to = asOf.resolve(Str(v)), noDay
		return w
	case opUntil:
		w.to = asOf.resolve(Str(v))
		if w.to == noDay {
			w.from = noDay
		}
		return w
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			w.list = append(w.list, Str(e))
		}
	case string:
		if w.text = v; f.many && strings.Contains(v, ",") {
			w.list = append(splitList(v), v)
		}
	default:
		w.text = Str(v)
	}
	return w
}

func (w wish) holds(cell string) bool {
	switch {
	case cell == noText:
		return false
	case w.days:
		d := cell[:min(len(cell), len(time.DateOnly))]
		return d >= w.from && d <= w.to
	case w.list != nil:
		return slices.Contains(w.list, cell)
	}
	return cell == w.text
}

// limitOf reads the value of a limit; what is no number leaves nothing.
func limitOf(v any) int {
	n, err := strconv.ParseFloat(Str(v), 64)
	if err != nil || !(n > 0) {
		return 0
	}
	return int(min(n, 1<<30))
}

// window returns the first and last day of a period that ends at the as-of date: MTD, QTD, YTD,
// 1D or any other number of D, W, M or Y, or ITD for all time.
func (t day) window(period string) (from, to string) {
	y, m, d := t.Date()
	begin := time.Time{}
	switch period {
	case "MTD":
		begin = date(y, m, 1)
	case "QTD":
		begin = date(y, (m-1)/3*3+1, 1)
	case "YTD":
		begin = date(y, 1, 1)
	case "ITD", "Max", "All":
	default:
		digits := strings.TrimRight(period, "DWMY")
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || n > 999 || strconv.Itoa(n) != digits {
			return noDay, ""
		}
		switch period[len(digits):] {
		case "D":
			begin = date(y, m, d-n+1)
		case "W":
			begin = date(y, m, d-7*n+1)
		case "M":
			begin = within31(y, m-time.Month(n), d).AddDate(0, 0, 1)
		case "Y":
			begin = within31(y-n, m, d).AddDate(0, 0, 1)
		default:
			return noDay, ""
		}
	}
	return begin.Format(time.DateOnly), t.Format(time.DateOnly)
}

func date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

// within31 is a day of a month that may be shorter: then its last day.
func within31(y int, m time.Month, d int) time.Time {
	return date(y, m, min(d, date(y, m+1, 0).Day()))
}

// resolve returns the day that a date or a macro stands for, or noDay.
func (t day) resolve(s string) string {
	if strings.HasPrefix(s, macroPrefix) {
		if d, ok := macro(s, t.Time); ok {
			return d
		}
		return noDay
	}
	s = s[:min(len(s), len(time.DateOnly))]
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return noDay
	}
	return s
}
