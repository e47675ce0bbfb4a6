package stock

import (
	"fmt"
	"strings"

	"benchwright/sim"
	"benchwright/sim/files"
)

// Distractors returns documents that have nothing to do with what is asked.
func Distractors(r *files.Rand, n int) files.Tree {
	who, day := Person(r), Date(r)
	all := []struct{ path, text string }{
		{"docs/retention.md", fmt.Sprintf("# Retention\n\nBuild logs are kept for %d days, release notes for good. Questions to %s.\n", r.Between(14, 400), who)},
		{"docs/access_rotation.md", fmt.Sprintf("# Access rotation\n\nTokens of the shared mailbox are renewed every %d weeks, last on %s.\n", r.Between(2, 20), day)},
		{"docs/archive_window.md", fmt.Sprintf("# Archive window\n\nThe archive takes files between %02d:00 and %02d:30.\n", r.Between(0, 4), r.Between(5, 8))},
		{"logs/heartbeat.log", heartbeat(r)},
		{"docs/calendar.md", fmt.Sprintf("# Calendar\n\n- %s: planning, host %s\n- %s: review of the quarter\n", day, who, Date(r))},
		{"docs/backfill_metrics.md", fmt.Sprintf("# Backfill of metrics\n\nDashboards before %s were filled in afterwards and are approximate.\n", day)},
		{"docs/naming.md", fmt.Sprintf("# Naming\n\nBranches start with the initials of their owner, e.g. `%s-%d`.\n", strings.ToLower(who[:2]), r.Between(100, 999))},
		{"docs/hardware.md", fmt.Sprintf("# Hardware\n\nThe build machine has %d cores. It is restarted on %s.\n", 2*r.Between(2, 32), Date(r))},
	}
	t := files.Tree{}
	for _, d := range files.Sample(r, all, n) {
		t[d.path] = d.text
	}
	return t
}

func heartbeat(r *files.Rand) string {
	var b strings.Builder
	day, host := Date(r), files.Pick(r, []string{"heron", "ibis", "osprey", "plover", "swift"})
	for i := range 5 {
		fmt.Fprintf(&b, "%sT%02d:%02d:00 %s alive, load 0.%02d\n", day, 2+i, r.N(60), host, r.Between(1, 99))
	}
	return b.String()
}

// A Setting is a value of a configuration that documents settle.
type Setting struct {
	Key   string
	Right any
	Stale any // another value, which was right once
}

// A Policy is a stage before the repair: which values are in force is for documents to say, and
// has to be written into the configuration that the program reads.
type Policy struct {
	Documents files.Tree
	Active    string // name of the bundle in force
	Reading   string // what a README says about it
}

// NewPolicy draws the documents that settle settings. One index says which of two bundles is in
// force; the values in force are spread over two documents of it, the other bundle has a value for
// each of them.
func NewPolicy(r *files.Rand, config string, settings []Setting) Policy {
	birds := files.Sample(r, []string{"avocet", "bittern", "curlew", "dotterel", "egret", "fulmar", "godwit", "lapwing", "merganser", "nightjar"}, 2)
	years := []int{r.Between(2023, 2025), r.Between(2019, 2022)}
	active, archived := fmt.Sprintf("%s-%d", birds[0], years[0]), fmt.Sprintf("%s-%d", birds[1], years[1])
	order := files.Shuffled(r, settings)
	half := (len(order) + 1) / 2
	contract := files.Pick(r, []string{"operating_contract", "service_terms", "run_rules"})
	memo := files.Pick(r, []string{"operations_memo", "decision_log", "desk_note"})
	lines := func(bundle string, title, intro string, list []Setting, value func(Setting) any) string {
		var b strings.Builder
		fmt.Fprintf(&b, "Evidence bundle: %s\n\n# %s\n\n%s\n\n", bundle, title, intro)
		for _, s := range list {
			fmt.Fprintf(&b, "- `%s`: `%s`\n", s.Key, sim.MustCanonical(value(s)))
		}
		return b.String()
	}
	right, stale := func(s Setting) any { return s.Right }, func(s Setting) any { return s.Stale }
	docs := files.Tree{
		"docs/evidence_index.md":                         fmt.Sprintf("# Evidence index\n\n- in force: `%s` (since %d)\n- archived: `%s`\n\nEach document names its bundle in the first line. Documents of the bundle in force add up; archived ones are history, whatever they say.\n", active, years[0], archived),
		fmt.Sprintf("docs/%s_%s.md", contract, birds[0]): lines(active, "Terms", "Agreed by "+Person(r)+".", order[:half], right),
		fmt.Sprintf("docs/%s_%s.md", contract, birds[1]): lines(archived, "Terms", "Agreed by "+Person(r)+". All runs follow these values.", settings, stale),
	}
	if half < len(order) {
		docs[fmt.Sprintf("docs/%s_%s.md", memo, birds[0])] = lines(active, "Further values", "Written down on "+Date(r)+".", order[half:], right)
	}
	return Policy{
		Documents: docs, Active: active,
		Reading: fmt.Sprintf("`%s` has to hold the values that are in force; keep all its other keys. Start at docs/evidence_index.md.", config),
	}
}
