package composite

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"benchwright/sim/files"
	"benchwright/sim/files/internal/stock"
)

// A contract says what records are called and what counts.
type contract struct {
	bundle, collection string
	fields             map[string]string // id, team, hours, active, updated_at
	active             []string
	aliases            map[string]string
}

func (c contract) text() string {
	return files.JSON(map[string]any{
		"bundle": c.bundle, "collection": c.collection, "fields": c.fields, "active_values": c.active, "team_aliases": c.aliases,
	})
}

// drawContracts draws contracts that differ in every name.
func drawContracts(r *files.Rand, bundles, collections, teams []string) []contract {
	pools := map[string][]string{
		"id":         files.Shuffled(r, []string{"job_ref", "ticket", "record_no", "key", "reference"}),
		"team":       files.Shuffled(r, []string{"squad", "crew", "owner_team", "unit", "desk"}),
		"hours":      files.Shuffled(r, []string{"effort", "spent", "duration_h", "booked", "worked"}),
		"active":     files.Shuffled(r, []string{"enabled", "live", "in_use", "valid", "counted"}),
		"updated_at": files.Shuffled(r, []string{"changed", "touched_on", "modified", "as_of", "revised"}),
	}
	marks := files.Shuffled(r, [][]string{{"yes", "on"}, {"active", "current"}, {"true", "y"}, {"open", "running"}, {"ok", "go"}})
	short := files.Shuffled(r, []string{"blue desk", "hub one", "room 4", "wing b", "site x", "lab two", "deck five", "pier 9"})
	list := make([]contract, len(bundles))
	for i := range list {
		c := contract{bundles[i], collections[i], map[string]string{}, marks[i], map[string]string{}}
		for name, pool := range pools {
			c.fields[name] = pool[i]
		}
		for j := range 2 { // one each for two teams
			c.aliases[short[2*i+j]] = teams[(i+j)%len(teams)]
		}
		list[i] = c
	}
	return list
}

// A record is one entry of the data. One that is malformed has raw in its place.
type record struct {
	id, team, active string
	cents            int
	updated          time.Time
	offset           int
	raw              any
}

func (c contract) rows(list []record) []any {
	rows := []any{}
	for _, e := range list {
		if e.raw != nil {
			rows = append(rows, e.raw)
			continue
		}
		rows = append(rows, c.row(e))
	}
	return rows
}

func (c contract) row(e record) map[string]any {
	at := e.updated.Format("2006-01-02T15:04:05Z")
	if e.offset != 0 {
		at = e.updated.In(time.FixedZone("", e.offset*3600)).Format("2006-01-02T15:04:05-07:00")
	}
	return map[string]any{
		c.fields["id"]: e.id, c.fields["team"]: e.team, c.fields["active"]: e.active,
		c.fields["hours"]: stock.Decimal{Units: e.cents, Places: 2}, c.fields["updated_at"]: at,
	}
}

// data is the input with records in the contract's collection, and others beside it.
func (c contract) data(decoy string, list, others []record) string {
	return files.JSON(map[string]any{c.collection: c.rows(list), decoy: c.rows(others)})
}

// summary is what is to come of records.
func (c contract) summary(list []record) []map[string]any {
	latest := map[string]record{}
	for _, e := range list {
		if e.raw != nil {
			continue
		}
		id := strings.TrimSpace(e.id)
		if known, seen := latest[id]; !seen || e.updated.After(known.updated) {
			latest[id] = e
		}
	}
	count, cents := map[string]int{}, map[string]int{}
	for _, e := range latest {
		if !slices.Contains(c.active, normal(e.active)) {
			continue
		}
		team := normal(e.team)
		if to, known := c.aliases[team]; known {
			team = to
		}
		count[team]++
		cents[team] += e.cents
	}
	rows := []map[string]any{}
	for _, team := range slices.Sorted(maps.Keys(count)) {
		rows = append(rows, map[string]any{"team": team, "job_count": count[team], "total_hours": stock.Decimal{Units: cents[team], Places: 2}})
	}
	return rows
}

func normal(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// What records can show.
const (
	byAlias     = "alias"
	byActive    = "active"
	byFraction  = "fraction"
	byVersion   = "version"
	byMalformed = "malformed"
)

// draw draws n records for each team that show what is named, and nothing else.
func (c contract) draw(r *files.Rand, n int, teams []string, shows ...string) []record {
	on := func(what string) bool { return slices.Contains(shows, what) }
	base := time.Date(r.Between(2021, 2025), time.Month(r.Between(1, 12)), r.Between(1, 28), 9, 0, 0, 0, time.UTC)
	ids := r.Numbers(n*len(teams)+3, 9000) // three more may be added
	var list []record
	for _, team := range teams {
		for range n {
			list = append(list, record{
				id: fmt.Sprintf("R-%d", 1000+ids[len(list)]), team: team, active: files.Pick(r, c.active),
				cents: 100 * r.Between(1, 40), updated: base.Add(time.Duration(r.N(500)) * time.Hour),
			})
		}
	}
	size := len(list)
	if on(byFraction) {
		for i := range list {
			list[i].cents += 25 * r.Between(1, 3)
		}
	}
	if on(byAlias) {
		for i, short := range slices.Sorted(maps.Keys(c.aliases)) {
			if slices.Contains(teams, c.aliases[short]) {
				list[i].team = []string{short, strings.ToUpper(short)}[i%2]
			}
		}
	}
	if on(byActive) {
		list[size-1].active = stock.Spelled(r, list[size-1].active)
		for _, word := range []string{"no", "inactive", "false"} {
			list = append(list, record{id: fmt.Sprintf("R-%d", 1000+ids[len(list)]), team: teams[0], active: word, cents: 100 * r.Between(1, 40), updated: base})
		}
	}
	if on(byVersion) {
		for i := range 2 {
			again := list[size-1-i]
			again.cents += 100 * r.Between(1, 9)
			again.updated, again.offset = again.updated.Add(2*time.Hour), []int{-9, 7}[i]
			list = append(list, again)
		}
	}
	list = files.Shuffled(r, list)
	if on(byMalformed) {
		for _, raw := range c.malformed(r, list[0]) {
			list = slices.Insert(list, r.N(len(list)+1), record{raw: raw})
		}
	}
	return list
}

// malformed returns entries that have to be passed over, in each of some ways.
func (c contract) malformed(r *files.Rand, like record) []any {
	broken := func(field string, v any) any {
		row := c.row(like)
		row[c.fields["id"]] = fmt.Sprintf("R-%d", 100+r.N(800))
		if v == nil {
			delete(row, c.fields[field])
		} else {
			row[c.fields[field]] = v
		}
		return row
	}
	all := []any{
		broken("hours", nil), broken("hours", "n/a"), broken("hours", -4), broken("team", nil), broken("team", "  "),
		broken("updated_at", "yesterday"), broken("id", ""), "not a record", 7,
	}
	return files.Sample(r, all, 4)
}
