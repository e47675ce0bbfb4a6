package steps

import (
	"fmt"
	"strconv"
	"strings"

	"benchwright/tasks"
)

// allowances is how the limits of one ask are written, but for turns alone: a number and a word,
// several of them with commas and "and" between.
const (
	allowance  = `[0-9,]+ \w+`
	allowances = allowance + `(?:(?:, | and )` + allowance + `)+|[0-9,]+ (?:calls?|tokens?|seconds?)`
)

// turns is the allowance of turns alone.
func turns(n int) string { return strconv.Itoa(n) + " turns" }

// ask adds an ask with limits of its own. Where the turns of the asks so far make up the task's
// limit, the limit grows with them; a limit that was given in so many words stays.
func ask(d *tasks.Draft, list, text string) error {
	a := tasks.Ask{Text: text}
	for _, one := range strings.Split(strings.ReplaceAll(list, " and ", ", "), ", ") {
		if err := allow(&a, one); err != nil {
			return err
		}
	}
	sum := 0
	for _, before := range d.Task.Asks {
		sum += before.Turns
	}
	if d.Task.Limits.Turns == sum {
		d.Task.Limits.Turns += a.Turns
	}
	return d.Ask(a)
}

// allow sets one limit of an ask, such as "150,000 tokens".
func allow(a *tasks.Ask, one string) error {
	digits, word, _ := strings.Cut(one, " ")
	n, err := number(digits)
	if err != nil {
		return err
	}
	field := &a.Turns
	switch word {
	case "turn", "turns":
		if n < 1 {
			return fmt.Errorf("%d turns: an agent needs at least one", n)
		}
	case "call", "calls":
		field = &a.Calls
	case "token", "tokens":
		field = &a.Tokens
	case "second", "seconds":
		if a.Wall != 0 {
			return fmt.Errorf("the seconds of the ask are said twice")
		}
		t, err := span(n)
		a.Wall = tasks.Duration(t)
		return err
	default:
		return tasks.Unknown("limit", word, []string{"turns", "calls", "tokens", "seconds"})
	}
	if *field != 0 {
		return fmt.Errorf("the %s of the ask are said twice", word)
	}
	return limit(field, n, word)
}

// number reads a whole number, whose digits may be in groups of three: "150,000".
func number(digits string) (int, error) {
	groups := strings.Split(digits, ",")
	for i, g := range groups {
		if i > 0 && len(g) != 3 || len(groups) > 1 && (len(g) > 3 || g == "") {
			return 0, fmt.Errorf("%s: write 150000, or 150,000", digits)
		}
	}
	n, err := strconv.Atoi(strings.Join(groups, ""))
	if err != nil {
		return 0, fmt.Errorf("%s: the number is too large", digits)
	}
	return n, nil
}
