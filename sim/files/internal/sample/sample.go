// Package sample chooses the seeds that tests of generators compile. Every scenario is compiled at
// every difficulty; with how many seeds is a matter of time.
//
//	BENCHWRIGHT_WORLDS=120 go test ./sim/files/...    all seeds from 0 to 119
package sample

import (
	"fmt"
	"os"
	"strconv"
)

// Variable asks for a sweep over as many seeds as it says, which takes minutes.
const Variable = "BENCHWRIGHT_WORLDS"

// Wide returns how many seeds a sweep was asked for, or 0.
func Wide() int64 {
	text := os.Getenv(Variable)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > 10_000 {
		panic(fmt.Sprintf("%s=%q: want a number of seeds from 1 to 10000", Variable, text))
	}
	return n
}

// Seeds returns the seeds to compile at a difficulty: those of the sweep, else a few.
//
// Below difficulty 5 a seed is only a seed, so that two do, other ones at each difficulty. There it
// chooses the mode by its parity and the profile by its last digit; what is returned has both modes
// of each of the three profiles, wherever a family draws the line between them.
func Seeds(difficulty int) []int64 {
	if n := Wide(); n > 0 {
		return upTo(n)
	}
	if difficulty < 5 {
		return []int64{int64(10*difficulty + 3), int64(97 - difficulty)}
	}
	return []int64{100, 101, 4, 5, 48, 109}
}

// Runs returns the seeds whose workspaces are run as well, with Python: in a sweep a tenth of it,
// else a compositional one of difficulty 5, which has the most to repair, and one other.
func Runs(difficulty int) []int64 {
	if n := Wide(); n > 0 {
		return upTo((n + 9) / 10)
	}
	switch difficulty {
	case 5:
		return []int64{7}
	case 3:
		return []int64{4}
	}
	return nil
}

func upTo(n int64) []int64 {
	seeds := make([]int64, n)
	for i := range seeds {
		seeds[i] = int64(i)
	}
	return seeds
}
