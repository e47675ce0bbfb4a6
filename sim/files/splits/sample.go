package splits

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"benchwright/sim/files"
)

// A Sampling says which rows of a list are wanted. The zero value is all of them, as they stand.
type Sampling struct {
	Strategy string // first or head; balanced or stratified; "" is first
	N        int    // 0 or less is all
	Shuffle  bool
	Seed     int64 // of the shuffle
}

// Sample picks rows. "first" and "head" take the first ones, after a shuffle where one is wanted.
// "balanced" and "stratified" group the rows by family, scenario and difficulty, and take one of
// each group in rounds until there are enough; the groups are in the order of their names, or both
// they and the rows in them are shuffled.
func Sample(rows []Assignment, s Sampling) ([]Assignment, error) {
	rows = slices.Clone(rows)
	n := s.N
	if n <= 0 || n > len(rows) {
		n = len(rows)
	}
	name := func(a Assignment) string { return fmt.Sprint(a.TaskID, "\x00", a.Split, a.Seed) }
	switch s.Strategy {
	case "", "first", "head":
		if s.Shuffle {
			shuffle(rows, fmt.Sprint(s.Seed), name)
		}
		return rows[:n], nil
	case "balanced", "stratified":
	default:
		return nil, fmt.Errorf("Unsupported SWG sample_strategy: %s", clip(s.Strategy)) //nolint:staticcheck // the published text
	}
	groups := map[cell][]Assignment{}
	var cells []cell
	for _, a := range rows {
		c := cell{a.Family, a.Scenario, a.Difficulty}
		if groups[c] == nil {
			cells = append(cells, c)
		}
		groups[c] = append(groups[c], a)
	}
	slices.SortFunc(cells, func(a, b cell) int {
		return cmp.Or(strings.Compare(a.family, b.family), strings.Compare(a.scenario, b.scenario), cmp.Compare(a.difficulty, b.difficulty))
	})
	if s.Shuffle {
		shuffle(cells, fmt.Sprint(s.Seed), cell.String)
		for _, c := range cells {
			shuffle(groups[c], fmt.Sprint(s.Seed), name)
		}
	}
	out := make([]Assignment, 0, n)
	for round := 0; len(out) < n; round++ {
		for _, c := range cells {
			if round < len(groups[c]) && len(out) < n {
				out = append(out, groups[c][round])
			}
		}
	}
	return out, nil
}

// ParseSeeds reads seeds as they are typed: one, "7", or a half-open range, "0:5".
func ParseSeeds(s string) ([]int64, error) {
	from, to, ranged := strings.Cut(strings.TrimSpace(s), ":")
	low, err := strconv.ParseInt(from, 10, 32)
	high := low + 1
	if err == nil && ranged {
		high, err = strconv.ParseInt(to, 10, 32)
	}
	if err != nil || low < 0 || high <= low {
		return nil, fmt.Errorf("seeds %s: want a number, or a range such as 0:5, which ends before 5", clip(s))
	}
	if high-low > 100_000 {
		return nil, fmt.Errorf("seeds %s: more than 100000", clip(s))
	}
	var out []int64
	for seed := low; seed < high; seed++ {
		out = append(out, seed)
	}
	return out, nil
}

// ParseDifficulties reads difficulties as they are typed: one, as [files.ParseDifficulty] does, or
// an inclusive range, "1:5".
func ParseDifficulties(s string) ([]int, error) {
	from, to, ranged := strings.Cut(s, ":")
	low, err := files.ParseDifficulty(from)
	if err != nil {
		return nil, err
	}
	high := low
	if ranged {
		if high, err = files.ParseDifficulty(to); err != nil {
			return nil, err
		}
	}
	if high < low {
		return nil, fmt.Errorf("difficulties %s: the range is empty", clip(s))
	}
	var out []int
	for d := low; d <= high; d++ {
		out = append(out, d)
	}
	return out, nil
}
