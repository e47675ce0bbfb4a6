package files

import (
	"crypto/sha256"
	"math/rand/v2"
)

// A Rand is a stream of random choices that depends on its key alone: the same on every machine
// and with every version of Go, since only the raw output of ChaCha8 is used.
type Rand struct{ src *rand.ChaCha8 }

// NewRand returns the stream of a key.
func NewRand(key string) *Rand { return &Rand{rand.NewChaCha8(sha256.Sum256([]byte(key)))} }

// N returns a number from 0 to n−1. n must be positive.
func (r *Rand) N(n int) int { return int(r.src.Uint64() % uint64(n)) }

// Between returns a number from lo to hi, both included.
func (r *Rand) Between(lo, hi int) int { return lo + r.N(hi-lo+1) }

// Chance is true in percent of a hundred cases.
func (r *Rand) Chance(percent int) bool { return r.N(100) < percent }

// Perm returns the numbers from 0 to n−1 in some order.
func (r *Rand) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		j := r.N(i + 1)
		p[i] = p[j]
		p[j] = i
	}
	return p
}

// Numbers returns k different numbers from 0 to n−1, in some order. It takes time for those k alone.
func (r *Rand) Numbers(k, n int) []int {
	list := make([]int, k)
	moved := make(map[int]int, 2*k) // what is not at its own place
	at := func(i int) int {
		if j, ok := moved[i]; ok {
			return j
		}
		return i
	}
	for i := range list {
		j := i + r.N(n-i)
		list[i] = at(j)
		moved[j] = at(i)
	}
	return list
}

// Weighted returns the index of one of the weights, each as likely as it is heavy.
func (r *Rand) Weighted(weights ...int) int {
	total := 0
	for _, w := range weights {
		total += w
	}
	n := r.N(total)
	for i, w := range weights {
		if n -= w; n < 0 {
			return i
		}
	}
	panic("files: no weight")
}

// Pick returns one of the list.
func Pick[T any](r *Rand, list []T) T { return list[r.N(len(list))] }

// Sample returns n different ones of the list, in some order; all of them if there are fewer.
func Sample[T any](r *Rand, list []T, n int) []T {
	n = min(n, len(list))
	out := make([]T, 0, n)
	for _, i := range r.Perm(len(list))[:n] {
		out = append(out, list[i])
	}
	return out
}

// Shuffled returns the list in another order.
func Shuffled[T any](r *Rand, list []T) []T { return Sample(r, list, len(list)) }
