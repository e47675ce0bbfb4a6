package pipeline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"benchwright/sim/files"
	"benchwright/sim/files/internal/stock"
)

// A booking is the data of the hard program.
type booking struct {
	jobs     []booked
	moves    []move
	aliases  map[string]string
	accepted []string
	minimum  int
}

type booked struct {
	id, worker, state string
	tenths            int
	worked, updated   stamp
}

type move struct {
	worker, team string
	from         stamp
}

// A stamp is a moment as it is written: with an offset.
type stamp struct {
	at     time.Time
	offset int // hours
}

func (s stamp) String() string {
	if s.offset == 0 {
		return s.at.UTC().Format("2006-01-02T15:04:05Z")
	}
	return s.at.In(time.FixedZone("", s.offset*3600)).Format("2006-01-02T15:04:05-07:00")
}

// drawBooking draws bookings that depend on the traps named, and on no others.
func drawBooking(r *files.Rand, perTeam int, states []string, minimum int, which []string) *booking {
	on := func(trap string) bool { return slices.Contains(which, trap) }
	teams := files.Sample(r, stock.Teams, 3)
	slices.Sort(teams)
	b := &booking{aliases: map[string]string{}, accepted: states[:2], minimum: minimum}
	short := []string{"red desk", "hub two", "site nine"}
	for i, team := range teams {
		b.aliases[short[i]] = team
	}
	base := time.Date(r.Between(2021, 2025), time.Month(r.Between(1, 10)), 3, 6, 0, 0, 0, time.UTC)
	days := func(n int) time.Time { return base.AddDate(0, 0, n).Add(time.Duration(r.N(600)) * time.Minute) }
	workers := files.Sample(r, stock.People, 6)
	for i, name := range workers {
		workers[i] = strings.ToLower(name)
		team := teams[i%3]
		if on(aliases) && i >= 3 {
			team = files.Pick(r, []string{short[i%3], strings.ToUpper(short[i%3]), " " + short[i%3]})
		}
		b.moves = append(b.moves, move{workers[i], team, stamp{at: days(-40)}})
	}
	if on(assignments) {
		// The first two change teams when half of the jobs are done.
		for i := range 2 {
			b.moves = append(b.moves, move{workers[i], teams[i+1], stamp{days(15), r.Between(-5, 5)}})
		}
	}
	number := r.Numbers(3*perTeam+2, 900) // two are added below
	for i := range 3 * perTeam {
		team := i % 3
		// Hours grow with the name of the team, or fall with it.
		level := 20 * (team + 1)
		if on(ordering) {
			level = 20 * (3 - team)
		}
		j := booked{
			id: fmt.Sprintf("J-%d", 100+number[i]), worker: workers[team+3*(i/3%2)], state: files.Pick(r, b.accepted),
			tenths: 10 * (level + r.N(4)), worked: stamp{at: days(i * 26 / (3 * perTeam))},
		}
		j.updated = stamp{at: j.worked.at.Add(30 * time.Hour)}
		if on(fractions) {
			j.tenths += r.Between(1, 9)
		}
		if on(stateWords) && i%4 == 1 {
			j.state = stock.Spelled(r, j.state)
		}
		if i%5 == 2 {
			j.state = states[2]
		}
		b.jobs = append(b.jobs, j)
	}
	for i := range 2 { // too short to count
		j := b.jobs[i]
		j.id, j.tenths, j.state = fmt.Sprintf("J-%d", 100+number[len(b.jobs)]), minimum-r.Between(1, 4), b.accepted[0]
		b.jobs = append(b.jobs, j)
	}
	for i := range 3 { // corrected later
		again := b.jobs[3*i+i%3]
		again.tenths += 10 * r.Between(1, 3)
		again.updated.at = again.updated.at.Add(26 * time.Hour)
		if on(ids) && i != 1 {
			again.id = files.Pick(r, []string{strings.ToLower(again.id), " " + again.id, again.id + " "})
		}
		if on(versions) {
			// Later, though its text is less: written far in the west. And one the other way round.
			again.updated = stamp{again.updated.at.Add(-25 * time.Hour), -11}
		}
		b.jobs = append(b.jobs, again)
	}
	b.jobs = files.Shuffled(r, b.jobs)
	return b
}

func (b *booking) files(input, people, names string, w stock.Words) files.Tree {
	jobs, moves := []any{}, []any{}
	for _, j := range b.jobs {
		jobs = append(jobs, map[string]any{
			"job_id": j.id, w["worker"]: j.worker, "state": j.state, "hours": stock.Decimal{Units: j.tenths, Places: 1},
			"worked_at": j.worked.String(), "updated_at": j.updated.String(),
		})
	}
	for _, m := range b.moves {
		moves = append(moves, map[string]any{w["worker"]: m.worker, "team": m.team, "from": m.from.String()})
	}
	return files.Tree{input: files.JSON(jobs), people: files.JSON(moves), names: files.JSON(b.aliases)}
}

// report is the artifact that the program makes of bookings with some mistakes in it.
func (b *booking) report(bugs map[string]bool) []map[string]any {
	latest := map[string]int{}
	var order []string
	for i, j := range b.jobs {
		id := j.id
		if !bugs[ids] {
			id = strings.ToUpper(strings.TrimSpace(id))
		}
		known, seen := latest[id]
		later := seen && j.updated.at.After(b.jobs[known].updated.at)
		if bugs[versions] {
			later = seen && j.updated.String() > b.jobs[known].updated.String()
		}
		if !seen {
			order = append(order, id)
		}
		if !seen || later {
			latest[id] = i
		}
	}
	groups := map[string]map[string]any{}
	for _, id := range order {
		j := b.jobs[latest[id]]
		state := j.state
		if !bugs[stateWords] {
			state = normal(state)
		}
		team := b.team(j, bugs)
		if !slices.Contains(b.accepted, state) || j.tenths < b.minimum || team == "" {
			continue
		}
		row := groups[team]
		if row == nil {
			row = map[string]any{"team": team, "job_count": 0, "total_hours": stock.Decimal{Places: 1}}
			groups[team] = row
		}
		units := j.tenths
		if bugs[fractions] {
			units -= units % 10
		}
		row["job_count"] = row["job_count"].(int) + 1
		row["total_hours"] = stock.Decimal{Units: tenths(row) + units, Places: 1}
	}
	rows := sorted(groups)
	if bugs[ordering] {
		slices.SortStableFunc(rows, func(a, b map[string]any) int { return tenths(a) - tenths(b) })
	}
	return rows
}

func (b *booking) team(j booked, bugs map[string]bool) string {
	moves := slices.Clone(b.moves)
	slices.SortStableFunc(moves, func(a, b move) int { return a.from.at.Compare(b.from.at) })
	team := ""
	for _, m := range moves {
		if m.worker != j.worker || !bugs[assignments] && m.from.at.After(j.worked.at) {
			continue
		}
		team = normal(m.team)
		if to, known := b.aliases[team]; known && !bugs[aliases] {
			team = to
		}
	}
	return team
}
