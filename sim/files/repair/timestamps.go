package repair

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"benchwright/sim/files"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/internal/stock"
)

// A pattern is a way to write a moment: as Python says it, as Go says it, and in words.
type pattern struct{ python, layout, words string }

var patterns = []pattern{
	{"%Y-%m-%dT%H:%M:%S", "2006-01-02T15:04:05", "`2024-01-31T08:30:00`"},
	{"%Y-%m-%d %H:%M", "2006-01-02 15:04", "`2024-01-31 08:30`"},
	{"%d %b %Y %H:%M", "02 Jan 2006 15:04", "`31 Jan 2024 08:30`"},
	{"%Y%m%d %H%M", "20060102 1504", "`20240131 0830`"},
	{"%b %d, %Y %H:%M", "Jan 02, 2006 15:04", "`Jan 31, 2024 08:30`"},
	{"%Y.%m.%d %H:%M", "2006.01.02 15:04", "`2024.01.31 08:30`"},
	{"%H:%M %d.%m.%Y", "15:04 02.01.2006", "`08:30 31.01.2024`"},
}

var slashed = []pattern{
	{"%d/%m/%Y %H:%M", "02/01/2006 15:04", "`31/01/2024 08:30` (the day first)"},
	{"%m/%d/%Y %H:%M", "01/02/2006 15:04", "`01/31/2024 08:30` (the month first)"},
}

type event struct {
	name, kind string
	at         time.Time
	way        pattern
}

func (e event) text() string { return e.at.Format(e.way.layout) }

// timestampReport counts events by day, whose moments are written in four ways.
func timestampReport(r *files.Request) (*story, error) {
	rnd := r.Rand("words")
	kinds := files.Sample(rnd, []string{"deploy", "alarm", "restart", "backup", "login", "import"}, 3)
	w := stock.Words{
		"things": files.Pick(rnd, []string{"machines", "services", "sites", "gateways"}),
		"at":     files.Pick(rnd, []string{"at", "occurred", "moment", "logged_at"}),
		"name":   files.Pick(rnd, []string{"name", "label", "event", "title"}),
		"kind":   files.Pick(rnd, []string{"kind", "type", "category"}),
	}
	w["report_name"] = files.Pick(rnd, []string{"daily report", "report by day", "day book"})
	w["package_doc"] = "Events of the " + w["things"] + ", by day."
	first := rnd.N(2)
	day := slashed[first]
	ways := append(files.Sample(rnd, patterns, 3), day)
	var lines []string
	ways = files.Shuffled(rnd, ways)
	var words []string
	for _, p := range ways {
		lines = append(lines, fmt.Sprintf("    %q,", p.python))
		words = append(words, p.words)
	}
	w["formats"] = strings.Join(lines, "\n")
	counted, starts := kinds[:2], rnd.Between(3, 6)
	s := &story{
		template: "timestamps", words: w,
		title:       stock.Title(w["report_name"]),
		description: files.Pick(rnd, []string{"Four generations of " + w["things"] + " log what happens, each in its own way.", "The logs of the " + w["things"] + " become one list of days.", "What happened on which day, from logs that do not agree on how to write one."}),
		input:       "data/" + files.Pick(rnd, []string{"events", "journal", "log", "history"}) + ".json",
		values: []stock.Setting{
			{Key: "day_starts_at", Right: starts, Stale: starts + rnd.Between(7, 9)},
			{Key: "counted_kinds", Right: counted, Stale: kinds[1:]},
		},
		contract: []string{
			fmt.Sprintf("`parse_timestamp(text)`: the moment that a text says. Moments are written %s.", strings.Join(words, ", ")),
			fmt.Sprintf("`sort_events(events)`: the earliest first, events of the same moment by `%s`.", w["name"]),
			fmt.Sprintf("`build_report(events, day_starts_at, counted)`: one row for each day with an event whose `%s` is counted, the earliest day first: `day` (YYYY-MM-DD), `event_count`, and `first`, the `%s` of the first one. What happens before `day_starts_at` o'clock belongs to the day before.", w["kind"], w["name"]),
		},
		hints: [3]string{
			"Try each way of writing a moment, also with a day above 12.",
			"Is the order that of the texts, or that of the moments?",
			"Look at how a day is written.",
		},
		structure: map[string]any{"repair_surface": "time_utils_and_report", "failure_mode": "silent_wrong_output", "smoke_test_quality": "misleading"},
		suspect:   "some events are counted on the wrong day",
		core: []files.Defect{
			edit("missing_format", "parsing", "time_utils.py", day.python, slashed[1-first].python),
			edit("wrong_sort_key", "ordering", "time_utils.py", "(parse_timestamp(event[\"«at»\"]),", "(event[\"«at»\"],"),
			edit("wrong_output_schema", "schema", "report.py", "moment.strftime(\"%Y-%m-%d\")", "moment.strftime(\"%m/%d/%Y\")"),
		},
		more: []files.Defect{
			edit("tie_order", "ordering", "time_utils.py", ", event[\"«name»\"]))", ", 0))"),
			edit("day_boundary", "bucketing", "report.py", " - timedelta(hours=day_starts_at)", ""),
		},
		edges: [][2]string{{"missing_format", "wrong_sort_key"}, {"missing_format", "day_boundary"}, {"wrong_sort_key", "tie_order"}, {"day_boundary", "wrong_output_schema"}},
	}
	s.data = files.JSON(eventRows(drawEvents(r.Rand("visible"), 3+r.Difficulty, ways, kinds), w))
	rnd = r.Rand("other")
	list, again, last := drawEvents(rnd, 9, ways, kinds), drawEvents(rnd, 10, ways, kinds), drawEvents(rnd, 11, ways, kinds)
	var texts [][]any
	var moments []any
	for i := range 8 {
		at := time.Date(2024, time.Month(1+rnd.N(12)), 1+rnd.N(12), rnd.N(24), rnd.N(60), 0, 0, time.UTC)
		if i >= 4 {
			at = at.AddDate(0, 0, 13-at.Day()+rnd.N(15))
		}
		texts = append(texts, []any{at.Format(ways[i%4].layout)})
		moments = append(moments, map[string]any{"$time": at.Format("2006-01-02T15:04:05")})
	}
	s.call("formats", "parsing", "time_utils", "parse_timestamp", nil, moments, texts...)
	s.call("order", "ordering", "time_utils", "sort_events", nil, []any{eventRows(chronological(list), w)}, []any{eventRows(list, w)})
	ties := drawTies(rnd, ways, kinds)
	s.call("ties", "ordering", "time_utils", "sort_events", nil, []any{eventRows(chronological(ties), w)}, []any{eventRows(ties, w)})
	other := 2 + rnd.N(3)
	s.call("report", "reporting", "report", "build_report", nil, []any{dayReport(chronological(again), other, counted)}, []any{eventRows(again, w), other, counted})
	s.run(files.JSON(eventRows(last, w)), dayReport(chronological(last), starts, counted))
	s.also("day_order", exam.Check{Capability: "ordering", Aspect: exam.Order, File: report, By: "day", Want: stock.Column(dayReport(chronological(last), starts, counted), "day")})
	for _, c := range []struct {
		events []event
		starts int
	}{{again, other}, {last, starts}} {
		right := stock.Column(dayReport(chronological(c.events), c.starts, counted), "day")
		for _, wrong := range [][]map[string]any{
			dayReport(byText(c.events), c.starts, counted), dayReport(chronological(c.events), 0, counted), dayReport(byText(c.events), 0, counted),
		} {
			if exam.SameJSON(right, stock.Column(wrong, "day")) {
				return nil, files.Redraw("the days do not show how they are cut, or how events are sorted")
			}
		}
	}
	if exam.SameJSON(eventRows(byText(list), w), eventRows(chronological(list), w)) {
		return nil, files.Redraw("texts sort as moments do")
	}
	return s, nil
}

// drawEvents draws events of some days in all ways to write them, in no order. One that is written
// with slashes lies on a day above 12.
func drawEvents(r *files.Rand, n int, ways []pattern, kinds []string) []event {
	base := time.Date(r.Between(2021, 2025), time.Month(r.Between(1, 11)), 1, 0, 0, 0, 0, time.UTC)
	names := files.Sample(r, []string{"amber", "birch", "cedar", "dune", "elm", "fern", "grove", "hazel", "iris", "jade", "kelp", "lotus", "maple", "nettle"}, n)
	list := make([]event, n)
	for i := range list {
		at := base.AddDate(0, 0, r.N(28)).Add(time.Duration(r.N(24*60)) * time.Minute)
		if i%3 == 0 { // at night, before any day starts
			at = at.Truncate(24 * time.Hour).Add(time.Duration(r.N(110)) * time.Minute)
		}
		if strings.Contains(ways[i%4].python, "/") && at.Day() <= 12 {
			at = at.AddDate(0, 0, 12)
		}
		list[i] = event{names[i], kinds[i%len(kinds)], at, ways[i%4]}
		if strings.Contains(ways[i%4].python, "/") {
			list[i].kind = kinds[0] // counted
		}
	}
	return files.Shuffled(r, list)
}

// drawTies draws events in one way of writing that sorts as its moments do, two of them at a time.
func drawTies(r *files.Rand, ways []pattern, kinds []string) []event {
	list := drawEvents(r, 6, ways, kinds)
	way := pattern{"", patterns[0].layout, ""}
	for _, p := range ways {
		if strings.HasPrefix(p.python, "%Y") {
			way = p
		}
	}
	if way.python == "" { // none of the four sorts: then one moment only
		way = ways[0]
		for i := range list {
			list[i].at = list[0].at
		}
	}
	slices.SortFunc(list, func(a, b event) int { return strings.Compare(b.name, a.name) })
	for i := range list {
		list[i].way = way
		list[i].at = list[i-i%3].at
	}
	return list
}

func chronological(list []event) []event {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b event) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return strings.Compare(a.name, b.name)
	})
	return list
}

func byText(list []event) []event {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b event) int {
		if c := strings.Compare(a.text(), b.text()); c != 0 {
			return c
		}
		return strings.Compare(a.name, b.name)
	})
	return list
}

func eventRows(list []event, w stock.Words) []any {
	rows := []any{}
	for _, e := range list {
		rows = append(rows, map[string]any{w["name"]: e.name, w["kind"]: e.kind, w["at"]: e.text()})
	}
	return rows
}

func dayReport(sorted []event, starts int, counted []string) []map[string]any {
	rows := []map[string]any{}
	of := map[string]map[string]any{}
	for _, e := range sorted {
		if !slices.Contains(counted, e.kind) {
			continue
		}
		day := e.at.Add(-time.Duration(starts) * time.Hour).Format("2006-01-02")
		row := of[day]
		if row == nil {
			row = map[string]any{"day": day, "event_count": 0, "first": e.name}
			of[day] = row
			rows = append(rows, row)
		}
		row["event_count"] = row["event_count"].(int) + 1
	}
	return rows
}
