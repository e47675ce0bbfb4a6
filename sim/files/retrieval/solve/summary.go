package solve

import (
	"encoding/json"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"time"
)

// Summary answers a response as the documents of a client's workspace say that it has to. contract
// is what the client's contract file holds, nil where the client has none.
func Summary(visible map[string]string, response, contract []byte) (string, error) {
	e, err := gather(visible)
	if err != nil {
		return "", err
	}
	names := e.facts()
	regions := map[string]string{}
	if contract != nil {
		var given map[string]any
		if err := json.Unmarshal(contract, &given); err != nil {
			return "", err
		}
		for k, v := range given {
			if text, ok := v.(string); ok {
				names[k] = text
			}
		}
		for k, v := range given["region_defaults"].(map[string]any) {
			regions[k] = v.(string)
		}
	} else {
		// The changes name what the reference calls otherwise.
		for _, m := range regexp.MustCompile("- `([^`]+)` (?:is now|was renamed to|became) `([^`]+)`").FindAllStringSubmatch(e.section("Names"), -1) {
			for _, field := range []string{"collection_field", "quantity_field", "cursor_field"} {
				if names[field] == m[1] {
					names[field] = m[2]
					break
				}
			}
		}
	}
	for _, field := range []string{"collection_field", "quantity_field", "cursor_field", "default_warehouse"} {
		if names[field] == "" {
			return "", fmt.Errorf("no document gives %s", field)
		}
	}
	place := names["warehouse_field"]
	if place == "" {
		place = "warehouse"
	}
	rules := ""
	for _, path := range e.order {
		rules += e.visible[path]
	}
	malformed := strings.Contains(rules, "## Malformed entries")

	var first map[string]any
	if err := json.Unmarshal(response, &first); err != nil {
		return "", err
	}
	pages := []map[string]any{first}
	if more, ok := first["more_pages"].([]any); ok && strings.Contains(rules, "`more_pages`") {
		for _, p := range more {
			pages = append(pages, p.(map[string]any))
		}
	}
	type line struct {
		id, house string
		quantity  float64
		at        time.Time
	}
	var lines []line
	for _, page := range pages {
		entries, _ := page[names["collection_field"]].([]any)
		for _, entry := range entries {
			record, ok := entry.(map[string]any)
			if !ok {
				continue
			}
			l := line{id: fmt.Sprint(len(lines))}
			switch q := record[names["quantity_field"]].(type) {
			case float64:
				l.quantity = q
			case string:
				text := strings.ReplaceAll(strings.TrimSpace(q), ",", "")
				if regexp.MustCompile(`^\d+$`).MatchString(text) {
					if err := json.Unmarshal([]byte(strings.TrimLeft(text[:len(text)-1], "0")+text[len(text)-1:]), &l.quantity); err != nil {
						return "", err
					}
				}
			}
			if malformed && l.quantity < 0 {
				l.quantity = 0
			}
			l.house, _ = record[place].(string)
			if strings.TrimSpace(l.house) == "" {
				l.house = names["default_warehouse"]
				if region, ok := page["region"].(string); ok && regions[region] != "" {
					l.house = regions[region]
				}
			}
			if id, ok := record["id"].(string); ok {
				l.id = id
				if l.at, err = time.Parse(time.RFC3339, record["updated_at"].(string)); err != nil {
					return "", err
				}
			}
			lines = append(lines, l)
		}
	}
	sort.SliceStable(lines, func(i, j int) bool { return lines[i].at.Before(lines[j].at) })
	last := map[string]line{}
	for _, l := range lines {
		last[l.id] = l
	}
	houses := map[string]bool{}
	total := 0.0
	for _, l := range last {
		total += l.quantity
		houses[l.house] = true
	}
	list := make([]string, 0, len(houses))
	for h := range houses {
		list = append(list, h)
	}
	sort.Strings(list)
	raw, err := json.Marshal(map[string]any{
		"request_id": first["request_id"], "next_cursor": pages[len(pages)-1][names["cursor_field"]],
		"record_count": len(last), "total_quantity": total, "warehouses": list,
	})
	return string(raw), err
}
