package repair

import (
	"fmt"
	"slices"
	"strings"

	"benchwright/sim/files"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/internal/stock"
)

type player struct{ name, team, role string }

// rosterExport builds rows in one module that another one writes.
func rosterExport(r *files.Request) (*story, error) {
	rnd := r.Rand("words")
	roles := files.Sample(rnd, []string{"reserve", "coach", "guest", "trainee", "substitute", "captain"}, 3)
	w := stock.Words{
		"team": files.Pick(rnd, []string{"squad", "side", "crew", "club", "unit"}),
		"role": files.Pick(rnd, []string{"role", "function", "position", "standing"}),
	}
	w["report_name"] = files.Pick(rnd, []string{"roster", "team list", "member list"})
	w["package_doc"] = "The " + w["report_name"] + ": what is in it, and how it is written."
	minimum := rnd.Between(2, 3)
	s := &story{
		template: "roster", words: w,
		title:       stock.Title(w["report_name"]),
		description: files.Pick(rnd, []string{"The league wants the list of every " + w["team"] + " as JSON.", "Who belongs to which " + w["team"] + ", exported for the league's web site.", "Two modules make the export: one knows what a row is, the other one writes it."}),
		input:       "data/" + files.Pick(rnd, []string{"players", "people", "members", "register"}) + ".json",
		values: []stock.Setting{
			{Key: "excluded_role", Right: roles[0], Stale: roles[1]},
			{Key: "minimum_members", Right: minimum, Stale: minimum + rnd.Between(2, 3)},
		},
		contract: []string{
			fmt.Sprintf("`build_rows(players, excluded_role, minimum_members)`: a row for each `%s`, sorted by it: `team`, `member_count` and `members`, the names in alphabetical order.", w["team"]),
			fmt.Sprintf("Left out: people whose `%s`, in any case and spacing, is `excluded_role`; then teams with fewer than `minimum_members` members.", w["role"]),
			"`write_report(rows, path)`: the rows as a JSON list of objects with just these three keys.",
		},
		hints: [3]string{
			"Open what the run has written.",
			"Do both modules mean the same by a row?",
			"Look at the order of the teams.",
		},
		structure: map[string]any{"repair_surface": "contract_and_writer", "failure_mode": "contract_mismatch", "smoke_test_quality": "none"},
		suspect:   "the league's site refuses the file",
		core: []files.Defect{
			edit("cross_file_contract_bug", "schema", "contracts.py", "\"team\": team,", "\"team_name\": team,"),
			edit("wrong_sort_key", "ordering", "contracts.py", "key=lambda group: group[0]", "key=lambda group: len(group[1])"),
			edit("serialization_bug", "serialization", "writer.py", "json.dumps(lines, indent=2)", "repr(lines)"),
		},
		more: []files.Defect{
			edit("raw_role", "normalisation", "contracts.py", "player[\"«role»\"].strip().lower()", "player[\"«role»\"]"),
			edit("unsorted_members", "ordering", "contracts.py", "\"members\": sorted(members)", "\"members\": members"),
			edit("strict_minimum", "filtering", "contracts.py", "if len(members) < minimum_members:", "if len(members) <= minimum_members:"),
		},
		edges: [][2]string{{"cross_file_contract_bug", "serialization_bug"}, {"serialization_bug", "wrong_sort_key"}, {"serialization_bug", "unsorted_members"}, {"strict_minimum", "wrong_sort_key"}, {"raw_role", "strict_minimum"}},
	}
	s.data = files.JSON(playerRows(drawPlayers(r.Rand("visible"), r.Difficulty, roles, minimum), w))
	rnd = r.Rand("other")
	list, last := drawPlayers(rnd, 3, roles, 2), drawPlayers(rnd, 4, roles, minimum)
	s.call("rows", "schema", "contracts", "build_rows", nil, []any{teamRows(list, roles[0], 2, w)}, []any{playerRows(list, w), roles[0], 2})
	want := teamRows(last, roles[0], minimum, w)
	s.run(files.JSON(playerRows(last, w)), want)
	s.also("artifact_is_json", exam.Check{Capability: "serialization", Aspect: exam.List, File: report})
	s.also("team_order", exam.Check{Capability: "ordering", Aspect: exam.Order, File: report, By: "team", Want: stock.Column(want, "team")})
	return s, nil
}

// drawPlayers draws teams: the first by name is by far the largest and has people of the excluded
// role in other spellings, one is just large enough, one just too small.
func drawPlayers(r *files.Rand, more int, roles []string, minimum int) []player {
	teams := files.Sample(r, []string{"Albatross", "Badgers", "Cormorants", "Dolphins", "Eagles", "Foxes", "Gulls", "Herons", "Jackals", "Kestrels", "Lynxes", "Martens"}, 4)
	slices.Sort(teams)
	sizes := []int{minimum + 4 + more, minimum, minimum - 1, minimum + 1}
	var list []player
	used := map[string]bool{}
	add := func(team, role string) {
		name := stock.Person(r)
		for used[name] {
			name = stock.Person(r)
		}
		used[name] = true
		list = append(list, player{name, team, role})
	}
	for i, team := range teams {
		for range sizes[i] {
			add(team, files.Pick(r, roles[1:]))
		}
	}
	add(teams[3], roles[0])
	add(teams[0], stock.Title(roles[0]))
	add(teams[0], roles[0]+" ")
	list = files.Shuffled(r, list)
	if slices.IsSortedFunc(members(list, teams[0]), strings.Compare) {
		slices.Reverse(list)
	}
	return list
}

func members(list []player, team string) []string {
	var names []string
	for _, p := range list {
		if p.team == team {
			names = append(names, p.name)
		}
	}
	return names
}

func playerRows(list []player, w stock.Words) []any {
	rows := []any{}
	for _, p := range list {
		rows = append(rows, map[string]any{"name": p.name, w["team"]: p.team, w["role"]: p.role})
	}
	return rows
}

func teamRows(list []player, excluded string, minimum int, w stock.Words) []map[string]any {
	of := map[string][]string{}
	for _, p := range list {
		if normal(p.role) != excluded {
			of[p.team] = append(of[p.team], p.name)
		}
	}
	rows := []map[string]any{}
	var teams []string
	for team := range of {
		teams = append(teams, team)
	}
	slices.Sort(teams)
	for _, team := range teams {
		if names := of[team]; len(names) >= minimum {
			slices.Sort(names)
			rows = append(rows, map[string]any{"team": team, "member_count": len(names), "members": names})
		}
	}
	return rows
}
