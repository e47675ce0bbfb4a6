package retrieval

import (
	"fmt"
	"maps"
	"strings"

	"benchwright/sim/files"
)

var (
	tables     = []string{"bookings", "deliveries", "invoices", "members", "readings", "shipments", "tickets"}
	fieldNames = []string{
		"acct_no", "addr_line", "amt", "created", "cust_ref", "depot", "disc_pct", "due", "fax", "grp", "kind_cd", "lang_cd", "memo", "mgr_id", "note_txt",
		"old_key", "pager", "prio", "qty_old", "rgn", "stat_cd", "tel_no", "tmp_flag", "upd_by", "zip4",
	}
	longNames = []string{
		"account_number", "address_line", "amount", "created_at", "customer_reference", "depot_id", "discount_percent", "due_date", "group_id", "kind",
		"language", "manager_id", "priority", "region", "status", "telephone", "updated_by",
	}
)

// migrationPlan draws a plan for the next version of a schema.
func migrationPlan(r *files.Request) story {
	rnd := r.Rand("plan")
	d := r.Difficulty
	table := files.Pick(rnd, tables)
	version := rnd.Between(3, 8)
	old := files.Sample(rnd, fieldNames, 10)
	long := files.Sample(rnd, longNames, 8)
	pairs := func(from, to []string, a, b string) []map[string]any {
		var out []map[string]any
		for i := range from {
			out = append(out, map[string]any{a: from[i], b: to[i]})
		}
		return out
	}
	renames := rnd.Between(2, 3)
	steps := drawSteps(rnd, table, version)
	checks := drawChecks(rnd, table)
	want := map[string]any{
		"schema_version": fmt.Sprintf("v%d", version),
		"rename_fields":  pairs(old[:renames], long[:renames], "from", "to"),
		"drop_fields":    old[3 : 3+rnd.Between(2, 3)],
		"backfill_rules": pairs(old[6:8], long[3:5], "source", "target"),
		"ordered_steps":  steps, "validation_checks": checks,
	}
	begin := map[string]any{
		"schema_version": fmt.Sprintf("v%d", version-1),
		"rename_fields":  pairs(old[8:9], long[5:6], "from", "to"),
		"drop_fields":    []string{}, "backfill_rules": []map[string]any{},
		"ordered_steps": []string{"To be written."}, "validation_checks": []string{},
	}
	changed := func(over map[string]any) map[string]any {
		c := maps.Clone(want)
		maps.Copy(c, over)
		return c
	}

	arrow := files.Pick(rnd, []string{"->", "becomes", "=>"})
	mapping := func(heading string, of []map[string]any, a, b string) string {
		var s strings.Builder
		s.WriteString("## " + heading + "\n\n")
		for _, m := range of {
			fmt.Fprintf(&s, "- `%s` %s `%s`\n", m[a], arrow, m[b])
		}
		return s.String()
	}
	list := func(heading string, items []string, format func(i int, s string) string) string {
		var s strings.Builder
		s.WriteString("## " + heading + "\n\n")
		for i, item := range items {
			s.WriteString(format(i, item) + "\n")
		}
		return s.String()
	}
	bullet := func(_ int, s string) string { return "- `" + s + "`" }
	number := func(i int, s string) string { return fmt.Sprintf("%d. %s", i+1, s) }
	dash := func(_ int, s string) string { return "- " + s }
	renamed := func(of map[string]any) string {
		return mapping("Renamed fields", of["rename_fields"].([]map[string]any), "from", "to")
	}
	backfills := mapping("Backfills", want["backfill_rules"].([]map[string]any), "source", "target")
	cutover := []string{list("Steps", steps, number), list("Checks", checks, dash)}

	specPath := fmt.Sprintf("specs/schema_v%d.md", version)
	spec := document{
		title: fmt.Sprintf("Schema v%d of %s", version, table),
		intro: files.Pick(rnd, []string{"What the new version changes.", "The changes that were agreed for this version.", "This version is the target of the migration."}),
		facts: []fact{{"schema_version", fmt.Sprintf("v%d", version)}},
		body:  []string{renamed(want), list("Dropped fields", want["drop_fields"].([]string), bullet)},
	}
	evidence := map[string]document{}
	near := map[string]any{
		"draft_renames": changed(map[string]any{"rename_fields": begin["rename_fields"]}),
		"no_drops":      changed(map[string]any{"drop_fields": []string{}}),
	}
	if d == 1 {
		spec.body = append(spec.body, backfills)
	} else {
		evidence["notes/backfill_rules.md"] = document{
			title: "Backfill rules", intro: files.Pick(rnd, []string{"Where the values of new fields come from.", "New fields take their first value from old ones."}),
			body: []string{backfills},
		}
		near["no_backfills"] = changed(map[string]any{"backfill_rules": []map[string]any{}})
	}
	if d <= 2 {
		spec.body = append(spec.body, cutover...)
	} else {
		evidence["docs/client_cutover.md"] = document{
			title: "Cutover of the clients", intro: files.Pick(rnd, []string{"In this order and in no other.", "What is done on the day, and what is looked at afterwards."}), body: cutover,
		}
	}
	evidence[specPath] = spec
	outdated := map[string]document{}
	swapped := []string{steps[1], steps[0], steps[3], steps[2]}
	switch d {
	case 4:
		outdated["notes/v2_cutover.md"] = document{
			title: "Cutover, as it was done before", intro: "Superseded by `docs/client_cutover.md`; the order below lost data once.",
			body: []string{list("Steps", swapped, number)},
		}
		near["stale_source"] = changed(map[string]any{"ordered_steps": swapped})
	case 5:
		wrong := map[string]any{"rename_fields": pairs(old[:renames], files.Sample(rnd, long[5:], renames), "from", "to")}
		outdated[fmt.Sprintf("changelog/2026-02-%02d.md", rnd.Between(10, 28))] = document{
			title: fmt.Sprintf("Schema v%d agreed", version), intro: "The fields and the order of work are settled as follows.", bundle: archived,
			facts: []fact{{"schema_version", fmt.Sprintf("v%d", version)}},
			body:  []string{renamed(wrong), list("Steps", swapped, number)},
		}
		near["stale_source"] = changed(map[string]any{"rename_fields": wrong["rename_fields"], "ordered_steps": swapped})
	}
	return story{
		titles: [3]string{"Migration plan", "Plan for schema v" + fmt.Sprint(version), "Migration of " + table},
		descriptions: [3]string{
			"The draft of the plan was begun for another version. Complete it from the documents.",
			"The plan is a draft; every part of it stands somewhere in the documents.",
			"Before the migration is approved its plan must say exactly what was agreed.",
		},
		target: "artifacts/migration_plan.json", begin: begin, expected: want, style: "json_plan",
		contract: []string{
			"`artifacts/migration_plan.json`: the same keys as now",
			"`rename_fields`: objects with `from` and `to`; `backfill_rules`: objects with `source` and `target`",
			"Lists are in the order in which the documents give them, sentences word for word and without their number",
		},
		hints: [3]string{
			"The newest schema document is the target of the migration.", "A backfill takes the first field as the source of the second.", "Copy sentences; do not reword them.",
		},
		evidence: evidence, outdated: outdated, near: near,
	}
}

func drawSteps(rnd *files.Rand, table string, version int) []string {
	percent := files.Pick(rnd, []int{5, 10, 15, 20, 25})
	hours := rnd.Between(2, 48)
	first := []string{
		fmt.Sprintf("Freeze writes to %s on the old version.", table),
		fmt.Sprintf("Take a snapshot of %s and store its checksum.", table),
		fmt.Sprintf("Announce the freeze of %s %d hours ahead.", table, hours),
	}
	second := []string{
		fmt.Sprintf("Create the v%d columns beside the old ones.", version),
		fmt.Sprintf("Deploy the v%d readers with the old path still open.", version),
		fmt.Sprintf("Run the v%d schema change on the standby.", version),
	}
	third := []string{
		fmt.Sprintf("Backfill the new fields in batches of %d.", 100*rnd.Between(2, 20)),
		fmt.Sprintf("Move %d percent of the clients and wait %d hours.", percent, hours),
		fmt.Sprintf("Copy the remaining rows and compare %d percent of them.", percent),
	}
	fourth := []string{
		fmt.Sprintf("Drop the old columns after %d days without a read.", rnd.Between(3, 30)),
		"Close the old path and lift the freeze.",
		fmt.Sprintf("Switch all clients to v%d and remove the flag.", version),
	}
	return []string{files.Pick(rnd, first), files.Pick(rnd, second), files.Pick(rnd, third), files.Pick(rnd, fourth)}
}

func drawChecks(rnd *files.Rand, table string) []string {
	return files.Sample(rnd, []string{
		fmt.Sprintf("Row counts of %s are equal before and after.", table),
		"No dropped field occurs in a response.",
		fmt.Sprintf("At most %d rows have an empty new field.", rnd.Between(0, 40)),
		"Checksums of the snapshot and the copy are equal.",
		fmt.Sprintf("The slowest query takes less than %d milliseconds.", 50*rnd.Between(2, 20)),
		"Every renamed field is read by a client of the new version.",
	}, 3)
}
