package retrieval

import (
	"fmt"
	"maps"

	"benchwright/sim/files"
)

var (
	serviceNames = []string{"ledger-sync", "parcel-router", "quote-cache", "roster-feed", "tariff-engine", "visit-planner", "invoice-mailer", "badge-printer"}
	regionNames  = []string{"eu-north-1", "eu-west-2", "us-east-3", "us-west-1", "ap-south-2", "ap-east-1", "sa-north-1"}
)

// serviceConfig draws a configuration that still holds the values of an earlier release.
func serviceConfig(r *files.Request) story {
	rnd := r.Rand("values")
	d := r.Difficulty
	name := files.Pick(rnd, serviceNames)
	regions := files.Sample(rnd, regionNames, 3)
	shadow := rnd.Chance(50)
	release := rnd.Between(3, 9)
	timeouts := files.Sample(rnd, []int{5, 8, 12, 15, 18, 20, 25, 30, 40, 45, 60}, 4)
	retries := files.Sample(rnd, []int{1, 2, 3, 4, 5, 6, 7, 8}, 4)
	cohorts := files.Sample(rnd, []int{50, 75, 120, 200, 250, 400, 600, 850, 1200, 2500}, 3)
	domain := files.Pick(rnd, []string{"mesh", "core", "edge", "svc"})
	url := func(v int) string { return fmt.Sprintf("https://%s.%s.example.internal/v%d", name, domain, v) }
	want := map[string]any{
		"service_name": name, "base_url": url(release), "timeout_seconds": timeouts[0], "retry_attempts": retries[0],
		"region": regions[0], "enable_shadow_mode": shadow, "cohort_limit": cohorts[0],
	}
	legacy := map[string]any{
		"service_name": name, "base_url": url(release - 1), "timeout_seconds": timeouts[1], "retry_attempts": retries[1],
		"region": regions[1], "enable_shadow_mode": !shadow, "cohort_limit": cohorts[1],
	}
	facts := func(of map[string]any, fields ...string) []fact {
		var out []fact
		for _, f := range fields {
			out = append(out, fact{f, of[f]})
		}
		return out
	}
	changed := func(over map[string]any) map[string]any {
		c := maps.Clone(want)
		maps.Copy(c, over)
		return c
	}

	contract := document{
		title: files.Pick(rnd, []string{"Runtime contract", "Runtime contract of " + name, "What the service is run with"}),
		intro: files.Pick(rnd, []string{
			"These values are binding for the running service.",
			"Operations and development agreed on the following.",
			"The service is started with what stands here.",
		}),
		facts: facts(want, "service_name", "base_url", "timeout_seconds", "retry_attempts"),
	}
	rollout := document{
		title:  files.Pick(rnd, []string{"Rollout plan", "Plan of the rollout"}),
		intro:  files.Pick(rnd, []string{"How the release reaches its first users.", "Settings for the first weeks; they hold beside the runtime contract."}),
		facts:  facts(want, "enable_shadow_mode", "cohort_limit"),
		raw:    "",
		bundle: active,
		body:   nil,
	}
	evidence := map[string]document{}
	near := map[string]any{"untouched_values": legacy}
	switch {
	case d == 1:
		contract.facts = append(contract.facts, facts(want, "region", "enable_shadow_mode", "cohort_limit")...)
	case d == 2:
		contract.facts = append(contract.facts, facts(want, "region")...)
	default:
		contract.facts = append(contract.facts, fact{"region", regions[2]})
		contract.body = []string{"The region here is the usual one; a region override takes its place."}
		evidence["notes/region_override.md"] = document{
			title: "Region override", intro: "This note overrides the region of the runtime contract until further notice.",
			facts: facts(want, "region"),
		}
		near["no_override"] = changed(map[string]any{"region": regions[2]})
	}
	evidence["specs/runtime_contract.md"] = contract
	if d >= 2 {
		evidence["notes/rollout_plan.md"] = rollout
		near["no_rollout_plan"] = changed(map[string]any{"enable_shadow_mode": legacy["enable_shadow_mode"], "cohort_limit": legacy["cohort_limit"]})
	}
	outdated := map[string]document{}
	stale := map[string]any{"timeout_seconds": timeouts[2], "retry_attempts": retries[2], "cohort_limit": cohorts[2]}
	switch d {
	case 4:
		outdated["notes/legacy_service_config.md"] = document{
			title: "Service values", intro: "Superseded by `specs/runtime_contract.md` and the rollout plan; kept for the audit.",
			facts: facts(stale, "timeout_seconds", "retry_attempts", "cohort_limit"),
		}
	case 5:
		outdated[fmt.Sprintf("changelog/2026-01-%02d.md", rnd.Between(10, 28))] = document{
			title: "Service values changed", intro: "The service is run with these values from now on.", bundle: archived,
			facts: facts(stale, "timeout_seconds", "retry_attempts", "cohort_limit"),
		}
		outdated["docs/platform_defaults.md"] = document{
			title: "Defaults of the platform", intro: "What every service is run with that has no values of its own.", bundle: defaults,
			facts: []fact{{"timeout_seconds", timeouts[3]}, {"retry_attempts", retries[3]}},
		}
		near["platform_defaults"] = changed(map[string]any{"timeout_seconds": timeouts[3], "retry_attempts": retries[3]})
	}
	if d >= 4 {
		near["stale_source"] = changed(stale)
	}
	return story{
		titles: [3]string{"Service configuration", "Configuration of " + name, "Bring the configuration up to date"},
		descriptions: [3]string{
			"The configuration was copied from the release before. Its service is right, most of the rest is not.",
			"Before the next start the configuration must say what was agreed.",
			"The configuration file and the documents have drifted apart; the documents hold.",
		},
		target: "config/service_config.json", begin: legacy, expected: want, style: "json_config",
		contract: []string{"`config/service_config.json`: the same keys as now, each with the value in force, as JSON of the same type"},
		hints: [3]string{
			"The keys of the file are the names that the documents use.", "Numbers stay numbers and flags stay flags.", "A note may override one value of the contract.",
		},
		evidence: evidence, outdated: outdated, near: near,
	}
}
