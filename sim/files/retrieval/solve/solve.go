// Package solve answers retrieval workspaces from their visible documents. It shares no code with
// the generator: it reads texts, and decides between two of them only by what a visible rule says.
package solve

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// An evidence is the visible tree, with the documents that hold in the order in which they override
// one another: what comes later wins.
type evidence struct {
	visible map[string]string
	order   []string
}

var (
	tagLine   = regexp.MustCompile("^(?:# )?Evidence bundle: `([^`]+)`")
	indexLine = regexp.MustCompile("Active evidence bundle: `([^`]+)`")
	factLine  = regexp.MustCompile("(?m)^(?:- `([a-z_]+)`: `([^`]*)`|\\| `([a-z_]+)` \\| `([^`]*)` \\||- The value of `([a-z_]+)` is `([^`]*)`\\.|- Set `([a-z_]+)` to `([^`]*)`\\.)$")
)

// gather settles which documents hold. Where they carry tags, the index says which tag is active
// and defaults come first, to be overridden. Where they carry none, a document that calls itself
// superseded, or is about something else, is left out. A note that says that it overrides comes
// last.
func gather(visible map[string]string) (*evidence, error) {
	e := &evidence{visible: visible}
	active := ""
	if index, tagged := visible["changelog/evidence_index.md"]; tagged {
		m := indexLine.FindStringSubmatch(index)
		if m == nil || !strings.Contains(visible["docs/evidence_precedence.md"], "comes before anything tagged `defaults`") &&
			!strings.Contains(visible["docs/evidence_precedence.md"], "come before anything tagged `defaults`") {
			return nil, errors.New("the index names no active bundle, or the rules of precedence are missing")
		}
		active = m[1]
	}
	rank := map[string]int{}
	for path, text := range visible {
		if !strings.HasSuffix(path, ".md") && !strings.HasSuffix(path, ".log") || path == "README.md" {
			continue
		}
		switch m := tagLine.FindStringSubmatch(text); {
		case active == "" && (strings.Contains(text, "Superseded by") || strings.Contains(text, "not a source for")):
			continue
		case active == "":
		case m == nil:
			return nil, fmt.Errorf("%s carries no tag", path)
		case m[1] == "defaults":
			rank[path] = -1
		case m[1] != active:
			continue
		}
		if strings.Contains(text, "This note overrides") || strings.Contains(text, "These changes override") {
			rank[path] = 1
		}
		e.order = append(e.order, path)
	}
	sort.Slice(e.order, func(i, j int) bool {
		if a, b := rank[e.order[i]], rank[e.order[j]]; a != b {
			return a < b
		}
		return e.order[i] < e.order[j]
	})
	return e, nil
}

// facts lists every field that a document which holds gives a value. Two documents of equal rank
// may not differ about one.
func (e *evidence) facts() map[string]string {
	out := map[string]string{}
	for _, path := range e.order {
		for _, m := range factLine.FindAllStringSubmatch(e.visible[path], -1) {
			for i := 1; i < len(m); i += 2 {
				if m[i] != "" {
					out[m[i]] = m[i+1]
				}
			}
		}
	}
	return out
}

// section returns the text below a heading of a document that holds.
func (e *evidence) section(heading string) string {
	for _, path := range slices.Backward(e.order) {
		if _, rest, ok := strings.Cut(e.visible[path], "\n## "+heading+"\n"); ok {
			text, _, _ := strings.Cut(rest, "\n## ")
			return text
		}
	}
	return ""
}

// Solve returns the JSON document that a visible tree asks for, and its path: the target, or the
// contract of a client that has one.
func Solve(visible map[string]string) (path, artifact string, err error) {
	e, err := gather(visible)
	if err != nil {
		return "", "", err
	}
	for _, known := range []struct {
		path  string
		solve func(*evidence, map[string]any) (map[string]any, error)
	}{
		{"config/service_config.json", (*evidence).service},
		{"artifacts/migration_plan.json", (*evidence).migration},
		{"artifacts/oncall_report.json", (*evidence).incident},
		{"config/client_contract.json", (*evidence).contract},
		{"config/adapter_contract.json", (*evidence).contract},
	} {
		text, ok := visible[known.path]
		if !ok || !strings.Contains(visible["README.md"], "`"+known.path+"`") {
			continue
		}
		var begin map[string]any
		if err := json.Unmarshal([]byte(text), &begin); err != nil {
			return "", "", fmt.Errorf("%s: %w", known.path, err)
		}
		value, err := known.solve(e, begin)
		if err != nil {
			return "", "", fmt.Errorf("%s: %w", known.path, err)
		}
		raw, err := json.Marshal(value)
		return known.path, string(raw), err
	}
	return "", "", errors.New("no target that is known")
}

// service gives every key of the configuration its fact, in the type that it has.
func (e *evidence) service(begin map[string]any) (map[string]any, error) {
	facts := e.facts()
	out := map[string]any{}
	for key, old := range begin {
		text, ok := facts[key]
		if !ok {
			return nil, fmt.Errorf("no document gives %s", key)
		}
		if _, isText := old.(string); isText {
			out[key] = text
			continue
		}
		out[key] = json.RawMessage(text)
	}
	return out, nil
}

// contract is like service, but for the defaults by region.
func (e *evidence) contract(begin map[string]any) (map[string]any, error) {
	facts := e.facts()
	regions := map[string]string{}
	for _, m := range regexp.MustCompile("- region `([^`]+)`: `([^`]+)`").FindAllStringSubmatch(e.section("Region defaults"), -1) {
		regions[m[1]] = m[2]
	}
	out := map[string]any{"region_defaults": regions}
	for key := range begin {
		if key == "region_defaults" {
			continue
		}
		text, ok := facts[key]
		if !ok {
			return nil, fmt.Errorf("no document gives %s", key)
		}
		out[key] = text
	}
	return out, nil
}

var lineEnd = regexp.MustCompile(`(?m)^(?:\d+\.|-) (.*)$`)

func items(text string) []string {
	out := []string{}
	for _, m := range lineEnd.FindAllStringSubmatch(text, -1) {
		out = append(out, strings.Trim(m[1], "`"))
	}
	return out
}

func (e *evidence) migration(map[string]any) (map[string]any, error) {
	pairs := func(heading, a, b string) []map[string]string {
		out := []map[string]string{}
		for _, m := range regexp.MustCompile("- `([^`]+)` (?:->|becomes|=>) `([^`]+)`").FindAllStringSubmatch(e.section(heading), -1) {
			out = append(out, map[string]string{a: m[1], b: m[2]})
		}
		return out
	}
	version := e.facts()["schema_version"]
	if version == "" {
		return nil, errors.New("no document gives schema_version")
	}
	plan := map[string]any{
		"schema_version": version, "rename_fields": pairs("Renamed fields", "from", "to"), "drop_fields": items(e.section("Dropped fields")),
		"backfill_rules": pairs("Backfills", "source", "target"), "ordered_steps": items(e.section("Steps")), "validation_checks": items(e.section("Checks")),
	}
	return plan, nil
}

func (e *evidence) incident(begin map[string]any) (map[string]any, error) {
	id, _ := begin["incident_id"].(string)
	log := ""
	for _, path := range e.order {
		if strings.HasSuffix(path, ".log") && strings.Contains(e.visible[path], "incident="+id+" ") {
			log = e.visible[path]
		}
	}
	opened := regexp.MustCompile(`(?m)^(\S+) OPENED incident=(\S+) service=(\S+) priority=(\S+) impact="(.*)"$`).FindStringSubmatch(log)
	resolved := regexp.MustCompile(`(?m)^(\S+) RESOLVED owner_alias=(\S+)$`).FindStringSubmatch(log)
	cause := regexp.MustCompile(`(?m)^\S+ DIAGNOSIS cause="(.*)"$`).FindStringSubmatch(log)
	if opened == nil || resolved == nil || cause == nil {
		return nil, errors.New("the log of the incident is incomplete")
	}
	word := func(heading, name string) string {
		m := regexp.MustCompile("- `" + regexp.QuoteMeta(name) + "` is `([^`]+)`").FindStringSubmatch(e.section(heading))
		if m == nil {
			return ""
		}
		return m[1]
	}
	actions := []string{}
	capture := e.visible["docs/action_capture.md"]
	for _, m := range regexp.MustCompile(`(?m)^\S+ ACTION id=(\S+) text="(.*)"$`).FindAllStringSubmatch(log, -1) {
		if strings.Contains(capture, "`REVERTED` line") && strings.Contains(log, " REVERTED id="+m[1]+"\n") {
			continue
		}
		actions = append(actions, m[2])
	}
	return map[string]any{
		"incident_id": opened[2], "service": opened[3], "severity": word("Severities", opened[4]), "owner": word("Owners", resolved[2]),
		"customer_impact": opened[5], "start_utc": opened[1], "resolution_utc": resolved[1], "primary_cause": cause[1], "actions": actions,
	}, nil
}
