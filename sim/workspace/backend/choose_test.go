package backend_test

import (
	"fmt"
	"strings"
	"testing"

	"benchwright/sim/workspace/backend"
)

// choosing has a row for each day around the ends of periods. The as-of date is a Friday.
const choosing = `{
	"slug": "dated", "name": "Dated", "as_of": "2026-05-15",
	"widgets": {"log": {"name": "Log", "description": "D", "endpoint": "/l"}},
	"data": {"log": {"nomatch": "empty",
		"payload": [
			{"n": 1, "date": "2025-05-15", "tag": "a"}, {"n": 2, "date": "2025-05-16", "tag": "b"}, {"n": 3, "date": "2026-01-01", "tag": "a,b"},
			{"n": 4, "date": "2026-04-01", "tag": "a"}, {"n": 5, "date": "2026-04-16", "tag": "c"}, {"n": 6, "date": "2026-05-01", "tag": "a"},
			{"n": 7, "date": "2026-05-09", "tag": "b"}, {"n": 8, "date": "2026-05-15T09:30:00Z", "tag": "c"}, {"n": 9, "date": "2026-05-18", "tag": "a"}, {"n": 10, "tag": "a"}
		],
		"filters": [{"param": "period", "field": "date", "op": "window"}, {"param": "from", "field": "date", "op": "since"}, {"param": "to", "field": "date", "op": "until"},
			{"param": "tags", "field": "tag", "many": true}, "tag", {"param": "limit", "op": "limit"}]
	}}
}`

func TestDeclaredFilters(t *testing.T) {
	b := fixture(t, choosing)
	for _, tt := range []struct{ args, want, reason string }{
		{`{}`, "1 2 3 4 5 6 7 8 9 10", "no argument, every row"},
		{`{"period": "1D"}`, "8", "the as-of date alone, whatever the time of day"},
		{`{"period": "1W"}`, "7 8", "seven days"},
		{`{"period": "MTD"}`, "6 7 8", "what lies after the as-of date is in no period"},
		{`{"period": "1M"}`, "5 6 7 8", "a month begins a day after its date"},
		{`{"period": "QTD"}`, "4 5 6 7 8", "from the first of April"},
		{`{"period": "YTD"}`, "3 4 5 6 7 8", "from the first of January"},
		{`{"period": "1Y"}`, "2 3 4 5 6 7 8", "a year begins a day after its date"},
		{`{"period": "ITD"}`, "1 2 3 4 5 6 7 8", "all time up to the as-of date; a row without a date is in no period"},
		{`{"period": "7Q"}`, "", "no such period"},
		{`{"period": "0D"}`, "", "a period has a length"},
		{`{"from": "2026-05-09"}`, "7 8 9", "this date and later"},
		{`{"to": "2026-01-01"}`, "1 2 3", "this date and earlier"},
		{`{"from": "2026-04-01", "to": "2026-04-30T23:59:59Z"}`, "4 5", "of a time of day the date counts"},
		{`{"from": "$currentDate-6d"}`, "7 8 9", "a macro counts from the as-of date"},
		{`{"to": "$currentDate-1M"}`, "1 2 3 4", "a month before, which is the 15th"},
		{`{"to": "$currentDate"}`, "1 2 3 4 5 6 7 8", "the as-of date itself"},
		{`{"from": "soon"}`, "", "no date"},
		{`{"to": "2026-02-30"}`, "", "no date of the calendar"},
		{`{"to": "$currentDate-1q"}`, "", "no macro"},
		{`{"tags": "b,c"}`, "2 5 7 8", "a list of values in one text"},
		{`{"tags": "b, c"}`, "2 5 7 8", "with blanks"},
		{`{"tags": "a,b"}`, "1 2 3 4 6 7 9 10", "each of them, and the text as a whole"},
		{`{"tags": ["c"]}`, "5 8", "a list"},
		{`{"tag": "a,b"}`, "3", "only a declared list is split"},
		{`{"tag": ["a,b", "c"]}`, "3 5 8", "a list matches by any of its elements everywhere"},
		{`{"tag": "z"}`, "", "what matches nothing answers nothing"},
		{`{"tag": "", "tags": []}`, "1 2 3 4 5 6 7 8 9 10", "an empty value is no choice"},
		{`{"limit": 2}`, "1 2", "the first rows"},
		{`{"limit": "2", "tag": "c"}`, "5 8", "of those that the others leave"},
		{`{"limit": 1, "tag": "c"}`, "5", "and no more"},
		{`{"limit": 99}`, "1 2 3 4 5 6 7 8 9 10", "more than there are"},
		{`{"limit": 0}`, "", "none"},
		{`{"limit": "many"}`, "", "no number"},
		{`{"period": "MTD", "tag": "a"}`, "6", "all must match"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			for range 2 { // the second time it may come from what is remembered
				raw, f := b.Data("log", args(t, tt.args))
				if f != nil {
					t.Fatal(f)
				}
				var got []string
				for _, part := range strings.Split(string(raw), `"n":`)[1:] {
					got = append(got, part[:strings.IndexAny(part, ",}")])
				}
				if s := strings.Join(got, " "); s != tt.want {
					t.Errorf("rows %q, want %q: %s", s, tt.want, tt.reason)
				}
			}
		})
	}
}

func TestFiltersThatAreRefused(t *testing.T) {
	for _, tt := range []struct{ from, to, want string }{
		{`"as_of": "2026-05-15",`, ``, "counts from as_of, and the fixture has none"},
		{`"as_of": "2026-05-15"`, `"as_of": "yesterday"`, "as_of must be a date"},
		{`"op": "window"`, `"op": "about"`, `unknown op "about"; known are ["window" "since" "until" "limit"]`},
		{`"many": true`, `"several": true`, `unknown keys ["several"]`},
		{`"field": "date", "op": "since"`, `"op": "since"`, "want a parameter or {param, field}"},
		{`"nomatch": "empty"`, `"nomatch": "all"`, "nomatch must be"},
	} {
		raw := strings.Replace(choosing, tt.from, tt.to, 1)
		if raw == choosing {
			t.Fatalf("%s is not in the fixture", tt.from)
		}
		if _, err := backend.ParseFixture([]byte(raw)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.to, err, tt.want)
		}
	}
}

// A table remembers only so many choices, and goes on answering.
func TestManyChoices(t *testing.T) {
	b := fixture(t, choosing)
	for range 2 {
		for i := range 600 {
			raw, f := b.Data("log", map[string]any{"tags": fmt.Sprintf("x%d,c", i)})
			if f != nil || strings.Count(string(raw), `"n":`) != 2 {
				t.Fatalf("choice %d: %s, failure %v", i, raw, f)
			}
		}
	}
}
