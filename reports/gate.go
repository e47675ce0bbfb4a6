package reports

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// A Gate says how a run ends: with exit code 0 or 1. Its zero value is "strict".
type Gate struct {
	mode   string // "" is strict
	rate   *big.Rat
	words  string // the rate as it was written
	broken int
}

const (
	gateNone = "none"
	gateRate = "rate"
)

// ParseGate reads "strict", "none" or "rate:0.85", each of which ",broken:2" may follow. An
// empty text is strict.
//
//   - strict: no task may fail
//   - none: the agent may fail as it likes
//   - rate:R: at least the share R of the valid episodes passes
//   - broken:N: so many broken episodes are tolerated; without it none is
func ParseGate(text string) (Gate, error) {
	var g Gate
	if text == "" {
		return g, nil
	}
	mode, option, more := strings.Cut(text, ",")
	switch value, isRate := strings.CutPrefix(mode, "rate:"); {
	case mode == "strict":
	case mode == gateNone:
		g.mode = gateNone
	case isRate:
		r, err := parseRate(value)
		if err != nil {
			return Gate{}, fmt.Errorf("gate %q: %w", text, err)
		}
		g.mode, g.rate, g.words = gateRate, r, value
	case strings.HasPrefix(mode, "baseline:"):
		return Gate{}, fmt.Errorf(`gate %q: "baseline:…" is not one of strict, none, rate:R`, text)
	case mode == gateRate:
		return Gate{}, fmt.Errorf("gate %q: say which rate: rate:0.85", text)
	default:
		return Gate{}, fmt.Errorf("gate %q: %q is not one of strict, none, rate:R", text, mode)
	}
	if !more {
		return g, nil
	}
	value, ok := strings.CutPrefix(option, "broken:")
	if !ok {
		return Gate{}, fmt.Errorf("gate %q: after the comma only broken:N may follow, not %q", text, option)
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || value[0] == '+' {
		return Gate{}, fmt.Errorf("gate %q: broken:%s: want a whole number of tolerated broken episodes, such as broken:2", text, value)
	}
	g.broken = n
	return g, nil
}

// parseRate reads a decimal number from 0 to 1. It stays exact, since 17 of 20 is 0.85.
func parseRate(s string) (*big.Rat, error) {
	plain := s != "" && len(s) <= 12 && strings.Trim(s, "0123456789.") == ""
	r, ok := new(big.Rat).SetString(s)
	if !plain || !ok || r.Cmp(big.NewRat(1, 1)) > 0 {
		return nil, fmt.Errorf("rate:%s: want a decimal number from 0 to 1, such as rate:0.85", s)
	}
	return r, nil
}

// String spells the gate as ParseGate reads it.
func (g Gate) String() string {
	s := "strict"
	switch g.mode {
	case gateNone:
		s = gateNone
	case gateRate:
		s = "rate:" + g.words
	}
	if g.broken > 0 {
		s += fmt.Sprintf(",broken:%d", g.broken)
	}
	return s
}

// Judge returns the exit code of a run and why, for its last line. The order of rules:
//
//  1. An episode that was never reached ends any run with 1.
//  2. So does a run without a single valid episode, unless it is a certification whose every
//     task was skipped: what a machine cannot do is no failure.
//  3. So do more broken episodes than are tolerated.
//  4. Then strict looks for failed tasks, and rate at the share of passed episodes.
func (g Gate) Judge(s Summary) (exit int, reason string) {
	valid := s.Passed + s.Failed
	say := func(format string, args ...any) string {
		if s.Kind == KindCertification { // whose gates are proofs
			return fmt.Sprintf(format, args...)
		}
		return "gate " + g.String() + ": " + fmt.Sprintf(format, args...)
	}
	switch {
	case s.Unreached > 0:
		return 1, fmt.Sprintf("%s never reached", count(s.Unreached, "episode was", "episodes were"))
	case valid == 0 && s.Kind == KindCertification && s.Broken == 0 && s.Skipped > 0:
		return 0, fmt.Sprintf("%s skipped: nothing could be certified here", count(s.Skipped, "task was", "tasks were"))
	case valid == 0 && s.Episodes == 0:
		return 1, "no episode was played"
	case valid == 0:
		return 1, fmt.Sprintf("no valid episode: %d broken, %d skipped", s.Broken, s.Skipped)
	case s.Broken > g.broken:
		return 1, say("%s broken, and %d tolerated", count(s.Broken, "episode is", "episodes are"), g.broken)
	}
	tasks := s.TaskOutcomes
	switch g.mode {
	case gateNone:
		return 0, say("%d of %s passed", s.Passed, count(valid, "valid episode", "valid episodes"))
	case gateRate:
		got := big.NewRat(int64(s.Passed), int64(valid))
		if got.Cmp(g.rate) < 0 {
			return 1, say("%d of %s passed: %s %% are too few", s.Passed, count(valid, "valid episode", "valid episodes"), percent(s.Passed, valid))
		}
		return 0, say("%d of %s passed: %s %%", s.Passed, count(valid, "valid episode", "valid episodes"), percent(s.Passed, valid))
	}
	if tasks.Failed > 0 {
		return 1, say("%d of %s failed", tasks.Failed, count(tasks.All(), "task", "tasks"))
	}
	if tasks.Skipped+tasks.Broken > 0 {
		return 0, say("%d of %s passed, none failed", tasks.Passed, count(tasks.All(), "task", "tasks"))
	}
	return 0, say("all %s passed", count(tasks.All(), "task", "tasks"))
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// percent is rounded towards zero to one decimal, so that what is below a mark never shows as
// having reached it.
func percent(a, b int) string {
	if b == 0 {
		return "–"
	}
	p := a * 1000 / b
	return fmt.Sprintf("%d.%d", p/10, p%10)
}
