package workspace

// assign finds a maximum matching between wanted things and what there is: it returns for each
// wanted one the index of what is assigned to it, or -1. Earlier wanted ones are served first,
// and none loses what it got to a later one without getting another.
func assign(wanted, there int, fits func(want, got int) bool) []int {
	both := make([]int, there+wanted)
	owner, out := both[:there], both[there:]
	for i := range owner {
		owner[i] = -1
	}
	for i := range out {
		out[i] = -1
	}
	if there == 0 || wanted == 0 {
		return out
	}
	seen := make([]bool, there)
	var serve func(w int) bool
	serve = func(w int) bool {
		for g := range there {
			if seen[g] || !fits(w, g) {
				continue
			}
			seen[g] = true
			if owner[g] < 0 || serve(owner[g]) {
				owner[g] = w
				return true
			}
		}
		return false
	}
	for w := range wanted {
		clear(seen)
		serve(w)
	}
	for g, w := range owner {
		if w >= 0 {
			out[w] = g
		}
	}
	return out
}
