package retrieval

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"benchwright/sim/files"
)

var (
	teams    = []string{"Fulfilment Platform", "Identity Core", "Ledger Operations", "Network Reliability", "Pricing Systems", "Storage Services"}
	impacts  = []string{"card payments were declined", "orders could not be placed", "search returned no results", "sign-in failed for new devices", "exports were empty", "labels were not printed"}
	reasons  = []string{"expired certificate on the gateway", "connection pool exhausted after a retry storm", "index rebuilt with the wrong locale", "feature flag enabled for every tenant", "clock drift on two nodes", "disk full on the primary"}
	remedies = []string{
		"raised the pool limit", "renewed the certificate", "drained two nodes", "cleared the queue", "paused the importer", "rebuilt the index", "moved traffic to the standby", "restarted the workers",
		"turned the flag off", "freed space on the primary",
	}
)

// incidentReport draws the log of an incident that has to become a report.
func incidentReport(r *files.Request) story {
	rnd := r.Rand("incident")
	d := r.Difficulty
	id := fmt.Sprintf("INC-%d", rnd.Between(2000, 9400))
	other := fmt.Sprintf("INC-%d", rnd.Between(1000, 1900))
	name := files.Pick(rnd, serviceNames)
	people := files.Sample(rnd, []string{"oc-blue", "oc-green", "oc-amber", "oc-slate", "oc-coral"}, 3)
	owning := files.Sample(rnd, teams, 3)
	actions := files.Sample(rnd, remedies, 5)
	priority := rnd.N(4)
	severities := []string{"sev1", "sev2", "sev3", "sev4"}
	wrongSeverities := files.Sample(rnd, [][]string{{"sev2", "sev1", "sev4", "sev3"}, {"sev2", "sev3", "sev4", "sev1"}, {"sev4", "sev3", "sev2", "sev1"}}, 1)[0]
	impact, cause := files.Pick(rnd, impacts), files.Pick(rnd, reasons)
	impact = fmt.Sprintf("%s for %d minutes", impact, rnd.Between(11, 95))

	start := time.Date(rnd.Between(2022, 2025), time.Month(rnd.Between(1, 12)), rnd.Between(1, 28), rnd.N(24), rnd.N(60), 0, 0, time.UTC)
	at := start
	var log strings.Builder
	say := func(format string, args ...any) {
		fmt.Fprintf(&log, "%s %s\n", at.Format(time.RFC3339), fmt.Sprintf(format, args...))
		at = at.Add(time.Duration(rnd.Between(2, 17)) * time.Minute)
	}
	say("OPENED incident=%s service=%s priority=P%d impact=%q", id, name, priority+1, impact)
	say("INFO pager acknowledged by %s", people[0])
	n := rnd.Between(3, 4)
	for i, a := range actions[:n] {
		if i == 1 {
			say("DIAGNOSIS cause=%q", cause)
		}
		say("ACTION id=A%d text=%q", i+1, a)
		if rnd.Chance(40) {
			say("INFO error rate at %d percent", rnd.Between(1, 60))
		}
	}
	captured := actions[:n]
	if d >= 3 {
		say("REVERTED id=A%d", n-1)
		captured = append(append([]string{}, actions[:n-2]...), actions[n-1])
	}
	end := at
	say("RESOLVED owner_alias=%s", people[0])
	last := at
	say("INFO review planned")

	stamp := func(t time.Time) string { return t.Format(time.RFC3339) }
	want := map[string]any{
		"incident_id": id, "service": name, "severity": severities[priority], "owner": owning[0], "customer_impact": impact,
		"start_utc": stamp(start), "resolution_utc": stamp(end), "primary_cause": cause, "actions": captured,
	}
	begin := map[string]any{
		"incident_id": id, "service": "", "severity": wrongSeverities[priority], "owner": owning[1], "customer_impact": "",
		"start_utc": "", "resolution_utc": "", "primary_cause": "unknown", "actions": []string{},
	}
	changed := func(over map[string]any) map[string]any {
		c := maps.Clone(want)
		maps.Copy(c, over)
		return c
	}
	table := func(of []string) []string {
		var lines []string
		for i, s := range of {
			lines = append(lines, fmt.Sprintf("- `P%d` is `%s`", i+1, s))
		}
		return []string{"## Severities\n\n" + strings.Join(lines, "\n")}
	}
	var aliases []string
	for i := range people {
		aliases = append(aliases, fmt.Sprintf("- `%s` is `%s`", people[i], owning[i]))
	}
	report := document{
		title: files.Pick(rnd, []string{"Contract of the report", "On-call report"}),
		intro: files.Pick(rnd, []string{"What the report holds and where it stands in the log.", "Every key of the report comes from the log of its incident."}),
		body: []string{
			"## Keys\n\n" + strings.Join([]string{
				"- `incident_id`, `service` and `customer_impact`: incident, service and impact of the `OPENED` line",
				"- `severity`: what the priority of the `OPENED` line stands for",
				"- `start_utc` and `resolution_utc`: times of the `OPENED` and the `RESOLVED` line, as they are written",
				"- `primary_cause`: the cause of the `DIAGNOSIS` line",
				"- `owner`: the team of the `owner_alias` of the `RESOLVED` line",
				"- `actions`: texts of the `ACTION` lines, in their order",
			}, "\n"),
			"## Owners\n\n" + strings.Join(files.Shuffled(rnd, aliases), "\n"),
		},
	}
	evidence := map[string]document{"logs/" + id + ".log": {raw: log.String()}}
	near := map[string]any{
		"draft_owner":    changed(map[string]any{"owner": owning[1]}),
		"draft_severity": changed(map[string]any{"severity": wrongSeverities[priority]}),
		"alias_as_owner": changed(map[string]any{"owner": people[0]}),
		"last_line_time": changed(map[string]any{"resolution_utc": stamp(last)}),
	}
	if d == 1 {
		report.body = append(report.body, table(severities)...)
	} else {
		evidence["notes/severity_policy.md"] = document{
			title: "Severity policy", intro: files.Pick(rnd, []string{"What a priority stands for in reports.", "Reports give severities, pagers give priorities."}), body: table(severities),
		}
	}
	if d >= 3 {
		evidence["docs/action_capture.md"] = document{
			title: "Capture of actions", intro: files.Pick(rnd, []string{
				"An action whose id a later `REVERTED` line names is not captured. All others are, in their order.",
				"Actions stay out of the report when a later `REVERTED` line names their id; the others keep their order.",
			}),
		}
		near["reverted_action"] = changed(map[string]any{"actions": actions[:n]})
	}
	evidence["specs/report_contract.md"] = report
	outdated := map[string]document{}
	switch d {
	case 4:
		outdated["notes/postmortem_draft.md"] = document{
			title: "Draft of the review of " + other, intro: "About another incident; not a source for any report of " + id + ".",
			facts: []fact{{"primary_cause", "operator error"}, {"owner", owning[2]}, {"severity", wrongSeverities[priority]}},
		}
		near["stale_source"] = changed(map[string]any{"primary_cause": "operator error", "owner": owning[2], "severity": wrongSeverities[priority]})
	case 5:
		outdated[fmt.Sprintf("changelog/2026-03-%02d.md", rnd.Between(10, 28))] = document{
			title: "Severities in reports", intro: "Priorities stand for these severities from now on.", bundle: archived, body: table(wrongSeverities),
		}
		near["stale_source"] = near["draft_severity"]
	}
	return story{
		titles: [3]string{"On-call report", "Report of " + id, "Report of an incident"},
		descriptions: [3]string{
			"The report was begun in a hurry and holds placeholders and guesses.",
			"Write the report of the incident from its log, by the rules of the documents.",
			"Some of the report's values were guessed on the night; the log knows better.",
		},
		target: "artifacts/oncall_report.json", begin: begin, expected: want, style: "json_report",
		contract: []string{"`artifacts/oncall_report.json`: the same keys as now", "Texts are word for word those of the log or the documents"},
		hints: [3]string{
			"The log says who resolved the incident, by an alias.", "Priorities and severities are not the same words.", "Not every line of the log is for the report.",
		},
		evidence: evidence, outdated: outdated, near: near,
	}
}
