package tabular

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"benchwright/sim/files"
)

// A ledger is one input folder of the account program, as it was drawn.
type ledger struct {
	accounts []account
	aliases  []alias
	events   []entry
	history  []change
	policy   policy
}

type account struct{ id, region, active string }

type alias struct{ label, id string }

type entry struct {
	label, reference  string // label: as written, an id or an alias
	occurred, updated time.Time
	zone              int // hours; how the times are written
	cents             int
}

type change struct {
	account, status string
	from            time.Time
}

// A policy says which accounts are active and which of their statuses count.
type policy struct {
	revision string
	active   []string
	counted  []string
}

func (p policy) json() string {
	return files.JSON(map[string]any{"revision": p.revision, "active_values": p.active, "counted_statuses": p.counted})
}

// Defects of the program, by what they leave out.
const (
	aliasBypass   = "alias_resolution_bypassed"
	earlyDedup    = "dedup_before_alias_resolution"
	lexicalTime   = "lexical_timestamp_compare"
	statusTime    = "status_ignores_event_time"
	unsafeBoolean = "unsafe_boolean_coercion"
	truncated     = "amounts_truncated"
	ignoredPolicy = "policy_artifact_ignored"
	stalePolicy   = "stale_policy" // in the policy artifact, not in the program
)

type faults map[string]bool

// rows is the report of a program with the given defects. other is the policy that a program uses
// which ignores the one it is given.
func (l ledger) rows(wrong faults, other policy) []map[string]any {
	pol := l.policy
	if wrong[ignoredPolicy] {
		pol = other
	}
	resolved := map[string]string{}
	for _, a := range l.aliases {
		resolved[a.label] = a.id
	}
	account := func(label string) string {
		label = strings.ToLower(strings.TrimSpace(label))
		if id := resolved[label]; id != "" && !wrong[aliasBypass] {
			return id
		}
		return label
	}
	newest := map[string]entry{}
	var order []string
	for _, e := range l.events {
		key := account(e.label) + "|" + e.reference
		if wrong[earlyDedup] {
			key = strings.ToLower(strings.TrimSpace(e.label)) + "|" + e.reference
		}
		have, again := newest[key]
		newer := e.updated.After(have.updated)
		if wrong[lexicalTime] {
			newer = written(e.updated, e.zone) > written(have.updated, have.zone)
		}
		if !again {
			order = append(order, key)
		}
		if !again || newer {
			newest[key] = e
		}
	}
	regions := map[string]string{}
	for _, a := range l.accounts {
		word := strings.ToLower(strings.TrimSpace(a.active))
		if slices.Contains(pol.active, word) || wrong[unsafeBoolean] && word != "" {
			regions[a.id] = a.region
		}
	}
	out := grouped{}
	seen := map[string]bool{}
	for _, key := range order {
		e := newest[key]
		id := account(e.label)
		region, active := regions[id]
		if !active || !slices.Contains(pol.counted, l.status(id, e.occurred, wrong[statusTime])) {
			continue
		}
		cents := e.cents
		if wrong[truncated] {
			cents = cents / 100 * 100
		}
		if out.add(region, "event_count", 1); !seen[id] {
			seen[id] = true
			out.add(region, "account_count", 1)
		}
		out.add(region, "total_amount", cents)
	}
	return out.rows([]string{"region"}, []string{"account_count", "event_count"}, []string{"total_amount"})
}

// status is what an account was at a time, or is in the end.
func (l ledger) status(id string, at time.Time, last bool) string {
	status := ""
	var from time.Time
	for _, c := range l.history {
		if c.account == id && (last || !c.from.After(at)) && (status == "" || c.from.After(from)) {
			status, from = c.status, c.from
		}
	}
	return status
}

func written(t time.Time, zone int) string {
	if zone == 0 {
		return t.UTC().Format("2006-01-02T15:04:05Z")
	}
	return t.In(time.FixedZone("", zone*3600)).Format("2006-01-02T15:04:05-07:00")
}

// tree writes the input folder.
func (l ledger) tree() files.Tree {
	var a, b, e, h strings.Builder
	a.WriteString("account_id,region,active\n")
	for _, x := range l.accounts {
		fmt.Fprintf(&a, "%s,%s,%s\n", x.id, x.region, x.active)
	}
	b.WriteString("alias,account_id\n")
	for _, x := range l.aliases {
		fmt.Fprintf(&b, "%s,%s\n", x.label, x.id)
	}
	e.WriteString("account,reference,occurred_at,updated_at,amount\n")
	for _, x := range l.events {
		fmt.Fprintf(&e, "%s,%s,%s,%s,%s\n", x.label, x.reference, written(x.occurred, x.zone), written(x.updated, x.zone), fixed(x.cents))
	}
	h.WriteString("account_id,status,effective_at\n")
	for _, x := range l.history {
		fmt.Fprintf(&h, "%s,%s,%s\n", x.account, x.status, written(x.from, 0))
	}
	return files.Tree{"accounts.csv": a.String(), "aliases.csv": b.String(), "events.csv": e.String(), "status_history.csv": h.String()}
}

// traits say what a drawn ledger holds.
type traits struct {
	aliases, duplicates, crossing, zones, changes, inactive, fractions bool
	events                                                             int
}

var allTraits = traits{true, true, true, true, true, true, true, 18}

var statuses = []string{"open", "suspended", "review", "dormant", "closing"}

// drawLedger draws an input folder with traits.
func drawLedger(rnd *files.Rand, t traits, p policy) ledger {
	l := ledger{policy: p}
	regions := files.Sample(rnd, regionPool, 3)
	start := time.Date(rnd.Between(2022, 2025), time.Month(rnd.Between(1, 11)), rnd.Between(1, 20), 0, 0, 0, 0, time.UTC)
	for i, n := range rnd.Numbers(5, 90) {
		id := fmt.Sprintf("acct-%d", 10+n)
		active := p.active[rnd.N(len(p.active))]
		if rnd.Chance(40) {
			active = strings.ToUpper(active)
		}
		if t.inactive && i%2 == 1 {
			active = files.Pick(rnd, []string{"no", "false", "0", "NO"})
		}
		l.accounts = append(l.accounts, account{id, regions[i%3], active})
		if t.aliases {
			l.aliases = append(l.aliases, alias{fmt.Sprintf("%s %d", files.Pick(rnd, owners), 100+n), id})
		}
		first := files.Pick(rnd, p.counted)
		l.history = append(l.history, change{id, first, start.AddDate(0, 0, -30)})
		if t.changes && i != 4 {
			other := files.Pick(rnd, statuses)
			l.history = append(l.history, change{id, other, start.Add(time.Duration(rnd.Between(60, 300)) * time.Hour)})
		}
	}
	zones := []int{0}
	if t.zones {
		zones = []int{0, 9, -7, 5}
	}
	label := func(i int) string {
		s := l.accounts[i].id
		if t.aliases && rnd.Chance(50) {
			s = l.aliases[i].label
		}
		if rnd.Chance(25) {
			s = strings.ToUpper(s)
		}
		return s
	}
	for i, n := range rnd.Numbers(t.events, 900) {
		at := start.Add(time.Duration(rnd.Between(1, 360)) * time.Hour).Add(time.Duration(rnd.Between(0, 59)) * time.Minute)
		cents := rnd.Between(20, 900) * 100
		if t.fractions {
			cents += rnd.Between(1, 99)
		}
		who := i % 5
		e := entry{label(who), fmt.Sprintf("R%d", 100+n), at, at.Add(time.Duration(rnd.Between(1, 10)) * time.Minute), files.Pick(rnd, zones), cents}
		l.events = append(l.events, e)
		if t.duplicates && rnd.Chance(45) {
			again := e
			if t.crossing {
				again.label = label(who)
			}
			again.updated = e.updated.Add(time.Duration(rnd.Between(1, 5)) * time.Hour)
			again.zone = files.Pick(rnd, zones)
			again.cents = rnd.Between(20, 900)*100 + cents%100
			l.events = append(l.events, again)
		}
	}
	l.events = files.Shuffled(rnd, l.events)
	slices.SortFunc(l.history, func(a, b change) int {
		return cmp.Or(strings.Compare(a.account, b.account), a.from.Compare(b.from))
	})
	l.history = files.Shuffled(rnd, l.history)
	return l
}

// under returns a copy of the tree below a folder.
func under(dir string, t files.Tree) files.Tree {
	out := files.Tree{}
	for p, text := range maps.All(t) {
		out[dir+"/"+p] = text
	}
	return out
}
