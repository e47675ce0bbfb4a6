package retrieval

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"benchwright/sim/files"
)

// harmless documents hold nothing that any target asks for.
var harmless = []struct {
	path string
	draw func(rnd *files.Rand) document
}{
	{"docs/retention.md", func(rnd *files.Rand) document {
		return document{title: "Retention", bundle: unassigned,
			intro: fmt.Sprintf("Raw exports are kept for %d days, reports for %d months.", rnd.Between(20, 90), rnd.Between(6, 36))}
	}},
	{"docs/auth_rotation.md", func(rnd *files.Rand) document {
		return document{title: "Rotation of credentials", bundle: unassigned,
			intro: fmt.Sprintf("Tokens are replaced every %d weeks, on a %s.", rnd.Between(3, 12), files.Pick(rnd, []string{"Monday", "Tuesday", "Thursday"}))}
	}},
	{"notes/archive_window.md", func(rnd *files.Rand) document {
		return document{title: "Archive window", bundle: unassigned,
			intro: fmt.Sprintf("The archive copies itself between %02d:00 and %02d:30; reads are slow meanwhile.", rnd.Between(0, 2), rnd.Between(3, 5))}
	}},
	{"logs/heartbeat.log", func(rnd *files.Rand) document {
		at := time.Date(rnd.Between(2022, 2025), time.Month(rnd.Between(1, 12)), rnd.Between(1, 28), rnd.N(24), 0, 0, 0, time.UTC)
		var b strings.Builder
		for i := range rnd.Between(4, 8) {
			fmt.Fprintf(&b, "%s heartbeat node-%d ok\n", at.Add(time.Duration(i)*time.Minute).Format(time.RFC3339), rnd.Between(1, 6))
		}
		return document{raw: b.String(), bundle: unassigned}
	}},
	{"notes/team_calendar.md", func(rnd *files.Rand) document {
		return document{title: "Calendar of the team", bundle: unassigned,
			intro: fmt.Sprintf("The weekly round is at %d:15. The room is booked until week %d.", rnd.Between(9, 15), rnd.Between(20, 50))}
	}},
	{"docs/metrics_backfill.md", func(rnd *files.Rand) document {
		return document{title: "Backfill of metrics", bundle: unassigned,
			intro: fmt.Sprintf("Gaps of the dashboards were filled for %d days in batches of %d.", rnd.Between(2, 30), rnd.Between(100, 900))}
	}},
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
