// Package steps holds the sentences that tasks of every world share: what is asked, what an
// agent may spend, and what an author vouches for. A world's vocabulary adds its own:
//
//	tasks.Vocabulary{New: newNotes, Finish: finish}.With(steps.Common()...).With(own...)
package steps

import (
	"fmt"
	"slices"
	"time"

	"benchwright/tasks"
)

// Common returns the sentences of any world.
//
//	Given at most 9 turns                      the limit of turns, over all asks
//	Given at most 60 seconds                   of wall time
//	Given at most 4000 tokens                  of the episode
//	Given at most 500 output tokens            of one reply
//	Given at most 3 invalid calls              this many are survived
//	When the agent is asked: …                 a doc string, or "a few words" on the line
//	When the agent is asked, with 9 turns: …   the ask has turns of its own, which the task's
//	                                           limit includes unless it was given before
//	  …, with 20 turns, 40 calls, 150,000 tokens and 180 seconds: …
//	                                           and other limits of its own, any of the four
//	Then the next ask depends on this          the latest ask is gated
//	  "2500000" is said as "25 lakh"           words of an ask state a graded value
//	  the planted value "AX-77"                only the right source holds it
//
// The last two may stand under any keyword.
func Common() []tasks.Step {
	return []tasks.Step{
		tasks.Given(`at most (\d+) turns?`, func(d *tasks.Draft, n int) error { return d.Turns(n) }),
		tasks.Given(`at most (\d+) seconds?`, wall),
		tasks.Given(`at most (\d+) tokens?`, func(d *tasks.Draft, n int) error {
			return limit(&d.Task.Limits.Tokens, n, "tokens")
		}),
		tasks.Given(`at most (\d+) output tokens?`, func(d *tasks.Draft, n int) error {
			return limit(&d.Task.Limits.OutputTokens, n, "output tokens")
		}),
		tasks.Given(`at most (\d+) invalid calls?`, func(d *tasks.Draft, n int) error {
			return limit(&d.Task.Limits.InvalidCalls, n, "invalid calls")
		}),

		tasks.When(`the agent is asked:`, func(d *tasks.Draft, text tasks.Text) error {
			return d.Ask(tasks.Ask{Text: string(text)})
		}),
		tasks.When(`the agent is asked "([^"]+)"`, func(d *tasks.Draft, text string) error {
			return d.Ask(tasks.Ask{Text: text})
		}),
		tasks.When(`the agent is asked, with (\d+) turns?:`, func(d *tasks.Draft, n int, text tasks.Text) error {
			return ask(d, turns(n), string(text))
		}),
		tasks.When(`the agent is asked, with (\d+) turns?, "([^"]+)"`, func(d *tasks.Draft, n int, text string) error {
			return ask(d, turns(n), text)
		}),
		tasks.When(`the agent is asked, with (`+allowances+`):`, func(d *tasks.Draft, own string, text tasks.Text) error {
			return ask(d, own, string(text))
		}),
		tasks.When(`the agent is asked, with (`+allowances+`), "([^"]+)"`, ask),
		tasks.Then(`the next ask depends on this`, gate),

		tasks.Any(`"([^"]+)" is said as "([^"]+)"`, stated),
		tasks.Any(`the planted value "([^"]+)"`, planted),
	}
}

func gate(d *tasks.Draft) error {
	if len(d.Task.Asks) == 0 {
		return fmt.Errorf("nothing has been asked yet that a next ask could depend on")
	}
	d.Task.Asks[len(d.Task.Asks)-1].Gated = true
	return nil
}

func wall(d *tasks.Draft, seconds int) error {
	t, err := span(seconds)
	d.Wall(t)
	return err
}

func span(seconds int) (time.Duration, error) {
	const day = 24 * 60 * 60
	if seconds < 1 || seconds > day {
		return 0, fmt.Errorf("%d seconds: write a number from 1 to %d", seconds, day)
	}
	return time.Duration(seconds) * time.Second, nil
}

func limit(field *int, n int, what string) error {
	if n < 1 {
		return fmt.Errorf("%d %s: zero would mean no limit; leave the step out for that", n, what)
	}
	*field = n
	return nil
}

func stated(d *tasks.Draft, value, words string) error {
	if old, ok := d.Task.Rubric.Stated[value]; ok && old != words {
		return fmt.Errorf("%q is already said as %q", value, old)
	}
	d.Stated(value, words)
	return nil
}

func planted(d *tasks.Draft, value string) error {
	if slices.Contains(d.Task.Rubric.Planted, value) {
		return fmt.Errorf("the value %q is planted twice", value)
	}
	d.Task.Rubric.Planted = append(d.Task.Rubric.Planted, value)
	return nil
}
