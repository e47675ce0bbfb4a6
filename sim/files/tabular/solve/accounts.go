package solve

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"
)

var quotes = regexp.MustCompile("`([^`]+)`")

// policy writes down the policy in force: that of the register, with its addendum.
func (s *solver) policy() (string, string, error) {
	form := regexp.MustCompile("`(artifacts/[^`]+)` holds").FindStringSubmatch(s.visible["policies/artifact_form.md"])
	force := regexp.MustCompile("`([^`]+)` is in force, together with its addendum").FindStringSubmatch(s.visible["policies/register.md"])
	if form == nil || force == nil {
		return "", "", errors.New("no document says which policy is in force or where it is written")
	}
	text, addendum := s.visible["policies/"+strings.ToLower(force[1])+".md"], s.visible["policies/addendum.md"]
	if !strings.Contains(addendum, "Addendum to "+force[1]) {
		return "", "", fmt.Errorf("no addendum to %s", force[1])
	}
	list := func(heading string) []string {
		_, rest, _ := strings.Cut(text, "## "+heading+"\n")
		part, _, _ := strings.Cut(rest, "\n## ")
		words := []string{}
		for _, m := range quotes.FindAllStringSubmatch(part, -1) {
			words = append(words, m[1])
		}
		return words
	}
	counted := list("Counted statuses")
	for _, m := range regexp.MustCompile("status `([^`]+)` is counted too").FindAllStringSubmatch(addendum, -1) {
		counted = append(counted, m[1])
	}
	active := list("Active values")
	sort.Strings(counted)
	sort.Strings(active)
	raw, err := json.Marshal(map[string]any{"revision": force[1], "active_values": active, "counted_statuses": counted})
	return form[1], string(raw), err
}

// Accounts makes the account report of an input folder under a policy, by the rules of
// docs/report_contract.md.
func Accounts(input map[string]string, policy []byte) (report string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("reading the tables: %v", r)
		}
	}()
	var p struct {
		Active  []string `json:"active_values"`
		Counted []string `json:"counted_statuses"`
	}
	if err := json.Unmarshal(policy, &p); err != nil {
		return "", err
	}
	read := func(name string) [][]string {
		lines, err := csv.NewReader(strings.NewReader(input[name])).ReadAll()
		if err != nil {
			panic(err)
		}
		return lines[1:]
	}
	owner := map[string]string{}
	region := map[string]string{}
	for _, a := range read("accounts.csv") {
		owner[label(a[0])] = label(a[0])
		if slices.Contains(p.Active, label(a[2])) {
			region[label(a[0])] = a[1]
		}
	}
	for _, a := range read("aliases.csv") {
		owner[label(a[0])] = label(a[1])
	}
	history := read("status_history.csv")
	sort.Slice(history, func(i, j int) bool { return when(history[i][2]).Before(when(history[j][2])) })
	status := func(account string, at time.Time) (last string) {
		for _, h := range history {
			if label(h[0]) == account && !when(h[2]).After(at) {
				last = h[1]
			}
		}
		return last
	}
	events := read("events.csv")
	sort.Slice(events, func(i, j int) bool { return when(events[i][3]).Before(when(events[j][3])) })
	last := map[[2]string][]string{}
	for _, e := range events {
		last[[2]string{owner[label(e[0])], e[1]}] = e
	}
	type group struct {
		accounts map[string]bool
		events   int
		total    *big.Rat
	}
	groups := map[string]*group{}
	for key, e := range last {
		where, active := region[key[0]]
		if !active || !slices.Contains(p.Counted, status(key[0], when(e[2]))) {
			continue
		}
		if groups[where] == nil {
			groups[where] = &group{map[string]bool{}, 0, new(big.Rat)}
		}
		g := groups[where]
		g.accounts[key[0]] = true
		g.events++
		g.total.Add(g.total, number(e[4]))
	}
	rows := []map[string]any{}
	for where, g := range groups {
		rows = append(rows, map[string]any{
			"region": where, "account_count": len(g.accounts), "event_count": g.events,
			"total_amount": json.Number(strings.TrimSuffix(g.total.FloatString(2), "0")),
		})
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i]["region"].(string) < rows[j]["region"].(string) })
	raw, err := json.Marshal(rows)
	return string(raw), err
}
