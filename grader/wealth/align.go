package wealth

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/grader"
	world "benchwright/sim/wealth"
)

// none marks a call without a partner.
const none = -1

// compare returns the findings of a trace against one accepted sequence.
func compare(want, got []call) []grader.Finding {
	partner := pair(want, got)
	var out []grader.Finding
	add := func(code, format string, args ...any) {
		out = append(out, grader.Finding{Code: code, Type: grader.TraceType, Message: fmt.Sprintf(format, args...)})
	}
	taken := make([]bool, len(got))
	last, crossed := none, none
	for i, w := range want {
		j := partner[i]
		if j == none {
			add("missing_tool_call:"+clean(w.name), "%s was not called with %s", w.name, brief(w.args))
			continue
		}
		taken[j] = true
		if j < last && crossed == none {
			crossed = i
		}
		last = max(last, j)
		g := got[j]
		if !same(w.args, g.args) {
			add("wrong_tool_arguments:"+clean(w.name), "call %d, %s: %s", j+1, w.name, argumentDiff(w.args, g.args))
		}
		if w.status != g.status {
			add("wrong_tool_status:"+clean(w.name), "call %d, %s: want status %q, got %s", j+1, w.name, w.status, quote(g.status))
			if code, ok := g.rejected(); ok {
				add(code, "call %d, %s, was %s", j+1, w.name, g.status)
			}
		}
	}
	for j, g := range got {
		if taken[j] {
			continue
		}
		if code, ok := g.rejected(); ok {
			add(code, "call %d, %s with %s, was %s", j+1, quote(g.name), brief(g.args), g.status)
			continue
		}
		add("unexpected_tool_call:"+clean(g.name), "call %d, %s with %s, was not needed", j+1, quote(g.name), brief(g.args))
	}
	if crossed != none {
		add("wrong_tool_order", "%s came too early: want %s", want[crossed].name, order(want))
	}
	return out
}

// pair returns for each wanted call the index of the call that stands for it, or none.
func pair(want, got []call) []int {
	partner := common(want, got)
	taken := make([]bool, len(got))
	for _, j := range partner {
		if j != none {
			taken[j] = true
		}
	}
	for differences := range 3 {
		for i, w := range want {
			if partner[i] != none {
				continue
			}
			for j, g := range got {
				if !taken[j] && standsFor(w, g, differences) {
					partner[i], taken[j] = j, true
					break
				}
			}
		}
	}
	return partner
}

// standsFor reports whether g may be taken for w, given how many of arguments and status
// differ. A call that was turned down stands for a wanted one only with the same arguments.
func standsFor(w, g call, differences int) bool {
	if w.name != g.name {
		return false
	}
	n, sameArgs := 0, same(w.args, g.args)
	if !sameArgs {
		n++
	}
	if w.status != g.status {
		if _, rejected := g.rejected(); rejected && !sameArgs {
			return false
		}
		n++
	}
	return n == differences
}

// common pairs the longest common subsequence of equal calls.
func common(want, got []call) []int {
	n, m := len(want), len(got)
	length := make([][]int, n+1) // length[i][j] is that of want[i:] and got[j:]
	for i := range length {
		length[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			length[i][j] = max(length[i+1][j], length[i][j+1])
			if standsFor(want[i], got[j], 0) {
				length[i][j] = max(length[i][j], length[i+1][j+1]+1)
			}
		}
	}
	partner := slices.Repeat([]int{none}, n)
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case standsFor(want[i], got[j], 0) && length[i][j] == length[i+1][j+1]+1:
			partner[i] = j
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return partner
}

func order(calls []call) string {
	var names []string
	for _, c := range calls {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

// brief words arguments in one short line.
func brief(args any) string {
	m, ok := args.(map[string]any)
	if !ok {
		return show(args)
	}
	if len(m) == 0 {
		return "no arguments"
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if len(parts) == 8 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, clean(k)+" "+bare(m[k]))
	}
	return strings.Join(parts, ", ")
}

// bare shows a number without quotes, however it was spelled.
func bare(v any) string {
	if s, ok := v.(string); ok {
		if _, ok := world.Decimal(s); ok {
			return show(json.Number(s))
		}
	}
	return show(v)
}

// argumentDiff words only what differs.
func argumentDiff(want, got any) string {
	w, _ := want.(map[string]any)
	g, ok := got.(map[string]any)
	if !ok {
		return "want an arguments object, got " + show(got)
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(w)) {
		if v, ok := g[k]; !ok || !same(w[k], v) {
			parts = append(parts, fmt.Sprintf("%s: want %s, got %s", k, bare(w[k]), bare(g[k])))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(g)) {
		if _, ok := w[k]; !ok && len(parts) < 8 {
			parts = append(parts, fmt.Sprintf("%s: not wanted, got %s", quote(k), bare(g[k])))
		}
	}
	return strings.Join(parts, "; ")
}
